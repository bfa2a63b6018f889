// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <vector>

#include "core/base/result.h"
#include "render/camera.h"
#include "render/cells.h"
#include "render/painter.h"
#include "render/scene.h"
#include "ui/interface.h"

struct ImGuiContext;

namespace twosphere {

/// Whether a legend is needed, because colours, arrows or sizes have a meaning, or the view turns.
inline bool has_legend(const render::Scene& scene) {
  return !scene.bars.empty() || !scene.arrow_keys.empty() || !scene.sizes.empty() ||
         !scene.frame.empty();
}
/// The annotations of a scene that is shown in a rectangle, or of its cells, each pixel of which
/// has `scale` pixels there; the numbers of the bodies only if `numbers`.
ui::Legend legend_of(const render::Scene& scene, const render::Cells& cells,
                     const render::Camera& camera, const ui::Rect& area, bool numbers,
                     float scale = 1);
/// The lanes of a run, for the legend; none if there is only one.
std::vector<ui::LaneRow> lane_rows(const Snapshot& snapshot, const render::SceneStyle& style);

/// Draws legends over pictures that are rendered off screen.
class LegendWriter {
 public:
  /// For pictures with the given number of device pixels per logical pixel. The OpenGL context of
  /// the painter must be current here and in all other calls.
  static Result<std::unique_ptr<LegendWriter>> create(float ratio);
  ~LegendWriter();
  LegendWriter(const LegendWriter&) = delete;
  LegendWriter& operator=(const LegendWriter&) = delete;

  /// Draws the part of the legend in a tile of the picture to the bound framebuffer.
  void draw(const ui::Legend& legend, Palette palette, const render::Tile& tile) const;

 private:
  LegendWriter() = default;
  ImGuiContext* imgui_ = nullptr;
  float ratio_ = 1;
};

}  // namespace twosphere
