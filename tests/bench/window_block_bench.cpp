// SPDX-License-Identifier: GPL-3.0-or-later
// The longest time for which the window's thread does not look at its events, with 163 842
// molecules (10 242 without TWOSPHERE_LONG): while it only draws, when the run is paused, when a
// body is taken, dragged and let go, and when the session is saved for recovery. Includes the part
// of a frame that is drawn meanwhile.
#include <benchmark/benchmark.h>
#include <time.h>

#include <QTimer>
#include <algorithm>
#include <chrono>
#include <functional>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/vec2.hpp>
#include <string>
#include <thread>

#include "tests/bench/headless.h"
#include "tests/bench/measure.h"
#include "tests/bench/opened.h"
#include "tests/bench/screen.h"
#include "tests/bench/window_scenes.h"

namespace twosphere::test {
namespace {

using namespace std::chrono_literals;

constexpr xcb_keysym_t control_key = 0xffe3;  // XK_Control_L

/// Measures the intervals between the events of a timer that is always due, and the processor time
/// of the thread in them, which does not grow where the machine has other work.
class Watch {
 public:
  Watch() {
    QObject::connect(&timer_, &QTimer::timeout, &timer_, [this] { look(); });
    timer_.start(0);
  }
  void begin() {
    look();
    longest_ = busiest_ = 0;
  }
  double longest_ms() const { return 1e3 * longest_; }
  double busiest_ms() const { return 1e3 * busiest_; }

 private:
  static double processor_time() {
    timespec now{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
  }
  void look() {
    const double busy = processor_time();
    longest_ = std::max(longest_, since(last_));
    busiest_ = std::max(busiest_, busy - busy_);
    last_ = Clock::now();
    busy_ = busy;
  }

  QTimer timer_;
  Clock::time_point last_ = Clock::now();
  double busy_ = processor_time(), longest_ = 0, busiest_ = 0;  // [s]
};

void window_block(benchmark::State& loop) {
  Screen* screen = Screen::get();
  if (!screen) return loop.SkipWithError("there is no display");
  (void)start_qt();
  const Share share(std::max(1U, std::thread::hardware_concurrency() - 1));  // as the program has
  Opened window(many_molecules(10'000, long_runs() ? 7 : 5));
  if (!window.ready()) return loop.SkipWithError("there is no window");
  window.let(2s);
  Watch watch;
  const auto phase = [&](const char* name, std::chrono::milliseconds time,
                         const std::function<void()>& act) {
    watch.begin();
    act();
    window.let(long_runs() ? time : time / 10);
    loop.counters[std::string(name) + "_ms"] = watch.longest_ms();
    loop.counters[std::string(name) + "_busy_ms"] = watch.busiest_ms();
  };
  for (auto _ : loop) {
    phase("drawn", 2s, [&] { window.viewport().request_frame(); });
    window.run().send(Play{});
    phase("running", 5s, [] {});
    phase("paused", 3s, [&] { window.run().send(Pause{}); });
    const glm::vec2 from = glm::floor(window.seen(window.in_front()));
    const auto move = [&](float x) {
      screen->move_mouse(static_cast<int>(from.x + x), static_cast<int>(from.y));
    };
    phase("pointed_at", 1s, [&] { move(0); });
    phase("taken", 1s, [&] {
      screen->hold_key(control_key, true);
      screen->hold_button(true);
    });
    phase("dragged", 3s, [&] {
      for (int k = 1; k <= 10; ++k) {
        move(static_cast<float>(2 * k));
        window.let(100ms);
      }
    });
    phase("let_go", 250ms, [&] {
      screen->hold_button(false);
      screen->hold_key(control_key, false);
    });
    phase("recovery", 20s, [] {});
    loop.counters["events"] = static_cast<double>(window.snapshot().record->events.size());
    // The same at the start.
    window.run().send(Rewind{});
    phase("rewound", 3s, [] {});
    phase("start_dragged", 3s, [&] {
      move(0);
      window.let(500ms);
      screen->hold_key(control_key, true);
      screen->hold_button(true);
      window.let(500ms);
      move(20);
    });
    phase("start_let_go", 10s, [&] {
      screen->hold_button(false);
      screen->hold_key(control_key, false);
    });
  }
}
BENCHMARK(window_block)->Iterations(1)->Repetitions(1)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace twosphere::test
