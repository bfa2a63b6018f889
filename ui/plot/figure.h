// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "ui/plot/plot_model.h"

namespace twosphere::ui {

struct FigureKey {
  std::string name;  ///< of an integrator or a lane
  LaneStyle style;
};

/// A vertical line through the plots over time.
struct FigureMark {
  double t = 0;      ///< [s]
  std::string name;  ///< written at its upper end
};

/// Plots one below the other with all data needed for drawing, independent of the run.
struct PlotFigure {
  std::string title;
  std::vector<FigureKey> keys;  ///< the legend
  std::vector<FigureMark> marks;
  std::string note;             ///< below the legend, may have several lines
  std::vector<double> changes;  ///< times at which a setting was changed [s]
  std::vector<PlotModel> plots;
};

/// Sizes in points, 1/72 inch.
struct FigureLook {
  double font = 8;
  double line = 1;
};

/// The colour of text on paper.
inline constexpr Ink print_ink{{0x000000}};

/// Draws the figure on a white page from the origin to `page` [pt]: title, legend, then the plots
/// with equal heights and margins, ticks at 1-2-5 steps and decades, labels "quantity [unit]".
/// Returns the areas of the plots.
std::vector<Box> draw_figure(DrawList& list, const PlotFigure& figure, Point page,
                             const FigureLook& look, const TextMeasure& letters);

}  // namespace twosphere::ui
