// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mechanics/direction_text.h"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <vector>

#include "core/base/json.h"
#include "core/base/parse_number.h"
#include "core/base/text.h"

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

std::optional<Vec3> parse_direction(const std::string& text) {
  for (int k = 0; k < 3; ++k)
    if (text == fmt::format("e{}", k + 1)) return Vec3(Vec3::Unit(k));
  const std::vector<std::string> parts = split(text, ',');
  if (parts.size() != 3) return {};
  Vec3 direction;
  for (int k = 0; k < 3; ++k) {
    const auto x = parse_number<double>(parts[static_cast<std::size_t>(k)]);
    if (!x) return {};
    direction[k] = *x;
  }
  if (!direction.allFinite() || direction.isZero(0)) return {};
  return direction;
}

std::string direction_name(const Vec3& direction) {
  for (int k = 0; k < 3; ++k)
    if (direction == Vec3::Unit(k)) return fmt::format("e{}", k + 1);
  return fmt::format("{},{},{}", json::shortest(direction.x()), json::shortest(direction.y()),
                     json::shortest(direction.z()));
}

}  // namespace twosphere
