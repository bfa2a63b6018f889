// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/scene/imgui_bridge.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QInputMethod>
#include <QInputMethodEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QTimerEvent>
#include <QWheelEvent>
#include <QWidget>
#include <algorithm>
#include <array>
#include <bitset>
#include <cfloat>
#include <utility>

// From version 1.87 ImGui receives events instead of a state.
#define TWOSPHERE_IMGUI_EVENTS (IMGUI_VERSION_NUM >= 18700)

namespace twosphere {
namespace {

constexpr int settle_frames = 2;     // popups and automatic sizes need them
constexpr int caret_interval = 400;  // [ms], half a blink of the caret
// [s] of ImGui's time after idling; longer than a double click.
constexpr double longest_frame = 1;
constexpr double shortest_frame = 1e-6;

constexpr int control = 1, shift = 2, alt = 4, super = 8;

int modifiers_of(Qt::KeyboardModifiers held) {
  return (held.testFlag(Qt::ControlModifier) ? control : 0) |
         (held.testFlag(Qt::ShiftModifier) ? shift : 0) |
         (held.testFlag(Qt::AltModifier) ? alt : 0) | (held.testFlag(Qt::MetaModifier) ? super : 0);
}

int modifier_of(int qt_key) {
  switch (qt_key) {
    case Qt::Key_Control:
      return control;
    case Qt::Key_Shift:
      return shift;
    case Qt::Key_Alt:
      return alt;
    case Qt::Key_Meta:
      return super;
    default:
      return 0;
  }
}

constexpr std::array<std::pair<int, int>, 23> key_table{{{Qt::Key_Tab, ImGuiKey_Tab},
                                                         {Qt::Key_Backtab, ImGuiKey_Tab},
                                                         {Qt::Key_Left, ImGuiKey_LeftArrow},
                                                         {Qt::Key_Right, ImGuiKey_RightArrow},
                                                         {Qt::Key_Up, ImGuiKey_UpArrow},
                                                         {Qt::Key_Down, ImGuiKey_DownArrow},
                                                         {Qt::Key_PageUp, ImGuiKey_PageUp},
                                                         {Qt::Key_PageDown, ImGuiKey_PageDown},
                                                         {Qt::Key_Home, ImGuiKey_Home},
                                                         {Qt::Key_End, ImGuiKey_End},
                                                         {Qt::Key_Insert, ImGuiKey_Insert},
                                                         {Qt::Key_Delete, ImGuiKey_Delete},
                                                         {Qt::Key_Backspace, ImGuiKey_Backspace},
                                                         {Qt::Key_Space, ImGuiKey_Space},
                                                         {Qt::Key_Return, ImGuiKey_Enter},
                                                         {Qt::Key_Escape, ImGuiKey_Escape},
                                                         {Qt::Key_Enter, ImGuiKey_KeyPadEnter},
                                                         {Qt::Key_A, ImGuiKey_A},
                                                         {Qt::Key_C, ImGuiKey_C},
                                                         {Qt::Key_V, ImGuiKey_V},
                                                         {Qt::Key_X, ImGuiKey_X},
                                                         {Qt::Key_Y, ImGuiKey_Y},
                                                         {Qt::Key_Z, ImGuiKey_Z}}};

bool is_letter(int qt_key) { return qt_key >= Qt::Key_A && qt_key <= Qt::Key_Z; }

// The ImGui key for a Qt key; −1 if ImGui does not use it. Letters matter only with Ctrl.
int imgui_key(int qt_key) {
  for (const auto& [from, to] : key_table)
    if (from == qt_key) return to;
  return -1;
}

int imgui_button(Qt::MouseButton button) {
  switch (button) {
    case Qt::LeftButton:
      return 0;
    case Qt::RightButton:
      return 1;
    case Qt::MiddleButton:
      return 2;
    default:
      return -1;
  }
}

constexpr std::array<std::pair<int, Qt::MouseButton>, 3> button_table{
    {{0, Qt::LeftButton}, {1, Qt::RightButton}, {2, Qt::MiddleButton}}};

Qt::CursorShape cursor_shape(ImGuiMouseCursor cursor) {
  switch (cursor) {
    case ImGuiMouseCursor_None:
      return Qt::BlankCursor;
    case ImGuiMouseCursor_TextInput:
      return Qt::IBeamCursor;
    case ImGuiMouseCursor_ResizeAll:
      return Qt::SizeAllCursor;
    case ImGuiMouseCursor_ResizeNS:
      return Qt::SizeVerCursor;
    case ImGuiMouseCursor_ResizeEW:
      return Qt::SizeHorCursor;
    case ImGuiMouseCursor_ResizeNESW:
      return Qt::SizeBDiagCursor;
    case ImGuiMouseCursor_ResizeNWSE:
      return Qt::SizeFDiagCursor;
    case ImGuiMouseCursor_Hand:
      return Qt::PointingHandCursor;
    case ImGuiMouseCursor_NotAllowed:
      return Qt::ForbiddenCursor;
    default:
      return Qt::ArrowCursor;
  }
}

}  // namespace

// Rounded like in Qt.
QSize framebuffer_size(const QWidget& widget) { return widget.size() * widget.devicePixelRatioF(); }

ImGuiBridge::ImGuiBridge(QWidget& widget, ImGuiContext& context,
                         std::function<void()> request_frame)
    : widget_(widget), context_(context), request_frame_(std::move(request_frame)) {
  ImGui::SetCurrentContext(&context_);
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
  for (const auto& [from, to] : key_table) io.KeyMap[to] = to;
#endif

  widget_.setMouseTracking(true);
  widget_.setFocusPolicy(Qt::StrongFocus);
  widget_.setAttribute(Qt::WA_InputMethodEnabled);
  widget_.installEventFilter(this);
  clock_.start();
}

ImGuiBridge::~ImGuiBridge() { widget_.removeEventFilter(this); }

void ImGuiBridge::push(Event event) {
  event.modifiers = modifiers_;
  // Merge consecutive moves.
  if (event.kind == Event::Kind::move && !queue_.empty() &&
      queue_.back().kind == Event::Kind::move && queue_.back().modifiers == modifiers_)
    queue_.back() = std::move(event);
  else
    queue_.push_back(std::move(event));
  settle_ = settle_frames;
  request_frame_();
}

bool ImGuiBridge::urgent() const {
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

void ImGuiBridge::mouse(const QMouseEvent& event) {
  modifiers_ = modifiers_of(event.modifiers());
  // A release may have gone to a dialog that has opened in the meantime.
  for (const auto& [code, button] : button_table)
    if ((buttons_ >> code & 1) && !event.buttons().testFlag(button) && event.button() != button) {
      buttons_ &= ~(1 << code);
      push({.kind = Event::Kind::button, .code = code, .down = false});
    }
  move_to(event.position());
  if (event.type() == QEvent::MouseMove) return;
  const int code = imgui_button(event.button());
  if (code < 0) return;
  const bool down = event.type() != QEvent::MouseButtonRelease;
  buttons_ = down ? buttons_ | 1 << code : buttons_ & ~(1 << code);
  push({.kind = Event::Kind::button, .code = code, .down = down});
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

bool ImGuiBridge::key(const QKeyEvent& event, bool down) {
  // Qt gives the modifiers before the event.
  modifiers_ = modifiers_of(event.modifiers());
  if (const int own = modifier_of(event.key()); own != 0)
    modifiers_ = down ? modifiers_ | own : modifiers_ & ~own;

  const int code = imgui_key(event.key());
  const bool letter_alone = is_letter(event.key()) && down && !(modifiers_ & control);
  if (code >= 0 && !letter_alone && !(event.isAutoRepeat() && !down))
    push({.kind = Event::Kind::key, .code = code, .down = down});
  else
    request_frame_();  // ImGui repeats held keys itself
  if (down && !(modifiers_ & (control | alt | super))) text(event.text());
  return event.key() == Qt::Key_Tab || event.key() == Qt::Key_Backtab || text_input_;
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
  if (held & (alt | super)) return false;
  const bool arrow = event.key() >= Qt::Key_Left && event.key() <= Qt::Key_Down;
  if (arrows_ && arrow && !(held & control)) return true;
  if (!text_input_ && !plain_keys_) return false;
  const int code = imgui_key(event.key());
  if ((held & control) && !text_input_) return false;
  if (held & control) return code >= 0 && event.key() != Qt::Key_Tab;
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
    case QEvent::Wheel:
      wheel(*static_cast<QWheelEvent*>(event));
      event->accept();
      return true;
    case QEvent::Leave:
      last_position_ = {-1, -1};
      push({.kind = Event::Kind::leave});
      return false;
    case QEvent::ShortcutOverride:
      if (!claims_shortcut(*static_cast<QKeyEvent*>(event))) return false;
      event->accept();
      return true;
    case QEvent::KeyPress:
      return key(*static_cast<QKeyEvent*>(event), true);
    case QEvent::KeyRelease:
      return key(*static_cast<QKeyEvent*>(event), false);
    case QEvent::InputMethod:
      text(static_cast<QInputMethodEvent*>(event)->commitString());
      event->accept();
      return true;
    case QEvent::InputMethodQuery:
      answer(*static_cast<QInputMethodQueryEvent*>(event));
      return true;
    case QEvent::FocusIn:
    case QEvent::FocusOut:
      modifiers_ = 0;
      push({.kind = Event::Kind::focus, .down = event->type() == QEvent::FocusIn});
      return false;
    default:
      return false;
  }
}

void ImGuiBridge::timerEvent(QTimerEvent* event) {
  if (event->timerId() == caret_timer_) request_frame_();
}

void ImGuiBridge::apply_modifiers(int modifiers) {
  ImGuiIO& io = ImGui::GetIO();
#if TWOSPHERE_IMGUI_EVENTS
  io.AddKeyEvent(ImGuiMod_Ctrl, modifiers & control);
  io.AddKeyEvent(ImGuiMod_Shift, modifiers & shift);
  io.AddKeyEvent(ImGuiMod_Alt, modifiers & alt);
  io.AddKeyEvent(ImGuiMod_Super, modifiers & super);
#else
  io.KeyCtrl = modifiers & control;
  io.KeyShift = modifiers & shift;
  io.KeyAlt = modifiers & alt;
  io.KeySuper = modifiers & super;
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
  ImGui::SetCurrentContext(&context_);
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
  if (queue_.empty() && settle_ > 0) --settle_;
  apply_events();
}

void ImGuiBridge::end_frame() {
  const ImGuiIO& io = ImGui::GetIO();
  if (const int cursor = io.MouseDrawCursor ? ImGuiMouseCursor_None : ImGui::GetMouseCursor();
      cursor != cursor_) {
    cursor_ = cursor;
    widget_.setCursor(cursor_shape(cursor));
  }
  if (io.WantTextInput != text_input_) {
    text_input_ = io.WantTextInput;
    QGuiApplication::inputMethod()->update(Qt::ImEnabled | Qt::ImCursorRectangle);
    if (text_input_) {
      caret_timer_ = startTimer(caret_interval);
    } else {
      killTimer(caret_timer_);
      caret_timer_ = 0;
    }
  }
}

}  // namespace twosphere
