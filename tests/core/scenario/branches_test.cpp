// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/branches.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>
#include <stdexcept>

#include "core/run/simulation.h"
#include "core/scenario/live_edit.h"
#include "core/scenario/reader.h"
#include "core/scenario/writer.h"
#include "tests/outcome.h"

namespace twosphere::branches_test {
namespace {

using test::error_of, test::says, test::value_of;

const std::string main_events = R"([{"step": 3, "set": {"system.gravity": 1.62}},
{"step": 5, "set": {"integrator.type": "rk45"}}, {"step": 8, "resume": true}])";

/// A scenario with these branches in line 10.
std::string text_with(const std::string& branches, const std::string& events = main_events) {
  return R"({
"twosphere": 1,
"system": {"type": "chain_pendulum", "masses": [1, 2], "lengths": 0.5},
"initial": {"q": [[0.6, 0, 0.8], [0, 0, 1]], "omega": [[0, 1, 0], [2, 0, 0]]},
"integrator": {"type": "variational", "step": 0.01},
"duration": 1,
)" + fmt::format("\"events\": {},\n\"branches\": {}}}", events, branches);
}

Scenario read(const std::string& text) {
  auto scenario = read_scenario(text, "file.json");
  if (!scenario) throw std::runtime_error(scenario.error().text());
  return *scenario;
}

const std::string three = R"([
{"name": "plain", "from_step": 5, "events": []},
{"name": "heavy, \"then\" ½", "from_step": 4, "events": [
  {"step": 9, "set": {"system.masses[1]": 5}}, {"step": 4, "set": {"system.gravity": 9}},
  {"step": 9, "resume": true}]},
{"name": "finer", "from_step": 8, "events": [
  {"step": 8, "set": {"integrator.relative_tolerance": 1e-9}}]}])";

TEST(Branches, AreReadInOrderOfTheirEvents) {
  const Scenario s = read(text_with(three));
  ASSERT_EQ(s.branches.size(), 3U);
  EXPECT_EQ(s.events.size(), 3U);
  EXPECT_EQ(s.branches[0].name, "plain");
  EXPECT_EQ(s.branches[0].from_step, 5);
  EXPECT_TRUE(s.branches[0].events.empty());
  const BranchSpec& heavy = s.branches[1];
  EXPECT_EQ(heavy.name, "heavy, \"then\" ½");
  ASSERT_EQ(heavy.events.size(), 3U);
  EXPECT_EQ(heavy.events[0].step, 4);
  EXPECT_EQ(heavy.events[1].set[0].path, "system.masses[1]");
  EXPECT_TRUE(heavy.events[2].resume);
}

TEST(Branches, HoldHowAWindowShowsThem) {
  const Scenario s = read(text_with(R"([{"name": "a", "from_step": 5, "events": [], "steps": 70,
      "color": 3, "hidden": true}, {"name": "b", "from_step": 5, "events": []}])"));
  EXPECT_EQ(s.branches[0].steps, 70);
  EXPECT_EQ(s.branches[0].color, 3);
  EXPECT_TRUE(s.branches[0].hidden);
  EXPECT_FALSE(s.branches[1].color);
  EXPECT_FALSE(s.branches[1].hidden);
  EXPECT_TRUE(same(s, read(write_scenario(s))));
  EXPECT_EQ(write_scenario(s), write_scenario(read(write_scenario(s))));
  for (const char* bad : {R"("color": 8)", R"("color": "red")", R"("hidden": 1)", R"("steps": -1)",
                          R"("steps": 2e12)"}) {
    const auto refused = read_scenario(
        text_with(fmt::format(R"([{{"name": "a", "from_step": 5, "events": [], {}}}])", bad)),
        "file.json");
    ASSERT_FALSE(refused) << bad;
    EXPECT_TRUE(says(refused.error().text(), "branches[0]."));
  }
}

TEST(Branches, AreWrittenAsTheyAreRead) {
  const Scenario s = read(text_with(three));
  const std::string written = write_scenario(s);
  const Scenario again = read(written);
  EXPECT_EQ(write_scenario(again), written);
  EXPECT_TRUE(same(s, again));
  EXPECT_LT(written.find("\"events\""), written.find("\"branches\""));
  EXPECT_EQ(written.find("\"branches\""), written.rfind("\"branches\""));
  EXPECT_FALSE(says(write_scenario(main_record(s)), "\"branches\""));
}

TEST(Branches, RunTheSharedEventsAndThenTheirOwn) {
  const Scenario s = read(text_with(three));
  const auto record = value_of(branch_record(s, s.branches[1].name));
  const Scenario written_out = read(text_with("[]", R"([
      {"step": 3, "set": {"system.gravity": 1.62}}, {"step": 4, "set": {"system.gravity": 9}},
      {"step": 9, "set": {"system.masses[1]": 5}}, {"step": 9, "resume": true}])"));
  EXPECT_EQ(write_scenario(record), write_scenario(written_out));
  const auto plain = value_of(branch_record(s, "plain"));
  EXPECT_EQ(plain.events.size(), 1U) << "an event at from_step is not shared";
  EXPECT_TRUE(plain.branches.empty());
}

TEST(Branches, AnUnknownNameIsAnsweredWithThoseThatThereAre) {
  const Scenario s = read(text_with(three));
  const Error wrong = error_of(branch_record(s, "plan"));
  EXPECT_EQ(wrong.kind, ErrorKind::usage);
  EXPECT_EQ(wrong.message,
            "unknown branch \"plan\"; did you mean \"plain\"? known: \"plain\", "
            "\"heavy, \"then\" ½\", \"finer\"");
  EXPECT_EQ(branch_record(main_record(s), "plan").error().message,
            "unknown branch \"plan\"; the scenario has no branches");
}

// Of any two records with one start.
TEST(Branches, TheBranchOfARecordRunsIt) {
  std::mt19937 random(20260);
  for (int round = 0; round < 500; ++round) {
    const auto below = [&](unsigned n) { return static_cast<std::int64_t>(random() % n); };
    const auto events = [&](std::vector<Event> list) {
      while (list.size() < 6 && below(5) != 0)
        list.push_back({(list.empty() ? 0 : list.back().step) + below(3),
                        {{"system.gravity", static_cast<double>(1 + below(2))}}});
      return list;
    };
    Scenario s = read(text_with("[]", "[]")), other = s;
    s.events = events({});
    other.events = events(events_before(s, below(6)));
    const std::int64_t fork = below(12);
    const BranchSpec branch = branch_of(s, other, "b", fork);
    EXPECT_LE(branch.from_step, fork);
    for (const Event& event : branch.events) EXPECT_GE(event.step, branch.from_step);
    s.branches = {branch};
    const auto record = value_of(branch_record(s, "b"));
    EXPECT_TRUE(same(record, other)) << write_scenario(s) << write_scenario(other);
    const Scenario again = read(write_scenario(s));
    EXPECT_TRUE(same(again, s)) << write_scenario(s);
  }
  const Scenario s = read(text_with("[]"));
  EXPECT_EQ(branch_of(s, s, "b", 4).from_step, 4) << "nothing differs yet";
  EXPECT_EQ(branch_of(s, s, "b", 4).events.size(), 2U);
  EXPECT_EQ(branch_of(s, *branch_record(read(text_with(three)), "plain"), "b", 90).from_step, 5);
}

struct Wrong {
  std::string branches;
  const char* location;
  std::vector<const char*> words;
  std::string events = main_events;
};

TEST(Branches, ErrorsSayWhereAndWhatIsAllowed) {
  const auto one = [](const std::string& name, const std::string& from, const std::string& events) {
    return fmt::format(R"([{{"name": {}, "from_step": {}, "events": {}}}])", name, from, events);
  };
  std::string nine;
  for (int i = 0; i < 9; ++i)
    nine += fmt::format(R"({}{{"name": "{}", "from_step": 0, "events": []}})", i ? ",\n" : "", i);
  const std::vector<Wrong> all{
      {"{}", "branches", {"must be a list, not an object"}},
      {"[5]", "branches[0]", {"must be an object, not 5"}},
      {"[" + nine + "]", "branches", {"must have at most 8 entries, not 9"}},
      {R"([{"from_step": 0, "events": []}])", "branches[0]", {"missing key \"name\""}},
      {R"([{"name": "a", "events": []}])", "branches[0]", {"missing key \"from_step\""}},
      {R"([{"name": "a", "from_step": 0}])", "branches[0]", {"missing key \"events\""}},
      {R"([{"name": "a", "from_steps": 0}])",
       "branches[0].from_steps",
       {"unknown key", "did you mean from_step?", "allowed: name, from_step, events"}},
      {R"([
{"name": "late", "from_step": 8, "events": [{"step": 8, "set": {"integrator.absolute_tolerance": 1e-9}}]},
{"name": "early", "from_step": 4, "events": [{"step": 4, "set": {"integrator.absolute_tolerance": 1e-9}}]}])",
       "branches[1].events[0].set.integrator.absolute_tolerance",
       {"no such value", "an event may set: type, step"}},
      {one("5", "0", "[]"), "branches[0].name", {"must be a string, not 5"}},
      {one("\"\"", "0", "[]"), "branches[0].name", {"must not be empty"}},
      {one(R"("a\nb")", "0", "[]"), "branches[0].name", {"control character"}},
      {one("\"+a\"", "0", "[]"), "branches[0].name", {"must not begin with +"}},
      {one(fmt::format("\"{:x>65}\"", ""), "0", "[]"),
       "branches[0].name",
       {"at most 64 bytes, not 65"}},
      {R"([{"name": "a", "from_step": 0, "events": []}, {"name": "a", "from_step": 1, "events": []}])",
       "branches[1].name",
       {"\"a\" is already used by branches[0]", "unique"}},
      {one("\"a\"", "-1", "[]"), "branches[0].from_step", {"whole number of at least 0, not -1"}},
      {one("\"a\"", "1.5", "[]"), "branches[0].from_step", {"whole number of at least 0, not 1.5"}},
      {one("\"a\"", "1e300", "[]"), "branches[0].from_step", {"2^53"}},
      {one("\"a\"", "\"two\"", "[]"), "branches[0].from_step:1", {"must be a number"}},
      {one("\"a\"", "4", "{}"), "branches[0].events", {"must be a list"}},
      {one("\"a\"", "4", R"([{"step": 3, "set": {"system.gravity": 2}}])"),
       "branches[0].events[0].step",
       {"must be at least from_step, 4, not 3"}},
      {one("\"a\"", "4", R"([{"step": 4, "set": {"system.gravty": 2}}])"),
       "branches[0].events[0].set.system.gravty",
       {"did you mean gravity?"}},
      {one("\"a\"", "4", R"([{"step": 4, "set": {"branches": []}}])"),
       "branches[0].events[0].set.branches",
       {"an event sets system"}},
      // What only the event at step 5 makes possible.
      {one("\"a\"", "5", R"([{"step": 5, "set": {"integrator.relative_tolerance": 1e-6}}])"),
       "branches[0].events[0].set.integrator.relative_tolerance",
       {"no such value"}},
      {one("\"a\"", "5", R"([{"step": 6, "set": {"every": 6}}])"),
       "branches[0].events[0].set.every",
       {"must be a multiple or a divisor of the previous stride, 4, not 6"},
       R"([{"step": 3, "set": {"every": 4}}])"},
      // Without the longer duration the samples are as many as that stride does not suit.
      {one("\"a\"", "5", "[]"),
       "branches[0].events",
       {"with these, events[0].set.every must be", "previous stride, 3, not 4"},
       R"([{"step": 3, "set": {"every": 4, "duration": 250}}, {"step": 5, "set": {"duration": 400}}])"},
  };
  for (const Wrong& wrong : all) {
    const auto scenario = read_scenario(text_with(wrong.branches, wrong.events), "file.json");
    ASSERT_FALSE(scenario) << wrong.branches;
    const std::string error = scenario.error().text();
    EXPECT_EQ(scenario.error().kind, ErrorKind::usage) << error;
    EXPECT_TRUE(error.starts_with("file.json:")) << error;
    EXPECT_TRUE(says(error, fmt::format(": {}: ", wrong.location)));
    for (const char* word : wrong.words) EXPECT_TRUE(says(error, word));
  }
}

TEST(Branches, TheSameAreThoseThatAreWrittenAlike) {
  const Scenario s = read(text_with(three));
  std::vector<Scenario> others(6, s);
  others[0].branches.clear();
  others[1].branches.pop_back();
  others[2].branches[0].name = "other";
  others[3].branches[1].from_step = 3;
  others[4].branches[1].events[0].step = 5;
  others[5].branches[1].events[0].set[0].value = json::Node(8.0);
  EXPECT_TRUE(same(s, Scenario(s)));
  for (const Scenario& other : others) EXPECT_FALSE(same(s, other));
}

TEST(Branches, SettingsKeepThemAndCheckThemAnew) {
  const Scenario s = read(text_with(three));
  for (const Setting& setting : {Setting{"system.gravity", 2.0},
                                 {"title", "t"},
                                 {"initial.omega[1]", *json::parse_value("[1, 0, 0]")}}) {
    const auto set = value_of(with_settings(s, {setting}));
    EXPECT_EQ(set.branches.size(), 3U);
    Scenario bare = main_record(set);
    bare.branches = s.branches;
    EXPECT_TRUE(same(bare, set)) << setting.path.text();
  }
  const Error longer = error_of(with_settings(
      read(text_with(
          R"([{"name": "a", "from_step": 5, "events": [{"step": 6, "set": {"every": 3}}]}])",
          "[]")),
      {{"every", json::Node::whole(2)}}));
  EXPECT_EQ(longer.location, "branches[0].events[0].set.every");
  // Settings say nothing of what happens during a run.
  EXPECT_TRUE(differences(s, main_record(s)).empty());
  EXPECT_TRUE(differences(main_record(s), s).empty());
}

TEST(Branches, ARunInProgressIsOneRecord) {
  auto simulation = value_of(Simulation::create(read(text_with(three))));
  for (int i = 0; i < 4; ++i) ASSERT_FALSE(simulation.step());
  ASSERT_TRUE(simulation.set({{"system.damping", 0.25}}));
  ASSERT_FALSE(simulation.step());
  EXPECT_TRUE(simulation.record().branches.empty());
  EXPECT_TRUE(simulation.continuation().branches.empty());
  EXPECT_TRUE(simulation.rewound().branches.empty());
}

TEST(Branches, OfASavedStateCountFromIt) {
  auto simulation = value_of(Simulation::create(read(text_with("[]", "[]"))));
  for (int i = 0; i < 4; ++i) ASSERT_FALSE(simulation.step());
  Scenario state = simulation.continuation();
  state.branches = {{"less", 2, {{2, {{"system.gravity", 1.0}}}}}};
  const Scenario again = read(write_scenario(state));
  ASSERT_TRUE(same(again, state));
  const auto record = value_of(branch_record(again, "less"));
  ASSERT_TRUE(record.continuation);
  auto branch = value_of(Simulation::create(record));
  for (int i = 0; i < 3; ++i) ASSERT_FALSE(branch.step());
  for (int i = 0; i < 2; ++i) ASSERT_FALSE(simulation.step());
  ASSERT_TRUE(simulation.set({{"system.gravity", 1.0}}));
  ASSERT_FALSE(simulation.step());
  EXPECT_EQ(write_scenario(simulation.continuation()), write_scenario(branch.continuation()));
}

}  // namespace
}  // namespace twosphere::branches_test
