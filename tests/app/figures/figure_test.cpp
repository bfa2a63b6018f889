// SPDX-License-Identifier: GPL-3.0-or-later
// Figures: what is written, where its lines are, and that none is lost or leaves its plot.
#include "ui/plot/figure.h"

#include <gtest/gtest.h>

#include <QFileInfo>
#include <QImage>
#include <QPainter>
#include <QRectF>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>
#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <memory>
#include <set>

#include "app/figures/figure_data.h"
#include "app/figures/figure_file.h"
#include "app/figures/print_painter.h"
#include "app/figures/sweep_figure.h"
#include "app/session/live_run.h"
#include "core/base/file.h"
#include "core/base/interrupt.h"
#include "core/catalog.h"
#include "core/color/palette.h"
#include "core/output/lane_style.h"
#include "core/scenario/reader.h"
#include "tests/outcome.h"
#include "tests/runs.h"
#include "tests/ui/plot/letters.h"
#include "ui/plot/spectrum_samples.h"

namespace twosphere::figure_test {
namespace {

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

struct Svg {
  QString title;
  QString text;  // all of it, in order
  std::vector<QPolygonF> lines;
  QSizeF millimetres;
  int texts = 0;
};

Svg read(const QByteArray& bytes) {
  Svg svg;
  QXmlStreamReader xml(bytes);
  while (!xml.atEnd()) {
    if (xml.readNext() != QXmlStreamReader::StartElement) continue;
    const auto attributes = xml.attributes();
    if (xml.name() == QLatin1String("svg")) {
      const auto length = [&](const char* name) {
        QString value = attributes.value(QLatin1String(name)).toString();
        EXPECT_TRUE(value.endsWith(QLatin1String("mm")));
        value.chop(2);
        return value.toDouble();
      };
      svg.millimetres = {length("width"), length("height")};
    } else if (xml.name() == QLatin1String("title")) {
      svg.title = xml.readElementText();
    } else if (xml.name() == QLatin1String("text")) {
      ++svg.texts;
      svg.text += xml.readElementText().trimmed() + QLatin1Char('\n');
    } else if (xml.name() == QLatin1String("polyline")) {
      QPolygonF line;
      for (const QString& point : attributes.value(QLatin1String("points"))
                                      .toString()
                                      .split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
        const QStringList xy = point.split(QLatin1Char(','));
        EXPECT_EQ(xy.size(), 2);
        line << QPointF(xy[0].toDouble(), xy[1].toDouble());
      }
      svg.lines.push_back(line);
    }
  }
  EXPECT_FALSE(xml.hasError()) << xml.errorString().toStdString();
  return svg;
}

const ui::Point page_points{243.78, 311.81};
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
  const Svg svg = read(figure_file(figure, {FigureFormat::svg, page_points, 300}, {}));
  EXPECT_EQ(svg.title, QString::fromUtf8("a & b < c > \"d\"\ne\uFFFD"));
  EXPECT_TRUE(svg.text.contains(QString::fromUtf8("<b>&amp;"))) << svg.text.toStdString();
}

TEST(Figure, SvgHasTextAsTextAndItsSize) {
  const Svg svg = read(figure_file(example(), {FigureFormat::svg, page_points, 300}, {}));
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
  EXPECT_GT(read(svg).texts, 20);
  EXPECT_TRUE(svg.contains("<title>&lt;script&gt;1 &amp; 2&lt;/script&gt;</title>"));
  EXPECT_FALSE(svg.contains("<script>"));
}

TEST(Figure, CurvesStayInTheirPlotsAndKeepTheirSpikes) {
  const ui::PlotFigure figure = example();
  const Svg svg = read(figure_file(figure, {FigureFormat::svg, page_points, 300}, {}));
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
  const Svg with = read(figure_file(figure, {FigureFormat::svg, page_points, 300}, {}));
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
  EXPECT_FALSE(level(read(figure_file(figure, {FigureFormat::svg, page_points, 300}, {}))));
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

/// The double pendulum after `steps` steps, with a swap to rk4 in the middle.
std::unique_ptr<LiveRun> run_of(std::int64_t steps, std::int64_t every = 1) {
  auto scenario = read_scenario(find_preset("double_spherical_pendulum")->text, "preset");
  scenario->events = {{steps / 2, {{"integrator.type", "rk4"}}}};
  scenario->every = every;
  auto run = std::make_unique<LiveRun>(std::move(*Simulation::create(std::move(*scenario))));
  run->send(TakeSteps{steps});
  const auto there = [&] {
    run->update();
    return run->snapshot().steps >= steps;
  };
  EXPECT_TRUE(QTest::qWaitFor(there, 20'000));
  return run;
}

ui::VisiblePlots visible(ui::Interval time) {
  ui::VisiblePlots shown;
  shown.time = time;
  for (const Quantity shown_quantity :
       {Quantity::total_energy, Quantity::energy_error, Quantity::unit_length_error}) {
    const ui::PlotSpec spec = ui::plot_of(shown_quantity);
    shown.plots.push_back({spec, {spec.scale, 0}, {-80, -60}, time});
  }
  shown.marker_a = 2.0;
  return shown;
}

TEST(FigureData, KeepsTheExtremesOfWhatIsReduced) {
  const auto run = run_of(4000);
  const History& history = run->histories()[0];
  const auto energy = history.column(Quantity::total_energy).values();
  const auto shown = visible({0, 40});
  const ui::PlotFigure figure = make_figure(run->view(), shown, {}, 60);
  ASSERT_EQ(figure.plots.size(), 3u);
  EXPECT_EQ(figure.title, run->snapshot().record->title + ", h = 0.01 s");
  ASSERT_EQ(figure.keys.size(), 2u) << "an integrator and the one after the swap";
  ASSERT_EQ(figure.changes.size(), 1u);
  EXPECT_DOUBLE_EQ(figure.changes[0], 20);
  const ui::PlotModel& plot = figure.plots[0];
  ASSERT_EQ(plot.curves.size(), 2u);
  double low = inf, high = -inf;
  std::size_t points = 0;
  for (const ui::PlotCurve& curve : plot.curves)
    for (const ui::Point p : curve.points) {
      low = std::min(low, p.y);
      high = std::max(high, p.y);
      ++points;
    }
  EXPECT_EQ(low, *std::min_element(energy.begin(), energy.end()));
  EXPECT_EQ(high, *std::max_element(energy.begin(), energy.end()));
  EXPECT_LT(points, 300u);
  // The value at the marker is that of its sample.
  ASSERT_EQ(plot.dots.size(), 1u);
  EXPECT_EQ(plot.dots[0].at, (ui::Point{history.column(Quantity::time)[200], energy[200]}));
  EXPECT_EQ(figure.note, "A: t = 2 s");
}

// The rows decide nothing: at 5 s the bodies would turn more than half a turn between two samples.
TEST(FigureData, ATableOfSpectraSaysHowFarApartTheSamplesAre) {
  std::vector<std::string> tables;
  for (const std::int64_t every : {1, 500}) {
    const auto run = run_of(20'000, every);
    ui::VisiblePlots shown = visible({0, 200});
    const ui::PlotSpec spec = ui::spectrum_of(Signal(Quantity::kinetic_energy));
    shown.plots.clear();
    shown.plots.push_back({spec, {spec.scale, 0}, {-17, 0}, {-2, 2}});
    const auto table = test::value_of(spectra_table(run->view(), shown));
    EXPECT_TRUE(test::says(table.companion, "samples 0.01 s apart")) << every;
    EXPECT_FALSE(test::says(table.companion, "more than half a turn")) << every;
    tables.push_back(table.text);
    if (every == 1) continue;
    // Samples of which the screen has not all are taken anew, unless that is given up.
    shown.plots[0].own = std::make_shared<const ui::SpectrumSamples>();
    EXPECT_EQ(test::value_of(spectra_table(run->view(), shown)).text, table.text);
    const std::atomic<bool> stop = true;
    const Interruptible interruptible(stop);
    EXPECT_FALSE(spectra_table(run->view(), shown));
  }
  EXPECT_EQ(tables[0], tables[1]);
}

TEST(FigureData, DrawsEverySampleWhereThereIsRoom) {
  const auto run = run_of(100);
  auto shown = visible({0, 1});
  shown.plots[0].spec = {Signal(Signal::Kind::angular_velocity, 0, 1),
                         Signal(Signal::Kind::direction, 0, 2)};
  const ui::PlotFigure figure = make_figure(run->view(), shown, {}, 4000);
  ASSERT_EQ(figure.plots[1].curves.size(), 2u);
  EXPECT_EQ(figure.plots[1].curves[0].points.size(), 51u) << "up to the first of the next one";
  EXPECT_EQ(figure.plots[1].curves[1].points.size(), 51u);
  const ui::PlotModel& portrait = figure.plots[0];
  EXPECT_FALSE(portrait.over_time);
  EXPECT_EQ(portrait.x.unit, "1");
  EXPECT_EQ(portrait.y.unit, "rad/s");
  const State start = run->histories()[0].state_at(0);
  ASSERT_FALSE(portrait.curves[0].points.empty());
  EXPECT_EQ(portrait.curves[0].points[0], (ui::Point{start.q(2, 0), start.w(1, 0)}));
}

TEST(FigureData, TheWholeRunFitsItsAxes) {
  const auto run = run_of(400);
  FigureChoice choice;
  choice.whole_run = true;
  choice.left_out = {1, 2};
  choice.legend = choice.title = choice.markers = choice.changes = false;
  const ui::PlotFigure figure = make_figure(run->view(), visible({1, 2}), choice, 4000);
  ASSERT_EQ(figure.plots.size(), 1u);
  EXPECT_TRUE(figure.keys.empty() && figure.title.empty() && figure.marks.empty() &&
              figure.note.empty() && figure.changes.empty());
  const ui::PlotModel& plot = figure.plots[0];
  EXPECT_DOUBLE_EQ(plot.x.range.low, 0);
  EXPECT_DOUBLE_EQ(plot.x.range.high, 4);
  for (const ui::PlotCurve& curve : plot.curves)
    for (const ui::Point p : curve.points) {
      EXPECT_GE(p.y, plot.y.range.low);
      EXPECT_LE(p.y, plot.y.range.high);
    }
}

TEST(FigureData, SeveralQuantitiesOfAPlotAreNamedOnTheirCurves) {
  const auto run = run_of(100);
  auto shown = visible({0, 1});
  shown.plots.erase(shown.plots.begin() + 1, shown.plots.end());
  shown.plots[0].spec = ui::parse_plot("kinetic_energy and potential_energy").value();
  shown.marker_a = 0.2;
  for (const FigureColors colors : {FigureColors::own, FigureColors::paper, FigureColors::grey}) {
    FigureChoice choice;
    choice.colors = colors;
    choice.whole_run = true;
    const ui::PlotFigure figure = make_figure(run->view(), shown, choice, 4000);
    ASSERT_EQ(figure.keys.size(), 2u) << "the integrators, not the quantities";
    const ui::PlotModel& plot = figure.plots.at(0);
    EXPECT_EQ(plot.y.label, "kinetic and potential energy");
    ASSERT_EQ(plot.curves.size(), 4u);
    const History& history = run->histories()[0];
    const auto kinetic = history.column(Quantity::kinetic_energy);
    const auto potential = history.column(Quantity::potential_energy);
    EXPECT_EQ(plot.curves[0].points.at(7).y, kinetic[7]);
    EXPECT_EQ(plot.curves[2].points.at(7).y, potential[7]);
    EXPECT_EQ(plot.dots.size(), 2u) << "at the marker, of each quantity";
    std::set<std::string> names;
    for (const ui::PlotName& name : plot.names) {
      names.insert(name.name);
      const std::size_t i = history.nearest(name.at.x);
      EXPECT_EQ(name.at.y, name.name == "T" ? kinetic[i] : potential[i]);
      EXPECT_EQ(name.style.color, figure.keys[i < 50 ? 0 : 1].style.color);
    }
    EXPECT_EQ(names, (std::set<std::string>{"T", "V"}));
    const Svg svg = read(figure_file(figure, {FigureFormat::svg, page_points, 150}, {}));
    EXPECT_EQ(svg.text.split(QLatin1Char('\n')).count(QStringLiteral("V")),
              static_cast<qsizetype>(plot.names.size()) / 2)
        << svg.text.toStdString();
  }
  EXPECT_TRUE(VisibleData(run->view(), shown)
                  .text()
                  ->starts_with("time [s]\tkinetic_energy [J]\tpotential_energy [J]\n"));
  EXPECT_EQ(plot_names(shown), std::vector<std::string>{"kinetic and potential energy"});
}

TEST(FigureData, ColoursAreTheProgramsThePapersOrGreys) {
  const auto run = run_of(100);
  const auto color = [&](FigureColors colors, std::size_t key) {
    FigureChoice choice;
    choice.colors = colors;
    return make_figure(run->view(), visible({0, 1}), choice, 400).keys.at(key).style;
  };
  EXPECT_EQ(color(FigureColors::own, 0).color.rgb, 0x0072b2u);
  EXPECT_EQ(color(FigureColors::paper, 0).color,
            lane_style("variational", Palette::light, LaneColors::paper).color);
  EXPECT_EQ(color(FigureColors::paper, 1).dash, Dash::dotted);
  for (const std::size_t key : {0u, 1u}) {
    const std::uint32_t rgb = color(FigureColors::grey, key).color.rgb;
    EXPECT_EQ(rgb & 0xff, (rgb >> 8) & 0xff);
    EXPECT_EQ(rgb & 0xff, rgb >> 16);
    EXPECT_GE(contrast({rgb}, {0xffffff}), 3);
  }
  EXPECT_NE(color(FigureColors::grey, 0).dash, color(FigureColors::grey, 1).dash);
}

TEST(VisibleData, IsWhatThePlotsShow) {
  const auto run = run_of(100);
  auto shown = visible({0.25, 0.5});
  shown.plots.push_back({ui::plot_of(Signal(Signal::Kind::polar, 1)), {}, {}, {}});
  shown.plots.push_back(shown.plots[0]);
  const VisibleData data(run->view(), shown);
  const QStringList lines = QString::fromStdString(*data.text()).split(QLatin1Char('\n'));
  ASSERT_EQ(data.rows(), 26u);
  ASSERT_EQ(lines.size(), 28);
  EXPECT_EQ(lines[0].toStdString(),
            "time [s]\ttotal_energy [J]\tenergy_error [J]\tunit_length_error [1]\tpolar1 [rad]");
  const History& history = run->histories()[0];
  for (int row = 0; row < 26; ++row) {
    const auto k = static_cast<std::size_t>(25 + row);
    const QStringList cells = lines[row + 1].split(QLatin1Char('\t'));
    ASSERT_EQ(cells.size(), 5);
    EXPECT_EQ(cells[0].toDouble(), history.column(Quantity::time)[k]);
    EXPECT_EQ(cells[1].toDouble(), history.column(Quantity::total_energy)[k]);
    EXPECT_EQ(cells[2].toDouble(), history.column(Quantity::energy_error)[k]) << "with its sign";
    const Eigen::Vector3d q = history.state_at(k).q.col(1);
    EXPECT_NEAR(cells[4].toDouble(), std::atan2(std::hypot(q.x(), q.y()), q.z()), 1e-15);
  }
  shown.hidden_lanes = {0};
  EXPECT_TRUE(VisibleData(run->view(), shown).text()->starts_with("time [s]\n"));
}

TEST(VisibleData, IsWrittenAsATableWhoseCompanionExplainsTheColumns) {
  const auto run = run_of(100);
  auto shown = visible({0.25, 0.5});
  const PlottedExpression height{"height", "e3.q[0]", "1"};
  shown.plots = {{ui::plot_of(Signal(height)), {}, {}, {}},
                 {ui::plot_of(StepQuantity::cloud_distance), {}, {}, {}}};
  const VisibleData data(run->view(), shown);
  const QTemporaryDir folder;
  const QString path = folder.filePath(QStringLiteral("plot.csv"));
  Progress progress;
  ASSERT_TRUE(data.write(path.toStdString(), progress));
  EXPECT_EQ(progress.share, 1);
  const auto text = *read_file(path.toStdString(), 1 << 20);
  EXPECT_TRUE(text.starts_with("time [s],plots.height [1],cloud_distance [1],")) << text;
  const QStringList rows = QString::fromStdString(text).split(QStringLiteral("\r\n"));
  ASSERT_EQ(rows.size(), 28);
  EXPECT_EQ(rows[1].split(QLatin1Char(','))[1].toDouble(),
            run->histories()[0].state_at(25).q.col(0).z());
  const auto told =
      test::value_of(json::parse(*read_file(path.toStdString() + ".json", 1 << 20), "companion"));
  EXPECT_EQ(told.find("time_range")->find("from")->number, 0.25);
  const auto& columns = told.find("columns")->items;
  ASSERT_EQ(columns.size(), 5U) << "with the edges of the band";
  EXPECT_EQ(columns[1].find("meaning")->text, "e3.q[0]");

  progress.cancelled = true;
  const QString other = folder.filePath(QStringLiteral("other.csv"));
  EXPECT_EQ(*data.write(other.toStdString(), progress), false);
  EXPECT_FALSE(QFileInfo::exists(other));
}

TEST(VisibleData, IsRefusedWhereItIsMoreThanAClipboardTakes) {
  const auto run = run_of(100);
  const VisibleData data(run->view(), visible({0, 1}));
  const auto whole = test::value_of(data.text());
  const auto refused = data.text(2000);
  ASSERT_GT(whole.size(), 2000u);
  ASSERT_FALSE(refused);
  EXPECT_TRUE(test::says(refused.error().message, "101 rows"));
}

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
}  // namespace twosphere::figure_test
