// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ui/plot/axis.h"
#include "ui/plot/draw_list.h"
#include "ui/plot/lane_spectrum.h"
#include "ui/plot/pixel_mask.h"
#include "ui/plot/plot_spec.h"
#include "ui/plot/segment_figures.h"

namespace twosphere::ui {

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
  bool automatic = true;     ///< fits what is visible
  int linear_threshold = 0;  ///< of a symlog scale: Transform::linear_threshold
};

/// What is kept of a plot from frame to frame.
struct PlotView {
  PlotSpec spec;
  std::string id;  ///< "energy_error", "omega0_x over q0_x", "work and total_energy"; unique
  ValueAxis y;
  ValueAxis x;                         ///< of a phase portrait; of a spectrum, log10 of Hz
  std::vector<PixelMask> pixel_masks;  ///< of a phase portrait, curve by curve
  std::vector<LaneSpectrum> spectra;   ///< of a spectrum, lane by lane
  DrawList drawn{};                    ///< what was drawn of it last
  /// Lines that its figures took so far at this width, so that nothing jumps while they change.
  std::size_t lines = 1;
  float lines_width = 0;

  Transform transform() const { return {spec.scale, y.linear_threshold, spec.whole()}; }
};

/// The times of two instants to compare, A and B [s].
using Markers = std::array<std::optional<double>, 2>;

/// The list from which signals are chosen, for a plot to add or for one to change.
struct SignalChoice {
  std::string filter, filter_over;  ///< what is typed to find a signal
  std::optional<Signal> over;       ///< the horizontal axis; none: time, or
  bool frequency = false;           ///< frequency: a power spectrum
  std::optional<std::size_t> plot;  ///< the plot to change; none: one to add
  bool focus = false;               ///< the horizontal axis was just chosen: typing finds the other
  bool also = false;                ///< signals are added to that plot and taken out
};

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
  std::set<int> hidden_lanes;          ///< that neither plots nor scene show
  SignalChoice choice;
  SegmentFigures figures;

  /// Makes `plots` those of the list, keeping the views of those that were there.
  void take(const std::vector<PlotSpec>& specs);
  bool following() const;
  void follow();
};

/// A plot as it stands on the screen. Intervals are in the coordinates of their axes.
struct VisiblePlot {
  PlotSpec spec;
  Transform transform;  ///< of the vertical axis; the horizontal one is linear, of spectra log10
  Interval y;
  Interval x;  ///< of a phase portrait or spectrum; else the time
};

/// The column of plots as of the last frame: what an exported figure repeats.
struct VisiblePlots {
  Interval time;  ///< phase portraits show this stretch of the run [s]
  std::vector<VisiblePlot> plots;
  std::set<int> hidden_lanes;
  int reference_lane = 0;                    ///< that distances are taken from
  std::string reference;                     ///< its name
  std::optional<double> marker_a, marker_b;  ///< [s]
  int colored_bodies = 0;                    ///< that have colours of their own: BodyLook
};

}  // namespace twosphere::ui
