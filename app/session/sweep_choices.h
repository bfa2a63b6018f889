// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/studies/sweep.h"

/// The choices that a window offers for a sweep of its scenario.
namespace twosphere {

/// A number of a scenario that a sweep can vary.
struct SweepSetting {
  std::string path;          ///< "system.masses[0]"
  std::string label;         ///< "Mass m₁"
  std::string unit;          ///< empty or "1" for pure numbers
  double low = 0, high = 1;  ///< the range offered
  bool logarithmic = false;  ///< equal ratios in that range
  bool whole = false;        ///< a whole number: with one point for each in the range

  std::string title() const;  ///< "Mass m₁ [kg]"
};
/// Angular velocities, angles and their rates at the start, seeds of its generators, parameters of
/// the system, step and parameters of the method of a scenario with one lane. Of an angular
/// velocity the components along which q_i has none: others cannot be set alone, because q·ω = 0.
/// Of the first fifty bodies, and of that to which the path `with` belongs.
std::vector<SweepSetting> sweep_settings(const Scenario& scenario, const std::string& with = {});
/// The setting to sweep in place of one that cannot be set alone, else the path itself. A component
/// of q_i is moved by an angle: along e₃ by θ_i, across it by φ_i or, at the poles, where φ_i does
/// not move q_i, by θ_i. A component of ω_i along which q_i has one is moved by the rate of the
/// angle: along e₃ by that of φ_i, across it and at the poles by that of θ_i.
std::string sweep_path(const Scenario& scenario, const std::string& path);
/// The labels of the axes of a sweep; the path of an axis without one.
std::vector<std::string> axis_labels(const Sweep& sweep);

/// The measures of a sweep of this scenario that a window offers.
std::vector<SweepMeasure> sweep_measures(const Scenario& scenario);

/// The scenario from its start with one of its lanes, without events, branches and view.
Scenario one_lane(const Scenario& scenario, std::size_t lane);

/// Where on a map MEGNO, FLI and Lyapunov exponents can be measured, by its first, middle and last
/// task; a task whose values are refused says nothing.
struct MapExponents {
  bool somewhere = true, everywhere = true;
  std::string why{};  ///< why not, unless everywhere
};
MapExponents exponents_on(const Sweep& sweep);
/// Why a measure that is SweepMeasure::of_sweep() cannot be had on a map, by its first, middle and
/// last task, in each of which it cannot; empty if it can, of others, and if none of them says why.
/// Orbits are those of default_orbit_plan().
std::string why_not_measured(const Sweep& sweep, const SweepMeasure& measure);
/// The measure offered at first, a key: MEGNO or, where it cannot be measured everywhere, the
/// largest energy error.
std::string default_measure(const MapExponents& exponents);

/// The plan of a sweep in words, as names and values: its axes, measures, method and duration.
std::vector<std::pair<std::string, std::string>> describe(const Sweep& sweep);

/// The method of a scenario with one lane as one more lane of `open`, with its default name. An
/// error, whose message follows the name of what would become the lane, unless both have the same
/// system and start, and where `open` cannot have this lane or has it.
Result<LaneSpec> as_lane_of(const Scenario& open, const Scenario& scenario);

/// The first offer: a map over two velocities at the start or, in a system of first order, over the
/// direction of a body, of the first lane whose exponents can be measured.
struct DefaultSweep {
  std::size_t lane = 0;
  std::vector<std::string> axes;  ///< paths, up to two
  int points = 0;                 ///< per axis
  std::int64_t steps = 0;         ///< of each task
};
DefaultSweep default_sweep(const Scenario& scenario);

/// Whether a run of this duration T is too short to tell a regular motion from a chaotic one by
/// this value of MEGNO or of the largest exponent λ: T is near 1/λ. MEGNO grows as λT/2. Or, of a
/// basin, whether it is at rest at no equilibrium.
bool is_too_short(const SweepMeasure& measure, double value, double duration);

}  // namespace twosphere
