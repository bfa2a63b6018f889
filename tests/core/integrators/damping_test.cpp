// SPDX-License-Identifier: GPL-3.0-or-later
// Damping of any strength: the exact flow at rest q, creeping where it is strong, and what is
// refused. Damping that is weak is in forces_test.cpp.
#include "core/integrators/damping.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/mechanics/diagnostics.h"
#include "core/run/simulation.h"
#include "core/scenario/live_edit.h"
#include "core/studies/published.h"
#include "tests/outcome.h"
#include "tests/pairs.h"
#include "tests/recast.h"
#include "tests/runs.h"

namespace twosphere::test::damping_test {
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
  int modes = 0;
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
                  1e-8 * std::abs(work))  // measured: 3.5e-9
          << "x = " << x << ", s = " << s;
      const double way = integral(v, s);
      EXPECT_NEAR(s * start + mode.way * (c * start + g), way, 1e-9 * std::abs(way)) << x;
      ++modes;
    }
  EXPECT_EQ(modes, 18) << "of 20; there is no way back from the strongest two";
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
  bool pd = false;  ///< only the first link is damped more, by PD control
};

const std::vector<Damped>& damped_systems() {
  static const std::vector<Damped> all{
      {"chain", "chain_pendulum", 3,
       values_from("masses 1 2 0.5; lengths 1 0.5 0.75; tip_force 0 2 -1 0.5"), 1},
      {"matrix", "chain_pendulum", 3,
       values_from("masses 1 2 0.5; lengths 1 0.5 0.75; tip_force 0 2 -1 0.5"), 1, true},
      {"network", "pendulum_network", 3,
       values_from("masses 0.1 0.2 0.1; lengths 0.1 0.12 0.1; pivots 0 0 0 0.1 0 0 0 0.1 0; "
                   "springs 0 1 10 1 2 20"),
       0.3},
      {"rod_published", "elastic_rod", 4,
       values_from("elements 4; mass 0.25; length 0.625; stiffness 15 20 25 12; "
                   "clamp_direction 0.6 0 0.8; inertia 0"),
       0.1},
      {"rod_consistent", "elastic_rod", 4,
       values_from("elements 4; mass 0.25; length 0.625; stiffness 15 20 25 12; "
                   "clamp_direction 0 0 1; inertia 1"),
       0.1},
      {"particles", "conformal_particles", 3, values_from("masses 1 2 0.5; coupling 0.6"), 1},
  };
  return all;
}

std::unique_ptr<const System> make(const Damped& d, double c) {
  Values values = d.values;
  if (d.pd)
    values["control_torque"] = {2, 3, 0, -4, 5, c};
  else
    values["damping"] = {c};
  auto system = system_of(d.system, d.n, values);
  return d.matrix ? as_matrix(std::move(system)) : std::move(system);
}

/// Links of equal mass, in one line but for some disorder.
Damped long_chain(int n) {
  const std::vector<double> ones(static_cast<std::size_t>(n), 1);
  return {"long", "chain_pendulum", n, {{"masses", ones}, {"lengths", ones}}, 1};
}

/// Chains of which PD control damps the first link, alone or beside weak damping of all.
std::vector<Damped> controlled_chains() {
  const Values links{{"masses", {1, 2, 0.5}}, {"lengths", {1, 0.5, 0.75}}};
  Values weak = links;
  weak["damping"] = {0.1};
  std::vector<Damped> all{{"pd", "chain_pendulum", 3, links, 1},
                          {"pd_matrix", "chain_pendulum", 3, links, 1, true},
                          {"pd_and_damping", "chain_pendulum", 3, weak, 1}};
  for (const int n : {1, 40}) {
    all.push_back(long_chain(n));
    all.back().name = "pd_long";
  }
  for (Damped& d : all) d.pd = true;
  return all;
}

/// The flow with all eigenvalues of the dense matrices, in more digits: where damping is uneven
/// those of what is weak would be lost beside what is strong.
void dense_flow(const System& system, const Columns& q, const Columns& g, double s, Columns& v,
                double& work) {
  using Real = long double;
  using Matrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;
  using Vector = Eigen::Matrix<Real, Eigen::Dynamic, 1>;
  const auto n = q.cols();
  Matrix frame = Matrix::Zero(3 * n, 2 * n), mass(3 * n, 3 * n), drag = Matrix::Zero(3 * n, 3 * n);
  const Eigen::MatrixXd m = dense(system.inertia(), q);
  for (Eigen::Index i = 0; i < n; ++i) {
    frame.block<3, 2>(3 * i, 2 * i) = tangent_basis(q.col(i)).cast<Real>();
    drag.block<3, 3>(3 * i, 3 * i).diagonal().setConstant(Real(system.damping()[i]));
    for (Eigen::Index j = 0; j < n; ++j)
      mass.block<3, 3>(3 * i, 3 * j) = Real(m(i, j)) * Eigen::Matrix<Real, 3, 3>::Identity();
  }
  // K u = θ (K + αC) u, uᵀ(K + αC) u = 1: modes of mass θ and damping (1 − θ)/α.
  const Real shift = std::abs(s) / 16;
  const Matrix k = frame.transpose() * mass * frame, c = frame.transpose() * drag * frame;
  const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix> modes(k, k + shift * c);
  const Matrix basis = frame * modes.eigenvectors();
  const Vector all_v = v.reshaped().cast<Real>(), all_g = g.reshaped().cast<Real>();
  const Vector vs = basis.transpose() * (mass * all_v + shift * (drag * all_v)),
               gs = basis.transpose() * all_g;
  Vector change(2 * n);
  for (Eigen::Index j = 0; j < 2 * n; ++j) {
    const Real theta = std::clamp(modes.eigenvalues()[j], Real(1e-30), Real(1));
    const DampedMode mode(static_cast<double>(theta), static_cast<double>((1 - theta) / shift), s);
    change[j] = mode.change * (mode.c * vs[j] + gs[j]);
    work += static_cast<double>(mode.vv * vs[j] * vs[j] + mode.vg * vs[j] * gs[j] +
                                mode.gg * gs[j] * gs[j]);
  }
  v.reshaped() += (basis * change).cast<double>();
}

TEST(Damping, IsTheFlowOfTheWholeMatrixToRounding) {
  std::vector<Damped> systems = damped_systems();
  systems.push_back({"many",
                     "conformal_particles",
                     40,
                     {{"masses", std::vector<double>(40, 1)}, {"coupling", {0.05}}},
                     1});
  systems.push_back(long_chain(40));
  systems.push_back(long_chain(80));
  for (const Damped& d : controlled_chains()) systems.push_back(d);
  int forth = 0, back = 0, refused = 0;
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
        const StepStatus status = damping.apply(*system, 0, start.q, g, s, found, work);
        if (status == StepStatus::damping_too_strong) {
          EXPECT_LT(s, 0);
          EXPECT_GE(c, 0.1);
          EXPECT_EQ(found, v);
          EXPECT_EQ(work, 0);
          ++refused;
          continue;
        }
        ASSERT_EQ(status, StepStatus::ok);
        ++(s > 0 ? forth : back);
        dense_flow(*system, start.q, g, s, expected, expected_work);
        EXPECT_LT((found - expected).norm(), 1e-13 * (v.norm() + expected.norm()));
        EXPECT_LT((found - v - damping.change()).norm(), 1e-15 * (v.norm() + found.norm()));
        // It is the difference of the kinetic energy's change and of the potential's work.
        const double energy = kinetic_energy(system->inertia(), start.q, v) +
                              kinetic_energy(system->inertia(), start.q, found);
        // Of a mode of mass 1e-12 among others the dense solution knows 8 digits.
        if (!d.pd || c < 1e12) {
          EXPECT_NEAR(work, expected_work,
                      2e-13 * (energy + std::abs(s) * g.norm() * v.norm()));  // measured: 2e-14
        }
        if (s > 0) {
          EXPECT_LE(work, 1e-14 * energy) << "but for rounding";
        }
        for (int i = 0; i < d.n; ++i)
          EXPECT_LT(std::abs(found.col(i).dot(start.q.col(i))),
                    1e-15 * (v.norm() + found.norm()));  // measured: 8e-17
      }
  const int all = static_cast<int>(systems.size());
  EXPECT_EQ(forth, 8 * all);
  EXPECT_EQ(back, 51);
  EXPECT_EQ(back + refused, 8 * all);
}

void PrintTo(const Damped& d, std::ostream* out) { *out << d.name; }

bool composed(const std::string& method) { return method_info(method).order > 2; }

/// Every system with every method that keeps the sphere and the symplectic form.
std::vector<PairOf<Damped>> symplectic_pairs() {
  return pairs_of(damped_systems(), [](const PairOf<Damped>& p) {
    const IntegratorInfo& info = method_info(p.method.key);
    return info.symplectic && info.supports(*make(p.system, 0));
  });
}

struct StrongDamping : testing::TestWithParam<PairOf<Damped>> {
  const Damped& d = GetParam().system;
  const std::string& method = GetParam().method.key;
  State start(double speed = 0) const { return generic_start(d.n, 0.8, speed, 55); }

  /// The state after so many steps; nothing if one is refused.
  std::optional<State> after(double c, double h, long steps, double speed = 0) const {
    const auto system = make(d, c);
    State s = start(speed);
    auto integrator = prepared(method, *system, s);
    if (!march(*system, *integrator, h, steps, s)) return {};
    return s;
  }
  /// How far the directions are from the start, all together.
  double moved(const State& s) const { return (s.q - start().q).norm(); }
};
INSTANTIATE_TEST_SUITE_P(Catalog, StrongDamping, testing::ValuesIn(symplectic_pairs()),
                         pair_name<Damped>);

std::vector<std::string> methods() {
  std::vector<std::string> keys;
  for (const IntegratorCase& method : integrator_cases()) keys.push_back(method.key);
  return keys;
}

/// One for each method, so that whoever asks for the tests of a method learns whether it has any.
class StrongDampingOf : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Catalog, StrongDampingOf, testing::ValuesIn(methods()),
                         [](const auto& p) { return p.param; });

TEST_P(StrongDampingOf, ASymplecticMethodIsTested) {
  const std::string& key = GetParam();
  if (method_info(key).takes.first_order && method_info(key).symplectic)
    GTEST_SKIP() << "not applicable: " << key << " needs no limit of strong damping";
  if (!method_info(key).symplectic)
    GTEST_SKIP() << "not applicable: these are tests of symplectic methods, which " << key
                 << " is not";
  const auto all = symplectic_pairs();
  EXPECT_TRUE(
      std::any_of(all.begin(), all.end(), [&](const auto& p) { return p.method.key == key; }))
      << key << " fits none of the damped systems";
}

/// q̇_i = −Π_i G_i/c, by RK4.
Columns creep(const System& system, Columns q, double time, int steps) {
  const auto rate = [&](const Columns& at) {
    Columns g(3, at.cols()), f(3, at.cols());
    f.setZero();
    generalised_gradient(system, 0, at, g, f);
    for (Eigen::Index i = 0; i < at.cols(); ++i)
      g.col(i) = tangent(at.col(i).normalized(), g.col(i)) / -system.damping()[i];
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
  int crept = 0;
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
        EXPECT_LT((found->w.col(i) - terminal).norm(), (c < 1e9 ? 1e-4 : 1e-7) * terminal.norm());
      }
      ++crept;
    }
  }
  EXPECT_EQ(crept, composed(method) ? 0 : 3);
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
  EXPECT_GE(taken, composed(method) ? 7 : 14);
}

TEST_P(StrongDamping, IsThatOfTightRungeKuttaAndConvergesWithOrderTwo) {
  int measured = 0;
  for (const double c : {10.0, 1e3}) {
    const auto system = make(d, c);
    Eigen::VectorXd m(d.n);
    diagonal(system->inertia(), start().q, m);
    const double rate = c / m.minCoeff();
    const auto expected = [&](double duration) {
      State s = start(1);
      auto reference = prepared("rk45", *system, s,
                                {{"relative_tolerance", {1e-11}}, {"absolute_tolerance", {1e-13}}});
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
    std::vector<double> h, errors;
    for (const long steps : {500, 1000, 2000}) {
      h.push_back(shortened / static_cast<double>(steps));
      const auto found = after(c, h.back(), steps, 1);
      ASSERT_TRUE(found) << steps;
      errors.push_back(distance(*found, close));
    }
    EXPECT_NEAR(fitted_order(h, errors), 2, 0.03)  // measured: 0.009
        << "c = " << c << ", errors to " << errors.back();
    ++measured;
  }
  EXPECT_EQ(measured, composed(method) ? 0 : 2);
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
    auto integrator = prepared(method, *system, s);
    const double begun = total_energy(*system, s);
    CompensatedSum work;
    double worst = 0;
    bool refused = false;
    for (int k = 0; k < 400 && !refused; ++k) {
      s.t = k * time / 400;
      const StepReport report = integrator->advance(*system, time / 400, s);
      refused = !report.ok();
      if (!refused && !composed(method) && !system->has_external_force()) {
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
  auto integrator = prepared(method, *system, s);
  const double h = 0.001 * d.time;
  const StepReport forth = integrator->advance(*system, h, s);
  EXPECT_EQ(forth.ok(), !composed(method));
  if (!forth.ok()) {
    EXPECT_EQ(forth.status, StepStatus::damping_too_strong);
    EXPECT_TRUE(same_state(s, before));
    EXPECT_TRUE(says(describe(forth.status), "order 2"));
  }
  s = before;
  integrator->prepare(*system, s);
  EXPECT_EQ(integrator->advance(*system, -h, s).status, StepStatus::damping_too_strong);
  EXPECT_EQ(s.w, before.w);
}

struct ControlledChain : testing::TestWithParam<Damped> {
  const Damped& d = GetParam();
  State start(double speed = 1) const { return generic_start(d.n, 0.8, speed, 56); }
  State after(const System& system, const char* method, const Values& values, double h,
              int steps) const {
    State s = start();
    auto integrator = prepared(method, system, s, values);
    EXPECT_TRUE(march(system, *integrator, h, steps, s));
    return s;
  }
};
INSTANTIATE_TEST_SUITE_P(Forms, ControlledChain, testing::ValuesIn([] {
                           std::vector<Damped> small = controlled_chains();
                           std::erase_if(small, [](const Damped& d) { return d.n > 3; });
                           return small;
                         }()),
                         [](const auto& p) { return p.param.name + std::to_string(p.param.n); });

TEST_P(ControlledChain, IsThatOfTightRungeKuttaWithOrderTwo) {
  for (const double kd : {10.0, 1e3}) {
    const auto system = make(d, kd);
    const double time = 0.2;
    const State expected =
        after(*system, "rk45", values_from("relative_tolerance 1e-11; absolute_tolerance 1e-13"),
              time / 20, 20);
    for (const char* method : {"variational", "variational_cayley"}) {
      std::vector<double> h, errors;
      for (const int part : {1, 2, 4}) {
        const int steps = part * (kd < 100 ? 400 : 4000);
        h.push_back(time / steps);
        errors.push_back(distance(after(*system, method, {}, h.back(), steps), expected));
      }
      EXPECT_NEAR(fitted_order(h, errors), 2, 0.002)  // measured: 9e-5
          << method << ", k_d = " << kd << ": errors to " << errors.back();
    }
  }
}

/// A first link that cannot turn is where the rest of the chain is hung. What the others' speeds
/// pull it in a step is stopped, but not taken back: the way is of order 1 in the step.
TEST_P(ControlledChain, HoldsTheFirstLinkWhereDampingIsStrong) {
  if (d.n < 2) return;
  const auto system = make(d, 1e9);
  Values rest = d.values;
  for (const char* key : {"masses", "lengths"}) rest[key].erase(rest[key].begin());
  const auto shorter = system_of("chain_pendulum", d.n - 1, rest);
  State begun = start(), held = begun;
  begun.w.col(0).setZero();
  held.q = begun.q.rightCols(d.n - 1).eval();
  held.w = begun.w.rightCols(d.n - 1).eval();
  auto exact = prepared("rk45", *shorter, held,
                        {{"relative_tolerance", {1e-10}}, {"absolute_tolerance", {1e-12}}});
  ASSERT_TRUE(march(*shorter, *exact, 0.1, 10, held));
  std::vector<double> ways, errors;
  for (const int steps : {5'000, 10'000}) {
    State s = begun;
    auto integrator = prepared("variational", *system, s);
    ASSERT_TRUE(march(*system, *integrator, 1.0 / steps, steps, s));
    ways.push_back((s.q.col(0) - begun.q.col(0)).norm());
    errors.push_back((s.q.rightCols(d.n - 1) - held.q).cwiseAbs().maxCoeff());
    EXPECT_LT(s.w.col(0).norm(), 1e-7);  // measured: 1.1e-8
  }
  EXPECT_LT(ways[0], 2e-4);
  EXPECT_LT(errors[0], 2e-4);
  EXPECT_NEAR(ways[0] / ways[1], 2, 0.005);      // measured: 5e-4
  EXPECT_NEAR(errors[0] / errors[1], 2, 0.005);  // measured: 3e-4
}

/// H = T + V − k_p q_d·q_1 falls, whatever k_d is; and the more it is, the less the link moves.
TEST_P(ControlledChain, TakesEnergyAwayHoweverStrongItIs) {
  double before = std::numeric_limits<double>::infinity();
  for (const double kd : {0.1, 1.0, 10.0, 1e2, 1e3, 1e5, 1e7, 1e9, 1e12, 1e15}) {
    const auto system = make(d, kd);
    State s = start();
    auto integrator = prepared("variational", *system, s);
    const auto value = [&] {
      return total_energy(*system, s) - 5 * Vec3(0.6, 0, -0.8).dot(s.q.col(0));
    };
    const double begun = value();
    double worst = 0, far = 0;
    for (int k = 0; k < 1000; ++k) {
      ASSERT_TRUE(integrator->advance(*system, 1e-3, s).ok()) << kd;
      integrator->complete(*system, s);
      worst = std::max(worst, value() - begun);
      far = std::max(far, (s.q.col(0) - start().q.col(0)).norm());
    }
    EXPECT_LT(worst, 1e-6 * std::abs(begun)) << kd;  // measured: 0
    EXPECT_LT(value(), begun) << kd;
    EXPECT_LE(far, before * (1 + 1e-9)) << kd;
    before = far;
  }
  EXPECT_LT(before, 2e-3) << "what the speeds of the others pull it in a step";
}

TEST_P(ControlledChain, IsRefusedWhereStagesGoBackInTime) {
  const auto system = make(d, 1e6);
  State s = start();
  const State before = s;
  auto integrator = prepared("variational4", *system, s);
  EXPECT_EQ(integrator->advance(*system, 1e-3, s).status, StepStatus::damping_too_strong);
  EXPECT_TRUE(same_state(s, before));
}

/// The presets' own steps, and the strongest damping that the window offers.
TEST(StrongDampingOfThePresets, IsTrue) {
  const auto end = [](const char* preset, const char* method, double h, double duration) {
    auto scenario = test::preset(preset);
    auto edited = value_of(with_settings(scenario, {{"system.damping", 10.0},
                                                    {"integrator.type", method},
                                                    {"integrator.step", h},
                                                    {"duration", duration}}));
    auto run = value_of(Simulation::create(edited));
    while (!run.finished())
      if (run.step()) return Columns();
    return run.state(0).q;
  };
  // The third pendulum after 2 s, 0.4566, 0.1671 by extended precision.
  const Columns network = end("pendulum_network", "rk45", 0.005, 2);
  ASSERT_EQ(network.cols(), 4);
  // Measured: 4e-5, the digits of these.
  EXPECT_NEAR(network(0, 2), 0.4566, 2e-4);
  EXPECT_NEAR(network(1, 2), 0.1671, 2e-4);
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
}  // namespace twosphere::test::damping_test
