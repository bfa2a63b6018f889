// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/run_command.h"

#include <fmt/format.h>

#include <optional>
#include <string_view>
#include <vector>

#include "app/session/plan.h"
#include "core/catalog.h"
#include "core/scenario/live_edit.h"
#include "core/scenario/schedule.h"
#include "core/scenario/writer.h"

namespace twosphere {

namespace {

/// The part of the scenario that defines the motion and its rows; duration and stride are compared
/// separately.
std::string motion(Scenario scenario, const Scenario& like) {
  scenario.duration = like.duration;
  scenario.every = like.every;
  return write_scenario(scenario);
}

/// A value on one line: strings without quotes unless JSON would parse them as something else.
std::string value_text(const json::Node& value) {
  if (value.kind == json::Kind::string) {
    const auto read = json::parse_value(value.text);
    if (read && read->kind == json::Kind::string && read->text == value.text) return value.text;
  }
  std::string out;
  for (const char c : json::write(value))
    if (c != '\n') out += c;
  return out;
}

std::string line(const PlanOptions& options) {
  std::vector<std::string> words;
  if (options.preset.empty())
    words = {options.scenario};
  else
    words = {"--preset", options.preset};
  if (!options.branch.empty()) words.insert(words.end(), {"--branch", options.branch});
  for (const std::string& set : options.set) words.insert(words.end(), {"--set", set});
  if (options.steps) words.insert(words.end(), {"--steps", *options.steps});
  if (options.every) words.insert(words.end(), {"--every", *options.every});
  std::string out = "twosphere run";
  for (const std::string& word : words) out += ' ' + shell_quoted(word);
  return out;
}

/// The command, if these options and settings reproduce this run.
std::optional<std::string> attempt(const RepeatableRun& run, PlanOptions options) {
  std::vector<std::string> warnings, notes;
  const auto source = open_record(options, warnings);
  if (!source || source->system != run.record.system ||
      source->lanes.size() != run.record.lanes.size())
    return {};
  for (const Setting& setting : differences(*source, run.record))
    if (setting.path != "every")
      options.set.push_back(setting.path.text() + '=' + value_text(setting.value));
  const auto planned = plan_run(options, warnings, notes);
  if (!planned || motion(planned->simulation.record(), run.record) != write_scenario(run.record))
    return {};
  return line(options);
}

}  // namespace

std::string shell_quoted(const std::string& word) {
  constexpr std::string_view plain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./=:,+-@%";
  if (!word.empty() && word.find_first_not_of(plain) == word.npos) return word;
  std::string out = "'";
  for (const char c : word) c == '\'' ? out += "'\\''" : out += c;
  return out + '\'';
}

Result<std::string> run_command(const RepeatableRun& run) {
  PlanOptions options;
  if (run.steps > 0) options.steps = fmt::format("{}", run.steps);
  // --steps would change the stride.
  if (!stride_changes(run.record.events))
    options.every = fmt::format("{}", base_stride(run.record));
  if (!run.path.empty()) {
    options.scenario = run.path;
    if (auto line = attempt(run, options)) return *line;
    std::vector<std::string> warnings;
    if (const auto file = open_scenario(run.path, "", warnings))
      for (const BranchSpec& branch : file->branches) {
        options.branch = branch.name;
        if (auto line = attempt(run, options)) return *line;
      }
    options.scenario.clear();
    options.branch.clear();
  }
  for (const Preset& preset : presets()) {
    options.preset = preset.key;
    if (auto line = attempt(run, options)) return *line;
  }
  return Error{ErrorKind::usage, "",
               run.record.events.empty()
                   ? "The run does not correspond to a preset or to a saved file."
                   : "Settings were changed during the run; these changes are stored as events in "
                     "a scenario file."};
}

}  // namespace twosphere
