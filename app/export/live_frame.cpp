// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/export/live_frame.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "app/scene/scene_content.h"
#include "core/scenario/run_clock.h"
#include "core/scenario/timetable.h"
#include "core/worker/pacing.h"

namespace twosphere {

namespace {

/// The times on the clock of a run in a part of it. What is not computed yet continues in the
/// present direction of time.
ui::Interval times_within(const LiveRun& run, const ui::Interval& elapsed) {
  const Scenario& record = *run.snapshot().record;
  const Timetable table(record);
  const double start = start_time(record);
  const std::int64_t first = table.step_after(elapsed.low - start),
                     last = table.step_after(elapsed.high - start);
  const auto [low, high] = std::minmax({table.time(first), table.time(last)});
  ui::Interval times{low, high};
  // It may have turned back between.
  const History& lane = run.histories().front();
  const std::size_t begin = lane.steps().lower_bound(static_cast<double>(first)),
                    end = lane.steps().lower_bound(static_cast<double>(last));
  if (begin < end) {
    const Range passed = lane.range(Quantity::time, begin, end);
    times = {std::min(times.low, passed.low), std::max(times.high, passed.high)};
  }
  return times;
}

}  // namespace

LiveFrame live_frame(const LiveRun& run, const std::vector<Ghost>& ghosts, const VideoLook& look,
                     int width, int height, double time_step,
                     const std::optional<ui::Interval>& elapsed) {
  LiveFrame frame{.look = look,
                  .width = width,
                  .height = height,
                  .now = run.shown(),
                  .trail = shown_trail(run, look.style),
                  .runs = {},
                  .rows = {},
                  .time_step = time_step};
  frame.runs = cell_runs(run, ghosts, frame.trail, look.style);
  if (!look.layout.has_plots()) return frame;
  frame.rows = rows_so_far(run.view(), grid_step(run.snapshot().present->lanes));
  for (const Branch& branch : run.branches())
    if (branch.id == run.reference_branch() && branch.id != run.present_branch())
      frame.rows->compared = branch.look.name;
  if (elapsed)
    if (const ui::Interval times = times_within(run, *elapsed); times.span() > 0)
      frame.rows->times = times;
  return frame;
}

Result<DrawnFrame> draw(const LiveFrame& frame, const std::function<bool()>& stop) {
  const VideoLook& look = frame.look;
  auto painter = FramePainter::create(frame.width, frame.height, look.layout);
  if (!painter) return painter.error();
  painter->begin(frame.now, look.style, look.legend, frame.rows, frame.time_step);
  const Clock::time_point begun = Clock::now();
  render::SceneMemory memory;
  const PictureContent content =
      painter->content(frame.now, frame.trail, look.style, memory, frame.runs);
  render::Camera camera;
  if (look.camera) {
    camera = *look.camera;
  } else {
    const std::size_t count = look.style.split == Split::runs
                                  ? frame.runs.size()
                                  : render::shown_lanes(frame.now, look.style).size();
    const std::size_t scales = look.legend ? content.scene.bars.size() : 0;
    camera.frame(render::framing(frame.now, look.style), painter->shape(look.style, count, scales));
  }
  painter->follow(content, look.followed, camera);
  auto image =
      painter->draw(content, camera, look.style, {look.transparent, look.legend, look.numbers},
                    {frame.now.t, frame.now.steps}, stop);
  if (!image) return image.error();
  return DrawnFrame{std::move(*image), std::chrono::duration<double>(Clock::now() - begun).count()};
}

}  // namespace twosphere
