// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "ui/plot/curve_pairs.h"
#include "ui/plot/plot_layout.h"

/// Phase portraits: one signal against another, with time along the curve.
namespace twosphere::ui {

/// Draws a curve on the screen with arrows along it, a ring at its start if it is the first of the
/// lane, and the marker of the lane at its end if it is the last. A long curve fills the pixels
/// that it has passed through, `ratio` pixels per unit. Returns false while some are not computed
/// yet.
bool draw_portrait(DrawList& list, const PlotLook& look, const Area& area, const PlotView& plot,
                   const Curve& curve, Interval time, PixelMask& mask, double ratio,
                   std::uint64_t generation, bool first, bool last);
/// The time of the point of a short portrait nearest to a position, if it is within `reach`.
std::optional<double> time_near(const Area& area, const PlotView& plot,
                                const std::vector<Curve>& curves, Interval time, Point place,
                                double reach);

}  // namespace twosphere::ui
