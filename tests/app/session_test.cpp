// SPDX-License-Identifier: GPL-3.0-or-later
// Edits undone and redone, unsaved changes, files that cannot be written: in the real window.
#include "app/session.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "core/catalog.h"
#include "tests/app/window_fixture.h"

namespace twosphere {
namespace {

using test::eventually;
using test::patience;

class SessionWindow : public test::Window {
 protected:
  /// Answers the question that is open.
  void answer(QMessageBox::StandardButton button) {
    auto* box = dialog<QMessageBox>();
    ASSERT_TRUE(box);
    ASSERT_TRUE(box->button(button));
    const QPointer<QMessageBox> asked = box;
    QTest::mouseClick(box->button(button), Qt::LeftButton);
    EXPECT_TRUE(eventually([&] { return !asked || !asked->isVisible(); }));
  }
  QString entry(const char* action) {
    return window_->findChild<QAction*>(QLatin1String(action))->text();
  }
  /// What an edit in the interface sends, without the events.
  void send(Setting setting) {
    const Change change{{std::move(setting)}};
    window_->run().send(change);
    Q_EMIT view().setting_sent(change);
    window_->session().update();
  }
  std::string wanted() {
    EXPECT_TRUE(eventually([&] { return now().commands >= window_->run().sent(); }));
    return write_scenario(*now().wanted);
  }
};

TEST_F(SessionWindow, UndoesAndRedoesEditsByKey) {
  EXPECT_FALSE(window_->findChild<QAction*>(QStringLiteral("undo"))->isEnabled());
  const std::string at_first = wanted();
  // A drag is one edit, however many values it sends.
  const QPoint from = middle("parameter/gravity");
  drag(from, from + QPoint(40, 0));
  ASSERT_TRUE(eventually([&] { return gravity() > 9.81; }));
  const double dragged = gravity();
  type("parameter/gravity", QStringLiteral("3"));
  ASSERT_TRUE(eventually([&] { return gravity() == 3; }));
  ASSERT_TRUE(eventually([&] { return entry("undo").endsWith(QStringLiteral("→ 3 m/s²")); }))
      << entry("undo").toStdString();
  EXPECT_TRUE(entry("undo").startsWith(QLatin1String("Undo gravity ")))
      << entry("undo").toStdString();
  click("integrator");
  click("integrator/rk4");
  ASSERT_TRUE(eventually([&] { return now().lanes[0].info->key == "rk4"; }));
  const std::string at_last = wanted();
  ASSERT_TRUE(eventually([&] { return window_->isWindowModified(); }));

  key(Qt::Key_Z, Qt::ControlModifier);
  ASSERT_TRUE(eventually([&] { return now().lanes[0].info->key == "variational"; }));
  key(Qt::Key_Z, Qt::ControlModifier);
  ASSERT_TRUE(eventually([&] { return gravity() == dragged; }));
  key(Qt::Key_Z, Qt::ControlModifier);
  ASSERT_TRUE(eventually([&] { return gravity() == 9.81; }));
  EXPECT_EQ(wanted(), at_first);
  EXPECT_TRUE(eventually([&] { return !window_->isWindowModified(); }));
  EXPECT_TRUE(eventually(
      [&] { return !window_->findChild<QAction*>(QStringLiteral("undo"))->isEnabled(); }));

  key(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
  ASSERT_TRUE(eventually([&] { return gravity() == dragged; }));
  key(Qt::Key_Y, Qt::ControlModifier);
  key(Qt::Key_Y, Qt::ControlModifier);
  ASSERT_TRUE(eventually([&] { return now().lanes[0].info->key == "rk4"; }));
  EXPECT_EQ(wanted(), at_last);
}

TEST_F(SessionWindow, UndoingInARunIsAnEventAndLeavesTheDataAlone) {
  run_for(20);
  type("parameter/gravity", QStringLiteral("3"));
  ASSERT_TRUE(eventually([&] { return gravity() == 3; }));
  run_for(20);
  const auto steps = now().steps;
  const std::string before = window_->run().csv();
  key(Qt::Key_Z, Qt::ControlModifier);
  ASSERT_TRUE(eventually([&] { return gravity() == 9.81; }));
  EXPECT_EQ(now().steps, steps);
  EXPECT_EQ(window_->run().csv(), before);
  ASSERT_EQ(now().record->events.size(), 2u);
  EXPECT_EQ(now().record->events[1].step, steps);
  EXPECT_TRUE(window_->isWindowModified()) << "the record says what happened";
  key(Qt::Key_Backspace);
  EXPECT_TRUE(eventually([&] { return !window_->isWindowModified(); })) << "nothing is left of it";
}

TEST_F(SessionWindow, FiftyEditsUndoneGiveTheFormerBytes) {
  for (const bool started : {false, true}) {
    if (started) {
      run_for(5);
      send({"initial.omega[1]", *json::parse_value("[0.125, 0.5, 0]")});  // waits for Rewind
    }
    const std::string at_first = wanted();
    std::mt19937 random(started ? 2 : 1);
    const auto value = [&] { return json::Node(0.5 + static_cast<double>(random() % 1000) / 64); };
    for (int i = 0; i < 50; ++i) switch (random() % 6) {
        case 0:
          send({"system.gravity", value()});
          break;
        case 1:
          send({"system.masses[" + std::to_string(random() % 2) + "]", value()});
          break;
        case 2:
          send({"integrator.step", json::Node(0.0011 * static_cast<double>(1 + i))});
          break;
        case 3: {
          const auto all = integrators();
          const auto& next = all[random() % all.size()];
          if (next.key != now().wanted->lanes[0].type)
            send({"integrator.type", json::Node(std::string(next.key))});
          else
            send({"duration", value()});
          break;
        }
        case 4:
          send({"system.tip_force[" + std::to_string(random() % 3) + "]", value()});
          break;
        default:
          send({"duration", value()});
      }
    const std::string at_last = wanted();
    ASSERT_NE(at_first, at_last);
    for (int i = 0; i < 50; ++i) window_->session().undo();
    EXPECT_EQ(wanted(), at_first) << (started ? "in a run" : "at the start");
    for (int i = 0; i < 50; ++i) window_->session().redo();
    EXPECT_EQ(wanted(), at_last) << (started ? "in a run" : "at the start");
  }
}

TEST_F(SessionWindow, UndoesTheLayoutAndTheOpeningOfAPreset) {
  type("parameter/gravity", QStringLiteral("3"));
  ASSERT_TRUE(eventually([&] { return gravity() == 3; }));
  key(Qt::Key_T);
  ASSERT_FALSE(view().interface().settings().trail);
  click("preset");
  click("preset/chain_pendulum");
  answer(QMessageBox::Discard);
  ASSERT_TRUE(eventually([&] { return now().system->size() == 10; }));
  ASSERT_TRUE(eventually([&] { return entry("undo").startsWith(QLatin1String("Undo opening ")); }));
  EXPECT_FALSE(window_->isWindowModified());

  window_->activateWindow();
  ASSERT_TRUE(QTest::qWaitForWindowActive(window_.get(), patience));
  key(Qt::Key_Z, Qt::ControlModifier);
  ASSERT_TRUE(eventually([&] { return now().system->size() == 2; }));
  EXPECT_EQ(gravity(), 3) << "as it was left";
  EXPECT_TRUE(eventually([&] { return window_->isWindowModified(); }));
  key(Qt::Key_Z, Qt::ControlModifier);
  EXPECT_TRUE(view().interface().settings().trail);
  key(Qt::Key_Z, Qt::ControlModifier);
  EXPECT_TRUE(eventually([&] { return gravity() == 9.81; }));
  for (int i = 0; i < 3; ++i) key(Qt::Key_Y, Qt::ControlModifier);
  EXPECT_TRUE(eventually([&] { return now().system->size() == 10; }));
}

TEST_F(SessionWindow, ResetsParametersAsOneEdit) {
  run_for(5);
  type("parameter/gravity", QStringLiteral("3"));
  type("step", QStringLiteral("0.005"));
  send({"initial.omega[1]", *json::parse_value("[0.125, 0.5, 0]")});
  ASSERT_TRUE(eventually([&] { return now().pending.size() == 1 && gravity() == 3; }));
  const auto steps = now().steps;
  key(Qt::Key_Backspace, Qt::ControlModifier);
  ASSERT_TRUE(eventually([&] { return gravity() == 9.81 && now().pending.empty(); }));
  EXPECT_EQ(now().lanes[0].info->key, "variational");
  EXPECT_EQ(now().present->lanes[0].step, 0.01);
  EXPECT_EQ(now().steps, steps) << "it is no rewind";
  key(Qt::Key_Z, Qt::ControlModifier);
  EXPECT_TRUE(eventually([&] { return gravity() == 3 && now().pending.size() == 1; }));
  EXPECT_EQ(now().present->lanes[0].step, 0.005);
}

TEST_F(SessionWindow, AsksBeforeEditsAreLost) {
  QTest::keyClick(&view(), Qt::Key_Q, Qt::ControlModifier);
  ASSERT_TRUE(eventually([&] { return !window_->isVisible(); })) << "nothing to save, no question";
  open_window();
  type("parameter/gravity", QStringLiteral("3"));
  ASSERT_TRUE(eventually([&] { return window_->isWindowModified(); }));

  QTest::keyClick(&view(), Qt::Key_Q, Qt::ControlModifier);
  answer(QMessageBox::Cancel);
  EXPECT_TRUE(window_->isVisible());
  EXPECT_TRUE(window_->isWindowModified());

  // Saving an untitled scenario asks for its place and then goes on.
  const QString path = in_folder("kept.json");
  QTest::keyClick(&view(), Qt::Key_Q, Qt::ControlModifier);
  answer(QMessageBox::Save);
  auto* asked = dialog<QFileDialog>();
  ASSERT_TRUE(asked);
  enter_path(path, false);
  ASSERT_TRUE(eventually([&] { return !window_->isVisible(); }));
  const auto kept = load_scenario(path.toStdString());
  ASSERT_TRUE(kept) << kept.error().text();
  EXPECT_EQ(kept->parameters.at("gravity")[0], 3);
}

TEST_F(SessionWindow, AFailedSaveLosesNothing) {
  type("parameter/gravity", QStringLiteral("3"));
  ASSERT_TRUE(eventually([&] { return window_->isWindowModified(); }));
  QTest::keyClick(&view(), Qt::Key_Q, Qt::ControlModifier);
  answer(QMessageBox::Save);
  enter_path(QStringLiteral("/proc/kept.json"), false);
  EXPECT_TRUE(dismiss().contains(QLatin1String("/proc/kept.json")));
  EXPECT_TRUE(window_->isVisible()) << "it was not closed";
  EXPECT_TRUE(window_->isWindowModified());
}

}  // namespace
}  // namespace twosphere

int main(int argc, char** argv) { return twosphere::test::run_window_tests(argc, argv); }
