// SPDX-License-Identifier: GPL-3.0-or-later
// The window in a presentation.
#include <QMenuBar>
#include <QStatusBar>
#include <cmath>
#include <cstddef>

#include "core/base/file.h"
#include "core/scenario/writer.h"
#include "tests/app/run_fixture.h"

namespace twosphere::presentation_test {
namespace {

using namespace test;

class PresentationWindow : public RunWindow {
 protected:
  bool presents() { return view().interface().presents(); }
  void begin() {
    key(Qt::Key_F5);
    ASSERT_TRUE(eventually([&] { return presents() && window_->isFullScreen(); }));
    wait_until_drawn();
  }
  std::ptrdiff_t plots() {
    return static_cast<std::ptrdiff_t>(view().interface().plots().plots.size());
  }
};

TEST_F(PresentationWindow, HasTheSceneAndTwoPlotsAndNothingElse) {
  ASSERT_GT(plots(), 2);
  begin();
  EXPECT_FALSE(window_->menuBar()->isVisible());
  EXPECT_FALSE(window_->statusBar()->isVisible());
  EXPECT_FALSE(has("left"));
  EXPECT_FALSE(has("splitter/right"));
  EXPECT_EQ(plots(), 2);
  // The window may be given its size later.
  EXPECT_TRUE(eventually([&] {
    const ui::Rect place = scene();
    const bool wide = view().width() >= view().height();
    const double longer = wide ? view().width() : view().height();
    return std::abs((wide ? place.width : place.height) - 0.62 * longer) < 2;
  }));
  EXPECT_GE(view().interface().scale() * 11.5F, 21.99F) << "the smallest letters";
  EXPECT_GE(rect("time").height, 32 * 0.9F);
  key(Qt::Key_Escape);
  ASSERT_TRUE(eventually([&] { return !presents() && window_->menuBar()->isVisible(); }));
  EXPECT_FALSE(window_->isFullScreen());
  wait_until_drawn();
  EXPECT_TRUE(has("left"));
  EXPECT_GT(plots(), 2) << "the others are kept";
}

TEST_F(PresentationWindow, TheTransportGrowsUnderTheMouse) {
  begin();
  point_at(scene_point(0.5, 0.5));
  EXPECT_TRUE(has("transport_line"));
  EXPECT_FALSE(has("play"));
  EXPECT_NEAR(rect("transport_line").height, 6, 0.6);
  point_at(QPointF(view().width() / 2.0, view().height() - 2.0));
  wait_until_drawn();
  EXPECT_TRUE(has("play"));
  EXPECT_FALSE(has("transport_line"));
  point_at(scene_point(0.5, 0.3));
  wait_until_drawn();
  EXPECT_TRUE(has("transport_line"));
}

TEST_F(PresentationWindow, GoesFromStopToStop) {
  record(20);
  type("parameter/gravity", QStringLiteral("1.62"));
  run().send(TakeSteps{10});
  ASSERT_TRUE(eventually([&] { return now().steps == 30; }));
  begin();
  key(Qt::Key_PageUp);
  ASSERT_TRUE(eventually([&] { return run().in_past(); }));
  EXPECT_EQ(run().requested_step(), 20) << "where gravity changed";
  key(Qt::Key_PageUp);
  ASSERT_TRUE(eventually([&] { return run().requested_step() == 0; }));
  key(Qt::Key_PageDown);
  ASSERT_TRUE(eventually([&] { return run().requested_step() == 20; }));
  key(Qt::Key_PageDown);
  EXPECT_TRUE(eventually([&] { return !run().in_past(); })) << "the end";
}

TEST_F(PresentationWindow, APointMakesTheScreenBlack) {
  key(Qt::Key_Period);
  EXPECT_FALSE(has("black")) << "only in a presentation";
  begin();
  key(Qt::Key_Period);
  EXPECT_TRUE(has("black"));
  const QImage dark = picture();
  EXPECT_EQ(dark.pixel(dark.width() / 2, dark.height() / 2), 0xff000000U);
  key(Qt::Key_Period);
  EXPECT_FALSE(has("black"));
  key(Qt::Key_Period);
  key(Qt::Key_Escape);
  EXPECT_FALSE(has("black"));
  EXPECT_TRUE(presents()) << "Esc ends what is uppermost";
}

TEST_F(PresentationWindow, AFileAsksForIt) {
  json::Node view = json::Node::object();
  view.set("presentation", json::Node::truth(true));
  window_->show_view(view);
  EXPECT_TRUE(presents());
  EXPECT_FALSE(window_->menuBar()->isVisible());
  view.set("presentation", json::Node::truth(false));
  window_->show_view(view);
  EXPECT_FALSE(presents());
}

TEST_F(PresentationWindow, PlaysInALoop) {
  run().send(Change{{{"duration", 0.2}}});
  window_->present();
  EXPECT_TRUE(presents());
  EXPECT_TRUE(view().interface().loops());
  ASSERT_TRUE(eventually([&] { return now().steps >= 20; }));
  EXPECT_TRUE(eventually([&] { return run().in_past() && view().replay().plays(); }))
      << "it begins again at its end";
}

TEST_F(PresentationWindow, PlaysOnFromWhereTheViewOfAFileBegins) {
  run().send(Change{{{"duration", 0.2}}});
  json::Node section = json::Node::object();
  section.set("steps", json::Node::whole(10));
  window_->show_view(section);
  window_->present();
  ASSERT_TRUE(eventually([&] { return now().steps >= 20; }));
  EXPECT_TRUE(eventually([&] { return run().in_past() && view().replay().plays(); }));
}

TEST_F(PresentationWindow, PlaysWhatIsRecordedWhereTheViewIsAtTheEnd) {
  run().send(Change{{{"duration", 0.2}}});
  json::Node section = json::Node::object();
  section.set("steps", json::Node::whole(20));
  window_->show_view(section);
  window_->present();
  EXPECT_TRUE(eventually([&] { return run().in_past() && view().replay().plays(); }));
  EXPECT_EQ(now().steps, 20) << "it does not pass its end";
}

TEST_F(PresentationWindow, PlaysAFileOnceItIsOpen) {
  Scenario scenario = *now().present;
  scenario.title = "Opened for a room";
  const QString file = in_folder("room.json");
  ASSERT_TRUE(write_file(file.toStdString(), write_scenario(scenario)));
  window_->open(file, [this] { window_->present(); });
  EXPECT_TRUE(eventually([&] {
    return presents() && now().present->title == "Opened for a room" && now().steps > 0;
  }));
}

}  // namespace
}  // namespace twosphere::presentation_test
