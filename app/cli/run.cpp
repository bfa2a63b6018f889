// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "app/base/signals.h"
#include "app/cli/run_outputs.h"
#include "app/cli/run_summary.h"
#include "app/cli/step_check_summary.h"
#include "app/cli/subcommand.h"
#include "app/cli/terminal_line.h"
#include "core/base/excerpt.h"
#include "core/base/interrupt.h"
#include "core/base/thread_pool.h"
#include "core/catalog.h"
#include "core/mechanics/modified_energy.h"
#include "core/mechanics/omega_matrix.h"
#include "core/output/body_quantity.h"
#include "core/output/named_values.h"
#include "core/run/row_block.h"

namespace twosphere {

namespace {

/// The options of `twosphere run`, as written on the command line.
struct RunOptions : PlanOptions, OutputPaths {
  std::optional<std::string> threads;
  std::optional<std::string> to;  ///< --duration by another name
  bool json = false, quiet = false;
  bool strict = false;  ///< exit status 1 if the run has a warning or a coarse step
  bool check = false;   ///< measures the step map at the end
  std::optional<std::string> exponents;    ///< number of tangent vectors that follow the run
  std::optional<std::string> frequencies;  ///< number of lines of the signal
  std::vector<std::string> measures;       ///< of a sweep, in the summary
  std::optional<std::string> wall_time;    ///< [s]
};

/// How far the run is, on the terminal, rewritten a few times a second.
class StepProgress {
 public:
  explicit StepProgress(bool shown) : line_(shown) {}

  /// The next step at which the clock is checked.
  static std::int64_t next_check(std::int64_t steps) { return (steps / check + 1) * check; }

  void update(const Simulation& simulation, std::int64_t planned) {
    if (!line_.shown() || simulation.steps() % check != 0) return;
    const auto now = Clock::now();
    if (now - last_ < std::chrono::milliseconds(200)) return;
    last_ = now;
    const double elapsed = std::chrono::duration<double>(now - first_).count();
    const double done = static_cast<double>(simulation.steps());
    line_.show(fmt::format("{:3.0f} %  t = {:g} s  step {} of {}  {:.3g} steps/s",
                           100 * done / static_cast<double>(planned), simulation.time(),
                           simulation.steps(), planned, done / elapsed));
  }
  void clear() { line_.clear(); }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::int64_t check = 64;
  TerminalLine line_;
  Clock::time_point first_ = Clock::now(), last_ = first_;
};

/// Fails if no lane has a modified energy at the start; else a note on each that has none.
std::vector<std::string> check_shadow(const RunOptions& options, const Simulation& simulation) {
  if (options.csv.empty())
    throw misuse("--shadow", "adds a column to a table, which --csv FILE asks for");
  std::vector<std::string> without;
  const std::vector<LaneSpec> lanes = recorded_lanes(simulation.record());
  for (const LaneSpec& lane : lanes) {
    const IntegratorInfo& method = *find_integrator(lane.type);
    const std::string why = ModifiedEnergy::missing(*simulation.system(), method);
    if (why.empty()) continue;
    without.push_back(
        fmt::format("{} has no modified energy for this system, because {}", method.key, why));
  }
  if (without.size() == lanes.size()) throw misuse("--shadow", without.front());
  for (std::string& text : without) text = fmt::format("--shadow: {}; its column is empty", text);
  return without;
}

/// Simulates without window, display or graphics. Returns the exit status; messages go to standard
/// error.
int run(RunOptions options) {
  check_start(options, "run");
  if (options.to && options.duration)
    throw misuse("--to", "is another name of --duration, which is given, too");
  if (options.to) options.duration = options.to;
  if (options.steps && options.duration)
    throw misuse("--steps", "a number of steps and a duration cannot be given together");
  begin_wall_time(options.wall_time);
  for (std::string* path : options.all())
    if (*path == "/dev/stdout") *path = "-";
  if (options.threads) set_threads(static_cast<int>(count(*options.threads, "--threads", 10)));
  PlannedRun begun = planned_run(options, !options.quiet);
  Simulation& simulation = begun.simulation;
  if (options.plots && options.csv.empty())
    throw misuse("--plots", "adds columns to a table, which --csv FILE asks for");
  if (options.plots && requested_signals(simulation.system_info(), simulation.record().size(),
                                         simulation.record().plots)
                           .empty())
    throw misuse("--plots", fmt::format("there are none: the scenario names no quantities, "
                                        "neither in plots nor, of a custom system, in "
                                        "system.plots, and those of the inertia are of up to {} "
                                        "bodies",
                                        max_omega_matrix_bodies));
  if (const std::string_view why = why_no_kinetic_energy(*simulation.system());
      !options.field.empty() && !why.empty())
    throw misuse("--field", fmt::format("there is none: {}", why));
  if (options.shadow) {
    const std::vector<std::string> notes_of_lanes = check_shadow(options, simulation);
    if (!options.quiet) print_messages(notes_of_lanes);
  }
  std::vector<SweepMeasure> measures;
  int vectors = 0;
  for (const std::string& list : options.measures) {
    const auto some = must(parse_measures(list, simulation.record()), "--measure");
    measures.insert(measures.end(), some.begin(), some.end());
  }
  for (const SweepMeasure& measure : measures) {
    if (measure.of_sweep()) throw misuse("--measure", measure.not_of_run());
    vectors = std::max(vectors, measure.vectors());
  }
  int wanted = 0;
  read_count(options.exponents, "--exponents", 20, wanted);
  vectors = std::max(vectors, wanted);
  if (vectors > 0)
    must(simulation.follow_exponents(vectors), options.exponents ? "--exponents" : "--measure");
  if (!options.points.empty()) {
    must(simulation.follow_section(section_or_default(simulation.record(), options.quiet)),
         [](const Error& error) {
           return Error{error.kind,
                        error.location.empty() ? "section" : "section." + error.location,
                        error.message};
         });
  } else if (options.section || options.stroboscopic) {
    throw misuse(options.section ? "--section" : "--stroboscopic",
                 "has points, which --points FILE writes");
  }
  int frequencies = 0;
  read_count(options.frequencies, "--frequencies", 5, frequencies);
  if (!options.frequencies && !options.signal.empty() &&
      std::none_of(measures.begin(), measures.end(),
                   [](const SweepMeasure& m) { return m.needs_signal(); }))
    throw misuse("--signal", "has frequencies, which --frequencies M measures");
  const std::vector<LaneSpec> recorded = recorded_lanes(simulation.record());
  watch_signals();  // before there is a file to leave behind
  const Interruptible interruptible(signal_caught());
  RunOutputs outputs = RunOutputs::open(options, options, recorded);
  outputs.view(begun.view, document_name(options));
  outputs.begin(simulation);

  std::vector<LaneSummary> lanes(recorded.size());
  for (LaneSummary& lane : lanes) lane.first_time = simulation.elapsed();
  if (frequencies > 0) {
    const Scenario& record = simulation.record();
    const auto signal =
        must(SignalSamples::create(record.signal.value_or(ComplexSignal{}), record));
    for (LaneSummary& lane : lanes) {
      lane.signal = signal;
      lane.lines = frequencies;
    }
  }
  for (std::size_t i = 0; i < lanes.size() && !measures.empty(); ++i) {
    lanes[i].measured.emplace(
        must(MeasuredLane::create(measures, simulation.record(), static_cast<int>(i))));
  }
  if (frequencies > 0 || !measures.empty())
    simulation.observe(
        [&lanes](Simulation& at) {
          std::int64_t next = std::numeric_limits<std::int64_t>::max();
          for (int i = 0; i < at.lane_count(); ++i)
            next = std::min(next, lanes[static_cast<std::size_t>(i)].see(at, i));
          return next;
        },
        frequencies == 0 && lanes[0].measured->takes_rows());
  std::int64_t sampled = -1;
  // `checked`: the run has taken the step because its samples are finite.
  const auto row = [&](bool checked) {
    // Several rows of the only lane.
    if (const RowBlock& rows = simulation.rows(); !rows.empty()) {
      outputs.rows(simulation);
      lanes[0].add_rows(simulation, 0);
      sampled = simulation.steps();
      return;
    }
    const int present = simulation.lane_count();
    // Values may be not finite between rows, or after an interruption by a signal.
    for (int i = 0; !checked && i < present; ++i)
      if (!finite(simulation.sample(i))) return;
    outputs.row(simulation);
    for (int i = 0; i < present; ++i) lanes[static_cast<std::size_t>(i)].add_rows(simulation, i);
    sampled = simulation.steps();
  };
  row(false);
  if (!options.save_state.empty()) simulation.save_last_good();

  StepProgress progress(!options.quiet);
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
  // Notes of coarse steps, each once.
  std::set<std::pair<int, CoarseStep::Cause>> coarse;
  const auto tell_coarse_steps = [&](bool first) {
    for (int i = 0; i < simulation.lane_count(); ++i)
      for (const CoarseStep& step : simulation.coarse_steps(i)) {
        if (!coarse.emplace(i, step.cause).second || (options.quiet && !options.strict)) continue;
        progress.clear();
        print_messages({fmt::format(
            "note: {}: {}{}", recorded[static_cast<std::size_t>(i)].name, describe(step),
            first ? "" : fmt::format(", from t = {:.10g} s on", simulation.time()))});
      }
  };
  tell_coarse_steps(true);
  std::optional<StepFailure> failure;
  const bool single = outputs.takes_states();  // each row by itself
  const auto before = std::chrono::steady_clock::now();
  const auto end = [&] { return begun.fixed ? begun.steps : simulation.planned_steps(); };
  const auto finished = [&] { return simulation.steps() >= end(); };
  while (!finished() && !simulation.stopped() && caught_signal() == 0 && !outputs.failed()) {
    const int begun_lanes = simulation.lane_count();
    const double time = simulation.elapsed();
    const std::int64_t next = std::min(end(), StepProgress::next_check(simulation.steps()));
    failure = single ? simulation.advance_to(next) : simulation.advance_rows(next);
    for (int i = begun_lanes; i < simulation.lane_count(); ++i)
      lanes[static_cast<std::size_t>(i)].first_time = time;
    for (int i = 0; i < simulation.lane_count(); ++i)
      lanes[static_cast<std::size_t>(i)].points += outputs.section_points(simulation, i);
    if (failure) break;
    outputs.advanced(simulation);
    if (simulation.at_sample()) row(true);
    for (std::size_t i = 0; i < simulation.start_distances().size(); ++i)
      lanes[i].distance = simulation.start_distances()[i];
    tell_warnings();
    tell_coarse_steps(false);
    progress.update(simulation, end());
  }
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - before).count();
  progress.clear();
  if (failure && failure->interrupted()) failure.reset();  // interrupted by a signal
  if (sampled != simulation.steps()) {
    row(false);
    simulation.check_at_end();
  }
  tell_warnings();
  for (int i = 0; i < simulation.lane_count(); ++i)
    if (const State& state = simulation.state(i); simulation.lane(i).exponents)
      lanes[static_cast<std::size_t>(i)].spectrum =
          simulation.lane(i).exponents->spectrum(*simulation.system(), state);
  for (int i = 0; i < simulation.lane_count(); ++i)
    lanes[static_cast<std::size_t>(i)].describe(simulation, i, seconds);
  for (std::size_t i = 0; i < lanes.size() && !options.quiet; ++i)
    for (const auto& [option, note] : lanes[i].notes)
      print_messages({fmt::format("{}: {}: {}", option, recorded[i].name, note)});
  const bool interrupted =
      caught_signal() != 0 && !failure && !outputs.failed() && !finished() && !simulation.stopped();
  const std::optional<std::string> stopped = interrupted && wall_time_over()
                                                 ? std::optional<std::string>("wall time")
                                                 : simulation.stopped();
  using Reason = LiveEnd::Reason;
  outputs.end(simulation, {failure                ? Reason::step_failed
                           : outputs.failed()     ? Reason::failed
                           : interrupted          ? Reason::interrupted
                           : simulation.stopped() ? Reason::stopped
                                                  : Reason::finished,
                           failure});

  // The exit status is that of the first failure.
  int status = 0;
  if (failure) {
    status = report_error({ErrorKind::numerical, "", failure->message});
    if (const auto good = simulation.go_back())
      print_messages({fmt::format(
          "the saved state is that of step {}, t = {:.10g} s, the last before the warning", *good,
          simulation.time())});
  }
  if (const int failed = outputs.commit(simulation, options.branch, begun.duration, begun.every);
      status == 0)
    status = failed;
  if (!options.quiet) print_messages(outputs.notes());
  if (interrupted && status == 0) status = signal_status();

  if (options.check && (!options.quiet || options.json)) {
    for (int i = 0; i < simulation.lane_count() && caught_signal() == 0; ++i)
      add_step_check(lanes[static_cast<std::size_t>(i)].check, simulation, i);
    if (caught_signal() != 0 && status == 0) status = signal_status();
  }
  if (options.quiet && !options.json && stopped) print_messages({"stopped: " + *stopped});
  if (!options.quiet || options.json) {
    const auto paths = options.all();
    const bool taken = std::any_of(paths.begin(), paths.end(),
                                   [](const std::string* path) { return *path == "-"; });
    std::FILE* stream = taken ? stderr : stdout;
    const std::string summary =
        run_summary(simulation, lanes, options.branch, stopped, options.json);
    std::fputs(printable_lines(summary).c_str(), stream);
    if (std::fflush(stream) != 0 && status == 0)
      status = report_error({ErrorKind::input_output, "standard output", "cannot be written"});
  }
  if (options.strict && (!simulation.warnings().empty() || !coarse.empty()) && status == 0)
    status = 1;
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
       {"--to", "T", "the same as --duration", &options->to},
       {"--steps", "N", "take exactly N steps, instead of giving a duration", &options->steps},
       {"--every", "K",
        "sample every K steps, and at the first and last step; the default is the smallest K that "
        "gives at most 10001 rows",
        &options->every},
       set_option(*options),
       {"--csv", "FILE",
        "write energies and errors as a table, and a description of it to FILE.json",
        &options->csv},
       {"--plots", "",
        "add to that table the quantities that the scenario or its custom system lists under "
        "\"plots\", temperature and pressure of molecules, and determinant and condition of the "
        "inertia of up to 64 bodies",
        &options->plots},
       {"--shadow", "",
        "add to that table the column modified_energy_error [J]: how well a symplectic method of "
        "order 2 or 4 keeps its modified energy, which it follows to order 4 or 8",
        &options->shadow},
       {"--trajectory", "FILE",
        "write directions and angular velocities (.csv), positions and velocities as extended XYZ "
        "(.xyz), or VTK PolyData (.pvd): an index file and a folder with one file per row",
        &options->trajectory},
       {"--momenta", "",
        "add the momenta and angular momenta of all bodies to that table, as columns mu0_x [J s], "
        "... and pi0_x [J s], ...",
        &options->momenta},
       {"--field", "FILE",
        "write the local kinetic energy at the end (.csv): the mean over the bodies in and around "
        "each of the 5120 faces of an icosphere; faces whose neighbourhood had to be enlarged are "
        "marked",
        &options->field},
       {"--pair-distribution", "FILE",
        "write the pair distribution function of the directions of all bodies (.csv), the mean "
        "over the rows: how much more often two are an angle apart than if all were placed "
        "uniformly; above 3162 bodies for small angles only",
        &options->pairs},
       {"--pair-bins", "N",
        "number of equal bins of that table, from 1 to 65536; the default is 180",
        &options->pair_bins}});
  for (SubcommandOption& option : section_options(*options, options->points))
    list.push_back(std::move(option));
  list.insert(
      list.end(),
      {{"--save-state", "FILE", "write a scenario from which the run continues bit for bit",
        &options->save_state},
       {"--live", "FILE",
        "write the run while it runs, once per second or more often, for a window that follows it: "
        "twosphere FILE",
        &options->live},
       {"--html", "FILE",
        "write a web page (.html), one file that plays the run in a browser, with its scenario in "
        "it: twosphere run FILE repeats the run",
        &options->html},
       {"--html-frames", "N",
        "hold at most about N frames in the page, and interpolate between them; the default is as "
        "many as keep every point within 1e-4 of the scene's radius, at most 4000",
        &options->html_frames},
       {"--gltf", "FILE",
        "write the scene as solids that move, in glTF 2.0 (.glb), for Blender and other programs "
        "that draw",
        &options->gltf},
       {"--check", "",
        "measure, in the final state, the symplecticity defect of one step and of 100 steps, and "
        "the time-reversal error of 100 steps forward and back, each with the effect of rounding "
        "alone, and add them to the summary, with whether the step is symplectic",
        &options->check},
       {"--exponents", "M",
        "follow M tangent vectors along the run, from 1 to 4 per body, 2 in systems of first "
        "order, and add the Lyapunov exponents, MEGNO and FLI to the summary, and as columns "
        "lyapunov, lyapunov[1], ..., megno, fli to the CSV; needs a variational, rotation or "
        "spherical midpoint method with a fixed step",
        &options->exponents},
       {"--frequencies", "M",
        "measure the M strongest frequencies of a signal, from 1 to 32, at samples of its own, and "
        "add them with their amplitudes to the summary, the diffusion lg|1 - f2/f1| between its "
        "halves, the interval of the samples, and the largest frequency that it resolves",
        &options->frequencies},
       signal_option(*options),
       {"--measure", "MEASURE",
        "add a measure of sweeps to the summary, as energy_error.max: extremes, .max and .min, are "
        "over every step, with the time of each; means and last values are over the rows; "
        "several are separated by commas; repeatable",
        &options->measures},
       {"--threads", "N",
        "number of threads for large sums; the default is one per processor; the results are "
        "identical, bit for bit, for every N",
        &options->threads},
       wall_time_option(options->wall_time),
       {"--json", "", "print the summary as JSON", &options->json},
       {"--quiet", "", "print no progress, no notes, and no summary unless --json is given",
        &options->quiet},
       {"--strict", "",
        "make the exit status 1 if the run warns that its results are no longer meaningful, or "
        "notes that a step is too coarse for the motion",
        &options->strict}});
  return {.name = "run",
          .summary = "simulate without a window",
          .options = std::move(list),
          .run = [options] { return run(*options); }};
}

}  // namespace twosphere
