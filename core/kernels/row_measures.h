// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>

#include "core/kernels/aligned.h"
#include "core/mechanics/ensemble.h"
#include "core/mechanics/inertia.h"

/// What is measured of several rows of one lane together, one row in each element of a vector: all
/// of a Sample that needs neither the potential nor the work. The operations and their order are
/// those of measure() in diagnostics.cpp for a single state, so that each row has the same bits, at
/// every level.
namespace twosphere::rows_kernel {

/// More bodies nearly fill the vectors by themselves.
inline constexpr Eigen::Index max_bodies = 16;

/// Whether there is a kernel for this inertia: chains and uncoupled bodies, at most max_bodies.
bool suits(const Inertia& inertia);

/// Up to ensemble_members rows.
struct Rows {
  void resize(Eigen::Index n);

  /// q and ω, arranged like those of the members of an ensemble.
  Aligned<double> q, w;

  using Numbers = std::array<double, ensemble_members>;
  Numbers kinetic_energy{};  // [J]
  Numbers unit_length_error{};
  Numbers unit_length_error_mean{};
  Numbers tangency_error{};
  std::array<Numbers, 3> momentum{};  // [J s]
  double fastest = 0;                 // the largest |ω|² [1/s²]
  double apart = 0;                   // the largest |q_i − q_i'|², q_i' that of the last row
};

/// Measures the first `count` rows. May write to the elements after them.
void measure(const Inertia& inertia, std::size_t count, Rows& rows);

}  // namespace twosphere::rows_kernel
