// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/mechanics/system.h"
#include "core/scenario/scenario.h"
#include "core/studies/equilibria.h"

/// Basins of attraction: at which stable equilibrium a damped run comes to rest.
namespace twosphere {

/// The angle within which every body of a run at rest is from an equilibrium [rad].
inline constexpr double basin_angle = 0.05;
/// The kinetic energy of a run at rest, as a part of the range of U over the equilibria.
inline constexpr double basin_energy = 1e-6;
/// The number of no equilibrium.
inline constexpr double no_basin = -1;

/// The equilibria of a scenario with its own parameters, as find_equilibria() finds them by its
/// default tries and seed; empty if proceed() has ended the search. Fails as system_at_rest() does,
/// and with kind usage for systems of first order, if none of them is stable and if the scenario
/// has events, which may change them. The location of errors is "basin".
Result<std::optional<std::vector<Equilibrium>>> basin_equilibria(const Scenario& scenario,
                                                                 int threads,
                                                                 const SearchProgress& proceed);

/// The system_at_rest() of a system whose runs come to rest. Fails as that does, and with kind
/// usage and the location "basin" if nothing damps the motion and if there is no kinetic energy.
Result<std::shared_ptr<const System>> damped_at_rest(const std::shared_ptr<const System>& system,
                                                     const Columns& q);

/// Tells at which stable equilibrium a run is at rest: all bodies are within basin_angle of it,
/// after the rotation about conserved axes that brings them closest, and the kinetic energy is
/// below basin_energy of the range of U.
class BasinWatch {
 public:
  /// Of runs of a system from the scenario `task` whose parameters may be others than those of the
  /// scenario `of` with these equilibria: then each stable one is followed by newton_equilibrium()
  /// to the parameters of the task and keeps its number, unless it is lost or meets one with a
  /// lower number. Fails as damped_at_rest() does, and with kind usage and the location "basin" if
  /// the number of bodies is another one and if no equilibrium is left.
  static Result<BasinWatch> create(const std::vector<Equilibrium>& equilibria, const Scenario& of,
                                   const Scenario& task, std::shared_ptr<const System> system);

  /// The number of the equilibrium at which a state is at rest, of several the nearest; none if it
  /// moves.
  std::optional<std::size_t> at(const State& state) const;
  /// The same only if T + |U − U_k| is below that bound, too: no turn of a larger swing, so that
  /// the run stays there.
  std::optional<std::size_t> settled_at(const State& state) const;

 private:
  /// A stable equilibrium.
  struct Place {
    std::size_t number;
    Columns q;
    double potential_energy;
  };
  const Place* nearest(const State& state, double kinetic) const;

  std::shared_ptr<const System> system_, rest_;
  std::vector<Place> places_;
  std::array<bool, 3> axes_{};
  double min_energy_ = 0;  // [J]
};

/// How finely the basins of a grid are mixed, by the pairs of its points that are k = 1, 2, 4, 8
/// apart: the fraction f of those that end in different basins. Of fractal boundaries f ∝ ε^α with
/// ε = k times the spacing, and their box-counting dimension in a plane is d = 2 − α, along a line
/// 1 − α (McDonald, Grebogi, Ott, Yorke, Physica D 17, 1985).
struct UncertainFraction {
  struct Apart {
    int cells = 0;  ///< k
    double fraction = 0;
    std::size_t pairs = 0;
  };
  std::vector<Apart> list;  ///< where there are pairs
  int dimensions = 0;       ///< 2 of a plane, 1 of a line
  /// α by least squares of ln f over ln k, with its standard error; none for fewer than three k
  /// with f > 0.
  std::optional<std::pair<double, double>> exponent;

  /// "0.21, 0.28, 0.37, 0.47 of pairs 1, 2, 4, 8 cells apart".
  std::string fractions() const;
  /// "uncertain fraction ∝ ε^0.42 ± 0.02, dimension 1.58 ± 0.02"; why there is no exponent; empty
  /// if there are no pairs.
  std::string text() const;
};
/// `values`: one for each point of a grid of this shape, the last axis fastest; those below 0 and
/// those that are not finite do not count. `axes`: one or two of its axes, along which pairs are
/// apart.
UncertainFraction uncertain_fraction(std::span<const double> values,
                                     const std::vector<std::size_t>& shape,
                                     const std::vector<std::size_t>& axes);

}  // namespace twosphere
