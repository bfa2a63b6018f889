// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <charconv>
#include <chrono>
#include <cmath>
#include <csignal>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "core/base/build.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/simd_level.h"
#include "core/base/version.h"
#include "core/catalog.h"
#include "core/output/csv.h"
#include "core/record/history.h"
#include "core/record/pair_distribution.h"
#include "core/run/simulation.h"
#include "core/scenario/reader.h"
#include "core/scenario/scenario.h"
#include "tests/app/cli/run_program.h"
#include "tests/german_locale.h"
#include "tests/outcome.h"
#include "tests/runs.h"
#include "tests/taken.h"

// The real program in processes of its own, without a display.
namespace twosphere::command_line_test {
namespace {

Words simulate(const Words& more = {}) {
  return Words{"run", "--preset", "double_spherical_pendulum"} + more;
}

std::map<std::string, std::string> summary(const std::string& text) {
  std::map<std::string, std::string> out;
  for (const std::string& line : lines(text))
    if (const auto colon = line.find(": "); colon != std::string::npos)
      out[line.substr(0, colon)] = line.substr(colon + 2);
  return out;
}

double number(const std::string& text) {
  double value = std::nan("");
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

TEST_F(CommandLine, EveryOutputNamesTheProgram) {
  const Outcome o =
      run(simulate("--steps 2 --csv a.csv --trajectory t.xyz --save-state s.json --quiet"_words));
  ASSERT_EQ(o.status, 0) << o.err;
  succeed(simulate("--steps 2 --trajectory t.pvd --quiet"_words));
  succeed(
      "sweep new grid --preset double_spherical_pendulum --axis "
      "system.gravity=1,2 --measure energy_error.max"_words);
  const std::string program = program_version();
  EXPECT_TRUE(test::says(program, compiler));
  for (const char* name : {"t.xyz", "s.json", "t.pvd", "t/t_000000.vtp", "grid/sweep.json"})
    EXPECT_TRUE(test::says(text(name), program)) << name;
  for (const std::string_view word :
       {std::string_view(version), std::string_view(compiler), revision()})
    EXPECT_TRUE(test::says(text("a.csv.json"), word));
}

TEST_F(CommandLine, version_names_isa_libraries_and_licence) {
  const Outcome o = succeed({"--version"});
  EXPECT_TRUE(
      o.out.starts_with(fmt::format("twosphere {}\nInstruction set: {}\n", version, isa_level())))
      << o.out;
  for (const char* word :
       {"Eigen 3.", "FFTW 3.", "fmt ", "Highway 1.", "nlohmann-json 3.", "CLI11 2.", "Qt 6.",
        "Dear ImGui 1.", "\nRevision: ", "\nCompiler: ", "GPL-3.0-or-later"})
    EXPECT_TRUE(test::says(o.out, word));
  EXPECT_EQ(o.err, "");
}

TEST_F(CommandLine, lists_are_key_tab_title) {
  const auto check = [this](const Words& words, auto catalogue) {
    const Outcome o = succeed(words);
    const auto all = lines(o.out);
    ASSERT_EQ(all.size(), catalogue.size());
    for (std::size_t i = 0; i < all.size(); ++i)
      EXPECT_TRUE(all[i].starts_with(std::string(catalogue[i].key) + '\t')) << all[i];
  };
  check({"list"}, presets());
  check({"list", "--systems"}, systems());
  check({"list", "--integrators"}, integrators());
  check({"list", "--custom"}, custom_presets());
}

TEST_F(CommandLine, field_is_the_local_kinetic_energy_at_the_end) {
  succeed("run --preset lennard_jones --steps 2 --field f.csv"_words);
  const auto rows = lines(text("f.csv"));
  ASSERT_EQ(rows.size(), 5121U);
  EXPECT_EQ(rows[0],
            "time [s],face [1],center_x [1],center_y [1],center_z [1],kinetic_energy [J],bodies "
            "[1],widened [1]");
  auto scenario = read_scenario(find_preset("lennard_jones")->text, "preset");
  auto headless = test::value_of(Simulation::create(std::move(*scenario)));
  for (int k = 0; k < 2; ++k) ASSERT_FALSE(headless.step());
  SurfaceField field;
  field.update(*headless.system(), headless.state(0));
  EXPECT_EQ(text("f.csv"), field_table(headless.time(), field));
  const auto companion = test::value_of(json::parse(text("f.csv.json"), "companion"));
  EXPECT_EQ(companion.find("columns")->items[5].find("unit")->text, "J");
}

TEST_F(CommandLine, pair_distribution_is_the_mean_over_the_rows) {
  succeed("run --preset lennard_jones --steps 5 --every 2 --pair-distribution g.csv"_words);
  auto scenario = read_scenario(find_preset("lennard_jones")->text, "preset");
  auto headless = test::value_of(Simulation::create(std::move(*scenario)));
  PairDistribution pairs(642);
  for (int k = 0; k <= 5; ++k) {
    if (k > 0) {
      ASSERT_FALSE(headless.step());
    }
    if (k % 2 == 0 || k == 5) pairs.add(headless.state(0).q);
  }
  EXPECT_EQ(pairs.rows(), 4);
  EXPECT_EQ(text("g.csv"), pair_distribution_table(pairs));
  const auto rows = lines(text("g.csv"));
  ASSERT_EQ(rows.size(), 181U);
  EXPECT_EQ(rows[0], "angle [rad],pair_distribution [1],pairs [1]");
  const auto companion = test::value_of(json::parse(text("g.csv.json"), "companion"));
  EXPECT_EQ(companion.find("columns")->items[0].find("unit")->text, "rad");
}

TEST_F(CommandLine, summary_equals_the_windows_and_the_tables) {
  const Outcome o = succeed(simulate("--steps 777 --every 10 --csv a.csv"_words));
  auto values = summary(o.out);
  auto simulation = Simulation::create(test::preset());
  History history;
  std::string table = csv_header(simulation->system_info(), simulation->record().lanes);
  for (int step = 0; step <= 777; ++step) {
    if (step > 0) {
      ASSERT_FALSE(simulation->step());
    }
    if (step % 10 != 0 && step != 777) continue;
    history.append(step, simulation->sample(0));
    table += csv_row(simulation->system_info(), {simulation->sample(0)});
  }
  EXPECT_EQ(text("a.csv"), table);
  EXPECT_EQ(values["samples"], "79");
  EXPECT_EQ(values["mean energy error"],
            json::shortest(history.mean_magnitude(Quantity::energy_error)));
  EXPECT_EQ(values["worst energy error"],
            json::shortest(history.worst_magnitude(Quantity::energy_error)));
  EXPECT_EQ(values["mean unit-length error"],
            json::shortest(history.mean_magnitude(Quantity::unit_length_error_mean)));
  EXPECT_EQ(values["worst unit-length error"],
            json::shortest(history.worst_magnitude(Quantity::unit_length_error)));
}

// A value of the system that moves it otherwise, of the named system or of all others.
std::string other_parameter(const std::string& system) {
  if (system == "elastic_rod") return "system.mass=0.06";
  if (system == "spins") return "system.strength=-1.5";
  if (system == "vortices") return "system.circulations[0]=1.5";
  if (system == "rigid_body") return "system.angular_momentum=1.2";
  return "system.masses[0]=1.5";
}

TEST_F(CommandLine, restart_in_a_fresh_process_is_exact_to_every_byte) {
  test::Taken taken;
  int of_chains = 0;
  for (const Preset& preset : presets()) {
    const Scenario original = *read_scenario(preset.text, preset.key);
    const auto simulation = Simulation::create(original);
    const bool chain = original.system == "chain_pendulum";
    for (const IntegratorInfo& method : integrators()) {
      if (!method.supports(*simulation->system())) continue;
      // Matrices of 3n×3n, and the cost of many molecules.
      if (method.key == "variational_cayley" && original.size() > 10) continue;
      if (original.system == "lennard_jones" && method.key != "variational" && method.key != "rk45")
        continue;
      std::vector<std::string> parameters{other_parameter(original.system)};
      if (chain) parameters.emplace_back("system.tip_force=[0.3,0.1,-0.2]");
      for (const std::string& parameter : parameters) {
        const int half = original.size() > 100 ? 2 : 120;
        const std::string key(preset.key), id(method.key), n = std::to_string(half),
                                                           twice = std::to_string(2 * half);
        const Words start{"run", "--preset", key,       "--integrator",
                          id,    "--set",    parameter, "--quiet"};
        succeed(start + Words{"--steps", twice, "--save-state", "whole.json"});
        succeed(start + Words{"--steps", n, "--save-state", "half.json", "--every", "7"});
        succeed({"run", "half.json", "--steps", n, "--save-state", "rest.json", "--every", "1",
                 "--csv", "rest.csv"});
        EXPECT_EQ(text("rest.json"), text("whole.json")) << key << ' ' << id << ' ' << parameter;
        // Loading alone changes nothing, and the state is not the start.
        EXPECT_NE(text("half.json"), text("whole.json"));
        // By durations just as well.
        succeed({"run", "half.json", "--duration",
                 json::shortest(half * read_scenario(text("half.json"), "h")->lanes[0].step),
                 "--save-state", "rest.json", "--quiet"});
        EXPECT_EQ(text("rest.json"), text("whole.json")) << key << ' ' << id;
        of_chains += chain;
      }
      taken.add(preset, method);
    }
  }
  taken.expect_all(98);
  EXPECT_GE(of_chains, 40) << "two chains, each with ten methods and two parameters";
}

// Those of earlier versions lack what was added since.
TEST_F(CommandLine, a_state_that_lacks_variables_goes_on_and_says_so) {
  for (const auto& [preset, compensations] :
       {std::pair{"double_spherical_pendulum", 1}, {"elastic_rod", 2}}) {
    succeed({"run", "--preset", preset, "--steps", "10", "--save-state", "s.json", "--quiet"});
    ASSERT_EQ(run("run s.json --steps 5 --trajectory whole.csv"_words).err, "");
    auto whole = test::value_of(json::parse(text("s.json"), "state"));
    const auto& all = whole.find("integrator_state")->members;
    int left_out = 0;
    for (const auto& [name, unused] : all) {
      if (!name.ends_with("compensation")) continue;
      ++left_out;
      json::Node state = whole;
      std::erase_if(state.find("integrator_state")->members,
                    [&name = name](const auto& member) { return member.first == name; });
      ASSERT_TRUE(write_file(in("old.json"), json::write(state)));
      const Outcome o = succeed("run old.json --steps 5 --trajectory old.csv"_words);
      EXPECT_TRUE(test::says(o.err, "integrator_state: has no " + name));
      EXPECT_TRUE(test::says(o.err, "but not bit for bit"));
      // The motion is the same but for rounding.
      const auto rows = lines(text("old.csv")), exact = lines(text("whole.csv"));
      ASSERT_EQ(rows.size(), exact.size());
      EXPECT_NEAR(number(rows.back().substr(rows.back().find(',') + 1)),
                  number(exact.back().substr(exact.back().find(',') + 1)), 1e-12);
    }
    EXPECT_EQ(left_out, compensations) << preset;
    json::Node state = whole;
    state.find("integrator_state")->members.clear();
    ASSERT_TRUE(write_file(in("old.json"), json::write(state)));
    EXPECT_TRUE(test::says(run({"run", "old.json", "--steps", "5"}).err, "not bit for bit"));
  }
}

TEST_F(CommandLine, signals_and_the_wall_time_end_the_run_cleanly) {
  const Words endless =
      simulate("--steps 1000000000000 --every 100000 --csv a.csv --save-state s.json"_words);
  const auto expect_all_kept = [this](const Outcome& o) {
    const std::string steps = summary(o.out)["steps"];
    EXPECT_GT(number(steps), 0) << o.out;
    const auto state = test::value_of(read_scenario(text("s.json"), "s"));
    EXPECT_EQ(std::to_string(state.continuation->step_index), steps);
    // The last row is the last state.
    EXPECT_TRUE(lines(text("a.csv")).back().starts_with(summary(o.out)["simulated time"] + ","));
  };
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGXCPU, SIGUSR1, SIGUSR2}) {
    const pid_t child = launch(endless, [] { std::signal(SIGHUP, SIG_DFL); });
    ASSERT_NO_FATAL_FAILURE(interrupt(child, signal, 300ms, [this] { return writes(); }));
    const Outcome o = finish(child);
    EXPECT_EQ(o.status, 128 + signal);
    expect_all_kept(o);
  }
  const Words timed = endless + "--wall-time 0.5"_words;
  const Outcome o = succeed(timed);
  EXPECT_EQ(summary(o.out)["stopped"], "wall time");
  expect_all_kept(o);
  // A run that ends before is not stopped.
  EXPECT_FALSE(test::says(run(simulate({"--steps", "1", "--wall-time", "1000"})).out, "stopped"));
  // Under nohup.
  const pid_t child = launch(timed, [] { std::signal(SIGHUP, SIG_IGN); });
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  ASSERT_EQ(::kill(child, SIGHUP), 0);
  EXPECT_EQ(finish(child).status, 0);
}

// However long a step takes: own steps of a lane, inner steps, Newton's iteration.
TEST_F(CommandLine, signals_end_a_step_that_takes_long) {
  const Words many_own_steps =
                  "run --preset lennard_jones --integrator variational --integrator rk4 "
                  "--set lanes[1].step=500 --steps 1"_words,
              many_inner_steps =
                  "run --preset lennard_jones --integrator rk45 --step 1000 "
                  "--set integrator.relative_tolerance=1e-12 "
                  "--set integrator.absolute_tolerance=1e-14 --steps 1"_words,
              large_matrices =
                  "run --preset lennard_jones --integrator variational_cayley --steps 1000"_words;
  for (const Words& words : {many_own_steps, many_inner_steps, large_matrices})
    for (const int signal : {SIGINT, SIGTERM}) {
      const Words all = words + "--csv a.csv --save-state s.json --quiet"_words;
      EXPECT_LT(time_to_end(all, signal, 1500ms, [this] { return writes(); }), 1) << words[2];
      EXPECT_GE(lines(text("a.csv")).size(), 2U) << "the rows so far";
      const auto state = read_scenario(text("s.json"), "s");
      EXPECT_TRUE(state) << state.error().text();
    }
}

// Before its first step, too, and before it has opened a file.
TEST_F(CommandLine, a_signal_ends_every_command_while_it_prepares) {
  const Words many = "--preset lennard_jones --integrator variational"_words;
  const std::vector<Words> commands = {
      "run --csv a.csv --save-state s.json --exponents 2000"_words + many,
      "study order --preset double_spherical_pendulum --duration 100000 --csv a.csv"_words,
      "check --set system.masses=1 --set initial.generator.subdivisions=5"_words + many,
      "orbits relative --preset double_spherical_pendulum --momentum 100 --tries 100000 "
      "--save-start 0=a.json --csv a.csv"_words,
  };
  for (const Words& words : commands)
    for (const auto at_work : {0ms, 20ms, 100ms}) {
      EXPECT_LT(time_to_end(words, SIGTERM, at_work), 1) << words[0] << ' ' << at_work.count();
      EXPECT_EQ(count(), 0U) << words[0] << ": files left behind";
    }
}

TEST_F(CommandLine, a_signal_ends_every_command_in_a_step_that_takes_long) {
  const auto endless = [](const Words& command, const Words& more) {
    return command +
           "--preset lennard_jones --step 1000 --set integrator.relative_tolerance=1e-12 "
           "--set integrator.absolute_tolerance=1e-14"_words +
           more;
  };
  succeed(endless("sweep new sweep"_words,
                  "--integrator rk45 --duration 5000 --axis "
                  "system.epsilon=1,2 --measure t_stop"_words));
  const std::vector<Words> commands = {
      endless("render"_words, "--integrator rk45 --time 2000 --png a.png"_words),
      endless("render"_words, "--integrator rk45 --film frames/"_words),
      endless("study section"_words, "--integrator rk45 --duration 5000 --points a.csv"_words),
      "study order --preset double_spherical_pendulum --integrators rk4 "
      "--reference variational4@0.001 --duration 100000 --steps 0.1,0.05"_words,
      "study cloud --preset lennard_jones --members 64 --quiet"_words,
      "orbits equilibria --preset custom/lebwohl_lasher --tries 100000"_words,
      "sweep run sweep --jobs 2 --quiet"_words,
  };
  for (const Words& words : commands)
    EXPECT_LT(time_to_end(words, SIGTERM, 150ms), 1) << words[0] << ' ' << words[1];
}

TEST_F(CommandLine, numbers_do_not_depend_on_the_locale) {
  const test::GermanLocale locale;
  ASSERT_TRUE(locale.made());
  const auto german = [] { ::setenv("LC_ALL", test::GermanLocale::name, 1); };
  const Words words = simulate("--steps 20 --set system.gravity=1.62 --csv - --quiet"_words);
  const Outcome plain = run(words);
  EXPECT_EQ(plain.out, run(words, "", german).out);
  EXPECT_TRUE(test::says(plain.out, "0.01,"));
  // Qt, too, sets the locale.
  for (const char* name : {"plain.png", "german.png"}) {
    const Words picture{"render", "--preset", "double_spherical_pendulum", "--time", "0.25",
                        "--png",  name};
    const Outcome o = *name == 'p' ? run(picture) : run(picture, "", german);
    EXPECT_EQ(o.status, 0) << o.err;
  }
  EXPECT_EQ(text("plain.png"), text("german.png"));
}

}  // namespace
}  // namespace twosphere::command_line_test
