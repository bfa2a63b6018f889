// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/signal_samples.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "core/mechanics/time_scales.h"
#include "core/scenario/state_expression.h"
#include "core/scenario/state_signal.h"

namespace twosphere {

namespace {

/// So many samples are thinned where those that are left resolve the motion well, or at all.
constexpr std::size_t many_own_samples = std::size_t{1} << 15,
                      max_own_samples = std::size_t{1} << 17;
/// Where there are no more, the steps until the run is looked at again, whose step may be another.
constexpr std::int64_t steps_between_looks = 4096;

}  // namespace

Result<SignalSamples> SignalSamples::create(const ComplexSignal& signal, const Scenario& scenario) {
  SignalSamples out;
  out.signal_ = signal;
  return made(std::move(out), scenario);
}

Result<SignalSamples> SignalSamples::create(const Signal& quantity, int window,
                                            const Scenario& scenario) {
  SignalSamples out;
  out.signal_.window = window;
  out.quantity_ = quantity;
  return made(std::move(out), scenario);
}

Result<SignalSamples> SignalSamples::made(SignalSamples samples, const Scenario& scenario) {
  auto reader = samples.reader(scenario);
  if (!reader) return reader.error();
  samples.value_ = std::move(*reader);
  return samples;
}

bool SignalSamples::takes(const Signal& quantity) {
  using Kind = Signal::Kind;
  return quantity.kind() != Kind::step && quantity.kind() != Kind::distance &&
         quantity.kind() != Kind::momentum_error && quantity.kind() != Kind::modified_energy_error;
}

/// A function that reads the value of a lane, for the system of a scenario.
Result<SignalSamples::Reader> SignalSamples::reader(const Scenario& scenario) const {
  if (!quantity_) {
    const auto signal = StateSignal::create(signal_, scenario);
    if (!signal)
      return Error{signal.error().kind, "signal." + signal.error().location,
                   signal.error().message};
    return Reader(
        [signal = *signal](Simulation& run, int lane) { return signal.value(run.state(lane)); });
  }
  if (const auto plotted = quantity_->expression()) {
    const auto expression = StateExpression::create(plotted->expression, scenario, plotted->unit);
    if (!expression) return expression.error();
    return Reader([expression = *expression](Simulation& run, int lane) {
      return expression.value(run.state(lane));
    });
  }
  if (const auto quantity = quantity_->quantity())
    return Reader(
        [quantity = *quantity](Simulation& run, int lane) { return run.sample(lane)[quantity]; });
  return Reader([signal = *quantity_](Simulation& run, int lane) {
    return signal.value(*run.system(), run.state(lane));
  });
}

std::int64_t SignalSamples::see(Simulation& run, int lane) {
  const double step = run.grid_step() * (run.reversed() ? -1 : 1);
  if (step != step_) {
    samples_.clear();
    step_ = step;
    stride_ = 1;
    next_ = run.steps();
    turn_ = 0;
    cut_ = false;
  }
  if (cut_) return run.steps() + steps_between_looks;
  if (run.steps() < next_) return next_;
  if (run.events_applied() != events_) {
    events_ = run.events_applied();
    auto read = reader(run.present());
    value_ = read ? std::move(*read) : Reader();
  }
  if (samples_.size() == many_own_samples || samples_.size() == max_own_samples) thin(run, lane);
  if (cut_) return run.steps() + steps_between_looks;
  const State& state = run.state(lane);
  turn_ = std::max(turn_, state.w.colwise().norm().maxCoeff());
  samples_.push_back(value_ ? value_(run, lane) : std::nan(""));
  next_ = run.steps() + stride_;
  return next_;
}

/// Drops every other sample if those that are left resolve the motion; if there can be no more
/// otherwise, this is the last.
void SignalSamples::thin(Simulation& run, int lane) {
  const double rate = time_scales(*run.system(), run.state(lane)).fastest();
  const double turn = 2 * std::abs(interval()) * std::max(turn_, std::isfinite(rate) ? rate : 0);
  const bool full = samples_.size() == max_own_samples;
  if (turn > std::numbers::pi / (full ? 2 : 8)) {
    cut_ = full;
    return;
  }
  for (std::size_t k = 1; 2 * k < samples_.size(); ++k) samples_[k] = samples_[2 * k];
  samples_.resize(samples_.size() / 2);
  stride_ *= 2;
}

std::vector<Line> SignalSamples::lines(int count) const {
  auto found = find_lines(samples_, interval(), count, signal_.window);
  return found ? std::move(*found) : std::vector<Line>();
}

std::vector<std::string> SignalSamples::notes() const {
  std::vector<std::string> all;
  if (const std::string warning = spacing().warning(); !warning.empty())
    all.push_back(warning + "; take a smaller step");
  if (cut())
    all.push_back(fmt::format(
        "of the first {:.6g} s only, {} samples: fewer would not resolve frequencies up to {:.6g} "
        "Hz; run a shorter time",
        static_cast<double>(samples_.size() - 1) * std::abs(interval()), samples_.size(),
        spacing().nyquist()));
  return all;
}

std::vector<double> SignalSamples::saved(std::int64_t steps) const {
  std::vector<double> numbers{step_, static_cast<double>(stride_),
                              static_cast<double>(next_ - steps), turn_, cut_ ? 1.0 : 0.0};
  for (const std::complex<double>& z : samples_)
    numbers.insert(numbers.end(), {z.real(), z.imag()});
  return numbers;
}

bool SignalSamples::restore(std::span<const double> numbers) {
  constexpr std::size_t begins = 5;
  if (numbers.size() < begins || numbers.size() % 2 != begins % 2 ||
      (numbers.size() - begins) / 2 > max_own_samples || !(numbers[1] >= 1))
    return false;
  step_ = numbers[0];
  stride_ = static_cast<std::int64_t>(numbers[1]);
  next_ = static_cast<std::int64_t>(numbers[2]);
  turn_ = numbers[3];
  cut_ = numbers[4] != 0;
  samples_.clear();
  for (std::size_t k = begins; k < numbers.size(); k += 2)
    samples_.emplace_back(numbers[k], numbers[k + 1]);
  return true;
}

}  // namespace twosphere
