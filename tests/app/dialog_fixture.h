// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QPushButton>

#include "tests/app/window_fixture.h"

namespace twosphere::test {

/// A window with one dialog beside it, whose parts are found by their names.
template <class Dialog>
class DialogWindow : public Window {
 protected:
  /// Null before it is opened for the first time.
  Dialog* dialog() { return window_->findChild<Dialog*>(); }
  void open_from(const char* menu, const char* entry) {
    choose(QLatin1String(menu), QLatin1String(entry));
    ASSERT_TRUE(eventually([&] { return dialog() && dialog()->isVisible(); }));
  }
  template <class Widget>
  Widget* part(const char* name) {
    return dialog()->template findChild<Widget*>(QLatin1String(name));
  }
  QString text(const char* name) { return part<QLabel>(name)->text(); }
  /// Waits until the button is enabled.
  void press(const char* name) {
    auto* button = part<QPushButton>(name);
    ASSERT_TRUE(eventually([&] { return button->isEnabled(); })) << name;
    QTest::mouseClick(button, Qt::LeftButton);
  }
  /// Enters a text as a user does.
  void enter(const char* field, const char* what) {
    auto* line = part<QLineEdit>(field);
    QApplication::setActiveWindow(dialog());  // needed without a window manager
    line->setFocus();
    ASSERT_TRUE(eventually([&] { return line->hasFocus(); })) << field;
    line->selectAll();
    line->del();
    QTest::keyClicks(line, QLatin1String(what));
    QTest::keyClick(line, Qt::Key_Tab);
  }
  void take(std::int64_t steps) {
    const auto number = window_->run().send(TakeSteps{steps});
    ASSERT_TRUE(eventually([&] { return now().commands >= number; }));
  }
  /// Begins another run at a past step.
  void branch_from(std::int64_t step) {
    window_->run().show(step);
    ASSERT_TRUE(eventually([&] {
      window_->run().update();
      return window_->run().exact();
    }));
    ASSERT_TRUE(window_->run().fork());
    ASSERT_TRUE(eventually([&] { return now().steps == step && !window_->run().is_switching(); }));
  }
  /// Closes the dialog, saves the scenario under this name as a user does, and reads it.
  Result<Scenario> saved_by_hand(const char* name) {
    dialog()->close();
    window_->activateWindow();
    EXPECT_TRUE(QTest::qWaitForWindowActive(window_.get(), patience));
    choose(QStringLiteral("File"), QStringLiteral("save_scenario_as"));
    write_to(in_folder(name));
    return read_scenario(contents(in_folder(name)).toStdString(), name);
  }
};

}  // namespace twosphere::test
