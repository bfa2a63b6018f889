// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <memory>
#include <utility>

#include "app/cli/subcommand.h"
#include "app/session/plan.h"
#include "core/base/text.h"
#include "core/catalog.h"
#include "core/scenario/branches.h"
#include "core/scenario/reader.h"
#include "core/scenario/schedule.h"

namespace twosphere {

namespace {

struct ListOptions {
  bool systems = false, integrators = false, custom = false;
  std::string branches;  ///< a scenario
};

/// "after 500 steps (5 s), 2 events".
std::string description(const Scenario& scenario, const BranchSpec& branch) {
  const double seconds =
      duration_of(branch.from_step, scenario.lanes, events_before(scenario, branch.from_step));
  return fmt::format("after {} ({:.10g} s), {}", counted(branch.from_step, "step"), seconds,
                     counted(static_cast<std::int64_t>(branch.events.size()), "event"));
}

int print_list(const ListOptions& options) {
  if (options.systems + options.integrators + options.custom + !options.branches.empty() > 1)
    throw misuse("list",
                 "--systems, --integrators, --custom and --branches cannot be given together");
  std::string out;
  const auto line = [&out](std::string_view key, std::string_view title) {
    out += fmt::format("{}\t{}\n", key, title);
  };
  if (options.systems) {
    for (const SystemInfo& s : systems()) line(s.key, s.title);
  } else if (options.integrators) {
    for (const IntegratorInfo& i : integrators()) line(i.key, i.title);
  } else if (!options.branches.empty()) {
    std::vector<std::string> warnings;
    auto opened = open_scenario(options.branches, "", warnings);
    print_messages(warnings);
    const Scenario scenario = must(std::move(opened));
    for (const BranchSpec& branch : scenario.branches)
      line(branch.name, description(scenario, branch));
  } else {
    for (const Preset& p : options.custom ? custom_presets() : presets()) {
      const auto scenario = must(read_scenario(p.text, p.key));
      line(p.key, scenario.title);
    }
  }
  return print(out);
}

}  // namespace

Subcommand list_subcommand() {
  const auto options = std::make_shared<ListOptions>();
  return {.name = "list",
          .summary = "list presets, systems, integrators or branches",
          .options = {{"--systems", "", "list the systems", &options->systems},
                      {"--integrators", "", "list the integrators", &options->integrators},
                      {"--custom", "",
                       "list the presets of the type custom, whose systems are written as text",
                       &options->custom},
                      {"--branches", "SCENARIO",
                       "list the branches of this scenario, with the step at which each begins and "
                       "the number of its events",
                       &options->branches}},
          .run = [options] { return print_list(*options); }};
}

}  // namespace twosphere
