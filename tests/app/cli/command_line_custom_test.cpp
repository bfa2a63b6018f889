// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/base/json.h"
#include "tests/app/cli/run_program.h"
#include "tests/replaced.h"

// Systems of the type custom, given to the real program.
namespace twosphere::command_line_custom_test {
namespace {

const std::string valid = R"json({
"twosphere": 1,
"system": {"type": "custom",
"parameters": {"m": [1, 0.5],
"k": 1.25},
"inertia": "diag(m)",
"potential": "sum(i < j: k/norm(q[i] - q[j]))"},
"initial": {"q": [[0.6, 0, 0.8], [0, 0, 1]], "omega": [[0, 1, 0], [2, 0, 0]]},
"integrator": {"type": "variational", "step": 0.01},
"duration": 1
})json";

std::string replaced(const std::string& from, const std::string& to) {
  return test::replaced(valid, from, to);
}

class Custom : public CommandLine {};

TEST_F(Custom, an_error_names_the_character_and_shows_it) {
  struct Case {
    std::string from, to, location, shown;
  };
  for (const auto& [from, to, location, shown] : std::vector<Case>{
           {"k/norm(", "k*q[i]*q[j]/norm(", "my.json:7: system.potential:18: ",
            "    sum(i < j: k*q[i]*q[j]/norm(q[i] - q[j]))\n"
            "                     ^\n"},
           {"k/norm(", "kk/norm(", "my.json:7: system.potential:12: ",
            "    sum(i < j: kk/norm(q[i] - q[j]))\n"
            "               ^\n"},
           {"diag(m)", "diga(m)", "my.json:6: system.inertia:1: ", "    diga(m)\n    ^\n"},
           {"1.25", "\"5 kg\"", "my.json:5: system.k:", "    5 kg\n"},
       }) {
    ASSERT_TRUE(write_file(in("my.json"), replaced(from, to)));
    const Outcome o = run({"run", "my.json"});
    EXPECT_EQ(o.status, 2) << to;
    EXPECT_EQ(o.out, "");
    EXPECT_TRUE(o.err.starts_with("twosphere: " + location)) << o.err;
    EXPECT_NE(o.err.find("\n" + shown), std::string::npos) << o.err;
  }
}

TEST_F(Custom, a_warning_of_units_is_told_and_the_run_goes_on) {
  ASSERT_TRUE(write_file(in("my.json"),
                         replaced("\"k\": 1.25", "\"k\": {\"value\": 1.25, \"unit\": \"kg\"}")));
  const Outcome o = run({"run", "my.json"});
  EXPECT_EQ(o.status, 0) << o.err;
  EXPECT_NE(o.err.find("my.json:7: system.potential:"), std::string::npos) << o.err;
}

TEST_F(Custom, a_value_outside_the_range_of_its_slider_is_warned_of_wherever_it_is_given) {
  const std::string with_range = R"({"value": 1.25, "range": [1, 2]})";
  const std::string warning =
      "system.parameters.k.value: warning: is 5, outside the range of its slider, 1 to 2\n";
  ASSERT_TRUE(write_file(in("wide.json"),
                         replaced("\"k\": 1.25", R"("k": {"value": 5, "range": [1, 2]})")));
  EXPECT_EQ(run({"run", "wide.json", "--steps", "1", "--quiet"}).err,
            "twosphere: wide.json:5: " + warning);
  ASSERT_TRUE(write_file(in("my.json"), replaced("\"k\": 1.25", "\"k\": " + with_range)));
  EXPECT_EQ(run({"run", "my.json", "--steps", "1", "--quiet"}).err, "");
  EXPECT_EQ(run({"run", "my.json", "--steps", "1", "--quiet", "--set", "system.k=5"}).err,
            "twosphere: " + warning);
  EXPECT_EQ(run({"run", "my.json", "--steps", "1", "--quiet", "--set", "system.k=2"}).err, "");
  // Also where a saved state goes on with it.
  ASSERT_EQ(run({"run", "my.json", "--steps", "1", "--quiet", "--save-state", "state.json"}).status,
            0);
  EXPECT_EQ(run({"run", "state.json", "--steps", "1", "--quiet", "--set", "system.k=5"}).err,
            "twosphere: " + warning);
}

TEST_F(Custom, both_back_ends_write_the_same_bytes_and_are_named) {
  ASSERT_TRUE(write_file(in("my.json"), valid));
  const auto with = [this](const std::string& name) {
    return [this, name](const Words& words) {
      return run(words, "", [name] { ::setenv("TWOSPHERE_BACK_END", name.c_str(), 1); });
    };
  };
  std::vector<std::string> tables, states;
  for (const std::string name : {"tape", "llvm"}) {
    const Outcome o =
        with(name)({"run", "my.json", "--json", "--csv", "a.csv", "--save-state", "s.json"});
    ASSERT_EQ(o.status, 0) << o.err;
    const bool there =
        with(name)({"--version"}).out.find("\nBack end of custom systems: " + name) !=
        std::string::npos;
    EXPECT_TRUE(there || name == "llvm");
    const auto root = json::parse(o.out, "summary");
    ASSERT_TRUE(root && root->find("back end")) << o.out;
    EXPECT_EQ(root->find("back end")->text, there ? name : "tape");
    tables.push_back(text("a.csv"));
    states.push_back(text("s.json"));
  }
  EXPECT_EQ(tables[0], tables[1]);
  EXPECT_EQ(states[0], states[1]);
  // What one back end saved the other continues.
  for (const std::string name : {"tape", "llvm"}) {
    const Outcome o = with(name)({"run", "s.json", "--duration", "1", "--csv", name + ".csv"});
    ASSERT_EQ(o.status, 0) << o.err;
  }
  EXPECT_EQ(text("tape.csv"), text("llvm.csv"));
  EXPECT_EQ(run({"run", "--preset", "three_body", "--steps", "1"}).out.find("back end"),
            std::string::npos);
  const Outcome wrong = with("gcc")({"--version"});
  EXPECT_EQ(wrong.status, 2);
  EXPECT_EQ(wrong.err,
            "twosphere: TWOSPHERE_BACK_END: \"gcc\" is not a back end; allowed: tape, llvm\n");
}

TEST_F(Custom, parameters_and_texts_are_set_by_path) {
  ASSERT_TRUE(write_file(in("my.json"), valid));
  const auto energy = [this](const Words& more) {
    Words words{"run", "my.json", "--steps", "1", "--json"};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome o = run(words);
    EXPECT_EQ(o.status, 0) << o.err;
    const auto root = json::parse(o.out, "summary");
    const json::Node* value = root ? root->find("initial energy") : nullptr;
    EXPECT_TRUE(value) << o.out;
    return value ? value->number : 0;
  };
  const double before = energy({});
  // V is proportional to k, and the kinetic energy stays.
  const double more = energy({"--set", "system.k=2.5"});
  EXPECT_NEAR(energy({"--set", "system.k=1/2 + 2"}), more, 1e-14);
  EXPECT_NEAR(energy({"--set", "system.parameters.k=2.5"}), more, 1e-14);
  const double none = energy({"--set", "system.potential=0*k"});
  EXPECT_NEAR(more - none, 2 * (before - none), 1e-14);
  EXPECT_NEAR(energy({"--set", "system.potential=2*3"}) - none, 6, 1e-14);
  EXPECT_LT(energy({"--set", "system.m[0]=0.5"}), before);

  const Outcome unknown = run({"run", "my.json", "--set", "system.kk=1"});
  EXPECT_EQ(unknown.status, 2);
  EXPECT_NE(unknown.err.find("--set: system.kk: there is no such parameter; did you mean k?"),
            std::string::npos)
      << unknown.err;
  const Outcome wrong = run({"run", "my.json", "--set", "system.potential=k*"});
  EXPECT_EQ(wrong.status, 2);
  EXPECT_NE(wrong.err.find("--set: system.potential:"), std::string::npos) << wrong.err;
  EXPECT_NE(wrong.err.find("\n    k*\n"), std::string::npos) << wrong.err;
}

TEST_F(Custom, a_saved_state_continues_bit_for_bit) {
  ASSERT_TRUE(write_file(in("my.json"), valid));
  EXPECT_EQ(run({"run", "my.json", "--steps", "60", "--save-state", "all.json"}).status, 0);
  EXPECT_EQ(run({"run", "my.json", "--steps", "30", "--save-state", "half.json"}).status, 0);
  EXPECT_EQ(run({"run", "half.json", "--steps", "30", "--save-state", "both.json"}).status, 0);
  EXPECT_EQ(text("all.json"), text("both.json"));
}

TEST_F(Custom, numbers_of_files_and_options_have_units) {
  ASSERT_TRUE(write_file(in("my.json"), replaced("\"step\": 0.01", "\"step\": \"10 ms\"")));
  const Outcome typed = run(
      {"run", "my.json", "--duration", "1/2 s", "--set", "system.m[0]=1/1", "--save-state", "-"});
  ASSERT_EQ(typed.status, 0) << typed.err;
  ASSERT_TRUE(write_file(in("my.json"), valid));
  EXPECT_EQ(run({"run", "my.json", "--duration", "0.5", "--save-state", "-"}).out, typed.out);
  EXPECT_EQ(
      run({"run", "my.json", "--step", "0.02 s", "--steps", "3", "--save-state", "-"}).out,
      run({"run", "my.json", "--set", "integrator.step=20 ms", "--steps", "3", "--save-state", "-"})
          .out);
  for (const Words& words :
       {Words{"--step", "1 kg"}, {"--duration", "2 m"}, {"--set", "integrator.step=1 m"}}) {
    Words all{"run", "my.json"};
    all.insert(all.end(), words.begin(), words.end());
    const Outcome o = run(all);
    EXPECT_EQ(o.status, 2);
    EXPECT_TRUE(o.err.starts_with("twosphere: " + words[0] + ": ")) << o.err;
    EXPECT_NE(o.err.find("must be in s, not in "), std::string::npos) << o.err;
  }
}

TEST_F(Custom, its_quantities_are_columns_on_request) {
  const std::string plots =
      replaced("\"inertia\"", "\"plots\": {\"a, b\": \"q[0].q[1]\"},\n\"inertia\"");
  ASSERT_TRUE(write_file(in("my.json"), plots));
  EXPECT_EQ(run({"run", "my.json", "--csv", "a.csv", "--quiet"}).status, 0);
  EXPECT_EQ(run({"run", "my.json", "--csv", "b.csv", "--plots", "--quiet"}).status, 0);
  const std::string without = text("a.csv"), with = text("b.csv");
  EXPECT_EQ(without.find("plots"), std::string::npos);
  EXPECT_NE(with.find(",\"plots.a, b [1]\"\r\n"), std::string::npos) << with.substr(0, 500);
  EXPECT_NE(with.find(",0.8\r\n"), std::string::npos) << "q₀·q₁ at the start";
  EXPECT_NE(text("b.csv.json").find("\"plots.a, b\""), std::string::npos);
  const Outcome alone = run({"run", "my.json", "--plots"});
  EXPECT_EQ(alone.status, 2);
  EXPECT_NE(alone.err.find("--plots: adds columns to a table"), std::string::npos) << alone.err;
  ASSERT_TRUE(write_file(in("my.json"), valid));
  const Outcome none = run({"run", "my.json", "--csv", "c.csv", "--plots"});
  EXPECT_EQ(none.status, 2);
  EXPECT_NE(none.err.find("--plots: the scenario names no quantities"), std::string::npos)
      << none.err;
}

TEST_F(Custom, a_system_is_checked_before_its_first_step) {
  ASSERT_TRUE(write_file(in("my.json"), valid));
  const Outcome good =
      run({"check", "my.json", "--integrator", "variational", "--integrator", "rk4"});
  EXPECT_EQ(good.status, 0) << good.out << good.err;
  EXPECT_TRUE(good.out.starts_with("gradient: agrees with differences of V to ")) << good.out;
  EXPECT_NE(good.out.find("\nconserved momentum: J₁, J₂, J₃\n"), std::string::npos) << good.out;
  EXPECT_NE(good.out.find("\ncost of rk4: "), std::string::npos) << good.out;
  EXPECT_EQ(good.out.find("warning"), std::string::npos) << good.out;
  const auto root = json::parse(run({"check", "my.json", "--json"}).out, "report");
  ASSERT_TRUE(root) << root.error().text();
  EXPECT_LT(root->find("gradient")->find("error")->number, 1e-8);
  EXPECT_EQ(root->find("smallest inertia")->number, 0.5);
  EXPECT_EQ(root->find("methods")->items.size(), 1U);
  EXPECT_EQ(root->find("lines")->items[0].find("verdict")->text, "ok");

  // V is no number in a quarter of the sphere of body 0.
  ASSERT_TRUE(write_file(in("my.json"), replaced("q[j]))\"", "q[j])) + log(q[0].e3 + 0.5)\"")));
  const Outcome singular = run({"check", "my.json"});
  EXPECT_EQ(singular.status, 1) << singular.err;
  EXPECT_NE(singular.out.find("\nwarning: potential: not finite at "), std::string::npos)
      << singular.out;
  EXPECT_NE(singular.out.find("\nconserved momentum: J₃\n"), std::string::npos) << singular.out;
  // A step that is too large.
  EXPECT_EQ(run({"check", "--preset", "chain_pendulum", "--step", "0.1"}).status, 1);
  EXPECT_EQ(run({"check"}).status, 2);
  EXPECT_EQ(run({"check", "--preset", "three_bodies"}).status, 2);
}

TEST_F(Custom, a_step_that_is_too_coarse_is_said_by_check_and_run) {
  const auto words = [](const char* command, std::vector<std::string> more = {}) {
    std::vector<std::string> all{command, "--preset", "custom/pendulum"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  };
  const Outcome checked = run(words("check", {"--step", "0.16"}));
  EXPECT_EQ(checked.status, 1);
  EXPECT_NE(checked.out.find("\nwarning: step of variational: 0.16 s, 4.5 times the largest step "
                             "that resolves the fastest rate, 0.1/rate = 0.036 s"),
            std::string::npos)
      << checked.out;
  const auto report = json::parse(run(words("check", {"--step", "0.16", "--json"})).out, "report");
  ASSERT_TRUE(report) << report.error().text();
  EXPECT_NEAR(report->find("methods")->items[0].find("resolving step")->number, 0.0357, 1e-4);
  int warnings = 0;
  for (const json::Node& line : report->find("lines")->items)
    warnings += line.find("verdict")->text == "warning";
  EXPECT_EQ(warnings, 1);
  EXPECT_EQ(run(words("check", {"--step", "0.03"})).status, 0);

  const std::string note =
      "twosphere: note: variational: the step, 0.16 s, is 4.5 times the largest that resolves the "
      "fastest rate, 0.036 s\n";
  const Outcome noted = run(words("run", {"--duration", "12", "--step", "0.16"}));
  EXPECT_EQ(noted.status, 0);
  EXPECT_EQ(noted.err, note);
  const Outcome strict =
      run(words("run", {"--duration", "12", "--step", "0.16", "--strict", "--quiet"}));
  EXPECT_EQ(strict.status, 1);
  EXPECT_EQ(strict.err, note) << "the status has a reason";
  EXPECT_EQ(run(words("run", {"--duration", "12", "--step", "0.16", "--quiet"})).err, "");
  const Outcome fine = run(words("run", {"--duration", "12", "--step", "0.02", "--strict"}));
  EXPECT_EQ(fine.status, 0) << fine.err;
  EXPECT_EQ(fine.err, "");

  // A fast pendulum that hardly swings, beside a slow one.
  ASSERT_TRUE(write_file(in("hardly.json"), R"json({"twosphere": 1,
    "system": {"type": "custom", "inertia": "diag(1)", "potential": "-e3.q[0] - 400*e3.q[1]"},
    "initial": {"q": [[0.6, 0, 0.8], [0.0001, 0, 0.999999995]], "omega": [[0, 0, 0], [0, 0, 0]]},
    "integrator": {"type": "variational", "step": 0.02}, "duration": 3})json"));
  const Outcome hardly = run({"check", "hardly.json"});
  EXPECT_EQ(hardly.status, 0) << hardly.out;
  EXPECT_NE(hardly.out.find(" 4 times the largest step that resolves the fastest rate, 0.1/rate = "
                            "0.005 s, of which the motion has little; stable below"),
            std::string::npos)
      << hardly.out;
  EXPECT_EQ(run({"run", "hardly.json", "--strict", "--quiet"}).status, 0);
}

// An event makes the motion faster.
TEST_F(Custom, a_step_that_becomes_too_coarse_is_said) {
  std::string scenario = run({"show", "custom/pendulum"}).out;
  const std::string step = "\"step\": 0.01";
  ASSERT_NE(scenario.find(step), std::string::npos) << scenario;
  scenario.replace(scenario.find(step), step.size(), "\"step\": 0.035");
  scenario.insert(scenario.rfind('}'), R"(, "events": [{"step": 50, "set": {"system.g": 30}},
                                                       {"step": 60, "set": {"system.g": 29}}])");
  ASSERT_TRUE(write_file(in("faster.json"), scenario));
  const Outcome o = run({"run", "faster.json", "--duration", "7", "--strict"});
  EXPECT_EQ(o.status, 1);
  EXPECT_TRUE(o.err.starts_with("twosphere: note: variational: the step, 0.035 s, is ")) << o.err;
  EXPECT_EQ(std::count(o.err.begin(), o.err.end(), '\n'), 1) << o.err;
  EXPECT_NE(o.err.find(" s, from t = 1.785"), std::string::npos) << o.err;
}

TEST_F(Custom, presets_are_shown_and_run) {
  const Outcome shown = run({"show", "custom/kepler"});
  EXPECT_EQ(shown.status, 0);
  EXPECT_EQ(run({"run", "-", "--steps", "3"}, shown.out).status, 0);
  EXPECT_EQ(run({"run", "--preset", "custom/thomson", "--steps", "3"}).status, 0);
}

TEST_F(Custom, a_built_in_system_is_shown_as_text) {
  const Outcome preset = run({"show", "double_spherical_pendulum", "--as-text"});
  EXPECT_EQ(preset.status, 0) << preset.err;
  EXPECT_EQ(preset.err, "");
  EXPECT_NE(preset.out.find("\"type\": \"custom\""), std::string::npos) << preset.out;
  EXPECT_NE(preset.out.find("\"inertia\": \"chain(m, l)\""), std::string::npos) << preset.out;
  EXPECT_EQ(run({"run", "-", "--steps", "3"}, preset.out).status, 0);
  // A file, here one that is custom already.
  ASSERT_TRUE(write_file(in("text.json"), preset.out));
  const Outcome file = run({"show", "--as-text", "text.json"});
  EXPECT_EQ(file.status, 0) << file.err;
  EXPECT_EQ(file.out, preset.out);
  EXPECT_EQ(run({"show", "--as-text"}).status, 2);
  EXPECT_EQ(run({"show", "--as-text", "missing.json"}).status, 4);
}

}  // namespace
}  // namespace twosphere::command_line_custom_test
