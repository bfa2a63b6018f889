// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Eigen/Core>
#include <variant>

#include "core/sphere.h"

/// The structure of the inertia matrix M in T = ½ Σ_ij M_ij q̇_i·q̇_j, which decides how a step is
/// solved.
namespace twosphere {

/// Uncoupled bodies: M = diag(m) [kg m²] (or [kg] on a unit sphere).
struct DiagonalInertia {
  Eigen::VectorXd m;

  explicit DiagonalInertia(Eigen::VectorXd diagonal) : m(std::move(diagonal)) {}
  int size() const { return static_cast<int>(m.size()); }
};

/// Serial chain of point masses m_i on massless links l_i:
/// x_k = Σ_{j≤k} l_j q_j, T = ½ Σ_k m_k |ẋ_k|², that is M_ij = l_i l_j Σ_{k≥max(i,j)} m_k [kg m²].
/// Its inverse is tridiagonal: (M⁻¹)_ii = (1/m_i + 1/m_{i−1})/l_i², (M⁻¹)_{i,i+1} = −1/(m_i l_i
/// l_{i+1}), 1/m_0 = 0.
struct ChainInertia {
  Eigen::VectorXd mass;                  ///< m_i [kg]
  Eigen::VectorXd length;                ///< l_i [m]
  Eigen::VectorXd carried;               ///< Σ_{k≥i} m_k [kg]
  Eigen::VectorXd inverse_diagonal;      ///< (M⁻¹)_ii
  Eigen::VectorXd inverse_off_diagonal;  ///< (M⁻¹)_{i,i+1}, n − 1 entries

  ChainInertia(Eigen::VectorXd masses, Eigen::VectorXd lengths);
  int size() const { return static_cast<int>(mass.size()); }
  /// out = M⁻¹ v, in O(n). `out` must not be `v`.
  void apply_inverse(const Columns& v, Columns& out) const;
};

using Inertia = std::variant<DiagonalInertia, ChainInertia>;

/// out_i = Σ_j M_ij v_j, in O(n).
void multiply(const Inertia& inertia, const Columns& v, Columns& out);
/// T = ½ Σ_ij M_ij v_i·v_j for velocities v_i = q̇_i, in O(n).
double kinetic_energy(const Inertia& inertia, const Columns& v);
/// M as a full matrix, for documentation and tests. O(n²).
Eigen::MatrixXd dense(const Inertia& inertia);

}  // namespace twosphere
