// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <utility>

#include "core/record/history.h"

/// Histories whose first samples are missing, and how they come.
namespace twosphere {

History History::beginning_after(const History& other) {
  History lane(other);  // for steps, times and the positions of states
  lane.continue_thinning(std::numeric_limits<std::size_t>::max());
  const std::size_t count = lane.first_ = lane.size();
  for (const Quantity q : Table::order)
    if (q != Quantity::time) lane.table_[q].clear();
  lane.derived_.clear();
  lane.compare_with(nullptr);
  lane.costs_ = {};
  lane.momentum_errors_ = {};
  constexpr double missing = StepCost::none;
  for (std::size_t done = 0; done < count;) {
    const std::size_t part = std::min(count - done, CompressedBlock::count);
    for (const Quantity q : Table::order)
      if (q != Quantity::time) lane.table_[q].append(&missing, part, 0);
    done += part;
  }
  for (auto& block : lane.blocks_)
    block = std::make_shared<const std::vector<double>>(block->size(), missing);
  std::fill(lane.tail_.begin(), lane.tail_.end(), missing);
  return lane;
}

History History::missing(std::span<const std::int64_t> steps, std::span<const double> times,
                         const std::shared_ptr<const System>& system, StateStride stride) {
  History known(stride);
  SampleRows rows;
  rows.lanes = 1;
  rows.system = system;
  State nowhere;
  nowhere.q = nowhere.w = Columns::Constant(3, system->size(), StepCost::none);
  nowhere.x = nowhere.v = Columns::Constant(3, moving(*system) - system->size(), StepCost::none);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    rows.samples.push_back(missing_sample(times[i]));
    nowhere.t = times[i];
    if (stride.take(i)) {
      rows.state_rows.push_back(rows.size());
      rows.add_state(nowhere);
      rows.costs.emplace_back();
    }
    rows.steps.push_back(steps[i]);
    if (rows.size() < CompressedBlock::count && i + 1 < steps.size()) continue;
    known.append(rows, 0);
    rows.clear();
    rows.lanes = 1;
    rows.system = system;
  }
  return beginning_after(known);
}

bool History::give_beginning(History earlier) {
  continue_thinning(std::numeric_limits<std::size_t>::max());
  earlier.continue_thinning(std::numeric_limits<std::size_t>::max());
  const std::size_t own = first_;
  if (own == 0) return true;
  // This history may have been thinned since.
  if (size() > 1 && earlier.size() > 1) {
    const double here = steps_[1] - steps_[0], there = earlier.steps_[1] - earlier.steps_[0];
    if (here > there) earlier.thin(static_cast<std::size_t>(here / there));
  }
  earlier.cut(static_cast<std::int64_t>(steps_[own - 1]));
  if (earlier.size() != own || earlier.steps_[own - 1] != steps_[own - 1]) return false;
  if (stride_.stride() > earlier.stride_.stride())
    earlier.thin_states(stride_.stride() / earlier.stride_.stride());
  earlier.stride_ = stride_;

  // The samples of this history follow, with their states.
  std::size_t period = 0, state = (own + stride_.stride() - 1) / stride_.stride();
  SampleRows rows;
  for (std::size_t i = own; i < size(); ++i) {
    const bool has_state = state < state_count() && i == state * stride_.stride();
    while (has_state && period + 1 < periods_.size() && periods_[period + 1].first <= state) {
      if (!rows.empty()) earlier.append(rows, 0);
      rows.clear();
      ++period;
    }
    rows.lanes = 1;
    if (!periods_.empty()) {
      rows.system = periods_[period].system;
      rows.settings = periods_[period].settings;
      rows.methods = {periods_[period].method};
    }
    rows.samples.push_back(sample(i));
    if (has_state) {
      rows.state_rows.push_back(rows.size());
      State there;
      copy_state(state, there);
      rows.add_state(there);
      StepCost& cost = rows.costs.emplace_back();
      for (std::size_t k = 0; k < step_quantity_count; ++k)
        if (state < costs_[k].size()) cost.values[k] = costs_[k][state];
      ++state;
    }
    rows.steps.push_back(static_cast<std::int64_t>(steps_[i]));
    if (rows.size() < CompressedBlock::count && i + 1 < size()) continue;
    earlier.append(rows, 0);
    rows.clear();
  }
  earlier.compare_with(nullptr);
  *this = std::move(earlier);
  return true;
}

}  // namespace twosphere
