// SPDX-License-Identifier: GPL-3.0-or-later
// Frames of the instant that a window shows.
#include "app/export/live_frame.h"

#include <cstddef>
#include <cstdint>
#include <future>

#include "tests/app/run_fixture.h"
#include "tests/outcome.h"

namespace twosphere::live_frame_test {
namespace {

using namespace test;

class LiveFrames : public RunWindow {};

TEST_F(LiveFrames, HaveTheCellsOfTheRuns) {
  record(60);
  go_to(0.5);
  const std::int64_t fork = run().requested_step();
  ASSERT_TRUE(run().fork());
  run().send(TakeSteps{20});
  ASSERT_TRUE(eventually([&] { return now().steps == fork + 20; }));
  trigger("split_runs");
  ASSERT_TRUE(eventually([&] { return view().drawn_cells().list.size() == 2; }));
  wait_until_drawn();
  VideoLook look{view().scene_style(), {}};
  LiveFrame frame = live_frame(run(), view().ghosts(), look, 800, 480, 0.01);
  ASSERT_EQ(frame.runs.size(), 2u);
  EXPECT_FALSE(frame.runs[0].present) << "in the order of the cells of the window";
  EXPECT_TRUE(frame.runs[1].present);
  // On another thread, as this one has the context of the window.
  const auto drawn = [&frame] {
    return std::async(std::launch::async, [&] { return draw(frame, [] { return false; }); }).get();
  };
  const auto both = value_of(drawn());
  frame.runs.clear();
  const auto one = value_of(drawn());
  EXPECT_NE(both.image.pixels, one.image.pixels);
  EXPECT_GT(both.seconds, 0);
}

TEST_F(LiveFrames, HaveLegendsAsLargeAsTheTextBesideThem) {
  key(Qt::Key_L);
  ASSERT_TRUE(eventually([&] { return now().lanes.size() == 2; }));
  VideoLook look{view().scene_style(), {}};
  look.layout.title = "Two lanes";
  // How much of the picture the legend is.
  const auto changed = [&](double text) {
    look.layout.text = text;
    const auto drawn = [&](bool legend) {
      look.legend = legend;
      const LiveFrame frame = live_frame(run(), {}, look, 800, 480, 0.01);
      return value_of(
                 std::async(std::launch::async, [&] { return draw(frame, [] { return false; }); })
                     .get())
          .image.pixels;
    };
    const auto with = drawn(true), without = drawn(false);
    std::size_t count = 0;
    for (std::size_t k = 0; k < with.size(); ++k) count += with[k] != without[k] ? 1 : 0;
    return count;
  };
  const std::size_t small = changed(12);
  EXPECT_GT(small, 100u);
  EXPECT_GT(changed(24), 2 * small);
}

TEST_F(LiveFrames, HavePlotsOfTheTimesThatAReversedRunPasses) {
  record(60);
  run().send(Reverse{});
  run().send(TakeSteps{40});
  ASSERT_TRUE(eventually([&] { return now().steps == 100; }));
  VideoLook look{view().scene_style(), {}};
  look.layout.content = FrameContent::plots;
  look.layout.plots = {*ui::parse_plot("kinetic_energy")};
  const auto times = [&](double from, double to) {
    const LiveFrame frame = live_frame(run(), {}, look, 800, 480, 0.01, ui::Interval{from, to});
    return frame.rows ? frame.rows->times : ui::Interval{};
  };
  const ui::Interval turn = times(0.5, 1), back = times(0.7, 0.9);
  EXPECT_NEAR(turn.low, 0.2, 1e-9);
  EXPECT_NEAR(turn.high, 0.6, 1e-9);
  EXPECT_NEAR(back.low, 0.3, 1e-9);
  EXPECT_NEAR(back.high, 0.5, 1e-9);
}

}  // namespace
}  // namespace twosphere::live_frame_test
