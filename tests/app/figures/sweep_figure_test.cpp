// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of parameter maps: their slices, curves, basins and numbers.
#include "app/figures/sweep_figure.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "core/catalog.h"
#include "core/color/palette.h"
#include "tests/outcome.h"
#include "tests/runs.h"
#include "tests/ui/plot/letters.h"

namespace twosphere::sweep_figure_test {
namespace {

/// A map of 4 × 2 cells of which the first block of two is computed.
SweepMap coarse_map() {
  SweepMap map;
  map.across = {"Gravity g", "m/s²", {1, 2, 3, 4}, {}};
  map.up = {"Start ω₁·e₁", "rad/s", {0, 1}, {}};
  map.bar = {.label = "MEGNO", .unit = "1", .low = 0, .high = 10};
  map.cells.resize(8);
  for (std::size_t k = 0; k < map.cells.size(); ++k) map.cells[k].task = k;
  for (const std::size_t k : {0U, 1U, 4U, 5U}) {
    map.cells[k].shown = 0;
    map.cells[k].shade = 0.5;
  }
  map.cells[0].status = TaskStatus::done;
  map.cells[0].value = 5;
  return map;
}

TEST(SweepFigure, SlicesShowWhatTheCellsShowOnAxesWithNumbers) {
  const SweepMap map = coarse_map();
  const ui_test::Letters letters;
  const MapLayout layout = map_layout(map, {400, 300}, letters, true);
  ui::DrawList list;
  draw_map_slices(list, map, layout, 1, 1, letters, {});  // a cell that is not computed
  const ui::Box above = layout.above, beside = layout.beside;
  std::set<std::string> left_of_row, above_column, titles;
  std::vector<ui::Point> row, column, dots;
  for (const ui::Primitive& one : list.primitives()) {
    const auto points = list.points(one);
    if (one.kind == ui::Primitive::Kind::circle) dots.push_back(points[0]);
    if (one.kind == ui::Primitive::Kind::text && list.text(one).find(" = ") != std::string::npos) {
      titles.insert(list.text(one));
    } else if (one.kind == ui::Primitive::Kind::text) {
      const ui::Point at = points[0];
      const double right = at.x + letters.width(one.face, list.text(one));
      if (right < above.from.x) {
        EXPECT_GE(at.x, 0) << list.text(one);
        left_of_row.insert(list.text(one));
      } else {
        EXPECT_LE(at.y + letters.height(one.face), beside.from.y);
        EXPECT_GE(at.x, above.to.x);
        above_column.insert(list.text(one));
      }
    }
    if (one.kind == ui::Primitive::Kind::polyline)
      (row.empty() ? row : column).assign(points.begin(), points.end());
  }
  for (const auto* numbers : {&left_of_row, &above_column}) {
    EXPECT_GE(numbers->size(), 2U);
    for (const std::string& number : *numbers) {
      const double value = std::stod(number);
      EXPECT_TRUE(value >= 0 && value <= 10) << number;
    }
  }
  ASSERT_EQ(row.size(), 2U);
  for (const ui::Point& p : row) EXPECT_DOUBLE_EQ(p.y, above.center().y);
  ASSERT_EQ(column.size(), 2U);
  for (const ui::Point& p : column) EXPECT_DOUBLE_EQ(p.x, beside.center().x);
  EXPECT_EQ(titles, (std::set<std::string>{map.across.label + " = " + map.across.text(1),
                                           map.up.label + " = " + map.up.text(1)}));
  // The values under the cursor.
  ASSERT_EQ(dots.size(), 2U);
  EXPECT_EQ(dots[0].x, row[1].x);
  EXPECT_EQ(dots[1].y, column[1].y);
}

TEST(SweepFigure, ASingleAxisIsACurveWithPointsTitlesAndItsLevel) {
  SweepMap map;
  map.title = "Three bodies";
  map.across = {"Gravity g", "m/s²", {1, 2, 3, 4}, {}};
  map.up.values = {0};
  map.bar = {.label = "MEGNO", .unit = "1", .low = 2, .high = 9};
  map.level = 2;
  map.cells.resize(4);
  for (std::size_t k = 0; k < 4; ++k) {
    map.cells[k] = {
        .task = k, .status = TaskStatus::done, .value = 3.0 + 2 * static_cast<double>(k)};
    map.cells[k].shown = k;
  }
  ui::DrawList list;
  const ui::Point page{400, 300};
  draw_sweep_curve(list, map, page, ui_test::Letters(), {});
  std::set<std::string> texts;
  std::vector<ui::Point> dots;
  bool level = false;
  double top = page.y, bottom = 0;  // of the frame
  for (const ui::Primitive& one : list.primitives())
    if (one.kind == ui::Primitive::Kind::frame) {
      top = list.points(one)[0].y;
      bottom = list.points(one)[1].y;
    }
  for (const ui::Primitive& one : list.primitives()) {
    const auto points = list.points(one);
    EXPECT_NE(one.kind, ui::Primitive::Kind::boxes) << "no strip of cells, no colour bar";
    if (one.kind == ui::Primitive::Kind::text) texts.insert(list.text(one));
    if (one.kind == ui::Primitive::Kind::circle) dots.push_back(points[0]);
  }
  for (const char* title : {"Three bodies", "MEGNO", "Gravity g [m/s²]"})
    EXPECT_TRUE(texts.contains(title)) << title;
  ASSERT_EQ(dots.size(), 4U);
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_GT(dots[k].y, top + 3);
    EXPECT_LT(dots[k].y, bottom - 3);
    if (k > 0) {
      EXPECT_LT(dots[k].y, dots[k - 1].y);
    }
  }
  // 2 lies as far below 3 as 3 is half the step to 5.
  const double expected = dots[0].y + (dots[0].y - dots[1].y) / 2;
  for (const ui::Primitive& one : list.primitives())
    if (one.kind == ui::Primitive::Kind::line)
      level |= std::abs(list.points(one)[0].y - expected) < 1e-9 &&
               list.points(one)[1].x - list.points(one)[0].x > 200;
  EXPECT_TRUE(level);
}

TEST(SweepFigure, BasinsHaveColoursOfTheirOwnALegendAndANote) {
  Sweep sweep{.scenario = test::preset("custom/magnetic_pendulum")};
  for (const char* text : {"initial.angles[0][0]=0:1:4", "initial.angles[0][1]=0:1:4"})
    sweep.axes.push_back(test::value_of(parse_axis(text)));
  sweep.measures = {test::value_of(parse_measure("basin", sweep.scenario))};
  for (const auto& [q, index] :
       {std::pair(Vec3(0.6, 0, 0.8), 0),
        {Vec3(0, 0, 1), 1},
        {Vec3(-0.11, -0.19, -std::sqrt(1 - 0.11 * 0.11 - 0.19 * 0.19)), 0}}) {
    Equilibrium one;
    one.q = q;
    one.index = index;
    sweep.equilibria.push_back(one);
  }
  std::vector<SweepRow> rows;
  for (std::size_t task = 0; task < 16; ++task)
    rows.push_back({task, TaskStatus::stopped, {task % 4 < 2 ? 0.0 : 2.0}});
  rows[5].values = {-1};
  const MapChoice choice{.up = 1, .fixed = {0, 0}, .logarithmic = true, .measure_name = "Basin"};
  const SweepMap map = sweep_map(sweep, rows, choice);
  EXPECT_FALSE(map.logarithmic);
  ASSERT_EQ(map.categories.size(), 3U);  // both minima, and none of them
  EXPECT_EQ(map.categories[1].name, "2: (−0.11, −0.19, −0.98)");
  const Palette light = Palette::light;
  EXPECT_EQ(map.color(map.cells[0], light), body_color(0, 2, light));
  EXPECT_EQ(map.color(map.at(0, 2), light), body_color(1, 2, light));
  EXPECT_NE(map.color(map.at(1, 1), light), map.color(map.at(0, 1), light));
  EXPECT_TRUE(map.note.starts_with("uncertain fraction")) << map.note;
  const ui_test::Letters letters;
  const MapLayout layout = map_layout(map, {400, 300}, letters, true);
  ui::DrawList list;
  draw_map_axes(list, map, layout, letters, {}, light);
  std::set<std::string> texts;
  for (const ui::Primitive& one : list.primitives())
    if (one.kind == ui::Primitive::Kind::text) {
      texts.insert(list.text(one));
      EXPECT_LE(list.points(one)[0].y + letters.height(one.face), 300) << list.text(one);
      if (list.text(one) == map.categories[1].name) {
        EXPECT_LE(list.points(one)[0].x + letters.width(one.face, list.text(one)), 400);
      }
    }
  for (const std::string& text : {map.categories[0].name, map.categories[1].name,
                                  std::string("none"), std::string("Basin"), map.note})
    EXPECT_TRUE(texts.contains(text)) << text;
}

TEST(SweepFigure, LogarithmicValuesWithinADecadeHaveNumbers) {
  SweepMap map = coarse_map();
  map.logarithmic = true;
  const ui_test::Letters letters;
  for (const auto& [low, high] : {std::pair(-1.5, -1.1), {-1.2, -0.9}, {-1.0, 3.0}, {-9.0, -8.8}}) {
    map.bar.low = low;
    map.bar.high = high;
    const MapLayout layout = map_layout(map, {400, 300}, letters, true);
    ui::DrawList list;
    draw_map_slices(list, map, layout, 1, 1, letters, {});
    std::set<std::string> numbers;
    for (const ui::Primitive& one : list.primitives())
      if (one.kind == ui::Primitive::Kind::text) numbers.insert(list.text(one));
    EXPECT_GE(numbers.size(), 2U) << low;
  }
}

}  // namespace
}  // namespace twosphere::sweep_figure_test
