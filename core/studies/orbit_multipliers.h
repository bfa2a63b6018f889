// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Eigen/Core>
#include <array>
#include <complex>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/studies/orbit.h"

namespace twosphere {

/// | |μ| − 1 |, or |μ ∓ 1|, that rounding may make.
inline constexpr double on_circle = 1e-6;

/// What a pair of multipliers μ, 1/μ says of the orbits nearby.
enum class MultiplierKind : std::uint8_t {
  elliptic,            ///< |μ| = 1: they turn about it
  parabolic,           ///< μ = ±1: a bifurcation, or rounding does not tell
  hyperbolic,          ///< μ > 0 real: they part from it
  inverse_hyperbolic,  ///< μ < 0 real: they part from it, from side to side
  complex,             ///< one of a quadruple μ, 1/μ and their conjugates: they part in spirals
};
/// "elliptic", "parabolic", "hyperbolic", "inverse hyperbolic", "complex".
std::string_view name(MultiplierKind kind);

/// Numbers without those that a symmetry makes equal to one before them, to 1e-7 of it.
std::vector<std::complex<double>> distinct(std::span<const std::complex<double>> all);

struct MultiplierPair {
  std::complex<double> first, second;  ///< |first| ≥ |second|, or Im first ≥ 0
  MultiplierKind kind = MultiplierKind::elliptic;
  /// Krein sign of `first` of an elliptic pair: the sign of Im(v* Ω v) of its eigenvector v. Pairs
  /// that meet can leave the unit circle only if their signs differ. 0 for other kinds.
  int krein = 0;
  double rotation = 0;  ///< arg μ/2π of `first`, from 0 to 1/2
};

/// The linearised motion about an orbit: of conservative forces without what the flow and the
/// symmetry determine.
///
/// With W spanned by the flow X̃ and the rotations Y_k about conserved axes, C = W, C^Ω = {δ: Ω(δ,
/// C) = 0}, and Q an orthonormal basis of the part of C^Ω orthogonal to W ∩ C^Ω,
///
///   M_red = Qᵀ (R P DΦ^N) Q
///
/// has the multipliers but for the trivial ones: 1 twice for the energy and twice for a conserved
/// component of J, which are Jordan blocks, so that rounding moves them by its square root. X̃ is
/// the derivative of the trigonometric interpolation of the orbit's points, in the null space of R
/// P DΦ^N − 1; the flow of the equations of motion is another by the error of the method.
///
/// Of other forces (OrbitForces) M = R P DΦ^N has no pairs, and W its own multipliers: those that
/// are 1 for the flow, unless forces are driven, and for rotations of orbit_axes(); about other
/// axes than e they are exp(±iφ). C is then spanned by the rotations about the axes of components
/// of J that the forces leave alone, each of which has another 1; without any Q is a basis of what
/// is orthogonal to W. With damping c_i, a constant inertia or m(q), and no forces of velocities,
/// det M is that of the flow,
///
///   exp(−∫ Σ_i c_i tr (K⁻¹)_ii dt),  K_ij = M_ij B_iᵀB_j,  B_i = tangent_basis(q_i).
struct OrbitMultipliers {
  Eigen::MatrixXd reduced;  ///< M_red
  Eigen::MatrixXd basis;    ///< Q
  std::vector<MultiplierPair> pairs;
  double pairing = 0;  ///< the largest |μ μ' − 1| of the pairs
  /// |det(R P DΦ^N) − 1|, with damping its difference from that of the flow over it; NaN where that
  /// has no closed form.
  double determinant = 0;
  /// Where forces are not conservative, all multipliers but those of W in the order of falling |μ|,
  /// and then those. Empty of conservative forces.
  std::vector<std::complex<double>> single{};
  std::size_t trivial = 0;  ///< how many of `single` are those of W
  double contraction = 0;   ///< ∫ Σ_i c_i tr (K⁻¹)_ii dt; NaN where it is not known
  /// |R P DΦ^N X̃ − X̃|/|X̃| of the interpolated flow: rounding, unless the steps are so coarse that
  /// the N points are isolated from others of the orbit. The multipliers are then lost.
  double flow_error = 0;

  /// Small deviations do not grow exponentially: all pairs are elliptic, and no single multiplier
  /// is outside the unit circle.
  bool stable() const;
  /// "linearly stable" or "unstable"; of single multipliers but those of W "attracting" if all are
  /// inside the unit circle, "saddle" or "repelling" if some or all are outside, "linearly stable"
  /// if none is and some are on it.
  std::string_view kind() const;
  std::vector<std::complex<double>> values() const;
  /// The single multipliers but those of W.
  std::span<const std::complex<double>> own() const {
    return std::span(single).first(single.size() - trivial);
  }
  /// The numbers whose signs change at a branching, a doubling and a collision: det(M_red − 1),
  /// det(M_red + 1) and the discriminant of the traces μ + 1/μ that differ. Of single multipliers
  /// the last is Π_{j<k} (μ_j μ_k − 1), whose sign changes where a complex pair crosses the unit
  /// circle, and all three are those of distinct() ones, with the sign that they have with all if
  /// these are inside.
  std::array<double, 3> tests() const;
  /// Whether two of own() have the product 1 to rounding, as all have without damping.
  bool reciprocal() const;
  /// Whether a complex pair of single multipliers is on the unit circle, to 1e-4.
  bool pair_on_circle() const;
  /// The same pairs over several of these periods: powers of the multipliers.
  OrbitMultipliers over(int periods) const;
};
/// Of a solution. O(n³) and O(n N).
OrbitMultipliers orbit_multipliers(const OrbitProblem& problem, const OrbitSolution& orbit);

}  // namespace twosphere
