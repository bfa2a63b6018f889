// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
#include <optional>
#include <string_view>
#include <tuple>

#include "app/base/signals.h"
#include "app/cli/study_cloud.h"
#include "app/cli/study_section.h"
#include "app/cli/subcommand.h"
#include "app/figures/figure_file.h"
#include "app/figures/offscreen.h"
#include "app/figures/order_figure.h"
#include "app/figures/paper_figure.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/base/thread_pool.h"
#include "core/catalog.h"
#include "core/studies/order_plan.h"

namespace twosphere {

namespace {

using json::quote;

/// The options of `twosphere study`, as written on the command line.
struct StudyOptions {
  std::string kind;
  PlanOptions plan;
  std::string integrators, steps, tolerances, reference, csv, figure;
  std::optional<std::string> threads;
  SectionStudyOptions section;
  bool quiet = false;
};

/// The kinds of study.
constexpr std::array<std::string_view, 3> kinds{"order", "section", "cloud"};

/// Fails if an option was given that does not belong to this kind of study.
Result<void> check_options(const StudyOptions& o) {
  const PlanOptions& p = o.plan;
  const GridOptions& g = o.section.grid;
  return check_uses("study", o.kind,
                    {{"--integrators", !o.integrators.empty(), {"order"}},
                     {"--steps", !o.steps.empty(), {"order"}},
                     {"--reference", !o.reference.empty(), {"order"}},
                     {"--csv", !o.csv.empty(), {"order", "cloud"}},
                     {"--figure", !o.figure.empty(), {"order"}},
                     {"--threads", o.threads.has_value(), {"order", "section", "cloud"}},
                     {"--every", p.every.has_value(), {"cloud"}},
                     {"--section", p.section.has_value(), {"section"}},
                     {"--stroboscopic", p.stroboscopic.has_value(), {"section"}},
                     {"--points", !o.section.points.empty(), {"section"}},
                     {"--axis", !g.axes.empty(), {"section"}},
                     {"--members", g.members.has_value(), {"section", "cloud"}},
                     {"--spread", g.spread.has_value(), {"section", "cloud"}},
                     {"--seed", g.seed.has_value(), {"section", "cloud"}},
                     {"--same-energy", g.same_energy, {"section"}}});
}

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

/// A method that supports every system.
std::string for_any_system() {
  for (const IntegratorInfo& info : integrators())
    if (!info.applies && info.most_bodies == 0) return std::string(info.key);
  return {};
}

Result<OrderStudy> plan_study(const StudyOptions& options, std::vector<std::string>& warnings) {
  const auto base = run_with(options.plan, for_any_system(), "--integrators", warnings);
  if (!base) return base.error();
  OrderChoice choice;
  if (!options.integrators.empty()) choice.methods = split(options.integrators, ',');
  for (const auto& [text, option, unit, list] :
       {std::tuple(&options.steps, "--steps", "s", &choice.steps),
        std::tuple(&options.tolerances, "--tolerances", "1", &choice.tolerances)}) {
    if (text->empty()) continue;
    auto series = parse_series(*text, option, unit);
    if (!series) return series.error();
    *list = std::move(*series);
  }
  choice.reference = options.reference;
  if (const auto at = options.reference.find('@'); at != std::string::npos) {
    const auto step = parse_series(options.reference.substr(at + 1), "--reference", "s");
    if (!step) return step.error();
    choice.reference_step = step->front();
    choice.reference.resize(at);
  }
  const auto lane = [&](const std::string& key, std::string_view role) -> Result<LaneSpec> {
    std::vector<std::string> repeated;  // the warnings about the scenario
    const auto run = run_with(options.plan, key, fmt::format("--{}", role), repeated);
    if (!run) return run.error();
    return run->record().lanes[0];
  };
  return plan_order_study(base->record(), choice, lane);
}

Error attributed(Error error) {
  for (const char* option : {"steps", "reference"})
    if (error.location == option) error.location = fmt::format("--{}", option);
  return error;
}

int study(const StudyOptions& options) {
  if (std::find(kinds.begin(), kinds.end(), options.kind) == kinds.end())
    return report_error(
        misuse("study", options.kind.empty()
                            ? fmt::format("the kind is missing: {}", fmt::join(kinds, ", "))
                            : fmt::format("{} is not a kind of study (known: {})",
                                          quote(options.kind), fmt::join(kinds, ", "))));
  if (auto done = check_start(options.plan, "study"); !done) return report_error(done.error());
  if (auto used = check_options(options); !used) return report_error(used.error());
  std::optional<FigureFormat> format;
  if (!options.figure.empty()) {
    const auto known = format_of_file(options.figure, "--figure");
    if (!known) return report_error(known.error());
    format = *known;
  }
  int threads = processors();
  if (options.threads) {
    const auto given = count(*options.threads, "--threads", 10);
    if (!given) return report_error(given.error());
    threads = static_cast<int>(*given);
  }
  if (options.kind == "section")
    return study_section(options.plan, options.section, threads, options.quiet);
  if (options.kind == "cloud") {
    set_threads(threads);
    return study_cloud(options.plan, options.section.grid, options.csv, options.quiet);
  }
  std::vector<std::string> warnings;
  const auto planned = plan_study(options, warnings);
  print_messages(warnings);
  if (!planned) return report_error(attributed(planned.error()));

  // The files are opened before the first step.
  std::optional<AtomicFile> csv, figure;
  for (const auto& [path, option, file] : {std::tuple(&options.csv, "--csv", &csv),
                                           std::tuple(&options.figure, "--figure", &figure)}) {
    if (path->empty()) continue;
    if (auto done = check_output(options.plan, *path, option); !done)
      return report_error(done.error());
    auto opened = AtomicFile::open(*path);
    if (!opened) return report_error(opened.error());
    *file = std::move(*opened);
  }

  watch_signals();
  const bool shown = !options.quiet && ::isatty(STDERR_FILENO) == 1;
  const auto result =
      run_order_study(*planned, threads, [shown](std::size_t done, std::size_t all) {
        if (shown) std::fprintf(stderr, "\r\033[K%zu of %zu runs", done, all);
        if (shown) std::fflush(stderr);
        return caught_signal() == 0;
      });
  if (shown) std::fputs("\r\033[K", stderr);
  if (caught_signal() != 0) return 128 + caught_signal();
  if (!result) return report_error(attributed(result.error()));
  if (csv) {
    csv->write(order_table(*planned, **result));
    if (auto done = csv->commit(); !done) return report_error(done.error());
  }
  if (figure) {
    const Offscreen offscreen;
    const QByteArray bytes = figure_file(
        draw_order_figure(*planned, **result,
                          fmt::format("{}: work and precision", planned->scenario.title)),
        paper_page(*format), paper_look());
    if (bytes.isEmpty())
      return report_error({ErrorKind::input_output, "--figure", "the figure cannot be drawn"});
    figure->write({bytes.constData(), static_cast<std::size_t>(bytes.size())});
    if (auto done = figure->commit(); !done) return report_error(done.error());
  }
  if (options.quiet || options.csv == "-") return 0;
  return print(order_text(*planned, **result));
}

}  // namespace

Subcommand study_subcommand() {
  const auto options = std::make_shared<StudyOptions>();
  std::vector<SubcommandOption> list{{"KIND", "", "", &options->kind, {"order"}}};
  for (SubcommandOption& option : start_options(options->plan, "study"))
    list.push_back(std::move(option));
  for (SubcommandOption& option : std::vector<SubcommandOption>{
           {"--integrators", "LIST",
            "compare these integrators, separated by commas; the default is every one that "
            "supports the system",
            &options->integrators, integrator_choices()},
           {"--steps", "LIST",
            "the steps [s]: numbers separated by commas, or FIRST:LAST:/FACTOR for a sequence; "
            "each must divide the duration; the default is from four times to an eighth of the "
            "scenario's step. For an adaptive integrator they are its first inner step",
            &options->steps},
           {"--tolerances", "LIST",
            "the relative tolerances of integrators with error control, likewise; the default is "
            "1e-3:1e-12:/10",
            &options->tolerances},
           {"--reference", "ID@STEP",
            "measure errors from this integrator with this step; the default is the fixed-step "
            "integrator of the highest order with a quarter of the smallest step",
            &options->reference},
           {"--duration", "T", "simulated time [s]", &options->plan.duration},
           {"--every", "K", "measure a cloud every K steps; the default is that of run",
            &options->plan.every},
           set_option(options->plan),
           {"--csv", "FILE", "write the results as a table", &options->csv},
           {"--figure", "FILE",
            "draw the work-precision diagram and the errors against the step (.pdf, .svg or .png)",
            &options->figure},
           {"--threads", "N", "number of runs at the same time; the default is one per processor",
            &options->threads}})
    list.push_back(std::move(option));
  for (SubcommandOption& option : section_options(options->plan, options->section.points))
    list.push_back(std::move(option));
  for (SubcommandOption& option : grid_options(options->section.grid))
    list.push_back(std::move(option));
  for (SubcommandOption& option : std::vector<SubcommandOption>{
           {"--quiet", "", "print no progress and no table", &options->quiet}})
    list.push_back(std::move(option));
  return {
      .name = "study",
      .summary = "compare integrators, take sections, follow clouds of nearby orbits",
      .usage =
          "Usage: twosphere study order (SCENARIO.json | - | --preset NAME) [OPTION]...\n"
          "   or: twosphere study section (SCENARIO.json | - | --preset NAME) --points FILE\n"
          "                       [--axis PATH=VALUES]... [OPTION]...\n"
          "   or: twosphere study cloud (SCENARIO.json | - | --preset NAME) [OPTION]...\n"
          "order runs integrators from the same start with several steps and measures their\n"
          "errors at the end: their orders, and which one reaches an accuracy at the least\n"
          "cost. section follows orbits from several starts and writes the points in which\n"
          "they cross a section. cloud follows nearby orbits: the median and the 5 and 95 %\n"
          "quantiles of their distances, and the rate at which these grow. Needs no display.\n",
      .options = std::move(list),
      .notes =
          "\nThe error is the largest distance |Δq| of a body from the reference at the end of\n"
          "the run. The reference is also computed with twice its step; the distance of the\n"
          "two is printed, and errors below ten times it are not resolved. The order is the\n"
          "slope of the error against the step, with its standard error, from up to four of\n"
          "the smallest steps whose errors are resolved, below 0.1 and above rounding.\n"
          "Evaluations count every computation of the forces. A run that fails is listed\n"
          "with the reason.\n"
          "\nExamples:\n"
          "  twosphere study order --preset double_spherical_pendulum --duration 4\n"
          "  twosphere study order --preset three_body --duration 2 \\\n"
          "      --integrators variational,rotation6,rk45 --steps 0.02:0.00125:/2 \\\n"
          "      --figure work_precision.pdf\n"
          "  twosphere study section --preset double_spherical_pendulum --duration 500 \\\n"
          "      --section 'q[0].e2' --axis 'initial.omega[1][1]=-2:2:9' --same-energy \\\n"
          "      --points points.csv\n"
          "  twosphere study cloud --preset double_spherical_pendulum --members 256 \\\n"
          "      --spread 1e-8 --csv cloud.csv\n",
      .run = [options] { return study(*options); }};
}

}  // namespace twosphere
