// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "app/scene/ghosts.h"
#include "app/session/live_run.h"
#include "core/output/configuration_table.h"
#include "render/camera.h"
#include "render/scene_builder.h"
#include "ui/interface.h"

namespace twosphere {

/// Everything that is needed to draw the scene.
struct SceneContent {
  render::SceneStyle style;
  render::Theme theme;
  render::Scene scene, inset;
  ui::Rect inset_area;                       ///< position on the screen; width 0: none
  std::int64_t steps = 0;                    ///< number of steps at the instant that it shows
  std::optional<double> configuration_time;  ///< of the configurations added to the scene [s]
  render::Camera camera;
};

/// The render options chosen by the user. `fine`: with more triangles than a processor draws
/// quickly.
render::SceneStyle scene_style(const ui::Interface& interface, bool fine);

/// The scene of the instant shown, without the camera, for a rectangle of the screen: includes the
/// inset, the configurations at the time under the mouse in the plots, and those of other runs.
SceneContent scene_content(const LiveRun& run, const ui::Interface& interface,
                           const render::SceneStyle& style, const std::vector<Ghost>& ghosts,
                           const ui::Rect& area, float pixel_ratio, render::SceneMemory& memory);

/// The scene at an earlier instant of the run, without anything else.
render::Scene scene_at(const LiveRun& run, const Snapshot& instant, const render::SceneStyle& style,
                       render::SceneMemory& memory);

/// The configuration of each displayed lane nearest to a time, with the index of the lane.
std::vector<std::pair<std::size_t, LaneConfiguration>> configurations_at(
    const LiveRun& run, const ui::Interface& interface, double time);

}  // namespace twosphere
