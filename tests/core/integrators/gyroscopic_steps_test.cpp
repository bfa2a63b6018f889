// SPDX-License-Identifier: GPL-3.0-or-later
// Steps with terms of the Lagrangian that are linear in velocities, of any form.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <tuple>

#include "core/catalog.h"
#include "core/integrators/legendre_transform.h"
#include "core/mechanics/diagnostics.h"
#include "core/mechanics/equations_tangent.h"
#include "core/mechanics/linear_terms.h"
#include "core/mechanics/modified_energy.h"
#include "core/mechanics/random_state.h"
#include "core/mechanics/return_map.h"
#include "core/mechanics/step_map.h"
#include "core/mechanics/time_scales.h"
#include "core/studies/equilibria.h"
#include "tests/cases.h"
#include "tests/core/custom/definitions.h"
#include "tests/outcome.h"

namespace twosphere::test::gyroscopic_steps_test {
namespace {

const char* const constant = "matrix(i, j: if(i == j, 2 - i, 0.6))";
const char* const variable = "diag(i: 1 + 0.3*e3.q[i])";

/// Two bodies, coupled by their inertia and by A.
Definition coupled(const std::string& inertia = constant) {
  Definition d;
  d.bodies = 2;
  d.inertia = inertia;
  d.potential = "-1.5*e3.q[0] - e3.q[1] + 0.7*q[0].q[1]";
  d.gyroscopic = "0.8*sum(i: e3.cross(q[i], v[i])) + 0.5*(e3.q[1])^2*cross(q[0], q[1]).v[0]";
  return d;
}

State start_of(const System& system) {
  State state{0, random_directions(system.size(), 3), Columns(3, system.size())};
  state.w = random_tangents(state.q, 5);
  return state;
}

/// The state after so many steps; the test fails if one of them does.
State moved(const System& system, std::string_view key, State state, double h, int steps) {
  const auto integrator = prepared(key, system, state);
  EXPECT_TRUE(march(system, *integrator, h, steps, state)) << key;
  return state;
}

TEST(Gyroscopic, MethodsHaveTheirOrders) {
  for (const char* inertia : {constant, variable, "chain(1, 1)"}) {
    const auto system = make(coupled(inertia));
    const State start = start_of(*system), end = moved(*system, "gauss16", start, 0.02, 50);
    EXPECT_LT(distance(moved(*system, "rk4", start, 0.005, 200), end), 1e-7) << inertia;
    for (const auto& [key, steps, order] :
         {std::tuple{"variational", 64, 2}, {"variational4", 32, 4}, {"variational6", 32, 6}}) {
      const double coarse = distance(moved(*system, key, start, 1.0 / steps, steps), end),
                   fine = distance(moved(*system, key, start, 0.5 / steps, 2 * steps), end);
      EXPECT_NEAR(std::log2(coarse / fine), order, 0.15) << key << ", " << inertia;
    }
  }
}

TEST(Gyroscopic, StepsAreSymplecticAndReversible) {
  for (const char* inertia : {constant, variable}) {
    const auto system = make(coupled(inertia));
    const State start = start_of(*system);
    for (const char* key : {"variational", "variational4"}) {
      const StepMap map{*system, method_info(key), {}, 0.1};
      const auto found = value_of(symplecticity_defect(map, start));
      EXPECT_LT(found.defect, 1e-12) << key << ", " << inertia;
      EXPECT_EQ(found.spacing, 0) << "the tangent map is exact";
      EXPECT_EQ(found.verdict, Symplecticity::symplectic);
      EXPECT_LT(value_of(reversal_error(map, start)).distance, 1e-11) << key << ", " << inertia;
    }
    // The form without A is not kept.
    const StepMap rk4{*system, method_info("rk4"), default_values(method_info("rk4").parameters),
                      0.1};
    EXPECT_GT(value_of(symplecticity_defect(rk4, start)).defect, 1e-8);
  }
}

TEST(Gyroscopic, TheTangentMapIsTheDerivativeOfTheStep) {
  for (const char* inertia : {constant, variable}) {
    const auto system = make(coupled(inertia));
    const State start = start_of(*system);
    TangentVector vector{random_tangents(start.q, 11), random_tangents(start.q, 12)};
    for (int i = 0; i < 2; ++i)
      vector.w.col(i) -= start.q.col(i) * start.w.col(i).dot(vector.q.col(i));
    const auto integrator = prepared("variational", *system, start);
    TangentMap* map = integrator->tangent_map(*system);
    ASSERT_TRUE(map);
    EXPECT_FALSE(map->stretches(*system));
    State state = start;
    TangentVector image = vector;
    ASSERT_TRUE(map->advance(*system, 0.1, state, std::span(&image, 1)).ok());
    // The same step, bit for bit.
    const State plain = moved(*system, "variational", start, 0.1, 1);
    EXPECT_EQ(state.q, plain.q);
    EXPECT_EQ(state.w, plain.w);
    const auto along = [&](double s) {
      State from = start;
      for (int i = 0; i < 2; ++i) {
        from.q.col(i) = (start.q.col(i) + s * vector.q.col(i)).normalized();
        from.w.col(i) = tangent(from.q.col(i), start.w.col(i) + s * vector.w.col(i));
      }
      return moved(*system, "variational", from, 0.1, 1);
    };
    constexpr double s = 1e-3;
    const State a = along(s), b = along(-s), c = along(2 * s), d = along(-2 * s);
    EXPECT_LT(((8 * (a.q - b.q) - (c.q - d.q)) / (12 * s) - image.q).norm(), 1e-9) << inertia;
    EXPECT_LT(((8 * (a.w - b.w) - (c.w - d.w)) / (12 * s) - image.w).norm(), 1e-9) << inertia;
  }
}

TEST(Gyroscopic, EnergyAndMomentumDoNotDrift) {
  const auto system = make(coupled());
  State state = start_of(*system);
  const double energy = total_energy(*system, state);
  const Vec3 momentum = momentum_map(*system, state);
  const auto integrator = prepared("variational", *system, state);
  double worst[2] = {0, 0}, length = 0, turned = 0;
  for (int k = 0; k < 40000; ++k) {
    ASSERT_TRUE(integrator->advance(*system, 0.05, state).ok()) << k;
    state.t += 0.05;
    if (k % 4 != 0) continue;
    integrator->complete(*system, state);
    double& error = worst[k / 20000];
    error = std::max(error, std::abs(total_energy(*system, state) - energy));
    turned = std::max(turned, std::abs((momentum_map(*system, state) - momentum).z()));
    for (int i = 0; i < 2; ++i) length = std::max(length, unit_length_error(state.q.col(i)));
  }
  EXPECT_LT(worst[1], 1.5 * worst[0]);
  EXPECT_LT(worst[0], 0.05);
  EXPECT_LT(turned, 1e-11);
  EXPECT_LE(length, 4.5e-16);
}

TEST(Gyroscopic, TheFieldOfAMagnetIsAStrengthThatDependsOnTheDirection) {
  // A = B e3 × q has the force κ(q) q × q̇ with κ = −2 B e3·q.
  Definition d;
  d.bodies = 1;
  d.inertia = "diag(2)";
  d.potential = "-3*e1.q[0]";
  Definition by_force = d;
  d.gyroscopic = "0.8*e3.cross(q[0], v[0])";
  by_force.force = {"f[0] = -1.6*(e3.q[0])*cross(q[0], v[0])"};
  const auto system = make(d), other = make(by_force);
  const State start = start_of(*system);
  EXPECT_LT(distance(moved(*system, "gauss16", start, 0.02, 100),
                     moved(*other, "gauss16", start, 0.02, 100)),
            1e-12);
}

TEST(Gyroscopic, AxesThatRotateAreAnExample) {
  Definition turning;
  turning.bodies = 2;
  turning.inertia = "chain(1, 1)";
  turning.potential = "-9.81*(2*e3.q[0] + e3.q[1])";
  turning.define = {"M[i] = 2 - i", "O = [0.3, -0.4, 0.6]"};
  Definition written = turning;
  turning.frame_rotation = "[0.3, -0.4, 0.6]";
  written.gyroscopic = "sum(i, j: min(M[i], M[j])*O.cross(q[j], v[i]))";
  written.potential += " - sum(i, j: min(M[i], M[j])/2*cross(O, q[i]).cross(O, q[j]))";
  const auto axes = make(turning), system = make(written);
  const State start = start_of(*axes);
  EXPECT_LT(distance(moved(*axes, "gauss16", start, 0.02, 50),
                     moved(*system, "gauss16", start, 0.02, 50)),
            1e-12);
  EXPECT_NEAR(total_energy(*axes, start), total_energy(*system, start), 1e-12);
  EXPECT_LT((momentum_map(*axes, start) - momentum_map(*system, start)).norm(), 1e-12);
}

TEST(Gyroscopic, AStepContinuesBitForBitAndGivesItsVelocities) {
  for (const char* inertia : {constant, variable}) {
    const auto system = make(coupled(inertia));
    const State start = start_of(*system);
    const auto first = prepared("variational4", *system, start);
    State state = start;
    for (int k = 0; k < 5; ++k) ASSERT_TRUE(first->advance(*system, 0.1, state).ok());
    State again = state;
    first->complete(*system, again);
    const auto second = prepared("variational4", *system, again);
    ASSERT_TRUE(second->load_state(first->saved_state()));
    for (int k = 0; k < 5; ++k) {
      ASSERT_TRUE(first->advance(*system, 0.1, state).ok());
      ASSERT_TRUE(second->advance(*system, 0.1, again).ok());
    }
    EXPECT_EQ(state.q, again.q);
    // Two positions determine the velocities.
    const State next = moved(*system, "variational", start, 0.1, 1);
    Columns w(3, 2);
    ASSERT_TRUE(velocities_between(*system, 0, 0.1, start.q, next.q, w).ok());
    EXPECT_LT((w - start.w).norm(), 1e-12);
  }
}

TEST(Gyroscopic, DampingIsAFlowOfTheKineticMomenta) {
  Definition d = coupled();
  d.torque = {"torque[i] = -0.2*w[i]"};
  const auto system = make(d);
  const State start = start_of(*system), end = moved(*system, "gauss16", start, 0.02, 50);
  const double coarse = distance(moved(*system, "variational", start, 1.0 / 64, 64), end),
               fine = distance(moved(*system, "variational", start, 1.0 / 128, 128), end);
  EXPECT_NEAR(std::log2(coarse / fine), 2, 0.1);
}

TEST(Gyroscopic, AreRefusedByNameWhereTheyAreNotTaken) {
  Definition d = coupled("diag(1)");
  const std::shared_ptr<const System> system = make(d);
  d.gyroscopic = "";
  const auto without = make(d);
  for (const IntegratorInfo& info : integrators()) {
    if (!info.supports(*without)) continue;
    EXPECT_EQ(info.supports(*system), info.takes.gyroscopic) << info.key;
    if (!info.takes.gyroscopic) {
      EXPECT_EQ(info.lacks(*system), "a system without gyroscopic terms") << info.key;
    }
  }
  for (const char* key : {"variational", "variational8", "rk45", "rkmk4", "gauss16"})
    EXPECT_TRUE(method_info(key).takes.gyroscopic) << key;
  for (const char* key : {"rattle", "rotation", "variational_cayley", "variational_adaptive"})
    EXPECT_FALSE(method_info(key).takes.gyroscopic) << key;
  const IntegratorInfo& variational = method_info("variational");
  EXPECT_EQ(ModifiedEnergy::missing(*system, variational), "the system has gyroscopic terms");
  EXPECT_TRUE(says(ReturnMap::missing(*system, variational), "gyroscopic terms"));
  EXPECT_FALSE(EquationsTangent::exists(*system, Formulation::momentum));
  EXPECT_TRUE(says(error_of(system_at_rest(system, 0, random_directions(2, 1))).text(),
                   "has gyroscopic terms"));
}

TEST(Gyroscopic, RatesHaveTheTurnOfVelocities) {
  // Without V the velocities of a body at e3 turn with 2 B/m.
  Definition d;
  d.bodies = 1;
  d.inertia = "diag(2)";
  d.gyroscopic = "0.8*e3.cross(q[0], v[0])";
  State at{0, Columns(3, 1), Columns::Zero(3, 1)};
  at.q.col(0) = Vec3::UnitZ();
  EXPECT_NEAR(time_scales(*make(d), at).oscillation, 0.8, 1e-12);
}

}  // namespace
}  // namespace twosphere::test::gyroscopic_steps_test
