// SPDX-License-Identifier: GPL-3.0-or-later
// The window by fingers.
#include <QtGui/qtestsupport_gui.h>

#include <QInputMethodQueryEvent>
#include <QPointingDevice>

#include "tests/app/run_fixture.h"

namespace twosphere::touch_test {
namespace {

using namespace test;

struct Fingers : RunWindow {
  void down(int finger, const QPointF& at) {
    QTest::touchEvent(&view(), device()).press(finger, at.toPoint(), &view());
    wait_until_drawn();
  }
  void hold_at(int finger, const QPointF& at) {
    QTest::touchEvent(&view(), device()).move(finger, at.toPoint(), &view());
    wait_until_drawn();
  }
  void up(int finger, const QPointF& at) {
    QTest::touchEvent(&view(), device()).release(finger, at.toPoint(), &view());
    wait_until_drawn();
  }
  void tap(const QPointF& at) {
    down(0, at);
    up(0, at);
  }
  void swipe(const QPointF& from, const QPointF& to) {
    down(0, from);
    for (int i = 1; i <= 4; ++i) hold_at(0, from + (to - from) * i / 4);
    up(0, to);
  }
  static QPointingDevice* device() {
    static QPointingDevice* const one = QTest::createTouchDevice();
    return one;
  }
};

TEST_F(Fingers, OneOrbitsAndATapSelects) {
  const auto before = view().camera().where();
  swipe(scene_point(0.3, 0.8), scene_point(0.5, 0.7));
  const auto after = view().camera().where();
  EXPECT_NE(before.azimuth, after.azimuth);
  EXPECT_EQ(before.distance, after.distance);
  EXPECT_FALSE(view().interface().selected());
  tap(seen(1) + QPointF(10, 8));
  EXPECT_EQ(view().interface().selected(), (ui::BodyId{0, 1})) << "a finger is not exact";
  EXPECT_EQ(view().camera().where(), after);
  tap(scene_point(0.2, 0.9));
  EXPECT_FALSE(view().interface().selected());
}

TEST_F(Fingers, OneMovesABodyOfAPausedRunAsOneEdit) {
  record(50);
  const State before = shown();
  const QPointF from = seen(1), to = towards(from, seen(0));
  swipe(from, to);
  ASSERT_TRUE(eventually([&] { return now().commands >= run().sent(); }));
  wait_until_drawn();
  EXPECT_LT(distance(seen(1), to), 2 * near);
  expect_on_spheres();
  ASSERT_EQ(now().record->events.size(), 1u);
  EXPECT_TRUE(after_undo([&] { return shown().q == before.q; }));
}

TEST_F(Fingers, OnePullsABodyOfARunningRun) {
  play();
  const auto camera = view().camera().where();
  const QPointF to = scene_point(0.85, 0.35);
  down(0, seen(1));
  for (int i = 0; i < 30; ++i) hold_at(0, to + QPointF(i % 2, 0));
  EXPECT_TRUE(has("pull[0]"));
  up(0, to);
  ASSERT_TRUE(eventually([&] { return now().pulls.empty(); }));
  pause_by_key();
  EXPECT_EQ(view().camera().where(), camera);
  ASSERT_FALSE(now().record->events.empty());
  EXPECT_EQ(now().record->events.front().pull->body, 1);
  expect_as_fresh();
}

TEST_F(Fingers, TwoPanAndZoom) {
  const auto before = view().camera().where();
  const QPointF middle = scene_point(0.5, 0.5), apart(40, 0), moved(30, -20);
  down(0, middle - apart);
  QTest::touchEvent(&view(), device())
      .move(0, (middle - apart).toPoint(), &view())
      .press(1, (middle + apart).toPoint(), &view());
  wait_until_drawn();
  for (int i = 1; i <= 4; ++i) {
    const QPointF at = middle + moved * i / 4, half = apart * (1 + i / 4.0);
    QTest::touchEvent(&view(), device())
        .move(0, (at - half).toPoint(), &view())
        .move(1, (at + half).toPoint(), &view());
    wait_until_drawn();
  }
  QTest::touchEvent(&view(), device())
      .release(0, (middle + moved - 2 * apart).toPoint(), &view())
      .release(1, (middle + moved + 2 * apart).toPoint(), &view());
  wait_until_drawn();
  const auto after = view().camera().where();
  EXPECT_NEAR(after.distance, before.distance / 2, 0.02F * before.distance);
  EXPECT_NE(after.target, before.target);
  EXPECT_EQ(after.azimuth, before.azimuth);
  EXPECT_FALSE(view().interface().selected()) << "no tap";
}

// No double events: a button is pressed once by a tap, and a switch is switched once.
TEST_F(Fingers, PanelsAreUsedByAFinger) {
  tap(middle("loop"));
  EXPECT_TRUE(view().interface().loops());
  tap(middle("loop"));
  EXPECT_FALSE(view().interface().loops());
  tap(middle("step_forward"));
  ASSERT_TRUE(eventually([&] { return now().steps == 1 && now().commands >= run().sent(); }));
  EXPECT_EQ(now().steps, 1);
  const QPoint field = middle("parameter/gravity");
  swipe(field, field + QPoint(60, 0));
  ASSERT_TRUE(eventually([&] { return now().commands >= run().sent(); }));
  EXPECT_GT(gravity(), 9.81);
  tap(field);
  QInputMethodQueryEvent typing(Qt::ImEnabled);
  QApplication::sendEvent(&view(), &typing);
  EXPECT_TRUE(typing.value(Qt::ImEnabled).toBool()) << "to type";
  key(Qt::Key_Escape);
  record(100);
  swipe(on_line(0.9), on_line(0.4));
  arrive();
  EXPECT_NEAR(static_cast<double>(run().requested_step()), 40, 3);
}

TEST_F(Fingers, OneThatRestsOpensTheMenuOfAPlot) {
  record(20);
  const ui::Rect plot = rect(energies_plot);
  const QPointF at(plot.x + plot.width / 2, plot.y + plot.height / 2);
  down(0, at);
  QTest::qWait(900);
  wait_until_drawn();
  up(0, at);
  EXPECT_TRUE(has("menu/scale") || has(energies_plot + "/menu") ||
              view().interface().widgets().lower_bound("menu/") !=
                  view().interface().widgets().end());
}

}  // namespace
}  // namespace twosphere::touch_test
