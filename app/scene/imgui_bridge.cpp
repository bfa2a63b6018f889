// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/scene/imgui_bridge.h"

#include <backends/imgui_impl_opengl3.h>

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QGuiApplication>
#include <QInputMethod>
#include <QInputMethodEvent>
#include <QKeyEvent>
#include <QKeySequence>
#include <QMouseEvent>
#include <QTimerEvent>
#include <QTouchEvent>
#include <QWheelEvent>
#include <QWidget>
#include <algorithm>
#include <bitset>
#include <cfloat>
#include <cmath>
#include <utility>

#include "app/scene/imgui_keys.h"
#include "ui/shell/style.h"

// From version 1.87 ImGui receives events instead of a state.
#define TWOSPHERE_IMGUI_EVENTS (IMGUI_VERSION_NUM >= 18700)

namespace twosphere {
namespace {

constexpr int extra_frame_count = 2;  // popups and automatic sizes need them
constexpr int click_frame_count = 3;  // a text begins in the frame after that of the click
constexpr int caret_interval = 400;   // [ms], half a blink of the caret
// [s] of ImGui's time after idling; longer than a double click.
constexpr double longest_frame = 1;
constexpr double shortest_frame = 1e-6;
constexpr float double_click_time = 0.3f;  // [s], of ImGui, for clicks of which Qt says nothing

constexpr double finger_slack = 10;  // movement of a resting finger, in logical pixels
constexpr int resting_time = 600;    // [ms]

}  // namespace

// Rounded like in Qt.
QSize framebuffer_size(const QWidget& widget) { return widget.size() * widget.devicePixelRatioF(); }

void follow_scale(float scale, float& loaded) {
  if (scale == loaded) return;
  ui::load_fonts(*ImGui::GetIO().Fonts, scale);
  ImGui_ImplOpenGL3_DestroyFontsTexture();
  ImGui_ImplOpenGL3_CreateFontsTexture();
  loaded = scale;
}

ImGuiBridge::ImGuiBridge(QWidget& widget, std::function<void()> request_frame)
    : widget_(widget), request_frame_(std::move(request_frame)) {
  ImGuiIO& io = ImGui::GetIO();
  io.BackendPlatformName = "twosphere_qt";
  io.BackendPlatformUserData = this;
  io.BackendFlags |= ImGuiBackendFlags_HasMouseCursors;
  io.ClipboardUserData = this;
  io.GetClipboardTextFn = [](void* self) {
    auto& bridge = *static_cast<ImGuiBridge*>(self);
    bridge.clipboard_ = QGuiApplication::clipboard()->text().toUtf8();
    return static_cast<const char*>(bridge.clipboard_.constData());
  };
  io.SetClipboardTextFn = [](void*, const char* text) {
    QGuiApplication::clipboard()->setText(QString::fromUtf8(text));
  };
#if TWOSPHERE_IMGUI_EVENTS
  io.SetPlatformImeDataFn = [](ImGuiViewport*, ImGuiPlatformImeData* data) {
    static_cast<ImGuiBridge*>(ImGui::GetIO().BackendPlatformUserData)->caret_ = data->InputPos;
  };
#else
  io.ImeSetInputScreenPosFn = [](int x, int y) {
    static_cast<ImGuiBridge*>(ImGui::GetIO().BackendPlatformUserData)->caret_ =
        ImVec2(static_cast<float>(x), static_cast<float>(y));
  };
  for (const auto& [from, to] : imgui_keys) io.KeyMap[to] = to;
#endif

  widget_.setMouseTracking(true);
  widget_.setAttribute(Qt::WA_AcceptTouchEvents);
  widget_.setFocusPolicy(Qt::StrongFocus);
  widget_.setAttribute(Qt::WA_InputMethodEnabled);
  widget_.installEventFilter(this);
  clock_.start();
}

ImGuiBridge::~ImGuiBridge() {
  widget_.removeEventFilter(this);
  if (keys_ != this) keys_->release_watched();
}

void ImGuiBridge::push(Event event) {
  event.modifiers = modifiers_;
  // Merge consecutive moves.
  if (event.kind == Event::Kind::move && !queue_.empty() &&
      queue_.back().kind == Event::Kind::move && queue_.back().modifiers == modifiers_)
    queue_.back() = std::move(event);
  else
    queue_.push_back(std::move(event));
  extra_frames_ = extra_frame_count;
  request_frame_();
}

bool ImGuiBridge::urgent() const {
  if (!late_keys_.empty()) return true;
  return !queue_.empty() &&
         (buttons_ != 0 || std::any_of(queue_.begin(), queue_.end(), [](const Event& e) {
            return e.kind != Event::Kind::move && e.kind != Event::Kind::leave;
          }));
}

ImGuiBridge::Event ImGuiBridge::move(const QPointF& position) {
  return {.kind = Event::Kind::move,
          .position = {static_cast<float>(position.x()), static_cast<float>(position.y())}};
}

void ImGuiBridge::move_to(const QPointF& position) {
  if (position == last_position_) return;
  last_position_ = position;
  push(move(position));
}

/// The pointer is nowhere, so nothing is hovered.
void ImGuiBridge::leave() {
  last_position_ = {-1, -1};
  push({.kind = Event::Kind::leave});
}

void ImGuiBridge::button(int code, bool down, bool twice) {
  buttons_ = down ? buttons_ | 1 << code : buttons_ & ~(1 << code);
  click_frames_ = click_frame_count;
  push({.kind = Event::Kind::button, .code = code, .down = down, .twice = twice});
}

void ImGuiBridge::mouse(const QMouseEvent& event) {
  finger_ = false;
  modifiers_ = modifiers_of(event.modifiers());
  // A release may have gone to a dialog that has opened in the meantime.
  for (const auto& [code, button] : imgui_buttons)
    if ((buttons_ >> code & 1) && !event.buttons().testFlag(button) && event.button() != button)
      this->button(code, false);
  move_to(event.position());
  if (event.type() == QEvent::MouseMove) return;
  const int code = imgui_button(event.button());
  if (code < 0) return;
  button(code, event.type() != QEvent::MouseButtonRelease,
         event.type() == QEvent::MouseButtonDblClick);
}

void ImGuiBridge::click(float x, float y) {
  modifiers_ = 0;
  move_to(QPointF(x, y) / static_cast<double>(ratio_));
  button(0, true);
  button(0, false);
  leave();
}

void ImGuiBridge::touch(const QTouchEvent& event) {
  modifiers_ = modifiers_of(event.modifiers());
  if (event.type() == QEvent::TouchCancel) return end_touch();
  std::vector<const QEventPoint*> down;
  for (const QEventPoint& point : event.points())
    if (point.state() != QEventPoint::Released) down.push_back(&point);
  if (event.type() == QEvent::TouchBegin) finger_ = true;
  if (down.size() == 2 && touch_ != Touch::over)
    two_fingers(down[0]->position(), down[1]->position());
  else if (event.points().size() == 1)
    one_finger(event.points().front().position(), down.empty());
  else if (touch_ == Touch::pinches || down.size() > 2)
    touch_ = Touch::over;  // what remains of them does nothing
  if (event.type() == QEvent::TouchEnd) end_touch();
}

void ImGuiBridge::one_finger(const QPointF& at, bool lifted) {
  if (touch_ == Touch::pinches) touch_ = Touch::over;
  if (touch_ == Touch::none) {
    touch_ = Touch::rests;
    touched_ = at;
    move_to(at);  // hovers over what is there
    resting_timer_ = startTimer(resting_time);
  }
  const QPointF way = at - touched_;
  if (touch_ == Touch::rests && std::hypot(way.x(), way.y()) > finger_slack) {
    touch_ = Touch::drags;
    button(0, true);
  }
  if (touch_ == Touch::drags) move_to(at);
  if (!lifted || touch_ == Touch::over) return;
  if (touch_ == Touch::rests) button(0, true);  // a tap
  button(0, false);
}

void ImGuiBridge::two_fingers(const QPointF& a, const QPointF& b) {
  const QPointF middle = (a + b) / 2, between = a - b;
  const double distance = std::max(std::hypot(between.x(), between.y()), 1.0);
  if (touch_ != Touch::pinches) {
    if (touch_ == Touch::drags) button(0, false);
    touch_ = Touch::pinches;
  } else {
    pinch_moved_ += middle - middle_;
    pinch_apart_ *= distance / distance_;
  }
  middle_ = middle;
  distance_ = distance;
  extra_frames_ = extra_frame_count;
  request_frame_();
}

void ImGuiBridge::end_touch() {
  if (resting_timer_ != 0) killTimer(std::exchange(resting_timer_, 0));
  if (buttons_ & 1) button(0, false);
  touch_ = Touch::none;
  leave();
}

std::optional<ImGuiBridge::Pinch> ImGuiBridge::take_pinch() {
  if (pinch_moved_.isNull() && pinch_apart_ == 1) return {};
  const auto pixels = [this](const QPointF& p) {
    return ImVec2(static_cast<float>(p.x()) * ratio_, static_cast<float>(p.y()) * ratio_);
  };
  return Pinch{pixels(middle_), pixels(std::exchange(pinch_moved_, {})),
               static_cast<float>(std::exchange(pinch_apart_, 1))};
}

void ImGuiBridge::watch(const std::vector<std::vector<QKeyCombination>>& keys) {
  watched_.clear();
  for (const auto& list : keys) watched_.push_back({.keys = list});
}

bool ImGuiBridge::shift_held() const { return modifiers_ & modifier::shift; }

std::optional<std::size_t> ImGuiBridge::watched(const QKeyEvent& event) const {
  const Qt::KeyboardModifiers held = event.modifiers() & (Qt::ShiftModifier | Qt::ControlModifier |
                                                          Qt::AltModifier | Qt::MetaModifier);
  for (std::size_t i = 0; i < watched_.size(); ++i)
    for (const QKeyCombination& key : watched_[i].keys) {
      const bool character = key.key() < Qt::Key_Escape;
      const Qt::KeyboardModifiers meant = character ? held & ~Qt::ShiftModifier : held;
      if (key.key() == event.key() && key.keyboardModifiers() == meant) return i;
    }
  return {};
}

/// Handles the event if it belongs to a watched key; returns whether it does.
bool ImGuiBridge::watched_key(const QKeyEvent& event, bool down) {
  if (down) {
    const auto index = text_input_ ? std::nullopt : keys_->watched(event);
    if (!index) return false;
    WatchedKeys& one = keys_->watched_[*index];
    one.down = true;
    one.code = event.nativeScanCode();
    ++one.presses;
    keys_->request_frame_();
    return true;
  }
  if (event.isAutoRepeat()) return keys_->watched(event).has_value();
  if (event.key() == Qt::Key_Alt) keys_->release_watched(Qt::AltModifier);
  bool found = false;
  for (WatchedKeys& one : keys_->watched_) {
    // With Shift released first, the same key is another character.
    const bool same =
        std::any_of(one.keys.begin(), one.keys.end(),
                    [&](const QKeyCombination& key) { return key.key() == event.key(); }) ||
        (one.code != 0 && one.code == event.nativeScanCode());
    if (!one.down || !same) continue;
    one.down = false;
    found = true;
    keys_->request_frame_();
  }
  return found;
}

/// Releases the watched keys that need one of these modifiers; without modifiers, all of them.
void ImGuiBridge::release_watched(Qt::KeyboardModifiers without) {
  for (WatchedKeys& one : watched_)
    if (one.down && (!without || one.keys.front().keyboardModifiers().testAnyFlags(without))) {
      one.down = false;
      request_frame_();
    }
}

void ImGuiBridge::wheel(const QWheelEvent& event) {
  modifiers_ = modifiers_of(event.modifiers());
  move_to(event.position());
  constexpr double unit = 120;  // of angleDelta per notch
  constexpr double pixels_per_notch = 40;
  const QPointF notches = event.angleDelta().isNull()
                              ? QPointF(event.pixelDelta()) / pixels_per_notch
                              : QPointF(event.angleDelta()) / unit;
  push({.kind = Event::Kind::wheel,
        .position = {static_cast<float>(notches.x()), static_cast<float>(notches.y())}});
}

void ImGuiBridge::set_modifiers(int held) { modifiers_ = keys_->modifiers_ = held; }

bool ImGuiBridge::key(const QKeyEvent& event, bool down) {
  // Qt gives the modifiers before the event.
  const int before = modifiers_of(event.modifiers()), own = modifier_of(event.key());
  set_modifiers(down ? before | own : before & ~own);
  if (watched_key(event, down)) return true;

  const int code = imgui_key(event.key());
  const bool letter_alone = is_letter(event.key()) && down && !(modifiers_ & modifier::control);
  if (code >= 0 && !letter_alone && !(event.isAutoRepeat() && !down))
    push({.kind = Event::Kind::key, .code = code, .down = down});
  else
    request_frame_();  // ImGui repeats held keys itself
  if (down && !(modifiers_ & (modifier::control | modifier::alt | modifier::super)))
    text(event.text());
  return event.key() == Qt::Key_Tab || event.key() == Qt::Key_Backtab || text_input_;
}

/// Whether a key waits for the frames of a click, or behind others that do. Those of menus do not.
bool ImGuiBridge::waits(const QKeyEvent& event) const {
  return (click_frames_ > 0 || !late_keys_.empty()) &&
         !(modifiers_of(event.modifiers()) & (modifier::alt | modifier::super));
}

/// Passes on the keys that have waited, each to what has the focus by then.
void ImGuiBridge::give_late_keys() {
  while (!late_keys_.empty() && click_frames_ == 0) {
    const std::unique_ptr<QKeyEvent> event = std::move(late_keys_.front());
    late_keys_.pop_front();
    QWidget* const focus = QApplication::focusWidget();
    const bool down = event->type() == QEvent::KeyPress;
    if (focus && focus != &widget_)
      QCoreApplication::sendEvent(focus, event.get());
    else if (!down || claims_shortcut(*event) || !trigger(*event))
      key(*event, down);
  }
}

/// Does what the window has this shortcut for; returns whether there is such a thing.
bool ImGuiBridge::trigger(const QKeyEvent& event) const {
  const Qt::KeyboardModifiers held = event.modifiers() & (Qt::ShiftModifier | Qt::ControlModifier |
                                                          Qt::AltModifier | Qt::MetaModifier);
  // Shift may belong to the character.
  const bool sign = event.key() < Qt::Key_Escape && !is_letter(event.key());
  const QKeySequence typed(QKeyCombination(held, Qt::Key(event.key()))),
      plain(QKeyCombination(sign ? held & ~Qt::ShiftModifier : held, Qt::Key(event.key())));
  for (QAction* action : widget_.window()->actions()) {
    const QList<QKeySequence> shortcuts = action->shortcuts();
    if (!action->isEnabled() || !(shortcuts.contains(typed) || shortcuts.contains(plain))) continue;
    action->trigger();
    return true;
  }
  return false;
}

void ImGuiBridge::text(const QString& text) {
  QString printable;
  for (const QChar c : text)
    if (c.isPrint() || c.isSurrogate()) printable += c;
  if (!printable.isEmpty()) push({.kind = Event::Kind::text, .text = printable.toUtf8()});
}

// While a text field is active, its editing keys are not shortcuts.
bool ImGuiBridge::claims_shortcut(const QKeyEvent& event) const {
  const int held = modifiers_of(event.modifiers());
  if (keys_->watched(event)) return true;
  if (held & (modifier::alt | modifier::super)) return false;
  const bool arrow = event.key() >= Qt::Key_Left && event.key() <= Qt::Key_Down;
  if (arrows_ && arrow && !(held & modifier::control)) return true;
  const bool press =
      event.key() == Qt::Key_Space || event.key() == Qt::Key_Return || event.key() == Qt::Key_Enter;
  if (presses_ && press && !(held & modifier::control)) return true;
  if (!text_input_ && !plain_keys_) return false;
  const int code = imgui_key(event.key());
  if ((held & modifier::control) && !text_input_) return false;
  if (held & modifier::control) return code >= 0 && event.key() != Qt::Key_Tab;
  return code >= 0 || !event.text().isEmpty();
}

void ImGuiBridge::answer(QInputMethodQueryEvent& query) const {
  if (query.queries().testFlag(Qt::ImEnabled)) query.setValue(Qt::ImEnabled, text_input_);
  if (query.queries().testFlag(Qt::ImCursorRectangle))
    query.setValue(Qt::ImCursorRectangle, QRectF(static_cast<double>(caret_.x / ratio_),
                                                 static_cast<double>(caret_.y / ratio_), 1, 16));
  query.accept();
}

bool ImGuiBridge::eventFilter(QObject* watched, QEvent* event) {
  if (watched != &widget_) return false;
  switch (event->type()) {
    case QEvent::MouseMove:
    case QEvent::MouseButtonPress:
    case QEvent::MouseButtonDblClick:
    case QEvent::MouseButtonRelease:
      mouse(*static_cast<QMouseEvent*>(event));
      event->accept();
      return true;
    case QEvent::TouchBegin:
    case QEvent::TouchUpdate:
    case QEvent::TouchEnd:
    case QEvent::TouchCancel:
      touch(*static_cast<QTouchEvent*>(event));
      event->accept();
      return true;
    case QEvent::Wheel:
      wheel(*static_cast<QWheelEvent*>(event));
      event->accept();
      return true;
    case QEvent::Leave:
      leave();
      return false;
    case QEvent::ShortcutOverride:
      if (!waits(*static_cast<QKeyEvent*>(event)) &&
          !claims_shortcut(*static_cast<QKeyEvent*>(event)))
        return false;
      event->accept();
      return true;
    case QEvent::KeyPress:
    case QEvent::KeyRelease:
      if (!waits(*static_cast<QKeyEvent*>(event)))
        return key(*static_cast<QKeyEvent*>(event), event->type() == QEvent::KeyPress);
      late_keys_.emplace_back(static_cast<QKeyEvent*>(event->clone()));
      request_frame_();
      return true;
    case QEvent::InputMethod:
      text(static_cast<QInputMethodEvent*>(event)->commitString());
      event->accept();
      return true;
    case QEvent::InputMethodQuery:
      answer(*static_cast<QInputMethodQueryEvent*>(event));
      return true;
    case QEvent::FocusIn:
    case QEvent::FocusOut:
      set_modifiers(0);
      keys_->release_watched();
      // A hovered widget would otherwise stay so behind a dialog.
      if (event->type() == QEvent::FocusOut && buttons_ == 0) leave();
      push({.kind = Event::Kind::focus, .down = event->type() == QEvent::FocusIn});
      return false;
    default:
      return false;
  }
}

void ImGuiBridge::timerEvent(QTimerEvent* event) {
  if (event->timerId() == caret_timer_) request_frame_();
  if (event->timerId() != resting_timer_) return;
  killTimer(std::exchange(resting_timer_, 0));
  if (touch_ != Touch::rests) return;
  touch_ = Touch::over;
  button(1, true);
  button(1, false);
}

void ImGuiBridge::apply_modifiers(int modifiers) {
  ImGuiIO& io = ImGui::GetIO();
#if TWOSPHERE_IMGUI_EVENTS
  io.AddKeyEvent(ImGuiMod_Ctrl, modifiers & modifier::control);
  io.AddKeyEvent(ImGuiMod_Shift, modifiers & modifier::shift);
  io.AddKeyEvent(ImGuiMod_Alt, modifiers & modifier::alt);
  io.AddKeyEvent(ImGuiMod_Super, modifiers & modifier::super);
#else
  io.KeyCtrl = modifiers & modifier::control;
  io.KeyShift = modifiers & modifier::shift;
  io.KeyAlt = modifiers & modifier::alt;
  io.KeySuper = modifiers & modifier::super;
#endif
}

void ImGuiBridge::apply_events() {
  ImGuiIO& io = ImGui::GetIO();
  bool first = true, moved = false, pressed = false, turned = false, typed = false;
  int modifiers = 0;
  std::bitset<ImGuiKey_COUNT> keys;
  for (; !queue_.empty(); queue_.pop_front()) {
    const Event& e = queue_.front();
    if (!first && e.modifiers != modifiers) return;
    if (first) apply_modifiers(modifiers = e.modifiers);
    switch (e.kind) {
      case Event::Kind::move:
      case Event::Kind::leave: {
        if (pressed || turned) return;
        const ImVec2 p = e.kind == Event::Kind::move
                             ? ImVec2(e.position.x * ratio_, e.position.y * ratio_)
                             : ImVec2(-FLT_MAX, -FLT_MAX);
#if TWOSPHERE_IMGUI_EVENTS
        io.AddMousePosEvent(p.x, p.y);
#else
        io.MousePos = p;
#endif
        moved = true;
        break;
      }
      case Event::Kind::button:
        if (pressed || turned || (moved && !e.down)) return;
        // ImGui takes any press within this time after the one before as its repetition.
        io.MouseDoubleClickTime = e.twice ? FLT_MAX : double_click_time;
#if TWOSPHERE_IMGUI_EVENTS
        io.AddMouseButtonEvent(e.code, e.down);
#else
        io.MouseDown[e.code] = e.down;
#endif
        pressed = true;
        break;
      case Event::Kind::wheel:
        if (pressed) return;
#if TWOSPHERE_IMGUI_EVENTS
        io.AddMouseWheelEvent(e.position.x, e.position.y);
#else
        io.MouseWheelH += e.position.x;
        io.MouseWheel += e.position.y;
#endif
        turned = true;
        break;
      case Event::Kind::key: {
        const auto bit = static_cast<std::size_t>(e.code - ImGuiKey_Tab);
        if (typed || keys[bit]) return;
        keys.set(bit);
#if TWOSPHERE_IMGUI_EVENTS
        io.AddKeyEvent(static_cast<ImGuiKey>(e.code), e.down);
#else
        io.KeysDown[e.code] = e.down;
#endif
        break;
      }
      case Event::Kind::text:
        io.AddInputCharactersUTF8(e.text.constData());
        typed = true;
        break;
      case Event::Kind::focus:
#if !TWOSPHERE_IMGUI_EVENTS
        if (!e.down) std::fill(std::begin(io.KeysDown), std::end(io.KeysDown), false);
#endif
        io.AddFocusEvent(e.down);
        break;
    }
    first = false;
  }
}

void ImGuiBridge::begin_frame() {
  ImGuiIO& io = ImGui::GetIO();
  // Physical pixels as units place everything, above all text, at whole pixels.
  if (const auto ratio = static_cast<float>(widget_.devicePixelRatioF()); ratio != ratio_) {
    ratio_ = ratio;
    // The mouse has not moved, but its position in pixels has changed.
    if (last_position_.x() >= 0) push(move(last_position_));
  }
  const QSize size = framebuffer_size(widget_);
  io.DisplaySize = ImVec2(static_cast<float>(size.width()), static_cast<float>(size.height()));
  const double elapsed = static_cast<double>(clock_.nsecsElapsed()) * 1e-9;
  clock_.restart();
  io.DeltaTime = static_cast<float>(std::clamp(elapsed, shortest_frame, longest_frame));
  if (queue_.empty() && extra_frames_ > 0) --extra_frames_;
  apply_events();
}

void ImGuiBridge::end_frame() {
  const ImGuiIO& io = ImGui::GetIO();
  const bool clicks_wait = std::any_of(
      queue_.begin(), queue_.end(), [](const Event& e) { return e.kind == Event::Kind::button; });
  if (click_frames_ > 0 && !clicks_wait) --click_frames_;
  // Later, so that no shortcut acts inside a frame.
  if (click_frames_ == 0 && !late_keys_.empty())
    QMetaObject::invokeMethod(
        this, [this] { give_late_keys(); }, Qt::QueuedConnection);
  if (const int cursor = io.MouseDrawCursor ? ImGuiMouseCursor_None : ImGui::GetMouseCursor();
      cursor != cursor_) {
    cursor_ = cursor;
    widget_.setCursor(cursor_shape(cursor));
  }
  if (io.WantTextInput != text_input_) {
    text_input_ = io.WantTextInput;
    QGuiApplication::inputMethod()->update(Qt::ImEnabled | Qt::ImCursorRectangle);
    if (text_input_) {
      if (finger_) QGuiApplication::inputMethod()->show();
      caret_timer_ = startTimer(caret_interval);
    } else {
      killTimer(caret_timer_);
      caret_timer_ = 0;
    }
  }
}

}  // namespace twosphere
