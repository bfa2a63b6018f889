// SPDX-License-Identifier: GPL-3.0-or-later
// Damping of any strength: the exact flow at rest q, creeping where it is strong, and what is
// refused. Damping that is weak is in forces_test.cpp.
#include "core/integrators/damping.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "core/mechanics/diagnostics.h"
#include "core/run/simulation.h"
#include "tests/cases.h"

namespace twosphere::test {
namespace {

/// f integrated from 0 to s, by Gauss' rule of 3 points on parts that grow from the ends.
template <class F>
double integral(F f, double s) {
  double sum = 0;
  double from = 0;
  for (int k = -60; k <= 0; ++k) {
    const double to = s * std::exp2(0.5 * k);
    for (int part = 0; part < 8; ++part) {
      const double width = (to - from) / 8, middle = from + (part + 0.5) * width,
                   off = width / 2 * std::sqrt(0.6);
      sum += width / 18 * (5 * f(middle - off) + 8 * f(middle) + 5 * f(middle + off));
    }
    from = to;
  }
  return sum;
}

TEST(DampedMode, IsTheSolutionAndItsWork) {
  const double m = 0.3, g = -1.7, start = 0.8;
  for (const double s : {0.02, -0.02})
    for (const double x : {1e-12, 1e-6, 0.01, 0.3, 0.499, 0.501, 2.0, 6.0, 40.0, 1e5}) {
      if (s < 0 && x > 6) continue;
      const double c = x * m / std::abs(s);
      const DampedMode mode(m, c, s);
      // v(t) = v + ∫ v̇, v̇ = −(c v(0) + g)/m e^{−c t/m}.
      const double rate = -(c * start + g) / m;
      const auto v = [&](double t) { return start - rate * m / c * std::expm1(-c * t / m); };
      EXPECT_NEAR(start + mode.change * (c * start + g), v(s), 1e-14 * std::abs(v(s))) << x;
      const double work = -c * integral([&](double t) { return v(t) * v(t); }, s);
      EXPECT_NEAR(mode.vv * start * start + mode.vg * start * g + mode.gg * g * g, work,
                  1e-8 * std::abs(work))
          << "x = " << x << ", s = " << s;
      const double way = integral(v, s);
      EXPECT_NEAR(s * start + mode.way * (c * start + g), way, 1e-8 * std::abs(way)) << x;
    }
  const DampedMode weak(m, 1e-300, 0.02), strong(m, 1e300, 0.02);
  EXPECT_DOUBLE_EQ(weak.change, -0.02 / m) << "the kick of the undamped system";
  EXPECT_DOUBLE_EQ(strong.change, -1e-300) << "the terminal velocity";
}

/// Every gravity system, its inertia in every form.
struct Damped {
  const char* name;
  const char* system;
  int n;
  Values values;
  double time;  ///< scale of its motion [s]
  bool matrix = false;
};

const std::vector<Damped>& damped_systems() {
  static const std::vector<Damped> all{
      {"chain",
       "chain_pendulum",
       3,
       {{"masses", {1, 2, 0.5}}, {"lengths", {1, 0.5, 0.75}}, {"tip_force", {2, -1, 0.5}}},
       1},
      {"matrix",
       "chain_pendulum",
       3,
       {{"masses", {1, 2, 0.5}}, {"lengths", {1, 0.5, 0.75}}, {"tip_force", {2, -1, 0.5}}},
       1,
       true},
      {"network",
       "pendulum_network",
       3,
       {{"masses", {0.1, 0.2, 0.1}},
        {"lengths", {0.1, 0.12, 0.1}},
        {"pivots", {0, 0, 0, 0.1, 0, 0, 0, 0.1, 0}},
        {"springs", {0, 1, 10, 1, 2, 20}}},
       0.3},
      {"rod_published",
       "elastic_rod",
       4,
       {{"elements", {4}},
        {"mass", {0.25}},
        {"length", {0.625}},
        {"stiffness", {15, 20, 25, 12}},
        {"clamp_direction", {0.6, 0, 0.8}},
        {"inertia", {0}}},
       0.1},
      {"rod_consistent",
       "elastic_rod",
       4,
       {{"elements", {4}},
        {"mass", {0.25}},
        {"length", {0.625}},
        {"stiffness", {15, 20, 25, 12}},
        {"clamp_direction", {0, 0, 1}},
        {"inertia", {1}}},
       0.1},
      {"particles", "conformal_particles", 3, {{"masses", {1, 2, 0.5}}, {"coupling", {0.6}}}, 1},
  };
  return all;
}

std::unique_ptr<const System> make(const Damped& d, double c) {
  Values values = d.values;
  values["damping"] = {c};
  auto system = system_of(d.system, d.n, values);
  return d.matrix ? as_matrix(std::move(system)) : std::move(system);
}

/// Links of equal mass, in one line but for some disorder.
Damped long_chain(int n) {
  const std::vector<double> ones(static_cast<std::size_t>(n), 1);
  return {"long", "chain_pendulum", n, {{"masses", ones}, {"lengths", ones}}, 1};
}

/// The flow with all eigenvalues of the dense matrix.
void dense_flow(const System& system, const Columns& q, const Columns& g, double s, Columns& v,
                double& work) {
  const auto n = q.cols();
  const double c = system.damping();
  Eigen::MatrixXd frame = Eigen::MatrixXd::Zero(3 * n, 2 * n), mass(3 * n, 3 * n);
  const Eigen::MatrixXd m = dense(system.inertia(), q);
  for (Eigen::Index i = 0; i < n; ++i) {
    frame.block<3, 2>(3 * i, 2 * i) = tangent_basis(q.col(i));
    for (Eigen::Index j = 0; j < n; ++j)
      mass.block<3, 3>(3 * i, 3 * j) = m(i, j) * Mat3::Identity();
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> modes(frame.transpose() * mass * frame);
  const Eigen::MatrixXd basis = frame * modes.eigenvectors();
  const Eigen::VectorXd vs = basis.transpose() * v.reshaped(),
                        gs = basis.transpose() * g.reshaped();
  Eigen::VectorXd change(2 * n);
  for (Eigen::Index j = 0; j < 2 * n; ++j) {
    const DampedMode mode(modes.eigenvalues()[j], c, s);
    change[j] = mode.change * (c * vs[j] + gs[j]);
    work += mode.vv * vs[j] * vs[j] + mode.vg * vs[j] * gs[j] + mode.gg * gs[j] * gs[j];
  }
  v.reshaped() += basis * change;
}

TEST(Damping, IsTheFlowOfTheWholeMatrixToRounding) {
  std::vector<Damped> systems = damped_systems();
  systems.push_back({"many",
                     "conformal_particles",
                     40,
                     {{"masses", std::vector<double>(40, 1)}, {"coupling", {0.05}}},
                     1});
  systems.push_back(long_chain(40));
  systems.push_back(long_chain(120));
  for (const Damped& d : systems)
    for (const double c : {1e-12, 1e-4, 0.1, 10.0, 1e3, 1e5, 1e9, 1e14})
      for (const double s : {0.01, -0.01}) {
        SCOPED_TRACE(std::string(d.name) + " of " + std::to_string(d.n) +
                     ", c = " + std::to_string(c) + ", s = " + std::to_string(s));
        const auto system = make(d, c);
        const State start = generic_start(d.n, 0.8, 1, 54);
        Columns g(3, d.n), v(3, d.n);
        system->gradient(start.q, g);
        for (int i = 0; i < d.n; ++i) v.col(i) = start.w.col(i).cross(start.q.col(i));
        Columns expected = v, found = v;
        double work = 0, expected_work = 0;
        Damping damping(*system);
        const StepStatus status = damping.apply(*system, start.q, g, s, found, work);
        if (status == StepStatus::damping_too_strong) {
          EXPECT_LT(s, 0);
          EXPECT_GE(c, 0.1);
          EXPECT_EQ(found, v);
          EXPECT_EQ(work, 0);
          continue;
        }
        ASSERT_EQ(status, StepStatus::ok);
        dense_flow(*system, start.q, g, s, expected, expected_work);
        EXPECT_LT((found - expected).norm(), 1e-13 * (v.norm() + expected.norm()));
        EXPECT_LT((found - v - damping.change()).norm(), 1e-15 * (v.norm() + found.norm()));
        // It is the difference of the kinetic energy's change and of the potential's work.
        const double energy = kinetic_energy(system->inertia(), start.q, v) +
                              kinetic_energy(system->inertia(), start.q, found);
        EXPECT_NEAR(work, expected_work, 1e-12 * (energy + std::abs(s) * g.norm() * v.norm()));
        if (s > 0) {
          EXPECT_LE(work, 0);
        }
        for (int i = 0; i < d.n; ++i)
          EXPECT_LT(std::abs(found.col(i).dot(start.q.col(i))), 1e-14 * (v.norm() + found.norm()));
      }
}

struct Pair {
  Damped system;
  std::string method;
};
void PrintTo(const Pair& p, std::ostream* out) { *out << p.method << " on " << p.system.name; }

bool composed(const std::string& method) { return method_info(method).order > 2; }

/// Every system with every method that keeps the sphere and the symplectic form.
std::vector<Pair> pairs() {
  std::vector<Pair> all;
  for (const Damped& d : damped_systems())
    for (const IntegratorCase& i : integrator_cases()) {
      const IntegratorInfo& info = method_info(i.key);
      if (info.symplectic && (!info.applies || info.applies(make(d, 0)->inertia())))
        all.push_back({d, i.key});
    }
  return all;
}

class StrongDamping : public testing::TestWithParam<Pair> {
 protected:
  const Damped& d = GetParam().system;
  const std::string& method = GetParam().method;
  State start(double speed = 0) const { return generic_start(d.n, 0.8, speed, 55); }

  /// The state after so many steps; nothing if one is refused.
  std::optional<State> after(double c, double h, long steps, double speed = 0) const {
    const auto system = make(d, c);
    State s = start(speed);
    auto integrator = make_integrator(method);
    integrator->prepare(*system, s);
    if (!march(*system, *integrator, h, steps, s)) return {};
    return s;
  }
  /// How far the directions are from the start, all together.
  double moved(const State& s) const { return (s.q - start().q).norm(); }
};
INSTANTIATE_TEST_SUITE_P(Catalog, StrongDamping, testing::ValuesIn(pairs()),
                         [](const auto& p) { return p.param.method + "_" + p.param.system.name; });

/// q̇_i = −Π_i G_i/c, by RK4.
Columns creep(const System& system, Columns q, double time, int steps) {
  const auto rate = [&](const Columns& at) {
    Columns g(3, at.cols()), f(3, at.cols());
    f.setZero();
    generalised_gradient(system, 0, at, g, f);
    for (Eigen::Index i = 0; i < at.cols(); ++i)
      g.col(i) = tangent(at.col(i).normalized(), g.col(i)) / -system.damping();
    return g;
  };
  const double h = time / steps;
  for (int k = 0; k < steps; ++k) {
    const Columns a = rate(q), b = rate(q + h / 2 * a), c = rate(q + h / 2 * b),
                  e = rate(q + h * c);
    q += h / 6 * (a + 2 * b + 2 * c + e);
  }
  q.colwise().normalize();
  return q;
}

TEST_P(StrongDamping, CreepsAsForcesAndDampingBalance) {
  for (const double c : {1e3, 1e9}) {
    // As long as it takes to come half the way, in 400 steps: s c/M is 10 and more, up to 1e19.
    const auto system = make(d, c);
    Columns g(3, d.n), f(3, d.n);
    f.setZero();
    generalised_gradient(*system, 0, start().q, g, f);
    const double time = 0.5 * c / g.colwise().norm().maxCoeff();
    for (const double duration : {time, 1e-3 * time}) {
      if (c < 1e9 && duration < time) continue;  // too short for masses to be slow
      SCOPED_TRACE("c = " + std::to_string(c) + " for " + std::to_string(duration) + " s");
      const auto found = after(c, duration / 400, 400);
      if (composed(method)) {
        EXPECT_FALSE(found) << "stages that go back in time";
        continue;
      }
      ASSERT_TRUE(found);
      const Columns expected = creep(*system, start().q, duration, 400);
      const double way = (expected - start().q).norm();
      EXPECT_LT((found->q - expected).norm(), 0.005 * way);
      generalised_gradient(*system, 0, found->q, g, f);
      for (int i = 0; i < d.n; ++i) {
        const Vec3 terminal = -found->q.col(i).cross(g.col(i)) / c;
        EXPECT_LT((found->w.col(i) - terminal).norm(), (c < 1e9 ? 1e-3 : 1e-6) * terminal.norm());
      }
    }
  }
}

TEST_P(StrongDamping, MovesLessTheStrongerItIs) {
  // From rest, by the step that a motion without damping takes.
  double before = std::numeric_limits<double>::infinity();
  int taken = 0;
  for (const double c :
       {0.0, 1e-6, 1e-4, 1e-3, 0.01, 0.1, 1.0, 10.0, 100.0, 1e3, 1e5, 1e7, 1e9, 1e12}) {
    const auto end = after(c, 0.001 * d.time, 100);
    if (!end && composed(method)) continue;
    ASSERT_TRUE(end) << c;
    ++taken;
    EXPECT_LE(moved(*end), before * (1 + 1e-12)) << c;
    before = moved(*end);
    if (c >= 1e9) {
      EXPECT_LT(moved(*end), 1e-8) << "at rest";
    }
  }
  EXPECT_GE(taken, 3);
}

TEST_P(StrongDamping, IsThatOfTightRungeKuttaAndConvergesWithOrderTwo) {
  for (const double c : {10.0, 1e3}) {
    const auto system = make(d, c);
    Eigen::VectorXd m(d.n);
    diagonal(system->inertia(), start().q, m);
    const double rate = c / m.minCoeff();
    const auto expected = [&](double duration) {
      State s = start(1);
      auto reference = make_integrator(
          "rk45", {{"relative_tolerance", {1e-11}}, {"absolute_tolerance", {1e-13}}});
      reference->prepare(*system, s);
      EXPECT_TRUE(march(*system, *reference, duration / 10, 10, s));
      return s;
    };
    // Steps that a motion without damping takes, far above what the damping would need.
    const double duration = std::min(0.3 * d.time, 1e4 / rate);
    const State end = expected(duration);
    if (const auto found = after(c, duration / 300, 300, 1)) {
      // Where the first half of a step takes all of the start's velocity, the way that this goes
      // meanwhile is lost.
      const double lost = std::min(m.maxCoeff() / c, duration / 300) * start(1).w.norm();
      EXPECT_LT((found->q - end.q).norm(), 0.02 * (start(1).q - end.q).norm() + lost)
          << "c = " << c;
    } else {
      EXPECT_TRUE(composed(method));
    }
    if (composed(method)) continue;
    const double shortened = std::min(0.3 * d.time, 100 / rate);
    const State close = expected(shortened);
    std::vector<double> errors;
    for (const long steps : {1000, 2000}) {
      const auto found = after(c, shortened / static_cast<double>(steps), steps, 1);
      ASSERT_TRUE(found) << steps;
      errors.push_back(distance(*found, close));
    }
    EXPECT_NEAR(std::log2(errors[0] / errors[1]), 2, 0.2)
        << "c = " << c << ", errors " << errors[0] << ", " << errors[1];
  }
}

TEST_P(StrongDamping, IsAccountedForByItsWork) {
  int measured = 0;
  for (const double c : {1.0, 10.0, 1e3, 1e9}) {
    const auto system = make(d, c);
    Columns g(3, d.n), f(3, d.n);
    f.setZero();
    generalised_gradient(*system, 0, start().q, g, f);
    const double time = std::min(d.time, 0.5 * c / g.colwise().norm().maxCoeff());
    State s = start(0.5);
    auto integrator = make_integrator(method);
    integrator->prepare(*system, s);
    const double begun = total_energy(*system, s);
    CompensatedSum work;
    double worst = 0;
    bool refused = false;
    for (int k = 0; k < 400 && !refused; ++k) {
      s.t = k * time / 400;
      const StepReport report = integrator->advance(*system, time / 400, s);
      refused = !report.ok();
      if (!refused && !composed(method) && !system->driven()) {
        ASSERT_LE(report.work, 0);
      }
      if (refused) continue;
      work.add(report.work);
      integrator->complete(*system, s);
      worst = std::max(worst, std::abs(total_energy(*system, s) - begun - work.value()));
    }
    if (refused && composed(method)) continue;
    ASSERT_FALSE(refused);
    // Compositions are rough before they are refused.
    EXPECT_LT(worst, (composed(method) ? 0.05 : 0.02) * std::abs(total_energy(*system, s) - begun))
        << "c = " << c;
    ++measured;
  }
  EXPECT_GE(measured, composed(method) ? 1 : 4);
}

TEST_P(StrongDamping, IsRefusedWithTheWayOutWhereStagesGoBackInTime) {
  const auto system = make(d, 1e6);
  State s = start(1);
  const State before = s;
  auto integrator = make_integrator(method);
  integrator->prepare(*system, s);
  const double h = 0.001 * d.time;
  const StepReport forth = integrator->advance(*system, h, s);
  EXPECT_EQ(forth.ok(), !composed(method));
  if (!forth.ok()) {
    EXPECT_EQ(forth.status, StepStatus::damping_too_strong);
    EXPECT_EQ(s.q, before.q);
    EXPECT_EQ(s.w, before.w);
    EXPECT_NE(describe(forth.status).find("order 2"), std::string_view::npos);
  }
  s = before;
  integrator->prepare(*system, s);
  EXPECT_EQ(integrator->advance(*system, -h, s).status, StepStatus::damping_too_strong);
  EXPECT_EQ(s.w, before.w);
}

/// The presets' own steps, and the strongest damping that the window offers.
TEST(StrongDampingOfThePresets, IsTrue) {
  const auto end = [](const char* preset, const char* method, double h, double duration) {
    auto scenario = read_scenario(find_preset(preset)->text, preset);
    EXPECT_TRUE(scenario);
    auto edited = with_settings(*scenario, {{"system.damping", json::Node(10.0)},
                                            {"integrator.type", json::Node(std::string(method))},
                                            {"integrator.step", json::Node(h)},
                                            {"duration", json::Node(duration)}});
    EXPECT_TRUE(edited) << edited.error().text();
    auto run = Simulation::create(*edited);
    EXPECT_TRUE(run);
    while (!run->finished())
      if (run->step()) return Columns();
    return run->state(0).q;
  };
  // The third pendulum after 2 s, 0.4566, 0.1671 by extended precision.
  const Columns network = end("pendulum_network", "rk45", 0.005, 2);
  ASSERT_EQ(network.cols(), 4);
  EXPECT_NEAR(network(0, 2), 0.4566, 1e-3);
  EXPECT_NEAR(network(1, 2), 0.1671, 1e-3);
  for (const char* method : {"variational", "variational_cayley", "rotation"}) {
    const Columns found = end("pendulum_network", method, 0.005, 2);
    ASSERT_EQ(found.cols(), 4) << method;
    EXPECT_NEAR(found(0, 2), 0.4566, 1e-4) << method;
    EXPECT_NEAR(found(1, 2), 0.1671, 1e-4) << method;
  }
  // Compositions are as good or refused, at 440 times what is there with an error of 7 %.
  EXPECT_EQ(end("pendulum_network", "variational4", 0.005, 2).cols(), 0);
  for (const char* method : {"rotation4", "rotation6"}) {
    const Columns found = end("pendulum_network", method, 0.005, 2);
    ASSERT_EQ(found.cols(), 4) << method;
    EXPECT_NEAR(found(0, 2), 0.4566, 1e-4) << method;
  }
  // The rod's tip rises a little: 0.00012 after half a second.
  const Columns rod = end("elastic_rod", "variational", 1e-4, 0.5);
  ASSERT_EQ(rod.cols(), 10);
  EXPECT_NEAR(rod(2, 9), 1.2e-4, 2e-5);
}

}  // namespace
}  // namespace twosphere::test
