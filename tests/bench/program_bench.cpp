// SPDX-License-Identifier: GPL-3.0-or-later
// The program itself, in a process of its own with XDG folders of its own, used through the screen
// alone. `program_start` is the time from its start to its first picture on the screen: that of the
// page that it opens with, or of the scene of a preset. It has been started before, but for
// `scene_first`: then OpenGL has no shaders compiled yet. `processor` [s] is what all its threads
// used until then, which other work on the machine changes less. `program_memory` is the time that
// the double pendulum takes in the window at full speed, every step sampled, for as many steps as
// the counter says, with the memory that the program then holds and the most that it held.
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <optional>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include "app/autosave.h"
#include "core/catalog.h"
#include "core/csv.h"
#include "tests/bench/home.h"
#include "tests/bench/measure.h"
#include "tests/bench/screen.h"
#include "tests/bench/target.h"

namespace twosphere::test {
namespace {

using namespace std::chrono_literals;

constexpr Clock::duration patience = 20s;   // for a picture
constexpr Clock::duration longest = 30min;  // of a run

/// Asked to end at the latest when this goes.
class Program {
 public:
  explicit Program(std::vector<std::string> words) {
    words.insert(words.begin(), TWOSPHERE_PROGRAM);
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    if (::posix_spawn(&id_, TWOSPHERE_PROGRAM, nullptr, nullptr, arguments.data(), environ) != 0)
      id_ = 0;
  }
  ~Program() { leave(); }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  void leave() {
    if (id_ == 0) return;
    ::kill(id_, SIGTERM);
    const auto begun = Clock::now();
    while (::waitpid(id_, nullptr, WNOHANG) == 0) {
      if (Clock::now() - begun > patience) ::kill(id_, SIGKILL);
      std::this_thread::sleep_for(1ms);
    }
    id_ = 0;
  }

  /// That its threads have used [s].
  double processor_time() const {
    double sum = 0;
    for (const auto& task :
         std::filesystem::directory_iterator(fmt::format("/proc/{}/task", id_))) {
      double nanoseconds = 0;
      std::ifstream(task.path() / "schedstat") >> nanoseconds;
      sum += 1e-9 * nanoseconds;
    }
    return sum;
  }
  /// A line of its status that is in kB [MiB].
  double memory(std::string_view line) const {
    std::ifstream file(fmt::format("/proc/{}/status", id_));
    for (std::string word; file >> word;)
      if (double kilobytes = 0; word == line && file >> kilobytes) return kilobytes / 1024;
    return 0;
  }

 private:
  pid_t id_ = 0;
};

/// Whether there is more to be seen than a background. Cheap, as it is asked often.
bool colorful(const Screen::Picture& picture) {
  constexpr std::size_t least = 32;
  std::set<std::uint32_t> colors;
  for (std::size_t i = 1; i < picture.size() && colors.size() < least; ++i)
    if (picture[i] != picture[i - 1]) colors.insert(picture[i]);
  return colors.size() == least;
}

/// Waits for a window with a picture: a band across its middle shows.
bool drawn(Screen& screen) {
  constexpr int band = 8;
  std::optional<Screen::Area> window;
  for (const auto begun = Clock::now(); Clock::now() - begun < patience;) {
    if (const auto place = screen.appeared()) window = place;
    if (window &&
        colorful(screen.look({window->x, window->y + window->height / 2, window->width, band})))
      return true;
    std::this_thread::sleep_for(3ms);
  }
  return false;
}

/// Starts the program and returns when its first picture is there; how long that took [s], negative
/// if none came, and what its threads had used of the processor by then.
std::pair<double, double> start(Screen& screen, const std::vector<std::string>& words) {
  (void)screen.appeared();
  const auto begun = Clock::now();
  const Program program(words);
  const bool came = drawn(screen);
  const double seconds = since(begun);
  return {came ? seconds : -1, program.processor_time()};
}

void program_start(benchmark::State& loop, const std::vector<std::string>& words, bool first) {
  Screen* screen = Screen::get();
  if (!screen) return loop.SkipWithError("there is no display");
  std::optional<Home> home(std::in_place);
  if (!first) (void)start(*screen, words);
  for (auto _ : loop) {
    if (first) home.emplace();
    const auto [seconds, used] = start(*screen, words);
    if (seconds < 0) {
      loop.SkipWithError("there came no picture");
      break;
    }
    loop.SetIterationTime(seconds);
    loop.counters["processor"] = used;
  }
}
const std::vector<std::string> page, scene{"--preset", "double_spherical_pendulum"};
BENCHMARK_CAPTURE(program_start, page, page, false)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(program_start, scene, scene, false)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(program_start, scene_first, scene, true)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

/// Steps of the session that a program keeps while it runs; 0 if there is none.
std::int64_t kept_steps(const Home& home) {
  const std::string folder = home.in("XDG_STATE_HOME") + "/twosphere";
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(folder, none)) {
    if (entry.path().extension() != ".json") continue;
    const auto text = read_file(entry.path().string(), json::max_bytes);
    if (!text) continue;
    if (const auto session = read_session(*text, "session")) return session->steps;
  }
  return 0;
}

void program_memory(benchmark::State& loop) {
  Screen* screen = Screen::get();
  if (!screen) return loop.SkipWithError("there is no display");
  const std::int64_t steps = long_runs() ? 1'000'000'000 : 1'000'000;
  auto scenario = read_scenario(find_preset("double_spherical_pendulum")->text, "preset");
  scenario->duration = static_cast<double>(steps) * scenario->lanes[0].step;
  scenario->every = 1;
  for (auto _ : loop) {
    const Home home;
    const std::string file = home.in("scenario.json");
    (void)write_file(file, write_scenario(*scenario));
    (void)screen->appeared();
    const Program program({file});
    if (!drawn(*screen)) return loop.SkipWithError("there came no picture");
    // Faster, past the last factor of real time; each is seen before the next.
    for (int i = 0; i < 20; ++i) {
      screen->press('=');
      std::this_thread::sleep_for(100ms);
    }
    screen->press(' ');
    const auto begun = Clock::now();
    std::int64_t taken = 0;
    while (taken < steps && Clock::now() - begun < longest) {
      std::this_thread::sleep_for(100ms);
      taken = kept_steps(home);
    }
    loop.SetIterationTime(since(begun));
    loop.counters["steps"] = static_cast<double>(taken);
    loop.counters["MiB"] = program.memory("VmRSS:");
    loop.counters["most_MiB"] = program.memory("VmHWM:");
    if (taken < steps) loop.SkipWithError("it was not run to its end");
  }
}
BENCHMARK(program_memory)->UseManualTime()->Repetitions(1)->Unit(benchmark::kSecond);

constexpr auto at_most = Target::Bound::at_most;
auto start_of(std::string what) {
  return
      [=](const Measured& m) { return 1e3 * m.seconds("program_start/" + what + "/manual_time"); };
}
[[maybe_unused]] const bool targets = add_targets({
    {"start to the first picture, the page of presets", "ms", at_most, 500, start_of("page")},
    {"start to the first picture, the scene of a preset", "ms", at_most, 500, start_of("scene")},
    {"the same, started for the first time ever", "ms", at_most, 500, start_of("scene_first"),
     "OpenGL compiles its shaders; from then on it finds them compiled"},
    {fmt::format("memory of the window after {:.0e} steps of the double pendulum",
                 long_runs() ? 1e9 : 1e6),
     "MiB", at_most, 512,
     [](const Measured& m) { return m.counter("program_memory/repeats:1/manual_time", "MiB"); }},
});

}  // namespace
}  // namespace twosphere::test
