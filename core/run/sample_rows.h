// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/mechanics/diagnostics.h"
#include "core/mechanics/integrator.h"
#include "core/mechanics/state.h"
#include "core/mechanics/system.h"
#include "core/run/step_cost.h"

namespace twosphere {

struct Scenario;

/// What steps a lane takes.
struct LaneMethod {
  const IntegratorInfo* info = nullptr;  ///< null: not known
  double step = 0;                       ///< h [s] > 0

  bool operator==(const LaneMethod&) const = default;
};

/// Samples of every lane of a run, for plots and CSV, stored row after row in a few large blocks of
/// memory, which clear() keeps. What all rows have in common is stored once.
struct SampleRows {
  std::uint64_t generation = 0;  ///< Snapshot::generation
  /// The stride of these rows. If it is larger than that of earlier rows, earlier rows whose step
  /// is not a multiple of it become invalid.
  std::int64_t every = 1;
  std::size_t lanes = 1;
  std::shared_ptr<const System> system;  ///< the system of these rows
  /// Its definition and parameters, which expressions name; null if none can be evaluated.
  std::shared_ptr<const Scenario> settings;
  std::vector<LaneMethod> methods;  ///< one per lane; empty: not known

  std::vector<std::int64_t> steps;  ///< one per row; added last
  std::vector<Sample> samples;      ///< one per row and lane; the lanes of a row are adjacent
  /// The rows whose states are stored, ascending; StateStride selects them. The members below
  /// belong to these rows.
  std::vector<std::size_t> state_rows;
  /// t, q, ω (1 + 6 n numbers) of each lane, and x and ẋ of its State.
  std::vector<double> states;
  std::vector<StepCost> costs;  ///< cost of the step that led to the row, of each lane

  std::size_t size() const { return steps.size(); }
  bool empty() const { return steps.empty(); }
  const Sample& sample(std::size_t row, std::size_t lane) const {
    return samples[row * lanes + lane];
  }
  /// t, q and ω (up to date) in row state_rows[k].
  std::span<const double> state(std::size_t k, std::size_t lane) const {
    const std::size_t numbers = state_numbers();
    return std::span(states).subspan((k * lanes + lane) * numbers, numbers);
  }
  const StepCost& cost(std::size_t k, std::size_t lane) const { return costs[k * lanes + lane]; }

  LaneMethod method(std::size_t lane) const {
    return lane < methods.size() ? methods[lane] : LaneMethod{};
  }
  /// Adds the state of a lane to the row in progress.
  void add_state(const State& state) {
    states.push_back(state.t);
    states.insert(states.end(), state.q.data(), state.q.data() + state.q.size());
    states.insert(states.end(), state.w.data(), state.w.data() + state.w.size());
    states.insert(states.end(), state.x.data(), state.x.data() + state.x.size());
    states.insert(states.end(), state.v.data(), state.v.data() + state.v.size());
  }
  /// Removes the incomplete row that is left when memory runs out before its step is added.
  void drop_unfinished() {
    // `steps` is added last: it has the complete rows only.
    samples.resize(size() * lanes);
    while (!state_rows.empty() && state_rows.back() >= size()) state_rows.pop_back();
    states.resize(state_rows.size() * lanes * state_numbers());
    costs.resize(state_rows.size() * lanes);
  }
  /// Removes all rows and keeps the memory.
  void clear() {
    system.reset();
    settings.reset();
    methods.clear();
    steps.clear();
    samples.clear();
    state_rows.clear();
    states.clear();
    costs.clear();
  }
  /// Memory [bytes].
  std::size_t bytes() const {
    return steps.capacity() * sizeof(steps[0]) + samples.capacity() * sizeof(samples[0]) +
           state_rows.capacity() * sizeof(state_rows[0]) + states.capacity() * sizeof(states[0]) +
           costs.capacity() * sizeof(costs[0]);
  }
  /// The length of a state in `states`.
  std::size_t state_numbers() const { return 1 + 6 * static_cast<std::size_t>(moving(*system)); }
};

}  // namespace twosphere
