// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/magnitude.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace twosphere::test {
namespace {

TEST(Magnitude, OfSamplesIsThatOfTheirValuesOneByOne) {
  const double infinity = std::numeric_limits<double>::infinity(),
               nan = std::numeric_limits<double>::quiet_NaN();
  for (const std::vector<double>& values :
       {std::vector<double>{}, {-3}, {0.1, -1e16, 0.3, 7}, {1, nan, -2}, {nan, -infinity, 2}}) {
    std::vector<Sample> samples;
    Magnitude one_by_one;
    for (const double value : values) {
      samples.emplace_back().values.fill(100);
      samples.back()[Quantity::work] = value;
      one_by_one.add(value);
    }
    Magnitude together;
    together.add(samples, Quantity::work);
    EXPECT_EQ(together.count, one_by_one.count);
    EXPECT_EQ(together.worst, one_by_one.worst);
    EXPECT_EQ(together.mean(), one_by_one.mean());
  }
}

}  // namespace
}  // namespace twosphere::test
