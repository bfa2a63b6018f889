// SPDX-License-Identifier: GPL-3.0-or-later
// The Runge-Kutta baselines: the papers' numbers of Example 1, and plain steps against
// Boost.Odeint.
#include <gtest/gtest.h>

#include <boost/numeric/odeint/stepper/runge_kutta4_classic.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_dopri5.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_fehlberg78.hpp>
#include <cmath>
#include <vector>

#include "core/mechanics/dynamics.h"
#include "core/run/simulation.h"
#include "core/scenario/live_edit.h"
#include "core/scenario/reader.h"
#include "core/scenario/writer.h"
#include "tests/cases.h"
#include "tests/outcome.h"

namespace twosphere::test::runge_kutta_test {
namespace {

using Vector = std::vector<double>;

Vector flat(const State& s) {
  Vector y(s.q.data(), s.q.data() + s.q.size());
  y.insert(y.end(), s.w.data(), s.w.data() + s.w.size());
  return y;
}

class PlainStep : public testing::TestWithParam<SystemCase> {};
INSTANTIATE_TEST_SUITE_P(Systems, PlainStep, testing::ValuesIn(system_cases()),
                         [](const auto& p) { return p.param.name; });

TEST_P(PlainStep, AgreesWithOdeint) {
  const SystemCase& c = GetParam();
  const auto system = make_system(c);
  const int n = c.n;
  EquationsOfMotion equations(*system, Formulation::omega);
  const auto right_hand_side = [&](const Vector& y, Vector& dydt, double t) {
    const Eigen::Map<const Columns> q(y.data(), 3, n), w(y.data() + 3 * n, 3, n);
    Columns dq(3, n), dw(3, n);
    (void)equations.evaluate(*system, t, q, w, dq, dw);
    dydt.assign(dq.data(), dq.data() + 3 * n);
    dydt.insert(dydt.end(), dw.data(), dw.data() + 3 * n);
  };
  const double h = 0.01 * c.time;
  const State start = generic_start(n, c.spread, c.speed, 61);
  // With tolerances that accept anything an adaptive method takes the sampling step as its first.
  const Values loose{{"relative_tolerance", {1e3}}, {"absolute_tolerance", {1e6}}};
  const auto ours = [&](const char* key) {
    State s = start;
    auto integrator = prepared(key, *system, s, method_info(key).adaptive ? loose : Values{});
    EXPECT_TRUE(integrator->advance(*system, h, s).ok());
    integrator->complete(*system, s);
    return flat(s);
  };
  const auto compare = [&](const char* key, auto stepper) {
    Vector y = flat(start);
    const Vector result = ours(key);
    stepper.do_step(right_hand_side, y, 0.0, h);
    // ω, unless it follows from q.
    const std::size_t compared = first_order(*system) ? y.size() / 2 : y.size();
    for (std::size_t i = 0; i < compared; ++i)
      EXPECT_NEAR(result[i], y[i], 1e-14 * (1 + std::abs(y[i]))) << key << " component " << i;
  };
  compare("rk4", boost::numeric::odeint::runge_kutta4_classic<Vector>());
  compare("rk45", boost::numeric::odeint::runge_kutta_dopri5<Vector>());
  compare("rk78", boost::numeric::odeint::runge_kutta_fehlberg78<Vector>());
}

Simulation example_1(const char* relative, const char* absolute) {
  auto scenario = read_scenario(find_preset("double_spherical_pendulum")->text, "preset");
  for (const auto& [path, text] : {std::pair{"integrator.type", "\"rk45\""},
                                   {"integrator.relative_tolerance", relative},
                                   {"integrator.absolute_tolerance", absolute}})
    scenario = with_setting(*scenario, path, *json::parse(text, "test"));
  EXPECT_TRUE(scenario) << (scenario ? "" : scenario.error().text());
  return std::move(*Simulation::create(*scenario));
}

TEST(Ode45, ReproducesThePublishedNumbersOfExample1) {
  // Printed: mean energy variation 7.8586e-4 (of m g l = 96.2361 J), mean unit-length
  // error 6.2742e-5.
  Simulation run = example_1("1e-4", "1e-6");
  double energy = 0, length = run.sample(0)[Quantity::unit_length_error_mean];
  int rows = 1, inner = 0;
  for (; !run.finished(); ++rows) {
    ASSERT_FALSE(run.step());
    const Sample s = run.sample(0);
    energy += std::abs(s[Quantity::energy_error]);
    length += s[Quantity::unit_length_error_mean];
    inner += run.lane(0).last.inner_steps;
  }
  // Measured: 3e-6 and 4e-6 of them, less than the printed digits tell apart; other machines accept
  // other steps.
  EXPECT_NEAR(energy / rows / 96.2361, 7.8586e-4, 5e-4 * 7.8586e-4);
  EXPECT_NEAR(length / rows, 6.2742e-5, 5e-4 * 6.2742e-5);
  EXPECT_GT(inner, 400);
  EXPECT_LT(inner, 800);
}

TEST(Ode45, ErrorFollowsTheTolerance) {
  const auto error = [](const char* relative, const char* absolute) {
    Simulation run = example_1(relative, absolute);
    for (int k = 0; k < 2000; ++k) EXPECT_FALSE(run.step());
    return std::abs(run.sample(0)[Quantity::energy_error]);
  };
  const double coarse = error("1e-4", "1e-7"), middle = error("1e-7", "1e-10"),
               fine = error("1e-10", "1e-13");
  // By 1000 each; measured: 24 000 and 1500.
  EXPECT_LT(middle, coarse / 200);
  EXPECT_LT(fine, middle / 200);
}

TEST(Ode45, RefusesWhatItsTolerancesCannotReachAndKeepsTheState) {
  Simulation run = example_1("1e-4", "1e-6");
  for (int k = 0; k < 20; ++k) ASSERT_FALSE(run.step());
  ASSERT_TRUE(run.set({{"integrator.step", 1e7}}));
  const std::string before = write_scenario(run.continuation());
  EXPECT_EQ(value_of(run.step()).report.status, StepStatus::too_many_steps);
  EXPECT_EQ(write_scenario(run.continuation()), before);
}

TEST(Fehlberg, NothingOfASampleIsFedBack) {
  // Samples do not change the inner steps, which the first of them has begun.
  const SystemCase& c = system_cases()[0];
  const auto system = make_system(c);
  const auto end = [&](double h, int steps) {
    State s = generic_start(c.n, c.spread, c.speed, 62);
    const auto method = prepared("rk78", *system, s);
    EXPECT_TRUE(march(*system, *method, 0.0625, 1, s));
    EXPECT_TRUE(march(*system, *method, h, steps, s));
    return std::pair(s, method->saved_state());
  };
  const auto [coarse, inner_of_coarse] = end(7.9375, 1);
  const auto [fine, inner_of_fine] = end(0.0625, 127);
  EXPECT_TRUE(same_state(coarse, fine));
  EXPECT_EQ(inner_of_coarse[2], inner_of_fine[2]);
}

}  // namespace
}  // namespace twosphere::test::runge_kutta_test
