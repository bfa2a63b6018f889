// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/surface_field.h"

#include <algorithm>
#include <cassert>

#include "core/scenario/initial_conditions.h"

namespace twosphere {

namespace {

/// Tolerance for directions on the border of a face.
constexpr double border = 1e-12;
/// Tolerance for the faces of coarser levels, which must contain all directions that their parts
/// accept: at a corner twice as large, plus rounding.
constexpr double outer_border = 16 * border;

std::vector<std::array<Vec3, 3>> edge_normals(const Icosphere& mesh) {
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
    Icosphere mesh = icosphere(level);
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
  for (Eigen::Index i = 0; i < q.cols(); ++i) {
    const auto face = static_cast<std::size_t>(face_of(q.col(i)));
    sums_[face] += energies[static_cast<std::size_t>(i)];
    ++counts_[face];
  }

  // The number of rings between a face and the nearest face that contains a body.
  constexpr int unknown = -1;
  std::fill(rings_.begin(), rings_.end(), unknown);
  front_.clear();
  for (std::size_t f = 0; f < counts_.size(); ++f)
    if (counts_[f] > 0) {
      rings_[f] = 0;
      front_.push_back(static_cast<int>(f));
    }
  int widest = 0;
  for (; !front_.empty(); front_.swap(next_)) {
    next_.clear();
    for (const int from : front_)
      for (const int to : neighbourhood(from))
        if (int& ring = rings_[static_cast<std::size_t>(to)]; ring == unknown) {
          widest = ring = rings_[static_cast<std::size_t>(from)] + 1;
          next_.push_back(to);
        }
  }

  // Faces beyond the first ring use the bodies of all nearest faces that contain any: each of these
  // is propagated to the faces for which it is a nearest one.
  std::fill(reached_sums_.begin(), reached_sums_.end(), 0.0);
  std::fill(reached_counts_.begin(), reached_counts_.end(), 0);
  if (widest > 1) {
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
            reached_sums_[t] += sums_[source];
            reached_counts_[t] += counts_[source];
            next_.push_back(to);
          }
      }
    }
  }

  for (std::size_t f = 0; f < counts_.size(); ++f) {
    widened_[f] = rings_[f] > 1 ? 1 : 0;
    double sum = reached_sums_[f];
    int bodies = reached_counts_[f];
    if (!widened_[f]) {
      sum = 0;
      bodies = 0;
      for (const int near : neighbourhood(static_cast<int>(f))) {
        sum += sums_[static_cast<std::size_t>(near)];
        bodies += counts_[static_cast<std::size_t>(near)];
      }
    }
    values_[f] = bodies > 0 ? sum / bodies : 0;
  }
}

}  // namespace twosphere
