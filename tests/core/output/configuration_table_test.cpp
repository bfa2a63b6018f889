// SPDX-License-Identifier: GPL-3.0-or-later
// What is copied of a configuration is the state, digit for digit.
#include "core/output/configuration_table.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

namespace twosphere::configuration_table_test {
namespace {

TEST(ConfigurationTable, HoldsEveryDigitOfEveryLane) {
  State state;
  state.t = 0.1 + 0.2;
  state.q.resize(3, 2);
  state.w.resize(3, 2);
  for (Eigen::Index i = 0; i < 6; ++i) {
    state.q(i) = 1.0 / (static_cast<double>(i) + 3);
    state.w(i) = -1e-7 / (static_cast<double>(i) + 7);
  }
  const std::vector<LaneConfiguration> configurations{{"variational", state}, {"rk4", state}};
  std::istringstream table(configuration_table(configurations));
  std::string line, field;
  ASSERT_TRUE(std::getline(table, line));
  EXPECT_EQ(line.substr(0, 24), "lane\tbody\ttime [s]\tq_x [");
  for (const char* lane : {"variational", "rk4"})
    for (Eigen::Index body = 0; body < 2; ++body) {
      ASSERT_TRUE(std::getline(table, line));
      std::istringstream fields(line);
      ASSERT_TRUE(std::getline(fields, field, '\t'));
      EXPECT_EQ(field, lane);
      std::vector<double> numbers;
      while (std::getline(fields, field, '\t'))
        numbers.push_back(std::strtod(field.c_str(), nullptr));
      std::vector<double> expected{static_cast<double>(body) + 1, state.t};
      for (const Columns* c : {&state.q, &state.w})
        for (Eigen::Index k = 0; k < 3; ++k) expected.push_back((*c)(k, body));
      EXPECT_EQ(numbers, expected);
    }
  EXPECT_FALSE(std::getline(table, line));
}

}  // namespace
}  // namespace twosphere::configuration_table_test
