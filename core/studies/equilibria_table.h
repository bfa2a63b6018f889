// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/base/json.h"
#include "core/scenario/scenario.h"
#include "core/studies/equilibria.h"
#include "core/studies/modes.h"
#include "core/studies/relative_equilibria.h"

/// Equilibria, modes and relative equilibria as texts, tables and documents.
namespace twosphere {

/// Lines for a terminal: how many were found, then one line each.
std::string equilibria_text(const Equilibria& found);
/// CSV with one row each: number, potential energy [J], index, nullity, kind, and q.
std::string equilibria_table(const Equilibria& found);
/// Its companion: the search, the columns and the scenario.
std::string equilibria_companion(const Scenario& scenario, const EquilibriumSearch& search);
/// {"equilibria": [{"q", "potential_energy" [J], "index", "nullity", "kind", "number"}, …]}.
json::Node to_json(const Equilibria& found);

/// The modes at an equilibrium, the first `count` of them. Beside its frequency stands, without
/// damping, that of each lane of the scenario with a fixed step, oscillation_turn(); for elliptic
/// modes only that of methods that solve the equations of all bodies at once, and in axes that
/// rotate of those that need the equations of motion alone.
struct ModeTable {
  const Scenario& scenario;
  const Equilibrium& equilibrium;
  const Modes& modes;
  std::size_t count = 0;

  /// Lines for a terminal: the equilibrium, at which angle from `start` it is, and one line for
  /// each mode.
  std::string text(const Columns& start, const System& rest) const;
  /// CSV with one row each: number, ν² [rad²/s²], frequency [Hz], growth [1/s], with damping
  /// quality [1], of other elliptic modes the sign of the energy, the frequencies of the lanes
  /// [Hz], and δq [1], of elliptic modes with its imaginary part.
  std::string csv() const;
  /// Its companion: the equilibrium, the columns and the scenario.
  std::string companion() const;
  /// {"q", "modes": [{"square" [rad²/s²], "frequency" [Hz], "growth" [1/s], "q": δq}, …]}; with
  /// damping also "quality", null where nothing oscillates, of other elliptic modes "energy_sign",
  /// and of both "imaginary_q".
  json::Node document() const;
};

/// Lines for a terminal: how many were found, then one line each, counted from 0 along the curves.
std::string relative_text(const RelativeEquilibria& found);
/// CSV with one row each: number, curve, whether the momentum turns back, rate [rad/s], momentum [J
/// s], I [kg m²], energy [J], index, nullity, stability, growth [1/s], eigenvalues, and q.
std::string relative_table(const RelativeEquilibria& found);
/// Its companion: the axis, the search, the columns and the scenario.
std::string relative_companion(const Scenario& scenario, const EquilibriumSearch& search,
                               const RelativeEquilibria& found);
/// {"relative_equilibria": [{"q", "rate" [rad/s], "momentum" [J s], "energy" [J], "index",
/// "nullity", "stable", "stability", "growth" [1/s], "eigenvalues": [[re, im], …] [1/s], "curve",
/// "turn"}, …]}.
json::Node to_json(const RelativeEquilibria& found);

/// The scenario whose run begins at rest in an equilibrium: without events and branches.
Scenario scenario_at_rest(const Scenario& scenario, const Equilibrium& equilibrium);
/// The scenario whose run begins in a relative equilibrium: without events and branches.
Scenario scenario_turning(const Scenario& scenario, const RelativeEquilibrium& relative);
/// The scenario whose run begins in a small motion of it, of relative_modes(): likewise, at the
/// amplitude [rad].
Scenario scenario_turning_in_mode(const Scenario& scenario, const RelativeEquilibrium& relative,
                                  const Modes& modes, std::size_t number, double amplitude);
/// The scenario whose run begins in a mode, at the amplitude [rad]: without events and branches.
Scenario scenario_in_mode(const Scenario& scenario, const Equilibrium& equilibrium,
                          const Modes& modes, std::size_t number, double amplitude);

}  // namespace twosphere
