// SPDX-License-Identifier: GPL-3.0-or-later
// `twosphere sweep`, in processes of its own.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>

#include <chrono>
#include <map>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "tests/app/cli/run_program.h"
#include "tests/long_rod.h"
#include "tests/outcome.h"
#include "tests/sanitized.h"

namespace twosphere::command_line_sweep_test {
namespace {

/// The columns of a table by their names without units.
std::map<std::string, std::vector<std::string>> columns(const std::string& table) {
  const auto cells = [](const std::string& line) {
    std::vector<std::string> out(1);
    for (const char c : line)
      if (c == ',')
        out.emplace_back();
      else
        out.back() += c;
    return out;
  };
  const std::vector<std::string> rows = lines(table);
  std::map<std::string, std::vector<std::string>> out;
  if (rows.empty()) return out;
  const std::vector<std::string> names = cells(rows[0]);
  for (std::size_t r = 1; r < rows.size(); ++r) {
    const std::vector<std::string> row = cells(rows[r]);
    for (std::size_t k = 0; k < names.size() && k < row.size(); ++k)
      out[names[k].substr(0, names[k].find(' '))].push_back(row[k]);
  }
  return out;
}

class SweepCommand : public CommandLine {
 protected:
  void make(const std::string& folder, const Words& more = {}) {
    succeed(
        Words{"sweep", "new", folder} +
        "--preset double_spherical_pendulum --duration 2 --axis system.gravity=1:20:5 --axis "
        "initial.omega[1][1]=-1,0.5 --measure energy_error.max,total_energy.last,megno,lyapunov"_words +
        more);
  }
  void compute(const std::string& folder, const Words& more = {}) {
    succeed(Words{"sweep", "run", folder} + more);
  }
  std::string collected(const std::string& folder) {
    const Outcome o = succeed({"sweep", "collect", folder, "-"});
    return o.out;
  }
};

TEST_F(SweepCommand, kills_and_threads_leave_the_same_bytes) {
  // Killed at random moments, on two threads, with a state at every row.
  std::mt19937 random(1);
  for (const int signal : {SIGKILL, SIGINT}) {
    const std::string folder = signal == SIGKILL ? "killed" : "interrupted";
    // Tasks of 200 000 steps, so that most kills hit one.
    make(folder, {"--step", "0.00001", "--every", "5000"});
    if (signal == SIGKILL) {
      make("whole", {"--step", "0.00001", "--every", "5000"});
      compute("whole", {"--jobs", "1"});
    }
    int killed = 0;
    for (int k = 0; k < 20; ++k) {
      const pid_t child =
          launch({"sweep", "run", folder, "--jobs", "2", "--save-every", "0", "--quiet"});
      // Ctrl-C is caught once the program has begun.
      const unsigned least = signal == SIGKILL ? 20 : 60;
      std::this_thread::sleep_for(std::chrono::milliseconds(least + random() % 60));
      ::kill(child, signal);
      const int status = finish(child).status;
      killed += status == 1000 + signal || status == 128 + signal;
    }
    // Most of them; fewer on a busy machine, where the tasks may end before.
    EXPECT_GT(killed, 0);
    compute(folder);
    EXPECT_EQ(collected(folder), collected("whole")) << folder;
  }
}

TEST_F(SweepCommand, a_task_in_which_three_processes_are_killed_is_a_row) {
  succeed(
      "sweep new long --preset double_spherical_pendulum --axis "
      "duration=0.1,1e9 --measure t_stop"_words);
  const Words words = "sweep run long --jobs 2 --quiet"_words;
  for (int k = 1; k <= 3; ++k) {
    const pid_t child = launch(words);
    const std::string line = fmt::format(" 1         {}\n", k);
    for (int wait = 0; wait < 400; ++wait) {
      if (text("long/running/1-of-1.txt").find(line) != std::string::npos) break;
      std::this_thread::sleep_for(std::chrono::milliseconds(25));
    }
    EXPECT_TRUE(test::says(text("long/running/1-of-1.txt"), line)) << k;
    ::kill(child, SIGKILL);
    EXPECT_EQ(finish(child).status, 1000 + SIGKILL);
  }
  compute("long");
  EXPECT_EQ(columns(collected("long"))["status"], (Words{"done", "crashed"}));
  EXPECT_TRUE(test::says(run({"sweep", "status", "long"}).out,
                         "3 processes were killed while they ran it"));
  // Ctrl-C is no death.
  succeed(
      "sweep new stopped --preset double_spherical_pendulum --axis "
      "duration=0.1,1e9 --measure t_stop"_words);
  const pid_t child = launch({"sweep", "run", "stopped", "--quiet"});
  interrupt(child, SIGINT, 400ms, [this] { return fs::exists(in("stopped/running/1-of-1.txt")); });
  EXPECT_EQ(finish(child).status, 130);
  const std::string left = text("stopped/running/1-of-1.txt");
  EXPECT_EQ(left.find_first_not_of(" \n"), std::string::npos) << left;
}

TEST_F(SweepCommand, a_signal_ends_a_plan_that_looks_for_equilibria_and_leaves_nothing) {
  ASSERT_TRUE(write_file(in("rod.json"), test::long_rod()));
  const Words plan = "sweep new basins rod.json --axis duration=1,2 --measure basin"_words;
  for (const int signal : {SIGINT, SIGTERM}) {
    EXPECT_LT(time_to_end(plan, signal, 150ms), 1) << signal;
    EXPECT_FALSE(fs::exists(in("basins"))) << signal;
  }
}

TEST_F(SweepCommand, a_task_that_lacks_memory_is_a_row) {
  if (test::sanitized) GTEST_SKIP() << "a sanitizer's own tables would not fit";
  // The matrix of task 1 has 2400² numbers.
  constexpr std::size_t links = 1200;
  const auto each = [](const char* value) {
    return fmt::format("{}", fmt::join(std::vector<std::string>(links, value), ", "));
  };
  ASSERT_TRUE(write_file(
      in("chain.json"),
      fmt::format(R"({{"twosphere": 1, "system": {{"type": "chain_pendulum", "masses": [{0}],
                       "lengths": [{0}]}}, "initial": {{"q": [{1}], "omega": [{2}]}},
                       "integrator": {{"type": "rk4", "step": 0.001}}, "duration": 0.001}})",
                  each("1"), each("[0.6, 0, 0.8]"), each("[0, 0, 0]"))));
  succeed(
      "sweep new large chain.json --axis "
      "integrator.type=rk4,variational_cayley,rk2 --measure energy_error.last"_words);
  succeed("sweep run large --jobs 2"_words, "", [] {
    const rlimit limit{80'000'000, 80'000'000};
    ::setrlimit(RLIMIT_DATA, &limit);
  });
  auto rows = columns(collected("large"));
  EXPECT_EQ(rows["status"], (Words{"done", "out_of_memory", "done"}));
  EXPECT_EQ(rows["energy_error.last"][1], "");
  const Outcome status = run({"sweep", "status", "large"});
  EXPECT_TRUE(test::says(status.out, "first failure: task 1: there is not enough memory\n"));
}

}  // namespace
}  // namespace twosphere::command_line_sweep_test
