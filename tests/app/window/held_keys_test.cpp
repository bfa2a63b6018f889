// SPDX-License-Identifier: GPL-3.0-or-later
// Keys that act as long as they are held.
#include <algorithm>

#include "tests/app/run_fixture.h"

namespace twosphere::held_keys_test {
namespace {

using namespace test;

struct HeldKeys : RunWindow {
  bool labelled(const std::string& key) {
    const auto& all = view().interface().widgets();
    return std::any_of(all.begin(), all.end(), [&](const auto& widget) {
      return widget.first.starts_with("key[") && widget.first.ends_with("]/" + key);
    });
  }
  void press(int key, Qt::KeyboardModifiers held, bool again = false) {
    send(QEvent::KeyPress, key, held, again);
  }
  void release(int key, Qt::KeyboardModifiers held, bool again = false) {
    send(QEvent::KeyRelease, key, held, again);
  }
  /// As the window system sends it: all characters of a key have one code.
  void send(QEvent::Type type, int key, Qt::KeyboardModifiers held, bool again) {
    constexpr quint32 code = 61;
    if (type == QEvent::KeyPress) {
      QKeyEvent first(QEvent::ShortcutOverride, key, held, code, 0, 0, {}, again);
      QApplication::sendEvent(&view(), &first);
      EXPECT_TRUE(first.isAccepted()) << "no shortcut";
    }
    QKeyEvent event(type, key, held, code, 0, 0, {}, again);
    QApplication::sendEvent(&view(), &event);
    wait_until_drawn();
  }
  /// [rad]
  static double angle(const Vec3& a, const Vec3& b) {
    return std::atan2(a.cross(b).norm(), a.dot(b));
  }
  static constexpr double degree = 3.14159265358979323846 / 180;
  /// Until what was done by keys is one edit.
  void rest() {
    QTest::qWait(1000);
    wait_until_drawn();
    ASSERT_TRUE(eventually([&] { return now().commands >= run().sent(); }));
    wait_until_drawn();
  }
};

TEST_F(HeldKeys, AQuestionMarkShowsTheKeyOfEveryControl) {
  EXPECT_FALSE(labelled("Space"));
  press(Qt::Key_Question, Qt::ShiftModifier);
  for (const char* key : {"Space", "Left", "Right", "Backspace", "Ctrl+G", "Shift+Home", "P", "L",
                          "Alt+F", "Alt+H", "the scene"})
    EXPECT_TRUE(labelled(key)) << key;
  for (int k = 0; k < 3; ++k) {
    release(Qt::Key_Question, Qt::ShiftModifier, true);
    press(Qt::Key_Question, Qt::ShiftModifier, true);
  }
  EXPECT_TRUE(labelled("Space"));
  // With Shift released first the same key is another character.
  release(Qt::Key_Slash, {});
  EXPECT_FALSE(labelled("Space"));

  press(Qt::Key_Question, Qt::ShiftModifier);
  EXPECT_TRUE(labelled("Space"));
  view().clearFocus();
  wait_until_drawn();
  EXPECT_FALSE(labelled("Space")) << "its release goes elsewhere";
  view().setFocus();
  EXPECT_EQ(run().sent(), now().commands);
  // As a command of the menu it stays until Esc.
  trigger("show_keys");
  EXPECT_TRUE(labelled("Alt+F"));
  key(Qt::Key_Escape);
  EXPECT_FALSE(labelled("Alt+F"));
}

TEST_F(HeldKeys, AQuestionMarkIsACharacterWhereTextIsTyped) {
  click("time_box");
  QTest::keyClick(&view(), '?', Qt::ShiftModifier);
  QTest::keyPress(&view(), Qt::Key_Question, Qt::ShiftModifier);
  wait_until_drawn();
  EXPECT_FALSE(labelled("Space"));
  QTest::keyRelease(&view(), Qt::Key_Question, Qt::ShiftModifier);
}

TEST_F(HeldKeys, AltWithArrowsMovesTheSelectedBodyByADegree) {
  record(50);
  const State before = shown();
  press(Qt::Key_Right, Qt::AltModifier);
  release(Qt::Key_Right, Qt::AltModifier);
  EXPECT_EQ(shown().q, before.q) << "none is selected";
  key(Qt::Key_N);
  key(Qt::Key_N);
  ASSERT_EQ(view().interface().selected(), (ui::BodyId{0, 1}));
  const QPointF from = seen(1);
  press(Qt::Key_Right, Qt::AltModifier);
  for (int k = 0; k < 2; ++k) press(Qt::Key_Right, Qt::AltModifier, true);
  release(Qt::Key_Right, Qt::AltModifier);
  rest();
  EXPECT_NEAR(angle(before.q.col(1), shown().q.col(1)), 3 * degree, 1e-9);
  EXPECT_EQ(Vec3(shown().q.col(0)), Vec3(before.q.col(0)));
  EXPECT_GT(seen(1).x(), from.x());
  expect_on_spheres();
  const State once = shown();
  press(Qt::Key_Up, Qt::AltModifier | Qt::ShiftModifier);
  release(Qt::Key_Up, Qt::AltModifier | Qt::ShiftModifier);
  rest();
  EXPECT_NEAR(angle(once.q.col(1), shown().q.col(1)), 0.1 * degree, 1e-9);
  EXPECT_LT(seen(1).y(), seen(1).y() + 1);
  ASSERT_EQ(now().record->events.size(), 1u) << "of one step";
  advance(20, 70);
  expect_as_fresh();
  ASSERT_TRUE(after_undo([&] { return now().steps == 50 && shown().q == once.q; }));
  EXPECT_TRUE(after_undo([&] { return shown().q == before.q; })) << "a burst is one edit";
}

TEST_F(HeldKeys, AltWithArrowsMovesABodyOfTheStart) {
  const State before = shown();
  key(Qt::Key_N);
  for (int k = 0; k < 5; ++k) press(Qt::Key_Left, Qt::AltModifier, k > 0);
  release(Qt::Key_Left, Qt::AltModifier);
  rest();
  EXPECT_NEAR(angle(before.q.col(0), shown().q.col(0)), 5 * degree, 1e-9);
  EXPECT_TRUE(now().record->events.empty());
  EXPECT_TRUE(after_undo([&] { return shown().q == before.q; }));
}

TEST_F(HeldKeys, AltWithAnArrowPullsARunningBodyWhileHeld) {
  play();
  key(Qt::Key_N);
  key(Qt::Key_N);
  const std::int64_t begun = now().steps;
  press(Qt::Key_Right, Qt::AltModifier);
  for (int k = 0; k < 20; ++k) wait_until_drawn();
  ASSERT_TRUE(has("pull[0]"));
  release(Qt::Key_Right, Qt::AltModifier);
  ASSERT_TRUE(eventually([&] { return now().pulls.empty(); }));
  const auto pulls = [&] {
    return std::count_if(now().record->events.begin(), now().record->events.end(),
                         [](const Event& event) { return event.pull.has_value(); });
  };
  const auto number = pulls();
  EXPECT_GT(number, 2);
  // To the right of the screen, which is along e1.
  EXPECT_GT(now().record->events.front().pull->force.x(), 0);
  EXPECT_EQ(now().record->events.front().pull->body, 1);
  pause_by_key();
  EXPECT_EQ(pulls(), number);
  expect_as_fresh();
  EXPECT_TRUE(after_undo([&] { return now().record->events.size() < 2; })) << "one edit";
  EXPECT_GE(now().steps, begun - 60);
}

TEST_F(HeldKeys, TheJoystickLeavesAnEditThoughItSpringsBack) {
  record(20);
  run().send(Pace{Pacing::real_time, 0.2});
  run().send(Change{{{"duration", 1000.0}}});
  ASSERT_TRUE(eventually([&] { return now().commands >= run().sent(); }));
  const QAction* undo = window_->findChild<QAction*>(QStringLiteral("undo"));
  const QString before = undo->text();
  window_->setWindowModified(false);
  click("by_hand");
  run_by_key_beyond(25);
  const QPoint from = middle("joystick");
  drag(from, from + QPoint(20, 0));
  const QPoint at = middle("joystick");
  point_at(at);
  QTest::mousePress(&view(), Qt::LeftButton, {}, at);
  for (int i = 1; i <= 8; ++i) {
    point_at(QPointF(at) + QPointF(2.0 * i, 0), Qt::LeftButton);
    QTest::qWait(30);
  }
  QTest::mouseRelease(&view(), Qt::LeftButton, {}, at);
  wait_until_drawn();
  ASSERT_TRUE(eventually([&] { return now().commands >= run().sent(); }));
  pause_by_key();
  EXPECT_EQ(now().present->parameters.at("control_torque").at(1), 0);
  EXPECT_GT(now().record->events.size(), 1u);
  wait_until_drawn();
  QCoreApplication::processEvents();
  EXPECT_NE(undo->text(), before);
  EXPECT_TRUE(undo->text().contains(QStringLiteral("torque"))) << undo->text().toStdString();
  EXPECT_TRUE(window_->isWindowModified());
  EXPECT_TRUE(after_undo([&] { return run().branches().size() > 1; }));
}

}  // namespace
}  // namespace twosphere::held_keys_test
