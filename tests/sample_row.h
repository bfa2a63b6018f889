// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "core/run/sample_rows.h"
#include "core/run/simulation.h"

namespace twosphere::test {

/// One row of one lane, with its state.
inline SampleRows row_of(std::int64_t step, const Sample& sample, const State& state,
                         std::shared_ptr<const System> system, const StepCost& cost = {},
                         std::shared_ptr<const Scenario> settings = nullptr) {
  SampleRows rows;
  rows.system = std::move(system);
  rows.settings = std::move(settings);
  rows.steps = {step};
  rows.samples = {sample};
  rows.state_rows = {0};
  rows.add_state(state);
  rows.costs = {cost};
  return rows;
}

/// A single row.
struct SampleRow {
  std::uint64_t generation = 0;
  std::int64_t step = 0, every = 1;
  std::vector<Sample> lanes;
  std::vector<State> states;
  std::shared_ptr<const System> system;
  std::vector<StepCost> costs;
};

inline std::vector<SampleRow> one_by_one(const std::vector<SampleRows>& all) {
  std::vector<SampleRow> list;
  for (const SampleRows& rows : all) {
    std::size_t k = 0;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      SampleRow& row = list.emplace_back();
      row.generation = rows.generation;
      row.step = rows.steps[r];
      row.every = rows.every;
      row.system = rows.system;
      for (std::size_t i = 0; i < rows.lanes; ++i) row.lanes.push_back(rows.sample(r, i));
      if (k == rows.state_rows.size() || rows.state_rows[k] != r) continue;
      for (std::size_t i = 0; i < rows.lanes; ++i) {
        const auto numbers = rows.state(k, i);
        const auto n = static_cast<Eigen::Index>(numbers.size() / 6);
        row.states.push_back({numbers[0], Eigen::Map<const Columns>(&numbers[1], 3, n),
                              Eigen::Map<const Columns>(&numbers[1] + 3 * n, 3, n)});
        row.costs.push_back(rows.cost(k, i));
      }
      ++k;
    }
  }
  return list;
}

/// The present samples of a run.
inline SampleRow present_row(Simulation& run) {
  SampleRow row;
  row.step = run.steps();
  for (int i = 0; i < run.lane_count(); ++i) row.lanes.push_back(run.sample(i));
  return row;
}

/// Rows of one generation, all of them, in order, the same bits.
inline void expect_same_rows(const std::vector<SampleRow>& got,
                             const std::vector<SampleRow>& want) {
  ASSERT_EQ(got.size(), want.size());
  for (std::size_t k = 0; k < got.size(); ++k) {
    ASSERT_EQ(got[k].generation, got[0].generation) << "row " << k;
    ASSERT_EQ(got[k].step, want[k].step) << "row " << k;
    ASSERT_EQ(got[k].lanes.size(), want[k].lanes.size()) << "row " << k;
    for (std::size_t i = 0; i < got[k].lanes.size(); ++i)
      ASSERT_EQ(got[k].lanes[i].values, want[k].lanes[i].values) << "row " << k << ", lane " << i;
  }
}

}  // namespace twosphere::test
