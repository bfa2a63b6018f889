// SPDX-License-Identifier: GPL-3.0-or-later
// The scene and the panels know nothing of each other, but a method has one colour in both.
#include <gtest/gtest.h>

#include <cmath>

#include "../render/snapshots.h"
#include "render/scene_builder.h"
#include "ui/lane_style.h"

namespace twosphere {
namespace {

TEST(LaneColors, AreTheSameInTheSceneAndInThePanels) {
  for (const IntegratorInfo& method : integrators())
    for (bool dark : {true, false}) {
      Snapshot snapshot = test::snapshot(test::chain(1), test::columns({test::direction(1, 0)}));
      snapshot.lanes[0].info = &method;
      const glm::vec3 seen =
          render::build_scene(snapshot, {}, {.trail = false, .dark = dark}).spheres[0].color;
      const ui::LaneStyle style =
          ui::lane_style(method.key, dark ? ui::Palette::dark : ui::Palette::light);
      const int shifts[] = {16, 8, 0};
      for (int i = 0; i < 3; ++i)
        EXPECT_EQ(std::lround(255 * seen[i]), (style.color.rgb >> shifts[i]) & 0xff) << method.key;
    }
}

}  // namespace
}  // namespace twosphere
