// SPDX-License-Identifier: GPL-3.0-or-later
// What is said of a run depends on its motion alone: every system of the catalogue and of the
// presets of texts, with another zero of V and in other units of mass and time.
#include "tests/other_units.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "core/catalog.h"
#include "core/run/simulation.h"
#include "tests/runs.h"

namespace twosphere::test::other_units_test {
namespace {

/// The start of a scenario in other units, with one lane of a method and so many times its step.
Scenario in_units(const Units& units, const Scenario& s,
                  const std::shared_ptr<const System>& system, std::string_view method,
                  double coarser) {
  constexpr std::string_view key = "in_other_units";
  SystemInfo info = info_of(s);
  info.key = key;
  info.text = {};
  info.create = [system, units](int, const Values&) -> Result<std::unique_ptr<const System>> {
    return std::unique_ptr<const System>(std::make_unique<OtherUnits>(system, units));
  };
  EXPECT_TRUE(add_system(info));
  Scenario made;
  made.system = key;
  made.parameters = s.parameters;
  made.q = s.q;
  made.omega = units.rate * s.omega;
  made.base = s.base;
  if (made.base) made.base->velocity *= units.rate;
  LaneSpec lane;
  lane.name = lane.type = method;
  lane.step = coarser * s.lanes[0].step / units.rate;
  made.lanes = {lane};
  made.duration = 1000 * lane.step;
  return made;
}

/// Warnings, steps that are too coarse, and the step that fails, with times in steps.
std::string said(const Scenario& scenario) {
  Simulation run = start(scenario);
  const auto coarse = [&run] {
    std::string text;
    for (const CoarseStep& c : run.coarse_steps(0))
      text += fmt::format("coarse {} {:.6g}\n", static_cast<int>(c.cause), c.ratio());
    return text;
  };
  std::string text = coarse();
  for (int k = 0; k < 150; ++k)
    if (const auto failure = run.step()) {
      text += fmt::format("failed {} {}\n", failure->step, describe(failure->report.status));
      break;
    }
  for (const Warning& w : run.warnings())
    text += fmt::format("warning {} {} {}\n", static_cast<int>(w.kind), w.step, w.last_good_step);
  return text + coarse();
}

/// Compares runs of the presets of a list with few bodies.
void compare(std::span<const Preset> list) {
  int warned = 0, coarse = 0;
  for (const Preset& p : list) {
    const Scenario scenario = preset(p.key);
    if (scenario.size() > 20) continue;
    const auto system = Simulation::make_system(scenario);
    ASSERT_TRUE(system) << p.key;
    for (const char* method : {"variational", "heun", "rk4"}) {
      if (!find_integrator(method)->supports(**system)) continue;
      for (const double coarser : {1.0, 30.0}) {
        const auto of = [&](const Units& units) {
          return said(in_units(units, scenario, *system, method, coarser));
        };
        const std::string plain = of({});
        for (const Units& units : {Units{.mass = 8, .rate = 4, .zero = 1024},
                                   Units{.mass = 0.5, .rate = 0.25, .zero = -512}})
          EXPECT_EQ(of(units), plain)
              << fmt::format("{} {} {} mass {} rate {} zero {}", p.key, method, coarser, units.mass,
                             units.rate, units.zero);
        warned += plain.find("warning") != std::string::npos;
        coarse += plain.find("coarse") != std::string::npos;
      }
    }
  }
  EXPECT_GE(warned, 5);
  EXPECT_GE(coarse, 5);
}

TEST(OtherUnits, WhatIsSaidOfARunDependsOnItsMotionAlone) { compare(presets()); }
TEST(OtherUnits, WhatIsSaidOfARunOfTextsDependsOnItsMotionAlone) { compare(custom_presets()); }

}  // namespace
}  // namespace twosphere::test::other_units_test
