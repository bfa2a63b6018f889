// SPDX-License-Identifier: GPL-3.0-or-later
// Every parameter of every preset changed in the middle of its run: at once, with the energy
// accounted for, or waiting for Rewind, as its record says.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/catalog.h"
#include "core/run/simulation.h"
#include "core/scenario/live_edit.h"
#include "core/scenario/reader.h"
#include "core/scenario/writer.h"
#include "tests/outcome.h"
#include "tests/runs.h"

namespace twosphere::test::live_parameters_test {
namespace {

/// Another value of the parameter, near the present one.
std::vector<double> other(const ParameterInfo& parameter, std::vector<double> value) {
  switch (parameter.shape) {
    case Shape::choice:
      value[0] = value[0] == 0 ? 1 : 0;
      break;
    case Shape::springs:
      for (std::size_t i = 2; i < value.size(); i += 3) value[i] *= 1.1;
      break;
    case Shape::lattice:
      value[2] *= 1.1;
      break;
    case Shape::sites:
      value[4] *= 1.1;
      break;
    case Shape::points: {
      const std::vector<double> old = value;
      for (std::size_t i = 0; i < value.size(); i += 3) value[i] *= 1.1;
      if (value == old) value[0] = 0.01;  // all were 0
      break;
    }
    case Shape::form:
      for (std::size_t i = 1; i < value.size(); ++i) value[i] = 1.05 * value[i] + 0.01;
      break;
    default:
      if (parameter.whole)
        ++value[0];
      else
        for (double& x : value) x = 1.05 * x + 0.01;
      if (value.empty()) value = {1};
  }
  return value;
}

void march(Simulation& run, int steps) {
  for (int k = 0; k < steps; ++k) ASSERT_FALSE(run.step());
}

void expect_live_or_pending(const Scenario& start, const ParameterInfo& parameter) {
  auto run = value_of(Simulation::create(start));
  march(run, 5);
  const Scenario before = run.present();
  Scenario wanted = before;
  std::vector<double>& value = wanted.parameters.find(parameter.key)->second;
  const std::vector<double> old = value;
  value = other(parameter, value);
  ASSERT_NE(value, old);
  const std::string saved = write_scenario(run.continuation());
  const State state = run.state(0);
  const Sample sample = run.sample(0);

  ASSERT_TRUE(succeeds(run.set(differences(before, wanted))));
  EXPECT_EQ(run.state(0).q, state.q);
  // Of first order ω follows from q and the parameters.
  if (!find_system(start.system)->first_order) {
    EXPECT_EQ(run.state(0).w, state.w);
  }
  const Sample now = run.sample(0);
  const auto& present = run.present().parameters.find(parameter.key)->second;
  EXPECT_EQ(run.after_rewind().parameters.find(parameter.key)->second, value);
  if (parameter.live) {
    EXPECT_EQ(present, value);
    EXPECT_EQ(run.record().events.size(), 1u);
    EXPECT_EQ(run.markers().size(), 1u);
    // E may jump; what no work explains may not.
    const double scale = std::abs(now[Quantity::total_energy]) +
                         std::abs(sample[Quantity::total_energy]) +
                         std::abs(now[Quantity::kinetic_energy]);
    EXPECT_NEAR(now[Quantity::energy_error], sample[Quantity::energy_error], 1e-14 * scale);
    EXPECT_NEAR(now[Quantity::total_energy] - sample[Quantity::total_energy],
                now[Quantity::work] - sample[Quantity::work], 1e-14 * scale);
  } else {
    EXPECT_EQ(present, old);
    EXPECT_TRUE(run.record().events.empty());
    EXPECT_EQ(write_scenario(run.continuation()), saved);
    EXPECT_FALSE(differences(run.present(), run.after_rewind()).empty());
  }
  march(run, 5);

  auto again = value_of(Simulation::create(run.rewound()));
  EXPECT_EQ(again.present().parameters.find(parameter.key)->second, value);
  EXPECT_TRUE(differences(again.present(), again.after_rewind()).empty());
  march(again, 5);
  EXPECT_NE(write_scenario(again.continuation()), saved);
}

/// Of a chain in orbit, or of one that flies: what the other has is refused, with the reason.
bool belongs_to_another_chain(const Scenario& start, const ParameterInfo& parameter) {
  if (start.system != "free_chain") return false;
  const bool orbits = start.parameters.find("orbital_rate")->second[0] != 0;
  return orbits ? parameter.key == "gravity" || parameter.key == "thrust"
                : parameter.key == "orbital_rate";
}

void expect_refused(const Scenario& start, const ParameterInfo& parameter) {
  auto run = value_of(Simulation::create(start));
  march(run, 5);
  const std::string saved = write_scenario(run.continuation());
  Scenario wanted = run.present();
  std::vector<double>& value = wanted.parameters.find(parameter.key)->second;
  value = other(parameter, value);
  const auto refused = run.set(differences(run.present(), wanted));
  ASSERT_FALSE(refused);
  EXPECT_TRUE(says(refused.error().message, "orbital_rate")) << refused.error().text();
  EXPECT_EQ(write_scenario(run.continuation()), saved);
}

class LiveParameters : public testing::TestWithParam<std::string_view> {};
std::vector<std::string_view> keys() {
  std::vector<std::string_view> all;
  for (const Preset& p : presets()) all.push_back(p.key);
  return all;
}
INSTANTIATE_TEST_SUITE_P(Presets, LiveParameters, testing::ValuesIn(keys()),
                         [](const auto& p) { return std::string(p.param); });

TEST_P(LiveParameters, ActAtOnceOrWaitForRewind) {
  const Scenario start = preset(GetParam());
  const auto& parameters = find_system(start.system)->parameters;
  std::size_t set = 0;
  for (const ParameterInfo& parameter : parameters) {
    // Not the number of bodies itself, nor the one of two ways that the preset does not take: of
    // spins, a list of bonds, and the positions that may go with it.
    const bool given = !start.parameters.find(parameter.key)->second.empty();
    if (parameter.shape == Shape::count || !(parameter.shape == Shape::scalar || given)) continue;
    SCOPED_TRACE(parameter.key);
    if (parameter.key == "ends") {
      // With other ends the inertia must be the consistent one.
      expect_live_or_pending(with(start, "system.inertia", "consistent"), parameter);
    } else if (parameter.key == "bending") {
      // Small bends are far stiffer by the linear law.
      expect_live_or_pending(with(start, "integrator.step", start.lanes[0].step / 10), parameter);
    } else if (start.system == "pendulum_network" && parameter.key == "strength") {
      expect_live_or_pending(with(start, "integrator.type", "rotation"), parameter);
    } else if (start.system == "spins" && parameter.key == "temperature") {
      expect_live_or_pending(with(start, "system.damping", 0.1), parameter);
    } else if (belongs_to_another_chain(start, parameter)) {
      expect_refused(start, parameter);
    } else {
      expect_live_or_pending(start, parameter);
    }
    ++set;
  }
  EXPECT_GE(set, 2U);
  EXPECT_GE(set + (start.system == "spins" ? 2 : 1), parameters.size()) << "all but one";
}

/// The step and Event::since of every event.
using Since = std::vector<std::pair<std::int64_t, std::optional<std::int64_t>>>;
Since since(const Scenario& record) {
  Since list;
  for (const Event& event : record.events) list.emplace_back(event.step, event.since);
  return list;
}

TEST(LiveParameters, TheRecordKnowsTheChangesOfOneGesture) {
  auto run = start(preset("double_spherical_pendulum"));
  march(run, 5);
  const auto drag = [&](double gravity, std::uint64_t gesture) {
    ASSERT_TRUE(run.set({{"system.gravity", gravity}}, gesture));
  };
  drag(9, 1);
  drag(8, 1);  // at the same step
  march(run, 5);
  drag(8, 1);  // changes nothing
  march(run, 5);
  drag(7, 1);
  drag(6, 1);
  march(run, 5);
  drag(6, 2);  // nothing, so that this gesture begins with its next change
  march(run, 5);
  drag(5, 2);
  march(run, 5);
  drag(4, 2);
  march(run, 5);
  drag(3, 0);  // of no gesture
  march(run, 5);
  drag(2, 0);
  march(run, 5);
  drag(1, 2);  // another one again
  drag(1.5, 3);
  march(run, 5);
  drag(2.5, 3);
  EXPECT_FALSE(run.set({{"system.gravity", "heavy"}}, 3));
  march(run, 5);
  drag(3, 3);
  const Since expected{{5, {}},  {15, 5},  {25, {}}, {30, 25}, {35, {}},
                       {40, {}}, {45, {}}, {50, 45}, {55, 45}};
  EXPECT_EQ(since(run.record()), expected);
  ASSERT_EQ(run.markers().size(), expected.size());
  for (std::size_t k = 0; k < expected.size(); ++k)
    EXPECT_EQ(run.markers()[k].since, expected[k].second);

  // A file keeps it, and the run repeats with it.
  const std::string text = write_scenario(run.record());
  const auto read = value_of(read_scenario(text, "file"));
  EXPECT_EQ(since(read), expected);
  EXPECT_EQ(write_scenario(read), text);
  auto again = Simulation::create(read);
  auto plain = read;
  for (Event& event : plain.events) event.since.reset();
  auto without = Simulation::create(plain);
  ASSERT_TRUE(again && without);
  for (Simulation* other : {&run, &*again, &*without})
    march(*other, static_cast<int>(60 - other->steps()));
  for (Simulation* other : {&*again, &*without}) {
    EXPECT_EQ(run.state(0).q, other->state(0).q);
    EXPECT_EQ(run.state(0).w, other->state(0).w);
  }
  for (std::size_t k = 0; k < expected.size(); ++k)
    EXPECT_EQ(again->markers()[k].since, expected[k].second);

  // A saved state counts the steps to come from there.
  auto middle = value_of(Simulation::create(read));
  march(middle, 28);
  const Since left{{2, 0}, {7, {}}, {12, {}}, {17, {}}, {22, 17}, {27, 17}};
  EXPECT_EQ(since(middle.continuation()), left);
}

TEST(Springs, EndsWaitForRewindStiffnessDoesNot) {
  auto run = start(preset("pendulum_network"));
  for (int k = 0; k < 5; ++k) ASSERT_FALSE(run.step());
  const std::string path = "system.springs";
  // The first spring across the square instead of along its side.
  auto moved = json::parse(R"([{"between": [0, 2], "stiffness": 10}, {"between": [1, 2],
      "stiffness": 20}, {"between": [2, 3], "stiffness": 30}, {"between": [3, 0], "stiffness": 40}])",
                           "springs");
  ASSERT_TRUE(run.set({{path, *moved}}));
  EXPECT_EQ(run.present().parameters.at("springs")[1], 1);
  EXPECT_EQ(run.after_rewind().parameters.at("springs")[1], 2);
  EXPECT_TRUE(run.record().events.empty());
  for (int k = 0; k < 5; ++k) ASSERT_FALSE(run.step());
  EXPECT_EQ(value_of(Simulation::create(run.rewound())).present().parameters.at("springs")[1], 2);

  auto other = Simulation::create(preset("pendulum_network"));
  for (int k = 0; k < 5; ++k) ASSERT_FALSE(other->step());
  ASSERT_TRUE(other->set({{"system.springs[0].stiffness", 15.0}}));
  EXPECT_EQ(other->present().parameters.at("springs")[2], 15);
  EXPECT_EQ(other->record().events.size(), 1u);
}

}  // namespace
}  // namespace twosphere::test::live_parameters_test
