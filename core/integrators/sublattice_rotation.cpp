// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numeric>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/interrupt.h"
#include "core/base/thread_pool.h"
#include "core/integrators/compensated_direction.h"
#include "core/integrators/exact_turn.h"
#include "core/integrators/first_order_composition.h"
#include "core/integrators/middle_force.h"
#include "core/integrators/step_checks.h"
#include "core/mechanics/integrator.h"

namespace twosphere {

namespace {

/// A step of systems of first order whose H is linear in each body: bodies of one colour, which
/// have no bonds with one another, turn about their fields while the others rest,
///
///   q_i ← R(h g_i/κ_i) q_i,   g_i = Σ_j [a_ij q_j + q_j × D_ij] − B_i − f_i,
///
/// one colour after the other for h/2 and back. Each body gets, in the order of their numbers, the
/// first colour that none of its neighbours has.
///
/// Each turn keeps q_i·g_i and so H; f_i, of forces that depend on t alone, is that at the middle
/// of the step. Order 2, symmetric, keeps |q| and H to rounding, see add_compensated(), but neither
/// Σ κ q nor the symplectic form: bodies turn in the field of others that rest. Bodies of one
/// colour turn in parallel, with the same bits for any number of threads. Cost: the field of each
/// body twice, of the last colour once. Fails with not_finite alone.
class SublatticeStep {
 public:
  static constexpr bool differentiable = false, stretches = false;

  void prepare(const System& system) {
    const int n = system.size();
    const PairTerms terms = system.pair_terms();
    strength_ = system.strength();
    field_ = terms.field;
    if (field_.cols() == 0) field_.setZero(3, n);
    force_.prepare(system);
    // The bonds of each body, one after another.
    const auto at = [](int body) { return static_cast<std::size_t>(body); };
    first_bond_.assign(at(n) + 1, 0);
    for (const PairTerms::Pair& pair : terms.pairs)
      for (const int body : {pair.first, pair.second}) ++first_bond_[at(body) + 1];
    std::partial_sum(first_bond_.begin(), first_bond_.end(), first_bond_.begin());
    bonds_.resize(2 * terms.pairs.size());
    couplings_.clear();
    std::map<std::array<std::uint64_t, 4>, int> known;  // by the bits of a and D
    const auto coupling = [&](double linear, const Vec3& cross) {
      const auto bits = [](double x) { return std::bit_cast<std::uint64_t>(x); };
      const auto [found, fresh] =
          known.try_emplace({bits(linear), bits(cross.x()), bits(cross.y()), bits(cross.z())},
                            static_cast<int>(couplings_.size()));
      if (fresh) couplings_.push_back({linear, cross});
      return found->second;
    };
    std::vector<std::size_t> next(first_bond_.begin(), first_bond_.end() - 1);
    for (const PairTerms::Pair& pair : terms.pairs) {
      bonds_[next[at(pair.first)]++] = {pair.second, coupling(pair.linear, pair.cross)};
      bonds_[next[at(pair.second)]++] = {pair.first, coupling(pair.linear, -pair.cross)};
    }
    color_bodies(n);
  }

  StepReport take(const System& system, double t, double h, Columns& q, Columns& e,
                  std::span<TangentVector> /*vectors*/) {
    StepReport report;
    if (force_.acts()) force_.begin(system, t, h, q, e);
    for (std::size_t c = 0; c + 1 < colors_.size(); ++c) turn(h / 2, colors_[c], q, e);
    turn(h, colors_.back(), q, e);
    for (std::size_t c = colors_.size() - 1; c-- > 0;) turn(h / 2, colors_[c], q, e);
    if (interrupted()) report.status = StepStatus::interrupted;
    check_step_finite(report, q, e);
    if (report.ok()) report.work = force_.work(q, e);
    return report;
  }

  /// What a system of first order lacks for such a step; empty if nothing.
  static std::string_view missing(const System& system) {
    if (damped(system)) return "bodies without damping";
    const TermKinds kinds = system.term_kinds();
    if (!kinds.known || kinds.logarithmic)
      return "a Hamiltonian that is linear in each body, of exchange, Dzyaloshinskii-Moriya "
             "interaction and fields";
    if (kinds.anisotropy) return "spins without anisotropy";
    if (kinds.square) return "bonds without biquadratic exchange";
    if (kinds.turning_force) return "forces that do not depend on directions, so no spin torque";
    return {};
  }

 private:
  /// The terms of a bond as one of its bodies has them.
  struct Coupling {
    double linear = 0;          // a [J]
    Vec3 cross = Vec3::Zero();  // D, with the sign for q_other × D [J]
  };
  /// Bonds are small, as most of a large lattice's memory: those of equal terms share a coupling.
  struct Bond {
    int other = 0, coupling = 0;
  };

  void color_bodies(int n) {
    colors_.clear();
    std::vector<std::size_t> color(static_cast<std::size_t>(n));
    std::vector<bool> taken;
    for (std::size_t i = 0; i < color.size(); ++i) {
      taken.assign(colors_.size() + 1, false);
      for (const Bond& bond : bonds_of(i))
        if (const auto j = static_cast<std::size_t>(bond.other); j < i) taken[color[j]] = true;
      color[i] =
          static_cast<std::size_t>(std::find(taken.begin(), taken.end(), false) - taken.begin());
      if (color[i] == colors_.size()) colors_.emplace_back();
      colors_[color[i]].push_back(static_cast<Eigen::Index>(i));
    }
  }

  std::span<const Bond> bonds_of(std::size_t i) const {
    return std::span(bonds_).subspan(first_bond_[i], first_bond_[i + 1] - first_bond_[i]);
  }

  /// The bodies of a colour turn for h.
  void turn(double h, const std::vector<Eigen::Index>& bodies, Columns& q, Columns& e) const {
    constexpr std::ptrdiff_t share = 1024;
    parallel_ranges(static_cast<std::ptrdiff_t>(bodies.size()), share,
                    [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
                      for (std::ptrdiff_t k = begin; k < end; ++k)
                        turn(h, bodies[static_cast<std::size_t>(k)], q, e);
                    });
  }

  /// Body i turns for h.
  void turn(double h, Eigen::Index i, Columns& q, Columns& e) const {
    Vec3 g = -field_.col(i);
    if (force_.acts()) g -= force_.force().col(i);
    for (const auto& [j, coupling] : bonds_of(static_cast<std::size_t>(i))) {
      const auto& [linear, cross] = couplings_[static_cast<std::size_t>(coupling)];
      const Vec3 other = q.col(j);
      g += linear * other + other.cross(cross);
    }
    const Vec3 from = q.col(i);
    const TurnFactors factors = turn_factors(h / strength_[i], g.squaredNorm());
    add_compensated(factors.change(g, g.cross(from)), i, q, e);
    add_compensated(length_correction(q.col(i), e.col(i)), i, q, e);
  }

  Eigen::VectorXd strength_;
  std::vector<std::size_t> first_bond_;            // of each body, and the end
  std::vector<Bond> bonds_;                        // of all bodies, each bond twice
  std::vector<Coupling> couplings_;                // that bonds have
  std::vector<std::vector<Eigen::Index>> colors_;  // the bodies of each
  Columns field_;                                  // B
  MiddleForce force_;
};

}  // namespace

const IntegratorInfo& sublattice_rotation() {
  static const IntegratorInfo record{
      .key = "sublattice_rotation",
      .title = "Sublattice rotation",
      .description =
          "Explicit splitting in which spins of one sublattice turn about the field of the others: "
          "keeps |q| and the energy to rounding at any step, but neither Σ κ q nor the symplectic "
          "form. For exchange, Dzyaloshinskii-Moriya interaction and fields.",
      .formula = "qᵢ ← exp(½h ĝᵢ/κᵢ) qᵢ,  g = ∂H/∂q, sublattice by sublattice, forth and back",
      .reference = "Frank, Huang, Leimkuhler 1997; Krech, Bunker, Landau 1998",
      .order = 2,
      .explicit_method = true,
      .reversible = true,
      .keeps_sphere = true,
      .applies = without_inertia,
      .needs =
          "a system of first order without damping, with a Hamiltonian that is linear in each "
          "body",
      .takes = {.first_order = true},
      .missing = SublatticeStep::missing,
      .passes = 2,
      .create = composition_of<SublatticeStep>};
  return record;
}

}  // namespace twosphere
