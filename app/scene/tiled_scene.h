// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QSize>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "app/scene/scene_content.h"
#include "core/base/result.h"
#include "render/camera.h"
#include "render/renderer.h"
#include "ui/interface.h"

class QOpenGLFramebufferObject;

namespace twosphere {

/// The picture of the scene in a view. Where the processor draws, that takes so long that it is
/// drawn in parts, between which the window answers the user; what it then shows is the last one
/// that was done. Owns the renderer and both pictures; the viewport calls it, with its OpenGL
/// context current.
class TiledScene {
 public:
  /// What makes a picture useless once it has changed.
  struct ViewState {
    QSize size;  ///< of the view [device pixels]
    ui::Rect place;
    render::Camera::View camera;
    Palette palette = Palette::dark;
    std::uint64_t generation = 0;

    bool operator==(const ViewState&) const = default;
  };
  /// Where it is drawn to.
  struct View {
    unsigned framebuffer = 0;
    float pixel_ratio = 1;
    bool software = false;  ///< OpenGL runs on the processor
  };
  /// When a scene was begun and how long it took, as by the clock [ns].
  struct Cost {
    qint64 begun = 0, spent = 0;
  };
  /// What the view shows.
  struct Shown {
    SceneContent content;
    std::optional<render::AxisLabels> labels;  ///< once a scene was drawn
  };

  explicit TiledScene(const QElapsedTimer& clock);
  ~TiledScene();

  Result<void> create_renderer();
  bool has_renderer() const { return renderer_ != nullptr; }
  /// Gives up everything that lives in the context.
  void release();

  /// Begins a scene that was asked for at some time.
  void begin(SceneContent content, const ViewState& state, const View& view, qint64 begun);
  /// Whether one is being drawn; and one for this state.
  bool drawing() const { return drawing_.has_value(); }
  bool drawing(const ViewState& state) const;
  void give_up();
  /// Draws the next of the parts, or all that is left; whether that was the last.
  bool draw_part();
  bool draw_rest();
  const Shown& shown() const { return shown_; }
  /// Draws another picture, over what the target has.
  void draw_beside(const render::Scene& scene, const render::Camera& camera,
                   const render::Theme& theme, const render::Target& target) {
    renderer_->draw(scene, camera, theme, target);
  }

  /// Whether the picture that was kept will do.
  bool keeps(const ViewState& state) const { return kept_.picture && kept_.state == state; }
  /// Copies it to the view, where it need not be shown again.
  void show_kept(unsigned framebuffer);
  /// Whether it was shown. take_new(): whether not, and that it is being shown now.
  bool kept_is_shown() const { return kept_.is_shown; }
  bool take_new() { return !std::exchange(kept_.is_shown, true); }
  Cost cost_of_kept() const { return kept_.cost; }

  /// Fills a framebuffer with the background's lower colour, and leaves it bound.
  static void clear(unsigned framebuffer, const render::Theme& theme);

 private:
  /// The scene while it is drawn, from the bottom up.
  struct Drawing {
    SceneContent content;
    ViewState state;  ///< when it began
    View view;
    render::Target target;
    render::AxisLabels labels{};
    Cost cost;
    qint64 pixels = 0, vertices = 0;  ///< of it, for all parts; the most for one
  };
  bool draw(int rows);
  void draw_inset(const Drawing& drawing);
  void finish();

  const QElapsedTimer& clock_;
  std::unique_ptr<render::Renderer> renderer_;
  std::optional<Drawing> drawing_;
  Shown shown_;
  struct Kept {
    std::unique_ptr<QOpenGLFramebufferObject> picture;
    ViewState state;
    Cost cost;
    bool is_shown = true;
  } kept_;
  std::unique_ptr<QOpenGLFramebufferObject> canvas_;  ///< what comes after it is drawn there
  int parts_ = 1;                                     ///< of the next scene
};

}  // namespace twosphere
