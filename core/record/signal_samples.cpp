// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/signal_samples.h"

#include <cmath>
#include <utility>

namespace twosphere {

Result<SignalSamples> SignalSamples::create(const ComplexSignal& signal, const Scenario& scenario) {
  auto made = StateSignal::create(signal, scenario);
  if (!made) return made.error();
  SignalSamples out;
  out.signal_ = signal;
  out.state_signal_ = std::move(*made);
  return out;
}

void SignalSamples::add(Simulation& run, int lane) {
  if (run.events_applied() != events_) {
    events_ = run.events_applied();
    auto made = StateSignal::create(signal_, run.present());
    state_signal_.reset();
    if (made) state_signal_ = std::move(*made);
  }
  const double interval =
      static_cast<double>(run.stride()) * run.grid_step() * (run.reversed() ? -1 : 1);
  if (interval != std::exchange(interval_, interval)) samples_.clear();
  samples_.push_back(state_signal_ ? state_signal_->value(run.state(lane)) : std::nan(""));
}

std::vector<Line> SignalSamples::lines(int count) const {
  auto found = find_lines(samples_, interval_, count, signal_.window);
  return found ? std::move(*found) : std::vector<Line>();
}

void SignalSamples::restore(std::vector<std::complex<double>> samples, double interval) {
  samples_ = std::move(samples);
  interval_ = interval;
}

}  // namespace twosphere
