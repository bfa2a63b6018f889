// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "core/catalog.h"
#include "core/custom/definition.h"
#include "core/mechanics/linear_terms.h"
#include "core/mechanics/parameter.h"
#include "core/program/back_end.h"
#include "tests/outcome.h"
#include "tests/sanitized.h"

namespace twosphere::test {

using Parameter = Definition::Parameter;

/// How long a translation may take, in processor time [s]. About a second is what is promised. The
/// slowest of these texts takes 1.0 to 1.2 s on an Intel Xeon with nothing else running.
inline constexpr double longest_translation = sanitized ? 30 : 3;

/// Of this thread [s], so that what runs at the same time does not count.
inline double processor_time() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

inline Parameter number(std::string key, double value, std::string unit = "") {
  return {.key = std::move(key), .value = {value}, .unit = std::move(unit)};
}
inline Parameter list(std::string key, std::vector<double> value, std::string unit = "") {
  return {.key = std::move(key),
          .form = Parameter::Form::list,
          .value = std::move(value),
          .unit = std::move(unit)};
}
inline Parameter pairs(std::string key, std::vector<double> value) {
  return {.key = std::move(key), .form = Parameter::Form::pairs, .value = std::move(value)};
}

/// The definition's own values.
inline Values values_of(const Definition& definition) {
  Values values;
  for (const Parameter& p : definition.parameters) values[p.key] = p.value;
  return values;
}

/// The system of a definition that is right.
inline std::unique_ptr<const System> make(const Definition& definition,
                                          const Caller& at = Caller::here()) {
  const auto [compiled, e] = translate(definition);
  if (!compiled) end_test(at, fmt::format("{}:{}: {}", e.location, e.column, e.message));
  return value_of(compiled->info().create(definition.bodies, values_of(definition)), at);
}

/// n bodies with a few parameters.
inline Definition with_potential(const std::string& potential, int n) {
  Definition d;
  d.bodies = n;
  std::vector<double> m;
  for (int i = 0; i < n; ++i) m.push_back(0.5 + 0.25 * i);
  d.parameters = {list("m", m), number("k", 1.25), list("p0", {0.3, -0.2, 1.5}),
                  pairs("bonds", {0, 1, 1, 2, 2, 0}), list("four", {1, 2, 3, 4})};
  d.define = {"x[i] = sum(j <= i: m[j]*q[j])", "c = q[0].q[1]", "sine[i] = sin(m[i]*q[i].e1)"};
  d.inertia = "diag(m)";
  d.potential = potential;
  return d;
}

/// Potentials with every function and form of sum, for three bodies or more.
inline const std::vector<std::string>& potentials() {
  static const std::vector<std::string> all{
      "k*q[0].e1",
      "q[0].q[1]*q[1].q[2]",
      "(q[0].q[1])^2 - 3/(2 + q[0].e3)",
      "1/(2 + q[0].e3)*(q[1].e1/(3 + q[2].e2))",
      "(2 + q[0].e1)^-3 + (2 + q[0].e1)^5 + (2 + q[0].e1)^2.5 + (2 + q[0].e1)^0.3",
      "(2 + q[0].e1)^(q[1].e2)",
      "k^(q[1].e2)",
      "sqrt(2 + q[0].e1) + exp(q[1].e2) + log(2 + q[2].e3)",
      "sin(q[0].e1) + cos(2*q[1].e2) + tan(q[2].e3/2)",
      "asin(q[0].e1/2) + acos(q[1].e2/2) + atan(3*q[2].e3)",
      "atan2(q[0].e1, 2 + q[1].e2)",
      "sinh(q[0].e1) + cosh(2*q[1].e2) + tanh(3*q[2].e3)",
      "abs(q[0].e1 - 0.123) + sign(q[0].e2)*q[1].e1",
      "min(q[0].e1, q[1].e2) + max(q[0].e1, q[1].e2, q[2].e3)^2",
      "acos(q[0].q[1]/1.1)^2 + acos(0.99 + q[2].e3/200)^3",
      "((q[0].e1)^2 + 2*(q[1].e2)^2 + 0.1)^0.75 + ((2 + q[2].e3)^4)^0.3",
      "((q[0].e1)^2 + 2*(q[1].e2)^2)^0.75 + sqrt((q[0].e1)^4 + (q[2].e1)^4)",
      "norm(q[0] - p0)^3 + 1/norm(x[2] - p0)",
      "angle(q[0], q[1])^2 + angle(x[1], p0)",
      "norm(q[0]×q[1] + cross(q[1], p0))",
      "q[0].(q[1]×q[2])",
      "norm([q[0].e1, q[1].e2*q[0].e3, 2])",
      "if(q[0].e1 < 0.1, q[1].e1, q[1].e2)^2",
      "if(q[0].e1 < 10, (2 + q[1].e1)^2, log(q[1].e1 - 5))",
      "if(-2 < q[0].e1 < 2, norm(if(q[1].e2 > 0, q[1], q[2]) - p0), 0)",
      "c^2 + sum(i: sine[i]^2) + sine[0]*c",
      "sum(i: m[i]*(e3.x[i])^2)",
      "sum(i < j: k/norm(x[i] - x[j] - p0))",
      "sum(i, j: (q[i].q[j])^3)",
      "sum(i, j in bonds: (q[i].q[j])^3)",
      "sum(i, j, r in bonds: (r + 1)*(q[i].q[j])^3)",
      "sum(a in p0: exp(p0[a]*q[0].e1))",
      "sum(i: sum(a in p0: exp(p0[a]*q[i].e1))^2)",
      "sum(0 < i < n - 1: (q[i-1].q[i+1])^2)",
      "sum(i != j: m[i]*(q[i].q[j])^2)",
      "prod(i: q[i].e1 + 0.2*i)",
      "sum(i: prod(j: 1 + 0.1*q[i].q[j]))",
      "sum(i: sum(j < i: m[j]*q[i].q[j])^2)",
      "sum(i: (e1.sum(j <= i: m[j]*q[j]))^2)",
      "sum(i: norm(sum(j >= i: m[j]*q[j]))^2)",
      "sum(i: sum(j: sum(k1: q[i].(q[j]×q[k1])*q[i].e1))^2)",
      "sum(i: if(i > 0, (q[i].q[i-1])^2, q[i].e3^2))",
      "sum(i: m[i]*q[i].e1 - (m[i]*q[i].e1)^2)/k",
      "-2*(3*q[0].e1 - (q[0].e2)^2)",
      "exp(-sum(i: (q[i].e1)^2)/2)",
  };
  return all;
}

/// Directions that are the same in every run, no two closer than `apart` or as close to antipodes.
inline Columns directions(int n, unsigned seed, double apart = 0) {
  std::mt19937 bits(seed);
  Columns q(3, n);
  for (Eigen::Index i = 0; i < n;) {
    Vec3 x;
    for (int k = 0; k < 3; ++k) x[k] = std::uniform_real_distribution(-1.0, 1.0)(bits);
    if (x.squaredNorm() > 1 || x.squaredNorm() < 0.01) continue;
    q.col(i) = x.normalized();
    bool far = true;
    for (Eigen::Index j = 0; j < i; ++j)
      far = far && q.col(i).cross(q.col(j)).norm() > std::sin(apart);
    if (far) ++i;
  }
  return q;
}
inline Columns tangents(const Columns& q, unsigned seed) {
  Columns v = directions(static_cast<int>(q.cols()), seed);
  for (Eigen::Index i = 0; i < q.cols(); ++i) v.col(i) = tangent(q.col(i), v.col(i));
  return v;
}

/// What `make()` makes for one of the back ends.
template <class Make>
auto by_back_end(std::string_view name, const Make& make) {
  EXPECT_TRUE(custom::force_back_end(name));
  auto made = make();
  EXPECT_TRUE(custom::force_back_end(""));
  return made;
}

/// Numbers that are equal, or both not numbers.
inline bool equal(double a, double b) { return a == b || (a != a && b != b); }
template <class Matrix>
bool equal(const Matrix& a, const Matrix& b) {
  for (Eigen::Index k = 0; k < a.size(); ++k)
    if (!equal(a.data()[k], b.data()[k])) return false;
  return true;
}

/// Whether all that is computed of two systems is equal bit for bit, at q and along tangents v.
inline void expect_equal(const System& a, const System& b, const Columns& q, const Columns& v) {
  const Eigen::Index n = q.cols();
  EXPECT_PRED2([](double x, double y) { return equal(x, y); }, a.potential(q), b.potential(q));
  const auto same = [&](const char* what, const auto& compute) {
    Columns x = Columns::Zero(3, n), y = x;
    compute(a, x);
    compute(b, y);
    EXPECT_TRUE(equal(x, y)) << what << ": " << (x - y).cwiseAbs().maxCoeff();
  };
  same("gradient", [&](const System& s, Columns& out) { s.gradient(q, out); });
  same("Hessian", [&](const System& s, Columns& out) { s.hessian_times(q, v, out); });
  same("force", [&](const System& s, Columns& out) { s.force(0.3, q, out); });
  same("slope of the force", [&](const System& s, Columns& out) { s.force_slope(0.3, q, v, out); });
  if (has_gyroscopic(a)) {
    const auto of_field = [&](const char* what, const auto& compute) {
      same(what, [&](const System& s, Columns& out) { compute(*s.gyroscopic(), out); });
    };
    of_field("A", [&](const GyroscopicField& f, Columns& out) { f.evaluate(q, out); });
    of_field("slopes of A", [&](const GyroscopicField& f, Columns& out) { f.slopes(q, v, out); });
    of_field("derivative of A",
             [&](const GyroscopicField& f, Columns& out) { f.derivative_along(q, v, out); });
    of_field("derivative of the slopes of A",
             [&](const GyroscopicField& f, Columns& out) { f.slopes_along(q, v, v, out); });
  }
  const auto* m = std::get_if<VariableInertia>(&a.inertia());
  if (!m) return;
  const InertiaField *fa = m->field, *fb = std::get<VariableInertia>(b.inertia()).field;
  Eigen::MatrixXd weights = Eigen::MatrixXd::Random(n, n), x(n, n), y(n, n);
  weights = weights + weights.transpose().eval();
  fa->evaluate(q, x);
  fb->evaluate(q, y);
  EXPECT_TRUE(equal(x, y)) << "m(q)";
  fa->derivative_along(q, v, x);
  fb->derivative_along(q, v, y);
  EXPECT_TRUE(equal(x, y)) << "derivative of m(q)";
  Columns ra = Columns::Zero(3, n), rb = ra;
  fa->slopes(q, weights, ra);
  fb->slopes(q, weights, rb);
  EXPECT_TRUE(equal(ra, rb)) << "slopes of m(q)";
  fa->slopes_along(q, weights, v, ra);
  fb->slopes_along(q, weights, v, rb);
  EXPECT_TRUE(equal(ra, rb)) << "derivative of the slopes of m(q)";
}

/// A built-in system, and the same as text.
struct Twin {
  std::string name, key;
  Values values;
  Definition definition;
};
inline void PrintTo(const Twin& twin, std::ostream* out) { *out << twin.name; }

/// A system of the catalogue with n bodies, and the text of its record.
inline Twin twin_of(const std::string& key, int n, Values values) {
  const SystemInfo& info = *find_system(key);
  values.merge(default_values(info.parameters, n));
  return {key + '_' + std::to_string(n), key, values, info.text(n, values)};
}
/// n attracting bodies on the sphere, n Lennard-Jones molecules.
inline Twin n_body_twin(int n) {
  const std::vector<double> masses(static_cast<std::size_t>(n), 0.5);
  return twin_of("n_body", n, {{"masses", masses}, {"gamma", {1.25}}});
}
inline Twin lennard_jones_twin(int n, double sigma) {
  const std::vector<double> masses(static_cast<std::size_t>(n), 2);
  return twin_of("lennard_jones", n, {{"masses", masses}, {"epsilon", {0.1}}, {"sigma", {sigma}}});
}

inline std::vector<Twin> twins() {
  std::vector<Twin> all{twin_of("chain_pendulum", 2,
                                {{"masses", {1, 0.5}},
                                 {"lengths", {0.5, 0.7}},
                                 {"damping", {0.1}},
                                 {"tip_force", {0, 0.2, 0, 0}}}),
                        twin_of("chain_pendulum", 4,
                                {{"masses", {1, 0.5, 2, 0.75}},
                                 {"lengths", {0.5, 0.7, 0.4, 0.6}},
                                 {"damping", {0.1}},
                                 {"tip_force", {0, 0.2, 0, 0}}}),
                        n_body_twin(3),
                        n_body_twin(12),
                        twin_of("pendulum_network", 3,
                                {{"masses", {1, 0.5, 2}},
                                 {"lengths", {0.5, 0.7, 0.4}},
                                 {"pivots", {0, 0, 0, 0.2, 0, 0, 0.5, 0, 0}},
                                 {"springs", {0, 1, 5, 1, 2, 8}}}),
                        twin_of("dipole_array", 4,
                                {{"masses", {0.05, 0.05, 0.05, 0.05}},
                                 {"lengths", {0.02, 0.02, 0.02, 0.02}},
                                 {"moments", {0.1, 0.1, 0.08, -0.1}},
                                 {"positions", {0, 0, 0, 0.03, 0, 0, 0, 0.03, 0, 0.03, 0.04, 0}}}),
                        lennard_jones_twin(4, 0.4),
                        lennard_jones_twin(12, 0.4),
                        twin_of("conformal_particles", 2, {{"masses", {1, 0.5}}}),
                        twin_of("conformal_particles", 4, {{"masses", {1, 0.5, 2, 0.75}}})};
  // With the linear densities by name.
  Twin rod = twin_of("elastic_rod", 4,
                     {{"elements", {4}},
                      {"mass", {0.25}},
                      {"length", {0.625}},
                      {"stiffness", {15, 20, 12, 18}},
                      {"inertia", {1}}});
  rod.definition.define.emplace_back("mu[i] = if(i < n - 1, m, m/2)");
  rod.definition.inertia = "rod(mu, l, -m*l^2/6)";
  all.push_back(rod);
  return all;
}

}  // namespace twosphere::test
