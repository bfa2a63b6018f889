// SPDX-License-Identifier: GPL-3.0-or-later
// What figures and tables take of the plots of a run.
#include "app/figures/figure_data.h"

#include <gtest/gtest.h>

#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <memory>
#include <set>

#include "app/figures/figure_file.h"
#include "app/session/live_run.h"
#include "core/base/file.h"
#include "core/base/interrupt.h"
#include "core/catalog.h"
#include "core/color/palette.h"
#include "core/output/lane_style.h"
#include "core/scenario/reader.h"
#include "tests/app/figures/svg.h"
#include "tests/outcome.h"
#include "ui/plot/spectrum_samples.h"

namespace twosphere::figure_data_test {
namespace {

using test::page_points, test::Svg, test::read_svg;

constexpr double inf = std::numeric_limits<double>::infinity();

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
    const Svg svg = read_svg(figure_file(figure, {FigureFormat::svg, page_points, 150}, {}));
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

}  // namespace
}  // namespace twosphere::figure_data_test
