// SPDX-License-Identifier: GPL-3.0-or-later
// Sections of several orbits on one energy.
#include "core/studies/section_study.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "core/mechanics/diagnostics.h"
#include "core/output/csv.h"
#include "tests/outcome.h"
#include "tests/runs.h"

namespace twosphere::test::section_study_test {
namespace {

/// Pendula that begin with other rates, on the section q_y = 0.
Sweep starts() {
  Scenario scenario = preset("custom/magnetic_pendulum");
  scenario.section = {.expression = "q[0].e2", .direction = PoincareSection::Direction::both};
  scenario.duration = 20;
  scenario.q.col(0) = Vec3(0.6, 0, 0.8);
  scenario.omega.col(0) = Vec3(0, 1, 0);
  scenario.continuation.reset();
  return {.scenario = scenario, .axes = {*parse_axis("initial.omega[0][1]=-1,0,0.5")}};
}

double energy_of(const Scenario& s) {
  const auto system = create_system(s);
  return total_energy(**system, {0, s.q, s.omega});
}

TEST(ScaleToEnergy, OneFactorOfAllRates) {
  const Scenario s = preset("double_spherical_pendulum");
  const auto made = create_system(s);
  const System& system = **made;
  State state{0, s.q, s.omega};
  const double least = system.potential(state.q);
  for (const double energy : {least + 1e-3, least + 10, least + 1e6}) {
    const double factor = scale_to_energy(system, state, energy);
    State scaled = state;
    scaled.w *= factor;
    EXPECT_NEAR(total_energy(system, scaled), energy, 1e-14 * std::abs(energy) + 1e-12);
  }
  EXPECT_TRUE(std::isnan(scale_to_energy(system, state, least - 1)));
  state.w.setZero();
  EXPECT_EQ(scale_to_energy(system, state, least), 1);
  EXPECT_TRUE(std::isnan(scale_to_energy(system, state, least + 1)));
}

TEST(SectionStudy, StartsHaveTheSameEnergy) {
  Sweep sweep = starts();
  const double energy = energy_of(sweep.scenario);
  EXPECT_GT(std::abs(energy_of(value_of(sweep_scenario(sweep, 2))) - energy), 1e-3);
  sweep.same_energy = true;
  for (const std::size_t task : {0, 2}) {
    const auto scenario = value_of(sweep_scenario(sweep, task));
    EXPECT_NEAR(energy_of(scenario), energy, 1e-14 * std::abs(energy) + 1e-15);
  }
  EXPECT_TRUE(says(error_of(sweep_scenario(sweep, 1)).text(), "no factor of omega"));
  // So are members; and the file has it.
  sweep.axes.clear();
  sweep.members = 5;
  sweep.spread = 0.01;
  const auto read = value_of(read_sweep(write_sweep(sweep), "s"));
  EXPECT_TRUE(read.same_energy);
  for (std::size_t task = 0; task < 5; ++task)
    EXPECT_NEAR(energy_of(*sweep_scenario(read, task)), energy, 1e-14 * std::abs(energy) + 1e-15);
}

TEST(SectionStudy, EveryOrbitHasThePointsOfItsRun) {
  Sweep sweep = starts();
  sweep.same_energy = true;
  const std::atomic<bool> stop{false};
  const SectionOrbit resting =
      follow_section_orbit(sweep, 1, stop, [](const auto&, const auto&) {});
  EXPECT_EQ(resting.status, TaskStatus::refused);
  EXPECT_FALSE(resting.why.empty());
  sweep.scenario.omega.col(0) = Vec3(0.8, 1, -0.6);
  std::int64_t all = 0;
  for (std::size_t task = 0; task < sweep.tasks(); ++task) {
    std::vector<SectionPoint> points;
    const SectionOrbit orbit = follow_section_orbit(
        sweep, task, stop,
        [&](const auto&, const SectionPoint& point) { points.push_back(point); });
    EXPECT_EQ(orbit.points, static_cast<std::int64_t>(points.size()));
    all += orbit.points;
    EXPECT_EQ(orbit.status, TaskStatus::done) << orbit.why;
    Simulation run = start(*sweep_scenario(sweep, task));
    ASSERT_TRUE(run.follow_section(*sweep.scenario.section));
    while (!run.finished()) march(run, 1);
    const auto alone = run.take_section_points(0);
    ASSERT_EQ(alone.size(), points.size());
    for (std::size_t k = 0; k < points.size(); ++k) {
      EXPECT_EQ(points[k].state.q, alone[k].state.q);
      EXPECT_EQ(points[k].state.t, alone[k].state.t);
    }
  }
  EXPECT_GT(all, 20);
  const std::atomic<bool> stopped{true};
  EXPECT_EQ(follow_section_orbit(sweep, 0, stopped, [](const auto&, const auto&) {}).status,
            TaskStatus::missing);
}

TEST(SectionStudy, TheTableIsTheSameOnAnyNumberOfThreads) {
  Sweep sweep = starts();
  sweep.scenario.omega.col(0) = Vec3(0.8, 1, -0.6);
  const auto table = [&sweep](int threads) {
    std::string text;
    const auto orbits = run_section_study(
        sweep, threads, [&text](std::string_view rows) { text += rows; },
        [](std::size_t, std::size_t) { return true; });
    EXPECT_EQ(orbits.size(), sweep.tasks());
    for (const SectionOrbit& orbit : orbits) EXPECT_EQ(orbit.status, TaskStatus::done);
    return text;
  };
  std::string one_by_one;
  const std::atomic<bool> stop{false};
  for (std::size_t k = 0; k < sweep.tasks(); ++k)
    follow_section_orbit(sweep, k, stop,
                         [&](const SectionSurface& surface, const SectionPoint& point) {
                           one_by_one += section_row(surface, point, k);
                         });
  EXPECT_FALSE(one_by_one.empty());
  EXPECT_EQ(table(1), one_by_one);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(table(3), one_by_one);
}

TEST(SectionStudy, AStopKeepsTheRowsInOrder) {
  Sweep sweep = starts();
  sweep.scenario.omega.col(0) = Vec3(0.8, 1, -0.6);
  sweep.scenario.duration = 1e6;
  std::string text;
  const auto orbits = run_section_study(
      sweep, 2, [&text](std::string_view rows) { text += rows; },
      [calls = 0](std::size_t, std::size_t) mutable { return ++calls < 4; });
  ASSERT_EQ(orbits.size(), sweep.tasks());
  std::int64_t points = 0;
  for (const SectionOrbit& orbit : orbits) {
    EXPECT_EQ(orbit.status, TaskStatus::missing);
    points += orbit.points;
  }
  EXPECT_GT(orbits[0].points, 0);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), points);
  EXPECT_LT(text.rfind("\n0,"), text.find("\n1,"));
}

TEST(SectionStudy, RowsBeginWithTheStart) {
  Sweep sweep = starts();
  sweep.scenario.section->coordinates = {{"x", "q[0].e1"}, {"rate, polar", "w[0].e2"}};
  const auto surface = value_of(SectionSurface::create(*sweep.scenario.section, sweep.scenario));
  EXPECT_EQ(
      section_header(*surface, true),
      "start [1],time [s],step [1],crossing [1],direction [1],x [1],\"rate, polar [rad/s]\"\r\n");
  const SectionPoint point{{0.25, sweep.scenario.q, sweep.scenario.omega}, 7, 3, -1};
  EXPECT_EQ(section_row(*surface, point, 4), "4,0.25,7,3,-1,0.6,1\r\n");
}

}  // namespace
}  // namespace twosphere::test::section_study_test
