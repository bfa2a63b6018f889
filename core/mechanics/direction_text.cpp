// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mechanics/direction_text.h"

#include <fmt/core.h>

#include <cmath>

namespace twosphere {

std::string direction_list(const Columns& q) {
  constexpr Eigen::Index max_bodies = 4;
  // What is rounded to 0 has no sign.
  const auto shown = [](double x) { return std::abs(x) < 0.5e-4 ? 0.0 : x; };
  std::string out;
  for (Eigen::Index i = 0; i < q.cols() && q.cols() <= max_bodies; ++i)
    out += fmt::format("{}q[{}] = [{:.4f}, {:.4f}, {:.4f}]", i == 0 ? "" : ", ", i, shown(q(0, i)),
                       shown(q(1, i)), shown(q(2, i)));
  return out;
}

}  // namespace twosphere
