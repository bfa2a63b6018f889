// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/systems/site_lattice.h"

#include <cmath>

namespace twosphere {

namespace {

constexpr std::array<LatticeKind, 5> all_lattice_kinds{{{"chain", 1, 1},
                                                        {"square", 2, 1},
                                                        {"triangular", 2, 1},
                                                        {"hexagonal", 2, 2},
                                                        {"cubic", 3, 1}}};

}  // namespace

std::span<const LatticeKind> lattice_kinds() { return all_lattice_kinds; }

SiteLattice::SiteLattice(const std::vector<double>& numbers)
    : kind_(&all_lattice_kinds.at(static_cast<std::size_t>(numbers[0]))),
      spacing_(numbers[4]),
      periodic_(numbers[5] != 0) {
  for (std::size_t k = 0; k < 3; ++k) size_[k] = static_cast<std::ptrdiff_t>(numbers[k + 1]);
}

std::ptrdiff_t SiteLattice::sites() const {
  return size_[0] * size_[1] * size_[2] * kind_->cell_sites;
}

double SiteLattice::distance() const {
  return kind_->cell_sites == 2 ? spacing_ / std::sqrt(3.0) : spacing_;
}

Vec3 SiteLattice::along(const std::array<int, 3>& step) const {
  const bool oblique = kind_->key == "triangular" || kind_->key == "hexagonal";
  const Vec3 second = oblique ? Vec3(0.5, std::sqrt(3.0) / 2, 0) : Vec3(0, 1, 0);
  return spacing_ * (step[0] * Vec3(1, 0, 0) + step[1] * second + step[2] * Vec3(0, 0, 1));
}

std::ptrdiff_t SiteLattice::cell(std::ptrdiff_t x, std::ptrdiff_t y, std::ptrdiff_t z) const {
  std::array<std::ptrdiff_t, 3> at{x, y, z};
  for (std::size_t k = 0; k < 3; ++k) {
    if (at[k] >= 0 && at[k] < size_[k]) continue;
    if (!periodic_) return -1;
    at[k] = (at[k] + size_[k]) % size_[k];
  }
  return (at[2] * size_[1] + at[1]) * size_[0] + at[0];
}

Columns SiteLattice::positions() const {
  Columns points(3, sites());
  const Vec3 inside = along({1, 1, 0}) / 3;
  Eigen::Index i = 0;
  for (int z = 0; z < size_[2]; ++z)
    for (int y = 0; y < size_[1]; ++y)
      for (int x = 0; x < size_[0]; ++x)
        for (int s = 0; s < kind_->cell_sites; ++s) points.col(i++) = along({x, y, z}) + s * inside;
  return points;
}

std::vector<std::array<int, 3>> SiteLattice::steps() const {
  std::vector<std::array<int, 3>> all{{1, 0, 0}};
  if (kind_->dimension > 1) all.push_back({0, 1, 0});
  if (kind_->key == "triangular") all.push_back({-1, 1, 0});
  if (kind_->dimension > 2) all.push_back({0, 0, 1});
  return all;
}

std::vector<SiteBond> SiteLattice::bonds() const {
  std::vector<SiteBond> list;
  const bool honeycomb = kind_->cell_sites == 2;
  const Vec3 inside = along({1, 1, 0}) / 3;
  const auto all_steps = steps();
  for (int z = 0; z < size_[2]; ++z)
    for (int y = 0; y < size_[1]; ++y)
      for (int x = 0; x < size_[0]; ++x) {
        const auto here = static_cast<int>(cell(x, y, z));
        if (honeycomb) list.push_back({2 * here, 2 * here + 1, inside, false});
        for (const auto& [dx, dy, dz] : all_steps) {
          const auto there = static_cast<int>(cell(x + dx, y + dy, z + dz));
          if (there < 0) continue;
          const Vec3 step = along({dx, dy, dz});
          const bool across =
              x + dx < 0 || x + dx >= size_[0] || y + dy >= size_[1] || z + dz >= size_[2];
          if (honeycomb)
            list.push_back({2 * here + 1, 2 * there, step - inside, across});
          else
            list.push_back({here, there, step, across});
        }
      }
  return list;
}

std::vector<std::array<int, 3>> SiteLattice::triangles() const {
  std::vector<std::array<int, 3>> list;
  if (kind_->dimension != 2) return list;
  const int each = kind_->cell_sites;
  for (int y = 0; y < size_[1]; ++y)
    for (int x = 0; x < size_[0]; ++x) {
      // The cell and its neighbours at a₁, a₂ and a₁ + a₂.
      const auto site = [&](int dx, int dy) {
        return static_cast<int>(cell(x + dx, y + dy, 0)) * each;
      };
      const int here = site(0, 0), right = site(1, 0), up = site(0, 1), far = site(1, 1);
      if (right < 0 || up < 0 || far < 0) continue;
      if (kind_->key == "square") {
        list.push_back({here, right, far});
        list.push_back({here, far, up});
        continue;
      }
      if (each == 2) {
        // The second site is in the middle of the first three.
        const int middle = here + 1;
        list.push_back({here, right, middle});
        list.push_back({right, up, middle});
        list.push_back({up, here, middle});
      } else {
        list.push_back({here, right, up});
      }
      list.push_back({right, far, up});
    }
  return list;
}

Plaquettes SiteLattice::plaquettes() const {
  Plaquettes result;
  if (kind_->dimension != 2) return result;
  const double cell_area = along({1, 0, 0}).cross(along({0, 1, 0})).norm();
  const bool triangular = kind_->key == "triangular";
  result.corners = triangular ? 3 : kind_->key == "square" ? 4 : 6;
  result.area = triangular ? cell_area / 2 : cell_area;
  if (triangular) {
    for (const auto& triangle : triangles())
      result.sites.insert(result.sites.end(), triangle.begin(), triangle.end());
    return result;
  }
  for (int y = 0; y < size_[1]; ++y)
    for (int x = 0; x < size_[0]; ++x) {
      const auto site = [&](int dx, int dy) {
        return static_cast<int>(cell(x + dx, y + dy, 0)) * kind_->cell_sites;
      };
      const int here = site(0, 0), right = site(1, 0), up = site(0, 1), far = site(1, 1);
      if (right < 0 || up < 0 || far < 0) continue;
      // The hexagon about ⅔(a₁ + a₂) has three first and three second sites.
      if (result.corners == 4)
        result.sites.insert(result.sites.end(), {here, right, far, up});
      else
        result.sites.insert(result.sites.end(), {right, right + 1, far, up + 1, up, here + 1});
    }
  return result;
}

std::vector<std::vector<Vec3>> SiteLattice::regions() const {
  if (kind_->dimension != 2) return {};
  const Vec3 a = along({1, 0, 0}), b = along({0, 1, 0});
  if (kind_->key == "square") return {{(-a - b) / 2, (a - b) / 2, (a + b) / 2, (b - a) / 2}};
  // The centres of the triangles of neighbours; of a hexagonal lattice, those of the hexagons.
  const Vec3 c = (a + b) / 3;
  if (kind_->cell_sites == 1) return {{c, b - c, c - a, -c, c - b, a - c}};
  return {{-c, a - c, b - c}, {c, c - a, c - b}};
}

}  // namespace twosphere
