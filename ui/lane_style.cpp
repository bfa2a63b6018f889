// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lane_style.h"

#include <array>

namespace twosphere::ui {

namespace {

struct Entry {
  std::string_view integrator;
  Color dark, light;
  Dash dash;
  Marker marker;
};

// Okabe and Ito's colours; on light ground the palest are darkened until they stand out 3:1. The
// members of a family share its dash and take tints of its colour.
constexpr std::array table{
    Entry{"variational", {0x56b4e9}, {0x0072b2}, Dash::solid, Marker::circle},
    Entry{"variational4", {0x86caf0}, {0x005a8e}, Dash::solid, Marker::square},
    Entry{"variational6", {0xaddcf5}, {0x00446b}, Dash::solid, Marker::triangle},
    Entry{"variational8", {0xd0ebfa}, {0x003050}, Dash::solid, Marker::diamond},
    Entry{"variational_cayley", {0x3c93c8}, {0x3f8fc4}, Dash::solid, Marker::cross},
    Entry{"rk4", {0x009e73}, {0x009e73}, Dash::long_dash, Marker::square},
    Entry{"rk45", {0xd55e00}, {0xd55e00}, Dash::dashed, Marker::triangle},
    Entry{"rk2", {0xcc79a7}, {0xb8578f}, Dash::dash_dot, Marker::diamond},
    Entry{"heun", {0xe3b1cf}, {0x8c3468}, Dash::dash_dot, Marker::cross},
    Entry{"rk2_projected", {0xe69f00}, {0xa66f00}, Dash::dotted, Marker::triangle},
};

constexpr std::array<float, 2> dashed{8, 5}, dotted{2, 4}, long_dash{14, 5};
constexpr std::array<float, 4> dash_dot{8, 4, 2, 4};

}  // namespace

LaneStyle lane_style(std::string_view integrator, Palette palette) {
  for (const Entry& e : table)
    if (e.integrator == integrator)
      return {palette == Palette::dark ? e.dark : e.light, e.dash, e.marker};
  return {colors(palette).text, Dash::dash_dot, Marker::cross};
}

std::span<const float> pattern(Dash dash) {
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

}  // namespace twosphere::ui
