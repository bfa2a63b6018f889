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
#include "tests/outcome.h"

/// Runs of presets, which tests take by the step.
namespace twosphere::test {

inline Scenario preset(std::string_view key = "double_spherical_pendulum") {
  return value_of(read_scenario(find_preset(key)->text, "preset"));
}

inline Scenario lasting(double duration, Scenario scenario = preset()) {
  scenario.duration = duration;
  return scenario;
}

inline Scenario with(const Scenario& scenario, const std::vector<Setting>& settings) {
  return value_of(with_settings(scenario, settings));
}

inline Scenario with(const Scenario& scenario, const char* path, const json::Node& value) {
  return value_of(with_setting(scenario, path, value));
}

/// The drone of the preset, but pulled to another place from the start on.
inline Scenario pulled_drone() {
  return with(preset("drone_with_load"), "system.thrust",
              value_of(json::parse(
                  R"({"type": "hold", "target": [1, 0.5, -0.5], "kp": 6, "kd": 6})", "thrust")));
}

/// A scenario with a list of stop conditions, in JSON.
inline Scenario stopping(std::string_view conditions, const Scenario& from = preset()) {
  return with(from, {{"stop", value_of(json::parse(conditions, "stop"))}});
}

inline void march(Simulation& run, std::int64_t steps) {
  for (std::int64_t k = 0; k < steps; ++k) {
    const auto failure = run.step();
    ASSERT_FALSE(failure) << failure->message;
  }
}

/// A run that has taken so many steps.
inline Simulation start(const Scenario& scenario, std::int64_t steps = 0) {
  Simulation run = value_of(Simulation::create(scenario));
  march(run, steps);
  return run;
}

/// All that a run continues with, bit for bit: q, ω, the methods' own variables, clocks, work,
/// the events to come.
inline std::string bytes(Simulation& run) { return write_scenario(run.continuation()); }

/// The run that continues from the saved state of another one, whose file is written as it was
/// read.
inline Simulation loaded(Simulation& run) {
  const std::string file = bytes(run);
  const auto read = value_of(read_scenario(file, "state"));
  EXPECT_EQ(write_scenario(read), file);
  return start(read);
}

/// The run of the record of another one, as read from its file, after so many steps.
inline Simulation repeated(const Simulation& run, std::int64_t steps) {
  Simulation again = start(value_of(read_scenario(write_scenario(run.record()), "record")));
  march(again, steps);
  return again;
}

}  // namespace twosphere::test
