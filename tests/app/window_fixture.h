// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtest/gtest.h>

#include <QAction>
#include <QApplication>
#include <QFileDialog>
#include <QFileInfo>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QPointer>
#include <QProcess>
#include <QPushButton>
#include <QStatusBar>
#include <QSurfaceFormat>
#include <QTemporaryDir>
#include <QTest>
#include <QTextStream>
#include <clocale>
#include <cmath>
#include <functional>
#include <memory>
#include <string>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
#endif

#include "app/scene/viewport.h"
#include "app/window/main_window.h"
#include "core/catalog.h"
#include "core/scenario/reader.h"
#include "tests/outcome.h"

/// Tests of the real window by mouse and key events at the positions of its widgets, without access
/// to its internals.
namespace twosphere::test {

inline constexpr int patience = 20'000;  // [ms], for a loaded machine that draws in software

/// The widget of the plot of energies, with which every system opens.
inline const std::string energies_plot =
    "plot/kinetic_energy and potential_energy and total_energy";

inline bool eventually(const std::function<bool()>& condition) {
  return QTest::qWaitFor(condition, patience);
}

inline QByteArray contents(const QString& path) {
  QFile file(path);
  EXPECT_TRUE(file.open(QIODevice::ReadOnly)) << path.toStdString();
  return file.readAll();
}

inline Simulation run_of_preset(std::string_view key) {
  return value_of(Simulation::create(value_of(read_scenario(find_preset(key)->text, key))));
}

/// The fraction of the pixels of a rectangle (in logical pixels) that differ clearly between two
/// pictures of the same pixel ratio.
inline double changed(const QImage& a, const QImage& b, const ui::Rect& logical) {
  const auto ratio = static_cast<float>(a.devicePixelRatio());
  const ui::Rect rect{logical.x * ratio, logical.y * ratio, logical.width * ratio,
                      logical.height * ratio};
  int different = 0, all = 0;
  for (int y = static_cast<int>(rect.y); y < static_cast<int>(rect.y + rect.height); ++y)
    for (int x = static_cast<int>(rect.x); x < static_cast<int>(rect.x + rect.width); ++x, ++all) {
      const QColor p = a.pixelColor(x, y), q = b.pixelColor(x, y);
      if (std::abs(p.red() - q.red()) + std::abs(p.green() - q.green()) +
              std::abs(p.blue() - q.blue()) >
          24)
        ++different;
    }
  return all > 0 ? static_cast<double>(different) / all : 0;
}

class Window : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(folder_.isValid());
    qputenv("XDG_CONFIG_HOME", folder_.filePath(QStringLiteral("config")).toUtf8());
    open_window();
  }

  void open_window(std::string_view key = "double_spherical_pendulum") {
    open_window(run_of_preset(key));
  }
  void open_window(Simulation run) {
    window_ = std::make_unique<MainWindow>(std::move(run));
    window_->show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(window_.get(), patience));
    QApplication::setActiveWindow(window_.get());
    wait_until_drawn();
  }

  void reopen_window(std::string_view key = "double_spherical_pendulum") {
    window_.reset();
    open_window(key);
  }

  Viewport& view() { return window_->viewport(); }
  const Snapshot& now() {
    window_->run().update();
    return window_->run().snapshot();
  }

  /// Waits until every event sent so far was drawn.
  void wait_until_drawn() {
    for (int i = 0; i < 2; ++i) {
      const auto before = view().frames();
      view().hurry_frame();
      ASSERT_TRUE(eventually([&] { return view().frames() > before && view().is_drawn(); }));
    }
  }

  bool has(const std::string& widget) { return view().interface().widgets().contains(widget); }
  /// Converts to logical pixels, as used by the mouse.
  ui::Rect logical(const ui::Rect& r) {
    const auto ratio = static_cast<float>(view().devicePixelRatioF());
    return {r.x / ratio, r.y / ratio, r.width / ratio, r.height / ratio};
  }
  ui::Rect scene() { return logical(view().interface().scene()); }
  ui::Rect rect(const std::string& widget) {
    const auto& all = view().interface().widgets();
    const auto found = all.find(widget);
    if (found != all.end()) return logical(found->second);
    std::string names;
    for (const auto& [name, place] : all) names += name + ", ";
    ADD_FAILURE() << "no widget " << widget << " among " << names;
    return {};
  }
  QPoint middle(const std::string& widget) {
    const ui::Rect r = rect(widget);
    return QPointF(r.x + r.width / 2, r.y + r.height / 2).toPoint();
  }
  QPoint scene_point(double across, double down) {
    const ui::Rect r = scene();
    return QPointF(r.x + r.width * across, r.y + r.height * down).toPoint();
  }

  /// Moves the mouse and sends the event: a Wayland client cannot move the mouse.
  void move(const QPointF& at, Qt::MouseButtons held = {}) {
    if (QGuiApplication::platformName() != QLatin1String("wayland") && !held)
      QTest::mouseMove(&view(), at.toPoint());
    QMouseEvent event(QEvent::MouseMove, at, view().mapToGlobal(at), Qt::NoButton, held, {});
    QApplication::sendEvent(&view(), &event);
  }
  void point_at(const QPointF& at, Qt::MouseButtons held = {}) {
    move(at, held);
    wait_until_drawn();
  }
  void click_at(const QPoint& at) {
    point_at(at);
    QTest::mouseClick(&view(), Qt::LeftButton, {}, at);
    wait_until_drawn();
  }
  void click(const std::string& widget) { click_at(middle(widget)); }
  /// Opens a list of the interface and clicks an entry of it.
  void click_entry(const std::string& list, const std::string& entry) {
    click(list);
    click(list + "/" + entry);
  }
  void drag(const QPoint& from, const QPoint& to, Qt::MouseButton button = Qt::LeftButton) {
    point_at(from);
    QTest::mousePress(&view(), button, {}, from);
    constexpr int moves = 4;
    for (int i = 1; i <= moves; ++i) move(QPointF(from) + QPointF(to - from) * i / moves, button);
    QTest::mouseRelease(&view(), button, {}, to);
    wait_until_drawn();
  }
  void wheel(const QPoint& at, int notches) {
    point_at(at);
    QWheelEvent event(at, view().mapToGlobal(at), {}, {0, 120 * notches}, Qt::NoButton, {},
                      Qt::NoScrollPhase, false);
    QApplication::sendEvent(&view(), &event);
    wait_until_drawn();
  }
  void key(Qt::Key which, Qt::KeyboardModifiers held = {}) {
    QTest::keyClick(&view(), which, held);
    wait_until_drawn();
  }
  /// Types a number into a field: click, type, Enter.
  void type(const std::string& widget, const QString& text) {
    click(widget);
    QTest::keyClick(&view(), Qt::Key_A, Qt::ControlModifier);
    QTest::keyClicks(&view(), text);
    QTest::keyClick(&view(), Qt::Key_Return);
    wait_until_drawn();
  }
  void change_gravity(double to) {
    type("parameter/gravity", QString::number(to));
    ASSERT_TRUE(eventually([&] { return gravity() == to; }));
  }
  /// Carries out an action of the menus.
  void trigger(const char* action) {
    window_->findChild<QAction*>(QLatin1String(action))->trigger();
    wait_until_drawn();
  }
  // Whether an input brings something about.
  using Condition = std::function<bool()>;
  bool after_key(Qt::Key which, const Condition& condition) {
    return after_key(which, {}, condition);
  }
  bool after_key(Qt::Key which, Qt::KeyboardModifiers held, const Condition& condition) {
    key(which, held);
    return eventually(condition);
  }
  void undo() { key(Qt::Key_Z, Qt::ControlModifier); }
  void redo() { key(Qt::Key_Y, Qt::ControlModifier); }
  bool after_undo(const Condition& condition) {
    return after_key(Qt::Key_Z, Qt::ControlModifier, condition);
  }
  bool after_redo(const Condition& condition) {
    return after_key(Qt::Key_Y, Qt::ControlModifier, condition);
  }
  bool after_click(const std::string& widget, const Condition& condition) {
    click(widget);
    return eventually(condition);
  }
  bool after_click_entry(const std::string& list, const std::string& entry,
                         const Condition& condition) {
    click_entry(list, entry);
    return eventually(condition);
  }
  bool after_type(const std::string& widget, const QString& text, const Condition& condition) {
    type(widget, text);
    return eventually(condition);
  }
  /// Chooses an entry of a menu with the mouse.
  void choose(const QString& menu_name, const QString& entry) {
    auto* bar = window_->menuBar();
    auto* menu = bar->findChild<QMenu*>(menu_name);
    ASSERT_TRUE(menu);
    QTest::mouseClick(bar, Qt::LeftButton, {}, bar->actionGeometry(menu->menuAction()).center());
    ASSERT_TRUE(eventually([&] { return menu->isVisible(); }));
    auto* action = window_->findChild<QAction*>(entry);
    ASSERT_TRUE(action);
    QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(action).center());
  }
  /// Without a window manager nobody else does.
  void activate() {
    window_->activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(window_.get(), patience));
  }
  /// The dialog that a key of the active window opens, ready for others.
  template <class Dialog>
  Dialog* ask(Qt::Key which, Qt::KeyboardModifiers held = Qt::ControlModifier,
              const Caller& at = Caller::here()) {
    activate();
    key(which, held);
    auto* asked = dialog<Dialog>(at);
    EXPECT_TRUE(QTest::qWaitForWindowActive(asked, patience));
    return asked;
  }
  /// The modal dialog that opens, without which the test ends.
  template <class Dialog>
  Dialog* dialog(const Caller& at = Caller::here()) {
    const auto open = [] { return qobject_cast<Dialog*>(QApplication::activeModalWidget()); };
    if (!eventually([&] { return open() != nullptr; })) end_test(at, "no such dialog opens");
    return open();
  }
  /// Enters a path in the open file dialog. The window stays open or closes.
  void enter_path(const QString& path, bool stays_open = true) {
    auto* open = dialog<QFileDialog>();
    ASSERT_TRUE(QTest::qWaitForWindowActive(open, patience));
    auto* line = open->findChild<QLineEdit*>();
    ASSERT_TRUE(line);
    line->setCompleter(nullptr);  // its list may open between two keys
    // Click the line to focus it; otherwise selected rows of the list would take precedence.
    QTest::mouseClick(line, Qt::LeftButton);
    ASSERT_TRUE(eventually([&] { return line->hasFocus(); }));
    QTest::keyClick(line, Qt::Key_A, Qt::ControlModifier);
    QTest::keyClicks(line, path);
    // The dialog accepts no input before it has read the parent folders.
    const QPointer<QFileDialog> asked = open;
    ASSERT_TRUE(eventually([&] {
      if (asked && asked->isVisible()) QTest::keyPress(line, Qt::Key_Return);
      QTest::qWait(200);
      return !asked || !asked->isVisible();
    }));
    if (QApplication::activeModalWidget() || !stays_open) return;
    window_->activateWindow();  // needed without a window manager
    ASSERT_TRUE(QTest::qWaitForWindowActive(window_.get(), patience));
  }
  /// Of a file to be written; waits until it, or one with this ending as well, is there.
  void write_to(const QString& path, const char* ending = "") {
    enter_path(path);
    ASSERT_TRUE(eventually([&] { return QFileInfo::exists(path + QLatin1String(ending)); }));
  }
  /// Closes the open message and returns its text.
  QString dismiss() {
    auto* box = dialog<QMessageBox>();
    if (!box) return {};
    QString text = box->text() + QLatin1Char('\n') + box->informativeText();
    QTest::mouseClick(box->button(QMessageBox::Close), Qt::LeftButton);
    EXPECT_TRUE(eventually([] { return QApplication::activeModalWidget() == nullptr; }));
    return text;
  }
  QString in_folder(const char* name) { return folder_.filePath(QLatin1String(name)); }
  QImage picture() {
    wait_until_drawn();
    return view().grabFramebuffer();
  }
  double gravity() { return now().present->parameters.at("gravity").at(0); }

  void run_by_key_beyond(std::int64_t step) {
    key(Qt::Key_Space);
    ASSERT_TRUE(eventually([&] { return now().steps > step; }));
  }
  void pause_by_key() {
    key(Qt::Key_Space);
    ASSERT_TRUE(eventually([&] { return now().state == RunState::paused; }));
  }
  void run_for(std::int64_t steps) {
    run_by_key_beyond(now().steps + steps - 1);
    pause_by_key();
  }
  /// Takes so many steps, the last of which is `until`.
  void advance(std::int64_t steps, std::int64_t until) {
    window_->run().send(TakeSteps{steps});
    ASSERT_TRUE(eventually([&] { return now().steps == until; }));
  }

  QTemporaryDir folder_;
  std::unique_ptr<MainWindow> window_;
};

/// main() of the test programs that use the fixture.
inline int run_window_tests(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  QSurfaceFormat::setDefaultFormat(surface_format());
  QApplication application(argc, argv);
  std::setlocale(LC_NUMERIC, "C");
  QLocale::setDefault(QLocale::c());
  const int status = RUN_ALL_TESTS();
#ifdef __SANITIZE_ADDRESS__
  // Check now, because drivers are unloaded at exit and their leaks then have no symbols.
  if (status == 0) __lsan_do_leak_check();
#endif
  return status;
}

}  // namespace twosphere::test
