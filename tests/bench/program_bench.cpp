// SPDX-License-Identifier: GPL-3.0-or-later
// The program itself, in a separate process with its own XDG folders, used through the screen
// alone. `program_start` is the time from its start until the screen shows the page that it opens
// with, or with a preset its window, or the scene in it. It has been started before, but for
// `…_first`: then OpenGL has no shaders compiled yet. `processor` [s] is what all its threads
// used until then, which other work on the machine changes less. `program_memory` is the time that
// the double pendulum takes in the window at full speed, every step sampled, for as many steps as
// the counter says, with the memory that the program then holds and the most that it held.
// `program_short_run` needs no screen: it is the time that the processor works for a run of one
// step, with the memory that a longer one has held.
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <optional>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include "app/session/autosave.h"
#include "core/base/file.h"
#include "core/catalog.h"
#include "core/scenario/reader.h"
#include "core/scenario/writer.h"
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
  explicit Program(std::vector<std::string> args) {
    args.insert(args.begin(), TWOSPHERE_PROGRAM);
    std::vector<char*> arguments;
    for (std::string& arg : args) arguments.push_back(arg.data());
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

  /// Waits for its end; what it used of the processor [s], negative if it failed.
  double finish() {
    int status = -1;
    rusage used{};
    const bool fine = ::wait4(std::exchange(id_, 0), &status, 0, &used) > 0 && status == 0;
    const auto seconds = [](const timeval& time) {
      return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
    };
    return fine ? seconds(used.ru_utime) + seconds(used.ru_stime) : -1;
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

/// What is waited for: so many colours in a part of the window, whose size is 1 × 1.
struct ExpectedColors {
  double left, top, right, bottom;
  std::size_t colors;
};
constexpr ExpectedColors edge{0, 0.25, 0.1, 0.75, 16}, scene{0.35, 0.495, 0.65, 0.505, 32};

/// Cheap, as it is asked often.
bool shows(const Screen::Picture& picture, std::size_t colors) {
  std::set<std::uint32_t> found;
  for (std::size_t i = 1; i < picture.size() && found.size() < colors; ++i)
    if (picture[i] != picture[i - 1]) found.insert(picture[i]);
  return found.size() == colors;
}

/// Waits for a window with this in it.
bool drawn(Screen& screen, const ExpectedColors& expected) {
  std::optional<Screen::Area> window;
  for (const auto begun = Clock::now(); Clock::now() - begun < patience;) {
    if (const auto place = screen.appeared()) window = place;
    if (window) {
      const auto x = [&](double part) { return static_cast<int>(part * window->width); };
      const auto y = [&](double part) { return static_cast<int>(part * window->height); };
      const Screen::Area area{window->x + x(expected.left), window->y + y(expected.top),
                              x(expected.right) - x(expected.left),
                              y(expected.bottom) - y(expected.top)};
      if (shows(screen.look(area), expected.colors)) return true;
    }
    std::this_thread::sleep_for(3ms);
  }
  return false;
}

/// Starts the program and returns when that is to be seen; how long it took [s], negative if it
/// never was, and what its threads had used of the processor by then.
std::pair<double, double> start(Screen& screen, const std::vector<std::string>& args,
                                const ExpectedColors& expected) {
  (void)screen.appeared();
  const auto begun = Clock::now();
  const Program program(args);
  const bool came = drawn(screen, expected);
  const double seconds = since(begun);
  return {came ? seconds : -1, program.processor_time()};
}

void program_start(benchmark::State& loop, const std::vector<std::string>& args,
                   const ExpectedColors& expected, bool first) {
  Screen* screen = Screen::get();
  if (!screen) return loop.SkipWithError("there is no display");
  std::optional<Home> home(std::in_place);
  if (!first) (void)start(*screen, args, expected);
  for (auto _ : loop) {
    if (first) home.emplace();
    const auto [seconds, used] = start(*screen, args, expected);
    if (seconds < 0) {
      loop.SkipWithError("there came no picture");
      break;
    }
    loop.SetIterationTime(seconds);
    loop.counters["processor"] = used;
  }
}
const std::vector<std::string> nothing, preset{"--preset", "double_spherical_pendulum"};
void by_the_clock(benchmark::internal::Benchmark* of) {
  of->UseManualTime()->Unit(benchmark::kMillisecond);
}
BENCHMARK_CAPTURE(program_start, page, nothing, edge, false)->Apply(by_the_clock);
BENCHMARK_CAPTURE(program_start, scene, preset, scene, false)->Apply(by_the_clock);
BENCHMARK_CAPTURE(program_start, page_first, nothing, edge, true)->Apply(by_the_clock);
BENCHMARK_CAPTURE(program_start, window_first, preset, edge, true)->Apply(by_the_clock);
BENCHMARK_CAPTURE(program_start, scene_first, preset, scene, true)->Apply(by_the_clock);

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
    if (!drawn(*screen, scene)) return loop.SkipWithError("there came no picture");
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

void program_short_run(benchmark::State& loop) {
  const auto run = [](const char* steps) -> std::vector<std::string> {
    return {"run", "--preset", "double_spherical_pendulum", "--quiet", "--steps", steps};
  };
  for (auto _ : loop) {
    const double used = Program(run("1")).finish();
    if (used < 0) return loop.SkipWithError("the run fails");
    loop.SetIterationTime(used);
  }
  // wait4() would count the memory of this process too, as it began as a copy of it.
  const Program longer(run("1000000000"));
  for (const auto begun = Clock::now();
       longer.processor_time() < 1 && Clock::now() - begun < patience;)
    std::this_thread::sleep_for(1ms);
  loop.counters["MiB"] = longer.memory("VmHWM:");
}
BENCHMARK(program_short_run)->Apply(by_the_clock);

constexpr auto at_most = Target::Bound::at_most;
constexpr const char* loading =
    "most of it passes until Qt and OpenGL are there to draw a first picture";
constexpr const char* compiling =
    "OpenGL compiles its shaders; from then on it finds them compiled";
auto start_of(std::string what) {
  return
      [=](const Measured& m) { return 1e3 * m.seconds("program_start/" + what + "/manual_time"); };
}
[[maybe_unused]] const bool targets = add_targets({
    {"start of the program until its page of presets shows", "ms", at_most, 500, start_of("page"),
     loading},
    {"start with a preset until its scene shows", "ms", at_most, 500, start_of("scene"), loading},
    {"the first start ever, until the page of presets shows", "ms", at_most, 500,
     start_of("page_first"), compiling},
    {"the first start ever with a preset, until the window shows", "ms", at_most, 500,
     start_of("window_first"), compiling},
    {"the same, until the scene shows, too", "ms", at_most, 500, start_of("scene_first"),
     compiling},
    {fmt::format("memory of the window after {:.0e} steps of the double pendulum",
                 long_runs() ? 1e9 : 1e6),
     "MiB", at_most, 512,
     [](const Measured& m) { return m.counter("program_memory/repeats:1/manual_time", "MiB"); },
     "half of it is samples, and libraries, most of them OpenGL's, take some 90 MiB"},
    {"`twosphere run` of one step, processor time", "ms", at_most, 12,
     [](const Measured& m) { return 1e3 * m.seconds("program_short_run/manual_time"); },
     "most of it passes until the libraries of the core are loaded"},
    {"memory of `twosphere run`", "MiB", at_most, 20,
     [](const Measured& m) { return m.counter("program_short_run/manual_time", "MiB"); },
     "most of it is the program itself and the libraries of the core"},
});

}  // namespace
}  // namespace twosphere::test
