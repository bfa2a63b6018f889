// SPDX-License-Identifier: GPL-3.0-or-later
// Every kernel on every instruction set level of this processor, against its plain version.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "core/isa.h"
#include "core/kernels/lennard_jones.h"
#include "core/start.h"
#include "tests/cases.h"

namespace twosphere::test {
namespace {

class Kernels : public testing::TestWithParam<std::string_view> {
 protected:
  void SetUp() override {
    const auto forced = force_isa_level(GetParam());
    ASSERT_TRUE(forced) << forced.error().text();
    ASSERT_EQ(isa_level(), GetParam());
  }
  void TearDown() override { ASSERT_TRUE(force_isa_level("")); }
};
INSTANTIATE_TEST_SUITE_P(Levels, Kernels, testing::ValuesIn(isa_levels()),
                         [](const auto& p) { return std::string(p.param); });

/// The largest difference of two gradients, relative to the largest of them.
double difference(const Columns& a, const Columns& b) {
  return (a - b).cwiseAbs().maxCoeff() / std::max(a.cwiseAbs().maxCoeff(), 1e-300);
}

TEST_P(Kernels, LennardJonesOfAllPairs) {
  lennard_jones_kernel::Workspace work;
  for (const int n : {1, 2, 3, 7, 8, 9, 33, 100}) {
    const Columns q = generic_start(n, everywhere, 0, 61).q * 1.01;  // off the sphere too
    Columns g(3, n), plain(3, n);
    lennard_jones_kernel::plain_gradient(4, 0.04, q, plain);
    lennard_jones_kernel::gradient(4, 0.04, q, g, work);
    EXPECT_LT(difference(plain, g), 1e-14) << n;
  }
}

TEST(Isa, AForcedLevelIsTheOneThatRuns) {
  // The levels with fused multiply-add round otherwise than those without.
  const Columns q = generic_start(100, everywhere, 0, 62).q;
  std::map<std::string_view, Columns> results;
  lennard_jones_kernel::Workspace work;
  for (const std::string_view level : isa_levels()) {
    ASSERT_TRUE(force_isa_level(level));
    EXPECT_EQ(isa_level(), level);
    Columns& g = results[level];
    g.resize(3, 100);
    lennard_jones_kernel::gradient(4, 0.04, q, g, work);
  }
  ASSERT_TRUE(force_isa_level(""));
  if (!results.contains("avx2")) GTEST_SKIP() << "this processor has no fused multiply-add";
  EXPECT_NE(results["avx2"], results["sse2"]);
}

TEST(Isa, BestLevelIsChosenAndAnyCanBeForced) {
  const auto levels = isa_levels();
  ASSERT_FALSE(levels.empty());
  EXPECT_EQ(isa_level(), levels.front());
  for (const std::string_view level : levels) {
    ASSERT_TRUE(force_isa_level(level));
    EXPECT_EQ(isa_level(), level);
    EXPECT_EQ(isa_levels(), levels);
  }
  ASSERT_TRUE(force_isa_level(levels.back()));
  const auto refused = force_isa_level("mmx");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message,
            fmt::format("\"mmx\" is not an instruction set level of this program; allowed: {}",
                        fmt::join(levels, ", ")));
  EXPECT_EQ(isa_level(), levels.back()) << "a refused level changes nothing";
  ASSERT_TRUE(force_isa_level(""));
  EXPECT_EQ(isa_level(), levels.front());
}

}  // namespace
}  // namespace twosphere::test
