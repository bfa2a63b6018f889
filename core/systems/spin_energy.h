// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "core/kernels/spins.h"
#include "core/mechanics/pair_terms.h"
#include "core/mechanics/sphere.h"
#include "core/systems/site_lattice.h"

namespace twosphere {

/// The bonds of spins with their couplings, and what acts on single spins:
///   H = −Σ_bonds [J q_i·q_j + b (q_i·q_j)² + D·(q_i × q_j)] − Σ_i [K_i (n·q_i)² + B·q_i]
struct SpinTerms {
  std::vector<SiteBond> bonds;
  std::vector<Vec3> dm;                       ///< D of each bond [J]; empty: 0
  std::vector<double> exchange, biquadratic;  ///< J and b [J], of all bonds or of each
  Eigen::VectorXd anisotropy;                 ///< K_i [J]; empty: 0
  Vec3 axis, field;                           ///< n, |n| = 1, and B [J]
};

/// Energy, gradient and Hessian of SpinTerms. O(bonds). Immutable; every function may be called
/// from several threads at the same time.
class SpinEnergy {
 public:
  /// Bonds that are all those of a lattice with one site per cell, and coupled alike, are computed
  /// row by row (core/kernels/spins.h), others from a list.
  SpinEnergy(SpinTerms terms, const SiteLattice* lattice);

  const SpinTerms& terms() const { return terms_; }
  double value(const Columns& q) const;                                      ///< H [J]
  void gradient(const Columns& q, Columns& g) const;                         ///< ∂H/∂q_i [J]
  void hessian_times(const Columns& q, const Columns& v, Columns& h) const;  ///< [J]
  /// −Σ_bonds J q_i·q_j [J].
  double exchange_energy(const Columns& q) const;
  /// Whether H does not depend on the signs of the q_i, as that of a nematic.
  bool even() const;
  /// The same terms of n spins, for methods that take them one by one, and their kinds.
  TermKinds term_kinds() const;
  PairTerms pair_terms(Eigen::Index n) const;

 private:
  double exchange(std::size_t bond) const {
    return terms_.exchange[terms_.exchange.size() == 1 ? 0 : bond];
  }
  double biquadratic(std::size_t bond) const {
    return terms_.biquadratic[terms_.biquadratic.size() == 1 ? 0 : bond];
  }

  SpinTerms terms_;
  std::optional<spin_kernel::Lattice> lattice_;
};

}  // namespace twosphere
