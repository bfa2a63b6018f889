// SPDX-License-Identifier: GPL-3.0-or-later
// What every system of first order must fulfil: derivatives, strengths, order, reversal, momenta.
#include <gtest/gtest.h>

#include <cmath>
#include <string_view>
#include <utility>

#include "core/mechanics/first_order.h"
#include "tests/cases.h"

namespace twosphere::test::first_order_systems_test {
namespace {

class FirstOrderSystem : public testing::TestWithParam<SystemCase> {};
INSTANTIATE_TEST_SUITE_P(Rows, FirstOrderSystem, testing::ValuesIn(first_order_cases()),
                         [](const auto& p) { return p.param.name; });

/// The derivative at s = 0, by a central difference of order 4.
template <class Function>
auto derivative(const Function& at, double h) {
  using Value = decltype(at(h));
  return Value((8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h));
}

Columns tangents(const Columns& q, unsigned seed) {
  Columns v = generic_start(static_cast<int>(q.cols()), 1, 1, seed).w;
  for (Eigen::Index i = 0; i < q.cols(); ++i) v.col(i) = tangent(q.col(i), v.col(i));
  return v;
}

TEST_P(FirstOrderSystem, DerivativesAreThoseOfTheHamiltonian) {
  const auto [system, start] = started(GetParam(), 11);
  const Columns& q = start.q;
  const Columns v = tangents(q, 12), u = tangents(q, 13);
  Columns g(3, q.cols()), hv(3, q.cols()), hu(3, q.cols());
  system->gradient(q, g);
  system->hessian_times(q, v, hv);
  system->hessian_times(q, u, hu);
  // Along lines in R³, of which both are derivatives.
  constexpr double h = 1e-3;
  const double slope = derivative([&](double s) { return system->potential(q + s * v); }, h);
  EXPECT_NEAR(g.cwiseProduct(v).sum(), slope, 1e-9 * (1 + g.norm() * v.norm()));
  const Columns change = derivative(
      [&](double s) {
        Columns there(3, q.cols());
        system->gradient(q + s * v, there);
        return there;
      },
      h);
  EXPECT_LT((hv - change).norm(), 1e-8 * (1 + hv.norm()));
  EXPECT_NEAR(u.cwiseProduct(hv).sum(), v.cwiseProduct(hu).sum(), 1e-13 * hu.norm() * v.norm());
}

TEST_P(FirstOrderSystem, HasStrengthsAndNoInertia) {
  const auto system = make_system(GetParam());
  EXPECT_TRUE(first_order(*system));
  ASSERT_EQ(system->strength().size(), system->size());
  // Where κ is 0, damping makes the body move.
  for (Eigen::Index i = 0; i < system->strength().size(); ++i)
    EXPECT_TRUE(system->strength()[i] != 0 || (damped(*system) && system->damping()[i] > 0)) << i;
}

/// q after this time by so many steps of a method.
Columns end_of(const System& system, std::string_view method, double time, int steps,
               const State& start) {
  State state = start;
  const auto integrator = prepared(method, system, state);
  EXPECT_TRUE(march(system, *integrator, time / steps, steps, state));
  return state.q;
}

TEST_P(FirstOrderSystem, MethodsHaveTheirOrders) {
  auto [system, start] = started(GetParam(), 14);
  first_order_velocity(*system, 0, start.q, start.w);
  // The fastest turns by about a radian.
  const double time = 1 / start.w.colwise().norm().maxCoeff();
  // Collocation of order 16.
  const Columns exact = end_of(*system, "gauss16", time, 64, start);
  for (const auto& [method, order] : {std::pair{"spherical_midpoint", 2},
                                      {"spherical_midpoint4", 4},
                                      {"spherical_midpoint6", 6},
                                      {"spherical_midpoint8", 8},
                                      {"rk4", 4}}) {
    const auto error = [&system = system, &start = start, &exact, time, name = method](int steps) {
      return (end_of(*system, name, time, steps, start) - exact).norm();
    };
    // As fine as errors far above rounding allow.
    int steps = 4;
    while (steps < 128 && error(5 * steps / 2) > 5e-14) steps += steps / 4;
    EXPECT_NEAR(std::log2(error(steps) / error(2 * steps)), order, 0.05) << method;
  }
}

TEST_P(FirstOrderSystem, TheMidpointReturnsAndKeepsMomenta) {
  const auto [system, start] = started(GetParam(), 15);
  State state = start;
  const auto method = prepared("spherical_midpoint", *system, state);
  ASSERT_TRUE(march(*system, *method, 0.02, 100, state));
  EXPECT_GT((state.q - start.q).norm(), 0.01);
  const Vec3 before = start.q * system->strength(), after = state.q * system->strength();
  const auto conserved = system->conserved_momentum();
  for (int k = 0; k < 3; ++k) {
    if (conserved[static_cast<std::size_t>(k)]) {
      EXPECT_NEAR(after[k], before[k], 1e-13) << k;
    }
  }
  ASSERT_TRUE(march(*system, *method, -0.02, 100, state));
  EXPECT_LT((state.q - start.q).norm(), 1e-12);
}

}  // namespace
}  // namespace twosphere::test::first_order_systems_test
