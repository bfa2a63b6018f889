// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/systems/spin_energy.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace twosphere {

namespace {

/// The couplings of a lattice on which each bond of one direction is alike.
spin_kernel::Couplings couplings_of(const SpinTerms& terms, const SiteLattice& lattice) {
  spin_kernel::Couplings couplings{.size = lattice.size(),
                                   .periodic = lattice.periodic(),
                                   .neighbours = {},
                                   .exchange = terms.exchange[0],
                                   .biquadratic = terms.biquadratic[0],
                                   .anisotropy = terms.anisotropy,
                                   .axis = terms.axis,
                                   .field = terms.field};
  for (const auto& [dx, dy, dz] : lattice.steps()) {
    // D of any bond of this direction; a direction without bonds has none.
    const auto step = std::array{dx, dy, dz};
    Vec3 dm = Vec3::Zero();
    for (std::size_t s = 0; s < terms.dm.size(); ++s)
      if (terms.bonds[s].along == lattice.along(step)) {
        dm = terms.dm[s];
        break;
      }
    couplings.neighbours.push_back({dx, dy, dz, dm});
  }
  return couplings;
}

}  // namespace

SpinEnergy::SpinEnergy(SpinTerms terms, const SiteLattice* lattice) : terms_(std::move(terms)) {
  if (lattice && lattice->kind().cell_sites == 1 && terms_.exchange.size() == 1 &&
      terms_.biquadratic.size() == 1)
    lattice_.emplace(couplings_of(terms_, *lattice));
}

double SpinEnergy::value(const Columns& q) const {
  if (lattice_) return lattice_->energy(q);
  double sum = 0;
  for (std::size_t s = 0; s < terms_.bonds.size(); ++s) {
    const Vec3 qi = q.col(terms_.bonds[s].first), qj = q.col(terms_.bonds[s].second);
    const double c = qi.dot(qj);
    sum -= (exchange(s) + biquadratic(s) * c) * c;
    if (!terms_.dm.empty()) sum -= terms_.dm[s].dot(qi.cross(qj));
  }
  for (Eigen::Index i = 0; i < q.cols(); ++i) {
    sum -= terms_.field.dot(q.col(i));
    if (terms_.anisotropy.size() == 0) continue;
    const double along = terms_.axis.dot(q.col(i));
    sum -= terms_.anisotropy[i] * along * along;
  }
  return sum;
}

void SpinEnergy::gradient(const Columns& q, Columns& g) const {
  if (lattice_) return lattice_->gradient(q, g);
  for (Eigen::Index i = 0; i < q.cols(); ++i) {
    g.col(i) = -terms_.field;
    if (terms_.anisotropy.size() > 0)
      g.col(i) -= 2 * terms_.anisotropy[i] * terms_.axis.dot(q.col(i)) * terms_.axis;
  }
  for (std::size_t s = 0; s < terms_.bonds.size(); ++s) {
    const int i = terms_.bonds[s].first, j = terms_.bonds[s].second;
    const Vec3 qi = q.col(i), qj = q.col(j);
    // J + 2b (q_i·q_j), then q_j × D on the first and D × q_i on the second.
    const double k = exchange(s) + 2 * biquadratic(s) * qi.dot(qj);
    g.col(i) -= k * qj;
    g.col(j) -= k * qi;
    if (terms_.dm.empty()) continue;
    g.col(i) -= qj.cross(terms_.dm[s]);
    g.col(j) -= terms_.dm[s].cross(qi);
  }
}

void SpinEnergy::hessian_times(const Columns& q, const Columns& v, Columns& h) const {
  if (lattice_) return lattice_->hessian_times(q, v, h);
  h.setZero();
  if (terms_.anisotropy.size() > 0)
    for (Eigen::Index i = 0; i < q.cols(); ++i)
      h.col(i) -= 2 * terms_.anisotropy[i] * terms_.axis.dot(v.col(i)) * terms_.axis;
  for (std::size_t s = 0; s < terms_.bonds.size(); ++s) {
    const int i = terms_.bonds[s].first, j = terms_.bonds[s].second;
    const Vec3 qi = q.col(i), qj = q.col(j), vi = v.col(i), vj = v.col(j);
    const double twice = 2 * biquadratic(s), k = exchange(s) + twice * qi.dot(qj),
                 change = twice * (vi.dot(qj) + qi.dot(vj));
    h.col(i) -= k * vj + change * qj;
    h.col(j) -= k * vi + change * qi;
    if (terms_.dm.empty()) continue;
    h.col(i) -= vj.cross(terms_.dm[s]);
    h.col(j) -= terms_.dm[s].cross(vi);
  }
}

double SpinEnergy::exchange_energy(const Columns& q) const {
  double sum = 0;
  for (std::size_t s = 0; s < terms_.bonds.size(); ++s)
    sum -= exchange(s) * q.col(terms_.bonds[s].first).dot(q.col(terms_.bonds[s].second));
  return sum;
}

bool SpinEnergy::even() const {
  const auto zero = [](double j) { return j == 0; };
  const bool coupled = !terms_.bonds.empty() &&
                       !std::all_of(terms_.biquadratic.begin(), terms_.biquadratic.end(), zero);
  return coupled && std::all_of(terms_.exchange.begin(), terms_.exchange.end(), zero) &&
         terms_.dm.empty() && terms_.field.isZero(0);
}

TermKinds SpinEnergy::term_kinds() const {
  const auto& all = terms_.biquadratic;
  return {.known = true,
          .square = !terms_.bonds.empty() &&
                    std::any_of(all.begin(), all.end(), [](double b) { return b != 0; }),
          .cross = !terms_.dm.empty(),
          .logarithmic = false,
          .anisotropy = terms_.anisotropy.size() > 0,
          .turning_force = false};
}

PairTerms SpinEnergy::pair_terms(Eigen::Index n) const {
  PairTerms all;
  all.pairs.reserve(terms_.bonds.size());
  for (std::size_t s = 0; s < terms_.bonds.size(); ++s) {
    PairTerms::Pair pair{terms_.bonds[s].first, terms_.bonds[s].second, -exchange(s),
                         -biquadratic(s)};
    if (!terms_.dm.empty()) pair.cross = -terms_.dm[s];
    all.pairs.push_back(pair);
  }
  if (!terms_.field.isZero(0)) all.field = terms_.field * Eigen::RowVectorXd::Ones(n);
  all.anisotropy = terms_.anisotropy;
  all.axis = terms_.axis;
  return all;
}

}  // namespace twosphere
