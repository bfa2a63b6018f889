// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Eigen/Core>
#include <array>
#include <complex>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/studies/orbit.h"

namespace twosphere {

/// What a pair of multipliers μ, 1/μ says of the orbits nearby.
enum class MultiplierKind : std::uint8_t {
  elliptic,            ///< |μ| = 1: they turn about it
  parabolic,           ///< μ = ±1: a bifurcation, or rounding does not tell
  hyperbolic,          ///< μ > 0 real: they part from it
  inverse_hyperbolic,  ///< μ < 0 real: likewise, from side to side
  complex,             ///< one of a quadruple μ, 1/μ and their conjugates: they part in spirals
};
/// "elliptic", "parabolic", "hyperbolic", "inverse hyperbolic", "complex".
std::string_view name(MultiplierKind kind);

struct MultiplierPair {
  std::complex<double> first, second;  ///< |first| ≥ |second|, or Im first ≥ 0
  MultiplierKind kind = MultiplierKind::elliptic;
  /// Krein sign of `first` of an elliptic pair: the sign of Im(v* Ω v) of its eigenvector v. Pairs
  /// that meet can leave the unit circle only if their signs differ. 0 for other kinds.
  int krein = 0;
  double rotation = 0;  ///< arg μ/2π of `first`, from 0 to 1/2
};

/// The linearised motion about an orbit, without what the flow and the symmetry determine.
///
/// With W spanned by the flow X̃ and the rotations Y_k about conserved axes, W^Ω = {δ: Ω(δ, W) =
/// 0}, and Q an orthonormal basis of the part of W^Ω orthogonal to W ∩ W^Ω,
///
///   M_red = Qᵀ (R P DΦ^N) Q
///
/// has the multipliers but for the trivial ones: 1 twice for the energy and twice for a conserved
/// component of J, which are Jordan blocks, so that rounding moves them by its square root. X̃ is
/// the derivative of the trigonometric interpolation of the orbit's points, in the null space of R
/// P DΦ^N − 1; the flow of the equations of motion is another by the error of the method.
struct OrbitMultipliers {
  Eigen::MatrixXd reduced;  ///< M_red
  Eigen::MatrixXd basis;    ///< Q
  std::vector<MultiplierPair> pairs;
  double pairing = 0;      ///< the largest |μ μ' − 1| of the pairs
  double determinant = 0;  ///< |det(R P DΦ^N) − 1|
  /// |R P DΦ^N X̃ − X̃|/|X̃| of the interpolated flow: rounding, unless the steps are so coarse that
  /// the N points are isolated from others of the orbit. The multipliers are then lost.
  double flow_error = 0;

  /// All pairs are elliptic: small deviations do not grow exponentially.
  bool stable() const;
  std::vector<std::complex<double>> values() const;
  /// The numbers whose signs change at a branching, a doubling and a collision: det(M_red − 1),
  /// det(M_red + 1) and the discriminant of the traces μ + 1/μ.
  std::array<double, 3> tests() const;
  /// The same pairs over several of these periods: powers of the multipliers.
  OrbitMultipliers over(int periods) const;
};
/// Of a solution. O(n³) and O(n N).
OrbitMultipliers orbit_multipliers(const OrbitProblem& problem, const OrbitSolution& orbit);

}  // namespace twosphere
