// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reproduce.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <thread>

#include "app/plan.h"
#include "app/reproduction_table.h"
#include "app/signals.h"
#include "core/json.h"
#include "core/nearest.h"
#include "core/reproduction.h"

namespace twosphere {

namespace {

/// The runs behind what was asked for, in the table's order, each once.
Result<std::vector<const PublishedRun*>> selected(const std::vector<std::string>& selection) {
  std::vector<std::string> names;
  for (const PublishedRun& run : published_runs())
    for (const std::string& name : {std::to_string(run.example), std::string(run.preset)})
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  std::sort(names.begin(), names.end(),
            [](const auto& a, const auto& b) { return a.size() < b.size() && a.size() == 1; });
  for (const std::string& name : selection) {
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    const std::string near = nearest(name, names);
    return Error{
        ErrorKind::usage, "reproduce",
        fmt::format("{} is not an example of the paper{} (there are: {})", json::quote(name),
                    near.empty() ? "" : fmt::format("; did you mean {}?", near),
                    fmt::join(names, ", "))};
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

}  // namespace

int reproduce(const ReproduceOptions& options) {
  const auto runs = selected(options.selection);
  if (!runs) return complain(runs.error());

  watch_signals();
  const bool shown = ::isatty(STDERR_FILENO) == 1;
  const auto go_on = [shown](std::size_t done, std::size_t all) {
    if (shown) std::fprintf(stderr, "\r\033[K%zu of %zu simulations", done, all);
    if (shown) std::fflush(stderr);
    return caught_signal() == 0;
  };
  const int threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  const auto reproduced = reproduce(*runs, threads, go_on);
  if (shown) std::fputs("\r\033[K", stderr);
  if (caught_signal() != 0) return 128 + caught_signal();
  if (!reproduced) return complain(reproduced.error());

  return print_table(*reproduced);
}

int print_table(const std::vector<ReproducedRun>& runs) {
  std::fputs(reproduction_text(runs).c_str(), stdout);
  int status = 0;
  if (std::fflush(stdout) != 0 || std::ferror(stdout))
    status = complain({ErrorKind::input_output, "standard output", "cannot be written"});
  const int missed = tally(runs).missed;
  if (missed > 0 && status == 0)
    status = complain({ErrorKind::check, "reproduce",
                       fmt::format("{} number{} missed", missed, missed == 1 ? "" : "s")});
  return status;
}

}  // namespace twosphere
