// SPDX-License-Identifier: GPL-3.0-or-later
// Orbits in several segments, whose neighbours part by so much that the motion of a start that is
// nearly on one does not show where it leads.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <memory>
#include <numbers>
#include <utility>

#include "core/mechanics/diagnostics.h"
#include "core/studies/orbit_family.h"
#include "core/studies/orbit_search.h"
#include "core/studies/orbit_starts.h"
#include "tests/cases.h"
#include "tests/core/studies/followed_family.h"
#include "tests/outcome.h"
#include "tests/runs.h"

namespace twosphere::test::orbit_segments_test {
namespace {

/// A double pendulum whose lower link, of length l, stands on the upper one.
struct Standing {
  explicit Standing(double length)
      : system(system_of("chain_pendulum", 2,
                         {{"masses", {1, 1}}, {"lengths", {10, length}}, {"gravity", {10}}})) {
    Columns q(3, 2);
    q << Vec3::UnitZ(), -Vec3::UnitZ();
    rest = value_of(system_at_rest(system, 0, q));
    request.start = {0, q, Columns::Zero(3, 2)};
    request.from = OrbitRequest::From::mode;
    request.at = EquilibriumChoice{EquilibriumChoice::At::start, 0};
    request.mode = 2;  // after the two of the lower link, which falls
  }
  Result<std::optional<FoundOrbit>> search() const {
    return search_orbit(*system, *rest, orbit_method(*system), request, [] { return true; });
  }

  std::shared_ptr<const System> system, rest;
  OrbitRequest request;
};

TEST(OrbitSegments, AsManyAsTheGrowthAsksFor) {
  EXPECT_EQ(orbit_segments(1), 1U);
  EXPECT_EQ(orbit_segments(1e4), 1U);
  EXPECT_EQ(orbit_segments(1.1e4), 2U);
  EXPECT_EQ(orbit_segments(2e6), 3U);
  EXPECT_EQ(orbit_segments(1e12), 4U);
  EXPECT_EQ(orbit_segments(1e300), 4U);
}

// In one segment Newton's method ends nowhere.
TEST(OrbitSegments, OfAPendulumThatStandsOnAnother) {
  const Standing s(2);
  const FoundOrbit found = *value_of(s.search());
  const OrbitSolution& solution = found.orbit.solution;
  EXPECT_GT(solution.growth, 1e8);
  ASSERT_EQ(solution.segments.size(), 4U);
  ASSERT_EQ(solution.point.stations.size(), 3U);
  EXPECT_LT(solution.residual, 1e-11);
  EXPECT_LT(solution.iterations, 6);
  EXPECT_LT(std::abs(found.orbit.period_change), 1e-11);
  const OrbitMultipliers& multipliers = found.orbit.multipliers;
  ASSERT_EQ(multipliers.pairs.size(), 2U);
  EXPECT_LT(multipliers.pairing, 1e-8);
  EXPECT_LT(multipliers.determinant, 1e-9);
  EXPECT_LT(multipliers.flow_error, 1e-8);
  for (const MultiplierPair& pair : multipliers.pairs) {
    EXPECT_EQ(pair.kind, MultiplierKind::hyperbolic);
    EXPECT_GT(pair.first.real(), 1e7);
  }
  // The points lead from one to the next, over all of the period.
  ASSERT_EQ(solution.image.points.size(), static_cast<std::size_t>(solution.point.steps) + 1);
  EXPECT_LT((solution.image.points.back().q - solution.point.state.q).norm(), 1e-11);
  EXPECT_NEAR(solution.image.points.back().t, solution.point.period, 1e-12);
  for (const OrbitStation& station : solution.point.stations)
    EXPECT_EQ(solution.image.points[static_cast<std::size_t>(station.step)].q, station.state.q);
  // Its file has the start alone, from where it is found again.
  OrbitPoint start = solution.point;
  start.stations.clear();
  OrbitConditions held;
  held.energy = found.orbit.energy;
  const OrbitSolution again =
      value_of(solve_orbit({*s.rest, *found.method, found.closure}, start, held));
  EXPECT_NEAR(again.point.period, solution.point.period, 1e-11);
  EXPECT_EQ(again.segments.size(), 4U);
}

TEST(OrbitSegments, FamiliesKeepThem) {
  Standing s(2);
  s.request.energy = total_energy(*s.rest, s.request.start) + 15;
  const FoundOrbit found = *value_of(s.search());
  EXPECT_NEAR(found.orbit.energy, *s.request.energy, 1e-9);
  EXPECT_GT(found.orbit.solution.growth, 1e7);
  EXPECT_GE(found.orbit.solution.segments.size(), 3U);
  EXPECT_LT(found.orbit.solution.residual, 1e-11);
  EXPECT_LT(found.orbit.multipliers.pairing, 1e-8);
}

// Over a parameter the equations of several segments have the solution of those of one.
TEST(OrbitSegments, OverAParameterAreThoseOfTheOrbitInOne) {
  const auto pendulum = [](double length) -> Result<std::shared_ptr<const System>> {
    return std::shared_ptr<const System>(system_of(
        "chain_pendulum", 2, {{"masses", {1, 1}}, {"lengths", {1, length}}, {"gravity", {10}}}));
  };
  const auto system = value_of(pendulum(1));
  const OrbitParameter parameter{pendulum, 1.3};
  const OrbitProblem problem{*system, method_info("variational4"), {}, &parameter};
  Columns q(3, 2);
  q << std::sin(0.4), std::sin(0.6), 0, 0, std::cos(0.4), std::cos(0.6);
  OrbitConditions held;
  held.parameter = 1;
  const OrbitPoint guess{{0, q, Columns::Zero(3, 2)}, 2.7, 0, 120};
  held.energy = total_energy(*system, guess.state);
  const OrbitSolution one = value_of(solve_orbit(problem, guess, held));
  OrbitPoint parted = one.point;
  for (const int step : {40, 80})
    parted.stations.push_back({one.image.points[static_cast<std::size_t>(step)], step});
  const OrbitSolution three = value_of(solve_orbit(problem, parted, held));
  ASSERT_EQ(three.segments.size(), 3U);
  const double size = one.image.by_theta.norm();
  EXPECT_GT(size, 0.1);
  EXPECT_LT((three.image.by_theta - one.image.by_theta).norm(), 1e-9 * size);
  const auto rate = [&](const OrbitSolution& at) {
    const OrbitDirection along = family_direction(problem, at, Held::all);
    return along.period / along.parameter;
  };
  EXPECT_NEAR(rate(three), rate(one), 1e-9);
  // d ln T/dθ at this energy.
  const auto beside = [&](double theta) {
    OrbitConditions there = held;
    there.parameter = theta;
    return std::log(value_of(solve_orbit(problem, three.point, there)).point.period);
  };
  const double step = 1e-3, slope = (beside(1 - 2 * step) - 8 * beside(1 - step) +
                                     8 * beside(1 + step) - beside(1 + 2 * step)) /
                                    (12 * step);
  EXPECT_NEAR(rate(three), parameter.scale * slope, 1e-8);
  // Both lead to the same orbit, with the same T(2N).
  FamilyPlan plan{FamilyOver::parameter, 1.1};
  plan.held = Held::all;
  const auto end = [&](const OrbitSolution& first) {
    const Family family = followed(problem, first, plan);
    EXPECT_TRUE(family.reached) << family.end;
    return family.members.back();
  };
  const FamilyMember a = end(one), b = end(three);
  EXPECT_EQ(b.solution.point.stations.size(), 2U);
  EXPECT_NEAR(a.solution.point.period, b.solution.point.period, 1e-11);
  EXPECT_NEAR(a.period_change, b.period_change, 1e-12);
  EXPECT_GT(a.period_change, 1e-8);
}

// Two pairs of vortices change places and are turned: the last segment closes in this way.
TEST(OrbitSegments, AreOfTheOrbitThatOneFinds) {
  const Scenario scenario = preset("vortex_leapfrog");
  const auto system = start(scenario).system();
  const auto rest = value_of(system_at_rest(system, 0, scenario.q));
  OrbitRequest request;
  request.start = {0, scenario.q, scenario.omega};
  request.from = OrbitRequest::From::returned;
  request.duration = 0.5;
  request.closure = {Vec3::UnitZ(), {2, 3, 0, 1}};
  const IntegratorInfo& method = method_info("spherical_midpoint4");
  const FoundOrbit found =
      *value_of(search_orbit(*system, *rest, method, request, [] { return true; }));
  EXPECT_EQ(found.steps(), 2 * found.orbit.point().steps);
  const OrbitProblem problem{*rest, method, found.closure};
  OrbitPoint guess = found.orbit.point();
  for (const int part : {1, 2}) {
    const int step = part * guess.steps / 3;
    guess.stations.push_back(
        {found.orbit.solution.image.points[static_cast<std::size_t>(step)], step});
  }
  // Beside it.
  guess.period *= 1.001;
  guess.rotation += 0.002;
  guess.stations[1].state.q.col(2) =
      (guess.stations[1].state.q.col(2) + Vec3(0, 1e-3, 0)).normalized();
  OrbitConditions held;
  held.energy = found.orbit.energy;
  held.momentum = found.momentum;
  const OrbitSolution parted = value_of(solve_orbit(problem, guess, held));
  ASSERT_EQ(parted.segments.size(), 3U);
  EXPECT_NEAR(parted.point.period, found.orbit.point().period, 1e-12);
  EXPECT_NEAR(parted.point.rotation, found.orbit.point().rotation, 1e-11);
  EXPECT_NEAR(parted.growth, found.orbit.solution.growth, 1e-3 * parted.growth);
  const OrbitMultipliers one = found.orbit.multipliers, three = orbit_multipliers(problem, parted);
  ASSERT_EQ(one.pairs.size(), three.pairs.size());
  for (std::size_t k = 0; k < one.pairs.size(); ++k) {
    EXPECT_LT(std::abs(one.pairs[k].first - three.pairs[k].first), 1e-9);
    EXPECT_EQ(one.pairs[k].krein, three.pairs[k].krein);
  }
  EXPECT_LT(three.flow_error, 1e-8);
}

TEST(OrbitSegments, TooMuchGrowthIsRefused) {
  const auto result = Standing(0.5).search();
  ASSERT_FALSE(result);
  EXPECT_NE(result.error().text().find("at most 1e+12 is allowed; try"), std::string::npos)
      << result.error().text();
}

// T(2N) by the derivatives for N is that of a solution of 2N steps.
TEST(OrbitSegments, PeriodsOfTwiceAsManyStepsAreThoseOfSolutions) {
  Standing s(2);
  s.request.steps = 60;
  for (const bool hanging : {false, true}) {
    if (hanging) {
      s.request.at.reset();
      s.request.mode = 0;
    }
    const auto found = value_of(search_orbit(*s.system, *s.rest, method_info("variational4"),
                                             s.request, [] { return true; }));
    const OrbitProblem problem{*s.rest, *found->method, {}};
    const OrbitPoint& point = found->orbit.point();
    OrbitConditions held;
    held.energy = found->orbit.energy;
    const double period = value_of(refined_period(problem, found->orbit.solution, held)),
                 solved = value_of(solve_orbit(problem, point.refined(), held)).point.period;
    EXPECT_GT(std::abs(point.period - solved), 1e-9);
    EXPECT_NEAR(period, solved, 1e-12);
  }
}

}  // namespace
}  // namespace twosphere::test::orbit_segments_test
