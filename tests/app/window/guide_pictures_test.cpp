// SPDX-License-Identifier: GPL-3.0-or-later
// The pictures of the window in the README and the user guide, made as a user makes what they show.
// With TWOSPHERE_UPDATE=1 they are drawn anew; otherwise those in the tree must still look like the
// window.
#include <QListWidget>

#include "app/dialogs/section_dialog.h"
#include "app/dialogs/section_view.h"
#include "core/scenario/live_edit.h"
#include "core/scenario/writer.h"
#include "tests/app/window_fixture.h"
#include "tests/documents.h"
#include "tests/outcome.h"
#include "tests/runs.h"

namespace twosphere::guide_pictures_test {
namespace {

using namespace test;

/// Other fonts and drivers change this share of the pixels at most.
constexpr double largest_difference = 0.2;

struct GuidePictures : Window {
  void SetUp() override {
    ASSERT_TRUE(folder_.isValid());
    qputenv("XDG_CONFIG_HOME", folder_.filePath(QStringLiteral("config")).toUtf8());
    qputenv("XDG_DATA_HOME", folder_.filePath(QStringLiteral("data")).toUtf8());
  }
  /// Opens a preset, with lanes of these integrators if any are given.
  void open(std::string_view key, const std::vector<std::string>& integrators = {}) {
    const auto original = test::preset(key);
    auto scenario = value_of(with_settings(original, integrator_settings(original, integrators)));
    window_ = std::make_unique<MainWindow>(value_of(Simulation::create(std::move(scenario))));
    window_->resize(1280, 800);
    window_->show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(window_.get(), patience));
    QApplication::setActiveWindow(window_.get());
    wait_until_drawn();
  }
  void take(std::int64_t steps) {
    const auto number = window_->run().send(TakeSteps{steps});
    ASSERT_TRUE(eventually([&] { return now().commands >= number; }));
    wait_until_drawn();
  }
  QWidget* open_dialog(const char* action, const char* name) {
    window_->findChild<QAction*>(QLatin1String(action))->trigger();
    QWidget* found = nullptr;
    EXPECT_TRUE(eventually([&] {
      found = window_->findChild<QWidget*>(QLatin1String(name));
      return found && found->isVisible();
    }));
    return found;
  }
  void compare(QWidget& widget, const char* name) {
    move(scene_point(0.5, 0.02));  // the mouse marks nothing
    QTest::qWait(300);
    wait_until_drawn();
    const QImage drawn = widget.grab().toImage().convertToFormat(QImage::Format_RGB32);
    const QString path =
        QStringLiteral(TWOSPHERE_SOURCE_DIR "/resources/pictures/%1.png").arg(QLatin1String(name));
    if (updating()) {
      ASSERT_TRUE(drawn.save(path)) << name;
      return;
    }
    const QImage kept = QImage(path).convertToFormat(QImage::Format_RGB32);
    ASSERT_EQ(kept.size(), drawn.size()) << name << ": TWOSPHERE_UPDATE=1 draws it anew";
    const ui::Rect all{0, 0, static_cast<float>(kept.width()), static_cast<float>(kept.height())};
    EXPECT_LT(changed(kept, drawn, all), largest_difference)
        << name << ".png shows another window; TWOSPHERE_UPDATE=1 draws it anew";
  }
};

TEST_F(GuidePictures, TwoMethodsSideBySide) {
  open("pendulum_network", {"variational", "rk45"});
  take(1200);
  compare(*window_, "window");
}

TEST_F(GuidePictures, SeveralFutures) {
  open("three_body");
  take(600);
  for (const double attraction : {1.15, 1.3}) {
    window_->run().show(320);
    ASSERT_TRUE(eventually([&] {
      window_->run().update();
      return window_->run().exact();
    }));
    window_->run().send(Change{{{"system.gamma", attraction}}});
    ASSERT_TRUE(eventually([&] { return now().steps == 320 && !window_->run().is_switching(); }));
    take(200);
  }
  compare(*window_, "futures");
}

TEST_F(GuidePictures, ASystemAsText) {
  open("custom/magnetic_pendulum");
  take(400);
  QWidget* const dialog = open_dialog("system_as_text", "system_dialog");
  auto* apply = dialog->findChild<QPushButton*>(QStringLiteral("apply"));
  ASSERT_TRUE(eventually([&] { return apply->isEnabled(); }));
  compare(*dialog, "system_as_text");
}

TEST_F(GuidePictures, ASection) {
  open("conformal_particle");
  window_->run().send(Change{{{"duration", 2000.0}}});
  open_dialog("poincare_section", "section_dialog");
  take(40'000);
  auto* dialog = window_->findChild<SectionDialog*>();
  ASSERT_TRUE(dialog);
  ASSERT_TRUE(eventually([&] { return now().steps >= 40'000 && dialog->complete(); }));
  auto* picture = dialog->findChild<SectionView*>();
  auto* orbits = dialog->findChild<QListWidget*>();
  for (const double across : {0.4, 0.5, 0.74, 0.82}) {
    const int before = orbits->count();
    QTest::mouseClick(picture, Qt::LeftButton, {},
                      QPointF(across * picture->width(), 0.47 * picture->height()).toPoint());
    ASSERT_TRUE(eventually([&] { return orbits->count() == before + 1; })) << across;
  }
  const QString full = QStringLiteral(": 500 points");
  ASSERT_TRUE(eventually([&] { return orbits->findItems(full, Qt::MatchContains).size() == 4; }));
  compare(*dialog, "section");
}

}  // namespace
}  // namespace twosphere::guide_pictures_test
