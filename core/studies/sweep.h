// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/scenario/scenario.h"
#include "core/studies/equilibria.h"
#include "core/studies/sweep_measure.h"
#include "core/studies/task_orbit.h"

namespace twosphere {

/// A setting of a scenario that takes one value after the other.
struct SweepAxis {
  SettingPath path;
  std::vector<json::Node> values;  ///< all numbers, or all words

  static constexpr std::size_t max_values = 1'000'000;
  /// Whether tasks that differ only on it differ only in their starts.
  bool sets_start() const { return path.key() == "initial"; }
  bool numeric() const { return values.front().kind == json::Kind::number; }
};

/// One scenario for every point of a grid of settings, and what is measured in each: the file
/// sweep.json. Task k, from 0 to tasks() − 1, is a function of this and of k alone. The last axis
/// runs fastest; with several members it is the member.
struct Sweep {
  Scenario scenario;  ///< with one lane, from a start
  std::vector<SweepAxis> axes{};
  std::vector<SweepMeasure> measures{};
  /// Starts near that of every point: member 0 has the start itself; the others are scatter() of
  /// it, by the number of the task.
  int members = 1;
  double spread = 0;
  std::uint64_t seed = 1;
  bool same_energy = false;  ///< every start has the energy of `scenario`, by one factor of all ω
  std::string version{}, isa{};      ///< of the program that made it, and its instruction set level
  std::string program{};             ///< with its revision and compiler, if known
  std::optional<OrbitPlan> orbit{};  ///< if orbits are measured: how they are found
  std::vector<Equilibrium> equilibria{};  ///< if basins are: those of `scenario`, by their numbers

  static constexpr std::size_t max_tasks = 100'000'000;
  /// Why there are too many values or tasks, whose number is then not that of tasks(); empty if
  /// there are not.
  std::string why_too_large() const;
  std::size_t tasks() const;
  /// The lengths of the axes, members last if there are several.
  std::vector<std::size_t> shape() const;
  /// The index on each of these axes.
  std::vector<std::size_t> point(std::size_t task) const;
  /// Tangent vectors that the measures need.
  int vectors() const;
  /// Whether there is such a measure: &SweepMeasure::of_orbit.
  bool has(bool (SweepMeasure::*which)() const) const;
  /// Whether any measure needs steps of the run.
  bool needs_run() const;
};

/// The sweep of a scenario by this program at its instruction set level, yet without axes and
/// measures.
Sweep sweep_of(Scenario scenario);
std::string write_sweep(const Sweep& sweep);
Result<Sweep> read_sweep(std::string_view text, std::string_view source);

/// "system.gravity=1:20:200" (from 1 to 20, 200 values), "…=1e-3:1:10:log" (equal ratios), or
/// "…=0.5,1,2". Values are numbers, expressions, or words such as names of integrators. The
/// location of errors is empty. With a scenario, expressions may have the unit of its setting.
Result<SweepAxis> parse_axis(const std::string& text, const Scenario* scenario = nullptr);

/// The scenario of a task. An error if its values are not allowed together.
Result<Scenario> sweep_scenario(const Sweep& sweep, std::size_t task);

}  // namespace twosphere
