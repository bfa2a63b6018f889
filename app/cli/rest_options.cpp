// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/rest_options.h"

#include <utility>

#include "app/cli/output_places.h"
#include "core/base/json.h"
#include "core/base/parse_number.h"
#include "core/base/thread_pool.h"
#include "core/studies/equilibria.h"

namespace twosphere {

namespace {

/// The places of the table and its description.
Result<OutputPlaces> table_places(const RestOptions& options) {
  OutputPlaces places;
  if (options.csv.empty()) return places;
  std::vector<std::string> paths{options.csv};
  if (options.csv != "-") paths.push_back(options.csv + ".json");
  for (const std::string& path : paths) {
    if (auto done = places.take(path, "--csv"); !done) return done.error();
    if (auto done = check_output(options, path, "--csv"); !done) return done.error();
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

Result<std::vector<SavedStart>> open_starts(const RestOptions& options,
                                            const std::vector<std::string>& texts,
                                            const char* option) {
  auto places = table_places(options);
  if (!places) return places.error();
  std::vector<SavedStart> starts;
  for (const std::string& text : texts) {
    const auto equals = text.find('=');
    const auto number = parse_number<std::size_t>(text.substr(0, equals));
    if (!number || equals == std::string::npos || equals + 1 == text.size())
      return misuse(option, "must be K=FILE, such as 0=start.json, not " + json::quote(text));
    const std::string path = text.substr(equals + 1);
    if (auto done = places->take(path, option); !done) return done.error();
    if (auto done = check_output(options, path, option); !done) return done.error();
    auto file = AtomicFile::open(path);
    if (!file) return file.error();
    starts.push_back({*number, std::move(*file)});
  }
  return starts;
}

Result<RestPlan> plan_rest(const RestOptions& options, const std::string& command) {
  if (auto start = check_start(options, command); !start) return start.error();
  RestPlan plan;
  plan.threads = processors();
  if (options.threads) {
    const auto given = count(*options.threads, "--threads", 10);
    if (!given) return given.error();
    plan.threads = static_cast<int>(*given);
  }
  if (options.json && options.csv == "-")
    return misuse("--csv", "cannot be standard output, which has the JSON");
  if (auto places = table_places(options); !places) return places.error();
  std::vector<std::string> warnings, notes;
  auto planned = plan_run(options, warnings, notes);
  print_messages(warnings);
  if (!planned) return planned.error();
  Simulation& run = planned->simulation;
  const State& state = run.state(0);
  plan.scenario = run.present();
  plan.system = run.system();
  plan.q = state.q;
  plan.omega = state.w;
  auto rest = system_at_rest(plan.system, state.t, state.q);
  if (!rest) return rest.error();
  plan.rest = std::move(*rest);
  if (options.csv.empty()) return plan;
  auto table = DescribedFile::open(options.csv);
  if (!table) return table.error();
  plan.csv = std::move(*table);
  return plan;
}

}  // namespace twosphere
