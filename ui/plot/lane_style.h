// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string_view>

#include "core/color/look.h"
#include "core/record/signal.h"

namespace twosphere::ui {

using twosphere::all_dashes;
using twosphere::Dash;
using twosphere::Marker;

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

/// Lengths drawn and skipped alternately, for a line 2 px wide [px]; empty for a solid line.
std::span<const float> pattern(Dash dash);

}  // namespace twosphere::ui
