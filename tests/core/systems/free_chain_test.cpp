// SPDX-License-Identifier: GPL-3.0-or-later
// Chains on a free base: masses in R³, closed forms, what is kept.
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "core/mechanics/diagnostics.h"
#include "core/mechanics/dynamics.h"
#include "core/mechanics/free_base.h"
#include "core/mechanics/pulled_system.h"
#include "core/scenario/initial_conditions.h"
#include "tests/cases.h"

namespace twosphere::test::free_chain_test {
namespace {

std::unique_ptr<const System> chain(int n, double base_mass, const Values& more = {}) {
  Values values{{"base_mass", {base_mass}},
                {"masses", std::vector<double>(static_cast<std::size_t>(n), 1)},
                {"lengths", std::vector<double>(static_cast<std::size_t>(n), 1)}};
  for (const auto& [key, value] : more) values[key] = value;
  return system_of("free_chain", n, values);
}

/// The base and the masses, from the centre of mass.
Columns places(const System& system, const Columns& q) {
  Geometry geometry;
  system.geometry(q, geometry);
  Columns x(3, q.cols() + 1);
  x.col(0) = geometry.links.front().from;
  for (Eigen::Index k = 0; k < q.cols(); ++k)
    x.col(k + 1) = geometry.bodies[static_cast<std::size_t>(k)].position;
  return x;
}

TEST(FreeChain, HasItsCentreOfMassAtTheOrigin) {
  const Values values = values_from("masses 1 2 0.5; lengths 1 0.5 0.75");
  const auto system = chain(3, 1.5, values);
  const State s = generic_start(3, everywhere, 1, 7);
  const Columns x = places(*system, s.q);
  const Eigen::Vector4d mass(1.5, 1, 2, 0.5);
  EXPECT_LT((x * mass).norm(), 1e-15);
  const Eigen::Vector3d length(1, 0.5, 0.75);
  double kinetic = 0;
  for (int k = 0; k < 3; ++k) EXPECT_NEAR((x.col(k + 1) - x.col(k)).norm(), length[k], 1e-15) << k;
  // T is that of the masses, and levers are derivatives of their positions.
  Columns v(3, 3);
  for (int i = 0; i < 3; ++i) v.col(i) = s.w.col(i).cross(s.q.col(i));
  const Columns moved = places(*system, s.q + v) - x;  // linear in q
  for (int k = 0; k < 4; ++k) kinetic += mass[k] / 2 * moved.col(k).squaredNorm();
  EXPECT_NEAR(kinetic_energy(*system, s), kinetic, 1e-14 * kinetic);
  for (int k = 0; k < 3; ++k) {
    Vec3 sum = Vec3::Zero();
    for (int i = 0; i < 3; ++i) sum += system->lever(k, i) * v.col(i);
    EXPECT_LT((sum - moved.col(k + 1)).norm(), 1e-14) << k;
  }
}

// Masses in R³ with a multiplier for each link, in a uniform gravity, which must not be felt.
TEST(FreeChain, MovesAsMassesInSpaceHeldByTheirLinks) {
  constexpr int n = 4;
  const Values values = values_from("masses 1 0.5 2 0.8; lengths 1 0.6 0.8 0.5; thrust 0 3 -2 5");
  const auto system = chain(n, 1.5, values);
  const State s = generic_start(n, everywhere, 1, 9);
  EquationsOfMotion equations(*system, Formulation::velocity);
  Columns x(3, n), qdot(3, n), acceleration(3, n);
  equations.from_state(*system, s, x);
  equations.evaluate(*system, 0, s.q, x, qdot, acceleration);

  const std::vector<double> mass{1.5, 1, 0.5, 2, 0.8}, length{1, 0.6, 0.8, 0.5};
  // m_k ẍ_k = m_k g e3 + δ_k0 F + Σ λ_i (±q_i), and (x_i − x_{i−1})·(ẍ_i − ẍ_{i−1}) = −l_i² |q̇_i|².
  constexpr int unknowns = 3 * (n + 1) + n;
  Eigen::MatrixXd a = Eigen::MatrixXd::Zero(unknowns, unknowns);
  Eigen::VectorXd b = Eigen::VectorXd::Zero(unknowns);
  for (int k = 0; k <= n; ++k) {
    const double m = mass[static_cast<std::size_t>(k)];
    a.block<3, 3>(3 * k, 3 * k).diagonal().setConstant(m);
    b[3 * k + 2] = 9.81 * m;
  }
  b.head<3>() += Vec3(3, -2, 5);
  for (int i = 0; i < n; ++i) {
    const int row = 3 * (n + 1) + i;
    const Vec3 q = s.q.col(i);
    a.block<3, 1>(3 * i, row) = -q;
    a.block<3, 1>(3 * (i + 1), row) = q;
    a.block<1, 3>(row, 3 * i) = -q.transpose();
    a.block<1, 3>(row, 3 * (i + 1)) = q.transpose();
    b[row] = -length[static_cast<std::size_t>(i)] * qdot.col(i).squaredNorm();
  }
  const Eigen::VectorXd solution = a.partialPivLu().solve(b);
  for (int i = 0; i < n; ++i) {
    const Vec3 of_masses = (solution.segment<3>(3 * (i + 1)) - solution.segment<3>(3 * i)) /
                           length[static_cast<std::size_t>(i)];
    EXPECT_LT((acceleration.col(i) - of_masses).norm(), 1e-12) << i;
  }
  // The power of the thrust is F·ẋ_0.
  Columns f(3, n);
  system->force(0, s.q, f);
  const Vec3 base = places(*system, s.q + qdot).col(0) - places(*system, s.q).col(0);
  EXPECT_NEAR(f.cwiseProduct(qdot).sum(), Vec3(3, -2, 5).dot(base), 1e-13);
}

TEST(FreeChain, WithAHeavyBaseIsAPendulumWithoutGravity) {
  const auto heavy = chain(3, 1e14);
  const auto pendulum = system_of(
      "chain_pendulum", 3, {{"masses", {1, 1, 1}}, {"lengths", {1, 1, 1}}, {"gravity", {0}}});
  State a = generic_start(3, 0.5, 1, 5), b = a;
  for (const auto& [system, state] : {std::pair{heavy.get(), &a}, {pendulum.get(), &b}}) {
    const auto method = prepared("variational", *system, *state);
    ASSERT_TRUE(march(*system, *method, 0.01, 200, *state));
  }
  EXPECT_LT((a.q - b.q).cwiseAbs().maxCoeff(), 1e-11);
}

/// Σ m_k ẋ_k of the base and the masses, in the axes in which it flies.
Vec3 momentum_of(const System& system, const State& s, double base_mass,
                 const Eigen::VectorXd& mass, const Eigen::VectorXd& length) {
  Vec3 velocity = base_of(s, system)->velocity, sum = base_mass * velocity;
  for (Eigen::Index k = 0; k < s.q.cols(); ++k) {
    velocity += length[k] * s.w.col(k).cross(s.q.col(k));
    sum += mass[k] * velocity;
  }
  return sum;
}

TEST(FreeChain, KeepsMomentaAndEnergy) {
  constexpr int n = 10;
  constexpr double base_mass = 1.5, mass = 0.02, length = 0.15, whole = base_mass + n * mass;
  for (const double gravity : {0.0, 9.81}) {
    const auto system = chain(n, base_mass,
                              {{"masses", std::vector<double>(n, mass)},
                               {"lengths", std::vector<double>(n, length)},
                               {"gravity", {gravity}}});
    State s = generic_start(n, 0.6, 1, 11);
    s.x = Vec3(0.3, -0.2, 0.1);
    s.v = Vec3(0.4, -0.3, 0.7);
    const auto momentum = [&] {
      return momentum_of(*system, s, base_mass, Eigen::VectorXd::Constant(n, mass),
                         Eigen::VectorXd::Constant(n, length));
    };
    // Of the motion about the centre of mass, in which there is no potential.
    const auto energy = [&] {
      return kinetic_energy(*system, s) - system->free_base()->kinetic_energy(s.v);
    };
    const Vec3 about_centre = momentum_map(*system, s), linear = momentum();
    const double first = energy();
    const auto method = prepared("variational", *system, s);
    double worst = 0;
    for (int part = 0; part < 100; ++part) {
      ASSERT_TRUE(march(*system, *method, 0.004, 1000, s));
      worst = std::max(worst, std::abs(energy() - first));
      const Vec3 expected = linear + Vec3(0, 0, whole * gravity * s.t);
      ASSERT_LT((momentum() - expected).norm(), 1e-10 * expected.norm()) << s.t;
    }
    EXPECT_LT((momentum_map(*system, s) - about_centre).norm(), 1e-10 * about_centre.norm());
    EXPECT_LT(worst, 0.01 * first) << "gravity " << gravity;
  }
}

/// The frequency of a small libration away from e1 towards an axis, from three equidistant times
/// of cos(ω t) [rad/s].
double libration(const System& system, int axis, double step) {
  constexpr double amplitude = 1e-4;
  const auto n = static_cast<Eigen::Index>(system.size());
  State s{0, Columns(3, n), Columns::Zero(3, n)};
  Vec3 direction = Vec3::UnitX();
  direction[axis] = amplitude;
  s.q.colwise() = direction.normalized();
  const double start = s.q(axis, 0);
  const auto method = prepared("gauss16", system, s);
  EXPECT_TRUE(march(system, *method, step / 4, 4, s));
  const double middle = s.q(axis, 0);
  EXPECT_TRUE(march(system, *method, step / 4, 4, s));
  return std::acos((start + s.q(axis, 0)) / (2 * middle)) / step;
}

TEST(FreeChain, OfOneLinkLibratesInOrbit) {
  for (const double rate : {1.1e-3, 1.0, -0.5}) {
    const auto dumbbell =
        chain(1, 500, {{"masses", {50}}, {"lengths", {100}}, {"orbital_rate", {rate}}});
    const double turn = std::abs(rate);
    EXPECT_NEAR(libration(*dumbbell, 1, 0.5 / turn) / turn, std::sqrt(3.0), 1e-6);
    EXPECT_NEAR(libration(*dumbbell, 2, 0.5 / turn) / turn, 2, 1e-6);
  }
  // Parallel links have one equation of motion: a straight chain swings as one.
  const auto rope = chain(5, 3, {{"orbital_rate", {1}}});
  EXPECT_NEAR(libration(*rope, 1, 0.5), std::sqrt(3.0), 1e-6);
  EXPECT_NEAR(libration(*rope, 2, 0.5), 2, 1e-6);
}

/// A drone of 1.5 kg with a load of 0.3 kg on ten links, held at a place.
std::unique_ptr<const System> drone(const Vec3& target, double kp = 6, double kd = 6) {
  std::vector<double> masses(10, 0.02);
  masses.back() = 0.3;
  return chain(10, 1.5,
               {{"masses", masses},
                {"lengths", std::vector<double>(10, 0.15)},
                {"gravity", {9.81}},
                {"thrust", {1, target[0], target[1], target[2], kp, kd}}});
}
/// Its start from 0.8 rad, the base at rest at the origin.
State hung_aside(const System& system) {
  State s{0, Columns(3, 10), Columns::Zero(3, 10)};
  s.q.colwise() = Vec3(std::sin(0.8), 0, std::cos(0.8));
  s.x = -system.free_base()->from_centre(s.q);
  s.v = Columns::Zero(3, 1);
  return s;
}

// Held at the origin for 10 s, then at (1, 0.5, −0.5).
TEST(FreeChain, OfADroneReachesItsTarget) {
  const auto first = drone(Vec3::Zero()), then = drone(Vec3(1, 0.5, -0.5));
  for (const double h : {0.004, 0.002}) {
    State s = hung_aside(*first);
    const double energy = total_energy(*first, s);
    const auto method = prepared("variational", *first, s);
    double work = 0;
    const auto steps = std::lround(10 / h);
    for (const System* system : {first.get(), then.get()}) {
      method->complete(*system, s);
      method->prepare(*system, s);
      for (long k = 0; k < steps; ++k) {
        const StepReport report = method->advance(*system, h, s);
        ASSERT_TRUE(report.ok());
        work += report.work;
        s.t += h;
      }
    }
    method->complete(*then, s);
    EXPECT_LT((base_of(s, *then)->position - Vec3(1, 0.5, -0.5)).norm(), 2e-3) << h;
    const Columns x = places(*then, s.q);
    EXPECT_LT((x.col(10) - x.col(0)).head<2>().norm(), 0.04) << "below the base";
    EXPECT_NEAR(total_energy(*then, s) - energy - work, 0, 30 * h * h);
  }
}

// Links that hang straight stay at rest; rounding of Ẋ alone does not stop the flow.
TEST(FreeChain, OfADroneIsLiftedWithAChainThatHangsStraight) {
  const auto system = drone(Vec3(0, 0, -1));
  State s{0, Columns(3, 10), Columns::Zero(3, 10)};
  s.q.colwise() = Vec3::UnitZ();
  s.x = -system->free_base()->from_centre(s.q);
  s.v = Columns::Zero(3, 1);
  const auto method = prepared("variational", *system, s);
  ASSERT_TRUE(march(*system, *method, 0.004, 2500, s));
  EXPECT_LT((base_of(s, *system)->position - Vec3(0, 0, -1)).norm(), 1e-3);
}

TEST(FreeChain, OfADroneMovesTheSameWayByAllMethods) {
  const auto system = drone(Vec3(0.3, 0.2, -0.4));
  const auto after = [&](const char* name, double h, const Values& values) {
    State s = hung_aside(*system);
    const auto method = prepared(name, *system, s, values);
    EXPECT_TRUE(march(*system, *method, h, std::lround(2 / h), s)) << name;
    method->complete(*system, s);
    return s;
  };
  const State exact = after("gauss16", 0.02, {});
  const auto off = [&](const State& s) {
    return std::max({(s.q - exact.q).norm(), (s.x - exact.x).norm(), (s.v - exact.v).norm()});
  };
  for (double formulation = 0; formulation < 4; ++formulation)
    EXPECT_LT(off(after("rk4", 0.002, {{"formulation", {formulation}}})), 1e-5) << formulation;
  EXPECT_LT(
      off(after("rk45", 0.02, {{"relative_tolerance", {1e-10}}, {"absolute_tolerance", {1e-11}}})),
      1e-6);
  const double coarse = off(after("variational", 0.004, {})),
               fine = off(after("variational", 0.002, {}));
  EXPECT_NEAR(std::log2(coarse / fine), 2, 0.1);
  EXPECT_NEAR(
      std::log2(off(after("variational4", 0.008, {})) / off(after("variational4", 0.004, {}))), 4,
      0.4);
}

// Without control the centre of mass is on a parabola, whatever the chain does.
TEST(FreeChain, FliesOnAParabola) {
  for (const char* name : {"variational", "variational6", "gauss16", "rk4", "rk45", "heun"}) {
    const auto system =
        chain(3, 1.5, {{"gravity", {9.81}}, {"thrust", {0, 2, 0, -4}}, {"damping", {0.1}}});
    State s = generic_start(3, 1, 1, 17);
    s.x = Vec3(1, 2, 3);
    s.v = Vec3(-1, 0.5, -3);
    const Vec3 acceleration = Vec3(2, 0, -4) / 4.5 + Vec3(0, 0, 9.81);
    const double energy = total_energy(*system, s);
    const auto method = prepared(name, *system, s);
    ASSERT_TRUE(march(*system, *method, 0.01, 100, s)) << name;
    method->complete(*system, s);
    EXPECT_LT((s.x - Vec3(Vec3(1, 2, 3) + Vec3(-1, 0.5, -3) + acceleration / 2)).norm(), 1e-11)
        << name;
    EXPECT_LT((s.v - Vec3(Vec3(-1, 0.5, -3) + acceleration)).norm(), 1e-11) << name;
    EXPECT_GT(std::abs(total_energy(*system, s) - energy), 1) << "the thrust does work";
  }
}

TEST(FreeChain, ThatFliesIsPulledWithItsCentreOfMass) {
  const std::shared_ptr<const System> system = chain(2, 1, {{"gravity", {0}}});
  const Vec3 force(1, -2, 0.5);
  const PulledSystem pulled(system, {{1, force}});
  State s = generic_start(2, 1, 0, 19);
  s.x = s.v = Columns::Zero(3, 1);
  const auto method = prepared("variational", pulled, s);
  const StepReport report = method->advance(pulled, 0.01, s);
  ASSERT_TRUE(report.ok());
  EXPECT_LT((s.v - 0.01 * force / 3).norm(), 1e-15);
  method->complete(pulled, s);
  EXPECT_NEAR(total_energy(*system, s), report.work, 1e-3 * report.work);
}

TEST(FreeChain, RefusesWhatDoesNotGoTogether) {
  const SystemInfo& info = *find_system("free_chain");
  Values values = default_values(info.parameters, 1);
  values["base_mass"] = values["masses"] = values["lengths"] = {1};
  const auto where = [&](const Values& more) {
    Values all = values;
    for (const auto& [key, value] : more) all[key] = value;
    const auto made = info.create(1, all);
    return made ? std::string() : made.error().location;
  };
  EXPECT_EQ(where({}), "");
  EXPECT_EQ(where({{"orbital_rate", {0.1}}}), "");
  EXPECT_EQ(where({{"orbital_rate", {0.1}}, {"thrust", {0, 0, 0, 1}}}), "thrust");
  EXPECT_EQ(where({{"orbital_rate", {0.1}}, {"gravity", {0}}}), "gravity");
  EXPECT_EQ(where({{"thrust", {1, 0, 0, 0, 1, 1}}}), "thrust.type");
  EXPECT_EQ(where({{"thrust", {1, 0, 0, 0, 1, 1}}, {"gravity", {0}}}), "");
  const auto flies = chain(2, 1, {{"gravity", {9.81}}});
  EXPECT_TRUE(find_integrator("variational8")->supports(*flies));
  for (const char* method : {"rattle", "variational_cayley", "variational_adaptive", "rkmk4"})
    EXPECT_EQ(find_integrator(method)->lacks(*flies), "a base that does not fly") << method;
}

}  // namespace
}  // namespace twosphere::test::free_chain_test
