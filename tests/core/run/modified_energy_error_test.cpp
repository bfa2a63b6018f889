// SPDX-License-Identifier: GPL-3.0-or-later
// The error of the modified energy along a run, and as a signal of its history.
#include "core/run/modified_energy_error.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "core/mechanics/diagnostics.h"
#include "core/mechanics/modified_energy.h"
#include "core/record/history.h"
#include "core/record/view_limit.h"
#include "tests/cases.h"

namespace twosphere::test::modified_energy_error_test {
namespace {

EnergyRow energy_row(const Sample& sample) {
  return {sample[Quantity::energy_error], sample[Quantity::work]};
}

/// A run of the double pendulum: 100 steps, then 100 of half the length, then 100 of a method
/// without a modified energy, then 100 of the first again. One row for each step.
struct Motion {
  Motion() {
    const auto row = system_cases().front();
    system = make_system(row);
    State s = generic_start(row.n, row.spread, row.speed, 71);
    const double reference = total_energy(*system, s);
    std::int64_t step = 0;
    for (const auto& [key, h] : {std::pair{"variational", 0.04},
                                 {"variational", 0.02},
                                 {"rk4", 0.02},
                                 {"variational", 0.04}}) {
      SampleRows& rows = blocks.emplace_back();
      rows.system = system;
      rows.methods = {{&method_info(key), h}};
      auto integrator = prepared(key, *system, s);
      for (int k = 0; k < 100; ++k) {
        rows.state_rows.push_back(rows.size());
        rows.samples.push_back(measure(*system, s, reference, 0));
        rows.add_state(s);
        rows.costs.emplace_back();
        rows.steps.push_back(step++);
        states.push_back(s);
        (void)march(*system, *integrator, h, 1, s);
      }
    }
  }
  /// The errors at every `every`-th row.
  std::vector<double> errors(std::size_t every = 1) const {
    ModifiedEnergyError error;
    std::vector<double> values;
    for (std::size_t i = 0; i < states.size(); i += every) {
      const SampleRows& rows = blocks[i / 100];
      const LaneMethod method = rows.method(0);
      values.push_back(error.next(system, *method.info, method.step, states[i],
                                  energy_row(rows.samples[i % 100])));
    }
    return values;
  }

  std::shared_ptr<const System> system;
  std::vector<SampleRows> blocks;
  std::vector<State> states;
};

/// The same numbers to rounding, and NaN at the same places.
void expect_same(const History& history, const std::vector<double>& expected) {
  const SignalView view = history.view(Signal::modified_energy_error());
  ASSERT_EQ(view.values->size(), expected.size());
  for (std::size_t k = 0; k < expected.size(); ++k) {
    if (std::isnan(expected[k])) {
      EXPECT_TRUE(std::isnan((*view.values)[k])) << k;
    } else {
      EXPECT_NEAR((*view.values)[k], expected[k], 1e-12) << k;
    }
  }
}

TEST(ModifiedEnergyError, ContinuesWhereStepOrMethodChange) {
  const Motion run;
  const std::vector<double> errors = run.errors();
  EXPECT_EQ(errors[0], 0);
  const auto largest = [&](std::size_t first, std::size_t last) {
    double found = 0;
    for (std::size_t k = first; k < last; ++k)
      found = std::max(found, std::abs(errors[k] - errors[first]));
    return found;
  };
  EXPECT_EQ(errors[100], errors[99]);
  EXPECT_GT(largest(0, 100), 2 * largest(100, 200)) << "the fourth power of the step";
  EXPECT_GT(largest(100, 200), 0);
  for (std::size_t k = 200; k < 300; ++k) EXPECT_TRUE(std::isnan(errors[k])) << k;
  EXPECT_EQ(errors[300], 0) << "it begins anew";
  EXPECT_TRUE(std::isfinite(errors.back()));
}

TEST(ModifiedEnergyError, ContinuesAcrossAnEditOfTheState) {
  const SystemCase& c = system_cases().front();
  const std::shared_ptr<const System> system = make_system(c);
  State s = generic_start(c.n, c.spread, c.speed, 71);
  constexpr double h = 0.04;
  const double reference = total_energy(*system, s);
  double work = 0, largest = 0, before = 0, moved = 0;
  ModifiedEnergyError error;
  std::unique_ptr<Integrator> integrator = prepared("variational", *system, s);
  for (int k = 0; k < 200; ++k) {
    const Sample sample = measure(*system, s, reference, work);
    const double value = error.next(system, method_info("variational"), h, s, energy_row(sample));
    if (k == 100) {
      EXPECT_NEAR(value, before, 1e-12) << "the first row after the edit";
    }
    largest = std::max(largest, std::abs(value));
    before = value;
    if (k == 99) {
      // Another state. Its change of the energy counts as work.
      work -= total_energy(*system, s);
      ModifiedEnergy modified(*system, method_info("variational"));
      moved = -modified.correction(*system, s, h);
      s.w *= 1.5;
      moved += modified.correction(*system, s, h);
      work += total_energy(*system, s);
      integrator = prepared("variational", *system, s);
    }
    ASSERT_TRUE(march(*system, *integrator, h, 1, s));
  }
  EXPECT_GT(std::abs(moved), 3 * largest) << "the edit would show";
}

TEST(ModifiedEnergyDrift, IsToldFromAnOscillation) {
  const auto drift = [](double slope, double wave) {
    ModifiedEnergyDrift found;
    for (int k = 0; k <= 1000; ++k)
      found.add(5 + 0.1 * k, std::sin(0.3 * k), slope * 0.1 * k + wave * std::sin(0.3 * k), 1);
    return found;
  };
  EXPECT_NEAR(drift(1e-3, 0.2).drift(), 0.1, 5e-3);
  EXPECT_NEAR(drift(1e-3, 0.2).band(), 2, 1e-3);
  EXPECT_FALSE(drift(1e-3, 0.2).exceeds());
  EXPECT_FALSE(drift(0, 5).exceeds()) << "it oscillates";
  EXPECT_FALSE(drift(4e-3, 2).exceeds()) << "it mostly oscillates";
  EXPECT_TRUE(drift(4e-3, 0.1).exceeds());
  ModifiedEnergyDrift few;
  for (int k = 0; k < 19; ++k) few.add(k, 0, k, 1);
  EXPECT_FALSE(few.exceeds());
  few.add(19, 0, std::nan(""), 1);
  EXPECT_FALSE(few.exceeds()) << "there is no value";
  few.add(20, 0, 20, 1);
  EXPECT_TRUE(few.exceeds());
}

TEST(ModifiedEnergyError, IsASignalOfTheHistory) {
  const Motion run;
  History history;
  // Computed in parts, and at once.
  for (const SampleRows& rows : run.blocks) {
    history.append(rows, 0);
    (void)history.view(Signal::modified_energy_error());
  }
  expect_same(history, run.errors());
  History whole;
  for (const SampleRows& rows : run.blocks) whole.append(rows, 0);
  expect_same(whole, run.errors());
  // What is kept of it stays.
  std::vector<double> halved = run.errors();
  for (std::size_t k = 0; 2 * k < halved.size(); ++k) halved[k] = halved[2 * k];
  halved.resize(200);
  history.thin(2);
  expect_same(history, halved);
  history.cut(49);
  expect_same(history, {halved.begin(), halved.begin() + 25});
  // Of rows that do not say which method took the steps there is none.
  SampleRows unknown = run.blocks[0];
  unknown.methods.clear();
  History other;
  other.append(unknown, 0);
  expect_same(other, std::vector<double>(100, std::nan("")));
}

TEST(ModifiedEnergyError, OfAViewThatIsCutIsContinued) {
  const Motion run;
  History history;
  for (const SampleRows& rows : run.blocks) history.append(rows, 0);
  {
    const ViewLimit limit([] { return true; });
    const SignalView some = history.view(Signal::modified_energy_error());
    EXPECT_EQ(some.values->size(), 2u);
    EXPECT_TRUE(some.cut && limit.cut());
  }
  int calls = 0;
  for (bool cut = true; cut; ++calls) {
    ASSERT_LT(calls, 10);
    int asked = 0;
    const ViewLimit limit([&asked] { return ++asked > 60; });
    cut = history.view(Signal::modified_energy_error()).cut;
    ASSERT_EQ(limit.cut(), cut);
  }
  EXPECT_EQ(calls, 7);
  expect_same(history, run.errors());
}

}  // namespace
}  // namespace twosphere::test::modified_energy_error_test
