// SPDX-License-Identifier: GPL-3.0-or-later
#include "render/cells.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <glm/geometric.hpp>
#include <string>
#include <tuple>
#include <vector>

#include "core/catalog.h"
#include "core/record/signal.h"
#include "render/convert.h"
#include "render/dashes.h"
#include "tests/outcome.h"
#include "tests/render/snapshots.h"
#include "tests/runs.h"

namespace twosphere::render::cells_test {
namespace {

using test::chain;
using test::columns;
using test::direction;

constexpr std::array methods{"variational", "rk4",           "heun",        "rk45",
                             "rk2",         "rk2_projected", "variational4"};

/// Lanes of two pendula that have moved apart, each further than the one before.
Snapshot lanes(std::size_t count) {
  Snapshot made = test::snapshot(chain(2), columns({direction(0.7, 0.2), direction(1.1, -1.3)}));
  for (std::size_t lane = 1; lane < count; ++lane) {
    const double by = 0.3 * static_cast<double>(lane);
    made.lanes.push_back(test::lane(columns({direction(0.7 + by, 0.2), direction(1.1, by - 1.3)}),
                                    0, methods.at(lane)));
  }
  return made;
}

const SceneStyle by_lane{.trail = false, .split = Split::lanes};

Cells cells_of(const CellArea& whole, const Snapshot& snapshot, const SceneStyle& style = by_lane) {
  SceneMemory memory;
  return cells(whole, 1, snapshot, {}, style, memory);
}

TEST(Cells, CoverTheRectangleInEverySize) {
  for (const auto& [width, height, two] : {std::tuple(1280, 800, true),
                                           {961, 543, true},
                                           {720, 600, true},
                                           {719, 600, false},
                                           {480, 900, false},
                                           {2561, 1441, true}})
    for (std::size_t count = 2; count <= 7; ++count) {
      const CellArea whole{7, 11, width, height};
      const Cells made = cells_of(whole, lanes(count));
      const std::size_t shown = std::min<std::size_t>(count, 4);
      ASSERT_EQ(made.list.size(), shown) << width << 'x' << height;
      EXPECT_EQ(made.spare.has_value(), count == 3);
      std::vector<CellArea> areas;
      for (const Cell& cell : made.list) areas.push_back(cell.area);
      if (made.spare) areas.push_back(*made.spare);
      std::int64_t covered = 0;
      for (const CellArea& a : areas) {
        covered += std::int64_t{a.width} * a.height;
        EXPECT_GE(a.x, whole.x);
        EXPECT_GE(a.y, whole.y);
        EXPECT_LE(a.x + a.width, whole.x + whole.width);
        EXPECT_LE(a.y + a.height, whole.y + whole.height);
        EXPECT_GE(a.width, 240);
        EXPECT_GE(a.height, 170);
        for (const CellArea& b : areas)
          if (!(a == b)) {
            EXPECT_TRUE(a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y ||
                        b.y + b.height <= a.y)
                << "they do not overlap";
          }
      }
      EXPECT_EQ(covered, std::int64_t{width} * height);
      if (count == 2) {
        EXPECT_EQ(areas[0].y == areas[1].y, two) << width << 'x' << height;
      }
      EXPECT_EQ(std::count_if(made.list.begin(), made.list.end(),
                              [](const Cell& cell) { return cell.axes; }),
                1);
      const std::string& note = made.list.back().caption.note;
      EXPECT_EQ(note,
                count > 4 ? "4 of " + std::to_string(count) + "; hide one to see another" : "");
    }
}

TEST(Cells, AreNotMadeSmallerThanCanBeRead) {
  for (const auto& [width, height, fits] :
       {std::tuple(480, 340, true), {479, 340, false}, {480, 339, false}}) {
    const Cells made = cells_of({0, 0, width, height}, lanes(4));
    EXPECT_EQ(made.list.empty(), !fits);
    EXPECT_EQ(made.too_small, !fits);
  }
  EXPECT_TRUE(cell_layout({0, 0, 800, 600}, 4, 2).areas.empty()) << "logical pixels";
  EXPECT_EQ(cell_layout({0, 0, 100, 60}, 1, 1).areas.size(), 1u) << "a cell alone";
}

TEST(Cells, OneLaneOrNoSplitHasNone) {
  const CellArea whole{0, 0, 1280, 800};
  EXPECT_TRUE(cells_of(whole, lanes(1)).list.empty());
  EXPECT_FALSE(cells_of(whole, lanes(1)).too_small);
  EXPECT_TRUE(cells_of(whole, lanes(3), {}).list.empty());
  SceneStyle hidden = by_lane;
  hidden.hidden = {1};
  EXPECT_TRUE(cells_of(whole, lanes(2), hidden).list.empty());
}

TEST(Cells, ShowEachLaneAloneWithTheReferenceAsAnOutline) {
  const Snapshot now = lanes(3);
  SceneStyle style = by_lane;
  style.reference = 1;
  const Cells made = cells_of({0, 0, 1280, 800}, now, style);
  ASSERT_EQ(made.list.size(), 3u);
  for (std::size_t k = 0; k < 3; ++k) {
    const Cell& cell = made.list[k];
    EXPECT_EQ(cell.shows, static_cast<int>(k));
    Snapshot one = now;
    one.lanes = {now.lanes[k]};
    const Scene alone = build_scene(one, {}, {.trail = false});
    ASSERT_EQ(cell.scene.spheres.size(), alone.spheres.size());
    for (std::size_t i = 0; i < alone.spheres.size(); ++i) {
      EXPECT_EQ(cell.scene.spheres[i].center, alone.spheres[i].center);
      EXPECT_EQ(cell.scene.spheres[i].color, alone.spheres[i].color) << "bodies keep their colours";
    }
    EXPECT_EQ(cell.caption.name, now.lanes[k].title());
    EXPECT_EQ(cell.caption.style.color, style_of_lane(now, k, style).color);
    if (k == 1) {
      EXPECT_TRUE(cell.scene.rings.empty()) << "the reference itself";
      EXPECT_FALSE(cell.caption.distance);
      continue;
    }
    ASSERT_TRUE(cell.caption.distance);
    EXPECT_EQ(*cell.caption.distance, distance(now.lanes[k].state.q, now.lanes[1].state.q));
    ASSERT_FALSE(cell.scene.rings.empty());
    for (const Ring& ring : cell.scene.rings) EXPECT_EQ(ring.width, 1.5f);
  }
  EXPECT_EQ(made.reference.spheres[1].center, made.list[1].scene.spheres[1].center);
}

TEST(Cells, JoinABodyWithTheReferenceWhereItIsFarAway) {
  for (const double by : {0.0, 0.02, 0.5}) {
    // One pendulum: a straight gap; and a body on the sphere: an arc.
    for (const bool sphere : {false, true}) {
      const SystemInfo& info = *find_system(sphere ? "n_body" : "chain_pendulum");
      Values values = default_values(info.parameters, 2);
      for (const ParameterInfo& p : info.parameters)
        if (p.required)
          values.emplace(p.key, std::vector<double>(p.shape == Shape::per_body ? 2 : 1, 1));
      const std::shared_ptr<const System> system = test::value_of(info.create(2, values));
      const Vec3 other = direction(2, 2);
      Snapshot now = test::snapshot(system, columns({direction(1, 0), other}));
      now.lanes.push_back(test::lane(columns({direction(1 + by, 0), other}), 0, "rk4"));
      const Cells made = cells_of({0, 0, 1280, 800}, now);
      ASSERT_EQ(made.list.size(), 2u);
      const Scene& scene = made.list[1].scene;
      const float radius = scene.bodies[0].w;
      const glm::vec3 color = rgb(style_of_lane(now, 1, by_lane).color);
      std::vector<Polyline> gaps;
      for (const Polyline& line : scene.polylines)
        if (line.color == color && line.width == 2) gaps.push_back(line);
      const float apart =
          glm::distance(glm::vec3(scene.bodies[0]), glm::vec3(made.reference.bodies[0]));
      // The second pendulum hangs on the first.
      ASSERT_EQ(gaps.size(), apart > 2 * radius ? (sphere ? 1u : 2u) : 0u) << by;
      if (gaps.empty()) continue;
      EXPECT_NEAR(glm::distance(glm::vec3(gaps[0].points.back()), glm::vec3(scene.bodies[0])), 0,
                  1e-5f);
      for (const glm::vec4& p : gaps[0].points)
        if (sphere) {
          EXPECT_NEAR(glm::length(glm::vec3(p)), 1, 1e-3f) << "along a great circle";
        }
      EXPECT_TRUE(std::any_of(gaps[0].points.begin(), gaps[0].points.end(), [](const glm::vec4& p) {
        return p.w < 0;
      })) << "dashed";
    }
  }
}

TEST(Cells, OfAFieldHaveNoOutlinesOfItsCrowd) {
  const Scenario molecules = test::preset("lennard_jones");
  const std::shared_ptr<const System> system =
      test::value_of(find_system(molecules.system)->create(molecules.size(), molecules.parameters));
  Snapshot now = test::snapshot(system, molecules.q);
  Columns turned = molecules.q;
  turned.row(0) = -molecules.q.row(1);
  turned.row(1) = molecules.q.row(0);
  now.lanes.push_back(test::lane(turned, 0, "rk4"));
  SceneStyle style = by_lane;
  EXPECT_FALSE(cells_of({0, 0, 1280, 800}, now, style).list.at(1).scene.rings.empty());
  style.field = true;
  EXPECT_TRUE(cells_of({0, 0, 1280, 800}, now, style).list.at(1).scene.rings.empty());
}

TEST(Cells, HaveTheScalesOfTheReference) {
  Snapshot now = lanes(2);
  now.lanes[0].state.w.col(0) = Vec3(now.lanes[0].state.q.col(0)).unitOrthogonal();
  now.lanes[1].state.w.col(0) = 50 * Vec3(now.lanes[1].state.q.col(0)).unitOrthogonal();
  SceneStyle style = by_lane;
  style.shade = Shade::speed;
  style.arrows[0] = true;
  const Cells made = cells_of({0, 0, 1280, 800}, now, style);
  ASSERT_EQ(made.list.size(), 2u);
  for (const Cell& cell : made.list) {
    EXPECT_EQ(cell.scene.bars.at(0).high, made.reference.bars.at(0).high);
    EXPECT_EQ(cell.scene.arrow_keys.at(0).longest, made.reference.arrow_keys.at(0).longest);
  }
  EXPECT_LT(made.reference.bars[0].high, 5);
}

TEST(Cells, CanBeOneAlone) {
  SceneStyle style = by_lane;
  style.alone = 2;
  const CellArea whole{0, 0, 640, 400};
  const Cells made = cells_of(whole, lanes(3), style);
  ASSERT_EQ(made.list.size(), 1u);
  EXPECT_EQ(made.list[0].area, whole);
  EXPECT_EQ(made.list[0].shows, 2);
  EXPECT_TRUE(made.list[0].axes);
}

TEST(Cells, OfRunsShowThemAtTheInstantAndThoseThatEndedPale) {
  std::vector<CellRun> runs(2);
  const Snapshot both = lanes(2);
  for (std::size_t k = 0; k < 2; ++k) {
    runs[k].number = 10 + static_cast<int>(k);
    runs[k].present = k == 0;
    runs[k].name = k == 0 ? "run" : "branch";
    runs[k].color = branch_color(static_cast<int>(k), Palette::dark);
    runs[k].snapshot = both;
    runs[k].snapshot.lanes = {both.lanes[k]};
  }
  runs[1].ended = 12.4;
  SceneMemory memory;
  const SceneStyle style{.trail = false, .split = Split::runs};
  const Cells made = cells({0, 0, 1280, 800}, 1, runs[0].snapshot, {}, style, memory, runs);
  ASSERT_EQ(made.list.size(), 2u);
  EXPECT_EQ(made.list[1].shows, 11);
  EXPECT_TRUE(made.list[0].present);
  EXPECT_FALSE(made.list[1].present);
  EXPECT_EQ(made.list[1].caption.name, "branch");
  EXPECT_EQ(made.list[1].caption.note, "ended at 12.4 s");
  EXPECT_EQ(made.list[1].caption.style.color, runs[1].color);
  const glm::vec3 ground = theme(style).background_bottom;
  const glm::vec3 full = made.list[0].scene.spheres[0].color,
                  pale = made.list[1].scene.spheres[0].color;
  EXPECT_LT(glm::distance(pale, ground), glm::distance(full, ground));
}

TEST(Cells, ArePaintedIntoTheirParts) {
  const CellArea whole{0, 0, 501, 362};
  const Snapshot now = lanes(3);
  SceneMemory memory;
  const Cells made = cells(whole, 1, now, {}, by_lane, memory);
  ASSERT_EQ(made.list.size(), 3u);
  Camera camera;
  camera.frame(framing(now, by_lane), 250.0f / 181);
  const auto painter = test::value_of(Painter::create(whole.width, whole.height));
  const Theme colors = theme(by_lane);
  const Image image = painter->paint(picture_parts(made, camera), colors, false);
  const auto differs = [&](const CellArea& a, const Image& from) {
    int count = 0;
    for (int y = a.y; y < a.y + a.height; ++y)
      for (int x = a.x; x < a.x + a.width; ++x)
        count += !std::equal(image.at(x, y), image.at(x, y) + 4, from.at(x, y));
    return count;
  };
  // Each is what it is without the others.
  for (std::size_t k = 0; k < 3; ++k) {
    Cells without = made;
    for (std::size_t other = 0; other < 3; ++other)
      if (other != k) without.list[other].scene = Scene();
    const Image one = painter->paint(picture_parts(without, camera), colors, false);
    EXPECT_EQ(differs(made.list[k].area, one), 0) << k;
    EXPECT_GT(differs(made.list[(k + 1) % 3].area, one), 100) << k;
  }
}

}  // namespace
}  // namespace twosphere::render::cells_test
