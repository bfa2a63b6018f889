// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/record/frequencies.h"
#include "core/record/history.h"
#include "core/record/sample_spacing.h"
#include "core/scenario/scenario.h"
#include "core/scenario/timetable.h"

namespace twosphere {

/// Limit for the samples of a signal in the window; of more the newest are used.
inline constexpr std::size_t max_signal_rows = std::size_t{1} << 17;

/// Samples of a signal along a run from which its frequencies are measured: of a range of time,
/// equally spaced, in the order of the run. They end with the last leg of the run in that range,
/// and begin after the last change in it, first_step_of_motion().
struct SignalRows : SampleSpacing {
  std::vector<std::complex<double>> samples;
  double from = 0, to = 0;    ///< times of the first and the last sample [s]
  bool after_change = false;  ///< samples of the range before a change are left out
  bool shortened = false;     ///< only the newest max_signal_rows samples
};

/// The first step after the last change of the motion of a lane before step `last` of a record, to
/// which the times belong: of the system, the state, the method or its step, the direction of time,
/// or by a pull. 0 if nothing changes.
std::int64_t first_step_of_motion(const Scenario& record, const Timetable& times, int lane,
                                  std::int64_t last);

/// Of a quantity that is plotted, real: all that are stored. Their spacing is that of the rows, or
/// of the stored states, whether it resolves the motion or not; where it is one step, they are
/// those of SignalSamples. `lane` is the index of the history; `record` is the run's, with start
/// and events; times from `low` to `high` [s].
SignalRows signal_rows(const History& history, int lane, const Scenario& record,
                       const Signal& signal, double low, double high);

/// The lines of such samples and their change between the halves.
struct SignalLines {
  std::vector<Line> lines;  ///< the strongest first
  double diffusion = 0;     ///< frequency_diffusion(); NaN if there is none
};
/// `real`: find_real_lines(). Fails as find_lines().
Result<SignalLines> signal_lines(const SignalRows& rows, bool real, int count, int window);

}  // namespace twosphere
