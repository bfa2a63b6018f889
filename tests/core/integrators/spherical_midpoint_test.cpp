// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "core/base/simd_level.h"
#include "core/catalog.h"
#include "core/integrators/compensated_direction.h"
#include "core/kernels/midpoint.h"
#include "core/mechanics/diagnostics.h"
#include "core/mechanics/first_order.h"
#include "core/mechanics/step_map.h"
#include "tests/cases.h"
#include "tests/core/integrators/steps_taken.h"
#include "tests/spin_ring.h"

namespace twosphere::test::spherical_midpoint_test {
namespace {

/// Exchange, DM, anisotropy, a field and strengths of either sign.
Values mixed(int n, double damping = 0) {
  Values values{{"exchange", {1}},   {"dm", {0.2, 0.1, 0.4}},  {"anisotropy", {0.4}},
                {"axis", {1, 2, 2}}, {"field", {0.2, 0, 0.1}}, {"damping", {damping}}};
  for (int i = 0; i < n; ++i) values["strength"].push_back((i % 3 == 0 ? -1 : 1) * (1 + 0.1 * i));
  return values;
}

/// So many steps from the start of the ring.
StepsTaken take(const System& system, std::string_view method, double h, int steps, double t = 0) {
  return test::take(system, method, h, steps, ring_start(system.size()), t);
}

struct Order {
  std::string_view method;
  int order, steps;
  double allowed = 0.05;
};

constexpr Order orders[]{{"spherical_midpoint", 2, 64},
                         {"spherical_midpoint4", 4, 32},
                         {"spherical_midpoint6", 6, 16},
                         {"spherical_midpoint8", 8, 12},
                         {"rk2", 2, 256, 0.1},
                         {"heun", 2, 256, 0.1},
                         {"rk4", 4, 128, 0.1}};

TEST(SphericalMidpoint, HasItsOrderWithAndWithoutDamping) {
  constexpr int n = 16;
  constexpr double duration = 2;
  for (const double damping : {0.0, 0.3}) {
    // Where the signs alternate the leading term of order 8 stands alone far above rounding.
    Values values = mixed(n, damping);
    for (std::size_t i = 0; i < n; ++i)
      values["strength"][i] = (i % 2 == 0 ? -1 : 1) * std::abs(values["strength"][i]);
    const auto ring = make_spin_ring(n, values);
    const Columns reference = take(*ring, "gauss16", 1.0 / 32, 64).state.q;
    for (const auto& [method, order, steps, allowed] : orders) {
      const auto error = [&](int count) {
        return apart(take(*ring, method, duration / count, count).state.q, reference);
      };
      EXPECT_NEAR(std::log2(error(steps) / error(2 * steps)), order, allowed)
          << method << ", damping " << damping;
    }
    for (const auto& [method, steps, allowed] : {std::tuple{"spherical_midpoint", 2048, 4e-5},
                                                 {"spherical_midpoint4", 512, 4e-9},
                                                 {"spherical_midpoint6", 256, 2e-11}})
      EXPECT_LT(apart(take(*ring, method, duration / steps, steps).state.q, reference), allowed)
          << method << ", damping " << damping;
  }
}

TEST(SphericalMidpoint, ForcesOfTimeKeepTheOrder) {
  Values values = mixed(8, 0.1);
  values["push"] = {0.5};
  values["spin_torque"] = {0.1, -0.2, 0.3};
  const auto ring = make_spin_ring(8, values);
  const Columns reference = take(*ring, "gauss16", 1.0 / 32, 64, 0.3).state.q;
  for (const auto& [method, order, steps, allowed] : orders) {
    if (method == "heun" || method == "rk2") continue;
    const auto error = [&](int count) {
      return apart(take(*ring, method, 2.0 / count, count, 0.3).state.q, reference);
    };
    // That of order 8 is near rounding.
    EXPECT_NEAR(std::log2(error(2 * steps) / error(4 * steps)), order, order == 8 ? 0.4 : 0.1)
        << method;
  }
}

// 10⁶ steps with TWOSPHERE_LONG set.
TEST(SphericalMidpoint, KeepsLengthsAndTheMomentumAndTheEnergyDoesNotDrift) {
  const auto ring = make_spin_ring(32);
  State state{0, ring_start(32), Columns::Zero(3, 32)};
  const Vec3 momentum = momentum_map(*ring, state);
  const double energy = ring->potential(state.q);
  const auto integrator = make_integrator("spherical_midpoint");
  integrator->prepare(*ring, state);
  double early = 0, late = 0;
  const bool is_long = std::getenv("TWOSPHERE_LONG") != nullptr;
  const int steps = is_long ? 1'000'000 : 3000;
  for (int k = 0; k < steps; ++k) {
    ASSERT_TRUE(integrator->advance(*ring, 0.1, state).ok());
    double& worst = 2 * k < steps ? early : late;
    worst = std::max(worst, std::abs(ring->potential(state.q) - energy));
  }
  EXPECT_LE(longest(state.q), 3e-16);
  EXPECT_LE((momentum_map(*ring, state) - momentum).norm(), is_long ? 1e-12 : 2e-13);
  EXPECT_LE(late, 1.5 * early);
}

TEST(SphericalMidpoint, StepsBackToTheStart) {
  for (const auto& [method, order, steps, allowed] : orders) {
    if (!find_integrator(method)->reversible) continue;
    const auto ring = make_spin_ring(12, mixed(12));
    const StepMap map{*ring, *find_integrator(method), {}, 0.1};
    const State start{0, ring_start(12), Columns::Zero(3, 12)};
    const auto error = reversal_error(map, start);
    ASSERT_TRUE(error);
    // ω of the start is not given to it.
    State back = start;
    const auto integrator = make_integrator(method);
    integrator->prepare(*ring, back);
    for (const double h : {0.1, -0.1})
      for (int k = 0; k < 100; ++k) ASSERT_TRUE(integrator->advance(*ring, h, back).ok());
    EXPECT_LE(apart(back.q, start.q), 1e-12) << method;
  }
}

TEST(SphericalMidpoint, IsSymplecticAndTheOthersAreNot) {
  const auto ring = make_spin_ring(6, mixed(6));
  State start{0, ring_start(6), Columns(3, 6)};
  first_order_velocity(*ring, 0, start.q, start.w);
  for (const auto& [method, order, steps, allowed] : orders) {
    const IntegratorInfo& info = *find_integrator(method);
    const auto found =
        symplecticity_defect({*ring, info, default_values(info.parameters), 0.1}, start);
    ASSERT_TRUE(found) << method;
    EXPECT_EQ(found->dimension, 12) << method;
    EXPECT_EQ(found->verdict,
              info.symplectic ? Symplecticity::symplectic : Symplecticity::not_symplectic)
        << method << ": " << found->defect;
    if (info.symplectic) {
      EXPECT_LE(found->defect, 1e-12) << method;
    }
  }
}

TEST(SphericalMidpoint, ItsTangentMapIsTheDerivativeOfItsStep) {
  // Above and below the number of bodies up to which it eliminates.
  for (const int n : {5, 34}) {
    Values values = mixed(n, 0.2);
    values["push"] = {0.3};
    values["spin_torque"] = {0.1, 0.2, -0.1};
    const auto ring = make_spin_ring(n, values);
    const Columns q = ring_start(n);
    Columns d(3, n);
    for (int i = 0; i < n; ++i)
      d.col(i) = tangent(q.col(i), Vec3(std::sin(i), std::cos(2 * i), std::sin(3 * i + 1.0)));
    for (const std::string_view method : {"spherical_midpoint", "spherical_midpoint4"}) {
      const auto integrator = make_integrator(method);
      std::vector<TangentVector> vectors{{d, Columns::Zero(3, n)}};
      State state{0.3, q, Columns::Zero(3, n)};
      integrator->prepare(*ring, state);
      ASSERT_TRUE(integrator->tangent_map(*ring)->advance(*ring, 0.2, state, vectors).ok());
      EXPECT_TRUE(vectors[0].w.isZero(0));
      Columns found = Columns::Zero(3, n);
      constexpr double spacing = 1e-3;
      for (const auto& [at, weight] :
           {std::pair{-2.0, 1.0}, {-1.0, -8.0}, {1.0, 8.0}, {2.0, -1.0}}) {
        State beside{0.3, q, Columns::Zero(3, n)};
        for (int i = 0; i < n; ++i) {
          const Vec3 along = d.col(i);
          const double size = along.norm(), turn = at * spacing * size;
          beside.q.col(i) = std::cos(turn) * q.col(i) + std::sin(turn) / size * along;
        }
        integrator->prepare(*ring, beside);
        ASSERT_TRUE(integrator->advance(*ring, 0.2, beside).ok());
        found += weight / (12 * spacing) * beside.q;
      }
      EXPECT_LE((found - vectors[0].q).norm(), 1e-11 * found.norm()) << method << ", n " << n;
    }
  }
}

TEST(SphericalMidpoint, NewtonsMethodTakesOverWhereSweepsAreSlow) {
  for (const int n : {32, 33}) {
    const auto ring = make_spin_ring(n);
    // Sweeps alone would be 34.
    EXPECT_LE(take(*ring, "spherical_midpoint", 0.5, 20).iterations, 20 * 15) << n;
  }
}

// Where spins have nearly come to rest the first sweeps converge as slow motions do, and later ones
// as fast motions do, whose part is small: so the end recedes while it comes nearer.
TEST(SphericalMidpoint, NewtonsMethodTakesOverWhereTheEndOfSweepsRecedes) {
  constexpr int n = 64;
  const auto spins = system_of("spins", n,
                               {{"lattice", {1, 8, 8, 1, 1, 1}},  // square, periodic
                                {"strength", std::vector<double>(n, 0)},
                                {"exchange", {0}},
                                {"biquadratic", {1}},
                                {"damping", std::vector<double>(n, 1)}});
  const StepsTaken run = take(*spins, "spherical_midpoint", 0.1, 150);
  EXPECT_LT(spins->potential(run.state.q), -114) << "of -128 J with all along one line";
  EXPECT_LE(longest(run.state.q), 3e-16);
}

TEST(SphericalMidpoint, TheEndOfAStepHasTheBitsOfScalars) {
  constexpr int n = 37;
  Columns m = ring_start(n), g(3, n), q = ring_start(n + 5).rightCols(n), e(3, n);
  Eigen::VectorXd kappa(n);
  for (int i = 0; i < n; ++i) {
    g.col(i) = Vec3(std::sin(i), std::cos(3 * i), std::sin(2 * i + 1.0));
    e.col(i) = 1e-17 * Vec3(std::cos(i), std::sin(2 * i), std::cos(5 * i));
    kappa[i] = i % 2 == 0 ? 1 + 0.1 * i : -2;
  }
  Columns expected = q, rest = e;
  for (Eigen::Index i = 0; i < n; ++i) {
    const Vec3 a = g.col(i), b = m.col(i);
    const Vec3 rate = a.cross(b) / kappa[i];
    add_compensated(0.1 * rate, i, expected, rest);
    add_compensated(length_correction(expected.col(i), rest.col(i)), i, expected, rest);
  }
  for (const std::string_view level : isa_levels()) {
    ASSERT_TRUE(force_isa_level(level));
    Columns to = q, low = e;
    midpoint_kernel::advance(0.1, kappa, m, g, to, low);
    EXPECT_EQ(to, expected) << level;
    EXPECT_EQ(low, rest) << level;
  }
  ASSERT_TRUE(force_isa_level(""));
}

TEST(SphericalMidpoint, TellsTheSweepsThatItTakesOrWouldTake) {
  const auto step_of = [](int n, double h) {
    const auto ring = make_spin_ring(n);
    State state{0, ring_start(n), Columns::Zero(3, n)};
    const auto integrator = make_integrator("spherical_midpoint");
    integrator->prepare(*ring, state);
    const StepReport report = integrator->advance(*ring, h, state);
    EXPECT_TRUE(report.ok()) << n << ", h " << h;
    return report;
  };
  for (const int n : {32, 33}) {
    const StepReport few = step_of(n, 0.1);
    EXPECT_EQ(few.sweeps, few.iterations) << n;
    EXPECT_LT(few.sweeps, 20) << n;
  }
  // Newton's method takes over.
  const StepReport many = step_of(32, 0.7);
  EXPECT_GT(many.sweeps, 35);
  EXPECT_LT(many.iterations, 20);
  // Of a composition those of its longest stage.
  const auto ring = make_spin_ring(8);
  State state{0, ring_start(8), Columns::Zero(3, 8)};
  const auto integrator = make_integrator("spherical_midpoint4");
  integrator->prepare(*ring, state);
  const StepReport report = integrator->advance(*ring, 0.1, state);
  EXPECT_EQ(report.sweeps, report.iterations);
}

TEST(SphericalMidpoint, RefusesAStepOfAQuarterTurnAndLeavesTheStateAsItIs) {
  const auto spin = make_spin_ring(1, {{"field", {0, 0, 1}}, {"exchange", {0}}});
  State state{0, Columns(3, 1), Columns::Zero(3, 1)};
  state.q.col(0) = Vec3::UnitX();
  const auto integrator = make_integrator("spherical_midpoint");
  integrator->prepare(*spin, state);
  // sin(θ/2) = h ω/2: 106°. For h > 2 there is no solution.
  const StepReport report = integrator->advance(*spin, 1.6, state);
  EXPECT_EQ(report.status, StepStatus::step_too_large);
  EXPECT_EQ(report.body, 0);
  EXPECT_EQ(state.q.col(0), Vec3::UnitX());
  EXPECT_EQ(integrator->advance(*spin, 2.5, state).status, StepStatus::not_converged);
  EXPECT_EQ(state.q.col(0), Vec3::UnitX());
  EXPECT_TRUE(integrator->advance(*spin, 1, state).ok());
}

/// The angle about e3 of a spin in a field along e3 after a step of order 8.
double precession(double strength) {
  const auto spin =
      make_spin_ring(1, {{"field", {0, 0, 0.7}}, {"exchange", {0}}, {"strength", {strength}}});
  State state{0, Columns(3, 1), Columns::Zero(3, 1)};
  state.q.col(0) = Vec3::UnitX();
  const auto integrator = make_integrator("spherical_midpoint8");
  integrator->prepare(*spin, state);
  EXPECT_TRUE(integrator->advance(*spin, 0.1, state).ok());
  return std::atan2(state.q(1, 0), state.q(0, 0));
}

TEST(FirstOrder, ASpinPrecessesWithMinusTheFieldOverItsStrength) {
  EXPECT_NEAR(precession(2), -0.07 / 2, 1e-14);
  EXPECT_NEAR(precession(-2), 0.07 / 2, 1e-14);
}

TEST(FirstOrder, ADampedSpinTurnsIntoTheFieldAsTheClosedFormSays) {
  // tan θ/2 decays with c B/(κ² + c²) and the azimuth goes by −κ B/(κ² + c²).
  for (const double kappa : {1.5, -1.5, 0.0}) {
    constexpr double c = 0.4, field = 0.7, t = 3;
    const auto spin = make_spin_ring(
        1, {{"field", {0, 0, field}}, {"exchange", {0}}, {"strength", {kappa}}, {"damping", {c}}});
    State state{0, Columns(3, 1), Columns::Zero(3, 1)};
    state.q.col(0) = Vec3::UnitX();
    const auto integrator = make_integrator("spherical_midpoint6");
    integrator->prepare(*spin, state);
    double work = 0;
    for (int k = 0; k < 120; ++k) {
      const StepReport report = integrator->advance(*spin, t / 120, state);
      ASSERT_TRUE(report.ok());
      work += report.work;
    }
    const double share = kappa * kappa + c * c, half = std::exp(-c * field * t / share);
    EXPECT_NEAR(state.q(2, 0), (1 - half * half) / (1 + half * half), 1e-9) << kappa;
    EXPECT_NEAR(std::atan2(state.q(1, 0), state.q(0, 0)), -kappa * field * t / share, 1e-9)
        << kappa;
    // What damping takes is what the energy loses.
    EXPECT_NEAR(-field * state.q(2, 0), work, 1e-8) << kappa;
  }
}

TEST(FirstOrder, GilbertsEquationIsThatOfNegativeStrength) {
  // ṁ = −γ m × B + α m × ṁ with κ = −μ/γ, c = α |κ|, moment μ = 1.
  constexpr double gamma = 2, alpha = 0.3;
  const Vec3 field(0.3, -0.2, 0.9);
  const auto spin = make_spin_ring(1, {{"field", {field[0], field[1], field[2]}},
                                       {"exchange", {0}},
                                       {"strength", {-1 / gamma}},
                                       {"damping", {alpha / gamma}}});
  Columns q(3, 1), w(3, 1);
  q.col(0) = Vec3(1, 2, -2) / 3;
  first_order_velocity(*spin, 0, q, w);
  const Vec3 m = q.col(0), rate = Vec3(w.col(0)).cross(m);
  EXPECT_LE((rate + gamma * m.cross(field) - alpha * m.cross(rate)).norm(), 1e-15);
}

TEST(FirstOrder, TheWorkOfForcesIsTheChangeOfTheEnergy) {
  Values values = mixed(6, 0.2);
  values["push"] = {0.5};
  values["spin_torque"] = {0.1, -0.2, 0.3};
  const auto ring = make_spin_ring(6, values);
  const double before = ring->potential(ring_start(6));
  for (const auto& [method, order, steps, allowed] : orders) {
    if (order > 6) continue;  // rounding
    const auto error = [&, name = method](int count) {
      const StepsTaken run = take(*ring, name, 2.0 / count, count);
      return std::abs(ring->potential(run.state.q) - before - run.work);
    };
    EXPECT_NEAR(std::log2(error(2 * steps) / error(4 * steps)), order, 3 * allowed) << method;
  }
  const StepsTaken run = take(*ring, "gauss16", 0.05, 40);
  EXPECT_NEAR(ring->potential(run.state.q) - before, run.work, 1e-13);
}

TEST(FirstOrder, OnlyMethodsThatTakeThemSupportSuchSystems) {
  const auto ring = make_spin_ring(3);
  const auto pendula =
      system_of("chain_pendulum", 3, {{"masses", {1, 1, 1}}, {"lengths", {1, 1, 1}}});
  for (const IntegratorInfo& info : integrators()) {
    EXPECT_EQ(info.supports(*ring), info.takes.first_order) << info.key;
    if (!info.supports(*ring)) {
      EXPECT_EQ(info.lacks(*ring), "kinetic energy") << info.key;
    }
    if (info.key.starts_with("spherical_midpoint")) {
      EXPECT_FALSE(info.supports(*pendula)) << info.key;
    }
  }
}

TEST(FirstOrder, TheStateOfAMethodContinuesItBitForBit) {
  const auto ring = make_spin_ring(9, mixed(9));
  for (const auto& [method, order, steps, allowed] : orders) {
    StepsTaken whole = take(*ring, method, 0.1, 30), begun = take(*ring, method, 0.1, 0);
    const auto first = make_integrator(method), second = make_integrator(method);
    first->prepare(*ring, begun.state);
    for (int k = 0; k < 30; ++k) {
      const auto& integrator = k < 13 ? first : second;
      if (k == 13) {
        second->prepare(*ring, begun.state);
        ASSERT_TRUE(second->load_state(first->saved_state())) << method;
      }
      ASSERT_TRUE(integrator->advance(*ring, 0.1, begun.state).ok());
      begun.state.t = (k + 1) * 0.1;
    }
    EXPECT_EQ(begun.state.q, whole.state.q) << method;
  }
}

}  // namespace
}  // namespace twosphere::test::spherical_midpoint_test
