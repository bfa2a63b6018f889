// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mechanics/isolines.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <utility>

namespace twosphere {

namespace {

constexpr int halvings = 40;  // of the share of an edge at which it is crossed

/// The points where the edges of a mesh are crossed, each with the next ones on both sides.
class Crossings {
 public:
  Crossings(const SphereMesh& mesh, std::span<const double> values, double level,
            const std::function<double(const Vec3&)>& exact)
      : mesh_(mesh), values_(values), level_(level), exact_(exact) {}

  bool below(int vertex) const { return values_[static_cast<std::size_t>(vertex)] < level_; }

  /// The index of the crossing of an edge.
  std::size_t at(int a, int b) {
    if (b < a) std::swap(a, b);
    const auto [found, fresh] = index_.try_emplace({a, b}, points_.size());
    if (fresh) {
      points_.push_back(point(a, b));
      beside_.emplace_back();
    }
    return found->second;
  }

  void join(std::size_t i, std::size_t k) {
    beside_[i].push_back(k);
    beside_[k].push_back(i);
  }

  std::vector<std::vector<Vec3>> curves() const {
    std::vector<std::vector<Vec3>> list;
    std::vector<bool> done(points_.size());
    for (std::size_t first = 0; first < points_.size(); ++first) {
      if (done[first]) continue;
      std::vector<Vec3>& curve = list.emplace_back();
      for (std::size_t here = first, next = first;; here = next) {
        done[here] = true;
        curve.push_back(points_[here]);
        const auto free = std::find_if(beside_[here].begin(), beside_[here].end(),
                                       [&](std::size_t k) { return !done[k]; });
        if (free == beside_[here].end()) break;
        next = *free;
      }
      curve.push_back(points_[first]);
    }
    return list;
  }

 private:
  Vec3 between(int a, int b, double share) const {
    return ((1 - share) * mesh_.vertices.col(a) + share * mesh_.vertices.col(b)).normalized();
  }

  Vec3 point(int a, int b) const {
    const double from = values_[static_cast<std::size_t>(a)],
                 to = values_[static_cast<std::size_t>(b)];
    if (!exact_) return between(a, b, (level_ - from) / (to - from));
    double low = 0, high = 1;
    for (int k = 0; k < halvings; ++k) {
      const double middle = (low + high) / 2;
      ((exact_(between(a, b, middle)) < level_) == (from < level_) ? low : high) = middle;
    }
    return between(a, b, low);
  }

  const SphereMesh& mesh_;
  std::span<const double> values_;
  double level_;
  const std::function<double(const Vec3&)>& exact_;
  std::map<std::pair<int, int>, std::size_t> index_;
  std::vector<Vec3> points_;
  std::vector<std::vector<std::size_t>> beside_;  // two, on a closed mesh
};

}  // namespace

std::vector<std::vector<Vec3>> isolines(const SphereMesh& mesh, std::span<const double> values,
                                        double level,
                                        const std::function<double(const Vec3&)>& exact) {
  Crossings crossings(mesh, values, level, exact);
  for (const std::array<int, 3>& face : mesh.faces) {
    std::array<std::size_t, 2> ends{};
    std::size_t count = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      const int a = face.at(k), b = face.at((k + 1) % 3);
      if (crossings.below(a) != crossings.below(b)) ends.at(count++) = crossings.at(a, b);
    }
    if (count == 2) crossings.join(ends[0], ends[1]);
  }
  return crossings.curves();
}

}  // namespace twosphere
