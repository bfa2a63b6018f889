// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/mechanics/ensemble.h"
#include "core/mechanics/sphere.h"

/// The field of magnets that rotate about fixed points.
///
/// Notation: p_i pivot [m], ν_i moment [A m²], r = p_j − p_i, k_ij = 10⁻⁷ ν_i ν_j/|r|³ [J].
///   g_i = Σ_{j≠i} k_ij [q_j − 3 r̂ (r̂·q_j)],  V = ½ Σ_i q_i·g_i
namespace twosphere::dipole_kernel {

inline constexpr double permeability_over_4pi = 1e-7;  ///< [N/A²]

/// The symmetric matrix K of g = K q.
class Coupling {
 public:
  virtual ~Coupling() = default;
  /// `g` already has n columns. May be called from several threads at the same time; allocates
  /// memory only when more calls run at once than ever before. The result depends only on q and the
  /// instruction set level, bit for bit.
  virtual void multiply(const Columns& q, Columns& g) const = 0;
  /// The same for the members of an ensemble, see ensemble_members, of each as alone bit for bit.
  /// Only of dense().
  virtual void multiply_together(const double* /*q*/, double* /*g*/) const {}
};

/// Stores the matrix, 9n² numbers. For few magnets.
std::unique_ptr<const Coupling> dense(const Columns& pivots, const Eigen::VectorXd& moments);
/// Computes all pairs in every product: O(n²) time, O(n) memory. For many magnets at arbitrary
/// positions.
std::unique_ptr<const Coupling> pairs(const Columns& pivots, const Eigen::VectorXd& moments);
/// Pivots spacing·(column, row, 0), index = row·columns + column: a convolution by fast Fourier
/// transform. O(n log n) time, O(n) memory.
std::unique_ptr<const Coupling> lattice(Eigen::Index rows, Eigen::Index columns, double spacing,
                                        const Eigen::VectorXd& moments);

/// The 3×3 block of K for one pair [J].
Mat3 pair(const Vec3& r, double moment, double other_moment);
/// g = K q, pair by pair.
void plain_multiply(const Columns& pivots, const Eigen::VectorXd& moments, const Columns& q,
                    Columns& g);

}  // namespace twosphere::dipole_kernel
