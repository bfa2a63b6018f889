// SPDX-License-Identifier: GPL-3.0-or-later
#include "render/dashes.h"

#include <algorithm>
#include <array>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <utility>
#include <vector>

namespace twosphere::render {

namespace {

constexpr float cut_away = -1;  // alpha of the ends of a gap
constexpr std::array dashed{3.0f, 2.0f}, dotted{1.0f, 1.5f}, long_dash{6.0f, 2.0f};
constexpr std::array dash_dot{4.0f, 1.5f, 1.0f, 1.5f};
/// Even, so that a stroke comes after them.
constexpr int max_cuts = 20'000;

}  // namespace

std::span<const float> dash_pattern(Dash dash) {
  switch (dash) {
    case Dash::solid:
      return {};
    case Dash::dashed:
      return dashed;
    case Dash::dotted:
      return dotted;
    case Dash::dash_dot:
      return dash_dot;
    case Dash::long_dash:
      return long_dash;
  }
  return {};
}

void cut_into_dashes(Polyline& line, Dash dash, float unit) {
  const std::span<const float> pattern = dash_pattern(dash);
  if (pattern.empty() || line.points.size() < 2 || !(unit > 0)) return;
  std::vector<glm::vec4> kept{line.points.back()};
  std::size_t part = 0;            // of the pattern: a stroke if even
  float left = pattern[0] * unit;  // of that part [m]
  int cuts = 0;
  const auto turn = [&](glm::vec4 at) {
    const glm::vec4 end(glm::vec3(at), cut_away);
    if (part % 2 == 0)
      kept.insert(kept.end(), {at, end});
    else
      kept.insert(kept.end(), {end, at});
    part = (part + 1) % pattern.size();
    left = pattern[part] * unit;
    ++cuts;
  };
  for (std::size_t i = line.points.size() - 1; i > 0; --i) {
    const glm::vec4 from = line.points[i], to = line.points[i - 1];
    const float length = glm::distance(glm::vec3(from), glm::vec3(to));
    float gone = 0;
    while (length - gone > left && cuts < max_cuts) {
      gone += left;
      turn(glm::mix(from, to, gone / length));
    }
    left -= length - gone;
    if (part % 2 == 0) kept.push_back(to);
  }
  std::reverse(kept.begin(), kept.end());
  line.points = std::move(kept);
}

}  // namespace twosphere::render
