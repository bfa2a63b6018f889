// SPDX-License-Identifier: GPL-3.0-or-later
// Lanes in their own cells.
#include <string>
#include <vector>

#include "app/scene/scene_content.h"
#include "render/pick.h"
#include "tests/app/run_fixture.h"

namespace twosphere::split_window_test {
namespace {

using namespace test;

class SplitWindow : public RunWindow {
 protected:
  void split(std::size_t lanes) {
    for (std::size_t k = 1; k < lanes; ++k) key(Qt::Key_L);
    ASSERT_TRUE(eventually([&] { return now().lanes.size() == lanes; }));
    trigger("split_lanes");
    ASSERT_TRUE(eventually([&] { return view().drawn_cells().list.size() == lanes; }));
    wait_until_drawn();
  }
  ui::Rect cell(std::size_t k) { return logical(rect_of(view().drawn_cells().list.at(k).area)); }
  /// Where a body is seen in a cell.
  QPointF seen_in(std::size_t k, int body) {
    const ui::Rect r = cell(k);
    const auto point = render::project(place_of(body), view().camera(), {r.width, r.height});
    EXPECT_TRUE(point);
    return {r.x + (point ? point->x : 0), r.y + (point ? point->y : 0)};
  }
};

TEST_F(SplitWindow, OneLaneIsNotSplit) {
  trigger("split_lanes");
  EXPECT_TRUE(view().drawn_cells().list.empty());
  EXPECT_FALSE(has("cell/0"));
}

TEST_F(SplitWindow, TitleAndCaptionsDoNotCoverTheMount) {
  split(4);
  for (const int lane : {0, 1, 2, 3}) {
    const ui::Rect r = cell(static_cast<std::size_t>(lane)),
                   caption = rect("cell/" + std::to_string(lane));
    const auto mount = render::project(Vec3::Zero(), view().camera(), {r.width, r.height});
    ASSERT_TRUE(mount);
    EXPECT_GT(r.y + mount->y, caption.y + caption.height) << lane;
  }
  trigger("split_lanes");
  ASSERT_TRUE(eventually([&] { return view().drawn_cells().list.empty(); }));
  wait_until_drawn();
  EXPECT_EQ(view().interface().covered(), 0);
}

TEST_F(SplitWindow, ADragInAnyCellIsTheSameEdit) {
  split(2);
  const State before = shown();
  std::vector<Columns> edited;
  for (const std::size_t k : {0u, 1u}) {
    const QPointF from = seen_in(k, 1).toPoint(), to = from + QPointF(40, -30);
    pull(from, to);
    EXPECT_NE(shown().q, before.q) << "cell " << k;
    EXPECT_EQ(shown(0).q, shown(1).q) << "it acts on all lanes";
    edited.push_back(shown().q);
    ASSERT_TRUE(after_undo([&] { return shown().q == before.q; }));
  }
  EXPECT_LT((edited[0] - edited[1]).norm(), 5e-3) << "one may be a pixel higher";
}

TEST_F(SplitWindow, APullInTheSecondCellPullsAllLanes) {
  split(2);
  play();
  const QPointF from = seen_in(1, 1).toPoint();
  pull(from, from + QPointF(30, 20), Qt::ControlModifier);
  key(Qt::Key_Space);
  ASSERT_TRUE(eventually([&] { return !run().plays(); }));
  const auto& events = now().record->events;
  ASSERT_TRUE(std::any_of(events.begin(), events.end(),
                          [](const Event& event) { return event.pull.has_value(); }));
  expect_as_fresh();
}

TEST_F(SplitWindow, TheMouseTurnsOneCameraForAllCells) {
  split(3);
  const auto before = view().camera().where();
  const ui::Rect r = cell(1);
  const QPoint corner = QPointF(r.x + 30, r.y + r.height - 40).toPoint();
  drag(corner, corner + QPoint(60, 0));
  EXPECT_NE(view().camera().where().azimuth, before.azimuth);
}

TEST_F(SplitWindow, ADoubleClickShowsACellAloneAndAllAgain) {
  split(2);
  const auto twice = [&](const char* caption) {
    const QPoint at = middle(caption);
    click_at(at);
    QTest::mouseDClick(&view(), Qt::LeftButton, {}, at);
    wait_until_drawn();
  };
  twice("cell/1");
  ASSERT_TRUE(eventually([&] { return view().drawn_cells().list.size() == 1; }));
  EXPECT_EQ(view().drawn_cells().list[0].shows, 1);
  twice("cell/1");
  EXPECT_TRUE(eventually([&] { return view().drawn_cells().list.size() == 2; }));
  trigger("split_lanes");
  EXPECT_TRUE(eventually([&] { return view().drawn_cells().list.empty(); }));
}

}  // namespace
}  // namespace twosphere::split_window_test
