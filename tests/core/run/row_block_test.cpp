// SPDX-License-Identifier: GPL-3.0-or-later
// Rows that are measured together are those that are measured one by one, bit for bit, on every
// instruction set level of this processor.
#include "core/run/row_block.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "core/base/simd_level.h"
#include "core/mechanics/pulled_system.h"
#include "tests/cases.h"
#include "tests/core/kernels/levels.h"

namespace twosphere::test::row_block_test {
namespace {

struct RowBlocks : OnEveryLevel {};
INSTANTIATE_TEST_SUITE_P(Levels, RowBlocks, testing::ValuesIn(isa_levels()), level_name);

/// On the sphere or off it, with bodies close together and nearly antipodal.
State drawn(int n, unsigned round, unsigned row) {
  State state = generic_start(n, everywhere, 1, 100 * round + row);
  state.t = 0.25 * row;
  if (round % 4 > 1 && n > 1)
    state.q.col(n - 1) = ((row % 4 < 2 ? 1 : -1) * state.q.col(0) +
                          0.004 * row * Vec3(0.3, -0.2, 0.5) + Vec3(0, 1e-5, 0))
                             .normalized();
  if (round % 2 == 1 && row % 3 > 0) state.q *= 1 + (row % 3 == 1 ? 1e-3 : 1e-12);
  return state;
}

/// Bit for bit, but for the signs of NaN.
void expect_same(const Sample& together, const Sample& alone) {
  for (std::size_t k = 0; k < quantity_count; ++k)
    if (!std::isnan(together.values[k]) || !std::isnan(alone.values[k])) {
      ASSERT_EQ(together.values[k], alone.values[k]) << quantities()[k].key;
    }
}

void expect_rows_as_alone(const System& system) {
  constexpr double reference = 0.7;
  RowBlock block;
  State state;
  for (unsigned round = 0; round < 16; ++round) {
    // Blocks of every length, one after the other in the same memory.
    const std::size_t count = RowBlock::capacity - round;
    std::vector<State> states;
    double fastest = 0, apart = 0;
    block.begin(system);
    for (unsigned row = 0; row < count; ++row) {
      states.push_back(drawn(system.size(), round, row));
      block.add(system, states[row], 3.0 * row, 0.1 * row, {.iterations = static_cast<int>(row)});
    }
    const bool all_finite = block.measure(system, reference);
    bool each_finite = true;
    ASSERT_EQ(block.size(), count);
    for (std::size_t row = 0; row < count; ++row) {
      Sample alone = measure(system, states[row], reference, 0.1 * static_cast<double>(row));
      alone[Quantity::time] = 3.0 * static_cast<double>(row);
      SCOPED_TRACE("row " + std::to_string(row) + " of " + std::to_string(count));
      expect_same(block.samples()[row], alone);
      each_finite = each_finite && finite(alone);
      block.state(row, state);
      EXPECT_EQ(state.t, states[row].t);
      EXPECT_EQ(state.q, states[row].q);
      EXPECT_EQ(state.w, states[row].w);
      EXPECT_EQ(block.report(row).iterations, static_cast<int>(row));
      fastest = std::max(fastest, state.w.colwise().norm().maxCoeff());
      apart = std::max(apart, (state.q - states.back().q).colwise().norm().maxCoeff());
    }
    EXPECT_EQ(all_finite, each_finite);
    EXPECT_DOUBLE_EQ(block.fastest(), fastest);
    EXPECT_NEAR(block.apart(), apart, 1e-15);
  }
}

TEST_P(RowBlocks, HaveTheSamplesOfEachRowAlone) {
  int tested = 0;
  for (const SystemCase& c : system_cases()) {
    const auto [system, start] = started(c, 1);
    if (!RowBlock::suits(*system)) continue;
    SCOPED_TRACE(c.name);
    expect_rows_as_alone(*system);
    ++tested;
  }
  EXPECT_GE(tested, 12);
  for (const int n : {1, 2, 4, 5, 16}) {
    SCOPED_TRACE(n);
    const std::vector<double> ones(static_cast<std::size_t>(n), 1), lengths(ones.size(), 0.3);
    expect_rows_as_alone(*system_of("n_body", n, {{"masses", ones}, {"gamma", {0.3}}}));
    expect_rows_as_alone(*system_of("chain_pendulum", n,
                                    {{"masses", ones},
                                     {"lengths", lengths},
                                     {"gravity", {9.81}},
                                     {"damping", {0}},
                                     {"control_torque", {0, 0, 0, 0}},
                                     {"tip_force", {0, 0, 0, 0}}}));
  }
}

TEST(RowBlock, ForwardedSystemsAreMeasured) {
  const std::shared_ptr<const System> bodies =
      system_of("n_body", 3, {{"masses", {1, 2, 0.5}}, {"gamma", {0.3}}});
  expect_rows_as_alone(PulledSystem(bodies, {{0, Vec3(0, 0, 1)}}));
}

TEST(RowBlock, SuitsFewBodiesWithAConstantInertia) {
  const auto suits = [](int n) {
    const std::vector<double> ones(static_cast<std::size_t>(n), 1);
    return RowBlock::suits(*system_of("n_body", n, {{"masses", ones}, {"gamma", {1}}}));
  };
  EXPECT_TRUE(suits(16));
  EXPECT_FALSE(suits(17));
  // Nor with terms linear in velocities, which change the energy and the momentum.
  for (const SystemCase& c : linear_cases())
    EXPECT_FALSE(RowBlock::suits(*make_system(c))) << c.name;
}

// The energy has terms of Ω and κ, the momentum those of κ.
TEST(RowBlock, SuitsNoTermsThatAreLinearInVelocities) {
  const auto suits = [](double strength, double rotation) {
    return RowBlock::suits(*system_of("pendulum_network", 1,
                                      {{"masses", {1}},
                                       {"lengths", {1}},
                                       {"pivots", {0, 0, 0}},
                                       {"springs", {}},
                                       {"strength", {strength}},
                                       {"frame_rotation", {0, 0, rotation}}}));
  };
  EXPECT_TRUE(suits(0, 0));
  EXPECT_FALSE(suits(0.5, 0));
  EXPECT_FALSE(suits(0, 0.5));
}

TEST(RowBlock, SaysThatAQuantityIsNotFinite) {
  const auto system = system_of("n_body", 2, {{"masses", {1, 1}}, {"gamma", {1}}});
  for (const std::size_t bad : {std::size_t{0}, std::size_t{3}, RowBlock::capacity}) {
    RowBlock block;
    block.begin(*system);
    for (unsigned row = 0; row < RowBlock::capacity; ++row) {
      State state = drawn(2, 0, row);
      if (row == bad) state.w *= std::numeric_limits<double>::max();
      block.add(*system, state, row, 0, {});
    }
    EXPECT_EQ(block.measure(*system, 0), bad == RowBlock::capacity);
  }
}

}  // namespace
}  // namespace twosphere::test::row_block_test
