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
};

}  // namespace twosphere::test
