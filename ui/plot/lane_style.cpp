// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot/lane_style.h"

#include <array>

namespace twosphere::ui {

namespace {

struct Entry {
  std::string_view integrator;
  Dash dash;
  Marker marker;
};

// The members of a family share its dash.
constexpr std::array table{
    Entry{"variational", Dash::solid, Marker::circle},
    Entry{"variational4", Dash::solid, Marker::square},
    Entry{"variational6", Dash::solid, Marker::triangle},
    Entry{"variational8", Dash::solid, Marker::diamond},
    Entry{"variational_cayley", Dash::solid, Marker::cross},
    Entry{"rotation", Dash::dotted, Marker::circle},
    Entry{"rotation4", Dash::dotted, Marker::square},
    Entry{"rotation6", Dash::dotted, Marker::diamond},
    Entry{"rk4", Dash::long_dash, Marker::square},
    Entry{"rk45", Dash::dashed, Marker::triangle},
    Entry{"rk2", Dash::dash_dot, Marker::diamond},
    Entry{"heun", Dash::dash_dot, Marker::cross},
    Entry{"rk2_projected", Dash::dotted, Marker::triangle},
};

/// The papers' figures know three kinds of line.
Dash paper_dash(Dash own) {
  return own == Dash::solid ? Dash::solid : own == Dash::dotted ? Dash::dashed : Dash::dotted;
}

constexpr std::array<float, 2> dashed{8, 5}, dotted{2, 4}, long_dash{14, 5};
constexpr std::array<float, 4> dash_dot{8, 4, 2, 4};

}  // namespace

LaneStyle lane_style(std::string_view integrator, Palette palette, LaneColors colors) {
  LaneStyle style{lane_color(integrator, palette, colors), Dash::dash_dot, Marker::cross};
  for (const Entry& e : table)
    if (e.integrator == integrator) {
      style.dash = colors == LaneColors::paper ? paper_dash(e.dash) : e.dash;
      style.marker = e.marker;
    }
  return style;
}

LaneStyle BodyLook::of(LaneStyle lane, const Signal& signal) const {
  const int body = signal.body();
  if (body >= 0 && body < bodies)
    lane.color =
        body_color(static_cast<std::size_t>(body), static_cast<std::size_t>(bodies), palette);
  return lane;
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
