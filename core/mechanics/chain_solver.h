// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Eigen/Core>
#include <vector>

#include "core/mechanics/sphere.h"

namespace twosphere {

/// The linear problem of TangentSolver for a serial chain, M_ij = l_i l_j Σ_{k≥max(i,j)} m_k + δ_ij
/// D_i: find a_i ⟂ e_i with
///
///   Σ_j M_ij (ν_j e_j + a_j) + d_i a_i + r_i ∥ c_i.
///
/// In accelerations X_k = Σ_{j≤k} l_j (ν_j e_j + a_j) of the masses it is a chain of links that
/// carry a force t c_i − d̂_i s_i − r_i/l_i, s_i = l_i a_i, d̂_i = (D_i + d_i)/l_i². Both ends are
/// eliminated towards the middle at the same time, one in each half of a vector register. The
/// eliminated part acts on a mass as X = p + W G, where G is the force of the next link plus its
/// r/l. Besides W the recursion carries Z = adj W and w = det W, which keep the rigid case (det W =
/// 0) exact. With θ = e·c the next link gives
///
///   δ = e·Wc + d̂ (θ tr Z − e·Zc) + d̂² θ w
///   ρ = (1 + d̂ tr W) c eᵀ − d̂ (c (Wᵀe)ᵀ + Wc eᵀ) + d̂ (e·Wc) I + d̂² θ Z
///
/// where ρ/δ is the inverse of W + (I − c eᵀ/θ)/d̂, the mobilities in series. A mass m gives
///
///   W ← [d̂² θ W + d̂ (θ I − c eᵀ) + m (tr ρ I − ρ) + m² δ I]/D,  Z ← (ρ + m δ I)/D,  w ← δ/D,
///   D = d̂² θ + m d̂ θ (2 + d̂ tr W) + m² tr ρ + m³ δ
///   p ← x + W (r/l − r'/l' − m x),  x = p − l ν e,  r'/l' of the link after the mass.
///
/// The numerators and D are linear in (1, W, Z, w). The recursion stores these multiplied by a
/// factor σ, and the next σ is D/σ, so that only p depends on a division.
///
/// For d̂ = 0 this is the tridiagonal elimination of the tensions of the links. A fixed base is W =
/// 0, a free end or a free base W = I/m. Then X is that of motion about the centre of mass, and
/// M_ij is less by s_i s_j/m_t (RodInertia). Cancellation occurs only in e·Wc. Cost: O(n), about
/// 210 operations per link and half as many instructions. Tests: the dense solution; the residual
/// of the equation in long double for 1000 links.
class SerialSolver {
 public:
  /// Allocates; solve() does not.
  explicit SerialSolver(Eigen::Index n);

  struct Problem {
    const Eigen::VectorXd& mass;            ///< m
    const Eigen::VectorXd& length;          ///< l
    const Eigen::VectorXd& inverse_length;  ///< 1/l
    const Eigen::VectorXd* rotary_inertia;  ///< D; zero if null
    const Eigen::VectorXd* extra;           ///< d; zero if null
    const Eigen::VectorXd* normal;          ///< ν; zero if null
    const Columns& left;                    ///< c
    const Columns& right;                   ///< e
    const Columns& rest;                    ///< r
    double base_mass = 0;                   ///< of a free base; 0: it is fixed
  };
  /// Writes a, which must not alias an input. Not finite if the system is singular.
  void solve(const Problem& problem, Columns& a);

  /// Whether M + diag d is positive definite on the tangent space at q; `rotary_inertia` may be
  /// null, `base_mass` is that of Problem.
  static bool definite(const Eigen::VectorXd& mass, const Eigen::VectorXd& length,
                       const Eigen::VectorXd* rotary_inertia, double base_mass,
                       const Eigen::VectorXd& d, const Columns& q);

 private:
  /// Two numbers treated in parallel: one for the side of the free end, one for that of the base.
  using Pair [[gnu::vector_size(16)]] = double;
  /// A mass before the next link: W, p, the jump of r/l and its mass, and 1/l of the link.
  struct Node {
    Pair w[9], p[3], jump[3], mass, inverse_length;
  };
  template <bool symmetric>
  void solve(const Problem& problem, Columns& a);

  std::vector<Node> nodes_;
};

}  // namespace twosphere
