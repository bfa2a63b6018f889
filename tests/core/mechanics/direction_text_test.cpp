// SPDX-License-Identifier: GPL-3.0-or-later
// Directions in messages.
#include "core/mechanics/direction_text.h"

#include <gtest/gtest.h>

namespace twosphere::test {
namespace {

TEST(DirectionText, WhatIsRoundedToZeroHasNoSign) {
  Columns q(3, 2);
  q << -1e-17, 0.6, 4e-5, -0.8, -1, -4e-5;
  EXPECT_EQ(direction_list(q),
            "q[0] = [0.0000, 0.0000, -1.0000], q[1] = [0.6000, -0.8000, 0.0000]");
  EXPECT_EQ(direction_list(Columns::Zero(3, 5)), "");
}

TEST(DirectionText, ReadsAnAxisOrThreeNumbers) {
  EXPECT_TRUE(parse_direction("e2") == Vec3(0, 1, 0));
  EXPECT_TRUE(parse_direction("0,-2,0.5") == Vec3(0, -2, 0.5));
  for (const char* wrong : {"", "e0", "e4", "J", "1,2", "1,2,3,4", "0,0,0", "inf,0,0", "1,x,0"})
    EXPECT_FALSE(parse_direction(wrong)) << wrong;
}

}  // namespace
}  // namespace twosphere::test
