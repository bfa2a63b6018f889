// SPDX-License-Identifier: GPL-3.0-or-later
// Text from files and names is shown as it is, though it looks like HTML.
#include "app/base/labels.h"

#include <gtest/gtest.h>

#include <QCoreApplication>
#include <QEvent>
#include <QLabel>
#include <QPointer>
#include <QPushButton>
#include <QTest>
#include <memory>

namespace twosphere::test::labels_test {
namespace {

const QString markup = QStringLiteral("<b>wide</b> & <img src='file:///dev/zero'>");

TEST(Labels, ShowMarkupAsItIs) {
  const std::unique_ptr<QLabel> label(plain_label(markup));
  EXPECT_EQ(label->textFormat(), Qt::PlainText);
  EXPECT_EQ(label->text(), markup);
  EXPECT_GE(label->sizeHint().width(), label->fontMetrics().horizontalAdvance(markup));
}

TEST(Labels, TipsShowMarkupAsItIs) {
  const QString plain = QStringLiteral("1 < 2 & a\nb");
  EXPECT_EQ(plain_tip(plain), plain);
  const QString shown = plain_tip(markup);
  EXPECT_TRUE(shown.contains(QLatin1String("&lt;img src="))) << shown.toStdString();
  EXPECT_TRUE(shown.contains(QLatin1String(" &amp; "))) << shown.toStdString();
  EXPECT_FALSE(shown.contains(QLatin1String("<img"))) << shown.toStdString();
}

TEST(Labels, MessagesShowMarkupAsItIs) {
  const QPointer<QMessageBox> box = message_box(
      nullptr, QMessageBox::Warning, QStringLiteral("title"), markup, markup, QMessageBox::Close);
  for (const QString& shown : {box->text(), box->informativeText()}) {
    EXPECT_TRUE(shown.contains(QLatin1String("&lt;img src="))) << shown.toStdString();
    EXPECT_FALSE(shown.contains(QLatin1String("<img"))) << shown.toStdString();
  }
  box->show();
  box->close();
  QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
  EXPECT_FALSE(box);
}

// Return cancels a question whose other answer discards something.
TEST(Labels, AQuestionIsNotAnsweredByReturn) {
  const std::unique_ptr<QMessageBox> box(message_box(nullptr, QMessageBox::Question,
                                                     QStringLiteral("title"), markup, markup,
                                                     QMessageBox::Cancel));
  auto* discard = box->addButton(QStringLiteral("&Discard"), QMessageBox::DestructiveRole);
  box->setAttribute(Qt::WA_DeleteOnClose, false);
  box->show();
  QTest::keyClick(box.get(), Qt::Key_Return);
  EXPECT_EQ(box->clickedButton(), box->button(QMessageBox::Cancel));
  EXPECT_NE(box->clickedButton(), discard);
}

}  // namespace
}  // namespace twosphere::test::labels_test
