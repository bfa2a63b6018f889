// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QOpenGLWidget>
#include <QTimer>
#include <memory>

#include "ui/shell/surface.h"

struct ImFontAtlas;
struct ImGuiContext;

namespace twosphere {

class ImGuiBridge;
class Viewport;

/// The plots of a view alone, over all of a widget that may be in another window: the same plots
/// with the same cursor, drawn in a context of Dear ImGui of its own. Draws after each frame of the
/// view, and what its own events need.
class PlotViewport : public QOpenGLWidget {
  Q_OBJECT
 public:
  /// `viewport` must outlive it.
  explicit PlotViewport(Viewport& viewport, QWidget* parent = nullptr);
  ~PlotViewport() override;

  Viewport& viewport() { return viewport_; }
  /// Its widgets, as of the last frame.
  ui::Surface& surface() { return surface_; }
  /// Clicks the middle of a rectangle, in pixels of the screen.
  void click(const ui::Rect& rect);
  /// Whether all events received so far have been drawn.
  bool is_drawn() const;

 Q_SIGNALS:
  /// A frame was drawn.
  void drawn();

 protected:
  void initializeGL() override;
  void paintGL() override;

 private:
  void release();  ///< releases what belongs to the context of OpenGL
  float wanted_scale() const;

  Viewport& viewport_;
  std::unique_ptr<ImFontAtlas> fonts_;
  ImGuiContext* imgui_;
  std::unique_ptr<ImGuiBridge> bridge_;
  ui::Surface surface_;
  QTimer next_;             ///< the frame that an animation or a pending event needs
  float loaded_scale_ = 0;  ///< that the fonts were made for
  bool ready_ = false;      ///< the context of OpenGL has what every frame needs
  bool touched_ = false;    ///< events have arrived, of which the view may have to show something
};

}  // namespace twosphere
