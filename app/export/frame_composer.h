// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "app/export/frame_layout.h"
#include "core/color/palette.h"
#include "core/record/run_view.h"
#include "render/offscreen.h"
#include "ui/plot/axis.h"
#include "ui/plot/figure.h"

namespace twosphere {

/// What the frames of a run show beside the scene.
struct FrameSubject {
  std::string title;       ///< of the scenario
  RunView run{};           ///< what the plots show; not needed without plots
  ui::Interval times{};    ///< of the plots, on the clock of the run [s]
  int colored_bodies = 0;  ///< BodyLook::bodies
  std::set<int> hidden_lanes{};
  std::string reference{};  ///< the name of the lane that distances are measured from
  int reference_lane = 0;   ///< the lane itself, of which T and V are compared with E
  Palette palette = Palette::dark;
  LaneColors lane_colors = LaneColors::own;
  bool legend = true;     ///< the lanes are named in frames without a scene, if there are several
  int time_decimals = 2;  ///< of the time in the line above
};

/// An instant of the run.
struct FrameInstant {
  double t = 0;           ///< on the clock of the run [s]
  std::int64_t step = 0;  ///< Simulation::steps()
};

/// Composes frames of the picture of the scene, figures of plots, title and time. The curves are
/// drawn once; of each frame only the cursor, the time and the path in phase portraits. Plots over
/// time show the whole interval, with what comes after the instant at 25 % opacity; of a run that
/// goes back in time, also its way back. Needs a QGuiApplication; may be used on any thread.
class FrameComposer {
 public:
  static constexpr double future_opacity = 0.25;

  FrameComposer(const FrameLayout& layout, int width, int height, const FrameSubject& subject);

  /// The frame of an instant. `scene`: of the size of boxes().scene; not read if that is empty.
  render::Image compose(const render::Image& scene, const FrameInstant& now) const;

  const FrameBoxes& boxes() const { return boxes_; }
  /// The areas of the plots inside their frames, in pixels of the frame.
  std::vector<ui::Box> areas() const;
  /// Where the cursor is in a plot over time at this time: its middle, in pixels of the frame.
  int cursor_column(std::size_t plot, double t) const;

 private:
  /// A plot of a figure.
  struct Plot {
    ui::FigurePlace place;
    ui::PlotModel model;
  };
  /// A figure as layers of pictures.
  struct Panel {
    FrameBox box;
    std::vector<Plot> plots;
    QImage below, above;
    std::vector<QImage> legs;  ///< the curves over time, of each leg of the run
    QImage portraits;          ///< the phase portraits as a whole
  };
  Panel make_panel(const FrameBox& box, ui::PlotFigure figure) const;
  QImage draw_panel(const Panel& panel, const FrameInstant& now) const;
  QImage draw_line(const FrameInstant& now) const;
  /// The sample at or before a step, and the leg of the run that it belongs to.
  std::size_t sample_at(std::int64_t step) const;
  std::size_t leg_of(std::size_t sample) const;

  const FrameLayout layout_;
  const int width_, height_;
  const FrameBoxes boxes_;
  const double text_;  // [pixels]
  const std::string title_;
  const int time_decimals_;
  const ui::FigureLook look_;
  const Color cursor_;
  std::vector<History> lanes_;
  std::vector<IndexRange> legs_;
  std::vector<Panel> panels_;
};

}  // namespace twosphere
