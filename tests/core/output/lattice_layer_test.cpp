// SPDX-License-Identifier: GPL-3.0-or-later
// Layers of a cubic lattice: their texts, and what is left of a geometry that is cut to one.
#include "core/output/lattice_layer.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/cases.h"
#include "tests/outcome.h"

namespace twosphere::test::lattice_layer_test {
namespace {

constexpr int nx = 3, ny = 4, nz = 2, n = nx * ny * nz;
constexpr double spacing = 0.5;

std::unique_ptr<const System> cubic() {
  return system_of("spins", n, {{"lattice", {4, nx, ny, nz, spacing, 0}}});
}

Result<std::optional<LatticeLayer>> of_text(std::string_view layer) {
  json::Node view = json::Node::object();
  view.set("layer", value_of(json::parse(layer, "layer")));
  return layer_of_view(view);
}

TEST(LatticeLayer, IsReadFromAViewAndFromAnOption) {
  EXPECT_FALSE(value_of(layer_of_view(json::Node::object())).has_value());
  const LatticeLayer layer{0, 3};
  EXPECT_EQ(value_of(of_text(R"({"axis": "e1", "number": 3})")), layer);
  EXPECT_EQ(value_of(of_text(json::write(to_json(layer)))), layer);
  EXPECT_EQ(value_of(parse_layer("e1:4")), layer) << "counted from 1";
  for (const auto& [text, place] : {std::pair(R"({"axis": "e4", "number": 0})", "view.layer.axis"),
                                    {R"({"axis": "e1", "number": -1})", "view.layer.number"},
                                    {R"({"axis": "e1", "number": 0.5})", "view.layer.number"},
                                    {R"({"axis": "e1"})", "view.layer"},
                                    {R"({"axis": "e1", "number": 0, "of": 2})", "view.layer.of"}})
    EXPECT_TRUE(says(error_of(of_text(text)).location, place)) << text;
  for (const char* text : {"", "e1", "e1:", "e1:0", "e0:1", "e1:2.5", "1:2"})
    EXPECT_TRUE(says(error_of(parse_layer(text)).message, "must be AXIS:NUMBER")) << text;
}

TEST(LatticeLayer, MustBeOneOfTheLattice) {
  const auto spins = cubic();
  EXPECT_TRUE(check_layer({1, ny - 1}, *spins));
  EXPECT_EQ(error_of(check_layer({1, ny}, *spins)).message, "must be from e2:1 to e2:4, not e2:5");
  const auto square = system_of("spins", 12, {{"lattice", {1, 3, 4, 1, 1, 0}}});
  EXPECT_TRUE(says(error_of(check_layer({2, 0}, *square)).message, "is of a cubic lattice"));
  EXPECT_EQ(square->lattice_layers(), (std::array{0, 0, 0}));
}

TEST(LatticeLayer, LeavesItsBodies) {
  const auto spins = cubic();
  const Columns q = generic_start(n, everywhere, 0, 3).q;
  Geometry all;
  spins->geometry(q, all);
  const std::array<int, 3> size{nx, ny, nz};
  ASSERT_EQ(spins->lattice_layers(), size);
  for (int axis = 0; axis < 3; ++axis)
    for (int number = 0; number < size.at(static_cast<std::size_t>(axis)); ++number) {
      SCOPED_TRACE(testing::Message() << axis << ' ' << number);
      const ShownBodies shown(LatticeLayer{axis, number}, *spins);
      EXPECT_TRUE(shown.is_layer());
      Geometry layer = all;
      shown.cut(layer);
      ASSERT_EQ(layer.arrows.size(), shown.count(n));
      ASSERT_EQ(layer.bodies.size(), shown.count(n));
      std::size_t at = 0, guides = 0;
      for (std::size_t i = 0; i < all.arrows.size(); ++i) {
        const Vec3 site = (all.arrows[i].from + all.arrows[i].to) / 2;
        const bool inside = std::abs(site[axis] - spacing * number) < 1e-12;
        EXPECT_EQ(shown.has(i), inside);
        if (!inside) continue;
        EXPECT_EQ(shown[at], i);
        EXPECT_EQ(layer.arrows[at].to, all.arrows[i].to);
        EXPECT_EQ(layer.bodies[at++].position, all.bodies[i].position);
      }
      EXPECT_EQ(at, shown.count(n));
      for (const Geometry::Link& guide : all.guides)
        if (std::abs(guide.from[axis] - spacing * number) < 1e-12 &&
            std::abs(guide.to[axis] - spacing * number) < 1e-12)
          ++guides;
      EXPECT_EQ(layer.guides.size(), guides);
      // The cells are squares in the plane, counter-clockwise about the axis.
      ASSERT_EQ(layer.cells.size(), 1u);
      ASSERT_EQ(layer.cells[0].count, 4u);
      for (std::size_t k = 0; k < 4; ++k) {
        const Vec3 &a = layer.cells[0].corners.at(k), &b = layer.cells[0].corners.at((k + 1) % 4);
        EXPECT_NEAR((a.cross(b) - spacing * spacing / 2 * Vec3::Unit(axis)).norm(), 0, 1e-15);
      }
    }
}

TEST(LatticeLayer, IsTheLastOneWhereItIsBeyond) {
  const auto spins = cubic();
  const ShownBodies beyond({LatticeLayer{2, 50}}, *spins), last({LatticeLayer{2, nz - 1}}, *spins);
  ASSERT_EQ(beyond.count(n), last.count(n));
  for (std::size_t k = 0; k < last.count(n); ++k) EXPECT_EQ(beyond[k], last[k]);
}

TEST(LatticeLayer, ThatASystemDoesNotHaveIsSaid) {
  const auto spins = cubic();
  EXPECT_EQ(missing_layer({2, nz - 1}, *spins), "");
  EXPECT_EQ(missing_layer({2, 50}, *spins),
            fmt::format("view.layer.number: must be from 0 to {}, not 50; the last layer is shown",
                        nz - 1));
  const auto square = system_of("spins", 12, {{"lattice", {1, 3, 4, 1, 1, 0}}});
  EXPECT_EQ(missing_layer({2, 0}, *square),
            "view.layer: is of a cubic lattice of spins, which the system is not; all bodies are "
            "shown");
}

TEST(LatticeLayer, WithoutOneEverythingIsShown) {
  const auto spins = cubic();
  const auto square = system_of("spins", 12, {{"lattice", {1, 3, 4, 1, 1, 0}}});
  for (const auto& [layer, system] :
       {std::pair<std::optional<LatticeLayer>, const System*>{std::nullopt, spins.get()},
        {LatticeLayer{2, 1}, square.get()}}) {
    const ShownBodies shown(layer, *system);
    EXPECT_FALSE(shown.is_layer());
    EXPECT_EQ(shown.count(12), 12u);
    EXPECT_EQ(shown[7], 7u);
    EXPECT_TRUE(shown.has(7));
    std::vector<int> list(static_cast<std::size_t>(system->size()), 1);
    shown.keep(list);
    EXPECT_EQ(list.size(), static_cast<std::size_t>(system->size()));
  }
}

// A row of a lattice is no plane.
TEST(LatticeLayer, ThatIsARowHasNoCells) {
  const auto row = system_of("spins", 5, {{"lattice", {4, 5, 1, 1, 1, 0}}});
  Geometry geometry;
  row->geometry(generic_start(5, everywhere, 0, 3).q, geometry);
  ShownBodies(LatticeLayer{2, 0}, *row).cut(geometry);
  EXPECT_EQ(geometry.arrows.size(), 5u);
  EXPECT_TRUE(geometry.cells.empty());
}

}  // namespace
}  // namespace twosphere::test::lattice_layer_test
