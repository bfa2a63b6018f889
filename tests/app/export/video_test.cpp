// SPDX-License-Identifier: GPL-3.0-or-later
// Videos recorded from the window.
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QPushButton>
#include <QScreen>
#include <QScrollArea>
#include <QScrollBar>
#include <QSpinBox>
#include <QToolBar>
#include <QToolButton>

#include "app/base/check_box_style.h"
#include "app/dialogs/frame_view.h"
#include "app/dialogs/video_dialog.h"
#include "app/export/video_bar.h"
#include "app/window/theme.h"
#include "core/scenario/writer.h"
#include "tests/app/window_fixture.h"
#include "tests/outcome.h"
#include "tests/runs.h"

namespace twosphere::video_test {
namespace {

using namespace test;

constexpr qint64 raw_frame = 64 * 40 * 4;

class RecordVideo : public Window {
 protected:
  void SetUp() override {
    default_path_ = qgetenv("PATH");
    qputenv("PATH", folder_.filePath(QStringLiteral("bin")).toUtf8());
    QDir(folder_.path()).mkdir(QStringLiteral("bin"));
    Window::SetUp();
  }
  void TearDown() override {
    Window::TearDown();
    qputenv("PATH", default_path_);
  }

  /// What is found as ffmpeg.
  void put_ffmpeg(const QByteArray& script) {
    QFile file(in_folder("bin/ffmpeg"));
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write("#!/bin/sh\n" + script);
    file.close();
    ASSERT_TRUE(file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
  }
  void put_copying_ffmpeg() { put_ffmpeg("for last; do :; done\nexec /bin/cat > \"$last\"\n"); }

  VideoDialog* ask() { return Window::ask<VideoDialog>(Qt::Key_R); }
  template <class Box>
  static void enter(QDialog* in, const char* name, const char* value) {
    auto* box = in->findChild<Box*>(QLatin1String(name));
    ASSERT_TRUE(box) << name;
    box->setFocus();
    box->selectAll();
    QTest::keyClicks(box, QLatin1String(value));
    QTest::keyClick(box, Qt::Key_Tab);
  }
  /// The frames of run.json up to a time, in the folder "command", by the program.
  void video_by_command(const QByteArray& length, const char* size = "64x40",
                        const QStringList& more = {}) {
    QProcess program;
    program.setWorkingDirectory(folder_.path());
    program.start(QStringLiteral(TWOSPHERE_PROGRAM),
                  QStringList{"render", "run.json", "--film", "command/", "--size",
                              QLatin1String(size), "--to", QString::fromLatin1(length)} +
                      more);
    ASSERT_TRUE(program.waitForFinished(patience));
    ASSERT_EQ(program.exitCode(), 0) << program.readAllStandardError().toStdString();
  }
  void record(const char* to, const char* path) {
    auto* asked = ask();
    enter<QDoubleSpinBox>(asked, "to", to);
    enter<QSpinBox>(asked, "width", "64");
    enter<QSpinBox>(asked, "height", "40");
    QTest::keyClick(asked, Qt::Key_Return);
    auto* chooser = dialog<QFileDialog>();
    chooser->setOption(QFileDialog::DontConfirmOverwrite);
    enter_path(in_folder(path));
  }
  VideoBar& bar() { return *window_->findChild<VideoBar*>(); }
  void press(const char* action) {
    auto* button = qobject_cast<QToolButton*>(
        bar().widgetForAction(bar().findChild<QAction*>(QLatin1String(action))));
    ASSERT_TRUE(button);
    QTest::mouseClick(button, Qt::LeftButton);
  }
  bool done() {
    return eventually([this] { return !bar().recording(); });
  }
  QStringList files(const QString& folder) {
    return QDir(folder).entryList(QDir::Files | QDir::Hidden, QDir::Name);
  }

  QByteArray default_path_;
};

TEST_F(RecordVideo, NoFieldIsBelowTheEdgeOfTheDialog) {
  auto* asked = ask();
  const auto* column = asked->findChild<QScrollArea*>();
  ASSERT_TRUE(column);
  EXPECT_EQ(column->sizeHint().height(), column->widget()->sizeHint().height());
  // A dialog has two thirds of the screen at most when it opens.
  if (3 * asked->sizeHint().height() <= 2 * asked->screen()->availableGeometry().height()) {
    EXPECT_EQ(column->verticalScrollBar()->maximum(), 0);
  }
  QTest::keyClick(asked, Qt::Key_Escape);
}

// Lanes of h = 0.001 s and 0.01 s: the run's clock is that of the larger.
TEST_F(RecordVideo, BeginsWhereALoadedStateOfTwoStepsIs) {
  window_.reset();
  auto scenario = test::preset();
  LaneSpec lane = scenario.lanes[0];
  lane.step = 0.001;
  lane.name = "fine";
  scenario.lanes[0].step = 0.01;
  scenario.lanes.insert(scenario.lanes.begin(), lane);
  auto before = test::value_of(Simulation::create(scenario));
  for (int i = 0; i < 100; ++i) ASSERT_FALSE(before.step());
  auto loaded = test::value_of(Simulation::create(before.continuation()));
  ASSERT_NEAR(loaded.time(), 1, 1e-9);
  open_window(std::move(loaded));
  auto* asked = ask();
  EXPECT_NEAR(asked->findChild<QDoubleSpinBox*>(QStringLiteral("from"))->value(), 1, 1e-9);
  QTest::keyClick(asked, Qt::Key_Escape);
}

TEST_F(RecordVideo, RepeatsWhatTheUserDidFrameByFrame) {
  run_for(20);
  type("parameter/gravity", QStringLiteral("1.62"));
  run_for(20);
  const auto steps = now().steps;
  const QByteArray length = QByteArray::number(now().t, 'f', 2);
  auto* asked = ask();
  const auto* missing = asked->findChild<QLabel*>(QStringLiteral("no_ffmpeg"));
  const auto* format = asked->findChild<QComboBox*>(QStringLiteral("format"));
  ASSERT_TRUE(missing && format);
  EXPECT_EQ(format->count(), 1);
  EXPECT_GT(missing->y(), format->y());
  EXPECT_LT(missing->y(), asked->findChild<QDoubleSpinBox*>(QStringLiteral("from"))->y())
      << "where the format is chosen, in sight without scrolling";
  EXPECT_NEAR(asked->findChild<QDoubleSpinBox*>(QStringLiteral("to"))->value(), now().t, 1e-6);
  enter<QSpinBox>(asked, "width", "64");
  enter<QSpinBox>(asked, "height", "40");
  QTest::keyClick(asked, Qt::Key_Return);
  enter_path(in_folder("window"));
  ASSERT_TRUE(done());
  EXPECT_EQ(now().steps, steps) << "the window's run is as it was";
  EXPECT_FALSE(bar().isVisible());

  key(Qt::Key_S, Qt::ControlModifier);
  write_to(in_folder("run.json"));
  ASSERT_NO_FATAL_FAILURE(video_by_command(length));
  const QStringList frames = files(in_folder("command"));
  ASSERT_GE(frames.size(), 10);
  EXPECT_EQ(files(in_folder("window")), frames);
  for (const QString& frame : frames)
    EXPECT_TRUE(contents(in_folder("window") + QLatin1Char('/') + frame) ==
                contents(in_folder("command") + QLatin1Char('/') + frame))
        << frame.toStdString();
}

TEST_F(RecordVideo, ComposedFramesAreThoseOfTheCommand) {
  run_for(20);
  const QByteArray length = QByteArray::number(now().t, 'f', 2);
  auto* asked = ask();
  enter<QSpinBox>(asked, "width", "640");
  enter<QSpinBox>(asked, "height", "360");
  asked->findChild<QComboBox*>(QStringLiteral("content"))->setCurrentIndex(1);
  asked->findChild<QCheckBox*>(QStringLiteral("time_label"))->setChecked(true);
  // One true frame, and how long all take.
  auto* facts = asked->findChild<QLabel*>(QStringLiteral("facts"));
  ASSERT_TRUE(facts);
  EXPECT_TRUE(eventually([&] { return facts->text().contains(QLatin1String(" s to draw")); }))
      << facts->text().toStdString();
  const QImage& frame = asked->findChild<FrameView*>()->frame();
  EXPECT_EQ(frame.size(), QSize(640, 360));
  QTest::mouseClick(asked->findChild<QPushButton*>(QStringLiteral("record")), Qt::LeftButton);
  enter_path(in_folder("window"));
  ASSERT_TRUE(done());
  key(Qt::Key_S, Qt::ControlModifier);
  write_to(in_folder("run.json"));
  ASSERT_NO_FATAL_FAILURE(
      video_by_command(length, "640x360", {"--compose", "scene+plots", "--time-label"}));
  const QStringList frames = files(in_folder("command"));
  ASSERT_GE(frames.size(), 5);
  EXPECT_EQ(files(in_folder("window")), frames);
  for (const QString& name : frames)
    EXPECT_TRUE(contents(in_folder("window/") + name) == contents(in_folder("command/") + name))
        << name.toStdString();
}

TEST_F(RecordVideo, RecordsAnotherRunBackwards) {
  run_for(30);
  const int first = window_->run().present_branch();
  window_->run().show(15);
  ASSERT_TRUE(eventually([this] {
    window_->run().update();
    return window_->run().exact();
  }));
  type("parameter/gravity", QStringLiteral("1.62"));
  ASSERT_TRUE(eventually([&] {
    (void)now();
    return window_->run().present_branch() != first;
  }));
  run_for(40);
  const Branch& other = window_->run().branches().front();
  ASSERT_EQ(other.id, first);
  const double left = other.checkpoints->newest()->clock.elapsed();
  auto* asked = ask();
  auto* runs = asked->findChild<QComboBox*>(QStringLiteral("run"));
  auto* to = asked->findChild<QDoubleSpinBox*>(QStringLiteral("to"));
  ASSERT_TRUE(runs && to);
  ASSERT_EQ(runs->count(), 2);
  EXPECT_EQ(runs->currentText(), QStringLiteral("run 2 (present)"));
  EXPECT_NEAR(to->value(), now().t, 1e-6);
  runs->setFocus();
  QTest::keyClick(runs, Qt::Key_Up);
  EXPECT_EQ(runs->currentText(), QStringLiteral("run 1"));
  EXPECT_NEAR(to->value(), left, 1e-6);
  auto* backwards = asked->findChild<QCheckBox*>(QStringLiteral("backwards"));
  ASSERT_TRUE(backwards);
  QTest::mouseClick(backwards, Qt::LeftButton, {}, QPoint(8, backwards->height() / 2));
  enter<QSpinBox>(asked, "width", "64");
  enter<QSpinBox>(asked, "height", "40");
  const QByteArray length = QByteArray::number(to->value(), 'f', 6);
  QTest::keyClick(asked, Qt::Key_Return);
  enter_path(in_folder("window"));
  ASSERT_TRUE(done());

  QFile file(in_folder("run.json"));
  ASSERT_TRUE(file.open(QIODevice::WriteOnly));
  file.write(QByteArray::fromStdString(write_scenario(*other.record)));
  file.close();
  ASSERT_NO_FATAL_FAILURE(video_by_command(length));
  const QStringList frames = files(in_folder("command"));
  ASSERT_GE(frames.size(), 9);
  ASSERT_EQ(files(in_folder("window")), frames);
  for (qsizetype k = 0; k < frames.size(); ++k)
    EXPECT_TRUE(contents(in_folder("window/") + frames[k]) ==
                contents(in_folder("command/") + frames[frames.size() - 1 - k]))
        << k;
}

TEST_F(RecordVideo, FollowsABodyBeforeNothing) {
  key(Qt::Key_J);
  key(Qt::Key_J);  // the second body
  auto* asked = ask();
  auto* follow = asked->findChild<QSpinBox*>(QStringLiteral("follow"));
  EXPECT_EQ(follow->value(), 2);
  EXPECT_EQ(follow->maximum(), 2);
  auto* transparent = asked->findChild<QCheckBox*>(QStringLiteral("transparent"));
  EXPECT_TRUE(transparent->isEnabled()) << "PNG frames can be";
  QTest::mouseClick(transparent, Qt::LeftButton, {}, QPoint(8, transparent->height() / 2));
  EXPECT_TRUE(transparent->isChecked());
  enter<QDoubleSpinBox>(asked, "to", "1");
  enter<QDoubleSpinBox>(asked, "rate", "4");
  enter<QSpinBox>(asked, "width", "64");
  enter<QSpinBox>(asked, "height", "40");
  QTest::keyClick(asked, Qt::Key_Return);
  enter_path(in_folder("frames"));
  ASSERT_TRUE(done());
  const QStringList frames = files(in_folder("frames"));
  ASSERT_EQ(frames.size(), 5);
  for (const QString& frame : frames) {
    const QImage image(in_folder("frames/") + frame);
    ASSERT_EQ(image.size(), QSize(64, 40));
    EXPECT_EQ(qAlpha(image.pixel(1, 1)), 0) << "nothing behind";
    EXPECT_GT(qAlpha(image.pixel(32, 20)), 120) << "the body stays in the middle";
  }
}

TEST_F(RecordVideo, TheWindowGoesOnMeanwhile) {
  put_copying_ffmpeg();
  record("1000", "film.mp4");
  ASSERT_TRUE(bar().recording());
  EXPECT_TRUE(bar().isVisible());
  EXPECT_FALSE(window_->findChild<QAction*>(QStringLiteral("record_film"))->isEnabled());
  run_for(20);
  ASSERT_TRUE(bar().recording());
  press("film_finish");
  ASSERT_TRUE(done());
  EXPECT_EQ(files(folder_.path()), QStringList{QStringLiteral("film.mp4")});
  const qint64 size = QFileInfo(in_folder("film.mp4")).size();
  EXPECT_GT(size, 0);
  EXPECT_EQ(size % raw_frame, 0) << "whole frames";
  EXPECT_TRUE(window_->statusBar()->currentMessage().contains(
      QStringLiteral("video of %1 frames").arg(size / raw_frame)))
      << window_->statusBar()->currentMessage().toStdString();
  EXPECT_TRUE(window_->findChild<QAction*>(QStringLiteral("record_film"))->isEnabled());
}

TEST_F(RecordVideo, CancellingLeavesNothing) {
  put_copying_ffmpeg();
  record("1000", "film.mp4");
  run_for(5);
  press("film_cancel");
  ASSERT_TRUE(done());
  EXPECT_TRUE(files(folder_.path()).isEmpty());

  // So does closing the window, which asks.
  record("1000", "film.mp4");
  ASSERT_TRUE(bar().recording());
  key(Qt::Key_Q, Qt::ControlModifier);
  auto* box = dialog<QMessageBox>();
  QTest::mouseClick(box->button(QMessageBox::Cancel), Qt::LeftButton);
  ASSERT_TRUE(eventually([] { return QApplication::activeModalWidget() == nullptr; }));
  EXPECT_TRUE(bar().recording());
  window_->close();
  box = dialog<QMessageBox>();
  QTest::mouseClick(box->findChild<QPushButton*>(QStringLiteral("drop_work")), Qt::LeftButton);
  EXPECT_TRUE(eventually([&] { return !window_->isVisible(); }));
  window_.reset();
  EXPECT_TRUE(files(folder_.path()).isEmpty());
}

TEST_F(RecordVideo, AnFfmpegThatFailsLeavesTheOldVideo) {
  put_ffmpeg("echo 'No space left on device' >&2; exit 1");
  QFile old(in_folder("film.mp4"));
  ASSERT_TRUE(old.open(QIODevice::WriteOnly));
  old.write("old");
  old.close();
  record("1", "film.mp4");
  const QString message = dismiss();
  EXPECT_TRUE(message.contains(QLatin1String("film.mp4: ffmpeg failed: No space left")))
      << message.toStdString();
  EXPECT_EQ(contents(in_folder("film.mp4")), "old");
  EXPECT_EQ(files(folder_.path()).size(), 1);
}

TEST_F(RecordVideo, RemembersWhatWasChosenAndSaysWhatCannotBe) {
  put_copying_ffmpeg();
  auto* asked = ask();
  EXPECT_FALSE(asked->findChild<QLabel*>(QStringLiteral("no_ffmpeg")));
  EXPECT_FALSE(asked->findChild<QCheckBox*>(QStringLiteral("transparent"))->isEnabled())
      << "an MP4 cannot be";
  auto* button = asked->findChild<QPushButton*>(QStringLiteral("record"));
  auto* facts = asked->findChild<QLabel*>(QStringLiteral("facts"));
  enter<QDoubleSpinBox>(asked, "to", "2");
  EXPECT_EQ(facts->text(), QLatin1String("61 frames, 2.03 s of video"));
  enter<QDoubleSpinBox>(asked, "speed", "0.5");
  EXPECT_EQ(facts->text(), QLatin1String("121 frames, 4.03 s of video"));
  enter<QSpinBox>(asked, "width", "641");
  EXPECT_FALSE(button->isEnabled());
  EXPECT_EQ(facts->text(), QLatin1String("Width and height must be even"));
  enter<QSpinBox>(asked, "width", "640");
  enter<QDoubleSpinBox>(asked, "from", "3");
  EXPECT_FALSE(button->isEnabled());
  enter<QDoubleSpinBox>(asked, "from", "1");
  EXPECT_TRUE(button->isEnabled());
  QTest::keyClick(asked, Qt::Key_Return);
  auto* chooser = dialog<QFileDialog>();
  QTest::keyClick(chooser, Qt::Key_Escape);
  ASSERT_TRUE(eventually([] { return QApplication::activeModalWidget() == nullptr; }));
  activate();
  QTest::keyClick(&view(), Qt::Key_Q, Qt::ControlModifier);
  ASSERT_TRUE(eventually([&] { return !window_->isVisible(); }));
  window_.reset();
  open_window();
  asked = ask();
  EXPECT_EQ(asked->findChild<QSpinBox*>(QStringLiteral("width"))->value(), 640);
  EXPECT_EQ(asked->findChild<QDoubleSpinBox*>(QStringLiteral("speed"))->value(), 0.5);
  QTest::keyClick(asked, Qt::Key_Escape);
  EXPECT_TRUE(eventually([] { return QApplication::activeModalWidget() == nullptr; }));
}

double luminance(QRgb pixel) {
  const auto linear = [](int level) {
    const double c = level / 255.0;
    return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(qRed(pixel)) + 0.7152 * linear(qGreen(pixel)) +
         0.0722 * linear(qBlue(pixel));
}

double contrast(QRgb a, QRgb b) {
  const double x = luminance(a) + 0.05, y = luminance(b) + 0.05;
  return x > y ? x / y : y / x;
}

TEST(CheckBoxes, AreSeenInEveryPalette) {
  CheckBoxStyle style;
  for (const Palette palette : palettes) {
    QCheckBox box;
    box.setStyle(&style);
    box.setPalette(widget_palette(palette));
    box.resize(30, 30);
    for (const bool checked : {false, true}) {
      box.setChecked(checked);
      const QImage image = box.grab().toImage();
      const QRgb ground = image.pixel(28, 2);
      double best = 1;
      for (int x = 0; x < 20; ++x) best = std::max(best, contrast(image.pixel(x, 15), ground));
      EXPECT_GT(best, 3) << key(palette) << checked;
    }
  }
}

}  // namespace
}  // namespace twosphere::video_test
