// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/surface_field.h"

#include <algorithm>
#include <cassert>

#include "core/mechanics/sphere_mesh.h"
#include "core/scenario/icosphere.h"

namespace twosphere {

namespace {

/// Tolerance for directions on the border of a face.
constexpr double border = 1e-12;
/// Tolerance for the faces of coarser levels, which must contain all directions that their parts
/// accept: at a corner twice as large, plus rounding.
constexpr double outer_border = 16 * border;

std::vector<std::array<Vec3, 3>> edge_normals(const SphereMesh& mesh) {
  std::vector<std::array<Vec3, 3>> normals;
  normals.reserve(mesh.faces.size());
  for (const auto& face : mesh.faces) {
    std::array<Vec3, 3>& of = normals.emplace_back();
    for (std::size_t e = 0; e < 3; ++e)
      of[e] =
          Vec3(mesh.vertices.col(face[e])).cross(mesh.vertices.col(face[(e + 1) % 3])).normalized();
  }
  return normals;
}

bool inside(const std::array<Vec3, 3>& normals, const Vec3& q, double tolerance) {
  return normals[0].dot(q) >= -tolerance && normals[1].dot(q) >= -tolerance &&
         normals[2].dot(q) >= -tolerance;
}

}  // namespace

SurfaceField::SurfaceField(int subdivisions) {
  for (int level = 0; level <= subdivisions; ++level) {
    SphereMesh mesh = icosphere(level);
    normals_.push_back(edge_normals(mesh));
    if (level < subdivisions) continue;
    vertices_ = std::move(mesh.vertices);
    faces_ = std::move(mesh.faces);
  }
  const std::size_t count = faces_.size();
  centers_.resize(3, static_cast<Eigen::Index>(count));
  std::vector<std::vector<int>> around(static_cast<std::size_t>(vertices_.cols()));
  for (std::size_t f = 0; f < count; ++f) {
    const auto& [a, b, c] = faces_[f];
    centers_.col(static_cast<Eigen::Index>(f)) =
        (vertices_.col(a) + vertices_.col(b) + vertices_.col(c)).normalized();
    for (const int v : faces_[f])
      around[static_cast<std::size_t>(v)].push_back(static_cast<int>(f));
  }
  first_neighbour_.push_back(0);
  std::vector<int> shared;
  for (const auto& face : faces_) {
    shared.clear();
    for (const int v : face) {
      const auto& list = around[static_cast<std::size_t>(v)];
      shared.insert(shared.end(), list.begin(), list.end());
    }
    std::sort(shared.begin(), shared.end());
    shared.erase(std::unique(shared.begin(), shared.end()), shared.end());
    neighbours_.insert(neighbours_.end(), shared.begin(), shared.end());
    first_neighbour_.push_back(static_cast<int>(neighbours_.size()));
  }
  values_.resize(count);
  sums_.resize(count);
  widened_.resize(count);
  counts_.resize(count);
  reached_sums_.resize(count);
  reached_counts_.resize(count);
  rings_.resize(count);
  visited_.resize(count);
  leads_.resize(count);
}

std::span<const int> SurfaceField::neighbourhood(int face) const {
  const auto f = static_cast<std::size_t>(face);
  const auto from = static_cast<std::size_t>(first_neighbour_[f]);
  return std::span(neighbours_)
      .subspan(from, static_cast<std::size_t>(first_neighbour_[f + 1]) - from);
}

int SurfaceField::face_of(const Vec3& q) const {
  const Vec3 direction = q.stableNormalized();
  // Depth-first search in the order of the indices: the first leaf that contains the direction has
  // the lowest index. `at` is a face of level `level`; after its last sibling the search returns to
  // its parent.
  std::size_t level = 0, at = 0;
  const std::size_t leaves = normals_.size() - 1;
  for (;;) {
    const bool leaf = level == leaves;
    if (inside(normals_[level][at], direction, leaf ? border : outer_border)) {
      if (leaf) return static_cast<int>(at);
      ++level;
      at *= 4;
      continue;
    }
    while (level > 0 && at % 4 == 3) {
      --level;
      at /= 4;
    }
    // No face contains NaN.
    if (++at == normals_[level].size()) return 0;
  }
}

void SurfaceField::update(const System& system, const State& state) {
  const Eigen::Index n = state.q.cols();
  Columns v(3, n), p(3, n);
  for (Eigen::Index i = 0; i < n; ++i) v.col(i) = state.w.col(i).cross(state.q.col(i));
  multiply(system.inertia(), state.q, v, p);
  energies_.resize(static_cast<std::size_t>(n));
  for (Eigen::Index i = 0; i < n; ++i)
    energies_[static_cast<std::size_t>(i)] = v.col(i).dot(p.col(i)) / 2;
  update(state.q, energies_);
}

void SurfaceField::update(const Columns& q, std::span<const double> energies) {
  assert(static_cast<std::size_t>(q.cols()) == energies.size());
  std::fill(sums_.begin(), sums_.end(), 0.0);
  std::fill(counts_.begin(), counts_.end(), 0);
  body_faces_.resize(energies.size());
  for (std::size_t i = 0; i < energies.size(); ++i) {
    // Most bodies are where they were the last time, inside a face and far from all others.
    const Vec3 direction = q.col(static_cast<Eigen::Index>(i)).stableNormalized();
    auto& face = body_faces_[i];
    if (!inside(normals_.back()[face], direction, -outer_border))
      face = static_cast<std::size_t>(face_of(q.col(static_cast<Eigen::Index>(i))));
    sums_[face] += energies[i];
    ++counts_[face];
  }

  // A face that contains bodies gives them to the faces that share a vertex with it.
  std::fill(reached_sums_.begin(), reached_sums_.end(), 0.0);
  std::fill(reached_counts_.begin(), reached_counts_.end(), 0);
  for (std::size_t source = 0; source < counts_.size(); ++source) {
    if (counts_[source] == 0) continue;
    for (const int to : neighbourhood(static_cast<int>(source))) {
      reached_sums_[static_cast<std::size_t>(to)] += sums_[source];
      reached_counts_[static_cast<std::size_t>(to)] += counts_[source];
    }
  }
  widen();
  for (std::size_t f = 0; f < counts_.size(); ++f)
    values_[f] = reached_counts_[f] > 0 ? reached_sums_[f] / reached_counts_[f] : 0;
}

/// Gives the faces that no body has reached those of all nearest faces that contain any.
void SurfaceField::widen() {
  // The number of rings between a face and the nearest face that contains a body, and whether a
  // face shares a vertex with one of the next ring.
  constexpr int unknown = -1;
  next_.clear();
  for (std::size_t f = 0; f < counts_.size(); ++f) {
    widened_[f] = reached_counts_[f] == 0 ? 1 : 0;
    rings_[f] = widened_[f] ? unknown : counts_[f] > 0 ? 0 : 1;
    if (widened_[f]) next_.push_back(static_cast<int>(f));
  }
  if (next_.empty()) return;
  std::fill(leads_.begin(), leads_.end(), std::uint8_t{0});
  front_.clear();
  for (const int face : next_) {
    bool second = false;
    for (const int near : neighbourhood(face))
      if (const auto n = static_cast<std::size_t>(near); rings_[n] == 1) leads_[n] = second = true;
    if (!second) continue;
    rings_[static_cast<std::size_t>(face)] = 2;
    front_.push_back(face);
  }
  for (int ring = 3; !front_.empty(); ++ring, front_.swap(next_)) {
    next_.clear();
    for (const int from : front_)
      for (const int to : neighbourhood(from)) {
        int& found = rings_[static_cast<std::size_t>(to)];
        if (found == unknown) {
          found = ring;
          next_.push_back(to);
        }
        if (found == ring) leads_[static_cast<std::size_t>(from)] = 1;
      }
  }

  // The bodies of each face go outwards, to the faces for which it is a nearest one.
  std::fill(visited_.begin(), visited_.end(), unknown);
  for (std::size_t source = 0; source < counts_.size(); ++source) {
    if (counts_[source] == 0) continue;
    const int mark = static_cast<int>(source);
    front_.assign(1, mark);
    for (int ring = 1; !front_.empty(); ++ring, front_.swap(next_)) {
      next_.clear();
      for (const int from : front_)
        for (const int to : neighbourhood(from)) {
          const auto t = static_cast<std::size_t>(to);
          if (rings_[t] != ring || visited_[t] == mark) continue;
          visited_[t] = mark;
          if (widened_[t]) {
            reached_sums_[t] += sums_[source];
            reached_counts_[t] += counts_[source];
          }
          if (leads_[t]) next_.push_back(to);
        }
    }
  }
}

}  // namespace twosphere
