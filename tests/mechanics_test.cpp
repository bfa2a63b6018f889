// SPDX-License-Identifier: GPL-3.0-or-later
// Properties that every system and every integrator of the catalogue must have.
#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <cmath>
#include <fstream>
#include <iterator>
#include <set>

#include "core/diagnostics.h"
#include "core/dynamics.h"
#include "tests/cases.h"

namespace twosphere::test {
namespace {

TEST(Catalog, EveryEntryIsDocumentedAndHasACase) {
  std::set<std::string> tested;
  for (const auto& c : system_cases()) tested.insert(c.system);
  for (const SystemInfo& s : systems()) {
    EXPECT_TRUE(tested.count(std::string(s.key))) << s.key << " has no row in cases.h";
    EXPECT_FALSE(s.reference.empty() || s.description.empty() || s.equations.empty()) << s.key;
    for (const ParameterInfo& p : s.parameters)
      EXPECT_FALSE(p.unit.empty() || p.help.empty() || p.symbol.empty() || p.label.empty())
          << p.key;
  }
  std::multiset<std::string> methods;
  for (const auto& c : integrator_cases()) methods.insert(c.key);
  EXPECT_EQ(methods.size(), integrators().size());
  for (const IntegratorInfo& i : integrators()) {
    EXPECT_EQ(methods.count(std::string(i.key)), 1u) << i.key << " has no row in cases.h";
    EXPECT_FALSE(i.reference.empty() || i.description.empty() || i.formula.empty()) << i.key;
  }
  EXPECT_EQ(find_system("no such system"), nullptr);
  for (const Preset& p : presets()) EXPECT_FALSE(p.text.empty()) << p.key;
}

TEST(Catalog, EveryEntryHasALineInTheReadme) {
  std::ifstream file(TWOSPHERE_SOURCE_DIR "/README.md");
  const std::string readme(std::istreambuf_iterator<char>(file), {});
  const auto has = [&](std::string_view key) {
    return readme.find("| `" + std::string(key) + "` |") != std::string::npos;
  };
  for (const SystemInfo& s : systems()) EXPECT_TRUE(has(s.key)) << s.key;
  for (const IntegratorInfo& i : integrators()) EXPECT_TRUE(has(i.key)) << i.key;
  for (const Preset& p : presets()) EXPECT_TRUE(has(p.key)) << p.key;
}

class EverySystem : public testing::TestWithParam<SystemCase> {};
INSTANTIATE_TEST_SUITE_P(Catalog, EverySystem, testing::ValuesIn(system_cases()),
                         [](const auto& p) { return p.param.name; });

TEST_P(EverySystem, GradientIsTheDerivativeOfThePotential) {
  const auto system = make_system(GetParam());
  const int n = system->size();
  State s = generic_start(n, 1, 0, 11);
  Columns g(3, n);
  system->gradient(s.q, g);
  const double h = 1e-3, scale = g.cwiseAbs().maxCoeff();
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < 3; ++k) {
      // 4th-order central difference in R³.
      double sum = 0;
      for (const auto& [at, weight] :
           {std::pair{-2.0, 1.0}, {-1.0, -8.0}, {1.0, 8.0}, {2.0, -1.0}}) {
        Columns q = s.q;
        q(k, i) += at * h;
        sum += weight * system->potential(q);
      }
      EXPECT_NEAR(g(k, i), sum / (12 * h), 1e-9 * (1 + scale));
    }
}

TEST_P(EverySystem, InertiaIsSymmetricPositiveDefiniteAndItsOperatorsAgreeWithIt) {
  const auto system = make_system(GetParam());
  const Eigen::MatrixXd m = dense(system->inertia(), s.q);
  EXPECT_EQ(m, m.transpose());
  EXPECT_EQ(m.llt().info(), Eigen::Success);
  const State s = generic_start(system->size(), 1, 1, 12);
  Columns product(3, system->size());
  multiply(system->inertia(), s.q, s.w, product);
  EXPECT_LT((product - s.w * m).cwiseAbs().maxCoeff(),
            1e-14 * m.cwiseAbs().maxCoeff() * system->size());
  EXPECT_NEAR(kinetic_energy(system->inertia(), s.q, s.w), (s.w * m).cwiseProduct(s.w).sum() / 2,
              1e-13 * m.cwiseAbs().maxCoeff());
}

TEST_P(EverySystem, EquationsOfMotionSolveThePrintedSystemOnAndOffTheSphere) {
  const auto system = make_system(GetParam());
  const int n = system->size();
  const Eigen::MatrixXd m = dense(system->inertia(), s.q);
  for (const double off : {0.0, 1e-8, 1e-3, 0.05}) {
    State s = generic_start(n, 1, 1, 13);
    for (int i = 0; i < n; ++i) {
      s.q.col(i) *= 1 + off * std::sin(i + 1.0);
      s.w.col(i) += off * Vec3(1, 2, 3);
    }
    Columns g(3, n), f = Columns::Zero(3, n), qdot(3, n), wdot(3, n);
    system->gradient(s.q, g);
    if (system->driven()) system->force(0, s.q, f);
    // (2.11) as a 3n×3n matrix.
    Eigen::MatrixXd a(3 * n, 3 * n);
    Eigen::VectorXd b(3 * n);
    for (int i = 0; i < n; ++i) {
      const Vec3 qi = s.q.col(i);
      Vec3 right = -qi.cross(g.col(i) - f.col(i));
      for (int j = 0; j < n; ++j) {
        const Vec3 qj = s.q.col(j);
        if (i != j) right += m(i, j) * s.w.col(j).squaredNorm() * qi.cross(qj);
        a.block<3, 3>(3 * i, 3 * j) =
            i == j ? Mat3(m(i, i) * Mat3::Identity()) : Mat3(-m(i, j) * hat(qi) * hat(qj));
      }
      b.segment<3>(3 * i) = right;
    }
    const Eigen::VectorXd expected = a.partialPivLu().solve(b);
    EquationsOfMotion equations(n);
    const double power = equations.evaluate(*system, 0, s.q, s.w, qdot, wdot);
    const double scale = 1 + expected.cwiseAbs().maxCoeff();
    EXPECT_LT((Eigen::Map<Eigen::VectorXd>(wdot.data(), 3 * n) - expected).cwiseAbs().maxCoeff(),
              1e-12 * scale)
        << "off the sphere by " << off;
    double torque_power = 0;
    for (int i = 0; i < n; ++i) {
      EXPECT_EQ(Vec3(qdot.col(i)), Vec3(s.w.col(i).cross(s.q.col(i))));
      torque_power += s.q.col(i).cross(f.col(i)).dot(s.w.col(i));
    }
    EXPECT_NEAR(power, torque_power, 1e-12 * (1 + std::abs(power)));
  }
}

struct Pair {
  SystemCase system;
  IntegratorCase integrator;
};
void PrintTo(const Pair& p, std::ostream* out) {
  *out << p.integrator.key << " on " << p.system.name;
}
std::vector<Pair> pairs(bool (*wanted)(const Pair&)) {
  std::vector<Pair> all;
  for (const auto& s : system_cases())
    for (const auto& i : integrator_cases())
      if (wanted({s, i})) all.push_back({s, i});
  return all;
}
std::string name(const testing::TestParamInfo<Pair>& p) {
  return p.param.integrator.key + "_" + p.param.system.name;
}
bool fixed_step(const Pair& p) { return p.integrator.order > 0; }
bool symplectic(const Pair& p) { return find_integrator(p.integrator.key)->symplectic; }
bool undriven(const Pair& p) { return !make_system(p.system)->driven(); }

class EveryPair : public testing::TestWithParam<Pair> {};
INSTANTIATE_TEST_SUITE_P(Catalog, EveryPair,
                         testing::ValuesIn(pairs([](const Pair&) { return true; })), name);
class FixedStepPair : public testing::TestWithParam<Pair> {};
INSTANTIATE_TEST_SUITE_P(Catalog, FixedStepPair, testing::ValuesIn(pairs(fixed_step)), name);
class SymplecticPair : public testing::TestWithParam<Pair> {};
INSTANTIATE_TEST_SUITE_P(Catalog, SymplecticPair, testing::ValuesIn(pairs(symplectic)), name);
class UndrivenPair : public testing::TestWithParam<Pair> {};
INSTANTIATE_TEST_SUITE_P(Catalog, UndrivenPair, testing::ValuesIn(pairs(undriven)), name);

TEST_P(FixedStepPair, ConvergesWithItsOrder) {
  const auto& [c, method] = GetParam();
  const auto system = make_system(c);
  const State start = generic_start(c.n, c.spread, c.speed, 21);
  const double duration = 64 * method.coarsest * c.time;
  const auto end = [&](const std::string& key, double h) {
    State s = start;
    auto integrator = make_integrator(key);
    integrator->prepare(*system, s);
    EXPECT_TRUE(march(*system, *integrator, h, std::lround(duration / h), s));
    return s;
  };
  const State reference = end("rk4", duration / 16384);
  std::vector<double> x, y;
  double h = method.coarsest * c.time;
  for (int k = 0; k < 5; ++k, h /= 2) {
    const double error = distance(end(method.key, h), reference);
    EXPECT_LT(error, 2e-2) << "h = " << h;
    EXPECT_GT(error, 1e-13) << "h = " << h;
    x.push_back(std::log2(h));
    y.push_back(std::log2(error));
  }
  double mx = 0, my = 0, xy = 0, xx = 0;
  for (std::size_t k = 0; k < x.size(); ++k) mx += x[k] / 5, my += y[k] / 5;
  for (std::size_t k = 0; k < x.size(); ++k)
    xy += (x[k] - mx) * (y[k] - my), xx += (x[k] - mx) * (x[k] - mx);
  EXPECT_NEAR(xy / xx, method.order, 0.2);
}

TEST_P(EveryPair, GoesThereAndBack) {
  const auto& [c, method] = GetParam();
  const auto system = make_system(c);
  const State start = generic_start(c.n, c.spread, c.speed, 22);
  State s = start;
  auto integrator = make_integrator(method.key);
  integrator->prepare(*system, s);
  const long steps = 200;
  ASSERT_TRUE(march(*system, *integrator, 0.01, steps, s));
  EXPECT_GT(distance(s, start), 0.1);
  ASSERT_TRUE(march(*system, *integrator, -0.01, steps, s));
  const double returned = distance(s, start);
  if (find_integrator(method.key)->reversible)
    EXPECT_LT(returned, 1e-11);
  else
    EXPECT_GT(returned, 1e-11) << "a method that is not reversible should not look so";
}

TEST_P(EveryPair, KeepsTheSphereIfItSaysSo) {
  const auto& [c, method] = GetParam();
  const bool keeps = find_integrator(method.key)->keeps_sphere;
  const bool symplectic = find_integrator(method.key)->symplectic;
  ASSERT_EQ(keeps, method.unit_length > 0);
  const auto system = make_system(c);
  State s = generic_start(c.n, c.spread, c.speed, 23);
  auto integrator = make_integrator(method.key);
  integrator->prepare(*system, s);
  double worst = 0, tangency = 0, speed = 0;
  // A constant torque winds the chain up until a step is refused, so a driven one runs for 30 s.
  const int steps = system->driven() ? 3'000 : 100'000;
  for (int k = 0; k < steps; ++k) {
    s.t = k * 0.01;
    if (!integrator->advance(*system, 0.01, s).ok()) {
      ASSERT_FALSE(symplectic) << "step " << k;
      break;  // a method whose energy grows ends so
    }
    for (int i = 0; i < c.n; ++i) worst = std::max(worst, unit_length_error(s.q.col(i)));
    if (k % 100 != 0) continue;
    integrator->complete(*system, s);
    for (int i = 0; i < c.n; ++i) {
      tangency = std::max(tangency, std::abs(s.q.col(i).dot(s.w.col(i))));
      speed = std::max(speed, s.w.col(i).norm());
    }
  }
  if (keeps) {
    EXPECT_LE(worst, method.unit_length);
    if (symplectic) {
      EXPECT_LE(tangency, 1e-15 * (1 + speed));
    }
  } else {
    EXPECT_GT(worst, 1e-13) << "the baseline must drift, or it was projected";
  }
}

TEST_P(EveryPair, RefusesAHugeStepAndKeepsTheState) {
  const auto& [c, method] = GetParam();
  const auto system = make_system(c);
  State s = generic_start(c.n, c.spread, c.speed, 24);
  auto integrator = make_integrator(method.key);
  integrator->prepare(*system, s);
  ASSERT_TRUE(march(*system, *integrator, 0.01, 10, s));
  const State before = s;
  const Memory memory = integrator->memory();
  const StepReport report = integrator->advance(*system, 1e200, s);
  EXPECT_FALSE(report.ok());
  EXPECT_EQ(s.q, before.q);
  EXPECT_EQ(s.w, before.w);
  EXPECT_EQ(integrator->memory(), memory);
  // It goes on as if nothing had been tried.
  State other = before;
  auto fresh = make_integrator(method.key);
  fresh->prepare(*system, other);
  ASSERT_TRUE(fresh->restore(memory));
  ASSERT_TRUE(march(*system, *integrator, 0.01, 10, s));
  ASSERT_TRUE(march(*system, *fresh, 0.01, 10, other));
  EXPECT_EQ(s.q, other.q);
  EXPECT_EQ(s.w, other.w);
}

TEST_P(EveryPair, RestoresItsMemoryExactlyAndRefusesAWrongOne) {
  const auto& [c, method] = GetParam();
  const auto system = make_system(c);
  State s = generic_start(c.n, c.spread, c.speed, 25);
  auto integrator = make_integrator(method.key);
  integrator->prepare(*system, s);
  EXPECT_FALSE(integrator->restore({{"nonsense", {1, 2, 3}}}));
  ASSERT_TRUE(march(*system, *integrator, 0.01, 50, s));
  State copy = s;
  auto other = make_integrator(method.key);
  other->prepare(*system, copy);
  ASSERT_TRUE(other->restore(integrator->memory()));
  ASSERT_TRUE(march(*system, *integrator, 0.01, 50, s));
  ASSERT_TRUE(march(*system, *other, 0.01, 50, copy));
  EXPECT_EQ(s.q, copy.q);
  EXPECT_EQ(s.w, copy.w);
}

TEST_P(SymplecticPair, ConservesTheMomentumThatTheSystemNames) {
  const auto& [c, method] = GetParam();
  const auto system = make_system(c);
  State s = generic_start(c.n, c.spread, c.speed, 26);
  auto integrator = make_integrator(method.key);
  integrator->prepare(*system, s);
  const Vec3 start = momentum_map(*system, s);
  constexpr int steps = 10'000;
  Vec3 worst = Vec3::Zero();
  double size = 0;  // Σ |π_i|, the scale of rounding
  for (int k = 0; k < steps; ++k) {
    ASSERT_TRUE(integrator->advance(*system, 0.005, s).ok());
    if (k % 10 != 0) continue;
    integrator->complete(*system, s);
    worst = worst.cwiseMax((momentum_map(*system, s) - start).cwiseAbs());
    Columns v(3, c.n), p(3, c.n);
    for (int i = 0; i < c.n; ++i) v.col(i) = s.w.col(i).cross(s.q.col(i));
    multiply(system->inertia(), s.q, v, p);
    double sum = 0;
    for (int i = 0; i < c.n; ++i) sum += s.q.col(i).cross(p.col(i)).norm();
    size = std::max(size, sum);
  }
  // Rounding of N = 10⁴ steps walks as √N: 4 ε √N Σ|π|.
  const double rounding = 4 * 2.2e-16 * std::sqrt(double{steps}) * size;
  const auto conserved = system->conserved_momentum();
  for (int k = 0; k < 3; ++k) {
    if (conserved[static_cast<std::size_t>(k)])
      EXPECT_LT(worst[k], rounding) << "component " << k;
    else
      EXPECT_GT(worst[k], 1e3 * rounding) << "component " << k << " is conserved but not named";
  }
}

/// Slope of a straight line through (k, y_k) times the length, and half the range of what the line
/// leaves.
struct Trend {
  double rise, ripple;
};
Trend trend(const std::vector<double>& y) {
  const double n = static_cast<double>(y.size()), middle = (n - 1) / 2;
  double mean = 0, slope = 0;
  for (const double v : y) mean += v / n;
  for (std::size_t k = 0; k < y.size(); ++k)
    slope += (static_cast<double>(k) - middle) * (y[k] - mean) / (n * (n * n - 1) / 12);
  double low = 0, high = 0;
  for (std::size_t k = 0; k < y.size(); ++k) {
    const double rest = y[k] - mean - slope * (static_cast<double>(k) - middle);
    low = std::min(low, rest), high = std::max(high, rest);
  }
  return {slope * n, (high - low) / 2};
}

TEST_P(UndrivenPair, EnergyErrorHasNoTrendIfSymplectic) {
  const auto& [c, method] = GetParam();
  const auto system = make_system(c);
  State s = generic_start(c.n, c.spread / 4, c.speed / 4, 27);
  auto integrator = make_integrator(method.key);
  integrator->prepare(*system, s);
  const bool symplectic = find_integrator(method.key)->symplectic;
  const double h = 0.02 * c.time, reference = total_energy(*system, s);
  std::vector<double> energy;
  for (int k = 0; k < 1'000'000; ++k) {
    s.t = k * h;
    const bool taken = integrator->advance(*system, h, s).ok();
    integrator->complete(*system, s);
    energy.push_back(total_energy(*system, s));
    // Nothing is left to measure once the energy has grown a thousandfold.
    if (taken && std::abs(energy.back()) < 1e3 * (1 + std::abs(reference))) continue;
    EXPECT_FALSE(symplectic) << "step " << k;
    return;
  }
  const Trend t = trend(energy);
  RecordProperty("rise_over_ripple", std::to_string(t.rise / t.ripple));
  if (symplectic)
    EXPECT_LE(std::abs(t.rise), 0.01 * t.ripple);
  else
    EXPECT_GT(std::abs(t.rise), 0.01 * t.ripple) << "a method that drifts must fail this test";
}

}  // namespace
}  // namespace twosphere::test
