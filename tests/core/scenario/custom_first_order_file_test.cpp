// SPDX-License-Identifier: GPL-3.0-or-later
// Systems of first order as text in files and settings, and files whose parameters have the names
// of the keys that came with them.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/catalog.h"
#include "core/custom/definition.h"
#include "core/scenario/live_edit.h"
#include "core/scenario/reader.h"
#include "core/scenario/setting.h"
#include "core/scenario/writer.h"
#include "tests/outcome.h"
#include "tests/replaced.h"
#include "tests/runs.h"

namespace twosphere::custom_first_order_file_test {
namespace {

using test::says, test::value_of;

const std::string valid = R"json({
"twosphere": 1,
"system": {"type": "custom",
"dynamics": "first_order",
"parameters": {"B": 0.7, "c": 0.1},
"strength": -1,
"hamiltonian": "-B*sum(i: e3.q[i])",
"damping": "c"},
"initial": {"q": [[0.6, 0, 0.8], [0, 1, 0]]},
"integrator": {"type": "spherical_midpoint", "step": 0.01},
"duration": 1
})json";

/// A pendulum with friction, whose parameters have these names.
const std::string old = R"json({
"twosphere": 1,
"system": {"type": "custom",
"parameters": {"strength": 2, "damping": 0.1, "dynamics": [1, 2], "hamiltonian": 3},
"inertia": "diag(1)",
"potential": "-strength*e3.q[0] + 0*hamiltonian*dynamics[0]",
"torque": "torque[i] = -damping*w[i]"},
"initial": {"q": [[0.6, 0, 0.8]], "omega": [[0, 1, 0]]},
"integrator": {"type": "variational", "step": 0.01},
"events": [{"step": 3, "set": {"system.damping": 0.2}}],
"duration": 1
})json";

Scenario read(const std::string& text) { return value_of(read_scenario(text, "my.json")); }
std::string error_of(const std::string& text) {
  return test::error_of(read_scenario(text, "my.json")).text();
}

TEST(CustomFirstOrderFile, IsReadAndWritten) {
  const Scenario s = read(valid);
  const Definition& d = s.definition->definition();
  EXPECT_TRUE(d.first_order);
  EXPECT_EQ(d.strength, "-1");
  EXPECT_EQ(d.hamiltonian, "-B*sum(i: e3.q[i])");
  EXPECT_EQ(d.damping, "c");
  EXPECT_TRUE(info_of(s).first_order);
  EXPECT_TRUE(same(read(write_scenario(s)), s));
  EXPECT_EQ(system_document(s).find("dynamics")->text, "first_order");
  // The order is written only where it is not the usual one.
  EXPECT_EQ(system_document(read(old)).find("dynamics"), nullptr);
}

TEST(CustomFirstOrderFile, MovesAsItsEquationSays) {
  Simulation run = test::start(read(valid), 50);
  // Gilbert's damping turns the spins towards the field.
  EXPECT_GT(run.state(0).q(2, 1), 0.03);
  EXPECT_LT(std::abs(run.sample(0)[Quantity::energy_error]), 1e-5);
}

// Bodies 1 and 2 are directions that are fixed in space, as seen from the top.
TEST(CustomFirstOrderFile, AFreeTopHasItsAttitudeInSpace) {
  const Scenario top = read(R"json({
"twosphere": 1,
"system": {"type": "custom",
"dynamics": "first_order",
"parameters": {"I": [1, 2, 3], "L": 1.5},
"define": ["omega = L*[e1.q[0]/I[0], e2.q[0]/I[1], e3.q[0]/I[2]]"],
"strength": "i: if(i == 0, -L, 1)",
"hamiltonian": "L/2*q[0].omega",
"force": ["f[1] = omega", "f[2] = omega"]},
"initial": {"q": [[0.28, 0.96, 0], [1, 0, 0], [0, 0, -1]]},
"integrator": {"type": "implicit_midpoint", "step": 0.02},
"duration": 60
})json");
  Simulation run = test::start(top);
  const Columns start = run.state(0).q;
  test::march(run, 3000);
  const State& end = run.state(0);
  const Vec3 q = end.q.col(0), a = end.q.col(1), b = end.q.col(2);
  EXPECT_NEAR(a.dot(b), 0, 1e-14);
  EXPECT_LT((Vec3(a.dot(q), b.dot(q), a.cross(b).dot(q)) - Vec3(0.28, 0, 0.96)).norm(), 1e-14);
  EXPECT_GT((end.q - start).col(1).norm(), 0.5) << "it turns";
  EXPECT_NEAR(run.sample(0)[Quantity::work], 0, 1e-14);
  EXPECT_NEAR(run.sample(0)[Quantity::energy_error], 0, 1e-14);
}

TEST(CustomFirstOrderFile, ErrorsNameKeyAndCharacter) {
  const auto wrong = [](const std::string& from, const std::string& to) {
    return error_of(test::replaced(valid, from, to));
  };
  EXPECT_TRUE(says(wrong("\"strength\": -1,\n", ""), "missing key \"strength\""));
  EXPECT_TRUE(
      says(wrong("\"hamiltonian\": \"-B*sum(i: e3.q[i])\",\n", ""), "missing key \"hamiltonian\""));
  EXPECT_TRUE(says(wrong("\"hamiltonian\":", "\"potential\":"),
                   "system.potential:1: the energy of systems of first order is written in"));
  EXPECT_TRUE(says(wrong("\"first_order\"", "\"third_order\""), "system.dynamics"));
  EXPECT_TRUE(says(wrong("\"damping\": \"c\"", "\"damping\": \"c\", \"inertia\": \"diag(1)\""),
                   "system.inertia:1: systems of first order have no inertia"));
  EXPECT_TRUE(says(wrong("\"dynamics\": \"first_order\",\n", ""), "system.strength:1: belongs to"));
  EXPECT_TRUE(
      says(wrong("e3.q[i])", "e3.q[i]) + v[0].e1"),
           "my.json:7: system.hamiltonian:22: the Hamiltonian may not depend on velocities"));
}

TEST(CustomFirstOrderFile, AHeatBathIsATemperatureAndASeed) {
  const auto with_bath = [](const std::string& keys) {
    return test::replaced(valid, "\"damping\": \"c\"", "\"damping\": \"c\", " + keys);
  };
  const Scenario s = read(with_bath("\"temperature\": 0.25, \"seed\": 3"));
  EXPECT_EQ(s.definition->definition().temperature, "0.25");
  EXPECT_EQ(s.definition->definition().seed, 3);
  EXPECT_TRUE(same(read(write_scenario(s)), s));
  EXPECT_EQ(system_document(read(valid)).find("seed"), nullptr) << "0 is left out";
  EXPECT_TRUE(says(error_of(with_bath("\"temperature\": -1")),
                   "my.json:8: system.temperature:1: must be 0 or greater, not -1"));
  EXPECT_TRUE(says(error_of(with_bath("\"seed\": 1.5")),
                   "my.json:8: system.seed: must be a whole number of at least 0, not 1.5"));
  EXPECT_TRUE(says(error_of(test::replaced(valid, "\"damping\": \"c\"", "\"temperature\": \"B\"")),
                   "system.temperature:1: needs a damping greater than 0"));
  EXPECT_TRUE(says(
      error_of(test::replaced(with_bath("\"temperature\": 0.25"), "spherical_midpoint", "rk4")),
      "rk4 needs a temperature of 0"));
  // Parameters of these names are what they were.
  const Scenario named = read(test::replaced(
      test::replaced(old, "\"strength\": 2", "\"strength\": 2, \"temperature\": 4, \"seed\": 5"),
      "0*hamiltonian", "0*temperature*seed*hamiltonian"));
  EXPECT_EQ(test::with(named, "system.seed", 6.5).parameters.at("seed"), std::vector<double>{6.5});
  EXPECT_EQ(why_not_live(to_json(named), SettingPath("system.seed")), "");
}

TEST(CustomFirstOrderFile, TextsAreLiveAndTheOrderIsNot) {
  const Scenario s = read(valid);
  Simulation run = test::start(s, 5);
  ASSERT_TRUE(run.set({{"system.hamiltonian", "B*e3.q[0]"}}));
  ASSERT_TRUE(run.set({{"system.strength", "2"}}));
  ASSERT_TRUE(run.set({{"system.damping", "0"}}));
  test::march(run, 5);
  EXPECT_EQ(run.system()->strength()[0], 2);
  EXPECT_EQ(run.system()->damping().size(), 0);
  EXPECT_TRUE(says(why_not_live(to_json(s), SettingPath("system.dynamics")), "reset"));
  EXPECT_EQ(why_not_live(to_json(s), SettingPath("system.strength")), "");
}

TEST(CustomFirstOrderFile, OldParametersKeepTheirNames) {
  const Scenario s = read(old);
  EXPECT_FALSE(s.definition->definition().first_order);
  EXPECT_EQ(s.parameters.at("strength"), std::vector<double>{2});
  EXPECT_TRUE(same(read(write_scenario(s)), s));
  const Scenario other =
      test::with(test::with(s, "system.strength", 5.0), "system.dynamics[1]", 7.0);
  EXPECT_EQ(other.parameters.at("strength"), std::vector<double>{5});
  EXPECT_EQ(other.parameters.at("dynamics"), (std::vector<double>{1, 7}));
  EXPECT_EQ(other.definition, s.definition) << "a value needs no new translation";
  for (const char* path : {"system.damping", "system.dynamics", "system.hamiltonian"})
    EXPECT_EQ(why_not_live(to_json(s), SettingPath(path)), "") << path;
  Simulation run = test::start(s, 10);
  EXPECT_EQ(run.present().parameters.at("damping"), std::vector<double>{0.2});
  EXPECT_EQ(run.system()->damping()[0], 0.2);
}

TEST(CustomFirstOrderFile, AKeyThatIsAParameterCannotBeUsed) {
  const std::string text =
      test::replaced(valid, "\"parameters\": {", "\"parameters\": {\"damping\": 0.2, ");
  EXPECT_TRUE(
      says(error_of(text), "my.json:8: system.damping: \"damping\" is a parameter of this"));
  // Without the key it is one, of a system of first order, too.
  const Scenario s =
      read(test::replaced(text, ",\n\"damping\": \"c\"", ",\n\"plots\": {\"c\": \"damping\"}"));
  EXPECT_EQ(s.parameters.at("damping"), std::vector<double>{0.2});
  EXPECT_TRUE(s.definition->definition().damping.empty());
  EXPECT_EQ(test::with(s, "system.damping", 0.3).parameters.at("damping"),
            std::vector<double>{0.3});
}

// From a text with one meaning of a name to one with the other, and back.
TEST(CustomFirstOrderFile, AKeyMayBecomeAParameter) {
  const Scenario key = read(valid);
  const Scenario parameter = read(test::replaced(
      test::replaced(valid, "\"parameters\": {", "\"parameters\": {\"damping\": 0.2, "),
      ",\n\"damping\": \"c\"", ""));
  for (const auto& [from, to] : {std::pair{&key, &parameter}, {&parameter, &key}}) {
    const Scenario made = test::with(*from, differences(*from, *to));
    EXPECT_TRUE(same(made, *to));
  }
}

}  // namespace
}  // namespace twosphere::custom_first_order_file_test
