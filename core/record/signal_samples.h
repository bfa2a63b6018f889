// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <complex>
#include <cstdint>
#include <numbers>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/record/frequencies.h"
#include "core/run/simulation.h"
#include "core/scenario/state_signal.h"

namespace twosphere {

/// The samples of a complex signal of a lane along a run, equally spaced, from the last change of
/// the step or of the direction on: at every step at first, so that neither the rows of the run nor
/// its planned duration decide what is resolved. Memory is bounded: the spacing Δt doubles, and
/// every other sample is dropped,
///
///   at 2^15 samples  if Ω Δt ≤ π/8 after that,
///   at 2^17 samples  if Ω Δt ≤ π/2 after that; if not, no more samples are taken,
///
/// where Ω is the largest of the fastest rates of the motion, TimeScales::fastest(), each time that
/// this is decided, and of |ω_i| in all samples.
class SignalSamples {
 public:
  /// The location of an error is "signal.real:column N" or "signal.imaginary:column N".
  static Result<SignalSamples> create(const ComplexSignal& signal, const Scenario& scenario);

  /// Adds the sample of the present step if one is due, as a Simulation::StepObserver.
  std::int64_t see(Simulation& run, int lane);

  /// See find_lines(); none if there are too few samples.
  std::vector<Line> lines(int count) const;
  double diffusion() const { return frequency_diffusion(samples_, interval(), signal_.window); }

  std::span<const std::complex<double>> samples() const { return samples_; }
  /// Δt, with the sign of the direction of time [s].
  double interval() const { return static_cast<double>(stride_) * step_; }
  /// The largest frequency that the samples can tell from a lower one, 1/(2 Δt) [Hz].
  double nyquist() const { return 1 / (2 * std::abs(interval())); }
  /// max_i |ω_i| in all samples [rad/s].
  double fastest_turn() const { return turn_; }
  /// Whether a body turned by π or more between two samples, so that frequencies may be beyond
  /// nyquist() and then appear as lower ones.
  bool may_be_aliased() const { return turn_ * std::abs(interval()) >= std::numbers::pi; }
  /// Whether the run went on after the last sample, because there would have been too many.
  bool cut() const { return cut_; }
  /// Where they may mislead, and where they end before the run: a text for each.
  std::vector<std::string> notes() const;

  /// What continues it together with the state of a run after so many steps, and that.
  std::vector<double> saved(std::int64_t steps) const;
  /// Goes on with a run that continues that state; false if these are not such numbers.
  bool restore(std::span<const double> numbers);

 private:
  void thin(Simulation& run, int lane);

  ComplexSignal signal_;
  std::optional<StateSignal> state_signal_;  // none if it does not fit the present system
  std::size_t events_ = 0;                   // of the record that it has taken into account
  std::vector<std::complex<double>> samples_;
  double step_ = 0;          // of the run, with the sign of the direction of time [s]
  std::int64_t stride_ = 1;  // steps from a sample to the next
  std::int64_t next_ = 0;    // the step of the next sample
  double turn_ = 0;          // max |ω_i| so far [rad/s]
  bool cut_ = false;
};

}  // namespace twosphere
