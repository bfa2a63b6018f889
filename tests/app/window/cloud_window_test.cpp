// SPDX-License-Identifier: GPL-3.0-or-later
// A cloud of nearby starts in the window, by mouse and by keys: its dots, its plot, its table.
#include <string>

#include "core/run/followed_cloud.h"
#include "core/studies/cloud_study.h"
#include "tests/app/run_fixture.h"

namespace twosphere::cloud_window_test {
namespace {

using namespace test;

struct CloudWindow : RunWindow {
  void reveal(const std::string& widget) {
    const ui::Rect column = rect("left");
    for (int i = 0; i < 60; ++i) {
      const auto y = static_cast<float>(middle(widget).y());
      const float end = column.y + column.height - 80;
      const bool high = y < column.y + 20, low = end < y;
      if (!high && !low) return;
      wheel(QPointF(column.x + column.width - 14, column.y + column.height / 2).toPoint(),
            high ? 1 : -1);
    }
  }
  void enter(const std::string& field, const char* number) {
    reveal(field);
    type(field, QLatin1String(number));
  }
  /// Switches the cloud by its key, and waits for the run.
  void by_key(bool on) {
    ASSERT_TRUE(
        after_key(Qt::Key_C, Qt::ShiftModifier, [&] { return now().cloud.has_value() == on; }));
    wait_until_drawn();
  }
  std::size_t dots() {
    const auto& cloud = view().drawn_scene().cloud.dots;
    return cloud ? cloud->size() : 0;
  }
  Vec3 dot_of(std::size_t body) {
    const glm::vec3 at = (*view().drawn_scene().cloud.dots)[body].position;
    return {at.x, at.y, at.z};
  }
  /// A body of the first member.
  Vec3 place_of_member(const CloudView& cloud, std::size_t body) {
    Geometry figure;
    now().system->geometry(cloud.positions.leftCols(now().system->size()), figure);
    return figure.bodies[body].position;
  }
  /// A cloud that follows the present run from its start, at a step.
  CloudView always(std::int64_t step) {
    Simulation run = std::move(*Simulation::create(*now().record));
    FollowedCloud cloud(CloudPlan{now().cloud_plan->spec});
    cloud.begin(run);
    while (run.steps() < step) EXPECT_FALSE(cloud.advance_to(run, step));
    CloudView view;
    cloud.cloud()->show(run, view);
    return view;
  }
  /// The scene without what lies over it.
  ui::Rect clear_scene() {
    ui::Rect r = scene();
    r.y += 0.15F * r.height;
    r.height *= 0.55F;
    return r;
  }
};

TEST_F(CloudWindow, ShowsDotsThatHideNoBody) {
  by_key(true);
  enter("cloud/members", "300");
  enter("cloud/spread", "0.05");
  ASSERT_TRUE(eventually([&] { return now().cloud && now().cloud->spec.spread == 0.05; }));
  EXPECT_EQ(now().cloud->spec.members, 300);
  record(150);
  EXPECT_EQ(dots(), 600U);
  const QImage with = picture();
  by_key(false);
  EXPECT_EQ(dots(), 0U);
  const QImage without = picture();
  EXPECT_GT(changed(with, without, clear_scene()), 0.002);
  for (int body = 0; body < 2; ++body) {
    const QPointF at = seen(body);
    const ui::Rect middle{static_cast<float>(at.x()) - 1, static_cast<float>(at.y()) - 1, 3, 3};
    EXPECT_EQ(changed(with, without, middle), 0) << "body " << body << " is hidden";
  }
  // The dots are where the members are.
  by_key(true);
  record(250);
  const Vec3 dot = dot_of(1), place = place_of_member(*now().cloud, 1);
  EXPECT_NEAR((dot - place).norm(), 0, 1e-5 * (1 + place.norm()));
  // At a past instant they are where the members were.
  view().replay().show(150);
  arrive();
  EXPECT_EQ(dots(), 600U);
  EXPECT_GT((dot - dot_of(1)).norm(), 1e-3);
  EXPECT_NEAR((place_of_member(*run().shown().cloud, 1) - dot_of(1)).norm(), 0, 1e-5);
  key(Qt::Key_End);
  wait_until_drawn();
  EXPECT_EQ(dots(), 600U);
}

TEST_F(CloudWindow, AskedForAfterTheRunHasFollowedItFromTheStart) {
  record(200);
  by_key(true);
  EXPECT_EQ(now().cloud->since, 0);
  EXPECT_FALSE(has("cloud/waits"));
  const CloudView head = always(200);
  EXPECT_EQ(now().cloud->positions, head.positions);
  EXPECT_EQ(now().cloud->distances.median, head.distances.median);
  EXPECT_EQ(now().cloud->growth.rate, head.growth.rate);
  // Its curve begins with the run.
  const SignalView curve = run().histories()[0].view(StepQuantity::cloud_distance);
  ASSERT_GT(curve.values->size(), 20U);
  for (std::size_t k = 0; k < curve.values->size(); ++k) EXPECT_TRUE((*curve.values)[k] > 0) << k;
  // Its dots are those of the instant.
  view().replay().show(120);
  arrive();
  ASSERT_TRUE(run().shown().cloud);
  EXPECT_EQ(run().shown().cloud->positions, always(120).positions);
  EXPECT_EQ(dots(), 512U);
  // A replay shows it and begins no other run.
  key(Qt::Key_Backspace);
  arrive();
  EXPECT_EQ(run().shown().cloud->distances.median, always(0).distances.median);
  ASSERT_TRUE(after_key(Qt::Key_Space, [&] { return !run().in_past(); }));
  EXPECT_EQ(run().branches().size(), 1U);
  expect_as_fresh();
}

TEST_F(CloudWindow, AskedForInThePastIsSeenThereAndInARunThatForks) {
  record(200);
  view().replay().show(80);
  arrive();
  by_key(true);
  EXPECT_TRUE(run().in_past());
  ASSERT_TRUE(eventually([&] { return run().exact() && run().shown().cloud.has_value(); }));
  wait_until_drawn();
  EXPECT_EQ(dots(), 512U);
  EXPECT_EQ(run().shown().cloud->positions, always(80).positions);
  // Another run from here has its cloud from the start, too.
  run().send(Change{{{"system.gravity", 3.0}}});
  run().send(TakeSteps{50});
  ASSERT_TRUE(eventually([&] {
    return run().branches().size() == 2 && now().steps == 130 && now().cloud.has_value();
  }));
  EXPECT_EQ(now().cloud->since, 0);
  EXPECT_EQ(now().cloud->positions, always(130).positions);
}

TEST_F(CloudWindow, IsSwitchedByTheMouseAndWritesTheTableOfTheCommandLine) {
  reveal("section/Cloud");
  click("section/Cloud");
  reveal("cloud/switch");
  ASSERT_TRUE(after_click("cloud/switch", [&] { return now().cloud.has_value(); }));
  EXPECT_TRUE(has("plot/cloud_distance logarithmic") || has("plot/cloud_distance"));
  enter("cloud/members", "20");
  enter("cloud/seed", "5");
  ASSERT_TRUE(eventually([&] { return now().cloud && now().cloud->spec.seed == 5; }));
  record(400);
  reveal("cloud/export");
  click("cloud/export");
  write_to(in_folder("cloud.csv"));
  Scenario same = *now().record;
  same.duration = 4;
  Simulation run = std::move(*Simulation::create(same));
  const CloudStudy study =
      run_cloud_study(run, {.members = 20, .spread = 1e-6, .seed = 5}, [] { return true; });
  EXPECT_EQ(contents(in_folder("cloud.csv")).toStdString(), cloud_table(study));
  EXPECT_EQ(study.times.size(), 401U);
  expect_as_fresh();
  // Another run begins it again at the start.
  window_->run().send(Rewind{});
  ASSERT_TRUE(eventually([&] { return now().steps == 0; }));
  ASSERT_TRUE(now().cloud);
  EXPECT_EQ(now().cloud->since, 0);
  EXPECT_EQ(now().cloud->distances.median, study.distances.front().median);
  // Another scenario has none until it is switched on there.
  Q_EMIT view().preset_chosen(QStringLiteral("three_body"));
  ASSERT_TRUE(eventually([&] { return now().system_info->key == "n_body"; }));
  wait_until_drawn();
  EXPECT_FALSE(now().cloud);
  EXPECT_EQ(view().interface().is_checked(ui::Action::switch_cloud), false);
  by_key(true);
  EXPECT_EQ(now().cloud->spec.members, 20) << "the numbers stay";
}

TEST_F(CloudWindow, FollowsOneOfFourLanesOfAnySystem) {
  for (const char* key_of_preset : {"three_body", "dipole_array", "custom/kepler"}) {
    SCOPED_TRACE(key_of_preset);
    open_window(key_of_preset);
    for (int k = 0; k < 3; ++k) key(Qt::Key_L);
    ASSERT_TRUE(eventually([&] { return now().lanes.size() == 4; }));
    by_key(true);
    enter("cloud/members", "30");
    reveal("cloud/lane");
    ASSERT_TRUE(after_click_entry("cloud/lane", "2",
                                  [&] { return now().cloud && now().cloud->lane == 2; }));
    record(60);
    const std::size_t n = static_cast<std::size_t>(now().system->size());
    EXPECT_EQ(dots(), 30 * n);
    EXPECT_EQ(now().cloud->lost, 0);
    EXPECT_EQ(now().error_count, 0U);
    expect_as_fresh();
  }
}

}  // namespace
}  // namespace twosphere::cloud_window_test
