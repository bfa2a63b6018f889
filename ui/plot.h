// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <imgui/imgui.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/record/history.h"
#include "core/run/worker.h"
#include "ui/axis.h"
#include "ui/lane_spectrum.h"
#include "ui/lane_style.h"
#include "ui/plot_spec.h"
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

/// The axis of a signal in one plot, in the coordinate of its scale.
struct ValueAxis {
  Interval range{0, 1};
  bool automatic = true;  ///< fits what is visible
  int zone = 0;           ///< of a symlog scale: Transform::zone
};

/// Samples of a lane that one integrator made. The line goes on to the next one's first sample.
struct Curve {
  int lane = 0;
  const History* history = nullptr;
  Stretch samples;
  LaneStyle style;
  Signal signal = Quantity::time;  ///< over time: what it shows, as curves_of() sets it
};

/// The curves of a plot: of each of its signals one for each of these stretches of lanes, but no
/// distance of the reference lane from itself.
std::vector<Curve> curves_of(const PlotSpec& spec, const std::vector<Curve>& stretches,
                             int reference = -1, const BodyLook& bodies = {});

/// Which pixels a long curve of a phase portrait has passed through, found once for each sample.
struct Footprint {
  const History* history = nullptr;
  Interval x, y;
  int width = 0, height = 0;  // [pixels of the framebuffer]
  Stretch done;               // points drawn so far
  std::uint64_t generation = 0;
  std::vector<std::uint8_t> cells;  // row by row
};

/// What is kept of a plot from frame to frame.
struct PlotView {
  PlotSpec spec;
  std::string id;  ///< "energy_error", "omega0_x over q0_x", "work and total_energy"; unique
  ValueAxis y;
  ValueAxis x;                        ///< of a phase portrait; of a spectrum, log10 of Hz
  std::vector<Footprint> footprints;  ///< of a phase portrait, curve by curve
  std::vector<LaneSpectrum> spectra;  ///< of a spectrum, lane by lane
  /// Lines that its figures took so far at this width, so that nothing jumps while they change.
  std::size_t lines = 1;
  float lines_width = 0;

  Transform transform() const { return {spec.scale, y.zone, spec.whole()}; }
};

/// The times of two instants to compare, A and B [s].
using Markers = std::array<std::optional<double>, 2>;

/// The state of the column of plots.
struct PlotsView {
  TimeAxis time;
  std::vector<PlotView> plots;
  Markers markers;
  bool everything = false;             ///< the next frame shows the whole run
  std::array<bool, 2> place_marker{};  ///< the next frame puts it at the cursor, or the present
  bool choose = false;                 ///< the next frame opens the list of signals to add a plot
  bool scroll_to_end = false;          ///< the next frame shows the last plot
  std::string alone;                   ///< id of the plot that has the column to itself, or empty
  std::string pointed;                 ///< id of the plot under the mouse, as of the last frame
  std::string menu;                    ///< id of the plot whose menu is open, or was last
  std::optional<double> menu_time;     ///< where it was opened

  /// Makes `plots` those of the list, keeping the views of those that were there.
  void take(const std::vector<PlotSpec>& specs);
  bool following() const;
  void follow();
};

/// Sizes of a plot's margins at scale 1 [px].
inline constexpr float plot_left = 56, plot_right = 12, plot_title = 20, plot_time = 36;

/// What the user asked for in a plot.
struct PlotResponse {
  bool everything = false;  ///< to see the whole run
  bool menu = false;        ///< the plot's menu
  bool remove = false;
  bool alone = false;  ///< the whole column for it, or all plots again
};

/// Room that a plot takes beyond its area, above and below, at scale 1 [px].
float plot_margins(const PlotSpec& spec);

/// One plot in a rectangle of the current window: title, axes, curves, events, cursor, markers.
/// Left drag pans, the wheel zooms at the mouse (over an axis that axis alone), a right drag zooms
/// to a box, a right click asks for the menu, a double click for everything; one on the title for
/// the whole column; a marker is dragged by its line. Curves go through every sample or, where
/// several fall on a pixel, through the extremes of each column of pixels, so that no spike is
/// lost; long phase portraits fill the pixels they passed through. Of several signals each curve
/// carries the symbol of its own, in a frame of the lane's colour.
PlotResponse draw_plot(const Panel& panel, PlotView& plot, const std::vector<Curve>& stretches,
                       TimeAxis& time, Markers& markers, const Rect& place);
/// The time axis under a column of plots `place.width` wide, with its mouse input; whether
/// everything is to be shown.
bool draw_time_axis(const Panel& panel, TimeAxis& time, const Rect& place);

/// Tags that are drawn as one: one alone, or changes of the same settings in a row, each close to
/// the one before, as a drag in a run makes them.
struct TagMark {
  std::size_t first = 0, last = 0;  ///< of the tags
};
/// The mark that begins with the tag `first`, where up to `gap` seconds are close.
TagMark tag_mark(const std::vector<Tag>& tags, std::size_t first, double gap);
/// The gap of an axis that shows so much time, as wide as plots are: 12 of 320 pixels [s].
inline double tag_gap(const Interval& shown) { return shown.span() * 12 / 320; }

/// The time of the sample nearest to t, of the first curve that has the signal.
double snapped(const std::vector<Curve>& curves, const Signal& signal, double t);
/// Whether the run has all of the plot's signals.
bool exists(const Panel& panel, const PlotSpec& spec);
/// A value as a plot writes it: five digits on a logarithmic axis, nine on others.
std::string value_text(const PlotSpec& spec, double value);
/// The same where it is one of several: four and five digits.
std::string short_value_text(const PlotSpec& spec, double value);

}  // namespace twosphere::ui
