// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mechanics/direction_text.h"

#include <fmt/core.h>

namespace twosphere {

std::string direction_list(const Columns& q) {
  constexpr Eigen::Index max_bodies = 4;
  std::string out;
  for (Eigen::Index i = 0; i < q.cols() && q.cols() <= max_bodies; ++i)
    out += fmt::format("{}q[{}] = [{:.4f}, {:.4f}, {:.4f}]", i == 0 ? "" : ", ", i, q(0, i),
                       q(1, i), q(2, i));
  return out;
}

}  // namespace twosphere
