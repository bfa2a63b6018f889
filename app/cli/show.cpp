// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <memory>

#include "app/cli/subcommand.h"
#include "core/base/json.h"
#include "core/catalog.h"
#include "core/scenario/as_text.h"
#include "core/scenario/writer.h"

namespace twosphere {

namespace {

struct ShowOptions {
  std::string name, preset;
  bool as_text = false;
};

/// A preset or a file, with its system as text.
int print_text(const std::string& name, bool preset) {
  std::vector<std::string> warnings;
  auto scenario = open_scenario(preset ? "" : name, preset ? name : "", warnings);
  print_messages(warnings);
  return print(write_scenario(must(as_text(must(std::move(scenario))))));
}

int print_scenario(const ShowOptions& options) {
  const bool named = options.preset.empty();
  const std::string& key = named ? options.name : options.preset;
  if (key.empty()) throw misuse("show", "the name of a preset is missing");
  if (!named && !options.name.empty())
    throw misuse("show", "PRESET and --preset cannot be given together");
  const Preset* preset = find_preset(key);
  if (options.as_text && (named || preset)) return print_text(key, preset != nullptr);
  if (preset) return print(std::string(preset->text));
  const std::vector<std::string> names = preset_keys();
  throw Failure({ErrorKind::usage, "show",
                 fmt::format("unknown preset {}{} (known presets: {})", json::quote(key),
                             did_you_mean(key, names), fmt::join(names, ", "))});
}

}  // namespace

Subcommand show_subcommand() {
  const auto options = std::make_shared<ShowOptions>();
  return {.name = "show",
          .summary = "print a preset as a scenario file",
          .options = {{"PRESET", "", "", &options->name, preset_keys()},
                      {"--preset", "NAME", "the same as PRESET, as in other commands",
                       &options->preset, preset_keys()},
                      {"--as-text", "",
                       "print a preset or a scenario with its system as text, of the type custom",
                       &options->as_text}},
          .run = [options] { return print_scenario(*options); }};
}

}  // namespace twosphere
