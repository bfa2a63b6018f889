// SPDX-License-Identifier: GPL-3.0-or-later
// Cost of one frame of one plot against the number of samples, without a window: reduction, fitting
// of the axis and everything that goes into the draw list.
#include <benchmark/benchmark.h>

#include <cmath>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "core/catalog.h"
#include "core/scenario/reader.h"
#include "tests/bench/target.h"
#include "tests/ui/silent_sink.h"
#include "ui/plots/plot.h"
#include "ui/shell/panel.h"
#include "ui/shell/style.h"

namespace twosphere::ui {
namespace {

/// A noisy run of n samples, made once.
const std::vector<History>& noise(std::size_t n) {
  static std::map<std::size_t, std::vector<History>> made;
  if (const auto found = made.find(n); found != made.end()) return found->second;
  std::mt19937 random(7);
  std::normal_distribution<double> normal(0, 1e-6);
  History history;
  for (std::size_t i = 0; i < n; ++i) {
    Sample s;
    s[Quantity::time] = 100.0 * static_cast<double>(i) / static_cast<double>(n);
    s[Quantity::kinetic_energy] = std::cos(s[Quantity::time]);
    s[Quantity::total_energy] = 1 + normal(random);
    s[Quantity::energy_error] = normal(random);
    history.append(static_cast<std::int64_t>(i), s);
  }
  std::vector<History>& kept = made[n];
  kept.push_back(std::move(history));
  return kept;
}

void plot(benchmark::State& loop, const char* text) {
  ImGui::CreateContext();
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.DisplaySize = {800, 400};
  io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
  load_fonts(*io.Fonts, 1);
  unsigned char* pixels = nullptr;
  int w = 0, h = 0;
  io.Fonts->GetTexDataAsRGBA32(&pixels, &w, &h);

  auto simulation = Simulation::create(
      *read_scenario(find_preset("double_spherical_pendulum")->text, "double_spherical_pendulum"));
  Snapshot snapshot;
  snapshot.present = std::make_shared<const Scenario>(simulation->present());
  snapshot.record = snapshot.present;
  snapshot.system = simulation->system();
  snapshot.system_info = &simulation->system_info();

  const std::vector<History>& histories = noise(static_cast<std::size_t>(loop.range(0)));
  const Frame frame{snapshot, snapshot, histories, 800, 400, 1, {}, {}, false, {}};
  PlotsView view;
  view.take({parse_plot(text).value()});
  view.time.range = {0, 100};
  const std::vector<Curve> curves{
      {0, &histories[0], {0, histories[0].size()}, lane_style("variational", Palette::dark)}};
  apply_style(Palette::dark, 1);
  std::map<std::string, Rect> widgets;
  HoverState hover;
  KeyFocus focus;
  ui_test::SilentSink sink;
  const auto draw = [&] {
    ImGui::NewFrame();
    ImGui::Begin("plot");
    const Panel panel{.frame = frame,
                      .snapshot = snapshot,
                      .shown = snapshot,
                      .sink = sink,
                      .colors = colors(Palette::dark),
                      .palette = Palette::dark,
                      .widgets = widgets,
                      .hover = hover,
                      .focus = focus,
                      .scale = 1,
                      .lane_colors = LaneColors::own};
    draw_plot(panel, view.plots[0], curves, {}, view.time, view.markers, {0, 0, 700, 300});
    ImGui::End();
    ImGui::Render();
    widgets.clear();
  };
  // A long portrait fills its pixels over several frames, and asks for more until it has them.
  do {
    hover.frames_wanted = 0;
    draw();
  } while (hover.frames_wanted > 0);
  for (auto _ : loop) draw();
  loop.counters["vertices"] = ImGui::GetDrawData()->TotalVtxCount;
  ImGui::DestroyContext();
}
BENCHMARK_CAPTURE(plot, linear, "total_energy")
    ->Arg(1000)
    ->Arg(1'000'000)
    ->Arg(10'000'000)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(plot, logarithmic, "energy_error logarithmic")
    ->Arg(1000)
    ->Arg(1'000'000)
    ->Arg(10'000'000)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(plot, symlog, "energy_error symlog")
    ->Arg(10'000'000)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(plot, portrait, "total_energy over kinetic_energy")
    ->Arg(1000)
    ->Arg(10'000'000)
    ->Unit(benchmark::kMillisecond);

[[maybe_unused]] const bool targets = test::add_targets(
    {{"a plot of 10⁷ samples, a frame, dearest of four", "ms", test::Target::Bound::at_most, 4,
      [](const test::Measured& measured) {
        double dearest = 0;
        for (const char* name : {"linear", "logarithmic", "symlog", "portrait"}) {
          const double time = measured.seconds("plot/" + std::string(name) + "/10000000");
          if (!(time <= dearest)) dearest = time;  // NaN if one did not run
          if (std::isnan(dearest)) break;
        }
        return 1e3 * dearest;
      },
      "the extremes of each column of pixels are looked up in memory"}});

}  // namespace
}  // namespace twosphere::ui
