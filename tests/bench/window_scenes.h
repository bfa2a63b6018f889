// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "core/catalog.h"
#include "core/scenario/icosphere.h"
#include "core/scenario/initial_conditions.h"
#include "core/scenario/reader.h"
#include "tests/cases.h"

namespace twosphere::test {

/// Of a preset, so many steps; 0: to the end of its duration.
inline Scenario recorded(const std::string& preset, std::int64_t steps) {
  Scenario scenario = *read_scenario(find_preset(preset)->text, preset);
  if (steps > 0) scenario.duration = static_cast<double>(steps) * scenario.lanes[0].step;
  return scenario;
}

/// More molecules than the preset has, moved as those are: 10 242, or 163 842 for 7 subdivisions of
/// the icosahedron.
inline Scenario many_molecules(std::int64_t steps, int subdivisions = 5) {
  Scenario scenario = recorded("lennard_jones", steps);
  constexpr double degree = 0.017453292519943295;
  scenario.q = icosphere(subdivisions).vertices;
  scenario.omega = two_vortices(scenario.q, 1.5, 30 * degree, 15 * degree);
  const int n = scenario.size();
  const double sigma = 0.131 * std::sqrt(642.0 / n);
  scenario.parameters["masses"] = std::vector<double>(static_cast<std::size_t>(n), 1);
  scenario.parameters["sigma"] = {sigma};
  scenario.parameters["cutoff"] = {2.5 * sigma};
  scenario.lanes[0].step *= std::sqrt(642.0 / n);
  scenario.duration = static_cast<double>(steps) * scenario.lanes[0].step;
  return scenario;
}

}  // namespace twosphere::test
