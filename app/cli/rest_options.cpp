// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/rest_options.h"

#include "app/base/signals.h"
#include "app/cli/output_places.h"
#include "core/base/json.h"
#include "core/base/parse_number.h"
#include "core/base/thread_pool.h"

namespace twosphere {

namespace {

/// The places of the table and its description.
OutputPlaces table_places(const RestOptions& options) {
  OutputPlaces places;
  if (options.csv.empty()) return places;
  std::vector<std::string> paths{options.csv};
  if (options.csv != "-") paths.push_back(options.csv + ".json");
  for (const std::string& path : paths) {
    places.take(path, "--csv");
    check_output(options, path, "--csv");
  }
  return places;
}

}  // namespace

std::vector<SubcommandOption> rest_options(RestOptions& options, const std::string& verb) {
  std::vector<SubcommandOption> list = start_options(options, verb);
  append(list, {set_option(options),
                {"--threads", "N", "number of threads; the default is one per processor",
                 &options.threads},
                {"--json", "", "print the result as JSON", &options.json}});
  return list;
}

std::vector<SavedStart> open_starts(const RestOptions& options,
                                    const std::vector<std::string>& texts, const char* option) {
  auto places = table_places(options);
  std::vector<SavedStart> starts;
  for (const std::string& text : texts) {
    const auto equals = text.find('=');
    const auto number = parse_number<std::size_t>(text.substr(0, equals));
    if (!number || equals == std::string::npos || equals + 1 == text.size())
      throw misuse(option, "must be K=FILE, such as 0=start.json, not " + json::quote(text));
    const std::string path = text.substr(equals + 1);
    places.take(path, option);
    check_output(options, path, option);
    starts.push_back({*number, must(AtomicFile::open(path))});
  }
  return starts;
}

RestPlan plan_rest(const RestOptions& options, const std::string& command,
                   ExaminedSystem examined) {
  check_start(options, command);
  RestPlan plan;
  plan.threads = processors();
  read_count(options.threads, "--threads", 10, plan.threads);
  if (options.threads) set_threads(plan.threads);
  if (options.json && options.csv == "-")
    throw misuse("--csv", "cannot be standard output, which has the JSON");
  table_places(options);
  PlannedRun planned = planned_run(options);
  Simulation& run = planned.simulation;
  const State& state = run.state(0);
  plan.scenario = run.present();
  plan.system = run.system();
  plan.q = state.q;
  plan.omega = state.w;
  plan.rest = must(examined(plan.system, state.t, state.q));
  watch_signals();  // before there is a file to leave behind
  if (!options.csv.empty()) plan.csv = must(DescribedFile::open(options.csv));
  return plan;
}

}  // namespace twosphere
