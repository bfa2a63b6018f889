// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <memory>

#include "app/cli/subcommand.h"
#include "core/base/json.h"
#include "core/catalog.h"

namespace twosphere {

namespace {

int print_preset(const std::string& key) {
  if (key.empty()) return report_error(misuse("show", "the name of a preset is missing"));
  if (const Preset* preset = find_preset(key)) return print(std::string(preset->text));
  const std::vector<std::string> names = preset_keys();
  return report_error({ErrorKind::usage, "show",
                       fmt::format("unknown preset {}{} (known presets: {})", json::quote(key),
                                   did_you_mean(key, names), fmt::join(names, ", "))});
}

}  // namespace

Subcommand show_subcommand() {
  const auto preset = std::make_shared<std::string>();
  return {.name = "show",
          .summary = "print a preset as a scenario file",
          .usage =
              "Usage: twosphere show PRESET\n"
              "Prints a preset as a scenario file that can be edited and run.\n",
          .options = {{"PRESET", "", "", preset.get()}},
          .exit_statuses = false,
          .run = [preset] { return print_preset(*preset); }};
}

}  // namespace twosphere
