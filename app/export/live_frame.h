// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <deque>
#include <functional>
#include <optional>

#include "app/export/frame_painter.h"
#include "app/export/video.h"
#include "app/session/live_run.h"
#include "core/base/result.h"

namespace twosphere {

/// A frame of the instant that a window shows, from what the window has of the run. It is the frame
/// of a video there, but for the ends of the scales of colours and arrows, which a video knows from
/// its frames before. Split by runs it shows the run alone.
struct LiveFrame {
  VideoLook look;
  int width = 1280, height = 800;
  Snapshot now;
  std::deque<Configuration> trail;
  std::optional<FrameRows> rows;  ///< if there are plots
  double time_step = 0;           ///< between frames [s]
};

/// `times`: that the plots show [s]; none: all that the run has passed.
LiveFrame live_frame(LiveRun& run, const VideoLook& look, int width, int height, double time_step,
                     std::optional<ui::Interval> times = {});
/// Draws it, on any thread. Once `stop` returns true the picture may be incomplete. Fails like
/// FramePainter::create().
Result<render::Image> draw(const LiveFrame& frame, const std::function<bool()>& stop);

}  // namespace twosphere
