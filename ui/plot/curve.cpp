// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot/curve.h"

#include <optional>

namespace twosphere::ui {

namespace {

/// Of signals that are components of one thing, which of so many this is; none of other signals.
struct Component {
  std::size_t index, count;
};
std::optional<Component> component_of(const Signal& signal) {
  if (const auto axis = signal.momentum_axis())
    return Component{static_cast<std::size_t>(*axis), 3};
  const auto q = signal.step_quantity();
  const auto exponent = q ? exponent_index(*q) : std::nullopt;
  return exponent ? std::optional(Component{*exponent, recorded_exponents}) : std::nullopt;
}

}  // namespace

std::vector<Curve> curves_of(const PlotSpec& spec, const std::vector<Curve>& stretches,
                             const BodyLook& bodies) {
  std::vector<Curve> curves;
  for (const Signal& signal : spec.signals())
    for (const Curve& stretch : stretches)
      if (signal.kind() != Signal::Kind::distance || !stretch.history->is_reference()) {
        Curve& curve = curves.emplace_back(stretch);
        curve.signal = signal;
        curve.style = bodies.of(stretch.style, signal);
        if (const auto part = component_of(signal); part && bodies.components && !spec.also.empty())
          curve.style.color = body_color(part->index, part->count, bodies.palette);
      }
  return curves;
}

}  // namespace twosphere::ui
