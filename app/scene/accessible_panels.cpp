// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/scene/accessible_panels.h"

#include <QAccessible>
#include <QAccessibleWidget>
#include <QCoreApplication>
#include <QKeyEvent>
#include <QObject>
#include <QTimer>
#include <QWidget>
#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/base/qt_text.h"
#include "app/scene/plot_viewport.h"
#include "app/scene/viewport.h"
#include "core/base/json.h"

namespace twosphere {
namespace {

using ui::Role;
using ui::SpokenWidget;

constexpr int sync_interval = 100;  // [ms] at least between two reports of changes
constexpr int max_tries = 10;       // to scroll to a widget that is pressed, or to reach a field

/// Whether Qt has told that somebody asks.
class Watch final : public QAccessible::ActivationObserver {
 public:
  Watch() { QAccessible::installActivationObserver(this); }
  void accessibilityActiveChanged(bool active) override { active_ = active; }
  bool active() const { return active_; }

 private:
  bool active_ = QAccessible::isActive();
};

Watch& watch() {
  static Watch one;
  return one;
}

QAccessible::Role role_of(Role role) {
  switch (role) {
    case Role::label:
      return QAccessible::StaticText;
    case Role::alert:
      return QAccessible::AlertMessage;
    case Role::heading:
      return QAccessible::Heading;
    case Role::button:
      return QAccessible::Button;
    case Role::check_box:
      return QAccessible::CheckBox;
    case Role::number:
      return QAccessible::SpinBox;
    case Role::text:
      return QAccessible::EditableText;
    case Role::list:
      return QAccessible::ComboBox;
    case Role::item:
      return QAccessible::ListItem;
    case Role::slider:
      return QAccessible::Slider;
    case Role::plot:
      return QAccessible::Chart;
    case Role::scene:
      break;
  }
  return QAccessible::Graphic;
}

bool can_be_pressed(const SpokenWidget& widget) { return widget.operable && widget.enabled; }
bool can_be_typed(const SpokenWidget& widget) {
  return widget.operable && (widget.role == Role::number || widget.role == Role::text);
}

class AccessiblePanels;

/// A view whose panels Dear ImGui draws, as far as a screen reader has to do with it.
struct SpokenView {
  QWidget& widget;
  std::function<std::span<const SpokenWidget>()> spoken;  ///< of the last frame
  std::function<void(bool)> set_spoken;
  std::function<void(const std::string&)> reveal;
  std::function<void(const std::string& path, std::string text)> enter;  ///< Interface::enter()
  std::function<void()> request_frame;
  std::function<void(const ui::Rect&)> click;
  std::function<void(QObject& context, const std::function<void()>&)> when_drawn;
};

SpokenView spoken_view(Viewport& view) {
  return {view,
          [&view] { return view.interface().spoken(); },
          [&view](bool on) { view.interface().set_spoken(on); },
          [&view](const std::string& id) { view.interface().reveal(id); },
          [&view](const std::string& path, std::string text) {
            view.interface().enter(path, std::move(text));
          },
          [&view] { view.request_frame(); },
          [&view](const ui::Rect& rect) { view.click(rect); },
          [&view](QObject& context, const std::function<void()>& act) {
            QObject::connect(&view, &Viewport::drawn, &context, act);
          }};
}

SpokenView spoken_view(PlotViewport& view) {
  return {view,
          [&view] { return view.surface().spoken_widgets(); },
          [&view](bool on) { view.surface().set_spoken(on); },
          [&view](const std::string& id) { view.surface().hover.revealed = id; },
          [](const std::string&, const std::string&) {},  // no number is set in plots
          [&view] { view.update(); },
          [&view](const ui::Rect& rect) { view.click(rect); },
          [&view](QObject& context, const std::function<void()>& act) {
            QObject::connect(&view, &PlotViewport::drawn, &context, act);
          }};
}

/// One widget of the panels. More than forty functions: the interfaces of Qt that it implements
/// have them.
class AccessibleItem final : public QAccessibleInterface,
                             public QAccessibleActionInterface,
                             public QAccessibleValueInterface,
                             public QAccessibleTextInterface,
                             public QAccessibleEditableTextInterface {
 public:
  AccessibleItem(AccessiblePanels& panels, SpokenWidget said)
      : panels_(panels), said_(std::move(said)) {}

  const SpokenWidget& said() const { return said_; }
  /// Takes over the present state and reports what has changed.
  void update(const SpokenWidget& now);

  bool isValid() const override { return true; }
  QObject* object() const override { return nullptr; }
  QWindow* window() const override;
  QAccessibleInterface* parent() const override;
  QAccessibleInterface* child(int) const override { return nullptr; }
  QAccessibleInterface* childAt(int, int) const override { return nullptr; }
  int childCount() const override { return 0; }
  int indexOfChild(const QAccessibleInterface*) const override { return -1; }
  QAccessible::Role role() const override { return role_of(*said_.role); }
  QAccessible::State state() const override;
  QString text(QAccessible::Text kind) const override;
  void setText(QAccessible::Text kind, const QString& text) override {
    if (kind == QAccessible::Value) enter(text);
  }
  QRect rect() const override;
  void* interface_cast(QAccessible::InterfaceType type) override;

  QStringList actionNames() const override;
  void doAction(const QString& name) override;
  QStringList keyBindingsForAction(const QString&) const override { return {}; }

  QVariant currentValue() const override { return said_.number; }
  void setCurrentValue(const QVariant& value) override {
    enter(to_qstring(json::shortest(value.toDouble())));
  }
  QVariant maximumValue() const override { return said_.max; }
  QVariant minimumValue() const override { return said_.min; }
  QVariant minimumStepSize() const override { return 0.0; }

  // The whole value is the only selection and the only line.
  void selection(int, int* from, int* to) const override { *from = *to = 0; }
  int selectionCount() const override { return 0; }
  void addSelection(int, int) override {}
  void removeSelection(int) override {}
  void setSelection(int, int, int) override {}
  int cursorPosition() const override { return 0; }
  void setCursorPosition(int) override {}
  QString text(int from, int to) const override { return value().mid(from, to - from); }
  int characterCount() const override { return static_cast<int>(value().size()); }
  QRect characterRect(int) const override { return rect(); }
  int offsetAtPoint(const QPoint&) const override { return 0; }
  void scrollToSubstring(int, int) override {}
  QString attributes(int, int* from, int* to) const override {
    *from = 0;
    *to = characterCount();
    return {};
  }

  void deleteText(int from, int to) override { replaceText(from, to, {}); }
  void insertText(int at, const QString& text) override { replaceText(at, at, text); }
  void replaceText(int from, int to, const QString& text) override {
    enter(value().replace(from, to - from, text));
  }

 private:
  QString value() const { return to_qstring(said_.value); }
  void enter(const QString& text);

  AccessiblePanels& panels_;
  SpokenWidget said_;
};

/// The view with its widgets as children, in reading order.
class AccessiblePanels final : public QAccessibleWidget {
 public:
  explicit AccessiblePanels(SpokenView view)
      : QAccessibleWidget(&view.widget, QAccessible::Grouping), view_(std::move(view)) {
    timer_.setSingleShot(true);
    timer_.setInterval(sync_interval);
    timer_.callOnTimeout([this] { sync(); });
    // Not in the frame: what is reported may lead to questions, and these to a frame.
    view_.when_drawn(timer_, [this] {
      view_.set_spoken(watch().active());
      if (watch().active() && !timer_.isActive()) timer_.start();
    });
    view_.set_spoken(watch().active());
    view_.request_frame();
  }
  ~AccessiblePanels() override {
    for (const auto& [id, item] : items_) QAccessible::deleteAccessibleInterface(item.second);
  }

  int childCount() const override { return static_cast<int>(order_.size()); }
  QAccessibleInterface* child(int index) const override {
    const bool there = index >= 0 && index < childCount();
    return there ? order_[static_cast<std::size_t>(index)] : nullptr;
  }
  int indexOfChild(const QAccessibleInterface* child) const override {
    const auto at = std::find(order_.begin(), order_.end(), child);
    return at == order_.end() ? -1 : static_cast<int>(at - order_.begin());
  }
  QAccessibleInterface* childAt(int x, int y) const override {
    // A later one lies above.
    const auto at = std::find_if(order_.rbegin(), order_.rend(), [&](const AccessibleItem* item) {
      return item->rect().contains(x, y);
    });
    return at == order_.rend() ? nullptr : *at;
  }
  QAccessibleInterface* focusChild() const override {
    const auto at = std::find_if(order_.begin(), order_.end(),
                                 [](const AccessibleItem* item) { return item->said().focused; });
    return at == order_.end() ? QAccessibleWidget::focusChild() : *at;
  }

  const SpokenView& view() const { return view_; }

  /// Clicks the widget, which is first scrolled into view.
  void press(const std::string& id) {
    pressed_ = id;
    tries_ = max_tries;
    try_press();
  }

  /// Types the text into a field in place of what it has. It is accepted as typed text is: by
  /// Return, or when the field is left, and where a list is searched at once.
  void type(const std::string& id, const QString& text) {
    view_.widget.setFocus();
    typed_ = {id, text, max_tries};
    press(id);
  }

 private:
  struct Typed {
    std::string id;
    QString text;
    int tries;
  };

  /// Once the field that is typed into has the focus.
  void try_type() {
    const auto item = items_.find(typed_->id);
    if (item == items_.end() || --typed_->tries < 0) return typed_.reset();
    if (!item->second.first->said().focused) return view_.request_frame();
    const auto key = [this](int code, Qt::KeyboardModifiers modifiers, const QString& text = {}) {
      for (const QEvent::Type type : {QEvent::KeyPress, QEvent::KeyRelease}) {
        QKeyEvent event(type, code, modifiers, text);
        QCoreApplication::sendEvent(&view_.widget, &event);
      }
    };
    key(Qt::Key_A, Qt::ControlModifier);
    if (typed_->text.isEmpty())
      key(Qt::Key_Delete, Qt::NoModifier);
    else
      key(0, Qt::NoModifier, typed_->text);
    typed_.reset();
  }

  void try_press() {
    const auto item = items_.find(pressed_);
    if (item == items_.end()) return pressed_.clear();
    const SpokenWidget& said = item->second.first->said();
    const bool clear = said.seen.width > 0 && said.seen.height >= said.rect.height / 2;
    if (!clear && --tries_ > 0) {
      view_.reveal(pressed_);
      view_.request_frame();
      return;
    }
    if (said.seen.width > 0) view_.click(said.seen);
    pressed_.clear();
  }

  void sync() {
    const auto said = view_.spoken();
    std::map<std::string_view, Role> roles;
    std::vector<const SpokenWidget*> all;
    for (const SpokenWidget& widget : said)
      if (widget.role && roles.emplace(widget.id, *widget.role).second) all.push_back(&widget);
    // Items that are gone, or are something else now.
    std::vector<std::string> gone;
    for (const auto& [id, item] : items_) {
      const auto role = roles.find(id);
      if (role == roles.end() || role->second != *item.first->said().role) gone.push_back(id);
    }
    for (const std::string& id : gone) remove(id);

    std::vector<AccessibleItem*> order;
    std::vector<AccessibleItem*> fresh;
    for (const SpokenWidget* widget : all) {
      auto item = items_.find(widget->id);
      if (item == items_.end()) {
        auto* const made = new AccessibleItem(*this, *widget);
        item = items_
                   .emplace(widget->id,
                            std::pair{made, QAccessible::registerAccessibleInterface(made)})
                   .first;
        fresh.push_back(made);
      }
      order.push_back(item->second.first);
    }
    order_ = std::move(order);
    for (AccessibleItem* item : fresh) {
      notify(*item, QAccessible::ObjectCreated);
      if (item->role() == QAccessible::AlertMessage) notify(*item, QAccessible::Alert);
      if (item->said().focused) notify(*item, QAccessible::Focus);
    }
    for (std::size_t i = 0; i < all.size(); ++i) order_[i]->update(*all[i]);
    if (!pressed_.empty())
      try_press();
    else if (typed_)
      try_type();
  }

  static void notify(QAccessibleInterface& item, QAccessible::Event what) {
    QAccessibleEvent event(&item, what);
    QAccessible::updateAccessibility(&event);
  }

  void remove(const std::string& id) {
    const auto item = items_.find(id);
    notify(*item->second.first, QAccessible::ObjectDestroyed);
    std::erase(order_, item->second.first);
    const QAccessible::Id number = item->second.second;
    items_.erase(item);
    QAccessible::deleteAccessibleInterface(number);
  }

  SpokenView view_;
  QTimer timer_;
  std::map<std::string, std::pair<AccessibleItem*, QAccessible::Id>> items_;
  std::vector<AccessibleItem*> order_;
  std::string pressed_;  // waits until it is in view; empty: none
  int tries_ = 0;
  std::optional<Typed> typed_;  // waits until its field has the focus
};

void AccessibleItem::update(const SpokenWidget& now) {
  const SpokenWidget before = std::exchange(said_, now);
  const auto notify = [](QAccessibleEvent&& event) { QAccessible::updateAccessibility(&event); };
  if (before.name != said_.name) notify({this, QAccessible::NameChanged});
  // A value that a run changes all the time is read when it is asked for.
  if (said_.operable && before.value != said_.value) {
    if (said_.role == Role::number)
      notify(QAccessibleValueChangeEvent(this, said_.number));
    else if (said_.role == Role::list)
      notify({this, QAccessible::ValueChanged});
    else
      notify(QAccessibleTextUpdateEvent(this, 0, to_qstring(before.value), value()));
  }
  QAccessible::State changed;
  changed.disabled = before.enabled != said_.enabled;
  changed.focused = before.focused != said_.focused;
  const bool switched = before.on != said_.on;
  if (said_.role == Role::list || said_.role == Role::heading)
    changed.expanded = switched;
  else
    changed.checked = switched;
  if (changed.disabled || changed.focused || switched)
    notify(QAccessibleStateChangeEvent(this, changed));
  if (changed.focused && said_.focused) notify({this, QAccessible::Focus});
}

QWindow* AccessibleItem::window() const { return panels_.window(); }
QAccessibleInterface* AccessibleItem::parent() const { return &panels_; }

QAccessible::State AccessibleItem::state() const {
  QAccessible::State state;
  state.disabled = !said_.enabled;
  state.offscreen = said_.seen.width <= 0;
  state.focused = said_.focused;
  state.focusable = can_be_pressed(said_);
  state.editable = said_.role == Role::number || said_.role == Role::text;
  state.readOnly = !state.editable;
  if (said_.role == Role::list || said_.role == Role::heading) {
    state.expandable = said_.on.has_value();
    state.expanded = said_.on == true;
    state.collapsed = said_.on == false;
  } else if (said_.role == Role::item) {
    state.selectable = true;
    state.selected = said_.on == true;
  } else {
    state.checkable = said_.on.has_value();
    state.checked = said_.on == true;
  }
  return state;
}

QString AccessibleItem::text(QAccessible::Text kind) const {
  switch (kind) {
    case QAccessible::Name:
      return to_qstring(said_.name);
    case QAccessible::Value:
      return value();
    case QAccessible::Description:
      return to_qstring(said_.description);
    default:
      return {};
  }
}

QRect AccessibleItem::rect() const {
  const double ratio = panels_.view().widget.devicePixelRatioF();
  const QRectF of(static_cast<double>(said_.rect.x) / ratio,
                  static_cast<double>(said_.rect.y) / ratio,
                  static_cast<double>(said_.rect.width) / ratio,
                  static_cast<double>(said_.rect.height) / ratio);
  return of.toAlignedRect().translated(panels_.view().widget.mapToGlobal(QPoint(0, 0)));
}

void* AccessibleItem::interface_cast(QAccessible::InterfaceType type) {
  switch (type) {
    case QAccessible::ActionInterface:
      return can_be_pressed(said_) ? static_cast<QAccessibleActionInterface*>(this) : nullptr;
    case QAccessible::ValueInterface:
      return said_.role == Role::number ? static_cast<QAccessibleValueInterface*>(this) : nullptr;
    case QAccessible::TextInterface:
      return static_cast<QAccessibleTextInterface*>(this);
    case QAccessible::EditableTextInterface:
      return can_be_typed(said_) ? static_cast<QAccessibleEditableTextInterface*>(this) : nullptr;
    default:
      return nullptr;
  }
}

QStringList AccessibleItem::actionNames() const {
  if (!can_be_pressed(said_)) return {};
  if (can_be_typed(said_)) return {setFocusAction()};
  if (said_.role == Role::check_box) return {toggleAction()};
  return {pressAction()};
}

void AccessibleItem::doAction(const QString& name) {
  if (!actionNames().contains(name)) return;
  panels_.view().widget.setFocus();
  panels_.press(said_.id);
}

void AccessibleItem::enter(const QString& text) {
  if (!said_.enabled) return;
  if (said_.path.empty()) return panels_.type(said_.id, text);
  panels_.view().enter(said_.path, text.toStdString());
  panels_.view().request_frame();
}

QAccessibleInterface* accessible_panels(const QString&, QObject* object) {
  if (auto* const view = qobject_cast<Viewport*>(object))
    return new AccessiblePanels(spoken_view(*view));
  if (auto* const plots = qobject_cast<PlotViewport*>(object))
    return new AccessiblePanels(spoken_view(*plots));
  return nullptr;
}

}  // namespace

void install_accessible_panels() {
  QAccessible::removeFactory(accessible_panels);
  QAccessible::installFactory(accessible_panels);
  watch();
}

}  // namespace twosphere
