// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <complex>
#include <cstddef>
#include <numbers>
#include <vector>

#include "core/record/frequencies.h"
#include "core/record/history.h"
#include "core/scenario/complex_signal.h"
#include "core/scenario/scenario.h"

namespace twosphere {

/// Limit for the samples of a signal in the window; of more the newest are used.
inline constexpr std::size_t most_signal_rows = std::size_t{1} << 17;

/// The samples of a signal along a recorded run from which its frequencies are measured: all stored
/// ones of a range of time, equally spaced, in the order of the run. They end with the last leg of
/// the run in that range, and begin after the last change in it: of the system, the state, the
/// method or its step, the direction of time, or by a pull. Their spacing is that of the rows, or
/// of the stored states, whether it resolves the motion or not; where it is one step of a run
/// without changes, they are those of SignalSamples.
struct SignalRows {
  std::vector<std::complex<double>> samples;
  double interval = 0;      ///< with the sign of the direction of time [s]; 0 if there is no sample
  double from = 0, to = 0;  ///< times of the first and the last sample [s]
  bool after_change = false;  ///< samples of the range before a change are left out
  bool shortened = false;     ///< only the newest most_signal_rows samples
  double turn = 0;            ///< max_i |ω_i| in states among them [rad/s]

  /// The largest frequency that the samples can tell from a lower one, 1/(2 |interval|) [Hz].
  double nyquist() const { return 1 / (2 * std::abs(interval)); }
  /// As SignalSamples::may_be_aliased().
  bool may_be_aliased() const { return turn * std::abs(interval) >= std::numbers::pi; }
};

/// Of a quantity that is plotted, real. `lane` is the index of the history; `record` is the run's,
/// with start and events; times from `low` to `high` [s].
SignalRows signal_rows(const History& history, int lane, const Scenario& record,
                       const Signal& signal, double low, double high);
/// Of two expressions of the state, for the system as it was then. Fails as StateSignal::create().
Result<SignalRows> signal_rows(const History& history, int lane, const Scenario& record,
                               const ComplexSignal& signal, double low, double high);

/// The lines of such samples and their change between the halves.
struct SignalLines {
  std::vector<Line> lines;  ///< the strongest first
  double diffusion = 0;     ///< frequency_diffusion(); NaN if there is none
};
/// `real`: find_real_lines(). Fails as find_lines().
Result<SignalLines> signal_lines(const SignalRows& rows, bool real, int count, int window);

}  // namespace twosphere
