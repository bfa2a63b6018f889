// SPDX-License-Identifier: GPL-3.0-or-later
// Expressions of the state of any system, and runs that they stop.
#include "core/scenario/state_expression.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "core/catalog.h"
#include "core/run/simulation.h"
#include "core/scenario/live_edit.h"
#include "core/scenario/reader.h"
#include "core/scenario/writer.h"
#include "tests/outcome.h"
#include "tests/runs.h"

namespace twosphere::state_expression_test {
namespace {

using test::error_of, test::preset, test::says, test::value_of;

TEST(StateExpression, ReadsTheStateAndTheParametersOfAnySystem) {
  const Scenario s = preset();
  State state{2.5, s.q, s.omega};
  const auto value = [&](const char* text) {
    const auto expression = StateExpression::create(text, s);
    EXPECT_TRUE(expression) << text << ": " << expression.error().text();
    return expression ? expression->value(state) : std::nan("");
  };
  EXPECT_EQ(value("t + n"), 4.5);
  EXPECT_DOUBLE_EQ(value("angle(q[0], q[1])"), std::acos(s.q.col(0).dot(s.q.col(1))));
  const Vec3 v = s.omega.col(1).cross(s.q.col(1));
  EXPECT_DOUBLE_EQ(value("v[1].e2"), v.y());
  EXPECT_DOUBLE_EQ(value("norm(w[1])^2"), s.omega.col(1).squaredNorm());
  EXPECT_DOUBLE_EQ(value("sum(i: masses[i]*gravity*lengths[i])"), 2 * 9.81 * 9.81);
  EXPECT_EQ(StateExpression::create("lengths[0]", s)->unit(), "m");
  EXPECT_EQ(StateExpression::create("q[0].e1", s)->unit(), "1");
  EXPECT_EQ(StateExpression::create("angle(q[0], q[1])", s)->unit(), "rad");
  EXPECT_EQ(StateExpression::create("atan2(q[0].e2, q[0].e1)", s)->unit(), "rad");
  EXPECT_EQ(StateExpression::create("angle(q[0], q[1])^2", s)->unit(), "1");
  EXPECT_EQ(StateExpression::create("masses[0]*lengths[0]^2", s)->unit(), "kg m²");

  // Of a custom system the definitions, too.
  const Scenario custom = preset("custom/double_pendulum");
  state = {0, custom.q, custom.omega};
  const auto height = value_of(StateExpression::create("-e3.x[1]", custom));
  EXPECT_DOUBLE_EQ(height.value(state), -9.81 * (custom.q(2, 0) + custom.q(2, 1)));
}

TEST(StateExpression, AParameterOfSeveralFormsIsAListInItsFirst) {
  const Scenario s =
      test::with(preset(), {{"system.tip_force", json::Node::numbers(std::array{1.0, 2.0, 3.0})}});
  const State state{0, s.q, s.omega};
  EXPECT_EQ(value_of(StateExpression::create("tip_force[2] - tip_force[0]", s)).value(state), 2);
  EXPECT_EQ(StateExpression::create("tip_force[2]", s)->unit(), "N");
  const Scenario driven = test::with(
      preset(), {{"system.tip_force",
                  value_of(json::parse(
                      R"({"type": "sine", "amplitude": [1, 0, 0], "frequency": 1})", "sine"))}});
  EXPECT_FALSE(StateExpression::create("tip_force[2]", driven));
}

TEST(StateExpression, EverySystemOfTheCatalogueGivesItsNumbers) {
  int numbers = 0;
  for (const Preset& p : presets()) {
    const Scenario s = preset(p.key);
    for (const ParameterInfo& info : info_of(s).parameters) {
      if (info.shape != Shape::scalar || s.parameters.at(std::string(info.key)).empty()) continue;
      const auto number = value_of(StateExpression::create(std::string(info.key), s));
      EXPECT_EQ(number.value(State{0, s.q, s.omega}), s.parameters.at(std::string(info.key))[0]);
      ++numbers;
    }
  }
  EXPECT_GE(numbers, 28);
}

TEST(StateExpression, IsInTheUnitThatIsGiven) {
  const Scenario s = preset();
  const State state{0, s.q, s.omega};
  const auto in = [&](const char* text, const char* unit) {
    return StateExpression::create(text, s, unit);
  };
  EXPECT_DOUBLE_EQ(in("lengths[0]", "cm")->value(state), 981);
  EXPECT_EQ(in("lengths[0]", "cm")->unit(), "cm");
  EXPECT_DOUBLE_EQ(in("angle(e3, q[0])", "deg")->value(state),
                   angle(Vec3::UnitZ(), s.q.col(0)) * 180 / std::acos(-1));
  EXPECT_EQ(in("norm(v[0])", "m/s")->value(state), in("norm(v[0])", "")->value(state));
  // w is in rad/s, v and what is divided by 2π are in 1/s.
  const double w = s.omega.col(1).norm();
  EXPECT_DOUBLE_EQ(in("norm(w[1])", "Hz")->value(state), w / (2 * std::acos(-1)));
  EXPECT_DOUBLE_EQ(in("norm(w[1])", "rpm")->value(state), w * 30 / std::acos(-1));
  EXPECT_DOUBLE_EQ(in("norm(w[1])", "deg/s")->value(state), w * 180 / std::acos(-1));
  EXPECT_DOUBLE_EQ(in("norm(w[1])/(2*pi)", "Hz")->value(state), w / (2 * std::acos(-1)));
  EXPECT_DOUBLE_EQ(in("norm(v[1])", "Hz")->value(state), in("norm(v[1])", "")->value(state));
  EXPECT_EQ(in("lengths[0]", "kg").error().location, "unit");
  EXPECT_EQ(in("lengths[0]", "kg").error().message, "the expression is in m, not in kg");
  EXPECT_TRUE(says(in("t", "parsec").error().message, "is not a unit"));
  EXPECT_EQ(in("lengths[0", "parsec").error().location, "column 10");
}

TEST(StateExpression, ScenariosPlotThemByName) {
  const std::string text(find_preset("three_body")->text);
  const auto with = [&](const std::string& plots) {
    return read_scenario(text.substr(0, text.rfind('}')) + ", \"plots\": " + plots + "}",
                         "my.json");
  };
  const auto s =
      value_of(with(R"({"height": "e3.q[0]", "mass": {"expression": "masses[0]", "unit": "g"}})"));
  EXPECT_EQ(s.plots, (std::vector<PlottedExpression>{{"height", "e3.q[0]", "1"},
                                                     {"mass", "masses[0]", "g"}}));
  EXPECT_TRUE(same(s, value_of(read_scenario(write_scenario(s), "again"))));
  EXPECT_FALSE(same(s, *with(R"({"height": "e3.q[0]"})")));
  const auto edited = value_of(with_setting(s, "plots.height", "e3.q[1]"));
  EXPECT_EQ(edited.plots[0].expression, "e3.q[1]");
  const auto error = [&](const std::string& plots) { return with(plots).error().text(); };
  EXPECT_TRUE(says(error(R"({"h": "e3.q[3]"})"), "plots.h:"));
  EXPECT_TRUE(says(error(R"({"h": "e3.p[0]"})"), "\"p\" is not known"));
  EXPECT_TRUE(says(error(R"({"h": {"expression": "t", "unit": "parsec"}})"), "plots.h.unit"));
  EXPECT_TRUE(says(error(R"({"h": {"unit": "m"}})"), "expression"));
  EXPECT_TRUE(says(error(R"({"": "t"})"), "the name must not be empty"));
  EXPECT_TRUE(says(error(R"({"@t": "t"})"), "the name must not begin with @"));
  EXPECT_TRUE(says(error(R"({"a\nb": "t"})"), "the name must not contain a control character"));
  std::string own(find_preset("custom/magnetic_pendulum")->text);
  own = own.substr(0, own.rfind('}')) + R"(, "plots": {"distance from the axis": "t"}})";
  EXPECT_TRUE(
      says(read_scenario(own, "my.json").error().text(), "name of a quantity of the system"));
}

TEST(StopAtAnExpression, EndsTheRunWhereItCrossesTheBound) {
  const auto angle = [](Simulation& run) {
    const State& now = run.state(0);
    return std::acos(now.q.col(0).dot(now.q.col(1)));
  };
  // Half way between the angle at the start and the largest one.
  auto free = value_of(Simulation::create(preset()));
  const double first = angle(free);
  double largest = first;
  for (int k = 0; k < 2000; ++k) {
    ASSERT_FALSE(free.step());
    largest = std::max(largest, angle(free));
  }
  const double bound = (first + largest) / 2;
  ASSERT_GT(bound, first + 0.01);
  const Scenario s = test::stopping(
      fmt::format(R"json([{{"expression": "angle(q[0], q[1])", "above": "{} rad"}}])json", bound));
  ASSERT_EQ(s.stop.size(), 1U);
  EXPECT_EQ(s.stop[0].value, bound);
  EXPECT_EQ(describe(s.stop[0]).rfind("angle(q[0], q[1]) above ", 0), 0U);
  EXPECT_TRUE(same(*read_scenario(write_scenario(s), "again"), s));
  auto run = value_of(Simulation::create(s));
  double before = 0;
  while (!run.stopped() && run.steps() < 2000) {
    before = angle(run);
    ASSERT_FALSE(run.step());
  }
  ASSERT_TRUE(run.stopped());
  EXPECT_LE(before, bound);
  EXPECT_GT(angle(run), bound);
  EXPECT_NE(run.stopped()->find("angle(q[0], q[1]) = "), std::string::npos) << *run.stopped();
  EXPECT_NE(run.stopped()->find(", above "), std::string::npos) << *run.stopped();
}

TEST(StopAtAnExpression, FollowsTheParametersDuringTheRun) {
  // Met once gravity has changed, not before.
  Scenario s =
      test::stopping(R"([{"expression": "gravity", "below": 5}])", preset("chain_pendulum"));
  s.events = {{.step = 20, .set = {{"system.gravity", 1.62}}}};
  auto run = value_of(Simulation::create(s));
  while (!run.stopped() && run.steps() < 100) ASSERT_FALSE(run.step());
  EXPECT_TRUE(run.stopped());
  EXPECT_GE(run.steps(), 20);
  EXPECT_LE(run.steps(), 22);
}

TEST(StopAtAnExpression, BoundsMayHaveUnits) {
  const auto bound = [](const std::string& expression, const std::string& above) {
    return test::stopping(
               fmt::format(R"json([{{"expression": "{}", "above": "{}"}}])json", expression, above))
        .stop[0]
        .value;
  };
  EXPECT_EQ(bound("lengths[0]*e3.q[0]", "30 cm"), 0.3);
  EXPECT_NEAR(bound("norm(w[0])", "30 deg/s"), 0.5235987755982988, 1e-15);
  EXPECT_DOUBLE_EQ(bound("norm(w[0])", "2 Hz"), 4 * std::acos(-1));
  // Of v the unit is not known: any is right.
  EXPECT_EQ(bound("lengths[0]*norm(v[0])", "30 cm/s"), 0.3);
  EXPECT_EQ(bound("norm(w[0])", "2"), 2);
}

TEST(StopAtAnExpression, WrongOnesNameTheCharacter) {
  std::string text(find_preset("double_spherical_pendulum")->text);
  const auto error = [&](const std::string& stop) {
    const auto at = text.find("\"duration\"");
    const auto read = read_scenario(
        text.substr(0, at) + "\"stop\": [" + stop + "],\n" + text.substr(at), "my.json");
    return read ? "accepted" : read.error().text();
  };
  for (const auto& [stop, location, message] : {
           std::tuple(R"({"expression": "q[0]", "above": 1})",
                      ": stop[0].expression:1: ", "is a vector; a number is expected"),
           {R"({"expression": "t + grvity", "above": 1})",
            ": stop[0].expression:5: ", "did you mean gravity?"},
           {R"({"expression": "q[2].e1", "above": 1})",
            ": stop[0].expression:1: ", "the indices of q go from 0 to 1"},
           {R"({"expression": "t", "above": 1, "below": 2})", ": stop[0].below: ", "use two"},
           {R"({"expression": "t"})", ": stop[0]: ", "missing bound"},
           {R"({"expression": "t", "quantity": "work", "above": 1})",
            ": stop[0].expression: ", "cannot be combined with quantity"},
           {R"({"expression": "lengths[0]", "above": "1 kg"})",
            ": stop[0].above:1: ", "must be in m, not in kg"},
           {R"json({"expression": "norm(w[0])", "above": "1 m"})json",
            ": stop[0].above:1: ", "must be in rad/s, not in m"},
           {R"({"expression": "e3.q[0]", "above": "1 m"})",
            ": stop[0].above:1: ", "must be in plain numbers, not in m"},
       }) {
    const std::string found = error(stop);
    EXPECT_TRUE(says(found, location));
    EXPECT_TRUE(says(found, message));
  }
  EXPECT_TRUE(
      says(error(R"({"expression": "t + grvity", "above": 1})"), "\n    t + grvity\n        ^"));
}

TEST(StopAtAnExpression, ADefinitionKeepsWhatTheConditionsName) {
  const auto s = value_of(read_scenario(R"json({"twosphere": 1,
"system": {"type": "custom", "define": ["c = q[0].q[1]"], "inertia": "diag(1)", "potential": "q[0].e3"},
"initial": {"q": [[1, 0, 0], [0, 0, 1]], "omega": [[0, 0, 1], [0, 0, 0]]},
"integrator": {"type": "variational", "step": 0.01},
"stop": [{"expression": "c", "above": 0.5}],
"duration": 20})json",
                                        "my.json"));
  EXPECT_EQ(error_of(with_setting(s, "system.define", json::Node::array())).location,
            "stop[0].expression:1");
  EXPECT_TRUE(
      with_settings(s, {{"system.define", json::Node::array()}, {"stop", json::Node::array()}}));
}

}  // namespace
}  // namespace twosphere::state_expression_test
