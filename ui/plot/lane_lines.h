// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "core/record/signal_rows.h"
#include "ui/plot/lane_spectrum.h"
#include "ui/plot/lane_work.h"

namespace twosphere::ui {

/// How many lines of each lane are marked in a power spectrum, besides the mean.
inline constexpr int marked_lines = 3;

struct LinesResult {
  SignalRows rows;                   ///< without the samples
  std::vector<std::string> notes{};  ///< where the samples may mislead, or end before the run
  std::size_t samples = 0;           ///< how many there were
  std::vector<Line> lines;  ///< without the mean, the strongest first; empty if there are none
  double diffusion = std::numeric_limits<double>::quiet_NaN();  ///< frequency_diffusion()
  double took = 0;                                              ///< [s]
};

/// The strongest lines of a quantity of a lane in a time range since its last change, cached: of
/// signal_rows() or of own samples.
using LaneLines = LaneWork<LinesResult>;

/// Updates the lines of the lanes of these curves: see update_work(). `record` is the run's.
bool update_lines(std::vector<LaneLines>& lines, const PlotSpec& spec,
                  const std::vector<Curve>& curves, const Scenario& record, Interval time,
                  const SpectrumSource& source, double now, const SharedSamples& own = {});
/// Computes the lines of these curves and waits for them.
std::vector<LaneLines> lines_of(const PlotSpec& spec, const std::vector<Curve>& curves,
                                const Scenario& record, Interval time,
                                const SharedSamples& own = {});

/// "0.521346 Hz 0.831 rad", the frequency and the amplitude of a line.
std::string line_text(const Line& line, std::string_view unit);

/// A line on the curve of a power spectrum.
struct LineMark {
  std::string name;    ///< "ν₁"
  double at = 0;       ///< log10 of its frequency
  double density = 0;  ///< of the spectrum there
};
/// The lines within the frequencies of the spectrum.
std::vector<LineMark> line_marks(const LaneLines& lines, const Spectrum& spectrum);

}  // namespace twosphere::ui
