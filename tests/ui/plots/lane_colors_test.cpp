// SPDX-License-Identifier: GPL-3.0-or-later
// The scene and the panels know nothing of each other, but colours are the same in both.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <set>
#include <vector>

#include "core/color/palette.h"
#include "core/output/lane_style.h"
#include "render/scene_builder.h"
#include "tests/render/snapshots.h"
#include "ui/plot/curve.h"
#include "ui/plot/lane_curves.h"
#include "ui/plot/plot_spec.h"
#include "ui/shell/interface_colors.h"

namespace twosphere::lane_colors_test {
namespace {

Color from(glm::vec3 shade) {
  Color color;
  for (int i = 0; i < 3; ++i)
    color.rgb = color.rgb << 8 | static_cast<std::uint32_t>(std::lround(255 * shade[i]));
  return color;
}

TEST(LaneColors, AreTheSameInTheSceneAndInThePanels) {
  for (const IntegratorInfo& method : integrators())
    for (const Palette palette : palettes)
      for (const LaneColors colors : {LaneColors::own, LaneColors::paper}) {
        Snapshot snapshot = test::snapshot(test::chain(1), test::columns({test::direction(1, 0)}));
        snapshot.lanes[0].info = &method;
        const render::SceneStyle style{.trail = false, .palette = palette, .lane_colors = colors};
        const glm::vec3 seen = render::build_scene(snapshot, {}, style).spheres[0].color;
        EXPECT_EQ(from(seen), lane_style(method.key, palette, colors).color) << method.key;
      }
}

TEST(LaneColors, ALaneAloneIsSolid) {
  std::vector<LaneSpec> lanes(1);
  lanes[0].type = "rk45";
  const auto dash = [&](int lane, LaneColors colors = LaneColors::own) {
    const auto index = static_cast<std::size_t>(lane);
    return lane_style(lanes, lane, lanes[index].type, Palette::dark, colors).dash;
  };
  EXPECT_EQ(dash(0), Dash::solid);
  EXPECT_EQ(dash(0, LaneColors::paper), Dash::dotted) << "as in the paper";
  lanes.push_back(lanes[0]);
  lanes[1].type = "rk4";
  EXPECT_NE(dash(0), Dash::solid);
  EXPECT_NE(dash(0), dash(1));
}

TEST(LaneColors, ComponentsInOnePlotAreToldApart) {
  const std::vector<ui::Curve> stretches(1);
  const auto colors = [&](const ui::PlotSpec& spec, bool components) {
    std::set<std::uint32_t> found;
    for (const ui::Curve& curve :
         ui::curves_of(spec, stretches, {.palette = Palette::dark, .components = components}))
      found.insert(curve.style.color.rgb);
    return found.size();
  };
  const ui::PlotSpec exponents = ui::plot_of({lyapunov(0), lyapunov(1), lyapunov(2), lyapunov(3)});
  EXPECT_EQ(colors(exponents, true), 4U);
  EXPECT_EQ(colors(exponents, false), 1U);
  EXPECT_EQ(colors(ui::plot_of({Signal::momentum_error(0), Signal::momentum_error(1),
                                Signal::momentum_error(2)}),
                   true),
            3U);
}

/// The distance of two colours in CIE L*a*b*: just noticeable at about 2.
double apart(Color a, Color b) {
  const auto lab = [](Color color) {
    const auto linear = [&](int shift) {
      const double c = static_cast<double>(color.rgb >> shift & 0xff) / 255;
      return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
    };
    const double red = linear(16), green = linear(8), blue = linear(0);
    const auto f = [](double t) { return t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116; };
    const double x = f((0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.95047),
                 y = f(0.2126 * red + 0.7152 * green + 0.0722 * blue),
                 z = f((0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.08883);
    return std::array{116 * y - 16, 500 * (x - y), 200 * (y - z)};
  };
  const auto p = lab(a), q = lab(b);
  return std::hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
}

TEST(BranchColors, AreToldFromBodiesLanesAndOneAnother) {
  constexpr int first = 4;
  for (const Palette palette : palettes) {
    std::vector<Color> others{lane_style("variational", palette, LaneColors::own).color};
    if (palette != Palette::high_contrast) others.push_back(ui::colors(palette).accent);
    for (std::size_t body = 0; body < first; ++body)
      others.push_back(body_color(body, first, palette));
    for (int run = 0; run < branch_color_count; ++run) {
      const Color color = branch_color(run, palette);
      EXPECT_GE(contrast(color, ui::colors(palette).panel), 4.5) << run;
      for (std::size_t k = 0; k < others.size() && run < first; ++k)
        EXPECT_GT(apart(color, others[k]), 25) << "run " << run << ", color " << k;
      for (int other = 0; other < run; ++other)
        EXPECT_GT(apart(color, branch_color(other, palette)), run < first ? 40 : 20)
            << run << ", " << other;
    }
  }
}

TEST(BranchColors, StandBackInPlotsButAreSeen) {
  for (const Palette palette : palettes)
    for (int run = 0; run < branch_color_count; ++run) {
      const Color color = branch_color(run, palette), ground = ui::colors(palette).scene;
      const Color pale = ui::pale(color, ground);
      EXPECT_GE(contrast(pale, ground), 3) << run;
      EXPECT_LE(contrast(pale, ground), contrast(color, ground));
    }
}

TEST(SceneColors, GoWithThePanels) {
  for (const Palette palette : palettes) {
    const render::Theme theme = render::theme({.palette = palette});
    EXPECT_EQ(from(theme.background_top), ui::colors(palette).scene);
    EXPECT_EQ(from(theme.text), ui::colors(palette).text);
    const double least = palette == Palette::high_contrast ? 7 : 4.5;
    for (const glm::vec3 ground : {theme.background_top, theme.background_bottom})
      EXPECT_GE(contrast(from(theme.text), from(ground)), least);
  }
}

}  // namespace
}  // namespace twosphere::lane_colors_test
