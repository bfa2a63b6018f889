// SPDX-License-Identifier: GPL-3.0-or-later
// advance() and complete() allocate nothing, whatever the system and the method; nor does
// geometry() where its result is used again.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

#include "core/base/workspace_pool.h"
#include "core/mechanics/diagnostics.h"
#include "core/mechanics/free_base.h"
#include "core/mechanics/linear_terms.h"
#include "tests/allocations.h"
#include "tests/cases.h"
#include "tests/windy.h"

namespace twosphere::test::allocation_test {
namespace {

TEST(Allocation, IsCounted) {
  ASSERT_TRUE(hooked);
  const long before = allocations;
  auto one = std::make_unique<double>(1);
  Eigen::MatrixXd two = Eigen::MatrixXd::Constant(3, 3, *one);
  auto three = std::make_unique<Eigen::Matrix4d>(Eigen::Matrix4d::Constant(two.sum()));
  EXPECT_GE(allocations - before, 3) << three->sum();
}

TEST(Allocation, NoneInGivingAWorkspaceBack) {
  Pool<std::vector<double>> pool;
  std::vector<std::unique_ptr<Pool<std::vector<double>>::Lease>> leases;
  for (int k = 0; k < 100; ++k)
    leases.emplace_back(
        new Pool<std::vector<double>>::Lease(pool.take([] { return std::vector<double>(3); })));
  const long before = allocations;
  leases.clear();
  for (int k = 0; k < 100; ++k) EXPECT_EQ(pool.take()->size(), 3U) << "one of those";
  EXPECT_EQ(allocations - before, 0);
}

std::vector<double> each(int n, double value) {
  return std::vector<double>(static_cast<std::size_t>(n), value);
}
SystemCase chain(int n, bool matrix) {
  Values values =
      values_from("gravity 9.81; damping 0.01; control_torque 0 1 0 0; tip_force 0 0 1 0");
  values["masses"] = values["lengths"] = each(n, 1);
  const std::string name = fmt::format("{}_{}", matrix ? "matrix" : "chain", n);
  return {name, "chain_pendulum", n, values, 0.5, 0.1, 0.1, 0, matrix};
}
SystemCase rod(int n) {
  Values values = values_from(
      "gravity 9.81; clamp_direction 1 0 0; inertia 1; damping 1e-4; ends 0; bending 0; "
      "closing_stiffness");
  values["elements"] = {static_cast<double>(n)};
  values["mass"] = {0.005 * (n + 1)};
  values["length"] = {0.1 * (n + 1)};
  values["stiffness"] = each(n, 1000);
  return {fmt::format("rod_{}", n), "elastic_rod", n, values, 0.05, 0.5, 1e-4};
}
SystemCase network(int n) {
  Values values = values_from("gravity 9.81; damping 1e-3");
  values["masses"] = values["lengths"] = each(n, 0.1);
  for (int i = 0; i < n; ++i) {
    for (const double x : {0.1 * i, 0.0, 0.0}) values["pivots"].push_back(x);
    if (i > 0)
      for (const double x : {i - 1.0, 1.0 * i, 10.0}) values["springs"].push_back(x);
  }
  return {fmt::format("network_{}", n), "pendulum_network", n, values, 0.4, 2, 0.1};
}
SystemCase bodies(int n) {
  const Values values{{"masses", each(n, 1)}, {"gamma", {1e-6}}};
  return {fmt::format("bodies_{}", n), "n_body", n, values, everywhere, 0.5, 0.1};
}
SystemCase molecules(int n) {
  Values values = values_from("epsilon 0.01; sigma 0.002; cutoff");
  values["masses"] = each(n, 1);
  return {fmt::format("molecules_{}", n), "lennard_jones", n, values, everywhere, 0.1, 0.1};
}
SystemCase particles(int n) {
  Values values = values_from("slope 1; gravity 2; damping 0.1");
  values["masses"] = each(n, 1);
  values["coupling"] = {0.1 / n};
  return {fmt::format("particles_{}", n), "conformal_particles", n, values, 1, 1, 0.1};
}

/// The cases, and larger ones, where much is done in blocks.
std::vector<SystemCase> cases() {
  std::vector<SystemCase> all = system_cases();
  all.insert(all.end(), linear_cases().begin(), linear_cases().end());
  for (const int n : {33, 200, 1000})
    for (const SystemCase& c : {chain(n, false), rod(n), network(n), bodies(n), molecules(n)})
      all.push_back(c);
  for (const int n : {33, 200}) all.push_back(chain(n, true));
  for (const int n : {20, 100}) all.push_back(particles(n));
  return all;
}

/// The four variational methods and five that any system takes; the Cayley form is not of a
/// variable inertia, rotations are of uncoupled bodies, and alone take strengths.
int min_methods(const SystemCase& c, const System& system) {
  if (has_linear_terms(system)) return 9;
  const Inertia& inertia = system.inertia();
  const int cayley = c.n <= 200 && !std::holds_alternative<VariableInertia>(inertia);
  return 9 + cayley + (std::holds_alternative<DiagonalInertia>(inertia) ? 4 : 0);
}

class Allocation : public testing::TestWithParam<SystemCase> {};
INSTANTIATE_TEST_SUITE_P(Systems, Allocation, testing::ValuesIn(cases()),
                         [](const auto& p) { return p.param.name; });

TEST_P(Allocation, NoneInAStepOfAnyMethod) {
  const SystemCase& c = GetParam();
  const auto system = make_system(c);
  const int steps = c.n < 100 ? 20 : 1;
  int methods = 0;
  for (const IntegratorCase& method : integrator_cases()) {
    if (!fits(method_info(method.key), c)) continue;
    if (c.n > 200 && method.key == "variational_cayley") continue;  // a step takes a minute
    // Of a thousand molecules some are in one another, and are not resolved.
    const bool resolves = method_info(method.key).adaptive && method_info(method.key).reversible;
    if (c.n > 200 && c.system == "lennard_jones" && (resolves || method.key == "gauss16")) continue;
    const bool formulated = method_info(method.key).reversible == false;
    const double h = 0.005 * c.time;
    for (double f = 0; f < (formulated ? 4 : 1); ++f) {
      Values values;
      if (formulated) values["formulation"] = {f};
      // Of a thousand bodies some meet.
      if (c.system == "n_body" && method_info(method.key).adaptive && !formulated)
        values["first_step"] = {h / 20};
      State s = generic_start(c.n, c.spread, c.speed, 71);
      auto integrator = prepared(method.key, *system, s, values);
      bool ok = true;
      const long before = allocations;
      // There, a step that is refused (an adaptive method tries for long), and back.
      for (int k = 0; k < steps; ++k) {
        ok = integrator->advance(*system, h, s).ok() && ok;
        integrator->complete(*system, s);
      }
      const bool refused =
          method_info(method.key).adaptive || !integrator->advance(*system, 1e200, s).ok();
      for (int k = 0; k < steps; ++k) {
        ok = integrator->advance(*system, -h, s).ok() && ok;
        integrator->complete(*system, s);
      }
      EXPECT_EQ(allocations - before, 0) << method.key << ", formulation " << f;
      EXPECT_TRUE(ok && refused) << method.key;
    }
    ++methods;
  }
  EXPECT_GE(methods, min_methods(c, *system));
}

TEST_P(Allocation, NoneInAFigureThatIsFilledAgain) {
  const SystemCase& c = GetParam();
  if (!c.text.empty()) GTEST_SKIP() << "not applicable: figures of texts are evaluated in vectors";
  const auto system = make_system(c);
  const State s = generic_start(c.n, c.spread, c.speed, 71);
  Geometry figure;
  system->geometry(s.q, figure);
  const std::size_t balls = figure.bodies.size();
  const long before = allocations;
  system->geometry(s.q, figure);
  EXPECT_EQ(allocations - before, 0);
  EXPECT_EQ(figure.bodies.size(), balls);
}

TEST(Allocation, NoneInAStepWithForcesOfVelocities) {
  for (const SystemCase& c : {chain(5, false), chain(5, true), rod(5), network(5)}) {
    const Windy system(make_system(c), {.drag = 1e-3, .charge = 1e-3});
    int methods = 0;
    for (const IntegratorCase& method : integrator_cases()) {
      if (!find_integrator(method.key) || !fits(method_info(method.key), c)) continue;
      State s = generic_start(c.n, c.spread, c.speed, 71);
      auto integrator = prepared(method.key, system, s);
      bool ok = true;
      const long before = allocations;
      for (int k = 0; k < 5; ++k) ok = integrator->advance(system, 0.005 * c.time, s).ok() && ok;
      EXPECT_EQ(allocations - before, 0) << method.key << " on " << c.name;
      EXPECT_TRUE(ok) << method.key << " on " << c.name;
      ++methods;
    }
    EXPECT_GE(methods, min_methods(c, system)) << c.name;
  }
}

TEST(Allocation, NoneInAStepOfAHeldBase) {
  constexpr int n = 40;
  const auto system = system_of("free_chain", n,
                                {{"base_mass", {1.5}},
                                 {"masses", std::vector<double>(n, 0.1)},
                                 {"lengths", std::vector<double>(n, 0.2)},
                                 {"gravity", {9.81}},
                                 {"thrust", {1, 0.3, 0.2, -0.1, 6, 6}}});
  State s = generic_start(n, 0.3, 0.1, 71);
  s.x = -system->free_base()->from_centre(s.q);
  s.v = Columns::Zero(3, 1);
  const auto method = prepared("variational", *system, s);
  ASSERT_TRUE(method->advance(*system, 1e-3, s).ok());
  const long before = allocations;
  EXPECT_TRUE(method->advance(*system, 1e-3, s).ok());
  EXPECT_EQ(allocations - before, 0);
}

TEST_P(Allocation, NoneInAStepWithTangentVectorsButTheFirst) {
  SystemCase c = GetParam();
  auto system = make_system(c);
  const Inertia& inertia = system->inertia();
  const bool uncoupled = std::holds_alternative<DiagonalInertia>(inertia);
  const bool variable = std::holds_alternative<VariableInertia>(inertia);
  // Coupled bodies with kinetic energy have tangent maps without damping alone.
  const bool slow = first_order(*system);
  if (damped(*system) && !uncoupled && !slow) {
    c.values["damping"] = {0};
    system = make_system(c);
  }
  int maps = 0;
  for (const char* method :
       {"variational", "variational4", "variational_cayley", "rotation4", "spherical_midpoint4"}) {
    if (!fits(method_info(method), c)) continue;
    if (c.n > 100 && std::string_view(method) == "variational_cayley") continue;
    State s = generic_start(c.n, c.spread, c.speed, 71);
    auto integrator = prepared(method, *system, s);
    TangentMap* map = integrator->tangent_map(*system);
    if (!map) continue;
    // Vectors along the motion, or where ω follows from q any that are not 0.
    const Columns along = slow ? generic_start(c.n, c.spread, 1, 71).w : s.w;
    std::vector<TangentVector> vectors(2, TangentVector{along, along});
    const double h = 0.005 * c.time;
    EXPECT_TRUE(map->advance(*system, h, s, vectors).ok());
    const long before = allocations;
    EXPECT_TRUE(map->advance(*system, h, s, vectors).ok());
    EXPECT_EQ(allocations - before, 0) << method;
    ++maps;
  }
  const bool any = !system->has_velocity_force() && (uncoupled || !damped(*system));
  const int cayley = c.n <= 100 && !variable && !damped(*system);
  // With strengths rotations have one, and in axes that rotate variational methods, too.
  const int expected = slow                          ? 1
                       : has_strength(*system)       ? int{uncoupled}
                       : !any                        ? 0
                       : has_frame_rotation(*system) ? 2 + uncoupled
                                                     : 2 + cayley + uncoupled;
  EXPECT_EQ(maps, expected) << c.name;
}

TEST(Allocation, NoneInAStepOfManyMagnets) {
  const std::vector<double> ones(170, 1);
  Values magnets{{"masses", ones}, {"lengths", ones}, {"moments", ones}, {"positions", {}}};
  magnets["lattice"] = {10, 17, 1};
  const auto lattice = system_of("dipole_array", 170, magnets);
  magnets["lattice"].clear();
  for (int i = 0; i < 170; ++i)
    magnets["positions"].insert(magnets["positions"].end(),
                                {double(i % 6), double(i / 6 % 6), double(i / 36)});
  const auto anywhere = system_of("dipole_array", 170, magnets);
  for (const System* system : {lattice.get(), anywhere.get()})
    for (const char* method : {"variational", "variational4", "rotation", "rk4"}) {
      State s = generic_start(170, 1, 1, 72);
      auto integrator = prepared(method, *system, s);
      double energy = total_energy(*system, s);
      const long before = allocations;
      for (int k = 0; k < 3; ++k) {
        EXPECT_TRUE(integrator->advance(*system, 1e-3, s).ok());
        integrator->complete(*system, s);
        energy += system->potential(s.q);
      }
      EXPECT_EQ(allocations - before, 0) << method << energy;
    }
}

TEST(Allocation, NoneInNewtonsMethodOfManySpins) {
  // Sweeps alone, and where they would be too many, in steps after any preparation.
  for (const int side : {6, 7})
    for (const double h : {0.02, 0.25}) {
      const int n = side * side;
      const auto system = system_of("spins", n,
                                    {{"lattice", {1, double(side), double(side), 1, 1, 1}},
                                     {"dm", {1, 0.3}},
                                     {"anisotropy", std::vector<double>(std::size_t(n), 0.2)}});
      State s = generic_start(n, everywhere, 0, 74);
      auto integrator = prepared("spherical_midpoint", *system, s);
      (void)total_energy(*system, s);  // memory of the lattice
      int sweeps = 0, most = 0;
      for (int k = 0; k < 3; ++k) {
        const long before = allocations;
        const StepReport report = integrator->advance(*system, h, s);
        EXPECT_EQ(allocations - before, 0) << side << ", h " << h;
        EXPECT_TRUE(report.ok()) << describe(report.status);
        sweeps = std::max(sweeps, report.sweeps);
        most = std::max(most, report.iterations);
        integrator->prepare(*system, s);
      }
      EXPECT_EQ(sweeps > most, h > 0.1) << sweeps << ' ' << most << ": Newton's method is used";
    }
}

TEST(Allocation, NoneInAStepOfMoleculesWithACutoff) {
  constexpr int n = 300;
  const auto system = system_of("lennard_jones", n,
                                {{"masses", std::vector<double>(n, 1)},
                                 {"epsilon", {0.01}},
                                 {"sigma", {0.002}},
                                 {"cutoff", {0.15}}});
  for (const char* method : {"variational", "variational4", "rotation", "rk4"}) {
    State s = generic_start(n, everywhere, 0.1, 71);
    auto integrator = prepared(method, *system, s);
    const long before = allocations;
    for (int k = 0; k < 20; ++k) EXPECT_TRUE(integrator->advance(*system, 1e-3, s).ok());
    EXPECT_EQ(allocations - before, 0) << method;
  }
}

}  // namespace
}  // namespace twosphere::test::allocation_test
