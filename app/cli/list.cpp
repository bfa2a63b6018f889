// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <memory>

#include "app/cli/subcommand.h"
#include "core/catalog.h"
#include "core/scenario/reader.h"
#include "core/scenario/scenario.h"

namespace twosphere {

namespace {

struct ListOptions {
  bool systems = false, integrators = false;
};

int print_list(const ListOptions& options) {
  if (options.systems && options.integrators)
    return report_error(misuse("list", "--systems and --integrators cannot be given together"));
  std::string out;
  const auto line = [&out](std::string_view key, std::string_view title) {
    out += fmt::format("{}\t{}\n", key, title);
  };
  if (options.systems) {
    for (const SystemInfo& s : systems()) line(s.key, s.title);
  } else if (options.integrators) {
    for (const IntegratorInfo& i : integrators()) line(i.key, i.title);
  } else {
    for (const Preset& p : presets()) {
      const auto scenario = read_scenario(p.text, p.key);
      if (!scenario) return report_error(scenario.error());
      line(p.key, scenario->title);
    }
  }
  return print(out);
}

}  // namespace

Subcommand list_subcommand() {
  const auto options = std::make_shared<ListOptions>();
  return {.name = "list",
          .summary = "list presets, systems or integrators",
          .usage =
              "Usage: twosphere list [--systems | --integrators]\n"
              "Lists the presets, the systems or the integrators, one per line: key, tab,\n"
              "title.\n",
          .options = {{"--systems", "", "list the systems", &options->systems},
                      {"--integrators", "", "list the integrators", &options->integrators}},
          .exit_statuses = false,
          .run = [options] { return print_list(*options); }};
}

}  // namespace twosphere
