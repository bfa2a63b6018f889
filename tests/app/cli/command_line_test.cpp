// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <charconv>
#include <chrono>
#include <cmath>
#include <csignal>
#include <map>
#include <thread>

#include "core/base/build.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/simd_level.h"
#include "core/base/version.h"
#include "core/catalog.h"
#include "core/output/csv.h"
#include "core/record/history.h"
#include "core/run/simulation.h"
#include "core/scenario/reader.h"
#include "core/scenario/scenario.h"
#include "tests/app/cli/run_program.h"
#include "tests/german_locale.h"
#include "tests/taken.h"

// The real program in processes of its own, without a display.
namespace twosphere::command_line_test {
namespace {

Words simulate(const Words& more = {}) {
  Words words{"run", "--preset", "double_spherical_pendulum"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
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
  const Outcome o = run(simulate({"--steps", "2", "--csv", "a.csv", "--trajectory", "t.xyz",
                                  "--save-state", "s.json", "--quiet"}));
  ASSERT_EQ(o.status, 0) << o.err;
  ASSERT_EQ(run(simulate({"--steps", "2", "--trajectory", "t.pvd", "--quiet"})).status, 0);
  ASSERT_EQ(run({"sweep", "new", "grid", "--preset", "double_spherical_pendulum", "--axis",
                 "system.gravity=1,2", "--measure", "energy_error.max"})
                .status,
            0);
  const std::string program = program_version();
  EXPECT_NE(program.find(compiler), std::string::npos);
  for (const char* name : {"t.xyz", "s.json", "t.pvd", "t/t_000000.vtp", "grid/sweep.json"})
    EXPECT_NE(text(name).find(program), std::string::npos) << name;
  for (const std::string_view word :
       {std::string_view(version), std::string_view(compiler), revision()})
    EXPECT_NE(text("a.csv.json").find(word), std::string::npos) << word;
}

TEST_F(CommandLine, version_names_isa_libraries_and_licence) {
  const Outcome o = run({"--version"});
  EXPECT_EQ(o.status, 0);
  EXPECT_TRUE(
      o.out.starts_with(fmt::format("twosphere {}\nInstruction set: {}\n", version, isa_level())))
      << o.out;
  for (const char* word :
       {"Eigen 3.", "FFTW 3.", "fmt ", "Highway 1.", "nlohmann-json 3.", "CLI11 2.", "Qt 6.",
        "Dear ImGui 1.", "\nRevision: ", "\nCompiler: ", "GPL-3.0-or-later"})
    EXPECT_NE(o.out.find(word), std::string::npos) << o.out;
  EXPECT_EQ(o.err, "");
}

TEST_F(CommandLine, help_explains_every_option) {
  const Outcome general = run({"--help"});
  EXPECT_EQ(general.status, 0);
  EXPECT_TRUE(general.out.starts_with("Usage: twosphere ")) << general.out;
  for (const char* word :
       {"list", "show", "run", "render", "verify", "reproduce", "--preset", "--version", "--help"})
    EXPECT_NE(general.out.find(word), std::string::npos) << word;
  const Outcome of_run = run({"run", "--help"});
  EXPECT_EQ(of_run.status, 0);
  for (const char* word :
       {"--preset=NAME", "--branch=NAME", "--integrator=ID", "--step=H", "--duration=T",
        "--steps=N", "--every=K", "--set=PATH=VALUE", "--csv=FILE", "--trajectory=FILE",
        "--field=FILE", "--save-state=FILE", "--check", "--json", "--quiet", "--strict"})
    EXPECT_NE(of_run.out.find(word), std::string::npos) << word;
  for (const Words& words : {Words{"list", "--help"}, Words{"show", "--help"},
                             Words{"render", "--help"}, Words{"verify", "--help"}}) {
    const Outcome o = run(words);
    EXPECT_EQ(o.status, 0);
    EXPECT_TRUE(o.out.starts_with("Usage: twosphere " + words[0])) << o.out;
  }
  for (const Outcome* o : {&general, &of_run})
    for (const std::string& line : lines(o->out)) EXPECT_LE(line.size(), 83U) << line;
}

TEST_F(CommandLine, lists_are_key_tab_title) {
  EXPECT_EQ(lines(run({"list"}).out)[0], "double_spherical_pendulum\tDouble spherical pendulum");
  const auto check = [this](const Words& words, auto catalogue) {
    const Outcome o = run(words);
    EXPECT_EQ(o.status, 0);
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

TEST_F(CommandLine, show_prints_a_scenario_that_runs) {
  for (const Preset& preset : presets()) {
    const Outcome o = run({"show", std::string(preset.key)});
    EXPECT_EQ(o.status, 0);
    EXPECT_EQ(o.out, preset.text);
    EXPECT_EQ(run({"run", "-", "--steps", "3"}, o.out).status, 0);
  }
}

using Case = FailingCall;

class CommandLineErrors : public CommandLine, public testing::WithParamInterface<Case> {};

TEST_P(CommandLineErrors, status_and_message) {
  ASSERT_TRUE(write_file(in("bad.json"), "{\"twosphere\": 1,\n\"mases\": 2}"));
  ASSERT_TRUE(write_file(in("empty.json"), ""));
  expect_failure(GetParam());
}

INSTANTIATE_TEST_SUITE_P(
    All, CommandLineErrors,
    testing::Values(
        Case{"no_scenario", {"run"}, 2, "run: needs a scenario file"},
        Case{"two_scenarios", simulate({"x.json"}), 2, "cannot be given together"},
        Case{"extra", {"run", "a.json", "b.json"}, 2, "b.json: unexpected argument"},
        Case{"unknown_option", simulate({"--stpe", "1"}), 2,
             "--stpe: unknown option; did you mean --step?"},
        Case{"option_after_the_end", simulate({"--steps", "1", "--", "--csv", "x.csv"}), 2,
             "--csv: is no option after --, which ends the options"},
        Case{"option_after_the_scenario",
             {"run", "--", "empty.json", "--quiet"},
             2,
             "--quiet: is no option after --"},
        Case{"option_of_another_command", simulate({"--until", "5"}), 2,
             "--until: unknown option; did you mean --duration?"},
        Case{"two_names_of_an_option", simulate({"--to", "5", "--duration", "5"}), 2,
             "--to: is another name of --duration"},
        Case{"option_of_another_program", simulate({"--dt=0.1"}), 2,
             "--dt: unknown option; did you mean --step?"},
        Case{"set_without_section", simulate({"--set", "gravity=3.7"}), 2,
             "--set: gravity: there is no such setting; did you mean system.gravity?"},
        Case{"unknown_option_of_window", {"--preste=x"}, 2, "did you mean --preset?"},
        Case{"unknown_command", {"rnu"}, 2, "did you mean run?"},
        Case{"unknown_command_with_argument", {"rnu", "x.json"}, 2, "did you mean run?"},
        Case{"steps_too_many", simulate({"--steps", "1e16"}), 2,
             "--steps: must be a whole number from 1 to 2^53"},
        Case{"unknown_preset",
             {"run", "--preset", "chain_pendulun"},
             2,
             "--preset: unknown preset \"chain_pendulun\"; did you mean chain_pendulum?"},
        Case{"unknown_shown", {"show", "chain"}, 2, "did you mean chain_pendulum?"},
        Case{"shows_nothing", {"show"}, 2, "show: the name of a preset is missing"},
        Case{"lists_both", {"list", "--systems", "--integrators"}, 2, "cannot be given together"},
        Case{"no_value", simulate({"--step"}), 2, "--step: a value is missing"},
        Case{"twice", simulate({"--step", "1", "--step", "2"}), 2,
             "--step: can be given only once"},
        Case{"step_word", simulate({"--step", "small"}), 2,
             "--step: must be a number, not \"small\""},
        Case{"step_negative", simulate({"--step", "-1"}), 2,
             "--step: must be greater than 0, not -1"},
        Case{"step_zero", simulate({"--step=0"}), 2, "--step: must be greater than 0"},
        Case{"step_nan", simulate({"--step", "nan"}), 2, "--step: must be a number"},
        Case{"steps_zero", simulate({"--steps", "0"}), 2, "--steps: must be a whole number"},
        Case{"steps_half", simulate({"--steps", "1.5"}), 2, "--steps: must be a whole number"},
        Case{"duration_zero", simulate({"--duration", "0"}), 2,
             "--duration: must be greater than 0"},
        Case{"both_lengths", simulate({"--steps", "1", "--duration", "1"}), 2, "--steps: "},
        Case{"no_threads", simulate({"--threads", "0"}), 2,
             "--threads: must be a whole number from 1 to 2^10, not \"0\""},
        Case{"every_zero", simulate({"--every", "0"}), 2, "--every: must be a whole number"},
        Case{"stop_quantity", simulate({"--set", R"(stop=[{"quantity": "energy", "above": 1}])"}),
             2, "--set: stop[0].quantity: unknown quantity \"energy\""},
        Case{"integrator", simulate({"--integrator", "variatonal"}), 2,
             "--integrator: unknown integrator \"variatonal\"; did you mean variational?"},
        Case{"integrator_that_cannot", simulate({"--integrator", "rotation4"}), 2,
             "--integrator: rotation4 needs uncoupled bodies"},
        Case{"second_integrator", simulate({"--integrator", "rk4", "--integrator", "variatonal"}),
             2, "--integrator: unknown integrator \"variatonal\"; did you mean variational?"},
        Case{"lanes_that_do_not_fit",
             simulate({"--integrator", "rk4", "--integrator", "heun", "--set",
                       "lanes[1].step=0.003"}),
             2, "--set: lanes[1].step: 0.01 s, the step of lanes[0], is not a whole number"},
        Case{
            "which_lane",
            simulate({"--integrator", "rk4", "--integrator", "heun", "--set", "integrator.step=1"}),
            2, "--set: integrator.step: there are 2 lanes: lanes[0] (rk4), lanes[1] (heun)"},
        Case{"lanes_to_stdout",
             simulate({"--integrator", "rk4", "--integrator", "heun", "--trajectory", "-"}), 2,
             "--trajectory: 2 lanes"},
        Case{"set_form", simulate({"--set", "gravity"}), 2,
             "--set: \"gravity\" must have the form PATH=VALUE"},
        Case{"set_path", simulate({"--set", "system.gravty=1"}), 2,
             "--set: system.gravty: unknown key; did you mean gravity?"},
        Case{"set_value", simulate({"--set", "system.masses[1]=0"}), 2,
             "--set: system.masses[1]: must be greater than 0, not 0"},
        Case{"set_index", simulate({"--set", "system.masses[2]=1"}), 2, "2 entries"},
        Case{"set_utf8", simulate({"--set", "title=\xff"}), 2,
             "--set: the value is not valid UTF-8"},
        Case{"two_to_stdout", simulate({"--csv", "-", "--save-state", "-"}), 2, "only one output"},
        Case{"same_file", simulate({"--csv", "a.csv", "--trajectory", "a.csv"}), 2,
             "--trajectory: "},
        Case{"trajectory_kind", simulate({"--trajectory", "a.txt"}), 2,
             "must end in .csv, .xyz or .pvd"},
        Case{"bad_file", {"run", "bad.json"}, 2, "bad.json:2: mases: unknown key"},
        Case{"bad_file_for_the_window", {"bad.json"}, 2, "bad.json:2: mases: unknown key"},
        Case{"empty_file", {"run", "empty.json"}, 2, "empty.json:1: the file is empty"},
        Case{"missing_file", {"run", "none.json"}, 4, "none.json: No such file or directory"},
        Case{"missing_file_for_the_window",
             {"none.json"},
             4,
             "none.json: No such file or directory"},
        Case{"folder", {"run", "."}, 4, ".: Is a directory"},
        Case{"no_folder", simulate({"--csv", "none/a.csv"}), 4,
             "none/a.csv: No such file or directory"},
        Case{"second_output", simulate({"--csv", "a.csv", "--save-state", "none/s.json"}), 4,
             "none/s.json: No such file or directory"},
        Case{"full", simulate({"--save-state", "/dev/full", "--steps", "1", "--quiet"}), 4,
             "/dev/full: No space left on device"},
        Case{"no_display", {}, 4, "display"}),
    [](const auto& test) { return std::string(test.param.name); });

TEST_F(CommandLine, runs_at_every_isa_level_and_names_it) {
  for (const std::string_view level : isa_levels()) {
    const std::string forced(level);
    const auto force = [&] { ::setenv("TWOSPHERE_ISA", forced.c_str(), 1); };
    EXPECT_NE(run({"--version"}, "", force).out.find("\nInstruction set: " + forced + "\n"),
              std::string::npos);
    const Outcome o =
        run({"run", "--preset", "lennard_jones", "--steps", "3", "--csv", "a.csv"}, "", force);
    ASSERT_EQ(o.status, 0) << o.err;
    const auto companion = json::parse(text("a.csv.json"), "a.csv.json");
    ASSERT_TRUE(companion) << companion.error().text();
    EXPECT_EQ(companion->find("isa")->text, forced);
    EXPECT_NEAR(number(summary(o.out)["initial energy"]), -17.9203969268, 1e-9);
  }
}

TEST_F(CommandLine, runs_to_the_same_bytes_with_any_number_of_threads) {
  std::string scenario(find_preset("lennard_jones")->text);
  const std::string three = "\"subdivisions\": 3";
  ASSERT_NE(scenario.find(three), std::string::npos);
  scenario.replace(scenario.find(three), three.size(), "\"subdivisions\": 5");
  ASSERT_TRUE(write_file(in("many.json"), scenario));
  std::vector<std::string> states;
  for (const char* threads : {"1", "2", "7"}) {
    const Outcome o = run({"run", "many.json", "--set", "system.cutoff=0.1", "--steps", "2",
                           "--threads", threads, "--save-state", "s.json"});
    ASSERT_EQ(o.status, 0) << o.err;
    states.push_back(text("s.json"));
    EXPECT_EQ(states.back(), states.front()) << threads;
  }
}

TEST_F(CommandLine, forced_isa_must_exist) {
  const Outcome o = run({"--version"}, "", [] { ::setenv("TWOSPHERE_ISA", "avx1024", 1); });
  EXPECT_EQ(o.status, 2);
  EXPECT_EQ(o.err,
            fmt::format("twosphere: TWOSPHERE_ISA: \"avx1024\" is not an instruction set level of "
                        "this program; allowed: {}\n",
                        fmt::join(isa_levels(), ", ")));
}

TEST_F(CommandLine, summary_counts_the_inner_steps_of_an_adaptive_method) {
  const Outcome o = run(simulate({"--integrator", "rk45", "--duration", "10"}));
  EXPECT_EQ(o.status, 0) << o.err;
  auto values = summary(o.out);
  EXPECT_EQ(values["steps"], "1000");
  EXPECT_GT(number(values["inner steps"]), 10);
  EXPECT_LT(number(values["inner steps"]), 1000);
  EXPECT_GT(number(values["rejected"]), 0);
}

TEST_F(CommandLine, field_is_the_local_kinetic_energy_at_the_end) {
  const Outcome o = run({"run", "--preset", "lennard_jones", "--steps", "2", "--field", "f.csv"});
  ASSERT_EQ(o.status, 0) << o.err;
  const auto rows = lines(text("f.csv"));
  ASSERT_EQ(rows.size(), 5121U);
  EXPECT_EQ(rows[0],
            "time [s],face [1],center_x [1],center_y [1],center_z [1],kinetic_energy [J],bodies "
            "[1],widened [1]");
  auto scenario = read_scenario(find_preset("lennard_jones")->text, "preset");
  auto headless = Simulation::create(std::move(*scenario));
  ASSERT_TRUE(headless);
  for (int k = 0; k < 2; ++k) ASSERT_FALSE(headless->step());
  SurfaceField field;
  field.update(*headless->system(), headless->state(0));
  EXPECT_EQ(text("f.csv"), field_table(headless->time(), field));
  const auto companion = json::parse(text("f.csv.json"), "companion");
  ASSERT_TRUE(companion);
  EXPECT_EQ(companion->find("columns")->items[5].find("unit")->text, "J");

  const Outcome two = run(simulate({"--steps", "2", "--integrator", "variational", "--integrator",
                                    "rk4", "--field", "g.csv", "--quiet"}));
  EXPECT_EQ(two.status, 0) << two.err;
  EXPECT_EQ(lines(text("g.variational.csv")).size(), 5121U);
  EXPECT_EQ(lines(text("g.rk4.csv")).size(), 5121U);
  const Outcome wrong = run(simulate({"--steps", "2", "--field", "g.txt"}));
  EXPECT_EQ(wrong.status, 2);
  EXPECT_NE(wrong.err.find("--field: \"g.txt\" must end in .csv"), std::string::npos) << wrong.err;
}

TEST_F(CommandLine, check_measures_the_step_at_the_end_and_changes_nothing) {
  const Outcome plain = run(simulate({"--steps", "200", "--csv", "plain.csv"}));
  EXPECT_EQ(plain.out.find("symplecticity"), std::string::npos);
  const Outcome o = run(simulate({"--steps", "200", "--csv", "checked.csv", "--check"}));
  EXPECT_EQ(o.status, 0) << o.err;
  EXPECT_EQ(text("checked.csv"), text("plain.csv"));
  auto ours = summary(o.out);
  EXPECT_LT(number(ours["symplecticity defect"]), 2 * number(ours["symplecticity rounding"]));
  EXPECT_EQ(ours["symplecticity directions"], "8 of 8");
  EXPECT_EQ(ours["symplecticity verdict"], "symplectic");
  EXPECT_LT(number(ours["symplecticity defect of 100 steps"]),
            number(ours["symplecticity rounding of 100 steps"]));
  EXPECT_LT(number(ours["time-reversal error"]), 40 * number(ours["time-reversal rounding"]));
  EXPECT_EQ(number(ours["time-reversal rounding"]), 100 * 0x1p-52);
  EXPECT_EQ(ours["time-reversal steps"], "100");

  const Outcome json = run(
      simulate({"--steps", "200", "--integrator", "rk4", "--step", "0.1", "--check", "--json"}));
  const auto root = json::parse(json.out, "summary");
  ASSERT_TRUE(root) << root.error().text();
  const auto value = [&](const char* key) { return root->find(key)->number; };
  EXPECT_GT(value("symplecticity defect"), 1e3 * value("symplecticity rounding"));
  EXPECT_EQ(root->find("symplecticity verdict")->text, "not symplectic");
  EXPECT_GT(value("time-reversal error"), 1e3 * value("time-reversal rounding"));
}

TEST_F(CommandLine, to_is_duration_and_lists_are_separated_by_commas) {
  const Outcome plain = run(simulate(
      {"--duration", "0.2", "--integrator", "variational", "--integrator", "rk4", "--csv", "-"}));
  ASSERT_EQ(plain.status, 0) << plain.err;
  const Outcome listed =
      run(simulate({"--to", "0.2", "--integrator", "variational,rk4", "--csv", "-"}));
  EXPECT_EQ(listed.status, 0) << listed.err;
  EXPECT_EQ(listed.out, plain.out);
  const Outcome wrong = run(simulate({"--integrator", "variational,rk5", "--steps", "1"}));
  EXPECT_EQ(wrong.status, 2);
  EXPECT_NE(wrong.err.find("unknown integrator \"rk5\""), std::string::npos) << wrong.err;
}

TEST_F(CommandLine, summary_has_the_keys_of_the_contract_and_example_1_its_number) {
  const Outcome o = run(simulate({"--every", "1"}));
  EXPECT_EQ(o.status, 0);
  EXPECT_EQ(o.err, "");
  const char* keys[] = {"integrator",
                        "steps",
                        "simulated time",
                        "samples",
                        "initial energy",
                        "mean energy error",
                        "worst energy error",
                        "mean unit-length error",
                        "worst unit-length error",
                        "steps per second"};
  const auto all = lines(o.out);
  ASSERT_EQ(all.size(), std::size(keys)) << o.out;
  for (std::size_t i = 0; i < all.size(); ++i)
    EXPECT_TRUE(all[i].starts_with(std::string(keys[i]) + ": ")) << all[i];
  auto values = summary(o.out);
  EXPECT_EQ(values["integrator"], "variational");
  EXPECT_EQ(values["steps"], "10000");
  EXPECT_EQ(values["samples"], "10001");
  EXPECT_EQ(values["simulated time"], "100");
  EXPECT_NEAR(number(values["mean energy error"]), 2.0832e-3, 2.0832e-5);
  EXPECT_LE(number(values["worst unit-length error"]), 4e-16);

  const Outcome json = run(simulate({"--every", "1", "--json", "--quiet"}));
  const auto root = json::parse(json.out, "summary");
  ASSERT_TRUE(root) << root.error().text();
  ASSERT_EQ(root->members.size(), std::size(keys));
  for (std::size_t i = 0; i + 1 < std::size(keys); ++i) {
    EXPECT_EQ(root->members[i].first, keys[i]);
    if (i > 0) {
      EXPECT_EQ(root->members[i].second.number, number(values[keys[i]])) << keys[i];
    }
  }
}

TEST_F(CommandLine, summary_equals_the_windows_and_the_tables) {
  const Outcome o = run(simulate({"--steps", "777", "--every", "10", "--csv", "a.csv"}));
  ASSERT_EQ(o.status, 0) << o.err;
  auto values = summary(o.out);
  auto simulation =
      Simulation::create(*read_scenario(find_preset("double_spherical_pendulum")->text, "preset"));
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

TEST_F(CommandLine, tables_have_the_first_and_the_last_row_and_a_companion) {
  const Outcome o = run(simulate(
      {"--steps", "25", "--every", "10", "--csv", "a.csv", "--trajectory", "t.csv", "--quiet"}));
  EXPECT_EQ(o.status, 0);
  EXPECT_EQ(o.out + o.err, "");
  for (const char* name : {"a.csv", "t.csv"}) {
    const auto rows = lines(text(name));
    ASSERT_EQ(rows.size(), 5U);
    const char* times[] = {"time [s],", "0,", "0.1,", "0.2,", "0.25,"};
    for (std::size_t i = 0; i < 5; ++i) EXPECT_TRUE(rows[i].starts_with(times[i])) << rows[i];
    EXPECT_TRUE(json::parse(text(std::string(name) + ".json"), "c"));
  }
  EXPECT_EQ(count(), 4U);
  ASSERT_EQ(run(simulate({"--steps", "3", "--trajectory", "t.xyz", "--quiet"})).status, 0);
  EXPECT_EQ(lines(text("t.xyz")).size(), 4 * (2 + 2U));
}

TEST_F(CommandLine, companion_repeats_the_run) {
  ASSERT_EQ(run(simulate({"--integrator", "rk4", "--set", "system.gravity=1.62", "--steps", "40",
                          "--csv", "a.csv"}))
                .status,
            0);
  const auto companion = json::parse(text("a.csv.json"), "c");
  ASSERT_TRUE(companion);
  const std::string scenario = json::write(*companion->find("scenario"));
  ASSERT_EQ(run({"run", "-", "--csv", "b.csv"}, scenario).status, 0);
  EXPECT_EQ(text("a.csv"), text("b.csv"));
  EXPECT_EQ(text("a.csv.json"), text("b.csv.json"));
}

TEST_F(CommandLine, standard_output_holds_nothing_but_the_output) {
  ASSERT_EQ(run(simulate({"--steps", "30", "--csv", "a.csv", "--trajectory", "t.csv",
                          "--save-state", "s.json", "--quiet"}))
                .status,
            0);
  for (const auto& [option, file] :
       {std::pair("--csv", "a.csv"), std::pair("--trajectory", "t.csv"),
        std::pair("--save-state", "s.json")}) {
    const Outcome o = run(simulate({"--steps", "30", option, "-"}));
    EXPECT_EQ(o.status, 0);
    EXPECT_EQ(o.out, text(file)) << option;
    EXPECT_EQ(summary(o.err)["steps"], "30") << o.err;
  }
}

TEST_F(CommandLine, standard_output_by_its_path_is_no_file_to_replace) {
  const Outcome o = run(simulate({"--steps", "3", "--csv", "/dev/stdout"}));
  EXPECT_EQ(o.status, 0);
  EXPECT_EQ(lines(o.out).size(), 5U) << o.out;
  EXPECT_EQ(summary(o.err)["steps"], "3") << o.err;
}

TEST_F(CommandLine, uneven_durations_are_rounded_up_and_noted) {
  const Outcome o = run(simulate({"--duration", "0.025"}));
  EXPECT_EQ(o.status, 0);
  EXPECT_EQ(summary(o.out)["steps"], "3");
  EXPECT_NE(o.err.find("0.025 s is not a whole number of steps of 0.01 s: 3 steps, 0.03 s"),
            std::string::npos)
      << o.err;
  EXPECT_EQ(run(simulate({"--duration", "0.025", "--quiet"})).err, "");
  EXPECT_EQ(run(simulate({"--duration", "0.03"})).err, "");
}

TEST_F(CommandLine, default_stride_gives_at_most_10001_rows) {
  EXPECT_EQ(summary(run(simulate({"--steps", "10001"})).out)["samples"], "5002");
  EXPECT_EQ(summary(run(simulate({"--steps", "20000"})).out)["samples"], "10001");
}

TEST_F(CommandLine, options_are_applied_in_the_order_of_the_contract) {
  const Outcome o =
      run(simulate({"--set", "integrator.step=0.5", "--step", "0.25", "--set",
                    "integrator.step=0.05", "--integrator", "rk4", "--steps", "2", "--set",
                    "title=a b", "--set=system.masses=2", "--save-state", "-"}));
  ASSERT_EQ(o.status, 0) << o.err;
  const auto s = read_scenario(o.out, "state");
  ASSERT_TRUE(s) << s.error().text();
  EXPECT_EQ(s->lanes[0].step, 0.05);
  EXPECT_EQ(s->lanes[0].type, "rk4");
  EXPECT_EQ(s->title, "a b");
  EXPECT_EQ(s->parameters.at("masses"), (std::vector<double>{2, 2}));
  EXPECT_EQ(s->duration, 100);  // --steps is of the run, not of the scenario
  EXPECT_EQ(s->continuation->step_index, 2);
}

// e is Euler's number where a number belongs.
TEST_F(CommandLine, set_takes_texts_as_they_are) {
  for (const char* title : {"e", "2*pi", "5", "null", "30 deg", "\"e\""}) {
    const Outcome o = run(simulate({"--set", std::string("title=") + title, "--set",
                                    "system.gravity=e", "--steps", "1", "--save-state", "-"}));
    ASSERT_EQ(o.status, 0) << o.err;
    const auto s = read_scenario(o.out, "state");
    ASSERT_TRUE(s) << s.error().text();
    EXPECT_EQ(s->title, title == std::string("\"e\"") ? "e" : title);
    EXPECT_EQ(s->parameters.at("gravity").at(0), std::exp(1.0));
  }
}

TEST_F(CommandLine, restart_in_a_fresh_process_is_exact_to_every_byte) {
  test::Taken taken;
  int of_chains = 0;
  for (const Preset& preset : presets()) {
    const Scenario original = *read_scenario(preset.text, preset.key);
    const auto simulation = Simulation::create(original);
    const bool chain = original.system == "chain_pendulum";
    for (const IntegratorInfo& method : integrators()) {
      if (!method.supports(simulation->system()->inertia())) continue;
      // Matrices of 3n×3n, and the cost of many molecules.
      if (method.key == "variational_cayley" && original.size() > 10) continue;
      if (original.size() > 100 && method.key != "variational" && method.key != "rk45") continue;
      for (const char* force : {"system.masses[0]=1.5", "system.tip_force=[0.3,0.1,-0.2]"}) {
        if (force[7] == 't' && !chain) continue;
        if (force[7] == 'm' && original.system == "elastic_rod") force = "system.mass=0.06";
        const int half = original.size() > 100 ? 2 : 120;
        const std::string key(preset.key), id(method.key), n = std::to_string(half),
                                                           twice = std::to_string(2 * half);
        const Words start{"run", "--preset", key, "--integrator", id, "--set", force, "--quiet"};
        const auto with = [&](const Words& more) {
          Words words = start;
          words.insert(words.end(), more.begin(), more.end());
          return run(words).status;
        };
        ASSERT_EQ(with({"--steps", twice, "--save-state", "whole.json"}), 0);
        ASSERT_EQ(with({"--steps", n, "--save-state", "half.json", "--every", "7"}), 0);
        ASSERT_EQ(run({"run", "half.json", "--steps", n, "--save-state", "rest.json", "--every",
                       "1", "--csv", "rest.csv"})
                      .status,
                  0);
        EXPECT_EQ(text("rest.json"), text("whole.json")) << key << ' ' << id << ' ' << force;
        // Loading alone changes nothing, and the state is not the start.
        EXPECT_NE(text("half.json"), text("whole.json"));
        // By durations just as well.
        ASSERT_EQ(run({"run", "half.json", "--duration",
                       json::shortest(half * read_scenario(text("half.json"), "h")->lanes[0].step),
                       "--save-state", "rest.json", "--quiet"})
                      .status,
                  0);
        EXPECT_EQ(text("rest.json"), text("whole.json")) << key << ' ' << id;
        of_chains += force[7] == 't';
      }
      taken.add(preset, method);
    }
  }
  taken.expect_all(98);
  EXPECT_GE(of_chains, 20) << "two chains, each with ten methods";
}

TEST_F(CommandLine, events_of_a_scenario_happen_and_survive_a_restart) {
  auto root = *json::parse(find_preset("double_spherical_pendulum")->text, "p");
  root.set("events", *json::parse(R"([{"step": 5, "set": {"system.gravity": 1.62}},
      {"step": 30, "set": {"integrator.step": 0.02}}, {"step": 40, "set": {"integrator.type": "rk4"}}])",
                                  "e"));
  ASSERT_TRUE(write_file(in("s.json"), json::write(root)));
  const auto take = [this](const char* from, const char* steps, const char* to) {
    Outcome o = run({"run", from, "--steps", steps, "--save-state", to});
    EXPECT_EQ(o.status, 0) << o.err;
    EXPECT_EQ(summary(o.out)["steps"], steps);
    return o;
  };
  take("s.json", "60", "whole.json");
  const char* last = "s.json";
  for (const char* steps : {"4", "16", "15", "25"}) {
    take(last, steps, "part.json");
    last = "part.json";
  }
  EXPECT_EQ(text("part.json"), text("whole.json"));
  const auto end = read_scenario(text("whole.json"), "w");
  ASSERT_TRUE(end) << end.error().text();
  EXPECT_EQ(end->lanes[0].type, "rk4");
  EXPECT_EQ(end->lanes[0].step, 0.02);
  EXPECT_EQ(end->parameters.at("gravity")[0], 1.62);
  EXPECT_TRUE(end->events.empty());
  EXPECT_NE(end->continuation->lanes[0].work, 0);  // the jump of the energy
}

TEST_F(CommandLine, a_run_can_stop_on_an_indicator_of_chaos) {
  const Outcome o =
      run(simulate({"--duration", "60", "--set", R"(stop=[{"quantity": "megno", "above": 2}])"}));
  EXPECT_EQ(o.status, 0) << o.err;
  EXPECT_NE(summary(o.out)["stopped"].find("megno = 2."), std::string::npos) << o.out;
  EXPECT_GT(number(summary(o.out)["megno"]), 2);
}

TEST_F(CommandLine, what_a_summary_lacks_is_explained) {
  auto root = *json::parse(find_preset("double_spherical_pendulum")->text, "p");
  root.set("events", *json::parse(R"([{"step": 20, "set": {"integrator.type": "rk4"}}])", "e"));
  ASSERT_TRUE(write_file(in("s.json"), json::write(root)));
  const Outcome o = run({"run", "s.json", "--steps", "40", "--exponents", "1"});
  EXPECT_EQ(o.out.find("lyapunov"), std::string::npos);
  EXPECT_EQ(o.err,
            "twosphere: --exponents: variational: none at the end of the run: rk4 has no tangent "
            "map; the variational and rotation methods with a fixed step have one\n");
  const auto why = [this](const char* steps) {
    const Outcome short_run = run(simulate({"--steps", steps, "--frequencies", "1"}));
    EXPECT_EQ(summary(short_run.out)["diffusion"], "nan");
    return short_run.err;
  };
  EXPECT_EQ(why("40"),
            "twosphere: --frequencies: variational: no diffusion: each half of the run needs 32 "
            "samples or more, not 20\n");
  EXPECT_EQ(why("64"),
            "twosphere: --frequencies: variational: no diffusion: in one half of the run the "
            "signal turns by less than half a cycle\n");
}

TEST_F(CommandLine, a_saved_state_keeps_the_stride_that_an_event_has_set) {
  auto root = *json::parse(find_preset("double_spherical_pendulum")->text, "p");
  root.set("events", *json::parse(R"([{"step": 10, "set": {"every": 8}}])", "e"));
  ASSERT_TRUE(write_file(in("s.json"), json::write(root)));
  const auto every = [this](Words words) {
    words.insert(words.end(), {"--quiet", "--csv", "t.csv", "--save-state", "t.json"});
    EXPECT_EQ(run(words).status, 0);
    const auto* key = json::parse(text("t.json"), "t")->find("every");
    return key ? key->number : 0;
  };
  EXPECT_EQ(every({"run", "s.json", "--steps", "16", "--every", "2"}), 8)
      << "--every is of that run alone";
  EXPECT_EQ(every({"run", "t.json", "--steps", "16"}), 8);
  EXPECT_EQ(lines(text("t.csv")).size(), 4U) << "rows at steps 0, 8 and 16";
  EXPECT_EQ(every({"run", "s.json", "--steps", "9"}), 1) << "the event is yet to come";
}

TEST_F(CommandLine, another_step_leaves_events_at_their_times) {
  auto root = *json::parse(find_preset("double_spherical_pendulum")->text, "p");
  root.set("events", *json::parse(R"([{"step": 50, "set": {"system.gravity": 1.62}}])", "e"));
  ASSERT_TRUE(write_file(in("s.json"), json::write(root)));
  const auto work = [this](const Words& more) {
    Words words{"run", "s.json", "--duration", "1", "--quiet", "--save-state", "end.json"};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome o = run(words);
    EXPECT_EQ(o.status, 0) << o.err;
    return json::parse(text("end.json"), "end")->find("work")->number;
  };
  const double coarse = work({});
  EXPECT_NEAR(work({"--step", "0.005"}), coarse, 1e-3 * std::abs(coarse));
  EXPECT_NEAR(work({"--set", "integrator.step=0.0025"}), coarse, 1e-3 * std::abs(coarse));
  // A saved state has the rest of them.
  ASSERT_EQ(run({"run", "s.json", "--steps", "20", "--quiet", "--save-state", "t.json"}).status, 0);
  ASSERT_EQ(run({"run", "t.json", "--step", "0.005", "--steps", "80", "--csv", "t.csv"}).status, 0);
  const auto record = *json::parse(text("t.csv.json"), "t");
  const auto& events = record.find("scenario")->find("events")->items;
  ASSERT_EQ(events.size(), 2U) << "the step itself is one";
  EXPECT_EQ(events[1].find("step")->number, 60);
  const Outcome o = run({"run", "s.json", "--step", "0.03"});
  EXPECT_EQ(o.status, 2);
  EXPECT_TRUE(o.err.starts_with("twosphere: --step: step 50 of an event would become step 16.6"))
      << o.err;
}

TEST_F(CommandLine, trajectory_vtk) {
  ASSERT_EQ(
      run(simulate({"--steps", "20", "--every", "5", "--trajectory", "t.pvd", "--quiet"})).status,
      0);
  EXPECT_EQ(count(), 2u) << "the index and its folder";
  std::size_t frames = 0;
  for (const std::string& line : lines(text("t.pvd"))) {
    const auto file = line.find("file=\"");
    if (file == std::string::npos) continue;
    const auto from = file + 6, to = line.find('"', from);
    const std::string frame = text(line.substr(from, to - from));
    EXPECT_NE(frame.find("NumberOfVerts=\"2\""), std::string::npos) << frame;
    ++frames;
  }
  EXPECT_EQ(frames, 5u);
  // With several lanes one of each; what is there already stays if there is something else in it.
  ASSERT_EQ(run(simulate({"--integrator", "rk4", "--integrator", "heun", "--steps", "2",
                          "--trajectory", "l.pvd", "--quiet"}))
                .status,
            0);
  EXPECT_TRUE(fs::exists(in("l.rk4/l.rk4_000002.vtp")));
  EXPECT_TRUE(fs::exists(in("l.heun.pvd")));
  ASSERT_TRUE(write_file(in("t/mine"), "mine"));
  const Outcome o = run(simulate({"--steps", "1", "--trajectory", "t.pvd"}));
  EXPECT_EQ(o.status, 4);
  EXPECT_NE(o.err.find("contains \"mine\""), std::string::npos) << o.err;
}

TEST_F(CommandLine, several_lanes_have_a_table_and_a_trajectory_each) {
  const Words lanes{"--integrator", "variational",
                    "--integrator", "rk45",
                    "--integrator", "rk45",
                    "--set",        "lanes[2].relative_tolerance=1e-9",
                    "--set",        "lanes[1].step=0.005"};
  const auto with = [&lanes](Words more) {
    more.insert(more.begin(), lanes.begin(), lanes.end());
    return simulate(more);
  };
  const Outcome o = run(with({"--steps", "20", "--every", "4", "--csv", "a.csv", "--trajectory",
                              "t.csv", "--save-state", "s.json"}));
  ASSERT_EQ(o.status, 0) << o.err;
  EXPECT_EQ(count(), 9U);
  const auto rows = lines(text("a.csv"));
  ASSERT_EQ(rows.size(), 7U);
  EXPECT_TRUE(rows[0].starts_with("time [s],variational/kinetic_energy [J],")) << rows[0];
  EXPECT_NE(rows[0].find(",rk45/kinetic_energy [J],"), std::string::npos);
  EXPECT_NE(rows[0].find(",rk45.2/kinetic_energy [J],"), std::string::npos);
  EXPECT_EQ(json::parse(text("a.csv.json"), "c")->find("lanes")->items.size(), 3U);
  EXPECT_EQ(json::parse(text("t.rk45.2.csv.json"), "c")->find("lane")->text, "rk45.2");

  // A lane alone has the same rows.
  const auto alone = [&](const Words& options, const char* lane) {
    Words words = simulate(options);
    words.insert(words.end(), {"--steps", "20", "--every", "4", "--csv", "b.csv", "--trajectory",
                               "u.csv", "--quiet"});
    ASSERT_EQ(run(words).status, 0);
    EXPECT_EQ(text("u.csv"), text(fmt::format("t.{}.csv", lane)));
  };
  alone({"--integrator", "variational"}, "variational");
  const auto first = lines(text("b.csv"));
  for (std::size_t i = 1; i < rows.size(); ++i)
    EXPECT_TRUE(rows[i].starts_with(first[i] + ",")) << rows[i];
  alone({"--integrator", "rk45", "--set", "integrator.relative_tolerance=1e-9"}, "rk45.2");

  // A block for each lane, with the keys of one.
  std::vector<std::map<std::string, std::string>> blocks;
  std::string block;
  for (const std::string& line : lines(o.out + "\n")) {
    if (!line.empty()) {
      block += line + "\n";
      continue;
    }
    if (!block.empty()) blocks.push_back(summary(block));
    block.clear();
  }
  ASSERT_EQ(blocks.size(), 3U) << o.out;
  EXPECT_EQ(blocks[2]["lane"], "rk45.2");
  EXPECT_EQ(blocks[1]["steps"], "40");
  EXPECT_EQ(blocks[0]["steps"], "20");
  EXPECT_EQ(blocks[0]["samples"], "6");
  EXPECT_EQ(blocks[0].count("inner steps"), 0U);
  EXPECT_EQ(blocks[1].count("inner steps"), 1U);
  const Outcome as_json = run(with({"--steps", "20", "--every", "4", "--json"}));
  const auto root = json::parse(as_json.out, "summary");
  ASSERT_TRUE(root) << root.error().text();
  const auto& listed = root->find("lanes")->items;
  ASSERT_EQ(listed.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i)
    for (const auto& [key, value] : listed[i].members)
      if (key != "steps per second" && value.kind == json::Kind::number) {
        EXPECT_EQ(value.number, number(blocks[i][key])) << key;
      }

  // The state continues in all of them, in a fresh process.
  ASSERT_EQ(run(with({"--steps", "40", "--save-state", "whole.json", "--quiet"})).status, 0);
  ASSERT_EQ(run({"run", "s.json", "--steps", "20", "--save-state", "rest.json", "--quiet"}).status,
            0);
  EXPECT_EQ(text("rest.json"), text("whole.json"));
  // It takes changes of its lanes, but not others.
  const Outcome other = run({"run", "s.json", "--integrator", "rk4"});
  EXPECT_EQ(other.status, 2);
  EXPECT_NE(other.err.find("--integrator: a saved state continues with its own lanes; give this "
                           "option 3 times, not 1"),
            std::string::npos)
      << other.err;
  const Outcome halved =
      run({"run", "s.json", "--step", "0.003", "--steps", "5", "--save-state", "t.json"});
  ASSERT_EQ(halved.status, 0) << halved.err;
  const Scenario end = *read_scenario(text("t.json"), "t");
  for (const LaneSpec& lane : end.lanes) EXPECT_EQ(lane.step, 0.003);
}

TEST_F(CommandLine, integrators_take_the_place_of_a_scenarios_lanes) {
  auto root = *json::parse(find_preset("double_spherical_pendulum")->text, "p");
  std::erase_if(root.members, [](const auto& member) { return member.first == "integrator"; });
  root.set("lanes", *json::parse(R"([{"type": "rk45", "step": 0.02, "relative_tolerance": 1e-7,
                                     "name": "fine"}, {"type": "rk4", "step": 0.01}])",
                                 "l"));
  ASSERT_TRUE(write_file(in("s.json"), json::write(root)));
  const auto lanes = [this](const Words& options) {
    Words words{"run", "s.json", "--steps", "1", "--save-state", "-"};
    words.insert(words.end(), options.begin(), options.end());
    const Outcome o = run(words);
    EXPECT_EQ(o.status, 0) << o.err;
    return read_scenario(o.out, "state")->lanes;
  };
  EXPECT_EQ(lanes({})[0].name, "fine");
  const auto one = lanes({"--integrator", "variational"});
  ASSERT_EQ(one.size(), 1U);
  EXPECT_EQ(one[0].name, "variational");
  EXPECT_EQ(one[0].step, 0.02);
  const auto three = lanes({"--integrator", "heun", "--integrator", "rk45", "--integrator", "heun",
                            "--set", "lanes[2].step=0.005"});
  ASSERT_EQ(three.size(), 3U);
  EXPECT_EQ(three[1].values.at("relative_tolerance")[0], 1e-7) << "what both have is kept";
  EXPECT_EQ(three[2].name, "heun.2");
  EXPECT_EQ(three[2].step, 0.005);
  const auto both = lanes({"--integrator", "heun", "--integrator", "rk2", "--step", "0.004"});
  EXPECT_EQ(both[1].step, 0.004);
  EXPECT_EQ(both[0].step, 0.004);
}

TEST_F(CommandLine, a_run_ends_where_a_stop_condition_is_met) {
  const std::string stop = R"(stop=[{"time": 50}, {"quantity": "energy_error", "above": 0.001}])";
  const Outcome o = run(simulate({"--set", stop, "--csv", "a.csv", "--save-state", "s.json"}));
  ASSERT_EQ(o.status, 0) << o.err;
  const auto said = summary(o.out);
  const std::string steps = said.at("steps");
  EXPECT_TRUE(said.at("stopped").starts_with("variational: step " + steps + ", t = "))
      << said.at("stopped");
  EXPECT_NE(said.at("stopped").find("above 0.001 J"), std::string::npos);
  EXPECT_GT(number(said.at("worst energy error")), 0.001);
  EXPECT_EQ(said.at("samples"), std::to_string(std::stoll(steps) + 1));
  const auto rows = lines(text("a.csv"));
  EXPECT_EQ(rows.size(), static_cast<std::size_t>(std::stoll(steps)) + 2);
  const auto companion = *json::parse(text("a.csv.json"), "companion");
  EXPECT_EQ(companion.find("scenario")->find("stop")->items.size(), 2U);

  const Outcome as_json = run(simulate({"--set", stop, "--json", "--quiet"}));
  EXPECT_EQ(json::parse(as_json.out, "json")->find("stopped")->text, said.at("stopped"));
  const Outcome quiet = run(simulate({"--set", stop, "--quiet"}));
  EXPECT_EQ(quiet.status, 0);
  EXPECT_EQ(quiet.err, "twosphere: stopped: " + said.at("stopped") + "\n");

  // The state goes on from there, past the condition that is met; others hold.
  const Outcome rest =
      run({"run", "s.json", "--set", R"(stop=[{"time": 2}])", "--save-state", "t.json"});
  EXPECT_EQ(rest.status, 0) << rest.err;
  EXPECT_EQ(summary(rest.out).at("stopped"),
            "step " + summary(rest.out).at("steps") + ", t = 2 s: time 2 s is reached");
  const auto end = read_scenario(text("t.json"), "t");
  ASSERT_TRUE(end) << end.error().text();
  EXPECT_EQ(end->continuation->step_index, 200);
  EXPECT_EQ(end->stop.size(), 1U);
  EXPECT_FALSE(summary(run({"run", "t.json", "--steps", "50"}).out).contains("stopped"));
}

TEST_F(CommandLine, an_energy_that_overflows_ends_the_run) {
  const Outcome o =
      run({"run", "--preset", "pendulum_network", "--integrator", "rk2", "--step", "0.5", "--set",
           "system.masses=1e300", "--csv", "a.csv", "--save-state", "s.json"});
  EXPECT_EQ(o.status, 3);
  EXPECT_NE(o.err.find("rk2: step 2 from t = 0.5 s failed: body 1 of 4: the kinetic energy "
                       "would be inf J"),
            std::string::npos)
      << o.err;
  const auto rows = lines(text("a.csv"));
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_TRUE(rows.back().starts_with("0.5,")) << rows.back();
  for (const std::string& row : rows) EXPECT_EQ(row.find("inf"), std::string::npos) << row;
  EXPECT_TRUE(read_scenario(text("s.json"), "s"));
}

TEST_F(CommandLine, a_fixed_number_of_steps_is_written_with_its_duration) {
  auto root = *json::parse(find_preset("double_spherical_pendulum")->text, "p");
  root.set("events", *json::parse(R"([{"step": 30, "set": {"integrator.step": 0.02}},
                                      {"step": 50, "set": {"integrator.step": 0.005}}])",
                                  "e"));
  ASSERT_TRUE(write_file(in("s.json"), json::write(root)));
  const Outcome o = run({"run", "s.json", "--steps", "90", "--csv", "a.csv"});
  ASSERT_EQ(o.status, 0) << o.err;
  // The scenario beside the table repeats it without --steps.
  const auto companion = *json::parse(text("a.csv.json"), "companion");
  ASSERT_TRUE(write_file(in("again.json"), json::write(*companion.find("scenario"))));
  const Outcome again = run({"run", "again.json", "--csv", "b.csv"});
  EXPECT_EQ(summary(again.out).at("steps"), "90");
  EXPECT_EQ(text("a.csv"), text("b.csv"));
}

TEST_F(CommandLine, a_saved_state_takes_changes_as_a_running_one_does) {
  ASSERT_EQ(run(simulate({"--steps", "100", "--save-state", "s.json", "--quiet"})).status, 0);
  const Outcome o = run({"run", "s.json", "--step", "0.005", "--set", "system.gravity=5", "--steps",
                         "10", "--csv", "a.csv"});
  ASSERT_EQ(o.status, 0) << o.err;
  const auto rows = lines(text("a.csv"));
  EXPECT_TRUE(rows[1].starts_with("1,")) << rows[1];  // time goes on
  EXPECT_TRUE(rows.back().starts_with("1.05,")) << rows.back();
  // E − E0 − W goes on where it was, in spite of the new gravity.
  EXPECT_LT(number(summary(o.out)["worst energy error"]), 0.05);
  const Outcome refused = run({"run", "s.json", "--set", "initial.q[0][0]=1"});
  EXPECT_EQ(refused.status, 2);
  EXPECT_NE(refused.err.find("a saved state continues unchanged"), std::string::npos)
      << refused.err;
  const Outcome whole = run({"run", "s.json", "--set", R"(integrator={"type":"rk4","step":1})"});
  EXPECT_EQ(whole.status, 2);
  EXPECT_NE(whole.err.find("--set: integrator: no such value; an event may set: type, step"),
            std::string::npos)
      << whole.err;
}

TEST_F(CommandLine, companion_repeats_the_run_of_a_changed_state) {
  ASSERT_EQ(
      run(simulate({"--integrator", "rk4", "--steps", "100", "--save-state", "s.json"})).status, 0);
  for (const Words& change :
       {Words{"--set", "system.gravity=5"}, Words{"--step", "0.003"},
        Words{"--integrator", "variational", "--set", "system.masses[0]=2", "--step", "0.02"}}) {
    Words words{"run", "s.json", "--csv", "a.csv", "--trajectory", "b.csv"};
    words.insert(words.end(), change.begin(), change.end());
    ASSERT_EQ(run(words).status, 0);
    const auto companion = json::parse(text("a.csv.json"), "companion");
    ASSERT_TRUE(companion);
    ASSERT_TRUE(write_file(in("again.json"), json::write(*companion->find("scenario"))));
    ASSERT_EQ(run({"run", "again.json", "--csv", "c.csv", "--trajectory", "d.csv"}).status, 0);
    EXPECT_EQ(text("c.csv"), text("a.csv")) << change[1];
    EXPECT_EQ(text("d.csv"), text("b.csv")) << change[1];
    EXPECT_LE(lines(text("a.csv")).size(), 10002u);
  }
}

TEST_F(CommandLine, a_saved_state_starts_bit_for_bit_wherever_it_is) {
  ASSERT_EQ(run(simulate({"--steps", "10", "--save-state", "s.json", "--quiet"})).status, 0);
  auto state = json::parse(text("s.json"), "state");
  ASSERT_TRUE(state);
  ASSERT_TRUE(assign(*state, "initial.q[0][0]", json::Node(0.5)));
  ASSERT_TRUE(write_file(in("off.json"), json::write(*state)));
  ASSERT_EQ(run({"run", "off.json", "--steps", "1", "--trajectory", "t.csv"}).status, 0);
  const auto rows = lines(text("t.csv"));
  EXPECT_TRUE(rows[1].starts_with("0.1,0.5,")) << rows[1];
}

TEST_F(CommandLine, outputs_never_share_a_file) {
  for (const Words& words : {Words{"--csv", "a.csv", "--trajectory", "./a.csv"},
                             Words{"--csv", "a.csv", "--save-state", "a.csv.json"},
                             Words{"--trajectory", "a.csv", "--save-state",
                                   "../" + folder_.path().filename().string() + "/a.csv"}}) {
    const Outcome o = run(simulate(words));
    EXPECT_EQ(o.status, 2) << words[3];
    EXPECT_NE(o.err.find(" is already written by " + words[0]), std::string::npos) << o.err;
    EXPECT_EQ(count(), 0u);
  }
}

// What is read is not lost to a table or a picture; a state in its place is a use of it.
TEST_F(CommandLine, outputs_never_replace_the_scenario) {
  const std::string scenario = run({"show", "chain_pendulum"}).out;
  const std::string spelling = "../" + folder_.path().filename().string() + "/s.csv.json";
  ASSERT_TRUE(write_file(in("s.csv.json"), scenario));
  fs::create_symlink("s.csv.json", in("link.csv"));
  for (const Words& words : {Words{"run", "s.csv.json", "--csv", "s.csv.json"},
                             Words{"run", "s.csv.json", "--csv", spelling},
                             Words{"run", "s.csv.json", "--csv", "link.csv"},
                             Words{"run", "s.csv.json", "--csv", "s.csv"},
                             Words{"run", "s.csv.json", "--trajectory", "link.csv"},
                             Words{"run", "link.csv", "--field", "link.csv"},
                             Words{"render", "s.csv.json", "--time", "0", "--png", "s.csv.json"}}) {
    Words all = words;
    if (words[0] == "run") all.insert(all.end(), {"--steps", "3"});
    const Outcome o = run(all);
    EXPECT_EQ(o.status, 2) << words[3] << o.err;
    EXPECT_NE(o.err.find(" is the scenario being read; choose another name"), std::string::npos)
        << o.err;
    EXPECT_EQ(text("s.csv.json"), scenario) << words[3];
    EXPECT_EQ(count(), 2u);
  }
  EXPECT_EQ(run({"run", "s.csv.json", "--steps", "3", "--save-state", "s.csv.json"}).status, 0);
  EXPECT_NE(text("s.csv.json"), scenario);
}

// What stands beside a table describes the run, and repeats it.
TEST_F(CommandLine, the_companion_of_a_table_is_a_scenario) {
  ASSERT_EQ(run(simulate({"--steps", "20", "--set", "system.gravity=3", "--csv", "a.csv",
                          "--trajectory", "t.csv", "--quiet"}))
                .status,
            0);
  for (const char* name : {"a.csv.json", "t.csv.json"}) {
    const Outcome o = run({"run", name, "--csv", "again.csv", "--quiet"});
    EXPECT_EQ(o.status, 0) << o.err;
    EXPECT_EQ(o.err, "");
    EXPECT_EQ(text("again.csv"), text("a.csv")) << name;
    EXPECT_EQ(run({"verify", name, "--steps", "5"}).status, 0);
  }
  // Errors in it are at their lines.
  auto companion = json::parse(text("a.csv.json"), "companion");
  ASSERT_TRUE(companion);
  ASSERT_TRUE(assign(*companion, "scenario.system.gravity", json::Node(std::string("much"))));
  ASSERT_TRUE(write_file(in("bad.csv.json"), json::write(*companion)));
  const Outcome o = run({"run", "bad.csv.json"});
  EXPECT_EQ(o.status, 2);
  EXPECT_NE(o.err.find(": scenario.system.gravity:1: must be a number"), std::string::npos)
      << o.err;
  // Any other document is none.
  ASSERT_TRUE(assign(*companion, "program", json::Node(std::string("another"))));
  ASSERT_TRUE(write_file(in("bad.csv.json"), json::write(*companion)));
  EXPECT_NE(run({"run", "bad.csv.json"}).err.find("missing key \"twosphere\""), std::string::npos);
}

// Those of earlier versions lack what was added since.
TEST_F(CommandLine, a_state_that_lacks_variables_goes_on_and_says_so) {
  for (const auto& [preset, compensations] :
       {std::pair{"double_spherical_pendulum", 1}, {"elastic_rod", 2}}) {
    ASSERT_EQ(run({"run", "--preset", preset, "--steps", "10", "--save-state", "s.json", "--quiet"})
                  .status,
              0);
    ASSERT_EQ(run({"run", "s.json", "--steps", "5", "--trajectory", "whole.csv"}).err, "");
    auto whole = json::parse(text("s.json"), "state");
    ASSERT_TRUE(whole);
    const auto& all = whole->find("integrator_state")->members;
    int left_out = 0;
    for (const auto& [name, unused] : all) {
      if (!name.ends_with("compensation")) continue;
      ++left_out;
      json::Node state = *whole;
      std::erase_if(state.find("integrator_state")->members,
                    [&name = name](const auto& member) { return member.first == name; });
      ASSERT_TRUE(write_file(in("old.json"), json::write(state)));
      const Outcome o = run({"run", "old.json", "--steps", "5", "--trajectory", "old.csv"});
      EXPECT_EQ(o.status, 0) << o.err;
      EXPECT_NE(o.err.find("integrator_state: has no " + name), std::string::npos) << o.err;
      EXPECT_NE(o.err.find("but not bit for bit"), std::string::npos) << o.err;
      // The motion is the same but for rounding.
      const auto rows = lines(text("old.csv")), exact = lines(text("whole.csv"));
      ASSERT_EQ(rows.size(), exact.size());
      EXPECT_NEAR(number(rows.back().substr(rows.back().find(',') + 1)),
                  number(exact.back().substr(exact.back().find(',') + 1)), 1e-12);
    }
    EXPECT_EQ(left_out, compensations) << preset;
    json::Node state = *whole;
    state.find("integrator_state")->members.clear();
    ASSERT_TRUE(write_file(in("old.json"), json::write(state)));
    EXPECT_NE(run({"run", "old.json", "--steps", "5"}).err.find("not bit for bit"),
              std::string::npos);
  }
}

TEST_F(CommandLine, two_dashes_end_the_options) {
  ASSERT_TRUE(write_file(in("s.json"), run({"show", "chain_pendulum"}).out));
  EXPECT_EQ(run({"run", "--steps", "1", "--", "s.json"}).status, 0);
  fs::rename(in("s.json"), in("--steps"));
  EXPECT_EQ(run({"run", "--steps=1", "--", "--steps"}).status, 0);
}

TEST_F(CommandLine, the_window_explains_an_unknown_preset_as_run_does) {
  const Outcome window = run({"--preset", "chain_pendulm"});
  const Outcome headless = run({"run", "--preset", "chain_pendulm"});
  EXPECT_EQ(window.status, 2);
  EXPECT_NE(window.err.find("did you mean chain_pendulum? known: "), std::string::npos);
  EXPECT_EQ(window.err, headless.err);
}

TEST_F(CommandLine, an_empty_file_name_is_not_ignored) {
  for (const char* option : {"--csv", "--trajectory", "--save-state", "--preset"}) {
    const Outcome o = run(simulate({option, "", "--steps", "1"}));
    EXPECT_EQ(o.status, 2) << option;
    EXPECT_NE(o.err.find(std::string(option) + ": a value is missing"), std::string::npos) << o.err;
  }
}

TEST_F(CommandLine, step_and_duration_are_checked_together) {
  EXPECT_EQ(run(simulate({"--step", "1e-16", "--duration", "1e-13", "--quiet"})).status, 0);
  EXPECT_EQ(run(simulate({"--step", "1e-16", "--steps", "10", "--quiet"})).status, 0);
  EXPECT_EQ(run(simulate({"--set", "integrator.step=1e-16", "--duration=1e-13", "--quiet"})).status,
            0);
  const Outcome o = run(simulate({"--step", "1e-16", "--duration", "100"}));
  EXPECT_EQ(o.status, 2);
  EXPECT_NE(o.err.find("--duration: 100 s is more than 2^53 steps of 1e-16 s"), std::string::npos)
      << o.err;
  // Of a saved state, whose next state can be read.
  ASSERT_EQ(run(simulate({"--steps", "2", "--save-state", "s.json"})).status, 0);
  for (const Words& extent : {Words{"--duration", "1e-13"}, Words{"--steps", "10"}}) {
    Words words{"run", "s.json", "--step", "1e-16", "--save-state", "t.json"};
    words.insert(words.end(), extent.begin(), extent.end());
    const Outcome next = run(words);
    EXPECT_EQ(next.status, 0) << next.err;
    EXPECT_EQ(run({"run", "t.json", "--steps", "3"}).status, 0);
  }
}

TEST_F(CommandLine, an_option_with_an_empty_value_does_not_take_the_next_argument) {
  for (const Words& words : std::vector<Words>{
           {"run", "--preset", "chain_pendulum", "--steps", "1", "--csv=", "--quiet"},
           {"run", "--csv=", "--preset=chain_pendulum"},
           {"check", "--preset=", "chain_pendulum"},
           {"sweep", "new", "folder", "--preset", "chain_pendulum", "--axis=", "--measure=megno"},
           {"study", "order", "--preset", "chain_pendulum", "--steps=", "--csv", "a.csv"},
           {"--preset=", "chain_pendulum"}}) {
    const Outcome o = run(words);
    EXPECT_EQ(o.status, 2) << words[0];
    EXPECT_NE(o.err.find(": a value is missing"), std::string::npos) << o.err;
  }
  EXPECT_EQ(count(), 0U);
  EXPECT_NE(run({"run", "--cvs=", "x.json"}).err.find("did you mean --csv?"), std::string::npos);
  ASSERT_TRUE(write_file(in("--csv="), run({"show", "chain_pendulum"}).out));
  EXPECT_EQ(run({"run", "--steps=1", "--", "--csv="}).status, 0) << "a file of that name";
}

TEST_F(CommandLine, one_iteration_is_not_several) {
  const Outcome o = run({"run", "--preset", "double_spherical_pendulum", "--step", "3"});
  EXPECT_EQ(o.status, 3);
  EXPECT_NE(o.err.find("after 1 iteration)"), std::string::npos) << o.err;
}

TEST_F(CommandLine, a_failed_step_keeps_rows_and_state_and_says_so) {
  const Outcome o = run({"run", "--preset", "chain_pendulum", "--step", "0.5", "--csv", "a.csv",
                         "--save-state", "s.json"});
  EXPECT_EQ(o.status, 3);
  EXPECT_TRUE(o.err.starts_with("twosphere: ")) << o.err;
  EXPECT_NE(o.err.find("failed: body "), std::string::npos) << o.err;
  EXPECT_GE(lines(text("a.csv")).size(), 2U);
  const auto state = read_scenario(text("s.json"), "s");
  ASSERT_TRUE(state) << state.error().text();
  EXPECT_EQ(std::to_string(state->continuation->step_index), summary(o.out)["steps"]);
  // With a smaller step it goes on from there.
  EXPECT_EQ(run({"run", "s.json", "--step", "0.002", "--steps", "20"}).status, 0);
}

TEST_F(CommandLine, signals_and_the_wall_time_end_the_run_cleanly) {
  const Words endless = simulate({"--steps", "1000000000000", "--every", "100000", "--csv", "a.csv",
                                  "--save-state", "s.json"});
  const auto expect_all_kept = [this](const Outcome& o) {
    const std::string steps = summary(o.out)["steps"];
    EXPECT_GT(number(steps), 0) << o.out;
    const auto state = read_scenario(text("s.json"), "s");
    ASSERT_TRUE(state) << state.error().text();
    EXPECT_EQ(std::to_string(state->continuation->step_index), steps);
    // The last row is the last state.
    EXPECT_TRUE(lines(text("a.csv")).back().starts_with(summary(o.out)["simulated time"] + ","));
  };
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGXCPU, SIGUSR1, SIGUSR2}) {
    const pid_t child = launch(endless, [] { std::signal(SIGHUP, SIG_DFL); });
    ASSERT_NO_FATAL_FAILURE(interrupt(child, signal, 300ms));
    const Outcome o = finish(child);
    EXPECT_EQ(o.status, 128 + signal);
    expect_all_kept(o);
  }
  Words timed = endless;
  timed.insert(timed.end(), {"--wall-time", "0.5"});
  const Outcome o = run(timed);
  EXPECT_EQ(o.status, 0) << o.err;
  EXPECT_EQ(summary(o.out)["stopped"], "wall time");
  expect_all_kept(o);
  // A run that ends before is not stopped.
  EXPECT_EQ(run(simulate({"--steps", "1", "--wall-time", "1000"})).out.find("stopped"),
            std::string::npos);
  // Under nohup.
  const pid_t child = launch(timed, [] { std::signal(SIGHUP, SIG_IGN); });
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  ASSERT_EQ(::kill(child, SIGHUP), 0);
  EXPECT_EQ(finish(child).status, 0);
  for (const char* seconds : {"0", "-1", "soon"}) {
    const Outcome refused = run(simulate({"--wall-time=" + std::string(seconds)}));
    EXPECT_EQ(refused.status, 2);
    EXPECT_TRUE(refused.err.starts_with("twosphere: --wall-time: must be ")) << refused.err;
  }
}

// However long a step takes: own steps of a lane, inner steps, Newton's iteration.
TEST_F(CommandLine, signals_end_a_step_that_takes_long) {
  const Words many_own_steps{"run",
                             "--preset",
                             "chain_pendulum",
                             "--integrator",
                             "variational",
                             "--integrator",
                             "rk4",
                             "--set",
                             "lanes[1].step=5e4",
                             "--steps",
                             "1"},
      many_inner_steps{"run",
                       "--preset",
                       "lennard_jones",
                       "--integrator",
                       "rk45",
                       "--step",
                       "1000",
                       "--set",
                       "integrator.relative_tolerance=1e-12",
                       "--set",
                       "integrator.absolute_tolerance=1e-14",
                       "--steps",
                       "1"},
      large_matrices{"run",     "--preset", "lennard_jones", "--integrator", "variational_cayley",
                     "--steps", "1000"};
  for (const Words& words : {many_own_steps, many_inner_steps, large_matrices})
    for (const auto& [signal, status] : {std::pair(SIGINT, 130), std::pair(SIGTERM, 143)}) {
      Words all = words;
      all.insert(all.end(), {"--csv", "a.csv", "--save-state", "s.json", "--quiet"});
      double seconds = 0;
      for (int attempt = 0; attempt < 3; ++attempt) {  // other programs may hold it up
        const pid_t child = launch(all);
        std::this_thread::sleep_for(std::chrono::milliseconds(1500));
        const auto asked = std::chrono::steady_clock::now();
        ASSERT_EQ(::kill(child, signal), 0);
        const Outcome o = finish(child);
        seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - asked).count();
        ASSERT_EQ(o.status, status) << words[2] << o.err;
        EXPECT_GE(lines(text("a.csv")).size(), 2U) << "the rows so far";
        const auto state = read_scenario(text("s.json"), "s");
        ASSERT_TRUE(state) << state.error().text();
        if (seconds < 1) break;
      }
      EXPECT_LT(seconds, 1) << words[2];
    }
}

TEST_F(CommandLine, a_lane_of_too_many_steps_to_one_of_the_run_is_refused) {
  const Outcome o = run(simulate({"--integrator", "variational", "--integrator", "rk4", "--set",
                                  "lanes[1].step=1e6", "--steps", "1"}));
  EXPECT_EQ(o.status, 2);
  EXPECT_NE(o.err.find("1e+08 steps of 0.01 s; at most 10000000 are allowed"), std::string::npos)
      << o.err;
}

TEST_F(CommandLine, steps_take_the_place_of_a_duration_that_is_too_long_for_the_step) {
  const Outcome o = run(simulate({"--step", "1e-17", "--steps", "3", "--save-state", "s.json"}));
  EXPECT_EQ(o.status, 0) << o.err;
  EXPECT_EQ(summary(o.out)["steps"], "3");
  EXPECT_TRUE(read_scenario(text("s.json"), "s"));
  EXPECT_NE(run(simulate({"--step", "1e-320", "--steps", "3"})).status, 2);
  EXPECT_EQ(run(simulate({"--step", "1e-17"})).status, 2);
}

TEST_F(CommandLine, meaningless_results_are_warned_of) {
  const Words bodies{"run", "--preset", "three_body", "--duration", "12"};
  const auto with = [&bodies](const Words& more) {
    Words words = bodies;
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  const Outcome o = run(bodies);
  EXPECT_EQ(o.status, 0);
  ASSERT_EQ(lines(o.err).size(), 1U) << o.err;
  EXPECT_TRUE(o.err.starts_with("twosphere: warning: variational: the encounter of bodies "))
      << o.err;
  const std::string warning = summary(o.out)["warning"];
  EXPECT_TRUE(warning.starts_with("the encounter of bodies ")) << o.out;
  for (const char* part : {" is not resolved: they pass at ", "; try rotation8_adaptive"})
    EXPECT_NE(warning.find(part), std::string::npos) << warning;

  EXPECT_EQ(run(with({"--strict"})).status, 1);
  EXPECT_EQ(run({"run", "--preset", "three_body", "--strict"}).status, 0);
  EXPECT_EQ(run({"run", "--preset", "three_body"}).out.find("warning"), std::string::npos);
  const Outcome quiet = run(with({"--quiet"}));
  EXPECT_EQ(quiet.out, "");
  EXPECT_EQ(quiet.err, o.err);

  const auto parsed = json::parse(run(with({"--json"})).out, "summary");
  ASSERT_TRUE(parsed);
  ASSERT_TRUE(parsed->find("warning"));
  EXPECT_EQ(parsed->find("warning")->text, warning);

  // Of two lanes the one.
  const Outcome two = run(with({"--integrator", "variational", "--integrator", "rk45", "--set",
                                "lanes[1].relative_tolerance=1e-9", "--json"}));
  ASSERT_EQ(lines(two.err).size(), 1U) << two.err;
  const auto blocks = json::parse(two.out, "summary");
  ASSERT_TRUE(blocks);
  EXPECT_TRUE(blocks->find("lanes")->items[0].find("warning"));
  EXPECT_FALSE(blocks->find("lanes")->items[1].find("warning"));
}

// As the table of what was let pass in silence had it.
TEST_F(CommandLine, every_meaningless_run_is_warned_of_or_refused) {
  const std::string chain = R"({"twosphere": 1, "system": {"type": "chain_pendulum",
      "masses": [1, 1], "lengths": [1e6, 1e6]},
      "initial": {"q": [[0.8, 0, 0.6], [0, 0, 1]], "omega": [[0, 0, 0], [0, 1, 0]]},
      "integrator": {"type": "rk45", "step": 10}, "duration": 1e5})";
  const std::string conformal = R"({"twosphere": 1, "system": {"type": "conformal_particles",
      "masses": [1, 1], "slope": 1e12, "coupling": 0.95},
      "initial": {"q": [[0.8, 0, 0.6], [0, 1, 0]], "omega": [[0, -1, 0], [0, 0, 0]]},
      "integrator": {"type": "variational", "step": 1e-3}, "duration": 10})";
  ASSERT_TRUE(write_file(in("chain.json"), chain));
  ASSERT_TRUE(write_file(in("conformal.json"), conformal));
  for (const Words& words :
       {Words{"run", "--preset", "three_body", "--duration", "100", "--integrator", "rotation"},
        Words{"run", "--preset", "lennard_jones", "--integrator", "rotation", "--step", "0.1",
              "--steps", "20"},
        Words{"run", "chain.json"}, Words{"run", "conformal.json"},
        Words{"run", "--preset", "elastic_rod_consistent", "--integrator", "heun"}}) {
    const Outcome o = run(words);
    EXPECT_NE(o.err.find("twosphere: warning: "), std::string::npos) << o.out;
    if (o.status != 3) {
      EXPECT_EQ(o.status, 0);
    }
  }
}

TEST_F(CommandLine, the_last_good_state_is_within_the_bounds) {
  const Outcome o = run({"run", "--preset", "elastic_rod", "--integrator", "rk4", "--step", "0.02",
                         "--steps", "20", "--save-state", "s.json", "--strict"});
  EXPECT_EQ(o.status, 3);
  EXPECT_NE(o.err.find("twosphere: warning: rk4: "), std::string::npos) << o.err;
  EXPECT_NE(o.err.find("twosphere: the saved state is that of step "), std::string::npos) << o.err;
  const auto state = read_scenario(text("s.json"), "s");
  ASSERT_TRUE(state) << state.error().text();
  for (Eigen::Index i = 0; i < state->q.cols(); ++i) EXPECT_NEAR(state->q.col(i).norm(), 1, 1e-2);
  // The summary is of the run.
  EXPECT_GT(number(summary(o.out)["steps"]), static_cast<double>(state->continuation->step_index));
}

// Each file is whole, that of the table and that of its description, and nothing else is left.
TEST_F(CommandLine, programs_that_write_the_same_files_at_once_leave_whole_ones) {
  const auto words = [](const char* gravity, const char* name) {
    return simulate({"--set", std::string("system.gravity=") + gravity, "--steps", "400", "--every",
                     "1", "--csv", name, "--save-state", std::string(name) + ".state", "--quiet"});
  };
  ASSERT_EQ(run(words("9", "a.csv")).status, 0);
  ASSERT_EQ(run(words("5", "b.csv")).status, 0);
  const std::size_t before = count();
  for (int round = 0; round < 8; ++round) {
    const pid_t one = launch(words("9", "c.csv")), other = launch(words("5", "c.csv"));
    EXPECT_EQ(finish(one).status, 0);
    EXPECT_EQ(finish(other).status, 0);
    for (const char* ending : {"", ".json", ".state"}) {
      const std::string left = text(std::string("c.csv") + ending);
      EXPECT_TRUE(left == text(std::string("a.csv") + ending) ||
                  left == text(std::string("b.csv") + ending))
          << ending;
    }
    EXPECT_EQ(count(), before + 3);
  }
}

TEST_F(CommandLine, a_file_that_cannot_grow_ends_the_run_and_leaves_the_old_one) {
  ASSERT_TRUE(write_file(in("a.csv"), "old"));
  const Outcome o =
      run(simulate({"--steps", "1000000000", "--every", "1", "--csv", "a.csv"}), "", [] {
        const rlimit limit{1 << 20, 1 << 20};
        ::setrlimit(RLIMIT_FSIZE, &limit);
      });
  EXPECT_EQ(o.status, 4);
  EXPECT_NE(o.err.find("a.csv: File too large"), std::string::npos) << o.err;
  EXPECT_EQ(text("a.csv"), "old");
  EXPECT_EQ(count(), 1U);
}

TEST_F(CommandLine, a_reader_that_leaves_is_an_error_of_output) {
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  ::close(ends[0]);
  const Outcome o = run(simulate({"--steps", "100000", "--every", "1", "--csv", "-"}), "",
                        [&ends] { ::dup2(ends[1], 1); });
  ::close(ends[1]);
  EXPECT_EQ(o.status, 4);
  EXPECT_NE(o.err.find("standard output: Broken pipe"), std::string::npos) << o.err;
}

TEST_F(CommandLine, numbers_do_not_depend_on_the_locale) {
  const test::GermanLocale locale;
  ASSERT_TRUE(locale.made());
  const auto german = [] { ::setenv("LC_ALL", test::GermanLocale::name, 1); };
  const Words words =
      simulate({"--steps", "20", "--set", "system.gravity=1.62", "--csv", "-", "--quiet"});
  const Outcome plain = run(words);
  EXPECT_EQ(plain.out, run(words, "", german).out);
  EXPECT_NE(plain.out.find("0.01,"), std::string::npos);
  // Qt, too, sets the locale.
  for (const char* name : {"plain.png", "german.png"}) {
    const Words picture{"render", "--preset", "double_spherical_pendulum", "--time", "0.25",
                        "--png",  name};
    const Outcome o = *name == 'p' ? run(picture) : run(picture, "", german);
    EXPECT_EQ(o.status, 0) << o.err;
  }
  EXPECT_EQ(text("plain.png"), text("german.png"));
}

TEST_F(CommandLine, measures_are_those_of_every_step_with_their_times) {
  const auto measured = [this](const char* every) {
    return run({"run", "--preset", "double_spherical_pendulum", "--steps", "500", "--every", every,
                "--integrator", "variational", "--integrator", "rk4", "--measure",
                "kinetic_energy.max,energy_error.max", "--measure", "cost", "--json"});
  };
  const auto part = [](const Outcome& o, const std::string& key) {
    const std::size_t at = o.out.find('"' + key + "\": ");
    return at == std::string::npos ? "missing" : o.out.substr(at, o.out.find('\n', at) - at);
  };
  const Outcome often = measured("1"), rarely = measured("250");
  EXPECT_EQ(often.status, 0) << often.err;
  for (const char* key : {"kinetic_energy.max", "kinetic_energy.max time", "energy_error.max",
                          "energy_error.max time", "cost"}) {
    EXPECT_NE(part(often, key), "missing") << key << '\n' << often.out;
    EXPECT_EQ(part(often, key), part(rarely, key));
  }
  EXPECT_NE(part(often, "worst energy error"), part(rarely, "worst energy error"));
  EXPECT_EQ(part(often, "cost time"), "missing");
  const Outcome wrong = run({"run", "--preset", "three_body", "--measure", "cost,energy_error"});
  EXPECT_EQ(wrong.status, 2);
  EXPECT_NE(wrong.err.find("--measure: \"energy_error\" is not a measure"), std::string::npos)
      << wrong.err;
}

TEST_F(CommandLine, frequencies_do_not_depend_on_the_rows) {
  const auto measured = [this](const char* every) {
    return run({"run", "--preset", "custom/pendulum", "--duration", "200", "--every", every,
                "--frequencies", "1"});
  };
  const Outcome often = measured("1"), rarely = measured("100");
  const auto all = [](const Outcome& o) { return o.out.substr(o.out.find("frequency: ")); };
  EXPECT_EQ(all(often), all(rarely));
  EXPECT_TRUE(all(often).starts_with("frequency: 0.57445")) << often.out;
  EXPECT_NE(often.out.find("\nsignal interval: 0.01\nnyquist frequency: 50\n"), std::string::npos)
      << often.out;
  EXPECT_EQ(often.err, "");
  const Outcome coarse = run({"run", "--preset", "custom/pendulum", "--integrator", "rk45",
                              "--step", "2", "--duration", "200", "--frequencies", "1"});
  EXPECT_NE(coarse.err.find("more than half a turn in the 2 s between samples: frequencies beyond "
                            "0.25 Hz appear as lower ones"),
            std::string::npos)
      << coarse.err;
}

TEST_F(CommandLine, fewer_frequencies_than_asked_for_have_a_reason) {
  const auto measured = [this](const char* steps) {
    return run({"run", "--preset", "three_body", "--steps", steps, "--every", "1", "--frequencies",
                "32", "--signal", "norm(q[0])"});
  };
  const Outcome few = measured("64");
  EXPECT_EQ(few.status, 0);
  EXPECT_NE(few.out.find("\nfrequency: "), std::string::npos) << few.out;
  EXPECT_NE(few.err.find("--frequencies: variational: "), std::string::npos) << few.err;
  EXPECT_NE(few.err.find("1 of 32 frequencies found: "), std::string::npos) << few.err;
  const Outcome none = measured("3");
  EXPECT_EQ(none.out.find("\nfrequency: "), std::string::npos) << none.out;
  EXPECT_NE(none.err.find("no frequency found: the signal needs 32 samples or more"),
            std::string::npos)
      << none.err;
}

}  // namespace
}  // namespace twosphere::command_line_test
