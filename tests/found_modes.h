// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <memory>
#include <numbers>
#include <string>

#include "core/studies/equilibria.h"
#include "core/studies/modes.h"
#include "tests/outcome.h"
#include "tests/runs.h"

/// A system with one of its equilibria and the modes there.
namespace twosphere::test::found_modes {

inline constexpr double two_pi = 2 * std::numbers::pi;

struct Found {
  std::shared_ptr<const System> rest;
  Equilibrium at;
  Modes modes;
};

inline Found found(const std::shared_ptr<const System>& system, const Columns& q,
                   const std::string& at = "nearest") {
  Found out;
  out.rest = value_of(system_at_rest(system, 0, q));
  out.at = *value_of(chosen_equilibrium(*out.rest, q, value_of(parse_equilibrium_choice(at)), 2,
                                        [](std::size_t, std::size_t) { return true; }));
  out.modes = value_of(modes_at(*system, *out.rest, out.at));
  return out;
}

inline Found of_preset(const char* key, const std::string& at = "nearest") {
  const Scenario scenario = preset(key);
  return found(start(scenario).system(), scenario.q, at);
}

inline Columns down(int n) {
  Columns q = Columns::Zero(3, n);
  q.row(2).setOnes();
  return q;
}

}  // namespace twosphere::test::found_modes
