// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "app/scene/ghosts.h"
#include "app/session/live_run.h"
#include "core/output/configuration_table.h"
#include "render/camera.h"
#include "render/cells.h"
#include "render/scene_builder.h"
#include "ui/interface.h"

namespace twosphere {

/// A part of a picture on the screen, where each of its pixels has `scale` pixels.
inline ui::Rect rect_of(const render::CellArea& area, float scale = 1) {
  return {scale * static_cast<float>(area.x), scale * static_cast<float>(area.y),
          scale * static_cast<float>(area.width), scale * static_cast<float>(area.height)};
}
/// A position on the screen in whole pixels.
inline int to_pixel(float position) { return static_cast<int>(std::lround(position)); }

/// Everything that is needed to draw the scene.
struct SceneContent {
  render::SceneStyle style;
  render::Theme theme;
  render::Scene scene, inset;                ///< of a split scene, that of the reference alone
  render::Cells cells;                       ///< in pixels of the view
  ui::Rect inset_area;                       ///< position on the screen; width 0: none
  std::int64_t steps = 0;                    ///< number of steps at the instant that it shows
  std::shared_ptr<const Snapshot> instant;   ///< that instant, if it is drawn in parts
  std::optional<double> configuration_time;  ///< of the configurations added to the scene [s]
  render::Camera camera;

  /// The part of the view that the camera fills: a cell, or the `area` of the scene.
  ui::Rect view(const ui::Rect& area) const {
    return cells.list.empty() ? area : rect_of(cells.list.front().area);
  }
};

/// The render options chosen by the user. `fine`: with more triangles than a processor draws
/// quickly.
render::SceneStyle scene_style(const ui::Interface& interface, bool fine);

/// The scene of the instant shown, without the camera, for a rectangle of the screen: includes the
/// inset, the configurations at the time under the mouse in the plots, and those of other runs;
/// split, it has none of these but cells.
SceneContent scene_content(const LiveRun& run, const ui::Interface& interface,
                           const render::SceneStyle& style, const std::vector<Ghost>& ghosts,
                           const ui::Rect& area, float pixel_ratio, render::SceneMemory& memory);

/// The runs that have cells of a scene split by runs: the present one with its `trail`, and the
/// others where they are known. None of another scene.
std::vector<render::CellRun> cell_runs(const LiveRun& run, const std::vector<Ghost>& ghosts,
                                       const std::deque<Configuration>& trail,
                                       const render::SceneStyle& style);

/// The trail of the instant shown; without trails none.
std::deque<Configuration> shown_trail(const LiveRun& run, const render::SceneStyle& style);

/// The scene at an earlier instant of the run, without anything else.
render::Scene scene_at(const LiveRun& run, const Snapshot& instant, const render::SceneStyle& style,
                       render::SceneMemory& memory);

/// The configuration of each displayed lane nearest to a time, with the index of the lane.
std::vector<std::pair<std::size_t, LaneConfiguration>> configurations_at(
    const LiveRun& run, const ui::Interface& interface, double time);

}  // namespace twosphere
