// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures saved from the window.
#include "app/dialogs/picture_dialog.h"

#include <QComboBox>
#include <QPushButton>
#include <QSpinBox>

#include "app/dialogs/frame_view.h"
#include "tests/app/window_fixture.h"

namespace twosphere::picture_dialog_test {
namespace {

using namespace test;

class SavePicture : public Window {
 protected:
  PictureDialog* ask() { return Window::ask<PictureDialog>(Qt::Key_P); }
  template <class Widget>
  static Widget& part(QDialog* in, const char* name) {
    return *in->findChild<Widget*>(QLatin1String(name));
  }
  QImage saved_as(const char* name) {
    write_to(in_folder(name));
    return QImage(in_folder(name), "PNG");
  }
};

TEST_F(SavePicture, OfTheWindowAsItIs) {
  const QSize size = picture().size();
  auto* asked = ask();
  EXPECT_FALSE(part<QComboBox>(asked, "content").isEnabled());
  QTest::keyClick(asked, Qt::Key_Return);
  EXPECT_EQ(saved_as("window.png").size(), size);
}

TEST_F(SavePicture, OfTheSceneAndPlotsAsItIsShown) {
  run_for(20);
  auto* asked = ask();
  part<QComboBox>(asked, "what").setCurrentIndex(1);
  part<QComboBox>(asked, "content").setCurrentIndex(1);
  part<QSpinBox>(asked, "width").setValue(800);
  part<QSpinBox>(asked, "height").setValue(480);
  auto* shown = asked->findChild<FrameView*>();
  ASSERT_TRUE(shown);
  ASSERT_TRUE(eventually([&] { return shown->frame().size() == QSize(800, 480); }));
  const QImage frame = shown->frame().convertToFormat(QImage::Format_RGB32);
  QTest::mouseClick(&part<QPushButton>(asked, "save"), Qt::LeftButton);
  EXPECT_EQ(saved_as("frame.png").convertToFormat(QImage::Format_RGB32), frame);
}

TEST_F(SavePicture, SaysHowLargeAFrameWithPlotsHasToBe) {
  auto* asked = ask();
  part<QComboBox>(asked, "what").setCurrentIndex(1);
  part<QComboBox>(asked, "content").setCurrentIndex(1);
  part<QSpinBox>(asked, "width").setValue(320);
  EXPECT_FALSE(part<QPushButton>(asked, "save").isEnabled());
  EXPECT_TRUE(part<QLabel>(asked, "facts").text().contains(QLatin1String("640")));
  part<QSpinBox>(asked, "width").setValue(640);
  EXPECT_TRUE(part<QPushButton>(asked, "save").isEnabled());
  QTest::keyClick(asked, Qt::Key_Escape);
}

}  // namespace
}  // namespace twosphere::picture_dialog_test
