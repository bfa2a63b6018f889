// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot/lane_style.h"

#include <array>

#include "core/output/lane_look.h"

namespace twosphere::ui {

namespace {

/// The figures of the paper use three kinds of line.
Dash paper_dash(Dash own) {
  return own == Dash::solid ? Dash::solid : own == Dash::dotted ? Dash::dashed : Dash::dotted;
}

constexpr std::array<float, 2> dashed{8, 5}, dotted{2, 4}, long_dash{14, 5};
constexpr std::array<float, 4> dash_dot{8, 4, 2, 4};

}  // namespace

LaneStyle lane_style(std::string_view integrator, Palette palette, LaneColors colors) {
  const Look look = integrator_look(integrator);
  return {look.color(palette, colors),
          colors == LaneColors::paper ? paper_dash(look.dash) : look.dash, look.marker};
}

LaneStyle way_back(LaneStyle style) {
  style.dash = style.dash == Dash::solid ? Dash::dashed : Dash::dotted;
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
