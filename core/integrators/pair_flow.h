// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "core/integrators/middle_force.h"
#include "core/mechanics/integrator.h"
#include "core/mechanics/system.h"

namespace twosphere {

/// Colours of pairs of bodies such that no two of one colour have a body in common, in whose order
/// they are sorted: each pair, in its order, gets the first colour that both bodies are free of.
/// Returns the indices of the pairs, sorted.
std::vector<std::size_t> sorted_by_color(int n, const std::vector<PairTerms::Pair>& pairs);

/// A step of systems of first order in which each term of V moves the bodies by its exact flow,
/// a rotation. Of two bodies with U(q_i·q_j) both turn about
///
///   S = κ_i q_i + κ_j q_j   by the angle   h |S| U'/(κ_i κ_j),
///
/// so that κ_i Δq_i + κ_j Δq_j = 0; in −B·q a body turns about B by −h |B|/κ, in −K (n·q)² about n
/// by −2 h K (n·q)/κ. Each flow for h/2, of single bodies first and then of the pairs, colour by
/// colour (sorted_by_color(); all pairs of n bodies in the rounds of a tournament), and the same
/// back. Forces that depend on t alone belong to B, at the middle of the step.
///
/// Order 2, symmetric, symplectic, |q| and Σ κ q to rounding, see add_compensated(); exact for two
/// bodies alone, however close. Its derivative is that of the rotations. Cost: two passes over the
/// pairs. Fails with not_finite alone.
class PairFlow {
 public:
  static constexpr bool differentiable = true, stretches = false;

  void prepare(const System& system);
  StepReport take(const System& system, double t, double h, Columns& q, Columns& e,
                  std::span<TangentVector> vectors);

  /// What a system of first order lacks for such a step; empty if nothing.
  static std::string_view missing(const System& system);

 private:
  /// U'/(κ_i κ_j) = linear + square q_i·q_j, or logarithmic/(1 − q_i·q_j).
  struct Law {
    double linear, square, logarithmic;
  };
  struct Pair {
    Eigen::Index first, second;
    Law law;
  };

  void turn_singly(double h, bool forth, Columns& q, Columns& e,
                   std::span<TangentVector> vectors) const;
  void turn_in_field(double h, Columns& q, Columns& e, std::span<TangentVector> vectors) const;
  void turn_about_axis(double h, Columns& q, Columns& e, std::span<TangentVector> vectors) const;
  void turn_pair(double h, Eigen::Index i, Eigen::Index j, const Law& law, Columns& q, Columns& e,
                 std::span<TangentVector> vectors) const;
  /// The two bodies of match k of round r of a tournament; none where one of them has a bye.
  std::optional<std::pair<Eigen::Index, Eigen::Index>> match(Eigen::Index r, Eigen::Index k) const;

  Eigen::VectorXd strength_;
  std::vector<Pair> pairs_;  // by colour
  double logarithmic_ = 0;
  Eigen::Index players_ = 0;  // n, or n + 1 if n is odd
  Eigen::VectorXd anisotropy_;
  Vec3 axis_;
  MiddleForce force_;        // f
  Columns field_, turning_;  // B, and B + f
};

}  // namespace twosphere
