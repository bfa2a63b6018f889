// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/figures/sweep_map.h"
#include "core/studies/sweep.h"

/// Maps whose values are few: the basins of equilibria.
namespace twosphere {

/// Gives a map of basins, whose cells have their values, its categories and its note: every stable
/// equilibrium and, if any cell has it, none of them; UncertainFraction along its axes that are
/// numbers.
void categorise(SweepMap& map, const Sweep& sweep, const MapChoice& choice);
/// Draws the categories with their colours from the top of a box down, as many as there is room
/// for, in lines of this height.
void draw_map_legend(ui::DrawList& list, const SweepMap& map, const ui::Box& box, double line,
                     const MapInks& inks, Palette palette);

}  // namespace twosphere
