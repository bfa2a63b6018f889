// SPDX-License-Identifier: GPL-3.0-or-later
// A video that plays backwards has the frames of the one that plays forwards, whatever memory it is
// given.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <vector>

#include "app/export/video.h"
#include "core/base/json.h"
#include "core/catalog.h"
#include "core/scenario/reader.h"
#include "tests/outcome.h"

namespace twosphere::backwards_test {
namespace {

class KeptFrames : public VideoWriter {
 public:
  Result<bool> frame(const render::Image& image, const std::function<bool()>&) override {
    frames.push_back(image.pixels);
    return true;
  }
  Result<void> commit() override { return {}; }

  std::vector<std::vector<std::uint8_t>> frames;
};

struct Recording {
  VideoEnd end;
  std::vector<std::vector<std::uint8_t>> frames;
};

class Backwards : public testing::Test {
 protected:
  static void SetUpTestSuite() { ::setenv("LIBGL_ALWAYS_SOFTWARE", "1", 1); }

  /// A preset with other members.
  static Scenario scenario(std::string_view preset, const std::string& members = "{}") {
    auto root = *json::parse(find_preset(preset)->text, "p");
    const json::Node more = *json::parse(members, "m");
    for (const auto& [key, value] : more.members) root.set(key, value);
    auto read = read_scenario(json::write(root), "s");
    EXPECT_TRUE(read) << read.error().text();
    return *read;
  }
  static Recording record(
      const Scenario& scenario, VideoPlan plan, const VideoLook& look, bool backwards,
      std::size_t memory = video_memory, const std::function<bool()>& stop = [] { return false; }) {
    auto simulation = test::value_of(Simulation::create(scenario));
    plan.backwards = backwards;
    const int size = look.style.split == Split::none ? 8 : 80;  // cells must be large enough
    plan.width = 8 * size;
    plan.height = 5 * size;
    KeptFrames kept;
    const auto end = test::value_of(record_video(simulation, plan, look, kept, stop, {}, memory));
    return {end, std::move(kept.frames)};
  }
  static void compare(const Scenario& scenario, const VideoPlan& plan, const VideoLook& look) {
    const Recording forwards = record(scenario, plan, look, false);
    ASSERT_EQ(static_cast<std::int64_t>(forwards.frames.size()), forwards.end.frames);
    ASSERT_NE(forwards.frames.front(), forwards.frames.back());
    for (const std::size_t memory : {std::size_t{1}, std::size_t{200'000}, video_memory}) {
      Recording back = record(scenario, plan, look, true, memory);
      std::reverse(back.frames.begin(), back.frames.end());
      ASSERT_EQ(back.frames.size(), forwards.frames.size());
      for (std::size_t k = 0; k < back.frames.size(); ++k)
        EXPECT_TRUE(back.frames[k] == forwards.frames[k]) << "frame " << k << " with " << memory;
      EXPECT_EQ(back.end.failure.has_value(), forwards.end.failure.has_value());
      EXPECT_EQ(back.end.stopped, forwards.end.stopped);
    }
  }
};

TEST_F(Backwards, HasTheFramesOfTheVideoForwards) {
  compare(scenario("double_spherical_pendulum"), {.from = 0.3, .to = 7, .rate = 8}, {});
  VideoLook look;
  look.style.trail_span = 0.25;
  look.followed = 1;
  compare(scenario("chain_pendulum"), {.to = 2, .rate = 20}, look);
}

// The scales of a picture depend on the pictures before it.
TEST_F(Backwards, HasTheColoursOfTheVideoForwards) {
  VideoLook look;
  look.style.shade = Shade::speed;
  look.style.arrows = {true, true, true, true};
  compare(scenario("three_body"), {.to = 12, .rate = 5}, look);
  const VideoLook plain;
  compare(scenario("pendulum_network"), {.to = 1, .rate = 40}, plain);
  VideoLook field;
  field.style.field = true;
  compare(scenario("lennard_jones"), {.to = 0.02, .rate = 500}, field);
}

TEST_F(Backwards, HasTheCellsOfTheVideoForwards) {
  Scenario two = scenario("double_spherical_pendulum");
  two.lanes.push_back(two.lanes.front());
  two.lanes[1].type = two.lanes[1].name = "rk2";
  two.lanes[1].values.clear();
  VideoLook look;
  look.style.split = Split::lanes;
  compare(two, {.to = 0.5, .rate = 4}, look);
  // Runs beside the first; of one that has no others there is nothing to split.
  look.style.split = Split::runs;
  const auto alone = record(two, {.to = 0.5, .rate = 4}, look, false).frames;
  Scenario other = two;
  other.q.col(1) = other.q.col(0);
  other.omega.setZero();
  look.others.push_back({"other", 1, std::make_shared<const Scenario>(other)});
  const auto both = record(two, {.to = 0.5, .rate = 4}, look, false).frames;
  ASSERT_EQ(alone.size(), both.size());
  EXPECT_NE(alone.back(), both.back());
  // The cell that is alone, and the reference, have the numbers that the window gives to its runs.
  look.others.back().number = 7;
  look.reference = 7;
  EXPECT_NE(record(two, {.to = 0.5, .rate = 4}, look, false).frames.back(), both.back());
  const auto first = record(two, {.to = 0.5, .rate = 4}, look, false).frames;
  look.place = 1;
  EXPECT_NE(record(two, {.to = 0.5, .rate = 4}, look, false).frames.back(), first.back())
      << "its cell is the second";
  look.style.alone = 7;
  const auto one = record(two, {.to = 0.5, .rate = 4}, look, false).frames;
  EXPECT_NE(one.back(), both.back());
  EXPECT_NE(one.back(), alone.back());
}

TEST_F(Backwards, ShowsEveryFrameBetweenTwoSteps) {
  const Scenario slow = scenario("three_body", R"({"integrator": {"type": "rk4", "step": 0.01}})");
  compare(slow, {.to = 0.05, .rate = 100, .speed = 0.23}, {});
}

// Time goes back in the run itself, a lane is added and a body is pulled.
TEST_F(Backwards, GoesOverWhatWasDoneToTheRun) {
  const Scenario changed = scenario("double_spherical_pendulum", R"({"duration": 3, "events": [
      {"step": 20, "set": {"system.gravity": 3}},
      {"step": 50, "pull": {"body": 1, "force": [0, 5, 0], "steps": 40}},
      {"step": 120, "add_lane": {"from": 0, "type": "rk4", "step": 0.01}},
      {"step": 170, "reverse": true},
      {"step": 220, "set": {"state.q[0]": [0, 0, 1]}}]})");
  compare(changed, {.to = 3, .rate = 10}, {});
}

TEST_F(Backwards, BeginsWhereTheRunEnds) {
  const Scenario stopped = scenario("three_body", R"({"stop": [{"time": 0.4}]})");
  compare(stopped, {.to = 2}, {});
  const Scenario refused =
      scenario("chain_pendulum", R"({"integrator": {"type": "variational", "step": 0.1}})");
  VideoPlan plan{.to = 10};
  if (!record(refused, plan, {}, false).end.failure) GTEST_SKIP() << "no step fails";
  compare(refused, plan, {});
}

TEST_F(Backwards, EndsAtOnceWhenItIsToStop) {
  const Scenario run = scenario("three_body");
  int calls = 0;
  const Recording none =
      record(run, {.to = 2}, {}, true, video_memory, [&] { return ++calls > 9; });
  EXPECT_TRUE(none.end.cut_short);
  EXPECT_EQ(none.end.frames, 0);
  const Recording forwards = record(run, {.to = 2}, {}, false);
  calls = 0;
  const auto count = [&] { return ++calls < 0; };
  EXPECT_EQ(record(run, {.to = 2}, {}, true, video_memory, count).end.frames, forwards.end.frames);
  const int most = calls - 20;  // while the last frames are written
  calls = 0;
  const Recording some =
      record(run, {.to = 2}, {}, true, video_memory, [&] { return ++calls > most; });
  EXPECT_TRUE(some.end.cut_short);
  ASSERT_GT(some.end.frames, 0);
  ASSERT_LT(some.end.frames, forwards.end.frames);
  EXPECT_EQ(some.frames.front(), forwards.frames.back());
}

TEST_F(Backwards, PlotsMeasureDistancesFromTheRunThatIsChosen) {
  const Scenario own = scenario("double_spherical_pendulum"),
                 other = scenario("double_spherical_pendulum",
                                  R"({"events": [{"step": 5, "set": {"system.gravity": 3}}]})");
  VideoLook look;
  look.style.split = Split::runs;  // a large picture
  look.layout.content = FrameContent::plots;
  look.layout.plots = {*ui::parse_plot("distance")};
  VideoPlan plan;
  plan.to = 0.2;
  plan.rate = 10;
  const auto frames = [&](const Scenario* compared) {
    look.compared.reset();
    if (compared)
      look.compared = VideoCell{"run 2", 1, std::make_shared<const Scenario>(*compared), 1};
    return record(own, plan, look, false).frames;
  };
  const auto alone = frames(nullptr), from_other = frames(&other), from_same = frames(&own);
  EXPECT_NE(from_other, alone) << "one lane has no distance from itself";
  EXPECT_NE(from_other, from_same);
}

}  // namespace
}  // namespace twosphere::backwards_test
