// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "app/base/signals.h"
#include "app/cli/study_forms.h"
#include "app/cli/subcommand.h"
#include "app/cli/task_progress.h"
#include "app/cli/window_module.h"
#include "app/figures/order_figure.h"
#include "app/figures/paper_figure.h"
#include "core/base/comma_list.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/base/thread_pool.h"
#include "core/catalog.h"
#include "core/studies/order_plan.h"
#include "core/studies/order_table.h"

namespace twosphere {

namespace {

/// The options of `twosphere study`, as written on the command line.
struct StudyOptions {
  std::string form;
  PlanOptions plan;
  std::string integrators, steps, tolerances, reference, csv, figure;
  std::optional<std::string> threads, progress;
  SectionStudyOptions section;
  bool quiet = false;
};

/// The planned run with one method in place of the scenario's own.
Result<Simulation> run_with(const PlanOptions& plan, const std::string& integrator,
                            const std::string& option, std::vector<std::string>& warnings) {
  PlanOptions one = plan;
  one.integrators = {integrator};
  std::vector<std::string> notes;
  auto planned = plan_run(one, warnings, notes);
  if (!planned) {
    Error error = planned.error();
    if (error.location == "--integrator") error.location = option;
    return error;
  }
  return std::move(planned->simulation);
}

/// A method for nearly every system with kinetic energy, or for those without and all others.
std::string for_any_system(bool first_order) {
  for (const IntegratorInfo& info : integrators())
    if (!info.applies && info.max_bodies == 0 && info.takes.first_order >= first_order)
      return std::string(info.key);
  return {};
}

/// The planned run with a method that does not matter.
Result<Simulation> run_of_system(const PlanOptions& plan, std::vector<std::string>& warnings) {
  auto run = run_with(plan, for_any_system(false), "--integrators", warnings);
  if (run) return run;
  // It does not take systems of first order, nor strengths.
  std::vector<std::string> repeated;
  auto other = run_with(plan, for_any_system(true), "--integrators", repeated);
  if (other && !find_integrator(for_any_system(false))->supports(*other->system())) return other;
  return run;
}

const auto of_order_option = of_options({"steps", "reference"});

OrderStudy plan_study(const StudyOptions& options) {
  std::vector<std::string> warnings;
  auto planned = run_of_system(options.plan, warnings);
  print_messages(warnings);
  const Simulation base = must(std::move(planned));
  OrderChoice choice;
  if (!options.integrators.empty())
    choice.methods = must(comma_list(options.integrators), "--integrators");
  for (const auto& [text, option, unit, list] :
       {std::tuple(&options.steps, "--steps", "s", &choice.steps),
        std::tuple(&options.tolerances, "--tolerances", "1", &choice.tolerances)}) {
    if (text->empty()) continue;
    *list = must(parse_series(*text, option, unit));
  }
  choice.reference = options.reference;
  if (const auto at = options.reference.find('@'); at != std::string::npos) {
    const auto step = must(parse_series(options.reference.substr(at + 1), "--reference", "s"));
    choice.reference_step = step.front();
    choice.reference.resize(at);
  }
  const auto lane = [&](const std::string& key, std::string_view role) -> Result<LaneSpec> {
    std::vector<std::string> repeated;  // the warnings about the scenario
    const auto run = run_with(options.plan, key, fmt::format("--{}", role), repeated);
    if (!run) return run.error();
    return run->record().lanes[0];
  };
  return must(plan_order_study(base.record(), choice, lane), of_order_option);
}

int thread_count(const StudyOptions& options) {
  int threads = processors();
  read_count(options.threads, "--threads", 10, threads);
  return threads;
}

std::size_t failed_runs(const OrderStudyResult& result) {
  return static_cast<std::size_t>(
      std::count_if(result.points.begin(), result.points.end(),
                    [](const OrderPoint& p) { return p.status != StepStatus::ok; }));
}

/// The table of a study while it runs, and the file beside it from which a study that was stopped
/// or killed continues.
class OrderFiles {
 public:
  /// Without a path it does nothing.
  OrderFiles(const OrderStudy& study, std::string path) : study_(study), path_(std::move(path)) {}

  /// The result of the same study, stopped before.
  std::optional<OrderStudyResult> earlier() const {
    if (path_.empty()) return {};
    const auto text = read_file(companion(), json::max_bytes);
    return text ? unfinished_study(study_, *text) : std::nullopt;
  }
  /// Every two seconds; an error of the disk comes again at the end.
  void update(const OrderStudyResult& so_far) {
    const auto now = std::chrono::steady_clock::now();
    if (path_.empty() || now - written_ < std::chrono::seconds(2)) return;
    written_ = now;
    (void)write_file(path_, order_table(study_, so_far));
    (void)finish(so_far);
  }
  Result<void> finish(const OrderStudyResult& result) const {
    if (path_.empty()) return {};
    return write_file(companion(), order_companion(study_, result));
  }

 private:
  std::string companion() const { return path_ + ".json"; }

  const OrderStudy& study_;
  std::string path_;
  std::chrono::steady_clock::time_point written_ = std::chrono::steady_clock::now();
};

int compare_integrators(const StudyOptions& options) {
  check_start(options.plan, "study order");
  std::optional<FigureFormat> format;
  if (!options.figure.empty()) {
    format = must(format_of_file(options.figure, "--figure"));
    must(load_window_module());
  }
  const auto threads = thread_count(options);
  const OrderStudy planned = plan_study(options);
  if (options.progress && *options.progress != "json") throw misuse("--progress", "must be json");

  watch_signals();  // before there is a file to leave behind
  // The files are opened before the first step.
  std::optional<AtomicFile> csv, figure;
  for (const auto& [path, option, file] : {std::tuple(&options.csv, "--csv", &csv),
                                           std::tuple(&options.figure, "--figure", &figure)}) {
    if (path->empty()) continue;
    check_output(options.plan, *path, option);
    *file = must(AtomicFile::open(*path));
  }

  OrderFiles files(planned, options.csv == "-" ? "" : options.csv);
  const auto earlier = files.earlier();
  if (earlier && !options.quiet)
    print_messages(
        {fmt::format("{}: continues after {}", options.csv,
                     counted(static_cast<std::int64_t>(earlier->points.size()), "run"))});
  TaskProgress line("runs", options.progress.has_value(), !options.quiet);
  SweepProgress progress{.before = earlier ? earlier->points.size() + 2 : 0};
  auto ended = run_order_study(planned, threads,
                               {.proceed =
                                    [&](std::size_t done, std::size_t all) {
                                      progress.done = done;
                                      progress.all = all;
                                      line.update(progress, false);
                                      return caught_signal() == 0;
                                    },
                                .found =
                                    [&](const OrderStudyResult& so_far) {
                                      progress.failed = failed_runs(so_far);
                                      files.update(so_far);
                                    }},
                               earlier);
  line.update(progress, true);
  const std::optional<OrderStudyResult> result = must(std::move(ended), of_order_option);
  if (csv && result) {
    csv->write(order_table(planned, *result));
    must(csv->commit());
    must(files.finish(*result));
  }
  if (caught_signal() != 0) {
    if (!result)
      print_messages({"stopped before the reference was done; without it no run can be compared"});
    else if (!options.quiet && options.csv != "-")
      print(order_text(planned, *result));
    return signal_status();
  }
  if (figure) {
    const auto bytes = must(figure_by_module(
        draw_order_figure(planned, *result,
                          fmt::format("{}: work and precision", planned.scenario.title)),
        paper_page(*format), "--figure"));
    figure->write(bytes);
    must(figure->commit());
  }
  if (options.quiet || options.csv == "-") return 0;
  return print(order_text(planned, *result));
}

}  // namespace

Subcommand study_subcommand() {
  const auto o = std::make_shared<StudyOptions>();
  std::vector<Subcommand> forms{
      {.name = "order",
       .summary = "measure the order of integrators and what accuracy costs",
       .options = {},
       .run = [o] { return compare_integrators(*o); }},
      {.name = "section",
       .summary = "record where orbits cross a section",
       .options = {},
       .run = [o] { return study_section(o->plan, o->section, thread_count(*o), o->quiet); }},
      {.name = "cloud",
       .summary = "measure how fast nearby orbits separate",
       .options = {},
       .run = [o] {
         set_threads(thread_count(*o));
         return study_cloud(o->plan, o->section.grid, o->csv, o->quiet);
       }}};

  std::vector<SubcommandOption> list{form_argument(o->form, forms)};
  std::vector<SubcommandOption> start = start_options(o->plan, "study"), one;
  const auto method = std::find_if(start.begin(), start.end(), [](const SubcommandOption& option) {
    return option.name == "--integrator";
  });
  one.push_back(std::move(*method));
  start.erase(method);
  append(list, std::move(start));
  append(list, std::move(one), {"section", "cloud"});
  append(list,
         {{"--duration", "T", "simulated time [s]", &o->plan.duration},
          set_option(o->plan),
          {"--threads", "N", "number of threads; the default is one per processor", &o->threads},
          {"--quiet", "", "print no progress and no table", &o->quiet}});
  append(list,
         {{"--integrators", "LIST",
           "compare these integrators, separated by commas; the default is every one that "
           "supports the system",
           &o->integrators, integrator_choices()},
          {"--steps", "LIST",
           "the steps [s]: numbers separated by commas, or FIRST:LAST:/FACTOR for a sequence; "
           "each must divide the duration; the default is from four times to an eighth of the "
           "scenario's step. For an adaptive integrator they are its first inner step",
           &o->steps},
          {"--tolerances", "LIST",
           "the relative tolerances of integrators with error control: numbers separated by "
           "commas, or FIRST:LAST:/FACTOR; the default is 1e-3:1e-12:/10",
           &o->tolerances},
          {"--reference", "ID@STEP",
           "measure errors from this integrator with this step; the default is the fixed-step "
           "integrator of the highest order with a quarter of the smallest step",
           &o->reference},
          {"--progress",
           "json",
           "print the progress as JSON, one line per second",
           &o->progress,
           {"json"}},
          {"--figure", "FILE",
           "draw the work-precision diagram and the errors against the step (.pdf, .svg or .png)",
           &o->figure}},
         {"order"});
  append(list, section_options(o->plan, o->section.points), {"section"});
  append(list, grid_options(o->section.grid), {"section"});
  append(list, member_options(o->section.grid), {"section", "cloud"});
  append(list,
         {{"--every", "K", "measure the distances every K steps; the default is that of run",
           &o->plan.every}},
         {"cloud"});
  append(list, {{"--csv", "FILE", "write the results as a table", &o->csv}}, {"order", "cloud"});
  return {.name = "study",
          .summary = "compare integrators, take sections, follow clouds of nearby orbits",
          .options = std::move(list),
          .run = {},
          .forms = std::move(forms)};
}

}  // namespace twosphere
