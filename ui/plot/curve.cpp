// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot/curve.h"

#include <algorithm>
#include <cmath>
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

/// Widths of the lines where energies are compared: 2.5 px for E and 1.5 px for T and V, of 2 px.
constexpr double total_width = 1.25, part_width = 0.75;

bool measured_from_start(const Signal& signal) {
  return signal == Signal(Quantity::potential_energy) || signal == Signal(Quantity::total_energy);
}

/// V₀ where the energies of a lane are small against it, else 0.
double large_origin(const History& lane) {
  constexpr double large = 2;
  if (lane.size() < 2 || lane.first() >= lane.size()) return 0;
  const auto span = [&lane](Quantity energy) {
    const Range range = lane.range(energy, lane.first(), lane.size());
    return range.high - range.low;
  };
  const double start = lane.column(Quantity::potential_energy)[lane.first()];
  const double widest = std::max(span(Quantity::kinetic_energy), span(Quantity::potential_energy));
  return std::abs(start) > large * widest ? start : 0;
}

}  // namespace

std::string Curve::symbol() const {
  return origin == 0 ? signal.symbol() : signal.symbol() + " − V₀";
}

std::vector<Curve> curves_of(const PlotSpec& spec, const std::vector<Curve>& stretches,
                             const BodyLook& bodies, int reference) {
  std::vector<Curve> curves;
  const bool energies = compares_energies(spec) && !stretches.empty();
  const auto of_reference = [&reference](const Curve& stretch) {
    return stretch.lane == reference;
  };
  if (energies && std::none_of(stretches.begin(), stretches.end(), of_reference))
    reference = stretches.front().lane;
  const double origin =
      energies
          ? large_origin(*std::find_if(stretches.begin(), stretches.end(), of_reference)->history)
          : 0;
  for (const Signal& signal : spec.signals())
    for (const Curve& stretch : stretches) {
      if (signal.kind() == Signal::Kind::distance && stretch.history->is_reference()) continue;
      const bool total = signal == Signal(Quantity::total_energy);
      const bool part = signal == Signal(Quantity::kinetic_energy) ||
                        signal == Signal(Quantity::potential_energy);
      if (energies && part && stretch.lane != reference) continue;
      Curve& curve = curves.emplace_back(stretch);
      curve.signal = signal;
      curve.style = bodies.of(stretch.style, signal);
      if (energies) {
        if (total) curve.width = total_width;
        if (part) curve.width = part_width;
        if (measured_from_start(signal)) curve.origin = origin;
      }
      if (const auto component = component_of(signal);
          component && bodies.components && !spec.also.empty())
        curve.style.color = body_color(component->index, component->count, bodies.palette);
    }
  return curves;
}

void share_origin(const std::vector<Curve>& present, std::vector<Curve>& others) {
  for (Curve& other : others) {
    const auto same = std::find_if(present.begin(), present.end(), [&](const Curve& curve) {
      return curve.signal == other.signal;
    });
    if (same != present.end()) other.origin = same->origin;
  }
}

std::string title(const PlotSpec& spec, const std::vector<Curve>& curves,
                  std::string_view reference) {
  const auto shifted = std::find_if(curves.begin(), curves.end(),
                                    [](const Curve& curve) { return curve.origin != 0; });
  if (shifted == curves.end()) return title(spec, reference);
  std::string symbols;
  for (const Signal& signal : spec.signals()) {
    Curve curve = *shifted;
    curve.signal = signal;
    if (!measured_from_start(signal)) curve.origin = 0;
    symbols += (symbols.empty() ? "" : ", ") + curve.symbol();
  }
  return symbols;
}

}  // namespace twosphere::ui
