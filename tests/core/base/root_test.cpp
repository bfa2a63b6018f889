// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/root.h"

#include <gtest/gtest.h>

#include <cmath>

namespace twosphere::root_test {
namespace {

TEST(FalsePosition, EndsAtTheZero) {
  // Bent enough that without halving one end would stay for ever.
  const auto f = [](double x) { return std::exp(6 * x) - 2; };
  for (const bool swapped : {false, true}) {
    FalsePosition ends =
        swapped ? FalsePosition(1, f(1), 0, f(0)) : FalsePosition(0, f(0), 1, f(1));
    int steps = 0;
    double x = ends.next();
    for (; steps < 100 && std::abs(f(x)) > 1e-14 && !ends.is_end(x); ++steps) {
      ends.add(x, f(x));
      EXPECT_EQ(ends.last(), x);
      x = ends.next();
    }
    EXPECT_NEAR(x, std::log(2.0) / 6, 1e-15);
    EXPECT_LT(steps, 20);
  }
}

}  // namespace
}  // namespace twosphere::root_test
