// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSize>
#include <memory>
#include <optional>

#include "app/scene/tiled_scene.h"
#include "app/session/live_run.h"
#include "render/camera.h"
#include "render/scene_builder.h"
#include "ui/interface.h"

class QOpenGLFramebufferObject;

namespace twosphere {

/// The small picture of the scene at the instant under the mouse on the time line: drawn once for
/// each instant, and when the view has changed. The viewport calls it, with its OpenGL context
/// current.
class TimePreview {
 public:
  /// Larger systems have none: drawing them would hold up the window.
  static constexpr int max_bodies = 10'000;

  TimePreview();
  ~TimePreview();

  /// The scene of the picture, as in the view. Sizes in pixels of the screen.
  struct PreviewSubject {
    std::shared_ptr<const Snapshot> instant;  ///< null: there is none yet
    ui::Settings settings;
    render::Camera::View camera;
    ui::Rect area;  ///< of the scene in the view
    float scale = 1;

    bool operator==(const PreviewSubject&) const = default;
  };
  /// Whether it is to be drawn for that.
  bool changed(const PreviewSubject& subject) const { return subject_ != subject; }
  void draw(const PreviewSubject& subject, const render::Scene& scene, const render::Camera& camera,
            const render::Theme& theme, TiledScene& by);
  /// Forgets the picture, and keeps the place for the next.
  void clear() { subject_.reset(); }
  /// Gives up what lives in the context.
  void release();

  /// For a view of a scene there.
  ui::TimePicture picture(const ui::Rect& area, float scale) const;

 private:
  std::optional<PreviewSubject> subject_;  ///< of the picture; none: there is none
  std::unique_ptr<QOpenGLFramebufferObject> canvas_;
};

}  // namespace twosphere
