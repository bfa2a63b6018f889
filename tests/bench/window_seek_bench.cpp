// SPDX-License-Identifier: GPL-3.0-or-later
// From a click on the time line, as it comes from the X server, until the screen has the scene of
// exactly that instant: to the end of the exchange of the frame's buffers. `window_seek` is the
// median over 200 clicks at random times of a run that rests at its end: of every preset at the end
// of its duration, of the preset with 642 molecules after 10^5 steps, and of 10 242 molecules with
// a cutoff of 2.5 σ after 10^4. The worst is beside it, and the median until the scene shows the
// kept state before the instant, or already that.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/catalog.h"
#include "core/scenario/schedule.h"
#include "tests/bench/headless.h"
#include "tests/bench/measure.h"
#include "tests/bench/opened.h"
#include "tests/bench/screen.h"
#include "tests/bench/target.h"
#include "tests/bench/window_scenes.h"

namespace twosphere::test {
namespace {

using namespace std::chrono_literals;

/// The instants at which a frame is on the screen whose scene has another instant, or exactly the
/// one asked for.
struct Arrival {
  std::optional<double> other, exact;  // [s]
};

Arrival arrive(Opened& window, Screen& screen, int x, int y) {
  Viewport& view = window.viewport();
  LiveRun& run = window.run();
  screen.move_mouse(x, y);
  window.let(50ms);
  const std::int64_t before = run.requested_step();
  const auto was = view.drawn_step();
  Arrival arrival;
  bool other = false, exact = false;
  QEventLoop events;
  const auto begun = Clock::now();
  const auto drawn = QObject::connect(&view, &Viewport::drawn, &view, [&] {
    const auto there = view.drawn_step();
    other = other || (there && there != was);
    exact = run.requested_step() != before && there == run.requested_step();
  });
  const auto swapped = QObject::connect(&view, &QOpenGLWidget::frameSwapped, &view, [&] {
    if (other && !arrival.other) arrival.other = since(begun);
    if (!exact || arrival.exact) return;
    arrival.exact = since(begun);
    events.quit();
  });
  QTimer::singleShot(patience, &events, &QEventLoop::quit);
  screen.click();
  events.exec();
  QObject::disconnect(drawn);
  QObject::disconnect(swapped);
  return arrival;
}

void window_seek(benchmark::State& loop, Scenario scenario) {
  Screen* screen = Screen::get();
  if (!screen) return loop.SkipWithError("there is no display");
  (void)start_qt();
  const Share share(std::max(1U, std::thread::hardware_concurrency() - 1));  // as the program has
  const std::int64_t steps = planned_steps(scenario);
  Opened window(std::move(scenario));
  if (!window.ready()) return loop.SkipWithError("there is no window");
  window.run().send(Play{});
  if (!window.until([&] { return window.snapshot().state == RunState::finished; }, 600'000))
    return loop.SkipWithError("the run does not come to its end");
  window.let(1s);
  const Screen::Area bar = window.place("progress");
  std::minstd_rand random(11);
  std::uniform_int_distribution<int> across(bar.x, bar.x + bar.width * 99 / 100);
  std::vector<double> first, exact;
  for (auto _ : loop) {
    int last = -1;
    for (int k = long_runs() ? 200 : 5; k > 0; --k) {
      int x = last;
      while (std::abs(x - last) < 5) x = across(random);
      last = x;
      const Arrival arrival = arrive(window, *screen, x, bar.y + bar.height / 2);
      if (!arrival.exact) return loop.SkipWithError("the instant is not shown");
      first.push_back(*arrival.other);
      exact.push_back(*arrival.exact);
      window.let(50ms);
    }
    loop.SetIterationTime(median(exact));
    loop.counters["worst_ms"] = 1e3 * *std::max_element(exact.begin(), exact.end());
    loop.counters["first_ms"] = 1e3 * median(first);
    loop.counters["steps"] = static_cast<double>(steps);
  }
}

std::string seek(const std::string& scene) {
  return "window_seek/" + scene + "/iterations:1/repeats:1/manual_time";
}
double median_seek(const Measured& m, const std::string& scene) {
  return 1e3 * m.seconds(seek(scene));
}
double worst_seek(const Measured& m, const std::string& scene) {
  return m.counter(seek(scene), "worst_ms");
}

/// The largest of all presets.
auto of_presets(double (*value)(const Measured&, const std::string&)) {
  return [=](const Measured& m) {
    double largest = 0;
    for (const Preset& preset : presets()) {
      const double one = value(m, std::string(preset.key));
      if (!(one <= largest)) largest = one;
    }
    return largest;
  };
}
auto of_scene(double (*value)(const Measured&, const std::string&), const std::string& scene) {
  return [=](const Measured& m) { return value(m, scene); };
}

Table::Row seek_row(std::string work, const std::string& scene) {
  return {std::move(work),
          {time_counted(seek(scene), "first_ms", 1e-3), time_of(seek(scene)),
           time_counted(seek(scene), "worst_ms", 1e-3)}};
}

void add(const std::string& name, const std::function<Scenario()>& scenario) {
  benchmark::RegisterBenchmark(("window_seek/" + name).c_str(), [scenario](benchmark::State& loop) {
    window_seek(loop, scenario());
  })->Apply(by_the_clock);
}

constexpr auto at_most = Target::Bound::at_most;
constexpr const char* frames_and_steps =
    "up to 20 ms of steps come before the frame, and a frame of many bodies takes long to draw";
[[maybe_unused]] const bool registered = [] {
  for (const Preset& preset : presets()) {
    const std::string key(preset.key);
    add(key, [key] { return recorded(key, 0); });
  }
  add("molecules_642", [] { return recorded("lennard_jones", long_runs() ? 100'000 : 2'000); });
  add("molecules_10242", [] { return many_molecules(long_runs() ? 10'000 : 200); });
  Table clicks{.key = "clicks",
               .head =
                   "| 200 clicks on the time line until the screen has … | the nearest kept state "
                   "| the exact instant | the same, slowest |",
               .rows = {},
               .needs_long_runs = true};
  for (const Preset& preset : presets())
    clicks.rows.push_back(seek_row("`" + std::string(preset.key) + "`", std::string(preset.key)));
  clicks.rows.push_back(seek_row("642 molecules after 10⁵ steps", "molecules_642"));
  clicks.rows.push_back(seek_row("10 242 molecules after 10⁴ steps", "molecules_10242"));
  add_table(std::move(clicks));
  return add_targets({
      {"a click on the time line until the screen has that instant: the slowest preset's median",
       "ms", at_most, 100, of_presets(median_seek), frames_and_steps},
      {"the slowest of all clicks on that of a preset", "ms", at_most, 200, of_presets(worst_seek),
       frames_and_steps},
      {"the same, 642 molecules after 100 000 steps: median", "ms", at_most, 100,
       of_scene(median_seek, "molecules_642"), frames_and_steps},
      {"the slowest", "ms", at_most, 200, of_scene(worst_seek, "molecules_642"), frames_and_steps},
      {"the same, 10 242 molecules after 10 000 steps: median", "ms", at_most, 200,
       of_scene(median_seek, "molecules_10242"), frames_and_steps},
      {"the slowest", "ms", at_most, 400, of_scene(worst_seek, "molecules_10242"),
       frames_and_steps},
  });
}();

}  // namespace
}  // namespace twosphere::test
