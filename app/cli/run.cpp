// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <utility>

#include "app/base/signals.h"
#include "app/cli/step_check.h"
#include "app/cli/subcommand.h"
#include "app/session/trajectory.h"
#include "core/base/file.h"
#include "core/base/interrupt.h"
#include "core/base/thread_pool.h"
#include "core/export/csv.h"
#include "core/export/vtk.h"
#include "core/record/signal_samples.h"
#include "core/run/live_file.h"
#include "core/scenario/schedule.h"
#include "core/scenario/writer.h"

namespace twosphere {

namespace {

/// The options of `twosphere run`, as written on the command line.
struct RunOptions : PlanOptions {
  std::string csv, trajectory, field, points, save_state, live;
  std::optional<std::string> threads;
  bool json = false, quiet = false;
  bool plots = false;                    ///< adds the quantities that a definition names to the CSV
  bool strict = false;                   ///< exit status 1 if the run has a warning
  bool check = false;                    ///< measures the step map at the end
  std::optional<std::string> exponents;  ///< number of tangent vectors that follow the run
  std::optional<std::string> frequencies;  ///< number of lines of the signal
};

using json::Node;
using json::quote;
using json::shortest;

/// The output files of a run, all opened before the first step.
class Outputs {
 public:
  static Result<Outputs> open(const RunOptions& options, const std::vector<LaneSpec>& lanes) {
    Outputs out;
    out.extras_.plots = options.plots;
    if (!options.trajectory.empty())
      if (auto fine = check_trajectory_path(options.trajectory, "--trajectory"); !fine)
        return fine.error();
    if (!options.field.empty() && options.field != "-" && !options.field.ends_with(".csv"))
      return Error{ErrorKind::usage, "--field",
                   fmt::format("{} must end in .csv", quote(options.field))};
    if (!options.points.empty() && options.points != "-" && !options.points.ends_with(".csv"))
      return Error{ErrorKind::usage, "--points",
                   fmt::format("{} must end in .csv", quote(options.points))};
    if (options.live == "-")
      return Error{ErrorKind::usage, "--live", "must be a file, which another process can read"};
    const auto trajectories = paths_of("--trajectory", options.trajectory, lanes),
               fields = paths_of("--field", options.field, lanes),
               points = paths_of("--points", options.points, lanes);
    for (const auto* paths : {&trajectories, &fields, &points})
      if (!*paths) return paths->error();
    if (auto apart = check_places(options, *trajectories, *fields, *points); !apart)
      return apart.error();
    if (auto done = out.open(options.csv, out.csv_); !done) return done.error();
    if (!options.trajectory.empty()) {
      auto opened = TrajectoryFiles::open(options.trajectory, lanes);
      if (!opened) return opened.error();
      out.trajectories_ = std::move(*opened);
    }
    for (const std::string& path : *fields)
      if (auto done = open(path, out.fields_.emplace_back().table); !done) return done.error();
    for (const std::string& path : *points)
      if (auto done = open(path, out.points_.emplace_back().table); !done) return done.error();
    if (auto done = out.open(options.save_state, out.state_); !done) return done.error();
    out.live_path_ = options.live;
    if (out.csv_ && out.csv_->regular())
      if (auto done = out.open(options.csv + ".json", out.csv_record_); !done) return done.error();
    for (const auto& [paths, files] :
         {std::pair(&*fields, &out.fields_), std::pair(&*points, &out.points_)})
      for (std::size_t i = 0; i < paths->size(); ++i)
        if ((*files)[i].table->regular())
          if (auto done = open((*paths)[i] + ".json", (*files)[i].record); !done)
            return done.error();
    return out;
  }

  Result<void> begin(Simulation& simulation) {
    if (const auto& exponents = simulation.lane(0).exponents) extras_.vectors = exponents->count();
    if (csv_)
      csv_->write(
          csv_header(simulation.system_info(), recorded_lanes(simulation.record()), extras_));
    trajectories_.begin(simulation);
    if (!points_.empty()) surface_ = simulation.lane(0).crossings->surface();
    for (LaneFile& file : points_) file.table->write(section_header(*surface_));
    if (live_path_.empty()) return {};
    auto live = LiveFileWriter::create(live_path_, simulation);
    if (!live) return live.error();
    live_ = std::move(*live);
    return {};
  }

  /// Call after every call of Simulation::advance_to().
  void advanced(Simulation& simulation) {
    if (live_) live_->record(simulation);
  }
  /// Ends the live file.
  void end(Simulation& simulation, const LiveEnd& how) {
    if (live_) live_->end(simulation, how);
  }

  /// Writes the new points of the section; returns their number.
  std::int64_t section_points(Simulation& simulation, int lane) {
    if (points_.empty()) return 0;
    const std::vector<SectionPoint> points = simulation.take_section_points(lane);
    for (const SectionPoint& point : points)
      points_[static_cast<std::size_t>(lane)].table->write(
          section_row(*simulation.lane(lane).crossings->surface(), point));
    return static_cast<std::int64_t>(points.size());
  }

  void row(Simulation& simulation, const std::vector<Sample>& samples) {
    if (csv_) {
      std::vector<std::vector<double>> own;
      std::vector<double> exponents;
      for (int i = 0; i < static_cast<int>(samples.size()); ++i) {
        if (extras_.plots)
          own.push_back(own_values(simulation.system_info(), *simulation.system(),
                                   i < simulation.lane_count() ? &simulation.state(i) : nullptr));
        if (extras_.vectors == 0) continue;
        for (const double value : exponent_values(simulation, i, extras_.vectors))
          exponents.push_back(value);
      }
      csv_->write(csv_row(simulation.system_info(), samples, own, exponents));
    }
    trajectories_.row(simulation);
  }

  /// Whether writing the CSV, a trajectory, points or the live file has failed.
  bool failed() const {
    return (csv_ && csv_->failed()) || (live_ && !live_->written()) || trajectories_.failed() ||
           std::any_of(points_.begin(), points_.end(),
                       [](const LaneFile& file) { return file.table->failed(); });
  }

  /// Commits all files; returns the exit status of the first failure, or 0.
  int commit(Simulation& simulation, const std::string& branch, double duration,
             std::int64_t every) {
    if (csv_record_) csv_record_->write(csv_companion(simulation.record(), {}, branch, extras_));
    // A lane that has not begun has none.
    fields_.resize(std::min(fields_.size(), static_cast<std::size_t>(simulation.lane_count())));
    for (std::size_t i = 0; i < fields_.size(); ++i) {
      SurfaceField field;
      field.update(*simulation.system(), simulation.state(static_cast<int>(i)));
      fields_[i].table->write(field_table(simulation.time(), field));
      if (fields_[i].record)
        fields_[i].record->write(field_companion(simulation.record(), i, branch));
    }
    for (std::size_t i = 0; i < points_.size(); ++i)
      if (points_[i].record)
        points_[i].record->write(section_companion(simulation.record(), *surface_, i, branch));
    if (state_) {
      Scenario state = simulation.continuation();
      // --duration, --steps and --every apply only to this run.
      if (state.duration == simulation.record().duration) state.duration = duration;
      if (every > 0 || !stride_changes(state.events)) state.every = every;
      state_->write(write_scenario(state));
    }
    int status = 0;
    // Write a record only beside a file that it describes.
    const auto place = [&status](auto& file) {
      if (!file) return true;
      const auto done = file->commit();
      if (!done && status == 0) status = report_error(done.error());
      return done.has_value();
    };
    if (place(csv_)) place(csv_record_);
    if (const auto done = trajectories_.commit(simulation, branch); !done) {
      const int failed = report_error(done.error());
      if (status == 0) status = failed;
    }
    for (auto* files : {&fields_, &points_})
      for (LaneFile& file : *files)
        if (place(file.table)) place(file.record);
    place(state_);
    if (live_ && !live_->written() && status == 0) status = report_error(live_->written().error());
    return status;
  }

 private:
  struct LaneFile {
    std::optional<AtomicFile> table, record;
  };

  /// The paths of an output that exists once per lane; empty if it is not requested.
  static Result<std::vector<std::string>> paths_of(const char* option, const std::string& path,
                                                   const std::vector<LaneSpec>& lanes) {
    if (path.empty()) return std::vector<std::string>();
    if (path == "-" && lanes.size() > 1)
      return Error{
          ErrorKind::usage, option,
          fmt::format("{} lanes write one file each, but only one output can go to standard output",
                      lanes.size())};
    return lane_paths(path, lanes);
  }

  /// Fails if two outputs, including companions, are the same file, also under different paths.
  static Result<void> check_places(const RunOptions& options,
                                   const std::vector<std::string>& trajectories,
                                   const std::vector<std::string>& fields,
                                   const std::vector<std::string>& points) {
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
              ? fmt::format("only one output can go to standard output, and {} already does",
                            other->second)
              : fmt::format("{} is already written by {}", quote(path), other->second)};
    };
    std::vector<std::pair<const char*, std::string>> files{{"--csv", options.csv}};
    for (const std::string& path : trajectories) files.emplace_back("--trajectory", path);
    for (const std::string& path : fields) files.emplace_back("--field", path);
    for (const std::string& path : points) files.emplace_back("--points", path);
    files.emplace_back("--live", options.live);
    files.emplace_back("--save-state", options.save_state);
    for (const auto& [option, path] : files) {
      if (path.empty()) continue;
      if (auto done = take(path, option); !done) return done;
      const bool state = &path == &files.back().second;
      if (!state)  // a state may replace the scenario
        if (auto done = check_output(options, path, option); !done) return done;
      if (!state && path.ends_with(".pvd"))
        if (auto done = take(VtkSeries::folder(path), option); !done) return done;
      if (state || !described(path) || path == "-") continue;
      if (auto done = take(path + ".json", option); !done) return done;
      if (auto done = check_output(options, path + ".json", option); !done) return done;
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

  CsvExtras extras_;
  std::string live_path_;
  std::unique_ptr<LiveFileWriter> live_;
  std::optional<AtomicFile> csv_, csv_record_, state_;
  TrajectoryFiles trajectories_;
  std::vector<LaneFile> fields_, points_;          // one per lane, if requested
  std::shared_ptr<const SectionSurface> surface_;  // of the points
};

/// Mean and largest |value| of one quantity over the rows, summed as in History.
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

/// The results of a lane.
struct LaneSummary {
  double first_time = 0;                 ///< of Simulation::elapsed() [s]
  std::int64_t samples = 0, points = 0;  ///< points of a section
  Magnitude energy_error, unit_length_error, mean_unit_length_error;
  Node out = Node::object();    ///< "key": value, from the last describe()
  Node check = Node::object();  ///< of the step, if requested
  std::optional<Warning> warning;
  std::optional<StartDistance> distance;      ///< when the run was last back at its start
  std::vector<Exponents::Exponent> spectrum;  ///< at the end, if tangent vectors follow the lane
  std::optional<SignalSamples> signal;        ///< if frequencies are measured
  int lines = 0;                              ///< how many

  void add(const Sample& sample) {
    ++samples;
    energy_error.add(sample[Quantity::energy_error]);
    unit_length_error.add(sample[Quantity::unit_length_error]);
    mean_unit_length_error.add(sample[Quantity::unit_length_error_mean]);
  }

  /// Describes the current state of the lane, `seconds` of computation after the start of the run.
  void describe(const Lane& lane, double elapsed, double seconds) {
    const auto rate = static_cast<double>(lane.steps) / seconds;
    out.set("integrator", Node(std::string(lane.info->key)));
    out.set("steps", Node::whole(lane.steps));
    out.set("simulated time", elapsed - first_time);
    out.set("samples", Node::whole(samples));
    out.set("initial energy", lane.energy_reference);
    out.set("mean energy error", energy_error.mean());
    out.set("worst energy error", energy_error.worst);
    out.set("mean unit-length error", mean_unit_length_error.mean());
    out.set("worst unit-length error", unit_length_error.worst);
    out.set("steps per second", Node::whole(seconds > 0 ? std::llround(rate) : 0));
    if (lane.info->adaptive) {
      out.set("inner steps", Node::whole(lane.inner_steps));
      out.set("rejected", Node::whole(lane.rejected));
    }
    if (lane.exponents && !lane.exponents->lost()) {
      for (std::size_t k = 0; k < spectrum.size(); ++k) {
        const std::string name = k > 0 ? fmt::format("lyapunov[{}]", k) : "lyapunov";
        out.set(name, spectrum[k].value);
        out.set(name + " error", spectrum[k].error);
      }
      out.set("megno", lane.exponents->megno());
      out.set("fli", lane.exponents->fli());
    }
    if (signal) {
      const std::vector<Line> found = signal->lines(lines);
      for (std::size_t k = 0; k < found.size(); ++k) {
        const std::string index = k > 0 ? fmt::format("[{}]", k) : "";
        out.set("frequency" + index, found[k].frequency);
        out.set("amplitude" + index, std::abs(found[k].amplitude));
      }
      out.set("diffusion", signal->diffusion());
    }
    if (lane.crossings) {
      out.set("section points", Node::whole(points));
      if (const auto jumps = lane.crossings->jumps()) out.set("section jumps", Node::whole(jumps));
      if (const auto refused = lane.crossings->refused())
        out.set("section points refused", Node::whole(refused));
    }
    if (distance) {
      out.set("distance to the start, q", distance->q);
      out.set("distance to the start, omega", distance->omega);
    }
    if (warning) out.set("warning", Node(twosphere::describe(*warning, worst())));
  }

  /// The largest value of the quantity of the warning.
  std::optional<double> worst() const {
    if (warning->kind == Warning::Kind::energy) return energy_error.worst;
    if (warning->kind == Warning::Kind::unit_length) return unit_length_error.worst;
    return {};
  }
};

/// "key: value", one per line.
std::string lines(const Node& object) {
  std::string out;
  for (const auto& [key, value] : object.members)
    out += fmt::format("{}: {}\n", key,
                       value.kind == json::Kind::string ? value.text
                       : value.integer ? fmt::format("{}", static_cast<std::int64_t>(value.number))
                                       : shortest(value.number));
  return out;
}

/// With several lanes there is one block per lane that has begun, which starts with its name. The
/// branch comes first, if the run is one, and the back end of a system of texts.
std::string summary(const Simulation& simulation, const std::vector<LaneSummary>& lanes,
                    const std::string& branch, bool as_json) {
  const std::optional<std::string>& stopped = simulation.stopped();
  Node begin = Node::object();
  if (!branch.empty()) begin.set("branch", Node(branch));
  if (const std::string_view back_end = simulation.system()->back_end(); !back_end.empty())
    begin.set("back end", Node(std::string(back_end)));
  std::vector<Node> blocks;
  const std::vector<LaneSpec> recorded = recorded_lanes(simulation.record());
  for (std::size_t i = 0; i < static_cast<std::size_t>(simulation.lane_count()); ++i) {
    Node& block = blocks.emplace_back(lanes.size() > 1 ? Node::object() : begin);
    if (lanes.size() > 1) block.set("lane", Node(recorded[i].name));
    for (const auto& [key, value] : lanes[i].out.members) block.set(key, value);
    if (lanes.size() == 1 && stopped) block.set("stopped", Node(*stopped));
    for (const auto& [key, value] : lanes[i].check.members) block.set(key, value);
  }
  Node end = Node::object();
  if (stopped) end.set("stopped", Node(*stopped));
  if (lanes.size() == 1) return as_json ? json::write(blocks[0]) : lines(blocks[0]);
  if (as_json) {
    Node list = Node::array();
    list.items = std::move(blocks);
    Node root = begin;
    root.set("lanes", std::move(list));
    if (stopped) root.set("stopped", Node(*stopped));
    return json::write(root);
  }
  std::string out = lines(begin);
  for (const Node& block : blocks) out += (out.empty() ? "" : "\n") + lines(block);
  return stopped ? out + '\n' + lines(end) : out;
}

/// One line on the terminal, rewritten a few times a second.
class ProgressLine {
 public:
  explicit ProgressLine(bool shown) : shown_(shown && ::isatty(STDERR_FILENO) == 1) {}

  /// The next step at which the clock is checked.
  static std::int64_t next_look(std::int64_t steps) { return (steps / check + 1) * check; }

  void update(const Simulation& simulation, std::int64_t planned) {
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
  static constexpr std::int64_t check = 64;
  bool shown_, written_ = false;
  Clock::time_point first_ = Clock::now(), last_ = first_;
};

/// Simulates without window, display or graphics. Returns the exit status; messages go to standard
/// error.
int run(RunOptions options) {
  if (const auto start = check_start(options, "run"); !start) return report_error(start.error());
  if (options.steps && options.duration)
    return report_error(
        misuse("--steps", "a number of steps and a duration cannot be given together"));
  for (std::string* path : {&options.csv, &options.trajectory, &options.field, &options.points,
                            &options.save_state, &options.live})
    if (*path == "/dev/stdout") *path = "-";
  if (options.threads) {
    const auto given = count(*options.threads, "--threads", 10);
    if (!given) return report_error(given.error());
    set_threads(static_cast<int>(*given));
  }
  std::vector<std::string> warnings, notes;
  auto begun = plan_run(options, warnings, notes);
  if (!options.quiet) warnings.insert(warnings.end(), notes.begin(), notes.end());
  print_messages(warnings);
  if (!begun) return report_error(begun.error());
  Simulation& simulation = begun->simulation;
  if (options.plots && options.csv.empty())
    return report_error(misuse("--plots", "adds columns to a table, which --csv FILE asks for"));
  if (options.plots && simulation.system_info().own_quantities.empty())
    return report_error(misuse(
        "--plots", "the system names no quantities of its own; a custom one has them in plots"));
  if (options.exponents) {
    const auto vectors = count(*options.exponents, "--exponents", 20);
    if (!vectors) return report_error(vectors.error());
    if (auto follows = simulation.follow_exponents(static_cast<int>(*vectors)); !follows)
      return report_error({follows.error().kind, "--exponents", follows.error().message});
  }
  if (!options.points.empty()) {
    if (!simulation.record().section)
      return report_error(misuse("--points",
                                 "needs a section: --section EXPR, --stroboscopic T, or the key "
                                 "section of the scenario"));
    if (auto follows = simulation.follow_section(*simulation.record().section); !follows)
      return report_error(
          {follows.error().kind, "section." + follows.error().location, follows.error().message});
  } else if (options.section || options.stroboscopic) {
    return report_error(misuse(options.section ? "--section" : "--stroboscopic",
                               "has points, which --points FILE writes"));
  }
  int frequencies = 0;
  if (options.frequencies) {
    const auto lines = count(*options.frequencies, "--frequencies", 5);
    if (!lines) return report_error(lines.error());
    frequencies = static_cast<int>(*lines);
  } else if (!options.signal.empty()) {
    return report_error(misuse("--signal", "has frequencies, which --frequencies M measures"));
  }
  const std::vector<LaneSpec> recorded = recorded_lanes(simulation.record());
  auto opened = Outputs::open(options, recorded);
  if (!opened) return report_error(opened.error());
  Outputs& outputs = *opened;
  watch_signals();
  const Interruptible interruptible(signal_caught());
  if (auto begins = outputs.begin(simulation); !begins) return report_error(begins.error());

  std::vector<LaneSummary> lanes(recorded.size());
  for (LaneSummary& lane : lanes) lane.first_time = simulation.elapsed();
  if (frequencies > 0) {
    const Scenario& record = simulation.record();
    auto signal = SignalSamples::create(record.signal.value_or(ComplexSignal{}), record);
    if (!signal)
      return report_error(
          {signal.error().kind, "signal." + signal.error().location, signal.error().message});
    for (LaneSummary& lane : lanes) {
      lane.signal = *signal;
      lane.lines = frequencies;
    }
  }
  std::int64_t sampled = -1;
  std::vector<Sample> samples(lanes.size());
  // `checked`: the run has taken the step because its samples are finite.
  const auto row = [&](bool checked) {
    const auto present = static_cast<std::size_t>(simulation.lane_count());
    for (std::size_t i = 0; i < lanes.size(); ++i)
      samples[i] =
          i < present ? simulation.sample(static_cast<int>(i)) : missing_sample(simulation.time());
    // Values may be not finite between rows, or after an interruption by a signal.
    if (!checked &&
        !std::all_of(samples.begin(), samples.begin() + simulation.lane_count(), finite))
      return;
    outputs.row(simulation, samples);
    for (std::size_t i = 0; i < present; ++i) {
      lanes[i].add(samples[i]);
      if (lanes[i].signal && simulation.at_sample())
        lanes[i].signal->add(simulation, static_cast<int>(i));
    }
    sampled = simulation.steps();
  };
  row(false);
  if (!options.save_state.empty()) simulation.keep_last_good();

  ProgressLine progress(!options.quiet);
  std::size_t told = 0;
  const auto tell_warnings = [&] {
    for (; told < simulation.warnings().size(); ++told) {
      const Warning& found = simulation.warnings()[told];
      const auto lane = static_cast<std::size_t>(found.lane);
      progress.clear();
      print_messages({fmt::format("warning: {}: {}", recorded[lane].name, describe(found))});
      lanes[lane].warning = found;
    }
  };
  std::optional<StepFailure> refusal;
  const auto before = std::chrono::steady_clock::now();
  const auto end = [&] { return begun->fixed ? begun->steps : simulation.planned_steps(); };
  const auto finished = [&] { return simulation.steps() >= end(); };
  while (!finished() && !simulation.stopped() && caught_signal() == 0 && !outputs.failed()) {
    const int begun_lanes = simulation.lane_count();
    const double time = simulation.elapsed();
    refusal = simulation.advance_to(std::min(end(), ProgressLine::next_look(simulation.steps())));
    for (int i = begun_lanes; i < simulation.lane_count(); ++i)
      lanes[static_cast<std::size_t>(i)].first_time = time;
    for (int i = 0; i < simulation.lane_count(); ++i)
      lanes[static_cast<std::size_t>(i)].points += outputs.section_points(simulation, i);
    if (refusal) break;
    outputs.advanced(simulation);
    if (simulation.at_sample()) row(true);
    for (std::size_t i = 0; i < simulation.start_distances().size(); ++i)
      lanes[i].distance = simulation.start_distances()[i];
    tell_warnings();
    progress.update(simulation, end());
  }
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - before).count();
  progress.clear();
  if (refusal && refusal->interrupted()) refusal.reset();  // interrupted by a signal
  if (sampled != simulation.steps()) {
    row(false);
    simulation.look_at_end();
  }
  tell_warnings();
  for (int i = 0; i < simulation.lane_count(); ++i)
    if (const State& state = simulation.state(i); simulation.lane(i).exponents)
      lanes[static_cast<std::size_t>(i)].spectrum =
          simulation.lane(i).exponents->spectrum(*simulation.system(), state);
  for (int i = 0; i < simulation.lane_count(); ++i)
    lanes[static_cast<std::size_t>(i)].describe(simulation.lane(i), simulation.elapsed(), seconds);
  const bool interrupted =
      caught_signal() != 0 && !refusal && !outputs.failed() && !finished() && !simulation.stopped();
  using Reason = LiveEnd::Reason;
  outputs.end(simulation, {refusal                ? Reason::refused
                           : outputs.failed()     ? Reason::failed
                           : interrupted          ? Reason::interrupted
                           : simulation.stopped() ? Reason::stopped
                                                  : Reason::finished,
                           refusal});

  // The exit status is that of the first failure.
  int status = 0;
  if (refusal) {
    status = report_error({ErrorKind::numerical, "", refusal->message});
    if (const auto good = simulation.go_back())
      print_messages({fmt::format(
          "the saved state is that of step {}, t = {:.10g} s, the last before the warning", *good,
          simulation.time())});
  }
  if (const int failed = outputs.commit(simulation, options.branch, begun->duration, begun->every);
      status == 0)
    status = failed;
  if (interrupted && status == 0) status = 128 + caught_signal();

  if (options.check && (!options.quiet || options.json)) {
    for (int i = 0; i < simulation.lane_count() && caught_signal() == 0; ++i)
      add_step_check(lanes[static_cast<std::size_t>(i)].check, simulation, i);
    if (caught_signal() != 0 && status == 0) status = 128 + caught_signal();
  }
  if (const auto& stopped = simulation.stopped(); options.quiet && !options.json && stopped)
    print_messages({"stopped: " + *stopped});
  if (!options.quiet || options.json) {
    const bool taken = options.csv == "-" || options.trajectory == "-" || options.field == "-" ||
                       options.points == "-" || options.save_state == "-";
    std::FILE* stream = taken ? stderr : stdout;
    std::fputs(summary(simulation, lanes, options.branch, options.json).c_str(), stream);
    if (std::fflush(stream) != 0 && status == 0)
      status = report_error({ErrorKind::input_output, "standard output", "cannot be written"});
  }
  if (options.strict && !simulation.warnings().empty() && status == 0) status = 1;
  return status;
}

}  // namespace

Subcommand run_subcommand() {
  const auto options = std::make_shared<RunOptions>();
  std::vector<SubcommandOption> list = start_options(*options, "run");
  list.insert(
      list.end(),
      {{"--duration", "T",
        "simulated time [s]; if it is not a whole number of steps, the last step goes past it",
        &options->duration},
       {"--steps", "N", "take exactly N steps, instead of giving a duration", &options->steps},
       {"--every", "K",
        "sample every K steps, and at the first and last step; the default is the smallest K that "
        "gives at most 10001 rows",
        &options->every},
       set_option(*options),
       {"--csv", "FILE",
        "write energies and errors as a table, and a description of it to FILE.json",
        &options->csv},
       {"--plots", "", "add the quantities that a custom system names in plots to that table",
        &options->plots},
       {"--trajectory", "FILE",
        "write directions and angular velocities (.csv), positions and velocities as extended XYZ "
        "(.xyz), or VTK PolyData (.pvd): an index file and a folder with one file per row",
        &options->trajectory},
       {"--field", "FILE",
        "write the local kinetic energy at the end (.csv): the mean over the bodies in and around "
        "each of the 5120 faces of an icosphere; faces whose neighbourhood had to be enlarged are "
        "marked",
        &options->field}});
  for (SubcommandOption& option : section_options(*options, options->points))
    list.push_back(std::move(option));
  list.insert(
      list.end(),
      {{"--save-state", "FILE", "write a scenario from which the run continues bit for bit",
        &options->save_state},
       {"--live", "FILE",
        "write the run as it goes on, once per second or more often, for a window that follows it: "
        "twosphere FILE",
        &options->live},
       {"--check", "",
        "measure, in the final state, the symplecticity defect of one step and the time-reversal "
        "error of 100 steps forward and back, each with the effect of rounding alone, and add them "
        "to the summary",
        &options->check},
       {"--exponents", "M",
        "follow M tangent vectors along the run, from 1 to 4 per body, and add the Lyapunov "
        "exponents, MEGNO and FLI to the summary, and as columns lyapunov, lyapunov[1], ..., "
        "megno, "
        "fli to the CSV; needs a variational or rotation method with a fixed step",
        &options->exponents},
       {"--frequencies", "M",
        "measure the M largest lines of a signal, from 1 to 32, over the rows of the run, and add "
        "them with their amplitudes to the summary, and the diffusion lg|1 - f2/f1| between its "
        "halves",
        &options->frequencies},
       signal_option(*options),
       {"--threads", "N",
        "number of threads for large sums; the default is one per processor; the results are "
        "identical, bit for bit, for every N",
        &options->threads},
       {"--json", "", "print the summary as JSON", &options->json},
       {"--quiet", "", "print no progress, no notes, and no summary unless --json is given",
        &options->quiet},
       {"--strict", "",
        "make the exit status 1 if the run warns that its results are no longer meaningful",
        &options->strict}});
  return {.name = "run",
          .summary = "simulate without a window",
          .usage =
              "Usage: twosphere run (SCENARIO.json | - | --preset NAME) [OPTION]...\n"
              "Simulates without a window and prints a summary. - reads the scenario from\n"
              "standard input. Needs no display.\n",
          .options = std::move(list),
          .notes =
              "\nOne output FILE may be -, standard output; the summary then goes to standard\n"
              "error. Output files are written completely or not at all. All quantities are in\n"
              "SI units. Means in the summary are over the sampled rows. Ctrl-C ends the run\n"
              "after the current step, or abandons that step if it takes long; the rows so far\n"
              "are kept.\n"
              "\nExamples:\n"
              "  twosphere run --preset double_spherical_pendulum --every 1 --csv energy.csv\n"
              "  twosphere run --preset chain_pendulum --integrator rk4 --set system.gravity=1.62\n"
              "  twosphere run --preset chain_pendulum --steps 1000 --save-state state.json\n"
              "  twosphere run state.json --steps 1000\n",
          .run = [options] { return run(*options); }};
}

}  // namespace twosphere
