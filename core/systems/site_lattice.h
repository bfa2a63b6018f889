// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "core/mechanics/sphere.h"

namespace twosphere {

/// A kind of lattice.
struct LatticeKind {
  std::string_view key;  ///< "square"
  int dimension;         ///< how many numbers of cells it has
  int cell_sites;        ///< sites in each cell
};
/// "chain", "square", "triangular", "hexagonal" (the honeycomb) and "cubic".
std::span<const LatticeKind> lattice_kinds();

/// Two sites that are joined.
struct SiteBond {
  int first, second;
  Vec3 along;   ///< from the first site to the second, across the border if the lattice is periodic
  bool across;  ///< whether it joins opposite ends of the lattice
};

/// The polygons between the bonds of a lattice in a plane, all of one form.
struct Plaquettes {
  std::size_t corners = 0;  ///< of each; 0: the lattice has no polygons
  double area = 0;          ///< of each [m²]
  std::vector<int> sites;   ///< the corners, polygon after polygon, counter-clockwise about e3

  std::size_t count() const { return corners == 0 ? 0 : sites.size() / corners; }
};

/// The sites of a lattice, and the bonds between nearest neighbours.
///
/// The cells lie at x a₁ + y a₂ + z a₃, 0 ≤ x < nx, 0 ≤ y < ny, 0 ≤ z < nz, |a_k| = a: along e1, e2
/// and e3, but a₂ = a (½, √3/2, 0) of a triangular and a hexagonal lattice. A cell has its site
/// there, that of a hexagonal lattice a second one at (a₁ + a₂)/3 from it. The index of a site is
/// (z·ny + y)·nx + x, of a hexagonal lattice twice that, plus 1 for the second site.
class SiteLattice {
 public:
  /// From the numbers of a parameter of Shape::sites: index of the kind, nx, ny, nz, a [m], 1 if it
  /// is periodic.
  explicit SiteLattice(const std::vector<double>& numbers);

  const LatticeKind& kind() const { return *kind_; }
  const std::array<std::ptrdiff_t, 3>& size() const { return size_; }
  double spacing() const { return spacing_; }  ///< a [m]
  bool periodic() const { return periodic_; }
  std::ptrdiff_t sites() const;
  /// The distance of neighbours [m].
  double distance() const;

  Columns positions() const;  ///< [m]
  /// From each site i, in order, to the neighbour at +a₁, then a₂, then a₂ − a₁ of a triangular or
  /// a₃ of a cubic lattice. Of a hexagonal one: from the first site of a cell to the second, and
  /// from the second to the first ones of the cells at +a₁ and +a₂.
  std::vector<SiteBond> bonds() const;
  /// The steps to the neighbours that bonds() leads to, in cells, of lattices with one site per
  /// cell.
  std::vector<std::array<int, 3>> steps() const;
  /// x a₁ + y a₂ + z a₃ [m].
  Vec3 along(const std::array<int, 3>& step) const;
  /// The triangles, counter-clockwise about e3, into which a lattice in a plane is divided; empty
  /// for others. A periodic lattice is covered wholly.
  std::vector<std::array<int, 3>> triangles() const;
  /// Squares, triangles or hexagons. A periodic lattice is covered wholly; none of a lattice that
  /// is not in a plane.
  Plaquettes plaquettes() const;
  /// The corners, beside the site, of the points of the plane that are nearest to it: of a lattice
  /// in a plane, for each site of a cell, counter-clockwise about e3 [m]. Empty for others.
  std::vector<std::vector<Vec3>> regions() const;

 private:
  /// The index of the cell at these coordinates; −1 outside a lattice that is not periodic.
  std::ptrdiff_t cell(std::ptrdiff_t x, std::ptrdiff_t y, std::ptrdiff_t z) const;

  const LatticeKind* kind_;
  std::array<std::ptrdiff_t, 3> size_{1, 1, 1};
  double spacing_;
  bool periodic_;
};

}  // namespace twosphere
