// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures and videos of the scene and plots.
#include <gtest/gtest.h>

#include <QImage>
#include <string>

#include "core/scenario/writer.h"
#include "tests/app/cli/run_program.h"
#include "tests/runs.h"

namespace twosphere::command_line_frames_test {
namespace {

class ComposedFrames : public CommandLine {
 protected:
  QImage picture(const Words& more) {
    const Outcome o = render("--time 0.5 --size 640x400 --trail 0 --png p.png"_words + more);
    EXPECT_EQ(o.status, 0) << o.err;
    EXPECT_EQ(o.out + o.err, "");
    QImage image(QString::fromStdString(in("p.png")), "PNG");
    EXPECT_EQ(image.size(), QSize(640, 400));
    return image;
  }
  std::string frame(const std::string& folder, int index) const {
    return text(folder + "/frame_00000" + std::to_string(index) + ".png");
  }
};

TEST_F(ComposedFrames, a_picture_has_the_plots_up_to_its_time) {
  const QImage plain = picture({}), right = picture({"--plot", "energies"}),
               below = picture({"--plot", "energies", "--layout", "below"}),
               alone = picture({"--compose", "plots"});
  // The colour of panels, where the scene is darker.
  constexpr QRgb panel = 0xff171b21;
  EXPECT_NE(plain.pixel(639, 2), panel);
  EXPECT_EQ(right.pixel(639, 2), panel);
  EXPECT_NE(right.pixel(2, 2), panel);
  EXPECT_EQ(below.pixel(2, 398), panel);
  EXPECT_NE(below.pixel(639, 2), panel);
  EXPECT_EQ(alone.pixel(2, 2), panel);
  EXPECT_EQ(alone.pixel(639, 398), panel);
  EXPECT_NE(picture({"--plot", "energy_error logarithmic"}), right);
  const QImage titled = picture({"--title", "--time-label"}), other = picture({"--title=Another"});
  EXPECT_EQ(titled.pixel(2, 2), panel);
  EXPECT_NE(titled, other);
  EXPECT_NE(picture({"--title", "--time-label", "--text", "20"}), titled);
}

TEST_F(ComposedFrames, a_run_that_goes_back_in_time_shows_both_ways) {
  Simulation run = test::start(test::lasting(0.6), 30);
  run.reverse();
  test::march(run, 30);
  ASSERT_TRUE(write_file(in("back.json"), write_scenario(run.record())));
  const Outcome o = render(
      "--compose plots --plot energies --fps 10 --to 0.6 --size 640x360 "
      "--time-label --film f/"_words,
      {"back.json"});
  ASSERT_EQ(o.status, 0) << o.err;
  // Frames 2 and 4 are of the same time, there and back: the way back is future in the first.
  EXPECT_NE(frame("f", 2), frame("f", 4));
  EXPECT_NE(frame("f", 3), frame("f", 4));
}

TEST_F(ComposedFrames, are_the_same_where_no_thread_can_be_started) {
  if (!can_withhold_threads) GTEST_SKIP() << "a sanitizer has no use for such stacks";
  const Words words =
      "render --preset double_spherical_pendulum --time 0.2 --compose plots --png"_words;
  succeed(words + Words{"usual.png"});
  succeed(words + Words{"alone.png"}, "", without_threads);
  EXPECT_EQ(text("alone.png"), text("usual.png"));
}

}  // namespace
}  // namespace twosphere::command_line_frames_test
