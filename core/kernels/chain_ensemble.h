// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/kernels/aligned.h"
#include "core/mechanics/inertia.h"

/// Steps of the variational integrator of several members of an ensemble together, one in each
/// element of a vector: chains with the same inertia and a constant gradient.
///
/// The map, and the order of its operations, are those of variational_chain.cpp for one member, and
/// its derivative those of step_tangent.cpp, so that each does what it does alone, bit for bit, at
/// every level. Newton's iteration continues until the last member has converged; those that have
/// are frozen.
namespace twosphere::chain_kernel {

inline constexpr Eigen::Index max_links = 16;

/// Where Newton's iteration for the multipliers λ of a step h begins. Per h², λ is the tension in
/// the middle of its step; with those of the last step h_k and of the one before, h_{k−1}, the line
/// through both middles is followed to that of the new step:
///
///   λ/h² = λ_k/h_k² + c (λ_k/h_k² − λ_{k−1}/h_{k−1}²),  c = (h + h_k)/(h_k + h_{k−1})
///
/// Where the middles (nearly) coincide, as after a reversal, and where there is no h_{k−1}, c = 0.
struct FirstGuess {
  FirstGuess(double h, double last_step, double step_before) {
    if (h == last_step && h == step_before) {
      // What follows, without its divisions.
      last = 2;
      before = 1;
      return;
    }
    const double way = h + last_step;
    const bool line =
        step_before != 0 && std::abs(way) < longest * std::abs(last_step + step_before);
    const double former = line ? step_before : last_step, apart = last_step + former;
    // h/h_k, h/h_{k−1} and c, with one division.
    const double one = 1 / (last_step * former * apart), unit = h * one;
    const double ratio = unit * (former * apart), of_former = unit * (last_step * apart);
    const double c = line ? way * (one * (last_step * former)) : 0;
    last = ratio * ratio + c * (ratio * ratio);
    before = c * (of_former * of_former);
  }

  static constexpr double longest = 4;  ///< of |c|
  double last, before;                  ///< λ is last λ_k − before λ_{k−1}
};

/// The number of members at the present level; 1: none go together.
std::size_t width();

/// Structure of arrays: member m has component c of link i at (3 i + c) · width + m, and λ_i at
/// i · width + m.
struct Members {
  void resize(Eigen::Index links);

  Aligned<double> q, v;           ///< q_i and q̇_i at the beginning of a step
  Aligned<double> lambda;         ///< multipliers of the last step
  Aligned<double> last_step;      ///< its h [s]; 0 before the first
  Aligned<double> lambda_before;  ///< multipliers of the step before the last
  Aligned<double> step_before;    ///< its h [s]; 0 if there was none
};

/// A tangent vector of each member, in the same order, and the norm ‖δ‖² = Σ_i m_i (ω₀² |δq_i|² +
/// |δω_i|²) in which its growth is measured.
struct Tangents {
  void resize(Eigen::Index links, std::int64_t steps);

  Aligned<double> q, w;            ///< δq_i and δω_i
  Aligned<double> weight, square;  ///< m_i and ω₀²
  Aligned<double> norms;           ///< ‖δ‖² of member m after step k at k · width + m
};

/// Takes up to `count` steps, each of the stages γ_i h, and stops before the first that fails in
/// any member, and where this thread is interrupted. `g`: G = ∂V/∂q, `a`: M⁻¹ G. Returns the number
/// of steps. `tangents`: if not null, vectors that are carried along by the tangent map of
/// step_tangent.cpp, with room for the norms of `count` steps. Requires at most max_links links
/// and width() > 1.
std::int64_t advance(const ChainInertia& chain, const Columns& g, const Columns& a, double h,
                     std::span<const double> gamma, std::int64_t count, Members& members,
                     Tangents* tangents);

}  // namespace twosphere::chain_kernel
