// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/setting.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/outcome.h"

namespace twosphere::setting_test {
namespace {

TEST(SettingPath, HasKeysAndIndices) {
  const SettingPath path = "lanes[12].initial.q[0][3]";
  ASSERT_TRUE(path.valid()) << path.problem();
  ASSERT_EQ(path.size(), 6U);
  EXPECT_EQ(path.key(), "lanes");
  EXPECT_EQ(path.index(0), std::nullopt);
  EXPECT_EQ(path.index(1), 12U);
  EXPECT_EQ(path.key(1), "");
  EXPECT_EQ(path.key(3), "q");
  EXPECT_EQ(path.index(5), 3U);
  EXPECT_EQ(path.key(6), "");
  EXPECT_EQ(path.index(6), std::nullopt);
  EXPECT_EQ(path.lane(), 12U);
  EXPECT_EQ(path.first(0), "");
  EXPECT_EQ(path.first(2), "lanes[12]");
  EXPECT_EQ(path.first(6), path.text());
  EXPECT_EQ(path.with_first(2, "integrator"), "integrator.initial.q[0][3]");
  EXPECT_EQ(SettingPath("system.lanes[1]").lane(), std::nullopt);
  EXPECT_EQ(SettingPath("lanes.type").lane(), std::nullopt);
  EXPECT_EQ(SettingPath("integrator").with_first(1, "lanes[0]"), "lanes[0]");
}

TEST(SettingPath, KnowsWhatIsWithinWhat) {
  const SettingPath masses = "system.masses";
  EXPECT_TRUE(SettingPath("system.masses[0]").within(masses));
  EXPECT_TRUE(masses.within(masses));
  EXPECT_TRUE(masses.within("system"));
  EXPECT_FALSE(masses.within("system.masses[0]"));
  EXPECT_FALSE(SettingPath("system.masses_of_old").within(masses));
  EXPECT_FALSE(SettingPath("lanes[10].step").within("lanes[1]"));
  EXPECT_FALSE(SettingPath("").within(masses));
  EXPECT_FALSE(masses.within(""));
}

TEST(SettingPath, SaysWhatWasGivenAndWhatAPathLooksLike) {
  std::vector<std::string> wrong = {"",      ".",      "a.",     ".a",     "a..b",   "a[",
                                    "a[]",   "a[x]",   "a[-1]",  "a[+1]",  "a[ 1]",  "a[1 ]",
                                    "a[01]", "a[00]",  "a[0x1]", "a[1e3]", "a[1.0]", "a[0]b",
                                    "a[0]]", "a[[0]]", "[0]",    "[",      "a[0].",  "a.[0]"};
  wrong.emplace_back("a[18446744073709551616]");
  wrong.emplace_back("a[99999999999999999999999]");
  for (const std::string& text : wrong) {
    const SettingPath path = text;
    EXPECT_FALSE(path.valid()) << text;
    EXPECT_EQ(path.size(), 0U) << text;
    EXPECT_EQ(path.key(), "") << text;
    EXPECT_EQ(path.lane(), std::nullopt) << text;
    EXPECT_EQ(path.text(), text);
    EXPECT_TRUE(test::says(path.problem(), json::quote(text)));
    EXPECT_TRUE(path.problem().ends_with("a path looks like system.masses[0]")) << path.problem();
    json::Node root = *json::parse(R"({"a": [1, 2]})", "file");
    const auto done = assign(root, path, json::Node(7.0));
    ASSERT_FALSE(done) << text;
    EXPECT_EQ(done.error().location, text);
    EXPECT_EQ(done.error().message, path.problem());
    EXPECT_EQ(json::write(root), "{\n  \"a\": [1, 2]\n}\n") << text;
  }
  EXPECT_EQ(SettingPath("a[18446744073709551615]").index(1), 18446744073709551615U);
}

TEST(SettingPath, IsBoundedInDepth) {
  std::string deep = "a";
  for (std::size_t i = 1; i < SettingPath::max_parts; ++i) deep += "[0]";
  EXPECT_TRUE(SettingPath(deep).valid());
  EXPECT_FALSE(SettingPath(deep + "[0]").valid());
}

TEST(SettingPath, WithoutItsSectionIsToldTheWhole) {
  const auto error = [](const std::string& text, const char* path) {
    json::Node root = *json::parse(text, "file");
    const auto done = assign_setting(root, path, json::Node(1.0));
    return done ? "none" : done.error().text();
  };
  const std::string one = R"({"system": {"type": "chain_pendulum", "masses": [1], "gravity": 9.81},
"integrator": {"type": "rk45", "step": 0.01, "relative_tolerance": 1e-3}, "initial": {}})";
  for (const auto& [path, meant] : {std::pair("gravity", "system.gravity"),
                                    {"masses[0]", "system.masses[0]"},
                                    {"step", "integrator.step"},
                                    {"relative_tolerance", "integrator.relative_tolerance"},
                                    {"omega[0][1]", "initial.omega[0][1]"}})
    EXPECT_EQ(error(one, path),
              std::string(path) + ": there is no such setting; did you mean " + meant + "?");
  EXPECT_EQ(error(one, "duration"), "none");
  EXPECT_EQ(error(one, "plots"), "none") << "a key of a scenario, whatever else has that name";
  EXPECT_EQ(error(R"({"lanes": [{"type": "rk4", "step": 1}], "system": {}})", "step"),
            "step: there is no such setting; did you mean lanes[0].step?");
  EXPECT_EQ(error(R"({"system": {"type": "custom", "parameters": {"k": 1}}})", "k"),
            "k: there is no such setting; did you mean system.k?");
}

// An earlier setting may have given one value for all.
TEST(SettingPath, GoesIntoAValueForAllBodies) {
  auto root = *json::parse(R"({"system": {"type": "pendulum_network", "masses": 2,
"lengths": "20 cm", "pivots": [0, 0, 1]}, "initial": {"q": [[0, 0, 1], [1, 0, 0]]}})",
                           "file");
  EXPECT_TRUE(assign_setting(root, "system.masses[1]", json::Node(5.0)));
  EXPECT_TRUE(assign_setting(root, "system.lengths[0]", json::Node(0.5)));
  EXPECT_TRUE(assign_setting(root, "system.pivots[1][0]", json::Node(3.0)));
  const json::Node& system = *root.find("system");
  EXPECT_EQ(system.find("masses")->items[0].number, 2);
  EXPECT_EQ(system.find("masses")->items[1].number, 5);
  EXPECT_EQ(system.find("lengths")->items[0].number, 0.5);
  EXPECT_EQ(system.find("lengths")->items[1].text, "20 cm");
  EXPECT_EQ(system.find("pivots")->items[0].items[0].number, 0);
  EXPECT_EQ(system.find("pivots")->items[1].items[0].number, 3);
  EXPECT_EQ(system.find("pivots")->items[1].items[2].number, 1);
  const auto more = assign_setting(root, "system.masses[2]", json::Node(1.0));
  EXPECT_EQ(test::error_of(more).text(),
            "system.masses[2]: system.masses has 2 entries, counted from 0");
}

// As that of a setting of an event.
TEST(SettingPath, LeadsToAKeyThatIsAPath) {
  auto root = *json::parse(
      R"({"events": [{"step": 1, "set": {"system.masses[1]": 2, "every": 3}}]})", "file");
  const char* mass = "events[0].set.system.masses[1]";
  EXPECT_EQ(find_setting(root, mass)->number, 2);
  EXPECT_TRUE(assign(root, mass, 7.0));
  EXPECT_TRUE(assign(root, "events[0].set.every", 8.0));
  EXPECT_EQ(find_setting(root, mass)->number, 7);
  EXPECT_EQ(root.find("events")->items[0].find("set")->members.size(), 2U);
  EXPECT_EQ(find_setting(root, "events[0].set.system.masses"), nullptr);
  EXPECT_FALSE(assign(root, "events[0].set.system.masses[0]", 7.0));
}

TEST(SettingPath, LeadsToAPlaceOfADocument) {
  auto root = *json::parse(R"({"a": {"b": [1, [2, 3]]}, "t": "x"})", "file");
  EXPECT_TRUE(assign(root, "a.b[1][0]", 7.0));
  EXPECT_EQ(root.find("a")->find("b")->items[1].items[0].number, 7);
  EXPECT_TRUE(assign(root, "a.c", 8.0));
  EXPECT_EQ(root.find("a")->find("c")->number, 8);
  EXPECT_TRUE(assign(root, "t", 9.0));
  EXPECT_EQ(root.find("t")->number, 9);
  for (const char* path : {"a.b[2]", "a[0]", "t.x", "u.v", "a.b[0][0]", "a b.c",
                           "a.b[18446744073709551615]", "a.b.c"}) {
    const std::string before = json::write(root);
    EXPECT_FALSE(assign(root, path, json::Node(0.0))) << path;
    EXPECT_EQ(json::write(root), before) << path;
  }
}

}  // namespace
}  // namespace twosphere::setting_test
