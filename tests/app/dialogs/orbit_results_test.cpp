// SPDX-License-Identifier: GPL-3.0-or-later
// Families that are continued, and orbits beside a run.
#include "app/dialogs/orbit_results.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "core/mechanics/return_map.h"
#include "core/scenario/reader.h"
#include "core/scenario/writer.h"
#include "tests/outcome.h"
#include "tests/runs.h"

namespace twosphere::test::orbit_results_test {
namespace {

/// Orbits of these energies, with a branching after the first of them.
FoundFamily of_energies(const std::vector<double>& energies) {
  FoundFamily family;
  for (const double energy : energies) {
    family.members.emplace_back();
    family.members.back().orbit.energy = energy;
  }
  Bifurcation one;
  one.kind = BifurcationKind::branching;
  one.at.energy = (energies[0] + energies[1]) / 2;
  family.bifurcations.push_back(std::move(one));
  return family;
}
std::vector<double> energies_of(const FoundFamily& family) {
  std::vector<double> all;
  for (const FoundOrbit& one : family.members) all.push_back(one.orbit.energy);
  return all;
}
/// Whether each bifurcation is between its member and the next.
bool are_between(const FoundFamily& family) {
  for (const Bifurcation& one : family.bifurcations) {
    const double before = family.members[one.member].orbit.energy,
                 after = family.members[one.member + 1].orbit.energy;
    if ((one.at.energy - before) * (one.at.energy - after) > 0) return false;
  }
  return true;
}

TEST(OrbitResults, FamiliesAreJoinedAtBothEnds) {
  FoundFamily family = of_energies({3, 4, 5});
  EXPECT_EQ(join(family, 2, of_energies({5, 6, 7})), 4U) << "the last one";
  EXPECT_EQ(energies_of(family), (std::vector<double>{3, 4, 5, 6, 7}));
  EXPECT_EQ(join(family, 0, of_energies({3, 2, 1})), 0U) << "the first one";
  EXPECT_EQ(energies_of(family), (std::vector<double>{1, 2, 3, 4, 5, 6, 7}));
  ASSERT_EQ(family.bifurcations.size(), 3U);
  EXPECT_TRUE(are_between(family));
  EXPECT_FALSE(family.closed);
  EXPECT_FALSE(join(family, 3, of_energies({4, 4.5, 5})));
  EXPECT_EQ(family.members.size(), 7U) << "unchanged";
  FoundFamily back = of_energies({7, 8, 1});
  back.closed = true;
  EXPECT_EQ(join(family, 6, back), 8U);
  EXPECT_TRUE(family.closed);
}

// From its end back into it a family would have its orbits twice.
TEST(OrbitResults, AFamilyIsContinuedFromTheEndTowardsAValue) {
  using To = WayOn::To;
  FamilyRequest request;
  request.over = FamilyOver::energy;
  const auto way = [&](const FoundFamily& family, std::size_t member, double to) {
    request.to = to;
    const WayOn found = way_on(family, member, request);
    return std::pair(found.to, found.member);
  };
  FoundFamily family = of_energies({3, 4, 5});
  EXPECT_EQ(way(family, 2, 7), std::pair(To::beyond, std::size_t{2}));
  EXPECT_EQ(way(family, 1, 7), std::pair(To::beyond, std::size_t{2}));
  EXPECT_EQ(way(family, 2, 1), std::pair(To::beyond, std::size_t{0}));
  EXPECT_EQ(way(family, 0, 1), std::pair(To::beyond, std::size_t{0}));
  EXPECT_EQ(way(family, 2, 3.4), std::pair(To::within, std::size_t{0}));
  EXPECT_EQ(way(family, 0, 4.6), std::pair(To::within, std::size_t{2}));
  EXPECT_EQ(way(family, 1, 4), std::pair(To::within, std::size_t{1}));
  // Over a fold.
  const FoundFamily turned = of_energies({1, 5, 3});
  EXPECT_EQ(way(turned, 0, 4), std::pair(To::within, std::size_t{1}));
  EXPECT_EQ(way(turned, 2, 2), std::pair(To::beyond, std::size_t{2}));
  EXPECT_EQ(way(turned, 2, 7), std::pair(To::nowhere, std::size_t{0}));
  EXPECT_EQ(way(turned, 1, 7), std::pair(To::nowhere, std::size_t{1}));
  // As far as it goes: away from the end, also where that is down.
  const double any = std::numeric_limits<double>::infinity();
  EXPECT_EQ(way(turned, 2, any), std::pair(To::beyond, std::size_t{2}));
  EXPECT_EQ(request.to, -any);
  EXPECT_TRUE(request.start) << "it may come back to the other end";
  EXPECT_EQ(way(family, 2, any), std::pair(To::beyond, std::size_t{2}));
  EXPECT_EQ(request.to, any);
  EXPECT_EQ(way(family, 0, any), std::pair(To::beyond, std::size_t{0}));
  EXPECT_EQ(request.to, -any);
  family.closed = true;
  EXPECT_EQ(way(family, 2, any).first, To::nowhere);
  EXPECT_EQ(way(family, 2, 7).first, To::nowhere);
  EXPECT_EQ(way(family, 2, 3.4).first, To::within);
  family.closed = false;
  // The energy counts from rest, and over the momentum the family is another one.
  for (FoundOrbit& one : family.members) one.rest_energy = -10;
  request.above_rest = true;
  EXPECT_EQ(way(family, 2, 14.2), std::pair(To::within, std::size_t{1}));
  request.above_rest = false;
  request.over = FamilyOver::momentum;
  EXPECT_EQ(way(family, 2, 1).first, To::another);
  request.over = FamilyOver::energy;
  family.members.resize(1);
  EXPECT_EQ(way(family, 0, 7).first, To::another) << "an orbit alone";
}

TEST(OrbitResults, ABranchBeginsAfterAMember) {
  FoundFamily family = of_energies({3, 4, 5});
  EXPECT_EQ(branching_after(family, 0), &family.bifurcations[0]);
  EXPECT_EQ(branching_after(family, 1), nullptr);
  Bifurcation later = family.bifurcations[0];
  later.member = 1;
  family.bifurcations.insert(family.bifurcations.begin(), later);
  EXPECT_EQ(branching_after(family, 0), &family.bifurcations[1]) << "the nearest one";
  EXPECT_EQ(branching_after(family, 1), &family.bifurcations[0]);
  family.bifurcations.erase(family.bifurcations.begin() + 1);
  EXPECT_EQ(branching_after(family, 0), &family.bifurcations[0]) << "from any orbit before it";
  family.bifurcations[0].kind = BifurcationKind::fold;
  EXPECT_EQ(branching_after(family, 0), nullptr) << "no other family begins there";
}

/// A pendulum with g = l = 1 and damping, driven by a torque A sin(2t/3).
Scenario driven_pendulum(double amplitude) {
  return value_of(read_scenario(fmt::format(R"({{"twosphere": 1, "title": "Driven pendulum",
                      "system": {{"type": "chain_pendulum", "masses": [1], "lengths": [1],
                                 "gravity": 1, "damping": 0.5,
                                 "control_torque": {{"type": "sine", "amplitude": [0, {}, 0],
                                                    "frequency": 0.1061032953945969}}}},
                      "initial": {{"q": [[0, 0, 1]], "omega": [[0, 0, 0]]}},
                      "integrator": {{"type": "variational", "step": 0.05}}, "duration": 100}})",
                                            amplitude),
                                "driven"));
}

TEST(OrbitResults, WhatIsExaminedDependsOnTheForces) {
  const OrbitSystems kept = value_of(orbit_systems(preset()));
  EXPECT_TRUE(kept.keeps_energy());
  EXPECT_TRUE(kept.rest && kept.orbits && kept.no_turning.empty());
  const OrbitSystems damped = value_of(orbit_systems(with(preset(), "system.damping", 0.1)));
  EXPECT_TRUE(damped.rest) << "its equilibria and modes are found";
  EXPECT_FALSE(damped.orbits);
  EXPECT_NE(damped.no_orbits.find("comes to rest"), std::string::npos) << damped.no_orbits;
  const OrbitSystems driven = value_of(orbit_systems(driven_pendulum(0.3)));
  EXPECT_TRUE(driven.driven());
  ASSERT_TRUE(driven.rest && driven.orbits);
  EXPECT_FALSE(driven.rest->has_external_force()) << "equilibria are those without the forces";
  EXPECT_FALSE(driven.no_turning.empty());
}

TEST(OrbitResults, AStateIsTakenToTheNextPeriodOfTheForces) {
  const OrbitSystems driven = value_of(orbit_systems(driven_pendulum(0.3)));
  const double period = driven.orbits->force_period();
  ASSERT_GT(period, 0);
  const Scenario& scenario = driven_pendulum(0.3);
  const State start{0, scenario.q, scenario.omega};
  EXPECT_EQ((value_of(at_whole_period(*driven.orbits, start, {})).q - start.q).norm(), 0);
  // From rest at the beginning of a period to its end, in one go and in two.
  const auto whole = [&](const State& from) {
    return value_of(at_whole_period(*driven.orbits, from, {}));
  };
  const ReturnMap map(*driven.orbits, orbit_method(*driven.orbits), {});
  const State middle = value_of(map.end(start, period / 240, 120, 0)),
              end = value_of(map.end(start, period / 240, 240, 0));
  const State there = whole({period / 2, middle.q, middle.w});
  EXPECT_EQ(there.t, 0);
  EXPECT_LT((there.q - end.q).norm(), 1e-7);
  EXPECT_FALSE(at_whole_period(*driven.orbits, start, 1.3 * period));
}

TEST(OrbitResults, OrbitsOfAFamilyOverANumberAreJoinedOnlyOverIt) {
  FoundFamily energy = of_energies({3, 4}), damping = energy, gravity = energy;
  damping.setting = FamilySetting{SettingPath("system.damping"), "1/s", 0.5};
  gravity.setting = FamilySetting{SettingPath("system.gravity"), "m/s^2", 1};
  EXPECT_TRUE(can_join(energy, energy));
  EXPECT_TRUE(can_join(damping, damping));
  EXPECT_FALSE(can_join(damping, gravity));
  EXPECT_FALSE(can_join(energy, damping));
  Bifurcation at = damping.bifurcations[0];
  at.at.solution.point.parameter = 0.25;
  EXPECT_EQ(place_in_words(damping, at), "system.damping = 0.25 1/s");
  EXPECT_EQ(place_in_words(energy, at), "3.5 J");
}

TEST(OrbitResults, TheLanesOfARunMeetTheOrbitAtItsSteps) {
  const Scenario run = preset("double_spherical_pendulum");
  const double step = run.lanes[0].step;
  Scenario orbit = run;
  orbit.lanes[0].type = "variational8";
  const std::vector<std::pair<double, double>> cases{
      {step / 3, 1}, {step, 1}, {2 * step, 2}, {2.3 * step, 3}};
  for (const auto& [of_orbit, parts] : cases) {
    orbit.lanes[0].step = of_orbit;
    orbit.duration = 10 * of_orbit;
    const Scenario both = with_lanes_of(orbit, run);
    ASSERT_EQ(both.lanes.size(), 2U);
    EXPECT_EQ(both.lanes[0].step, of_orbit);
    EXPECT_DOUBLE_EQ(both.lanes[1].step, of_orbit / parts);
    EXPECT_TRUE(read_scenario(write_scenario(both), "both"));
  }
}

TEST(OrbitResults, TheLanesOfARunHaveNamesBesideTheOrbits) {
  const Scenario run = preset("double_spherical_pendulum");
  Scenario orbit = run;
  orbit.lanes[0].type = "variational8";
  const Scenario both = with_lanes_of(orbit, run);
  ASSERT_EQ(both.lanes.size(), 2U);
  EXPECT_EQ(both.lanes[0].name, "variational8");
  EXPECT_EQ(both.lanes[1].name, "variational");
  const Scenario twice = with_lanes_of(run, run);
  EXPECT_NE(twice.lanes[0].name, twice.lanes[1].name);
}

}  // namespace
}  // namespace twosphere::test::orbit_results_test
