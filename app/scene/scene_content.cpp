// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/scene/scene_content.h"

#include <algorithm>
#include <set>

namespace twosphere {

namespace {

// Logical pixels, and shares of the scene's width and of the inset's height.
constexpr float inset_size = 132, inset_gap = 10, inset_share = 0.3F, inset_room = 3;

void add_poses(const LiveRun& run, const ui::Interface& interface, SceneContent& to) {
  const auto cursor = interface.cursor();
  if (!cursor) return;
  for (const auto& [lane, pose] : configurations_at(run, interface, *cursor)) {
    render::add_pose(run.snapshot(), lane, pose.state.q, to.style, to.scene);
    to.pose_time = pose.state.t;
  }
}

// The unit sphere in the lower right corner.
void add_inset(const LiveRun& run, const ui::Rect& area, float scale, SceneContent& to) {
  const float size = std::min(inset_size * scale, inset_share * area.width);
  if (area.height < inset_room * size) return;
  to.inset = render::build_inset(run.snapshot(), run.trail(), to.style);
  if (!to.inset.shell.visible) return;
  const float gap = inset_gap * scale;
  to.inset_place = {area.x + area.width - size - gap, area.y + area.height - size - gap, size,
                    size};
}

}  // namespace

render::SceneStyle scene_style(const ui::Interface& interface, bool fine) {
  const ui::Settings& settings = interface.settings();
  return {.trail = settings.trail,
          .trail_span = settings.trail_span,
          .ground = settings.ground,
          .graticule = settings.graticule,
          .palette = settings.palette,
          .lane_colors = settings.lane_colors,
          .reference = settings.reference_lane,
          .hidden = interface.hidden_lanes(),
          .shade = settings.shade,
          .color_map = settings.color_map,
          .field = settings.field,
          .arrows = settings.arrows,
          .fine = fine};
}

SceneContent scene_content(const LiveRun& run, const ui::Interface& interface,
                           const render::SceneStyle& style, const ui::Rect& area, float pixel_ratio,
                           render::SceneMemory& memory) {
  SceneContent content;
  content.style = style;
  content.theme = render::theme(style);
  content.scene = render::build_scene(run.snapshot(), run.trail(), style, memory);
  add_poses(run, interface, content);
  const ui::Settings& settings = interface.settings();
  if (settings.inset) add_inset(run, area, settings.scale * pixel_ratio, content);
  return content;
}

std::vector<std::pair<std::size_t, LaneConfiguration>> configurations_at(
    const LiveRun& run, const ui::Interface& interface, double time) {
  std::vector<std::pair<std::size_t, LaneConfiguration>> found;
  const Snapshot& now = run.snapshot();
  const std::set<int> hidden = interface.hidden_lanes();
  for (std::size_t lane = 0; lane < std::min(now.lanes.size(), run.histories().size()); ++lane) {
    const History& history = run.histories()[lane];
    if (history.state_count() == 0 || hidden.contains(static_cast<int>(lane))) continue;
    State state = history.state_at(history.nearest(time));
    if (state.size() != now.system->size()) continue;
    found.emplace_back(lane, LaneConfiguration{now.lanes[lane].name, std::move(state)});
  }
  return found;
}

}  // namespace twosphere
