// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mechanics/coincidence.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <tuple>
#include <vector>

#include "core/mechanics/cell_list.h"

namespace twosphere {

std::optional<std::pair<Eigen::Index, Eigen::Index>> coincidence(const Columns& points) {
  std::vector<Eigen::Index> order(static_cast<std::size_t>(points.cols()));
  std::iota(order.begin(), order.end(), Eigen::Index{0});
  const auto coordinates = [&](Eigen::Index i) {
    return std::tuple(points(0, i), points(1, i), points(2, i));
  };
  // Sort by coordinates, equal points by index.
  std::sort(order.begin(), order.end(), [&](auto i, auto j) {
    const auto a = coordinates(i), b = coordinates(j);
    return a < b || (!(b < a) && i < j);
  });
  std::optional<std::pair<Eigen::Index, Eigen::Index>> first;
  // Among groups of equal points, the one whose second index is smallest.
  for (std::size_t k = 1, group = 0; k < order.size(); ++k) {
    if (coordinates(order[k]) != coordinates(order[group]))
      group = k;
    else if (!first || order[k] < first->first)
      first = {order[k], order[group]};
  }
  return first;
}

std::pair<Eigen::Index, Eigen::Index> nearest_pair(const Columns& points, double side) {
  const auto n = static_cast<std::size_t>(points.cols());
  std::vector<Eigen::Index> order(n);
  std::iota(order.begin(), order.end(), Eigen::Index{0});
  // Fixed pseudo-random order, so that the result is reproducible.
  std::mt19937 shuffling(1);
  for (std::size_t k = n; k-- > 1;) std::swap(order[k], order[shuffling() % (k + 1)]);

  const auto square = [&](Eigen::Index i, Eigen::Index j) {
    return (points.col(i) - side * points.col(j)).squaredNorm();
  };
  std::pair best(order[0], order[1]);
  double least = square(order[0], order[1]);
  // The cells hold the points inserted so far, whose least distance is the reach. They are rebuilt
  // when a smaller distance is found; for the k-th point this has probability 2/k.
  const auto cubes = [&](std::size_t count) {
    Cells cells(std::sqrt(least) * (1 + 1e-9), n);
    for (std::size_t k = 0; k < count; ++k) cells.insert(points.col(order[k]), order[k]);
    return cells;
  };
  Cells cells = cubes(2);
  for (std::size_t k = 2; k < n && least > 0; ++k) {
    const Eigen::Index i = order[k];
    bool nearer = false;
    cells.near(side * points.col(i), [&](Eigen::Index j) {
      if (const double s = square(i, j); s < least) {
        least = s;
        best = {i, j};
        nearer = true;
      }
    });
    // A smaller distance needs smaller cells.
    if (nearer)
      cells = cubes(k + 1);
    else
      cells.insert(points.col(i), i);
  }
  return std::minmax(best.first, best.second);
}

}  // namespace twosphere
