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

}  // namespace
}  // namespace twosphere::test
