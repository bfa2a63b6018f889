// SPDX-License-Identifier: GPL-3.0-or-later
// Power spectra among the plots: their curves, lines, axes, and what they say.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/outcome.h"
#include "tests/ui/plots/plots_desk.h"
#include "ui/plot/lane_curves.h"
#include "ui/plot/plot_curves.h"
#include "ui/plot/plot_model.h"
#include "ui/plots/lane_text.h"

namespace twosphere::plots_panel_test {
namespace {

TEST(PowerSpectrum, IsAKeyAwayAndPeaksWhereTheSignalMoves) {
  Desk desk;
  show(desk, {"kinetic_energy"});
  play_sine(desk, 0.5, 3, 4000, 0.01);
  desk.handle(Action::plot_spectrum, 2);
  EXPECT_EQ(listed(desk).back(), "kinetic_energy spectrum");
  const std::string id = "plot/kinetic_energy spectrum";
  desk.point(640, 300);
  const Rect plot = desk.rect(id);
  draw_until(desk, [&] { return vertices(plot) > 0; });
  desk.frames(2);  // with the axes of what is drawn
  EXPECT_GT(vertices(plot), 100);
  const VisiblePlot seen = desk.interface.plots().plots.back();
  EXPECT_NEAR(seen.x.low, std::log10(1 / 40.0), 0.1);
  EXPECT_NEAR(seen.x.high, std::log10(50.0), 0.1);
  EXPECT_EQ(unit(seen.spec), "J²/Hz");

  // The highest point drawn is the peak.
  float top = FLT_MAX, at = 0;
  const ImU32 packed = IM_COL32((curve >> 16) & 0xff, (curve >> 8) & 0xff, curve & 0xff, 255);
  for (const ImDrawVert& v : drawn_corners())
    if (v.col == packed && plot.contains(v.pos.x, v.pos.y) && v.pos.y < top) {
      top = v.pos.y;
      at = v.pos.x;
    }
  EXPECT_NEAR(at, plot.x + plot.width * (std::log10(3.0) - seen.x.low) / seen.x.span(), 3);

  // It is zoomed by itself, and only its own mouse shows a frequency: the other plots keep time.
  const Interval time = desk.interface.plots().time;
  desk.point(id);
  EXPECT_FALSE(desk.interface.cursor());
  desk.wheel(3);
  EXPECT_LT(desk.interface.plots().plots.back().x.span(), 0.7 * seen.x.span());
  EXPECT_EQ(desk.interface.plots().time, time);
  desk.click("follow");
  EXPECT_EQ(desk.interface.plots().plots.back().x, seen.x);

  // Of any plot by its menu, or from the list of signals.
  show(desk, {"kinetic_energy"});
  choose_in_menu(desk, "plot/kinetic_energy", "spectrum");
  EXPECT_EQ(listed(desk), (std::vector<std::string>{"kinetic_energy", "kinetic_energy spectrum"}));
  right_click(desk, id);
  EXPECT_FALSE(desk.has("menu/spectrum"));
  desk.click("menu/export_spectra");
  EXPECT_EQ(desk.recorder.actions, std::vector<Action>{Action::export_spectra});
  desk.click("add_plot");
  desk.choose("over", "frequency");
  desk.click("signals/total_energy");
  EXPECT_EQ(listed(desk).back(), "total_energy spectrum");
}

TEST(PowerSpectrum, IsMadeAnewOnlyWhenItsSamplesChange) {
  Desk desk;
  play_sine(desk, 0.5, 3, 4000, 0.01);
  const std::vector<Curve> curves{{0, &desk.histories[0], {0, 4000}, {}}};
  const PlotSpec spec = spectrum_of(Quantity::kinetic_energy);
  std::vector<LaneSpectrum> spectra;
  // Other threads make it: on a machine that is busy one look may be too early.
  const auto there = [&](Interval time, double now) {
    for (int look = 0; look < 5000; ++look)
      if (update_spectra(spectra, spec, curves, time, {1}, now)) return true;
    return false;
  };
  EXPECT_TRUE(there({0, 100}, 5));
  ASSERT_EQ(spectra.size(), 1u);
  const double* const first = spectra[0].spectrum.density.data();
  EXPECT_TRUE(update_spectra(spectra, spec, curves, {-1, 200}, {1}, 6));
  EXPECT_EQ(spectra[0].spectrum.density.data(), first) << "the same samples";
  EXPECT_EQ(spectra[0].begun_at, 5);
  EXPECT_TRUE(there({0, 20}, 100));
  EXPECT_EQ(spectra[0].begun_at, 100);
  EXPECT_EQ(spectra[0].spectrum.samples, 2001u);
  // What takes long waits: a tenth of the time at most.
  spectra[0].took = 1;
  EXPECT_FALSE(update_spectra(spectra, spec, curves, {0, 30}, {1}, 101));
  EXPECT_EQ(spectra[0].spectrum.samples, 2001u);
  EXPECT_TRUE(there({0, 30}, 111));
  EXPECT_EQ(spectra[0].spectrum.samples, 3001u);

  // Every line has its place; of many in a column the extremes are kept.
  const Spectrum& s = spectra[0].spectrum;
  const Interval range = frequency_range(spectra);
  EXPECT_EQ(spectrum_points(s, range, 1'000'000).size(), s.density.size() - 1);
  const auto few = spectrum_points(s, range, 50);
  EXPECT_LE(few.size(), 102u);
  double highest = 0;
  for (const auto& [at, density] : few) highest = std::max(highest, density);
  EXPECT_EQ(highest, s.density[s.peak()]);
}

TEST(PowerSpectrum, MarksItsLinesAndSaysThem) {
  SpokenDesk desk;
  show(desk, {"kinetic_energy spectrum"});
  play_sine(desk, 0.5, 3, 4000, 0.01);
  // The mean is no line of the spectrum, though it is the largest.
  const std::vector<Curve> curves{{0, &desk.histories[0], {0, 4000}, {}}};
  const PlotSpec spec = spectrum_of(Quantity::kinetic_energy);
  const auto lines = lines_of(spec, curves, *desk.snapshot.record, {0, 100});
  ASSERT_EQ(lines.size(), 1u);
  ASSERT_FALSE(lines[0].lines.empty());
  EXPECT_NEAR(lines[0].lines[0].frequency, 3, 1e-8);
  EXPECT_NEAR(std::abs(lines[0].lines[0].amplitude), 0.5, 1e-6);
  EXPECT_LT(lines[0].diffusion, -6);
  const auto spectra = spectra_of(spec, curves, {0, 100});
  const Spectrum& s = spectra[0].spectrum;
  const auto marks = line_marks(lines[0], s);
  ASSERT_FALSE(marks.empty());
  EXPECT_EQ(marks[0].name, "ν₁");
  EXPECT_NEAR(marks[0].at, std::log10(3.0), 1e-8);
  EXPECT_EQ(marks[0].density, s.density[s.peak()]);
  // A line that the spectrum does not reach has no mark.
  LaneLines beyond;
  beyond.lines = {{1e-3, 1.0}, {80, 1.0}};
  EXPECT_TRUE(line_marks(beyond, s).empty());

  const auto said = [&] { return desk.spoken("legend/kinetic_energy spectrum[0]").value; };
  draw_until(desk, [&] { return said().find("ν₁") != std::string::npos; });
  EXPECT_TRUE(test::says(said(), "ν₁ 3.00000 Hz 0.500 J"));
}

TEST(PowerSpectrum, MarksTheCurvesOfSamplesThatAreTooFarApart) {
  Desk desk;
  play_sine(desk, 0.5, 3, 4000, 0.01);
  const std::vector<Curve> curves{{0, &desk.histories[0], {0, 4000}, {}}};
  PlotView view{.spec = spectrum_of(Quantity::kinetic_energy),
                .id = {},
                .y = {},
                .x = {},
                .pixel_masks = {},
                .spectra = spectra_of(spectrum_of(Quantity::kinetic_energy), curves, {0, 100})};
  view.strongest = lines_of(view.spec, curves, *desk.snapshot.record, {0, 100});
  EXPECT_EQ(frequency_label(view.spectra), "frequency [Hz], Hann window, up to 50 Hz");
  EXPECT_EQ(frequency_label({}), "frequency [Hz], Hann window");
  const auto marked = [&] {
    (void)fit_plot(view, curves, {0, 100}, 100, 5, 5);
    const PlotModel model =
        plot_model(view, curves, {}, {0, 100}, 100, Medium::screen, 0, Markers{});
    return std::any_of(model.names.begin(), model.names.end(),
                       [](const PlotName& name) { return name.name == "aliased?"; });
  };
  EXPECT_FALSE(marked());
  view.strongest[0].rows.turn = 4 / view.strongest[0].rows.interval;  // more than half a turn
  EXPECT_TRUE(marked());
}

TEST(PowerSpectrum, OfADistanceIsAnotherFromAnotherLane) {
  Desk desk;
  desk.frame();
  for (int added = 0; added < 2; ++added) {
    EXPECT_TRUE(desk.handle(Action::add_lane, 2));
  }
  show(desk, {"distance spectrum"}, 60);
  for (const int reference : {0, 1}) {
    desk.interface.settings().reference_lane = reference;
    desk.frames(2);
    std::vector<Curve> curves;
    for (const int lane : {1 - reference, 2}) {
      const auto l = static_cast<std::size_t>(lane);
      curves.push_back({lane, &desk.histories[l], {0, desk.histories[l].size()}, {}});
    }
    const auto spectra =
        spectra_of(spectrum_of(Signal::distance()), curves, desk.interface.plots().time);
    ASSERT_EQ(spectra.size(), 2u);
    EXPECT_GT(spectra[1].high, 0) << spectra[1].problem;
    const auto range = [&desk] { return desk.interface.plots().plots[0].y; };
    for (int look = 0; look < 5000 && range() != density_range(spectra); ++look) desk.frame();
    EXPECT_EQ(range(), density_range(spectra)) << reference;
  }
}

TEST(PowerSpectrum, SaysWhatItLacks) {
  Desk desk;
  show(desk, {"kinetic_energy spectrum"});
  play_sine(desk, 0.5, 3, 100, 0.01);
  History& history = desk.histories[0];
  for (int i = 0; i < 50; ++i) {  // another step
    Sample s;
    s[Quantity::time] = 0.99 + 0.03 * (i + 1);
    history.append(100 + i, s);
  }
  desk.point(640, 300);
  draw_until(desk, [&] { return vertices(desk.rect("plot/kinetic_energy spectrum")) == 0; });
  EXPECT_EQ(vertices(desk.rect("plot/kinetic_energy spectrum")), 0);
  const auto spectra = spectra_of(spectrum_of(Quantity::kinetic_energy),
                                  {{0, &history, {0, history.size()}, {}}}, {0, 100});
  EXPECT_TRUE(spectra[0].problem.starts_with("The samples are not evenly spaced"))
      << spectra[0].problem;
}

}  // namespace
}  // namespace twosphere::plots_panel_test
