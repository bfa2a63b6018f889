// SPDX-License-Identifier: GPL-3.0-or-later
// Tours as files: how they are read, and that what they claim of a run is true.
#include "core/tours/tour.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "core/language/functions.h"
#include "core/scenario/live_edit.h"
#include "core/scenario/reader.h"
#include "core/tours/tour_player.h"
#include "tests/documents.h"
#include "tests/outcome.h"

namespace twosphere::tour_test {
namespace {

using test::value_of;

/// Of a window with two actions and any plot but "no plot".
const TourNames& names() {
  static const TourNames known{{"rewind", "run_backwards"},
                               [](std::string_view plot) { return plot != "no plot"; }};
  return known;
}

/// A tour with this step.
std::string with_step(const std::string& step, const std::string& preset = "three_body") {
  return fmt::format(
      "{{\"tour\": 1, \"title\": \"T\", \"minutes\": 2, \"preset\": \"{}\",\n\"steps\": [\n{}\n]}}",
      preset, step);
}

std::string refusal(const std::string& text) {
  const auto tour = read_tour(text, "t.json", names());
  return tour ? "read" : tour.error().text();
}

TEST(TourReader, ReadsEveryWord) {
  const Tour tour = value_of(read_tour(
      with_step("{\"say\": \"Now.\", \"do\": [\"action:rewind\", \"set:system.masses[0]=2 kg\", "
                "\"plots:energy_error logarithmic; work\", \"lane:{\\\"type\\\": \\\"rk4\\\"}\", "
                "\"play\", \"pause\", \"to:2.5\", \"pace:0.5\"], \"wait\": \"time:3\", "
                "\"ring\": \"plot/work\"}"),
      "t.json", names()));
  EXPECT_EQ(tour.name, "t.json");
  EXPECT_EQ(tour.preset, "three_body");
  ASSERT_EQ(tour.steps.size(), 1u);
  const TourStep& step = tour.steps[0];
  EXPECT_EQ(step.line, 3);
  EXPECT_EQ(step.ring, "plot/work");
  EXPECT_EQ(step.wait.what, TourWait::For::time);
  EXPECT_EQ(step.wait.time, 3);
  ASSERT_EQ(step.instructions.size(), 8u);
  EXPECT_EQ(step.instructions[0].action, "rewind");
  EXPECT_EQ(step.instructions[1].setting.path.text(), "system.masses[0]");
  EXPECT_EQ(step.instructions[1].setting.value.text, "2 kg");
  EXPECT_EQ(step.instructions[2].plots,
            (std::vector<std::string>{"energy_error logarithmic", "work"}));
  EXPECT_EQ(step.instructions[3].lane.find("type")->text, "rk4");
  EXPECT_EQ(step.instructions[6].number, 2.5);
  EXPECT_EQ(step.instructions[7].number, 0.5);
}

TEST(TourReader, ReadsEverythingThatAStepCanWaitFor) {
  using For = TourWait::For;
  for (const auto& [text, what] : {std::pair{"enter", For::enter},
                                   {"time:1", For::time},
                                   {"key:rewind", For::key},
                                   {"drag", For::drag},
                                   {"result:check", For::check},
                                   {"result:cloud", For::cloud},
                                   {"result:way_back", For::way_back}}) {
    const auto tour = read_tour(
        with_step(fmt::format("{{\"say\": \"A\", \"wait\": \"{}\"}}", text)), "t.json", names());
    EXPECT_EQ(value_of(tour).steps[0].wait.what, what) << text;
  }
}

TEST(TourReader, NamesLineAndPathOfWhatIsWrong) {
  const auto in_step = [](const std::string& rest) {
    return refusal(with_step("{\"say\": \"A\",\n" + rest + "}"));
  };
  const auto begins = [](const std::string& text, const std::string& beginning) {
    EXPECT_TRUE(text.starts_with(beginning)) << text;
  };
  begins(refusal("{"), "t.json:1");
  begins(refusal("{}"), "t.json:1: missing key \"tour\"");
  begins(refusal("{\"tour\": 2, \"title\": \"T\"}"), "t.json:1: tour: must be a whole number");
  begins(refusal(with_step("{\"say\": \"A\"}", "three_bodies")),
         "t.json:1: preset: unknown preset \"three_bodies\"; did you mean three_body?");
  begins(refusal(with_step("{\"do\": []}")), "t.json:3: steps[0]: missing key \"say\"");
  begins(in_step("\"tell\": \"B\""), "t.json:");
  begins(in_step("\"do\": [\"pauze\"]"),
         "t.json:4: steps[0].do[0]: \"pauze\" is not an instruction; did you mean pause?");
  begins(in_step("\"do\": [\"play\", \"action:rewnd\"]"),
         "t.json:4: steps[0].do[1]: there is no action \"rewnd\"; did you mean rewind?");
  begins(in_step("\"do\": [\"play:2\"]"), "t.json:4: steps[0].do[0]: play takes no value");
  begins(in_step("\"do\": [\"set:gravity\"]"),
         "t.json:4: steps[0].do[0]: \"set:gravity\" must be set:PATH=VALUE");
  begins(in_step("\"do\": [\"set:a[01]=2\"]"), "t.json:4: steps[0].do[0]: ");
  begins(in_step("\"do\": [\"plots:no plot\"]"),
         "t.json:4: steps[0].do[0]: \"no plot\" is no plot");
  begins(in_step("\"do\": [\"lane:rk4\"]"), "t.json:4: steps[0].do[0]: \"rk4\" must be an object");
  begins(in_step("\"do\": [\"to:soon\"]"), "t.json:4: steps[0].do[0]: \"to:soon\" must be to:T");
  begins(in_step("\"do\": [\"to:inf\"]"), "t.json:4: steps[0].do[0]: \"to:inf\" must be to:T");
  begins(in_step("\"wait\": \"time:nan\""), "t.json:4: steps[0].wait: \"nan\" is not a time");
  begins(in_step("\"do\": [\"pace:0\"]"), "t.json:4: steps[0].do[0]: \"pace:0\" must be pace:X");
  begins(in_step("\"wait\": \"tea\""), "t.json:4: steps[0].wait: \"tea\" is nothing to wait for");
  std::string long_text;
  for (int i = 0; i < 31; ++i) long_text += "word ";
  begins(refusal(with_step(fmt::format("{{\"say\": \"{}\"}}", long_text))),
         "t.json:3: steps[0].say: has 31 words; the strip has room for 30");
  const auto asked = [&](const std::string& rest) {
    return in_step("\"ask\": {\"question\": \"Q\", \"because\": \"B\",\n" + rest + "}");
  };
  begins(asked("\"options\": [\"a\"], \"answer\": \"a\""),
         "t.json:5: steps[0].ask.options: must have 2 to 4 texts, not 1");
  begins(asked("\"options\": [\"a\", \"b\"], \"answer\": \"c\""),
         "t.json:5: steps[0].ask.answer: unknown option \"c\"; did you mean a? known: a, b");
  begins(asked("\"options\": [\"a\", \"b\"], \"answer\": \"a\",\n\"holds\": \"work\""),
         "t.json:6: steps[0].ask.holds: \"work\" is not a comparison");
  begins(asked("\"options\": [\"a\", \"b\"], \"answer\": \"a\",\n\"holds\": [\"wrk.max > 1\"]"),
         "t.json:6: steps[0].ask.holds[0]: \"wrk.max\" is not a measure; did you mean work.max?");
}

TEST(TourReader, FindsToursByNameAndByPath) {
  EXPECT_TRUE(
      test::says(test::error_of(load_tour("no_drfit", names())).message, "did you mean no_drift?"));
  EXPECT_EQ(load_tour("./missing.json", names()).error().kind, ErrorKind::input_output);
  EXPECT_EQ(tour_entries().size(), 6u);
  for (const TourEntry& entry : tour_entries()) {
    EXPECT_NE(find_preset(entry.preset), nullptr) << entry.name;
    EXPECT_GT(entry.minutes, 0) << entry.name;
    EXPECT_FALSE(entry.title.empty() || entry.beginning.empty()) << entry.name;
  }
}

TEST(TourClaim, ComparesNumbersAndLanes) {
  const Scenario preset = value_of(load_preset("three_body"));
  const TourClaim claim = value_of(parse_claim("rk4/energy_error.max >= 1e-3", preset));
  EXPECT_EQ(claim.left.lane, "rk4");
  EXPECT_EQ(claim.left.measure.key(), "energy_error.max");
  EXPECT_EQ(claim.right.number, 1e-3);
  EXPECT_TRUE(language::holds(claim.relation, 1e-3, 1e-3));
  EXPECT_FALSE(language::holds(claim.relation, std::nan(""), 1e-3))
      << "what is not there is not true";
  const TourClaim other = value_of(parse_claim("q0_x.last<q1_x.last", preset));
  EXPECT_EQ(other.left.measure.signal.key(), "q0_x");
  EXPECT_TRUE(other.left.lane.empty());
  EXPECT_FALSE(language::holds(other.relation, 1, 1));
  EXPECT_EQ(value_of(parse_claim("start_distance < 1", preset)).left.kind,
            ClaimSide::Kind::start_distance);
  EXPECT_EQ(value_of(parse_claim("cloud_rate < 1", preset)).left.kind, ClaimSide::Kind::cloud_rate);
  EXPECT_FALSE(parse_claim("q3_x.last < 1", preset)) << "there are three bodies";
  EXPECT_FALSE(parse_claim("energy_error.max = 1", preset));
}

/// What is false, or why it cannot be played.
std::vector<std::string> played(const Tour& tour) {
  auto player = TourPlayer::create(tour);
  if (!player) return {player.error().text()};
  std::vector<std::string> wrong;
  while (!player->done()) {
    const auto refuted = player->next();
    if (!refuted) {
      wrong.push_back(refuted.error().text());
      return wrong;
    }
    wrong.insert(wrong.end(), refuted->begin(), refuted->end());
  }
  return wrong;
}

Tour asking(const std::string& instructions, const std::string& wait, const std::string& claim) {
  return value_of(read_tour(
      with_step(
          fmt::format("{{\"say\": \"A\", \"do\": [{}], \"wait\": \"{}\", \"ask\": "
                      "{{\"question\": \"Q\", \"options\": [\"a\", \"b\"], \"answer\": \"a\", "
                      "\"because\": \"B\", \"holds\": \"{}\"}}}}",
                      instructions, wait, claim),
          "double_spherical_pendulum"),
      "t.json", names()));
}

TEST(TourPlayer, AFalseClaimFails) {
  EXPECT_EQ(played(asking("", "time:1", "energy_error.max < 0.018")), std::vector<std::string>{});
  const auto wrong = played(asking("", "time:1", "energy_error.max > 0.018"));
  ASSERT_EQ(wrong.size(), 1u);
  EXPECT_TRUE(wrong[0].starts_with("energy_error.max > 0.018 is false: 0.0")) << wrong[0];
}

TEST(TourPlayer, ASettingOfTheIntegratorIsOfTheFirstLane) {
  const Scenario one = value_of(load_preset("double_spherical_pendulum"));
  const auto with = [](const Scenario& scenario, std::string_view instruction) {
    return value_of(with_instruction(scenario, value_of(parse_instruction(instruction, names()))));
  };
  EXPECT_EQ(with(one, "set:integrator.step=0.005").lanes[0].step, 0.005);
  const Scenario two = with(one, "lane:{\"type\": \"rk4\", \"step\": 0.01}");
  const Scenario halved = with(two, "set:integrator.step=0.005");
  ASSERT_EQ(halved.lanes.size(), 2u);
  EXPECT_EQ(halved.lanes[0].step, 0.005);
  EXPECT_EQ(halved.lanes[1].step, 0.01);
}

TEST(TourPlayer, SaysWhatCannotBeDone) {
  const auto first = [](const Tour& tour) { return played(tour).at(0); };
  EXPECT_EQ(
      first(asking("\"set:system.gravty=1\"", "enter", "work.max < 1")).find("step 1: unknown"),
      0u);
  EXPECT_EQ(first(asking("", "time:1", "rk4/work.max < 1")),
            "step 1: the run has no lane \"rk4\"; it has variational");
  EXPECT_EQ(first(asking("", "result:way_back", "work.max < 1")),
            "step 1: the run comes back to its start only after run_backwards");
}

TEST(TourPlayer, AddsLanesGoesThereAndBackAndBeginsAgain) {
  const Tour there = asking(
      "\"lane:{\\\"type\\\": \\\"rk4\\\", \\\"step\\\": 0.01}\", \"to:1\", "
      "\"action:run_backwards\"",
      "result:way_back", "start_distance < rk4/start_distance");
  EXPECT_EQ(played(there), std::vector<std::string>{});
  auto player = value_of(TourPlayer::create(
      asking("\"to:1\", \"set:system.gravity=0\", \"action:rewind\"", "enter", "work.max < 1e-9")));
  EXPECT_EQ(value_of(player.next()), std::vector<std::string>{});
  EXPECT_EQ(player.run().steps(), 0);
  EXPECT_EQ(player.run().present().parameters.at("gravity").at(0), 0);
}

TEST(TourPlayer, TheTourOfTheUserGuideCanBePlayed) {
  const std::string guide = test::text_of("docs/user-guide.md");
  const std::size_t from = guide.find("{\n  \"tour\": 1"), to = guide.find("```", from);
  ASSERT_NE(to, guide.npos);
  const Tour tour = value_of(read_tour(guide.substr(from, to - from), "user-guide.md", names()));
  EXPECT_EQ(played(tour), std::vector<std::string>{});
}

// The actions and plots that the tours name are checked in tests/ui/shell/tour_names_test.cpp.
TEST(TourPlayer, WhatTheToursOfTheProgramClaimIsTrue) {
  for (const TourEntry& entry : tour_entries()) {
    const std::string text = test::text_of("resources/tours/" + entry.name + ".json");
    TourNames any{{}, [](std::string_view) { return true; }};
    const json::Node file = value_of(json::parse(text, entry.name));
    for (const json::Node& step : file.find("steps")->items) {
      if (const json::Node* const instructions = step.find("do"))
        for (const json::Node& instruction : instructions->items)
          if (instruction.text.starts_with("action:"))
            any.actions.push_back(instruction.text.substr(7));
      if (const json::Node* const wait = step.find("wait"); wait && wait->text.starts_with("key:"))
        any.actions.push_back(wait->text.substr(4));
    }
    const Tour tour = value_of(read_tour(text, entry.name, any));
    EXPECT_EQ(played(tour), std::vector<std::string>{}) << entry.name;
    std::size_t claims = 0;
    for (const TourStep& step : tour.steps)
      if (step.ask) claims += step.ask->holds.size();
    EXPECT_GT(claims, 0u) << entry.name << " claims nothing that can be checked";
  }
}

}  // namespace
}  // namespace twosphere::tour_test
