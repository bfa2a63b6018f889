// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <complex>
#include <optional>
#include <span>
#include <vector>

#include "core/record/frequencies.h"
#include "core/run/simulation.h"
#include "core/scenario/state_signal.h"

namespace twosphere {

/// The samples of a complex signal of a lane along a run, equally spaced: one for each row at the
/// stride of the run, from the last change of the stride, of the step or of the direction on.
class SignalSamples {
 public:
  /// The place of an error is a key of the signal.
  static Result<SignalSamples> create(const ComplexSignal& signal, const Scenario& scenario);

  /// Adds the sample of the present step, where Simulation::at_sample() holds.
  void add(Simulation& run, int lane);

  /// See find_lines(); none if there are too few samples.
  std::vector<Line> lines(int count) const;
  double diffusion() const { return frequency_diffusion(samples_, interval_, signal_.window); }

  std::span<const std::complex<double>> samples() const { return samples_; }
  double interval() const { return interval_; }  ///< with the sign of the direction of time [s]
  /// Goes on after these samples.
  void restore(std::vector<std::complex<double>> samples, double interval);

 private:
  ComplexSignal signal_;
  std::optional<StateSignal> state_signal_;  // none if it does not fit the present system
  std::size_t events_ = 0;                   // of the record that it has taken into account
  std::vector<std::complex<double>> samples_;
  double interval_ = 0;
};

}  // namespace twosphere
