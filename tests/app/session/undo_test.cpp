// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <string>

#include "app/session/autosave.h"
#include "app/session/edit_history.h"
#include "core/catalog.h"
#include "core/run/simulation.h"

namespace twosphere {
namespace {

EditHistory::Edit edit(int number) { return {std::to_string(number), {}, {}}; }

std::string undone(EditHistory& history) {
  const auto* next = history.next_undo();
  if (!next) return "none";
  history.undo();
  return next->label;
}

std::string redone(EditHistory& history) {
  const auto* next = history.next_redo();
  if (!next) return "none";
  history.redo();
  return next->label;
}

TEST(EditHistory, GoesBackAndForth) {
  EditHistory history;
  EXPECT_EQ(undone(history), "none");
  for (int i = 1; i <= 3; ++i) history.add(edit(i));
  EXPECT_EQ(redone(history), "none");
  EXPECT_EQ(undone(history), "3");
  EXPECT_EQ(undone(history), "2");
  EXPECT_EQ(redone(history), "2");
  EXPECT_EQ(undone(history), "2");
  // A new edit takes the place of what was undone.
  history.add(edit(4));
  EXPECT_EQ(redone(history), "none");
  EXPECT_EQ(undone(history), "4");
  EXPECT_EQ(undone(history), "1");
  EXPECT_EQ(undone(history), "none");
}

TEST(EditHistory, KeepsTheNewestHundred) {
  EditHistory history;
  for (int i = 1; i <= 130; ++i) history.add(edit(i));
  for (int i = 130; i > 30; --i) EXPECT_EQ(undone(history), std::to_string(i));
  EXPECT_EQ(undone(history), "none");
}

class Description : public testing::Test {
 protected:
  std::string after(const std::vector<Setting>& settings) {
    const auto to = with_settings(from_, settings);
    EXPECT_TRUE(to) << to.error().text();
    return describe_change(from_, *to);
  }
  const Scenario from_ = *read_scenario(find_preset("double_spherical_pendulum")->text, "preset");
};

TEST_F(Description, SaysWhatChanged) {
  EXPECT_EQ(after({}), "");
  EXPECT_EQ(after({{"system.gravity", 3.0}}), "gravity 9.81 → 3 m/s²");
  EXPECT_EQ(after({{"integrator.step", 0.005}}), "step 0.01 → 0.005 s");
  EXPECT_EQ(after({{"duration", 50.0}}), "duration 100 → 50 s");
  EXPECT_EQ(after({{"system.masses[1]", 2.0}, {"system.gravity", 3.0}, {"duration", 50.0}}),
            "mass of body 2 1 → 2 kg and 2 more");
  EXPECT_EQ(after({{"system.tip_force[2]", 2.0}}).find("along e₃ 0 → 2 N") != std::string::npos,
            true);
  EXPECT_EQ(after({{"initial.omega[1]", *json::parse_value("[0, 0.5, 0]")}}), "start of body 2");
  EXPECT_EQ(after({{"stop", *json::parse_value("[{\"time\": 50}]")}}), "stop conditions");
  EXPECT_EQ(after({{"every", json::Node::whole(3)}}), "settings");
  EXPECT_EQ(after({{"integrator.type", json::Node(std::string("rk4"))}}),
            std::string(find_integrator("variational")->title) + " → " +
                std::string(find_integrator("rk4")->title));
}

TEST_F(Description, OfLanes) {
  const auto list = [](const char* text) { return Setting{"lanes", *json::parse_value(text)}; };
  const Setting two =
      list(R"([{"type": "variational", "step": 0.01}, {"type": "rk4", "step": 0.01}])");
  EXPECT_EQ(after({two}), "“Add lane”");
  EXPECT_EQ(after({two, {"lanes[1].name", json::Node(std::string("baseline"))}}), "“Add lane”");
  const Scenario both = *with_settings(from_, {two});
  EXPECT_EQ(describe_change(both, from_), "“Remove lane”");
  EXPECT_EQ(describe_change(
                both, *with_setting(both, "lanes[1].name", json::Node(std::string("baseline")))),
            "lane rk4 → baseline");
  // A name that follows the method is no edit of its own.
  EXPECT_EQ(
      describe_change(both, *with_setting(both, "lanes[1].type", json::Node(std::string("heun")))),
      std::string(find_integrator("rk4")->title) + " → " +
          std::string(find_integrator("heun")->title));
}

// What is kept of a session brings lanes back, and a list of them that waits for a rewind.
TEST(KeptSession, HasSeveralLanes) {
  const Scenario preset = *read_scenario(find_preset("double_spherical_pendulum")->text, "preset");
  const auto lanes = [](const char* text) { return Setting{"lanes", *json::parse_value(text)}; };
  const auto three = with_settings(
      preset, {lanes(R"([{"type": "variational", "step": 0.02}, {"type": "rk4", "step": 0.01},
                         {"type": "rk4", "step": 0.005, "name": "fine"}])")});
  ASSERT_TRUE(three) << three.error().text();
  auto run = Simulation::create(*three);
  for (int k = 0; k < 20; ++k) ASSERT_FALSE(run->step());
  ASSERT_TRUE(run->set({{"lanes[1].type", json::Node(std::string("rk45"))}}));
  for (int k = 0; k < 20; ++k) ASSERT_FALSE(run->step());
  ASSERT_TRUE(run->set({lanes(R"([{"type": "variational", "step": 0.02},
                                  {"type": "rk2", "step": 0.01}, {"type": "heun", "step": 0.02}])")}));
  const std::string text = write_session({.record = run->record(),
                                          .steps = run->steps(),
                                          .applied = run->events_applied(),
                                          .pending = run->pending(),
                                          .state = write_scenario(run->continuation()),
                                          .opened = preset,
                                          .path = "",
                                          .edited = true,
                                          .reference_lane = 2});
  const auto kept = read_session(text, "session");
  ASSERT_TRUE(kept) << kept.error().text();
  EXPECT_EQ(kept->reference_lane, 2);
  auto again = Simulation::create(kept->record);
  ASSERT_TRUE(again) << again.error().text();
  while (again->steps() < kept->steps) ASSERT_FALSE(again->step());
  EXPECT_EQ(write_scenario(again->continuation()), kept->state);
  ASSERT_TRUE(again->set(kept->pending));
  EXPECT_EQ(again->wanted().lanes, run->wanted().lanes);
  EXPECT_EQ(again->present().lanes, run->present().lanes);
  EXPECT_EQ(write_scenario(again->rewound()), write_scenario(run->rewound()));
}

TEST_F(Description, OfTheLayout) {
  ui::Settings from, to;
  EXPECT_EQ(describe_change(from, to), "");
  to.palette = Palette::light;
  EXPECT_EQ(describe_change(from, to), "theme");
  to.left_width += 10;
  EXPECT_EQ(describe_change(from, to), "theme and 1 more");
}

}  // namespace
}  // namespace twosphere
