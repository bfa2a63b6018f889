// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/live_edit.h"

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "core/catalog.h"
#include "core/mechanics/body_motion.h"
#include "core/run/simulation.h"
#include "core/scenario/parameter_io.h"
#include "core/scenario/reader.h"
#include "core/scenario/writer.h"
#include "tests/outcome.h"
#include "tests/runs.h"
#include "tests/sanitized.h"

namespace twosphere::live_edit_test {
namespace {

using json::Node;
using Settings = std::vector<Setting>;
using test::error_of, test::says, test::value_of;

/// The same edit in the document of the whole scenario.
Result<Scenario> edited_as_a_whole(const Scenario& scenario, const Settings& settings) {
  Node root = to_json(scenario);
  for (const auto& [path, value] : settings)
    if (auto done = assign_setting(root, path, value); !done) return done.error();
  return read_edited(root, scenario, EditScope::whole, true, nullptr);
}

/// An edited part of "system" has no place for springs that the edit makes wrong: it names them in
/// the message.
std::string in_whole(std::string error) {
  constexpr std::string_view in_part = "system: springs";
  return error.starts_with(in_part) ? error.replace(0, in_part.size(), "system.springs") : error;
}

void expect_same(const Scenario& scenario, const Settings& settings) {
  const auto part = with_settings(scenario, settings);
  const auto whole = edited_as_a_whole(scenario, settings);
  const std::string named = settings.empty() ? "" : settings[0].path.text();
  ASSERT_EQ(part.has_value(), whole.has_value()) << named;
  if (whole)
    EXPECT_TRUE(same(*part, *whole)) << named;
  else
    EXPECT_EQ(in_whole(part.error().text()), whole.error().text()) << named;
}

/// The presets and a text-defined system, and what they come to after a few steps of several lanes;
/// under a sanitizer without those of thousands of bodies, whose numbers are read one like another.
std::vector<Scenario> scenarios() {
  std::vector<Scenario> list;
  std::vector<std::string> keys{"custom/double_pendulum"};
  for (const Preset& preset : presets()) keys.emplace_back(preset.key);
  for (const std::string& key : keys) {
    Scenario scenario = *load_preset(key);
    if (test::sanitized && scenario.size() > 1000) continue;
    list.push_back(scenario);
    LaneSpec fine = scenario.lanes[0];
    fine.name = "fine";
    fine.step /= 2;
    scenario.lanes.push_back(fine);
    auto run = Simulation::create(std::move(scenario));
    for (int k = 0; k < 3; ++k) EXPECT_FALSE(run->step());
    list.push_back(run->continuation());
  }
  return list;
}

constexpr const char* with_events =
    R"({"twosphere": 1, "system": {"type": "chain_pendulum", "masses": [1], "lengths": [1]},
  "initial": {"q": [[1, 0, 0]], "omega": [[0, 0, 0]]},
  "integrator": {"type": "rk4", "step": 0.02}, "duration": 10,
  "events": [{"step": 25, "set": {"system.gravity": 5}},
             {"step": 50, "set": {"system.gravity": 6}, "since": 25},
             {"step": 75, "pull": {"body": 0, "force": [1, 0, 0], "steps": 50}},
             {"step": 100, "set": {"integrator.step": 0.01}},
             {"step": 200, "set": {"integrator.type": "heun"}}],
  "branches": [{"name": "b", "from_step": 150, "steps": 300,
                "events": [{"step": 150, "reverse": true}]}]})";

TEST(AnotherStep, LeavesEventsAtTheirTimes) {
  const Scenario scenario = *read_scenario(with_events, "s");
  const auto finer = value_of(with_settings_at_same_times(scenario, {{"integrator.step", 0.005}}));
  std::vector<std::int64_t> steps;
  for (const Event& event : finer.events) steps.push_back(event.step);
  EXPECT_EQ(steps, (std::vector<std::int64_t>{100, 200, 300, 400, 500}))
      << "the step that an event sets is not another one";
  EXPECT_EQ(finer.events[1].since, 100);
  EXPECT_EQ(finer.events[2].pull->steps, 100 + 25) << "0.5 s, and 0.25 s after the change";
  EXPECT_EQ(finer.branches[0].from_step, 450);
  EXPECT_EQ(finer.branches[0].events[0].step, 450);
  EXPECT_EQ(finer.branches[0].steps, 600);
  const auto back = value_of(with_settings_at_same_times(finer, {{"integrator.step", 0.02}}));
  EXPECT_TRUE(same(back, scenario));
  // Events that are given with the step count it.
  const auto given = value_of(with_settings_at_same_times(
      scenario, {{"events", *json::parse(R"([{"step": 7, "reverse": true}])", "e")},
                 {"branches", Node::array()},
                 {"integrator.step", 0.005}}));
  EXPECT_EQ(given.events[0].step, 7);
}

TEST(AnotherStep, MustDivideTheTimesOfEvents) {
  const Scenario scenario = *read_scenario(with_events, "s");
  const auto refused = [](const Scenario& of, const std::string& message) {
    const auto made = with_settings_at_same_times(of, {{"integrator.step", 0.04}});
    ASSERT_FALSE(made) << message;
    EXPECT_EQ(made.error().kind, ErrorKind::usage);
    EXPECT_EQ(made.error().location, "integrator.step");
    EXPECT_TRUE(made.error().message.starts_with(message)) << made.error().message;
  };
  refused(scenario, "step 25 of an event would become step 12.5, which must be a whole number");
  Scenario one = scenario;
  one.events = {{.step = 10, .pull = Pull{.steps = 3}}};
  one.branches.clear();
  refused(one, "the 3 steps of the pull from step 10 would become 1.5, which must be");
  one.events.clear();
  one.branches = {{.name = "b", .from_step = 11}};
  refused(one, "step 11 (from_step) would become step 5.5");
  EXPECT_TRUE(with_settings_at_same_times(scenario, {{"integrator.step", 0.1}}));
  // What the reader refuses is said first.
  const auto negative = with_settings_at_same_times(scenario, {{"integrator.step", -0.04}});
  EXPECT_EQ(negative.error().text(), "integrator.step: must be greater than 0, not -0.04");
}

TEST(AnotherStep, LeavesThePullsOfASavedState) {
  Scenario scenario = *read_scenario(with_events, "s");
  scenario.branches.clear();
  auto run = Simulation::create(std::move(scenario));
  for (int k = 0; k < 95; ++k) ASSERT_FALSE(run->step());
  const Scenario state = run->continuation();
  ASSERT_EQ(state.continuation->pulls[0].steps, 30);
  const auto finer = value_of(with_settings_at_same_times(state, {{"integrator.step", 0.005}}));
  EXPECT_EQ(finer.continuation->pulls[0].steps, 4 * 5 + 25);
  EXPECT_EQ(finer.events[0].step, 4 * 5);
  EXPECT_EQ(finer.events[1].step, 4 * 5 + 100);
}

TEST(LiveEdit, ReadsWhatIsSetAsTheWholeDocumentWouldBe) {
  for (const Scenario& scenario : scenarios()) {
    for (const ParameterInfo& p : info_of(scenario).parameters) {
      const std::string path = "system." + std::string(p.key);
      for (const Node& value : {Node(2), Node(-1), Node("none"), Node(), Node::array(),
                                Node::object(), Node::numbers(std::vector<double>{0.1, 0.2, 0.3})})
        expect_same(scenario, {{path, value}});
      const auto numbers = scenario.parameters.find(p.key)->second;
      if (const auto node = parameter_node(p, numbers)) expect_same(scenario, {{path, *node}});
      expect_same(scenario, {{path + "[0]", 0.5}});
      expect_same(scenario, {{path + "[0].stiffness", 0.5}});
      expect_same(scenario, {{path + ".amplitude[1]", 0.5}});
    }
    for (const char* lane : {"integrator", "lanes[0]", "lanes[1]", "lanes[2]", "lanes"}) {
      const std::string section = lane;
      for (const double step : {scenario.lanes[0].step / 4, 0.0137, -1.0, 1e-300})
        expect_same(scenario, {{section + ".step", step}});
      for (const IntegratorInfo& method : integrators())
        expect_same(scenario,
                    {{section + ".type", method.key}, {section + ".relative_tolerance", 1e-7}});
      for (const char* key : {".nothing", ".work", ".time_origin", ".name"})
        expect_same(scenario, {{section + key, 1.0}});
    }
    for (const char* path : {"duration", "every", "stop", "section", "signal", "plots", "title",
                             "description", "nothing", "system", "a[", ""})
      for (const Node& value : {Node(3), Node(-1), Node::array(), Node("text")})
        expect_same(scenario, {{path, value}});
    for (const char* key :
         {"parameters", "potential", "inertia", "force", "bodies", "type", "nothing"})
      for (const char* text : {"diag(1)", "0", "e3.q[0]/0"})
        expect_same(scenario, {{std::string("system.") + key, Node(text)}});
    expect_same(scenario, {});
  }
}

// What depends on a section that is set is checked, although it is not set.
TEST(LiveEdit, ChecksWhatDependsOnWhatIsSet) {
  const auto parsed = [](const char* text) { return *json::parse_value(text); };
  const auto scenario =
      value_of(with_settings(*load_preset("custom/shaken_pivot"),
                             {{"every", 2},
                              {"stop", parsed(R"([{"expression": "e3.q[0]/l", "above": 2}])")},
                              {"section", parsed(R"({"period": "2*pi/Omega"})")},
                              {"plots", parsed(R"({"height": "l*e3.q[0]"})")},
                              {"events", parsed(R"([{"step": 3, "set": {"every": 4}}])")},
                              {"branches", parsed(R"([{"name": "slow", "from_step": 1,
                                "events": [{"step": 5, "set": {"system.Omega": 20}}]}])")}}));
  for (const auto& [path, value, location] :
       std::vector<std::array<const char*, 3>>{{"system.Omega", "40", ""},
                                               {"system.Omega", "0", "section.period"},
                                               {"system.l", "[1, 2]", "system.potential:6"},
                                               {"integrator.step", "1e-20", "duration"},
                                               {"integrator.type", "\"rotation\"", ""},
                                               {"every", "3", "events[0].set.every"},
                                               {"title", "\"other\"", ""}}) {
    const Settings set{{path, parsed(value)}};
    expect_same(scenario, set);
    const auto made = with_settings(scenario, set);
    EXPECT_EQ(made ? "" : made.error().location, location) << path;
  }
}

// Parameters that files leave out because they have their defaults.
TEST(LiveEdit, GoesIntoParametersThatAreLeftOut) {
  const Scenario chain = *load_preset("chain_pendulum");
  EXPECT_EQ(write_scenario(chain).find("frame_rotation"), std::string::npos);
  const auto turned = value_of(with_settings(chain, {{"system.frame_rotation[2]", 0.5}}));
  EXPECT_EQ(turned.parameters.at("frame_rotation"), (std::vector<double>{0, 0, 0.5}));
  EXPECT_NE(write_scenario(turned).find("\"frame_rotation\": [0, 0, 0.5]"), std::string::npos);
  expect_same(chain, {{"system.frame_rotation[2]", 0.5}});
  // Also in events, and with another setting of the start.
  auto run = value_of(Simulation::create(chain));
  ASSERT_FALSE(run.step());
  ASSERT_TRUE(run.set({{"system.frame_rotation[2]", 0.5}}));
  ASSERT_FALSE(run.step());
  const Scenario saved = run.continuation();
  EXPECT_TRUE(same(value_of(read_scenario(write_scenario(saved), "saved")), saved));
  const Scenario network =
      value_of(with_settings(*load_preset("pendulum_network"),
                             {{"integrator.type", "rotation"}, {"system.strength[1]", 0.002}}));
  EXPECT_EQ(network.parameters.at("strength"), (std::vector<double>{0, 0.002, 0, 0}));
  // A method that takes none is refused with the reason.
  const auto refused =
      with_settings(*load_preset("pendulum_network"), {{"system.strength[1]", 0.002}});
  EXPECT_NE(error_of(refused).text().find("needs bodies without strength"), std::string::npos);
}

// The time of a saved state is a number of steps.
TEST(LiveEdit, ChecksForcesAtTheTimeThatAnotherStepGives) {
  const auto begun = value_of(
      with_settings(*load_preset("custom/shaken_pivot"),
                    {{"system.force", "f[0] = a/(t - 0.02)*e3"}, {"integrator.step", 0.01}}));
  auto run = Simulation::create(begun);
  ASSERT_FALSE(run->step());
  const Scenario saved = run->continuation();
  expect_same(saved, {{"integrator.step", 0.01}});
  expect_same(saved, {{"integrator.step", 0.02}});
  EXPECT_EQ(error_of(with_settings(saved, {{"integrator.step", 0.02}})).location,
            "system.force[0]:13");
}

/// Paths of all kinds, and values of which some fit.
std::pair<std::vector<std::string>, std::vector<Node>> paths_and_values(const Scenario& scenario) {
  std::vector<std::string> paths{"duration",   "every",   "stop",       "stop[0].time",
                                 "title",      "lanes",   "system",     "state.omega[1]",
                                 "state.q[0]", "nothing", "integrator", "a["};
  for (const ParameterInfo& p : info_of(scenario).parameters)
    for (const char* part : {"", "[0]", "[1]", ".amplitude[1]", ".value"})
      paths.push_back("system." + std::string(p.key) + part);
  for (const char* lane : {"integrator", "lanes[0]", "lanes[1]"})
    for (const char* key : {".type", ".step", ".name", ".relative_tolerance", ".initial"})
      paths.push_back(std::string(lane) + key);
  for (const char* text : {"potential", "inertia", "force", "define", "parameters", "plots"})
    paths.push_back(std::string("system.") + text);
  std::vector<Node> values{
      Node(2), Node(-1),      Node(0),        Node(1e300),
      Node(),  Node::array(), Node::object(), Node(scenario.lanes[0].step / 2)};
  for (const char* text : {"rk4", "rk45", "rotation", "1/100 s", "300 g", "0", "diag(1)", "1/0"})
    values.emplace_back(std::string(text));
  for (const char* text : {"[0, 0, 1]", "[2, -3]", R"([{"time": 2}])"})
    values.push_back(*json::parse_value(text));
  return {paths, values};
}

// Events of any settings are read or refused, and those that are read are written as they are.
TEST(LiveEdit, EventsOfAnySettingsDoNoHarm) {
  std::mt19937 random(20261127);
  int accepted = 0, refused = 0;
  for (const Scenario& scenario : scenarios()) {
    if (scenario.size() > 10) continue;
    const auto lists = paths_and_values(scenario);
    const auto& [paths, values] = lists;
    Node root = to_json(scenario);
    for (int k = 0; k < 400; ++k) {
      Node events = Node::array();
      for (std::size_t i = random() % 3 + 1; i > 0; --i) {
        Node set = Node::object();
        for (std::size_t j = random() % 2 + 1; j > 0; --j)
          set.set(paths[random() % paths.size()], values[random() % values.size()]);
        Node& event = events.items.emplace_back(Node::object());
        event.set("step", Node::whole(static_cast<std::int64_t>(random() % 9)));
        event.set("set", std::move(set));
      }
      root.set("events", std::move(events));
      const auto read = from_json(root, "");
      ++(read ? accepted : refused);
      if (read) {
        EXPECT_TRUE(same(value_of(from_json(to_json(*read), "")), *read));
      } else {
        EXPECT_TRUE(says(read.error().location, "events["));
      }
    }
  }
  EXPECT_GT(accepted, 50);
  EXPECT_GT(refused, 1000);
}

TEST(LiveEdit, SetsSingleAnglesAndRates) {
  const Scenario from = test::preset();
  const auto set = [&](const Settings& settings) {
    return value_of(with_settings(from, settings));
  };
  const SphericalMotion before = spherical({from.q.col(0), from.omega.col(0)});
  const Scenario one = set({{"initial.angles[0][0]", 0.25}});
  const SphericalMotion after = spherical({one.q.col(0), one.omega.col(0)});
  EXPECT_NEAR(after.polar, 0.25, 1e-15);
  EXPECT_NEAR(after.azimuth, before.azimuth, 1e-15);
  EXPECT_NEAR(after.polar_rate, before.polar_rate, 1e-15);
  EXPECT_NEAR(after.azimuth_rate, before.azimuth_rate, 1e-15);
  EXPECT_LT((one.q.col(1) - from.q.col(1)).norm(), 1e-15);
  EXPECT_LT((one.omega.col(1) - from.omega.col(1)).norm(), 1e-15);
  // Across a pole in any order, and with what is set by components.
  const Scenario turned = set(
      {{"initial.angles[1][1]", 0.5}, {"initial.angles[1][0]", 1.0}, {"initial.rates[1][1]", 2.0}});
  const Scenario again = set(
      {{"initial.rates[1][1]", 2.0}, {"initial.angles[1][0]", 1.0}, {"initial.angles[1][1]", 0.5}});
  EXPECT_EQ(turned.q, again.q);
  EXPECT_EQ(turned.omega, again.omega);
  EXPECT_NEAR(spherical({turned.q.col(1), turned.omega.col(1)}).azimuth, 0.5, 1e-15);
  const Scenario mixed = set({{"initial.angles[0][0]", 0.25},
                              {"initial.q[1]", Node::numbers(std::array{0.6, 0.0, 0.8})},
                              {"initial.omega[1]", Node::numbers(std::array{0.0, 2.0, 0.0})}});
  EXPECT_LT((mixed.q.col(0) - one.q.col(0)).norm(), 1e-15);
  EXPECT_EQ(Vec3(mixed.omega.col(1)), Vec3(0, 2, 0));
  // Errors have the place.
  EXPECT_EQ(error_of(with_settings(from, {{"initial.angles[2][0]", 1.0}})).location,
            "initial.angles[2][0]");
}

TEST(LiveEdit, SetsVelocities) {
  const Scenario from = test::preset();
  const auto set = [&](const Settings& settings) {
    return value_of(with_settings(from, settings));
  };
  // ω = q × dq/dt, of the second body along e₃.
  ASSERT_EQ(Vec3(from.q.col(1)), Vec3(0, 0, 1));
  const Node velocity = Node::numbers(std::array{0.5, 0.0, 0.0});
  const Scenario one = set({{"initial.velocity[1]", velocity}});
  EXPECT_EQ(Vec3(one.q.col(1)), Vec3(0, 0, 1));
  EXPECT_EQ(Vec3(one.omega.col(1)), Vec3(0, 0.5, 0));
  EXPECT_LT((one.q.col(0) - from.q.col(0)).norm(), 1e-15);
  EXPECT_LT((one.omega.col(0) - from.omega.col(0)).norm(), 1e-15);
  EXPECT_EQ(set({{"initial.velocity[1]", velocity}, {"initial.velocity[1][0]", 0.25}}).omega(1, 1),
            0.25);
  Node rest = Node::array();
  rest.items.assign(2, Node::numbers(std::array{0.0, 0.0, 0.0}));
  EXPECT_TRUE(set({{"initial.velocity", rest}}).omega.isZero(0));
  // Beside other forms, whichever comes last.
  const Scenario both = set({{"initial.velocity", rest},
                             {"initial.omega[0]", Node::numbers(std::array{0.0, 2.0, 0.0})},
                             {"initial.velocity[1]", velocity}});
  EXPECT_LT((both.omega.col(0) - Vec3(0, 2, 0)).norm(), 1e-15);
  EXPECT_EQ(Vec3(both.omega.col(1)), Vec3(0, 0.5, 0));
  const Scenario turned = set({{"initial.angles[0][0]", 0.25}, {"initial.velocity", rest}});
  EXPECT_NEAR(spherical({turned.q.col(0), turned.omega.col(0)}).polar, 0.25, 1e-15);
  EXPECT_TRUE(turned.omega.isZero(0));
  EXPECT_EQ(error_of(with_settings(from, {{"initial.velocity[2]", velocity}})).location,
            "initial.velocity[2]");
}

}  // namespace
}  // namespace twosphere::live_edit_test
