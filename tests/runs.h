// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/catalog.h"
#include "core/run/simulation.h"
#include "core/scenario/live_edit.h"
#include "core/scenario/reader.h"
#include "core/scenario/writer.h"

/// Runs of presets, which tests take by the step.
namespace twosphere::test {

inline Scenario preset(std::string_view key = "double_spherical_pendulum") {
  auto s = read_scenario(find_preset(key)->text, "preset");
  EXPECT_TRUE(s) << (s ? "" : s.error().text());
  return *s;
}

inline Scenario with(const Scenario& scenario, const std::vector<Setting>& settings) {
  auto made = with_settings(scenario, settings);
  EXPECT_TRUE(made) << (made ? "" : made.error().text());
  return *made;
}

/// A scenario with a list of stop conditions, in JSON.
inline Scenario stopping(std::string_view conditions, const Scenario& from = preset()) {
  const auto list = json::parse(conditions, "stop");
  EXPECT_TRUE(list) << (list ? "" : list.error().text());
  return with(from, {{"stop", *list}});
}

inline Simulation start(const Scenario& scenario) {
  auto run = Simulation::create(scenario);
  EXPECT_TRUE(run) << (run ? "" : run.error().text());
  return std::move(*run);
}

inline void march(Simulation& run, std::int64_t steps) {
  for (std::int64_t k = 0; k < steps; ++k) {
    const auto failure = run.step();
    ASSERT_FALSE(failure) << failure->message;
  }
}

/// All that a run goes on with, to the last bit: q, ω, the methods' own variables, clocks, work,
/// the events to come.
inline std::string bytes(Simulation& run) { return write_scenario(run.continuation()); }

/// The run that goes on from the saved state of another one, whose file is written as it was read.
inline Simulation loaded(Simulation& run) {
  const std::string file = bytes(run);
  const auto read = read_scenario(file, "state");
  EXPECT_TRUE(read) << (read ? "" : read.error().text());
  EXPECT_EQ(write_scenario(*read), file);
  return start(*read);
}

/// The run of the record of another one, as read from its file, after so many steps.
inline Simulation repeated(const Simulation& run, std::int64_t steps) {
  const auto record = read_scenario(write_scenario(run.record()), "record");
  EXPECT_TRUE(record) << (record ? "" : record.error().text());
  Simulation again = start(*record);
  march(again, steps);
  return again;
}

}  // namespace twosphere::test
