// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/scenario.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numbers>
#include <random>

#include "core/base/edit_distance.h"
#include "core/base/exceptions.h"
#include "core/catalog.h"
#include "core/language/evaluate.h"
#include "core/output/csv.h"
#include "core/program/constants.h"
#include "core/run/simulation.h"
#include "core/scenario/event_reader.h"
#include "core/scenario/live_edit.h"
#include "core/scenario/parameter_io.h"
#include "core/scenario/reader.h"
#include "core/scenario/run_clock.h"
#include "core/scenario/schedule.h"
#include "core/scenario/writer.h"
#include "tests/cases.h"
#include "tests/outcome.h"
#include "tests/replaced.h"
#include "tests/taken.h"

namespace twosphere::scenario_test {
namespace {

using test::error_of, test::says, test::value_of;

// One line per thing that can be wrong.
const std::string valid = R"({
"twosphere": 1,
"title": "t",
"system": {"type": "chain_pendulum",
"masses": [1, 2],
"lengths": 0.5,
"gravity": 9.81,
"tip_force": [0, 0, 0]},
"initial": {
"q": [[0.6, 0, 0.8], [0, 0, 1]],
"omega": [[0, 1, 0], [2, 0, 0]]},
"integrator": {"type": "variational",
"step": 0.01},
"events": [{"step": 3, "set": {
"system.gravity": 1.62}}],
"duration": 10
})";

std::string replaced(const std::string& from, const std::string& to) {
  return test::replaced(valid, from, to);
}

Scenario read(const std::string& text) { return value_of(read_scenario(text, "file.json")); }

TEST(Scenario, a_number_is_an_expression_in_the_unit_of_its_place) {
  const std::string typed = R"json({
"twosphere": 1,
"title": "t",
"system": {"type": "chain_pendulum", "masses": ["1000 g", "4/2"], "lengths": "50 cm",
"gravity": "9.81 m/s^2", "tip_force": [0, "1 - 1", "0 N"]},
"initial": {"q": [["sqrt(0.36)", 0, "8/10"], [0, 0, "cos(0)"]],
"omega": [[0, "60 deg/s * 3/pi", 0], ["2 rad/s", 0, 0]]},
"integrator": {"type": "variational", "step": "10 ms"},
"every": "2*5",
"stop": [{"time": "1/4 s"}, {"quantity": "total_energy", "above": "2 kJ"}],
"events": [{"step": "1 + 2", "set": {"system.gravity": "162 cm/s²", "system.masses": ["1 kg", 3],
"integrator.step": "5 ms", "stop": [{"time": "1 s"}], "every": "20/1", "duration": "20 s"}},
{"step": 4, "set": {"state.omega[1]": [0, "90 deg/s", "1/2"]}},
{"step": 5, "pull": {"body": "1", "force": ["3 kN", 0, 0], "steps": "4"}},
{"step": 6, "add_lane": {"type": "rk4", "step": "2.5 ms"}}],
"branches": [{"name": "b", "from_step": "2^2",
"events": [{"step": 4, "set": {"system.gravity": "1 m/s^2"}}]}],
"duration": "1/6 s * 60"})json";
  const Scenario s = read(typed);
  // Written files have numbers, which are those that somebody would type in their place.
  const std::string written = write_scenario(s);
  const std::string numbers = R"({
"twosphere": 1,
"title": "t",
"system": {"type": "chain_pendulum", "masses": [1, 2], "lengths": 0.5,
"gravity": 9.81, "tip_force": [0, 0, 0]},
"initial": {"q": [[0.6, 0, 0.8], [0, 0, 1]], "omega": [[0, 1, 0], [2, 0, 0]]},
"integrator": {"type": "variational", "step": 0.01},
"every": 10,
"stop": [{"time": 0.25}, {"quantity": "total_energy", "above": 2000}],
"events": [{"step": 3, "set": {"system.gravity": 1.62, "system.masses": [1, 3],
"integrator.step": 0.005, "stop": [{"time": 1}], "every": 20, "duration": 20}},
{"step": 4, "set": {"state.omega[1]": [0, 1.5707963267948966, 0.5]}},
{"step": 5, "pull": {"body": 1, "force": [3000, 0, 0], "steps": 4}},
{"step": 6, "add_lane": {"type": "rk4", "step": 0.0025}}],
"branches": [{"name": "b", "from_step": 4, "events": [{"step": 4, "set": {"system.gravity": 1}}]}],
"duration": 10})";
  EXPECT_EQ(written, write_scenario(read(numbers)));
  EXPECT_EQ(written, write_scenario(read(written)));
}

TEST(Scenario, every_parameter_of_the_catalogue_has_a_unit_that_can_be_typed) {
  const auto check = [](const auto& again, const ParameterInfo& p) -> void {
    if (p.shape == Shape::form) {
      for (const ParameterForm& form : p.forms)
        for (const ParameterInfo& field : form.fields) again(again, field);
      return;
    }
    EXPECT_TRUE(read_unit(p.unit)) << p.key << ": " << p.unit;
  };
  for (const SystemInfo& system : systems())
    for (const ParameterInfo& p : system.parameters) check(check, p);
  for (const IntegratorInfo& method : integrators())
    for (const ParameterInfo& p : method.parameters) check(check, p);
  for (const QuantityInfo& quantity : quantities()) EXPECT_TRUE(read_unit(quantity.unit));
}

TEST(Scenario, settings_are_expressions_too) {
  const Scenario s = read(valid);
  const auto set =
      value_of(with_settings(s, {{"integrator.step", "1/100 s"}, {"system.masses[1]", "300 g"}}));
  EXPECT_EQ(set.lanes[0].step, 0.01);
  EXPECT_EQ(set.parameters.at("masses")[1], 0.3);
  EXPECT_EQ(error_of(with_setting(s, "system.masses[1]", "300 m")).location, "system.masses[1]:1");
}

TEST(Scenario, reads_what_is_written) {
  const Scenario s = read(valid);
  EXPECT_EQ(s.title, "t");
  EXPECT_EQ(s.system, "chain_pendulum");
  EXPECT_EQ(s.size(), 2);
  EXPECT_EQ(s.parameters.at("masses"), (std::vector<double>{1, 2}));
  EXPECT_EQ(s.parameters.at("lengths"), (std::vector<double>{0.5, 0.5}));
  EXPECT_EQ(s.parameters.at("control_torque"), (std::vector<double>{0, 0, 0, 0}));
  EXPECT_EQ(s.q(0, 0), 0.6);
  EXPECT_EQ(s.omega(0, 1), 2);
  ASSERT_EQ(s.lanes.size(), 1U);
  EXPECT_EQ(s.lanes[0].type, "variational");
  EXPECT_EQ(s.lanes[0].name, "variational");
  EXPECT_EQ(s.lanes[0].step, 0.01);
  EXPECT_EQ(s.duration, 10);
  EXPECT_EQ(s.every, 0);
  EXPECT_FALSE(s.continuation);
  ASSERT_EQ(s.events.size(), 1U);
  EXPECT_EQ(s.events[0].step, 3);
  EXPECT_EQ(s.events[0].set[0].path, "system.gravity");
}

struct Case {
  const char* name;
  std::string text;
  std::string location;  // the error begins with it
  std::vector<const char*> words;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

/// A text that is refused at this line and place of file.json, with words that say why.
template <class... Words>
Case refused(const char* name, std::string text, const std::string& place, Words... words) {
  return {name, std::move(text), "file.json:" + place, {words...}};
}

class ScenarioErrors : public testing::TestWithParam<Case> {};

TEST_P(ScenarioErrors, place_and_words) {
  const Error scenario = error_of(read_scenario(GetParam().text, "file.json"));
  EXPECT_EQ(scenario.kind, ErrorKind::usage);
  const std::string error = scenario.text();
  EXPECT_TRUE(error.starts_with(GetParam().location + ": ")) << error;
  for (const char* word : GetParam().words) EXPECT_TRUE(says(error, word));
}

/// The same of the valid text with one thing in it replaced.
template <class... Words>
Case slip(const char* name, const std::string& from, const std::string& to,
          const std::string& place, Words... words) {
  return refused(name, replaced(from, to), place, words...);
}

std::string with_torque(const std::string& torque) {
  return replaced("\"tip_force\": [0, 0, 0]", "\"control_torque\": " + torque);
}

std::string with_stop(const std::string& list) {
  return replaced("\"duration\"", "\"stop\": " + list + ",\n\"duration\"");
}

std::string repeated(int count, const std::string& text) {
  std::string out;
  for (int k = 0; k < count; ++k) out += text;
  return out;
}

const std::string from_q = R"([[0.6, 0, 0.8], [0, 0, 1]])";
const std::string from_omega = R"([[0, 1, 0], [2, 0, 0]])";
const std::string from_event = R"("system.gravity": 1.62)";
const std::string state_keys =
    R"("time_origin": 0, "step_index": 5, "energy_reference": 1, "work": 0, "duration")";

INSTANTIATE_TEST_SUITE_P(
    All, ScenarioErrors,
    testing::Values(
        // The document
        refused("not_an_object", "[1]", "1", "must be an object", "a list"),
        slip("no_format", "\"twosphere\": 1,", "", "1", "\"twosphere\""),
        slip("format_2", "\"twosphere\": 1", "\"twosphere\": 2", "2: twosphere", "format 2",
             "reads format 1"),
        slip("format_text", "\"twosphere\": 1", R"("twosphere": "1")", "2: twosphere",
             "must be a number"),
        slip("unknown_key", "\"duration\"", "\"durations\"", "16: durations", "unknown key",
             "did you mean duration?", "allowed: twosphere, title"),
        slip("duplicate_key", R"("title": "t")", "\"title\": \"t\",\n\"title\": \"t\"", "4",
             "duplicate key \"title\"", "line 3"),
        slip("title_number", "\"t\"", "5", "3: title", "must be a string, not 5"),
        slip("schema", R"("title": "t")", "\"$schema\": 1", "3: $schema",
             "must be a string, not 1"),
        slip("view", R"("title": "t")", "\"view\": []", "3: view", "must be an object, not a list"),
        slip("orbit_steps", R"("title": "t")", R"("orbit": {"period": 1, "steps": 0})",
             "3: orbit.steps", "must be a whole number from 1"),
        slip("orbit_rotation", R"("title": "t")",
             R"("orbit": {"period": 1, "steps": 9, "rotation": 1})", "3: orbit.rotation",
             "needs an axis"),
        slip("orbit_axis", R"("title": "t")",
             R"("orbit": {"period": 1, "steps": 9, "axis": [0, 0, 0], "rotation": 1})",
             "3: orbit.axis", "must not be zero"),
        slip("orbit_relabel", R"("title": "t")",
             R"("orbit": {"period": 1, "steps": 9, "relabel": [0, 0, 0, 0]})",
             "3: orbit.relabel[1]", "there twice"),
        // The system
        slip("no_system", "\"system\": {", "\"title2\": {", "4: title2", "unknown key",
             "did you mean title?"),
        refused("system_list", "{\"twosphere\": 1,\n\"initial\": {},\n\"system\": []}", "3: system",
                "must be an object, not a list"),
        refused("missing_system", R"({"twosphere": 1, "initial": {}})", "1",
                "missing key \"system\""),
        refused("missing_initial", R"({"twosphere": 1, "system": {}})", "1",
                "missing key \"initial\""),
        slip("no_type", R"("type": "chain_pendulum",)", "", "4: system", "missing key \"type\""),
        slip("unknown_system", "chain_pendulum", "chain_pendulun", "4: system.type",
             "unknown system \"chain_pendulun\"", "did you mean chain_pendulum?", "known: "),
        slip("far_system", "chain_pendulum", "rocket", "4: system.type",
             "unknown system \"rocket\"; known: chain_pendulum"),
        slip("parameters_of_another_system", "chain_pendulum", "custom", "5: system.masses",
             "unknown key", "allowed: type, bodies, dynamics, parameters"),
        slip("unknown_parameter", "\"masses\"", "\"mases\"", "5: system.mases", "unknown key",
             "did you mean masses?", "allowed: type, masses, lengths"),
        slip("missing_parameter", "\"masses\": [1, 2],\n", "\n", "4: system",
             "missing key \"masses\""),
        slip("damping", "\"gravity\": 9.81", "\"damping\": -1", "7: system.damping",
             "must be 0 or greater"),
        slip("sine_of_a_force", "\"tip_force\": [0, 0, 0]", R"("tip_force": {"type": "sine"})",
             "8: system.tip_force", "missing key \"amplitude\""),
        slip("pd_of_a_force", "\"tip_force\": [0, 0, 0]", R"("tip_force": {"type": "pd"})",
             "8: system.tip_force.type", "unknown tip force \"pd\"", "known: sine"),
        refused("torque_of_no_form", with_torque(R"(1)"), "8: system.control_torque",
                "must be a list of 3 numbers or an object with a type, one of: sine, pd"),
        refused("torque_without_type", with_torque(R"({"kp": 1})"), "8: system.control_torque",
                "missing key \"type\""),
        refused("torque_of_unknown_type", with_torque(R"({"type": "pid"})"),
                "8: system.control_torque.type", "unknown control torque \"pid\"",
                "did you mean pd? known: sine, pd"),
        refused("sine_without_frequency",
                with_torque(R"({"type": "sine", "amplitude": [1, 0, 0]})"),
                "8: system.control_torque", "missing key \"frequency\""),
        refused("sine_of_a_number", with_torque(R"({"type": "sine", "amplitude": 1})"),
                "8: system.control_torque.amplitude", "must be a list of 3 numbers"),
        refused("sine_with_gain", with_torque(R"({"type": "sine", "kp": 1})"),
                "8: system.control_torque.kp", "unknown key", "type, amplitude, frequency, phase"),
        refused("pd_without_target", with_torque(R"({"type": "pd", "kp": 1, "kd": 1})"),
                "8: system.control_torque", "missing key \"target_q\""),
        refused("pd_with_no_direction",
                with_torque(R"({"type": "pd", "target_q": [0, 0, 0], "kp": 1, "kd": 1})"),
                "8: system.control_torque.target_q", "must not be the zero vector"),
        refused("pd_with_negative_gain",
                with_torque(R"({"type": "pd", "target_q": [0, 0, 1], "kp": 1, "kd": -1})"),
                "8: system.control_torque.kd", "must be 0 or greater, not -1"),
        slip("too_few_masses", "[1, 2]", "[1]", "5: system.masses", "must be one number or have 2",
             "not 1"),
        slip("too_many_masses", "[1, 2]", "[1, 2, 3]", "5: system.masses",
             "must be one number or have 2", "not 3"),
        slip("mass_zero", "[1, 2]", "[1, 0]", "5: system.masses[1]",
             "must be greater than 0, not 0"),
        slip("mass_negative", "[1, 2]", "-1", "5: system.masses", "must be greater than 0, not -1"),
        slip("mass_truth", "[1, 2]", "true", "5: system.masses", "must be a number or a list of 2",
             "not true"),
        slip("inertia_vanishes", "[1, 2],\n\"lengths\": 0.5", "1e-320,\n\"lengths\": 1e-300",
             "4: system", "the inertia is not positive definite"),
        slip("inertia_overflows", "[1, 2],\n\"lengths\": 0.5", "1e300,\n\"lengths\": 1e300",
             "4: system", "the inertia is not positive definite"),
        slip("mass_text", "[1, 2]", "[1, \"two\"]", "5: system.masses[1]:1",
             R"(must be a number, not "two": "two" is not known)", "\n    two\n    ^"),
        slip("mass_unit", "[1, 2]", "[1, \"2 m\"]", "5: system.masses[1]:1",
             "the value must be in kg, not in m", "\n    2 m\n    ^"),
        slip("mass_expression_negative", "[1, 2]", "\"-2*500 g\"", "5: system.masses",
             "must be greater than 0, not -1"),
        slip("gravity_unfinished", "9.81", "\"9.81*\"", "7: system.gravity:6",
             "the expression ends too early", "\n    9.81*\n         ^"),
        slip("step_unit", "0.01", "\"10 kg\"", "13: integrator.step:1",
             "the value must be in s, not in kg"),
        slip("omega_unit", "[2, 0, 0]", "[\"2 s\", 0, 0]", "11: initial.omega[1][0]:1",
             "the value must be in rad/s, not in s"),
        slip("event_unit", R"("system.gravity": 1.62)", R"("system.gravity": "1.62 m/s")",
             "15: events[0].set.system.gravity:1", "the value must be in m/s², not in m s^-1"),
        slip("pull_unit", R"("set": {
"system.gravity": 1.62})",
             R"("pull": {"body": 0, "force": ["1 J", 0, 0], "steps": 2})",
             "14: events[0].pull.force[0]:1", "the value must be in N, not in J"),
        slip("every_expression", "\"duration\"", R"("every": "3/2", "duration")", "16: every",
             "must be a whole number of at least 1, not 1.5"),
        slip("mass_object", "[1, 2]", "{}", "5: system.masses", "must be a number or a list of 2",
             "an object"),
        slip("length_zero", "0.5", "0", "6: system.lengths", "must be greater than 0"),
        slip("gravity_list", "9.81", "[9.81]", "7: system.gravity", "must be a number, not a list"),
        slip("gravity_null", "9.81", "null", "7: system.gravity", "must be a number, not null"),
        slip("gravity_beyond", "9.81", "1e400", "7", "exceeds the range of a double"),
        slip("gravity_nan", "9.81", "NaN", "7", "not JSON"),
        slip("force_number", "[0, 0, 0]}", "1}", "8: system.tip_force",
             "must be a list of 3 numbers or an object with a type, one of: sine, not 1"),
        slip("force_short", "[0, 0, 0]}", "[1, 2]}", "8: system.tip_force",
             "must have 3 numbers, not 2"),
        slip("force_nested", "[0, 0, 0]}", "[1, 2, [3]]}", "8: system.tip_force[2]",
             "must be a number, not a list"),
        // The start
        slip("no_q", "\"q\": [[0.6, 0, 0.8], [0, 0, 1]],", "", "9: initial", "missing key \"q\"",
             "number of bodies"),
        slip("no_bodies", from_q, "[]", "10: initial.q", "at least one entry"),
        slip("q_number", from_q, "1", "10: initial.q", "must be a list, not 1"),
        slip("q_flat", from_q, "[0, 0, 1]", "10: initial.q[0]", "must be a list of 3 numbers"),
        slip("q_short", "[0, 0, 1]],", "[0, 1]],", "10: initial.q[1]",
             "must have 3 numbers, not 2"),
        slip("q_text", "[0, 0, 1]],", "[0, 0, \"up\"]],", "10: initial.q[1][2]:1",
             "must be a number, not \"up\""),
        slip("q_off", "0.6", "0.7", "10: initial.q[0]", "| |q| − 1 | = 0.063",
             "allowed up to 0.001"),
        slip("q_zero", "[0, 0, 1]],", "[0, 0, 0]],", "10: initial.q[1]", "| |q| − 1 | = 1"),
        slip("q_huge", "[0, 0, 1]],", "[0, 0, 1e300]],", "10: initial.q[1]",
             "| |q| − 1 | = 1e+300"),
        slip("omega_off", "[2, 0, 0]", "[2, 0, 0.1]", "11: initial.omega[1]", "|q·ω|", "= 0.0499",
             "allowed up to 0.001"),
        slip("omega_slow_off", "[2, 0, 0]", "[0, 0, 0.002]", "11: initial.omega[1]",
             "= 0.002, allowed"),
        slip("omega_huge", "[2, 0, 0]", "[1e308, 1e308, 0]", "9: initial", "energy",
             "not a finite number"),
        slip("omega_count", from_omega, "[[0, 1, 0]]", "11: initial.omega", "must have 2 entries",
             "not 1"),
        slip("no_omega", ",\n\"omega\": " + from_omega, "", "9: initial", "missing key \"omega\""),
        slip("both", from_omega, from_omega + ",\n\"velocity\": []", "12: initial.velocity",
             "omega and velocity cannot be given together"),
        slip("q_next_and_omega", "\"omega\":", "\"q_next\": [[0.6, 0, 0.8], [0, 0, 1]], \"omega\":",
             "11: initial.q_next", "omega and q_next cannot be given together"),
        slip("q_next_count", "\"omega\": " + from_omega, "\"q_next\": [[0.6, 0, 0.8]]",
             "11: initial.q_next", "must have 2 entries", "not 1"),
        slip("q_next_off", "\"omega\": " + from_omega, "\"q_next\": [[0.7, 0, 0.8], [0, 0, 1]]",
             "11: initial.q_next[0]", "| |q| − 1 | = 0.063"),
        slip("q_next_far", "\"omega\": " + from_omega, "\"q_next\": [[0.6, 0, 0.8], [0, 0, -1]]",
             "11: initial.q_next[1]", "q·q_next = -1, allowed greater than 0"),
        slip("velocity_off", "\"omega\": " + from_omega, "\"velocity\": [[0, 1, 0], [0, 0, 1]]",
             "11: initial.velocity[1]", "|q·q̇|", "= 1, allowed"),
        slip("generator", "\"q\": " + from_q, R"("generator": {"type": "icosphere"})",
             "10: initial.generator", "missing key \"subdivisions\""),
        slip("generator_kind", "\"q\": " + from_q, R"("generator": {"type": "icosfere"})",
             "10: initial.generator.type", "unknown generator", "did you mean icosphere?"),
        slip("generator_size", "\"q\": " + from_q,
             R"("generator": {"type": "icosphere", "subdivisions": 8})",
             "10: initial.generator.subdivisions", "from 0 to 7, not 8"),
        slip("generator_and_list", "\"q\":", R"("generator": {"type": "icosphere"}, "q":)",
             "10: initial.generator", "cannot be given together"),
        slip("generated_velocity", "\"omega\": " + from_omega,
             R"("velocity": {"type": "two_vortices"})", "11: initial.velocity",
             "missing key \"width\""),
        slip("angles_and_q", "\"omega\":", R"("angles": [[1, 0], [0, 0]], "omega":)",
             "11: initial.angles", "angles and q cannot be given together"),
        slip("rates_of_nothing", "\"omega\": " + from_omega, "\"rates\": [[1, 0], [0, 0]]",
             "11: initial.rates", "need angles"),
        slip("rates_and_omega", "\"q\": " + from_q,
             R"("angles": [[1, 0], [0, 0]], "rates": [[0, 0], [0, 0]])", "10: initial.rates",
             "rates and omega cannot be given together"),
        slip("angles_of_three", "\"q\": " + from_q, "\"angles\": [[1, 0], [0, 0, 1]]",
             "10: initial.angles[1]", "must have 2 numbers, not 3"),
        slip("angles_unit", "\"q\": " + from_q, R"("angles": [[1, 0], ["1 m", 0]])",
             "10: initial.angles[1][0]:1", "not in m"),
        slip("initial_unknown", "\"omega\"", "\"omege\"", "11: initial.omege", "unknown key",
             "did you mean omega?", "allowed: q, omega, velocity"),
        // The method
        slip("no_integrator", "\"integrator\"", "\"integratr\"", "12: integratr",
             "did you mean integrator?"),
        slip("missing_integrator", "\"integrator\": {\"type\": \"variational\",\n\"step\": 0.01},",
             "", "1", "missing key \"integrator\""),
        slip("unknown_integrator", "variational", "variatonal", "12: integrator.type",
             "unknown integrator \"variatonal\"", "did you mean variational?", "rk4"),
        slip("integrator_that_cannot", "variational", "rotation4", "12: integrator.type",
             "rotation4 needs uncoupled bodies",
             "integrators for this system: variational, variational4"),
        slip("no_step", ",\n\"step\": 0.01", "", "12: integrator", "missing key \"step\""),
        slip("step_zero", "0.01", "0", "13: integrator.step", "must be greater than 0, not 0"),
        slip("step_negative", "0.01", "-0.01", "13: integrator.step",
             "must be greater than 0, not -0.01"),
        slip("step_tiny", "0.01", "1e-300", "16: duration", "more than 2^53 - 1 steps"),
        slip("tolerance", "\"step\"", R"("relative_tolerance": 1, "step")",
             "13: integrator.relative_tolerance", "unknown key", "allowed: type, step"),
        slip("formulation_of_vi", "\"step\"", R"("formulation": "omega", "step")",
             "13: integrator.formulation", "unknown key"),
        slip("formulation_unknown", "\"variational\",", R"("rk4", "formulation": "omga",)",
             "12: integrator.formulation", "unknown formulation", "did you mean omega?"),
        slip("two_lanes", "\"integrator\": {\"type\": \"variational\",\n\"step\": 0.01}",
             "\"lanes\": [{\"type\": \"rk4\", \"step\": 1},\n{\"type\": \"rk4\", "
             "\"step\": 0.4}]",
             "13: lanes[1].step", "1 s, the step of lanes[0]", "whole number of steps of 0.4 s"),
        slip("lanes_of_one_name", "\"integrator\": {\"type\": \"variational\",\n\"step\": 0.01}",
             "\"lanes\": [{\"type\": \"rk4\", \"step\": 1},\n{\"type\": \"heun\", "
             R"("name": "rk4", "step": 1}])",
             "13: lanes[1].name", "\"rk4\" is already used by lanes[0]"),
        slip("lane_of_a_state_that_is_none",
             "\"integrator\": {\"type\": \"variational\",\n\"step\": 0.01}",
             "\"lanes\": [{\"type\": \"rk4\", \"step\": 1},\n{\"type\": \"heun\", "
             R"("work": 0, "step": 1}])",
             "13: lanes[1].work", "unknown key"),
        slip("no_lanes", "\"integrator\": {\"type\": \"variational\",\n\"step\": 0.01}",
             "\"lanes\": []", "12: lanes", "must have an entry"),
        slip("lanes_and_integrator", "\"duration\"", "\"lanes\": [],\n\"duration\"", "16: lanes",
             "integrator and lanes cannot be given together"),
        slip("lane_name", "\"integrator\": {\"type\": \"variational\",\n\"step\": 0.01}",
             R"("lanes": [{"type": "rk4", "step": 1, "name": "a/b"}])", "12: lanes[0].name",
             "must not contain a slash"),
        refused("too_many_stop_conditions", with_stop("[0" + repeated(1000, ", 0") + "]"),
                "16: stop", "must have at most 1000 entries, not 1001"),
        slip("lane_name_as_a_formula",
             "\"integrator\": {\"type\": \"variational\",\n\"step\": 0.01}",
             R"("lanes": [{"type": "rk4", "step": 1, "name": "=A1"}])", "12: lanes[0].name",
             "must not begin with =, which spreadsheets take for a formula"),
        slip("lane_name_with_a_control_character",
             "\"integrator\": {\"type\": \"variational\",\n\"step\": 0.01}",
             R"("lanes": [{"type": "rk4", "step": 1, "name": "a\u009b"}])", "12: lanes[0].name",
             "must not contain a control character"),
        // The run
        slip("no_duration", ",\n\"duration\": 10", "", "1", "missing key \"duration\""),
        slip("duration_zero", "10\n}", "0\n}", "16: duration", "must be greater than 0, not 0"),
        slip("duration_text", "10\n}", "\"long\"\n}", "16: duration:1",
             "must be a number, not \"long\""),
        slip("every_zero", "\"duration\"", R"("every": 0, "duration")", "16: every",
             "whole number of at least 1, not 0"),
        slip("every_beyond", "\"duration\"", R"("every": 1e300, "duration")", "16: every",
             "whole number from 1 to 2^53 - 1, not 1e+300"),
        slip("duration_too_long", "10\n}", "1e300\n}", "16: duration",
             "1e+300 s is more than 2^53 - 1 steps of 0.01 s"),
        slip("every_event_zero", "\"system.gravity\": 1.62", "\"every\": 0",
             "15: events[0].set.every", "must be a whole number of at least 1, not 0"),
        slip("every_event_no_multiple", "\"system.gravity\": 1.62}}]",
             R"("every": 4}}, {"step": 9, "set": {"every": 6}}])", "15: events[1].set.every",
             "must be a multiple or a divisor of the previous stride, 4, not 6"),
        slip("every_event_before_its_time", "\"system.gravity\": 1.62}}]",
             R"("every": 6}}, {"step": 1, "set": {"every": 4}}])", "15: events[0].set.every",
             "must be a multiple or a divisor of the previous stride, 4, not 6"),
        slip("every_half", "\"duration\"", R"("every": 1.5, "duration")", "16: every",
             "whole number of at least 1, not 1.5"),
        // Events
        slip("events_object", "[{\"step\": 3, \"set\": {\n\"system.gravity\": 1.62}}]", "{}",
             "14: events", "must be a list"),
        slip("event_step", "\"step\": 3", "\"step\": -1", "14: events[0].step",
             "whole number of at least 0, not -1"),
        slip("event_empty", "{\n" + from_event + "}", "{}", "14: events[0].set",
             "must set at least one value"),
        slip("event_pull", "\"set\": {\n" + from_event + "}", "\"pull\": {}", "14: events[0].pull",
             "missing key \"body\""),
        slip("event_unknown", "\"set\"", "\"sett\"", "14: events[0].sett", "unknown key",
             "did you mean set?"),
        slip("event_since", "\"step\": 3", R"("since": 4, "step": 3)", "14: events[0].since",
             "must be at most the step of the event, 3, not 4"),
        slip("event_since_negative", "\"step\": 3", R"("since": -1, "step": 3)",
             "14: events[0].since", "whole number of at least 0, not -1"),
        slip("event_since_resume", "\"set\": {\n" + from_event + "}",
             R"("resume": true, "since": 1)", "14: events[0].since",
             "cannot be combined with resume"),
        slip("event_resume_false", "\"set\": {\n" + from_event + "}", "\"resume\": false",
             "14: events[0].resume", "must be true"),
        slip("event_resume_text", "\"set\": {\n" + from_event + "}", R"("resume": "yes")",
             "14: events[0].resume", "must be true or false, not \"yes\""),
        slip("event_resume_set", "\"set\": {", R"("resume": true, "set": {)", "14: events[0].set",
             "cannot be combined with resume"),
        slip("event_stop", from_event, R"("stop": [{"time": 5}, {"tme": 5}])",
             "15: events[0].set.stop", "stop[1].tme: unknown key", "did you mean time?"),
        // Stop conditions
        refused("stop_object", with_stop("{\"time\": 5}"), "16: stop", "must be a list"),
        refused("stop_number", with_stop("[5]"), "16: stop[0]", "must be an object, not 5"),
        refused("stop_empty", with_stop("[{}]"), "16: stop[0]", "\"time\"", "\"quantity\""),
        refused("stop_key", with_stop(R"([{"quantity": "energy_error", "over": 1}])"),
                "16: stop[0].over", "unknown key",
                "allowed: time, quantity, expression, above, below"),
        refused("stop_quantity",
                with_stop("[{\"time\": 1},\n{\"quantity\": \"energy_eror\", \"above\": 1}]"),
                "17: stop[1].quantity", "unknown quantity \"energy_eror\"",
                "did you mean energy_error?", "known: kinetic_energy"),
        refused("stop_quantity_of_others",
                with_stop(R"([{"quantity": "angular_momentum_x", "above": 1}])"),
                "16: stop[0].quantity", "unknown quantity", "angular_momentum_z"),
        refused("stop_quantity_time", with_stop(R"([{"quantity": "time", "above": 1}])"),
                "16: stop[0].quantity", "unknown quantity \"time\""),
        refused("stop_no_bound", with_stop(R"([{"quantity": "work"}])"), "16: stop[0]",
                "missing bound", R"("above" or "below")"),
        refused("stop_both_bounds", with_stop(R"([{"quantity": "work", "above": 1, "below": 0}])"),
                "16: stop[0].below", "above and below cannot be combined"),
        refused("stop_time_bound", with_stop(R"([{"time": 1, "above": 1}])"), "16: stop[0].above",
                "cannot be combined with time"),
        refused("stop_bound_text", with_stop(R"([{"quantity": "work", "above": "1 m"}])"),
                "16: stop[0].above:1", "the value must be in J, not in m"),
        refused("stop_bound_beyond", with_stop(R"([{"quantity": "work", "above": 1e999}])"), "16",
                "exceeds the range of a double"),
        refused("stop_bound_negative", with_stop(R"([{"quantity": "energy_error", "above": -1}])"),
                "16: stop[0].above", "must be 0 or greater, not -1", "magnitude"),
        slip("event_no_path", from_event, "\"system.gravty\": 1", "15: events[0].set.system.gravty",
             "did you mean gravity?"),
        slip("event_start", from_event, "\"initial.q[0][0]\": 1",
             "15: events[0].set.initial.q[0][0]", "an event sets system"),
        slip("event_type", from_event, R"("system.type": "n_body")",
             "15: events[0].set.system.type", "no such value"),
        slip("event_value", from_event, "\"system.masses[0]\": 0",
             "15: events[0].set.system.masses[0]", "must be greater than 0, not 0"),
        slip("event_index", from_event, "\"system.masses[2]\": 1",
             "15: events[0].set.system.masses[2]", "has 2 entries"),
        slip("event_kind", from_event, R"("integrator.step": "small")",
             "15: events[0].set.integrator.step:1", "must be a number"),
        slip("event_step_tiny", from_event, "\"integrator.step\": 1e-300",
             "15: events[0].set.integrator.step",
             "duration: 10 s is more than 2^53 - 1 steps of 1e-300 s"),
        slip("event_terminal_codes", from_event, "\"system.\\u001b[31m.x\": 1",
             "15: events[0].set.\"system.\\x1b[31m.x\"",
             "\"system.\\x1b[31m.x\" is not a path: a bracket is not closed"),
        slip("event_lane_negative", from_event, "\"lanes[-1].step\": 0.005",
             "15: events[0].set.lanes[-1].step", "from 0, not \"-1\"",
             "a path looks like system.masses[0]"),
        slip("event_lane_overflow", from_event, "\"lanes[18446744073709551616].step\": 0.005",
             "15: events[0].set.lanes[18446744073709551616].step",
             "from 0, not \"18446744073709551616\"", "a path looks like system.masses[0]"),
        slip("event_lane_missing", from_event, "\"lanes[].step\": 0.005",
             "15: events[0].set.lanes[].step", "from 0, not \"\"",
             "a path looks like system.masses[0]"),
        slip("event_lane_word", from_event, "\"lanes[a].step\": 0.005",
             "15: events[0].set.lanes[a].step", "from 0, not \"a\"",
             "a path looks like system.masses[0]"),
        slip("event_lane_sign", from_event, "\"lanes[+7].step\": 0.005",
             "15: events[0].set.lanes[+7].step", "from 0, not \"+7\"",
             "a path looks like system.masses[0]"),
        slip("event_lane_open", from_event, "\"lanes[\": 0.005", "15: events[0].set.lanes[",
             "not closed", "a path looks like system.masses[0]"),
        slip("event_lane_blank", from_event, "\"lanes[ 9].step\": 0.005",
             "15: events[0].set.lanes[ 9].step", "from 0, not \" 9\"",
             "a path looks like system.masses[0]"),
        slip("event_lane_far", from_event, "\"lanes[18446744073709551615].step\": 0.005",
             "15: events[0].set.lanes[18446744073709551615].step", "there is one lane"),
        slip("event_lane_list", from_event, "\"lanes.step\": 0.005", "15: events[0].set.lanes.step",
             "there is one lane: lanes[0] (variational); specify one, as in lanes[0].step"),
        slip("event_method_and_its_key", from_event,
             R"("integrator.type": "none", "integrator.relative_tolerance": 1e-6)",
             "15: events[0].set.integrator.type", "unknown integrator"),
        slip("event_method_number_and_its_key", from_event,
             R"("integrator.type": 5, "integrator.relative_tolerance": 1e-6)",
             "15: events[0].set.integrator.type", "must be a string, not 5"),
        slip("event_method", from_event, R"("integrator.type": "variatonal")",
             "15: events[0].set.integrator.type", "did you mean variational?"),
        // State files
        slip("state_incomplete", "\"duration\"", "\"step_index\": 5,\n\"duration\"", "1",
             "missing key \"time_origin\""),
        slip("state_no_index", "\"duration\"", "\"work\": 5,\n\"duration\"", "1",
             "missing key \"step_index\""),
        slip("state_index", "\"duration\"", "\"step_index\": 5.5,\n\"duration\"", "16: step_index",
             "whole number"),
        slip("state_times_too_close", "\"duration\"",
             R"("time_origin": 1e15, "step_index": 5, "energy_reference": 1, )"
             "\"work\": 0,\n\"duration\"",
             "13: integrator.step", "must be at least 0.125 s",
             "with 0.01 s rows would have equal times"),
        slip("state_memory", "\"duration\"", R"("integrator_state": {"p": 1}, )" + state_keys,
             "16: integrator_state.p", "must be a list, not 1"),
        slip("state_of_another_method", "\"duration\"",
             "\"integrator_state\": {\"p\": [1]},\n" + state_keys, "16: integrator_state",
             "is not what variational writes for 2 bodies"),
        slip("state_compensation", "\"duration\"",
             "\"integrator_state\": {\"work_compensation\": []},\n" + state_keys,
             "16: integrator_state.work_compensation", "must have 1 number, not 0"),
        refused(
            "state_velocity",
            [] {
              std::string text = replaced("\"duration\"", state_keys);
              return text.replace(text.find("omega"), 5, "velocity");
            }(),
            "9: initial", "missing key \"omega\"")),
    [](const auto& test) { return std::string(test.param.name); });

/// The same with another system.
std::string system_of(const std::string& keys, const std::string& q = from_q) {
  std::string text = valid;
  const auto begin = text.find("\"type\""), end = text.find("},\n\"initial\"");
  text.replace(begin, end - begin, keys);
  text.replace(text.find(from_q), from_q.size(), q);
  const auto event = text.find("\"events\"");
  return text.erase(event, text.find("\"duration\"") - event);
}
const std::string rod = R"("type": "elastic_rod", "mass": 1, "length": 1,
"stiffness": 1, "elements": )";
const std::string dipoles = R"("type": "dipole_array", "masses": 1, "lengths": 1, "moments": 1)";
const std::string network = R"("type": "pendulum_network", "masses": 1, "lengths": 1,
"pivots": [[0, 0, 0], [1, 0, 0]])";
const std::string molecules = R"("type": "lennard_jones", "masses": 1, "epsilon": 1)";
const std::string bodies = R"("type": "n_body", "masses": [1, 1])";

INSTANTIATE_TEST_SUITE_P(
    Systems, ScenarioErrors,
    testing::Values(
        // What fixes n must agree.
        refused("elements", system_of(rod + "3"), "5: system.elements",
                "must agree with the start, which has 2 bodies, not 3"),
        refused("elements_half", system_of(rod + "2.5"), "5: system.elements",
                "whole number of at least 1, not 2.5"),
        refused("elements_beyond", system_of(rod + "1e300"), "5: system.elements",
                "whole number from 1 to 2^53 - 1, not 1e+300"),
        refused(
            "elements_alone",
            [] {
              std::string text = system_of(rod + "2");
              return text.erase(text.find("\"q\""), text.find("\"omega\"") - text.find("\"q\""));
            }(),
            "6: initial", "missing key \"q\"", "number of bodies"),
        refused(
            "pivots",
            system_of(
                R"("type": "pendulum_network", "masses": 1, "lengths": 1, "pivots": [[0, 0, 0]])"),
            "4: system.pivots", "must have 2, one per body", "not 1"),
        refused("pivots_missing",
                system_of(R"("type": "pendulum_network", "masses": 1, "lengths": 1)"), "4: system",
                "missing key \"pivots\""),
        refused("positions",
                system_of(dipoles + R"(, "positions": [[0, 0, 0], [1, 0, 0], [2, 0, 0]])"),
                "4: system.positions", "must have 2, one per body", "not 3"),
        refused("lattice",
                system_of(dipoles + R"(, "lattice": {"rows": 2, "columns": 2, "spacing": 1})"),
                "4: system.lattice", "rows · columns must agree", "2 bodies, not 2 · 2"),
        refused("lattice_half",
                system_of(dipoles + R"(, "lattice": {"rows": 0.5, "columns": 4, "spacing": 1})"),
                "4: system.lattice.rows", "whole number of at least 1, not 0.5"),
        refused("lattice_spacing",
                system_of(dipoles + R"(, "lattice": {"rows": 1, "columns": 2, "spacing": 0})"),
                "4: system.lattice.spacing", "greater than 0, not 0"),
        refused("lattice_key",
                system_of(dipoles + R"(, "lattice": {"row": 1, "columns": 2, "spacing": 1})"),
                "4: system.lattice.row", "unknown key", "did you mean rows?"),
        refused("no_positions", system_of(dipoles), "4: system",
                "needs either positions or lattice"),
        refused(
            "generator_count",
            [] {
              std::string text = replaced(
                  "\"q\": " + from_q, R"("generator": {"type": "icosphere", "subdivisions": 0})");
              return text;
            }(),
            "11: initial.omega", "must have 12 entries, one per body of the start, not 2"),
        // Where bodies cannot be
        refused("bodies_coincide", system_of(bodies, "[[0, 0, 1],\n[0, 0, 1]]"), "7: initial.q[1]",
                "coincides with body 0", "< 1e-12"),
        refused("bodies_antipodal", system_of(bodies, "[[0, 0, 1],\n[0, 0, -1]]"),
                "7: initial.q[1]", "coincides with body 0's antipode", "< 1e-12"),
        refused("bodies_close", system_of(bodies, "[[0, 0, 1],\n[1e-7, 0, 1]]"), "7: initial.q[1]",
                "coincides with body 0"),
        refused("molecules_coincide", system_of(molecules, "[[0, 0, 1],\n[0, 0, 1]]"),
                "7: initial.q[1]", "coincides with body 0"),
        refused("magnets_coincide", system_of(dipoles + R"(, "positions": [[1, 0, 0],
[1, 0, 0]])"),
                "5: system.positions[1]", "coincides with position 0"),
        refused("spring_without_length",
                system_of(R"("type": "pendulum_network", "masses": 1, "lengths": 1,
"pivots": [[1, 0, 0], [1, 0, 0]], "springs": [{"stiffness": 1,
"between": [0, 1]}])"),
                "6: system.springs[0].between", "rest length would be 0"),
        // Springs
        refused("spring_end",
                system_of(network + R"(, "springs": [{"between": [0, 2], "stiffness": 1}])"),
                "5: system.springs[0].between[1]", "whole number from 0 to 1, not 2"),
        refused("spring_one_end",
                system_of(network + R"(, "springs": [{"between": [1, 1], "stiffness": 1}])"),
                "5: system.springs[0].between", "two different bodies, not 1 twice"),
        refused("spring_three_ends",
                system_of(network + R"(, "springs": [{"between": [0, 1, 1], "stiffness": 1}])"),
                "5: system.springs[0].between", "must have 2 bodies, counted from 0, not 3"),
        refused("spring_negative",
                system_of(network + R"(, "springs": [{"between": [0, 1], "stiffness": -1}])"),
                "5: system.springs[0].stiffness", "must be 0 or greater, not -1"),
        refused("spring_key",
                system_of(network + R"(, "springs": [{"between": [0, 1], "stifness": 1}])"),
                "5: system.springs[0].stifness", "unknown key", "did you mean stiffness?"),
        // Rod, molecules
        refused("rod_inertia", system_of(rod + R"(2, "inertia": "publishd")"), "5: system.inertia",
                "unknown inertia \"publishd\"",
                "did you mean published? known: published, consistent"),
        refused("rod_clamp", system_of(rod + "2,\n\"clamp_direction\": [0, 0, 0]"),
                "6: system.clamp_direction", "must not be the zero vector"),
        refused("rod_ends", system_of(rod + R"(2, "ends": "fre")"), "5: system.ends",
                "unknown ends \"fre\"", "did you mean free? known: clamped, free, pinned, closed"),
        refused("rod_free", system_of(rod + R"(2, "ends": "free", "inertia": "published")"),
                "5: system.inertia", "with free ends it must be \"consistent\""),
        refused("rod_closed", system_of(rod + R"(2, "ends": "closed", "inertia": "consistent")"),
                "5: system.elements", "must be at least 3 with closed ends, not 2"),
        refused("rod_stiffness",
                system_of(R"("type": "elastic_rod", "mass": 1, "length": 1, "elements": 2,
"stiffness": [1, 1, 1])"),
                "5: system.stiffness", "one number or have 2", "not 3"),
        refused("sigma_word", system_of(molecules + R"(, "sigma": "atuo")"), "4: system.sigma:1",
                R"(must be a number or "auto", not "atuo")"),
        refused("sigma_zero", system_of(molecules + R"(, "sigma": 0)"), "4: system.sigma",
                "greater than 0, not 0"),
        refused("cutoff_negative", system_of(molecules + R"(, "cutoff": -1)"), "4: system.cutoff",
                "greater than 0, not -1"),
        refused("coupling", system_of(R"("type": "conformal_particles", "masses": 1,
"coupling": 1)"),
                "5: system.coupling",
                "must be below 1, not 1; otherwise the inertia is not positive definite")),
    [](const auto& test) { return std::string(test.param.name); });

TEST(Scenario, what_is_left_out_has_the_default_of_the_format) {
  const auto values = [](const std::string& keys) { return read(system_of(keys)).parameters; };
  using Numbers = std::vector<double>;
  const auto chain = values(R"("type": "chain_pendulum", "masses": 1, "lengths": 1)");
  EXPECT_EQ(chain.at("gravity"), Numbers{9.81});
  EXPECT_EQ(chain.at("damping"), Numbers{0});
  EXPECT_EQ(chain.at("control_torque"), (Numbers{0, 0, 0, 0}));
  EXPECT_EQ(chain.at("tip_force"), (Numbers{0, 0, 0, 0}));
  EXPECT_EQ(values(bodies).at("gamma"), Numbers{1});
  EXPECT_EQ(values(network).at("gravity"), Numbers{9.81});
  EXPECT_EQ(values(network).at("springs"), Numbers{});
  const auto beam = values(rod + "2");
  EXPECT_EQ(beam.at("clamp_direction"), (Numbers{1, 0, 0}));
  EXPECT_EQ(beam.at("inertia"), Numbers{0});  // published
  EXPECT_EQ(beam.at("stiffness"), (Numbers{1, 1}));
  EXPECT_EQ(beam.at("ends"), Numbers{0});     // clamped
  EXPECT_EQ(beam.at("bending"), Numbers{0});  // published
  EXPECT_EQ(beam.at("closing_stiffness"), Numbers{});
  EXPECT_EQ(values(molecules).at("cutoff"), Numbers{});
  EXPECT_EQ(values(molecules + R"(, "sigma": "auto")"), values(molecules));
  const auto s = read(replaced("\"variational\"", "\"rk45\""));
  EXPECT_EQ(s.lanes[0].values.at("relative_tolerance"), Numbers{1e-3});
  EXPECT_EQ(s.lanes[0].values.at("absolute_tolerance"), Numbers{1e-6});
  EXPECT_EQ(s.lanes[0].values.at("formulation"), Numbers{0});  // omega
}

TEST(Scenario, ends_and_bending_of_a_rod_are_written_only_where_they_are_others) {
  const auto written = [](const std::string& keys) {
    return to_json(read(system_of(rod + keys))).find("system")->members;
  };
  const auto has = [](const auto& members, std::string_view key) {
    return std::any_of(members.begin(), members.end(),
                       [key](const auto& member) { return member.first == key; });
  };
  for (const char* clamped : {"2", R"(2, "ends": "clamped", "bending": "published")"}) {
    EXPECT_FALSE(has(written(clamped), "ends")) << "files stay as they were";
    EXPECT_FALSE(has(written(clamped), "bending"));
    EXPECT_FALSE(has(written(clamped), "closing_stiffness"));
  }
  const auto free = written(R"(2, "ends": "free", "bending": "linear", "inertia": "consistent")");
  EXPECT_TRUE(has(free, "ends"));
  EXPECT_TRUE(has(free, "bending"));
}

TEST(Scenario, antipodal_molecules_are_allowed) {
  EXPECT_TRUE(read_scenario(system_of(molecules, "[[0, 0, 1], [0, 0, -1]]"), "file.json"));
}

TEST(Scenario, a_title_and_a_description_are_not_endless) {
  for (const auto& [key, most] : {std::pair("title", 1'000), {"description", 20'000}}) {
    const auto with = [key = key](int length) {
      json::Node root = *json::parse(find_preset("three_body")->text, "p");
      root.set(key, json::Node(std::string(static_cast<std::size_t>(length), 'x')));
      return from_json(root, "file.json");
    };
    EXPECT_TRUE(with(most));
    EXPECT_EQ(error_of(with(most + 1)).message,
              fmt::format("must have at most {} bytes, not {}", most, most + 1));
  }
}

TEST(Scenario, a_start_off_the_sphere_is_moved_and_says_so) {
  std::vector<std::string> warnings;
  const auto start = [&](const std::string& q, const std::string& omega) {
    warnings.clear();
    std::string text = replaced(from_q, "[" + q + ", [0, 0, 1]]");
    text.replace(text.find(from_omega), from_omega.size(), "[" + omega + ", [2, 0, 0]]");
    auto s = read_scenario(text, "file.json", &warnings);
    if (!s) ADD_FAILURE() << s.error().text();
    return *s;
  };
  (void)start("[0.6, 0, 0.8]", "[0, 1, 0]");
  EXPECT_TRUE(warnings.empty());
  auto s = start("[0.6000000000003, 0, 0.8]", "[0, 1, 0]");  // 1.8e-13
  EXPECT_TRUE(warnings.empty());
  EXPECT_NEAR(s.q.col(0).norm(), 1, 3e-16);
  s = start("[0.6, 0, 0.80001]", "[0, 1, 0]");  // 8e-6
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_TRUE(warnings[0].starts_with("file.json:10: initial.q[0]: ")) << warnings[0];
  EXPECT_NEAR(s.q.col(0).norm(), 1, 3e-16);
  s = start("[0.6, 0, 0.8]", "[0, 1, 0.00001]");
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_TRUE(warnings[0].starts_with("file.json:11: initial.omega[0]: ")) << warnings[0];
  EXPECT_NEAR(s.q.col(0).dot(s.omega.col(0)), 0, 3e-16);
  // Below 1e-12 silently, up to 1e-3 with a warning.
  (void)start("[0.6, 0, 0.8]", "[0, 1, 1e-12]");  // 8e-13
  EXPECT_TRUE(warnings.empty());
  (void)start("[0.6, 0, 0.8]", "[0, 1, 1e-11]");
  EXPECT_EQ(warnings.size(), 1U);
  (void)start("[0.6, 0, 0.8]", "[0, 1e-6, 0.00124]");  // slow: against 1, not |ω|
  EXPECT_EQ(warnings.size(), 1U);
  (void)start("[0, 1, 0]", "[1e6, 1e-7, 0]");
  EXPECT_TRUE(warnings.empty());
  (void)start("[0, 1, 0]", "[1e6, 999, 0]");
  EXPECT_EQ(warnings.size(), 1U);
  (void)start("[0, 1.0009, 0]", "[1, 0, 0]");
  EXPECT_EQ(warnings.size(), 1U);
  // Against max(1, |ω|): what is refused at 2 rad/s is a rounding error at 1e6.
  (void)start("[0.6, 0, 0.8]", "[0, 1e6, 1e-3]");
  EXPECT_EQ(warnings.size(), 1U);
}

TEST(Scenario, velocity_stands_for_omega) {
  std::string text = replaced("\"omega\": " + from_omega, "\"velocity\": [[0, 1, 0], [2, 0, 0]]");
  const Scenario s = read(text);
  for (int i = 0; i < 2; ++i) {
    const Vec3 v = s.omega.col(i).cross(s.q.col(i));
    EXPECT_NEAR(v[0], i == 0 ? 0 : 2, 1e-15);
    EXPECT_NEAR(v[1], i == 0 ? 1 : 0, 1e-15);
    EXPECT_NEAR(v[2], 0, 1e-15);
  }
}

TEST(Scenario, angles_and_rates_stand_for_q_and_omega) {
  const std::string angles = "\"angles\": [[\"30 deg\", \"90 deg\"], [-0.5, 0]]";
  std::string text = replaced("\"q\": " + from_q, angles);
  text.replace(text.find("\"omega\": " + from_omega), 9 + from_omega.size(),
               "\"rates\": [[2, 0], [0.25, 3]]");
  const Scenario s = read(text);
  const double root = std::sqrt(3.0);
  EXPECT_LT((s.q.col(0) - Vec3(0, 0.5, root / 2)).norm(), 1e-15);
  EXPECT_LT((s.q.col(1) - Vec3(-std::sin(0.5), 0, std::cos(0.5))).norm(), 1e-15);
  for (int i = 0; i < 2; ++i) EXPECT_LT(std::abs(s.q.col(i).dot(s.omega.col(i))), 1e-15);
  // q̇ by differences of the angles.
  const auto q = [](double t) {
    const double theta = -0.5 + 0.25 * t, phi = 3 * t;
    return Vec3(std::sin(theta) * std::cos(phi), std::sin(theta) * std::sin(phi), std::cos(theta));
  };
  const Vec3 rate = (q(1e-5) - q(-1e-5)) / 2e-5;
  EXPECT_LT((s.omega.col(1).cross(s.q.col(1)) - rate).norm(), 1e-8);
  EXPECT_LT((s.omega.col(0).cross(s.q.col(0)) - Vec3(0, root, -1)).norm(), 1e-15);
}

bool same_start(const Scenario& a, const Scenario& b) { return a.q == b.q && a.omega == b.omega; }

TEST(Scenario, writing_and_reading_changes_no_bit) {
  std::mt19937 random(1147);
  std::normal_distribution<double> normal;
  for (int round = 0; round < 2000; ++round) {
    Scenario s = read(valid);
    for (Eigen::Index i = 0; i < 2; ++i) {
      Vec3 q, w;
      for (int k = 0; k < 3; ++k) q[k] = normal(random), w[k] = normal(random);
      // Start a little off, by amounts that are moved and amounts that are not.
      q.normalize();
      w *= std::pow(10, 3 * normal(random));
      w = tangent(q, w);
      s.q.col(i) = q * (1 + 1e-13 * normal(random) * (round % 2));
      s.omega.col(i) = w;
    }
    const auto first = value_of(read_scenario(write_scenario(s), "s"));
    const auto second = value_of(read_scenario(write_scenario(first), "s"));
    ASSERT_TRUE(same_start(first, second)) << write_scenario(first);
    ASSERT_EQ(write_scenario(first), write_scenario(second));
  }
}

TEST(Scenario, every_key_survives_writing) {
  std::string text =
      replaced("\"duration\"", R"("every": 7, "description": "d \"x\"", "stop": [{"time": 0.1},
      {"quantity": "energy_error", "above": 1e-3}, {"quantity": "total_energy", "below": -2}],
      "duration")");
  text.replace(
      text.find("\"events\": ["), 11,
      R"("events": [{"step": 9, "set": {"integrator.type": "rk4", "integrator.step": 0.02}},
                  {"step": 4, "set": {"system.masses": 3}}, {"step": 4, "set": {"system.masses": [1, 2]}},
                  {"step": 9, "resume": true}, {"step": 12, "set": {"stop": [{"time": 2}]}},)");
  const Scenario s = read(text);
  ASSERT_EQ(s.events.size(), 6U);
  const std::int64_t steps[] = {3, 4, 4, 9, 9, 12};
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(s.events[i].step, steps[i]);
  const std::string written = write_scenario(s);
  const Scenario again = read(written);
  EXPECT_EQ(write_scenario(again), written);
  EXPECT_EQ(again.every, 7);
  EXPECT_EQ(again.description, "d \"x\"");
  ASSERT_EQ(again.events.size(), 6U);
  EXPECT_TRUE(again.events[4].resume);
  const std::vector<StopCondition> stop{
      {{}, true, 0.1}, {Quantity::energy_error, true, 1e-3}, {Quantity::total_energy, false, -2}};
  EXPECT_EQ(again.stop, stop);
  EXPECT_EQ(again.events[2].set[0].value.items.size(), 2U);
  EXPECT_EQ(again.events[3].set.size(), 2U);
  EXPECT_EQ(again.parameters, s.parameters);
  EXPECT_EQ(again.lanes, s.lanes);
}

// Editors find the schema of a file by it.
TEST(Scenario, the_address_of_a_schema_is_kept) {
  const Scenario s =
      read(replaced("\"twosphere\": 1", "\"$schema\": \"s.json\", \"twosphere\": 1"));
  EXPECT_TRUE(
      write_scenario(s).starts_with("{\n  \"$schema\": \"s.json\",\n  \"twosphere\": 1,\n"));
  EXPECT_FALSE(same(s, read(valid)));
  const json::Node omega = to_json(s).find("initial")->members[1].second;
  for (const Setting& setting : {Setting{"duration", 7.5},
                                 {"system", to_json(s).members[3].second},
                                 {"initial.omega", omega}})
    EXPECT_EQ(value_of(with_settings(s, {setting})).schema, "s.json") << setting.path.text();
}

TEST(Scenario, a_lane_may_have_a_name) {
  const Scenario s =
      read(replaced("\"integrator\": {\"type\": \"variational\",\n\"step\": 0.01}",
                    "\"lanes\": [{\"type\": \"rk4\", \"step\": 1, \"name\": \"r\"}]"));
  EXPECT_EQ(s.lanes[0].name, "r");
  const auto changed = value_of(with_setting(s, "integrator.step", 0.5));
  EXPECT_EQ(changed.lanes[0].step, 0.5);
  EXPECT_EQ(changed.lanes[0].name, "r");
  EXPECT_EQ(read(write_scenario(changed)).lanes, changed.lanes);
}

// A start that nothing is set in need not be read again for that: the result is the same.
TEST(Scenario, settings_beside_the_start_leave_it_as_reading_does) {
  for (const Preset& preset : presets()) {
    auto simulation = Simulation::create(read(std::string(preset.text)));
    for (int i = 0; i < 3; ++i) ASSERT_FALSE(simulation->step());
    for (const Scenario& s : {simulation->record(), simulation->continuation()}) {
      const Setting longer{"duration", 7.5};
      const auto set = value_of(with_settings(s, {longer}));
      json::Node document = to_json(s);
      ASSERT_TRUE(assign(document, longer.path, longer.value));
      EXPECT_EQ(write_scenario(set), write_scenario(*from_json(document, "t"))) << preset.key;
      EXPECT_EQ(set.duration, 7.5);
      // ω of a system of first order follows from q, which is set in its place.
      const char* key = info_of(s).first_order ? "q" : "omega";
      const json::Node start = *to_json(s).find("initial")->find(key);
      const auto both =
          value_of(with_settings(s, {longer, {std::string("initial.") + key, start}}));
      EXPECT_TRUE(same(both, set)) << preset.key;
    }
  }
}

TEST(Scenario, the_same_are_those_that_are_written_alike) {
  const auto node = [](const char* text) { return *json::parse(text, "t"); };
  for (const std::string_view key : {"double_spherical_pendulum", "pendulum_network"}) {
    const Scenario s = read(std::string(find_preset(key)->text));
    std::vector<Scenario> all{s, {}};
    for (const Setting& setting :
         {Setting{"system.masses[1]", 3.5},
          {"initial.omega[0]", node("[0, 0, 0]")},
          {"initial.q[1]", node("[0, 0, -1]")},
          {"integrator.step", 0.0025},
          {"integrator.type", node("\"rk4\"")},
          {"duration", 3.5},
          {"every", json::Node::whole(4)},
          {"stop", node("[{\"time\": 2}]")},
          {"title", node("\"other\"")},
          {"lanes", node("[{\"type\": \"rk4\", \"step\": 0.01, \"name\": \"own\"}]")}})
      all.push_back(*with_settings(s, {setting, {"initial.omega[1]", node("[0, 0, 0]")}}));
    auto run = Simulation::create(s);
    for (int i = 0; i < 3; ++i) {
      ASSERT_FALSE(run->step());
      all.push_back(run->continuation());
      ASSERT_TRUE(run->set({{"duration", 20.0 + i}}));
      all.push_back(run->record());
    }
    std::size_t different = 0;
    for (std::size_t i = 0; i < all.size(); ++i)
      for (std::size_t k = i; k < all.size(); ++k) {
        const bool alike = !all[i].system.empty() && !all[k].system.empty()
                               ? write_scenario(all[i]) == write_scenario(all[k])
                               : i == k;
        EXPECT_EQ(same(all[i], all[k]), alike) << i << " " << k;
        EXPECT_EQ(same(all[k], Scenario(all[i])), alike) << i << " " << k;
        different += !alike;
      }
    EXPECT_GE(different, all.size());
  }
}

TEST(Scenario, a_saved_state_is_taken_bit_for_bit) {
  std::string text = replaced("\"duration\"", state_keys);
  text.replace(text.find("0.6"), 3, "0.7");  // far off the sphere, as an rk4 run may be
  std::vector<std::string> warnings;
  const auto s = value_of(read_scenario(text, "file.json", &warnings));
  ASSERT_EQ(warnings.size(), 1U) << "of what the method is without, not of the start";
  EXPECT_TRUE(says(warnings[0], "has no work_compensation, velocity, multipliers"));
  EXPECT_EQ(s.q(0, 0), 0.7);
  EXPECT_EQ(s.continuation->step_index, 5);
  EXPECT_EQ(read(write_scenario(s)).q, s.q);
}

TEST(Scenario, save_load_save_is_byte_equal_for_every_preset_and_method) {
  test::Taken taken;
  for (const Preset& preset : presets())
    for (const IntegratorInfo& method : integrators()) {
      const Scenario original = read(std::string(preset.text));
      const auto system = Simulation::create(original)->system();
      if (!method.supports(*system)) continue;
      if (original.size() > 100 && method.order != 2) continue;  // many molecules
      if (original.size() > 20 && method.key == "variational_cayley") continue;
      auto s = value_of(with_setting(original, "integrator.type", method.key));
      auto simulation = value_of(Simulation::create(s));
      const int steps = original.size() > 100 ? 3 : 50;
      for (int i = 0; i < steps; ++i) ASSERT_FALSE(simulation.step());
      const std::string first = write_scenario(simulation.continuation());
      const Scenario loaded = read(first);
      EXPECT_EQ(write_scenario(loaded), first) << preset.key << ' ' << method.key;
      auto resumed = value_of(Simulation::create(loaded));
      EXPECT_EQ(write_scenario(resumed.continuation()), first) << preset.key << ' ' << method.key;
      taken.add(preset, method);
    }
  taken.expect_all(102);
}

TEST(Scenario, presets_say_what_to_look_at) {
  for (const Preset& preset : presets()) {
    std::vector<std::string> warnings;
    const auto s = value_of(read_scenario(preset.text, preset.key, &warnings));
    EXPECT_TRUE(warnings.empty()) << warnings[0];
    EXPECT_FALSE(s.title.empty()) << preset.key;
    EXPECT_TRUE(says(s.description, "Watch")) << preset.key;
  }
  const Scenario example = read(std::string(find_preset("double_spherical_pendulum")->text));
  EXPECT_EQ(example.q(0, 0), std::sqrt(3.0) / 2);
  EXPECT_EQ(example.omega(0, 0), -std::sqrt(3.0) / 4);
  EXPECT_EQ(example.lanes[0].step, 0.01);
  EXPECT_EQ(example.duration, 100);
}

TEST(Scenario, settings_are_applied_in_order_and_checked_together) {
  const Scenario s = read(valid);
  const auto node = [](const char* text) { return *json::parse(text, "t"); };
  // Neither of the two alone is tangent.
  auto turned = with_settings(
      s, {{"initial.q[0]", node("[0, 1, 0]")}, {"initial.omega[0]", node("[1, 0, 0]")}});
  ASSERT_TRUE(turned) << turned.error().text();
  EXPECT_EQ(turned->q(1, 0), 1);
  turned = with_settings(s, {{"integrator.step", node("1")}, {"integrator.step", node("2")}});
  EXPECT_EQ(turned->lanes[0].step, 2);
  const auto swapped = value_of(with_setting(s, "integrator.type", node("\"rk4\"")));
  EXPECT_EQ(swapped.lanes[0].name, "rk4");
  for (const auto& [path, value, words] :
       {std::tuple("system.mases", "1", "did you mean masses?"),
        std::tuple("system.masses[0]", "-1", "greater than 0"),
        std::tuple("system.masses[2]", "1", "2 entries"), std::tuple("nothing", "1", "unknown key"),
        std::tuple("integrator.type", "\"euler\"", "known"),
        std::tuple("duration", "-1", "greater than 0")}) {
    const auto refused = with_setting(s, path, node(value));
    ASSERT_FALSE(refused) << path;
    EXPECT_EQ(refused.error().location, path);
    EXPECT_TRUE(says(refused.error().message, words));
  }
  EXPECT_FALSE(with_setting(s, "system.gravity", std::nan("")));
  EXPECT_FALSE(with_setting(s, "system.gravity", std::numeric_limits<double>::infinity()));
}

TEST(Scenario, steps_are_counted_by_the_contract) {
  EXPECT_EQ(count_steps(100, 0.01).steps, 10000);
  EXPECT_FALSE(count_steps(100, 0.01).rounded_up);
  EXPECT_EQ(count_steps(0.3, 0.1).steps, 3);
  EXPECT_EQ(count_steps(1, 0.3).steps, 4);
  EXPECT_TRUE(count_steps(1, 0.3).rounded_up);
  EXPECT_EQ(count_steps(1e-9, 1).steps, 1);
  EXPECT_EQ(count_steps(1, 1).steps, 1);
  EXPECT_EQ(count_steps(1 + 5e-10, 1).steps, 1);
  EXPECT_EQ(count_steps(1 + 5e-9, 1).steps, 2);
  for (const std::int64_t n : {1, 3, 7, 10000, 123456789})
    for (const double h : {0.01, 0.1, 1.0 / 3, 3e-4, 1e-7})
      EXPECT_EQ(count_steps(static_cast<double>(n) * h, h).steps, n);
}

TEST(Scenario, the_stride_keeps_the_rows_at_most_10001) {
  Scenario s = read(valid);
  const auto stride = [&](double duration, double step) {
    s.duration = duration;
    s.lanes[0].step = step;
    return sampling_stride(s);
  };
  EXPECT_EQ(stride(100, 0.01), 1);
  EXPECT_EQ(stride(100.01, 0.01), 2);
  EXPECT_EQ(stride(200, 0.01), 2);
  EXPECT_EQ(stride(1, 1), 1);
  s.every = 5;
  EXPECT_EQ(stride(100, 0.01), 5);
}

TEST(Scenario, nearest_names_slips_and_nothing_far) {
  const std::vector<std::string> names{"masses", "lengths", "gravity", "variational", "rk4"};
  EXPECT_EQ(nearest("mases", names), "masses");
  EXPECT_EQ(nearest("msases", names), "masses");
  EXPECT_EQ(nearest("lenght", names), "lengths");
  EXPECT_EQ(nearest("rk5", names), "rk4");
  EXPECT_EQ(nearest("vari", names), "variational");
  EXPECT_EQ(nearest("temperature", names), "");
  EXPECT_EQ(nearest("", names), "");
  EXPECT_EQ(nearest(std::string(100000, 'x'), names), "");
}

TEST(Scenario, a_file_that_cannot_be_read_is_an_error_of_input) {
  const Error missing = error_of(load_scenario("/nowhere/at/all.json"));
  EXPECT_EQ(missing.kind, ErrorKind::input_output);
  EXPECT_EQ(missing.text(), "/nowhere/at/all.json: No such file or directory");
  EXPECT_EQ(error_of(load_scenario("/tmp")).kind, ErrorKind::input_output);
  EXPECT_EQ(load_scenario("/dev/zero").error().kind, ErrorKind::usage);
  EXPECT_EQ(load_scenario("/dev/null").error().kind, ErrorKind::usage);
}

TEST(Scenario, differences_turn_one_into_the_other) {
  std::mt19937 random(7);
  std::vector<Scenario> all{read(valid)};
  const auto value = [&](const char* text) { return *json::parse(text, "value"); };
  const std::vector<std::vector<Setting>> edits{
      {{"system.masses[1]", 7.0}},
      {{"system.masses", value("[3, 4]")}},
      {{"system.tip_force[2]", -0.5}, {"system.gravity", 1.62}},
      {{"integrator.type", "rk45"}, {"integrator.relative_tolerance", 1e-8}},
      {{"integrator.type", "rk45"}, {"integrator.step", 0.5}},
      {{"integrator.type", "rk4"}},
      {{"integrator.step", 0.002}},
      {{"stop", value(R"([{"time": 3}, {"quantity": "work", "below": -1}])")}},
      {{"stop", value("[]")}},
      {{"duration", 33.0}, {"every", json::Node::whole(4)}},
      {{"initial.q[1]", value("[0, 1, 0]")}, {"initial.omega[1]", value("[1, 0, 5]")}},
      {{"initial.omega", value("[[0, 0, 0], [0, 0, 0]]")}}};
  for (int k = 0; k < 200; ++k) {
    const auto edited = with_settings(all[random() % all.size()], edits[random() % edits.size()]);
    if (edited) all.push_back(*edited);
  }
  ASSERT_GT(all.size(), 150u);
  const auto settings = [](const Scenario& s) {
    Scenario plain = s;
    plain.every = sampling_stride(s);
    return write_scenario(plain);
  };
  for (int k = 0; k < 300; ++k) {
    const Scenario &from = all[random() % all.size()], &to = all[random() % all.size()];
    ASSERT_EQ(settings(value_of(with_settings(from, differences(from, to)))), settings(to));
  }
  EXPECT_TRUE(differences(all[0], all[0]).empty());
  const auto one = differences(all[0], *with_setting(all[0], "system.masses[1]", 7.0));
  ASSERT_EQ(one.size(), 1u);
  EXPECT_EQ(one[0].path, "system.masses[1]");
  EXPECT_EQ(one[0].value.number, 7);
}

TEST(Scenario, every_parameter_of_an_integrator_can_be_set_by_an_event) {
  const auto system = test::make_system(test::system_cases()[0]);
  int methods = 0;
  for (const IntegratorInfo& method : integrators()) {
    const bool applies = method.supports(*system);
    methods += applies;
    std::string set =
        "\"integrator.type\": " + json::quote(method.key) + ", \"integrator.step\": 0.5";
    for (const ParameterInfo& p : method.parameters)
      if (p.live)
        set += fmt::format(", \"integrator.{}\": {}", p.key,
                           json::write(*parameter_node(p, default_numbers(p, 0))));
    const auto scenario = read_scenario(replaced(from_event, set), "file.json");
    EXPECT_EQ(scenario.has_value(), applies) << (scenario ? "" : scenario.error().text());
  }
  EXPECT_GE(methods, 10);
}

TEST(Scenario, an_event_sets_an_entry_of_what_was_one_number_for_all) {
  const Scenario s = read(replaced(from_event, "\"system.lengths[1]\": 2"));
  EXPECT_EQ(s.events[0].set[0].path, "system.lengths[1]");
  // Also where an earlier event has set one number for all.
  Scenario later = s;
  later.events = {{.step = 2, .set = {{"system.lengths[1]", 3}}},
                  {.step = 1, .set = {{"system.lengths", 2}}}};
  const Scenario again = read(write_scenario(later));
  ASSERT_EQ(again.events.size(), 2U);
  auto run = value_of(Simulation::create(again));
  for (int k = 0; k < 3; ++k) ASSERT_FALSE(run.step());
  EXPECT_EQ(run.present().parameters.find("lengths")->second, (std::vector<double>{2, 3}));
}

TEST(Scenario, very_many_events_are_checked_only_for_a_while) {
  const auto with = [](int events) {
    std::string list;
    for (int k = 0; k < events; ++k)
      list += fmt::format(R"({{"step": {0}, "set": {{"system.epsilon": {0}}}}}, )", k + 1);
    return read_scenario(
        R"({"twosphere": 1, "duration": 1, "integrator": {"type": "rotation", "step": 0.001},
        "system": {"type": "lennard_jones", "masses": 1, "epsilon": 1, "sigma": 0.02,
          "cutoff": 0.04},
        "initial": {"generator": {"type": "icosphere", "subdivisions": 5},
          "velocity": {"type": "two_vortices", "amplitude": 1, "separation": 30, "width": 15}},
        "events": [)" +
            list + R"({"step": 900, "set": {"integrator.type": "variational_cayley"}}]})",
        "events.json");
  };
  EXPECT_TRUE(says(error_of(with(2)).text(),
                   "events[2].set.integrator.type: variational_cayley supports at "
                   "most 2048 bodies"));
  EXPECT_EQ(value_of(with(120)).events.size(), 121U);
}

TEST(Scenario, the_texts_of_a_file_may_not_ask_for_ever_more) {
  using document::SettingsCheck;
  const json::Node node;
  const document::Origin source{"file.json"};
  const document::Value location(source, node, "events[7]");
  document::EventChecks checks;
  checks.count(location, 499'980);
  EXPECT_EQ(checks.next(location), SettingsCheck::running);
  checks.count(location, 0);
  EXPECT_EQ(checks.next(location), SettingsCheck::running);
  checks.count(location, 1);
  EXPECT_EQ(checks.next(location), SettingsCheck::none);
  checks.count(location, 1'000'000'000);
  custom::Constants::count(100'000'000);
  location.check_operations();
  custom::Constants::count(1);
  try {
    location.check_operations();
    ADD_FAILURE() << "is allowed";
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.error().text(),
              "file.json: events[7]: the texts of the file up to here need more than 100000000 "
              "operations, the most that are allowed");
  }
  // Another file begins anew.
  const document::Origin other{"other.json"};
  document::Value(other, node, "events[7]").check_operations();
}

TEST(Scenario, a_run_may_have_half_a_million_events) {
  json::Node forces = json::Node::array();
  forces.items.resize(499'999);
  forces.items[0] = json::Node::array();
  const json::Node pull = json::Node::object(
      {{"step", 0.0},
       {"pull", json::Node::object({{"body", 0.0}, {"force", forces}, {"steps", 1.0}})}});
  json::Node list = json::Node::array();
  const document::Origin source{"file.json"};
  const auto refused = [&](std::size_t others) {
    list.items.assign(others,
                      json::Node::object({{"step", 0.0}, {"reverse", json::Node::truth(true)}}));
    list.items.push_back(pull);
    Scenario scenario = value_of(load_preset("double_spherical_pendulum"));
    document::EventChecks checks;
    try {
      read_events(document::Value(source, list, "events"), scenario, checks);
    } catch (const Failure& failure) {
      return failure.error().text();
    }
    return std::string("nothing");
  };
  // Without a third number the second force is refused, but not for the number of events.
  EXPECT_TRUE(says(refused(1), "events[1].pull.force[0]"));
  EXPECT_EQ(refused(2),
            "file.json: events[2].pull.force: the run has 500001 events up to here, at most 500000 "
            "are allowed");
}

TEST(Scenario, a_run_that_is_reversed_at_each_end_is_planned_soon) {
  Scenario scenario = value_of(load_preset("double_spherical_pendulum"));
  scenario.duration = scenario.lanes[0].step;
  for (int k = 1; k <= 200'000; ++k) scenario.events.push_back({.step = k, .reverse = true});
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(planned_steps(scenario), 200'001);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(1));
}

// Each expression may take 10⁷ operations, but not a thousand of them.
TEST(Scenario, the_expressions_of_a_file_have_one_limit) {
  const auto scenario = [](const std::string& keys) {
    return read_scenario(R"({"twosphere": 1, "system": {"type": "lennard_jones", "masses": 1,
"epsilon": 1, "sigma": "auto"}, "initial": {"generator": {"type": "icosphere", "subdivisions": 3}},
"integrator": {"type": "variational", "step": 0.001}, "duration": 1, )" +
                             keys + "}",
                         "file.json");
  };
  std::string stops, plots;
  for (int k = 2; k < 60; ++k) {
    const std::string text = fmt::format("\"sum(i, j: (q[i].q[j])^{})\"", k);
    stops += fmt::format("{}{{\"expression\": {}, \"below\": -1e9}}", k == 2 ? "" : ", ", text);
    plots += fmt::format("{}\"p{}\": {}", k == 2 ? "" : ", ", k, text);
  }
  for (const auto& [place, keys] : {std::pair("stop[", "\"stop\": [" + stops + "]"),
                                    std::pair("plots.p", "\"plots\": {" + plots + "}")}) {
    const Error error = error_of(scenario(keys));
    EXPECT_TRUE(says(error.location, place));
    EXPECT_TRUE(says(error.message, "the texts of the file up to here need more than 100000000"));
  }
}

// Each force of a list is a separate event in the run.
TEST(Scenario, a_list_of_pulls_is_as_many_events) {
  const auto pulls = [](int count) {
    return read_scenario(replaced("\"set\": {\n" + from_event + "}",
                                  R"("pull": {"body": 0, "steps": 1, "force": [)" +
                                      repeated(count - 1, "[0,0,0],") + "[0,0,0]]}"),
                         "file.json");
  };
  EXPECT_EQ(value_of(pulls(20)).events.size(), 20u);
  const Error many = error_of(pulls(500'001));
  EXPECT_TRUE(says(many.text(), "events[0].pull.force: the run has 500001 events up to here"));
}

// The same setting has two paths, and each value that is not a number becomes one.
TEST(Scenario, an_event_that_sets_one_value_twice_holds_numbers) {
  const Scenario s =
      read(replaced(from_event, R"("integrator.step": "1/200 s", "lanes[0].step": 0.02)"));
  for (const auto& [path, value] : s.events[0].set)
    EXPECT_EQ(value.kind, json::Kind::number) << path.text();
  EXPECT_EQ(s.events[0].set[1].value.number, 0.02);
  // The last method lacks what was set for the one before.
  const Scenario other =
      read(replaced(from_event, R"("integrator.type": "rk45", "integrator.relative_tolerance": 1e-7,
                     "lanes[0].type": "rk4", "integrator.step": "1/50 s")"));
  EXPECT_EQ(other.events[0].set[3].value.number, 0.02);
}

TEST(Scenario, mutated_files_do_no_harm) {
  std::mt19937 random(20150612);
  const std::string pieces[] = {"1e308",   "-1",     "0",    "[]",     "{}",          "null",
                                "\"rk4\"", "1e-320", "\"\"", "[1, 2]", "99999999999", ","};
  int accepted = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string text = i % 2 == 0 ? valid : replaced("\"duration\"", state_keys);
    for (auto edits = random() % 3 + 1; edits > 0; --edits) {
      const auto at = random() % text.size();
      switch (random() % 5) {
        case 0:
          text[at] = static_cast<char>(random());
          break;
        case 1:
          text.erase(at, random() % 4 + 1);
          break;
        case 2:
          text.insert(at, pieces[random() % std::size(pieces)]);
          break;
        case 3:
          text[at] = "0123456789-.e[]{}"[random() % 17];
          break;
        default: {
          // One value for another.
          const auto end = text.find_first_of(",]}\n", at);
          if (end != std::string::npos)
            text.replace(at, end - at, pieces[random() % std::size(pieces)]);
        }
      }
      if (text.empty()) text = valid;
    }
    const auto read = read_scenario(text, "file");
    if (!read) {
      ASSERT_TRUE(read.error().location.starts_with("file:")) << text << read.error().text();
      ASSERT_FALSE(read.error().message.empty());
      continue;
    }
    ++accepted;
    const std::string written = write_scenario(*read);
    const auto again = value_of(read_scenario(written, "file"));
    ASSERT_EQ(write_scenario(again), written) << text;
  }
  EXPECT_GT(accepted, 200);
}

// The verdict of all pairs, also where many bodies are on one plane, in one place or off the
// sphere.
TEST(Scenario, BodiesThatMeetAreThoseOfAllPairs) {
  const auto check = find_system("n_body")->check_start;
  std::mt19937 random(11);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  int met = 0;
  for (int k = 0; k < 400; ++k) {
    const int n = 2 + static_cast<int>(random() % 60);
    const double spread = std::pow(10, -7 * uniform(random));  // from everywhere to 1e-7
    const double off = k % 3 == 0 ? std::pow(10, -14 * uniform(random)) : 0;
    Columns q(3, n);
    for (Eigen::Index i = 0; i < n; ++i) {
      q.col(i) = (Vec3(0.6, 0, 0.8) + spread * Vec3(normal(random), normal(random), normal(random)))
                     .normalized();
      if (random() % 2) q.col(i) *= -1;
      q.col(i) *= 1 + off * normal(random);
      if (k % 50 == 7 && i == 1) q.col(i) *= 3;
    }
    std::string location, message;
    for (Eigen::Index i = 0; i < n && location.empty(); ++i)
      for (Eigen::Index j = 0; j < i && location.empty(); ++j)
        if (1 - std::abs(q.col(i).dot(q.col(j))) < 1e-12) {
          location = fmt::format("q[{}]", i);
          message = fmt::format("coincides with body {}{}", j,
                                q.col(i).dot(q.col(j)) > 0 ? ":" : "'s antipode:");
        }
    const auto checked = check(q, {});
    ASSERT_EQ(checked.has_value(), location.empty()) << k;
    if (location.empty()) continue;
    ++met;
    EXPECT_EQ(checked.error().location, location) << k;
    EXPECT_TRUE(checked.error().message.starts_with(message)) << checked.error().message;
  }
  EXPECT_GT(met, 50);
  EXPECT_LT(met, 350);
}

// The mean of the 3n − 6 shortest of all chords.
TEST(Scenario, TheSizeOfMoleculesIsThatOfAllPairs) {
  std::mt19937 random(13);
  std::normal_distribution<double> normal;
  for (const int n : {2, 3, 4, 50, 200})
    for (const double spread : {1.0, 1e-6}) {
      Columns q(3, n);
      for (Eigen::Index i = 0; i < n; ++i)
        q.col(i) = (Vec3(0, 0, i % 5 ? 1 : -1) +
                    spread * Vec3(normal(random), normal(random), normal(random)))
                       .normalized();
      std::vector<double> squares;
      for (Eigen::Index i = 0; i < n; ++i)
        for (Eigen::Index j = 0; j < i; ++j) squares.push_back((q.col(i) - q.col(j)).squaredNorm());
      std::sort(squares.begin(), squares.end());
      squares.resize(std::min(squares.size(), static_cast<std::size_t>(n < 3 ? 1 : 3 * n - 6)));
      double sum = 0;
      for (const double square : squares) sum += std::sqrt(square);
      Values values{{"sigma", {}}};
      find_system("lennard_jones")->resolve(q, values);
      EXPECT_EQ(values.find("sigma")->second[0],
                sum / static_cast<double>(squares.size()) / std::pow(2.0, 1.0 / 6))
          << n;
    }
}

// Many bodies on one circle: of all pairs that would be 2·10¹⁰ looks.
TEST(Scenario, BodiesOnOneCircleAreCheckedAtOnce) {
  constexpr int n = 163'842;
  Columns q(3, n);
  const Vec3 along = Vec3(0.36, 0.48, 0.8).normalized();
  const auto basis = tangent_basis(along);
  for (Eigen::Index i = 0; i < n; ++i) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(i) / n;
    q.col(i) =
        0.6 * along + 0.8 * (std::cos(angle) * basis.col(0) + std::sin(angle) * basis.col(1));
  }
  const auto begun = std::chrono::steady_clock::now();
  EXPECT_TRUE(find_system("n_body")->check_start(q, {}));
  Values values{{"sigma", {}}};
  find_system("lennard_jones")->resolve(q, values);
  EXPECT_GT(values.find("sigma")->second[0], 0);
  EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(20));
}

TEST(Scenario, NamesTheFirstOfManyBodiesThatMeetOrAreAntipodal) {
  const auto check = find_system("n_body")->check_start;
  const Columns apart = test::generic_start(500, test::everywhere, 0, 67).q;
  ASSERT_TRUE(check(apart, {}));
  for (const auto& [i, j, later] : {std::array{17, 3, 400}, {1, 0, 2}, {450, 449, 451}})
    for (const double side : {1.0, -1.0})
      for (const double off : {0.0, 9e-7, 2e-6}) {
        Columns q = apart;
        const Vec3 across = tangent_basis(q.col(j)).col(0);
        q.col(i) = side * (q.col(j) + off * across).normalized();
        q.col(later) = q.col(j);
        const Error checked = error_of(check(q, {}));
        const bool near = off < 1.4e-6;  // 1 − cos θ < 1e-12
        EXPECT_EQ(checked.location, fmt::format("q[{}]", near ? i : later));
        EXPECT_TRUE(checked.message.starts_with(
            fmt::format("coincides with body {}{}", j, near && side < 0 ? "'s antipode:" : ":")))
            << checked.message;
      }
}

}  // namespace
}  // namespace twosphere::scenario_test
