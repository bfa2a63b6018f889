// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <limits>
#include <numbers>
#include <optional>
#include <string>
#include <vector>

#include "core/catalog.h"
#include "core/mechanics/diagnostics.h"
#include "core/mechanics/integrator.h"
#include "core/run/motion_energy.h"
#include "core/run/row_block.h"

namespace twosphere {

/// The first row of a lane whose results are no longer meaningful. Warnings are computed from the
/// rows and are not recorded; repeating the run gives the same warnings.
struct Warning {
  enum class Kind {
    energy,       ///< |E − E_0 − W| [J]
    unit_length,  ///< the largest | |q| − 1 | of a body
    turn,         ///< |ω| h of the fastest body [rad]
    encounter,    ///< h times the rate of the pair's circular orbit where it is closest [rad]
  };
  /// Two bodies that are close to each other on the unit sphere.
  struct Pair {
    int first = 0, second = 0;  ///< indices, first < second
    double angle = 0;           ///< between them [rad]

    template <class Fields>
    void transfer(Fields& fields) {
      fields(first, second, angle);
    }
  };

  Kind kind = Kind::energy;
  int lane = 0;
  std::int64_t step = 0;  ///< step of the run
  double t = 0;           ///< [s]
  /// Step of the last row that was far from every bound, with no pair about to meet: from there a
  /// smaller step or another method can continue. `step` if there is none.
  std::int64_t last_good_step = 0;
  double value = 0;  ///< value of the quantity
  double scale = 0;  ///< reference scale: MotionEnergy, 1, 1 rad, 1 rad
  int body = 0;      ///< the body that turns fastest or is farthest off the sphere
  /// The closest pair of bodies on the unit sphere; of an encounter, the pair that meets and the
  /// angle at which it passes.
  std::optional<Pair> nearest{};
  bool adaptive = false;  ///< whether the method of the lane is adaptive
  /// If it is not: an adaptive method to continue with, after an encounter one that takes close
  /// pairs exactly, or else the reversible one of the highest order. Null if none supports the
  /// system.
  const IntegratorInfo* remedy = nullptr;

  /// All members, to be written or read (core/base/fields.h).
  template <class Fields>
  void transfer(Fields& fields) {
    std::string key(remedy ? remedy->key : "");
    fields(kind, lane, step, t, last_good_step, value, scale, body, nearest, adaptive, key);
    remedy = find_integrator(key);
  }
};

/// "the energy error, 0.2 J, exceeds 0.1 of the energy of the motion, 1.6 J". With `worst`, the
/// largest value of the quantity over the whole run: "the worst energy error, 4631 J, is 2890 times
/// the energy of the motion, 1.6 J".
std::string brief(const Warning& warning, std::optional<double> worst = {});
/// The same with the time and a recommendation, on one line.
std::string describe(const Warning& warning, std::optional<double> worst = {});
/// The text of describe() for below a title that has the time: cause, place and recommendation, in
/// which the method has its title.
std::string explain(const Warning& warning);

/// Monitors the rows of the lanes of a run and warns once per lane. Costs O(n) per row, and one
/// gradient at the first.
///
///   energy       |e − e_first| > 0.1 max(median T, max V − min V),  e = E − E_0 − W
///                over the rows since the last change of the system or the state
///                (MotionEnergy), up to the 20th also Σ |q_i × g_i| of the first, the size
///                of changes of V; e_first: e of the first row, which is 0 unless the run continues
///                a saved state
///   unit length  max_i | |q_i| − 1 | > 0.01
///   turn         max_i |ω_i| h > π, for methods with a fixed step
///   encounter    h √(μ/r_p³) > 1; for adaptive methods, with the shortest inner step since
///                the row before, once the pair has passed
///
/// where a pair, System::closest_encounter(), passes at r_p between this row and one beside it: the
/// pericentre of a Kepler motion from its relative position and velocity, r_p = ℓ²/(μ (1 + e)) with
/// ℓ = |r × v|, e² = 1 + (v² − 2 μ/r) ℓ²/μ², at the time that Kepler's equation gives, from
/// r < 0.1 rad on, where the curvature and the other bodies are small corrections. An encounter is
/// looked for first, because it explains the error of the energy. Of a system of first order it is
/// the turn of the nearest pair about itself at this row, h Encounter::rate > 1. Where bodies meet,
/// methods that take close pairs exactly (IntegratorInfo::exact_pairs) are warned of neither
/// encounters nor turns.
///
/// In systems of first order Σ |q_i × (∂V/∂q_i − f_i)| is in place of T, at every row. In a heat
/// bath the energy is not looked at.
///
/// A state file does not contain earlier rows, so monitoring starts again with it. A saved state
/// outside the bounds gives a warning at once; the scale is then T or Σ |q_i × g_i|. An error of
/// the energy counts as rounding up to
///
///   1e-9 Σ |g_i| + 1e-12 (|V| + |W|) + ½ Σ M_ii (10 ε/h)²,
///
/// where ε = 2⁻⁵² and 10 ε/h is the speed at which a step no longer moves q: at rest with V = 0
/// nothing else says how small an energy is.
class Guard {
 public:
  static constexpr double energy_share = 0.1;
  static constexpr double max_unit_length_error = 1e-2;
  static constexpr double max_turn = std::numbers::pi;
  static constexpr double max_orbit = 1;             ///< turn of a circular orbit in one step [rad]
  static constexpr double farthest_encounter = 0.1;  ///< [rad]
  static constexpr double unresolved_motion =
      10 * std::numeric_limits<double>::epsilon();  ///< of q in one step
  /// A row is far from the bounds if no pair passes too closely within so many rows, and if it
  /// reaches no more than this share of the others.
  static constexpr int good_rows = 20;
  static constexpr double good_share = 0.1;

  /// A lane and its sample at a row.
  struct Row {
    const System& system;
    const IntegratorInfo& method;
    double step;  ///< h [s]
    const State& state;
    const Sample& sample;
    std::int64_t index;    ///< step of the run
    double shortest_step;  ///< of the inner steps since the row before, of an adaptive method [s]
  };
  /// Consecutive rows of a lane with a fixed step, measured together.
  struct Rows {
    const System& system;
    const IntegratorInfo& method;
    double step;         ///< h [s]
    const State& state;  ///< of the last row
    const RowBlock& block;
    std::int64_t first;  ///< step of the run at the first row
  };

  explicit Guard(int lanes = 0) : lanes_(static_cast<std::size_t>(lanes)) {}
  void add_lane() { lanes_.emplace_back(); }
  /// Call before the first step of a lane.
  void begin(int lane, const Row& row) { check_row(lane, row, true); }
  void check_row(int lane, const Row& row) { check_row(lane, row, false); }
  /// As check_row() for each of them. Where their extremes are far from the bounds, nothing else of
  /// them is looked at.
  void check_rows(int lane, const Rows& rows);
  /// Call where the system or a state is changed: the rows so far were those of another motion.
  void begin_motion() {
    for (WatchedLane& watched : lanes_) watched.motion = {};
  }
  /// In the order in which they occurred.
  const std::vector<Warning>& warnings() const { return warnings_; }
  /// Whether, after it has been read, it is that of a run with so many lanes of so many bodies.
  bool fits(std::size_t lanes, int bodies) const;
  /// Memory on the heap without the warnings [bytes].
  std::size_t watching() const { return lanes_.capacity() * sizeof(WatchedLane); }
  /// All members, to be written or read (core/base/fields.h).
  template <class Fields>
  void transfer(Fields& fields) {
    fields(lanes_, warnings_);
  }

 private:
  struct WatchedLane {
    double first_error = 0;
    MotionEnergy motion;
    double forces = 0;      // Σ |q_i × g_i| at its first row [J]
    double last_time = 0;   // of the row before
    double inner_step = 0;  // the shortest of an adaptive method before the last row with any [s]
    std::int64_t last_good_step = 0;
    bool warned = false;

    template <class Fields>
    void transfer(Fields& fields) {
      fields(first_error, motion, forces, last_time, inner_step, last_good_step, warned);
    }
  };
  void check_row(int lane, const Row& row, bool first);
  double add_row(int lane, const Row& row, bool first);
  bool check(int lane, const Row& row, bool first, double before);
  void warn(int lane, const Row& row, Warning found);

  std::vector<WatchedLane> lanes_;
  std::vector<Warning> warnings_;
};

}  // namespace twosphere
