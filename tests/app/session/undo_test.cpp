// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/session/autosave.h"
#include "app/session/edit_history.h"
#include "core/catalog.h"
#include "core/output/lattice_layer.h"
#include "core/run/simulation.h"
#include "core/scenario/live_edit.h"
#include "core/scenario/writer.h"
#include "core/studies/view_frame.h"
#include "tests/outcome.h"
#include "tests/replaced.h"
#include "tests/runs.h"

namespace twosphere::undo_test {
namespace {

using test::value_of;

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

std::shared_ptr<const SettingsEdit> gravity_edit(double from, double to) {
  return std::make_shared<const SettingsEdit>(std::vector<Setting>{{"system.gravity", from}},
                                              std::vector<Setting>{{"system.gravity", to}});
}

Setup setup(const std::shared_ptr<const Scenario>& opened) {
  Setup result;
  result.document.opened = opened;
  return result;
}

/// An edit that switches to another run.
EditHistory::Edit switching(const char* label, const Setup& in, std::pair<int, int> runs) {
  return {.label = label, .before = in, .after = in, .branches = runs};
}

std::string labels(const SavedEdits& edits) {
  std::string text;
  for (std::size_t i = 0; i < edits.list.size(); ++i)
    text += (i == edits.done ? "| " : "") + edits.list[i].label + " ";
  return text;
}

TEST(EditHistory, KeepsTheEditsOfTheOpenDocumentForARecovery) {
  const auto first = std::make_shared<const Scenario>(),
             second = std::make_shared<const Scenario>();
  EditHistory history;
  history.add({"a", setup(first), setup(first), gravity_edit(1, 2)});
  EXPECT_EQ(labels(history.saved_edits()), "a ");
  history.add({"opening", setup(first), setup(second)});
  EXPECT_EQ(labels(history.saved_edits()), "");
  history.add({"b", setup(second), setup(second), gravity_edit(2, 3)});
  history.add({"theme", setup(second), setup(second)});
  history.add({"c", setup(second), setup(second), gravity_edit(3, 4)});
  history.add({"d", setup(second), setup(second), gravity_edit(4, 5)});
  history.undo();
  history.undo();
  EXPECT_EQ(labels(history.saved_edits()), "b | c d ");

  EditHistory later;
  later.add({"opening", setup(first), setup(second)});
  later.restore_edits(history.saved_edits(), {}, setup(second));
  EXPECT_EQ(labels(later.saved_edits()), "b | c d ");
  EXPECT_EQ(undone(later), "b");
  EXPECT_EQ(undone(later), "opening");
  for (const char* label : {"opening", "b", "c", "d", "none"}) EXPECT_EQ(redone(later), label);

  // Edits that switch to another run are kept with the numbers that the runs have then.
  EditHistory runs;
  runs.add(switching("fork", setup(first), {3, 4}));
  runs.add(switching("gone", setup(first), {4, 5}));
  runs.add(switching("back", setup(first), {4, 3}));
  runs.undo();
  EditHistory restored;
  restored.restore_edits(runs.saved_edits(), {{3, 10}, {4, 12}}, setup(first));
  EXPECT_EQ(labels(restored.saved_edits()), "fork | back ");
  EXPECT_EQ(restored.next_undo()->branches, std::pair(10, 12));
  EXPECT_EQ(restored.next_redo()->branches, std::pair(12, 10));
}

// A run that Undo has archived is not kept. What was done in it would be redone in another run.
TEST(EditHistory, WhatFollowedARunThatIsNotKeptIsNotRedone) {
  const auto opened = std::make_shared<const Scenario>();
  EditHistory history;
  history.add({"a", setup(opened), setup(opened), gravity_edit(1, 2)});
  history.add({"b", setup(opened), setup(opened), gravity_edit(2, 3)});
  history.add(switching("fork", setup(opened), {3, 4}));
  history.add({"there", setup(opened), setup(opened), gravity_edit(3, 4)});
  for (int k = 0; k < 3; ++k) history.undo();
  EXPECT_EQ(labels(history.saved_edits()), "a | b fork there ");
  EditHistory restored;
  restored.restore_edits(history.saved_edits(), {{3, 10}}, setup(opened));
  EXPECT_EQ(labels(restored.saved_edits()), "a | b ");
}

struct Description : testing::Test {
  std::string after(const std::vector<Setting>& settings) {
    return describe_change(from_, value_of(with_settings(from_, settings)));
  }
  const Scenario from_ = test::preset();
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
  EXPECT_EQ(after({{"integrator.type", "rk4"}}),
            std::string(find_integrator("variational")->title) + " → " +
                std::string(find_integrator("rk4")->title));
}

TEST_F(Description, OfThePlacesOfAPath) {
  const auto led = [](const char* targets) {
    return test::with(test::preset("drone_with_load"), "system.thrust",
                      *json::parse_value(std::string(R"({"type": "path", "kp": 6, "kd": 6, )") +
                                         R"("targets": )" + targets + "}"));
  };
  const Scenario two = led("[[0, 0, 0, 0], [5, 1, 0, 0]]");
  EXPECT_EQ(describe_change(two, led("[[0, 0, 0, 0]]")), "number of targets 2 → 1");
  EXPECT_NE(describe_change(two, led("[[0, 0, 0, 0], [6, 1, 0, 0]]")).find("5 → 6"),
            std::string::npos);
}

TEST_F(Description, OfLanes) {
  const auto list = [](const char* text) { return Setting{"lanes", *json::parse_value(text)}; };
  const Setting two =
      list(R"([{"type": "variational", "step": 0.01}, {"type": "rk4", "step": 0.01}])");
  EXPECT_EQ(after({two}), "“Add lane”");
  EXPECT_EQ(after({two, {"lanes[1].name", "baseline"}}), "“Add lane”");
  const Scenario both = *with_settings(from_, {two});
  EXPECT_EQ(describe_change(both, from_), "“Remove lane”");
  EXPECT_EQ(describe_change(both, *with_setting(both, "lanes[1].name", "baseline")),
            "lane rk4 → baseline");
  // A name that follows the method is no edit of its own.
  EXPECT_EQ(describe_change(both, *with_setting(both, "lanes[1].type", "heun")),
            std::string(find_integrator("rk4")->title) + " → " +
                std::string(find_integrator("heun")->title));
}

// What is kept of a session brings lanes back, and a list of them that waits for a rewind.
TEST(KeptSession, HasSeveralLanes) {
  const Scenario preset = test::preset();
  const auto lanes = [](const char* text) { return Setting{"lanes", *json::parse_value(text)}; };
  const auto three = value_of(with_settings(
      preset, {lanes(R"([{"type": "variational", "step": 0.02}, {"type": "rk4", "step": 0.01},
                         {"type": "rk4", "step": 0.005, "name": "fine"}])")}));
  auto run = Simulation::create(three);
  for (int k = 0; k < 20; ++k) ASSERT_FALSE(run->step());
  ASSERT_TRUE(run->set({{"lanes[1].type", "rk45"}}));
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
                                          .reference_lane = 2,
                                          .reference_run = "run 2",
                                          .frame = FrameChoice{.axis = Vec3::UnitX(), .rate = 2},
                                          .layer = LatticeLayer{1, 3}});
  const auto kept = value_of(read_session(text, "session"));
  EXPECT_EQ(kept.reference_lane, 2);
  EXPECT_EQ(kept.reference_run, "run 2");
  EXPECT_EQ(kept.frame, (FrameChoice{.axis = Vec3::UnitX(), .rate = 2}));
  EXPECT_EQ(kept.layer, (LatticeLayer{1, 3}));
  auto again = value_of(Simulation::create(kept.record));
  while (again.steps() < kept.steps) ASSERT_FALSE(again.step());
  EXPECT_EQ(write_scenario(again.continuation()), kept.state);
  ASSERT_TRUE(again.set(kept.pending));
  EXPECT_EQ(again.after_rewind().lanes, run->after_rewind().lanes);
  EXPECT_EQ(again.present().lanes, run->present().lanes);
  EXPECT_EQ(write_scenario(again.rewound()), write_scenario(run->rewound()));
}

/// At the start of a preset.
SavedSession edited_session() {
  const Scenario preset = test::preset();
  return {.record = preset,
          .steps = 0,
          .applied = 0,
          .pending = {},
          .state = write_scenario(preset),
          .opened = preset,
          .path = "",
          .edited = true};
}

TEST(KeptSession, HasTheEditsToUndoAndRedo) {
  SavedSession session = edited_session();
  const auto read = [&] { return value_of(read_session(write_session(session), "session")).edits; };
  EXPECT_EQ(labels(read()), "");
  session.edits = {{{"gravity 9.81 → 3 m/s²", gravity_edit(9.81, 3)}, {"back", gravity_edit(3, 4)}},
                   1};
  const SavedEdits edits = read();
  EXPECT_EQ(labels(edits), "gravity 9.81 → 3 m/s² | back ");
  ASSERT_EQ(edits.list[0].settings->undo.size(), 1u);
  EXPECT_EQ(edits.list[0].settings->undo[0].path, "system.gravity");
  EXPECT_EQ(edits.list[0].settings->undo[0].value.number, 9.81);
  EXPECT_EQ(edits.list[0].settings->redo[0].value.number, 3);

  // As many as have room, those nearest to the present first.
  json::Node numbers = json::Node::array();
  numbers.items.assign(10'000, json::Node(0.123456789012345));
  const auto large = std::make_shared<const SettingsEdit>(
      std::vector<Setting>{{"system.masses", numbers}}, std::vector<Setting>{});
  session.edits = {};
  for (int i = 0; i < 20; ++i) session.edits.list.push_back({std::to_string(i), large});
  session.edits.done = 15;
  EXPECT_EQ(labels(read()), "10 11 12 13 14 ");
  EXPECT_LT(write_session(session).size(), max_edits + 100'000);
}

TEST(KeptSession, WhatIsUndoneTogetherStaysSo) {
  const auto opened = std::make_shared<const Scenario>();
  EditHistory history;
  const auto add = [&](const char* label, std::shared_ptr<const std::string> group) {
    history.add({.label = label,
                 .before = setup(opened),
                 .after = setup(opened),
                 .settings = gravity_edit(1, 2),
                 .group = std::move(group)});
  };
  // Two steps of a tour that have one name, and an edit by hand.
  const auto first = std::make_shared<const std::string>("step"),
             second = std::make_shared<const std::string>("step");
  add("a", first);
  add("b", first);
  add("c", second);
  add("d", second);
  add("e", nullptr);
  SavedSession session = edited_session();
  session.edits = history.saved_edits();
  EditHistory restored;
  restored.restore_edits(value_of(read_session(write_session(session), "session")).edits, {},
                         setup(opened));
  std::vector<std::size_t> positions;
  for (;;) {
    positions.push_back(restored.position());
    if (!restored.next_undo()) break;
    const std::size_t to = restored.next_position(true);
    while (restored.position() > to) restored.undo();
  }
  EXPECT_EQ(positions, (std::vector<std::size_t>{5, 4, 2, 0}));
  ASSERT_TRUE(restored.next_redo()->group);
  EXPECT_EQ(*restored.next_redo()->group, "step");
}

TEST(KeptSession, RefusesEditsThatAreNone) {
  SavedSession session = edited_session();
  session.edits = {{{"one", gravity_edit(1, 2)}}, 1};
  const std::string text = write_session(session);
  for (const auto& [from, to] : {std::pair{"\"edits_done\": 1", "\"edits_done\": 2"},
                                 {"\"edits_done\": 1", "\"edits_done\": -1"},
                                 {"\"label\": \"one\"", "\"label\": 1"},
                                 {"\"system.gravity\": 1", "\"system..gravity\": 1"}}) {
    EXPECT_FALSE(read_session(test::replaced(text, from, to), "session")) << to;
  }
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
}  // namespace twosphere::undo_test
