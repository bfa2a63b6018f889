// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <cstddef>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "core/base/simd_level.h"
#include "core/base/version.h"
#include "core/studies/sweep.h"
#include "core/studies/sweep_plan.h"
#include "core/studies/sweep_task.h"
#include "tests/outcome.h"
#include "tests/runs.h"

/// Sweeps of the presets.
namespace twosphere::test::sweep_test {

inline SweepAxis axis(const std::string& text) { return value_of(parse_axis(text)); }

inline Sweep sweep_of(Scenario scenario, const std::vector<std::string>& axes,
                      const std::vector<std::string>& measures) {
  Sweep sweep{.scenario = std::move(scenario), .version = version, .isa = std::string(isa_level())};
  for (const std::string& text : axes) sweep.axes.push_back(axis(text));
  for (const std::string& text : measures)
    sweep.measures.push_back(value_of(parse_measure(text, sweep.scenario)));
  return sweep;
}

/// The preset with two plots, whose units are given and follow from the text.
inline Scenario with_plots() {
  Scenario scenario = preset();
  scenario.plots = {{"depth, of both", "-lengths[0]*e3.q[0]-lengths[1]*e3.q[1]", "cm"},
                    {"energy.max", "gravity*masses[1]*e3.q[1]", "N"}};
  return scenario;
}

/// 4 × 3 points of the double pendulum: 100 steps each.
inline Sweep small() {
  Scenario scenario = lasting(1);
  return sweep_of(
      scenario, {"system.gravity=1:20:4", "initial.omega[1][1]=-1,0,1"},
      {"energy_error.max", "total_energy.last", "kinetic_energy.mean", "potential_energy.min",
       "t_stop", "lyapunov", "lyapunov[7]", "megno", "fli", "cost"});
}

inline const std::atomic<bool> never = false;

inline SweepRow result(const Sweep& sweep, std::size_t task, std::string* why = nullptr) {
  return value_of(value_of(run_sweep_task(sweep, "", task, {}, never, why)));
}

/// Members of two systems, of which some stop or fail on their way.
inline std::vector<Sweep> families() {
  const std::vector<std::string> measures{
      "energy_error.max",    "kinetic_energy.mean", "angular_momentum_z.last", "t_stop", "cost",
      "plots.energy.max.max"};
  const std::vector<std::string> tangent{"energy_error.max", "lyapunov", "megno", "fli", "t_stop"};
  std::vector<Sweep> all;
  const std::vector<std::pair<const char*, std::vector<std::string>>> kinds{
      {"variational", measures},
      {"variational6", measures},
      {"rk4", measures},
      {"variational", tangent},
      {"variational4", tangent}};
  for (const auto& [method, values] : kinds) {
    Scenario scenario = with(with_plots(), {{"integrator.type", method}});
    scenario.duration = 3;
    scenario.every = 25;
    scenario.stop.push_back({Quantity::potential_energy, true, -15});
    scenario.events.push_back({.step = 110, .set = {{"system.gravity", 5.0}}});
    all.push_back(
        sweep_of(scenario, {"system.masses[1]=1,2", "initial.omega[1][1]=-4:4:19"}, values));
    all.back().members = 2;
    all.back().spread = 1e-3;
  }
  // Steps of some radians fail.
  Scenario fast = with(preset(), {{"integrator.step", 0.1}});
  fast.duration = 2;
  fast.every = 7;
  fast.plots = with_plots().plots;
  for (const auto& values : {measures, tangent})
    all.push_back(sweep_of(fast, {"initial.omega[1][1]=0:25:40"}, values));
  Scenario bodies = lasting(0.5, preset("three_body"));
  bodies.every = 10;
  all.push_back(sweep_of(bodies, {"system.gamma=0.5,1", "initial.omega[0][2]=-0.5:0.5:40"},
                         {"energy_error.max", "total_energy.last", "t_stop"}));
  return all;
}

inline std::vector<std::size_t> all_tasks(const Sweep& sweep) {
  std::vector<std::size_t> tasks(sweep.tasks());
  std::iota(tasks.begin(), tasks.end(), 0);
  return tasks;
}

}  // namespace twosphere::test::sweep_test
