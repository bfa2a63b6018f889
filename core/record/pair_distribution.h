// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "core/mechanics/sphere.h"

namespace twosphere {

/// The pair distribution function g(θ) of directions on the unit sphere: how much more often two of
/// them are the angle θ apart (the arc length, on the sphere of radius 1) than if each were placed
/// uniformly and by itself.
///
/// A histogram of the angles of all pairs, over the configurations that are added. Bin b, from θ_b
/// to θ_{b+1}, has the value
///
///   g_b = pairs_b / [rows ½ N (N − 1) ½ (cos θ_b − cos θ_{b+1})],
///
/// because two uniform directions are between θ and θ + dθ apart with the probability ½ sin θ dθ.
/// So ∫ g ½ sin θ dθ = 1 over [0, π], exactly, since every pair is counted once. (D. Frenkel, B.
/// Smit, Understanding Molecular Simulation, 2002, section 4.4, in the plane and in space.)
///
/// The angles end at π up to 5·10⁶ pairs, else where so many pairs of uniform directions would be:
/// 1 − cos θ_max = 10⁷/[½ N (N − 1)]. Of each body those within a band of heights are compared,
/// about 3000 however many bodies there are, so that a configuration takes O(N) unless nearly all
/// bodies are in one place: some 15 ns for each pair that is counted, 2 ns for each other.
class PairDistribution {
 public:
  static constexpr int default_bins = 180;
  static constexpr int max_bins = 65'536;
  static constexpr double max_pairs = 5e6;  ///< expected in a configuration

  /// For at least 2 bodies; 1 to max_bins bins of equal width.
  explicit PairDistribution(int bodies, int bins = default_bins);

  /// Adds a configuration, one row. Lengths of the columns do not matter.
  void add(const Columns& q);

  int bins() const { return static_cast<int>(pairs_.size()); }
  std::int64_t rows() const { return rows_; }
  double max_angle() const { return max_angle_; }  ///< where the last bin ends [rad]
  double width() const { return max_angle_ / bins(); }
  /// The middle of a bin [rad].
  double angle(int bin) const { return (bin + 0.5) * width(); }
  /// Pairs in a bin, in all rows.
  std::int64_t pairs(int bin) const { return pairs_[static_cast<std::size_t>(bin)]; }
  /// g; NaN without rows.
  double value(int bin) const;
  /// ½ (cos θ_b − cos θ_{b+1}): the share of uniform pairs in a bin.
  double uniform_share(int bin) const;

 private:
  /// Counts a pair with this cosine of its angle.
  void count(double cosine);

  int bodies_;
  double max_angle_ = 0, min_cosine_ = -std::numeric_limits<double>::infinity();
  std::int64_t rows_ = 0;
  std::vector<std::int64_t> pairs_;
  Columns q_;  // of the row, normalised, by height
};

}  // namespace twosphere
