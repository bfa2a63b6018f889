// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/integrators/tableau.h"
#include "core/mechanics/equations_tangent.h"

namespace twosphere {

/// The derivative of steps of an explicit Runge-Kutta method by the initial state, stage by stage:
///
///   δk_i = DF(t + c_i h, y_i) (δy + h Σ_{j<i} a_ij δk_j),  δy ← δy + h Σ b_i δk_i
///
/// with y_i the argument of stage i, see EquationsTangent. Cost: the stages once more, and per
/// vector about as much again.
class StageDerivative {
 public:
  StageDerivative(const System& system, Formulation formulation, std::size_t stages);

  /// Begins with these vectors at a state on the sphere.
  void begin(const System& system, const State& state, std::span<const TangentVector> vectors);
  /// A step h from t with the weights b.
  void step(const System& system, const Tableau& tableau, const std::vector<double>& b, double t,
            double h);
  /// q ← q/|q|
  void normalise();
  /// Writes the vectors at the present end, at time t; they need not be tangent to the sphere.
  void end(const System& system, double t, std::span<TangentVector> vectors);

 private:
  /// (q, x), or (δq, δx) of a vector.
  struct Followed {
    Columns q, x;
    std::vector<Columns> dq, dx;  ///< k_i, or δk_i

    Followed(Eigen::Index n, std::size_t stages);
    /// Writes y + h Σ_{j<count} f_j k_j.
    void sum(const std::vector<double>& factors, std::size_t count, double h, Columns& to_q,
             Columns& to_x) const;
  };

  EquationsTangent equations_;
  std::size_t stages_;
  Followed point_;
  std::vector<Followed> vectors_;
  Columns q_, x_;
};

}  // namespace twosphere
