// SPDX-License-Identifier: GPL-3.0-or-later
// The scene and the panels know nothing of each other, but colours are the same in both.
#include <gtest/gtest.h>

#include <cmath>

#include "render/scene_builder.h"
#include "tests/render/snapshots.h"
#include "ui/plot/lane_style.h"
#include "ui/shell/palette.h"

namespace twosphere {
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
        EXPECT_EQ(from(seen), ui::lane_style(method.key, palette, colors).color) << method.key;
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
}  // namespace twosphere
