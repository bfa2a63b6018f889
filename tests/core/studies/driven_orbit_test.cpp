// SPDX-License-Identifier: GPL-3.0-or-later
// Periodic orbits with damping and forces of the time: against shooting, their multipliers, where
// they double their period, limit cycles, what is refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstddef>
#include <memory>
#include <mutex>
#include <numbers>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/common_period.h"
#include "core/base/thread_pool.h"
#include "core/catalog.h"
#include "core/mechanics/first_order.h"
#include "core/mechanics/forwarding_system.h"
#include "core/mechanics/parameter_slope.h"
#include "core/mechanics/return_map.h"
#include "core/studies/orbit.h"
#include "core/studies/orbit_branch.h"
#include "core/studies/orbit_family.h"
#include "core/studies/orbit_search.h"
#include "tests/cases.h"
#include "tests/core/custom/definitions.h"
#include "tests/core/studies/followed_family.h"
#include "tests/outcome.h"
#include "tests/runs.h"

namespace twosphere::test::driven_orbit_test {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double drag = 0.5, drive_period = 3 * pi;

/// θ'' = −sin θ − c θ' + A sin(2π ν t).
std::shared_ptr<const System> pendulum(double c, double amplitude, double frequency) {
  return system_of("chain_pendulum", 1,
                   {{"masses", {1}},
                    {"lengths", {1}},
                    {"gravity", {1}},
                    {"damping", {c}},
                    {"control_torque", {1, 0, amplitude, 0, frequency, 0}}});
}
/// θ'' = −sin θ − ½ θ' + A sin(⅔ t).
std::shared_ptr<const System> driven_pendulum(double amplitude) {
  return pendulum(drag, amplitude, 1 / drive_period);
}
/// The same by the frequency ν.
SystemAt of_frequency(double c, double amplitude) {
  return [=](double frequency) -> Result<std::shared_ptr<const System>> {
    return pendulum(c, amplitude, frequency);
  };
}

struct Asked {
  Asked(std::shared_ptr<const System> of, const State& at) : system(std::move(of)) {
    request.start = at;
    request.threads = 2;
  }
  Result<std::optional<FoundOrbit>> search(const IntegratorInfo* method = nullptr) const {
    const auto examined = orbit_system(system, 0, request.start.q);
    if (!examined) return examined.error();
    return search_orbit(*system, **examined, method ? *method : orbit_method(*system), request,
                        [] { return true; });
  }
  FoundOrbit found() const { return *value_of(search()); }
  std::string refused(const IntegratorInfo* method = nullptr) const {
    const auto result = search(method);
    return result ? "found" : result.error().text();
  }

  std::shared_ptr<const System> system;
  OrbitRequest request;
};

/// Whether one of the multipliers is at μ, to so much.
bool has_multiplier(const std::vector<std::complex<double>>& all, std::complex<double> mu,
                    double within) {
  return std::any_of(all.begin(), all.end(),
                     [&](const std::complex<double>& one) { return std::abs(one - mu) < within; });
}

// Starts and multipliers, in the plane and across it, by shooting with 12000 Runge-Kutta steps for
// angles.
TEST(DrivenOrbits, OfADampedPendulumAreThoseOfShooting) {
  const struct {
    double amplitude, angle, rate;
    std::complex<double> along, across;
  } cases[] = {{0.3,
                -0.25859633364978,
                0.27159248439196,
                {-0.07897671159084, 0.05240200423101},
                {-0.08931089698486, 0.03173097384087}},
               {0.9,
                -2.4521510015865,
                -0.28115607026414,
                {-0.02483155297304, 0.09146958509842},
                {0.07933849539441, 0.05185261969935}}};
  for (const auto& c : cases) {
    SCOPED_TRACE(c.amplitude);
    const Asked asked(driven_pendulum(c.amplitude), in_plane(c.angle + 0.02, c.rate - 0.01));
    const FoundOrbit found = asked.found();
    EXPECT_NEAR(found.period(), drive_period, 1e-12);
    const State expected = in_plane(c.angle, c.rate);
    EXPECT_LT((found.orbit.point().state.q - expected.q).norm(), 1e-9);
    EXPECT_LT((found.orbit.point().state.w - expected.w).norm(), 1e-9);
    EXPECT_EQ(found.orbit.kind(), "attracting");
    EXPECT_FALSE(found.keeps_energy());
    const OrbitMultipliers& m = found.orbit.multipliers;
    EXPECT_TRUE(m.pairs.empty());
    EXPECT_EQ(m.trivial, 0U);
    ASSERT_EQ(m.single.size(), 4U);
    for (const std::complex<double> mu : {c.along, c.across}) {
      EXPECT_TRUE(has_multiplier(m.single, mu, 1e-7)) << mu.real();
      EXPECT_TRUE(has_multiplier(m.single, std::conj(mu), 1e-7)) << mu.real();
    }
    // det M = exp(−2 c T/(m l²)).
    EXPECT_NEAR(m.contraction, 2 * drag * drive_period, 1e-9);
    EXPECT_LT(m.determinant, 1e-6);
    ASSERT_TRUE(found.orbit.start_change.has_value());
    EXPECT_LT(*found.orbit.start_change, 1e-9);
  }
}

TEST(DrivenOrbits, BeginAtRestAndAtReturns) {
  Asked asked(driven_pendulum(0.3), in_plane(1, 0));
  asked.request.from = OrbitRequest::From::rest;
  const State expected = in_plane(-0.25859633364978, 0.27159248439196);
  EXPECT_LT((asked.found().orbit.point().state.q - expected.q).norm(), 1e-9);
  asked.request.from = OrbitRequest::From::returned;
  asked.request.duration = 12.5 * drive_period;
  const FoundOrbit found = asked.found();
  EXPECT_LT((found.orbit.point().state.q - expected.q).norm(), 1e-9);
  EXPECT_NEAR(found.period(), drive_period, 1e-12);
  // Three periods of the forces are three of the same orbit.
  asked.request.from = OrbitRequest::From::start;
  asked.request.start = expected;
  asked.request.period = 3 * drive_period * 1.0001;
  FoundOrbit repeated = asked.found();
  EXPECT_EQ(repeated.orbit.repeated, 3);
  EXPECT_NEAR(repeated.period(), drive_period, 1e-12);
  // det M of a long period under strong damping is 0 in numbers.
  EXPECT_NE(repeated.text().find("that of the damping, to "), std::string::npos);
  repeated.orbit.multipliers.determinant = std::nan("");
  EXPECT_NE(repeated.text().find("and too small to compare"), std::string::npos);
}

// At A = 1.06637286246 a multiplier of the orbit whose symmetry is broken passes −1.
TEST(DrivenOrbits, DoubleTheirPeriod) {
  const double first = 1.05;
  const auto system = driven_pendulum(first);
  const OrbitParameter parameter{[](double amplitude) -> Result<std::shared_ptr<const System>> {
                                   return driven_pendulum(amplitude);
                                 },
                                 first};
  OrbitProblem problem{*system, orbit_method(*system)};
  problem.parameter = &parameter;
  problem.times = 1;
  OrbitConditions held;
  held.parameter = first;
  const OrbitPoint guess{in_plane(-1.9392347493983, -0.7822630818095), drive_period, 0, 120};
  const OrbitSolution solution = value_of(solve_orbit(problem, guess, held));
  FamilyPlan plan{FamilyOver::parameter, 1.07};
  plan.count = 60;
  const Family family = followed(problem, solution, plan);
  EXPECT_TRUE(family.reached) << family.end;
  const auto at =
      std::find_if(family.bifurcations.begin(), family.bifurcations.end(),
                   [](const Bifurcation& one) { return one.kind == BifurcationKind::doubling; });
  ASSERT_NE(at, family.bifurcations.end());
  EXPECT_NEAR(at->at.solution.point.parameter, 1.06637286246, 1e-7);
  EXPECT_TRUE(has_multiplier(at->at.multipliers.single, -1, 1e-6));
  EXPECT_EQ(family.members.front().multipliers.kind(), "attracting");
  EXPECT_EQ(family.members.back().multipliers.kind(), "saddle");
  const BranchStart branch = value_of(branch_start(problem, *at, 0.02));
  EXPECT_NEAR(branch.solution.point.period, 2 * drive_period, 1e-9);
}

// The period follows the frequency along a family, also that of a text.
TEST(DrivenOrbits, HaveThePeriodOfTheForcesAlongAFamily) {
  const SystemAt of_text = [](double frequency) -> Result<std::shared_ptr<const System>> {
    Definition d;
    d.bodies = 1;
    d.parameters = {number("nu", frequency)};
    d.inertia = "diag(1)";
    d.potential = "-e3.q[0]";
    d.torque = {"torque[0] = -0.5*w[0] + 0.3*sin(2*pi*nu*t)*e2"};
    return std::shared_ptr<const System>(make(d));
  };
  for (const SystemAt& at : {of_frequency(drag, 0.3), of_text}) {
    const OrbitParameter parameter{at, 0.1};
    const auto system = value_of(at(1 / drive_period));
    OrbitProblem problem{*system, orbit_method(*system)};
    problem.parameter = &parameter;
    problem.times = 1;
    OrbitConditions held;
    held.parameter = 1 / drive_period;
    const OrbitPoint guess{in_plane(-0.258596, 0.271592), drive_period, 0, 120};
    const OrbitSolution solution = value_of(solve_orbit(problem, guess, held));
    FamilyPlan plan{FamilyOver::parameter, 0.13};
    plan.count = 60;
    const Family family = followed(problem, solution, plan);
    EXPECT_TRUE(family.reached) << family.end;
    for (const FamilyMember& member : family.members)
      EXPECT_NEAR(member.solution.point.period * member.solution.point.parameter, 1, 1e-12);
  }
}

// Over 9 to 67 s, as far as the forces take for a period: the steps are doubled with it.
TEST(DrivenOrbits, TakeMoreStepsWhereThePeriodGrows) {
  const double first = 1 / drive_period;
  const SystemAt at = of_frequency(4, 0.5);
  const OrbitParameter parameter{at, first};
  const auto system = value_of(at(first));
  OrbitProblem problem{*system, orbit_method(*system)};
  problem.parameter = &parameter;
  problem.times = 1;
  OrbitConditions held;
  held.parameter = first;
  const OrbitSolution solution =
      value_of(solve_orbit(problem, {in_plane(0, 0), drive_period, 0, 120}, held));
  const Family family = followed(problem, solution, {FamilyOver::parameter, 0.015});
  EXPECT_TRUE(family.reached) << family.end;
  EXPECT_LT(family.members.size(), 30U);
  EXPECT_GT(family.members.back().solution.point.steps, 120);
  for (const FamilyMember& member : family.members) EXPECT_LT(*member.start_change, 1e-8);
}

// Above, where neighbours part by hundreds, as near by as rounding allows.
TEST(DrivenOrbits, DerivativesHoldWhereNeighboursPart) {
  const SystemAt at = [](double damping) -> Result<std::shared_ptr<const System>> {
    return std::shared_ptr<const System>(
        system_of("chain_pendulum", 1,
                  {{"masses", {1}}, {"lengths", {1}}, {"gravity", {1}}, {"damping", {damping}}}));
  };
  constexpr double near = 1e-6;
  constexpr int steps = 160;
  const double h = 8.0 / steps;
  const auto system = value_of(at(drag));
  const PhaseCoordinates from(*system, in_plane(pi - 1e-3, 0));
  const auto end = [&](const System& of, const State& state) {
    return from.difference(value_of(ReturnMap(of, orbit_method(of), {}).end(state, h, steps, 0)));
  };
  const ParameterSlope slope = value_of(ParameterSlope::at(at, drag, 1e-3));
  const auto image = value_of(
      ReturnMap(*system, orbit_method(*system), {}).at(from, h, steps, 0, nullptr, &slope));
  EXPECT_GT(image.derivative.norm(), 100);
  for (Eigen::Index k = 0; k < from.size(); ++k) {
    const Eigen::VectorXd by = near * Eigen::VectorXd::Unit(from.size(), k);
    const Eigen::VectorXd column =
        (end(*system, from.moved(by)) - end(*system, from.moved(-by))) / (2 * near);
    EXPECT_LT((image.derivative.col(k) - column).norm(), 1e-5 * column.norm()) << k;
  }
  const Eigen::VectorXd by_theta = (end(*value_of(at(drag + near)), from.state()) -
                                    end(*value_of(at(drag - near)), from.state())) /
                                   (2 * near);
  EXPECT_LT((image.by_theta - by_theta).norm(), 1e-5 * by_theta.norm());
}

/// A system that remembers the threads on which its forces are asked for.
class WatchedSystem final : public ForwardingSystem {
 public:
  using ForwardingSystem::ForwardingSystem;

  void force(double t, const Columns& q, Columns& f) const override {
    {
      const std::lock_guard lock(mutex_);
      threads_.insert(std::this_thread::get_id());
    }
    original().force(t, q, f);
  }
  std::size_t threads() const { return threads_.size(); }

 private:
  mutable std::mutex mutex_;
  mutable std::set<std::thread::id> threads_;  // guarded by it
};

// Each column is made by runs of its own.
TEST(DrivenOrbits, DerivativesByDifferencesAreMadeOnAllThreadsWithTheSameBits) {
  const auto original = driven_pendulum(0.9);
  const PhaseCoordinates from(*original, in_plane(0.4, 0.2));
  const auto image = [&](const System& system) {
    return value_of(
        ReturnMap(system, orbit_method(system), {}).at(from, drive_period / 120, 120, 0));
  };
  const int before = threads();
  set_threads(1);
  const ReturnMap::Image alone = image(*original);
  set_threads(2);
  const WatchedSystem system(original);
  // A thread may come too late on a busy machine.
  for (int k = 0; k < 50 && system.threads() < 2; ++k)
    EXPECT_EQ(image(system).derivative, alone.derivative);
  EXPECT_EQ(system.threads(), 2U);
  set_threads(before);
}

// Methods have no tangent map of a damped chain: its derivative is by differences.
TEST(DrivenOrbits, OfADampedChainContractTheVolumeAsTheFlowDoes) {
  const std::shared_ptr<const System> system = system_of("chain_pendulum", 2,
                                                         {{"masses", {1, 0.5}},
                                                          {"lengths", {1, 0.8}},
                                                          {"gravity", {9.81}},
                                                          {"damping", {0.3}},
                                                          {"tip_force", {1, 0.8, 0, 0, 0.5, 0.2}}});
  State hanging{0, Columns(3, 2), Columns::Zero(3, 2)};
  hanging.q << 0, 0, 0, 0, 1, 1;
  Asked asked(system, hanging);
  asked.request.from = OrbitRequest::From::rest;
  const FoundOrbit found = asked.found();
  EXPECT_NEAR(found.period(), 2, 1e-12);
  EXPECT_EQ(found.orbit.kind(), "attracting");
  EXPECT_EQ(found.orbit.multipliers.single.size(), 8U);
  EXPECT_GT(found.orbit.multipliers.contraction, 0.1);
  EXPECT_LT(found.orbit.multipliers.determinant, 1e-6);
}

// A pendulum that a constant torque drives round and round: its period is unknown, one multiplier
// is that of the flow, and the product of both in the plane is exp(−c T).
TEST(LimitCycles, HaveTheirPeriodAndTheMultiplierOfTheFlow) {
  const double c = 0.3;
  const std::shared_ptr<const System> system = system_of("chain_pendulum", 1,
                                                         {{"masses", {1}},
                                                          {"lengths", {1}},
                                                          {"gravity", {1}},
                                                          {"damping", {c}},
                                                          {"control_torque", {0, 0, 1.5, 0}}});
  ASSERT_EQ(orbit_forces(*system), OrbitForces::dissipative);
  Asked asked(system, in_plane(0, 5.1));
  asked.request.period = 1.27;
  const FoundOrbit found = asked.found();
  EXPECT_NEAR(found.period(), 2 * pi * c / 1.5, 0.05);
  EXPECT_EQ(found.orbit.kind(), "attracting");
  const OrbitMultipliers& m = found.orbit.multipliers;
  EXPECT_EQ(m.trivial, 1U);
  EXPECT_NEAR(std::abs(m.single.back() - 1.0), 0, 1e-6);
  EXPECT_TRUE(has_multiplier(m.single, std::exp(-c * found.period()), 1e-7));
  EXPECT_FALSE(found.orbit.start_change.has_value());
}

TEST(DrivenOrbits, AreRefusedWithTheReason) {
  const auto expect = [](const std::string& said, const std::string& words) {
    EXPECT_NE(said.find(words), std::string::npos) << said;
  };
  Asked asked(driven_pendulum(0.3), in_plane(1, 0));
  asked.request.period = 5;
  expect(asked.refused(), "multiple of the period of the forces, 9.42477796");
  asked.request.period.reset();
  asked.request.energy = 1;
  expect(asked.refused(), "do not keep it");
  asked.request.energy.reset();
  asked.request.from = OrbitRequest::From::mode;
  expect(asked.refused(), "begin with rest, return or start");
  asked.request.from = OrbitRequest::From::start;
  expect(asked.refused(&method_info("rk4")), "leave the spheres");
  expect(asked.refused(&method_info("variational_adaptive")), "inner steps of its own");
  asked.request.closure.axis = Vec3::UnitZ();
  expect(asked.refused(), "the system and its forces are symmetric");
  const Asked damped(
      system_of("chain_pendulum", 1, {{"masses", {1}}, {"lengths", {1}}, {"damping", {1}}}),
      in_plane(1, 0));
  expect(damped.refused(), "no force that puts energy in");
  Asked free(system_of("chain_pendulum", 1, {{"masses", {1}}, {"lengths", {1}}}), in_plane(1, 0));
  free.request.from = OrbitRequest::From::rest;
  expect(free.refused(), "without them it stays at rest");
}

/// The same pendulum under a torque that is a text.
std::shared_ptr<const System> pendulum_under(const std::string& torque) {
  Definition d;
  d.bodies = 1;
  d.inertia = "diag(1)";
  d.potential = "-e3.q[0]";
  d.torque = {"torque[0] = -0.5*w[0] + " + torque};
  return make(d);
}

// The period of a text is that which the text shows.
TEST(DrivenOrbits, OfATextAreThoseOfTheSystem) {
  Asked asked(pendulum_under("0.3*sin(2*t/3)*e2"), in_plane(-0.27, 0.3));
  const State expected = in_plane(-0.25859633364978, 0.27159248439196);
  const auto finds = [&](int repeated) {
    const FoundOrbit found = asked.found();
    EXPECT_NEAR(found.period(), drive_period, 1e-12);
    EXPECT_EQ(found.orbit.repeated, repeated);
    EXPECT_LT((found.orbit.point().state.q - expected.q).norm(), 1e-9);
    EXPECT_LT((found.orbit.point().state.w - expected.w).norm(), 1e-9);
    EXPECT_EQ(found.orbit.kind(), "attracting");
  };
  finds(1);
  for (const auto from : {OrbitRequest::From::start, OrbitRequest::From::rest}) {
    asked.request.from = from;
    asked.request.period = drive_period;
    finds(1);
    asked.request.period = 2 * drive_period;
    finds(2);
  }
  asked.request.period = drive_period / 2;
  EXPECT_NE(asked.refused().find("must be a multiple of the period of the forces, 9.42477796"),
            std::string::npos)
      << asked.refused();
  // A pulse comes once.
  Asked pulse(pendulum_under("if(0.33 < t < 0.38, 3, 0)*e2"), in_plane(0, 0));
  pulse.request.from = OrbitRequest::From::rest;
  EXPECT_NE(pulse.refused().find("not known; give it"), std::string::npos) << pulse.refused();
  for (const double period : {2.0, 5.0, 6.0, 8.0}) {
    pulse.request.period = period;
    EXPECT_NE(pulse.refused().find("no period of the forces"), std::string::npos) << period;
  }
}

/// θ'' = −sin θ − c θ' − 2θ'³ + 0.2 cos θ sin(⅔ t), with `across` times v across the plane as well,
/// of so many bodies that do not know of one another.
SystemAt saturated_pendulum(double across, int bodies = 1) {
  return [across, bodies](double c) -> Result<std::shared_ptr<const System>> {
    Definition d;
    d.bodies = bodies;
    d.parameters = {number("c", c), number("across", across)};
    d.inertia = "diag(1)";
    d.potential = "sum(i: -e3.q[i] + 0.1*(q[i].e2)^2)";
    d.force = {"f[i] = -(c + 2*norm(v[i])^2)*v[i] - across*(v[i].e2)*e2 + 0.2*sin(2*t/3)*e1"};
    return std::shared_ptr<const System>(make(d));
  };
}
/// So many bodies at the same place.
State alike(const State& one, int bodies) {
  return {one.t, one.q.replicate(1, bodies), one.w.replicate(1, bodies)};
}
Family over_damping(const SystemAt& at, double from, double to) {
  const OrbitParameter parameter{at, 0.1};
  const auto system = value_of(at(from));
  OrbitProblem problem{*system, orbit_method(*system)};
  problem.parameter = &parameter;
  OrbitConditions held;
  held.parameter = from;
  const OrbitSolution solution = value_of(
      solve_orbit(problem, {alike(in_plane(0, 0), system->size()), drive_period, 0, 120}, held));
  return followed(problem, solution, {FamilyOver::parameter, to});
}

// In the plane the volume stays where c = −6 ⟨θ'²⟩: a pair of multipliers leaves the unit circle.
TEST(DrivenOrbits, LoseTheirStabilityToATorus) {
  const SystemAt at = saturated_pendulum(0.5);
  const Family family = over_damping(at, -0.16, -0.18);
  EXPECT_TRUE(family.reached) << family.end;
  ASSERT_EQ(family.bifurcations.size(), 1U);
  const Bifurcation& torus = family.bifurcations[0];
  EXPECT_EQ(torus.kind, BifurcationKind::torus);
  EXPECT_EQ(family.members.front().multipliers.kind(), "attracting");
  EXPECT_EQ(family.members.back().multipliers.kind(), "saddle");
  const OrbitPoint& point = torus.at.solution.point;
  EXPECT_NEAR(point.parameter, -0.16541632124, 1e-7);
  const auto system = value_of(at(point.parameter));
  constexpr int parts = 40;
  State now = point.state;
  double sum = 0;
  for (int k = 0; k < parts; ++k) {
    sum += now.w.squaredNorm();
    now = value_of(ReturnMap(*system, orbit_method(*system), {}, k * drive_period / parts)
                       .end(now, drive_period / 120, 3, 0));
  }
  EXPECT_NEAR(point.parameter, -6 * sum / parts, 1e-6);
}

// Across the plane another pair leaves it at c = −2 ⟨θ'²⟩ − 0.108, on the same step.
TEST(DrivenOrbits, LoseTheirStabilityToTwoToriOnOneStep) {
  const Family family = over_damping(saturated_pendulum(0.108), -0.16, -0.18);
  EXPECT_TRUE(family.reached) << family.end;
  ASSERT_EQ(family.bifurcations.size(), 2U);
  for (const Bifurcation& b : family.bifurcations) EXPECT_EQ(b.kind, BifurcationKind::torus);
  EXPECT_EQ(family.members.back().multipliers.kind(), "repelling");
}

// Without damping every μ has its 1/μ but for rounding, which is no torus.
TEST(DrivenOrbits, LoseNoStabilityByRounding) {
  const SystemAt at = [](double amplitude) -> Result<std::shared_ptr<const System>> {
    return pendulum(0, amplitude, 0.12);
  };
  const OrbitParameter parameter{at, 0.6};
  const auto system = value_of(at(0.1));
  OrbitProblem problem{*system, orbit_method(*system)};
  problem.parameter = &parameter;
  problem.times = 1;
  OrbitConditions held;
  held.parameter = 0.1;
  const OrbitSolution solution =
      value_of(solve_orbit(problem, {in_plane(0, 0.17), 1 / 0.12, 0, 120}, held));
  FamilyPlan plan{FamilyOver::parameter, 0.6};
  plan.count = 40;
  const Family family = followed(problem, solution, plan);
  EXPECT_EQ(family.members.size(), 40U) << family.end;
  for (const Bifurcation& one : family.bifurcations) EXPECT_NE(one.kind, BifurcationKind::torus);
}

// Of two that are alike each multiplier is there twice: no product changes its sign.
TEST(DrivenOrbits, LoseTheirStabilityToToriThatASymmetryMakesEqual) {
  const Family family = over_damping(saturated_pendulum(0.5, 2), -0.164, -0.167);
  EXPECT_TRUE(family.reached) << family.end;
  ASSERT_EQ(family.bifurcations.size(), 1U);
  const Bifurcation& torus = family.bifurcations[0];
  EXPECT_EQ(torus.kind, BifurcationKind::torus);
  EXPECT_EQ(torus.multiplicity(), 2);
  EXPECT_NEAR(torus.at.solution.point.parameter, -0.16541632124, 1e-7);
  EXPECT_EQ(family.members.front().multipliers.kind(), "attracting");
  EXPECT_EQ(family.members.back().multipliers.kind(), "saddle");
}

// The same of what passes 1 and −1; those inside the unit circle, equal or not, change no sign.
TEST(DrivenOrbits, MultipliersThatASymmetryMakesEqualPassTogether) {
  const auto tests = [](std::complex<double> mu) {
    Bifurcation at;
    const std::complex<double> rounded = mu * (1 + 1e-12);
    at.at.multipliers.single = {mu, rounded, std::conj(mu), std::conj(rounded), 1e-3, 1e-3};
    return at.at.multipliers.tests();
  };
  for (const double rotation : {0.0, 1.0, pi}) {
    SCOPED_TRACE(rotation);
    const auto inside = tests(std::polar(0.9, rotation)),
               outside = tests(std::polar(1.1, rotation));
    EXPECT_EQ(inside[0] * outside[0] < 0, rotation == 0);
    EXPECT_EQ(inside[1] * outside[1] < 0, rotation == pi);
    EXPECT_EQ(inside[2] * outside[2] < 0, rotation == 1);
  }
  Bifurcation at{BifurcationKind::doubling, {}, 0};
  at.at.multipliers.single = {-1, -1 + 1e-9, 0.5, 1};
  EXPECT_EQ(at.multiplicity(), 2);
  at.kind = BifurcationKind::branching;
  EXPECT_EQ(at.multiplicity(), 1);
}

// A spin that follows a field which rotates: it turns with it, whatever the damping and the
// anisotropy are.
TEST(DrivenOrbits, OfASpinTurnWithTheField) {
  const std::shared_ptr<const System> system = system_of("spins", 1,
                                                         {{"lattice", {0, 1, 1, 1, 1, 0}},
                                                          {"strength", {1}},
                                                          {"anisotropy", {0.3}},
                                                          {"axis", {0, 0, 1}},
                                                          {"damping", {0.1}},
                                                          {"field", {1, 0.2, 0, 0, 1, 0.1, 0}}});
  State beside{0, Columns(3, 1), Columns(3, 1)};
  beside.q.col(0) << 0.28, 0, 0.96;
  first_order_velocity(*system, 0, beside.q, beside.w);
  const FoundOrbit found = Asked(system, beside).found();
  EXPECT_NEAR(found.period(), 10, 1e-12);
  EXPECT_EQ(found.orbit.kind(), "attracting");
  const State& from = found.orbit.point().state;
  const State quarter = value_of(
      ReturnMap(*system, orbit_method(*system), {}).end(from, found.period() / 120, 30, 0));
  EXPECT_LT(
      (quarter.q.col(0) - Vec3::UnitZ().cross(from.q.col(0)) - Vec3::UnitZ() * from.q(2, 0)).norm(),
      1e-10);
}

// With damping 0.3 a spin at the angle ψ from −e3 follows a field A that turns with Ω = 0.6 where
// A² = (0.3 Ω sin ψ)² + (sin ψ − Ω tan ψ)², twice below a largest A. With A = 0.184 + θ² the orbits
// are one closed family, with a fold at each end of θ.
TEST(DrivenOrbits, FamiliesThatBeginAtAFoldAreSeenToClose) {
  const double rate = 0.6, least = 0.184, largest = 0.1850908973668;
  const SystemAt at = [&](double theta) -> Result<std::shared_ptr<const System>> {
    return std::shared_ptr<const System>(
        system_of("spins", 1,
                  {{"lattice", {0, 1, 1, 1, 1, 0}},
                   {"strength", {1}},
                   {"damping", {0.3}},
                   {"anisotropy", {0.5}},
                   {"axis", {0, 0, 1}},
                   {"field", {1, least + theta * theta, 0, 0, 1, rate / (2 * pi), 0}}}));
  };
  const OrbitParameter parameter{at, 1};
  const auto system = value_of(at(0.02));
  OrbitProblem problem{*system, orbit_method(*system)};
  problem.parameter = &parameter;
  problem.times = 1;
  OrbitConditions held;
  held.parameter = 0.02;
  State guess{0, Columns(3, 1), Columns(3, 1)};
  guess.q.col(0) = Vec3(0.4687, -0.3055, -0.8288).normalized();
  first_order_velocity(*system, 0, guess.q, guess.w);
  const OrbitSolution solution =
      value_of(solve_orbit(problem, {guess, 2 * pi / rate, 0, 120}, held));
  const FamilyPlan plan{FamilyOver::parameter, 1};
  const Family whole = followed(problem, solution, plan);
  EXPECT_TRUE(whole.closed) << whole.end;
  ASSERT_EQ(whole.bifurcations.size(), 2U);
  for (const Bifurcation& one : whole.bifurcations) {
    EXPECT_EQ(one.kind, BifurcationKind::fold);
    EXPECT_NEAR(std::abs(one.at.solution.point.parameter), std::sqrt(largest - least), 1e-9);
  }
  // From a fold itself, and from so near that a step leads over both.
  const OrbitSolution& fold = whole.bifurcations[0].at.solution;
  const OrbitDirection along = family_direction(problem, fold, Held::nothing);
  for (const double distance : {0.0, 0.001}) {
    SCOPED_TRACE(distance);
    OrbitConditions beside;
    beside.across = &along;
    const OrbitSolution first =
        distance == 0 ? fold
                      : value_of(solve_orbit(
                            problem, moved_along(problem, fold.point, along, distance), beside));
    const Family family = followed(problem, first, plan);
    EXPECT_TRUE(family.closed) << family.end;
    EXPECT_LT(family.members.size(), whole.members.size() + 10);
    const OrbitPoint& last = family.members.back().solution.point;
    EXPECT_NEAR(last.parameter, first.point.parameter, 1e-9);
    EXPECT_LT((last.state.q - first.point.state.q).norm(), 1e-5);
  }
}

TEST(DrivenPeriods, AreCommonToAllForces) {
  EXPECT_EQ(common_period(0, 0), 0);
  EXPECT_EQ(common_period(2, 0), 2);
  EXPECT_NEAR(common_period(2, 3), 6, 1e-12);
  EXPECT_NEAR(common_period(1 / 0.3, 1 / 0.7), 10, 1e-9);
  EXPECT_EQ(common_period(1, std::sqrt(2.0)), 0);
  const auto system = driven_pendulum(1);
  EXPECT_NEAR(system->force_period(), drive_period, 1e-12);
  EXPECT_TRUE(system->repeats_after(2 * drive_period));
  EXPECT_FALSE(system->repeats_after(drive_period / 2));
  EXPECT_EQ(value_of(driven_period(*system, 2 * drive_period)).times, 2);
}

// Damping and a torque along the vertical break no rotation about it.
TEST(TurningAxes, AreThoseOfForcesThatTurnWithTheState) {
  const auto turned = system_of("chain_pendulum", 2,
                                {{"masses", {1, 1}},
                                 {"lengths", {1, 1}},
                                 {"gravity", {9.81}},
                                 {"damping", {0.1}},
                                 {"control_torque", {1, 0, 0, 2, 0.5, 0}}});
  EXPECT_EQ(turned->turning_axes(), (std::array<bool, 3>{false, false, true}));
  EXPECT_EQ(driven_pendulum(1)->turning_axes(), (std::array<bool, 3>{false, false, false}));
}

}  // namespace
}  // namespace twosphere::test::driven_orbit_test
