// SPDX-License-Identifier: GPL-3.0-or-later
// twosphere run --live: a file that others can follow, and no other change.
#include <csignal>
#include <thread>

#include "core/scenario/writer.h"
#include "core/worker/live_file.h"
#include "tests/app/cli/run_program.h"
#include "tests/outcome.h"

namespace twosphere::command_line_live_test {
namespace {

class CommandLineLive : public CommandLine {
 protected:
  /// The last state of a file; null if there is none.
  static std::shared_ptr<const RunCheckpoint> last_state(LiveFileReader& file) {
    std::shared_ptr<const RunCheckpoint> last;
    for (auto block = file.next(); block && *block; block = file.next())
      if (const auto* state = std::get_if<LiveState>(&**block)) last = state->checkpoint;
    return last;
  }
  /// How the run of a file has ended.
  static std::optional<LiveEnd> end_of(LiveFileReader& file) {
    std::optional<LiveEnd> end;
    for (auto block = file.next(); block && *block; block = file.next())
      if (const auto* ended = std::get_if<LiveEnd>(&**block)) end = *ended;
    return end;
  }
};

TEST_F(CommandLineLive, ChangesNoOtherOutput) {
  const auto words = [](const std::string& name) {
    return "run --preset chain_pendulum --steps 4000 --every 7 --exponents 4 --quiet"_words +
           Words{"--csv",       name + ".csv",  "--trajectory",
                 name + ".xyz", "--save-state", name + ".json"};
  };
  succeed(words("a"));
  succeed(words("b") + "--live run.live"_words);
  for (const char* end : {".csv", ".csv.json", ".xyz", ".json"})
    EXPECT_EQ(text(std::string("a") + end), text(std::string("b") + end)) << end;
  // Its rows are those of the table, and its end is that of the state.
  auto file = LiveFileReader::open(in("run.live"));
  ASSERT_TRUE(file) << file.error().text();
  std::size_t rows = 0;
  std::optional<LiveEnd> end;
  for (auto block = file->next(); block && *block; block = file->next()) {
    if (const auto* some = std::get_if<SampleRows>(&**block)) rows += some->size();
    if (const auto* ended = std::get_if<LiveEnd>(&**block)) end = *ended;
  }
  EXPECT_EQ(rows + 2, lines(text("a.csv")).size()) << "all but the header and the last row";
  ASSERT_TRUE(end);
  EXPECT_EQ(end->reason, LiveEnd::Reason::finished);
  // It is a scenario, too, which repeats the run.
  succeed("run run.live --csv c.csv --exponents 4 --quiet"_words);
  EXPECT_EQ(text("c.csv"), text("a.csv"));
}

TEST_F(CommandLineLive, CanBeReadAfterTheRunWasKilled) {
  const pid_t child = launch(
      "run --preset double_spherical_pendulum --steps 2^50 --every 1000 --live "
      "run.live --quiet"_words);
  const auto size = [&] {
    std::error_code missing;
    const auto bytes = fs::file_size(in("run.live"), missing);
    return missing ? 0 : bytes;
  };
  for (int k = 0; k < 600 && size() < 60'000; ++k) std::this_thread::sleep_for(100ms);
  // Nobody else may write it.
  const Outcome second = run("run --preset three_body --live run.live --quiet"_words);
  EXPECT_EQ(second.status, 4);
  EXPECT_TRUE(test::says(second.err, "run.live: is being written: another run writes it"));
  ::kill(child, SIGKILL);
  EXPECT_EQ(finish(child).status, 1000 + SIGKILL);
  auto file = test::value_of(LiveFileReader::open(in("run.live")));
  EXPECT_FALSE(file.is_held());
  const auto last = last_state(file);
  ASSERT_TRUE(last);
  ASSERT_GT(last->step(), 1000);
  Simulation there = Simulation::at(file.record(), *last);
  auto fresh = test::value_of(Simulation::create(file.record()));
  while (fresh.steps() < there.steps()) ASSERT_FALSE(fresh.advance_to(there.steps()));
  EXPECT_EQ(write_scenario(there.continuation()), write_scenario(fresh.continuation()));
  // The next run of this name replaces it.
  succeed("run --preset three_body --steps 10 --live run.live --quiet"_words);
  EXPECT_TRUE(file.is_replaced());
  auto next = test::value_of(LiveFileReader::open(in("run.live")));
  EXPECT_EQ(last_state(next)->step(), 10);
}

TEST_F(CommandLineLive, TellsHowTheRunHasEnded) {
  const auto ended = [&](const Words& words, int status) {
    EXPECT_EQ(run("run --quiet --live run.live"_words + words).status, status);
    auto file = test::value_of(LiveFileReader::open(in("run.live")));
    const auto end = CommandLineLive::end_of(file);
    EXPECT_TRUE(end);
    return end.value_or(LiveEnd{});
  };
  EXPECT_EQ(
      ended({"--preset", "three_body", "--steps", "1000", "--set", "stop=[{\"time\": 0.05}]"}, 0)
          .reason,
      LiveEnd::Reason::stopped);
  const LiveEnd failed = ended(
      "--preset double_spherical_pendulum --integrator variational --step 1 "
      "--steps 1000"_words,
      3);
  EXPECT_EQ(failed.reason, LiveEnd::Reason::step_failed);
  ASSERT_TRUE(failed.failure);
  EXPECT_TRUE(test::says(failed.failure->message, "step"));
  const pid_t child = launch(
      "run --preset double_spherical_pendulum --steps 2^50 --live run.live "
      "--quiet"_words);
  interrupt(child, SIGINT, 1s, [this] { return fs::exists(in("run.live")); });
  EXPECT_EQ(finish(child).status, 130);
  auto file = test::value_of(LiveFileReader::open(in("run.live")));
  const auto end = test::value_of(CommandLineLive::end_of(file));
  EXPECT_EQ(end.reason, LiveEnd::Reason::interrupted);
}

}  // namespace
}  // namespace twosphere::command_line_live_test
