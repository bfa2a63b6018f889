// SPDX-License-Identifier: GPL-3.0-or-later
// Studies of clouds of nearby orbits.
#include "core/studies/cloud_study.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/runs.h"

namespace twosphere::test::cloud_study_test {
namespace {

TEST(CloudStudy, HasTheRowsOfTheRun) {
  Simulation run = start(with(preset(), {{"duration", 1.05}, {"every", json::Node::whole(20)}}));
  const CloudStudy study =
      run_cloud_study(run, {.members = 7, .spread = 1e-4}, [] { return true; });
  EXPECT_FALSE(study.failure);
  ASSERT_EQ(study.times.size(), 7u);  // 0, 0.2 … 1 and the end
  EXPECT_EQ(study.times.back(), run.time());
  // The distances are those of members that go along.
  Simulation other = start(with(preset(), {{"duration", 1.05}}));
  (void)other.state(0);
  Cloud cloud({.members = 7, .spread = 1e-4}, other.present().lanes[0], other.lane(0),
              *other.system());
  cloud.advance(*other.system(), 105);
  march(other, 105);
  EXPECT_EQ(cloud.distances(*other.system(), other.state(0)).median, study.distances.back().median);

  const std::string table = cloud_table(study);
  EXPECT_TRUE(table.starts_with(
      "time [s],distance_median [1],distance_low [1],distance_high [1],members [1]\r\n0,"));
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 8);
  EXPECT_TRUE(table.ends_with(",7\r\n"));
}

TEST(CloudStudy, EndsWhereItIsToldAndWhereTheRunFails) {
  Simulation run = start(preset());
  int rows = 0;
  const CloudStudy short_one =
      run_cloud_study(run, {.members = 2}, [&rows] { return ++rows <= 3; });
  EXPECT_EQ(short_one.times.size(), 4u);
  Simulation failing = start(with(preset("three_body"), {{"integrator.step", 0.5}}));
  const CloudStudy failed = run_cloud_study(failing, {.members = 2}, [] { return true; });
  ASSERT_TRUE(failed.failure);
  EXPECT_NE(failed.failure->find("quarter turn"), std::string::npos) << *failed.failure;
}

}  // namespace
}  // namespace twosphere::test::cloud_study_test
