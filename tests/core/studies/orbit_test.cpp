// SPDX-License-Identifier: GPL-3.0-or-later
// Periodic orbits: periods in closed form, multipliers, what is refused.
#include "core/studies/orbit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include "core/base/decompositions.h"
#include "core/base/json.h"
#include "core/mechanics/diagnostics.h"
#include "core/scenario/reader.h"
#include "core/studies/orbit_branch.h"
#include "core/studies/orbit_family.h"
#include "core/studies/orbit_search.h"
#include "core/studies/orbit_starts.h"
#include "tests/cases.h"
#include "tests/core/studies/followed_family.h"
#include "tests/outcome.h"
#include "tests/runs.h"

namespace twosphere::test::orbit_test {
namespace {

constexpr double pi = std::numbers::pi;

std::shared_ptr<const System> pendulum() {
  return system_of("chain_pendulum", 1, {{"masses", {1}}, {"lengths", {1}}, {"gravity", {9.81}}});
}
/// Bodies of a chain that hang at rest.
State hanging(int bodies) {
  State s{0, Columns::Zero(3, bodies), Columns::Zero(3, bodies)};
  s.q.row(2).setOnes();
  return s;
}

/// A system with what a search needs.
struct Searched {
  explicit Searched(std::shared_ptr<const System> of, const State& at)
      : system(std::move(of)), rest(value_of(system_at_rest(system, 0, at.q))) {
    request.start = at;
    request.threads = 2;
  }

  /// The orbit of a mode with this energy above rest is asked for.
  Searched& in_mode(std::size_t mode, double energy) {
    request.from = OrbitRequest::From::mode;
    request.mode = mode;
    request.energy = energy;
    request.above_rest = true;
    return *this;
  }
  /// The family of such an orbit up to an energy above rest.
  Family family(const FoundOrbit& first, double to) const {
    return followed({*rest, *first.method, {}}, first.orbit.solution,
                    {FamilyOver::energy, *first.rest_energy + to});
  }

  Result<std::optional<FoundOrbit>> search() const {
    return search_orbit(*system, *rest, orbit_method(*system), request, [] { return true; });
  }
  FoundOrbit found() const { return *value_of(search()); }
  std::string refused() const {
    const auto result = search();
    return result ? "found" : result.error().text();
  }

  std::shared_ptr<const System> system, rest;
  OrbitRequest request;
};
Searched of_preset(const char* key) {
  const Scenario scenario = preset(key);
  return Searched(start(scenario).system(), {0, scenario.q, scenario.omega});
}

// T = 4 (l/g)^½ K(sin ½ θ₀), and over the top 7 rad/s below.
TEST(Orbits, OfAPendulumHaveItsPeriods) {
  const struct {
    double angle, rate, guess, period;
  } cases[] = {{pi / 2, 0, 2.3, 2.36784194757624},
               {3, 0, 5, 5.15806675426787},
               {0, 7, 1.3, 1.29089375337747}};
  for (const auto& c : cases) {
    SCOPED_TRACE(c.period);
    Searched s(pendulum(), in_plane(c.angle, c.rate));
    s.request.period = c.guess;
    const FoundOrbit found = s.found();
    EXPECT_NEAR(found.orbit.point().period, c.period, 1e-10);
    EXPECT_LT(std::abs(found.orbit.period_change), 1e-10);
    EXPECT_NEAR(found.orbit.energy, total_energy(*s.rest, s.request.start), 1e-12);
    EXPECT_LT(found.orbit.solution.residual, 1e-12 * found.orbit.solution.growth);
    EXPECT_TRUE(found.orbit.multipliers.pairs.empty());  // one freedom is left after J
    EXPECT_EQ(found.orbit.repeated, 1);
  }
}

// After half its period it is on the other side: of 90 degrees opposite, and at rest as well.
TEST(Orbits, DoNotCloseOnTheOtherSide) {
  Searched s(pendulum(), in_plane(pi / 2, 0));
  s.request.period = 1.18;
  EXPECT_NE(s.refused().find("did not converge"), std::string::npos) << s.refused();
  EXPECT_NE(s.refused().find("more steps"), std::string::npos) << s.refused();
  s.request.period.reset();
  s.request.from = OrbitRequest::From::returned;
  for (const double duration : {2.5, 5.0}) {
    s.request.duration = duration;
    EXPECT_NEAR(s.found().orbit.point().period, 2.36784194757624, 1e-10) << duration;
  }
}

TEST(Orbits, HaveTheirShortestPeriod) {
  Searched s(pendulum(), in_plane(1, 0));
  s.request.period = 6.5;  // three times that
  const FoundOrbit found = s.found();
  EXPECT_EQ(found.orbit.repeated, 3);
  EXPECT_NEAR(found.orbit.point().period, 2.139137600559, 1e-10);
  EXPECT_FALSE(found.notes.empty());
}

// Over the top, T = 4/ω K(2 √(g/l)/ω), of which sixteen are asked for.
TEST(Orbits, HaveTheirShortestPeriodOfVeryManyToo) {
  Searched s(pendulum(), in_plane(0, 6 * std::sqrt(9.81)));
  s.request.period = 5.5;
  const FoundOrbit found = s.found();
  EXPECT_EQ(found.orbit.repeated, 16);
  EXPECT_NEAR(found.orbit.point().period, 0.344261228610978, 1e-10);
}

// The slow and the fast mode of a double pendulum: linear at 1°, with the multipliers of the other.
TEST(Orbits, BeginInModes) {
  Searched s = of_preset("double_spherical_pendulum");
  const double slow = std::sqrt(2 - std::sqrt(2.0)), fast = std::sqrt(2 + std::sqrt(2.0));
  for (const std::size_t mode : {0, 2}) {
    s.request.from = OrbitRequest::From::mode;
    s.request.mode = mode;
    const FoundOrbit found = s.found();
    const double period = found.orbit.point().period, nu = 2 * pi / period;
    EXPECT_NEAR(nu, mode == 0 ? slow : fast, 1e-3 * nu);
    EXPECT_EQ(found.orbit.kind(), "linearly stable");
    const OrbitMultipliers& m = found.orbit.multipliers;
    ASSERT_EQ(m.pairs.size(), 2U);  // of four, without energy and J₃
    const double other = (mode == 0 ? fast : slow) * period / (2 * pi);
    const double turn = std::abs(other - std::round(other));
    EXPECT_NEAR(m.pairs[0].rotation, turn, 1e-2);
    EXPECT_LT(m.pairing, 1e-10);
    EXPECT_LT(m.determinant, 1e-11);
    EXPECT_LT(m.flow_error, 1e-9);
    EXPECT_GT(found.orbit.solution.gap, 1e3);
  }
}

// Planar orbits have J3 = 0, whatever rounding leaves of it, also where they begin at rest.
TEST(Orbits, OfAPlaneHaveNoMomentum) {
  Searched s = of_preset("double_spherical_pendulum");
  const FoundOrbit first = s.in_mode(0, 20).found();
  EXPECT_EQ(first.momentum, 0.0);
  EXPECT_NE(first.text().find("momentum: 0 J s\n"), std::string::npos) << first.text();
  const OrbitProblem problem{*s.rest, *first.method, {}};
  FamilyPlan plan{FamilyOver::energy, *first.rest_energy + 40};
  plan.bifurcations = false;
  const Family family = followed(problem, first.orbit.solution, plan);
  for (const FamilyMember& member : family.members) EXPECT_EQ(member.momentum, 0);
  // What is small beside the terms along the orbit, but none of their rounding, stays.
  State pushed = first.orbit.point().state;
  pushed.w.col(0) += 1e-9 * pushed.q.col(0).cross(Vec3::UnitY());
  EXPECT_GT(std::abs(orbit_momentum(*s.rest, pushed).z()), 1e-10);
}

// Towards lower energies the family of a mode becomes small, and does not grow again beyond it.
TEST(Orbits, FamiliesEndAtAnEquilibrium) {
  Searched s = of_preset("double_spherical_pendulum");
  const FoundOrbit first = s.in_mode(0, 5).found();
  const double rest = *first.rest_energy;
  const Family below = s.family(first, -1);
  EXPECT_FALSE(below.reached);
  EXPECT_TRUE(below.complete);
  EXPECT_EQ(below.end, "it has come to an equilibrium");
  EXPECT_TRUE(below.bifurcations.empty());
  EXPECT_LT(below.members.back().energy - rest, 1e-2);
  for (std::size_t k = 1; k < below.members.size(); ++k)
    EXPECT_LT(below.members[k].energy, below.members[k - 1].energy) << k;
  const Family near = s.family(first, 0.02);
  EXPECT_TRUE(near.reached) << near.end;
  EXPECT_NEAR(near.members.back().energy - rest, 0.02, 1e-10);
}

// E above rest at which the planar families of Example 1 lose their stability.
TEST(Orbits, FamiliesBranchWhereTheyDo) {
  Searched s = of_preset("double_spherical_pendulum");
  const struct {
    std::size_t mode;
    double from, to, energy, period;
  } cases[] = {{0, 180, 185, 182.526070329, 8.860356557905},
               {2, 93, 97, 95.014047994, 5.522146779618},
               {2, 135, 140, 137.693149188, 6.147515349730}};
  for (const auto& c : cases) {
    SCOPED_TRACE(c.energy);
    const FoundOrbit first = s.in_mode(c.mode, c.from).found();
    const double rest = *first.rest_energy;
    const Family family = s.family(first, c.to);
    EXPECT_TRUE(family.reached) << family.end;
    ASSERT_EQ(family.bifurcations.size(), 1U);
    const Bifurcation& b = family.bifurcations[0];
    EXPECT_EQ(b.kind, BifurcationKind::branching);
    EXPECT_NEAR(b.at.energy - rest, c.energy, 1e-6);
    EXPECT_NEAR(b.at.solution.point.period, c.period, 1e-8);
    const auto branching = [](const FamilyMember& member) { return member.multipliers.tests()[0]; };
    EXPECT_NEAR(branching(b.at), 0, 1e-6);
    EXPECT_LT(branching(family.members[b.member]) * branching(family.members[b.member + 1]), 0);
    for (const FamilyMember& member : family.members) {
      EXPECT_LT(member.solution.residual, 1e-12 * member.solution.growth);
      EXPECT_LT(member.multipliers.determinant, 1e-11);
      EXPECT_LT(member.multipliers.pairing, 1e-10);
    }
  }
}

// The same to eight digits, with 160 steps and with twice as many.
TEST(Orbits, FamiliesBranchAtTheSameEnergyWithTwiceAsManySteps) {
  const struct {
    std::size_t mode;
    double from, to, energy, period;
  } cases[] = {{0, 181, 184, 182.526070329, 8.860356557905},
               {2, 94, 96, 95.014047994, 5.522146779618},
               {2, 137, 139, 137.693149188, 6.147515349730}};
  for (const auto& c : cases)
    for (const int steps : {160, 320}) {
      SCOPED_TRACE(std::to_string(c.energy) + " J, " + std::to_string(steps) + " steps");
      Searched s = of_preset("double_spherical_pendulum");
      s.request.steps = steps;
      const FoundOrbit first = s.in_mode(c.mode, c.from).found();
      FamilyPlan plan{FamilyOver::energy, *first.rest_energy + c.to};
      plan.refines = false;
      const Family family = followed({*s.rest, *first.method, {}}, first.orbit.solution, plan);
      EXPECT_TRUE(family.reached) << family.end;
      ASSERT_EQ(family.bifurcations.size(), 1U);
      const Bifurcation& b = family.bifurcations[0];
      EXPECT_EQ(b.kind, BifurcationKind::branching);
      EXPECT_EQ(b.at.solution.point.steps, steps);
      EXPECT_NEAR(b.at.energy - *first.rest_energy, c.energy, 1e-8);
      EXPECT_NEAR(b.at.solution.point.period, c.period, 1e-9);
    }
}

// Both planar families, sixty orbits each from the small motion on.
TEST(Orbits, FamiliesOfSixtyCloseAndKeepTheVolumeToRounding) {
  for (const std::size_t mode : {0, 2}) {
    SCOPED_TRACE(mode);
    Searched s = of_preset("double_spherical_pendulum");
    const FoundOrbit first = s.in_mode(mode, 1).found();
    FamilyPlan plan{FamilyOver::energy, *first.rest_energy + 1000};
    plan.count = 60;
    const Family family = followed({*s.rest, *first.method, {}}, first.orbit.solution, plan);
    ASSERT_EQ(family.members.size(), 60U) << family.end;
    for (const FamilyMember& member : family.members) {
      EXPECT_LE(member.solution.residual, 1e-12);
      EXPECT_LE(member.multipliers.determinant, 1e-11);
      EXPECT_LE(member.multipliers.pairing, 1e-10);
    }
  }
}

// Masses 1 and 0.4 kg, lengths 1 and 0.7 m. The slow family branches twice within 0.46 J. From the
// planar motion in angles and its variations in the plane and across it, by 10000 Runge-Kutta steps
// a period.
TEST(Orbits, FamiliesBranchTwiceCloseTogether) {
  Searched s(system_of("chain_pendulum", 2,
                       {{"masses", {1, 0.4}}, {"lengths", {1, 0.7}}, {"gravity", {9.81}}}),
             hanging(2));
  struct At {
    double energy, period;
  };
  const struct {
    std::size_t mode;
    double from, to;
    std::vector<At> branchings;
  } cases[] = {{0, 2, 2.8, {{2.20593741623, 2.346975898529}, {2.66472171754, 2.355662858657}}},
               {2, 2.9, 3.1, {{2.97992375946, 1.669741311773}}},
               {2, 5.6, 5.9, {{5.72396056947, 1.937652556567}}}};
  for (const auto& c : cases) {
    SCOPED_TRACE(c.from);
    const FoundOrbit first = s.in_mode(c.mode, c.from).found();
    const double rest = *first.rest_energy;
    const Family family = s.family(first, c.to);
    EXPECT_TRUE(family.reached) << family.end;
    ASSERT_EQ(family.bifurcations.size(), c.branchings.size());
    for (std::size_t k = 0; k < c.branchings.size(); ++k) {
      const Bifurcation& b = family.bifurcations[k];
      EXPECT_EQ(b.kind, BifurcationKind::branching);
      EXPECT_NEAR(b.at.energy - rest, c.branchings[k].energy, 1e-8);
      EXPECT_NEAR(b.at.solution.point.period, c.branchings[k].period, 1e-9);
    }
  }
}

// Two equal bodies hang in a potential that one that swings changes by y'' = −(9 + 2 sin²θ) y,
// along two axes each: four pairs of multipliers are the same, and pass 1 together where Hill's
// equation has a solution of the period of θ'' = −9.81 sin θ. No determinant changes its sign
// there.
TEST(Orbits, PairsThatASymmetryMakesEqualBranchTogether) {
  const auto scenario = value_of(read_scenario(
      R"json({"twosphere": 1, "system": {"type": "custom", "inertia": "diag(1)",
                "potential": "-9.81*e3.q[0] + (e2.q[0])^2 - (9 + 2*(e1.q[0])^2)*(e3.q[1] + e3.q[2] - 2)"},
    "initial": {"q": [[0, 0, 1], [0, 0, 1], [0, 0, 1]], "omega": [[0, 0, 0], [0, 0, 0], [0, 0, 0]]},
    "integrator": {"type": "variational", "step": 0.01}, "duration": 1})json",
      "test"));
  Searched s(start(scenario).system(), {0, scenario.q, scenario.omega});
  const FoundOrbit first = s.in_mode(4, 1.2).found();
  const OrbitProblem problem{*s.rest, *first.method, {}};
  const Family family = s.family(first, 1.8);
  EXPECT_TRUE(family.reached) << family.end;
  EXPECT_TRUE(family.members.front().multipliers.stable());
  EXPECT_FALSE(family.members.back().multipliers.stable());
  ASSERT_EQ(family.bifurcations.size(), 1U);
  const Bifurcation& b = family.bifurcations[0];
  EXPECT_EQ(b.kind, BifurcationKind::branching);
  EXPECT_EQ(b.multiplicity(), 4);
  // A step that equal pairs pass together on is no shorter for it.
  EXPECT_LT(family.members.size(), 12U);
  EXPECT_NEAR(b.at.energy - *first.rest_energy, 1.49419278370, 1e-8);
  EXPECT_NEAR(b.at.solution.point.period, 2.04598855101, 1e-8);
  // Each body may swing along each axis, but it turns about e3 on its own.
  EXPECT_EQ(branch_directions(problem, b).size(), 16U);
  const auto branch = branch_start(problem, b, 0.02);
  ASSERT_FALSE(branch);
  EXPECT_NE(branch.error().text().find("not isolated"), std::string::npos);
  EXPECT_NE(branch.error().text().find(
                "+1:K with K 0: q[1] by [1, 0, 0]; 1: q[1] by [0, 1, 0]; 2: q[2] by [1, 0, 0]; 3: "
                "q[2] by [0, 1, 0]; 4 to 15: sums and differences of two of these"),
            std::string::npos)
      << branch.error().text();
}

// Three pendulums on springs swing alike until two of them, or one and the other two, swing against
// one another: two families of other stability begin where two pairs pass 1.
TEST(Orbits, BranchesInTheDirectionsOfASymmetry) {
  const auto scenario = value_of(read_scenario(
      R"json({"twosphere": 1, "system": {"type": "custom", "inertia": "diag(1)",
                "potential": "-sum(i: e3.q[i]) + 0.53/2*sum(i: (e2.q[i])^2) + 0.2*(norm(q[0]-q[1])^2 + norm(q[1]-q[2])^2 + norm(q[2]-q[0])^2)"},
    "initial": {"q": [[0, 0, 1], [0, 0, 1], [0, 0, 1]], "omega": [[0, 0, 0], [0, 0, 0], [0, 0, 0]]},
    "integrator": {"type": "variational", "step": 0.01}, "duration": 1})json",
      "test"));
  Searched s(start(scenario).system(), {0, scenario.q, scenario.omega});
  const FoundOrbit first = s.in_mode(0, 2.5).found();
  const OrbitProblem problem{*s.rest, *first.method, {}};
  const Family family = s.family(first, 2.6);
  ASSERT_EQ(family.bifurcations.size(), 1U);
  const Bifurcation& b = family.bifurcations[0];
  EXPECT_EQ(b.multiplicity(), 2);
  EXPECT_NEAR(b.at.energy - *first.rest_energy, 2.54, 1e-8);
  const auto directions = branch_directions(problem, b);
  ASSERT_EQ(directions.size(), 4U);
  const auto moved = [&](std::size_t direction, int body) {
    const TangentVector& v = directions[direction].vector;
    return v.q.col(body).norm() + v.w.col(body).norm();
  };
  EXPECT_LT(moved(0, 1), 1e-6);
  EXPECT_LT(moved(1, 0), 1e-6);
  EXPECT_NEAR(moved(2, 2), 2 * moved(2, 0), 1e-6);
  EXPECT_LT(moved(3, 2), 1e-6);
  const auto kind = [&](std::size_t direction) {
    const BranchStart branch = value_of(branch_start(problem, b, 0.02, direction));
    EXPECT_TRUE(branch.along.starts_with("direction " + std::to_string(direction) + " of 4: "))
        << branch.along;
    EXPECT_GT((branch.solution.point.state.w.col(0) - branch.solution.point.state.w.col(2)).norm(),
              1e-3);
    return orbit_multipliers(problem, branch.solution).kind();
  };
  EXPECT_EQ(kind(0), "unstable");
  EXPECT_EQ(kind(2), "linearly stable");
  EXPECT_EQ(branch_start(problem, b, 0.02, 4).error().text(),
            "bifurcate: must be +1:0 to +1:3, not +1:4");
}

TEST(Orbits, PairsMeetBesideOthersThatASymmetryMakesEqual) {
  using Multiplier = std::complex<double>;
  const auto discriminant = [](Multiplier apart) {
    OrbitMultipliers of;
    for (const Multiplier trace :
         {Multiplier(1), Multiplier(1 + 1e-12), 0.5 + apart, 0.5 - apart}) {
      const Multiplier half = trace / 2.0, root = std::sqrt(half * half - 1.0);
      of.pairs.push_back({half + root, half - root});
    }
    return of.tests()[2];
  };
  EXPECT_GT(discriminant(0.1), 0);
  EXPECT_LT(discriminant({0, 0.1}), 0);
}

// A family that begins at 1° needs more steps as it grows: with 120 of them the orbits of 24 J
// above rest are isolated points, and the multipliers are lost.
TEST(Orbits, FamiliesTakeMoreStepsWhereTheyNeedThem) {
  Searched s(system_of("chain_pendulum", 2,
                       {{"masses", {1, 3}}, {"lengths", {1, 1}}, {"gravity", {9.81}}}),
             hanging(2));
  EXPECT_NEAR(s.in_mode(2, 24.7).found().period(), 1.675631116177, 1e-9);
  const FoundOrbit first = s.in_mode(2, 1).found();
  const OrbitProblem problem{*s.rest, *first.method, {}};
  const Family family = s.family(first, 26);
  EXPECT_TRUE(family.reached) << family.end;
  EXPECT_LT(family.members.size(), 60U);
  EXPECT_EQ(family.members.front().solution.point.steps, 120);
  EXPECT_GE(family.members.back().solution.point.steps, 240);
  for (const FamilyMember& member : family.members) {
    EXPECT_LT(member.multipliers.pairing, 1e-9);
    EXPECT_LT(member.multipliers.flow_error, 1e-8 * member.solution.growth);
  }
  // Where it is stopped before and after its steps are doubled, it becomes the same.
  const auto doubled = static_cast<std::size_t>(
      std::find_if(family.members.begin(), family.members.end(),
                   [](const FamilyMember& one) { return one.solution.point.steps > 120; }) -
      family.members.begin());
  const FamilyPlan whole{FamilyOver::energy, *first.rest_energy + 26};
  for (const int stop : {2, 3}) {
    int calls = 0;
    Family part = follow_family(problem, first.orbit.solution, whole, [&](std::size_t members) {
      return members <= doubled || ++calls < stop;
    });
    EXPECT_EQ(part.end, "it was stopped");
    EXPECT_EQ(part.members.back().solution.point.steps, stop == 2 ? 120 : 240);
    EXPECT_EQ(part.doublings, stop == 2 ? 0 : 1);
    if (stop == 2) {
      // As many doublings as are allowed: then it continues with the steps that it has.
      Family coarse = part;
      coarse.doublings = max_member_doublings;
      continue_family(
          problem, whole, [&](std::size_t n) { return n < doubled + 2; }, coarse);
      EXPECT_EQ(coarse.members.back().solution.point.steps, 120);
    }
    continue_family(
        problem, whole, [&](std::size_t n) { return n < doubled + 3; }, part);
    ASSERT_EQ(part.members.size(), doubled + 3);
    for (std::size_t k = 0; k + 1 < part.members.size(); ++k) {
      EXPECT_EQ(part.members[k].solution.point.state.q, family.members[k].solution.point.state.q);
      EXPECT_EQ(part.members[k].period_change, family.members[k].period_change);
    }
  }
  // With the steps that were asked for it is not.
  FamilyPlan plan{FamilyOver::energy, *first.rest_energy + 26};
  plan.refines = false;
  plan.count = 30;
  const Family coarse = followed(problem, first.orbit.solution, plan);
  EXPECT_EQ(coarse.members.back().solution.point.steps, 120);
  EXPECT_GT(coarse.members.back().multipliers.flow_error, 1e-8);
}

// From the planar family the branch bends away in E by the square of the distance, and precesses.
TEST(Orbits, BranchesBeginAtBifurcations) {
  Searched s = of_preset("double_spherical_pendulum");
  const FoundOrbit first = s.in_mode(0, 182).found();
  const OrbitProblem problem{*s.rest, *first.method, {}};
  const Family family = s.family(first, 183);
  ASSERT_EQ(family.bifurcations.size(), 1U);
  const Bifurcation& b = family.bifurcations[0];
  double bend = 0;
  for (const double distance : {0.1, 0.05, 0.02}) {
    const BranchStart branch = value_of(branch_start(problem, b, distance));
    const State& at = branch.solution.point.state;
    const double now = (total_energy(*s.rest, at) - b.at.energy) / (distance * distance);
    if (bend != 0) {
      EXPECT_NEAR(now, bend, 0.01 * bend);
    }
    bend = now;
    EXPECT_TRUE(branch.closure.relative());
    EXPECT_GT(std::abs(branch.solution.point.rotation), 1e-4);
    EXPECT_NEAR(momentum_map(*s.rest, at).z(), 0, 1e-8);
  }
}

// Whichever side they begin on and at any energy; the references with 320 steps, of which a run by
// 16000 Runge-Kutta steps closes to 3e-13.
TEST(Orbits, BranchesHaveTheirPeriodAndRotationAtAnyEnergy) {
  Searched s = of_preset("double_spherical_pendulum");
  const FoundOrbit first = s.in_mode(0, 182).found();
  const OrbitProblem problem{*s.rest, *first.method, {}};
  const double rest = *first.rest_energy;
  const Family family = s.family(first, 183);
  ASSERT_EQ(family.bifurcations.size(), 1U);
  for (const double distance : {0.02, -0.05}) {
    SCOPED_TRACE(distance);
    const BranchStart begun = value_of(branch_start(problem, family.bifurcations[0], distance));
    EXPECT_TRUE(begun.along.empty());
    const OrbitProblem precessing{problem.system, problem.method, begun.closure};
    const struct {
      double energy, period, rotation;
    } cases[] = {{183, 8.86130910442881, 0.00361591690085},
                 {186, 8.86728170502964, 0.01007053823344},
                 {190, 8.87509570931315, 0.01533660275372}};
    for (const auto& c : cases) {
      SCOPED_TRACE(c.energy);
      FamilyPlan plan{FamilyOver::energy, rest + c.energy};
      plan.held = Held::momentum;
      const Family branch = followed(precessing, begun.solution, plan);
      ASSERT_TRUE(branch.reached) << branch.end;
      const OrbitPoint& end = branch.members.back().solution.point;
      EXPECT_NEAR(end.period, c.period, 1e-9);
      EXPECT_NEAR(std::abs(end.rotation), c.rotation, 1e-9);
      EXPECT_NEAR(branch.members.back().momentum, 0, 1e-8);
    }
  }
}

/// The relative equilibrium of Example 1 with Ω = 1.
State turning_pendulum() {
  State z{0, Columns(3, 2), Columns(3, 2)};
  const double angles[] = {0.872375567490190, 1.01672845200411};
  for (int i = 0; i < 2; ++i) {
    const Vec3 q(std::sin(angles[i]), 0, std::cos(angles[i]));
    z.q.col(i) = q;
    z.w.col(i) = q.cross(Vec3::UnitZ().cross(q));
  }
  return z;
}

// About the relative equilibrium, of the same J.
TEST(Orbits, RelativeOnesCloseAfterARotation) {
  const auto system = start(preset()).system();
  const State z = turning_pendulum();
  const auto rest = value_of(system_at_rest(system, 0, z.q));
  const double momentum = momentum_map(*rest, z).z(), period = 2 * pi / 2.925884844102;
  EXPECT_NEAR(momentum, 307.840325803185, 1e-9);
  const OrbitProblem problem{*rest, orbit_method(*rest), {Vec3::UnitZ(), {}}};
  // Its third mode: in the null space of the return map, across the rotation.
  const PhaseCoordinates at(*rest, z);
  const ReturnMap map(*rest, problem.method, problem.closure);
  const auto image = value_of(map.at(at, period / 120, 120, period));
  const SingularSystem svd = singular_system(image.derivative - Eigen::MatrixXd::Identity(8, 8));
  const Eigen::VectorXd turn = at.rotation(Vec3::UnitZ()).normalized();
  Eigen::VectorXd mode = svd.right.col(6);
  mode = (mode - turn * turn.dot(mode)).normalized();
  const OrbitPoint guess{at.moved(0.1 * mode), period, period, 120};
  OrbitConditions conditions;
  conditions.energy = total_energy(*rest, guess.state);
  conditions.momentum = momentum;
  const OrbitSolution first = value_of(solve_orbit(problem, guess, conditions));
  FamilyPlan plan{FamilyOver::energy, -15.475903301};
  plan.held = Held::momentum;
  const Family family = followed(problem, first, plan);
  ASSERT_TRUE(family.reached) << family.end;
  const FamilyMember& end = family.members.back();
  EXPECT_NEAR(end.solution.point.period, 2.143852409226, 1e-9);
  EXPECT_NEAR(end.solution.point.rotation, 2.150349572743, 1e-9);
  EXPECT_NEAR(end.momentum, momentum, 1e-9);
}

TEST(Orbits, BeginInModesOfARelativeEquilibrium) {
  Searched s(start(preset()).system(), turning_pendulum());
  s.request.from = OrbitRequest::From::mode;
  s.request.closure.axis = Vec3::UnitZ();
  const double rates[] = {1.430438952834, 1.779262665619, 2.925884844102};
  for (std::size_t k = 0; k < 3; ++k) {
    SCOPED_TRACE(k);
    s.request.mode = k;
    const FoundOrbit found = s.found();
    const double period = 2 * pi / rates[k];
    EXPECT_NEAR(found.period(), period, 1e-2 * period);
    EXPECT_NEAR(found.rotation(), period, 1e-2 * period);  // Ω = 1
    EXPECT_NEAR(*found.momentum, 307.840325803185, 1e-9);
    EXPECT_GT(found.orbit.energy, -20.4759033013357);  // the least of this momentum
    EXPECT_EQ(found.notes.size(), 1U);
  }
  s.request.energy = -15.475903301;
  const FoundOrbit found = s.found();
  EXPECT_NEAR(found.period(), 2.143852409226, 1e-9);
  EXPECT_NEAR(found.rotation(), 2.150349572743, 1e-9);
  EXPECT_NEAR(*found.momentum, 307.840325803185, 1e-9);
  // About the axis the other way round it is the same.
  s.request.closure.axis = -Vec3::UnitZ();
  const FoundOrbit reversed = s.found();
  EXPECT_NEAR(reversed.period(), found.period(), 1e-10);
  EXPECT_NEAR(reversed.rotation(), -found.rotation(), 1e-10);
  s.request.mode = 3;
  EXPECT_NE(s.refused().find("from 0 to 2"), std::string::npos) << s.refused();
}

// What turns like a rigid body, but not for ever, has modes of the equilibrium only.
TEST(TurningStart, IsARelativeEquilibrium) {
  Searched s(start(preset()).system(), turning_pendulum());
  const State z = s.request.start;
  const auto at = turning_start(*s.system, *s.rest, z, Vec3::UnitZ());
  ASSERT_TRUE(at);
  EXPECT_NEAR(at->turn.z(), 1, 1e-12);
  EXPECT_NEAR(at->momentum.z(), 307.840325803185, 1e-9);
  EXPECT_FALSE(turning_start(*s.system, *s.rest, z, Vec3(0, 0.6, 0.8)));
  State faster = z;
  faster.w *= 1.001;
  EXPECT_FALSE(turning_start(*s.system, *s.rest, faster, Vec3::UnitZ()));
  State resting = z;
  resting.w.setZero();
  EXPECT_FALSE(turning_start(*s.system, *s.rest, resting, Vec3::UnitZ()));
}

// A file of an orbit has its period, its steps, its axis and its exchange of bodies.
TEST(Orbits, BeginAtTheStartOfAFileThatSaysItsPeriod) {
  const Scenario eight = preset("figure_eight");
  Searched s = of_preset("figure_eight");
  take_closed_orbit(eight, s.request);
  EXPECT_EQ(s.request.closure.places, eight.orbit->places);
  EXPECT_EQ(s.request.steps, eight.orbit->steps);
  EXPECT_NEAR(s.found().period(), 0.918005665132, 1e-9);
  // What is given is kept, and others say nothing.
  OrbitRequest given;
  given.period = 2;
  take_closed_orbit(eight, given);
  EXPECT_EQ(given.period, 2);
  OrbitRequest none;
  take_closed_orbit(preset(), none);
  EXPECT_FALSE(none.period);
}

// Where all of J is conserved it comes to lie along the axis.
TEST(Orbits, RelativeOnesOfThreeBodiesHaveTheirMomentumAlongTheAxis) {
  Searched s = of_preset("three_body");
  s.request.from = OrbitRequest::From::returned;
  s.request.duration = preset("three_body").duration;
  s.request.closure.axis = momentum_map(*s.rest, s.request.start).normalized();
  const FoundOrbit found = s.found();
  EXPECT_NEAR(found.period(), 2.930986087894, 1e-8);
  EXPECT_LT(found.orbit.solution.iterations, 15);
  EXPECT_LT(found.orbit.momentum.cross(found.closure.axis).norm(), 1e-10);
  // Its family keeps to it.
  FamilyPlan plan{FamilyOver::energy, found.orbit.energy + 0.05};
  plan.held = Held::momentum;
  const OrbitProblem problem{*s.rest, *found.method, found.closure};
  const Family family = followed(problem, found.orbit.solution, plan);
  EXPECT_TRUE(family.reached) << family.end;
  EXPECT_NEAR(family.members.back().momentum, *found.momentum, 1e-10);
}

// From the planar figure eight, in which bodies change places after a third of the period.
TEST(Orbits, TheFigureEightClosesOnTheSphere) {
  const double a = 0.3, x = 0.97000436 * a, y = -0.24308753 * a;
  const double speed = 1 / std::sqrt(a), vx = -0.93240737 * speed, vy = -0.86473146 * speed;
  const Vec3 positions[] = {{x, y, 0}, {-x, -y, 0}, {0, 0, 0}};
  const Vec3 velocities[] = {{-vx / 2, -vy / 2, 0}, {-vx / 2, -vy / 2, 0}, {vx, vy, 0}};
  State z{0, Columns(3, 3), Columns(3, 3)};
  for (int i = 0; i < 3; ++i) {
    Vec3 q = positions[i];
    q.z() = std::sqrt(1 - q.squaredNorm());
    z.q.col(i) = q;
    z.w.col(i) = q.cross(velocities[i]) - q * q.dot(q.cross(velocities[i]));
  }
  Searched s(system_of("n_body", 3, {{"masses", {1, 1, 1}}, {"gamma", {1}}}), z);
  s.request.period = 6.32591398 * std::pow(a, 1.5);
  s.request.closure.places = {2, 0, 1};
  s.request.energy = -4;
  const FoundOrbit found = s.found();
  EXPECT_NEAR(found.period(), 0.918005665132, 1e-9);
  EXPECT_NEAR(*found.momentum, 0.0935483, 1e-7);
  EXPECT_EQ(found.steps(), 3 * found.orbit.point().steps);
  EXPECT_EQ(found.orbit.kind(), "unstable");
  EXPECT_NEAR(found.multipliers().pairs[0].first.real(), 1.296, 1e-3);
  EXPECT_FALSE(found.rest_energy);  // there is no stable equilibrium
  // The places may be looked for: the earliest return is that after a third of the period.
  Searched again(s.system, found.orbit.point().state);
  again.request.from = OrbitRequest::From::returned;
  again.request.duration = 1.2 * found.period();
  EXPECT_EQ(again.found().closure.order(), 1);
  EXPECT_FALSE(read_relabel("1,x", again.request));
  ASSERT_TRUE(read_relabel("any", again.request));
  const FoundOrbit placed = again.found();
  EXPECT_EQ(placed.closure.places, s.request.closure.places);
  EXPECT_NEAR(placed.period(), found.period(), 1e-9);
  again.request.from = OrbitRequest::From::start;
  EXPECT_NE(error_of(read_relabel("any", again.request)).text().find("a return only"),
            std::string::npos);
  // Its file runs the whole period.
  Scenario of = preset("three_body");
  const Scenario saved = value_of(read_scenario(write_scenario(found.scenario(of)), "saved"));
  EXPECT_EQ(saved.orbit->places, s.request.closure.places);
  const Simulation run = start(saved, saved.orbit->steps);
  EXPECT_NEAR(run.elapsed(), found.period(), 1e-12);
  // So it does by a method that has no part in the search.
  const Scenario by_gauss =
      with(saved, "integrator.type", value_of(json::parse(R"("gauss16")", "")));
  const State end = start(by_gauss, saved.orbit->steps).state(0);
  const double growth = found.orbit.solution.growth;
  EXPECT_LT((end.q - saved.q).norm(), 1e-9 * growth);
  EXPECT_LT((end.w - saved.omega).norm(), 1e-9 * growth * saved.omega.norm());
}

// Saved as a scenario, the run comes back to its start.
TEST(Orbits, SavedOnesClose) {
  const Scenario scenario = preset();
  const FoundOrbit found = of_preset("double_spherical_pendulum").in_mode(0, 50).found();
  const Scenario saved = value_of(read_scenario(write_scenario(found.scenario(scenario)), "saved"));
  ASSERT_TRUE(saved.orbit);
  EXPECT_EQ(saved.orbit->steps, found.orbit.point().steps);
  EXPECT_EQ(saved.orbit->period, found.orbit.point().period);
  Simulation run = start(saved, saved.orbit->steps);
  EXPECT_NEAR(run.elapsed(), saved.duration, 1e-12);
  EXPECT_LT((run.state(0).q - saved.q).norm(), 1e-11);
  EXPECT_LT((run.state(0).w - saved.omega).norm(), 1e-11);
  // Edits of the start, the system and the steps forget it, those of the title do not.
  const Vec3 down = Vec3::UnitZ();
  EXPECT_FALSE(with(saved, "initial.q[0]", json::Node::numbers({down.data(), 3})).orbit);
  EXPECT_TRUE(with(saved, "title", json::Node("other")).orbit);
  EXPECT_FALSE(with(saved, "system.gravity", json::Node(5.0)).orbit);
}

// Beside rest, in axes that turn with an orbit, and of bodies that spin.
TEST(Orbits, InAxesThatRotateBeginInTheirModes) {
  const double rate = 0.7;
  const std::shared_ptr<const System> tether = system_of("free_chain", 3,
                                                         {{"base_mass", {5}},
                                                          {"masses", {1, 1, 2}},
                                                          {"lengths", {1, 1, 1}},
                                                          {"orbital_rate", {rate}}});
  const std::shared_ptr<const System> tops = system_of("pendulum_network", 2,
                                                       {{"masses", {1, 2}},
                                                        {"lengths", {1, 0.8}},
                                                        {"pivots", {0, 0, 0, 1, 0, 0}},
                                                        {"springs", {0, 1, 20}},
                                                        {"strength", {0.9, -0.4}},
                                                        {"frame_rotation", {0.2, 0, -0.3}}});
  State along{0, Columns::Zero(3, 3), Columns::Zero(3, 3)};
  along.q.row(0).setOnes();
  for (const auto& [system, at] : {std::pair{tether, along}, {tops, hanging(2)}}) {
    SCOPED_TRACE(system->size());
    Searched s(system, at);
    s.request.from = OrbitRequest::From::mode;
    const FoundOrbit found = s.found();
    const OrbitPoint& point = found.orbit.point();
    const Equilibrium rest =
        *nearest_minimum(*s.rest, at.q, true, 2, [](auto, auto) { return true; });
    const double frequency = value_of(modes_at(*system, *s.rest, rest)).list[0].frequency;
    EXPECT_NEAR(point.period * frequency, 1, 1e-3);
    EXPECT_LT(std::abs(found.orbit.period_change), 1e-9 * point.period);
    EXPECT_EQ(found.orbit.kind(), "linearly stable");
    EXPECT_EQ(found.orbit.multipliers.pairs.size(),
              static_cast<std::size_t>(2 * system->size() - 1));
    EXPECT_LT(found.orbit.multipliers.pairing, 1e-9);
    // The other methods have it, too.
    State end = point.state;
    const auto gauss = prepared("gauss16", *system, end);
    ASSERT_TRUE(march(*system, *gauss, point.period / 200, 200, end));
    EXPECT_LT((end.q - point.state.q).norm(), 1e-8);
  }
}

// From axes that turn about the vertical the plane of a pendulum turns back with Ω. After half a
// period it is on the other side: half a turn away.
TEST(Orbits, APendulumIsSeenFromAxesThatRotate) {
  const double rate = 0.4;
  Searched s(system_of("chain_pendulum", 1,
                       {{"masses", {1}},
                        {"lengths", {1}},
                        {"gravity", {9.81}},
                        {"frame_rotation", {0, 0, rate}}}),
             in_plane(pi / 2, 0));
  // At rest in space.
  s.request.start.w.col(0) = -tangent(s.request.start.q.col(0), rate * Vec3::UnitZ());
  s.request.period = 2.36;
  s.request.closure.axis = Vec3::UnitZ();
  const OrbitPoint point = s.found().orbit.point();
  EXPECT_NEAR(2 * point.period, 2.36784194757624, 1e-10);
  EXPECT_NEAR(std::remainder(point.rotation + rate * point.period - pi, 2 * pi), 0, 1e-9);
}

TEST(Orbits, AreRefusedWithTheReason) {
  const auto expect = [](const Searched& s, const std::string& words) {
    EXPECT_NE(s.refused().find(words), std::string::npos) << s.refused();
  };
  Searched rest(pendulum(), hanging(1));
  rest.request.period = 1;
  expect(rest, "at rest");
  rest.request.from = OrbitRequest::From::returned;
  rest.request.duration = 5;
  expect(rest, "the run is at rest: push it");
  Searched cone(pendulum(), in_plane(pi / 3, 0));
  cone.request.period = 2 * pi / std::sqrt(9.81 / 0.5);
  cone.request.start.w.col(0) = Vec3::UnitZ().cross(Vec3(std::sin(pi / 3), 0, 0)).normalized() *
                                std::sin(pi / 3) * std::sqrt(9.81 / 0.5);
  cone.request.start.w.col(0) =
      Vec3(cone.request.start.q.col(0)).cross(Vec3(cone.request.start.w.col(0)));
  expect(cone, "relative equilibrium");
  Searched none(pendulum(), in_plane(1, 0));
  expect(none, "near which T to look");
  Searched damped(
      system_of("chain_pendulum", 1, {{"masses", {1}}, {"lengths", {1}}, {"damping", {1}}}),
      in_plane(1, 0));
  damped.request.period = 2;
  expect(damped, "damping");
  Searched axis(pendulum(), in_plane(1, 0));
  axis.request.period = 2;
  axis.request.closure.axis = Vec3::UnitX();
  expect(axis, "axis about which the system is symmetric");
  Searched places = of_preset("double_spherical_pendulum");
  places.request.period = 2;
  places.request.closure.places = {1, 0};
  expect(places, "not equal");
  places.request.closure.places = {0, 0};
  expect(places, "each body from 0 to 1 once");
  Searched mode = of_preset("double_spherical_pendulum");
  mode.request.from = OrbitRequest::From::mode;
  mode.request.mode = 4;
  expect(mode, "from 0 to 3");
  mode.request.mode = 0;
  mode.request.at = EquilibriumChoice{EquilibriumChoice::At::number, 1};
  expect(mode, "does not oscillate");
}

TEST(ReturnMap, DerivativesAreThoseOfDifferences) {
  const Scenario scenario = preset("three_body");
  const auto system = start(scenario).system();
  const State from{0, scenario.q, scenario.omega};
  const Closure closure{Vec3(1, 2, 2).normalized(), {1, 2, 0}};
  const ReturnMap map(*system, method_info("variational4"), closure);
  const PhaseCoordinates at(*system, from);
  const double h = 0.01, angle = 0.3;
  const int steps = 7;
  const auto image = value_of(map.at(at, h, steps, angle));
  EXPECT_LT((image.state.q - value_of(map.end(from, h, steps, angle)).q).norm(), 1e-15);
  ASSERT_EQ(image.points.size(), 8U);
  const auto difference = [&](const auto& end) {
    Eigen::VectorXd by = Eigen::VectorXd::Zero(at.size());
    const double s = 1e-3;
    for (const auto& [k, weight] : {std::pair{-2.0, 1.0}, {-1.0, -8.0}, {1.0, 8.0}, {2.0, -1.0}})
      by += weight / (12 * s) * at.difference(end(k * s));
    return by;
  };
  const double size = 1 + image.derivative.norm();
  for (Eigen::Index k = 0; k < at.size(); ++k) {
    const Eigen::VectorXd by = difference([&](double s) {
      return value_of(map.end(at.moved(s * Eigen::VectorXd::Unit(at.size(), k)), h, steps, angle));
    });
    EXPECT_LT((image.derivative.col(k) - by).norm(), 1e-8 * size) << k;
  }
  const auto by_step =
      difference([&](double s) { return value_of(map.end(from, h * std::exp(s), steps, angle)); });
  EXPECT_LT((image.by_step - by_step).norm(), 1e-8 * size);
  const auto by_angle =
      difference([&](double s) { return value_of(map.end(from, h, steps, angle + s)); });
  EXPECT_LT((image.by_angle - by_angle).norm(), 1e-9 * size);
}

TEST(PhaseCoordinates, HaveTheirFormAndFlow) {
  const Scenario scenario = preset();
  const auto system = start(scenario).system();
  const State from{0, scenario.q, scenario.omega};
  const PhaseCoordinates at(*system, from);
  const Eigen::MatrixXd form = at.form(*system);
  EXPECT_LT((form + form.transpose()).norm(), 1e-12 * form.norm());
  // dE and dJ by differences.
  const Eigen::VectorXd energy = form.transpose() * at.flow(*system),
                        momentum = form.transpose() * at.rotation(Vec3::UnitZ());
  for (Eigen::Index k = 0; k < at.size(); ++k) {
    const double s = 1e-5;
    const Eigen::VectorXd x = s * Eigen::VectorXd::Unit(at.size(), k);
    const State up = at.moved(x), down = at.moved(-x);
    EXPECT_NEAR((total_energy(*system, up) - total_energy(*system, down)) / (2 * s), energy[k],
                1e-6 * energy.norm());
    EXPECT_NEAR((momentum_map(*system, up).z() - momentum_map(*system, down).z()) / (2 * s),
                momentum[k], 1e-6 * momentum.norm());
    EXPECT_NEAR(at.coordinates(at.vector(x).q, at.vector(x).w)[k], s, 1e-16);
  }
}

}  // namespace
}  // namespace twosphere::test::orbit_test
