// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/output/motion_box.h"

#include <gtest/gtest.h>

#include "tests/outcome.h"
#include "tests/render/snapshots.h"

namespace twosphere::motion_box_test {
namespace {

using test::chain;
using test::columns;
using test::direction;
using test::value_of;

TEST(MotionBox, HoldsWhatIsDrawnInThatTime) {
  // A free link of 0.5 m turns about e3 in the plane, once in 2π s.
  const auto free = chain(1, 0);
  const State state{0, columns({direction(M_PI / 2, 0)}), columns({Vec3(0, 0, 1)})};
  const auto half = value_of(motion_box(*free, state, M_PI));
  EXPECT_LT((half.min() - Vec3(-0.5, 0, 0)).norm(), 1e-4);
  EXPECT_LT((half.max() - Vec3(0.5, 0.5, 0)).norm(), 1e-4);
  const auto whole = value_of(motion_box(*free, state, 2 * M_PI));
  EXPECT_LT((whole.min() - Vec3(-0.5, -0.5, 0)).norm(), 1e-4);
  // At rest it is the link alone, with its pivot.
  const auto rest = value_of(motion_box(*free, {0, state.q, Columns::Zero(3, 1)}, 1));
  EXPECT_EQ(rest.min(), Vec3::Zero());
  EXPECT_LT((rest.max() - Vec3(0.5, 0, 0)).norm(), 1e-12);
}

TEST(MotionBox, IsNotComputedWhereThatTakesLong) {
  const auto motion = [](int n) {
    const State state{0, direction(1, 0).replicate(1, n), Columns::Zero(3, n)};
    return motion_box(*chain(n), state, 1);
  };
  EXPECT_TRUE(motion(10));
  EXPECT_FALSE(motion(300));
}

}  // namespace
}  // namespace twosphere::motion_box_test
