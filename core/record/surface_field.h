// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/mechanics/state.h"
#include "core/mechanics/system.h"

namespace twosphere {

/// The local kinetic energy of bodies on the sphere, [P1] Fig. 3.7: one number for every face of an
/// icosphere.
///
/// A body belongs to the face (a, b, c) that contains its direction, min(n_ab·q, n_bc·q, n_ca·q) ≥
/// 0 with the unit normals of the planes of the edges. If several faces contain it to within 1e-12,
/// on edges and vertices, it belongs to the one of lowest index. The value of a face is the mean
/// over all bodies in it and in the faces that share a vertex with it (12 faces, 11 at a vertex of
/// valence 5) of
///
///   T_i = ½ q̇_i·Σ_j M_ij q̇_j,  Σ T_i = T,  for molecules ½ m_i |q̇_i|² [J].
///
/// If there is no body, the neighbourhood is extended by the faces that share a vertex with it
/// until there is one, and the face is marked as widened.
///
/// Mesh and neighbours are computed in the constructor. Not thread-safe.
class SurfaceField {
 public:
  /// 20·4ᵏ faces; 4 subdivisions as in the paper: 2562 vertices, 5120 faces.
  explicit SurfaceField(int subdivisions = 4);

  const Columns& vertices() const { return vertices_; }
  /// Vertex indices, counterclockwise from outside.
  std::span<const std::array<int, 3>> faces() const { return faces_; }
  /// Unit vectors to the centres of the faces.
  const Columns& centers() const { return centers_; }
  /// The face and all faces that share a vertex with it, in order of index.
  std::span<const int> neighbourhood(int face) const;

  /// The face that contains a direction of any nonzero length. O(subdivisions).
  int face_of(const Vec3& q) const;

  /// Computes the field of a state whose ω is up to date. O(n + faces).
  void update(const System& system, const State& state);
  /// Computes the field from the energies [J] of bodies in directions q.
  void update(const Columns& q, std::span<const double> energies);

  /// The value of every face [J].
  std::span<const double> values() const { return values_; }
  /// 1 for faces with a widened neighbourhood, otherwise 0.
  std::span<const std::uint8_t> widened() const { return widened_; }
  /// Energy of the bodies in each face [J], and their number, without its neighbours.
  std::span<const double> sums() const { return sums_; }
  std::span<const int> counts() const { return counts_; }

 private:
  void widen();

  Columns vertices_, centers_;
  std::vector<std::array<int, 3>> faces_;
  /// For each level, starting with 20 faces, the inward normals of the planes of the edges. Face f
  /// of a level is divided into faces 4f … 4f + 3 of the next.
  std::vector<std::vector<std::array<Vec3, 3>>> normals_;
  std::vector<int> neighbours_, first_neighbour_;

  std::vector<double> values_, sums_;
  std::vector<std::uint8_t> widened_;
  std::vector<int> counts_;
  std::vector<std::size_t> body_faces_;  ///< of each body, the last time
  // Scratch.
  std::vector<double> energies_, reached_sums_;
  std::vector<int> rings_, reached_counts_, visited_, front_, next_;
  std::vector<std::uint8_t> leads_;
};

}  // namespace twosphere
