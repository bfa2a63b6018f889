// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/base/signals.h"
#include "app/cli/orbits_continue.h"
#include "app/cli/orbits_find.h"
#include "app/cli/orbits_relative.h"
#include "app/cli/rest_options.h"
#include "app/cli/subcommand.h"
#include "app/cli/task_progress.h"
#include "core/base/json.h"
#include "core/studies/equilibria_table.h"

namespace twosphere {

namespace {

struct OrbitsOptions : RestOptions {
  std::string form;
  std::optional<std::string> tries, seed, momentum;
  bool merge_equal = false;
  RelativeOptions relative;
  OrbitFindOptions find;
  OrbitContinueOptions family;
};

EquilibriumSearch parse_search(const OrbitsOptions& options) {
  EquilibriumSearch search;
  search.merge_equal = options.merge_equal;
  std::int64_t tries = search.tries;
  read_count(options.tries, "--tries", 53, tries, 0);
  if (tries > EquilibriumSearch::max_tries)
    throw misuse("--tries",
                 fmt::format("must be at most {}, not {}", EquilibriumSearch::max_tries, tries));
  search.tries = static_cast<int>(tries);
  read_count(options.seed, "--seed", 53, search.seed, 0);
  return search;
}

int equilibria(const OrbitsOptions& options) {
  const auto search = parse_search(options);
  auto resting = plan_rest(options, "orbits equilibria");

  TerminalLine progress(true);
  const Equilibria found =
      find_equilibria(*resting.rest, resting.q, search, resting.threads, search_progress(progress));
  progress.clear();
  if (!found.complete || caught_signal() != 0) return signal_status();
  if (found.list.empty())
    throw Failure({ErrorKind::check, "orbits equilibria",
                   no_equilibrium(found) + "; try more --tries or another --seed"});
  if (resting.csv) {
    resting.csv->write(equilibria_table(found));
    must(resting.csv->commit(equilibria_companion(resting.scenario, search)));
  }
  if (options.json) return print(json::write(to_json(found)));
  return options.csv == "-" ? 0 : print(equilibria_text(found));
}

int relative(OrbitsOptions& options) {
  options.relative.momentum = options.momentum;
  return orbits_relative(options, parse_search(options), options.relative);
}

}  // namespace

Subcommand orbits_subcommand() {
  const auto o = std::make_shared<OrbitsOptions>();
  std::vector<Subcommand> forms{{.name = "equilibria",
                                 .summary = "list the configurations in which a system rests",
                                 .options = {},
                                 .run = [o] { return equilibria(*o); }},
                                {.name = "relative",
                                 .summary = "find motions in which all bodies turn about an axis",
                                 .options = {},
                                 .run = [o] { return relative(*o); }},
                                {.name = "find",
                                 .summary = "find a periodic orbit",
                                 .options = {},
                                 .run =
                                     [o] {
                                       o->find.momentum = o->momentum;
                                       return orbits_find(*o, o->find);
                                     }},
                                {.name = "continue",
                                 .summary = "follow the family of a periodic orbit",
                                 .options = {},
                                 .run = [o] { return orbits_continue(*o, o->family); }}};
  std::vector<SubcommandOption> list{form_argument(o->form, forms)};
  append(list, rest_options(*o, "examine"));
  append(
      list,
      {{"--tries", "N", "begin from N random configurations, too; the default is 200", &o->tries},
       {"--seed", "S", "seed for them; the default is 1", &o->seed},
       {"--merge-equal", "",
        "list one of those that differ only in which of several equal bodies is where",
        &o->merge_equal},
       {"--csv", "FILE", "write the equilibria as a table", &o->csv}},
      {"equilibria", "relative"});
  append(list,
         {{"--momentum", "J",
           "the momentum about the axis [J s]; the default is that of the start; for relative also "
           "A:B:N, N momenta from A to B, on the curves through them",
           &o->momentum}},
         {"relative", "find"});
  append(list, relative_options(o->relative), {"relative"});
  append(list, orbit_find_options(o->find), {"find"});
  append(list, orbit_continue_options(o->family), {"continue"});
  return {.name = "orbits",
          .summary = "find where a system rests, steady rotations and periodic orbits",
          .options = std::move(list),
          .run = {},
          .forms = std::move(forms)};
}

}  // namespace twosphere
