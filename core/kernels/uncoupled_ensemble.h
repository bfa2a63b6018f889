// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/kernels/aligned.h"
#include "core/mechanics/ensemble.h"
#include "core/mechanics/sphere.h"

/// Drift and kick of uncoupled_kernel for the members of an ensemble together, one in each element
/// of a vector. The operations and their order are those for one member, so that each does what it
/// does alone, bit for bit, at every level.
namespace twosphere::uncoupled_kernel {

/// ensemble_members members at the beginning of a step.
struct Members {
  Aligned<double> q, w, torque;

  void resize(Eigen::Index n);
};

/// Data common to all steps of a composition with the stages γ_k h.
struct Composition {
  Composition(std::span<const double> gamma, double h, const Eigen::VectorXd& m);

  std::vector<double> step;     ///< γ_k h
  Eigen::MatrixXd drift, kick;  ///< (γ_k h)²/2m_i and γ_k h/2m_i, a column per stage
};

/// The q of `to`. False if the step of any member fails; then it is not valid.
bool drift(const Composition& composition, std::size_t k, const Members& from, Members& to);
/// From the gradient at the q of `to` its torque and ω. False if the step of any member fails.
bool kick(const Composition& composition, std::size_t k, const Members& from, const double* g,
          Members& to);

}  // namespace twosphere::uncoupled_kernel
