// SPDX-License-Identifier: GPL-3.0-or-later
// The window while a run proceeds in it as fast as possible. `window_speed` runs so many steps of
// the double pendulum in the window, on a core that nothing else of this program uses, and then as
// many by `twosphere run` on that core, every step sampled or one in a thousand, both in turn, 21
// times at full length: `share` is the median over the rounds of the first speed over the second,
// both by the clock.
// `window_clicks` is the time from a click on the Pause button, as it comes from the X server,
// until the screen shows the button of a run that is paused; the median of them, with the worst
// beside it.
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <sched.h>
#include <unistd.h>

#include <QEventLoop>
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <future>
#include <random>
#include <set>
#include <string>
#include <thread>

#include "core/base/file.h"
#include "core/catalog.h"
#include "core/scenario/reader.h"
#include "core/scenario/writer.h"
#include "tests/bench/headless.h"
#include "tests/bench/home.h"
#include "tests/bench/measure.h"
#include "tests/bench/opened.h"
#include "tests/bench/screen.h"
#include "tests/bench/target.h"
#include "tests/cases.h"

namespace twosphere::test {
namespace {

using namespace std::chrono_literals;

constexpr double endless = 1e6;  // [s]

/// The preset's molecules.
Scenario molecules() {
  Scenario scenario = *read_scenario(find_preset("lennard_jones")->text, "preset");
  scenario.duration = endless;
  return scenario;
}

/// As many that attract one another, evenly spread and then moved at random.
Scenario bodies(int n) {
  const State start = generic_start(n, everywhere, 0.4, 71);
  Scenario scenario;
  scenario.system = "n_body";
  scenario.parameters = {{"masses", std::vector<double>(static_cast<std::size_t>(n), 1)},
                         {"gamma", {0.02 / n}}};
  scenario.q = start.q;
  scenario.omega = start.w;
  scenario.lanes = {{"variational", 0.001, {}, "variational"}};
  scenario.duration = endless;
  return scenario;
}

// Speed

/// The cores that this program may use.
std::vector<int> cores() {
  cpu_set_t set;
  std::vector<int> all;
  if (::sched_getaffinity(0, sizeof set, &set) == 0)
    for (int core = 0; core < CPU_SETSIZE; ++core)
      if (CPU_ISSET(core, &set)) all.push_back(core);
  return all;
}

/// A thread, and those that it starts from now on, are to use these cores alone.
void pin(pid_t thread, const std::vector<int>& to) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int core : to) CPU_SET(core, &set);
  ::sched_setaffinity(thread, sizeof set, &set);
}

std::set<pid_t> threads_alive() {
  std::set<pid_t> all;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task"))
    all.insert(std::stoi(task.path().filename()));
  return all;
}

/// Whether a thread has this name.
bool is_named(pid_t thread, const std::string& name) {
  std::ifstream file("/proc/self/task/" + std::to_string(thread) + "/comm");
  std::string line;
  return std::getline(file, line) && line == name;
}

/// Steps per second of a window that plays to its end; 0 if it does not come there.
double played(Opened& window, std::int64_t steps) {
  window.run().send(Rewind{});
  (void)window.until([&] { return window.snapshot().steps == 0; });
  window.let(200ms);
  const auto begun = Clock::now();
  window.run().send(Play{});
  if (!window.until([&] { return window.snapshot().state == RunState::finished; }, 600'000))
    return 0;
  return static_cast<double>(steps) / since(begun);
}

void window_speed(benchmark::State& loop, std::int64_t every) {
  if (!Screen::get()) return loop.SkipWithError("there is no display");
  const Home& home = start_qt();
  const std::vector<int> all = cores();
  const int here = all.front(), there = all.back();  // one and the same if there is no other
  Scenario scenario = *read_scenario(find_preset("double_spherical_pendulum")->text, "preset");
  const std::int64_t steps = long_runs() ? 4'000'000 : 300'000;
  scenario.duration = static_cast<double>(steps) * scenario.lanes[0].step;
  scenario.every = every;
  const std::string file = home.in("scenario.json");
  (void)write_file(file, write_scenario(scenario));

  pin(::gettid(), {here});
  {
    Opened window(scenario);
    // All others draw or wait.
    for (const pid_t thread : threads_alive())
      pin(thread, {is_named(thread, "worker") ? there : here});
    if (window.ready())
      compare_speeds(
          loop, steps, [&] { return played(window, steps); }, [&] { return headless(file, there); },
          "headless");
    else
      loop.SkipWithError("there is no window");
  }
  for (const pid_t thread : threads_alive()) pin(thread, all);  // Mesa's stay
}
BENCHMARK_CAPTURE(window_speed, sampled, 1)->Apply(by_the_clock);
BENCHMARK_CAPTURE(window_speed, unsampled, 0)->Apply(by_the_clock);

// Clicks

/// Clicks where the mouse is, and returns how long it takes until as good as every pixel of `area`
/// in which two pictures differ is that of `after`; negative if it is never so.
double answer(Screen& screen, const Screen::Area& area, const Screen::Picture& before,
              const Screen::Picture& after) {
  const auto begun = Clock::now();
  screen.click();
  while (since(begun) < 1e-3 * patience) {
    const Screen::Picture now = screen.look(area);
    const double seconds = since(begun);
    std::size_t differ = 0, arrived = 0;
    for (std::size_t i = 0; i < now.size(); ++i) {
      if (before[i] == after[i]) continue;
      ++differ;
      arrived += now[i] == after[i];
    }
    if (differ > 0 && 10 * arrived >= 9 * differ) return seconds;
    std::this_thread::sleep_for(2ms);
  }
  return -1;
}

void window_clicks(benchmark::State& loop, Scenario (*scenario)()) {
  Screen* screen = Screen::get();
  if (!screen) return loop.SkipWithError("there is no display");
  (void)start_qt();
  const Share share(std::max(1, static_cast<int>(cores().size()) - 1));  // as the program has it
  Opened window(scenario());
  if (!window.ready()) return loop.SkipWithError("there is no window");
  const Screen::Area button = window.place("play");
  screen->move_mouse(button.x + button.width / 2, button.y + button.height / 2);
  const auto runs = [&] { return window.snapshot().state == RunState::running; };
  const auto rests = [&] { return window.snapshot().state == RunState::paused; };
  const auto look = [&] {
    window.let(1s);
    return screen->look(button);
  };
  screen->click();
  (void)window.until(runs);
  const auto running = look();
  screen->click();
  (void)window.until(rests);
  const auto paused = look();
  if (running == paused) return loop.SkipWithError("the button does not change");

  std::minstd_rand random(5);
  std::uniform_int_distribution<int> wait(300, 400);  // [ms]
  std::vector<double> times;
  for (auto _ : loop) {
    for (int k = long_runs() ? 50 : 3; k > 0; --k) {
      screen->click();
      if (!window.until(runs)) return loop.SkipWithError("the run does not continue");
      window.let(std::chrono::milliseconds(wait(random)));
      QEventLoop events;
      auto time = std::async(std::launch::async, [&] {
        const double seconds = answer(*screen, button, running, paused);
        QMetaObject::invokeMethod(&events, &QEventLoop::quit, Qt::QueuedConnection);
        return seconds;
      });
      events.exec();
      times.push_back(time.get());
      // The button shows what was asked for: the worker may still be in a step.
      if (times.back() < 0 || !window.until(rests))
        return loop.SkipWithError("the run does not pause");
      window.let(50ms);
    }
    std::sort(times.begin(), times.end());
    loop.SetIterationTime(times[times.size() / 2]);
    loop.counters["worst_ms"] = 1e3 * times.back();
  }
}
BENCHMARK_CAPTURE(window_clicks, molecules_642, molecules)->Apply(by_the_clock);
BENCHMARK_CAPTURE(window_clicks, bodies_10000, [] { return bodies(10'000); })->Apply(by_the_clock);

std::string clicks(const std::string& scene) {
  return "window_clicks/" + scene + "/iterations:1/repeats:1/manual_time";
}
auto median_click(const std::string& scene) {
  return [scene](const Measured& m) { return 1e3 * m.seconds(clicks(scene)); };
}
auto worst_click(const std::string& scene) {
  return [scene](const Measured& m) { return m.counter(clicks(scene), "worst_ms"); };
}
constexpr auto at_most = Target::Bound::at_most;
constexpr auto at_least = Target::Bound::at_least;
constexpr const char* two_pictures =
    "a click may come while a picture goes to the screen, and then has to wait for the next";
[[maybe_unused]] const bool targets = add_targets({
    {"full speed in the window against `twosphere run`, every step sampled", "1", at_least, 0.9,
     share_of("window_speed/sampled"),
     "rows, trail and snapshots take time, and its core is slower while the other draws"},
    {"the same, one step in a thousand sampled", "1", at_least, 0.9,
     share_of("window_speed/unsampled"),
     "trail and snapshots take time, and its core is slower while the other draws"},
    {"a click on Pause at full speed, 642 molecules", "ms", at_most, 100,
     median_click("molecules_642"), two_pictures},
    {"the same, the slowest", "ms", at_most, 100, worst_click("molecules_642"), two_pictures},
    {"a click on Pause at full speed, 10 000 bodies", "ms", at_most, 100,
     median_click("bodies_10000"), two_pictures},
    {"the same, the slowest", "ms", at_most, 100, worst_click("bodies_10000"), two_pictures},
});

}  // namespace
}  // namespace twosphere::test
