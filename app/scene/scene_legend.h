// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/base/result.h"
#include "render/camera.h"
#include "render/painter.h"
#include "render/scene.h"
#include "ui/interface.h"

struct ImGuiContext;

namespace twosphere {

/// Whether colours, arrows or sizes mean something.
inline bool has_legend(const render::Scene& scene) {
  return !scene.bars.empty() || !scene.arrow_keys.empty() || !scene.sizes.empty();
}
/// What the interface writes over a scene that is seen in a rectangle; with the numbers of the
/// bodies on request.
ui::Legend legend_of(const render::Scene& scene, const render::Camera& camera, const ui::Rect& area,
                     bool numbers);

/// Writes legends over pictures that are drawn off screen.
class LegendWriter {
 public:
  /// For pictures of that many device pixels per logical one. Needs the painter's OpenGL context
  /// current, as do all that follows.
  static Result<std::unique_ptr<LegendWriter>> create(float ratio);
  ~LegendWriter();
  LegendWriter(const LegendWriter&) = delete;
  LegendWriter& operator=(const LegendWriter&) = delete;

  /// Draws the part of the legend that lies in a tile of the picture, to the framebuffer bound.
  void draw(const ui::Legend& legend, Palette palette, const render::Tile& tile) const;

 private:
  LegendWriter() = default;
  ImGuiContext* imgui_ = nullptr;
  float ratio_ = 1;
};

}  // namespace twosphere
