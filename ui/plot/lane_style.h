// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "core/color/look.h"
#include "core/record/signal.h"

namespace twosphere::ui {

using twosphere::Dash;
using twosphere::Marker;
inline constexpr std::array dashes{Dash::solid, Dash::dashed, Dash::dotted, Dash::dash_dot,
                                   Dash::long_dash};

/// How a lane is drawn wherever it appears: as the record of its integrator says.
struct LaneStyle {
  Color color;
  Dash dash = Dash::solid;
  Marker marker = Marker::circle;
};

/// With the papers' colours the line is theirs, too: variational solid, Runge-Kutta dotted, with
/// projection dashed; dashed as well what the papers lack, compositions of rotations.
LaneStyle lane_style(std::string_view integrator, Palette palette,
                     LaneColors colors = LaneColors::own);

/// Bodies that have colours of their own, in the scene and wherever their signals are drawn.
struct BodyLook {
  int bodies = 0;  ///< 0: they have the lanes'
  Palette palette = Palette::dark;

  /// A lane's look for one of its signals: a body's in the body's colour.
  LaneStyle of(LaneStyle lane, const Signal& signal) const;
};

/// Lengths drawn and skipped in turn, for a line 2 px wide [px]; empty for a solid line.
std::span<const float> pattern(Dash dash);

}  // namespace twosphere::ui
