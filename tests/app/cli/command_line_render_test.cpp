// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <QImage>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <thread>

#include "core/catalog.h"
#include "tests/app/cli/run_program.h"

namespace twosphere::command_line_render_test {
namespace {

const Words pendulum{"--preset", "double_spherical_pendulum"};

class Render : public CommandLine {
 protected:
  // The processor draws, so that the pictures are the same wherever the tests run.
  Outcome render(const Words& more, const Words& source = pendulum, const std::string& input = "") {
    Words words{"render"};
    words.insert(words.end(), source.begin(), source.end());
    words.insert(words.end(), more.begin(), more.end());
    return run(words, input, [] { ::setenv("LIBGL_ALWAYS_SOFTWARE", "1", 1); });
  }

  // A small picture with these options.
  QImage picture(const Words& more, const Words& source = pendulum) {
    Words words{"--size", "240x150", "--png", "p.png"};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome o = render(words, source);
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

TEST_F(Render, machine_code_and_the_software_renderer_live_in_one_process) {
  // Both are made by LLVM's library, which is loaded once.
  std::vector<QImage> pictures;
  for (const char* name : {"llvm", "tape"}) {
    const Outcome o = run({"render", "--preset", "custom/three_body", "--time", "0.5", "--size",
                           "240x150", "--png", "p.png"},
                          "", [name] {
                            ::setenv("LIBGL_ALWAYS_SOFTWARE", "1", 1);
                            ::setenv("TWOSPHERE_BACK_END", name, 1);
                          });
    ASSERT_EQ(o.status, 0) << o.err;
    pictures.push_back(load("p.png"));
    EXPECT_EQ(pictures.back().size(), QSize(240, 150));
  }
  EXPECT_EQ(pictures[0], pictures[1]);
}

TEST_F(Render, draws_every_preset_at_the_size_of_the_window) {
  for (const Preset& preset : presets()) {
    const Outcome o =
        render({"--time", "0.3", "--png", "p.png"}, {"--preset", std::string(preset.key)});
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

TEST_F(Render, same_call_gives_the_same_bytes_to_file_and_standard_output) {
  const Words words{"--time", "3", "--size", "320x200", "--png"};
  const auto to = [&](const char* file) {
    Words all = words;
    all.push_back(file);
    return all;
  };
  ASSERT_EQ(render(to("a.png")).status, 0);
  ASSERT_EQ(render(to("b.png")).status, 0);
  const Outcome piped =
      render(to("-"), {"-"}, std::string(find_preset("double_spherical_pendulum")->text));
  EXPECT_EQ(piped.status, 0) << piped.err;
  EXPECT_EQ(text("a.png"), text("b.png"));
  EXPECT_EQ(text("a.png"), piped.out);
  EXPECT_GT(text("a.png").size(), 1000u);
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

TEST_F(Render, changes_what_run_changes) {
  const QImage plain = picture({"--time", "2", "--trail", "0"});
  const Words changed{"--time", "2",    "--trail",      "0",  "--set", "system.gravity=1.62",
                      "--step", "0.02", "--integrator", "rk4"};
  const QImage moon = picture(changed);
  EXPECT_GT(count_differing(plain, moon, 20), 50);
  ASSERT_EQ(
      run({"run", "--preset", "double_spherical_pendulum", "--set", "system.gravity=1.62", "--step",
           "0.02", "--integrator", "rk4", "--duration", "2", "--save-state", "s.json", "--quiet"})
          .status,
      0);
  EXPECT_EQ(picture({"--time", "2", "--trail", "0"}, {"s.json"}), moon);
}

TEST_F(Render, counts_time_as_the_scenario_does) {
  ASSERT_EQ(run({"run", "--preset", "double_spherical_pendulum", "--steps", "100", "--save-state",
                 "s.json", "--quiet"})
                .status,
            0);
  // A state saved at 1 s goes on to 1.5 s; past the scenario's duration is no limit.
  const QImage whole = picture({"--time", "1.5", "--trail", "0"});
  EXPECT_EQ(picture({"--time", "1.5", "--trail", "0"}, {"s.json"}), whole);
  EXPECT_EQ(picture({"--time", "1.5", "--trail", "0", "--set", "duration=0.5"}), whole);
  const Outcome early = render({"--time", "0.5", "--png", "no.png"}, {"s.json"});
  EXPECT_EQ(early.status, 2);
  EXPECT_NE(early.err.find("--time: must be at least 1 s, the start of the scenario, not 0.5"),
            std::string::npos)
      << early.err;
  EXPECT_FALSE(fs::exists(in("no.png")));
}

TEST_F(Render, takes_the_first_step_that_is_not_before_the_time_and_says_so) {
  const QImage exact = picture({"--time", "0.43", "--trail", "0"});
  EXPECT_EQ(picture({"--time", "0.4201", "--trail", "0", "--quiet"}), exact);
  const Outcome o = render({"--time", "0.4201", "--png", "p.png"});
  EXPECT_EQ(o.status, 0);
  EXPECT_NE(o.err.find("time: 0.4201 s is not a whole number of steps of 0.01 s after the start; "
                       "the picture shows 0.43 s"),
            std::string::npos)
      << o.err;
  EXPECT_EQ(render({"--time", "0.4201", "--png", "p.png", "--quiet"}).err, "");
  EXPECT_EQ(render({"--time", "0.43", "--png", "p.png"}).err, "");
}

TEST_F(Render, shows_what_the_window_can) {
  const Words bodies{"--preset", "three_body"}, molecules{"--preset", "lennard_jones"};
  const QImage plain = picture({"--time", "0.1", "--trail", "0"}, bodies);
  const auto differs = [&](const Words& more) {
    Words words{"--time", "0.1", "--trail", "0"};
    words.insert(words.end(), more.begin(), more.end());
    return count_differing(plain, picture(words, bodies), 20);
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

TEST_F(Render, names_what_can_be_shown) {
  const auto refused = [&](const Words& more, const char* message) {
    Words words{"--time", "0", "--png", "no.png"};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome o = render(words);
    EXPECT_EQ(o.status, 2);
    EXPECT_NE(o.err.find(message), std::string::npos) << o.err;
    EXPECT_FALSE(fs::exists(in("no.png")));
  };
  refused({"--color", "heat"},
          "--color: must be one of automatic, lane, speed, kinetic_energy, momentum, torque, own, "
          "not \"heat\"");
  refused({"--color-map", "jet"},
          "--color-map: must be one of viridis, cividis, paper, not \"jet\"");
  refused({"--arrows", "momentum,force"},
          "--arrows: must be one of angular_velocity, velocity, momentum, torque, not \"force\"");
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

TEST_F(Render, a_failed_step_leaves_the_old_picture) {
  ASSERT_TRUE(write_file(in("p.png"), "old"));
  const Outcome o =
      render({"--step", "0.5", "--time", "20", "--png", "p.png"}, {"--preset", "chain_pendulum"});
  EXPECT_EQ(o.status, 3);
  EXPECT_NE(o.err.find("failed: body "), std::string::npos) << o.err;
  EXPECT_EQ(text("p.png"), "old");
  EXPECT_EQ(count(), 1u);
}

TEST_F(Render, without_egl_it_says_so) {
  ASSERT_TRUE(write_file(in("p.png"), "old"));
  const Outcome o = run({"render", "--preset", "chain_pendulum", "--time", "1", "--png", "p.png"},
                        "", [] { ::setenv("__EGL_VENDOR_LIBRARY_FILENAMES", "/dev/null", 1); });
  EXPECT_EQ(o.status, 4);
  EXPECT_NE(o.err.find("no EGL display is available without a window system"), std::string::npos)
      << o.err;
  EXPECT_EQ(text("p.png"), "old");
  EXPECT_EQ(count(), 1u);
}

TEST_F(Render, signals_leave_nothing_behind) {
  const pid_t child = launch(
      {"render", "--preset", "double_spherical_pendulum", "--time", "1e9", "--png", "p.png"});
  // Until it has opened its file, beside those of its messages.
  for (int i = 0; i < 2000 && count() < 3; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  ASSERT_EQ(::kill(child, SIGINT), 0);
  EXPECT_EQ(finish(child).status, 130);
  EXPECT_EQ(count(), 0u);
}

using Case = FailingCall;

Words words(const Words& more) {
  Words all{"render", "--preset", "double_spherical_pendulum"};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

class RenderErrors : public CommandLine, public testing::WithParamInterface<Case> {};

TEST_P(RenderErrors, status_and_message) { expect_failure(GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    All, RenderErrors,
    testing::Values(
        Case{"no_scenario", {"render", "--time", "1", "--png", "p.png"}, 2, "render: needs a"},
        Case{"two_scenarios", words({"x.json", "--time", "1", "--png", "p.png"}), 2,
             "render: a scenario and a preset cannot be given together"},
        Case{"no_time", words({"--png", "p.png"}), 2, "--time: the time of the picture is missing"},
        Case{"no_file", words({"--time", "1"}), 2, "--png: the file for the picture"},
        Case{"no_png", words({"--time", "1", "--png", "p.jpg"}), 2,
             "--png: \"p.jpg\" must end in .png"},
        Case{"size_word", words({"--time", "1", "--png", "p.png", "--size", "large"}), 2,
             "--size: must be WIDTHxHEIGHT with each from 16 to 8192 pixels, not \"large\""},
        Case{"size_small", words({"--time", "1", "--png", "p.png", "--size", "15x800"}), 2,
             "from 16 to 8192 pixels, not \"15x800\""},
        Case{"size_large", words({"--time", "1", "--png", "p.png", "--size", "1280x8193"}), 2,
             "from 16 to 8192 pixels"},
        Case{"size_tail", words({"--time", "1", "--png", "p.png", "--size", "640x480x2"}), 2,
             "--size: must be"},
        Case{"size_negative", words({"--time", "1", "--png", "p.png", "--size", "-640x480"}), 2,
             "--size: must be"},
        Case{"time_word", words({"--time", "soon", "--png", "p.png"}), 2,
             "--time: must be a number, not \"soon\""},
        Case{"time_negative", words({"--time", "-1", "--png", "p.png"}), 2,
             "--time: must be at least 0 s, the start of the scenario, not -1"},
        Case{"time_far", words({"--time", "1e300", "--png", "p.png"}), 2,
             "--time: is more than 2^53 steps of 0.01 s"},
        Case{"trail_negative", words({"--time", "1", "--png", "p.png", "--trail", "-1"}), 2,
             "--trail: must be 0 s or more, not -1"},
        Case{"step", words({"--time", "1", "--png", "p.png", "--step", "0"}), 2,
             "--step: must be greater than 0"},
        Case{"set", words({"--time", "1", "--png", "p.png", "--set", "system.gravty=1"}), 2,
             "--set: system.gravty: unknown key; did you mean gravity?"},
        Case{"duration", words({"--time", "1", "--png", "p.png", "--duration", "1"}), 2,
             "--duration: unknown option"},
        Case{"preset",
             {"render", "--preset", "chain_pendulun", "--time", "1", "--png", "p.png"},
             2,
             "--preset: unknown preset \"chain_pendulun\"; did you mean chain_pendulum?"},
        Case{"missing", {"render", "none.json", "--time", "1", "--png", "p.png"}, 4, "none.json: "},
        Case{"no_folder", words({"--time", "1", "--png", "none/p.png"}), 4,
             "none/p.png: No such file or directory"},
        Case{"full", words({"--time", "0", "--png", "/dev/full"}), 4,
             "/dev/full: No space left on device"}),
    [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace twosphere::command_line_render_test
