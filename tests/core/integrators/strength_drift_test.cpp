// SPDX-License-Identifier: GPL-3.0-or-later
// Strengths of bodies with inertia, and axes that rotate: closed forms, what is conserved, and what
// refuses them. Orders, reversal, restarts and the form are those of tests of all pairs.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "core/integrators/legendre_transform.h"
#include "core/mechanics/diagnostics.h"
#include "core/mechanics/effective_potential.h"
#include "core/mechanics/equations_tangent.h"
#include "core/mechanics/forwarding_system.h"
#include "core/mechanics/linear_terms.h"
#include "core/mechanics/modified_energy.h"
#include "core/mechanics/random_state.h"
#include "core/mechanics/symmetry.h"
#include "core/mechanics/time_scales.h"
#include "core/scenario/tangent_maps.h"
#include "tests/outcome.h"
#include "tests/pairs.h"

namespace twosphere::test::strength_drift_test {
namespace {

/// A pendulum whose bob spins about its rod.
std::unique_ptr<const System> top(double mass, double length, double gravity, double kappa,
                                  const Vec3& turn = Vec3::Zero()) {
  return system_of("pendulum_network", 1,
                   {{"masses", {mass}},
                    {"lengths", {length}},
                    {"gravity", {gravity}},
                    {"pivots", {0, 0, 0}},
                    {"strength", {kappa}},
                    {"frame_rotation", {turn.x(), turn.y(), turn.z()}}});
}

State at(const Vec3& q, const Vec3& w) {
  State s;
  s.q = q.normalized();
  s.w = tangent(s.q.col(0), w);
  return s;
}

Vec3 turned(const Vec3& v, const Vec3& by) {
  return by.norm() == 0 ? v : Vec3(Eigen::AngleAxisd(by.norm(), by.normalized()) * v);
}

Columns turned(const Columns& v, const Vec3& by) {
  Columns out = v;
  for (Eigen::Index i = 0; i < v.cols(); ++i) out.col(i) = turned(Vec3(v.col(i)), by);
  return out;
}

TEST(Strength, AMonopoleMovesOnAConeAboutItsAngularMomentum) {
  const double m = 0.7, kappa = 0.9, h = 0.01;
  const auto system = top(m, 1, 0, kappa);
  for (const char* method : {"rotation", "rotation4", "rotation6", "rotation8"}) {
    SCOPED_TRACE(method);
    State s = at({0.6, 0.3, 0.7}, {0.5, -0.8, 0.4});
    const Vec3 q = s.q, j = momentum_map(*system, s);
    EXPECT_LT((j - (m * Vec3(s.w) + kappa * q)).norm(), 1e-15);
    const auto integrator = prepared(method, *system, s);
    for (int k = 1; k <= 6000; ++k) {
      s.t = (k - 1) * h;
      ASSERT_TRUE(integrator->advance(*system, h, s).ok());
      if (k % 100 != 0) continue;
      EXPECT_NEAR(Vec3(s.q).dot(j) / j.norm(), kappa / j.norm(), 1e-13);
      EXPECT_LT((momentum_map(*system, s) - j).norm(), 1e-13);
      EXPECT_LT((Vec3(s.q) - turned(q, k * h / m * j)).norm(), 1e-11) << k;
    }
  }
}

TEST(Strength, ALagrangeTopPrecessesSteadily) {
  // I₁ cos θ Ω² − κ Ω − mgl = 0
  const double m = 1.3, l = 0.8, g = 9.81, kappa = 8, inertia = m * l * l, weight = m * g * l;
  const auto system = top(m, l, g, kappa);
  for (const double theta : {0.6, 2.5})
    for (const double sign : {1.0, -1.0}) {
      const double a = inertia * std::cos(theta);
      const double rate = (kappa + sign * std::sqrt(kappa * kappa + 4 * a * weight)) / (2 * a);
      const Vec3 q(std::sin(theta), 0, std::cos(theta)), axis = rate * Vec3::UnitZ();
      for (const char* method : {"rotation8", "gauss16"}) {
        State s = at(q, axis);
        const auto integrator = prepared(method, *system, s);
        ASSERT_TRUE(march(*system, *integrator, 0.004, 500, s));
        EXPECT_LT((Vec3(s.q) - turned(q, 2 * axis)).norm(), 1e-10) << method << " " << rate;
      }
    }
}

TEST(Strength, ATopSleepsWhereItSpinsFastEnough) {
  // Upright it is stable if κ² > 4 I₁ m g l = 39.24.
  const auto farthest = [](double kappa) {
    const auto system = top(1, 1, 9.81, kappa);
    State s = at({1e-3, 0, -1}, Vec3::Zero());
    const auto integrator = prepared("rotation4", *system, s);
    double away = 0;
    for (int k = 0; k < 3000; ++k) {
      EXPECT_TRUE(integrator->advance(*system, 0.01, s).ok());
      away = std::max(away, s.q.topRows<2>().norm());
    }
    return away;
  };
  EXPECT_LT(farthest(6.6), 0.02);
  EXPECT_GT(farthest(5.9), 0.2);
}

TEST(Strength, RatesOfSmallMotionsAreThoseOfATop) {
  const double kappa = 3, half = kappa / 2, swing = 9.81;
  const auto system = top(1, 1, 9.81, kappa);
  const TimeScales hanging = time_scales(*system, at(Vec3::UnitZ(), Vec3::Zero()));
  EXPECT_NEAR(hanging.oscillation, half + std::sqrt(half * half + swing), 1e-10);
  const TimeScales upright = time_scales(*system, at(-Vec3::UnitZ(), Vec3::Zero()));
  EXPECT_NEAR(upright.growth, std::sqrt(swing - half * half), 1e-10);
  const TimeScales asleep = time_scales(*top(1, 1, 9.81, 8), at(-Vec3::UnitZ(), Vec3::Zero()));
  EXPECT_EQ(asleep.growth, 0);
}

TEST(FrameRotation, AFoucaultPendulumTurnsWithTheVerticalPart) {
  // e3 down, e1 north.
  const double rate = 0.02, latitude = 48.85 * std::numbers::pi / 180, h = 0.01;
  const Vec3 turn = rate * Vec3(std::cos(latitude), 0, -std::sin(latitude));
  const auto system =
      system_of("chain_pendulum", 1,
                {{"masses", {1}}, {"lengths", {1}}, {"frame_rotation", {turn.x(), 0, turn.z()}}});
  // Where it rests is a little to the south of the vertical, the least of V_eff.
  const auto hanging = [](double x) { return Columns(Vec3(std::sin(x), 0, std::cos(x))); };
  double low = -0.01, high = 0.01;
  const auto slope = [&](double x) {
    Columns g(3, 1);
    system->gradient(hanging(x), g);
    add_effective_gradient(*system, hanging(x), g);
    return g.col(0).dot(Vec3(std::cos(x), 0, -std::sin(x)));
  };
  for (int k = 0; k < 60; ++k) (slope((low + high) / 2) < 0 ? low : high) = (low + high) / 2;
  const Vec3 rest = hanging(low);
  State s = at(Vec3(rest.x() + 0.02, 0, rest.z()), Vec3::Zero());
  const auto integrator = prepared("variational", *system, s);
  // Where it is farthest out, by a parabola through three steps. Two turns of its plane, in which
  // the centrifugal force, which is not the same in all directions, has its mean.
  std::vector<std::pair<double, double>> turns;  // time and azimuth
  std::vector<Vec3> last;
  for (int k = 1; k <= 83'500; ++k) {
    s.t = (k - 1) * h;
    ASSERT_TRUE(integrator->advance(*system, h, s).ok());
    last.emplace_back(s.q.col(0) - rest);
    if (last.size() < 3) continue;
    const auto out = [&](std::size_t back) { return last[last.size() - back].head<2>().norm(); };
    const double a = out(3), b = out(2), c = out(1);
    if (!(b > a && b >= c)) continue;
    const double part = (a - c) / (2 * (a - 2 * b + c));
    const Eigen::Vector2d from = last[last.size() - 3].head<2>(),
                          middle = last[last.size() - 2].head<2>(),
                          to = last[last.size() - 1].head<2>();
    const Eigen::Vector2d there =
        middle + part / 2 * (to - from) + part * part / 2 * (from - 2 * middle + to);
    turns.emplace_back((k - 1 + part) * h, std::atan2(there.y(), there.x()));
  }
  ASSERT_GE(turns.size(), 10U);
  // The plane of the swing, whose azimuth is known up to half a turn, by a fitted line.
  double time = 0, azimuth = 0, sum = 0, squares = 0, along = 0;
  for (std::size_t k = 1; k < turns.size(); ++k)
    turns[k].second = turns[k - 1].second +
                      std::remainder(turns[k].second - turns[k - 1].second, std::numbers::pi);
  for (const auto& [t, phi] : turns) time += t, azimuth += phi, sum += 1;
  for (const auto& [t, phi] : turns) {
    squares += (t - time / sum) * (t - time / sum);
    along += (t - time / sum) * (phi - azimuth / sum);
  }
  EXPECT_NEAR(along / squares, -turn.z(), 3e-4 * std::abs(turn.z()));
}

/// A system in axes that rotate.
class Turning final : public ForwardingSystem {
 public:
  Turning(std::unique_ptr<const System> original, const Vec3& turn)
      : ForwardingSystem(std::move(original)), turn_(turn) {}
  Vec3 frame_rotation() const override { return turn_; }

 private:
  Vec3 turn_;
};

// About gravity all forces are the same in both axes, and so is every step.
TEST(FrameRotation, TheSameMotionIsSeenFromAxesThatTurnAboutGravity) {
  const Vec3 turn(0, 0, 1.7);
  for (const std::string name : {"chain_of_5", "double_pendulum", "rod_consistent", "matrix",
                                 "single_pendulum", "turning_network"}) {
    auto row = [&] {
      for (const SystemCase& c : all_system_cases())
        if (c.name == name) return c;
      throw std::logic_error(name);
    }();
    if (row.system == "pendulum_network") row.values["frame_rotation"] = {0, 0, 0};
    const auto at_rest = make_system(row);
    const Turning turning(make_system(row), turn);
    for (const char* method : {"variational", "variational4", "rattle", "rotation", "rotation4"}) {
      if (!method_info(method).supports(turning)) continue;
      SCOPED_TRACE(name + ", " + method);
      const double h = 0.004 * row.time;
      State inertial = generic_start(row.n, row.spread, row.speed, 81), seen = inertial;
      for (int i = 0; i < row.n; ++i) inertial.w.col(i) += tangent(inertial.q.col(i), turn);
      const auto a = prepared(method, *at_rest, inertial), b = prepared(method, turning, seen);
      const Vec3 j = momentum_map(*at_rest, inertial);
      EXPECT_LT((momentum_map(turning, seen) - j).norm(), 1e-13 * (1 + j.norm()));
      for (int k = 0; k < 150; ++k) {
        seen.t = inertial.t = k * h;
        ASSERT_TRUE(a->advance(*at_rest, h, inertial).ok());
        ASSERT_TRUE(b->advance(turning, h, seen).ok());
      }
      a->complete(*at_rest, inertial);
      b->complete(turning, seen);
      const Vec3 by = -150 * h * turn;
      EXPECT_LT((seen.q - turned(inertial.q, by)).cwiseAbs().maxCoeff(), 1e-11);
      Columns w = turned(inertial.w, by);
      for (int i = 0; i < row.n; ++i) w.col(i) -= tangent(seen.q.col(i), turn);
      EXPECT_LT((seen.w - w).cwiseAbs().maxCoeff(), 1e-10 * (1 + w.cwiseAbs().maxCoeff()));
      // H = E − Ω·J
      EXPECT_NEAR(total_energy(turning, seen),
                  total_energy(*at_rest, inertial) - turn.dot(momentum_map(*at_rest, inertial)),
                  1e-11 * (1 + std::abs(total_energy(*at_rest, inertial))));
    }
  }
}

TEST(LinearTerms, TheEnergyOfTheFrameIsKept) {
  for (const SystemCase& c : linear_cases()) {
    const auto system = make_system(c);
    if (damped(*system) || system->has_external_force()) continue;
    SCOPED_TRACE(c.name);
    auto [unused, s] = started(c, 82);
    const double energy = total_energy(*system, s), kinetic = kinetic_energy(*system, s);
    const auto integrator = prepared("gauss16", *system, s);
    ASSERT_TRUE(march(*system, *integrator, 0.02 * c.time, 100, s));
    EXPECT_NEAR(total_energy(*system, s), energy, 1e-12 * (1 + std::abs(energy)));
    EXPECT_GT(std::abs(kinetic_energy(*system, s) - kinetic), 1e-3 * kinetic);
    const Sample sample = measure(*system, s, energy, 0);
    EXPECT_EQ(sample[Quantity::total_energy],
              sample[Quantity::kinetic_energy] + sample[Quantity::potential_energy]);
    EXPECT_EQ(sample[Quantity::potential_energy], effective_potential(*system, s.q));
    EXPECT_EQ(effective_potential(*system, s.q) == system->potential(s.q),
              !has_frame_rotation(*system));
    // Its gradient.
    Columns g(3, c.n);
    system->gradient(s.q, g);
    add_effective_gradient(*system, s.q, g);
    const Columns d = s.w;
    const auto along = [&](double x) {
      Columns q = s.q + x * d;
      return effective_potential(*system, q);
    };
    const double slope = (8 * (along(1e-4) - along(-1e-4)) - (along(2e-4) - along(-2e-4))) / 12e-4;
    EXPECT_NEAR(g.cwiseProduct(d).sum(), slope, 1e-9 * (1 + std::abs(slope)));
  }
}

TEST(LinearTerms, FourFormulationsGiveOneMotion) {
  for (const SystemCase& c : linear_cases()) {
    const auto [system, start] = started(c, 16);
    std::vector<State> ends;
    for (std::size_t f = 0; f < 4; ++f) {
      State s = start;
      const auto integrator =
          prepared("rk4", *system, s, {{"formulation", {static_cast<double>(f)}}});
      ASSERT_TRUE(march(*system, *integrator, 2.5e-4 * c.time, 2000, s));
      ends.push_back(s);
    }
    for (std::size_t f = 1; f < 4; ++f)
      EXPECT_LT(distance(ends[0], ends[f]), 5e-10) << c.name << ", formulation " << f;
  }
}

TEST(FrameRotation, TheMomentumAlongItIsKept) {
  // Bodies without forces, whose axes turn about any direction.
  const Vec3 turn(0.7, -1.1, 0.4);
  const auto system = system_of("pendulum_network", 3,
                                {{"masses", {1, 2, 0.5}},
                                 {"lengths", {1, 0.5, 0.8}},
                                 {"gravity", {0}},
                                 {"pivots", std::vector<double>(9, 0)},
                                 {"strength", {0.5, 0, -0.8}},
                                 {"frame_rotation", {turn.x(), turn.y(), turn.z()}}});
  for (const char* method : {"rotation", "rotation4", "gauss16"}) {
    State s = generic_start(3, everywhere, 1, 83);
    const Vec3 j = momentum_map(*system, s);
    const double energy = total_energy(*system, s);
    const auto integrator = prepared(method, *system, s);
    ASSERT_TRUE(march(*system, *integrator, 0.02, 1000, s));
    const Vec3 now = momentum_map(*system, s);
    EXPECT_NEAR(now.dot(turn), j.dot(turn), 1e-12) << method;
    EXPECT_NEAR(total_energy(*system, s), energy, 1e-12) << method;
    EXPECT_GT((now - j).norm(), 0.1) << method;
    // It is the one that stands still in space.
    EXPECT_LT((turned(now, 20 * turn) - j).norm(), 1e-11) << method;
  }
}

TEST(FrameRotation, OnlyTheMomentumAlongItIsConserved) {
  EXPECT_EQ(axes_along(Vec3::Zero()), (std::array<bool, 3>{true, true, true}));
  EXPECT_EQ(axes_along(Vec3(0, 0, -2)), (std::array<bool, 3>{false, false, true}));
  EXPECT_EQ(axes_along(Vec3(1e-3, 0, 2)), (std::array<bool, 3>{false, false, false}));
  for (const Vec3& turn : {Vec3(0, 0, 1), Vec3(1, 0, 0), Vec3(1, 0, 1)}) {
    const auto heavy = top(1, 1, 9.81, 0.5, turn), free = top(1, 1, 0, 0.5, turn);
    EXPECT_EQ(heavy->conserved_momentum(),
              (std::array<bool, 3>{false, false, axes_along(turn)[2]}));
    EXPECT_EQ(free->conserved_momentum(), axes_along(turn));
    EXPECT_EQ(symmetric_axes(*free), axes_along(turn));
  }
}

TEST(FrameRotation, TwoPositionsGiveTheVelocitiesBetweenThem) {
  for (const SystemCase& c : linear_cases()) {
    if (!fits(method_info("variational"), c)) continue;
    const auto [system, start] = started(c, 84);
    State s = start;
    const double h = 0.01 * c.time;
    const auto integrator = prepared("variational", *system, s);
    ASSERT_TRUE(integrator->advance(*system, h, s).ok());
    Columns w(3, c.n);
    ASSERT_TRUE(velocities_between(*system, start.t, h, start.q, s.q, w).ok());
    EXPECT_LT((w - start.w).cwiseAbs().maxCoeff(), 1e-11 * (1 + start.w.norm())) << c.name;
  }
}

TEST(LinearTerms, AreRefusedByNameWhereTheyAreNotTaken) {
  const auto spinning = top(1, 1, 9.81, 2), turning = top(1, 1, 9.81, 0, Vec3(0, 1, 0)),
             neither = top(1, 1, 9.81, 0);
  EXPECT_EQ(neither->strength().size(), 0);
  for (const IntegratorInfo& info : integrators()) {
    if (!info.supports(*neither)) continue;
    EXPECT_EQ(info.supports(*spinning), info.takes.strength) << info.key;
    EXPECT_EQ(info.supports(*turning), info.takes.frame_rotation) << info.key;
    if (!info.takes.strength) {
      EXPECT_EQ(info.lacks(*spinning), "bodies without strength") << info.key;
    }
    if (!info.takes.frame_rotation) {
      EXPECT_EQ(info.lacks(*turning), "axes that do not rotate") << info.key;
    }
  }
  const auto takes = [](const char* key) { return method_info(key).takes; };
  EXPECT_FALSE(takes("variational").strength || takes("variational_adaptive").frame_rotation ||
               takes("rotation6_adaptive").strength || takes("variational_cayley").frame_rotation);
  EXPECT_TRUE(takes("variational").frame_rotation && takes("rotation6").strength &&
              takes("rotation").frame_rotation && takes("rk4").strength);

  const IntegratorInfo& rotation = method_info("rotation");
  EXPECT_EQ(ModifiedEnergy::missing(*spinning, rotation), "bodies have a strength");
  EXPECT_EQ(ModifiedEnergy::missing(*turning, rotation), "the frame rotates");
  EXPECT_EQ(ModifiedEnergy::missing(*neither, rotation), "");
  EXPECT_FALSE(EquationsTangent::exists(*spinning, Formulation::omega));
  EXPECT_FALSE(EquationsTangent::exists(*turning, Formulation::momentum));
  EXPECT_EQ(why_no_tangent_map(rotation, *spinning, {}), "");
  EXPECT_EQ(why_no_tangent_map(rotation, *turning, {}), "");
  EXPECT_EQ(why_no_tangent_map(method_info("variational"), *turning, {}), "");
}

TEST(LinearTerms, TheEffectivePotentialHasItsDerivatives) {
  for (const SystemCase& c : linear_cases()) {
    SCOPED_TRACE(c.name);
    const auto system = make_system(c);
    const EffectivePotential effective(*system);
    const auto [unused, s] = started(c, 85);
    const Columns d = random_tangents(s.q, 86);
    Columns g(3, c.n), h(3, c.n), slope = Columns::Zero(3, c.n);
    effective.gradient(s.q, g);
    effective.hessian_times(s.q, d, h);
    double along = 0;
    for (const auto& [at, weight] : {std::pair{-2.0, 1.0}, {-1.0, -8.0}, {1.0, 8.0}, {2.0, -1.0}}) {
      const Columns there = s.q + 1e-3 * at * d;
      along += weight / 12e-3 * effective.potential(there);
      Columns change(3, c.n);
      effective.gradient(there, change);
      slope += weight / 12e-3 * change;
    }
    EXPECT_NEAR(g.cwiseProduct(d).sum(), along, 1e-9 * (1 + std::abs(along)));
    EXPECT_LT((h - slope).norm(), 1e-9 * (1 + h.norm()));
    // Across the directions it is that of the equations of motion.
    Columns plain(3, c.n);
    system->gradient(s.q, plain);
    add_effective_gradient(*system, s.q, plain);
    for (int i = 0; i < c.n; ++i)
      EXPECT_LT(tangent(s.q.col(i), g.col(i) - plain.col(i)).norm(), 1e-12 * (1 + g.norm()));
  }
}

}  // namespace
}  // namespace twosphere::test::strength_drift_test
