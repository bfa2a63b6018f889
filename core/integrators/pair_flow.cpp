// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/integrators/pair_flow.h"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "core/base/interrupt.h"
#include "core/integrators/compensated_direction.h"
#include "core/integrators/exact_turn.h"
#include "core/integrators/step_checks.h"

namespace twosphere {

std::vector<std::size_t> sorted_by_color(int n, const std::vector<PairTerms::Pair>& pairs) {
  // Of each body the colours that are taken, 64 in a word.
  std::vector<std::vector<std::uint64_t>> taken(static_cast<std::size_t>(n));
  std::vector<std::vector<std::size_t>> of_color;
  for (std::size_t s = 0; s < pairs.size(); ++s) {
    auto &a = taken[static_cast<std::size_t>(pairs[s].first)],
         &b = taken[static_cast<std::size_t>(pairs[s].second)];
    const auto word_of = [](const auto& list, std::size_t k) {
      return k < list.size() ? list[k] : 0;
    };
    std::size_t word = 0;
    while (~(word_of(a, word) | word_of(b, word)) == 0) ++word;
    const auto bit = static_cast<std::size_t>(std::countr_one(word_of(a, word) | word_of(b, word)));
    for (auto* list : {&a, &b}) {
      if (list->size() <= word) list->resize(word + 1);
      (*list)[word] |= std::uint64_t{1} << bit;
    }
    const std::size_t color = 64 * word + bit;
    if (of_color.size() <= color) of_color.resize(color + 1);
    of_color[color].push_back(s);
  }
  std::vector<std::size_t> order;
  order.reserve(pairs.size());
  for (const auto& list : of_color) order.insert(order.end(), list.begin(), list.end());
  return order;
}

std::string_view PairFlow::missing(const System& system) {
  if (damped(system)) return "bodies without damping";
  const TermKinds kinds = system.term_kinds();
  if (!kinds.known) return "a Hamiltonian that is a sum of terms of two bodies and of one";
  if (kinds.cross) return "bonds without Dzyaloshinskii-Moriya interaction";
  if (kinds.turning_force) return "forces that do not depend on directions, so no spin torque";
  return {};
}

void PairFlow::prepare(const System& system) {
  const Eigen::Index n = system.size();
  strength_ = system.strength();
  PairTerms terms = system.pair_terms();
  pairs_.clear();
  pairs_.reserve(terms.pairs.size());
  for (const std::size_t s : sorted_by_color(system.size(), terms.pairs)) {
    const PairTerms::Pair& pair = terms.pairs[s];
    const double product = strength_[pair.first] * strength_[pair.second];
    pairs_.push_back(
        {pair.first, pair.second, {pair.linear / product, 2 * pair.square / product, 0}});
  }
  logarithmic_ = terms.logarithmic;
  players_ = n + n % 2;
  anisotropy_ = std::move(terms.anisotropy);
  axis_ = terms.axis;
  field_ = std::move(terms.field);
  force_.prepare(system);
  if (field_.cols() == 0 && force_.acts()) field_.setZero(3, n);
  turning_ = field_;
}

std::optional<std::pair<Eigen::Index, Eigen::Index>> PairFlow::match(Eigen::Index r,
                                                                     Eigen::Index k) const {
  // The last player stays, the others go round.
  const Eigen::Index others = players_ - 1;
  Eigen::Index i = r + k, j = k == 0 ? others : r - k;
  if (i >= others) i -= others;
  if (j < 0) j += others;
  if (j >= strength_.size()) return {};
  return std::pair(std::min(i, j), std::max(i, j));
}

void PairFlow::turn_in_field(double h, Columns& q, Columns& e,
                             std::span<TangentVector> vectors) const {
  for (Eigen::Index i = 0; i < turning_.cols(); ++i) {
    const Vec3 b = turning_.col(i), from = q.col(i);
    const double a = -h / strength_[i], square = b.squaredNorm();
    const TurnFactors turn = turn_factors(a, square);
    add_compensated(turn.change(b, b.cross(from)), i, q, e);
    for (TangentVector& vector : vectors) {
      const Vec3 d = vector.q.col(i);
      vector.q.col(i) += turn.change(b, b.cross(d));
    }
  }
}

void PairFlow::turn_about_axis(double h, Columns& q, Columns& e,
                               std::span<TangentVector> vectors) const {
  for (Eigen::Index i = 0; i < anisotropy_.size(); ++i) {
    const double rate = -2 * h * anisotropy_[i] / strength_[i];
    const Vec3 from = q.col(i);
    const TurnFactors turn = turn_factors(rate * axis_.dot(from), 1);
    add_compensated(turn.change(axis_, axis_.cross(from)), i, q, e);
    const Vec3 to = q.col(i);
    for (TangentVector& vector : vectors) {
      const Vec3 d = vector.q.col(i);
      vector.q.col(i) += turn.change(axis_, axis_.cross(d)) + rate * axis_.dot(d) * axis_.cross(to);
    }
  }
}

void PairFlow::turn_singly(double h, bool forth, Columns& q, Columns& e,
                           std::span<TangentVector> vectors) const {
  if (forth) turn_in_field(h, q, e, vectors);
  turn_about_axis(h, q, e, vectors);
  if (!forth) turn_in_field(h, q, e, vectors);
}

void PairFlow::turn_pair(double h, Eigen::Index i, Eigen::Index j, const Law& law, Columns& q,
                         Columns& e, std::span<TangentVector> vectors) const {
  const double ki = strength_[i], kj = strength_[j];
  const Vec3 a = q.col(i), b = q.col(j), d = (a - b) + Vec3(e.col(i) - e.col(j));
  // S and p = q_j × q_i by the difference, accurate for close bodies.
  const Vec3 s = (ki + kj) * b + ki * d, p = b.cross(d), s_cross_p = s.cross(p);
  const double square = s.squaredNorm(), apart = d.squaredNorm() / 2;
  const double rate =
      law.logarithmic != 0 ? law.logarithmic / apart : law.linear + law.square * a.dot(b);
  const TurnFactors turn = turn_factors(h * rate, square);
  // Δq_i = κ_j v, Δq_j = −κ_i v
  const Vec3 v = turn.along * p + turn.across * s_cross_p;
  add_compensated(kj * v, i, q, e);
  add_compensated(-ki * v, j, q, e);
  if (h * h * rate * rate * square > 1) {
    // A large turn has rounding errors of its own.
    add_compensated(length_correction(q.col(i), e.col(i)), i, q, e);
    add_compensated(length_correction(q.col(j), e.col(j)), j, q, e);
  }
  for (TangentVector& vector : vectors) {
    const Vec3 da = vector.q.col(i), db = vector.q.col(j), dd = da - db,
               ds = (ki + kj) * db + ki * dd, dp = db.cross(d) + b.cross(dd);
    const double rate_change =
        law.logarithmic != 0 ? -rate * d.dot(dd) / apart : law.square * (da.dot(b) + a.dot(db));
    const TurnFactors slope = turn_slopes(h * rate, square, h * rate_change, 2 * s.dot(ds));
    const Vec3 dv = slope.along * p + turn.along * dp + slope.across * s_cross_p +
                    turn.across * (ds.cross(p) + s.cross(dp));
    vector.q.col(i) += kj * dv;
    vector.q.col(j) -= ki * dv;
  }
}

StepReport PairFlow::take(const System& system, double t, double h, Columns& q, Columns& e,
                          std::span<TangentVector> vectors) {
  StepReport report;
  if (force_.acts()) {
    force_.begin(system, t, h, q, e);
    turning_ = field_ + force_.force();
  }
  const double half = h / 2;
  const Eigen::Index rounds = logarithmic_ != 0 ? players_ - 1 : 0, matches = players_ / 2;
  const Law vortices{0, 0, logarithmic_};
  turn_singly(half, true, q, e, vectors);
  for (const Pair& pair : pairs_) turn_pair(half, pair.first, pair.second, pair.law, q, e, vectors);
  for (Eigen::Index r = 0; r < rounds && !interrupted(); ++r)
    for (Eigen::Index k = 0; k < matches; ++k)
      if (const auto both = match(r, k))
        turn_pair(half, both->first, both->second, vortices, q, e, vectors);
  for (Eigen::Index r = rounds; r-- > 0 && !interrupted();)
    for (Eigen::Index k = matches; k-- > 0;)
      if (const auto both = match(r, k))
        turn_pair(half, both->first, both->second, vortices, q, e, vectors);
  for (auto pair = pairs_.rbegin(); pair != pairs_.rend(); ++pair)
    turn_pair(half, pair->first, pair->second, pair->law, q, e, vectors);
  turn_singly(half, false, q, e, vectors);
  if (interrupted()) report.status = StepStatus::interrupted;
  check_step_finite(report, q, e);
  // The rounding of small turns.
  for (Eigen::Index i = 0; i < q.cols(); ++i)
    add_compensated(length_correction(q.col(i), e.col(i)), i, q, e);
  if (report.ok()) report.work = force_.work(q, e);
  return report;
}

}  // namespace twosphere
