// SPDX-License-Identifier: GPL-3.0-or-later
// The line that repeats a run, given to a shell.
#include <gtest/gtest.h>

#include <cstdlib>

#include "app/session/run_command.h"
#include "core/run/simulation.h"
#include "core/scenario/branches.h"
#include "core/scenario/reader.h"
#include "core/scenario/schedule.h"
#include "core/scenario/writer.h"
#include "tests/app/cli/run_program.h"
#include "tests/outcome.h"
#include "tests/runs.h"

namespace twosphere::command_line_repeat_test {
namespace {

using test::preset, test::with;

class Repeat : public CommandLine {
 protected:
  /// Its rows are those of the record.
  void expect_same_rows(const RepeatableRun& run, const std::string& line) {
    ASSERT_TRUE(write_file(in("record.json"), write_scenario(run.record)));
    Words words = "run record.json --quiet --csv record.csv --every"_words;
    words.push_back(std::to_string(base_stride(run.record)));
    if (run.steps > 0) words.insert(words.end(), {"--steps", std::to_string(run.steps)});
    succeed(words);
    const std::string program = fs::path(TWOSPHERE_PROGRAM).parent_path().string();
    const std::string shell = "cd " + shell_quoted(folder_.path().string()) +
                              " && PATH=" + shell_quoted(program) + ":$PATH " + line +
                              " --quiet --csv repeated.csv";
    ASSERT_EQ(std::system(shell.c_str()), 0) << line;
    EXPECT_EQ(text("repeated.csv"), text("record.csv")) << line;
  }
  std::string command(Scenario record, std::int64_t steps, const std::string& path = "") {
    record.every = base_stride(record);
    const RepeatableRun run{std::move(record), steps, path};
    const auto line = run_command(run);
    EXPECT_TRUE(line) << line.error().text();
    if (!line) return {};
    expect_same_rows(run, *line);
    return *line;
  }
};

TEST_F(Repeat, APreset) {
  EXPECT_EQ(command(preset("chain_pendulum"), 200),
            "twosphere run --preset chain_pendulum --steps 200 --every 1");
  EXPECT_EQ(command(with(preset("chain_pendulum"), {{"duration", 0.5}}), 0),
            "twosphere run --preset chain_pendulum --set duration=0.5 --every 1");
}

TEST_F(Repeat, APresetWithSettings) {
  const Scenario start = preset("double_spherical_pendulum");
  EXPECT_EQ(command(with(start, {{"system.gravity", 3.25}}), 50),
            "twosphere run --preset double_spherical_pendulum --set system.gravity=3.25 --steps 50 "
            "--every 1");
  EXPECT_EQ(
      command(with(start, {{"system.masses[1]", 0.1 + 0.2}, {"every", json::Node::whole(3)}}), 50),
      "twosphere run --preset double_spherical_pendulum --set "
      "'system.masses[1]=0.30000000000000004' --steps 50 --every 3");
  const std::string several =
      command(with(start, {{"integrator.type", "rk45"},
                           {"integrator.relative_tolerance", 1e-5},
                           {"integrator.step", 0.02},
                           {"initial.omega[1]", *json::parse_value("[0.5, 0.25, 0]")}}),
              40);
  EXPECT_TRUE(test::says(several, "--set integrator.type=rk45"));
  command(with(preset("pendulum_network"), {{"system.springs[1].stiffness", 7}}), 30);
  command(with(preset("three_body"), {{"stop", *json::parse_value("[{\"time\": 0.1}]")}}), 30);
}

TEST_F(Repeat, AFileWithEvents) {
  Scenario scenario = preset("double_spherical_pendulum");
  auto simulation = test::value_of(Simulation::create(scenario));
  for (int i = 0; i < 10; ++i) ASSERT_FALSE(simulation.step());
  ASSERT_TRUE(simulation.set({{"system.gravity", 1.62}}));
  for (int i = 0; i < 10; ++i) ASSERT_FALSE(simulation.step());
  const Scenario record = simulation.record();
  const Error refused = test::error_of(run_command({record, 20, ""}));
  EXPECT_TRUE(test::says(refused.text(), "events in a scenario file"));
  ASSERT_TRUE(write_file(in("it's.json"), write_scenario(record)));
  const std::string line = command(record, 20, in("it's.json"));
  EXPECT_TRUE(line.starts_with("twosphere run '")) << line;
  EXPECT_TRUE(test::says(line, "it'\\''s.json' --steps 20"));
}

TEST_F(Repeat, AStateAndAScenarioOfNoPreset) {
  succeed("run --preset three_body --steps 30 --save-state state.json --quiet"_words);
  const auto state = test::value_of(load_scenario(in("state.json")));
  command(state, 25, in("state.json"));
  EXPECT_FALSE(run_command({state, 25, ""}));
  Scenario other = preset("three_body");
  other.title = "Mine";
  const Error line = test::error_of(run_command({other, 5, ""}));
  EXPECT_TRUE(test::says(line.text(), "not correspond to a preset"));
}

TEST_F(Repeat, ABranch) {
  const std::string path = TWOSPHERE_SOURCE_DIR "/tests/app/cli/transcripts/files/branches.json";
  Scenario record = *branch_record(*load_scenario(path), "on the moon");
  record.every = base_stride(record);
  const auto line = test::value_of(run_command({record, 120, path}));
  EXPECT_TRUE(test::says(line, "branches.json --branch 'on the moon' --steps 120 --every 1"));
}

TEST(Shell, QuotesWhatItWouldReadOtherwise) {
  EXPECT_EQ(shell_quoted("system.gravity=1e-05"), "system.gravity=1e-05");
  EXPECT_EQ(shell_quoted("system.masses[0]=2"), "'system.masses[0]=2'");
  EXPECT_EQ(shell_quoted("a b$c"), "'a b$c'");
  EXPECT_EQ(shell_quoted("it's"), "'it'\\''s'");
  EXPECT_EQ(shell_quoted(""), "''");
}

}  // namespace
}  // namespace twosphere::command_line_repeat_test
