// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <vector>

#include "app/figures/figure_page.h"
#include "app/figures/sweep_map.h"
#include "core/studies/sweep_task.h"
#include "ui/plot/draw_list.h"

namespace twosphere {

/// `rows`: one per task. Of basins the colours are those of bodies, one for each stable
/// equilibrium, never logarithmic, with UncertainFraction as a note. The range of colours leaves
/// out up to 2 % of the values at either end; that of MEGNO includes 2, the level of regular
/// motion. A point stands for its block (sweep_order.h) until finer ones are there.
SweepMap sweep_map(const Sweep& sweep, const std::vector<SweepRow>& rows, const MapChoice& choice);

/// Where the parts of a map lie.
struct MapLayout {
  ui::Box cells, bar;
  ui::Box above, beside;  ///< plots of the row and of the column under the cursor; empty: none
};
MapLayout map_layout(const SweepMap& map, ui::Point page, const ui::TextMeasure& letters,
                     bool with_slices);

/// Draws axes, ticks, labels and the colour bar.
void draw_map_axes(ui::DrawList& list, const SweepMap& map, const MapLayout& layout,
                   const ui::TextMeasure& letters, const MapInks& inks, Palette palette);
/// Draws the values of a row above the map and of a column beside it, those that its cells show, on
/// the scale of the colour bar, with a point in that column and row and a title of what is the same
/// in all of them.
void draw_map_slices(ui::DrawList& list, const SweepMap& map, const MapLayout& layout,
                     std::size_t column, std::size_t row, const ui::TextMeasure& letters,
                     const MapInks& inks);

/// Draws a sweep over one axis as a curve on a page, with a point for each task and its level.
void draw_sweep_curve(ui::DrawList& list, const SweepMap& map, ui::Point page,
                      const ui::TextMeasure& letters, const MapInks& inks);

/// The map on paper, or the curve of a single axis.
Figure as_figure(SweepMap map);
/// 12 cm × 10.5 cm.
FigurePage map_page(FigureFormat format);

}  // namespace twosphere
