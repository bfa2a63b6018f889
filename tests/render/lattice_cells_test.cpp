// SPDX-License-Identifier: GPL-3.0-or-later
// Spins: the colours of their directions, and the cells of a lattice in place of its arrows.
#include "render/lattice_cells.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <glm/geometric.hpp>
#include <memory>
#include <string>
#include <utility>

#include "core/catalog.h"
#include "core/color/color_map.h"
#include "core/mechanics/system.h"
#include "core/output/body_quantity.h"
#include "core/output/lattice_layer.h"
#include "core/scenario/reader.h"
#include "core/scenario/scenario.h"
#include "render/camera.h"
#include "render/convert.h"
#include "render/scene_builder.h"
#include "tests/outcome.h"
#include "tests/render/snapshots.h"

namespace twosphere::render::lattice_cells_test {
namespace {

using test::snapshot;

const SceneStyle plain{.trail = false};

struct Spins {
  std::shared_ptr<const System> system;
  Columns q;

  Scene scene(const SceneStyle& style = plain) const {
    return build_scene(snapshot(system, q), {}, style);
  }
};

/// Spins that turn about e1, e2 or e3 from site to site.
Spins spins(const std::string& lattice) {
  const std::string text = R"({"twosphere": 1, "system": {"type": "spins", "lattice": )" + lattice +
                           R"(}, "initial": {"generator": {"type": "random", "seed": 3}},
                              "integrator": {"type": "spherical_midpoint", "step": 0.1},
                              "duration": 1})";
  const Scenario scenario = test::value_of(read_scenario(text, "spins"));
  auto made = find_system(scenario.system)->create(scenario.size(), scenario.parameters);
  return {test::value_of(std::move(made)), scenario.q};
}

TEST(SpinColors, AreThoseOfTheirDirections) {
  const Spins s = spins(R"({"type": "square", "size": [4, 3]})");
  for (int axis = 0; axis < 3; ++axis) {
    SceneStyle style = plain;
    style.color_axis = axis;
    const Scene scene = s.scene(style);
    ASSERT_EQ(scene.cones.size(), 12U);
    for (Eigen::Index i = 0; i < 12; ++i) {
      const glm::vec3 color = rgb(direction_color(about_axis(s.q.col(i), axis), style.palette));
      const auto k = static_cast<std::size_t>(i);
      EXPECT_EQ(scene.cones[k].color, color) << i;
      EXPECT_EQ(scene.cylinders[2 * k].color, color) << "the tail, too: it is not darker";
      EXPECT_EQ(scene.spheres[k].color, color);
    }
    ASSERT_EQ(scene.bars.size(), 2U);
    EXPECT_EQ(scene.bars[0].map, ColorMap::cyclic);
    EXPECT_EQ(scene.bars[0].unit, "°");
    EXPECT_EQ(scene.bars[1].map, ColorMap::lightness);
  }
  // The component along the axis of the anisotropy can be chosen.
  SceneStyle own = plain;
  own.shade = Shade::own;
  ASSERT_EQ(s.scene(own).bars.size(), 1U);
  EXPECT_EQ(s.scene(own).bars[0].label, "component along the axis");
}

TEST(SpinColors, OfANematicHaveNoSign) {
  const Spins s = spins(R"({"type": "square", "size": [4, 3]}, "exchange": 0, "biquadratic": 1)");
  Columns turned = s.q;
  turned.col(5) *= -1;
  const Scene scene = s.scene(), other = build_scene(snapshot(s.system, turned), {}, plain);
  for (std::size_t i = 0; i < 12; ++i) {
    const Vec3 q = s.q.col(static_cast<Eigen::Index>(i));
    EXPECT_EQ(scene.cones[i].color, rgb(direction_color(line_about_axis(q, 2), plain.palette)));
    EXPECT_LT(glm::distance(scene.cones[i].color, other.cones[i].color), 0.01F) << i;
  }
  ASSERT_EQ(scene.bars.size(), 1U);
  EXPECT_EQ(scene.bars[0].low, -90);
  EXPECT_EQ(scene.bars[0].high, 90);
}

TEST(SpinColors, AreThoseOfTheInsetToo) {
  const Spins few = spins(R"({"type": "square", "size": [4, 3]})"),
              many = spins(R"({"type": "square", "size": [60, 60]})");
  const Scene inset = build_inset(snapshot(few.system, few.q), {}, plain);
  ASSERT_EQ(inset.spheres.size(), 12U);
  for (Eigen::Index i = 0; i < 12; ++i) {
    const Sphere& point = inset.spheres[static_cast<std::size_t>(i)];
    EXPECT_EQ(point.color, rgb(direction_color(about_axis(few.q.col(i), 2), plain.palette)));
    EXPECT_EQ(point.center, to_float(few.q.col(i)));
  }
  // Many are points, so that it is seen how they are distributed; cheap ones in software.
  SceneStyle coarse = plain;
  coarse.fine = false;
  EXPECT_LT(build_inset(snapshot(many.system, many.q), {}, plain).spheres[0].radius,
            inset.spheres[0].radius / 2);
  EXPECT_EQ(build_inset(snapshot(many.system, many.q), {}, coarse).dots.size(), 3600U);
}

TEST(SpinColors, CanBeChosenForEverySystem) {
  for (const Preset& preset : presets()) {
    const Scenario scenario = test::value_of(read_scenario(preset.text, preset.key));
    auto made = find_system(scenario.system)->create(scenario.size(), scenario.parameters);
    const std::shared_ptr<const System> system = test::value_of(std::move(made));
    SceneStyle style = plain;
    style.shade = Shade::direction;
    EXPECT_EQ(build_scene(snapshot(system, scenario.q), {}, style).bars.size(),
              system->apolar() ? 1U : 2U)
        << preset.key;
  }
}

TEST(LatticeCells, ReplaceArrowsThatAreLessThanSixPixelsApart) {
  for (const auto& [lattice, corners] : {std::pair{R"({"type": "square", "size": [9, 9]})", 4U},
                                         {R"({"type": "triangular", "size": [9, 9]})", 6U},
                                         {R"({"type": "hexagonal", "size": [9, 9]})", 3U}}) {
    SCOPED_TRACE(lattice);
    const Spins s = spins(lattice);
    const Scene scene = s.scene();
    const auto n = static_cast<std::size_t>(s.q.cols());
    ASSERT_TRUE(scene.lattice.mesh.shape);
    EXPECT_EQ(scene.lattice.mesh.shape->vertices.size(), corners * n);
    EXPECT_EQ(scene.lattice.mesh.colors.size(), (corners - 2) * n);
    EXPECT_EQ(scene.lattice.mesh.colors.size(), scene.lattice.mesh.shape->faces.size());
    EXPECT_EQ(scene.lattice.mesh.colors[corners - 2], scene.cones[1].color);
    const float distance = corners == 3U ? 1 / std::sqrt(3.0F) : 1.0F;
    EXPECT_NEAR(scene.lattice.spacing, distance, 1e-6F);

    Camera camera;
    camera.frame(scene.center, scene.radius, 1);
    const float six =
        6 / scene.lattice.spacing / camera.pixels_per_metre(1);  // height of such a view
    EXPECT_FALSE(shows_cells(scene, camera, 1.01F * six));
    EXPECT_TRUE(shows_cells(scene, camera, 0.99F * six));

    const Scene cells = with_cells(scene);
    EXPECT_TRUE(cells.spheres.empty() && cells.cylinders.empty() && cells.cones.empty() &&
                cells.polylines.empty());
    EXPECT_EQ(cells.mesh.shape, scene.lattice.mesh.shape);
    EXPECT_EQ(cells.mesh.colors, scene.lattice.mesh.colors);
  }
}

TEST(LatticeCells, AreNotMadeOfOtherLattices) {
  for (const char* lattice :
       {R"({"type": "chain", "size": [40]})", R"({"type": "cubic", "size": [4, 4, 4]})"}) {
    const Scene scene = spins(lattice).scene();
    EXPECT_FALSE(scene.lattice.mesh.shape) << lattice;
    EXPECT_FALSE(shows_cells(scene, Camera(), 1)) << lattice;
  }
}

TEST(LatticeCells, AreThoseOfALayerOfACubicLattice) {
  constexpr std::size_t nx = 5, ny = 4, nz = 6;
  const Spins s = spins(R"({"type": "cubic", "size": [5, 4, 6]})");
  SceneStyle style = plain;
  style.arrows[0] = true;  // ω
  Snapshot now = snapshot(s.system, s.q);
  now.lanes[0].state.w.setOnes(3, s.q.cols());
  const Scene whole = build_scene(now, {}, style);
  SceneMemory memory;
  const auto layer = [&](int axis, int number) {
    style.layer = LatticeLayer{axis, number};
    return build_scene(now, {}, style, memory);
  };
  const Scene first = layer(0, 2);
  ASSERT_TRUE(first.lattice.mesh.shape);
  EXPECT_EQ(first.lattice.mesh.shape->vertices.size(), 4 * ny * nz);
  EXPECT_EQ(first.lattice.mesh.colors.size(), 2 * ny * nz);
  EXPECT_EQ(first.spheres.size(), ny * nz);
  EXPECT_NEAR(first.lattice.spacing, 1, 1e-6F);
  ASSERT_EQ(first.bodies.size(), nx * ny * nz) << "by number";
  std::size_t k = 0;
  for (std::size_t i = 0; i < first.bodies.size(); ++i) {
    const bool inside = i % nx == 2;
    EXPECT_EQ(first.bodies[i].w > 0, inside) << i;
    if (!inside) continue;
    EXPECT_EQ(first.spheres[k].center, whole.spheres[i].center);
    EXPECT_EQ(first.spheres[k].color, whole.spheres[i].color);
    EXPECT_EQ(first.lattice.mesh.colors[2 * k], whole.spheres[i].color);
    ++k;
  }
  EXPECT_FALSE(first.spin_tips.empty());
  EXPECT_LT(first.spin_tips.size(), whole.spin_tips.size());
  for (const auto& [body, tip] : first.spin_tips) EXPECT_EQ(body % static_cast<int>(nx), 2);
  const Scene cells = with_cells(first);
  EXPECT_EQ(cells.mesh.shape, first.lattice.mesh.shape);
  EXPECT_TRUE(cells.spheres.empty());
  // Another layer has another shape, the same one keeps it.
  EXPECT_EQ(layer(0, 2).lattice.mesh.shape, first.lattice.mesh.shape);
  const Scene other = layer(2, 5);
  EXPECT_NE(other.lattice.mesh.shape, first.lattice.mesh.shape);
  EXPECT_EQ(other.spheres.size(), nx * ny);
  // Of other systems everything is shown.
  const Spins square = spins(R"({"type": "square", "size": [4, 3]})");
  EXPECT_EQ(square.scene(style).spheres.size(), 12U);
}

// Where it is, and not edge-on.
TEST(LatticeCells, ALayerIsFramed) {
  const Spins s = spins(R"({"type": "cubic", "size": [8, 8, 8]})");
  const Snapshot now = snapshot(s.system, s.q);
  SceneStyle style = plain;
  const Framing whole = framing(now, style);
  style.layer = LatticeLayer{2, 5};
  const Framing flat = framing(now, style);
  EXPECT_LT(flat.half.z, 0.3F * whole.half.z);
  EXPECT_GT(flat.elevation, whole.elevation + 0.1F);
  style.layer = LatticeLayer{0, 1};
  EXPECT_GT(framing(now, style).azimuth, 1.5F);
}

TEST(LatticeCells, OutlinesOfALayerAreOfItsArrowsAlone) {
  const Spins s = spins(R"({"type": "cubic", "size": [3, 3, 3]})");
  SceneStyle style = plain;
  style.layer = LatticeLayer{1, 1};
  const Snapshot now = snapshot(s.system, s.q);
  Scene scene = build_scene(now, {}, style);
  const std::size_t before = scene.rings.size();
  add_configuration(now, 0, -s.q, style, scene);
  EXPECT_EQ(scene.rings.size() - before, 9U);
}

// The renderer keeps a shape as long as its pointer is the same.
TEST(LatticeCells, KeepTheirShapeFromPictureToPicture) {
  const Spins s = spins(R"({"type": "square", "size": [4, 3]})"),
              other = spins(R"({"type": "square", "size": [3, 4]})");
  SceneMemory memory;
  const auto shape_of = [&](const Spins& shown) {
    return build_scene(snapshot(shown.system, shown.q), {}, plain, memory).lattice.mesh.shape;
  };
  const auto first = shape_of(s);
  EXPECT_EQ(shape_of(s), first);
  EXPECT_NE(shape_of(other), first);
}

}  // namespace
}  // namespace twosphere::render::lattice_cells_test
