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
#include "tests/core/scenario/valid_scenario.h"
#include "tests/outcome.h"
#include "tests/taken.h"

namespace twosphere::scenario_test {
namespace {

using test::error_of, test::says, test::value_of;

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
