// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/studies/measured_lane.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/mechanics/chaos_indicator.h"
#include "core/record/signal.h"

namespace twosphere {

namespace {

using Kind = SweepMeasure::Kind;
using Over = SweepMeasure::Over;

/// The number of numbers of a measure in a file.
constexpr std::size_t saved_numbers = 5;

/// The values of the plots of the scenario among the measures, in their order.
ExpressionValues plots_among(const std::vector<SweepMeasure>& measures, bool extremes) {
  std::vector<PlottedExpression> plotted;
  for (const SweepMeasure& m : measures)
    if (const auto plot = m.signal.expression(); plot && m.is_extreme() == extremes)
      plotted.push_back(*plot);
  return ExpressionValues(std::move(plotted));
}

}  // namespace

void MeasuredLane::Sums::add(Over over, double x, double t) {
  if (over == Over::max || over == Over::min) {
    // Between rows a value may be not finite.
    if (!std::isfinite(x) || (count > 0 && !(over == Over::max ? x > value : x < value))) return;
    time = t;
  }
  value = x;
  sum.add(x);
  ++count;
}

double MeasuredLane::Sums::of(Over over) const {
  if (count == 0) return std::nan("");
  return over == Over::mean ? sum.value() / count : value;
}

Result<MeasuredLane> MeasuredLane::create(std::vector<SweepMeasure> measures,
                                          const Scenario& scenario, int lane) {
  const auto any = [&](auto which) { return std::any_of(measures.begin(), measures.end(), which); };
  MeasuredLane out;
  out.lane_ = lane;
  out.extremes_ = any([](const SweepMeasure& m) { return m.is_extreme(); });
  if (any([](const SweepMeasure& m) { return m.needs_signal(); })) {
    auto signal = SignalSamples::create(scenario.signal.value_or(ComplexSignal{}), scenario);
    if (!signal) return signal.error();
    out.signal_ = std::move(*signal);
  }
  out.sums_.resize(measures.size());
  out.at_steps_ = plots_among(measures, true);
  out.at_rows_ = plots_among(measures, false);
  out.measures_ = std::move(measures);
  return out;
}

std::int64_t MeasuredLane::see(Simulation& run) {
  std::int64_t next = std::numeric_limits<std::int64_t>::max();
  if (signal_) next = signal_->see(run, lane_);
  if (!extremes_) return next;
  add(run, true, at_steps_);
  return run.steps() + 1;
}

void MeasuredLane::add_row(Simulation& run) { add(run, false, at_rows_); }

/// Adds the present values of the measures that are extremes, or of the others.
void MeasuredLane::add(Simulation& run, bool extremes, ExpressionValues& plotted) {
  const std::vector<double> plots = plotted.at(run.present(), run.system(), &run.state(lane_));
  auto plot = plots.begin();
  const auto present = [&](const SweepMeasure& m) {
    const State& state = run.state(lane_);
    if (m.signal.kind() == Signal::Kind::expression) return *plot++;
    const auto quantity = m.signal.quantity();
    if (!quantity) return m.signal.value(*run.system(), state);
    const double value = run.sample(lane_)[*quantity];
    return m.over != Over::last && m.signal.error() ? std::abs(value) : value;
  };
  for (std::size_t k = 0; k < measures_.size(); ++k)
    if (const SweepMeasure& m = measures_[k]; m.over_run() && m.is_extreme() == extremes)
      sums_[k].add(m.over, present(m), run.time());
}

double steps_of(const Simulation& run, int lane) {
  const Lane& held = run.lane(lane);
  return static_cast<double>(held.info->adaptive ? held.inner_steps : held.steps);
}

std::vector<MeasuredLane::Value> MeasuredLane::values(Simulation& run, double steps_before) const {
  int count = 0;
  for (const SweepMeasure& m : measures_)
    if (m.kind == Kind::frequency) count = std::max(count, m.index + 1);
  const std::vector<Line> lines = count > 0 ? signal_->lines(count) : std::vector<Line>();
  std::vector<Value> out;
  for (std::size_t k = 0; k < measures_.size(); ++k) {
    const SweepMeasure& m = measures_[k];
    if (!m.over_run())
      out.push_back({value_of(m, run, lines, steps_before)});
    else if (m.is_extreme() && sums_[k].count > 0)
      out.push_back({sums_[k].of(m.over), sums_[k].time});
    else
      out.push_back({sums_[k].of(m.over)});
  }
  return out;
}

/// The value of a measure that is of the run as a whole.
double MeasuredLane::value_of(const SweepMeasure& measure, Simulation& run,
                              const std::vector<Line>& lines, double steps_before) const {
  const auto& exponents = run.lane(lane_).exponents;
  if (const auto indicator = ChaosIndicator::find(measure.key()))
    return exponents ? indicator->value(*exponents, *run.system(), run.state(lane_)) : std::nan("");
  const auto index = static_cast<std::size_t>(measure.index);
  switch (measure.kind) {
    case Kind::t_stop:
      return run.stop_time();
    case Kind::frequency:
      return index < lines.size() ? lines[index].frequency : std::nan("");
    case Kind::diffusion:
      return signal_->diffusion();
    case Kind::cost:
      return steps_before + steps_of(run, lane_);
    case Kind::over_run:
    case Kind::lyapunov:
    case Kind::megno:
    case Kind::fli:
    case Kind::basin:
    case Kind::orbit_period:
    case Kind::orbit_multiplier:
      break;
  }
  return std::nan("");
}

json::Node MeasuredLane::saved(std::int64_t steps) const {
  json::Node root =
      json::Node::object({{"sums", json::Node::array(sums_, [](const Sums& s) {
                             return json::Node::numbers(std::array<double, saved_numbers>{
                                 s.value, s.time, s.sum.sum, s.sum.compensation, s.count});
                           })}});
  if (signal_) root.set("signal", json::Node::numbers(signal_->saved(steps)));
  return root;
}

bool MeasuredLane::restore(const document::Value& saved) {
  const document::Value sums = saved.member("sums");
  if (sums.expect(json::Kind::array).size() != sums_.size()) return false;
  for (std::size_t k = 0; k < sums_.size(); ++k) {
    const document::Value one = sums.item(k);
    if (one.expect(json::Kind::array).size() != saved_numbers) return false;
    const auto at = [&](std::size_t i) { return one.item(i).number(); };
    sums_[k] = {at(0), at(1), {at(2), at(3)}, at(4)};
  }
  if (!signal_) return true;
  const document::Value signal = saved.member("signal");
  std::vector<double> numbers;
  for (std::size_t k = 0; k < signal.expect(json::Kind::array).size(); ++k)
    numbers.push_back(signal.item(k).number());
  return signal_->restore(numbers);
}

}  // namespace twosphere
