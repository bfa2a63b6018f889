// SPDX-License-Identifier: GPL-3.0-or-later
// The panels through Qt's accessibility interfaces, as a screen reader asks for them.
#include <QAccessible>
#include <cmath>
#include <string>

#include "tests/app/window_fixture.h"

namespace twosphere::accessible_panels_test {
namespace {

using namespace test;

class AccessiblePanels : public Window {
 protected:
  void SetUp() override {
    Window::SetUp();
    QAccessible::setActive(true);
    ASSERT_TRUE(eventually([&] {
      view().request_frame();
      return panels()->childCount() > 20;
    }));
  }
  void TearDown() override {
    window_.reset();
    QAccessible::setActive(false);
  }

  QAccessibleInterface* panels() { return QAccessible::queryAccessibleInterface(&view()); }
  QAccessibleInterface* find(const QString& name, QAccessible::Role role) {
    for (int i = 0; i < panels()->childCount(); ++i) {
      QAccessibleInterface* const child = panels()->child(i);
      if (child->text(QAccessible::Name) == name && child->role() == role) return child;
    }
    return nullptr;
  }
  QAccessibleInterface* wait_for(const QString& name, QAccessible::Role role) {
    EXPECT_TRUE(eventually([&] { return find(name, role) != nullptr; })) << name.toStdString();
    return find(name, role);
  }
  static void press(QAccessibleInterface* widget) {
    ASSERT_TRUE(widget && widget->actionInterface());
    widget->actionInterface()->doAction(widget->actionInterface()->actionNames().at(0));
  }
};

TEST_F(AccessiblePanels, AreTheChildrenOfTheView) {
  EXPECT_EQ(panels()->role(), QAccessible::Grouping);
  for (int i = 0; i < panels()->childCount(); ++i) {
    QAccessibleInterface* const child = panels()->child(i);
    ASSERT_TRUE(child && child->isValid());
    EXPECT_EQ(child->parent(), panels());
    EXPECT_EQ(panels()->indexOfChild(child), i);
    EXPECT_FALSE(child->text(QAccessible::Name).isEmpty());
    if (child->role() != QAccessible::Button) continue;
    EXPECT_NE(child->state().disabled, child->actionInterface() != nullptr);
  }
  // On the screen where the mouse finds it.
  QAccessibleInterface* const play = wait_for(QStringLiteral("Play or pause"), QAccessible::Button);
  ASSERT_TRUE(play);
  EXPECT_TRUE(play->rect().contains(view().mapToGlobal(middle("play"))));
  const QPoint at = play->rect().center();
  EXPECT_EQ(panels()->childAt(at.x(), at.y()), play);
}

TEST_F(AccessiblePanels, APressIsAClick) {
  press(wait_for(QStringLiteral("Play or pause"), QAccessible::Button));
  EXPECT_TRUE(eventually([&] { return now().state == RunState::running; }));
  press(wait_for(QStringLiteral("Play or pause"), QAccessible::Button));
  EXPECT_TRUE(eventually([&] { return now().state == RunState::paused; }));
}

TEST_F(AccessiblePanels, WhatIsOutOfViewIsScrolledThere) {
  press(wait_for(QStringLiteral("View"), QAccessible::Heading));
  QAccessibleInterface* const trails = wait_for(QStringLiteral("Trails"), QAccessible::CheckBox);
  ASSERT_TRUE(trails);
  const bool before = view().interface().settings().trail;
  EXPECT_EQ(trails->state().checked, before);
  press(trails);
  EXPECT_TRUE(eventually([&] { return view().interface().settings().trail != before; }));
  EXPECT_TRUE(eventually([&] {
    return find(QStringLiteral("Trails"), QAccessible::CheckBox)->state().checked != before;
  }));

  press(wait_for(QStringLiteral("View"), QAccessible::Heading));
  EXPECT_TRUE(eventually([&] { return !find(QStringLiteral("Trails"), QAccessible::CheckBox); }));
}

TEST_F(AccessiblePanels, NumbersAreReadAndWritten) {
  const QString name = QStringLiteral("Gravity g [m/s²]");
  QAccessibleInterface* const field = wait_for(name, QAccessible::SpinBox);
  ASSERT_TRUE(field && field->valueInterface() && field->editableTextInterface());
  EXPECT_EQ(field->valueInterface()->currentValue().toDouble(), gravity());
  field->valueInterface()->setCurrentValue(3.5);
  EXPECT_TRUE(eventually([&] { return gravity() == 3.5; }));
  EXPECT_TRUE(eventually([&] { return field->text(QAccessible::Value) == QStringLiteral("3.5"); }));
  field->editableTextInterface()->replaceText(0, 3, QStringLiteral("2*2.25"));
  EXPECT_TRUE(eventually([&] { return gravity() == 4.5; }));

  field->actionInterface()->doAction(QAccessibleActionInterface::setFocusAction());
  EXPECT_TRUE(eventually([&] { return panels()->focusChild() == field; }));
  EXPECT_TRUE(field->state().focused);
  QTest::keyClicks(&view(), QStringLiteral("6"));
  key(Qt::Key_Return);
  EXPECT_TRUE(eventually([&] { return gravity() == 6; }));
}

TEST_F(AccessiblePanels, TextsAreReadAndWritten) {
  const auto read = [&](const QString& name) {
    QAccessibleInterface* const field = find(name, QAccessible::EditableText);
    return field ? field->text(QAccessible::Value) : QString();
  };
  const auto write = [&](const QString& name, const QString& text) {
    QAccessibleInterface* const field = wait_for(name, QAccessible::EditableText);
    ASSERT_TRUE(field && field->editableTextInterface());
    field->editableTextInterface()->replaceText(0, field->textInterface()->characterCount(), text);
    ASSERT_TRUE(eventually([&] {
      view().request_frame();
      return read(name) == text;
    })) << read(name).toStdString();
    EXPECT_TRUE(find(name, QAccessible::EditableText)->state().focused);
  };
  key(Qt::Key_L);
  ASSERT_TRUE(eventually([&] { return now().lanes.size() == 2; }));
  const std::string second = now().present->lanes[1].name;
  const QString name = QStringLiteral("Name, ") + QString::fromStdString(second);
  ASSERT_NO_FATAL_FAILURE(write(name, QStringLiteral("plain  Störung")));
  key(Qt::Key_Escape);
  const std::string method = lane_title(second, now().lanes[1].info);
  EXPECT_TRUE(eventually([&] { return read(name).toStdString() == method; })) << "it has no name";
  ASSERT_NO_FATAL_FAILURE(write(name, {}));
  ASSERT_NO_FATAL_FAILURE(write(name, QStringLiteral("other")));
  key(Qt::Key_Return);
  EXPECT_TRUE(eventually([&] { return now().after_rewind->lanes[1].name == "other"; }));

  key(Qt::Key_Space);
  ASSERT_TRUE(eventually([&] { return now().steps > 100; }));
  key(Qt::Key_Space);
  ASSERT_NO_FATAL_FAILURE(write(QStringLiteral("Time [s]"), QStringLiteral("0.25")));
  key(Qt::Key_Return);
  EXPECT_TRUE(eventually([&] { return std::abs(window_->run().shown().t - 0.25) < 0.011; }));
}

TEST_F(AccessiblePanels, TheFocusFollowsTab) {
  view().setFocus();
  for (const char16_t* name : {u"Mass m₁ [kg]", u"Mass m₂ [kg]"}) {
    key(Qt::Key_Tab);
    EXPECT_TRUE(eventually([&] {
      QAccessibleInterface* const focused = panels()->focusChild();
      return focused && focused->text(QAccessible::Name) == QString::fromUtf16(name);
    }));
  }
}

TEST_F(AccessiblePanels, KeysPressWhatHasTheFocus) {
  view().setFocus();
  const auto focused = [&] {
    QAccessibleInterface* const child = panels()->focusChild();
    return child && child != panels() ? child->text(QAccessible::Name) : QString();
  };
  // From the first field back to the list of the presets, the first widget.
  key(Qt::Key_Tab);
  const QString preset = QStringLiteral("Preset");
  for (int i = 0; i < 20 && focused() != preset; ++i) {
    const QString before = focused();
    key(Qt::Key_Backtab, Qt::ShiftModifier);
    ASSERT_TRUE(eventually([&] { return focused() != before; }));
  }
  ASSERT_EQ(focused(), preset);
  key(Qt::Key_Space);
  const auto first_of_list = [&] { return !focused().isEmpty() && focused() != preset; };
  ASSERT_TRUE(eventually(first_of_list));
  const QString first = focused();
  key(Qt::Key_Down);
  ASSERT_TRUE(eventually([&] { return focused() != first; }));
  EXPECT_EQ(now().state, RunState::paused) << "Space belongs to the focus";
  key(Qt::Key_Return);
  ASSERT_TRUE(eventually([&] { return now().generation > 1; }));
  key(Qt::Key_Escape);
  EXPECT_TRUE(eventually([&] { return focused().isEmpty(); }));
  key(Qt::Key_Space);
  EXPECT_TRUE(eventually([&] { return now().state == RunState::running; }));
}

TEST_F(AccessiblePanels, APresetIsOpenedFromItsPage) {
  view().setFocus();
  key(Qt::Key_N, Qt::ControlModifier);
  const QString name = QStringLiteral("Three bodies on a sphere");
  QAccessibleInterface* const card = wait_for(name, QAccessible::ListItem);
  ASSERT_TRUE(card);
  EXPECT_FALSE(find(QStringLiteral("Gravity g [m/s²]"), QAccessible::SpinBox));
  key(Qt::Key_Right);
  EXPECT_TRUE(eventually([&] { return panels()->focusChild() == card; }));
  press(card);
  EXPECT_TRUE(eventually([&] { return now().system->size() == 3; }));
}

TEST_F(AccessiblePanels, NothingIsCollectedWithoutAReader) {
  QAccessible::setActive(false);
  wait_until_drawn();
  EXPECT_TRUE(view().interface().spoken().empty());
}

}  // namespace
}  // namespace twosphere::accessible_panels_test
