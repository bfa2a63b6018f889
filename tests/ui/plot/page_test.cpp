// SPDX-License-Identifier: GPL-3.0-or-later
// Figures on a page, laid out without a painter.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/ui/plot/letters.h"
#include "ui/plot/figure.h"

namespace twosphere::ui::page_test {
namespace {

constexpr Point page{300, 400};

PlotFigure example() {
  PlotFigure figure;
  const LaneStyle blue{{0x0072b2}, Dash::solid, Marker::square};
  figure.title = "A title";
  figure.keys = {{"one", blue}, {"two", blue}};
  figure.note = "first note\nsecond note";
  figure.marks = {{20, "A"}, {500, "B"}};
  figure.changes = {50};
  PlotModel plot;
  plot.x = {"time", "s", {}, {0, 100}};
  plot.y = {"total energy", "J", {}, {-1, 1}};
  plot.curves = {{blue, {{0, -1}, {50, 5}, {100, 1}}}};
  plot.dots = {{blue, {20, 0}}, {blue, {20, 3}}};
  plot.names = {{blue, "T", {50, 0}}, {blue, "at the edge", {99, 0}}};
  figure.plots = {plot, plot};
  return figure;
}

struct Page {
  DrawList list;
  std::vector<Box> areas;

  explicit Page(const PlotFigure& figure, Point size = page)
      : areas(draw_figure(list, figure, size, {}, ui_test::Letters())) {}
  std::vector<std::string> texts() const {
    std::vector<std::string> all;
    for (const Primitive& one : list.primitives())
      if (one.kind == Primitive::Kind::text) all.push_back(list.text(one));
    return all;
  }
  std::ptrdiff_t count(const std::string& text) const {
    const auto all = texts();
    return std::count(all.begin(), all.end(), text);
  }
  std::ptrdiff_t count(Primitive::Kind kind) const {
    return std::count_if(list.primitives().begin(), list.primitives().end(),
                         [kind](const Primitive& one) { return one.kind == kind; });
  }
};

TEST(Page, InPartsHasTheSameAsInOne) {
  const PlotFigure figure = example();
  const Page whole(figure);
  DrawList below, curves, above;
  const FigureParts parts{below, [&](const PlotCurve&) -> DrawList& { return curves; }, above};
  const auto places = draw_figure(parts, figure, page, {}, ui_test::Letters());
  ASSERT_EQ(places.size(), whole.areas.size());
  for (std::size_t k = 0; k < places.size(); ++k) {
    EXPECT_EQ(places[k].area.from, whole.areas[k].from);
    EXPECT_EQ(places[k].bottom, whole.areas[k].to.y) << "no line of zeros";
  }
  EXPECT_EQ(below.primitives().size() + curves.primitives().size() + above.primitives().size(),
            whole.list.primitives().size());
  const auto lines = [](const DrawList& list) {
    return std::count_if(
        list.primitives().begin(), list.primitives().end(),
        [](const Primitive& one) { return one.kind == Primitive::Kind::polyline; });
  };
  EXPECT_EQ(lines(curves), 2);
  EXPECT_EQ(lines(below) + lines(above), 0);
}

TEST(Page, HasTheInksThatAreGiven) {
  FigureLook look;
  look.inks = {{{0x101010}}, {{0xeeeeee}}, {{0x202020}}, {{0x303030}}};
  DrawList list;
  draw_figure(list, example(), page, look, ui_test::Letters());
  EXPECT_EQ(list.primitives().front().fill.color.rgb, 0x101010u);
  for (const Primitive& one : list.primitives())
    if (one.kind == Primitive::Kind::text) {
      EXPECT_EQ(one.fill.color.rgb, 0xeeeeeeu);
    }
}

TEST(Page, SaysEverythingOnceAndInOrder) {
  const Page drawn(example());
  const auto texts = drawn.texts();
  ASSERT_GT(texts.size(), 5u);
  EXPECT_EQ(std::vector<std::string>(texts.begin(), texts.begin() + 5),
            (std::vector<std::string>{"A title", "one", "two", "first note", "second note"}));
  EXPECT_EQ(drawn.count("total energy [J]"), 2);
  EXPECT_EQ(drawn.count("time [s]"), 1) << "below the lower one";
  EXPECT_EQ(drawn.count("A"), 2);
  EXPECT_EQ(drawn.count("B"), 0) << "beyond the time shown";
  EXPECT_EQ(drawn.count("T"), 2);
  EXPECT_EQ(drawn.count("at the edge"), 2) << "moved into its plot";
  EXPECT_EQ(drawn.count(Primitive::Kind::marker), 2) << "a dot beyond the axis is not shown";
}

TEST(Page, PlotsHaveTheSameMarginsAndHeights) {
  const Page drawn(example());
  ASSERT_EQ(drawn.areas.size(), 2u);
  EXPECT_EQ(drawn.areas[0].from.x, drawn.areas[1].from.x);
  EXPECT_EQ(drawn.areas[0].to.x, drawn.areas[1].to.x);
  EXPECT_NEAR(drawn.areas[0].height(), drawn.areas[1].height(), 1e-9);
  EXPECT_LT(drawn.areas[0].to.y, drawn.areas[1].from.y);
  for (const Primitive& one : drawn.list.primitives())
    if (one.kind == Primitive::Kind::text && !one.upright) {
      const Point at = drawn.list.points(one)[0];
      const double width = ui_test::Letters().width(one.face, drawn.list.text(one));
      EXPECT_GE(at.x, 0) << drawn.list.text(one);
      EXPECT_LE(at.x + width, page.x) << drawn.list.text(one);
      EXPECT_LE(at.y + ui_test::Letters::line, page.y) << drawn.list.text(one);
    }
}

TEST(Page, ALabelThatHasNoRoomBesideItsAxisFoldsOrStandsAbove) {
  const auto beside = [](const Page& drawn) {
    return std::count_if(drawn.list.primitives().begin(), drawn.list.primitives().end(),
                         [](const Primitive& one) { return one.upright; });
  };
  EXPECT_EQ(beside(Page(example())), 2) << "one line each";
  EXPECT_EQ(beside(Page(example(), {300, 240})), 4) << "two lines each";
  EXPECT_EQ(beside(Page(example(), {300, 180})), 0) << "above the plots";
}

TEST(Page, ATitleThatIsTooLongIsCut) {
  PlotFigure figure = example();
  figure.title = std::string(200, 'x');
  const std::string cut = Page(figure).texts().front();
  EXPECT_TRUE(cut.ends_with("x…"));
  EXPECT_LE(ui_test::Letters().width(Face::text, cut), page.x);
  EXPECT_GT(ui_test::Letters().width(Face::text, cut), 0.9 * page.x);
}

}  // namespace
}  // namespace twosphere::ui::page_test
