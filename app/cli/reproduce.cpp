// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/reproduce.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <future>
#include <iterator>
#include <memory>
#include <optional>
#include <stop_token>

#include "app/base/signals.h"
#include "app/cli/subcommand.h"
#include "app/cli/terminal_line.h"
#include "app/cli/window_module.h"
#include "app/figures/field_figure.h"
#include "app/figures/reproduction_files.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/base/thread_pool.h"
#include "core/studies/reproduction.h"
#include "core/studies/reproduction_table.h"

namespace twosphere {

namespace {

/// The options of `twosphere reproduce`, as written on the command line.
struct ReproduceOptions {
  std::vector<std::string> selection;  ///< numbers of examples or names of presets; none: all
  std::string out;  ///< folder for the table, the rows and the paper's figures; empty: none
};

/// Numbers of examples and their presets.
std::vector<std::string> example_names() {
  std::vector<std::string> names;
  for (const PublishedRun& run : published_runs())
    for (const std::string& name : {std::to_string(run.example), std::string(run.preset)})
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  std::sort(names.begin(), names.end(),
            [](const auto& a, const auto& b) { return a.size() < b.size() && a.size() == 1; });
  return names;
}

/// The selected runs in the order of the table, without duplicates.
std::vector<const PublishedRun*> selected(const std::vector<std::string>& selection) {
  const std::vector<std::string> names = example_names();
  for (const std::string& name : selection) {
    if (std::ranges::find(names, name) != names.end()) continue;
    throw Failure(
        {ErrorKind::usage, "reproduce",
         fmt::format("{} is not an example of the paper{} (known examples: {})", json::quote(name),
                     did_you_mean(name, names), fmt::join(names, ", "))});
  }
  std::vector<const PublishedRun*> runs;
  for (const PublishedRun& run : published_runs())
    if (selection.empty() ||
        std::any_of(selection.begin(), selection.end(), [&run](const std::string& name) {
          return name == std::to_string(run.example) || name == run.preset;
        }))
      runs.push_back(&run);
  return runs;
}

/// The runs of the figures over the step, for the presets of these runs.
std::vector<PublishedRun> step_runs_of(const std::vector<const PublishedRun*>& runs) {
  std::vector<PublishedRun> out;
  for (const PaperFigure& figure : paper_figures())
    if (std::any_of(runs.begin(), runs.end(),
                    [&figure](const PublishedRun* run) { return run->preset == figure.preset; }))
      for (PublishedRun& run : figure.step_runs()) out.push_back(std::move(run));
  return out;
}

/// Runs the examples of the paper and prints the published numbers beside ours. Returns the exit
/// status: 1 if a number that should be reproduced is not.
int reproduce(const ReproduceOptions& options) {
  const auto runs = selected(options.selection);

  watch_signals();
  std::optional<ReproductionFolder> folder;
  std::vector<PublishedRun> step_runs;
  if (!options.out.empty()) {
    must(load_window_module());
    folder = must(ReproductionFolder::open(options.out));
    step_runs = step_runs_of(runs);
  }
  std::vector<const PublishedRun*> wanted = runs;
  for (const PublishedRun& run : step_runs) wanted.push_back(&run);

  TerminalLine progress(true);
  const auto proceed = [&progress](std::size_t done, std::size_t all) {
    progress.show(fmt::format("{} of {} simulations", done, all));
    return caught_signal() == 0;
  };
  // Figure 3.7 needs a separate run, which is parallel to the others, or after them if no thread
  // can be started.
  std::stop_source given_up;
  std::future<Result<FieldFigure>> field;
  const bool with_field =
      folder && std::any_of(runs.begin(), runs.end(), [](const PublishedRun* run) {
        return run->preset == paper_field().preset;
      });
  if (with_field)
    field = std::async([stop = given_up.get_token()] {
      return make_field_figure(paper_field(), ColorMap::paper,
                               [&stop](double) { return !stop.stop_requested(); });
    });
  auto done = reproduce(wanted, processors(), proceed);
  progress.clear();
  if (caught_signal() != 0 || !done) given_up.request_stop();
  if (caught_signal() != 0) return signal_status();
  std::vector<ReproducedRun> reproduced = must(std::move(done));
  const FieldFigure drawn = with_field ? must(field.get()) : FieldFigure{};

  const auto end = reproduced.begin() + static_cast<std::ptrdiff_t>(runs.size());
  const std::vector<ReproducedRun> over_steps(std::make_move_iterator(end),
                                              std::make_move_iterator(reproduced.end()));
  reproduced.erase(end, reproduced.end());
  const int status = print_table(reproduced);
  if (!folder) return status;
  const auto written =
      folder->write(reproduced, over_steps, with_field ? &drawn : nullptr, figure_by_module);
  const int failed = written ? 0 : report_error(written.error());
  return status != 0 ? status : failed;
}

}  // namespace

int print_table(const std::vector<ReproducedRun>& runs) {
  std::fputs(reproduction_text(runs).c_str(), stdout);
  int status = 0;
  if (std::fflush(stdout) != 0 || std::ferror(stdout))
    status = report_error({ErrorKind::input_output, "standard output", "cannot be written"});
  const int missed = tally(runs).missed;
  if (missed > 0 && status == 0)
    status = report_error(
        {ErrorKind::check, "reproduce", counted(missed, "number") + " not reproduced"});
  return status;
}

Subcommand reproduce_subcommand() {
  const auto options = std::make_shared<ReproduceOptions>();
  return {.name = "reproduce",
          .summary = "repeat the papers' experiments",
          .options = {{"EXAMPLE", "", "", &options->selection, example_names()},
                      {"--out", "DIR",
                       "write the table, a report, every row of the runs and the paper's figures "
                       "to this folder",
                       &options->out}},
          .run = [options] { return reproduce(*options); }};
}

}  // namespace twosphere
