// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <thread>

#include "app/cli/verify.h"
#include "core/base/json.h"
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
  Outcome verify(Words words, const std::string& input = "") {
    words.insert(words.begin(), "verify");
    return run(words, input, [this] { use_folder(); });
  }
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

TEST_F(Verify, proves_a_preset_with_several_methods) {
  const Outcome o = verify({"--preset", "double_spherical_pendulum", "--integrator", "variational",
                            "--integrator", "rk45", "--steps", "37"});
  EXPECT_EQ(o.status, 0) << o.err;
  EXPECT_EQ(lines(o.out), (Words{"ok: double_spherical_pendulum variational: 2 × 37 steps, 38 rows",
                                 "ok: double_spherical_pendulum rk45: 2 × 37 steps, 38 rows",
                                 "2 of 2 restarts are exact in every byte"}));
  EXPECT_EQ(o.err, "");
  EXPECT_EQ(count(), 0U) << "files left behind";
}

// The columns keep the names that the lanes had at the start.
TEST_F(Verify, proves_a_swap_in_a_lane_without_a_name) {
  ASSERT_TRUE(write_file(in("swap.json"), R"({"twosphere": 1,
      "system": {"type": "chain_pendulum", "masses": [1, 1], "lengths": [1, 1]},
      "initial": {"q": [[0.8, 0, 0.6], [0, 0, 1]], "omega": [[0, 0, 0], [0, 1, 0]]},
      "lanes": [{"type": "variational", "step": 0.01}, {"type": "rk45", "step": 0.01}],
      "events": [{"step": 5, "set": {"lanes[1].type": "rk4"}}], "duration": 1})"));
  const Outcome o = verify({"swap.json", "--steps", "10"});
  EXPECT_EQ(o.status, 0) << o.out << o.err;
}

TEST_F(Verify, takes_its_own_number_of_steps) {
  const Outcome o = verify({"--preset", "three_body"});
  EXPECT_EQ(o.status, 0) << o.err;
  EXPECT_TRUE(lines(o.out)[0].starts_with("ok: three_body variational: 2 × ")) << o.out;
}

TEST_F(Verify, proves_every_pair_and_skips_those_that_do_not_exist) {
  // Of every kind of memory one; without --integrator it takes every method there is, and longer.
  Words words{"--all", "--steps", "2"};
  std::size_t pairs = 0, skipped = 0;
  for (const char* key : {"variational", "variational6", "rotation", "rk2_projected", "rk45"}) {
    const IntegratorInfo& method = *find_integrator(key);
    words.insert(words.end(), {"--integrator", key});
    for (const Preset& preset : presets()) {
      const auto simulation = Simulation::create(*read_scenario(preset.text, preset.key));
      const bool exists = method.supports(simulation->system()->inertia());
      ++(exists ? pairs : skipped);
    }
  }
  const Outcome o = verify(words);
  EXPECT_EQ(o.status, 0) << o.out << o.err;
  const auto all = lines(o.out);
  ASSERT_EQ(all.size(), pairs + 1);
  for (std::size_t i = 0; i < pairs; ++i) EXPECT_TRUE(all[i].starts_with("ok: ")) << all[i];
  EXPECT_GT(skipped, 0U);
  EXPECT_EQ(all.back(), std::to_string(pairs) + " of " + std::to_string(pairs) +
                            " restarts are exact in every byte; " + std::to_string(skipped) +
                            " combinations of preset and integrator do not apply and were skipped");
}

TEST_F(Verify, takes_a_scenario_with_events_and_conditions_to_stop) {
  auto root = *json::parse(find_preset("double_spherical_pendulum")->text, "p");
  root.set("every", json::Node::whole(4));
  root.set("stop", *json::parse(R"([{"time": 0.1}])", "s"));
  root.set("events", *json::parse(R"([{"step": 5, "set": {"system.gravity": 1.62}},
      {"step": 9, "set": {"every": 8}}, {"step": 10, "resume": true},
      {"step": 20, "set": {"stop": [{"time": 0.3}], "system.damping": 0.1}},
      {"step": 30, "set": {"integrator.step": 0.02}}, {"step": 40, "set": {"integrator.type": "rk4"}}])",
                                  "e"));
  const std::string text = json::write(root);
  ASSERT_TRUE(write_file(in("s.json"), text));
  for (const char* steps : {"5", "13", "30"}) {
    const Outcome o = verify({"s.json", "--steps", steps});
    EXPECT_EQ(o.status, 0) << o.out << o.err;
    EXPECT_TRUE(o.out.starts_with("ok: s.json variational: 2 × ")) << o.out;
  }
  const Outcome piped = verify({"-", "--steps", "6", "--integrator", "rk4"}, text);
  EXPECT_EQ(piped.status, 0) << piped.out << piped.err;
  EXPECT_TRUE(
      piped.out.starts_with("ok: standard input rk4: 2 × 6 steps, no rows, because events "
                            "set every to 8, which does not divide 6\n"))
      << piped.out;
  const Outcome rows = verify({"s.json", "--steps", "16"});
  EXPECT_TRUE(rows.out.starts_with("ok: s.json variational: 2 × 16 steps, 3 rows\n")) << rows.out;
  // A saved state, too, as it is and with another method.
  ASSERT_EQ(run({"run", "s.json", "--steps", "7", "--save-state", "t.json", "--quiet"}).status, 0);
  const Outcome state = verify({"t.json", "--integrator", "variational", "--integrator", "rk2"});
  EXPECT_EQ(state.status, 0) << state.out << state.err;
}

TEST_F(Verify, takes_several_lanes_as_they_are) {
  auto root = *json::parse(find_preset("double_spherical_pendulum")->text, "p");
  std::erase_if(root.members, [](const auto& member) { return member.first == "integrator"; });
  root.set("lanes", *json::parse(R"([{"type": "variational", "step": 0.01},
      {"type": "rk45", "step": 0.005}, {"type": "rk4", "step": 0.01, "name": "classic"}])",
                                 "l"));
  root.set("events", *json::parse(R"([{"step": 7, "set": {"lanes[2].type": "heun"}}])", "e"));
  ASSERT_TRUE(write_file(in("s.json"), json::write(root)));
  const Outcome o = verify({"s.json", "--steps", "10"});
  EXPECT_EQ(o.status, 0) << o.out << o.err;
  EXPECT_EQ(lines(o.out)[0], "ok: s.json variational+rk45+classic: 2 × 10 steps, 11 rows");
  // --integrator takes each alone.
  const Outcome alone = verify({"s.json", "--steps", "5", "--integrator", "rk2"});
  EXPECT_EQ(alone.status, 2) << alone.out;  // the event's lane is not there
  EXPECT_NE(alone.err.find("lanes[2]"), std::string::npos) << alone.err;
}

TEST_F(Verify, a_step_that_is_refused_is_said_as_such) {
  ASSERT_EQ(run({"run", "--preset", "chain_pendulum", "--step", "0.001", "--steps", "1", "--quiet",
                 "--save-state", "s.json"})
                .status,
            0);
  auto root = *json::parse(text("s.json"), "s");
  ASSERT_TRUE(assign(root, "integrator.step", json::Node(0.5)));
  ASSERT_TRUE(write_file(in("s.json"), json::write(root)));
  const Outcome o = verify({"s.json", "--steps", "20"});
  EXPECT_EQ(o.status, 3) << o.out << o.err;
  EXPECT_TRUE(o.out.starts_with("FAILED: s.json variational: variational: step ")) << o.out;
  EXPECT_NE(o.out.find("failed: body "), std::string::npos) << o.out;
  EXPECT_EQ(lines(o.out).back(), "0 of 1 restarts are exact in every byte");
}

TEST_F(Verify, refuses_what_it_cannot_do) {
  const auto refused = [this](const Words& words, int status, const std::string& message) {
    const Outcome o = verify(words);
    EXPECT_EQ(o.status, status) << message;
    EXPECT_EQ(o.out, "");
    EXPECT_TRUE(o.err.starts_with("twosphere: " + message)) << o.err;
    EXPECT_EQ(count(), 0U);
  };
  refused({}, 2, "verify: needs a scenario file, -, --preset NAME or --all");
  refused({"--all", "--preset", "three_body"}, 2, "verify: takes only one of");
  refused({"s.json", "--all"}, 2, "verify: takes only one of");
  refused({"none.json"}, 4, "none.json: No such file or directory");
  refused({"--preset", "three_bodies"}, 2,
          "--preset: unknown preset \"three_bodies\"; did you mean");
  const std::string unknown = "--integrator: unknown integrator \"rk5\"; did you mean rk2?";
  refused({"--preset", "three_body", "--integrator", "rk5"}, 2, unknown);
  refused({"--all", "--integrator", "rk5"}, 2, unknown);
  refused({"--preset", "chain_pendulum", "--integrator", "rotation"}, 2,
          "--integrator: rotation needs uncoupled bodies");
  for (const char* steps : {"0", "1.5", "9007199254740992", "some"})
    refused({"--all", "--steps", steps}, 2, "--steps: must be a ");
}

TEST_F(Verify, needs_a_place_for_its_files) {
  const Outcome o = run({"verify", "--all"}, "", [] { ::setenv("TMPDIR", "/nowhere", 1); });
  EXPECT_EQ(o.status, 4);
  EXPECT_EQ(o.err, "twosphere: /nowhere: No such file or directory\n");
}

TEST_F(Verify, says_that_the_disk_is_full) {
  // A page for the scenario, and none for anything else.
  const auto status = run_with_small_disk(
      4, fmt::format("TMPDIR=$PWD/disk {} verify --preset three_body --steps 5 > out",
                     TWOSPHERE_PROGRAM));
  if (!status) GTEST_SKIP() << "there can be no disk of its own here";
  EXPECT_EQ(status, 4) << text("said");
  EXPECT_NE(text("out").find("No space left on device\n0 of 1"), std::string::npos) << text("out");
}

TEST_F(Verify, ends_cleanly_on_a_signal) {
  for (const auto& [signal, status] : {std::pair(SIGINT, 130), std::pair(SIGTERM, 143),
                                       std::pair(SIGHUP, 129), std::pair(SIGUSR1, 128 + SIGUSR1)}) {
    const pid_t child = launch({"verify", "--preset", "three_body", "--steps", "1000000000"},
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

}  // namespace
}  // namespace twosphere::command_line_verify_test
