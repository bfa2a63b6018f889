// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "core/color/look.h"
#include "core/record/signal.h"
#include "core/scenario/scenario.h"

namespace twosphere {

/// The look in the record of an integrator; the default look if the key is unknown.
Look integrator_look(std::string_view integrator);

/// The integrator whose look a lane takes, given the integrators of all lanes. The first lane of an
/// integrator has its own look. Each further one takes the look of the next integrator of
/// look_order() that has no lane, so that colour, dash and marker differ between lanes.
std::string_view lane_look(std::span<const std::string_view> integrators, std::size_t lane);

/// The style of a lane in all plots and figures, from the record of its integrator.
struct LaneStyle {
  Color color;
  Dash dash = Dash::solid;
  Marker marker = Marker::circle;
};

/// With LaneColors::paper the dashes are those of the paper too: variational solid, Runge-Kutta
/// dotted, with projection dashed. Compositions of rotations, which the paper does not contain, are
/// dashed.
LaneStyle lane_style(std::string_view integrator, Palette palette,
                     LaneColors colors = LaneColors::own);
/// The style of a lane while it uses `integrator`: that of lane_look() among these lanes. A lane
/// that is alone needs no dashes to be told from others and is solid, but in the colours of the
/// paper.
LaneStyle lane_style(const std::vector<LaneSpec>& lanes, int lane, std::string_view integrator,
                     Palette palette, LaneColors colors);

/// The style of samples on the way back in time: dashed, or dotted if the lane is dashed itself.
LaneStyle way_back(LaneStyle style);

/// Individual colours of bodies, in the scene and in the plots of their signals.
struct BodyLook {
  int bodies = 0;  ///< 0: bodies have the lane colours
  Palette palette = Palette::dark;
  /// Whether components in one plot, such as ΔJ₁ to ΔJ₃ or λ₁ to λ₄, have colours, too.
  bool components = false;

  /// The style of a signal of a lane: for a signal of a body, in the colour of the body.
  LaneStyle of(LaneStyle lane, const Signal& signal) const;
};

}  // namespace twosphere
