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

/// The value of a measure of a quantity in a sample.
double value_in(const SweepMeasure& measure, const Sample& sample) {
  const double value = sample[*measure.signal.quantity()];
  return measure.over != Over::last && measure.signal.error() ? std::abs(value) : value;
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
  out.quantities_ =
      any([](const SweepMeasure& m) { return m.is_extreme() && m.signal.quantity(); });
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
  const bool later = quantities_ && put_off(run);
  add_steps(run, at_steps_, true, !later);
  return run.steps() + 1;
}

void MeasuredLane::add_row(Simulation& run) { add_steps(run, at_rows_, false, true); }

/// Adds the present step, or those of Simulation::rows().
void MeasuredLane::add_steps(Simulation& run, ExpressionValues& plotted, bool extremes,
                             bool quantities) {
  const RowBlock& rows = run.rows();
  if (rows.empty())
    add(
        run, run.state(lane_), run.time(), plotted,
        [&]() -> const Sample& { return run.sample(lane_); }, extremes, quantities);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const Sample& sample = rows.samples()[k];
    rows.state(k, row_);
    add(
        run, row_, sample[Quantity::time], plotted, [&]() -> const Sample& { return sample; },
        extremes, quantities);
  }
}

/// Keeps the present step, so that its quantities are measured with those of others. False if they
/// are to be taken now: the sample of a row is there already.
bool MeasuredLane::put_off(Simulation& run) {
  const Lane& lane = run.lane(lane_);
  if (together_.system != run.system() || together_.energy_reference != lane.energy_reference) {
    measure_together();
    together_.system = run.system();
    together_.energy_reference = lane.energy_reference;
    together_.suits = RowBlock::suits(*together_.system);
  }
  if (!together_.suits || run.stride() == 1 || !run.rows().empty()) {
    measure_together();
    return false;
  }
  RowBlock& block = together_.block;
  if (block.empty()) block.begin(*together_.system);
  block.add(*together_.system, run.state(lane_), run.time(), lane.work.value(), lane.last);
  if (block.size() == RowBlock::capacity) measure_together();
  return true;
}

/// Adds the extremes of the steps that have been put off.
void MeasuredLane::measure_together() {
  RowBlock& block = together_.block;
  if (block.empty()) return;
  (void)block.measure(*together_.system, together_.energy_reference);
  for (const Sample& sample : block.samples())
    for (std::size_t k = 0; k < measures_.size(); ++k)
      if (const SweepMeasure& m = measures_[k]; m.is_extreme() && m.signal.quantity())
        sums_[k].add(m.over, value_in(m, sample), sample[Quantity::time]);
  block.clear();
}

/// Adds the values at a state of the measures that are extremes, or of the others; those of
/// quantities only if they are wanted.
template <class SampleOf>
void MeasuredLane::add(Simulation& run, const State& state, double t, ExpressionValues& plotted,
                       const SampleOf& sample_of, bool extremes, bool quantities) {
  const std::vector<double> plots = plotted.at(run.present(), run.system(), &state);
  auto plot = plots.begin();
  const auto present = [&](const SweepMeasure& m) {
    if (m.signal.kind() == Signal::Kind::expression) return *plot++;
    return m.signal.quantity() ? value_in(m, sample_of()) : m.signal.value(*run.system(), state);
  };
  for (std::size_t k = 0; k < measures_.size(); ++k)
    if (const SweepMeasure& m = measures_[k];
        m.over_run() && m.is_extreme() == extremes && (quantities || !m.signal.quantity()))
      sums_[k].add(m.over, present(m), t);
}

double steps_of(const Simulation& run, int lane) {
  const Lane& held = run.lane(lane);
  return static_cast<double>(held.info->adaptive ? held.inner_steps : held.steps);
}

std::vector<MeasuredLane::Value> MeasuredLane::values(Simulation& run, double steps_before) {
  measure_together();
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

json::Node MeasuredLane::saved(std::int64_t steps) {
  measure_together();
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
  together_.block.clear();
  for (std::size_t k = 0; k < sums_.size(); ++k) {
    const document::Value one = sums.item(k);
    if (one.expect(json::Kind::array).size() != saved_numbers) return false;
    const auto at = [&](std::size_t i) { return one.item(i).number(); };
    sums_[k] = {at(0), at(1), {at(2), at(3)}, at(4)};
  }
  if (!signal_) return true;
  std::vector<double> numbers;
  for (const document::Value& one : saved.member("signal").items()) numbers.push_back(one.number());
  return signal_->restore(numbers);
}

}  // namespace twosphere
