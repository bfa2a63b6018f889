// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <imgui.h>

#include <QByteArray>
#include <QElapsedTimer>
#include <QKeyCombination>
#include <QObject>
#include <QPointF>
#include <QSize>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

class QInputMethodEvent;
class QInputMethodQueryEvent;
class QKeyEvent;
class QMouseEvent;
class QTouchEvent;
class QWheelEvent;
class QWidget;

namespace twosphere {

/// The GLSL version of the shaders of Dear ImGui: OpenGL 3.3.
inline constexpr const char* glsl_version = "#version 330 core";

/// The physical pixels that a widget covers: the unit of ImGui here, and the size of the
/// framebuffer of a QOpenGLWidget.
QSize framebuffer_size(const QWidget& widget);

/// Loads the fonts of the current context of Dear ImGui again, and uploads them to OpenGL, if they
/// were made for another scale (ui::load_fonts()) than this one; `loaded` becomes it. Call between
/// frames.
void follow_scale(float scale, float& loaded);

/// Dear ImGui's platform side for one widget: mouse, fingers, keys, text, input method, clipboard,
/// cursor shape, focus and time.
///
/// A finger that moves, or taps, acts as the left mouse button; one that rests acts as the right
/// button. Two fingers are a Pinch.
///
/// ImGui 1.86 sees input as one state per frame, so that a press and a release between two frames
/// would cancel out. Events therefore wait in a queue. Each frame takes events from its front as
/// long as they do not conflict: at most one change of a mouse button and no move after it, no
/// release in the frame of a move, each key once.
///
/// Which presses of the mouse are double clicks is said by Qt, from the times at which they were
/// made: ImGui knows only the times of the frames, which may be long.
///
/// Keys that follow a click wait until its frames are drawn: only then it is known whether they are
/// text, shortcuts, or for a dialog that the click has opened. More than forty functions and twenty
/// members: an event of Qt each, and what is known of mouse, fingers, keys and input method between
/// two frames.
class ImGuiBridge : public QObject {
 public:
  /// `request_frame` is called when an event has arrived that requires a frame. The widget's
  /// context of ImGui must be current here and in each frame.
  ImGuiBridge(QWidget& widget, std::function<void()> request_frame);
  ~ImGuiBridge() override;

  /// Call before ImGui::NewFrame(): sets size, pixel ratio and time, and passes on the events of
  /// this frame.
  void begin_frame();
  /// Call after ImGui::Render(): updates cursor shape, input method and blinking caret.
  void end_frame();
  /// Whether the interface uses keys without Ctrl, Alt and Super, except function keys; they are
  /// then not shortcuts.
  void keep_plain_keys(bool keep) { plain_keys_ = keep; }
  /// The same for the arrow keys, with Shift or alone.
  void keep_arrows(bool keep) { arrows_ = keep; }
  /// The same for Space and Enter, with Shift or alone.
  void keep_presses(bool keep) { presses_ = keep; }
  /// Whether another frame is due, because events are pending or the interface needs further
  /// frames.
  bool pending() const { return waiting() || !late_keys_.empty() || extra_frames_ > 0; }
  /// Whether events are pending to which the user expects a response; mere mouse movements are not.
  bool urgent() const;
  /// Whether events wait for a frame.
  bool waiting() const { return !queue_.empty() || (click_frames_ > 0 && !late_keys_.empty()); }

  /// Sets the keys that act while they are held, one list for each purpose. They are not shortcuts
  /// of the window unless text is being typed. A key that types a character stands for this
  /// character, with whatever modifiers the keyboard layout needs.
  void watch(const std::vector<std::vector<QKeyCombination>>& keys);
  /// Held keys of this widget count as those of another one, of which the lists are; it must
  /// outlive this.
  void share_keys(ImGuiBridge& other) { keys_ = &other; }
  /// Whether a key of this list is held.
  bool held(std::size_t list) const { return watched_[list].down; }
  /// The number of presses since the last call, including automatic repetition.
  int take_presses(std::size_t list) { return std::exchange(watched_[list].presses, 0); }
  bool shift_held() const;

  /// A movement of two fingers, in physical pixels.
  struct Pinch {
    ImVec2 at{};      ///< the point between them
    ImVec2 moved{};   ///< the displacement of this point
    float apart = 1;  ///< the factor by which their distance grew
  };
  /// The movement since the last call; none if there was none.
  std::optional<Pinch> take_pinch();
  /// Clicks with the left button at a point, in physical pixels; then the pointer is nowhere.
  void click(float x, float y);
  /// Whether the pointer is a finger.
  bool is_finger() const { return finger_; }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void timerEvent(QTimerEvent* event) override;

 private:
  struct Event {
    enum class Kind { move, leave, button, wheel, key, text, focus } kind;
    ImVec2 position{};   ///< position of a move [logical pixels], or notches of a wheel
    int code = 0;        ///< mouse button or ImGuiKey
    bool down = false;   ///< whether a button or key is down, or focus was gained
    bool twice = false;  ///< a button that is down: whether that is the second of a double click
    QByteArray text{};   ///< UTF-8
    int modifiers = 0;   ///< ImGuiKeyModFlags_ when it occurred
  };

  static Event move(const QPointF& position);
  void push(Event event);
  void move_to(const QPointF& position);
  void mouse(const QMouseEvent& event);
  void wheel(const QWheelEvent& event);
  bool key(const QKeyEvent& event, bool down);
  bool waits(const QKeyEvent& event) const;
  void give_late_keys();
  bool trigger(const QKeyEvent& event) const;
  struct WatchedKeys {
    std::vector<QKeyCombination> keys;
    bool down = false;
    int presses = 0;
    std::uint32_t code = 0;  ///< scan code of the held key, which Shift does not change
  };
  /// The index of the list that contains the key.
  std::optional<std::size_t> watched(const QKeyEvent& event) const;
  bool watched_key(const QKeyEvent& event, bool down);
  void release_watched(Qt::KeyboardModifiers without = {});
  void set_modifiers(int held);
  void leave();
  void button(int code, bool down, bool twice = false);
  void touch(const QTouchEvent& event);
  void one_finger(const QPointF& at, bool lifted);
  void two_fingers(const QPointF& a, const QPointF& b);
  void end_touch();
  void text(const QString& text);
  bool claims_shortcut(const QKeyEvent& event) const;
  void answer(QInputMethodQueryEvent& query) const;
  void apply_events();
  void apply_modifiers(int modifiers);

  QWidget& widget_;
  std::function<void()> request_frame_;
  std::deque<Event> queue_;
  QElapsedTimer clock_;
  float ratio_ = 1;                ///< physical pixels per logical pixel in this frame
  QPointF last_position_{-1, -1};  ///< of the last move in the queue
  int buttons_ = 0;                ///< bit per button, after all events of the queue
  int modifiers_ = 0;              ///< after all events of the queue
  int extra_frames_ = 0;           ///< further frames that the interface needs
  int click_frames_ = 0;           ///< until what a click has done is known
  std::deque<std::unique_ptr<QKeyEvent>> late_keys_;
  std::vector<WatchedKeys> watched_;
  ImGuiBridge* keys_ = this;  ///< whose watched_ is used
  enum class Touch { none, rests, drags, pinches, over } touch_ = Touch::none;
  QPointF touched_;      ///< where the finger was put down
  QPointF middle_;       ///< between two fingers
  double distance_ = 0;  ///< between two fingers
  int resting_timer_ = 0;
  bool finger_ = false;      ///< is_finger()
  QPointF pinch_moved_;      ///< since the last take_pinch()
  double pinch_apart_ = 1;   ///< since then, a factor
  bool text_input_ = false;  ///< a text field is active
  bool plain_keys_ = false;  ///< keep_plain_keys()
  bool arrows_ = false;      ///< keep_arrows()
  bool presses_ = false;     ///< keep_presses()
  int caret_timer_ = 0;
  ImVec2 caret_{};  ///< physical pixels
  int cursor_ = ImGuiMouseCursor_Arrow;
  QByteArray clipboard_;  ///< text last passed to ImGui
};

}  // namespace twosphere
