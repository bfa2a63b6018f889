// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/run/cloud.h"
#include "core/scenario/scenario.h"
#include "ui/plot/axis.h"
#include "ui/plot/draw_list.h"
#include "ui/plot/lane_lines.h"
#include "ui/plot/lane_spectrum.h"
#include "ui/plot/pixel_mask.h"
#include "ui/plot/plot_spec.h"
#include "ui/plot/segment_figures.h"
#include "ui/plot/spectrum_samples.h"

namespace twosphere::ui {

/// The time axis that all plots share.
struct TimeAxis {
  Interval range{0, 1};
  bool automatic = true;              ///< the range follows the run
  std::optional<double> cursor;       ///< time under the mouse in one of the plots, last frame
  std::optional<double> next_cursor;  ///< the same in this frame
  std::optional<double> shown;        ///< the instant shown, if it is in the past
};

/// The axis of a signal in one plot, in the coordinate of its scale.
struct ValueAxis {
  Interval range{0, 1};
  bool automatic = true;     ///< fitted to the visible values
  int linear_threshold = 0;  ///< for a symlog scale: Transform::linear_threshold
};

/// The fit of the growth of a cloud around a lane.
struct CloudFit {
  int lane = 0;
  GrowthRate growth;
};

/// The largest number of lines of text below a plot so far, so that the layout does not jump.
struct MostLines {
  std::size_t count = 1;
  float width = 0;        ///< for which they were wrapped; negative: values at A and B
  std::size_t lanes = 0;  ///< that they describe

  /// Takes the lines of this frame. Other widths and numbers of lanes begin anew.
  void take(std::size_t needed, float of_width, std::size_t of_lanes) {
    const bool same = width == of_width && lanes == of_lanes;
    *this = {same ? std::max(count, needed) : needed, of_width, of_lanes};
  }
};

/// The state of a plot between frames.
struct PlotView {
  PlotSpec spec;
  std::string id;  ///< "energy_error", "omega0_x over q0_x", "work and total_energy"; unique
  ValueAxis y;
  ValueAxis x;                         ///< for a phase portrait; for a spectrum, log10 of Hz
  std::vector<PixelMask> pixel_masks;  ///< for a phase portrait, one per curve
  std::vector<LaneSpectrum> spectra;   ///< for a spectrum, one per lane
  DrawList drawn{};                    ///< its last drawing
  std::optional<CloudFit> fit{};       ///< drawn with the distances of the cloud
  std::vector<LaneLines> strongest{};  ///< for a spectrum, the lines that are marked, per lane
  std::unique_ptr<SpectrumSampler> sampler{};  ///< for a spectrum that is not of the rows
  SharedSamples own{};       ///< of the sampler; null: the spectrum is of the rows
  MostLines lines{};         ///< of the figures of one lane
  MostLines lines_of_all{};  ///< of the figures of every lane

  Transform transform() const { return {spec.scale, y.linear_threshold, spec.whole()}; }
};

/// The two times to compare, A and B [s].
using Markers = std::array<std::optional<double>, 2>;

/// An expression that is typed for a plot, and what was found of it.
struct TypedExpression {
  std::string text, name, unit;
  std::string checked, checked_unit;   ///< for which the members below were found
  std::shared_ptr<const Scenario> of;  ///< for which they were found
  std::string known_unit;              ///< that of the text; empty: not known
  std::string problem;                 ///< empty: it is an expression
};

/// The state of the list of signals, for adding or changing a plot.
struct SignalChoice {
  std::string filter, filter_over;  ///< the text typed to find a signal
  std::optional<Signal> over;       ///< the horizontal axis; none: time or
  bool frequency = false;           ///< frequency: a power spectrum
  std::optional<std::size_t> plot;  ///< the plot to change; none: one to add
  bool focus = false;  ///< the horizontal axis was just chosen: typing filters the other list
  bool also = false;   ///< adds signals to the plot and removes them
  TypedExpression typed{};
};

/// The state of the column of plots.
struct PlotsView {
  TimeAxis time;
  std::vector<PlotView> plots;
  Markers markers;
  bool everything = false;  ///< the next frame shows the whole run
  std::array<bool, 2>
      place_marker{};          ///< the next frame places it at the cursor, or at the current time
  bool choose = false;         ///< the next frame opens the list of signals for a new plot
  std::string_view add_lane;   ///< the next frame adds a lane of this method, from here on
  bool scroll_to_end = false;  ///< the next frame shows the last plot
  float height = 0;            ///< of all plots, as of the last frame [px]
  std::string alone;           ///< id of the only plot shown, or empty
  std::string pointed;         ///< id of the plot under the mouse, as of the last frame
  int pointed_lane = -1;       ///< whose row of the legend is under the mouse; -1: none
  bool all_below = false;  ///< the figures of every lane are below the plots, as of the last frame
  /// The instant shown before the last click, which a double click takes back: its step, none for
  /// the head.
  std::optional<std::optional<std::int64_t>> before_click;
  std::string menu;                 ///< id of the plot whose menu is open, or was opened last
  std::optional<double> menu_time;  ///< time at which it was opened
  std::set<int> hidden_lanes;       ///< that neither plots nor scene show
  /// Whether the unit length has a plot below the default plots: if it is lost, or as the user has
  /// chosen.
  enum class UnitLength { automatic, open, closed } unit_length = UnitLength::automatic;
  SignalChoice choice;
  SegmentFigures figures;

  /// Sets the plots to the list, keeping the state of those that exist.
  void take(const std::vector<PlotSpec>& specs);
  bool following() const;
  void follow();
};

/// A plot as shown on the screen. Intervals are in the coordinates of the axes.
struct VisiblePlot {
  PlotSpec spec;
  Transform transform;  ///< of the vertical axis; the horizontal one is linear, log10 for spectra
  Interval y;
  Interval x;  ///< for a phase portrait or spectrum; else the time
  std::optional<CloudFit> fit{};
  SharedSamples own{};  ///< of a spectrum; null: it is of the rows
};

/// The column of plots as of the last frame, for exported figures.
struct VisiblePlots {
  Interval time;  ///< phase portraits show this time range [s]
  std::vector<VisiblePlot> plots;
  std::set<int> hidden_lanes;
  std::string reference;  ///< name of the lane or run from which distances are measured
  std::optional<double> marker_a, marker_b;  ///< [s]
  int colored_bodies = 0;                    ///< number of bodies with individual colours: BodyLook
  bool whole_run = false;  ///< the time range is that of the run, and grows with it
  int reference_lane = 0;  ///< of which T and V are compared with E
};

}  // namespace twosphere::ui
