// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/aligned.h"
#include "core/mechanics/ensemble.h"
#include "core/mechanics/sphere.h"

/// Kicks and rotations of rotation.cpp for the members of an ensemble together, one in each element
/// of a vector. The operations and their order are those for one member, with sines by
/// small_sine(), so that each does what it does alone, bit for bit, at every level.
namespace twosphere::rotation_kernel {

/// ensemble_members members: directions q + e, ω, and g = ∂V/∂q at q + e.
struct Members {
  Aligned<double> q, e, w, g;

  void resize(Eigen::Index n);
  /// Becomes a copy of others of the same size.
  void assign(const Members& other, Eigen::Index n);
};

/// e_i ← e_i + the change along q_i after which |q_i + e_i| = 1, to first order.
void correct_lengths(Eigen::Index n, Members& members);
/// ω_i ← ω_i − (s/m_i) q_i × g_i, without its part along q_i.
void kick(double s, const Eigen::VectorXd& m, Members& members);
/// q_i + e_i ← R(s ω_i) (q_i + e_i). Whether all are finite.
bool rotate(double s, Eigen::Index n, Members& members);
/// Whether q, ω and g of all bodies of all members are finite.
bool finite(Eigen::Index n, const Members& members);

}  // namespace twosphere::rotation_kernel
