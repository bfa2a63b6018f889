// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <thread>

#include "app/cli/verify.h"
#include "core/catalog.h"
#include "core/run/simulation.h"
#include "core/scenario/reader.h"
#include "core/scenario/scenario.h"
#include "tests/app/cli/run_program.h"

namespace twosphere::command_line_verify_test {
namespace {

/// `verify` in processes that find their temporary files in the test's own folder.
class Verify : public CommandLine {
 protected:
  void use_folder() { ::setenv("TMPDIR", folder_.path().c_str(), 1); }
};

TEST(FirstDifference, is_named_with_both_values) {
  const std::string whole = R"({"q": [[1, 2], [3, 4]], "t": 0.5, "memory": {"p": [1]}})";
  const auto against = [&](const std::string& from, const std::string& to) {
    std::string parts = whole;
    parts.replace(parts.find(from), from.size(), to);
    return first_difference(whole, parts);
  };
  EXPECT_FALSE(first_difference(whole, whole));
  EXPECT_EQ(against("4", "4.0000000000000009"), "q[1][1]: 4 and 4.000000000000001");
  EXPECT_EQ(against("[3, 4]", "[3]"), "q[1]: a list of 2 and a list of 1");
  EXPECT_EQ(against("0.5", "-0.5"), "t: 0.5 and -0.5");
  EXPECT_EQ(against(", \"t\": 0.5", ""), "t: 0.5 and nothing");
  EXPECT_EQ(against("[1]}", "[1], \"x\": 0}"), "memory.x: nothing and 0");
  EXPECT_EQ(against("\"p\": [1]", "\"p\": {}"), "memory.p: a list of 1 and an object");
  EXPECT_EQ(against("0.5", "5e-1"), "the values are equal but written differently");
  EXPECT_EQ(against("0.5", "0.5,"),
            "parts:1: not JSON: unexpected ',' at \"0.5,,\"; expected string literal");
}

TEST(FirstDifference, of_rows_is_named_with_time_and_column) {
  const std::string whole = "time [s],x,y\r\n0,1,2\r\n1,3,4\r\n2,5,6\r\n";
  EXPECT_FALSE(first_different_row(whole, whole, 0));
  EXPECT_FALSE(first_different_row(whole, "time [s],x,y\r\n1,3,4\r\n2,5,6\r\n", 1));
  EXPECT_EQ(first_different_row(whole, "time [s],x,y\r\n1,3,4\r\n2,5,7\r\n", 1),
            "y at time [s] = 2: 6 and 7");
  EXPECT_EQ(first_different_row(whole, "time [s],x,y\r\n1,3,4\r\n", 1),
            "one of them ends before time [s] = 2");
  EXPECT_EQ(first_different_row(whole, "time [s],x,y\r\n1,3,4\r\n2,5,6\r\n3,7,8\r\n", 1),
            "one of them ends before time [s] = 3");
  EXPECT_EQ(first_different_row(whole, "time [s],x,z\r\n1,3,4\r\n2,5,6\r\n", 1), "the header");
  EXPECT_EQ(first_different_row(whole, "time [s],x,y\r\n1,3,4\r\n2,5,6\n", 1),
            "time [s] = 2: the values are equal but written differently");
}

TEST_F(Verify, proves_every_pair_and_skips_those_that_do_not_exist) {
  // Of every kind of memory one; without --integrator it takes every method there is, and longer.
  Words words{"verify", "--all", "--steps", "2"};
  std::size_t pairs = 0, skipped = 0;
  for (const char* key : {"variational", "variational6", "rotation", "rk2_projected", "rk45"}) {
    const IntegratorInfo& method = *find_integrator(key);
    words.insert(words.end(), {"--integrator", key});
    for (const Preset& preset : presets()) {
      const auto simulation = Simulation::create(*read_scenario(preset.text, preset.key));
      const bool exists = method.supports(*simulation->system());
      ++(exists ? pairs : skipped);
    }
  }
  const Outcome o = succeed(words, "", [this] { use_folder(); });
  const auto all = lines(o.out);
  ASSERT_EQ(all.size(), pairs + 1);
  for (std::size_t i = 0; i < pairs; ++i) EXPECT_TRUE(all[i].starts_with("ok: ")) << all[i];
  EXPECT_GT(skipped, 0U);
  EXPECT_EQ(all.back(), std::to_string(pairs) + " of " + std::to_string(pairs) +
                            " restarts are exact in every byte; " + std::to_string(skipped) +
                            " combinations of preset and integrator do not apply and were skipped");
}

TEST_F(Verify, ends_cleanly_on_a_signal) {
  for (const auto& [signal, status] : {std::pair(SIGINT, 130), std::pair(SIGTERM, 143),
                                       std::pair(SIGHUP, 129), std::pair(SIGUSR1, 128 + SIGUSR1)}) {
    const pid_t child = launch("verify --preset pendulum_network --steps 1000000000"_words,
                               [this] { use_folder(); });
    // Until its processes run.
    const auto running = [this] {
      for (const auto& entry : fs::recursive_directory_iterator(folder_.path()))
        if (entry.path().filename().string().starts_with(".twosphere-")) return true;
      return false;
    };
    bool began = false;
    for (int i = 0; i < 1000 && !began; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      began = running();
    }
    EXPECT_TRUE(began);
    ASSERT_EQ(::kill(child, signal), 0);
    const Outcome o = finish(child);
    EXPECT_EQ(o.status, status) << o.err;
    EXPECT_EQ(count(), 0U) << "files left behind";
  }
}

TEST_F(Verify, ends_on_a_signal_before_its_first_run) {
  // Choosing N takes a step, which of so many molecules takes far longer than this test may.
  const std::string file = in("slow.json");
  ASSERT_TRUE(write_file(file, R"({"twosphere": 1,
    "system": {"type": "lennard_jones", "masses": 1, "epsilon": 0.01},
    "initial": {"generator": {"type": "icosphere", "subdivisions": 6}},
    "integrator": {"type": "variational", "step": 0.005}, "duration": 1})"));
  const pid_t child = launch({"verify", file}, [this] { use_folder(); });
  std::this_thread::sleep_for(std::chrono::seconds(2));  // reading takes less
  const auto begin = std::chrono::steady_clock::now();
  ASSERT_EQ(::kill(child, SIGTERM), 0);
  const Outcome o = finish(child);
  EXPECT_EQ(o.status, 143) << o.err;
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
  EXPECT_EQ(count(), 1U) << "files left behind";
}

}  // namespace
}  // namespace twosphere::command_line_verify_test
