// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/coincidence.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <vector>

namespace twosphere {

std::optional<std::pair<Eigen::Index, Eigen::Index>> coincidence(const Columns& points) {
  std::vector<Eigen::Index> order(static_cast<std::size_t>(points.cols()));
  std::iota(order.begin(), order.end(), Eigen::Index{0});
  const auto place = [&](Eigen::Index i) {
    return std::tuple(points(0, i), points(1, i), points(2, i));
  };
  std::sort(order.begin(), order.end(), [&](auto i, auto j) {
    const auto a = place(i), b = place(j);
    return a < b || (!(b < a) && i < j);
  });
  std::optional<std::pair<Eigen::Index, Eigen::Index>> first;
  for (std::size_t k = 1, group = 0; k < order.size(); ++k) {
    if (place(order[k]) != place(order[group]))
      group = k;
    else if (!first || order[k] < first->first)
      first = {order[k], order[group]};
  }
  return first;
}

}  // namespace twosphere
