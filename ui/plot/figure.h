// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
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

/// The colour of text on paper.
inline constexpr Ink print_ink{{0x000000}};

/// The colours of a figure besides those of its curves: at first, those of paper.
struct FigureInks {
  Ink ground{{0xffffff}};
  Ink text = print_ink;  ///< also of frames and ticks
  Ink grid{{0xe2e5ea}};
  Ink dotted{{0x8b8f96}};  ///< marks of changes, the line of exact zeros
};

/// Sizes in points, 1/72 inch, and colours.
struct FigureLook {
  double font = 8;
  double line = 1;
  FigureInks inks{};
};

/// Draws the figure on a white page from the origin to `page` [pt]: title, legend, then the plots
/// with equal heights and margins, ticks at 1-2-5 steps and decades, labels "quantity [unit]".
/// Returns the areas of the plots.
std::vector<Box> draw_figure(DrawList& list, const PlotFigure& figure, Point page,
                             const FigureLook& look, const TextMeasure& letters);

/// The lists that the parts of a figure are drawn into, for pictures of which only some parts
/// change: what lies below its curves, each curve, and what lies above them.
struct FigureParts {
  DrawList& below;
  std::function<DrawList&(const PlotCurve&)> curve;
  DrawList& above;
};
/// A plot of a figure.
struct FigurePlace {
  Box area;           ///< inside its frame
  double bottom = 0;  ///< the lower end of the vertical axis, above the line of exact zeros
};
/// The same, in parts.
std::vector<FigurePlace> draw_figure(const FigureParts& parts, const PlotFigure& figure, Point page,
                                     const FigureLook& look, const TextMeasure& letters);

}  // namespace twosphere::ui
