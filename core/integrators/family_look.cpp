// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/integrators/family_look.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <numeric>
#include <string_view>
#include <utility>

namespace twosphere {

namespace {

constexpr auto known_methods = std::to_array<std::string_view>({
#include "core/integrators/look_order.inc"
});

/// Methods with a dash in common, and tints of a colour of Okabe and Ito and of one of the paper.
struct Family {
  Color own, paper;
  Dash dash;
};
constexpr Family implicit_family{{0x0072b2}, {0xd62017}, Dash::solid},
    splitting_family{{0xf0e442}, {0x1a9f48}, Dash::dotted},
    projected_family{{0xe69f00}, {0x808080}, Dash::dotted},
    runge_kutta_family{{0xcc79a7}, {0x1f5fe0}, Dash::dashed};

const Family& family_of(const IntegratorInfo& method) {
  if (!method.keeps_sphere) return runge_kutta_family;
  if (!method.reversible) return projected_family;
  return method.explicit_method ? splitting_family : implicit_family;
}

/// Gives the look the dash and marker that the fewest older ones have, of these the fewest of the
/// family, and of these the first from the dash of the family on.
void choose_line(Look& look, const Family& family, std::span<const IntegratorInfo> older) {
  constexpr int many = std::numeric_limits<int>::max();
  std::pair fewest{many, many};
  for (std::size_t i = 0; i < all_dashes.size(); ++i)
    for (const Marker marker : all_markers) {
      const Dash dash = all_dashes[(static_cast<std::size_t>(family.dash) + i) % all_dashes.size()];
      std::pair uses{0, 0};
      for (const IntegratorInfo& other : older) {
        if (other.look.dash != dash || other.look.marker != marker) continue;
        ++uses.first;
        if (&family_of(other) == &family) ++uses.second;
      }
      if (uses >= fewest) continue;
      fewest = uses;
      look.dash = dash;
      look.marker = marker;
    }
}

/// The square of the distance in sRGB, 0 to 3·255².
int square_apart(Color a, Color b) {
  int sum = 0;
  for (const int shift : {16, 8, 0}) {
    const int difference =
        static_cast<int>(a.rgb >> shift & 0xff) - static_cast<int>(b.rgb >> shift & 0xff);
    sum += difference * difference;
  }
  return sum;
}

/// Gives one colour of the look the tint that is farthest from those of the older ones, where a
/// colour with the same dash and marker counts as if it were at a quarter of its distance. Tints
/// have at least this contrast with the ground.
void choose_tint(Look& look, Color Look::*color, Color family, Color ground, double least,
                 std::span<const IntegratorInfo> older) {
  constexpr int steps = 128;
  constexpr double deepest = 0.7;  // the share of black or white, so that the hue is seen
  int farthest = -1;
  for (int i = -steps; i <= steps; ++i) {
    const double share = deepest * i / steps;
    const Color tint = share < 0 ? mix(family, {0x000000}, -share) : mix(family, {0xffffff}, share);
    if (contrast(tint, ground) < least) continue;
    int nearest = std::numeric_limits<int>::max();
    for (const IntegratorInfo& other : older) {
      const bool same_line = other.look.dash == look.dash && other.look.marker == look.marker;
      nearest = std::min(nearest, (same_line ? 1 : 16) * square_apart(tint, other.look.*color));
    }
    if (nearest <= farthest) continue;
    farthest = nearest;
    look.*color = tint;
  }
}

}  // namespace

Look family_look(const IntegratorInfo& method, std::span<const IntegratorInfo> older) {
  if (method.look != Look{}) return method.look;
  const Family& family = family_of(method);
  // The darkest ground of the light palette, that of scenes, and that of the high-contrast one.
  constexpr Color pale{0xeef1f5}, black{0x000000};
  Look look;
  choose_line(look, family, older);
  choose_tint(look, &Look::dark, family.own, black, 4.5, older);
  choose_tint(look, &Look::light, family.own, pale, 3, older);
  choose_tint(look, &Look::paper_dark, family.paper, black, 4.5, older);
  choose_tint(look, &Look::paper_light, family.paper, pale, 3, older);
  return look;
}

std::vector<std::size_t> look_order(std::span<const IntegratorInfo> methods) {
  std::vector<std::size_t> order(methods.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto age = [&](std::size_t i) {
    return std::find(known_methods.begin(), known_methods.end(), methods[i].key);
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return age(a) < age(b); });
  return order;
}

void give_looks(std::span<IntegratorInfo> methods) {
  std::vector<IntegratorInfo> older;
  for (const std::size_t i : look_order(methods)) {
    methods[i].look = family_look(methods[i], older);
    older.push_back(methods[i]);
  }
}

}  // namespace twosphere
