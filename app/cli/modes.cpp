// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <numbers>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/base/signals.h"
#include "app/cli/rest_options.h"
#include "app/cli/subcommand.h"
#include "core/base/described_file.h"
#include "core/base/json.h"
#include "core/scenario/writer.h"
#include "core/studies/equilibria_table.h"

namespace twosphere {

namespace {

struct ModesOptions : RestOptions {
  std::optional<std::string> at, count, amplitude;
  std::vector<std::string> save;  // K=FILE
};

double parse_amplitude(const ModesOptions& options) {
  constexpr double default_amplitude = 5 * std::numbers::pi / 180;
  if (!options.amplitude) return default_amplitude;
  if (options.save.empty()) throw misuse("--amplitude", "is that of a mode that --save writes");
  const auto given = number(*options.amplitude, "--amplitude", "rad");
  if (!(given > 0 && given <= std::numbers::pi / 2))
    throw misuse("--amplitude",
                 "must be above 0 and at most 90 deg, not " + json::quote(*options.amplitude));
  return given;
}

int modes(const ModesOptions& options) {
  const auto of_at = of_options({"at"});
  const auto choice = must(parse_equilibrium_choice(options.at.value_or("nearest")), of_at);
  std::size_t max_modes = 4 * max_equilibrium_bodies;
  read_count(options.count, "--count", 10, max_modes);
  const auto amplitude = parse_amplitude(options);
  auto resting = plan_rest(options, "modes");
  auto saved = open_starts(options, options.save, "--save");

  const auto found =
      must(chosen_equilibrium(*resting.rest, resting.q, choice, resting.threads,
                              [](std::size_t, std::size_t) { return caught_signal() == 0; }),
           of_at);
  if (caught_signal() != 0 || !found) return signal_status();
  const auto all = must(modes_at(*resting.system, *resting.rest, *found));
  for (const SavedStart& one : saved) {
    if (one.number >= all.list.size())
      throw misuse("--save", all.list.empty() ? "there is no mode"
                                              : fmt::format("must name a mode from 0 to {}, not {}",
                                                            all.list.size() - 1, one.number));
  }
  if (caught_signal() != 0) return signal_status();

  const ModeTable table{resting.scenario, *found, all, max_modes};
  if (resting.csv) {
    resting.csv->write(table.csv());
    must(resting.csv->commit(table.companion()));
  }
  for (SavedStart& one : saved) {
    const Scenario start = scenario_in_mode(resting.scenario, *found, all, one.number, amplitude);
    one.file.write(write_scenario(start));
    must(one.file.commit());
  }
  if (options.json) return print(json::write(table.document()));
  return options.csv == "-" ? 0 : print(table.text(resting.q, *resting.rest));
}

}  // namespace

Subcommand modes_subcommand() {
  const auto o = std::make_shared<ModesOptions>();
  std::vector<SubcommandOption> list = rest_options(*o, "examine");
  append(
      list,
      {{"--at",
        "WHICH",
        "the equilibrium: nearest, which Newton's method finds from the start; start, which must "
        "be one; or a number of the list of twosphere orbits equilibria; the default is nearest",
        &o->at,
        {"nearest", "start"}},
       {"--count", "M", "print the M lowest modes; the default is all", &o->count},
       {"--csv", "FILE", "write the modes as a table", &o->csv},
       {"--save", "K=FILE",
        "write a scenario that begins in mode K, counted from 0; may be repeated", &o->save},
       {"--amplitude", "A",
        "of the modes that are saved: the largest angle of a body from the equilibrium [rad], at "
        "most 90 deg; the default is 5 deg",
        &o->amplitude}});
  return {.name = "modes",
          .summary = "find the small motions about an equilibrium",
          .options = std::move(list),
          .run = [o] { return modes(*o); }};
}

}  // namespace twosphere
