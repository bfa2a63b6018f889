// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <imgui/imgui.h>

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "core/history.h"
#include "core/worker.h"
#include "ui/axis.h"
#include "ui/lane_style.h"
#include "ui/reduction.h"

namespace twosphere::ui {

struct Panel;
struct Rect;

/// The time axis that all plots share.
struct TimeAxis {
  Interval range{0, 1};
  bool automatic = true;         ///< follows the run
  std::optional<double> cursor;  ///< where the mouse pointed at in one of the plots, last frame
  std::optional<double> next_cursor;  ///< and where it points now
};

/// The value axis of one plot; on a log axis in log10 of the value.
struct ValueAxis {
  Interval range{0, 1};
  bool automatic = true;  ///< fits what is visible
};

/// Samples of a lane that one integrator made. The line goes on to the next one's first sample.
struct Curve {
  const History* history = nullptr;
  Stretch samples;
  LaneStyle style;
};

struct PlotSpec {
  std::string id;     ///< "energy_error"
  std::string title;  ///< "|E − E₀ − W|"
  std::string unit;   ///< "J"
  Quantity quantity = Quantity::total_energy;
  bool logarithmic = false;  ///< shows |value|
  bool time_labels = false;  ///< under the lowest plot
};

/// The state of a stack of plots.
struct PlotsView {
  TimeAxis time;
  std::array<ValueAxis, 3> values;
  bool everything = false;  ///< the next frame shows the whole run
  bool following() const;
  void follow();
};

/// Sizes of a plot's margins at scale 1 [px].
inline constexpr float plot_left = 56, plot_right = 12, plot_title = 20, plot_time = 36;

/// One plot over time in a rectangle of the current window: title, axes, curves, events. Left drag
/// pans, the wheel zooms at the mouse (over an axis that axis alone), a right drag zooms to a box,
/// a double click asks for everything. Curves go through every sample or, where several fall on a
/// pixel, through the extremes of each column of pixels, so that no spike is lost. True if the user
/// asked to see everything.
bool draw_plot(const Panel& panel, const PlotSpec& spec, const std::vector<Curve>& curves,
               const std::vector<Tag>& tags, TimeAxis& time, ValueAxis& value, const Rect& place);

}  // namespace twosphere::ui
