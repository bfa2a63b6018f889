// SPDX-License-Identifier: GPL-3.0-or-later
// The column of plots: what is in it, how it is changed, and what its cursor and markers say.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/output/csv.h"
#include "core/output/lane_style.h"
#include "tests/outcome.h"
#include "tests/runs.h"
#include "tests/ui/plots/plots_desk.h"
#include "ui/plot/lane_curves.h"
#include "ui/plot/plot_curves.h"
#include "ui/plot/plot_model.h"
#include "ui/plots/lane_text.h"
#include "ui/plots/ready_plots.h"
#include "ui/shell/style.h"

namespace twosphere::plots_panel_test {
namespace {

/// Types into the list from which a plot is added.
void look_for_signal(Desk& desk, const char* text) {
  desk.click("add_plot");
  desk.type(text, 1);
}

/// "kinetic_energy and potential_energy"
std::string key(const PlotSpec& spec) {
  std::string text;
  for (const Signal& signal : spec.signals()) text += (text.empty() ? "" : " and ") + signal.key();
  return text;
}

TEST(PlotsPanel, AWayBackIsDrawnOverTheWayThere) {
  RunDesk desk(200);
  desk.simulation->reverse();
  desk.run_and_draw(150, 3);
  EXPECT_EQ(desk.histories[0].legs().size(), 2u);
  EXPECT_EQ(desk.interface.plots().time.low, 0);
  EXPECT_EQ(desk.interface.plots().time.high, 2) << "all of it";
  // Both markers are read, on the way back if the run has come there again.
  desk.point("plot/total_energy", 2);
  const History& history = desk.histories[0];
  const auto at = at_markers(plot_of(*Signal::parse("omega1_y")), history, {0.2, 1.2});
  ASSERT_TRUE(at[0] && at[1]);
  EXPECT_EQ(at[0]->y, history.state_at(20).w(1, 1));
  EXPECT_EQ(at[1]->y, history.state_at(280).w(1, 1));
}

TEST(PlotsPanel, ADragIsExplainedAtItsEndsNotWhereTheCurveIsRead) {
  Desk desk;
  desk.run(200);
  for (int k = 0; k < 5; ++k) {
    ASSERT_TRUE(desk.simulation->set({{"system.gravity", 9.0 - k}}, 1));
    desk.run(100);
  }
  desk.run_and_draw(100, 3);
  const Interval time = desk.interface.plots().time;
  const Rect plot = desk.rect("plot/total_energy");
  const auto lists = [&](double t) {  // one more with a tooltip
    desk.point(plot.x + plot.width * static_cast<float>((t - time.low) / time.span()),
               plot.y + plot.height / 2);
    desk.frames(3);
    return ImGui::GetDrawData()->CmdListsCount;
  };
  const int plain = lists(1);
  EXPECT_EQ(lists(2), plain + 1);
  EXPECT_EQ(lists(6), plain + 1);
  for (const double t : {3.0, 4.0, 5.0, 7.0}) EXPECT_EQ(lists(t), plain) << t;
}

TEST(PlotsPanel, ASignalIsFoundByTypingAddedAndRemoved) {
  RunDesk desk(200);
  desk.click("add_plot");
  ASSERT_TRUE(desk.has("signals/filter"));
  EXPECT_TRUE(desk.has("signals/total_energy"));
  desk.type("omega2", 1);
  EXPECT_FALSE(desk.has("signals/total_energy"));
  EXPECT_FALSE(desk.has("signals/omega0_x"));
  desk.click("signals/omega1_y");
  EXPECT_FALSE(desk.has("signals/filter")) << "the list is closed";
  EXPECT_EQ(listed(desk), (std::vector<std::string>{"total_energy", "energy_error logarithmic",
                                                    "unit_length_error logarithmic", "omega1_y"}));
  desk.point(640, 300);
  EXPECT_GT(vertices(desk.rect("plot/omega1_y"), body_color(1, 2, Palette::dark).rgb), 100);

  EXPECT_FALSE(desk.has("remove/omega1_y")) << "only under the mouse";
  desk.point("plot/omega1_y");
  desk.click("remove/omega1_y");
  EXPECT_EQ(desk.interface.settings().plots, three_plots());
  EXPECT_FALSE(desk.has("plot/omega1_y"));

  // Enter takes the first that is found; Escape takes nothing.
  look_for_signal(desk, "polar θ2");
  desk.key(ImGuiKey_Enter);
  EXPECT_EQ(listed(desk).back(), "polar1");
  desk.click("add_plot");
  desk.key(ImGuiKey_Escape, 2);
  EXPECT_FALSE(desk.has("signals/filter"));
  EXPECT_EQ(listed(desk).size(), 4u);
}

TEST(PlotsPanel, AnExpressionIsTypedNamedAndPlotted) {
  RunDesk desk(50);
  const auto enter = [&](const char* field, const char* text) {
    desk.click(std::string("expression/") + field);
    desk.type(text, 2);
  };
  desk.click("add_plot");
  enter("text", "e3.q[0]*lengths[2]");
  EXPECT_FALSE(desk.has("plot/expression:h[m]=x"));
  desk.click("expression/plot", 2);
  EXPECT_EQ(listed(desk).size(), 3u) << "there is no third link";
  EXPECT_TRUE(desk.has("signals/filter")) << "the list stays";
  desk.key(ImGuiKey_Escape, 2);

  desk.click("add_plot");
  enter("text", "e3.q[0]*lengths[0]");
  enter("name", "depth of the first");
  enter("unit", "cm");
  desk.click("expression/plot", 2);
  EXPECT_FALSE(desk.has("signals/filter"));
  const PlottedExpression depth{"depth of the first", "e3.q[0]*lengths[0]", "cm"};
  ASSERT_EQ(desk.interface.settings().plots.size(), 4u);
  EXPECT_EQ(desk.interface.settings().plots[3], plot_of(Signal(depth)));
  EXPECT_EQ(parse_plot(listed(desk)[3]), desk.interface.settings().plots[3]);
  const SignalView view = desk.histories[0].view(Signal(depth));
  ASSERT_EQ(view.values->size(), 51u);
  EXPECT_DOUBLE_EQ((*view.values)[50], 981 * desk.simulation->state(0).q(2, 0));
  desk.point(640, 300);
  EXPECT_GT(vertices(desk.rect("plot/" + Signal(depth).key())), 100);

  // Another one cannot have its name; as an axis it is offered, and so is its unit that is known.
  desk.click("add_plot");
  enter("text", "lengths[0]");
  enter("name", "depth of the first");
  desk.click("expression/plot", 2);
  EXPECT_EQ(listed(desk).size(), 4u);
  desk.click("over");
  EXPECT_TRUE(desk.has("over/" + Signal(depth).key()));
  desk.key(ImGuiKey_Escape, 2);
  enter("name", "length");
  desk.key(ImGuiKey_Enter, 2);
  ASSERT_EQ(desk.interface.settings().plots.size(), 5u);
  EXPECT_EQ(desk.interface.settings().plots[4].y.unit(), "m");
}

TEST(PlotsPanel, ExpressionsOfAScenarioAreShownAtFirst) {
  Settings settings;
  Scenario own = test::preset("three_body");
  own.title = "my own";
  own.plots = {{"height", "e3.q[0]", "1"}};
  restore_plots(settings, own);
  const PlotSpec height = plot_of(Signal(own.plots[0]));
  EXPECT_EQ(settings.plots, default_plots(own));
  EXPECT_EQ(settings.plots.back(), height);
  // That of another file goes with it.
  Scenario other = own;
  other.plots = {{"height", "e3.q[1]", "1"}};
  restore_plots(settings, other);
  EXPECT_EQ(settings.plots, default_plots(other));
}

TEST(PlotsPanel, EverySignalOfTheRunIsListed) {
  DrawnDesk desk("chain_pendulum");
  for (const Signal& signal : signals(*desk.snapshot.system_info, desk.snapshot.present->size())) {
    show(desk, {});
    desk.click("add_plot");
    std::string typed = signal.label();
    desk.type(typed.c_str(), 2);
    ASSERT_TRUE(desk.has("signals/" + signal.key())) << signal.key();
    desk.click("signals/" + signal.key());
    ASSERT_EQ(listed(desk).size(), 1u);
    EXPECT_EQ(desk.interface.settings().plots[0], plot_of(signal));
  }
}

TEST(PlotsPanel, ShowsWhatStepsCostAndNothingWhereTheyDoNot) {
  Desk desk;
  show(desk, {"newton_iterations", "newton_residual logarithmic", "inner_steps"}, 100);
  desk.point(640, 300);
  EXPECT_GT(vertices(desk.rect("plot/newton_iterations")), 100);
  EXPECT_GT(vertices(desk.rect("plot/newton_residual")), 100);
  EXPECT_EQ(vertices(desk.rect("plot/inner_steps")), 0);
  // Only those steps count that had iterations: the start has none, and rk4 has none.
  SegmentFigures cache;
  const Signal iterations = StepQuantity::newton_iterations;
  const History& history = desk.histories[0];
  const auto figures = cache.of(history, 0, iterations, {0, history.size()}, 1);
  EXPECT_GE(figures.mean, 1);
  EXPECT_LE(figures.worst, 8);
  desk.snapshot.state = RunState::paused;
  ASSERT_TRUE(desk.simulation->set({{"integrator.type", "rk4"}}));
  desk.run_and_draw(100);
  const auto after = cache.of(history, 0, iterations, {0, history.size()}, 1);
  EXPECT_EQ(after.mean, figures.mean);
  EXPECT_EQ(after.worst, figures.worst);
}

TEST(PlotsPanel, AMethodWithoutExponentsSaysWhyAndOffersOneThatHasThem) {
  Desk desk;
  ASSERT_TRUE(desk.simulation->set({{"integrator.type", "rk4"}}));
  desk.run(20);
  desk.interface.set_spoken(true);
  show(desk, {"lyapunov_1"});
  desk.click("absence/lyapunov_1");
  const auto added = desk.recorder.all<AddLane>();
  ASSERT_EQ(added.size(), 1U);
  EXPECT_EQ(added[0].lane.find("type")->text, "variational");
  EXPECT_TRUE(desk.recorder.shown.empty()) << "the click was not one on the plot";
  EXPECT_FALSE(desk.has("absence/lyapunov_1")) << "that lane will have them";
}

// One text in the middle of a plot, not two over one another.
TEST(PlotsPanel, BeforeTheFirstStepAPlotSaysWhatItsCurveNeeds) {
  Desk desk;
  show(desk, {"cloud_distance", "kinetic_energy"});
  EXPECT_TRUE(desk.has("invitation/kinetic_energy"));
  EXPECT_FALSE(desk.has("invitation/cloud_distance")) << "it needs a cloud";
  desk.run_and_draw(20);
  EXPECT_FALSE(desk.has("invitation/kinetic_energy"));
}

TEST(PlotsPanel, TheAxisOfAnExponentLeavesOutItsFirstTenth) {
  Desk desk;
  show(desk, {"lyapunov_1"});
  for (int i = 1; i <= 200; ++i) {
    ASSERT_FALSE(desk.simulation->step().has_value());
    StepCost cost;
    cost[StepQuantity::lyapunov_1] = 0.5 + 10.0 / i;
    desk.histories[0].append(
        test::row_of(desk.simulation->steps(), desk.simulation->sample(0),
                     desk.simulation->state(0), desk.simulation->system(), cost,
                     std::make_shared<const Scenario>(desk.simulation->present())),
        0);
  }
  desk.snapshot.t = desk.simulation->time();
  desk.frames(3);
  const Interval y = desk.interface.plots().plots[0].y;
  EXPECT_GT(y.high, 0.9);
  EXPECT_LT(y.high, 1.6);
}

TEST(PlotsPanel, APhasePortraitOfTwoSignals) {
  RunDesk desk(300);
  desk.click("add_plot");
  desk.click("over");
  desk.type("direction q₁·e₁", 1);
  desk.click("over/q0_x");
  desk.type("ω₁·e₁", 1);
  desk.click("signals/omega0_x");
  ASSERT_EQ(listed(desk).back(), "omega0_x over q0_x");
  const std::string id = "plot/omega0_x over q0_x";
  desk.point(640, 300);
  const Rect plot = desk.rect(id);
  EXPECT_GT(vertices(plot), 200);

  // The axes fit the values.
  const VisiblePlot seen = desk.interface.plots().plots.back();
  const SignalView x = desk.histories[0].view(*Signal::parse("q0_x"));
  const Range range = x.values->range(0, x.values->size());
  EXPECT_LE(seen.x.low, range.low);
  EXPECT_GE(seen.x.high, range.high);
  EXPECT_LT(seen.x.span(), 3 * (range.high - range.low));

  // It is zoomed and panned by itself; Follow brings it back.
  const Interval time = desk.interface.plots().time;
  desk.point(id);
  desk.wheel(3);
  EXPECT_LT(desk.interface.plots().plots.back().x.span(), 0.7 * seen.x.span());
  EXPECT_EQ(desk.interface.plots().time, time);
  desk.click("follow");
  EXPECT_EQ(desk.interface.plots().plots.back().x, seen.x);

  // The lane is hidden here too.
  desk.click("legend/energy_error[0]");
  desk.point(640, 300);
  EXPECT_EQ(vertices(plot), 0);
}

TEST(PlotsPanel, ALongPortraitLosesNoPoint) {
  Desk desk;
  show(desk, {"potential_energy over kinetic_energy"});
  History& history = desk.histories[0];
  history.clear();
  constexpr std::size_t n = 1'000'000;
  for (std::size_t i = 0; i < n; ++i) {
    Sample s;
    const double phase = 0.01 * static_cast<double>(i);
    s[Quantity::time] = 1e-4 * static_cast<double>(i);
    s[Quantity::kinetic_energy] = i == n / 2 ? 2 : std::cos(phase);
    s[Quantity::potential_energy] = i == n / 2 ? 2 : std::sin(phase);
    history.append(static_cast<std::int64_t>(i), s);
  }
  desk.snapshot.t = 100;
  ++desk.snapshot.generation;
  desk.frames(3);
  int frames = 0;
  while (desk.interface.animating() && frames < 100) {
    desk.frame();
    ++frames;
  }
  EXPECT_LT(frames, 100);
  const Rect plot = desk.rect("plot/potential_energy over kinetic_energy");
  const VisiblePlot seen = desk.interface.plots().plots[0];
  const Picture picture = desk.picture();
  const auto drawn_at = [&](double x, double y) {
    const double px = plot.x + plot.width * (x - seen.x.low) / seen.x.span();
    const double py = plot.y + plot.height * (seen.y.high - y) / seen.y.span();
    for (int dy = -1; dy <= 1; ++dy)
      for (int dx = -1; dx <= 1; ++dx)
        if (picture.at(static_cast<int>(px) + dx, static_cast<int>(py) + dy) == curve) return true;
    return false;
  };
  EXPECT_TRUE(drawn_at(1.99, 1.99)) << "the point that stands out";
  for (double phase = 0; phase < 6.28; phase += 0.1)
    EXPECT_TRUE(drawn_at(std::cos(phase), std::sin(phase))) << phase;
  EXPECT_FALSE(drawn_at(0, 0.3));
}

TEST(PlotsPanel, TheMenuSetsTheScale) {
  RunDesk desk(200);
  choose_in_menu(desk, "plot/energy_error", "symlog");
  EXPECT_FALSE(desk.has("menu/symlog"));
  EXPECT_EQ(listed(desk)[1], "energy_error symlog");
  const VisiblePlot seen = desk.interface.plots().plots[1];
  EXPECT_EQ(seen.transform.scale, Scale::symlog);
  EXPECT_LT(seen.y.low, 0) << "the error has both signs";
  EXPECT_GT(seen.y.high, 0);
  desk.click("scale/energy_error");
  desk.click("menu/magnitude");
  EXPECT_EQ(listed(desk)[1], "energy_error symlog magnitude");
  EXPECT_EQ(desk.interface.plots().plots[1].y.low, 0);
  desk.click("scale/energy_error");
  desk.click("menu/linear");
  EXPECT_EQ(listed(desk)[1], "energy_error magnitude");

  // A right drag zooms and opens nothing.
  desk.drag("plot/total_energy", 60, 40, 1);
  desk.frame();
  EXPECT_FALSE(desk.has("menu/linear"));
  EXPECT_LT(desk.interface.plots().time.span(), 1.5);

  choose_in_menu(desk, "plot/total_energy", "down");
  EXPECT_EQ(listed(desk)[1], "total_energy");
  choose_in_menu(desk, "plot/total_energy", "signals");
  desk.speak(1);
  EXPECT_EQ(desk.described("signals/work"), info(Quantity::work).help);
  EXPECT_TRUE(
      test::says(desk.described("plot_title/energy_error"), info(Quantity::energy_error).help));
  desk.interface.set_spoken(false);
  desk.click("signals/work");
  EXPECT_EQ(listed(desk)[1], "work");
  choose_in_menu(desk, "plot/work", "export_plot");
  EXPECT_EQ(desk.recorder.exported, std::vector<PlotSpec>{desk.interface.plots().plots[1].spec});
  choose_in_menu(desk, "plot/work", "remove");
  EXPECT_EQ(listed(desk),
            (std::vector<std::string>{"energy_error magnitude", "unit_length_error logarithmic"}));
  desk.handle(Action::reset_layout, 1);
  EXPECT_EQ(desk.interface.settings().plots, default_plots(*desk.snapshot.present));
}

TEST(PlotsPanel, QuantitiesOfOneUnitShareAPlot) {
  Desk desk;
  show(desk, {"kinetic_energy"}, 300);
  const std::string both = "kinetic_energy and potential_energy", all = both + " and work";
  const VisiblePlot alone = desk.interface.plots().plots[0];

  // Only what has the unit of the axis is offered; a click adds it, and the list stays.
  choose_in_menu(desk, "plot/kinetic_energy", "also");
  ASSERT_TRUE(desk.has("also/potential_energy"));
  for (const Signal& signal : signals(*desk.snapshot.system_info, 2))
    EXPECT_EQ(desk.has("also/" + signal.key()), signal.unit() == "J") << signal.key();
  desk.click("also/potential_energy");
  EXPECT_EQ(listed(desk), std::vector<std::string>{both});
  desk.click("also/work");
  EXPECT_EQ(listed(desk), std::vector<std::string>{all});
  desk.key(ImGuiKey_Escape, 2);
  EXPECT_FALSE(desk.has("also/potential_energy"));

  // One axis holds them all.
  const VisiblePlot seen = desk.interface.plots().plots[0];
  EXPECT_LT(seen.y.low, alone.y.low);
  for (const Quantity q : {Quantity::kinetic_energy, Quantity::potential_energy}) {
    const Range range = desk.histories[0].range(q, 0, desk.histories[0].size());
    EXPECT_LE(seen.y.low, range.low);
    EXPECT_GE(seen.y.high, range.high);
  }
  // Each has its line, and frames about its symbol in the lane's colour.
  desk.point(640, 300, 1);
  const Rect plot = desk.rect("plot/" + all);
  const int drawn = vertices(plot);
  // The cursor finds every curve, with one row of values for the lane.
  desk.point("plot/" + all, 1);
  EXPECT_GT(vertices(plot), drawn);

  // A lane that is hidden takes all of its curves with it.
  desk.click("legend/" + all + "[0]");
  desk.point(640, 300, 1);
  EXPECT_EQ(vertices(plot), 0);
  desk.click("legend/" + all + "[0]");
  desk.point(640, 300, 1);
  EXPECT_EQ(vertices(plot), drawn);

  // Taken out one by one; the last one stays.
  choose_in_menu(desk, "plot/" + all, "also");
  for (const char* name : {"also/kinetic_energy", "also/potential_energy", "also/work"})
    desk.click(name);
  EXPECT_EQ(listed(desk), std::vector<std::string>{"work"});
  desk.key(ImGuiKey_Escape, 2);

  // The spectra of several are as many plots.
  show(desk, {both});
  choose_in_menu(desk, "plot/" + both, "spectrum");
  EXPECT_EQ(listed(desk), (std::vector<std::string>{both, "kinetic_energy spectrum",
                                                    "potential_energy spectrum"}));
  // An axis of another kind has one signal.
  right_click(desk, "plot/kinetic_energy spectrum");
  EXPECT_FALSE(desk.has("menu/also"));
}

TEST(PlotsPanel, BodiesHaveTheColoursOfTheScene) {
  Desk desk("three_body");
  desk.run(100);
  for (const char* plot : {"q0_x and q1_x and q2_x", "q2_x", "omega1_x over q1_x"}) {
    show(desk, {plot});
    desk.point(640, 300, 1);
    const Rect place = desk.rect(std::string("plot/") + plot);
    for (std::size_t body = 0; body < 3; ++body) {
      const std::string key = "q" + std::to_string(body) + "_x";
      EXPECT_EQ(vertices(place, body_color(body, 3, Palette::dark).rgb) > 0,
                std::string_view(plot).find(key) != std::string_view::npos)
          << plot << ' ' << key;
    }
  }
  EXPECT_EQ(desk.interface.plots().colored_bodies, 3);
  // By lane on request, and what is no body's is the lane's.
  show(desk, {"q2_x", "total_energy"});
  desk.point(640, 300, 1);
  EXPECT_GT(vertices(desk.rect("plot/total_energy")), 0);
  EXPECT_EQ(vertices(desk.rect("plot/q2_x")), 0);
  desk.interface.settings().shade = Shade::lane;
  desk.frames(2);
  EXPECT_GT(vertices(desk.rect("plot/q2_x")), 0);
  EXPECT_EQ(desk.interface.plots().colored_bodies, 0);
}

TEST(PlotsPanel, SymbolsStandOnTheirCurvesAllAlongThem) {
  Desk desk;
  desk.run(300);
  const PlotSpec spec = parse_plot("kinetic_energy and potential_energy and work").value();
  const std::vector<Curve> segments{{0, &desk.histories[0], {0, 100}, {}},
                                    {0, &desk.histories[0], {100, 301}, {}},
                                    {1, &desk.histories[0], {0, 301}, {}}};
  const std::vector<Curve> curves = curves_of(spec, segments);
  ASSERT_EQ(curves.size(), 9u);
  const auto names = curve_names(spec, curves, {0, 3}, 15);
  std::map<std::pair<int, Signal>, int> count;
  double last = -1;
  for (const CurveName& name : names) {
    const Curve& own = curves[name.curve];
    ++count[{own.lane, own.signal}];
    EXPECT_GT(name.at.t, last) << "each in a place of its own";
    last = name.at.t;
    const std::size_t i = desk.histories[0].nearest(name.at.t);
    EXPECT_GE(i, own.samples.first);
    EXPECT_LT(i, own.samples.last);
    EXPECT_EQ(name.at.y, desk.histories[0].column(*own.signal.quantity())[i]);
  }
  EXPECT_EQ(count.size(), 6u);
  for (const auto& [which, times] : count) EXPECT_EQ(times, 2);
  // None where there is no curve, and none where there is one signal.
  for (const CurveName& name : curve_names(spec, curves, {0, 30}, 15)) EXPECT_LE(name.at.t, 3);
  EXPECT_TRUE(curve_names(spec.of(Quantity::total_energy), segments, {0, 3}, 15).empty());
}

TEST(PlotsPanel, MarkersStandOnSamplesAndReadLikeTheTable) {
  Desk desk;
  show(desk, {"total_energy", "energy_error logarithmic", "omega1_y"}, 400);
  const Rect plot = desk.rect("plot/total_energy");
  desk.point(plot.x + 0.213f * plot.width, plot.y + 30);
  desk.handle(Action::marker_a, 1);
  desk.point(plot.x + 0.547f * plot.width, plot.y + 30);
  desk.handle(Action::marker_b, 1);
  const VisiblePlots seen = desk.interface.plots();
  ASSERT_TRUE(seen.marker_a && seen.marker_b);

  // The rows of the CSV at these times.
  const History& history = desk.histories[0];
  const auto quantities = csv_quantities(*desk.snapshot.system_info);
  std::array<std::vector<std::string>, 2> rows;
  for (std::size_t m = 0; m < 2; ++m) {
    const double t = m == 0 ? *seen.marker_a : *seen.marker_b;
    const std::size_t i = history.nearest(t);
    ASSERT_EQ(history.column(Quantity::time)[i], t) << "a marker stands on a sample";
    EXPECT_NEAR(t, (m == 0 ? 0.213 : 0.547) * seen.time.high, 0.02);
    std::string row = csv_row(*desk.snapshot.system_info, {history.sample(i)});
    row.resize(row.find('\r'));
    for (std::size_t from = 0; from <= row.size();) {
      const std::size_t comma = std::min(row.find(',', from), row.size());
      rows[m].push_back(row.substr(from, comma - from));
      from = comma + 1;
    }
  }
  for (std::size_t q = 1; q < quantities.size(); ++q) {
    const auto at =
        at_markers(PlotSpec{.y = quantities[q], .x = {}}, history, {seen.marker_a, seen.marker_b});
    ASSERT_TRUE(at[0] && at[1]);
    EXPECT_EQ(fmt::format("{}", at[0]->y), rows[0][q]);
    EXPECT_EQ(fmt::format("{}", at[1]->y), rows[1][q]);
    EXPECT_EQ(at[1]->y - at[0]->y, std::stod(rows[1][q]) - std::stod(rows[0][q]));
  }
  // Of a signal of the state, too.
  const Signal signal = *Signal::parse("omega1_y");
  const auto at = at_markers(plot_of(signal), history, {seen.marker_a, seen.marker_b});
  EXPECT_EQ(at[0]->y, history.state_at(history.nearest(*seen.marker_a)).w(1, 1));

  // In every plot at the same place; a drag moves it there and nothing else.
  desk.point(640, 300);
  const Rect a = desk.rect("marker/total_energy[A]");
  for (const char* id : {"energy_error", "omega1_y"})
    EXPECT_FLOAT_EQ(desk.rect(fmt::format("marker/{}[A]", id)).x, a.x);
  desk.drag("marker/energy_error[A]", 50, 0);
  const VisiblePlots moved = desk.interface.plots();
  EXPECT_EQ(moved.time, seen.time);
  EXPECT_EQ(moved.marker_b, seen.marker_b);
  EXPECT_NEAR(*moved.marker_a - *seen.marker_a, 50 / plot.width * seen.time.span(), 0.03);
  EXPECT_EQ(history.column(Quantity::time)[history.nearest(*moved.marker_a)], *moved.marker_a);
  EXPECT_NEAR(desk.rect("marker/omega1_y[A]").x, a.x + 50, 4);

  desk.click("clear_markers");
  EXPECT_FALSE(desk.interface.plots().marker_a || desk.interface.plots().marker_b);
  EXPECT_FALSE(desk.has("marker/total_energy[A]"));
}

TEST(PlotsPanel, TheMenuPutsMarkersWhereItWasOpened) {
  RunDesk desk(400);
  const Rect plot = desk.rect("plot/energy_error");
  right_click(desk, "plot/energy_error");
  const double t = desk.interface.plots().time.high / 2;
  desk.click("menu/marker_b");
  ASSERT_TRUE(desk.interface.plots().marker_b);
  EXPECT_NEAR(*desk.interface.plots().marker_b, t, 0.02);
  desk.point(640, 300);
  EXPECT_NEAR(desk.rect("marker/energy_error[B]").x, plot.x + plot.width / 2, 8);
  // Without the mouse in a plot a key marks the newest sample.
  desk.handle(Action::marker_a, 1);
  EXPECT_EQ(desk.interface.plots().marker_a, desk.histories[0].column(Quantity::time).back());
}

TEST(PlotsPanel, TheCursorShowsInEveryPlot) {
  Desk desk;
  show(desk, {"total_energy", "energy_error logarithmic", "omega0_x over q0_x"}, 300);
  desk.point(640, 300);
  std::vector<int> before;
  for (const char* id : {"plot/total_energy", "plot/energy_error", "plot/omega0_x over q0_x"})
    before.push_back(vertices(desk.rect(id)));
  desk.point("plot/energy_error", 1);
  // A marker on the curve, and a swatch in the readout.
  std::size_t i = 0;
  for (const char* id : {"plot/total_energy", "plot/energy_error", "plot/omega0_x over q0_x"})
    EXPECT_GT(vertices(desk.rect(id)), before[i++] + 10) << id;
}

TEST(PlotsPanel, ManyPlotsScrollAndShareTheirMargins) {
  Desk desk;
  desk.run(100);
  std::vector<std::string> many{"total_energy", "energy_error logarithmic", "energy_error symlog"};
  for (const char* key : {"q0_x", "q0_y", "q1_z", "omega0_x", "polar1", "azimuth1"})
    many.push_back(key);
  show(desk, many);
  desk.frames(2);
  const Rect first = desk.rect("plot/total_energy");
  EXPECT_GE(first.height, 100);
  EXPECT_FALSE(desk.has("plot/azimuth1"));
  for (const auto& [name, rect] : desk.interface.widgets())
    if (name.starts_with("plot/")) {
      EXPECT_EQ(rect.x, first.x) << name;
      EXPECT_EQ(rect.width, first.width) << name;
    }
  // The time axis stays in sight under them.
  const Rect axis = desk.rect("time_axis");
  EXPECT_EQ(axis.x, first.x);
  EXPECT_LE(axis.y + axis.height, 754);

  const Interval range = desk.interface.plots().time;
  desk.point("legend/total_energy[0]");
  desk.wheel(-2);
  EXPECT_LT(desk.rect("plot/energy_error").y, first.y + 100) << "it scrolled";
  EXPECT_EQ(desk.interface.plots().time, range) << "and zoomed nothing";
  // One more is added at the end and shown.
  look_for_signal(desk, "tangency");
  desk.key(ImGuiKey_Enter, 3);
  EXPECT_TRUE(desk.has("plot/tangency_error"));
  EXPECT_LE(desk.rect("plot/tangency_error").y + first.height, axis.y);
}

/// Four lanes with both markers, as comparing methods takes.
void add_three_lanes(Desk& desk) {
  desk.frames(2);
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(desk.handle(Action::add_lane, 2));
  }
  desk.run_and_draw(120);
  const Rect plot = desk.rect("plot/total_energy");
  for (const auto& [place, marker] :
       {std::pair(0.2f, Action::marker_a), std::pair(0.6f, Action::marker_b)}) {
    desk.point(plot.x + place * plot.width, plot.y + 30);
    desk.handle(marker, 1);
  }
  desk.point(640, 300, 3);
}

TEST(PlotsPanel, FourLanesWithMarkersLeaveThePlotsTheirHeight) {
  Desk desk;  // as in a window of 1280 x 800
  add_three_lanes(desk);
  for (const char* id : {"total_energy", "energy_error", "unit_length_error"}) {
    const Rect plot = desk.rect(fmt::format("plot/{}", id));
    EXPECT_GE(plot.height, 130) << id;
    EXPECT_LE(plot.y + plot.height, 754) << id << " is in sight";
  }
  // One legend for all of them, over the first.
  const Rect first = desk.rect("plot/total_energy");
  for (int lane = 0; lane < 4; ++lane)
    EXPECT_LT(desk.rect(fmt::format("legend[{}]", lane)).y, first.y) << lane;
  const int drawn = vertices(desk.rect("plot/energy_error"));
  EXPECT_GT(drawn, 0);
  desk.click("legend[0]");
  desk.point(640, 300);
  EXPECT_EQ(vertices(desk.rect("plot/energy_error")), 0);
  EXPECT_EQ(vertices(desk.rect("plot/total_energy")), 0);
  desk.click("legend[0]");
  desk.point(640, 300);
  EXPECT_EQ(vertices(desk.rect("plot/energy_error")), drawn);
}

/// Letters drawn in a row of the legend.
int letters(const Desk& desk, const Rect& row) {
  int count = 0;
  const ImVec2 white = ImGui::GetIO().Fonts->TexUvWhitePixel;
  for (const ImDrawVert& v : drawn_corners())
    count += row.contains(v.pos.x, v.pos.y) && (v.uv.x != white.x || v.uv.y != white.y) &&
             v.pos.x > row.x + 36;
  static_cast<void>(desk);
  return count / 4;
}

TEST(PlotsPanel, TheLegendHasTheFiguresOfThePlotUnderTheMouse) {
  Desk desk;
  add_three_lanes(desk);
  desk.handle(Action::clear_markers, 2);
  const Rect row = desk.rect("legend[1]");
  const int name = letters(desk, row);
  EXPECT_GE(name, 3) << "rk45";
  desk.point("plot/energy_error", 2);
  EXPECT_GT(letters(desk, row), name + 20) << "mean and largest";
  desk.point(640, 300, 2);
  EXPECT_EQ(letters(desk, row), name);
}

TEST(PlotsPanel, EveryLaneIsDescribedBelowThePlotsWhereThereIsRoom) {
  Desk desk;
  desk.frames(2);
  ASSERT_TRUE(desk.handle(Action::add_lane, 2));
  desk.run_and_draw(60);
  for (const char* id : {"total_energy", "energy_error", "unit_length_error"}) {
    const Rect first = desk.rect(fmt::format("legend/{}[0]", id)),
               second = desk.rect(fmt::format("legend/{}[1]", id));
    EXPECT_GE(second.y, first.y + first.height - 0.5f) << id;
    EXPECT_GE(desk.rect(fmt::format("plot/{}", id)).height, 120) << id;
  }
  // The legend above keeps its names, and a click hides that lane.
  const int name = letters(desk, desk.rect("legend[1]"));
  desk.point("plot/energy_error", 2);
  EXPECT_EQ(letters(desk, desk.rect("legend[1]")), name);
  desk.click("legend/energy_error[1]");
  EXPECT_EQ(desk.interface.plots().hidden_lanes, std::set<int>{1});
}

TEST(PlotsPanel, WithLittleRoomTheLaneUnderTheMouseIsDescribedBelowThePlots) {
  Desk desk;
  add_three_lanes(desk);
  desk.handle(Action::clear_markers, 2);
  EXPECT_TRUE(desk.has("legend/energy_error[0]"));
  EXPECT_FALSE(desk.has("legend/energy_error[2]"));
  desk.point("legend[2]", 2);
  EXPECT_FALSE(desk.has("legend/energy_error[0]"));
  EXPECT_TRUE(desk.has("legend/energy_error[2]"));
  desk.point(640, 300, 2);
  EXPECT_TRUE(desk.has("legend/energy_error[0]"));
}

TEST(PlotsPanel, ALanesNameIsNotCut) {
  DrawnDesk desk;
  ASSERT_TRUE(desk.handle(Action::add_lane, 2));
  const float line = desk.rect("legend[1]").height;
  const std::string name = "a very long name of a lane that says what was changed in it and why so";
  ASSERT_TRUE(desk.simulation->set({{"lanes[1].name", name}}));
  desk.run_and_draw(1);
  EXPECT_GT(desk.rect("legend[1]").height, line + 10) << "it takes another line";
}

TEST(PlotsPanel, DistancesOfRunsAreSaidByTheirNames) {
  SpokenDesk desk;
  desk.run(30);
  std::vector<History> other = History::views(desk.histories);
  other[0].compare_with(&desk.histories[0]);
  show(desk, {});
  const auto figures = [&]() -> std::string {
    desk.frames(2);
    const SpokenWidget legend = desk.spoken("legend/distance[0]");
    return legend.id.empty() ? "none" : legend.value;
  };
  const auto offers = [&](const char* text) {
    desk.click("add_plot");
    desk.type(text, 2);
    const bool found = desk.has("signals/distance");
    desk.key(ImGuiKey_Escape, 2);
    return found;
  };
  desk.branches.resize(2);
  BranchView &first = desk.branches[0], &second = desk.branches[1];
  first.look = {"the first", 0, false};
  first.shared_steps = desk.snapshot.steps;
  first.record = &desk.scenario;
  first.histories = &other;
  second.id = 1;
  second.look = {"run 2", 1, false};
  second.present = second.reference = true;
  desk.interface.compare_with_run(1);
  desk.interface.compare_with_run(1);
  EXPECT_EQ(listed(desk), std::vector<std::string>{"distance logarithmic"}) << "one plot of them";
  EXPECT_EQ(desk.interface.settings().reference_run, 1);
  EXPECT_EQ(figures().find("the first   now "), 0u) << figures();
  EXPECT_TRUE(desk.has("legend/runs")) << "the names of other runs";
  first.look.hidden = true;
  EXPECT_EQ(figures(), "run 2 is the reference");
  EXPECT_FALSE(desk.has("legend/runs"));
  EXPECT_TRUE(offers("from the reference run"));
  EXPECT_FALSE(offers("reference lane"));
  second.reference = false;
  EXPECT_TRUE(offers("reference lane"));
}

TEST(PlotsPanel, FiguresWrapInsteadOfBeingCut) {
  Desk desk("three_body");
  desk.run(50);
  show(desk, {"angular_momentum_x_error and angular_momentum_y_error and "
              "angular_momentum_z_error logarithmic"});
  desk.frames(2);
  const std::string id =
      "legend/angular_momentum_x_error and angular_momentum_y_error and angular_momentum_z_error";
  EXPECT_GE(desk.rect(id + "[0]").height, 36) << "two lines for three components";
}

TEST(PlotsPanel, ADoubleClickOnItsTitleGivesAPlotTheColumn) {
  RunDesk desk(200);
  const Rect small = desk.rect("plot/energy_error");
  const Interval time = desk.interface.plots().time;
  const auto twice = [&desk](const std::string& name) {
    desk.point(name);
    for (int i = 0; i < 2; ++i) {
      desk.press();
      desk.release();
    }
    desk.frames(3);
  };
  twice("plot_title/energy_error");
  EXPECT_GT(desk.rect("plot/energy_error").height, 2.5f * small.height);
  EXPECT_FALSE(desk.has("plot/total_energy"));
  EXPECT_EQ(desk.interface.plots().plots.size(), 1u) << "an exported figure has what is in sight";
  EXPECT_EQ(desk.interface.plots().time, time);
  // A double click in it shows the whole run, as in any plot.
  twice("plot/energy_error");
  EXPECT_FALSE(desk.has("plot/total_energy"));
  EXPECT_EQ(desk.interface.plots().time.high, desk.snapshot.t);
  twice("plot_title/energy_error");
  EXPECT_TRUE(desk.has("plot/total_energy"));
  EXPECT_EQ(desk.rect("plot/energy_error").height, small.height);
  // Esc does so, too.
  twice("plot_title/total_energy");
  EXPECT_FALSE(desk.has("plot/energy_error"));
  desk.key(ImGuiKey_Escape, 2);
  EXPECT_TRUE(desk.has("plot/energy_error"));
}

TEST(PlotsPanel, FollowIsOnAtEveryOpening) {
  RunDesk desk(200);
  desk.point("plot/total_energy");
  desk.wheel(-6);
  EXPECT_GT(desk.interface.plots().time.span(), 3);
  const Interval wide = desk.interface.plots().time;
  desk.run_and_draw(10);
  EXPECT_EQ(desk.interface.plots().time, wide) << "it does not follow";
  desk.load_and_draw("three_body");
  EXPECT_LT(desk.interface.plots().time.span(), 1);
  desk.run_and_draw(60);
  EXPECT_GE(desk.interface.plots().time.high, desk.snapshot.t);
}

TEST(PlotsPanel, SaysThatPlotsAreTheUsersOwnAndOffersTheSystems) {
  Desk desk("lennard_jones");
  desk.interface.settings().plots = default_plots(*desk.snapshot.present);
  desk.frames(2);
  EXPECT_FALSE(desk.has("default_plots"));
  show(desk, {"total_energy"});
  desk.click("default_plots");
  EXPECT_EQ(desk.interface.settings().plots, default_plots(*desk.snapshot.present));
  EXPECT_FALSE(desk.has("default_plots"));
}

/// Of what is drawn in a curve's colour inside a plot, how much with at least such an opacity.
int vertices_above(const Rect& plot, unsigned opacity) {
  const ImU32 packed = IM_COL32((curve >> 16) & 0xff, (curve >> 8) & 0xff, curve & 0xff, 0);
  int count = 0;
  for (const ImDrawVert& v : drawn_corners())
    count += (v.col & ~IM_COL32_A_MASK) == packed && (v.col >> IM_COL32_A_SHIFT) >= opacity &&
             plot.contains(v.pos.x, v.pos.y);
  return count;
}

TEST(PlotsPanel, UnitLengthIsTheLargestSoFarOverALightBand) {
  Desk desk;
  show(desk, {"unit_length_error logarithmic"});
  for (const std::size_t n : {200u, 20'000u}) {  // lines, and columns of pixels
    History& history = desk.histories[0];
    history.clear();
    double largest = 0;
    for (std::size_t i = 0; i < n; ++i) {
      Sample s;
      s[Quantity::time] = 0.01 * static_cast<double>(i);
      s[Quantity::unit_length_error] = (i % 7 == 3 ? 4e-16 : 1e-16) * (i < n / 2 ? 1 : 5);
      largest = std::max(largest, s[Quantity::unit_length_error]);
      history.append(static_cast<std::int64_t>(i), s);
    }
    desk.snapshot.t = desk.snapshot.end_time = 0.01 * static_cast<double>(n - 1);
    ++desk.snapshot.generation;
    desk.frames(3);
    desk.point(640, 300);
    const Rect plot = desk.rect("plot/unit_length_error");
    EXPECT_GT(vertices_above(plot, 1), 2 * vertices_above(plot, 100)) << "most of it is light";
    // The solid line only rises, and ends at the largest.
    const VisiblePlot seen = desk.interface.plots().plots[0];
    const float floor = 19;  // below the axis, where zeros are
    const auto height = [&](double value) {
      return plot.y + (plot.height - floor) *
                          static_cast<float>((seen.y.high - std::log10(value)) / seen.y.span());
    };
    const Picture picture = desk.picture();
    const auto solid = [&](float x, double value) {
      for (int dy = -2; dy <= 2; ++dy)
        if (picture.at(static_cast<int>(x), static_cast<int>(height(value)) + dy) == curve)
          return true;
      return false;
    };
    for (const float part : {0.1f, 0.3f, 0.45f})
      EXPECT_TRUE(solid(plot.x + part * plot.width, 4e-16)) << n << " " << part;
    for (const float part : {0.6f, 0.8f, 0.95f}) {
      EXPECT_TRUE(solid(plot.x + part * plot.width, largest)) << n << " " << part;
      EXPECT_FALSE(solid(plot.x + part * plot.width, 1.5e-15)) << n << " only a band there";
    }
  }
}

TEST(PlotsPanel, APlotOfWhatTheSystemLacksWaits) {
  Desk desk("chain_pendulum");
  show(desk, {"q7_x", "total_energy"}, 10);
  desk.load("double_spherical_pendulum");
  desk.run_and_draw(10, 3);
  EXPECT_EQ(vertices(desk.rect("plot/q7_x")), 0);
  EXPECT_EQ(listed(desk).size(), 2u);
  desk.load("chain_pendulum");
  desk.run_and_draw(10, 3);
  EXPECT_GT(vertices(desk.rect("plot/q7_x"), body_color(7, 10, Palette::dark).rgb), 0);
}

TEST(PlotsPanel, AnExpressionThatDoesNotFitSaysWhy) {
  Desk desk("conformal_particle");
  desk.run(10);
  const auto written = [&](const char* expression) {
    const std::string plot = Signal(PlottedExpression{"height", expression, "1"}).key();
    show(desk, {plot});
    desk.point(640, 300);
    return vertices(desk.rect("plot/" + plot), colors(Palette::dark).dim.rgb);
  };
  // There is one body: a sentence is written in place of the curve of the other.
  EXPECT_GT(written("e3.q[1]"), written("e3.q[0]") + 150);
}

TEST(PlotsPanel, FiguresAfterASwapAreThoseOfEachIntegrator) {
  Desk desk;
  desk.run(150);
  ASSERT_TRUE(desk.simulation->set({{"integrator.type", "rk4"}}).has_value());
  desk.run(250);
  const History& history = desk.histories[0];
  const auto parts = segments(history, *desk.snapshot.record, 0);
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[0].integrator, "variational");
  EXPECT_EQ(parts[1].integrator, "rk4");
  EXPECT_EQ(parts[0].samples.last, 150u);
  EXPECT_EQ(parts[1].samples.first, 150u);
  EXPECT_EQ(parts[1].samples.last, history.size());
  Scenario listed = *desk.snapshot.record;  // the same event, as a file may have it
  listed.events[0].set[0].path = "lanes[0].type";
  EXPECT_EQ(segments(history, listed, 0).size(), 2u);
  SegmentFigures figures;
  for (int repeat = 0; repeat < 2; ++repeat)
    for (const Segment& part : parts) {
      double sum = 0, worst = 0;
      for (std::size_t i = part.samples.first; i < part.samples.last; ++i) {
        const double v = std::abs(history.column(Quantity::energy_error)[i]);
        sum += v;
        worst = std::max(worst, v);
      }
      const auto f = figures.of(history, 0, Quantity::energy_error, part.samples, 1);
      EXPECT_NEAR(f.mean, sum / static_cast<double>(part.samples.size()), 1e-12 * f.mean);
      EXPECT_EQ(f.worst, worst);
    }
}

TEST(ReadyPlots, AreAKeyAndAClickAwayForEveryPreset) {
  int drawn = 0;
  for (const Preset& preset : presets()) {
    Desk desk(preset.key);
    desk.run_and_draw(30);
    const SystemInfo& system = *desk.snapshot.system_info;
    const std::uint32_t color = find_integrator(desk.scenario.lanes[0].type)->look.dark.rgb;
    for (const ReadyPlot& ready : ready_plots()) {
      SCOPED_TRACE(std::string(preset.key) + ": " + std::string(info(ready.action).label));
      // But for the modified energy, which is in the list alone.
      EXPECT_EQ(info(ready.action).key.empty(), ready.action == Action::plot_modified_energy);
      show(desk, {"work"});
      EXPECT_EQ(desk.interface.is_checked(ready.action), false);
      EXPECT_TRUE(desk.handle(ready.action, 2));
      EXPECT_EQ(desk.interface.is_checked(ready.action), true);
      const std::vector<PlotSpec> plots = plots_of(ready, system);
      ASSERT_FALSE(plots.empty());
      EXPECT_EQ(desk.interface.settings().plots.size(), 1 + plots.size());
      desk.point(640, 300);
      for (const PlotSpec& spec : plots) {
        EXPECT_EQ(spec.scale == Scale::logarithmic, spec.y.error() || spec.spectrum);
        for (const Signal& signal : spec.also) EXPECT_EQ(signal.unit(), spec.y.unit());
        const std::string id = "plot/" + key(spec) + (spec.spectrum ? " spectrum" : "");
        ASSERT_TRUE(desk.has(id)) << id;
        const bool none = !spec.y.exists(system, 1);
        // A method may have no such cost, and no modified energy.
        if (spec.y.step_quantity() || spec.y.kind() == Signal::Kind::modified_energy_error)
          continue;
        const bool first_of_three = spec.y.momentum_axis() && !spec.also.empty();
        const std::uint32_t drawn_in = first_of_three ? body_color(0, 3, Palette::dark).rgb : color;
        const auto as_wanted = [&] { return (vertices(desk.rect(id), drawn_in) == 0) == none; };
        if (spec.spectrum) draw_until(desk, as_wanted);
        EXPECT_TRUE(as_wanted()) << id;
        drawn += !none;
      }
      // A click in the list takes it away again.
      desk.click("ready_plots");
      desk.click("ready/" + std::string(info(ready.action).id));
      EXPECT_EQ(listed(desk), std::vector<std::string>{"work"});
    }
  }
  EXPECT_GE(drawn, 72);
}

TEST(ReadyPlots, WhatIsUsualFollowsTheSystemAndTheUsersOwnStays) {
  // What is usual gives way to what is usual of the next; a list of the user's own stays with the
  // preset that it was made for.
  const auto scenario = [](std::string_view preset) { return test::preset(preset); };
  const auto usual = [&](std::string_view preset) { return default_plots(scenario(preset)); };
  Settings settings;
  restore_plots(settings, scenario("three_body"));
  EXPECT_EQ(settings.plots, usual("three_body"));
  restore_plots(settings, scenario("elastic_rod"));
  EXPECT_EQ(settings.plots, usual("elastic_rod"));
  settings.plots.pop_back();
  const std::vector<PlotSpec> own = settings.plots;
  restore_plots(settings, scenario("elastic_rod_consistent"));
  EXPECT_EQ(settings.plots, usual("elastic_rod_consistent")) << "another preset of the same system";
  restore_plots(settings, scenario("three_body"));
  EXPECT_EQ(settings.plots, usual("three_body"));
  restore_plots(settings, scenario("elastic_rod"));
  EXPECT_EQ(settings.plots, own);
  settings.plots = usual("elastic_rod");
  store_plots(settings);
  EXPECT_TRUE(settings.own_plots.empty()) << "what is usual needs no keeping";
  // Another scenario of a system has those of the system.
  Scenario free = scenario("chain_pendulum");
  free.title = "not a preset";
  restore_plots(settings, free);
  EXPECT_EQ(settings.plots_of, "chain_pendulum");
  // With another number of bodies another one is the last.
  Scenario shorter = scenario("double_spherical_pendulum");
  shorter.title = "not a preset either";
  restore_plots(settings, shorter);
  EXPECT_EQ(settings.plots, default_plots(shorter));
  EXPECT_NE(settings.plots, default_plots(free));

  Desk desk("three_body");
  const std::vector<PlotSpec> bodies = usual("three_body");
  desk.run_and_draw(20);
  desk.handle(Action::default_plots, 2);
  EXPECT_EQ(desk.interface.settings().plots, bodies);
  desk.interface.handle(Action::plot_cost);
  desk.interface.handle(Action::reset_layout);
  EXPECT_EQ(desk.interface.settings().plots, bodies);
}

TEST(ReadyPlots, ShowHowFarAConservedMomentumIsFromItsStart) {
  const ReadyPlot& ready = *ready_plot(Action::plot_momentum_error);
  Desk desk("three_body");
  show(desk, {"work"}, 40);
  desk.handle(Action::plot_momentum_error, 2);
  const PlotSpec& spec = desk.interface.settings().plots.back();
  ASSERT_EQ(spec.signals().size(), 3u);
  EXPECT_EQ(spec.scale, Scale::logarithmic);
  EXPECT_EQ(title(spec), "|ΔJ₁|, |ΔJ₂| and |ΔJ₃|");
  const History& history = desk.histories[0];
  double worst = 0;
  for (const Signal& signal : spec.signals()) {
    const auto component = history.column(angular_momentum(*signal.momentum_axis()));
    const Trace trace(history, signal);
    ASSERT_EQ(trace.size(), history.size());
    for (std::size_t i = 0; i < trace.size(); ++i) {
      EXPECT_EQ(trace.value(i), component[i] - component[0]);
      worst = std::max(worst, std::abs(trace.value(i)));
    }
  }
  EXPECT_LT(worst, 1e-12) << "the variational integrator conserves it";
  // Of a pendulum there is only the component along gravity.
  const auto plots = plots_of(ready, *find_system("chain_pendulum"));
  ASSERT_EQ(plots.size(), 1u);
  EXPECT_EQ(to_text(plots[0]), "angular_momentum_z_error logarithmic");
}

TEST(PlotsPanel, LegendsLeaveOutWhatHasNoRoomInsteadOfCuttingIt) {
  Desk desk;
  const auto drawn = [&desk](const char* plot, ImWchar letter) {
    const Rect row = desk.rect(fmt::format("legend/{}[0]", plot));
    const ImFontGlyph* glyph = font(Face::small_mono)->FindGlyph(letter);
    int count = 0;
    for (const ImDrawVert& v : drawn_corners())
      count += v.uv.x == glyph->U0 && v.uv.y == glyph->V0 && row.contains(v.pos.x, v.pos.y);
    return count;
  };
  // Three long numbers.
  show(desk, {"newton_residual logarithmic"}, 100);
  EXPECT_GT(drawn("newton_residual", 'w'), 0);
  EXPECT_EQ(drawn("newton_residual", 0x2026), 0);
  // The transform takes fewer samples than there are, which the tooltip says.
  show(desk, {"kinetic_energy spectrum"});
  play_sine(desk, 0.5, 3, 4099, 0.01);
  draw_until(desk, [&] { return drawn("kinetic_energy spectrum", 'z') > 0; });
  EXPECT_GT(drawn("kinetic_energy spectrum", 'z'), 0);
  EXPECT_EQ(drawn("kinetic_energy spectrum", 0x2026), 0);
}

TEST(PlotSpec, IsReadBackFromItsText) {
  EXPECT_EQ(parse_plot("q0_x spectrum"), spectrum_of(*Signal::parse("q0_x")));
  EXPECT_EQ(to_text(spectrum_of(*Signal::parse("q0_x"))), "q0_x spectrum");
  EXPECT_EQ(title(spectrum_of(Quantity::work)), "power spectrum of work");
  EXPECT_FALSE(parse_plot("q0_x spectrum linear"));
  for (const char* y : {"total_energy", "q0_x", "omega12_z", "position1_y", "azimuth3"})
    for (const char* x : {"", "polar0", "work"})
      for (const Scale scale : {Scale::linear, Scale::logarithmic, Scale::symlog})
        for (const bool magnitude : {false, true}) {
          PlotSpec spec{*Signal::parse(y), Signal::parse(x), scale, magnitude};
          EXPECT_EQ(parse_plot(to_text(spec)), spec) << to_text(spec);
        }
  for (const char* wrong : {"", "  ", "energy", "total_energy over", "total_energy over q0",
                            "total_energy log", "q0_x over work symlog twice"})
    EXPECT_FALSE(parse_plot(wrong)) << wrong;
  for (const char* text : {"kinetic_energy and potential_energy and total_energy",
                           "q0_x and unit_length_error symlog magnitude"}) {
    ASSERT_TRUE(parse_plot(text)) << text;
    EXPECT_EQ(to_text(*parse_plot(text)), text);
  }
  for (const char* wrong :
       {"kinetic_energy and", "kinetic_energy and q0_x", "work and work", "and work",
        "kinetic_energy and work over q0_x", "kinetic_energy and work spectrum"})
    EXPECT_FALSE(parse_plot(wrong)) << wrong;
  const PlotSpec energies =
      parse_plot("kinetic_energy and potential_energy and total_energy").value();
  EXPECT_EQ(title(energies), "kinetic, potential and total energy");
  EXPECT_EQ(symbols(energies), "T, V, E");
  EXPECT_EQ(title(parse_plot("kinetic_energy and work").value()), "kinetic energy and work");
  EXPECT_EQ(title(parse_plot("kinetic_energy and work magnitude").value()), "|T| and |W|");
  EXPECT_EQ(title(plot_of(Quantity::energy_error)), "|E − E₀ − W|");
  EXPECT_EQ(title(plot_of(Quantity::unit_length_error)), "unit-length error");
  EXPECT_EQ(title(plot_of(Quantity::total_energy)), "total energy");
}

}  // namespace
}  // namespace twosphere::plots_panel_test
