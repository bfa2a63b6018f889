// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "app/session/live_run.h"
#include "core/export/configuration_table.h"
#include "render/camera.h"
#include "render/scene_builder.h"
#include "ui/interface.h"

namespace twosphere {

/// All that a picture of the scene is drawn from.
struct SceneContent {
  render::SceneStyle style;
  render::Theme theme;
  render::Scene scene, inset;
  ui::Rect inset_place;             ///< on the screen; without a width: nowhere
  std::int64_t steps = 0;           ///< to the instant that it shows
  std::optional<double> pose_time;  ///< of the configurations added to the scene [s]
  render::Camera camera;
};

/// What the user chose to see. `fine`: with more triangles than a processor draws quickly.
render::SceneStyle scene_style(const ui::Interface& interface, bool fine);

/// Of the run as it is shown, for a part of the screen, but for the camera: with the configurations
/// at the time under the mouse in the plots, and the inset.
SceneContent scene_content(const LiveRun& run, const ui::Interface& interface,
                           const render::SceneStyle& style, const ui::Rect& area, float pixel_ratio,
                           render::SceneMemory& memory);

/// The scene at an earlier instant of the run, and nothing else.
render::Scene scene_at(const LiveRun& run, const Snapshot& instant, const render::SceneStyle& style,
                       render::SceneMemory& memory);

/// The lanes that are shown as they were nearest to a time, with their indices.
std::vector<std::pair<std::size_t, LaneConfiguration>> configurations_at(
    const LiveRun& run, const ui::Interface& interface, double time);

}  // namespace twosphere
