// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "ui/plot/pairs.h"
#include "ui/plot/plot_layout.h"

/// Phase portraits: one signal over another, time along the curve.
namespace twosphere::ui {

/// A curve as the screen has it: with arrows along it, a ring at its start if it is the lane's
/// first, the lane's marker at its end if it is the last. A long one fills the pixels it has been
/// to, `ratio` of them in a unit; false while some are still to come.
bool draw_portrait(DrawList& list, const PlotLook& look, const Area& area, const PlotView& plot,
                   const Curve& curve, Interval time, PixelMask& mask, double ratio,
                   std::uint64_t generation, bool first, bool last);
/// The time of the point of a short portrait nearest to a place, if it is within reach.
std::optional<double> time_near(const Area& area, const PlotView& plot,
                                const std::vector<Curve>& curves, Interval time, Point place,
                                double reach);

}  // namespace twosphere::ui
