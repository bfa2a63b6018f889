// SPDX-License-Identifier: GPL-3.0-or-later
// What an order study consists of when little is said about it.
#include "core/studies/order_plan.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/catalog.h"
#include "tests/outcome.h"
#include "tests/runs.h"

namespace twosphere::test::order_plan_test {
namespace {

std::string problem(const std::string& text, const char* unit = "s") {
  const auto series = parse_series(text, "--steps", unit);
  return series ? std::string() : series.error().text();
}

TEST(ParseSeries, NumbersExpressionsAndRanges) {
  EXPECT_EQ(*parse_series("0.04,0.02, 1/100", "steps", "s"), (std::vector{0.04, 0.02, 0.01}));
  EXPECT_EQ(*parse_series("20 ms", "steps", "s"), std::vector{0.02});
  EXPECT_EQ(*parse_series("0.08:0.01:/2", "steps", "s"), (std::vector{0.08, 0.04, 0.02, 0.01}));
  EXPECT_EQ(*parse_series("1:0.3:/2", "steps", "s"), (std::vector{1.0, 0.5}));
}

TEST(ParseSeries, ReadsWhatSeriesTextWrites) {
  EXPECT_EQ(series_text({0.04, 0.02, 0.01}), "0.04:0.01:/2");
  EXPECT_EQ(series_text({0.04, 0.02}), "0.04, 0.02");
  for (const std::vector<double>& steps :
       {std::vector{0.04, 0.02, 0.01, 0.005}, std::vector{0.1, 0.04, 0.03}, std::vector{0.3}})
    EXPECT_EQ(*parse_series(series_text(steps), "steps", "s"), steps);
}

TEST(ParseSeries, SaysWhatIsWrong) {
  EXPECT_EQ(problem("0.04:0.01"),
            "--steps: must be numbers such as 0.04,0.02 or a range such as 0.04:0.0025:/2, not "
            "\"0.04:0.01\"");
  EXPECT_TRUE(says(problem("-1"), "--steps: must be above 0, not \"-1\""));
  EXPECT_TRUE(says(problem("1 m"), "--steps: \"1 m\""));
  EXPECT_EQ(problem("0.04,0.02,40 ms"), "--steps: \"40 ms\" is given twice");
  EXPECT_TRUE(says(problem("0.01:0.04:/2"), "must not be above"));
  EXPECT_TRUE(says(problem("0.04:0.01:/1"), "must be above 1"));
  EXPECT_TRUE(says(problem("1:1e-30:/1.5"), "fewer than 64 numbers"));
  EXPECT_FALSE(problem("").empty());
}

TEST(OrderPlan, EverythingUsualForAnySystem) {
  int count = 0;
  for (const Preset& one : presets()) {
    Scenario scenario = preset(one.key);
    scenario.duration = 400 * scenario.lanes[0].step;
    const double step = scenario.lanes[0].step;
    const auto study = value_of(plan_order_study(scenario, {}));
    const auto system = create_system(scenario);
    std::vector<std::string> keys;
    for (const LaneSpec& lane : study.methods) keys.push_back(lane.type);
    EXPECT_EQ(keys, study_methods(**system)) << one.key;
    EXPECT_EQ(study.steps.size(), 6u) << one.key;
    EXPECT_EQ(study.tolerances.size(), 10u);
    EXPECT_EQ(study.reference.type, default_reference(keys));
    EXPECT_DOUBLE_EQ(study.reference.step, step / 32) << one.key;
    EXPECT_EQ(study.scenario.lanes.size(), 1u);
    ++count;
  }
  EXPECT_GE(count, 12);
}

TEST(OrderPlan, TakesWhatIsChosen) {
  Scenario scenario = lasting(0.4, preset("double_spherical_pendulum"));
  const OrderChoice choice{{"rk4", "rk45"}, {0.02, 0.01}, {1e-4}, "variational8", 0.005};
  const auto study = value_of(plan_order_study(scenario, choice));
  ASSERT_EQ(study.methods.size(), 2u);
  EXPECT_EQ(study.methods[1].type, "rk45");
  EXPECT_EQ(study.steps, choice.steps);
  EXPECT_EQ(study.tolerances, choice.tolerances);
  EXPECT_EQ(study.reference.type, "variational8");
  EXPECT_EQ(study.reference.step, 0.005);
  const auto result = run_order_study(study, 1, {});
  ASSERT_TRUE(result && *result) << result.error().text();
  EXPECT_EQ(value_of(order_of(study, **result, 0)).points, 2);
  EXPECT_FALSE(order_of(study, **result, 1)) << "rk45 has tolerances";
}

TEST(OrderPlan, SaysWhatCannotBe) {
  Scenario scenario = preset("double_spherical_pendulum");
  EXPECT_TRUE(says(plan_order_study(scenario, {.methods = {"rk5"}}).error().text(), "rk5"));
  scenario.duration = 0.3 * scenario.lanes[0].step;
  const Error none = error_of(plan_order_study(scenario, {}));
  EXPECT_EQ(none.location, "steps");
  EXPECT_TRUE(says(none.message, "give the steps"));
}

}  // namespace
}  // namespace twosphere::test::order_plan_test
