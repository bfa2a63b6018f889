// SPDX-License-Identifier: GPL-3.0-or-later
// `twosphere study`, in processes of its own.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <string>
#include <thread>

#include "tests/app/cli/run_program.h"
#include "tests/outcome.h"

namespace twosphere::command_line_study_test {
namespace {

class Study : public CommandLine {};

TEST_F(Study, a_study_that_is_stopped_keeps_its_runs_and_goes_on) {
  // It is stopped when its table appears.
  const Words words =
      "study order --preset double_spherical_pendulum --duration 400 "
      "--integrators variational,rk4 --steps "
      "0.01,0.005,0.0025,0.00125,0.000625,0.0003125,0.00015625 --reference "
      "variational4@0.005 --threads 1 --csv order.csv"_words;
  const auto rows = [&] { return static_cast<int>(lines(text("order.csv")).size()) - 1; };
  const pid_t child = launch(words);
  for (int k = 0; k < 600 && !fs::exists(in("order.csv")); ++k)
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  ::kill(child, SIGINT);
  const Outcome stopped = finish(child);
  EXPECT_EQ(stopped.status, 130) << stopped.err;
  const int first = rows();
  EXPECT_GT(first, 0);
  ASSERT_LT(first, 14);
  EXPECT_TRUE(test::says(stopped.out, fmt::format("{} of 14 runs are done", first)));
  const std::string before = text("order.csv");
  const Outcome again = succeed(words);
  EXPECT_TRUE(test::says(again.err, fmt::format("order.csv: continues after {} run", first)));
  EXPECT_EQ(rows(), 14);
  // Rows that were there are as they were, times included.
  const std::string whole = text("order.csv");
  for (const std::string& row : lines(before)) EXPECT_TRUE(test::says(whole, row));
  EXPECT_FALSE(test::says(text("order.csv.json"), "unfinished"));
}

}  // namespace
}  // namespace twosphere::command_line_study_test
