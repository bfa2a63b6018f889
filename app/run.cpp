// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/run.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <map>
#include <utility>

#include "app/signals.h"
#include "app/step_check.h"
#include "core/csv.h"

namespace twosphere {

namespace {

using json::Node;
using json::quote;
using json::shortest;

/// The files that a run writes, each open before the first step.
class Outputs {
 public:
  static Result<Outputs> open(const RunOptions& options) {
    Outputs out;
    if (auto apart = check_places(options); !apart) return apart.error();
    const std::string& path = options.trajectory;
    out.xyz_ = path.ends_with(".xyz");
    if (!path.empty() && path != "-" && !out.xyz_ && !path.ends_with(".csv"))
      return Error{ErrorKind::usage, "--trajectory",
                   fmt::format("{} must end in .csv or .xyz", quote(path))};
    for (auto [file, name] :
         {std::pair(&out.csv_, &options.csv), std::pair(&out.trajectory_, &options.trajectory),
          std::pair(&out.state_, &options.save_state)})
      if (auto done = out.open(*name, *file); !done) return done.error();
    if (out.csv_ && out.csv_->regular())
      if (auto done = out.open(options.csv + ".json", out.csv_record_); !done) return done.error();
    if (out.trajectory_ && out.trajectory_->regular() && !out.xyz_)
      if (auto done = out.open(path + ".json", out.trajectory_record_); !done) return done.error();
    return out;
  }

  void begin(Simulation& simulation) {
    if (csv_) csv_->write(csv_header(simulation.system_info(), simulation.record().lanes));
    if (trajectory_ && !xyz_) trajectory_->write(trajectory_header(simulation.state(0).size()));
  }

  void row(Simulation& simulation, const Sample& sample) {
    if (csv_) csv_->write(csv_row(simulation.system_info(), {sample}));
    if (!trajectory_) return;
    const State& state = simulation.state(0);
    trajectory_->write(xyz_ ? xyz_frame(*simulation.system(), state) : trajectory_row(state));
  }

  /// Whether a file that grows cannot be written any more.
  bool failed() const { return (csv_ && csv_->failed()) || (trajectory_ && trajectory_->failed()); }

  /// Puts everything in its place; the exit status of the first failure, or 0.
  int commit(Simulation& simulation, double duration, std::int64_t every) {
    if (csv_record_) csv_record_->write(csv_companion(simulation.record()));
    if (trajectory_record_) trajectory_record_->write(trajectory_companion(simulation.record()));
    if (state_) {
      Scenario state = simulation.continuation();
      // --duration, --steps and --every are of this run only.
      if (state.duration == simulation.record().duration) state.duration = duration;
      if (every > 0 || !stride_changes(state.events)) state.every = every;
      state_->write(write_scenario(state));
    }
    int status = 0;
    // A record only beside what it describes.
    const auto place = [&status](std::optional<AtomicFile>& file) {
      if (!file) return true;
      const auto done = file->commit();
      if (!done && status == 0) status = complain(done.error());
      return done.has_value();
    };
    if (place(csv_)) place(csv_record_);
    if (place(trajectory_)) place(trajectory_record_);
    place(state_);
    return status;
  }

 private:
  /// No two outputs, companions included, may go to one place, however it is written.
  static Result<void> check_places(const RunOptions& options) {
    std::map<std::string, const char*> taken;
    const auto take = [&taken](const std::string& path, const char* option) -> Result<void> {
      std::error_code unresolved;
      const auto real =
          std::filesystem::weakly_canonical(std::filesystem::current_path() / path, unresolved);
      const std::string place = path == "-" || unresolved ? path : real.string();
      const auto [other, fresh] = taken.emplace(place, option);
      if (fresh) return {};
      return Error{
          ErrorKind::usage, option,
          path == "-"
              ? fmt::format("only one output can go to standard output, and {} does", other->second)
              : fmt::format("{} is a file of {} already", quote(path), other->second)};
    };
    for (const auto& [option, path] :
         {std::pair("--csv", &options.csv), std::pair("--trajectory", &options.trajectory),
          std::pair("--save-state", &options.save_state)}) {
      if (path->empty()) continue;
      if (auto done = take(*path, option); !done) return done;
      const bool described =
          path == &options.csv || (path == &options.trajectory && !path->ends_with(".xyz"));
      if (!described || *path == "-") continue;
      if (auto done = take(*path + ".json", option); !done) return done;
    }
    return {};
  }

  static Result<void> open(const std::string& path, std::optional<AtomicFile>& file) {
    if (path.empty()) return {};
    auto opened = AtomicFile::open(path);
    if (!opened) return opened.error();
    file = std::move(*opened);
    return {};
  }

  std::optional<AtomicFile> csv_, csv_record_, trajectory_, trajectory_record_, state_;
  bool xyz_ = false;
};

/// Mean and largest |value| of one quantity over the rows, summed as History does.
struct Magnitude {
  CompensatedSum sum;
  double worst = 0;
  std::int64_t count = 0;

  void add(double value) {
    const double size = std::abs(value);
    if (!(size <= worst) && !std::isnan(worst)) worst = size;
    if (std::isfinite(size)) sum.add(size);
    ++count;
  }
  double mean() const {
    return std::isfinite(worst) ? sum.value() / static_cast<double>(count) : worst;
  }
};

struct Summary {
  std::string integrator;
  std::int64_t steps = 0, samples = 0;
  std::int64_t inner_steps = 0, rejected = 0;
  bool adaptive = false;
  double time = 0, initial_energy = 0, seconds = 0;
  Magnitude energy_error, unit_length_error, mean_unit_length_error;
  std::optional<std::string> stopped;
  Node check = Node::object();  ///< of the step, if it was asked for

  void add(const Sample& sample) {
    ++samples;
    energy_error.add(sample[Quantity::energy_error]);
    unit_length_error.add(sample[Quantity::unit_length_error]);
    mean_unit_length_error.add(sample[Quantity::unit_length_error_mean]);
  }

  std::string text(bool as_json) const {
    Node root = Node::object();
    root.set("integrator", Node(integrator));
    root.set("steps", Node::whole(steps));
    root.set("simulated time", time);
    root.set("samples", Node::whole(samples));
    root.set("initial energy", initial_energy);
    root.set("mean energy error", energy_error.mean());
    root.set("worst energy error", energy_error.worst);
    root.set("mean unit-length error", mean_unit_length_error.mean());
    root.set("worst unit-length error", unit_length_error.worst);
    root.set("steps per second",
             Node::whole(seconds > 0 ? std::llround(static_cast<double>(steps) / seconds) : 0));
    if (adaptive) {
      root.set("inner steps", Node::whole(inner_steps));
      root.set("rejected", Node::whole(rejected));
    }
    if (stopped) root.set("stopped", Node(*stopped));
    for (const auto& [key, value] : check.members) root.set(key, value);
    if (as_json) return json::write(root);
    std::string out;
    for (const auto& [key, value] : root.members)
      out +=
          fmt::format("{}: {}\n", key,
                      value.kind == json::Kind::string ? value.text
                      : value.integer ? fmt::format("{}", static_cast<std::int64_t>(value.number))
                                      : shortest(value.number));
    return out;
  }
};

/// One line on the terminal, rewritten a few times a second.
class Progress {
 public:
  explicit Progress(bool shown) : shown_(shown && ::isatty(STDERR_FILENO) == 1) {}

  void update(const Simulation& simulation, std::int64_t planned) {
    constexpr std::int64_t check = 64;  // steps between looks at the clock
    if (!shown_ || simulation.steps() % check != 0) return;
    const auto now = Clock::now();
    if (now - last_ < std::chrono::milliseconds(200)) return;
    last_ = now;
    const double elapsed = std::chrono::duration<double>(now - first_).count();
    const double done = static_cast<double>(simulation.steps());
    std::fprintf(stderr, "\r\033[K%3.0f %%  t = %g s  step %lld of %lld  %.3g steps/s",
                 100 * done / static_cast<double>(planned), simulation.time(),
                 static_cast<long long>(simulation.steps()), static_cast<long long>(planned),
                 done / elapsed);
    std::fflush(stderr);
    written_ = true;
  }
  void clear() {
    if (written_) std::fputs("\r\033[K", stderr);
    written_ = false;
  }

 private:
  using Clock = std::chrono::steady_clock;
  bool shown_, written_ = false;
  Clock::time_point first_ = Clock::now(), last_ = first_;
};

}  // namespace

int run(RunOptions options) {
  for (std::string* path : {&options.csv, &options.trajectory, &options.save_state})
    if (*path == "/dev/stdout") *path = "-";
  std::vector<std::string> warnings, notes;
  auto begun = plan_run(options, warnings, notes);
  if (!options.quiet) warnings.insert(warnings.end(), notes.begin(), notes.end());
  tell(warnings);
  if (!begun) return complain(begun.error());
  auto opened = Outputs::open(options);
  if (!opened) return complain(opened.error());

  Simulation& simulation = begun->simulation;
  Outputs& outputs = *opened;
  watch_signals();
  outputs.begin(simulation);

  Summary summary;
  summary.initial_energy = simulation.lane(0).energy_reference;
  std::int64_t sampled = -1;
  const auto row = [&] {
    const Sample sample = simulation.sample(0);
    if (!finite(sample)) return;  // only between rows, where nobody looked
    outputs.row(simulation, sample);
    summary.add(sample);
    sampled = simulation.steps();
  };
  const double first_time = simulation.time();
  row();

  Progress progress(!options.quiet);
  std::optional<Refusal> refusal;
  const auto before = std::chrono::steady_clock::now();
  const auto finished = [&] {
    return begun->fixed ? simulation.steps() >= begun->steps : simulation.finished();
  };
  while (!finished() && !simulation.stopped() && caught_signal() == 0 && !outputs.failed()) {
    refusal = simulation.step();
    if (refusal) break;
    if (simulation.steps() % simulation.stride() == 0) row();
    progress.update(simulation, begun->fixed ? begun->steps : simulation.planned_steps());
  }
  summary.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - before).count();
  progress.clear();
  if (sampled != simulation.steps()) row();
  const bool interrupted =
      caught_signal() != 0 && !refusal && !outputs.failed() && !finished() && !simulation.stopped();

  // The first failure decides.
  int status = 0;
  if (refusal) status = complain({ErrorKind::numerical, "", refusal->message});
  if (const int failed = outputs.commit(simulation, begun->duration, begun->every); status == 0)
    status = failed;
  if (interrupted && status == 0) status = 128 + caught_signal();

  const Lane& lane = simulation.lane(0);
  summary.integrator = lane.info->key;
  summary.adaptive = lane.info->adaptive;
  summary.inner_steps = lane.inner_steps;
  summary.rejected = lane.rejected;
  summary.steps = simulation.steps();
  summary.time = simulation.time() - first_time;
  summary.stopped = simulation.stopped();
  if (options.check && (!options.quiet || options.json)) {
    add_step_check(summary.check, simulation, 0);
    if (caught_signal() != 0 && status == 0) status = 128 + caught_signal();
  }
  if (options.quiet && !options.json && summary.stopped) tell({"stopped: " + *summary.stopped});
  if (!options.quiet || options.json) {
    const bool taken = options.csv == "-" || options.trajectory == "-" || options.save_state == "-";
    std::FILE* stream = taken ? stderr : stdout;
    std::fputs(summary.text(options.json).c_str(), stream);
    if (std::fflush(stream) != 0 && status == 0)
      status = complain({ErrorKind::input_output, "standard output", "cannot be written"});
  }
  return status;
}

}  // namespace twosphere
