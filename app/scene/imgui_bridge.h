// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <imgui.h>

#include <QByteArray>
#include <QElapsedTimer>
#include <QObject>
#include <QPointF>
#include <QSize>
#include <deque>
#include <functional>

class QInputMethodEvent;
class QInputMethodQueryEvent;
class QKeyEvent;
class QMouseEvent;
class QWheelEvent;
class QWidget;

namespace twosphere {

/// Of the shaders that Dear ImGui draws with: OpenGL 3.3.
inline constexpr const char* glsl_version = "#version 330 core";

/// Pixels of the screen that a widget covers: what ImGui counts in here, and the size of the
/// framebuffer of a QOpenGLWidget.
QSize framebuffer_size(const QWidget& widget);

/// Dear ImGui's platform side for one widget: mouse, keys, text, input method, clipboard, cursor
/// shape, focus and time.
///
/// ImGui 1.86 sees input as one state per frame, so that a press and a release between two frames
/// would cancel out. Events therefore wait in a queue, and each frame takes as many from its front
/// as do not contradict each other: one change of a mouse button, no move after it, no release in
/// the frame of a move, each key once.
class ImGuiBridge : public QObject {
 public:
  /// `request_frame` is called whenever an event came that a frame should show.
  ImGuiBridge(QWidget& widget, ImGuiContext& context, std::function<void()> request_frame);
  ~ImGuiBridge() override;

  /// Before ImGui::NewFrame(): size, pixel ratio, time, and the events of this frame.
  void begin_frame();
  /// After ImGui::Render(): cursor shape, input method, blinking caret.
  void end_frame();
  /// Whether keys without Ctrl, Alt and Super, but for function keys, are the interface's: no
  /// shortcuts then.
  void keep_plain_keys(bool keep) { plain_keys_ = keep; }
  /// Whether the arrow keys are, with Shift or alone.
  void keep_arrows(bool keep) { arrows_ = keep; }
  /// Whether another frame is due: events are pending, or the interface needs further frames after
  /// the last.
  bool pending() const { return !queue_.empty() || settle_ > 0; }
  /// Whether events wait that somebody expects an answer to: not the mouse that passes over.
  bool urgent() const;
  /// Whether events wait for a frame.
  bool waiting() const { return !queue_.empty(); }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void timerEvent(QTimerEvent* event) override;

 private:
  struct Event {
    enum class Kind { move, leave, button, wheel, key, text, focus } kind;
    ImVec2 position{};  ///< of a move, logical pixels; steps of a wheel
    int code = 0;       ///< mouse button or ImGuiKey
    bool down = false;  ///< of a button or key; focus gained
    QByteArray text{};  ///< UTF-8
    int modifiers = 0;  ///< ImGuiKeyModFlags_ at that moment
  };

  static Event move(const QPointF& position);
  void push(Event event);
  void move_to(const QPointF& position);
  void mouse(const QMouseEvent& event);
  void wheel(const QWheelEvent& event);
  bool key(const QKeyEvent& event, bool down);
  void text(const QString& text);
  bool claims_shortcut(const QKeyEvent& event) const;
  void answer(QInputMethodQueryEvent& query) const;
  void apply_events();
  void apply_modifiers(int modifiers);

  QWidget& widget_;
  ImGuiContext& context_;
  std::function<void()> request_frame_;
  std::deque<Event> queue_;
  QElapsedTimer clock_;
  float ratio_ = 1;                ///< pixels of the screen per logical pixel, in this frame
  QPointF last_position_{-1, -1};  ///< of the last move in the queue
  int buttons_ = 0;                ///< bit per button, as of the end of the queue
  int modifiers_ = 0;              ///< as of the end of the queue
  int settle_ = 0;                 ///< further frames that the interface needs
  bool text_input_ = false;        ///< a text field is active
  bool plain_keys_ = false;        ///< keep_plain_keys()
  bool arrows_ = false;            ///< keep_arrows()
  int caret_timer_ = 0;
  ImVec2 caret_{};  ///< pixels of the screen
  int cursor_ = ImGuiMouseCursor_Arrow;
  QByteArray clipboard_;  ///< text last handed to ImGui
};

}  // namespace twosphere
