// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dialogs/text_editor.h"

#include <gtest/gtest.h>

#include <QListWidget>
#include <QTest>

namespace twosphere::test::text_editor_test {
namespace {

// Without a thread that prepares the names: before any other event is handled.
TEST(TextEditor, CompletesNamesAndFunctionsAtOnce) {
  TextEditor editor(QStringLiteral("text"), QStringLiteral("Text"));
  editor.show();
  ASSERT_TRUE(QTest::qWaitForWindowExposed(&editor));
  editor.focusProxy()->setFocus();
  const auto offered = [&](const char* typed) {
    editor.set_text({});
    QTest::keyClicks(editor.focusProxy(), QLatin1String(typed));
    QStringList words;
    for (const QListWidget* list : editor.findChildren<QListWidget*>())
      for (int i = 0; i < list->count(); ++i) words.append(list->item(i)->text());
    QTest::keyClick(editor.focusProxy(), Qt::Key_Escape);
    return words;
  };
  editor.set_names({QStringLiteral("stiffness"), QStringLiteral("steps"), QStringLiteral("norm")});
  EXPECT_EQ(offered("st"), (QStringList{QStringLiteral("steps"), QStringLiteral("stiffness")}));
  EXPECT_EQ(offered("no"), QStringList{QStringLiteral("norm")}) << "a function, too, but once";
  EXPECT_EQ(offered("s"), QStringList{}) << "from two letters on";
  EXPECT_EQ(offered("St"), QStringList{});
  editor.set_names({});
  EXPECT_EQ(offered("st"), QStringList{});
  EXPECT_EQ(offered("ang"), QStringList{QStringLiteral("angle")});
}

}  // namespace
}  // namespace twosphere::test::text_editor_test
