// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/kernels/aligned.h"
#include "core/mechanics/sphere.h"

/// Sums over all pairs of bodies to a tolerance, see core/kernels/far_field.h.
namespace twosphere::far_field {

/// A cell: the directions of a face of the cube with ξ and η within `half` of their middle.
struct Cell {
  std::uint32_t begin = 0, end = 0;  ///< its bodies, by slot
  std::uint32_t parent = 0;
  std::uint32_t first_child = 0, children = 0;  ///< those that have bodies
  std::uint32_t column = 0, row = 0;            ///< along ξ and η, of the squares of its level
  std::uint8_t face = 0, level = 0;
  double xi = 0, eta = 0, half = 0;  ///< [rad]
  Vec3 middle = Vec3::Zero();        ///< the direction in its middle
  double radius = 0;                 ///< the largest angle from there to one of its corners [rad]

  bool leaf() const { return children == 0; }
};

/// Which cells there are, and which of them are far from each other.
struct Division {
  bool projective = false;  ///< q and −q are in one cell
  std::size_t leaf = 1;     ///< a cell with more bodies is split
  double opening = 0.5;     ///< θ
  std::size_t few = 0;      ///< leaves with at most so many pairs of bodies are near
};

/// Bodies on the unit sphere in the cells of a cube's six faces, or, of the projective sphere, of
/// three of them.
///
/// On the face f, that of the largest component of q, with all axes counted cyclically,
///   ξ = atan(q_{f+1}/q_f),  η = atan(q_{f+2}/q_f),  both within ±π/4
/// (Ronchi, Iacono, Paolucci, J. Comput. Phys. 124 (1996) 93), and r = ±q with r_f > 0. A cell with
/// too many bodies is split into four, as long as it is wider than 2⁻¹⁶ of its face. Bodies are
/// sorted by cell, and in the smallest cells by number, so that all depends only on q. Cells a and
/// b are far from each other if
///   ρ_a + ρ_b < θ α,  α the angle of their middles, of the projective sphere at most π/2,
/// with ρ their radii. For each target a there are lists of cells b: those far from a but not from
/// the parent of a, and if a is a leaf the leaves near it, or far with only few pairs of bodies.
/// Every pair of bodies is in one of them.
class CellTree {
 public:
  static constexpr std::uint8_t deepest = 16;

  /// Places the bodies of q, which must be on the sphere. Cost: O(n), parallel but for the sorting.
  void make(const Columns& q, const Division& division);

  std::size_t bodies() const { return body_.size(); }
  /// The number of the body in a slot.
  std::uint32_t body(std::size_t slot) const { return body_[slot]; }
  /// By slot: the components of r, of six faces of q itself, and ξ and η.
  const double* x() const { return x_.data(); }
  const double* y() const { return y_.data(); }
  const double* z() const { return z_.data(); }
  const double* xi() const { return xi_.data(); }
  const double* eta() const { return eta_.data(); }
  /// σ by slot: q = σ r; 1 of six faces.
  const double* sign() const { return sign_.data(); }

  /// All cells, level by level.
  const std::vector<Cell>& cells() const { return cells_; }
  std::size_t levels() const { return level_begin_.size() - 1; }
  /// The first cell of a level; of levels(), the number of cells.
  std::size_t level_begin(std::size_t level) const { return level_begin_[level]; }
  const std::vector<std::uint32_t>& far(std::size_t cell) const { return lists_[cell].far; }
  const std::vector<std::uint32_t>& near(std::size_t cell) const { return lists_[cell].near; }
  /// The direction of a face, as r, with these tan ξ and tan η.
  static Vec3 direction(unsigned face, double tan_xi, double tan_eta);
  /// ±1, with which r of cell b, and not −r, is the nearer one to those of cell a.
  double side(const Cell& a, const Cell& b) const {
    return division_.projective && a.middle.dot(b.middle) < 0 ? -1 : 1;
  }

 private:
  struct Placed {
    std::uint64_t key;  // the face, then the bits of row and column in turn
    std::uint32_t body;
  };
  struct Lists {
    std::vector<std::uint32_t> far, near, rest;  // rest: for the children
  };

  void place(const Columns& q, std::size_t begin, std::size_t end);
  void sort();
  void take_places(const Columns& q, std::size_t begin, std::size_t end);
  void split();
  void split(std::size_t cell);
  void add_cell(Cell cell);
  void make_lists();
  void make_lists(std::size_t cell);
  void visit(std::size_t a, std::size_t b);
  bool are_far(const Cell& a, const Cell& b) const;

  Division division_;
  std::vector<Placed> placed_, spare_;
  std::vector<double> xi_of_, eta_of_;  // by body
  std::vector<std::uint32_t> body_;
  Aligned<double> x_, y_, z_, xi_, eta_, sign_;
  std::vector<Cell> cells_;
  std::vector<std::size_t> level_begin_;
  std::vector<Lists> lists_;  // kept where there are fewer cells later
};

}  // namespace twosphere::far_field
