// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/pair_distribution.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <numeric>

namespace twosphere {

namespace {

double all_pairs(int bodies) { return 0.5 * bodies * (bodies - 1.0); }

}  // namespace

PairDistribution::PairDistribution(int bodies, int bins)
    : bodies_(bodies), max_angle_(std::numbers::pi), pairs_(static_cast<std::size_t>(bins)) {
  assert(bodies >= 2 && bins >= 1 && bins <= max_bins);
  // sin²(θ_max/2), the share of uniform pairs that are closer.
  const double share = max_pairs / all_pairs(bodies);
  if (share >= 1) return;
  max_angle_ = 2 * std::asin(std::sqrt(share));
  min_cosine_ = 1 - 2 * share;
}

void PairDistribution::add(const Columns& q) {
  assert(q.cols() == bodies_);
  ++rows_;
  // In the order of their heights: those of a pair differ by the chord 2 sin(θ/2) at most.
  std::vector<Eigen::Index> order(static_cast<std::size_t>(bodies_));
  std::iota(order.begin(), order.end(), 0);
  const Eigen::VectorXd height = q.row(2).cwiseQuotient(q.colwise().norm());
  std::sort(order.begin(), order.end(),
            [&](Eigen::Index i, Eigen::Index j) { return height[i] < height[j]; });
  q_.resize(3, bodies_);
  for (Eigen::Index i = 0; i < bodies_; ++i)
    q_.col(i) = q.col(order[static_cast<std::size_t>(i)]).normalized();
  const double chord = 2 * std::sin(max_angle_ / 2) * (1 + 1e-9);  // with room for rounding
  for (Eigen::Index i = 0; i < bodies_; ++i)
    for (Eigen::Index j = i + 1; j < bodies_ && q_(2, j) - q_(2, i) <= chord; ++j)
      count(q_.col(i).dot(q_.col(j)));
}

void PairDistribution::count(double cosine) {
  if (cosine < min_cosine_) return;
  const double angle = std::acos(std::clamp(cosine, -1.0, 1.0));
  const auto bin = static_cast<std::size_t>(angle / width());
  ++pairs_[std::min(bin, pairs_.size() - 1)];
}

double PairDistribution::uniform_share(int bin) const {
  return std::sin(angle(bin)) * std::sin(width() / 2);
}

double PairDistribution::value(int bin) const {
  return static_cast<double>(pairs(bin)) /
         (static_cast<double>(rows_) * all_pairs(bodies_) * uniform_share(bin));
}

}  // namespace twosphere
