// SPDX-License-Identifier: GPL-3.0-or-later
// What the window shows in cells is what `twosphere render --split` draws.
#include <gtest/gtest.h>

#include <QThread>
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <utility>

#include "app/scene/picture_painter.h"
#include "app/scene/scene_content.h"
#include "core/catalog.h"
#include "render/pick.h"
#include "tests/outcome.h"
#include "tests/runs.h"
#include "ui/scene/scene_legend.h"
#include "ui/shell/style.h"

namespace twosphere::split_picture_test {
namespace {

Scenario two_lanes() {
  Scenario scenario = test::preset();
  scenario.lanes.push_back(scenario.lanes.front());
  scenario.lanes[1].type = scenario.lanes[1].name = "rk4";
  scenario.lanes[1].values = default_values(find_integrator("rk4")->parameters, 0);
  return scenario;
}

class SplitPicture : public testing::Test {
 protected:
  SplitPicture() { ::setenv("LIBGL_ALWAYS_SOFTWARE", "1", 1); }

  void await(std::uint64_t number) {
    for (run_.update(); run_.snapshot().commands < number; run_.update())
      QThread::yieldCurrentThread();
  }

  static constexpr int width_ = 640, height_ = 400, steps_ = 400;
  LiveRun run_{test::value_of(Simulation::create(two_lanes()))};
  ui::Interface interface_;
};

TEST_F(SplitPicture, IsThatOfTheWindowByteForByte) {
  await(run_.send(TakeSteps{steps_}));
  run_.update();
  interface_.settings().split = Split::lanes;
  interface_.settings().trail = false;
  const render::SceneStyle style = scene_style(interface_, true);
  render::SceneMemory memory, other;
  const SceneContent shown =
      scene_content(run_, interface_, style, {}, {0, 0, width_, height_}, 1, memory);

  Simulation run = test::start(two_lanes(), steps_);
  auto painter = test::value_of(PicturePainter::create(width_, height_));
  const Snapshot now = snapshot(run);
  const PictureContent drawn = painter.content(now, {}, style, other);
  ASSERT_EQ(shown.cells.list.size(), 2u);
  ASSERT_EQ(drawn.cells.list.size(), 2u);
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_EQ(shown.cells.list[k].area, drawn.cells.list[k].area);
    EXPECT_EQ(shown.cells.list[k].caption.name, drawn.cells.list[k].caption.name);
    EXPECT_EQ(shown.cells.list[k].caption.step, drawn.cells.list[k].caption.step);
    EXPECT_EQ(shown.cells.list[k].caption.energy_error, drawn.cells.list[k].caption.energy_error);
    EXPECT_EQ(shown.cells.list[k].caption.distance, drawn.cells.list[k].caption.distance);
  }
  render::Camera camera;
  camera.frame(render::framing(now, style), painter.shape(style, 2, 0));
  const auto stop = [] { return false; };
  const PictureContent of_window{shown.scene, shown.cells, lane_rows(run_.shown(), style)};
  const auto a = test::value_of(painter.draw(of_window, camera, style, {}, stop));
  const auto b = test::value_of(painter.draw(drawn, camera, style, {}, stop));
  EXPECT_EQ(a.pixels, b.pixels);
  const PictureContent whole = painter.content(now, {}, scene_style(ui::Interface(), true), other);
  EXPECT_NE(test::value_of(painter.draw(whole, camera, style, {}, stop)).pixels, b.pixels);
}

TEST_F(SplitPicture, CaptionsDoNotCoverTheMount) {
  Simulation run = test::start(two_lanes(), steps_);
  const Snapshot now = snapshot(run);
  for (const Split split : {Split::lanes, Split::runs}) {
    render::SceneStyle style;
    style.split = split;
    const double text = split == Split::lanes ? 0 : 18;
    const auto painter = test::value_of(PicturePainter::create(width_, height_, text));
    const render::ViewShape shape = painter.shape(style, 2, 0);
    render::Camera camera;
    camera.frame(render::framing(now, style), shape);
    const glm::vec2 cell{shape.aspect * height_, height_};
    const auto mount = render::project(Vec3::Zero(), camera, cell);
    ASSERT_TRUE(mount);
    // One row, or a second one for a note.
    EXPECT_GT(mount->y, split == Split::lanes ? 24 : 44 * ui::scale_for_text(text));
    EXPECT_LT(mount->y, height_ / 2);
  }
  EXPECT_EQ(test::value_of(PicturePainter::create(width_, height_)).shape({}, 2, 0).covered, 0);
}

TEST_F(SplitPicture, ScalesOfColoursDoNotCoverALattice) {
  Simulation run = test::start(test::preset("skyrmion"));
  const Snapshot now = snapshot(run);
  for (const auto& [width, height] : {std::pair(1280, 800), {536, 652}, {300, 600}}) {
    const auto painter = test::value_of(PicturePainter::create(width, height));
    render::SceneMemory memory;
    const render::Scene scene = painter.content(now, {}, {}, memory).scene;
    const render::ViewShape shape = painter.shape({}, 1, scene.bars.size());
    const auto tall = static_cast<float>(height);
    const float scale = render::Painter::picture_ratio(width, height);
    EXPECT_NEAR(
        shape.covered * tall,
        scale * ui::legend_margin + scale * ui::scales_depth(2, static_cast<float>(width) / scale),
        0.01);
    render::Camera camera;
    camera.frame(render::framing(now, {}), shape);
    float highest = tall;
    for (const glm::vec4& body : scene.bodies) {
      const auto seen =
          render::project(Vec3(body.x, body.y, body.z), camera, {shape.aspect * tall, tall});
      ASSERT_TRUE(seen);
      highest = std::min(highest, seen->y);
    }
    EXPECT_GT(highest, shape.covered * tall) << width;
    EXPECT_LT(highest, tall / 2) << width;
    EXPECT_EQ(painter.shape({}, 1, 0).covered, 0) << "without a legend";
  }
}

TEST_F(SplitPicture, LegendsAreAsLargeAsTheTextOfFigures) {
  Simulation run = test::start(two_lanes());
  const Snapshot now = snapshot(run);
  // The width of the legend: where the picture differs from one without.
  const auto width_of_legend = [&](double text) {
    auto painter = test::value_of(PicturePainter::create(width_, height_, text));
    render::SceneMemory memory;
    render::SceneStyle style;
    const PictureContent content = painter.content(now, {}, style, memory);
    render::Camera camera;
    camera.frame(render::framing(now, style), painter.shape(style, 2, 0));
    const auto draw = [&](bool legend) {
      PictureLook look;
      look.legend = legend;
      return test::value_of(painter.draw(content, camera, style, look, [] { return false; }));
    };
    const render::Image with = draw(true), without = draw(false);
    int left = width_, right = 0;
    for (int y = 0; y < height_; ++y)
      for (int x = 0; x < width_; ++x)
        if (!std::equal(with.at(x, y), with.at(x, y) + 4, without.at(x, y)))
          left = std::min(left, x), right = std::max(right, x);
    return static_cast<double>(right - left);
  };
  const double small = width_of_legend(0);
  EXPECT_GT(small, 60);
  const double size = ui::legend_font / ui::height_by_size;  // at scale 1
  EXPECT_NEAR(width_of_legend(size), small, 1);
  EXPECT_NEAR(width_of_legend(1.5 * size), 1.5 * small, 0.06 * small);
}

TEST_F(SplitPicture, RunsHaveStepsAndErrorsOfTheirOwn) {
  LiveRun run{test::value_of(Simulation::create(test::preset()))};
  const auto carry_out = [&run](auto command) {
    const std::uint64_t number = run.send(std::move(command));
    for (run.update(); run.snapshot().commands < number; run.update())
      QThread::yieldCurrentThread();
  };
  carry_out(TakeSteps{400});
  run.show(200);
  const auto other = test::value_of(run.fork());
  for (run.update(); run.present_branch() != other; run.update()) QThread::yieldCurrentThread();
  const double step = run.snapshot().present->lanes[0].step;
  carry_out(Change{{{"integrator.step", step / 2}}});
  carry_out(TakeSteps{200});  // to the time after 300 of the first run
  run.update();
  interface_.settings().split = Split::runs;
  render::SceneMemory memory;
  Ghosts ghosts([] {});
  const SceneContent shown =
      scene_content(run, interface_, scene_style(interface_, true), ghosts.find(run, false, true),
                    {0, 0, width_, height_}, 1, memory);
  ASSERT_EQ(shown.cells.list.size(), 2u);
  const auto &first = shown.cells.list[0].caption, &present = shown.cells.list[1].caption;
  EXPECT_EQ(first.step, step);
  EXPECT_EQ(present.step, step / 2);
  ASSERT_TRUE(first.energy_error);
  EXPECT_EQ(*first.energy_error,
            run.branches().front().histories[0].sample(300)[Quantity::energy_error]);
}

}  // namespace
}  // namespace twosphere::split_picture_test
