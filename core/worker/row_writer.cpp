// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/worker/row_writer.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <numeric>
#include <utility>

#include "core/run/live_cloud.h"
#include "core/run/row_block.h"

namespace twosphere {

namespace {

/// Rows that are passed on together, and the largest amount of memory that is kept for reuse
/// [bytes].
constexpr std::size_t rows_together = 1024, max_spare = std::size_t{32} << 20;

/// The time of one step of a lane, of `steps` taken between two turns [µs]; NaN if not measured.
double step_time(std::size_t lane, std::int64_t steps, std::span<const Clock::time_point> turns) {
  if (lane + 1 >= turns.size()) return StepCost::none;
  return std::chrono::duration<double, std::micro>(turns[lane + 1] - turns[lane]).count() /
         static_cast<double>(steps);
}

/// The cost of the step that led to the present state.
StepCost cost_of(const Simulation& simulation, int lane, std::span<const Clock::time_point> turns) {
  if (simulation.steps() == 0) return {};
  const Lane& held = simulation.lane(lane);
  StepCost result = step_cost(*held.info, held.last);
  // The measurements of tangent vectors so far.
  if (held.exponents && !held.exponents->lost()) {
    const auto spectrum = held.exponents->values(*simulation.system(), held.state);
    for (std::size_t k = 0; k < std::min(spectrum.size(), recorded_exponents); ++k)
      result[lyapunov(k)] = spectrum[k];
    result[StepQuantity::megno] = held.exponents->megno();
    result[StepQuantity::fli] = held.exponents->fli();
  }
  result[StepQuantity::time] = step_time(static_cast<std::size_t>(lane), held.substeps, turns);
  return result;
}

/// The settings that expressions of the state name.
Scenario expression_names(const Scenario& present) {
  Scenario names;
  names.system = present.system;
  names.definition = present.definition;
  names.parameters = present.parameters;
  // The number of bodies is part of what is named; where they start is not.
  names.q = Columns::Zero(3, present.size());
  return names;
}

LaneMethod method_of(const Simulation& simulation, std::size_t lane) {
  const Lane& held = simulation.lane(static_cast<int>(lane));
  return {held.info, held.clock.step};
}
/// Whether the lanes of the run still take the steps of these rows.
bool same_methods(const Simulation& simulation, const SampleRows& rows) {
  for (std::size_t lane = 0; lane < rows.lanes; ++lane)
    if (rows.method(lane) != method_of(simulation, lane)) return false;
  return true;
}

/// The rows at a larger stride.
SampleRows every_of(const SampleRows& rows, std::int64_t stride) {
  SampleRows thinned;
  thinned.every = stride;
  thinned.lanes = rows.lanes;
  thinned.system = rows.system;
  thinned.settings = rows.settings;
  thinned.methods = rows.methods;
  for (std::size_t row = 0, k = 0; row < rows.size(); ++row) {
    // k: the states so far, of which not every row has one.
    const bool has_state = k < rows.state_rows.size() && rows.state_rows[k] == row;
    if (rows.steps[row] % stride == 0) {
      for (std::size_t lane = 0; lane < rows.lanes; ++lane)
        thinned.samples.push_back(rows.sample(row, lane));
      if (has_state) thinned.state_rows.push_back(thinned.size());
      for (std::size_t lane = 0; has_state && lane < rows.lanes; ++lane) {
        const auto state = rows.state(k, lane);
        thinned.states.insert(thinned.states.end(), state.begin(), state.end());
        thinned.costs.push_back(rows.cost(k, lane));
      }
      thinned.steps.push_back(rows.steps[row]);
    }
    k += has_state ? 1 : 0;
  }
  return thinned;
}

}  // namespace

void RowWriter::begin(const Simulation& simulation, std::uint64_t generation) {
  generation_ = generation;
  every_ = simulation.stride();
  samples_ = 0;
  lanes_ = simulation.lane_count();
  states_ = StateStride(simulation.system()->size(), lanes_, state_budget_);
}

void RowWriter::continue_at(const Simulation& simulation, std::uint64_t generation,
                            std::size_t samples, const StateStride& states) {
  generation_ = generation;
  every_ = simulation.stride();
  samples_ = samples;
  states_ = states;
  lanes_ = simulation.lane_count();
}

/// Adopts the stride of the run; earlier samples at other steps become invalid.
void RowWriter::follow_stride(std::int64_t stride) {
  if (stride == every_) return;
  if (samples_ > 1) {
    // Of the samples so far every ratio-th one remains, beginning with the first.
    const auto ratio = static_cast<std::size_t>(stride / every_);
    samples_ = (samples_ + ratio - 1) / ratio;
    states_.thin(ratio);
  }
  every_ = stride;
}

/// From now on, states include those of all present lanes.
void RowWriter::follow_lanes(const System& system, int lanes) {
  if (lanes == lanes_) return;
  lanes_ = lanes;
  states_.limit(system.size(), lanes_, state_budget_);
}

void RowWriter::record(Simulation& simulation, std::span<const Clock::time_point> turns,
                       const std::optional<std::pair<int, Cloud::Distances>>& cloud) {
  follow_stride(simulation.stride());
  follow_lanes(*simulation.system(), simulation.lane_count());
  if (!simulation.rows().empty()) return record_together(simulation, turns);
  if (!row_at(simulation.steps())) return;
  // The limit is reached: half of the rows go, perhaps this one, too.
  if (static_cast<std::int64_t>(samples_) * simulation.lane_count() >= max_samples_) {
    simulation.double_stride();
    follow_stride(simulation.stride());
    if (!row_at(simulation.steps())) return;
  }
  SampleRows& to = present_rows(simulation);
  try {
    for (int i = 0; i < simulation.lane_count(); ++i) to.samples.push_back(simulation.sample(i));
    if (states_.take(samples_)) {
      to.state_rows.push_back(to.size());
      for (int i = 0; i < simulation.lane_count(); ++i) {
        to.add_state(simulation.state(i));
        to.costs.push_back(cost_of(simulation, i, turns));
        if (cloud && cloud->first == i) add_cloud(to.costs.back(), cloud->second);
      }
    }
    // The step comes last, so that a row without one is incomplete.
    to.steps.push_back(simulation.steps());
    ++samples_;
  } catch (...) {
    to.drop_unfinished();
    if (to.empty()) rows_.pop_back();
    throw;
  }
}

/// Writes rows of the only lane, at every step.
void RowWriter::record_together(const Simulation& simulation,
                                std::span<const Clock::time_point> turns) {
  const RowBlock& block = simulation.rows();
  const std::size_t count = block.size();
  const double time = step_time(0, static_cast<std::int64_t>(count), turns);
  std::array<std::int64_t, RowBlock::capacity> steps;
  std::iota(steps.begin(), steps.begin() + count,
            simulation.steps() - static_cast<std::int64_t>(count) + 1);
  // As many at a time as the present block of rows takes.
  for (std::size_t begin = 0; begin < count;) {
    SampleRows& to = present_rows(simulation);
    const std::size_t end = std::min(count, begin + rows_together - to.size());
    try {
      to.samples.insert(to.samples.end(), block.samples().begin() + begin,
                        block.samples().begin() + end);
      for (std::size_t k = begin; k < end; ++k) {
        if (!states_.take(samples_ + k - begin)) continue;
        to.state_rows.push_back(to.size() + k - begin);
        block.state(k, state_);
        to.add_state(state_);
        to.costs.push_back(step_cost(*simulation.lane(0).info, block.report(k)));
        to.costs.back()[StepQuantity::time] = time;
      }
      // The steps come last, so that rows without them are incomplete.
      to.steps.insert(to.steps.end(), steps.begin() + begin, steps.begin() + end);
    } catch (...) {
      to.drop_unfinished();
      if (to.empty()) rows_.pop_back();
      throw;
    }
    samples_ += end - begin;
    begin = end;
  }
}

void RowWriter::pass(SampleRows rows) {
  if (rows.every > every_) follow_stride(rows.every);
  follow_lanes(*rows.system, static_cast<int>(rows.lanes));
  // The stride grows until these rows fit, too; two always do.
  const auto fits = [&] {
    const auto more = std::count_if(rows.steps.begin(), rows.steps.end(),
                                    [this](std::int64_t step) { return row_at(step); });
    const std::int64_t all = static_cast<std::int64_t>(samples_) + more;
    return all <= 2 || all * lanes_ <= max_samples_;
  };
  while (!fits()) follow_stride(2 * every_);
  if (rows.every < every_) rows = every_of(rows, every_);
  if (rows.empty()) return;
  rows.generation = generation_;
  // The states are counted as if the rows had been recorded here.
  for (std::size_t left = rows.size(); left > 0; --left) states_.take(samples_++);
  rows_.push_back(std::move(rows));
}

/// The block of rows that the present row belongs to.
SampleRows& RowWriter::present_rows(const Simulation& simulation) {
  const auto lanes = static_cast<std::size_t>(simulation.lane_count());
  if (!rows_.empty()) {
    SampleRows& last = rows_.back();
    // A block has one generation, stride, number of lanes and system, and a method for each lane.
    if (last.size() < rows_together && last.generation == generation_ && last.every == every_ &&
        last.lanes == lanes && last.system == simulation.system() && same_methods(simulation, last))
      return last;
  }
  // Memory that the reader has given back comes first.
  if (spare_rows_.empty()) rows_back_.drain(spare_rows_);
  SampleRows& fresh = rows_.emplace_back();
  if (!spare_rows_.empty()) {
    fresh = std::move(spare_rows_.back());
    spare_rows_.pop_back();
    spare_ -= fresh.bytes();
  }
  fresh.generation = generation_;
  fresh.every = every_;
  fresh.lanes = lanes;
  fresh.system = simulation.system();
  for (std::size_t lane = 0; lane < lanes; ++lane)
    fresh.methods.push_back(method_of(simulation, lane));
  // Blocks of the same system share what expressions name.
  if (settings_of_ != simulation.system()) {
    settings_ = std::make_shared<const Scenario>(expression_names(simulation.present()));
    settings_of_ = simulation.system();
  }
  fresh.settings = settings_;
  return fresh;
}

void RowWriter::publish(const Simulation& simulation) {
  follow_stride(simulation.stride());
  // Counted before the reader can release them.
  for (const SampleRows& some : rows_) undrained_ += some.bytes();
  rows_out_.append(rows_);
}

void RowWriter::rest() {
  resting_ = true;
  drop_all(spare_rows_);
}

std::size_t RowWriter::drain(std::vector<SampleRows>& out) {
  const std::size_t before = out.size();
  rows_out_.drain(out);
  std::size_t drained = 0;
  for (std::size_t k = before; k < out.size(); ++k) drained += out[k].bytes();
  return drained;
}

void RowWriter::give_back(std::vector<SampleRows>& rows) {
  std::erase_if(rows, [this](SampleRows& some) {
    some.clear();
    // More than enough for reuse is freed.
    const bool room = spare_ + some.bytes() <= max_spare;
    if (room) spare_ += some.bytes();
    return !room;
  });
  rows_back_.append(rows);
  // The worker may have begun to rest in between.
  if (resting_) drop_all(rows);
}

/// Frees returned rows.
void RowWriter::drop(std::vector<SampleRows>& unused) {
  for (const SampleRows& some : unused) spare_ -= some.bytes();
  unused.clear();
}

/// Frees also the rows that were not taken yet. They are drained into an empty list, which needs no
/// memory. Any thread.
void RowWriter::drop_all(std::vector<SampleRows>& unused) {
  drop(unused);
  rows_back_.drain(unused);
  drop(unused);
}

}  // namespace twosphere
