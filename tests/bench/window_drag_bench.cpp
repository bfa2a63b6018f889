// SPDX-License-Identifier: GPL-3.0-or-later
// From a movement of the mouse, as it comes from the X server, until the screen has the body there
// that it drags: to the end of the exchange of the frame's buffers. `window_drag` is the median
// over 200 movements of a paused run, at its start or after some steps; the worst is beside it.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <glm/geometric.hpp>
#include <glm/vec2.hpp>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/bench/headless.h"
#include "tests/bench/measure.h"
#include "tests/bench/opened.h"
#include "tests/bench/screen.h"
#include "tests/bench/target.h"
#include "tests/bench/window_scenes.h"

namespace twosphere::test {
namespace {

using namespace std::chrono_literals;

constexpr float near = 2;                     // [px]
constexpr xcb_keysym_t control_key = 0xffe3;  // XK_Control_L

/// The time from a movement of the mouse, whose button is held on a body, until a frame with the
/// body under the mouse is on the screen [s]; none after `most` ms.
std::optional<double> follow(Opened& window, Screen& screen, std::size_t body, glm::vec2 to,
                             int most) {
  Viewport& view = window.viewport();
  std::optional<double> arrival;
  bool there = false;
  QEventLoop events;
  const auto begun = Clock::now();
  const auto drawn = QObject::connect(&view, &Viewport::drawn, &view, [&] {
    there = there || glm::distance(window.seen(body), to) < near;
  });
  const auto swapped = QObject::connect(&view, &QOpenGLWidget::frameSwapped, &view, [&] {
    if (!there || arrival) return;
    arrival = since(begun);
    events.quit();
  });
  QTimer::singleShot(most, &events, &QEventLoop::quit);
  screen.move_mouse(static_cast<int>(to.x), static_cast<int>(to.y));
  events.exec();
  QObject::disconnect(drawn);
  QObject::disconnect(swapped);
  return arrival;
}

void window_drag(benchmark::State& loop, Scenario scenario, std::int64_t steps) {
  Screen* screen = Screen::get();
  if (!screen) return loop.SkipWithError("there is no display");
  (void)start_qt();
  const Share share(std::max(1U, std::thread::hardware_concurrency() - 1));  // as the program has
  const bool crowded = scenario.size() > 100;
  Opened window(std::move(scenario));
  if (!window.ready()) return loop.SkipWithError("there is no window");
  if (steps > 0) {
    window.run().send(TakeSteps{steps});
    if (!window.until([&] { return window.snapshot().steps >= steps; }))
      return loop.SkipWithError("the run does not get there");
  }
  window.let(1s);
  std::size_t body = 0;
  glm::vec2 middle{0};
  const auto hold = [&](bool down) {
    if (crowded) screen->hold_key(control_key, down);
    screen->hold_button(down);
    window.let(500ms);
  };
  // Takes the body in front, once a movement of the mouse moves it.
  const auto take = [&] {
    body = window.in_front();
    middle = glm::floor(window.seen(body));
    screen->move_mouse(static_cast<int>(middle.x), static_cast<int>(middle.y));
    window.let(500ms);
    hold(true);
    if (follow(window, *screen, body, middle + glm::vec2(9, 15), 3000)) return true;
    hold(false);
    return false;
  };
  for (auto _ : loop) {
    int tries = 5;
    while (!take())
      if (--tries == 0) return loop.SkipWithError("the body does not follow");
    std::vector<double> arrivals;
    for (int k = 1; k <= (long_runs() ? 200 : 5); ++k) {
      const double turn = 0.3 * k;
      const glm::vec2 to =
          middle + glm::floor(30.0F * glm::vec2(1 - std::cos(turn), std::sin(turn)));
      if (const auto arrival = follow(window, *screen, body, to, patience))
        arrivals.push_back(*arrival);
      window.let(20ms);
    }
    hold(false);
    if (arrivals.empty()) return loop.SkipWithError("the body does not follow");
    loop.SetIterationTime(median(arrivals));
    loop.counters["worst_ms"] = 1e3 * *std::max_element(arrivals.begin(), arrivals.end());
    loop.counters["moves"] = static_cast<double>(arrivals.size());
  }
}

std::string drag(const std::string& scene) {
  return "window_drag/" + scene + "/iterations:1/repeats:1/manual_time";
}
auto median_drag(std::string scene) {
  return [=](const Measured& m) { return 1e3 * m.seconds(drag(scene)); };
}

void add(const std::string& name, const std::function<Scenario()>& scenario, std::int64_t steps) {
  benchmark::RegisterBenchmark(("window_drag/" + name).c_str(), [=](benchmark::State& loop) {
    window_drag(loop, scenario(), steps);
  })->Apply(by_the_clock);
}

[[maybe_unused]] const bool registered = [] {
  const auto pendulum = [] { return recorded("double_spherical_pendulum", 0); };
  const auto molecules = [] { return recorded("lennard_jones", 0); };
  const auto many = [] { return many_molecules(10'000); };
  add("double_pendulum", pendulum, 1000);
  add("molecules_642_start", molecules, 0);
  add("molecules_642", molecules, 200);
  add("molecules_10242_start", many, 0);
  add("molecules_10242", many, 20);
  constexpr const char* two_frames =
      "one frame takes in the mouse, the next one shows the run's answer";
  const auto row = [](std::string work, const std::string& scene) {
    return Table::Row{std::move(work),
                      {time_of(drag(scene)), time_counted(drag(scene), "worst_ms", 1e-3)}};
  };
  add_table(
      {.key = "drags",
       .head = "| 200 movements of a dragged body until the screen has it there | median | "
               "slowest |",
       .rows = {row("double pendulum", "double_pendulum"), row("642 molecules", "molecules_642"),
                row("10 242 molecules", "molecules_10242")},
       .needs_long_runs = true});
  return add_targets({
      {"a movement of the mouse until the screen has the body there that it drags: double pendulum",
       "ms", Target::Bound::at_most, 100, median_drag("double_pendulum"), two_frames},
      {"the same, 642 molecules", "ms", Target::Bound::at_most, 150, median_drag("molecules_642"),
       two_frames},
      {"the same, 10 242 molecules", "ms", Target::Bound::at_most, 150,
       median_drag("molecules_10242"), two_frames},
  });
}();

}  // namespace
}  // namespace twosphere::test
