// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Eigen/Core>
#include <variant>

#include "core/mechanics/sphere.h"

/// The structure of the inertia matrix M in T = ½ Σ_ij M_ij q̇_i·q̇_j, which determines how a step
/// is solved.
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
///
/// With a mass m_0 at the base, which is then free, T is that of the motion about the centre of
/// mass: with s_i = l_i Σ_{k≥i} m_k and all masses m_t = m_0 + Σ_k m_k it is less by |Σ_i s_i
/// q̇_i|²/(2 m_t), and M_ij by s_i s_j/m_t. M⁻¹ has 1/m_0 in place of 0. The centre itself moves as
/// if it were alone.
struct ChainInertia {
  Eigen::VectorXd mass;                  ///< m_i [kg]
  Eigen::VectorXd length;                ///< l_i [m]
  Eigen::VectorXd inverse_mass;          ///< 1/m_i [1/kg]
  Eigen::VectorXd inverse_length;        ///< 1/l_i [1/m]
  Eigen::VectorXd suspended_mass;        ///< Σ_{k≥i} m_k [kg]
  Eigen::VectorXd inverse_diagonal;      ///< (M⁻¹)_ii
  Eigen::VectorXd inverse_off_diagonal;  ///< (M⁻¹)_{i,i+1}, n − 1 entries
  double base_mass;                      ///< m_0 of a free base [kg]; 0: the base is fixed

  ChainInertia(Eigen::VectorXd masses, Eigen::VectorXd lengths, double mass_of_base = 0);
  int size() const { return static_cast<int>(mass.size()); }
  bool has_free_base() const { return base_mass > 0; }
  /// Velocity of the base for velocities v_i of the q_i, which leaves the centre of mass at rest:
  /// −Σ_i s_i v_i/m_t, or 0 if the base is fixed.
  Vec3 base_velocity(const Columns& v) const;
};

/// Serial chain whose links have a rotary inertia: T = ½ Σ_k μ_k |ẋ_k|² + ½ Σ_i D_i |q̇_i|², that
/// is M_ij = l_i l_j Σ_{k≥max(i,j)} μ_k + δ_ij D_i [kg m²]. D_i may be negative as long as M is
/// positive definite: a uniform rod of mass m has half of it at either end and D = −m l²/6.
///
/// With a mass μ_0 at the base, which is then free, T is that of the motion about the centre of
/// mass, see ChainInertia.
struct RodInertia {
  Eigen::VectorXd mass;            ///< μ_i [kg]
  Eigen::VectorXd length;          ///< l_i [m]
  Eigen::VectorXd inverse_length;  ///< 1/l_i [1/m]
  Eigen::VectorXd rotary_inertia;  ///< D_i [kg m²]
  Eigen::VectorXd suspended_mass;  ///< Σ_{k≥i} μ_k [kg]
  double base_mass;                ///< μ_0 of a free base [kg]; 0: the base is fixed

  RodInertia(Eigen::VectorXd masses, Eigen::VectorXd lengths, Eigen::VectorXd own_inertia,
             double mass_of_base = 0);
  int size() const { return static_cast<int>(mass.size()); }
  bool has_free_base() const { return base_mass > 0; }
  /// See ChainInertia::base_velocity().
  Vec3 base_velocity(const Columns& v) const;
};

/// Any constant symmetric positive definite M [kg m²].
struct DenseInertia {
  Eigen::MatrixXd matrix;

  explicit DenseInertia(Eigen::MatrixXd m) : matrix(std::move(m)) {}
  int size() const { return static_cast<int>(matrix.rows()); }
};

/// Inertia that depends on the configuration: m_ij(q), symmetric and positive definite everywhere
/// on (S²)ⁿ, extended to a neighbourhood of it in R³ⁿ. Its derivatives are those in R³, not
/// projected, and only contracted ones are needed. Matrices are n×n already.
class InertiaField {
 public:
  virtual ~InertiaField() = default;
  /// Writes m(q) [kg m²].
  virtual void evaluate(const Columns& q, Eigen::MatrixXd& m) const = 0;
  /// r_i += Σ_jl A_jl ∂m_jl/∂q_i for a symmetric A.
  virtual void slopes(const Columns& q, const Eigen::MatrixXd& a, Columns& r) const = 0;
  /// Writes ṁ = Σ_k ∂m/∂q_k·d_k, the derivative of m along d.
  virtual void derivative_along(const Columns& q, const Columns& d, Eigen::MatrixXd& dm) const = 0;
  /// r_i += Σ_jl A_jl Σ_k ∂²m_jl/∂q_i∂q_k d_k for a symmetric A: the derivative of slopes() along
  /// d.
  virtual void slopes_along(const Columns& q, const Eigen::MatrixXd& a, const Columns& d,
                            Columns& r) const = 0;
};
struct VariableInertia {
  const InertiaField* field;
  int n;

  int size() const { return n; }
};

/// No kinetic energy: M = 0 for n bodies. The equations of motion are of first order, see
/// System::strength().
struct NoInertia {
  int n;

  int size() const { return n; }
};

using Inertia = std::variant<DiagonalInertia, ChainInertia, RodInertia, DenseInertia,
                             VariableInertia, NoInertia>;

/// out_i = Σ_j m_ji v_j, without the overhead that Eigen's products have for few bodies.
inline void multiply(const Eigen::MatrixXd& m, const Columns& v, Columns& out) {
  for (Eigen::Index i = 0; i < v.cols(); ++i) {
    Vec3 sum = Vec3::Zero();
    for (Eigen::Index j = 0; j < v.cols(); ++j) sum += m(j, i) * v.col(j);
    out.col(i) = sum;
  }
}

int size(const Inertia& inertia);
/// out_i = Σ_j M_ij(q) v_j. O(n), for a matrix O(n²).
void multiply(const Inertia& inertia, const Columns& q, const Columns& v, Columns& out);
/// T = ½ Σ_ij M_ij(q) v_i·v_j for velocities v_i = q̇_i. Cost as multiply().
double kinetic_energy(const Inertia& inertia, const Columns& q, const Columns& v);
/// M_ii(q).
void diagonal(const Inertia& inertia, const Columns& q, Eigen::VectorXd& out);
/// Whether M(q) is positive definite with finite entries, or there is none. The structured forms
/// are positive definite by construction; for them only overflow and underflow are checked. O(n),
/// for a matrix O(n³).
bool positive_definite(const Inertia& inertia, const Columns& q);
/// M(q) as a full matrix. O(n²).
Eigen::MatrixXd dense(const Inertia& inertia, const Columns& q);

}  // namespace twosphere
