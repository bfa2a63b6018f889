// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/output/lane_style.h"

#include <algorithm>

#include "core/catalog.h"
#include "core/integrators/family_look.h"

namespace twosphere {

namespace {

/// The figures of the paper use three kinds of line.
Dash paper_dash(Dash own) {
  return own == Dash::solid ? Dash::solid : own == Dash::dotted ? Dash::dashed : Dash::dotted;
}

}  // namespace

Look integrator_look(std::string_view integrator) {
  const IntegratorInfo* info = find_integrator(integrator);
  return info ? info->look : Look{};
}

std::string_view lane_look(std::span<const std::string_view> integrators, std::size_t lane) {
  const auto second = [&](std::size_t index) {
    const auto end = integrators.begin() + static_cast<std::ptrdiff_t>(index);
    return std::find(integrators.begin(), end, integrators[index]) != end;
  };
  if (!second(lane)) return integrators[lane];
  std::size_t before = 0;  // earlier lanes that take the look of another integrator
  for (std::size_t i = 0; i < lane; ++i) before += second(i) ? 1 : 0;
  static const std::vector<std::size_t> order = look_order(twosphere::integrators());
  for (const std::size_t i : order) {
    const std::string_view lender = twosphere::integrators()[i].key;
    if (std::find(integrators.begin(), integrators.end(), lender) != integrators.end()) continue;
    if (before-- == 0) return lender;
  }
  return integrators[lane];
}

LaneStyle lane_style(std::string_view integrator, Palette palette, LaneColors colors) {
  const Look look = integrator_look(integrator);
  return {look.color(palette, colors),
          colors == LaneColors::paper ? paper_dash(look.dash) : look.dash, look.marker};
}

LaneStyle lane_style(const std::vector<LaneSpec>& lanes, int lane, std::string_view integrator,
                     Palette palette, LaneColors colors) {
  std::vector<std::string_view> types;
  types.reserve(lanes.size());
  for (const LaneSpec& spec : lanes) types.emplace_back(spec.type);
  const auto index = static_cast<std::size_t>(lane);
  std::string_view look = integrator;
  if (index < types.size()) {
    types[index] = integrator;
    look = lane_look(types, index);
  }
  LaneStyle style = lane_style(look, palette, colors);
  if (types.size() == 1 && colors == LaneColors::own) style.dash = Dash::solid;
  return style;
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

}  // namespace twosphere
