// SPDX-License-Identifier: GPL-3.0-or-later
// From samples to what is drawn, for the screen and for paper, without anything that draws.
#include "ui/plot/plot_layout.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/ui/plot/letters.h"

namespace twosphere::ui::plot_layout_test {
namespace {

using Kind = Primitive::Kind;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double inf = std::numeric_limits<double>::infinity();
constexpr Interval whole{0, 100};

/// A run of n samples over 100 s whose probed column has these values.
template <class Value>
History history_of(Quantity q, std::size_t n, const Value& value) {
  History history;
  for (std::size_t i = 0; i < n; ++i) {
    Sample s;
    s[Quantity::time] = 100.0 * static_cast<double>(i) / static_cast<double>(n);
    s[Quantity::kinetic_energy] = std::cos(s[Quantity::time]);
    s[q] = value(i);
    history.append(static_cast<std::int64_t>(i), s);
  }
  return history;
}

PlotLook look_of(Medium medium) {
  PlotLook look;
  look.medium = medium;
  look.zero_line = 0.5;
  look.far = 1e6;
  return look;
}

/// A plot 400 wide and 200 high, the strip of zeros included, as one medium has it.
struct Drawn {
  PlotView view;
  std::vector<Curve> curves;
  PlotModel model;
  DrawList list;
  Box box{{50, 20}, {450, 220}};
  double bottom;

  Drawn(const char* spec, const History& history, Medium medium, int columns = 400)
      : view{.spec = parse_plot(spec).value(),
             .id = {},
             .y = {},
             .x = {},
             .pixel_masks = {},
             .spectra = {}},
        curves(curves_of(view.spec, {{0, &history, {0, history.size()}, {}}})),
        bottom(view.spec.scale == Scale::logarithmic ? 200 : 220) {
    const auto parts = fit_plot(view, curves, whole, columns, 6, 6);
    model = plot_model(view, curves, parts, whole, columns, medium, 4, {});
    for (const PlotCurve& curve : model.curves)
      draw_curve(list, look_of(medium), area(medium), curve);
  }
  Area area(Medium medium) const { return {box, bottom, model.x, model.y, look_of(medium)}; }
  std::vector<Primitive> all(Kind kind) const {
    std::vector<Primitive> found;
    for (const Primitive& one : list.primitives())
      if (one.kind == kind) found.push_back(one);
    return found;
  }
  /// The least and the greatest height that is drawn at.
  Interval heights() const {
    Interval range{inf, -inf};
    for (const Primitive& one : list.primitives())
      if (one.kind != Kind::clip)
        for (const Point p : list.points(one))
          range = {std::min(range.low, p.y), std::max(range.high, p.y)};
    return range;
  }
};

TEST(PlotLayout, ALineHasEveryValueWhereTheAxesPutIt) {
  const History history = history_of(Quantity::total_energy, 100,
                                     [](std::size_t i) { return static_cast<double>(i % 7) - 3; });
  for (const Medium medium : {Medium::screen, Medium::paper}) {
    const Drawn plot("total_energy", history, medium);
    const auto lines = plot.all(Kind::polyline);
    ASSERT_EQ(lines.size(), 1u);
    const auto points = plot.list.points(lines[0]);
    ASSERT_EQ(points.size(), 100u);
    const Interval y = plot.model.y.range;
    for (std::size_t i = 0; i < 100; ++i) {
      EXPECT_NEAR(points[i].x, 50 + 4.0 * static_cast<double>(i), 1e-9);
      EXPECT_NEAR(points[i].y, 220 - 200 * (static_cast<double>(i % 7) - 3 - y.low) / y.span(),
                  1e-9);
    }
  }
}

TEST(PlotLayout, WhatIsNoNumberInterruptsALine) {
  const History history = history_of(Quantity::work, 90, [](std::size_t i) {
    return i == 30 ? nan : i == 60 ? inf : static_cast<double>(i);
  });
  for (const Medium medium : {Medium::screen, Medium::paper}) {
    const Drawn plot("work", history, medium);
    const auto lines = plot.all(Kind::polyline);
    ASSERT_EQ(lines.size(), 3u);
    EXPECT_EQ(lines[0].count, 30u);
    EXPECT_EQ(lines[1].count, 29u);
    EXPECT_EQ(lines[2].count, 29u);
    // On the screen the dashes continue, on paper each piece begins anew.
    EXPECT_EQ(lines[1].joins, medium == Medium::screen);
  }
}

// One sample of 10⁵, far beyond what a column of the plot can show by itself.
TEST(PlotLayout, ASpikeOfOneSampleIsDrawnByBoth) {
  const History history = history_of(Quantity::total_energy, 100'000, [](std::size_t i) {
    return i == 61'234 ? 9.0 : 1 + 1e-3 * static_cast<double>(i % 3);
  });
  for (const Medium medium : {Medium::screen, Medium::paper}) {
    const Drawn plot("total_energy", history, medium);
    const Interval y = plot.model.y.range;
    const double top = 220 - 200 * (9 - y.low) / y.span();
    EXPECT_NEAR(plot.heights().low, top, 1.1) << "half a line's width on the screen";
    std::size_t points = 0;
    for (const Primitive& one : plot.list.primitives()) points += one.count;
    EXPECT_LT(points, 4000u) << "not every sample";
    EXPECT_EQ(plot.all(Kind::boxes).empty(), medium == Medium::paper);
  }
}

TEST(PlotLayout, ExactZerosStandOnTheirOwnLine) {
  const History history = history_of(Quantity::energy_error, 60, [](std::size_t i) {
    return i < 20 || i >= 40 ? 0 : 1e-6 * static_cast<double>(i);
  });
  for (const Medium medium : {Medium::screen, Medium::paper}) {
    const Drawn plot("energy_error logarithmic", history, medium);
    const auto lines = plot.all(Kind::polyline);
    ASSERT_EQ(lines.size(), 3u);
    for (const std::size_t zero : {0u, 2u})
      for (const Point p : plot.list.points(lines[zero])) EXPECT_EQ(p.y, 210) << "half-way down";
    for (const Point p : plot.list.points(lines[1])) EXPECT_LE(p.y, 200);
    // The way there is hinted at: aslant on the screen, straight down on paper.
    const auto hints = plot.all(Kind::line);
    ASSERT_EQ(hints.size(), 2u);
    for (const Primitive& hint : hints) {
      const auto ends = plot.list.points(hint);
      EXPECT_EQ(ends[0].x == ends[1].x, medium == Medium::paper);
    }
  }
}

TEST(PlotLayout, PaperCutsItsLinesAtTheAxisAndTheScreenHoldsThemThere) {
  const History history =
      history_of(Quantity::energy_error, 60, [](std::size_t i) { return i == 30 ? 1e-30 : 1e-6; });
  const Drawn screen("energy_error logarithmic", history, Medium::screen);
  EXPECT_EQ(screen.heights().high, 200);
  const Drawn paper("energy_error logarithmic", history, Medium::paper);
  EXPECT_GT(paper.heights().high, 1000);
  bool cut = false;
  int depth = 0;
  for (const Primitive& one : paper.list.primitives()) {
    depth += (one.kind == Kind::clip) - (one.kind == Kind::unclip);
    if (one.kind == Kind::clip) cut |= paper.list.box(one).to.y == 200;
    if (one.kind == Kind::polyline) {
      EXPECT_EQ(depth, 1);
    }
  }
  EXPECT_TRUE(cut);
  EXPECT_EQ(depth, 0);
}

TEST(PlotLayout, AnEnvelopeNeverFallsAndHasEveryValueBehindIt) {
  for (const std::size_t n : {200u, 20'000u}) {
    const History history = history_of(Quantity::unit_length_error, n, [n](std::size_t i) {
      return i == n / 2 ? 1e-12 : 1e-15 * (1 + static_cast<double>(i % 5));
    });
    const Drawn plot("unit_length_error logarithmic", history, Medium::screen);
    const auto lines = plot.all(Kind::polyline);
    ASSERT_EQ(lines.size(), 1u);
    const auto points = plot.list.points(lines[0]);
    for (std::size_t i = 1; i < points.size(); ++i) EXPECT_LE(points[i].y, points[i - 1].y);
    EXPECT_NEAR(points.back().y, plot.area(Medium::screen).y(-12), 1e-9);
    EXPECT_FALSE(plot.all(n > 1000 ? Kind::boxes : Kind::line).empty());
    EXPECT_FALSE(
        Drawn("unit_length_error logarithmic", history, Medium::paper).model.curves[0].largest);
  }
}

// On paper a long portrait leads wherever it was, by fewer points.
TEST(PlotLayout, ALongPortraitOnPaperGoesWhereverItWas) {
  const History history = history_of(Quantity::total_energy, 60'000, [](std::size_t i) {
    return std::sin(100.0 * static_cast<double>(i) / 60'000);
  });
  const Drawn plot("total_energy over kinetic_energy", history, Medium::paper);
  ASSERT_EQ(plot.model.curves.size(), 1u);
  std::vector<bool> seen(360);
  std::size_t count = 0;
  for (const Point p : plot.model.curves[0].points) {
    if (std::isnan(p.x)) continue;
    ++count;
    EXPECT_NEAR(std::hypot(p.x, p.y), 1, 1e-12);
    const double angle = std::atan2(p.y, p.x) * 180 / std::acos(-1) + 180;
    seen[std::min<std::size_t>(359, static_cast<std::size_t>(angle))] = true;
  }
  EXPECT_EQ(std::count(seen.begin(), seen.end(), true), 360);
  EXPECT_LT(count, 20'000u);
}

TEST(PlotLayout, NumbersStandBesideTheirTicks) {
  const ui_test::Letters letters;
  PlotLook look = look_of(Medium::paper);
  look.beside = look.below = 3;
  look.title = 14;
  look.overhang = 2;
  const Box box{{50, 20}, {450, 220}};
  const PlotAxis x{"time", "s", {}, {0, 100}}, y{"error", "J", {Scale::logarithmic}, {-6, -2}};
  const Area area(box, 200, x, y, look);
  const Ticks across = axis_ticks(x.transform, x.range, 5, x.unit),
              up = axis_ticks(y.transform, y.range, 5, y.unit);
  DrawList list;
  draw_grid(list, look, area, across, up);
  EXPECT_EQ(list.primitives().size(), across.labels.size() + up.labels.size() + 1)
      << "and the line of zeros";
  list.clear();
  draw_values(list, look, letters, area, up);
  ASSERT_EQ(list.primitives().size(), up.labels.size() + 1);
  for (std::size_t i = 0; i < up.labels.size(); ++i) {
    const Point at = list.points(list.primitives()[i])[0];
    EXPECT_EQ(at.x + letters.width(Face::text, up.labels[i].text), 47);
    EXPECT_EQ(at.y + 5, 200 - 180 * (up.labels[i].at + 6) / 4);
  }
  EXPECT_EQ(list.text(list.primitives().back()), "0");
  EXPECT_EQ(list.points(list.primitives().back())[0].y + 5, 210);
  list.clear();
  draw_labels(list, look, letters, area, across, "time [s]");
  ASSERT_EQ(list.primitives().size(), across.labels.size() + 1);
  for (std::size_t i = 0; i < across.labels.size(); ++i) {
    const double middle = list.points(list.primitives()[i])[0].x +
                          letters.width(Face::text, across.labels[i].text) / 2;
    const double wanted = 50 + 4 * across.labels[i].at;
    EXPECT_EQ(middle, wanted > 440 ? 452 - 7.5 : wanted) << "the last one ends with the plot";
  }
  EXPECT_EQ(list.points(list.primitives().back())[0], (Point{250 - 20, 234}));
}

TEST(PlotLayout, ANameBesideAnEdgeIsWholeWithinThePlot) {
  const History history =
      history_of(Quantity::total_energy, 100, [](std::size_t i) { return static_cast<double>(i); });
  const ui_test::Letters letters;
  for (const Medium medium : {Medium::screen, Medium::paper}) {
    const Drawn plot("total_energy", history, medium);
    const Interval x = plot.model.x.range, y = plot.model.y.range;
    DrawList list;
    draw_names(list, look_of(medium), letters, plot.area(medium),
               {{{}, "T", {x.low, y.high}},
                {{}, "V", {x.high, y.low}},
                {{}, "E", {x.high, y.high + y.span()}}});
    int frames = 0;
    for (const Primitive& one : list.primitives()) {
      const auto points = list.points(one);
      if (one.kind == Kind::frame && points[0].y > 0) {
        EXPECT_TRUE(plot.box.contains(points[0]) && plot.box.contains(points[1]));
        ++frames;
      }
    }
    EXPECT_EQ(frames, 2) << "that of a point beyond the plot is not moved into it";
  }
}

TEST(PlotLayout, DashesGrowWithTheLine) {
  const LaneStyle dashed{{0x123456}, Dash::dashed, Marker::circle};
  const Stroke thin = stroke_of(dashed, 1), thick = stroke_of(dashed, 4);
  ASSERT_EQ(thin.dash.size(), 2u);
  EXPECT_EQ(thin.dash[0] * thin.unit, 4) << "8 px of a line 2 px wide";
  EXPECT_EQ(thick.dash[0] * thick.unit, 16);
  EXPECT_TRUE(stroke_of({}, 1).dash.empty());
}

}  // namespace
}  // namespace twosphere::ui::plot_layout_test
