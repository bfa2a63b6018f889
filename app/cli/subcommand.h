// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "app/session/plan.h"

namespace twosphere {

/// An option or a positional argument, and the variable that receives its value.
struct SubcommandOption {
  std::string name;   ///< "--steps"; without a dash it is a positional argument, which help omits
  std::string value;  ///< placeholder of the value in help: "N"; empty: no value
  std::string help;   ///< description, a phrase in lower case
  std::variant<bool*, std::string*, std::optional<std::string>*, std::vector<std::string>*> target;
  std::vector<std::string> choices{};  ///< values that completion offers; with LIST, any of them
};

/// A subcommand: one record, defined in the file of the command. The parser, help and the list of
/// commands are made from it.
struct Subcommand {
  std::string name;     ///< "run"
  std::string summary;  ///< text in the list of commands
  std::string usage;    ///< start of the help: lines of usage, then the description
  std::vector<SubcommandOption> options;
  std::string notes{};       ///< help after the options: remarks and examples
  std::function<int()> run;  ///< called after parsing; returns the exit status
};

/// The commands as manual pages and completions tell of them: first the program itself, without a
/// name, then every subcommand.
std::vector<Subcommand> all_commands();
/// The exit status of every command: lines for help.
extern const char* const exit_statuses;
/// Presets of papers and of the type custom; integrators.
std::vector<std::string> preset_choices();
std::vector<std::string> integrator_choices();

/// The options that select the start, common to all commands that simulate. `verb` describes what
/// is done to a preset.
std::vector<SubcommandOption> start_options(PlanOptions& plan, const std::string& verb);
/// --set, likewise.
SubcommandOption set_option(PlanOptions& plan);
/// The options of a section and of the table of its points.
std::vector<SubcommandOption> section_options(PlanOptions& plan, std::string& points);
/// --signal, likewise.
SubcommandOption signal_option(PlanOptions& plan);
/// An error if a plan names neither a scenario nor a preset, or both.
Result<void> check_start(const PlanOptions& plan, const std::string& command);

/// An option that belongs to some kinds of a subcommand only, such as "order" of study.
struct OptionUse {
  const char* option;
  bool given;
  std::vector<std::string_view> kinds;
};
/// Fails if an option was given that does not belong to this kind.
Result<void> check_uses(std::string_view command, std::string_view kind,
                        std::initializer_list<OptionUse> uses);

/// An error of wrong usage, with a reference to help.
Error misuse(std::string location, std::string message);
/// Writes to standard output; returns the exit status.
int print(const std::string& text);
/// "; did you mean run?", or empty if no name is similar.
std::string did_you_mean(std::string_view given, const std::vector<std::string>& names);

}  // namespace twosphere
