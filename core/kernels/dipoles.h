// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/mechanics/sphere.h"

/// The field of magnets that turn about fixed points.
///
/// Notation: p_i pivot [m], ν_i moment [A m²], r = p_j − p_i, k_ij = 10⁻⁷ ν_i ν_j/|r|³ [J].
///   g_i = Σ_{j≠i} k_ij [q_j − 3 r̂ (r̂·q_j)],  V = ½ Σ_i q_i·g_i
namespace twosphere::dipole_kernel {

inline constexpr double permeability_over_4pi = 1e-7;  ///< [N/A²]

/// The symmetric matrix K of g = K q.
class Coupling {
 public:
  virtual ~Coupling() = default;
  /// `g` has n columns already. May be called from several threads at a time; allocates nothing
  /// after as many calls at once as ever before. The same bits for the same q at one instruction
  /// set level.
  virtual void multiply(const Columns& q, Columns& g) const = 0;
};

/// The matrix itself: 9n² numbers. For few.
std::unique_ptr<const Coupling> dense(const Columns& pivots, const Eigen::VectorXd& moments);
/// All pairs anew in every product: O(n²) time, O(n) memory. For many, anywhere.
std::unique_ptr<const Coupling> pairs(const Columns& pivots, const Eigen::VectorXd& moments);
/// Pivots spacing·(column, row, 0), index = row·columns + column: a convolution, by the fast
/// Fourier transform. O(n log n) time, O(n) memory.
std::unique_ptr<const Coupling> lattice(Eigen::Index rows, Eigen::Index columns, double spacing,
                                        const Eigen::VectorXd& moments);

/// K of one pair [J].
Mat3 pair(const Vec3& r, double moment, double other_moment);
/// g = K q, pair by pair.
void plain_multiply(const Columns& pivots, const Eigen::VectorXd& moments, const Columns& q,
                    Columns& g);

}  // namespace twosphere::dipole_kernel
