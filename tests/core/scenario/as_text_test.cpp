// SPDX-License-Identifier: GPL-3.0-or-later
// A scenario of a built-in system becomes the same scenario with its system as text.
#include "core/scenario/as_text.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/catalog.h"
#include "core/custom/definition.h"
#include "core/mechanics/diagnostics.h"
#include "core/run/simulation.h"
#include "core/scenario/branches.h"
#include "core/scenario/scenario.h"
#include "tests/outcome.h"
#include "tests/replaced.h"
#include "tests/runs.h"

namespace twosphere::as_text_test {
namespace {

using test::says, test::value_of;

Scenario text_of(const Scenario& scenario) { return value_of(as_text(scenario)); }

class PresetAsText : public testing::TestWithParam<std::string> {};
std::vector<std::string> keys() {
  std::vector<std::string> all;
  // A text does not say what terms its Hamiltonian has, which some methods need, and has no base
  // that flies.
  for (const Preset& p : presets())
    if (!find_integrator(test::preset(p.key).lanes[0].type)->missing &&
        !value_of(Simulation::make_system(test::preset(p.key)))->free_base())
      all.emplace_back(p.key);
  return all;
}
INSTANTIATE_TEST_SUITE_P(Presets, PresetAsText, testing::ValuesIn(keys()),
                         [](const auto& p) { return p.param; });

TEST_P(PresetAsText, IsTheSameScenario) {
  const Scenario own = test::preset(GetParam()), text = text_of(own);
  EXPECT_EQ(text.system, custom_system().key);
  ASSERT_TRUE(text.definition);
  EXPECT_TRUE(text.definition->warnings().empty());
  EXPECT_EQ(text.title, own.title);
  if (GetParam() != "inverted_double_pendulum") {
    EXPECT_EQ(text.description, own.description);
  }
  EXPECT_EQ(text.q, own.q);
  // Of first order it is computed from q, each way in its own order.
  if (info_of(own).first_order) {
    EXPECT_LT((text.omega - own.omega).norm(), 1e-12 * own.omega.norm());
  } else {
    EXPECT_EQ(text.omega, own.omega);
  }
  EXPECT_EQ(text.lanes, own.lanes);
  EXPECT_EQ(text.duration, own.duration);
  EXPECT_EQ(text.every, own.every);
  EXPECT_EQ(text.stop, own.stop);
  // As a file it is read without a warning, and is the same.
  std::vector<std::string> warnings;
  EXPECT_TRUE(same(value_of(read_scenario(write_scenario(text), "file", &warnings)), text));
  EXPECT_EQ(warnings, std::vector<std::string>());
  EXPECT_TRUE(same(text_of(text), text)) << "what is custom stays as it is";
}

// A system as text has no control torque to switch.
TEST(AsText, TheKeyThatSwitchesTheControlIsNotInTheDescription) {
  const Scenario own = test::preset("inverted_double_pendulum");
  ASSERT_TRUE(says(own.description, "press H"));
  EXPECT_EQ(text_of(own).description,
            "Two links of 1 m that motors hold upright: PD control of every link, against a light "
            "wind from the side. The work of the motors is counted, so the energy error stays "
            "small.");
}

// 200 steps of the preset's own method.
TEST_P(PresetAsText, MovesTheSameWay) {
  const Scenario own = test::preset(GetParam());
  Simulation a = test::start(text_of(own), 200), b = test::start(own, 200);
  const State &x = a.state(0), &y = b.state(0);
  constexpr double bound = 1e-12;
  EXPECT_LT((x.q - y.q).cwiseAbs().maxCoeff(), bound);
  EXPECT_LT((x.w - y.w).cwiseAbs().maxCoeff(), bound * y.w.cwiseAbs().maxCoeff());
  const double v = b.system()->potential(y.q), e = total_energy(*b.system(), y);
  EXPECT_NEAR(total_energy(*a.system(), x), e, bound * (std::abs(e - v) + std::abs(v)));
}

// What differs from a hand-written start: lanes, sampling, stop conditions, the window's view.
TEST(AsText, KeepsAllButWhatNamesTheBuiltInSystem) {
  const std::string file = R"({"twosphere": 1, "title": "T", "description": "D",
    "system": {"type": "n_body", "masses": [1, 2], "gamma": 1},
    "initial": {"q": [[1, 0, 0], [0, 1, 0]], "omega": [[0, 0, 1], [1, 0, 0]]},
    "lanes": [{"type": "variational", "name": "first", "step": 0.01}, {"type": "rk4", "step": 0.005}],
    "duration": 2, "every": 3,
    "stop": [{"time": 1.5}, {"quantity": "angular_momentum_x", "above": 0.001}],
    "events": [{"step": 10, "set": {"system.gamma": 2}}],
    "branches": [{"name": "B", "from_step": 5, "events": [{"step": 6, "set": {"system.gamma": 3}}]}],
    "view": {"anything": 1}})";
  const auto own = value_of(read_scenario(file, "file"));
  const Scenario text = text_of(own);
  EXPECT_EQ(text.title, "T");
  EXPECT_EQ(text.description, "D");
  EXPECT_EQ(text.lanes, own.lanes);
  EXPECT_EQ(text.duration, 2);
  EXPECT_EQ(text.every, 3);
  EXPECT_EQ(text.stop, own.stop);
  EXPECT_TRUE(same(text.view, own.view));
  EXPECT_TRUE(text.events.empty());
  EXPECT_TRUE(text.branches.empty());
}

TEST(AsText, ASavedStateIsAStart) {
  Simulation run = test::start(test::preset("double_spherical_pendulum"));
  test::march(run, 50);
  const Scenario saved = run.continuation(), text = text_of(saved);
  ASSERT_TRUE(saved.continuation);
  EXPECT_FALSE(text.continuation);
  EXPECT_LT((text.q - run.state(0).q).norm(), 1e-14);
  EXPECT_LT((text.omega - run.state(0).w).norm(), 1e-14);
}

TEST(AsText, AChainThatFliesIsRefusedWithWhatWouldDo) {
  int refused = 0;
  for (const Preset& p : presets()) {
    const Scenario own = test::preset(p.key);
    if (!value_of(Simulation::make_system(own))->free_base()) continue;
    const Error error = test::error_of(as_text(own));
    EXPECT_EQ(error.location, "system.gravity") << p.key;
    EXPECT_TRUE(says(error.message, "without a gravity")) << p.key;
    ++refused;
  }
  EXPECT_GE(refused, 1);
}

TEST(AsText, ASliderReachesTheValueThatItBeginsWith) {
  const Scenario own = test::preset("tether_satellite");
  const auto range_of = [](const Scenario& text, std::string_view key) {
    std::optional<std::array<double, 2>> range;
    for (const Definition::Parameter& p : text.definition->definition().parameters)
      if (p.key == key) range = p.range;
    return range;
  };
  const auto base = range_of(text_of(own), "m0");
  ASSERT_TRUE(base);
  EXPECT_EQ((*base)[0], 0.01);
  EXPECT_EQ((*base)[1], 500);
  // One within its usual range has that.
  const auto usual = range_of(text_of(test::with(own, {{"system.base_mass", 50.0}})), "m0");
  ASSERT_TRUE(usual);
  EXPECT_EQ((*usual)[1], 100);
}

TEST(AsText, ASystemTooLargeForATextIsRefusedWithTheLimit) {
  const std::string many = test::replaced(std::string(find_preset("lennard_jones")->text),
                                          "\"subdivisions\": 3", "\"subdivisions\": 5");
  const Error refused = test::error_of(as_text(value_of(read_scenario(many, "file"))));
  EXPECT_TRUE(says(refused.text(), "lennard_jones as text: system.potential"));
  EXPECT_TRUE(says(refused.text(), "10000000 operations"));
}

}  // namespace
}  // namespace twosphere::as_text_test
