// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "app/scene/legend_writer.h"
#include "core/base/result.h"
#include "render/camera.h"
#include "render/cells.h"
#include "render/painter.h"
#include "ui/interface.h"

namespace twosphere {

/// The contents of a picture of an instant of a run.
struct PictureContent {
  render::Scene scene;  ///< of a split picture, that of the reference alone
  render::Cells cells;
  std::vector<ui::LaneRow> lanes;
};

/// How it is drawn.
struct PictureLook {
  bool transparent = false;
  bool legend = true;    ///< lanes, scales of colours and arrows
  bool numbers = false;  ///< of the bodies
};

/// Draws pictures of runs to images, with their legends, without a window: those of
/// `twosphere render` and of videos.
class PicturePainter {
 public:
  /// `text`: the height of the text of the legend and of captions [pixels], as in figures; 0: as in
  /// a window, with the lines of the picture. Fails like Painter::create().
  static Result<PicturePainter> create(int width, int height, double text = 0);

  /// Builds what a picture shows. `runs`: for style.split by runs.
  PictureContent content(const Snapshot& now, const std::deque<Configuration>& trail,
                         const render::SceneStyle& style, render::SceneMemory& memory,
                         std::span<const render::CellRun> runs = {}) const;
  /// What the camera fills: the picture or, if it is split, each cell of so many lanes or runs;
  /// `scales`: of colours, in the legend.
  render::ViewShape shape(const render::SceneStyle& style, std::size_t count,
                          std::size_t scales) const;
  /// Why a picture of this size cannot be split into so many cells; empty if it can.
  static std::string why_not_split(int width, int height, Split by, std::size_t count);

  /// `stop` as for Painter::paint().
  Result<render::Image> draw(const PictureContent& content, const render::Camera& camera,
                             const render::SceneStyle& style, const PictureLook& look,
                             const std::function<bool()>& stop);

 private:
  PicturePainter(int width, int height, float scale, std::unique_ptr<render::Painter> painter)
      : whole_{0, 0, width, height}, scale_(scale), painter_(std::move(painter)) {}

  render::CellArea whole_;
  float scale_;  // pixels per logical pixel of legends and captions
  std::unique_ptr<render::Painter> painter_;
  std::unique_ptr<LegendWriter> legends_;  // destroyed before its context
};

}  // namespace twosphere
