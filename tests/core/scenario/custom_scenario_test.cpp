// SPDX-License-Identifier: GPL-3.0-or-later
// Systems of the type custom in files, settings, events and restarts.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "core/catalog.h"
#include "core/custom/definition.h"
#include "core/output/csv.h"
#include "core/run/simulation.h"
#include "core/scenario/live_edit.h"
#include "core/scenario/reader.h"
#include "core/scenario/writer.h"
#include "tests/outcome.h"
#include "tests/replaced.h"
#include "tests/runs.h"

namespace twosphere::custom_scenario_test {
namespace {

using test::error_of, test::says, test::value_of;

// One line per thing that can be wrong.
const std::string valid = R"json({
"twosphere": 1,
"system": {"type": "custom",
"bodies": 2,
"parameters": {"m": {"value": [1, 0.5], "unit": "kg", "range": [0.1, 10], "help": "Masses."},
"k": 3,
"slope": "1/4",
"phi": {"value": "30 deg", "unit": "rad"},
"p": [1, 2, "2*pi", 4],
"springs": [[0, 1]]},
"define": ["x[i] = sum(j <= i: q[j])"],
"inertia": "diag(m)",
"potential": "-k*sum(i: m[i]*e3.q[i]) + slope*sum(i, j in springs: q[i].q[j]) + 0*phi*p[0]",
"force": "f[0] = 0.1*sin(t/(1 s))*e1",
"figure": ["ball(x[i], m[i])"],
"plots": {"height": "-e3.q[1]"},
"units": "warnings"},
"initial": {"q": [[0.6, 0, 0.8], [0, 0, 1]], "omega": [[0, 1, 0], [2, 0, 0]]},
"integrator": {"type": "variational", "step": 0.01},
"events": [{"step": 3, "set": {
"system.k": 2}}],
"duration": 1
})json";

std::string replaced(const std::string& from, const std::string& to) {
  return test::replaced(valid, from, to);
}

Scenario read(const std::string& text, std::vector<std::string>* warnings = nullptr) {
  return value_of(read_scenario(text, "my.json", warnings));
}

std::string error_of(const std::string& text) {
  const auto scenario = read_scenario(text, "my.json");
  EXPECT_FALSE(scenario);
  return scenario ? "" : scenario.error().text();
}

TEST(CustomScenario, AFailedStepNamesTheBodyAsInTheWindowAndAsInTheTexts) {
  Scenario s = read(valid);
  s.lanes[0].step = 1;  // body 1 turns by 2 rad
  const auto failure = value_of(value_of(Simulation::create(s)).step());
  EXPECT_TRUE(says(failure.message, "failed: body 2 of 2, q[1] in the texts: "));
}

TEST(CustomScenario, IsReadWithItsTextsAndValues) {
  const Scenario s = read(valid);
  EXPECT_EQ(s.system, "custom");
  ASSERT_TRUE(s.definition);
  EXPECT_EQ(&info_of(s), &s.definition->info());
  EXPECT_EQ(info_of(s).key, "custom");
  EXPECT_EQ(s.parameters.at("m"), (std::vector<double>{1, 0.5}));
  EXPECT_EQ(s.parameters.at("k"), std::vector<double>{3});
  EXPECT_EQ(s.parameters.at("slope"), std::vector<double>{0.25});
  EXPECT_DOUBLE_EQ(s.parameters.at("phi")[0], std::acos(-1) / 6);
  EXPECT_DOUBLE_EQ(s.parameters.at("p")[2], 2 * std::acos(-1));
  const Definition& d = s.definition->definition();
  EXPECT_EQ(d.bodies, 2);
  EXPECT_EQ(d.force, std::vector<std::string>{"f[0] = 0.1*sin(t/(1 s))*e1"});
  EXPECT_EQ(d.parameters[0].help, "Masses.");
  EXPECT_EQ(d.parameters[0].range, (std::array<double, 2>{0.1, 10}));
  EXPECT_EQ(d.parameters.back().form, Definition::Parameter::Form::pairs);
  EXPECT_EQ(d.parameters.back().value, (std::vector<double>{0, 1}));
  EXPECT_FALSE(d.strict_units);
  EXPECT_EQ(d.plots[0].first, "height");
}

TEST(CustomScenario, APlotNeedsAName) {
  EXPECT_EQ(error_of(replaced("{\"height\": \"-e3.q[1]\"}", "{\"\": \"k\"}")),
            "my.json:16: system.plots.: the name must not be empty");
}

TEST(CustomScenario, ANumberWithACommaIsRefusedWhereAListMayStand) {
  constexpr const char* refused =
      "may be a list, which is written in brackets, or a number, which is written with a decimal "
      "point";
  for (const char* path : {"system.m", "system.k"})
    for (const char* value : {"1,5", "0,125", "1,0.5"}) {
      const auto changed = with_setting(read(valid), path, *json::parse_value(value));
      ASSERT_FALSE(changed) << path << " = " << value;
      EXPECT_TRUE(says(changed.error().message, refused));
    }
  EXPECT_TRUE(with_setting(read(valid), "system.k", *json::parse_value("atan2(1,2)")));
  EXPECT_TRUE(with_setting(read(valid), "system.m", *json::parse_value("[1,5]")));
}

TEST(CustomScenario, AListMayHaveExpressionsOnTheCommandLine) {
  const auto value = value_of(json::parse_value("[1 kg, 2*250 g]"));
  const auto heavier = value_of(with_setting(read(valid), "system.m", value));
  EXPECT_EQ(heavier.parameters.at("m"), (std::vector<double>{1, 0.5}));
}

TEST(CustomScenario, BodiesMayBeLeftToTheStart) {
  EXPECT_TRUE(same(read(replaced("\"bodies\": 2,\n", "")), read(valid)));
}

TEST(CustomScenario, ReadsBackWhatItWrites) {
  const Scenario s = read(valid);
  const Scenario again = read(write_scenario(s));
  EXPECT_TRUE(same(s, again));
  EXPECT_EQ(write_scenario(again), write_scenario(s));
  const json::Node system = system_document(s);
  EXPECT_EQ(system.find("parameters")->find("k")->number, 3) << "a plain number stays plain";
  EXPECT_EQ(system.find("parameters")->find("m")->find("unit")->text, "kg");
  // With other values, too, which are not those of the definition.
  const auto changed = value_of(with_setting(s, "system.m[1]", 4));
  EXPECT_EQ(changed.definition, s.definition) << "a value needs no new translation";
  EXPECT_FALSE(same(s, changed));
  const Scenario other = read(write_scenario(changed));
  EXPECT_TRUE(same(changed, other));
  EXPECT_EQ(other.parameters.at("m"), (std::vector<double>{1, 4}));
}

TEST(CustomScenario, IsTheSameOnlyWithTheSameTexts) {
  const Scenario s = read(valid);
  for (const auto& [from, to] :
       std::vector<std::pair<std::string, std::string>>{{"0.1*sin(t/(1 s))", "0.2*sin(t/(1 s))"},
                                                        {"Masses.", "The masses."},
                                                        {"[0.1, 10]", "[0.1, 20]"},
                                                        {"-e3.q[1]", "e3.q[1]"},
                                                        {"\"height\"", "\"depth\""}}) {
    const Scenario other = read(replaced(from, to));
    EXPECT_FALSE(same(s, other)) << to;
    EXPECT_FALSE(same_kind(s, other)) << to;
  }
  const Scenario value = read(replaced("\"k\": 3", "\"k\": 4"));
  EXPECT_TRUE(same_kind(s, value));
  EXPECT_FALSE(same_system(s, value));
}

TEST(CustomScenario, SettingsAddressParametersByName) {
  const Scenario s = read(valid);
  const auto set = [&](const char* path, const json::Node& value) {
    return value_of(with_setting(s, path, value));
  };
  EXPECT_EQ(set("system.k", 5).parameters.at("k"), std::vector<double>{5});
  EXPECT_EQ(set("system.parameters.k", 5).parameters.at("k"), std::vector<double>{5});
  EXPECT_EQ(set("system.k", "1/2").parameters.at("k"), std::vector<double>{0.5});
  EXPECT_EQ(set("system.m[1]", "2 g").parameters.at("m")[1], 0.002);
  EXPECT_EQ(set("system.parameters.m.value[1]", 2).parameters.at("m")[1], 2);
  EXPECT_EQ(set("system.p[3]", 7).parameters.at("p")[3], 7);
  const double three[] = {1, 2, 3};
  const Scenario longer = set("system.p", json::Node::numbers(three));
  EXPECT_EQ(longer.parameters.at("p").size(), 3U) << "another length is another definition";
  EXPECT_NE(longer.definition, s.definition);
  const Scenario other = set("system.potential", "-2*k*e3.q[0]");
  EXPECT_EQ(other.definition->definition().potential, "-2*k*e3.q[0]");
  EXPECT_EQ(set("system.force", json::Node::array()).definition->definition().force.size(), 0U);

  const auto refused = [&](const char* path, const json::Node& value) {
    const auto changed = with_setting(s, path, value);
    EXPECT_FALSE(changed) << path;
    return changed ? "" : changed.error().text();
  };
  EXPECT_EQ(refused("system.slop", 1),
            "system.slop: there is no such parameter; did you mean slope? parameters: m, k, slope, "
            "phi, p, springs");
  EXPECT_EQ(refused("system.m[2]", 1),
            "system.m[2]: system.parameters.m.value has 2 entries, counted from 0");
  EXPECT_EQ(refused("system.m[1]", "2 m").rfind("system.m[1]", 0), 0U);
  EXPECT_EQ(refused("system.bodies", 3),
            "system.bodies: must agree with the start, which has 2 bodies, not 3");
}

TEST(CustomScenario, DifferencesAreSettingsThatMakeThem) {
  const Scenario s = read(valid);
  const auto expect = [&](const Scenario& to, const std::vector<std::string>& paths) {
    const std::vector<Setting> settings = differences(s, to);
    std::vector<std::string> found;
    for (const Setting& setting : settings) found.push_back(setting.path.text());
    EXPECT_EQ(found, paths);
    EXPECT_TRUE(same(value_of(with_settings(s, settings)), to));
  };
  expect(*with_settings(s, {{"system.k", 5}, {"system.m[0]", 2}}), {"system.m[0]", "system.k"});
  expect(read(replaced("0.1*sin(t/(1 s))", "0.2*sin(t/(1 s))")), {"system.force"});
  expect(read(replaced("\"force\": \"f[0] = 0.1*sin(t/(1 s))*e1\",\n", "")), {"system.force"});
  expect(read(replaced("\"k\": 3", "\"k\": {\"value\": 4, \"unit\": \"J\"}")),
         {"system.parameters"});
  expect(read(replaced("\"warnings\"", "\"strict\"")), {"system.units"});
}

TEST(CustomScenario, ParametersChangeDuringARunAndTheJumpOfTheEnergyIsWork) {
  auto run = value_of(Simulation::create(read(valid)));
  for (int k = 0; k < 3; ++k) ASSERT_FALSE(run.step());
  const double before = run.sample(0)[Quantity::total_energy];
  const double work = run.sample(0)[Quantity::work];
  ASSERT_TRUE(run.set({{"system.m[0]", 2.0}}));
  const double jump = run.sample(0)[Quantity::total_energy] - before;
  EXPECT_GT(std::abs(jump), 1e-3);
  EXPECT_NEAR(run.sample(0)[Quantity::work] - work, jump, 1e-12);
  ASSERT_FALSE(run.step());  // the event of the file: k = 2
  EXPECT_EQ(run.present().parameters.at("k"), std::vector<double>{2});
  EXPECT_EQ(run.present().parameters.at("m")[0], 2);
  EXPECT_EQ(run.record().events.size(), 2U);
  // The record repeats the run.
  auto again = value_of(Simulation::create(read(write_scenario(run.record()))));
  for (int k = 0; k < 4; ++k) ASSERT_FALSE(again.step());
  EXPECT_EQ(again.state(0).q, run.state(0).q);
  EXPECT_EQ(again.state(0).w, run.state(0).w);
}

TEST(CustomScenario, ValuesOutsideTheirRangeAreWarnedOfInFilesAndSettings) {
  const std::string warning =
      "system.parameters.m.value[1]: warning: is 20, outside the range of its slider, 0.1 to 10 kg";
  std::vector<std::string> warnings;
  const Scenario wide = read(replaced("[1, 0.5]", "[1, 20]"), &warnings);
  EXPECT_EQ(warnings, std::vector<std::string>{"my.json:5: " + warning});
  const Scenario s = read(valid);
  const json::Node system = *settings_document(wide).find("system");
  for (const std::vector<Setting>& settings :
       std::vector<std::vector<Setting>>{{{"system.m[1]", 20.0}},
                                         {{"system.parameters.m.value[1]", 20.0}},
                                         {{"system", system}},
                                         {{"system.m[1]", 20.0}, {"initial.omega[0][1]", 2.0}},
                                         {{"system.m[1]", 20.0}, {"system.potential", "0*k"}}}) {
    SCOPED_TRACE(settings.back().path.text());
    warnings.clear();
    ASSERT_TRUE(with_settings(s, settings, &warnings));
    EXPECT_EQ(warnings, std::vector<std::string>{warning});
  }
  // Not of what the scenario has already, nor of what is within.
  for (const auto& [from, setting] : {std::pair(&wide, Setting{"system.k", 2.0}),
                                      {&wide, {"system.m[0]", 2.0}},
                                      {&wide, {"initial.omega[0][1]", 2.0}},
                                      {&wide, {"system", system}},
                                      {&wide, {"duration", 2.0}},
                                      {&s, {"system.m[1]", 10.0}}}) {
    SCOPED_TRACE(setting.path.text());
    warnings.clear();
    ASSERT_TRUE(with_settings(*from, {setting}, &warnings));
    EXPECT_TRUE(warnings.empty()) << warnings[0];
  }
}

TEST(CustomScenario, TextsChangeDuringARun) {
  auto run = value_of(Simulation::create(read(valid)));
  for (int k = 0; k < 5; ++k) ASSERT_FALSE(run.step());
  const auto kept = run.present().definition;
  ASSERT_TRUE(run.set({{"system.potential", "-k*e3.q[0]"}}));
  EXPECT_NE(run.present().definition, kept);
  EXPECT_EQ(&run.system_info(), &run.present().definition->info());
  const Scenario record = read(write_scenario(run.record()));
  ASSERT_EQ(record.events.size(), 2U);
  EXPECT_EQ(record.events[1].set[0].path, "system.potential");
  auto again = value_of(Simulation::create(record));
  for (int k = 0; k < 5; ++k) ASSERT_FALSE(again.step());
  for (int k = 0; k < 5; ++k) {
    ASSERT_FALSE(run.step());
    ASSERT_FALSE(again.step());
  }
  EXPECT_EQ(again.state(0).q, run.state(0).q);
  // What the columns of a table depend on waits for Rewind.
  ASSERT_TRUE(run.set({{"system.plots", json::Node::object()}}));
  EXPECT_EQ(run.present().definition->definition().plots.size(), 1U);
  EXPECT_EQ(run.rewound().definition->definition().plots.size(), 0U);
}

TEST(CustomScenario, ContinuesBitForBit) {
  for (const char* method : {"variational", "rk45"}) {
    const Scenario start = *with_setting(read(valid), "integrator.type", method);
    auto through = Simulation::create(start);
    auto half = Simulation::create(start);
    ASSERT_TRUE(through && half);
    for (int k = 0; k < 60; ++k) ASSERT_FALSE(through->step());
    for (int k = 0; k < 30; ++k) ASSERT_FALSE(half->step());
    auto rest = value_of(Simulation::create(read(write_scenario(half->continuation()))));
    for (int k = 0; k < 30; ++k) ASSERT_FALSE(rest.step());
    EXPECT_EQ(rest.state(0).q, through->state(0).q) << method;
    EXPECT_EQ(rest.state(0).w, through->state(0).w) << method;
    EXPECT_EQ(write_scenario(rest.continuation()), write_scenario(through->continuation()));
  }
}

TEST(CustomScenario, OtherSystemsCanReplaceIt) {
  Scenario s = read(valid);
  s.events.clear();
  const Scenario built_in = test::preset();
  for (const auto& [from, to] : {std::pair(s, built_in), std::pair(built_in, s)}) {
    EXPECT_TRUE(same_system(value_of(with_settings(from, differences(from, to))), to));
  }
}

TEST(CustomScenario, TheListedRecordMakesNoSystem) {
  const SystemInfo* listed = find_system("custom");
  ASSERT_TRUE(listed);
  EXPECT_FALSE(listed->create(2, {}));
}

TEST(CustomScenario, ErrorsNamePlaceAndCharacter) {
  const std::string text = replaced("-k*sum(i: m[i]*e3.q[i])", "-k*wrong");
  const std::string error = error_of(text);
  EXPECT_EQ(error.rfind("my.json:13: system.potential:4: ", 0), 0U) << error;
  const auto shown =
      error.find("\n    -k*wrong + slope*sum(i, j in springs: q[i].q[j]) + 0*phi*p[0]");
  ASSERT_NE(shown, std::string::npos) << error;
  EXPECT_NE(error.find("\n       ^", shown), std::string::npos) << error;
  // One text in place of a list.
  const std::string force = error_of(replaced("0.1*sin(t/(1 s))*e1", "wrong*e1"));
  EXPECT_EQ(force.rfind("my.json:14: system.force:8: ", 0), 0U) << force;
  EXPECT_TRUE(says(force, "\n    f[0] = wrong*e1\n           ^"));
  // In an event.
  const std::string event =
      error_of(replaced("\"system.k\": 2", "\"system.potential\": \"wrong\""));
  EXPECT_EQ(event.rfind("my.json:21: events[0].set.system.potential:1: ", 0), 0U) << event;
  EXPECT_TRUE(says(event, "\n    wrong\n    ^"));
}

TEST(CustomScenario, WhatIsNotFiniteAtTheStartIsNamed) {
  const auto error = [](const std::string& inertia, const std::string& potential,
                        const std::string& force = "") {
    return error_of(fmt::format(R"json({{"twosphere": 1,
"system": {{"type": "custom", "define": ["x[i] = q[i] - e1", "d = norm(x[0])"],
"inertia": "{}",
"potential": "{}",
"force": [{}]}},
"initial": {{"q": [[1, 0, 0], [0, 1, 0]], "omega": [[0, 0, 1], [0, 0, 0]]}},
"integrator": {{"type": "variational", "step": 0.01}}, "duration": 1}})json",
                                inertia, potential, force.empty() ? "" : '"' + force + '"'));
  };
  const auto names = [](const std::string& found, const std::string& what) {
    EXPECT_EQ(found.rfind(what, 0), 0U) << found;
  };
  names(error("diag(1)", "2*1/0"), "my.json:4: system.potential:5: is 0 at the start and divides");
  names(error("diag(1)", "sqrt(-1)"),
        "my.json:4: system.potential:1: is not a number at the start; V must be finite");
  names(error("diag(1)", "1/norm(q[0] - e1)"),
        "my.json:4: system.potential:3: is 0 at the start (q[0]) and divides; V must be finite");
  names(error("diag(1)", "sum(i: log(norm(x[i])))"),
        "my.json:4: system.potential:8: is infinite at the start (q[0]); V must be finite");
  names(error("diag(1)", "q[0].e3/d"),
        "my.json:4: system.potential:9: is 0 at the start (q[0]) and divides; V must be finite");
  names(error("diag(1)", "acos(q[0].e1)"),
        "my.json:4: system.potential:1: has no finite derivative at the start (q[0])");
  names(error("diag(i: (e3.q[i])^2)", "0"),
        "my.json:3: system.inertia:18: the inertia of body 0 is 0 at the start");
  names(error("diag(1)", "0", "f[0] = 1/t*e1"),
        "my.json:5: system.force[0]:10: is 0 at the start and divides; a force must be finite");
}

TEST(CustomScenario, AnEventThatMakesTheInertiaInfiniteIsRefused) {
  json::Node root = to_json(*load_preset("custom/double_pendulum"));
  root.set("events", *json::parse_value(R"([{"step": 1,
    "set": {"system.m": [1e300, 1e300], "system.l": [1e300, 1e300]}}])"));
  const Error refused = error_of(from_json(root, ""));
  EXPECT_EQ(refused.location, "events[0].set.system.l");
  EXPECT_EQ(refused.message.rfind("system.potential:15: is infinite", 0), 0U) << refused.message;
}

TEST(CustomScenario, EventsThatNoRunCanFollowAreRefusedWhenTheFileIsRead) {
  const std::string infinite =
      error_of(replaced("\"system.k\": 2", "\"system.potential\": \"k/(q[0].q[0] - q[0].q[0])\""));
  EXPECT_EQ(infinite.rfind("my.json:21: events[0].set.system.potential: is not a finite number", 0),
            0U)
      << infinite;
  // One that is infinite at the start alone may not be where the event acts.
  (void)read(replaced("\"system.k\": 2", "\"system.potential\": \"k/norm(q[1] - e3)\""));
  const std::string negative = error_of(replaced("\"system.k\": 2", "\"system.m\": [1, -1]"));
  EXPECT_EQ(negative.rfind("my.json:21: events[0].set.system.m: system.inertia:6: the inertia of "
                           "body 1 is -1",
                           0),
            0U)
      << negative;
  const std::string coupled = error_of(test::replaced(
      replaced("\"system.k\": 2", "\"system.inertia\": \"matrix(i, j: if(i == j, m[i], 0.1))\""),
      "\"variational\"", "\"rotation\""));
  EXPECT_EQ(coupled.rfind("my.json:21: events[0].set.system.inertia: integrator.type: rotation "
                          "needs uncoupled bodies",
                          0),
            0U)
      << coupled;
}

TEST(CustomScenario, ErrorsOfTheDocument) {
  struct Case {
    std::string from, to, error;
  };
  for (const auto& [from, to, error] : std::vector<Case>{
           {"\"bodies\": 2", "\"bodies\": 3",
            "my.json:4: system.bodies: must agree with the start, which has 2 bodies, not 3"},
           {"\"define\"", "\"defin\"",
            "my.json:11: system.defin: unknown key; did you mean define?"},
           {"\"k\": 3", "\"k\": true", "my.json:6: system.k: must be a number, not true"},
           {"\"k\": 3", "\"k\": []", "my.json:6: system.k: must have an entry"},
           {"\"1/4\"", "\"1/\"", "my.json:7: system.slope"},
           {"\"30 deg\"", "\"30 kg\"", "my.json:8: system.phi"},
           {"\"k\": 3", "\"potential\": 3",
            "my.json:6: system.parameters.potential: \"potential\" is a key of system"},
           {"[0.1, 10]", "[10, 0.1]",
            "my.json:5: system.parameters.m.range: must be from a number"},
           {"[0.1, 10]", "[10]",
            "my.json:5: system.parameters.m.range: must have 2 numbers, the least and the "
            "greatest, not 1"},
           {"\"help\"", "\"hlp\"", "my.json:5: system.parameters.m.hlp: unknown key"},
           {"[[0, 1]]", "[[0, 2]]",
            "my.json:10: system.springs[0][1]: must be a whole number from"},
           {"[[0, 1]]", "[[0, 1], [1]]",
            "my.json:10: system.springs[1]: must have 2 bodies, counted from 0, not 1"},
           {"\"inertia\": \"diag(m)\"", "\"inertia\": 1",
            "my.json:12: system.inertia: must be a str"},
           {"[\"ball(x[i], m[i])\"]", "[1]", "my.json:15: system.figure[0]: must be a string"},
           {"\"warnings\"", "\"yes\"", "my.json:17: system.units: unknown check of units \"yes\""},
           {"\"system.k\": 2", "\"system.kk\": 2",
            "my.json:21: events[0].set.system.kk: no such value; did you mean k?"},
           {"\"system.k\": 2", "\"system.bodies\": 2",
            "my.json:21: events[0].set.system.bodies: cannot change during a run"},
           {"\"system.k\": 2", "\"system.k\": \"x\"", "my.json:21: events[0].set.system.k:1: "},
       }) {
    const std::string found = error_of(replaced(from, to));
    EXPECT_EQ(found.rfind(error, 0), 0U) << to << ": " << found;
  }
}

}  // namespace
}  // namespace twosphere::custom_scenario_test
