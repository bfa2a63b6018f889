// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "app/export/frame_composer.h"
#include "app/export/frame_layout.h"
#include "app/scene/picture_painter.h"
#include "core/base/result.h"

namespace twosphere {

/// What the plots of frames are of: RowCollector::view(), or LiveRun::view().
struct PlotRows {
  RunView run;
  ui::Interval times;      ///< that the plots show, on the clock of the run [s]
  std::string compared{};  ///< the name of the run that distances are from, if it is another
};

/// The rows of a run up to where it is, with steps of `step` [s].
PlotRows rows_so_far(RunView run, double step);

/// Draws frames: the scene by PicturePainter and, unless the layout is plain, what FrameComposer
/// puts beside it. Frames of a plain layout are the pictures of PicturePainter.
class FramePainter {
 public:
  /// Fails like check() of the layout and PicturePainter::create().
  static Result<FramePainter> create(int width, int height, const FrameLayout& layout);

  /// Prepares what stands beside the scene. Call before draw(), unless the layout is plain. `rows`
  /// are needed if it has plots; `first`: the run at the first instant; `time_step` between frames
  /// [s], 0: there is one frame.
  void begin(const Snapshot& first, const render::SceneStyle& style, bool legend,
             std::optional<PlotRows> rows, double time_step);

  /// PicturePainter::content(); of a frame without a scene nothing.
  PictureContent content(const Snapshot& now, const std::deque<Configuration>& trail,
                         const render::SceneStyle& style, render::SceneMemory& memory,
                         std::span<const render::CellRun> runs = {}) const;
  /// PicturePainter::shape() of the scene.
  render::ViewShape shape(const render::SceneStyle& style, std::size_t count,
                          std::size_t scales) const {
    return scene_ ? scene_->shape(style, count, scales) : render::ViewShape();
  }
  /// Lets the camera follow a body of the scene, from 0; −1, or a frame without a scene: none.
  void follow(const PictureContent& content, int body, render::Camera& camera) const;
  Result<render::Image> draw(const PictureContent& content, const render::Camera& camera,
                             const render::SceneStyle& style, const PictureLook& look,
                             const FrameInstant& now, const std::function<bool()>& stop);

 private:
  FramePainter(FrameLayout layout, int width, int height)
      : layout_(std::move(layout)), width_(width), height_(height) {}

  FrameLayout layout_;
  int width_, height_;
  std::optional<PicturePainter> scene_;
  std::unique_ptr<const FrameComposer> composer_;
};

/// The box of the scene in a frame: what a split and a camera have to fit.
FrameBox scene_box(const FrameLayout& layout, int width, int height);
/// Which of the bodies have their own colours in plots: BodyLook::bodies.
int colored_bodies(const Snapshot& now, const render::SceneStyle& style);

}  // namespace twosphere
