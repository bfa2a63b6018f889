// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <QImage>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <string>
#include <thread>
#include <tuple>

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/catalog.h"
#include "core/color/palette.h"
#include "core/scenario/reader.h"
#include "core/scenario/writer.h"
#include "tests/app/cli/run_program.h"
#include "tests/runs.h"

namespace twosphere::command_line_render_test {
namespace {

const Words pendulum{"--preset", "double_spherical_pendulum"};

class Render : public CommandLine {
 protected:
  // A small picture with these options.
  QImage picture(const Words& more, const Words& source = pendulum) {
    const Outcome o = render("--size 240x150 --png p.png"_words + more, source);
    EXPECT_EQ(o.status, 0) << o.err;
    EXPECT_EQ(o.out, "");
    const QImage image = load("p.png");
    EXPECT_EQ(image.size(), QSize(240, 150));
    return image;
  }

  QImage load(const std::string& name) const {
    return QImage(QString::fromStdString(in(name)), "PNG");
  }
};

int difference(QRgb a, QRgb b) {
  return std::max({std::abs(qRed(a) - qRed(b)), std::abs(qGreen(a) - qGreen(b)),
                   std::abs(qBlue(a) - qBlue(b)), std::abs(qAlpha(a) - qAlpha(b))});
}

int count_differing(const QImage& a, const QImage& b, int threshold) {
  int count = 0;
  for (int y = 0; y < a.height(); ++y)
    for (int x = 0; x < a.width(); ++x)
      count += difference(a.pixel(x, y), b.pixel(x, y)) > threshold;
  return count;
}

double brightness(const QImage& image) {
  double sum = 0;
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x) sum += qGray(image.pixel(x, y));
  return sum / (image.width() * image.height());
}

TEST_F(Render, draws_every_preset_at_the_size_of_the_window) {
  for (const Preset& preset : presets()) {
    const double step = read_scenario(preset.text, preset.key)->lanes[0].step;
    const std::string time = json::shortest(std::max(1.0, std::round(0.3 / step)) * step);
    const Outcome o =
        render({"--time", time, "--png", "p.png"}, {"--preset", std::string(preset.key)});
    EXPECT_EQ(o.status, 0) << o.err;
    EXPECT_EQ(o.out + o.err, "");
    const QImage image = load("p.png");
    EXPECT_EQ(image.size(), QSize(1280, 800));
    EXPECT_FALSE(image.hasAlphaChannel());
    // The last body has the colour of its method, #56b4e9; little else is as blue. Molecules have
    // the blue of the slow ones.
    const int least = preset.key == "lennard_jones" ? 60 : 180;
    int blue = 0;
    for (int y = 0; y < image.height(); ++y)
      for (int x = 0; x < image.width(); ++x) {
        const QRgb c = image.pixel(x, y);
        blue += qBlue(c) > least && qRed(c) < 0.7 * qBlue(c);
      }
    EXPECT_GT(blue, 20) << preset.key;
    EXPECT_LT(blue, image.width() * image.height() / 3) << preset.key;
    EXPECT_EQ(count(), 1u);
  }
}

TEST_F(Render, shows_what_moves_where_it_is) {
  const QImage start = picture({"--time", "0"}), later = picture({"--time", "0.4"});
  EXPECT_GT(count_differing(start, later, 20), 50);
  for (const int x : {0, 239})
    for (const int y : {0, 149})
      EXPECT_LE(difference(start.pixel(x, y), later.pixel(x, y)), 2) << x << ' ' << y;
  // The trail is a difference too, and its length another.
  const QImage bare = picture({"--time", "0.4", "--trail", "0"});
  EXPECT_GT(count_differing(later, bare, 20), 10);
  EXPECT_GT(count_differing(later, picture({"--time", "0.4", "--trail", "0.2"}), 20), 10);
  EXPECT_GT(count_differing(start, bare, 20), 50);
}

TEST_F(Render, shows_what_the_window_can) {
  const Words bodies{"--preset", "three_body"}, molecules{"--preset", "lennard_jones"};
  const QImage plain = picture({"--time", "0.1", "--trail", "0"}, bodies);
  const auto differs = [&](const Words& more) {
    return count_differing(plain, picture("--time 0.1 --trail 0"_words + more, bodies), 20);
  };
  EXPECT_EQ(differs({"--color", "automatic"}), 0);
  EXPECT_EQ(differs({"--color", "usual"}), 0) << "as it was called";
  EXPECT_GT(differs({"--color", "speed"}), 100) << "a bar, and bodies of other colours";
  EXPECT_GT(differs({"--color", "speed"}), differs({"--color", "speed", "--no-legend"}));
  EXPECT_GT(differs({"--arrows", "angular_velocity,torque"}), 100);
  EXPECT_GT(differs({"--numbers"}), 10);
  EXPECT_GT(differs({"--field"}), 3000) << "the whole sphere";
  const auto map = [&](const char* name) {
    return picture({"--time", "0", "--color-map", name}, molecules);
  };
  EXPECT_GT(count_differing(map("viridis"), map("paper"), 20), 3000);
  EXPECT_GT(count_differing(map("viridis"), map("cividis"), 20), 3000);
}

TEST_F(Render, splits_lanes_and_runs_into_cells) {
  const Words lanes{"--preset",     "double_spherical_pendulum",
                    "--integrator", "variational",
                    "--integrator", "rk2"};
  const auto draw = [&](const Words& more, const Words& source) {
    const Outcome o = render("--size 640x400 --time 3 --trail 0 --png p.png"_words + more, source);
    EXPECT_EQ(o.status, 0) << o.err;
    return load("p.png");
  };
  // Along the edges of the halves are frames in the colours of the lanes.
  const QImage split = draw({"--split=lanes"}, lanes), whole = draw({}, lanes);
  EXPECT_GT(count_differing(split, whole, 20), 1000);
  for (const auto& [x, color] : {std::pair(1, 0x56b4e9), {638, 0xcc79a7}, {318, 0x56b4e9}})
    EXPECT_LE(difference(split.pixel(x, 200), 0xff000000U | static_cast<unsigned>(color)), 30) << x;
  // Those of runs are the window's: as the file has them, else the first that no other run has.
  Scenario scenario = test::preset();
  scenario.branches = {{.name = "first", .from_step = 10, .color = 0},
                       {.name = "second", .from_step = 10}};
  scenario.view = json::Node::object();
  scenario.view.set("color", json::Node::whole(1));
  ASSERT_TRUE(write_file(in("runs.json"), write_scenario(scenario)));
  const QImage runs = draw({"--split=runs"}, {"runs.json"});
  for (const auto& [x, y, color] : {std::tuple(1, 100, 1), {638, 100, 0}, {1, 300, 2}})
    EXPECT_LE(difference(runs.pixel(x, y), 0xff000000U | branch_color(color, Palette::dark).rgb),
              30)
        << x << ' ' << y;
  // A run that is hidden in the window has no cell.
  scenario.branches[0].hidden = true;
  ASSERT_TRUE(write_file(in("hidden.json"), write_scenario(scenario)));
  const QImage shown = draw({"--split=runs"}, {"hidden.json"});
  for (const auto& [x, y, color] : {std::tuple(1, 300, 1), {638, 300, 2}})
    EXPECT_LE(difference(shown.pixel(x, y), 0xff000000U | branch_color(color, Palette::dark).rgb),
              30)
        << x << ' ' << y;
}

TEST_F(Render, turns_the_view_with_the_frame) {
  const Words orbit{"--preset", "relative_orbit"}, bare = "--time 2 --no-ground --no-legend"_words;
  const QImage resting = picture(bare + Words{"--frame", "none"}, orbit);
  const QImage turning = picture(bare, orbit);
  EXPECT_EQ(turning, picture(bare + Words{"--frame", "orbit"}, orbit)) << "that of its view";
  EXPECT_EQ(turning, picture(bare + Words{"--frame", "e3:orbit"}, orbit));
  EXPECT_GT(count_differing(resting, turning, 20), 100);
  // The caption is part of the legend.
  EXPECT_GT(count_differing(turning, picture("--time 2 --no-ground"_words, orbit), 20), 20);
}

TEST_F(Render, shows_a_layer_of_a_cubic_lattice) {
  Scenario scenario = *read_scenario(R"({"twosphere": 1,
      "system": {"type": "spins", "lattice": {"type": "cubic", "size": [4, 4, 4]}},
      "initial": {"generator": {"type": "random", "seed": 3}},
      "integrator": {"type": "spherical_midpoint", "step": 0.1}, "duration": 1})",
                                     "spins");
  ASSERT_TRUE(write_file(in("whole.json"), write_scenario(scenario)));
  scenario.view = *json::parse(R"({"layer": {"axis": "e2", "number": 1}})", "view");
  ASSERT_TRUE(write_file(in("layer.json"), write_scenario(scenario)));
  const Words whole{"whole.json"}, of_view{"layer.json"};
  const auto draw = [this](const Words& more, const Words& source) {
    return picture("--time 0 --trail 0"_words + more, source);
  };
  const QImage all = draw({}, whole), layer = draw({"--layer=e2:2"}, whole);
  EXPECT_GT(count_differing(all, layer, 20), 100);
  EXPECT_EQ(layer, draw({}, of_view)) << "that of its view";
  EXPECT_EQ(all, draw({"--layer=none"}, of_view));
  EXPECT_GT(count_differing(layer, draw({"--layer=e2:3"}, of_view), 20), 100);
  for (const auto& [text, source, message] :
       {std::tuple("e2:5", whole, "--layer: must be from e2:1 to e2:4, not e2:5"),
        {"y", whole, "--layer: must be AXIS:NUMBER"},
        {"e1:1", pendulum, "--layer: is of a cubic lattice of spins"}}) {
    const Outcome refused = render("--time 0 --png q.png --layer"_words + Words{text}, source);
    EXPECT_EQ(refused.status, 2) << text;
    EXPECT_TRUE(test::says(refused.err, message)) << refused.err;
  }
}

TEST_F(Render, light_pictures_are_bright) {
  EXPECT_LT(brightness(picture({"--time", "0"})), 60);
  EXPECT_GT(brightness(picture({"--time", "0", "--light"})), 200);
}

TEST_F(Render, transparent_pictures_lie_on_any_background_without_fringes) {
  for (const Words& look : {Words{}, Words{"--light"}}) {
    Words words{"--time", "1.3"};
    words.insert(words.end(), look.begin(), look.end());
    const QImage opaque = picture(words);
    words.push_back("--transparent");
    const QImage clear = picture(words);
    ASSERT_TRUE(clear.hasAlphaChannel());
    for (const int x : {0, 239}) EXPECT_EQ(qAlpha(clear.pixel(x, 0)), 0);
    words.insert(words.end(), {"--no-ground", "--trail", "0"});
    const QImage alone = picture(words);
    for (const int x : {0, 239})
      for (const int y : {0, 149}) EXPECT_EQ(qAlpha(alone.pixel(x, y)), 0) << x << ' ' << y;
    // Laid on the background that the other picture has, it is that picture.
    int covered = 0, partly = 0;
    const QRgb top = opaque.pixel(239, 0);
    const QColor bottom = look.empty() ? QColor(0x1a, 0x1f, 0x27) : QColor(0xee, 0xf1, 0xf5);
    for (int y = 0; y < 150; ++y)
      for (int x = 0; x < 240; ++x) {
        const QRgb c = clear.pixel(x, y);
        const int a = qAlpha(c);
        covered += a == 255;
        partly += a > 0 && a < 255;
        const auto over = [&](int color, int from, int to) {
          const double background = from + (to - from) * (y + 0.5) / 150;
          return static_cast<int>(std::lround((color * a + background * (255 - a)) / 255));
        };
        const QRgb laid = qRgb(over(qRed(c), qRed(top), bottom.red()),
                               over(qGreen(c), qGreen(top), bottom.green()),
                               over(qBlue(c), qBlue(top), bottom.blue()));
        EXPECT_LE(difference(laid, opaque.pixel(x, y)), 5) << x << ' ' << y;
      }
    EXPECT_GT(covered, 50);
    EXPECT_GT(partly, 1000);
  }
}

TEST_F(Render, larger_pictures_show_the_same_with_more_detail) {
  ASSERT_EQ(render({"--time", "2", "--png", "a.png"}).status, 0);
  ASSERT_EQ(render({"--time", "2", "--png", "b.png", "--size", "2560x1600"}).status, 0);
  const QImage small = load("a.png"), large = load("b.png");
  ASSERT_EQ(large.size(), QSize(2560, 1600));
  // Drawn in parts, it has no seams: every mean of four pixels is that of the small picture.
  int worst = 0;
  for (int y = 0; y < 800; ++y)
    for (int x = 0; x < 1280; ++x) {
      int sum[3] = {0, 0, 0};
      for (const auto& [i, j] :
           {std::pair(0, 0), std::pair(0, 1), std::pair(1, 0), std::pair(1, 1)}) {
        const QRgb c = large.pixel(2 * x + i, 2 * y + j);
        sum[0] += qRed(c);
        sum[1] += qGreen(c);
        sum[2] += qBlue(c);
      }
      worst =
          std::max(worst, difference(qRgb(sum[0] / 4, sum[1] / 4, sum[2] / 4), small.pixel(x, y)));
    }
  EXPECT_LT(worst, 40);
  EXPECT_GT(worst, 0);
}

TEST_F(Render, draws_the_smallest_and_the_oblong) {
  for (const char* size : {"16x16", "16x900", "3000x17"}) {
    const Outcome o = render({"--time", "0", "--size", size, "--png", "p.png"});
    EXPECT_EQ(o.status, 0) << o.err;
    const QImage image = load("p.png");
    EXPECT_EQ(std::to_string(image.width()) + "x" + std::to_string(image.height()), size);
  }
}

TEST_F(Render, signals_leave_nothing_behind) {
  const pid_t child =
      launch("render --preset double_spherical_pendulum --time 1e9 --png p.png"_words);
  // Until it has opened its file, beside those of its messages.
  for (int i = 0; i < 2000 && count() < 3; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  ASSERT_EQ(::kill(child, SIGINT), 0);
  EXPECT_EQ(finish(child).status, 130);
  EXPECT_EQ(count(), 0u);
}

class RenderClock : public Render {};

// Wherever it finds a large picture, which takes many times as long.
TEST_F(RenderClock, a_large_picture_ends_soon_after_a_signal) {
  using namespace std::chrono;
  for (const milliseconds at_work : {300ms, 2000ms, 4000ms, 6000ms}) {
    const pid_t child = launch(
        "render --preset double_spherical_pendulum --time 0 --size 8000x8000 --png p.png"_words,
        draw_by_processor);
    interrupt(child, SIGTERM, at_work);
    const auto sent = steady_clock::now();
    const Outcome o = finish(child);
    // Twice the second that is promised, for a machine that has other work.
    EXPECT_LT(steady_clock::now() - sent, 2s) << at_work.count();
    if (o.status == 0) break;  // it had ended
    EXPECT_EQ(o.status, 143);
    EXPECT_EQ(o.err, "");
    EXPECT_EQ(count(), 0u);
  }
}

}  // namespace
}  // namespace twosphere::command_line_render_test
