// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/studies/order_study.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/catalog.h"
#include "core/run/simulation.h"
#include "core/scenario/live_edit.h"
#include "core/studies/order_table.h"
#include "tests/composition_orders.h"
#include "tests/outcome.h"
#include "tests/runs.h"

namespace twosphere::test::order_study_test {
namespace {

LaneSpec method(const std::string& key) {
  LaneSpec lane;
  lane.type = key;
  lane.values = default_values(find_integrator(key)->parameters);
  return lane;
}

/// The double pendulum for 0.8 s.
OrderStudy double_pendulum(const std::vector<std::string>& keys) {
  OrderStudy study;
  study.scenario = preset();
  study.scenario.duration = 0.8;
  for (const std::string& key : keys) study.methods.push_back(method(key));
  study.steps = {0.01, 0.04, 0.02};
  study.tolerances = {1e-4, 1e-6, 1e-8};
  study.reference = method("variational8");
  study.reference.step = 0.01;
  return study;
}

OrderStudyResult result_of(const OrderStudy& study, int threads = 2) {
  auto result = run_order_study(study, threads, {});
  EXPECT_TRUE(result) << (result ? "" : result.error().text());
  if (!result || !*result) return {};
  return **result;
}

std::vector<OrderPoint> of_method(const OrderStudyResult& result, std::size_t index) {
  std::vector<OrderPoint> points;
  for (const OrderPoint& p : result.points)
    if (p.method == index) points.push_back(p);
  return points;
}

MeasuredOrder order_of(const OrderStudyResult& result, std::size_t index) {
  std::vector<double> steps, errors;
  for (const OrderPoint& p : of_method(result, index)) {
    steps.push_back(p.control);
    errors.push_back(p.error);
  }
  return measured_order(steps, errors, result.min_error()).value_or(MeasuredOrder{});
}

TEST(OrderStudy, MeasuresTheSlopeOfWhatIsResolved) {
  const std::array<double, 6> steps{0.32, 0.16, 0.08, 0.04, 0.02, 0.01};
  std::array<double, 6> errors;
  for (std::size_t i = 0; i < steps.size(); ++i) errors[i] = 3 * std::pow(steps[i], 4);
  const auto exact = value_of(measured_order(steps, errors, 1e-7));
  EXPECT_NEAR(exact.order, 4, 1e-12);
  EXPECT_NEAR(exact.deviation, 0, 1e-12);
  EXPECT_EQ(exact.points, 4) << "0.16 to 0.02: above 0.1 and below 1e-7 do not count";
  // With a scatter the slope has an error, as computed by hand for three points a factor of two
  // apart: errors e^{0.1}, e^{-0.2}, e^{0.1} times the exact ones.
  const std::array<double, 3> three{4, 2, 1};
  const std::array<double, 3> scattered{1.6e-2 * std::exp(0.1), 4e-3 * std::exp(-0.2),
                                        1e-3 * std::exp(0.1)};
  const auto fitted = value_of(measured_order(three, scattered, 1e-9));
  EXPECT_NEAR(fitted.order, 2, 1e-12);
  EXPECT_NEAR(fitted.deviation, std::sqrt(0.06 / 2) / std::log(2.0), 1e-12);
  EXPECT_EQ(in_words(fitted), "2.00 ± 0.25, pre-asymptotic");
  EXPECT_EQ(in_words(exact), "4.00 ± 0.00");
  // Rounding at 1e-9, with a scatter.
  const std::array<double, 8> fine{0.32, 0.16, 0.08, 0.04, 0.02, 0.01, 0.005, 0.0025};
  std::array<double, 8> rounded;
  for (std::size_t i = 0; i < fine.size(); ++i)
    rounded[i] = 1e-2 * std::pow(fine[i], 4) + (i % 2 == 0 ? 1e-9 : 3e-9);
  EXPECT_NEAR(value_of(measured_order(fine, rounded, 1e-12)).order, 4, 0.05);
  EXPECT_FALSE(measured_order(std::array{0.1}, std::array{1e-3}, 0));
  EXPECT_FALSE(measured_order(three, scattered, 5e-3)) << "one point is left";
}

TEST(OrderStudy, FindsTheOrdersAndCountsTheEvaluations) {
  const OrderStudyResult result =
      result_of(double_pendulum({"variational", "variational4", "rk4", "rk2"}));
  EXPECT_LT(result.reference_error, 1e-9);
  for (const auto& [index, order] : {std::pair<std::size_t, double>(0, 2), {1, 4}, {2, 4}, {3, 2}})
    EXPECT_NEAR(order_of(result, index).order, order, 0.15) << index;
  // From the coarsest step to the finest, whatever the order in which they are given.
  const auto variational = of_method(result, 0), rk4 = of_method(result, 2);
  ASSERT_EQ(variational.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    const std::int64_t steps = 20 << i;
    EXPECT_EQ(variational[i].control, 0.04 / static_cast<double>(1 << i));
    EXPECT_EQ(variational[i].evaluations, steps + 1) << "one at the start and one a step";
    EXPECT_EQ(rk4[i].evaluations, 4 * steps);
    EXPECT_EQ(variational[i].t, 0.8);
    EXPECT_LT(variational[i].length_error, 4e-16);
    EXPECT_GT(rk4[i].length_error, 4e-16);
    EXPECT_GT(variational[i].energy_error, 0);
  }
}

TEST(OrderStudy, CompositionsHaveTheirOrders) {
  std::set<std::string> seen;
  for (const OrderExample& example : order_examples) {
    SCOPED_TRACE(example.preset);
    const auto study = value_of(study_of(example));
    const OrderStudyResult result = result_of(study);
    for (std::size_t m = 0; m < study.methods.size(); ++m) {
      const IntegratorInfo& info = *find_integrator(study.methods[m].type);
      if (!is_composition(info)) continue;
      const auto order = twosphere::order_of(study, result, m);
      ASSERT_TRUE(order) << info.key;
      EXPECT_NEAR(order->order, info.order, 0.05) << info.key;
      EXPECT_EQ(order->points, 4) << info.key;
      EXPECT_LT(order->deviation, 0.02) << info.key;
      seen.insert(std::string(info.key));
    }
  }
  for (const IntegratorInfo& info : integrators())
    EXPECT_EQ(seen.contains(std::string(info.key)), is_composition(info)) << info.key;
  EXPECT_GE(seen.size(), 12U);
}

TEST(OrderStudy, GoesOnWhereItWasStopped) {
  const OrderStudy study = double_pendulum({"variational", "rk4", "rk45"});
  const OrderStudyResult whole = result_of(study, 1);
  EXPECT_TRUE(whole.complete());
  EXPECT_FALSE(unfinished_study(study, order_companion(study, whole)));
  // Stopped at each look, it continues from its file.
  std::optional<OrderStudyResult> so_far;
  int stops = 0;
  for (; !so_far || !so_far->complete(); ++stops) {
    ASSERT_LT(stops, 50);
    bool found = false;
    const std::size_t before = so_far ? so_far->points.size() : 0;
    const auto result = value_of(run_order_study(
        study, 1,
        {.proceed = [&](std::size_t, std::size_t) { return !found; },
         .found = [&](const OrderStudyResult& now) { found = now.points.size() > before; }},
        so_far));
    if (!result) continue;
    so_far = *result;
    if (so_far->complete()) break;
    const std::string file = order_companion(study, *so_far);
    EXPECT_FALSE(unfinished_study(double_pendulum({"variational"}), file)) << "another study";
    so_far = unfinished_study(study, file);
    ASSERT_TRUE(so_far);
  }
  EXPECT_EQ(so_far->reference_error, whole.reference_error);
  ASSERT_EQ(so_far->points.size(), whole.points.size());
  for (std::size_t i = 0; i < whole.points.size(); ++i) {
    EXPECT_EQ(so_far->points[i].method, whole.points[i].method);
    EXPECT_EQ(so_far->points[i].control, whole.points[i].control);
    EXPECT_EQ(so_far->points[i].error, whole.points[i].error);
    EXPECT_EQ(so_far->points[i].energy_error, whole.points[i].energy_error);
    EXPECT_EQ(so_far->points[i].evaluations, whole.points[i].evaluations);
  }
  // Of a study that is not complete the text says so.
  so_far->points.pop_back();
  EXPECT_TRUE(says(order_text(study, *so_far), "8 of 9 runs are done"));
}

TEST(OrderStudy, VariesTheTolerancesOfMethodsWithErrorControl) {
  const OrderStudyResult result = result_of(double_pendulum({"rk45"}));
  const auto points = of_method(result, 0);
  ASSERT_EQ(points.size(), 3u);
  for (std::size_t i = 1; i < 3; ++i) {
    EXPECT_LT(points[i].control, points[i - 1].control);
    EXPECT_LT(points[i].error, points[i - 1].error / 5);
    EXPECT_GT(points[i].evaluations, points[i - 1].evaluations);
  }
}

TEST(OrderStudy, IsTheSameOnAnyNumberOfThreads) {
  const OrderStudy study = double_pendulum({"variational", "rk45"});
  const OrderStudyResult one = result_of(study, 1), many = result_of(study, 5);
  ASSERT_EQ(one.points.size(), many.points.size());
  EXPECT_EQ(one.reference_error, many.reference_error);
  for (std::size_t i = 0; i < one.points.size(); ++i) {
    EXPECT_EQ(one.points[i].error, many.points[i].error);
    EXPECT_EQ(one.points[i].energy_error, many.points[i].energy_error);
    EXPECT_EQ(one.points[i].evaluations, many.points[i].evaluations);
  }
}

TEST(OrderStudy, ModifiedEnergiesAreKeptWithTheirOwnPower) {
  OrderStudy study = double_pendulum({"variational", "rk4"});
  study.steps = {0.04, 0.02, 0.01};
  const OrderStudyResult result = result_of(study);
  const auto order = modified_order_of(study, result, 0);
  ASSERT_TRUE(order);
  EXPECT_NEAR(order->order, 4, 0.1);
  EXPECT_FALSE(modified_order_of(study, result, 1));
  EXPECT_TRUE(std::isnan(of_method(result, 1)[0].modified_energy_error));
  EXPECT_TRUE(says(order_text(study, result), "variational  modified energy kept with h^"));
}

TEST(OrderStudy, AFailedStepIsAResult) {
  OrderStudy study = double_pendulum({"variational"});
  study.steps = {0.8, 0.04};
  study.scenario =
      *with_settings(study.scenario, {{"initial.omega[1]", *json::parse_value("[0, 6, 0]")}});
  const OrderStudyResult result = result_of(study);
  const auto points = of_method(result, 0);
  ASSERT_EQ(points.size(), 2u);
  EXPECT_NE(points[0].status, StepStatus::ok);
  EXPECT_TRUE(std::isnan(points[0].error));
  EXPECT_EQ(points[0].t, 0);
  EXPECT_EQ(points[1].status, StepStatus::ok);
  const std::string text = order_text(study, result), table = order_table(study, result);
  EXPECT_TRUE(says(text, "fails at t = 0 s: "));
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 3);
  EXPECT_TRUE(says(table, std::string(describe(points[0].status))));
}

TEST(OrderStudy, RefusesWhatItCannotCompare) {
  const auto place_of = [](const OrderStudy& study) {
    const auto result = run_order_study(study, 1, {});
    EXPECT_FALSE(result);
    return result ? std::string() : result.error().location;
  };
  OrderStudy study = double_pendulum({"variational"});
  study.steps = {0.03};
  EXPECT_EQ(place_of(study), "steps");
  study = double_pendulum({"variational"});
  study.reference.step = 0.3;
  EXPECT_EQ(place_of(study), "reference");
  study = double_pendulum({"variational"});
  study.reference = method("rk45");
  EXPECT_EQ(place_of(study), "reference");
  study = double_pendulum({"rotation"});
  EXPECT_EQ(place_of(study), "rotation") << "the inertia of a chain is not diagonal";
  study = double_pendulum({"variational"});
  study.scenario.events.push_back({.step = 3, .reverse = true});
  EXPECT_EQ(place_of(study), "events");
}

// Methods that take the terms of H one by one ask for no gradient.
TEST(OrderStudy, CountsPassesOverTermsAsEvaluations) {
  OrderStudy study;
  study.scenario = preset("vortex_leapfrog");
  study.scenario.duration = 0.04;
  for (const char* key : {"pair_rotation", "pair_rotation4"}) study.methods.push_back(method(key));
  study.steps = {0.002, 0.001};
  study.reference = method("gauss16");
  study.reference.step = 0.002;
  const OrderStudyResult result = result_of(study);
  for (const std::size_t k : {0U, 1U}) {
    const auto points = of_method(result, k);
    ASSERT_EQ(points.size(), 2U);
    for (const OrderPoint& p : points)
      EXPECT_EQ(p.evaluations, (k == 0 ? 2 : 10) * std::llround(0.04 / p.control));
  }
}

TEST(OrderStudy, StopsWhenItIsNotWanted) {
  OrderStudy study = double_pendulum({"variational"});
  study.scenario.duration = 1e6;
  study.reference.step = 0.01;
  study.steps = {0.01};
  const auto result = value_of(
      run_order_study(study, 2, {.proceed = [](std::size_t, std::size_t) { return false; }}));
  EXPECT_FALSE(result.has_value());
}

TEST(OrderStudy, ChoosesWhatIsNotGiven) {
  const Scenario scenario = double_pendulum({"rk4"}).scenario;  // a chain, h = 0.01 s
  const auto run = value_of(Simulation::create(scenario));
  const std::vector<std::string> keys = study_methods(*run.system());
  std::vector<std::string> expected;
  for (const IntegratorInfo& info : integrators())
    if (info.supports(*run.system())) expected.emplace_back(info.key);
  EXPECT_EQ(keys, expected);
  EXPECT_LT(keys.size(), integrators().size()) << "rotation needs uncoupled bodies";

  const IntegratorInfo* reference = find_integrator(default_reference(keys));
  ASSERT_TRUE(reference);
  EXPECT_FALSE(reference->adaptive);
  for (const std::string& key : keys) {
    const IntegratorInfo* other = find_integrator(key);
    EXPECT_TRUE(other->adaptive || other->order <= reference->order) << key;
  }
  EXPECT_EQ(default_reference({"rk45"}), "");

  Scenario whole = scenario;
  whole.lanes[0].step = 0.01;
  whole.duration = 0.8;
  EXPECT_EQ(default_steps(whole),
            (std::vector<double>{4 * 0.01, 2 * 0.01, 0.01, 0.5 * 0.01, 0.25 * 0.01, 0.125 * 0.01}));
  whole.duration = 0.02;
  EXPECT_EQ(default_steps(whole).front(), 2 * 0.01) << "0.04 s is more than 0.02 s";
}

TEST(OrderStudy, TheTableHasARowForEachMethod) {
  const OrderStudy study = double_pendulum({"variational", "rk45"});
  OrderStudyResult result = result_of(study);
  const std::vector<OrderRow> rows = order_rows(study, result);
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0][0], "Variational (VI)");
  EXPECT_NEAR(std::stod(rows[0][1]), 2, 0.15);
  EXPECT_EQ(rows[0][2], "2");
  const std::vector<OrderPoint> points = of_method(result, 0);
  EXPECT_EQ(rows[0][3], error_in_words(result, points.back().error)) << "that of the finest step";
  EXPECT_EQ(rows[0][4], std::to_string(points.back().evaluations));
  EXPECT_EQ(rows[1][1], "–");
  EXPECT_EQ(rows[1][2], "by tolerance");
  // Runs that fail do not count, but are counted.
  for (OrderPoint& point : result.points) point.status = StepStatus::not_finite;
  EXPECT_EQ(order_rows(study, result)[0][3], "none (3 runs failed)");
  EXPECT_EQ(order_rows(study, result)[0][4], "–");
}

// Links that hang straight stay so: all errors are of X.
TEST(OrderStudy, ComparesThePlaceOfABaseThatFlies) {
  OrderStudy study;
  study.scenario = pulled_drone();
  study.scenario.q.colwise() = Vec3::UnitZ();
  study.scenario =
      with(study.scenario, "system.thrust.target", json::Node::numbers(std::array{0.0, 0.0, -1.0}));
  study.scenario.duration = 1;
  study.methods = {method("variational"), method("rk2")};
  study.steps = {0.02, 0.01, 0.005, 0.0025};
  study.reference = method("gauss16");
  study.reference.step = 0.01;
  const OrderStudyResult result = result_of(study);
  EXPECT_EQ(result.reference_end.cols(), 11);
  for (const std::size_t k : {0u, 1u}) {
    const MeasuredOrder order = order_of(result, k);
    EXPECT_EQ(order.points, 4) << k;
    EXPECT_NEAR(order.order, 2, 0.15) << k;
  }
  // One that was stopped is continued with the same reference.
  OrderStudyResult stopped = result;
  stopped.points.resize(3);
  const auto read = unfinished_study(study, order_companion(study, stopped));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->reference_end, result.reference_end);
  const auto continued = value_of(run_order_study(study, 1, {}, read));
  ASSERT_TRUE(continued);
  for (std::size_t k = 0; k < result.points.size(); ++k)
    EXPECT_EQ(continued->points[k].error, result.points[k].error) << k;
}

}  // namespace
}  // namespace twosphere::test::order_study_test
