// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/far_field.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <limits>
#include <numbers>
#include <vector>

#include "core/base/interrupt.h"
#include "core/base/thread_pool.h"
#include "core/kernels/n_body.h"

namespace twosphere::far_field {

namespace {

/// θ of vortices, whose circulations may have both signs, relative to that of attraction.
constexpr double opening_of_vortices = 0.8;

/// How the sums are taken to a tolerance.
struct Accuracy {
  double tolerance;
  std::size_t order;  // p
  double opening;     // θ
  std::size_t leaf;
  double pairs;  // of each body
};
constexpr Accuracy accuracies[] = {{1e-5, 6, 0.6, 60, 3200},
                                   {1e-7, 9, 0.65, 90, 7000},
                                   {1e-8, 10, 0.6, 110, 9000},
                                   {min_tolerance, 11, 0.5, 130, 13'000}};

/// The coarsest that is good enough.
const Accuracy& accuracy_of(double tolerance) {
  for (const Accuracy& accuracy : accuracies)
    if (accuracy.tolerance <= tolerance) return accuracy;
  return *std::prev(std::end(accuracies));
}

std::size_t components_of(Law law) {
  return law == Law::attraction || law == Law::vortices ? 3 : 1;
}
bool of_vortices(Law law) { return law == Law::vortices || law == Law::vortices_potential; }

/// L_k(t).
double polynomial(const Workspace& work, std::size_t k, double t) {
  double value = work.weight[k];
  for (std::size_t m = 0; m < work.order; ++m)
    if (m != k) value *= t - work.t[m];
  return value;
}

/// The Chebyshev points, and the matrices between a cell's and those of its children.
void set_order(std::size_t order, Workspace& work) {
  if (work.order == order) return;
  work.order = order;
  constexpr std::size_t line = Aligned<double>::line;
  work.nodes = (order * order + line - 1) / line * line;
  work.room = 0;
  for (std::size_t k = 0; k < order; ++k)
    work.t[k] = std::cos((2 * static_cast<double>(k) + 1) * std::numbers::pi /
                         (2 * static_cast<double>(order)));
  for (std::size_t k = 0; k < order; ++k) {
    double product = 1;
    for (std::size_t m = 0; m < order; ++m)
      if (m != k) product *= work.t[k] - work.t[m];
    work.weight[k] = 1 / product;
  }
  const auto size = static_cast<Eigen::Index>(order);
  for (std::size_t half = 0; half < 2; ++half) {
    work.halves[half].resize(size, size);
    for (std::size_t a = 0; a < order; ++a)
      for (std::size_t b = 0; b < order; ++b)
        work.halves[half](static_cast<Eigen::Index>(a), static_cast<Eigen::Index>(b)) =
            polynomial(work, a, (work.t[b] + (half == 0 ? -1 : 1)) / 2);
  }
}

/// Room for the nodes of all cells, and for what the bodies need.
void make_room(Workspace& work) {
  const std::size_t cells = work.tree.cells().size(), bodies = work.tree.bodies();
  if (cells > work.room) {
    const std::size_t room = cells + cells / 4;  // in the next steps there may be more
    for (Aligned<double>* numbers : {&work.positions, &work.moments, &work.fields})
      numbers->resize(3 * room * work.nodes);
    work.room = room;  // unless there is not so much memory
  }
  work.strength.resize(bodies + Aligned<double>::line);
  for (Aligned<double>& sums : work.sums) sums.resize(bodies);
}

/// The directions of a cell's nodes.
void place_nodes(Workspace& work, std::size_t index) {
  const Cell& cell = work.tree.cells()[index];
  double* const out = work.positions.data() + place_of(work, index, 3);
  std::fill_n(out, 3 * work.nodes, 0.0);
  std::array<double, max_order> along{}, across{};
  for (std::size_t k = 0; k < work.order; ++k) {
    along[k] = std::tan(cell.xi + work.t[k] * cell.half);
    across[k] = std::tan(cell.eta + work.t[k] * cell.half);
  }
  for (std::size_t a = 0; a < work.order; ++a)
    for (std::size_t b = 0; b < work.order; ++b) {
      const Vec3 at = CellTree::direction(cell.face, along[a], across[b]);
      for (std::size_t axis = 0; axis < 3; ++axis)
        out[axis * work.nodes + a * work.order + b] = at[static_cast<Eigen::Index>(axis)];
    }
}

/// Calls use(parent's numbers, child's numbers, matrices along ξ and η) for the children of a cell
/// and each of the components of M or F.
template <class Use>
void for_children(Workspace& work, std::size_t index, Aligned<double>& numbers, const Use& use) {
  const Cell& cell = work.tree.cells()[index];
  const std::size_t components = components_of(work.law);
  const auto p = static_cast<Eigen::Index>(work.order);
  for (std::size_t child = cell.first_child; child < cell.first_child + cell.children; ++child) {
    const Cell& part = work.tree.cells()[child];
    for (std::size_t k = 0; k < components; ++k)
      use(Eigen::Map<Transfer>(numbers.data() + place_of(work, index, components, k), p, p),
          Eigen::Map<Transfer>(numbers.data() + place_of(work, child, components, k), p, p),
          work.halves[part.column % 2], work.halves[part.row % 2]);
  }
}

/// M of a cell from those of its children, and F of its children from its own.
void gather_moments(Workspace& work, std::size_t cell) {
  for_children(work, cell, work.moments,
               [](auto parent, auto child, const Transfer& along, const Transfer& across) {
                 const Transfer half = along.lazyProduct(child);
                 parent += half.lazyProduct(across.transpose());
               });
}
void spread_fields(Workspace& work, std::size_t cell) {
  for_children(work, cell, work.fields,
               [](auto parent, auto child, const Transfer& along, const Transfer& across) {
                 const Transfer half = along.transpose().lazyProduct(parent);
                 child += half.lazyProduct(across);
               });
}

/// Takes the sums by a law of bodies with these strengths, of attraction without any.
void take_sums(Law law, double tolerance, const Columns& q, const Eigen::VectorXd* strengths,
               const Columns* q_low, Workspace& work) {
  const Accuracy& accuracy = accuracy_of(tolerance);
  const std::size_t pairs = accuracy.order * accuracy.order;
  work.law = law;
  work.q = &q;
  work.q_low = q_low;
  work.stop = Interruptible::flag();
  set_order(accuracy.order, work);
  work.tree.make(
      q, {.projective = !of_vortices(law),
          .leaf = accuracy.leaf,
          .opening = of_vortices(law) ? opening_of_vortices * accuracy.opening : accuracy.opening,
          .few = pairs * pairs});
  make_room(work);
  const CellTree& tree = work.tree;
  for (std::size_t slot = 0; slot < tree.bodies(); ++slot)
    work.strength[slot] = strengths ? (*strengths)[tree.body(slot)] : tree.sign()[slot];

  const std::vector<Cell>& cells = tree.cells();
  const std::size_t numbers = components_of(law) * work.nodes;
  const auto each_cell = [&](const auto& use) {
    parallel_for(cells.size(), [&](std::size_t cell) {
      if (!is_set(work.stop)) use(cell);
    });
  };
  const auto each_of_level = [&](std::size_t level, const auto& use) {
    const std::size_t first = tree.level_begin(level);
    parallel_for(tree.level_begin(level + 1) - first, [&](std::size_t k) { use(work, first + k); });
  };
  each_cell([&](std::size_t cell) {
    place_nodes(work, cell);
    std::fill_n(work.moments.data() + cell * numbers, numbers, 0.0);
    std::fill_n(work.fields.data() + cell * numbers, numbers, 0.0);
    if (cells[cell].leaf()) find_moments(work, cell);
  });
  for (std::size_t level = tree.levels(); level-- > 0;) each_of_level(level, gather_moments);
  each_cell([&](std::size_t cell) { add_far_fields(work, cell); });
  for (std::size_t level = 0; level < tree.levels(); ++level) each_of_level(level, spread_fields);
  each_cell([&](std::size_t cell) {
    if (cells[cell].leaf()) find_sums(work, cell);
  });
}

/// Σ_i of strength times sum, in the order of the slots: twice that over the pairs.
double energy(const Workspace& work) {
  if (is_set(work.stop)) return std::numeric_limits<double>::quiet_NaN();
  double sum = 0;
  for (std::size_t slot = 0; slot < work.tree.bodies(); ++slot)
    sum += work.strength[slot] * work.sums[0][slot];
  return sum / 2;
}

/// g_i = factor of the body times its sum.
template <class Factor>
void scatter(const Workspace& work, const Factor& factor, Columns& g) {
  if (is_set(work.stop)) {
    g.setConstant(std::numeric_limits<double>::quiet_NaN());
    return;
  }
  for (std::size_t slot = 0; slot < work.tree.bodies(); ++slot) {
    const auto body = static_cast<Eigen::Index>(work.tree.body(slot));
    g.col(body) = factor(body) * Vec3(work.sums[0][slot], work.sums[1][slot], work.sums[2][slot]);
  }
}

constexpr double per_sphere = 1 / (4 * std::numbers::pi);

}  // namespace

bool applies(const Columns& q) { return q.cols() >= min_bodies && n_body_kernel::on_sphere(q); }

double pairs_per_body(double tolerance) { return accuracy_of(tolerance).pairs; }

double attraction_potential(double tolerance, double gamma, const Columns& q,
                            Pool<Workspace>& pool) {
  const auto work = pool.take();
  take_sums(Law::attraction_potential, tolerance, q, nullptr, nullptr, *work);
  return -gamma * energy(*work);
}

void attraction_gradient(double tolerance, double gamma, const Columns& q, Columns& g,
                         Pool<Workspace>& pool, const Columns* q_low) {
  const auto work = pool.take();
  take_sums(Law::attraction, tolerance, q, nullptr, q_low, *work);
  scatter(
      *work, [gamma](Eigen::Index) { return -gamma; }, g);
}

double vortex_potential(double tolerance, const Eigen::VectorXd& circulations, const Columns& q,
                        Pool<Workspace>& pool) {
  const auto work = pool.take();
  take_sums(Law::vortices_potential, tolerance, q, &circulations, nullptr, *work);
  return -per_sphere * energy(*work);
}

void vortex_gradient(double tolerance, const Eigen::VectorXd& circulations, const Columns& q,
                     Columns& g, Pool<Workspace>& pool) {
  const auto work = pool.take();
  take_sums(Law::vortices, tolerance, q, &circulations, nullptr, *work);
  scatter(
      *work, [&](Eigen::Index body) { return per_sphere * circulations[body]; }, g);
}

}  // namespace twosphere::far_field
