// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/live_edit.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/catalog.h"
#include "core/run/simulation.h"
#include "core/scenario/parameter_io.h"
#include "core/scenario/reader.h"
#include "core/scenario/writer.h"

namespace twosphere {
namespace {

using json::Node;
using Settings = std::vector<Setting>;

/// The same edit in the document of the whole scenario.
Result<Scenario> edited_as_a_whole(const Scenario& scenario, const Settings& settings) {
  Node root = to_json(scenario);
  for (const auto& [path, value] : settings)
    if (auto done = assign_setting(root, path, value); !done) return done.error();
  return read_edited(root, scenario, EditScope::whole, true, nullptr);
}

void expect_same(const Scenario& scenario, const Settings& settings) {
  const auto part = with_settings(scenario, settings);
  const auto whole = edited_as_a_whole(scenario, settings);
  const std::string named = settings.empty() ? "" : settings[0].path.text();
  ASSERT_EQ(part.has_value(), whole.has_value()) << named;
  if (whole)
    EXPECT_TRUE(same(*part, *whole)) << named;
  else
    EXPECT_EQ(part.error().text(), whole.error().text()) << named;
}

/// The presets, and what they come to after a few steps of several lanes.
std::vector<Scenario> scenarios() {
  std::vector<Scenario> list;
  for (const Preset& preset : presets()) {
    Scenario scenario = *read_scenario(preset.text, preset.key);
    list.push_back(scenario);
    LaneSpec fine = scenario.lanes[0];
    fine.name = "fine";
    fine.step /= 2;
    scenario.lanes.push_back(fine);
    auto run = Simulation::create(std::move(scenario));
    for (int k = 0; k < 3; ++k) EXPECT_FALSE(run->step());
    list.push_back(run->continuation());
  }
  return list;
}

TEST(LiveEdit, ReadsWhatIsSetAsTheWholeDocumentWouldBe) {
  for (const Scenario& scenario : scenarios()) {
    const SystemInfo& system = *find_system(scenario.system);
    for (const ParameterInfo& p : system.parameters) {
      const std::string path = "system." + std::string(p.key);
      for (const Node& value : {Node(2), Node(-1), Node(std::string("none")), Node(), Node::array(),
                                Node::object(), Node::numbers(std::vector<double>{0.1, 0.2, 0.3})})
        expect_same(scenario, {{path, value}});
      const auto numbers = scenario.parameters.find(p.key)->second;
      if (const auto node = parameter_node(p, numbers)) expect_same(scenario, {{path, *node}});
      expect_same(scenario, {{path + "[0]", 0.5}});
      expect_same(scenario, {{path + "[0].stiffness", 0.5}});
      expect_same(scenario, {{path + ".amplitude[1]", 0.5}});
    }
    for (const char* lane : {"integrator", "lanes[0]", "lanes[1]", "lanes[2]", "lanes"}) {
      const std::string section = lane;
      for (const double step : {scenario.lanes[0].step / 4, 0.0137, -1.0, 1e-300})
        expect_same(scenario, {{section + ".step", step}});
      for (const IntegratorInfo& method : integrators())
        expect_same(scenario, {{section + ".type", Node(std::string(method.key))},
                               {section + ".relative_tolerance", 1e-7}});
      for (const char* key : {".nothing", ".work", ".time_origin", ".name"})
        expect_same(scenario, {{section + key, 1.0}});
    }
    for (const char* path : {"duration", "every", "stop", "title", "nothing", "system", "a[", ""})
      for (const Node& value : {Node(3), Node(-1), Node::array(), Node(std::string("text"))})
        expect_same(scenario, {{path, value}});
    expect_same(scenario, {});
  }
}

}  // namespace
}  // namespace twosphere
