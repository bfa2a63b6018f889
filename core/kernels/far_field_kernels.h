// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Eigen/Core>
#include <array>
#include <atomic>
#include <cstddef>

#include "core/kernels/aligned.h"
#include "core/kernels/far_field_cells.h"
#include "core/mechanics/sphere.h"

/// The sums of core/kernels/far_field.h in vectors: what is done for one cell.
namespace twosphere::far_field {

inline constexpr std::size_t max_order = 11;
/// A matrix between the nodes of two cells along one axis.
using Transfer = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor,
                               static_cast<int>(max_order), static_cast<int>(max_order)>;

/// s² below which a pair of bodies has the terms of ClosePair. They lose no digits; in those of the
/// others the part of q_j along q_i has a rounding of 1e-16/s³, below 1e-12 of the median torque of
/// 4000 bodies.
inline constexpr double close = 1e-5;

/// What is summed.
enum class Law { attraction, attraction_potential, vortices, vortices_potential };

struct Workspace {
  Law law = Law::attraction;
  CellTree tree;
  const Columns* q = nullptr;
  const Columns* q_low = nullptr;          ///< of q, or null
  std::size_t order = 0, nodes = 0;        ///< p, and p² filled up to whole vectors of every level
  std::array<double, max_order> t{};       ///< the Chebyshev points
  std::array<double, max_order> weight{};  ///< Π 1/(t_k − t_m)
  std::array<Transfer, 2> halves;          ///< L_a at the points of the halves t < 0 and t > 0
  Aligned<double> strength;                ///< by slot: σ_j or Γ_j
  /// By cell: the components of all nodes, then each of the numbers M and F of all.
  Aligned<double> positions, moments, fields;
  std::size_t room = 0;                     ///< cells that these have room for
  std::array<Aligned<double>, 3> sums;      ///< by slot
  const std::atomic<bool>* stop = nullptr;  ///< the caller's Interruptible, or null
};

/// The place of the numbers of a cell's nodes from component k on, of so many components.
inline std::size_t place_of(const Workspace& work, std::size_t cell, std::size_t components,
                            std::size_t k = 0) {
  return (cell * components + k) * work.nodes;
}

/// Writes M of a leaf.
void find_moments(Workspace& work, std::size_t leaf);
/// Adds to F of a cell what comes from the cells far from it.
void add_far_fields(Workspace& work, std::size_t cell);
/// Writes the sums of the bodies of a leaf, from its F and the bodies of near leaves.
void find_sums(Workspace& work, std::size_t leaf);

}  // namespace twosphere::far_field
