// SPDX-License-Identifier: GPL-3.0-or-later
// The points of a section that are kept: views, cuts, and tables of them.
#include "core/record/section_points.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

#include "core/output/csv.h"
#include "tests/runs.h"

namespace twosphere::test::section_points_test {
namespace {

void add(SectionPoints& points, int from, int to, double factor = 1) {
  for (int k = from; k < to; ++k)
    points.add(0.5 * k, 3 * k, k % 2 ? 1 : -1, std::array{factor * k, -factor * k});
}

TEST(SectionPoints, ViewsKeepTheirPointsWhateverTheOriginalDoes) {
  SectionPoints points(2, 7);
  add(points, 0, 10'000);
  const SectionPoints view = points;
  add(points, 10'000, 10'100);
  points.cut(9000);
  EXPECT_NE(points.version(), view.version());
  add(points, 9000, 12'000, 2);
  ASSERT_EQ(view.size(), 10'000U);
  ASSERT_EQ(points.size(), 12'000U);
  for (std::size_t k = 0; k < view.size(); ++k) {
    const double at = static_cast<double>(k);
    ASSERT_EQ(view.values(k)[0], at);
    ASSERT_EQ(view.values(k)[1], -at);
    ASSERT_EQ(view.t(k), 0.5 * at);
    ASSERT_EQ(view.step(k), static_cast<std::int64_t>(3 * k));
    ASSERT_EQ(view.direction(k), k % 2 ? 1 : -1);
    ASSERT_EQ(view.number(k), static_cast<std::int64_t>(k) + 7);
    ASSERT_EQ(points.values(k)[0], k < 9000 ? at : 2 * at);
  }
}

TEST(SectionPoints, AViewWithoutTheFirstPointsHasTheNumbersOfTheRest) {
  SectionPoints points(2);
  add(points, 0, 5000);
  const SectionPoints rest = points.since(4500);
  ASSERT_EQ(rest.size(), 500U);
  EXPECT_EQ(rest.values(0)[0], 4500);
  EXPECT_EQ(rest.number(0), 4500);
  EXPECT_EQ(rest.t(499), 0.5 * 4999);
  EXPECT_NE(rest.version(), points.version());
  EXPECT_EQ(points.since(9000).size(), 0U);
  EXPECT_EQ(rest.since(100).values(0)[0], 4600);
}

TEST(SectionPoints, ATableOfThemIsThatOfTheRun) {
  const Scenario scenario = preset();
  PoincareSection section{
      .expression = "q[0].e2",
      .direction = PoincareSection::Direction::both,
      .coordinates = {{"angle", "atan2(q[1].e1, q[1].e3)"}, {"rate", "w[1].e2"}}};
  Simulation run = start(scenario);
  ASSERT_TRUE(run.follow_section(section));
  march(run, 3000);
  const auto surface = run.lane(0).crossings->surface();
  SectionPoints points(2);
  std::vector<double> values;
  std::string rows, again;
  for (const SectionPoint& point : run.take_section_points(0)) {
    surface->coordinates(point.state, values);
    points.add(point.state.t, point.step, point.direction, values);
    rows += section_row(*surface, point);
  }
  ASSERT_GT(points.size(), 5U);
  for (std::size_t k = 0; k < points.size(); ++k) again += section_row(*surface, points, k);
  EXPECT_EQ(again, rows);
}

}  // namespace
}  // namespace twosphere::test::section_points_test
