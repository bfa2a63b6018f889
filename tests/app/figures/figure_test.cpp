// SPDX-License-Identifier: GPL-3.0-or-later
// Figures: what is written, where its lines are, and that none is lost or leaves its plot.
#include "ui/plot/figure.h"

#include <gtest/gtest.h>

#include <QImage>
#include <QPainter>
#include <QRegularExpression>
#include <algorithm>
#include <cmath>
#include <limits>

#include "app/figures/figure_file.h"
#include "app/figures/print_painter.h"
#include "core/output/lane_style.h"
#include "tests/app/figures/svg.h"

namespace twosphere::figure_test {
namespace {

using test::page_points, test::Svg, test::read_svg;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double inf = std::numeric_limits<double>::infinity();

constexpr double spike_time = 37.25;

/// Two plots: a linear one whose curve leaves it on all sides and has a spike of one sample, and a
/// logarithmic one with zeros.
ui::PlotFigure example() {
  ui::PlotFigure figure;
  figure.title = "Double spherical pendulum, h = 0.01 s";
  const LaneStyle blue{{0x0072b2}, Dash::solid, Marker::circle};
  const LaneStyle orange{{0xd55e00}, Dash::dashed, Marker::triangle};
  figure.keys = {{"Variational integrator", blue}, {"ode45 <r = 1e-4>", orange}};
  figure.marks = {{20, "A"}, {60, "B"}};
  figure.note = "A: t = 20 s   B: t = 60 s";
  figure.changes = {50};

  ui::PlotModel energy;
  energy.x = {"time", "s", {}, {0, 100}};
  energy.y = {"total energy", "J", {}, {-1, 1}};
  ui::PlotCurve wave{blue, {}};
  for (int i = -100; i <= 1100; ++i) {
    const double t = 0.1 * i;
    wave.points.push_back({t, 1.2 * std::sin(0.3 * t)});
    if (i == 372) wave.points.push_back({spike_time, 0.9});
  }
  energy.curves = {wave};
  energy.dots = {{blue, {20, 0.5}}};

  ui::PlotModel error = energy;
  error.dots.clear();
  error.y = {"|E − E₀ − W|", "J", {ui::Scale::logarithmic, 0}, {-10, -2}};
  ui::PlotCurve decay{orange, {}};
  for (int i = 0; i <= 1000; ++i)
    decay.points.push_back({0.1 * i, i < 100 ? -inf : -11 + 0.01 * i});
  error.curves = {decay};
  figure.plots = {energy, error};
  return figure;
}

constexpr double svg_units = 2540 / 72.0;  // in a point

std::vector<ui::Box> areas(const ui::PlotFigure& figure, ui::Point points = page_points) {
  QImage image(pixels(points.x, 144), pixels(points.y, 144), QImage::Format_RGB32);
  image.setDotsPerMeterX(5669);  // 144 dpi
  image.setDotsPerMeterY(5669);
  QPainter painter(&image);
  ui::DrawList list;
  return draw_figure(list, figure, points, {}, PrintPainter(painter, 8));
}

TEST(Figure, SvgIsXmlWhateverItsTextsHold) {
  ui::PlotFigure figure = example();
  figure.title = "a & b < c > \"d\"\ne\x01";
  figure.note = "<b>&amp;\x02";
  const Svg svg = read_svg(figure_file(figure, {FigureFormat::svg, page_points, 300}, {}));
  EXPECT_EQ(svg.title, QString::fromUtf8("a & b < c > \"d\"\ne\uFFFD"));
  EXPECT_TRUE(svg.text.contains(QString::fromUtf8("<b>&amp;"))) << svg.text.toStdString();
}

TEST(Figure, SvgHasTextAsTextAndItsSize) {
  const Svg svg = read_svg(figure_file(example(), {FigureFormat::svg, page_points, 300}, {}));
  EXPECT_NEAR(svg.millimetres.width(), 86, 0.01);
  EXPECT_NEAR(svg.millimetres.height(), 110, 0.01);
  EXPECT_GT(svg.texts, 20);
  // A label may be split where the script changes.
  QString all = svg.text;
  all.remove(QLatin1Char('\n'));
  for (const char* label :
       {"Double spherical pendulum, h = 0.01 s", "Variational integrator", "ode45 <r = 1e-4>",
        "total energy [J]", "|E − E₀ − W| [J]", "time [s]", "10⁻⁴", "0.5", "100", "A: t = 20 s"})
    EXPECT_TRUE(all.contains(QString::fromUtf8(label))) << label << " in " << all.toStdString();
}

TEST(Figure, ATitleIsNoPartOfTheSvg) {
  ui::PlotFigure figure = example();
  figure.title = "<script>1 & 2</script>";
  const QByteArray svg = figure_file(figure, {FigureFormat::svg, page_points, 300}, {});
  EXPECT_GT(read_svg(svg).texts, 20);
  EXPECT_TRUE(svg.contains("<title>&lt;script&gt;1 &amp; 2&lt;/script&gt;</title>"));
  EXPECT_FALSE(svg.contains("<script>"));
}

TEST(Figure, CurvesStayInTheirPlotsAndKeepTheirSpikes) {
  const ui::PlotFigure figure = example();
  const Svg svg = read_svg(figure_file(figure, {FigureFormat::svg, page_points, 300}, {}));
  const auto places = areas(figure);
  ASSERT_EQ(places.size(), 2u);
  ASSERT_FALSE(svg.lines.empty());
  std::size_t upper = 0;
  double nearest = inf;
  for (const QPolygonF& line : svg.lines) {
    if (line.size() < 3) continue;  // the legend's, or a tick
    for (const QPointF p : line) {
      const QPointF at = p / svg_units;
      // Layouts at two resolutions differ by parts of a point.
      const auto inside = [at](const ui::Box& a) {
        return at.x() > a.from.x - 0.5 && at.x() < a.to.x + 0.5 && at.y() > a.from.y - 0.5 &&
               at.y() < a.to.y + 0.5;
      };
      EXPECT_TRUE(inside(places[0]) || inside(places[1])) << at.x() << " " << at.y();
      if (!inside(places[0])) continue;
      ++upper;
      const ui::Box& a = places[0];
      const QPointF spike(a.from.x + spike_time / 100 * (a.to.x - a.from.x),
                          a.to.y - 1.9 / 2 * (a.to.y - a.from.y));
      nearest = std::min(nearest, std::hypot(at.x() - spike.x(), at.y() - spike.y()));
    }
  }
  EXPECT_GT(upper, 500u);
  EXPECT_LT(nearest, 0.5) << "points from the spike";
}

TEST(Figure, ZerosOfALogarithmicAxisHaveALineOfTheirOwn) {
  ui::PlotFigure figure = example();
  const Svg with = read_svg(figure_file(figure, {FigureFormat::svg, page_points, 300}, {}));
  const ui::Box a = areas(figure)[1];
  const auto level = [&](const Svg& svg) {
    return std::any_of(svg.lines.begin(), svg.lines.end(), [&](const QPolygonF& line) {
      return line.size() > 50 && std::all_of(line.begin(), line.end(), [&](QPointF p) {
               return p.y() == line[0].y() && p.y() / svg_units < a.to.y &&
                      p.y() / svg_units > a.to.y - 10;
             });
    });
  };
  EXPECT_TRUE(level(with));
  auto& points = figure.plots[1].curves[0].points;
  points.erase(points.begin(), points.begin() + 100);
  EXPECT_FALSE(level(read_svg(figure_file(figure, {FigureFormat::svg, page_points, 300}, {}))));
}

TEST(Figure, PdfHasItsPageSizeAndItsFonts) {
  const QByteArray bytes = figure_file(example(), {FigureFormat::pdf, page_points, 300}, {});
  EXPECT_TRUE(bytes.startsWith("%PDF-1."));
  const QRegularExpression box(QStringLiteral("/MediaBox \\[0 0 ([0-9.]+) ([0-9.]+)\\]"));
  const auto found = box.match(QString::fromLatin1(bytes));
  ASSERT_TRUE(found.hasMatch());
  EXPECT_NEAR(found.captured(1).toDouble(), page_points.x, 0.5);
  EXPECT_NEAR(found.captured(2).toDouble(), page_points.y, 0.5);
  EXPECT_TRUE(bytes.contains("/FontFile2")) << "a font is embedded";
  EXPECT_TRUE(bytes.contains("DejaVuSans"));
}

/// Pixels of about this colour.
int count(const QImage& image, QRgb color) {
  int n = 0;
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x) {
      const QColor p = image.pixelColor(x, y), q = QColor::fromRgb(color);
      n += std::abs(p.red() - q.red()) + std::abs(p.green() - q.green()) +
               std::abs(p.blue() - q.blue()) <
           24;
    }
  return n;
}

TEST(Figure, PngHasItsSizeItsResolutionAndItsCurves) {
  const FigurePage page{FigureFormat::png, page_points, 300};
  QImage image;
  ASSERT_TRUE(image.loadFromData(figure_file(example(), page, {}), "PNG"));
  EXPECT_EQ(image.size(), QSize(1016, 1299));
  EXPECT_EQ(image.size(), QSize(pixels(page.points.x, 300), pixels(page.points.y, 300)));
  EXPECT_EQ(image.dotsPerMeterX(), 11811);
  EXPECT_TRUE(figure_file(example(), page, {}, [] { return true; }).isEmpty()) << "cancelled";
  EXPECT_EQ(image.pixel(0, 0), 0xffffffff);
  EXPECT_GT(count(image, 0xff0072b2), 2000);
  EXPECT_GT(count(image, 0xffd55e00), 1000);
  ui::PlotFigure empty = example();
  for (ui::PlotModel& plot : empty.plots) plot.curves.clear(), plot.dots.clear();
  empty.keys.clear();
  QImage blank;
  ASSERT_TRUE(blank.loadFromData(figure_file(empty, page, {}), "PNG"));
  EXPECT_EQ(count(blank, 0xff0072b2), 0);
}

TEST(Figure, SmallFiguresKeepTheirPlotsApart) {
  for (const ui::Point points : {ui::Point{100, 60}, {160, 120}, {900, 200}}) {
    const auto places = areas(example(), points);
    for (const ui::Box& a : places) {
      EXPECT_LT(a.from.x, a.to.x);
      EXPECT_LT(a.from.y, a.to.y);
    }
    EXPECT_LT(places[0].to.y, places[1].from.y);
    EXPECT_EQ(places[0].from.x, places[1].from.x);
    EXPECT_EQ(places[0].to.x, places[1].to.x);
  }
}

}  // namespace
}  // namespace twosphere::figure_test
