// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <complex>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/record/frequencies.h"
#include "core/record/sample_spacing.h"
#include "core/record/signal.h"
#include "core/run/simulation.h"
#include "core/scenario/complex_signal.h"

namespace twosphere {

/// The samples of a complex signal of a lane along a run, or of a quantity, equally spaced, from
/// the last change of the step or of the direction on: at every step at first, so that neither the
/// rows of the run nor its planned duration decide what is resolved. Memory is bounded: the spacing
/// Δt doubles, and every other sample is dropped,
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
  /// Of a quantity that takes() holds for, real. `window`: as of a complex signal. Fails if it is
  /// an expression that does not fit the system.
  static Result<SignalSamples> create(const Signal& quantity, int window, const Scenario& scenario);
  /// Whether a quantity follows from the present state of a lane; the cost of steps, distances and
  /// the changes of the angular momentum and of the modified energy since the start do not.
  static bool takes(const Signal& quantity);

  /// Adds the sample of the present step if one is due, as a Simulation::Observer.
  std::int64_t see(Simulation& run, int lane);

  /// See find_lines(); none if there are too few samples.
  std::vector<Line> lines(int count) const;
  double diffusion() const { return frequency_diffusion(samples_, interval(), signal_.window); }

  std::span<const std::complex<double>> samples() const { return samples_; }
  /// Δt, with the sign of the direction of time [s].
  double interval() const { return static_cast<double>(stride_) * step_; }
  SampleSpacing spacing() const { return {interval(), turn_}; }
  /// Whether the run continued after the last sample, because there would have been too many.
  bool cut() const { return cut_; }
  /// Where they may mislead, and where they end before the run: a text for each.
  std::vector<std::string> notes() const;

  /// Data that continue it together with the state of a run after so many steps.
  std::vector<double> saved(std::int64_t steps) const;
  /// Continues with a run that continues that state; false if these are not such numbers.
  bool restore(std::span<const double> numbers);

 private:
  using Reader = std::function<std::complex<double>(Simulation&, int lane)>;
  Result<Reader> reader(const Scenario& scenario) const;
  static Result<SignalSamples> made(SignalSamples samples, const Scenario& scenario);
  void thin(Simulation& run, int lane);

  ComplexSignal signal_;
  std::optional<Signal> quantity_;  // else the signal
  Reader value_;                    // none if it does not fit the present system
  std::size_t events_ = 0;          // of the record that it has taken into account
  std::vector<std::complex<double>> samples_;
  double step_ = 0;          // of the run, with the sign of the direction of time [s]
  std::int64_t stride_ = 1;  // steps from a sample to the next
  std::int64_t next_ = 0;    // the step of the next sample
  double turn_ = 0;          // max |ω_i| so far [rad/s]
  bool cut_ = false;
};

}  // namespace twosphere
