// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mechanics/sphere.h"

namespace twosphere {

/// Terms Σ_i A_i(q)·q̇_i of the Lagrangian, linear in velocities with any A, extended to a
/// neighbourhood of (S²)ⁿ in R³ⁿ. Their forces Σ_j [(∂A_j/∂q_i)ᵀ − ∂A_i/∂q_j] q̇_j do no work.
/// Derivatives are those in R³, not projected, and only contracted ones are needed. Columns have
/// their size already; none is an argument and a result of one call. May be called from several
/// threads at the same time, and allocates nothing after the first calls.
class GyroscopicField {
 public:
  virtual ~GyroscopicField() = default;
  /// Writes A(q) [J s].
  virtual void evaluate(const Columns& q, Columns& a) const = 0;
  /// r_i += Σ_j (∂A_j/∂q_i)ᵀ u_j: the gradient of Σ_j A_j·u_j.
  virtual void slopes(const Columns& q, const Columns& u, Columns& r) const = 0;
  /// Writes Σ_j ∂A_i/∂q_j d_j, the derivative of A along d.
  virtual void derivative_along(const Columns& q, const Columns& d, Columns& da) const = 0;
  /// r_i += the derivative of slopes() along d.
  virtual void slopes_along(const Columns& q, const Columns& u, const Columns& d,
                            Columns& r) const = 0;
};

}  // namespace twosphere
