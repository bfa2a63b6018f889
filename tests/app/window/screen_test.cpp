// SPDX-License-Identifier: GPL-3.0-or-later
// The window on screens of which one logical pixel covers more than one, also if that changes.
#include <cmath>

#include "tests/app/screen_settings.h"
#include "tests/app/window_fixture.h"
#include "ui/shell/interface_colors.h"

namespace twosphere {
namespace {

using namespace test;

constexpr int plain = 96;  // dots per inch, of which a logical pixel covers one

ScreenSettings& screen() {
  static ScreenSettings settings;
  return settings;
}

struct Screen : Window {
  void SetUp() override {
    set_ratio(1.5);
    Window::SetUp();
    ASSERT_DOUBLE_EQ(view().devicePixelRatioF(), 1.5);
  }
  ~Screen() override {
    window_.reset();
    set_ratio(1);
  }
  void set_ratio(double ratio) {
    screen().set_dots_per_inch(static_cast<int>(std::lround(ratio * plain)));
    EXPECT_TRUE(eventually([&] { return qGuiApp->devicePixelRatio() == ratio; }));
  }
  QSize pixels() {
    return {static_cast<int>(std::lround(view().width() * view().devicePixelRatioF())),
            static_cast<int>(std::lround(view().height() * view().devicePixelRatioF()))};
  }
};

TEST_F(Screen, DrawsEveryPixel) {
  for (const QSize size : {QSize(1280, 780), QSize(1101, 703)}) {
    window_->resize(size);
    ASSERT_TRUE(eventually([&] { return window_->size() == size; }));
    const QImage image = picture();
    EXPECT_EQ(image.size(), pixels());
    // The columns are as wide as they are on any screen, and reach the edges.
    const ui::Rect left = rect("left"), right = rect("right");
    EXPECT_NEAR(left.width, 300, 0.5);
    EXPECT_NEAR(right.x + right.width, view().width(), 0.5);
    const ui::Colors& c = ui::colors(view().interface().settings().palette);
    EXPECT_EQ(image.pixel(image.width() - 2, 2) & 0xffffff, c.panel.rgb);
    EXPECT_EQ(image.pixel(image.width() - 2, image.height() - 2) & 0xffffff, c.panel.rgb);
  }
}

TEST_F(Screen, TheMouseMeetsTheWidgets) {
  EXPECT_TRUE(
      after_click_entry("preset", "chain_pendulum", [&] { return now().system->size() == 10; }));
  EXPECT_TRUE(
      after_click_entry("integrator", "rk4", [&] { return now().lanes[0].info->key == "rk4"; }));
  EXPECT_TRUE(after_type("parameter/gravity", QStringLiteral("3.25"), [&] {
    return gravity() == 3.25;
  })) << gravity();
  const QPoint from = middle("parameter/gravity");
  drag(from, from + QPoint(40, 0));
  EXPECT_TRUE(eventually([&] { return gravity() > 3.25; })) << gravity();
  const QPoint edge(static_cast<int>(scene().x), view().height() / 2);
  const float width = view().interface().settings().left_width;
  drag(edge, edge + QPoint(40, 0));
  EXPECT_NEAR(view().interface().settings().left_width, width + 40, 6);
}

TEST_F(Screen, TheMouseSteersTheSceneAndThePlots) {
  run_for(50);
  const ui::Rect area = scene(), column{0, 0, area.x - 1, area.height};
  const QImage before = picture();
  drag(scene_point(0.3, 0.3), scene_point(0.5, 0.4), Qt::RightButton);
  const QImage panned = picture();
  EXPECT_GT(changed(before, panned, area), 0.005);
  EXPECT_EQ(changed(before, panned, column), 0) << "the columns stay";
  wheel(middle(energies_plot), 4);
  EXPECT_GT(changed(panned, picture(), rect(energies_plot)), 0.002);
}

TEST_F(Screen, FollowsAChangeOfTheScreen) {
  run_for(30);
  move(scene_point(0.9, 0.9));
  const QImage before = picture();
  const QSize size = window_->size();
  const ui::Rect play = rect("play"), field = rect("parameter/gravity");
  key(Qt::Key_Space);
  for (const double ratio : {1.0, 2.0, 1.25, 1.5}) {
    set_ratio(ratio);
    ASSERT_TRUE(eventually([&] { return view().devicePixelRatioF() == ratio; }));
    window_->resize(size);
    ASSERT_TRUE(eventually([&] { return window_->size() == size; }));
    EXPECT_EQ(picture().size(), pixels());
    // Widgets keep their logical sizes and places, so letters grew with the pixels.
    EXPECT_NEAR(rect("play").width, play.width, 1);
    EXPECT_NEAR(rect("parameter/gravity").y, field.y, 6) << ratio;
    EXPECT_NEAR(rect("parameter/gravity").height, field.height, 2) << ratio;
    const auto steps = now().steps;
    EXPECT_TRUE(eventually([&] { return now().steps > steps; })) << "the run continues";
  }
  key(Qt::Key_Space);
  window_->run().send(Rewind{});
  ASSERT_TRUE(eventually([&] { return now().steps == 0; }));
  run_for(30);
  const ui::Rect left = rect("left");
  EXPECT_LT(changed(before, picture(), left), 0.001) << "as before";
}

}  // namespace
}  // namespace twosphere

int main(int argc, char** argv) {
  twosphere::screen();  // before Qt looks
  return twosphere::test::run_window_tests(argc, argv);
}
