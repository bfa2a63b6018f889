// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <vector>

#include "app/export/frame_painter.h"
#include "app/export/video.h"
#include "app/scene/ghosts.h"
#include "app/session/live_run.h"
#include "core/base/result.h"

namespace twosphere {

/// A frame of the instant that a window shows, from what the window has of the run. It is the frame
/// of a video there, but for the ends of the scales of colours and arrows, which a video knows from
/// its frames before.
struct LiveFrame {
  VideoLook look;
  int width = 1280, height = 800;
  Snapshot now;
  std::deque<Configuration> trail;
  std::vector<render::CellRun> runs;  ///< if it is split by runs
  std::optional<PlotRows> rows;       ///< if there are plots
  double time_step = 0;               ///< between frames [s]
};

/// `ghosts`: where the other runs are, Ghosts::find(). `elapsed`: the part of the run that the
/// plots show, in times of Simulation::elapsed() [s]; none: all that it has passed.
LiveFrame live_frame(const LiveRun& run, const std::vector<Ghost>& ghosts, const VideoLook& look,
                     int width, int height, double time_step,
                     const std::optional<ui::Interval>& elapsed = {});

struct DrawnFrame {
  render::Image image;
  double seconds = 0;  ///< that it took, without what a video makes only once [s]
};
/// Draws it, on any thread. Once `stop` returns true the picture may be incomplete. Fails like
/// FramePainter::create().
Result<DrawnFrame> draw(const LiveFrame& frame, const std::function<bool()>& stop);

}  // namespace twosphere
