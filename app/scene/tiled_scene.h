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

/// The picture of the scene in a view. With software rendering a picture takes long, so it is drawn
/// in parts, between which the window responds to the user; meanwhile the view shows the last
/// complete picture. Owns the renderer and both pictures. The viewport calls it with its OpenGL
/// context current.
class TiledScene {
 public:
  /// A picture is valid only for one value of this.
  struct ViewState {
    QSize size;  ///< of the view [device pixels]
    ui::Rect area;
    render::Camera::View camera;
    Palette palette = Palette::dark;
    std::uint64_t generation = 0;

    bool operator==(const ViewState&) const = default;
  };
  /// The target of the drawing.
  struct View {
    unsigned framebuffer = 0;
    float pixel_ratio = 1;
    bool software = false;  ///< OpenGL runs on the processor
  };
  /// Start time and duration of drawing a scene on the wall clock [ns].
  struct Cost {
    qint64 begun = 0, spent = 0;
  };
  /// The contents of the picture that the view shows.
  struct Shown {
    SceneContent content;
    std::optional<render::AxisLabels> labels;  ///< none before the first scene
  };

  explicit TiledScene(const QElapsedTimer& clock);
  ~TiledScene();

  Result<void> create_renderer();
  bool has_renderer() const { return renderer_ != nullptr; }
  /// Releases everything that belongs to the context.
  void release();

  /// Begins to draw a scene that was requested at time `begun`.
  void begin(SceneContent content, const ViewState& state, const View& view, qint64 begun);
  /// Whether a scene is being drawn; with an argument: one for this state.
  bool drawing() const { return drawing_.has_value(); }
  bool drawing(const ViewState& state) const;
  /// The steps of the state that is being drawn. There must be one.
  std::int64_t steps_being_drawn() const { return drawing_->content.steps; }
  void give_up();
  /// Draws the next part, or all remaining ones. Returns whether the picture is complete.
  bool draw_part();
  bool draw_rest();
  const Shown& shown() const { return shown_; }
  /// The user asks for another instant than those of the pictures so far.
  void forget_instant();
  /// Draws another picture, over what the target has.
  void draw_beside(const render::Scene& scene, const render::Camera& camera,
                   const render::Theme& theme, const render::Target& target) {
    renderer_->draw(scene, camera, theme, target);
  }

  /// Whether the stored picture is valid for this state.
  bool stored_is_valid(const ViewState& state) const {
    return stored_.picture && stored_.state == state;
  }
  /// Copies it to the view, unless the view shows it already.
  void show_stored(unsigned framebuffer);
  /// Whether the stored picture has been shown. take_new(): returns whether it was new, and marks
  /// it as shown.
  bool stored_is_shown() const { return stored_.is_shown; }
  bool take_new() { return !std::exchange(stored_.is_shown, true); }
  Cost cost_of_stored() const { return stored_.cost; }

  /// Fills a framebuffer with the lower background colour, and leaves it bound.
  static void clear(unsigned framebuffer, const render::Theme& theme);

 private:
  /// A scene that is being drawn, from the bottom up.
  struct Drawing {
    SceneContent content;
    ViewState state;  ///< the state when it began
    View view;
    render::Target target;
    render::AxisLabels labels{};
    Cost cost;
    /// Total cost of its pixels over all parts, and the largest cost of its vertices in one part
    /// [ns].
    qint64 pixels = 0, vertices = 0;
  };
  bool draw(int rows);
  /// Draws the rows of drawing.target, of the scene or of its cells.
  void draw_rows(Drawing& drawing);
  void draw_inset(const Drawing& drawing);
  void finish();

  const QElapsedTimer& clock_;
  std::unique_ptr<render::Renderer> renderer_;
  std::optional<Drawing> drawing_;
  Shown shown_;
  struct StoredPicture {
    std::unique_ptr<QOpenGLFramebufferObject> picture;
    ViewState state;
    Cost cost;
    bool is_shown = true;
  } stored_;
  std::unique_ptr<QOpenGLFramebufferObject> canvas_;  ///< the next picture is drawn here
  int parts_ = 1;                                     ///< number of parts of the next scene
};

}  // namespace twosphere
