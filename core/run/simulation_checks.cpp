// SPDX-License-Identifier: GPL-3.0-or-later
// What is checked as a simulation runs: the guard, the stop conditions, the return to the start.
#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "core/base/excerpt.h"
#include "core/base/json.h"
#include "core/run/simulation.h"

namespace twosphere {

Guard::Row Simulation::guarded(int index) {
  const Sample& now = sample(index);
  const Lane& held = lane(index);
  return {*system_, *held.info, held.clock.step, held.state, now, held.energy_reference, steps()};
}

void Simulation::guard_row() {
  const std::size_t before = warnings().size();
  for (int i = 0; i < lane_count(); ++i) guard_.check_row(i, guarded(i));
  mark_warnings(before);
  keep_good();
}

/// Marks the warnings from index `first` on.
void Simulation::mark_warnings(std::size_t first) {
  for (std::size_t k = first; k < warnings().size(); ++k) {
    const Warning& found = warnings()[k];
    mark({found.step, found.t, fmt::format("{}: {}", lane(found.lane).name, brief(found)), true});
  }
}

void Simulation::check_at_end() {
  if (guarded_) guard_row();
}

/// Saves the present state if there are no warnings.
void Simulation::keep_good() {
  if (!keeps_good_ || !warnings().empty()) return;
  if (!good_) good_ = Good{};
  good_->lanes.resize(lanes_.size());
  for (std::size_t i = 0; i < lanes_.size(); ++i) save(i, good_->lanes[i]);
  good_->clock = clock_;
  good_->next_event = next_event_;
}

std::optional<std::int64_t> Simulation::go_back() {
  if (!good_ || warnings().empty()) return {};
  for (std::size_t i = 0; i < lanes_.size(); ++i) roll_back(i, good_->lanes[i]);
  forget_samples();
  reached_.clear();
  former_.clear();
  clock_ = good_->clock;
  next_event_ = good_->next_event;
  return steps();
}

std::vector<StopConditions::Observed> Simulation::observed() {
  std::vector<StopConditions::Observed> samples;
  samples.reserve(lanes_.size());
  for (int i = 0; i < lane_count(); ++i) samples.push_back({sample(i), &state(i)});
  return samples;
}

/// Checks the stop conditions; the run does not stop if the record continues from here.
void Simulation::check_stops(bool row) {
  std::vector<StopConditions::Observed> samples;
  if (row) samples = observed();
  std::string text;
  for (const auto& met : stops_.check(time(), grid_step(), reversed(), samples)) {
    const Lane& at = lane(met.lane);
    if (!text.empty()) text += "; ";
    if (met.condition.quantity) {
      const QuantityInfo& quantity = info(*met.condition.quantity);
      const std::string unit = quantity.unit == "1" ? "" : fmt::format(" {}", quantity.unit);
      text += fmt::format("{}: step {}, t = {:.10g} s: {}{} = {:.8g}{}, {} {}{}", at.name, steps(),
                          time(), quantity.label, worst_body(met), met.value, unit,
                          met.condition.above ? "above" : "below",
                          json::shortest(met.condition.value), unit);
    } else if (!met.condition.is_time()) {
      text +=
          fmt::format("{}: step {}, t = {:.10g} s: {} = {:.8g}, {} {}", at.name, steps(), time(),
                      printable(met.condition.expression), met.value,
                      met.condition.above ? "above" : "below", json::shortest(met.condition.value));
    } else {
      text += fmt::format("step {}, t = {:.10g} s: {} is reached", steps(), time(),
                          describe(met.condition));
    }
  }
  if (text.empty()) return;
  if (!is_due(&Event::resume)) stopped_ = std::move(text);
}

/// " of body 2 of 10" for a quantity that is the maximum over the bodies.
std::string Simulation::worst_body(const StopConditions::Met& met) {
  const State& now = state(met.lane);
  const auto off = [&](Eigen::Index i) {
    return met.condition.quantity == Quantity::unit_length_error
               ? unit_length_error(now.q.col(i))
               : std::abs(now.q.col(i).dot(now.w.col(i)));
  };
  if (met.condition.quantity != Quantity::unit_length_error &&
      met.condition.quantity != Quantity::tangency_error)
    return {};
  Eigen::Index worst = 0;
  for (Eigen::Index i = 1; i < now.q.cols(); ++i)
    if (off(i) > off(worst)) worst = i;
  return fmt::format(" of body {} of {}", worst + 1, now.q.cols());
}

/// Measures the distances of the lanes from the start.
void Simulation::measure_return() {
  start_distances_.clear();
  for (int i = 0; i < lane_count(); ++i) {
    const RestartState* from = record_.continuation ? &*record_.continuation : nullptr;
    const auto lane_index = static_cast<std::size_t>(i);
    const bool own =
        from && lane_index < from->lanes.size() && from->lanes[lane_index].q.cols() > 0;
    const Columns& q = own ? from->lanes[lane_index].q : record_.q;
    const Columns& w = own ? from->lanes[lane_index].omega : record_.omega;
    const State& now = state(i);
    const StartDistance& off = start_distances_.emplace_back(
        StartDistance{(now.q - q).colwise().norm().maxCoeff<Eigen::PropagateNaN>(),
                      (now.w - w).colwise().norm().maxCoeff<Eigen::PropagateNaN>(), steps()});
    mark({steps(), time(),
          fmt::format("{}: back at the start, q off by {:.2g}, ω by {:.2g} rad/s", lane(i).name,
                      off.q, off.omega)});
  }
}

}  // namespace twosphere
