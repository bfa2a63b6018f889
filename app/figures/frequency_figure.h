// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/output/lane_style.h"
#include "core/record/run_view.h"
#include "core/record/signal_rows.h"
#include "core/studies/followed_signal.h"
#include "ui/plot/axis.h"
#include "ui/plot/figure.h"

namespace twosphere {

/// The signal whose frequencies are measured, and how.
struct FrequencyChoice {
  std::optional<Signal> quantity;  ///< one that is plotted; none: the signal
  ComplexSignal signal;            ///< its window is used for a quantity, too
  int lines = 6;                   ///< at most, of each lane
  ui::Interval time;               ///< of the samples [s]

  /// Whether a line is a cosine, not a rotation with a sign.
  bool real() const { return quantity || signal.imaginary.empty(); }
  /// "q[0].e1 + i q[0].e2", "polar angle θ₁"
  std::string name() const;
};

/// The lines of every lane of a run.
struct FrequencyResult {
  struct Lane {
    std::string name, title;  ///< in tables, and to be shown
    LaneStyle style;
    SignalRows rows;                 ///< without the samples
    std::size_t samples = 0;         ///< how many there were
    std::vector<std::string> notes;  ///< where they may mislead, or end before the run
    SignalLines found;               ///< empty if there is a problem
    std::string problem;             ///< why there are no lines
  };
  FrequencyChoice choice;
  std::string unit;  ///< of the amplitudes
  std::vector<Lane> lanes;
  bool complete = true;  ///< the samples reach the end of the run so far

  std::size_t max_lines() const;  ///< the largest number of lines of a lane
};

/// Measures the frequencies of a run of `steps` steps so far, at samples that `own` takes; it goes
/// on with them for a fifth of a second at most. Of a quantity that it does not take, the samples
/// are those of the rows. `colors`: of the lanes. Fails if the signal does not fit the system.
Result<FrequencyResult> find_frequencies(const RunView& run, std::int64_t steps,
                                         const FrequencyChoice& choice, FollowedSignal& own,
                                         Palette palette, LaneColors colors);

/// What the samples of the lanes are, one by one where they differ: "4001 samples, 0.05 s apart,
/// from t = 0 to 200 s: frequencies up to 10 Hz."
std::string samples_in_words(const FrequencyResult& result);

/// One row for each line of each lane: frequency, amplitude, phase at the first sample, and the
/// diffusion and the samples of the lane. Numbers have the shortest form that reads back to the
/// same double. As CSV (RFC 4180), or separated by tabs for a spreadsheet.
std::string frequency_table(const FrequencyResult& result, bool tabs = false);

/// The amplitudes over the frequencies, as bars.
ui::PlotFigure frequency_figure(const FrequencyResult& result, const std::string& title);

}  // namespace twosphere
