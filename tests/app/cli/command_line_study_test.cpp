// SPDX-License-Identifier: GPL-3.0-or-later
// `twosphere study`, in processes of its own.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>

#include "core/base/version.h"
#include "tests/app/cli/run_program.h"

namespace twosphere::command_line_study_test {
namespace {

class Study : public CommandLine {
 protected:
  static Words order(Words more = {}) {
    Words words{"study",      "order", "--preset", "double_spherical_pendulum",
                "--duration", "0.8",   "--steps",  "0.04:0.01:/2"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
};

TEST_F(Study, prints_orders_and_writes_table_and_figure) {
  const Outcome o = run(order({"--integrators", "variational,rk4,rk45", "--tolerances", "1e-3,1e-6",
                               "--csv", in("order.csv"), "--figure", in("order.png")}));
  ASSERT_EQ(o.status, 0) << o.err;
  for (const char* part : {"variational", "order 2.0", "order 3.9", "rk45", "reference: gauss16"})
    EXPECT_NE(o.out.find(part), std::string::npos) << part << '\n' << o.out;
  const std::string table = text("order.csv");
  EXPECT_NE(text("order.csv.json").find(compiler), std::string::npos);
  EXPECT_TRUE(table.starts_with("integrator,step [s],")) << table;
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 1 + 3 + 3 + 2);
  EXPECT_TRUE(text("order.png").starts_with("\x89PNG"));
}

TEST_F(Study, draws_every_kind_of_figure) {
  for (const auto& [name, start] : {std::pair("f.pdf", "%PDF"), {"f.svg", "<?xml"}}) {
    const Outcome o = run(order({"--integrators", "variational", "--quiet", "--figure", in(name)}));
    ASSERT_EQ(o.status, 0) << o.err;
    EXPECT_EQ(o.out, "");
    EXPECT_TRUE(text(name).starts_with(start)) << name;
  }
}

TEST_F(Study, compares_every_integrator_that_applies) {
  const Outcome o = run({"study", "order", "--preset", "three_body", "--duration", "0.1", "--steps",
                         "0.02,0.01", "--tolerances", "1e-3", "--csv", "-"});
  ASSERT_EQ(o.status, 0) << o.err;
  for (const char* key : {"variational,", "rotation6,", "rk4,", "rk45,"})
    EXPECT_NE(o.out.find(key), std::string::npos) << key;
}

TEST_F(Study, a_study_that_is_stopped_keeps_its_runs_and_goes_on) {
  // It is stopped when its table appears.
  const Words words{"study",         "order",
                    "--preset",      "double_spherical_pendulum",
                    "--duration",    "400",
                    "--integrators", "variational,rk4",
                    "--steps",       "0.01,0.005,0.0025,0.00125,0.000625,0.0003125,0.00015625",
                    "--reference",   "variational4@0.005",
                    "--threads",     "1",
                    "--csv",         "order.csv"};
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
  EXPECT_NE(stopped.out.find(fmt::format("{} of 14 runs are done", first)), std::string::npos)
      << stopped.out;
  const std::string before = text("order.csv");
  const Outcome again = run(words);
  EXPECT_EQ(again.status, 0) << again.err;
  EXPECT_NE(again.err.find(fmt::format("order.csv: goes on after {} run", first)),
            std::string::npos)
      << again.err;
  EXPECT_EQ(rows(), 14);
  // Rows that were there are as they were, times included.
  const std::string whole = text("order.csv");
  for (const std::string& row : lines(before)) EXPECT_NE(whole.find(row), std::string::npos) << row;
  EXPECT_EQ(text("order.csv.json").find("unfinished"), std::string::npos);
}

TEST_F(Study, says_how_far_it_is) {
  const Outcome o = run(order({"--integrators", "variational", "--quiet", "--progress", "json"}));
  ASSERT_EQ(o.status, 0) << o.err;
  EXPECT_NE(o.err.find("{\"done\":5,\"all\":5,\"failed\":0,\"rate\":"), std::string::npos) << o.err;
}

TEST_F(Study, a_cloud_takes_the_seed_0) {
  const Words cloud{"study",      "cloud", "--preset",  "double_spherical_pendulum",
                    "--duration", "0.1",   "--members", "4",
                    "--seed"};
  const auto of_seed = [&](const char* seed) {
    Words words = cloud;
    words.emplace_back(seed);
    return run(words);
  };
  const Outcome zero = of_seed("0");
  EXPECT_EQ(zero.status, 0) << zero.err;
  EXPECT_NE(zero.out, of_seed("1").out);
  const Outcome less = of_seed("-1");
  EXPECT_EQ(less.status, 2);
  EXPECT_NE(less.err.find("--seed: must be a whole number from 0 to 2^53"), std::string::npos)
      << less.err;
}

TEST_F(Study, a_cloud_has_by_default_the_members_and_the_spread_of_the_window) {
  const Words cloud{"study", "cloud", "--preset", "double_spherical_pendulum", "--duration", "1"};
  const Outcome plain = run(cloud);
  ASSERT_EQ(plain.status, 0) << plain.err;
  EXPECT_NE(plain.out.find("members: 256\n"), std::string::npos) << plain.out;
  Words given = cloud;
  given.insert(given.end(), {"--members", "256", "--spread", "1e-6"});
  EXPECT_EQ(run(given).out, plain.out);
}

TEST_F(Study, errors_name_the_option) {
  const auto expect = [&](const Words& words, const char* part) {
    SCOPED_TRACE(part);
    expect_failure({"", words, 2, part});
  };
  expect({"study"}, "study: one of these is missing: order, section, cloud");
  expect({"study", "ordre", "--preset", "three_body"},
         "\"ordre\" is none of order, section, cloud; did you mean order?");
  expect({"study", "order"}, "study order: needs a scenario file");
  expect(order({"--integrators", "rk5"}), "--integrators: ");
  expect(order({"--steps", "0.03"}), "--steps: can be given only once");
  const auto with = [](const char* option, const char* value) {
    return Words{"study",      "order", "--preset", "double_spherical_pendulum",
                 "--duration", "0.8",   option,     value};
  };
  expect(with("--steps", "0.03"),
         "--steps: a step of 0.03 s does not divide the duration of 0.8 s");
  expect(with("--steps", "0.04:0.01"), "--steps: must be numbers such as");
  expect(with("--steps", "0.04:0.01:/1"), "the factor after / must be above 1");
  expect(with("--steps", "-1"), "--steps: must be above 0");
  expect(with("--steps", "1:1e-30:/1.5"), "--steps: must be fewer than 64 numbers");
  expect(with("--reference", "rk45@0.01"), "--reference: rk45 has tolerances");
  expect(with("--integrators", "rotation"), "--integrators: ");
  expect(order({"--figure", in("figure.jpg")}), "--figure: ");
  expect({"study", "cloud", "--preset", "three_body", "--tolerances", "1e-3"},
         "--tolerances: belongs to study order, not to study cloud");
  expect(order({"--integrator", "rk4"}),
         "--integrator: belongs to study section and study cloud, not to study order");
  expect(order({"--progress", "xml"}), "--progress: must be json");
  // The help that explains the error.
  expect({"study"}, "(see twosphere study --help)");
  expect({"study", "order"}, "(see twosphere study order --help)");
  expect(order({"--steps"}), "(see twosphere study order --help)");
  expect(order({"--stps", "1"}), "did you mean --steps? (see twosphere study order --help)");
}

TEST_F(Study, help_of_a_form_has_its_options_only) {
  const auto has = [](const std::string& text, const std::string& option) {
    return text.find("\n      " + option) != std::string::npos;
  };
  const std::string all = run({"study", "--help"}).out;
  for (const char* heading :
       {"\nCommands:\n", "\nOptions of order:\n", "\nOptions of section:\n",
        "\nOptions of section and cloud:\n", "\nOptions of order and cloud:\n"})
    EXPECT_NE(all.find(heading), std::string::npos) << heading << all;
  const std::string of_order = run({"study", "order", "--help"}).out;
  EXPECT_TRUE(of_order.starts_with("Usage: twosphere study order ")) << of_order;
  EXPECT_EQ(of_order.find("   or: "), std::string::npos) << of_order;
  for (const char* option : {"--preset=", "--steps=", "--csv=", "--quiet"})
    EXPECT_TRUE(has(of_order, option)) << option;
  for (const char* option : {"--members=", "--axis=", "--section=", "--every="}) {
    EXPECT_FALSE(has(of_order, option)) << option;
    EXPECT_TRUE(has(all, option)) << option;
  }
  const std::string of_cloud = run({"study", "--help", "cloud"}).out;
  EXPECT_TRUE(has(of_cloud, "--members=")) << of_cloud;
  EXPECT_FALSE(has(of_cloud, "--points=")) << of_cloud;
  EXPECT_NE(of_cloud.find("Examples:\n  twosphere study cloud "), std::string::npos) << of_cloud;
  EXPECT_EQ(run({"study", "ordre", "--help"}).out, all);
  const std::string of_run = run({"sweep", "run", "--help"}).out;
  EXPECT_TRUE(has(of_run, "--jobs=")) << of_run;
  EXPECT_FALSE(has(of_run, "--axis=")) << of_run;
}

}  // namespace
}  // namespace twosphere::command_line_study_test
