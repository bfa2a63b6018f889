// SPDX-License-Identifier: GPL-3.0-or-later
// What is plotted of every system at first: its energies, the energy error, its motion, and the
// unit length as a line of text.
#include <fmt/core.h>
#include <gtest/gtest.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/catalog.h"
#include "tests/runs.h"
#include "tests/sample_row.h"
#include "tests/ui/desk.h"
#include "ui/plot/curve.h"
#include "ui/plot/plot_layout.h"
#include "ui/plot/plot_model.h"
#include "ui/plots/plots_panel.h"
#include "ui/plots/ready_plots.h"
#include "ui/shell/style.h"

namespace twosphere::default_plots_test {
namespace {

using namespace ui;
using namespace ui_test;

constexpr Interval whole{0, 10};
const PlotSpec energies = energy_plots().front();

/// A run of 101 samples over 10 s: T rises and falls by 1 J, V is what is left of E, which wanders
/// by `error`.
History energies_of(double start, double error = 0, double offset = 0) {
  History history;
  for (std::size_t i = 0; i <= 100; ++i) {
    const double part = static_cast<double>(i) / 100, kinetic = 0.5 - 0.5 * std::cos(20 * part);
    Sample s;
    s[Quantity::time] = 10 * part;
    s[Quantity::kinetic_energy] = kinetic + offset;
    s[Quantity::potential_energy] = start - kinetic + error * part;
    s[Quantity::total_energy] = start + offset + error * part;
    history.append(static_cast<std::int64_t>(i), s);
  }
  return history;
}

struct DrawnEnergies {
  PlotView view{.spec = energies, .id = {}, .y = {}, .x = {}, .pixel_masks = {}, .spectra = {}};
  std::vector<Curve> curves;
  PlotModel model;

  explicit DrawnEnergies(const std::vector<Curve>& lanes, int reference = 0)
      : curves(curves_of(view.spec, lanes, {}, reference)) {
    const auto parts = fit_plot(view, curves, whole, 400, 6, 6);
    model = plot_model(view, curves, parts, whole, 400, Medium::screen, 6, {});
  }
  explicit DrawnEnergies(const History& history)
      : DrawnEnergies(std::vector<Curve>{{0, &history, {0, history.size()}, {}}}) {}
};

TEST(DefaultPlots, EnergiesFitTAndVAndNotE) {
  const History history = energies_of(1);
  const DrawnEnergies plot(history);
  // T from 0 to 1 J, V from 0 to 1 J, and 5 % around.
  EXPECT_NEAR(plot.model.y.range.low, -0.05, 1e-6);
  EXPECT_NEAR(plot.model.y.range.high, 1.05, 1e-6);
  EXPECT_EQ(plot.model.y.label, "kinetic, potential and total energy");
  ASSERT_EQ(plot.model.curves.size(), 3u);
  // E leaves the plot where the method fails; the scale stays.
  const DrawnEnergies failing(energies_of(1, 0.02));
  EXPECT_NEAR(failing.model.y.range.span(), 1.1, 0.03);
  // The first value of E is in sight also where T and V are both far from zero.
  const History high = energies_of(1, 0, 2);
  const DrawnEnergies above(high);
  EXPECT_GT(above.model.y.range.high, 3);
  EXPECT_LT(above.model.y.range.low, 0);
}

TEST(DefaultPlots, EnergiesThatWorkChangesAreInSight) {
  // E follows the work, which rises to 2 J and falls back; of the other lane it runs away.
  History driven, failing;
  for (std::size_t i = 0; i <= 100; ++i) {
    const double part = static_cast<double>(i) / 100, work = 2 * std::sin(std::numbers::pi * part);
    Sample s;
    s[Quantity::time] = 10 * part;
    s[Quantity::kinetic_energy] = 0.5 + work / 2;
    s[Quantity::potential_energy] = 0.5 + work / 2;
    s[Quantity::total_energy] = 1 + work;
    s[Quantity::work] = work;
    driven.append(static_cast<std::int64_t>(i), s);
    s[Quantity::total_energy] = 1 + 1e6 * part;
    failing.append(static_cast<std::int64_t>(i), s);
  }
  const DrawnEnergies plot(
      {{0, &driven, {0, driven.size()}, {}}, {1, &failing, {0, failing.size()}, {}}});
  EXPECT_NEAR(plot.model.y.range.low, 0.5 - 0.125, 1e-6);
  EXPECT_NEAR(plot.model.y.range.high, 3 + 0.125, 1e-6);
}

TEST(DefaultPlots, LinesOfEnergiesHaveTheirWidths) {
  const History history = energies_of(1);
  const DrawnEnergies plot(history);
  PlotLook look;
  look.line = 2;
  DrawList list;
  const Area area({{0, 0}, {400, 200}}, 200, plot.model.x, plot.model.y, look);
  for (const PlotCurve& curve : plot.model.curves) draw_curve(list, look, area, curve);
  std::vector<double> widths;
  for (const Primitive& one : list.primitives())
    if (one.kind == Primitive::Kind::polyline) widths.push_back(one.stroke.width);
  EXPECT_EQ(widths, (std::vector<double>{1.5, 1.5, 2.5})) << "T, V and E";
}

TEST(DefaultPlots, EnergiesAreMeasuredFromALargeStart) {
  // |V₀| is more than twice the range of both.
  const History far = energies_of(-50);
  const DrawnEnergies plot(far);
  EXPECT_EQ(plot.model.y.label, "T, V − V₀, E − V₀");
  EXPECT_NEAR(plot.model.y.range.low, -1.1, 1e-3);
  EXPECT_NEAR(plot.model.y.range.high, 1.1, 1e-3);
  EXPECT_EQ(plot.model.curves[1].points.front().y, 0) << "V − V₀ begins at 0";
  EXPECT_NEAR(plot.model.curves[2].points.back().y, 0, 1e-12) << "E − V₀ is T at the start";
  std::set<std::string> names;
  for (const PlotName& name : plot.model.names) names.insert(name.name);
  EXPECT_EQ(names, (std::set<std::string>{"T", "V − V₀", "E − V₀"}));
  const auto reading = read_at(energies, plot.curves[1], 5);
  ASSERT_TRUE(reading);
  EXPECT_EQ(reading->y, far.column(Quantity::potential_energy)[50] + 50);
  // Below twice the range they are not.
  const DrawnEnergies near(energies_of(1.9));
  EXPECT_EQ(near.model.y.label, "kinetic, potential and total energy");
  // Nor in plots of other signals, or as magnitudes.
  for (const char* text : {"potential_energy and total_energy",
                           "kinetic_energy and potential_energy and total_energy magnitude"}) {
    const PlotSpec spec = parse_plot(text).value();
    EXPECT_FALSE(compares_energies(spec)) << text;
    for (const Curve& curve : curves_of(spec, {{0, &far, {0, far.size()}, {}}}))
      EXPECT_EQ(curve.origin, 0) << text;
  }
  EXPECT_TRUE(compares_energies(
      parse_plot("total_energy and work and kinetic_energy and potential_energy").value()));
}

TEST(DefaultPlots, OfSeveralLanesTAndVAreThoseOfTheReference) {
  const History first = energies_of(1), second = energies_of(1, 0.1);
  const std::vector<Curve> lanes{{0, &first, {0, first.size()}, {}},
                                 {1, &second, {0, 50}, {}},
                                 {1, &second, {50, second.size()}, {}}};
  const auto drawn = [&](int reference, const std::vector<Curve>& shown) {
    std::set<std::pair<int, std::string>> all;
    for (const Curve& curve : curves_of(energies, shown, {}, reference))
      all.insert({curve.lane, curve.signal.symbol()});
    return all;
  };
  using Set = std::set<std::pair<int, std::string>>;
  EXPECT_EQ(drawn(0, lanes), (Set{{0, "T"}, {0, "V"}, {0, "E"}, {1, "E"}}));
  EXPECT_EQ(drawn(1, lanes), (Set{{1, "T"}, {1, "V"}, {0, "E"}, {1, "E"}}));
  EXPECT_EQ(drawn(0, {lanes[1], lanes[2]}), (Set{{1, "T"}, {1, "V"}, {1, "E"}}))
      << "the reference is hidden";
  EXPECT_TRUE(drawn(0, {}).empty());
  // Other runs are measured from where the present one is.
  const History far = energies_of(-50), shifted = energies_of(-1);
  const auto present = curves_of(energies, {{0, &far, {0, far.size()}, {}}});
  auto others = curves_of(energies, {{0, &shifted, {0, shifted.size()}, {}}});
  share_origin(present, others);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(others[i].origin, present[i].origin);
}

TEST(DefaultPlots, ShowTheMotionOfEverySystem) {
  const auto motion = [](std::string_view system, int bodies) {
    return to_text(motion_plot(*find_system(system), bodies));
  };
  EXPECT_EQ(motion("chain_pendulum", 1), "polar0");
  EXPECT_EQ(motion("chain_pendulum", 5), "polar0 and polar4");
  EXPECT_EQ(motion("pendulum_network", 2), "polar0 and polar1");
  EXPECT_EQ(motion("pendulum_network", 9), "polar0 and polar1 and polar2 and polar3");
  EXPECT_EQ(motion("conformal_particles", 1), "polar0");
  EXPECT_EQ(motion("n_body", 3), "closest_angle");
  EXPECT_EQ(motion("elastic_rod", 9), "height8");
  EXPECT_EQ(motion("dipole_array", 16), "mean_direction_z");
  EXPECT_EQ(motion("lennard_jones", 642), "kinetic_energy_peak");
  EXPECT_EQ(title(motion_plot(*find_system("chain_pendulum"), 5)), "polar angle θ₁ and θ₅");
  for (const SystemInfo& system : systems())
    for (const int bodies : {1, 2, 3, 7}) {
      SCOPED_TRACE(fmt::format("{}, {} bodies", system.key, bodies));
      const PlotSpec plot = motion_plot(system, bodies);
      EXPECT_TRUE(plot.over_time());
      const std::vector<Signal> all = plot.signals();
      EXPECT_LE(all.size(), 4u);
      for (const Signal& signal : all) {
        EXPECT_TRUE(signal.exists(system, bodies)) << signal.key();
        EXPECT_EQ(signal.unit(), plot.y.unit());
      }
      // Without kinetic energy the total energy is all of it.
      std::vector<PlotSpec> expected{
          system.first_order ? plot_of(Quantity::total_energy) : energies,
          plot_of(Quantity::energy_error), plot};
      for (const OwnQuantity& own : system.own_quantities)
        if (plot_of(Signal::own(own)) != plot) expected.push_back(plot_of(Signal::own(own)));
      EXPECT_EQ(default_plots(system, bodies), expected);
    }
}

TEST(DefaultPlots, OfATextShowTheFirstOfItsQuantities) {
  const Scenario magnets = test::preset("custom/magnetic_pendulum");
  EXPECT_EQ(to_text(default_plots(magnets).at(2)), "own:distance_from_the_axis[m]");
  EXPECT_EQ(default_plots(magnets).size(), 3u) << "not twice";
  SystemInfo several = info_of(magnets);
  several.own_quantities.push_back({"another", "m"});
  EXPECT_EQ(to_text(default_plots(several, 1).back()), "own:another[m]");
  several.own_quantities.clear();
  EXPECT_EQ(to_text(default_plots(several, 1).back()), "polar0");
  EXPECT_EQ(to_text(motion_plot(*find_system("custom"), 2)), "polar0");
}

TEST(DefaultPlots, OfSpinsShowTheChargeOrTheDefectsWhereThereAreAny) {
  const auto own = [](std::string_view name, std::string_view unit) {
    return plot_of(Signal::own({name, unit}));
  };
  const std::vector<PlotSpec> energy{plot_of(Quantity::total_energy),
                                     plot_of(Quantity::energy_error)};
  const auto after_energies = [&](const char* preset) {
    std::vector<PlotSpec> plots = default_plots(test::preset(preset));
    EXPECT_TRUE(std::equal(energy.begin(), energy.end(), plots.begin()));
    plots.erase(plots.begin(), plots.begin() + 2);
    return plots;
  };
  const PlotSpec exchange = own("exchange energy", "J"), magnetisation = own("magnetisation", "1");
  EXPECT_EQ(after_energies("skyrmion"),
            (std::vector{own("topological charge", "1"), exchange, magnetisation}));
  EXPECT_EQ(after_energies("quench"),
            (std::vector{own("nematic defects", "1"), own("spacing of defects", "m"), exchange}));
  EXPECT_EQ(after_energies("domain_wall"),
            (std::vector{parse_plot("mean_direction_z").value(), exchange, magnetisation}))
      << "a chain has neither";
}

TEST(DefaultPlots, OfEveryPresetHaveCurves) {
  for (const Preset& preset : presets()) {
    Desk desk(preset.key);
    desk.interface.settings().plots = default_plots(desk.scenario);
    desk.run_and_draw(20);
    for (const PlotSpec& plot : default_plots(desk.scenario))
      for (const Signal& signal : plot.signals()) {
        const Series& values = *desk.histories[0].view(signal).values;
        ASSERT_GT(values.size(), 1u) << preset.key << ": " << signal.key();
        EXPECT_TRUE(std::isfinite(values[values.size() - 1])) << preset.key << ": " << signal.key();
      }
    EXPECT_FALSE(desk.has("default_plots")) << preset.key;
  }
}

/// A run whose unit-length error ends at so much.
void lose_unit_length(Desk& desk, double error) {
  History& history = desk.histories[0];
  Sample s = desk.simulation->sample(0);
  s[Quantity::time] = history.column(Quantity::time).back() + 0.01;
  s[Quantity::unit_length_error] = error;
  history.append(test::row_of(std::llround(history.steps().back()) + 1, s,
                              desk.simulation->state(0), desk.simulation->system(), StepCost{},
                              std::make_shared<const Scenario>(desk.simulation->present())),
                 0);
  desk.frames(3);
}

TEST(UnitLength, IsALineBelowAndAPlotOnAClick) {
  EXPECT_EQ(unit_length_text({}), "unit length");
  EXPECT_EQ(unit_length_text(0), "unit length kept exactly");
  EXPECT_EQ(unit_length_text(2.22e-16), "unit length kept to 2.2e-16");
  EXPECT_EQ(unit_length_text(1e-12), "unit length kept to 1.0e-12");
  EXPECT_EQ(unit_length_text(3.14e-5), "unit length off by 3.1e-05");

  SpokenDesk desk;
  const std::vector<PlotSpec> usual = default_plots(desk.scenario);
  desk.interface.settings().plots = usual;
  desk.run_and_draw(50, 3);
  const SpokenWidget line = desk.spoken("unit_length");
  EXPECT_TRUE(line.name.starts_with("unit length kept ")) << line.name;
  EXPECT_FALSE(desk.has("plot/unit_length_error"));
  const Rect at = desk.rect("unit_length"), lowest = desk.rect("time_axis");
  EXPECT_GE(at.y, lowest.y + lowest.height) << "below all plots";
  EXPECT_LE(at.y + at.height, 754);
  const float height = desk.rect("plot/energy_error").height;
  desk.click("unit_length", 2);
  ASSERT_TRUE(desk.has("plot/unit_length_error"));
  EXPECT_LT(desk.rect("plot/energy_error").height, height);
  EXPECT_EQ(desk.interface.settings().plots, usual) << "nothing to be remembered";
  EXPECT_FALSE(desk.has("default_plots"));
  EXPECT_EQ(desk.interface.plots().plots.back().spec, plot_of(Quantity::unit_length_error))
      << "an exported figure has what is in sight";
  desk.click("unit_length", 2);
  EXPECT_FALSE(desk.has("plot/unit_length_error"));

  // Its cross hides it, too.
  desk.click("unit_length", 2);
  desk.point("plot/unit_length_error");
  desk.click("remove/unit_length_error", 2);
  EXPECT_FALSE(desk.has("plot/unit_length_error"));
  EXPECT_EQ(desk.interface.settings().plots, usual);
}

TEST(UnitLength, OpensByItselfWhereItIsLost) {
  Desk desk;
  desk.interface.settings().plots = default_plots(desk.scenario);
  desk.run_and_draw(20);
  lose_unit_length(desk, 1e-12);
  EXPECT_FALSE(desk.has("plot/unit_length_error"));
  lose_unit_length(desk, 1.1e-12);
  EXPECT_TRUE(desk.has("plot/unit_length_error"));
  desk.click("unit_length", 2);
  EXPECT_FALSE(desk.has("plot/unit_length_error")) << "the user has closed it";
  lose_unit_length(desk, 1e-3);
  EXPECT_FALSE(desk.has("plot/unit_length_error"));
  desk.load("three_body");
  desk.interface.settings().plots = default_plots(desk.scenario);
  desk.run_and_draw(5, 3);
  lose_unit_length(desk, 1e-3);
  EXPECT_TRUE(desk.has("plot/unit_length_error")) << "for that run only";
}

TEST(UnitLength, IsNoLineBelowPlotsOfTheUsersOwn) {
  Desk desk;
  desk.run_and_draw(20, 3);
  EXPECT_FALSE(desk.has("unit_length"));
  EXPECT_TRUE(desk.has("plot/unit_length_error"));
  EXPECT_EQ(desk.interface.settings().plots, three_plots());
}

TEST(UnitLength, ItsMenuMakesThePlotsTheUsersOwnOnceSomethingChanges) {
  Desk desk;
  const std::vector<PlotSpec> usual = default_plots(desk.scenario);
  desk.interface.settings().plots = usual;
  desk.run_and_draw(20, 3);
  const auto choose = [&](const char* entry) {
    desk.point("plot/unit_length_error");
    desk.press(1);
    desk.release(1);
    desk.frames(2);
    EXPECT_EQ(desk.interface.settings().plots, usual) << "opening it changes nothing";
    desk.click(fmt::format("menu/{}", entry), 2);
  };
  desk.click("unit_length", 2);
  choose("remove");
  EXPECT_FALSE(desk.has("plot/unit_length_error"));
  EXPECT_EQ(desk.interface.settings().plots, usual);
  desk.click("unit_length", 2);
  choose("symlog");
  ASSERT_EQ(desk.interface.settings().plots.size(), usual.size() + 1);
  EXPECT_EQ(to_text(desk.interface.settings().plots.back()), "unit_length_error symlog");
}

}  // namespace
}  // namespace twosphere::default_plots_test
