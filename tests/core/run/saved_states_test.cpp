// SPDX-License-Identifier: GPL-3.0-or-later
// Checkpoints written as bytes and read again continue a run bit for bit.
#include "core/run/saved_states.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "core/base/json.h"
#include "core/catalog.h"
#include "core/run/checkpoints.h"
#include "core/scenario/reader.h"
#include "tests/outcome.h"
#include "tests/runs.h"

namespace twosphere::test::saved_states_test {
namespace {

/// The preset with all methods that fit it, and events of every kind.
Scenario eventful(const Preset& preset) {
  Scenario scenario = *read_scenario(preset.text, preset.key);
  LaneSpec second = scenario.lanes[0];
  second.type = "rk4";
  second.values = {};
  second.name = "other";
  scenario.lanes.push_back(second);
  scenario.events = {{.step = 3, .pull = Pull{0, Vec3(0.1, 0, 0.2), 9}},
                     {.step = 5, .set = {{"duration", 2 * scenario.duration}}},
                     {.step = 9, .reverse = true},
                     {.step = 12, .set = {{"lanes[0].step", 0.5 * scenario.lanes[0].step}}}};
  return scenario;
}

bool goes_to(Simulation& run, std::int64_t step) {
  while (run.steps() < step)
    if (const auto refused = run.advance_to(step)) {
      ADD_FAILURE() << refused->message;
      return false;
    }
  return true;
}

TEST(SavedStates, ContinueEveryPresetBitForBit) {
  int taken = 0;
  for (const Preset& preset : presets()) {
    SCOPED_TRACE(preset.key);
    if (preset.key == "lennard_jones") continue;  // large; its methods are in others
    auto made = value_of(Simulation::create(eventful(preset)));
    ++taken;
    RunStates states;
    for (const std::int64_t step : {0, 4, 9, 14}) {
      ASSERT_TRUE(goes_to(made, step));
      states.push_back(std::make_shared<const RunCheckpoint>(made.checkpoint()));
    }
    const Scenario record = made.record();
    ASSERT_TRUE(goes_to(made, 20));
    const std::string end = bytes(made);
    const std::string text = write_states(states);
    const auto read = value_of(read_states(text, record));
    ASSERT_EQ(read.size(), states.size());
    EXPECT_EQ(write_states(read), text);
    for (std::size_t k = 0; k < read.size(); ++k) {
      EXPECT_TRUE(continue_alike(record, *states[k], *read[k]));
      Simulation again = Simulation::at(record, *read[k]);
      EXPECT_EQ(again.steps(), states[k]->step());
      ASSERT_TRUE(goes_to(again, 20));
      EXPECT_EQ(bytes(again), end) << "from step " << states[k]->step();
    }
  }
  EXPECT_GE(taken, 11);
}

TEST(SavedStates, BeforeAndAfterTheEventsOfAStepContinueAlike) {
  auto run = Simulation::create(preset());
  ASSERT_TRUE(goes_to(*run, 7));
  const RunCheckpoint before = run->checkpoint();
  ASSERT_TRUE(run->set({{"system.gravity", 3.0}}));
  const RunCheckpoint after = run->checkpoint();
  EXPECT_TRUE(continue_alike(run->record(), before, after));
  EXPECT_TRUE(continue_alike(run->record(), after, before));
  ASSERT_TRUE(goes_to(*run, 8));
  EXPECT_FALSE(continue_alike(run->record(), after, run->checkpoint())) << "another step";
  RunCheckpoint moved = after;
  moved.lanes[0].state.q(0, 0) = std::nextafter(moved.lanes[0].state.q(0, 0), 2);
  EXPECT_FALSE(continue_alike(run->record(), after, moved));
  EXPECT_FALSE(continue_alike(run->record(), before, moved));
}

TEST(SavedStates, WhatIsNotOfTheRunIsRefused) {
  auto run = Simulation::create(preset());
  ASSERT_TRUE(goes_to(*run, 5));
  const std::string text = write_states({std::make_shared<const RunCheckpoint>(run->checkpoint())});
  ASSERT_TRUE(read_states(text, run->record()));
  for (std::size_t at = 0; at < text.size(); at += 7) {
    std::string damaged = text;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
    EXPECT_FALSE(read_states(damaged, run->record())) << "byte " << at;
    EXPECT_FALSE(read_states(text.substr(0, at), run->record())) << at << " bytes";
  }
  const Scenario other = preset("pendulum_network");
  EXPECT_FALSE(read_states(text, other));
}

TEST(CheckpointsOfARun, AreSpreadOverTheRun) {
  auto run = Simulation::create(preset());
  Checkpoints all;
  for (int step = 0; step <= 1000; step += 10) {
    ASSERT_TRUE(goes_to(*run, step));
    all.add(std::make_shared<const RunCheckpoint>(run->checkpoint()), {});
  }
  const auto some = all.spread(4, 1 << 20);
  ASSERT_EQ(some.size(), 5u);
  for (std::size_t k = 0; k < 5; ++k) EXPECT_EQ(some[k]->step(), 200 * (k + 1));
  EXPECT_EQ(all.spread(4, 0).size(), 1u) << "the newest always";
  const auto joined = all.up_to(500, *all.up_to(1000, {}), {});
  EXPECT_EQ(joined->size(), all.size());
}

}  // namespace
}  // namespace twosphere::test::saved_states_test
