// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "app/base/signals.h"
#include "app/cli/orbits_find.h"
#include "app/cli/subcommand.h"
#include "app/cli/sweep_grid.h"
#include "app/cli/sweep_script.h"
#include "app/cli/task_progress.h"
#include "app/cli/terminal_line.h"
#include "app/cli/window_module.h"
#include "app/figures/paper_figure.h"
#include "app/figures/sweep_figure.h"
#include "app/session/sweep_choices.h"
#include "core/base/file.h"
#include "core/base/interrupt.h"
#include "core/base/json.h"
#include "core/base/simd_level.h"
#include "core/base/text.h"
#include "core/base/thread_pool.h"
#include "core/scenario/schedule.h"
#include "core/scenario/writer.h"
#include "core/studies/basins.h"
#include "core/studies/sweep_collect.h"
#include "core/studies/sweep_folder.h"
#include "core/studies/sweep_plan.h"
#include "core/studies/sweep_run.h"

namespace twosphere {

namespace {

/// The options of `twosphere sweep`, as written on the command line.
struct SweepOptions {
  std::string form, folder, third;
  PlanOptions plan;
  GridOptions grid;
  std::vector<std::string> measures;
  std::optional<std::string> from, period, energy, relative, relabel;  // of orbits
  std::optional<std::string> jobs, part, progress, save_every, slurm, mpirun, parallel, snakemake,
      save, colors, wall_time;
  bool logarithmic = false;
  bool retry = false;
  bool quiet = false;
};

/// The sweep as the options say, before complete_sweep().
Sweep plan_sweep(const SweepOptions& options) {
  Sweep sweep = plan_grid(options.plan, options.grid, "sweep new");
  for (const std::string& list : options.measures) {
    const auto some = must(parse_measures(list, sweep.scenario), "--measure");
    sweep.measures.insert(sweep.measures.end(), some.begin(), some.end());
  }
  if (options.from || options.period || options.energy || options.relative || options.relabel) {
    OrbitPlan orbit = default_orbit_plan(sweep.scenario);
    if (options.from && *options.from != orbit.from) orbit = {.from = *options.from};
    if (options.period) orbit.period = read_period(*options.period);
    orbit.energy = options.energy.value_or("");
    if (options.relative) orbit.relative = *options.relative;
    if (options.relabel) orbit.relabel = *options.relabel;
    sweep.orbit = std::move(orbit);
  }
  return sweep;
}

/// The stable equilibria whose basins are measured, in a line; empty if none are.
std::string basins_text(const Sweep& sweep) {
  if (sweep.equilibria.empty()) return {};
  std::string numbers;
  for (std::size_t k = 0; k < sweep.equilibria.size(); ++k)
    if (sweep.equilibria[k].kind() == EquilibriumKind::minimum)
      numbers += fmt::format("{}{}", numbers.empty() ? "" : ", ", k);
  const bool varies = std::any_of(sweep.axes.begin(), sweep.axes.end(), [](const SweepAxis& axis) {
    return axis.path.key() == "system";
  });
  return fmt::format("basins of the stable equilibria {}{}; see {}\n", numbers,
                     varies ? " of the scenario, each followed to the parameters of the task" : "",
                     equilibria_file);
}

/// " of 2000 steps, a row every 10 steps", as far as all tasks agree.
std::string steps_and_rows(const Sweep& sweep) {
  const Scenario& scenario = sweep.scenario;
  const auto varies = [&](std::string_view key) {
    return std::any_of(sweep.axes.begin(), sweep.axes.end(),
                       [&](const SweepAxis& axis) { return axis.path == key; });
  };
  const bool same_steps = !varies("duration") && !varies("integrator.step");
  const std::int64_t steps = planned_steps(scenario);
  std::string out;
  if (same_steps)
    out =
        fmt::format(" of {}{}", scenario.stop.empty() && sweep.equilibria.empty() ? "" : "at most ",
                    counted(steps, "step"));
  if (varies("every")) return out;
  if (!same_steps && scenario.every == 0) return out + ", at most 10001 rows each";
  const std::int64_t stride = sampling_stride(scenario);
  return out +
         (stride == 1 ? ", a row at every step" : fmt::format(", a row every {} steps", stride));
}

int new_sweep(SweepOptions& options) {
  options.plan.scenario = options.third;
  Sweep sweep = plan_sweep(options);

  watch_signals();
  const Interruptible interruptible(signal_caught());
  TerminalLine progress(!options.quiet);
  const auto complete = complete_sweep(sweep, processors(), search_progress(progress));
  progress.clear();
  if (caught_signal() != 0) return signal_status();
  must(complete, of_option);
  const auto folder = must(make_sweep(options.folder, sweep));
  if (options.quiet) return 0;
  const std::vector<std::size_t> shape = sweep.shape();
  return print(fmt::format(
      "{} ({}){}; name {}\n{}", counted(static_cast<std::int64_t>(sweep.tasks()), "task"),
      fmt::join(shape, " × "), sweep.needs_run() ? steps_and_rows(sweep) : std::string(),
      folder.name, basins_text(sweep)));
}

SweepPart parse_part(const std::string& text) {
  if (text == "auto") {
    if (const auto part = part_of_environment(std::getenv)) return *part;
    throw Failure({ErrorKind::usage, "--part",
                   "auto finds no variables of a launcher: SLURM_ARRAY_TASK_ID and _COUNT, "
                   "SLURM_PROCID and SLURM_STEP_NUM_TASKS, OMPI_COMM_WORLD_RANK and _SIZE, or "
                   "PMI_RANK and PMI_SIZE"});
  }
  try {
    const std::size_t slash = std::min(text.find('/'), text.size());
    const auto index = count(text.substr(0, slash), "--part", 20),
               parts = count(text.substr(std::min(slash + 1, text.size())), "--part", 20);
    if (index <= parts) return {static_cast<int>(index), static_cast<int>(parts)};
  } catch (const Failure&) {
    // not numbers: as what follows says
  }
  throw Failure(
      {ErrorKind::usage, "--part",
       fmt::format("must be K/N with K from 1 to N, or auto, not {}", json::quote(text))});
}

int run_part(const SweepOptions& options) {
  begin_wall_time(options.wall_time);
  auto folder = must(open_sweep(options.folder));
  SweepRun how;
  how.retry = options.retry;
  how.jobs = processors();
  read_count(options.jobs, "--jobs", 10, how.jobs);
  if (options.part) how.part = parse_part(*options.part);
  read_number(options.save_every, "--save-every", "s", how.state_interval);
  how.state_interval = std::max(0.0, how.state_interval);
  if (options.progress && *options.progress != "json") throw misuse("--progress", "must be json");
  // The same version at the same level gives the same bytes.
  must(check_version(folder));
  if (auto level = force_isa_level(folder.sweep.isa); !level)
    throw Failure({ErrorKind::usage, folder.inside(sweep_file),
                   fmt::format("was made at the instruction set level {}: {}; make it with "
                               "TWOSPHERE_ISA set to a level that all machines have",
                               folder.sweep.isa, level.error().message)});
  // Tasks share the processors; large sums of one task alone use all.
  set_threads(std::max(1, processors() / how.jobs));

  watch_signals();
  TaskProgress line("tasks", options.progress.has_value(), !options.quiet);
  SweepProgress last;
  const auto ended = run_sweep(folder, how, [&](const SweepProgress& now) {
    last = now;
    line.update(now, false);
    return caught_signal() == 0;
  });
  line.update(last, true);
  if (must(ended)) return 0;
  if (wall_time_over()) print_messages({"stopped: wall time"});
  return signal_status();
}

int show_status(const SweepOptions& options) {
  const auto folder = must(open_sweep(options.folder));
  const auto rows = must(read_rows(folder));
  std::map<TaskStatus, std::size_t> counts;
  std::optional<std::size_t> first_failed;
  for (const SweepRow& row : rows) {
    ++counts[row.status];
    if (!first_failed && failed(row.status)) first_failed = row.task;
  }
  std::string out = fmt::format("name: {}\ntasks: {}\n", folder.name, rows.size());
  for (const auto& [status, number] : counts) out += fmt::format("{}: {}\n", name(status), number);
  if (const double mean = mean_task_time(folder); mean > 0) {
    out += fmt::format("time per task: {:.4g} s\n", mean);
    if (const auto missing = counts.find(TaskStatus::missing); missing != counts.end())
      out += fmt::format("left: {} of one processor\n",
                         rough_time(mean * static_cast<double>(missing->second)));
  }
  // Values measured over less than the planned run, or at samples too far apart, and no orbit.
  auto notes = notes_of(folder);
  std::erase_if(notes, [&](const auto& note) {
    return note.first >= rows.size() || failed(rows[note.first].status);
  });
  if (!notes.empty())
    out += fmt::format("notes: {}\nfirst note: task {}: {}\n", notes.size(), notes.begin()->first,
                       notes.begin()->second);
  if (!folder.sweep.equilibria.empty())
    if (const UncertainFraction mixed = basins_uncertainty(folder.sweep, rows); !mixed.list.empty())
      out += fmt::format("{}: {}\n", mixed.text(), mixed.fractions());
  if (first_failed) {
    // The reason of the first failure: what is written or, if it comes again, by running it again.
    watch_signals();
    std::string why = reason_of(folder, *first_failed);
    if (broke_off(rows[*first_failed].status)) {
      if (why.empty()) why = "the reason was not written";
    } else if (auto level = force_isa_level(folder.sweep.isa); level) {
      (void)run_sweep_task(folder.sweep, folder.name, *first_failed, {}, signal_caught(), &why);
    }
    out += fmt::format("first failure: task {}: {}\n", *first_failed, why);
  }
  return print(out);
}

int collect(const SweepOptions& options) {
  if (options.third.empty()) throw misuse("sweep collect", "needs a folder and a file");
  const auto folder = must(open_sweep(options.folder));
  const auto rows = must(read_rows(folder));
  must(write_results(folder, rows, options.third), [](const Error& error) {
    const bool of_name = error.kind == ErrorKind::usage && error.location == "file";
    return of_name ? misuse("sweep collect", error.message) : Failure(error);
  });
  const auto missing = std::count_if(rows.begin(), rows.end(), [](const SweepRow& row) {
    return row.status == TaskStatus::missing;
  });
  if (missing > 0 && !options.quiet)
    print_messages({fmt::format(
        "{} of {} {}; {} marked", missing, counted(static_cast<std::int64_t>(rows.size()), "task"),
        missing == 1 ? "is missing" : "are missing", missing == 1 ? "it is" : "they are")});
  if (!folder.sweep.equilibria.empty() && !options.quiet)
    if (const std::string text = basins_uncertainty(folder.sweep, rows).text(); !text.empty())
      print_messages({text});
  return 0;
}

MapChoice map_choice(const SweepOptions& options, const Sweep& sweep) {
  MapChoice choice;
  if (sweep.shape().size() > 1) choice.up = 1;
  choice.fixed.assign(sweep.shape().size(), 0);
  if (options.measures.size() > 1)
    throw misuse("--measure", "must be given once: a figure shows one measure");
  if (!options.measures.empty()) {
    const std::string& wanted = options.measures[0];
    const std::vector<std::string> keys = texts_of(sweep.measures, &SweepMeasure::key);
    const auto found = std::ranges::find(keys, wanted);
    if (found == keys.end())
      throw misuse("--measure", fmt::format("{} is not a measure of this sweep: {}",
                                            json::quote(wanted), fmt::join(keys, ", ")));
    choice.measure = static_cast<std::size_t>(found - keys.begin());
  }
  if (options.colors) {
    const auto found = std::find_if(color_maps.begin(), color_maps.end(),
                                    [&](ColorMap map) { return key(map) == *options.colors; });
    if (found == color_maps.end())
      throw misuse("--colors", fmt::format("{} is none of viridis, cividis, paper",
                                           json::quote(*options.colors)));
    choice.colors = *found;
  }
  choice.logarithmic = options.logarithmic;
  if (choice.logarithmic && sweep.measures[choice.measure].of_basin())
    throw misuse("--log", "does not suit basin, whose values are numbers of equilibria");
  choice.measure_name = sweep.measures[choice.measure].label();
  choice.labels = axis_labels(sweep);
  return choice;
}

int draw_figure(const SweepOptions& options) {
  const std::string& path = options.third;
  const auto format = must(format_of_file(path, "sweep figure"));
  const auto folder = must(open_sweep(options.folder));
  const auto choice = map_choice(options, folder.sweep);
  const auto rows = must(read_rows(folder));
  const auto bytes = must(
      figure_by_module(as_figure(sweep_map(folder.sweep, rows, choice)), map_page(format), path));
  must(write_file(path, bytes));
  return 0;
}

/// The largest index of an array of Slurm jobs where MaxArraySize is not set: 1001 − 1.
constexpr int default_array = 1000;

int write_script(const SweepOptions& options) {
  const auto folder = must(open_sweep(options.folder));
  const std::array<std::tuple<const char*, const std::optional<std::string>*, Launcher>, 4> all{
      {{"--slurm", &options.slurm, Launcher::slurm},
       {"--parallel", &options.parallel, Launcher::parallel},
       {"--snakemake", &options.snakemake, Launcher::snakemake},
       {"--mpirun", &options.mpirun, Launcher::mpirun}}};
  std::error_code error;
  const std::string program = std::filesystem::read_symlink("/proc/self/exe", error).string();
  LaunchedParts parts;
  read_count(options.jobs, "--jobs", 10, parts.jobs);
  std::string out;
  for (const auto& [option, given, launcher] : all) {
    if (!*given) continue;
    read_count(*given, option, 20, parts.count);
    const std::string place = std::filesystem::canonical(options.folder, error).string();
    const LauncherScript script =
        must(launcher_script(launcher, parts, program.empty() ? "twosphere" : program, place),
             misuse_of(option));
    must(folder.files().write(script.file_name, script.text));
    out += script.command + '\n';
    if (launcher == Launcher::slurm && parts.count > default_array && !options.quiet)
      print_messages(
          {fmt::format("--slurm: an array has at most {} jobs unless the cluster sets MaxArraySize "
                       "higher: scontrol show config | grep MaxArraySize",
                       default_array)});
  }
  if (out.empty())
    throw misuse(
        "sweep script",
        "needs --slurm N, --parallel, --snakemake or --mpirun, with the number N of parts");
  return print(out);
}

int open_task(const SweepOptions& options) {
  const auto folder = must(open_sweep(options.folder));
  const auto task = count(options.third, "sweep open: TASK", 53, 0);
  const auto index = static_cast<std::size_t>(task);
  if (index >= folder.sweep.tasks())
    throw misuse("sweep open",
                 fmt::format("the tasks are 0 to {}, not {}", folder.sweep.tasks() - 1, index));
  auto scenario = must(sweep_scenario(folder.sweep, index));
  const std::string text = write_scenario(scenario), file = fmt::format("task-{}.json", index);
  must(options.save ? write_file(*options.save, text) : folder.files().write(file, text));
  if (options.save) return 0;
  std::string name = "twosphere";
  std::array<char*, 2> arguments{name.data(), nullptr};
  return open_window(1, arguments.data(), {.scenario_path = folder.inside(file), .named = true});
}

/// A form of the command, after what all of them check.
Subcommand sweep_form(const std::shared_ptr<SweepOptions>& o, const std::string& name,
                      const std::function<int(SweepOptions&)>& run, const char* summary,
                      bool takes_third = true) {
  return {.name = name, .summary = summary, .options = {}, .run = [o, name, run, takes_third] {
            if (o->folder.empty())
              throw misuse("sweep " + name, "the folder of the sweep is missing");
            if (!takes_third && !o->third.empty()) throw misuse(o->third, "unexpected argument");
            return run(*o);
          }};
}

}  // namespace

Subcommand sweep_subcommand() {
  const auto o = std::make_shared<SweepOptions>();
  std::vector<Subcommand> forms{
      sweep_form(o, "new", new_sweep, "plan a sweep in a new folder"),
      sweep_form(o, "run", run_part, "run the remaining tasks of a sweep", false),
      sweep_form(o, "status", show_status, "count the tasks that are done, failed or missing",
                 false),
      sweep_form(o, "collect", collect, "write all results as one table or array"),
      sweep_form(o, "figure", draw_figure, "draw a map of a measure"),
      sweep_form(o, "script", write_script, "write a script for a cluster", false),
      sweep_form(o, "open", open_task, "open a task in the window")};

  std::vector<SubcommandOption> list{form_argument(o->form, forms),
                                     {"DIR", "", "", &o->folder},
                                     {"FILE", "", "", &o->third},
                                     {"--quiet", "", "print no progress and no notes", &o->quiet}};
  std::vector<SubcommandOption> start = start_options(o->plan, "sweep");
  std::erase_if(start, [](const SubcommandOption& option) {
    return !option.name.starts_with("-") || option.name == "--integrator";
  });
  append(list, std::move(start), {"new"});
  append(list,
         {{"--integrator", "ID",
           "use this integrator (see twosphere list --integrators); parameters that it does not "
           "have are dropped; to compare several, use --axis integrator.type=ID,ID",
           &o->plan.integrators, integrator_choices()},
          {"--duration", "T", "simulated time of each task [s]", &o->plan.duration},
          {"--every", "K",
           "sample every K steps, and at the first and last step; the default is 1000 if no "
           "measure depends on it, else that of run",
           &o->plan.every},
          set_option(o->plan)},
         {"new"});
  append(list, grid_options(o->grid), {"new"});
  append(list, member_options(o->grid), {"new"});
  append(list, {signal_option(o->plan)}, {"new"});
  append(list,
         {{"--measure", "NAME",
           "measure this in each task: a column of the CSV or a plot of the scenario, plots.NAME, "
           "with .last, .max, .mean or .min, such as energy_error.max, or t_stop, lyapunov, "
           "lyapunov[k], megno, fli, frequency, frequency[k], diffusion, cost, basin, "
           "orbit.period or orbit.multiplier[k]; several are "
           "separated by commas, or the option is repeated. "
           "For a figure, the one that is shown",
           &o->measures}},
         {"new", "figure"});
  append(
      list,
      {{"--from",
        "WHAT",
        "where to look for the orbits of orbit.period and orbit.multiplier[k], as of orbits "
        "find: mode:K, start, rest or return, the default; of a scenario that orbits find has "
        "saved, "
        "the default is start with its period",
        &o->from,
        {"mode:0", "start", "return", "rest"}},
       {"--period", "T", "the period near which to look for orbits [s]", &o->period},
       {"--energy", "E",
        "the total energy of orbits [J], or rest+E; the default is that of the start", &o->energy},
       {"--relative",
        "AXIS",
        "let orbits close after a rotation about this axis, e1, e2, e3, J or X,Y,Z",
        &o->relative,
        {"e1", "e2", "e3", "J"}},
       {"--relabel", "LIST", "let equal bodies change places in orbits, such as 1,2,0",
        &o->relabel}},
      {"new"});
  append(
      list,
      {{"--jobs", "J",
        "number of tasks at the same time; the default is one per processor, and in each part of "
        "a script 1",
        &o->jobs}},
      {"run", "script"});
  append(list,
         {{"--part",
           "K/N",
           "run only every N-th task, from the K-th on; auto takes K and N from the variables of "
           "Slurm, Open MPI or MPICH",
           &o->part,
           {"auto"}},
          {"--save-every", "SECONDS",
           "save the exact state of a task at this interval; the default is 60", &o->save_every},
          wall_time_option(o->wall_time),
          {"--retry", "", "run tasks again that ran out of memory or crashed", &o->retry},
          {"--progress",
           "json",
           "print the progress as JSON, one line per second",
           &o->progress,
           {"json"}}},
         {"run"});
  append(list,
         {{"--log", "", "colour by the logarithm of the magnitude", &o->logarithmic},
          {"--colors",
           "NAME",
           "colours of the figure: viridis, the default, cividis, or paper, from blue to red",
           &o->colors,
           {"viridis", "cividis", "paper"}}},
         {"figure"});
  std::vector<SubcommandOption> launchers{
      {"--slurm", "N", "write an array of N Slurm jobs", &o->slurm},
      {"--parallel", "N",
       "write a script that runs N parts by GNU parallel; the default is one per processor",
       &o->parallel},
      {"--snakemake", "N", "write a Snakefile of N parts; the default is one per processor",
       &o->snakemake},
      {"--mpirun", "N",
       "write a script that runs N parts by mpirun; the default is one per processor", &o->mpirun}};
  for (SubcommandOption& launcher : launchers)
    if (launcher.name != "--slurm") launcher.implied = std::to_string(processors());
  append(list, std::move(launchers), {"script"});
  append(list,
         {{"--save", "FILE", "write the scenario of the task, instead of opening the window",
           &o->save}},
         {"open"});
  return {.name = "sweep",
          .summary = "run a scenario over ranges of its settings",
          .options = std::move(list),
          .run = {},
          .forms = std::move(forms)};
}

}  // namespace twosphere
