// SPDX-License-Identifier: GPL-3.0-or-later
// The plots in a window of their own: the same cursor and keys, and the way back.
#include "app/window/plot_window.h"

#include <QAccessible>
#include <QKeyEvent>
#include <algorithm>

#include "app/scene/plot_viewport.h"
#include "app/window/view_section.h"
#include "app/window/window_settings.h"
#include "tests/app/window_fixture.h"

namespace twosphere::plot_window_test {
namespace {

using namespace test;

class PlotsWindow : public Window {
 protected:
  void SetUp() override {
    Window::SetUp();
    if (HasFatalFailure()) return;
    run_for(30);
    trigger("plots_window");
    ASSERT_TRUE(eventually([this] { return there(); }));
    ASSERT_TRUE(QTest::qWaitForWindowExposed(window_->plot_window(), patience));
    wait_for_plots();
  }

  bool there() const { return window_->plot_window() != nullptr; }
  PlotViewport& plots() { return window_->plot_window()->view(); }
  bool plotted(const std::string& widget) { return plots().surface().widgets.contains(widget); }
  void wait_for_plots() {
    plots().update();
    ASSERT_TRUE(eventually([this] { return plotted("plot/energy_error") && plots().is_drawn(); }));
  }
  /// A place in a widget there, in logical pixels: in a plot, where the run has samples.
  QPoint place(const std::string& widget) {
    const ui::Rect r = plots().surface().widgets[widget];
    const double ratio = plots().devicePixelRatioF();
    return QPointF((r.x + r.width / 6) / ratio, (r.y + r.height / 2) / ratio).toPoint();
  }
  void point(const QPoint& at) {
    QMouseEvent event(QEvent::MouseMove, at, plots().mapToGlobal(at), Qt::NoButton, {}, {});
    QApplication::sendEvent(&plots(), &event);
  }
  void press(const QPoint& at) {
    point(at);
    QTest::mouseClick(&plots(), Qt::LeftButton, {}, at);
  }
};

TEST_F(PlotsWindow, HasThePlotsAndTheMainWindowHasNot) {
  EXPECT_TRUE(window_->findChild<QAction*>(QStringLiteral("plots_window"))->isChecked());
  EXPECT_TRUE(plotted(energies_plot));
  EXPECT_TRUE(plotted("add_plot"));
  wait_until_drawn();
  EXPECT_FALSE(has("plot/energy_error"));
  EXPECT_FALSE(has("splitter/right"));
  const ui::Rect area = view().interface().scene();
  EXPECT_NEAR(area.x + area.width,
              static_cast<float>(view().width()) * static_cast<float>(view().devicePixelRatioF()),
              1)
      << "the scene has their room";
  EXPECT_TRUE(window_->plot_window()->windowTitle().startsWith(QLatin1String("Plots of ")));
  // Closing it brings them back.
  window_->plot_window()->close();
  ASSERT_TRUE(eventually([this] { return !there(); }));
  wait_until_drawn();
  EXPECT_TRUE(has("plot/energy_error"));
  EXPECT_FALSE(window_->findChild<QAction*>(QStringLiteral("plots_window"))->isChecked());
}

TEST_F(PlotsWindow, HasTheSameCursorMarkersAndPlots) {
  point(place("plot/energy_error"));
  ASSERT_TRUE(eventually([this] { return view().interface().cursor().has_value(); }));
  const double at = *view().interface().cursor();
  EXPECT_GT(at, 0);
  // A marker is placed at the cursor by the key of the main window.
  QApplication::setActiveWindow(window_->plot_window());
  QTest::keyClick(&plots(), Qt::Key_A);
  ASSERT_TRUE(eventually([this] { return view().interface().plots().marker_a.has_value(); }));
  EXPECT_NEAR(*view().interface().plots().marker_a, at, 0.02);
  // A click goes to its time.
  press(place("plot/energy_error") - QPoint(20, 0));  // not on the marker
  EXPECT_TRUE(eventually([this] { return window_->run().in_past(); }));
  // A plot that is added is in both places' list.
  QTest::keyClick(&plots(), Qt::Key_4);
  EXPECT_TRUE(eventually([this] { return plotted("plot/tangency_error"); }));
  EXPECT_EQ(to_text(view().interface().settings().plots.back()), "tangency_error logarithmic");
}

TEST_F(PlotsWindow, ItsKeysAreThoseOfTheMainWindow) {
  QApplication::setActiveWindow(window_->plot_window());
  const auto steps = now().steps;
  QTest::keyClick(&plots(), Qt::Key_Space);
  ASSERT_TRUE(eventually([&] { return now().steps > steps; }));
  QTest::keyClick(&plots(), Qt::Key_Space);
  EXPECT_TRUE(eventually([this] { return now().state == RunState::paused; }));
  QTest::keyClick(&plots(), Qt::Key_P, Qt::ShiftModifier);
  EXPECT_TRUE(eventually([this] { return !there(); })) << "the key that has opened it";
}

TEST_F(PlotsWindow, KeysThatActWhileHeldDoSo) {
  const auto send = [this](QEvent::Type type, int key, Qt::KeyboardModifiers held) {
    QKeyEvent event(type, key, held);
    QApplication::sendEvent(&plots(), &event);
    wait_until_drawn();
  };
  const auto labelled = [this] {
    const auto& all = view().interface().widgets();
    return std::any_of(all.begin(), all.end(),
                       [](const auto& widget) { return widget.first.starts_with("key["); });
  };
  QKeyEvent first(QEvent::ShortcutOverride, Qt::Key_Question, Qt::ShiftModifier);
  QApplication::sendEvent(&plots(), &first);
  EXPECT_TRUE(first.isAccepted()) << "no shortcut";
  send(QEvent::KeyPress, Qt::Key_Question, Qt::ShiftModifier);
  EXPECT_TRUE(labelled());
  send(QEvent::KeyRelease, Qt::Key_Question, Qt::ShiftModifier);
  EXPECT_FALSE(labelled());
  key(Qt::Key_N);
  const State before = now().lanes[0].state;
  send(QEvent::KeyPress, Qt::Key_Right, Qt::AltModifier);
  send(QEvent::KeyRelease, Qt::Key_Right, Qt::AltModifier);
  EXPECT_TRUE(eventually([&] { return now().lanes[0].state.q != before.q; }));
}

TEST_F(PlotsWindow, IsWhereItWasLast) {
  PlotWindow& before = *window_->plot_window();
  before.resize(before.size() + QSize(40, -60));
  const QSize size = before.size();
  key(Qt::Key_P, Qt::ShiftModifier);
  ASSERT_TRUE(eventually([this] { return !there(); }));
  key(Qt::Key_P, Qt::ShiftModifier);
  ASSERT_TRUE(eventually([this] { return there(); }));
  EXPECT_EQ(window_->plot_window()->size(), size);
  window_->leave();
  EXPECT_TRUE(eventually([this] { return !window_->isVisible(); }));
  EXPECT_FALSE(read_settings().plot_geometry.isEmpty()) << "and after a new start";
}

TEST_F(PlotsWindow, IsPartOfASession) {
  const json::Node kept = view_section(window_->run(), view().interface(), {});
  ASSERT_TRUE(kept.find("plot_window"));
  EXPECT_TRUE(kept.find("plot_window")->boolean);
  window_->plot_window()->close();
  ASSERT_TRUE(eventually([this] { return !there(); }));
  EXPECT_FALSE(view_section(window_->run(), view().interface(), {}).find("plot_window"));
  window_->show_view(kept);
  EXPECT_TRUE(eventually([this] { return there(); }));
}

TEST_F(PlotsWindow, ClosesWithTheMainWindow) {
  window_->leave();
  EXPECT_TRUE(eventually([this] { return !window_->isVisible(); }));
  EXPECT_FALSE(there());
}

TEST_F(PlotsWindow, NamesItsWidgetsForScreenReaders) {
  QAccessible::setActive(true);
  QAccessibleInterface* panels = QAccessible::queryAccessibleInterface(&plots());
  ASSERT_TRUE(panels);
  EXPECT_EQ(panels->text(QAccessible::Name), QLatin1String("Plots"));
  const auto names = [&] {
    QStringList all;
    for (int i = 0; i < panels->childCount(); ++i) all << panels->child(i)->text(QAccessible::Name);
    return all;
  };
  EXPECT_TRUE(eventually([&] {
    plots().update();
    return names().contains(QStringLiteral("Add plot…"));
  })) << names().join(QLatin1String(", ")).toStdString();
  EXPECT_FALSE(names().filter(QLatin1String("unit length")).isEmpty());
  QAccessible::setActive(false);
}

}  // namespace
}  // namespace twosphere::plot_window_test
