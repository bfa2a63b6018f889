// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/icosphere.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <numbers>
#include <utility>
#include <vector>

namespace twosphere {

SphereMesh icosphere(int subdivisions) {
  const double g = std::numbers::phi;
  const double corners[12][3] = {{-1, g, 0}, {1, g, 0}, {-1, -g, 0}, {1, -g, 0},
                                 {0, -1, g}, {0, 1, g}, {0, -1, -g}, {0, 1, -g},
                                 {g, 0, -1}, {g, 0, 1}, {-g, 0, -1}, {-g, 0, 1}};
  SphereMesh mesh;
  mesh.faces = {{0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
                {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
                {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}};
  std::vector<Vec3> vertices;
  for (const auto& c : corners) vertices.push_back(Vec3(c[0], c[1], c[2]).normalized());
  for (int k = 0; k < subdivisions; ++k) {
    std::map<std::pair<int, int>, int> middles;
    const auto middle = [&](int a, int b) {
      const auto [it, fresh] =
          middles.try_emplace(std::minmax(a, b), static_cast<int>(vertices.size()));
      if (fresh)
        vertices.push_back(
            (vertices[static_cast<std::size_t>(a)] + vertices[static_cast<std::size_t>(b)])
                .normalized());
      return it->second;
    };
    std::vector<std::array<int, 3>> finer;
    finer.reserve(4 * mesh.faces.size());
    for (const auto& [a, b, c] : mesh.faces) {
      const int x = middle(a, b), y = middle(b, c), z = middle(c, a);
      for (const auto& face : {std::array{a, x, z}, {b, y, x}, {c, z, y}, {x, y, z}})
        finer.push_back(face);
    }
    mesh.faces = std::move(finer);
  }
  mesh.vertices.resize(3, static_cast<Eigen::Index>(vertices.size()));
  for (std::size_t i = 0; i < vertices.size(); ++i)
    mesh.vertices.col(static_cast<Eigen::Index>(i)) = vertices[i];
  return mesh;
}

}  // namespace twosphere
