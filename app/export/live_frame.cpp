// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/export/live_frame.h"

#include <utility>

#include "app/scene/scene_content.h"
#include "core/scenario/run_clock.h"

namespace twosphere {

LiveFrame live_frame(LiveRun& run, const VideoLook& look, int width, int height, double time_step,
                     std::optional<ui::Interval> times) {
  run.update();
  LiveFrame frame{.look = look,
                  .width = width,
                  .height = height,
                  .now = run.shown(),
                  .trail = shown_trail(run, look.style),
                  .rows = {},
                  .time_step = time_step};
  if (frame.look.style.split == Split::runs) frame.look.style.split = Split::none;
  if (!look.layout.has_plots()) return frame;
  frame.rows = rows_so_far(run.view(), grid_step(run.snapshot().present->lanes));
  if (times && times->span() > 0) frame.rows->times = *times;
  return frame;
}

Result<render::Image> draw(const LiveFrame& frame, const std::function<bool()>& stop) {
  const VideoLook& look = frame.look;
  auto painter = FramePainter::create(frame.width, frame.height, look.layout);
  if (!painter) return painter.error();
  painter->begin(frame.now, look.style, look.legend, frame.rows, frame.time_step);
  render::SceneMemory memory;
  const PictureContent content = painter->content(frame.now, frame.trail, look.style, memory);
  render::Camera camera;
  if (look.camera) {
    camera = *look.camera;
  } else {
    const std::size_t cells = content.cells.list.empty() ? 1 : content.cells.list.size();
    camera.frame(render::framing(frame.now, look.style), painter->aspect(cells));
  }
  if (look.followed >= 0 && painter->has_scene())
    camera.follow(glm::vec3(content.scene.bodies.at(static_cast<std::size_t>(look.followed))));
  return painter->draw(content, camera, look.style, {look.transparent, look.legend, look.numbers},
                       {frame.now.t, frame.now.steps}, stop);
}

}  // namespace twosphere
