// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/rest_options.h"

#include <utility>

#include "core/base/thread_pool.h"
#include "core/studies/equilibria.h"

namespace twosphere {

std::vector<SubcommandOption> rest_options(RestOptions& options, const std::string& verb) {
  std::vector<SubcommandOption> list = start_options(options, verb);
  append(list, {set_option(options),
                {"--threads", "N", "number of threads; the default is one per processor",
                 &options.threads},
                {"--json", "", "print the result as JSON", &options.json}});
  return list;
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
  std::vector<std::string> warnings, notes;
  auto planned = plan_run(options, warnings, notes);
  print_messages(warnings);
  if (!planned) return planned.error();
  Simulation& run = planned->simulation;
  const State& state = run.state(0);
  plan.scenario = run.present();
  plan.system = run.system();
  plan.q = state.q;
  auto rest = system_at_rest(plan.system, state.t, state.q);
  if (!rest) return rest.error();
  plan.rest = std::move(*rest);
  if (options.csv.empty()) return plan;
  if (auto done = check_output(options, options.csv, "--csv"); !done) return done.error();
  auto table = DescribedFile::open(options.csv);
  if (!table) return table.error();
  plan.csv = std::move(*table);
  return plan;
}

}  // namespace twosphere
