// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/export/frame_painter.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/output/body_quantity.h"

namespace twosphere {

namespace {

/// Of a time that moves by `step` from frame to frame.
int decimals_of_time(double step) {
  constexpr int default_decimals = 2, max_decimals = 6;
  if (!(step > 0)) return default_decimals;
  return std::clamp(static_cast<int>(std::ceil(-std::log10(step) - 1e-9)), 0, max_decimals);
}

}  // namespace

PlotRows rows_so_far(RunView run, double step) {
  const History& lane = run.lanes.front();
  const Range times = lane.range(Quantity::time, 0, lane.size());
  ui::Interval all{times.low, times.high};
  if (!(all.span() > 0)) all.high = all.low + step;
  return {std::move(run), all};
}

FrameBox scene_box(const FrameLayout& layout, int width, int height) {
  return layout.plain() ? FrameBox{0, 0, width, height} : frame_boxes(layout, width, height).scene;
}

int colored_bodies(const Snapshot& now, const render::SceneStyle& style) {
  if (!now.system || now.lanes.empty() || now.lanes[0].state.size() != now.system->size()) return 0;
  Geometry geometry;
  now.system->geometry(now.lanes[0].state.q, geometry);
  return has_body_colors(geometry, now.lanes.size(), style.shade, style.lane_colors)
             ? now.system->size()
             : 0;
}

Result<FramePainter> FramePainter::create(int width, int height, const FrameLayout& layout) {
  if (auto fine = check(layout, width, height, false); !fine) return fine.error();
  FramePainter made(layout, width, height);
  if (!layout.has_scene()) return made;
  const FrameBox box = scene_box(layout, width, height);
  auto scene =
      PicturePainter::create(box.width, box.height, layout.plain() ? 0 : layout.text_size(height));
  if (!scene) return scene.error();
  made.scene_.emplace(std::move(*scene));
  return made;
}

void FramePainter::begin(const Snapshot& first, const render::SceneStyle& style, bool legend,
                         std::optional<PlotRows> rows, double time_step) {
  if (layout_.plain()) return;
  FrameSubject subject{.title = first.present->title,
                       .colored_bodies = colored_bodies(first, style),
                       .hidden_lanes = style.hidden,
                       .palette = style.palette,
                       .lane_colors = style.lane_colors,
                       .legend = legend,
                       .time_decimals = decimals_of_time(time_step)};
  if (subject.title.empty() && first.system_info) subject.title = first.system_info->title;
  if (const auto lane = static_cast<std::size_t>(std::max(style.reference, 0));
      lane < first.lanes.size()) {
    subject.reference = first.lanes[lane].title();
    subject.reference_lane = static_cast<int>(lane);
  }
  if (rows) {
    if (!rows->compared.empty()) subject.reference = rows->compared;
    subject.run = std::move(rows->run);
    subject.times = rows->times;
  }
  composer_ = std::make_unique<const FrameComposer>(layout_, width_, height_, subject);
}

PictureContent FramePainter::content(const Snapshot& now, const std::deque<Configuration>& trail,
                                     const render::SceneStyle& style, render::SceneMemory& memory,
                                     std::span<const render::CellRun> runs) const {
  return scene_ ? scene_->content(now, trail, style, memory, runs) : PictureContent();
}

void FramePainter::follow(const PictureContent& content, int body, render::Camera& camera) const {
  if (body >= 0 && scene_)
    camera.follow(content.scene.turn *
                  glm::vec3(content.scene.bodies.at(static_cast<std::size_t>(body))));
}

Result<render::Image> FramePainter::draw(const PictureContent& content,
                                         const render::Camera& camera,
                                         const render::SceneStyle& style, const PictureLook& look,
                                         const FrameInstant& now,
                                         const std::function<bool()>& stop) {
  render::Image scene;
  if (scene_) {
    auto drawn = scene_->draw(content, camera, style, look, stop);
    if (!drawn || !composer_) return drawn;
    scene = std::move(*drawn);
  }
  return composer_->compose(scene, now);
}

}  // namespace twosphere
