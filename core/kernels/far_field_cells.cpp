// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/far_field_cells.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "core/base/thread_pool.h"

namespace twosphere::far_field {

namespace {

constexpr double quarter_turn = std::numbers::pi / 2;
/// Bodies, and cells, that a thread deals with one after the other.
constexpr std::ptrdiff_t body_part = 4096, cell_part = 16;

/// The bits of a number of 16 bits at the even places.
std::uint64_t spread(std::uint64_t v) {
  v = (v | v << 8U) & 0x00ff00ffU;
  v = (v | v << 4U) & 0x0f0f0f0fU;
  v = (v | v << 2U) & 0x33333333U;
  return (v | v << 1U) & 0x55555555U;
}

/// Which of the 2¹⁶ parts of a face's side an angle is in.
std::uint64_t part_of(double angle) {
  constexpr double parts = 1U << CellTree::deepest;
  const double part = std::floor((angle / quarter_turn + 0.5) * parts);
  return static_cast<std::uint64_t>(std::clamp(part, 0.0, parts - 1));
}

/// The axis of the largest |component|, of equal ones the first.
Eigen::Index axis_of(const Vec3& q) {
  Eigen::Index axis = 0;
  q.cwiseAbs().maxCoeff(&axis);
  return axis;
}

}  // namespace

void CellTree::make(const Columns& q, const Division& division) {
  division_ = division;
  const auto n = static_cast<std::size_t>(q.cols());
  placed_.resize(n);
  spare_.resize(n);
  xi_of_.resize(n);
  eta_of_.resize(n);
  body_.resize(n);
  // Vectors that begin at any body are read whole.
  for (Aligned<double>* numbers : {&x_, &y_, &z_, &xi_, &eta_, &sign_})
    numbers->resize(n + Aligned<double>::line);
  const auto in_parts = [&](const auto& use) {
    parallel_ranges(q.cols(), body_part, [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
      use(static_cast<std::size_t>(begin), static_cast<std::size_t>(end));
    });
  };
  in_parts([&](std::size_t begin, std::size_t end) { place(q, begin, end); });
  sort();
  in_parts([&](std::size_t begin, std::size_t end) { take_places(q, begin, end); });
  split();
  make_lists();
}

void CellTree::place(const Columns& q, std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end; ++i) {
    const Vec3 at = q.col(static_cast<Eigen::Index>(i));
    const Eigen::Index f = axis_of(at);
    const double xi = std::atan(at[(f + 1) % 3] / at[f]), eta = std::atan(at[(f + 2) % 3] / at[f]);
    const auto face = static_cast<std::uint64_t>(!division_.projective && at[f] < 0 ? f + 3 : f);
    placed_[i] = {face << 32U | spread(part_of(eta)) << 1U | spread(part_of(xi)),
                  static_cast<std::uint32_t>(i)};
    xi_of_[i] = xi;
    eta_of_[i] = eta;
  }
}

/// By key, and of equal keys by number: digit by digit, from the last one.
void CellTree::sort() {
  constexpr unsigned digits = 3, bits = 12;
  constexpr std::size_t values = std::size_t{1} << bits;
  std::vector<std::size_t> first(values);
  for (unsigned digit = 0; digit < digits; ++digit) {
    const auto value = [&](const Placed& p) { return (p.key >> digit * bits) & (values - 1); };
    std::fill(first.begin(), first.end(), 0);
    for (const Placed& p : placed_) ++first[value(p)];
    std::size_t before = 0;
    for (std::size_t& count : first) before += std::exchange(count, before);
    for (const Placed& p : placed_) spare_[first[value(p)]++] = p;
    placed_.swap(spare_);
  }
}

void CellTree::take_places(const Columns& q, std::size_t begin, std::size_t end) {
  for (std::size_t slot = begin; slot < end; ++slot) {
    const std::uint32_t body = placed_[slot].body;
    const Vec3 at = q.col(body);
    const double sign = division_.projective && at[axis_of(at)] < 0 ? -1 : 1;
    body_[slot] = body;
    sign_[slot] = sign;
    x_[slot] = sign * at.x();
    y_[slot] = sign * at.y();
    z_[slot] = sign * at.z();
    xi_[slot] = xi_of_[body];
    eta_[slot] = eta_of_[body];
  }
}

Vec3 CellTree::direction(unsigned face, double tan_xi, double tan_eta) {
  const Eigen::Index f = face % 3;
  Vec3 at;
  at[f] = 1;
  at[(f + 1) % 3] = tan_xi;
  at[(f + 2) % 3] = tan_eta;
  return at / (face < 3 ? at.norm() : -at.norm());
}

/// Adds a cell of which bodies and place are given.
void CellTree::add_cell(Cell cell) {
  cell.half = quarter_turn / 2 / static_cast<double>(1U << cell.level);
  cell.xi = (2 * cell.column + 1) * cell.half - quarter_turn / 2;
  cell.eta = (2 * cell.row + 1) * cell.half - quarter_turn / 2;
  cell.middle = direction(cell.face, std::tan(cell.xi), std::tan(cell.eta));
  for (const double xi : {cell.xi - cell.half, cell.xi + cell.half})
    for (const double eta : {cell.eta - cell.half, cell.eta + cell.half}) {
      const Vec3 corner = direction(cell.face, std::tan(xi), std::tan(eta));
      cell.radius = std::max(cell.radius, angle(cell.middle, corner));
    }
  cells_.push_back(cell);
}

void CellTree::split() {
  cells_.clear();
  const unsigned faces = division_.projective ? 3 : 6;
  std::size_t begin = 0;
  for (unsigned face = 0; face < faces; ++face) {
    const auto end = static_cast<std::size_t>(
        std::partition_point(placed_.begin() + static_cast<std::ptrdiff_t>(begin), placed_.end(),
                             [face](const Placed& p) { return p.key >> 32U <= face; }) -
        placed_.begin());
    if (end > begin)
      add_cell({.begin = static_cast<std::uint32_t>(begin),
                .end = static_cast<std::uint32_t>(end),
                .face = static_cast<std::uint8_t>(face)});
    begin = end;
  }
  level_begin_.assign({0, cells_.size()});
  while (level_begin_.back() > level_begin_.end()[-2]) {
    const std::size_t first = level_begin_.end()[-2], last = level_begin_.back();
    for (std::size_t cell = first; cell < last; ++cell) split(cell);
    level_begin_.push_back(cells_.size());
  }
  level_begin_.pop_back();  // of the level that has no cells
}

void CellTree::split(std::size_t cell) {
  const Cell parent = cells_[cell];
  if (parent.end - parent.begin <= division_.leaf || parent.level == deepest) return;
  const unsigned shift = 2U * (deepest - 1U - parent.level);
  cells_[cell].first_child = static_cast<std::uint32_t>(cells_.size());
  auto from = placed_.begin() + parent.begin;
  const auto last = placed_.begin() + parent.end;
  for (std::uint32_t quarter = 0; quarter < 4; ++quarter) {
    const auto to = std::partition_point(
        from, last, [=](const Placed& p) { return (p.key >> shift & 3U) <= quarter; });
    if (to > from) {
      add_cell({.begin = static_cast<std::uint32_t>(from - placed_.begin()),
                .end = static_cast<std::uint32_t>(to - placed_.begin()),
                .parent = static_cast<std::uint32_t>(cell),
                .column = 2 * parent.column + (quarter & 1U),
                .row = 2 * parent.row + (quarter >> 1U),
                .face = parent.face,
                .level = static_cast<std::uint8_t>(parent.level + 1)});
      ++cells_[cell].children;
    }
    from = to;
  }
}

bool CellTree::are_far(const Cell& a, const Cell& b) const {
  const double cosine = a.middle.dot(b.middle);
  const double apart = std::acos(division_.projective ? std::min(std::abs(cosine), 1.0)
                                                      : std::clamp(cosine, -1.0, 1.0));
  return a.radius + b.radius < division_.opening * apart;
}

void CellTree::make_lists() {
  if (lists_.size() < cells_.size()) lists_.resize(cells_.size());
  for (std::size_t level = 0; level < levels(); ++level) {
    const std::size_t first = level_begin(level), last = level_begin(level + 1);
    parallel_ranges(static_cast<std::ptrdiff_t>(last - first), cell_part,
                    [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
                      for (std::ptrdiff_t k = begin; k < end; ++k)
                        make_lists(first + static_cast<std::size_t>(k));
                    });
  }
}

/// From what its parent leaves to it.
void CellTree::make_lists(std::size_t a) {
  Lists& lists = lists_[a];
  lists.far.clear();
  lists.near.clear();
  lists.rest.clear();
  if (cells_[a].level == 0) {
    for (std::size_t b = 0; b < level_begin(1); ++b) visit(a, b);
    return;
  }
  for (const std::uint32_t b : lists_[cells_[a].parent].rest) {
    const Cell& other = cells_[b];
    // Of two cells of one size both are split.
    if (!other.leaf() && other.level < cells_[a].level)
      for (std::uint32_t k = 0; k < other.children; ++k) visit(a, other.first_child + k);
    else
      visit(a, b);
  }
}

void CellTree::visit(std::size_t a, std::size_t b) {
  const Cell &target = cells_[a], &source = cells_[b];
  Lists& lists = lists_[a];
  const bool leaves = target.leaf() && source.leaf();
  const std::size_t pairs = std::size_t{target.end - target.begin} * (source.end - source.begin);
  if (a != b && !(leaves && pairs <= division_.few) && are_far(target, source)) {
    lists.far.push_back(static_cast<std::uint32_t>(b));
  } else if (leaves) {
    lists.near.push_back(static_cast<std::uint32_t>(b));
  } else if (!source.leaf() && (target.leaf() || source.level < target.level)) {
    for (std::uint32_t k = 0; k < source.children; ++k) visit(a, source.first_child + k);
  } else {
    lists.rest.push_back(static_cast<std::uint32_t>(b));
  }
}

}  // namespace twosphere::far_field
