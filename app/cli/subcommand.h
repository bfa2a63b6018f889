// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "app/session/plan.h"
#include "core/base/exceptions.h"
#include "core/scenario/poincare_section.h"

namespace twosphere {

/// An option or a positional argument, and the variable that receives its value.
struct SubcommandOption {
  std::string name;   ///< "--steps"; without a dash it is a positional argument, which help omits
  std::string value;  ///< placeholder of the value in help: "N"; empty: no value
  std::string help;   ///< description, a phrase in lower case
  std::variant<bool*, std::string*, std::optional<std::string>*, std::vector<std::string>*> target;
  std::vector<std::string> choices{};  ///< values that completion offers; with LIST, any of them
  std::vector<std::string> forms{};    ///< forms of the command that have it; empty: all
  std::string implied{};  ///< value of an option given without one; empty: it must have one
  bool several = false;   ///< an option that may be repeated takes values separated by commas, too
};

/// A subcommand: one record, defined in the file of the command. The parser, help and the list of
/// commands are made from it, help also from the texts in resources/commands/.
///
/// What a command cannot do it throws as a Failure, as do the functions in this folder that say
/// that they fail. command_line() reports it and returns the exit status of its kind.
struct Subcommand {
  std::string name;     ///< "run"
  std::string summary;  ///< text in the list of commands
  /// The help before and after the options, from resources/commands/: lines of usage and the
  /// description, remarks and examples.
  std::string usage{}, notes{};
  std::vector<SubcommandOption> options;
  std::function<int()> run;  ///< called after parsing; returns the exit status
  /// The forms among which the first argument chooses, such as "order" of study. They have no
  /// options of their own. A command with forms has the description alone as usage, and no run.
  std::vector<Subcommand> forms{};
};

/// The commands for manual pages and completion: first the program itself, without a name, then
/// every subcommand.
std::vector<Subcommand> all_commands();
/// The start of the help, with the lines of usage of all forms.
std::string help_usage(const Subcommand& command);
/// The end of the help, with the remarks and the examples of all forms.
std::string help_notes(const Subcommand& command);
/// The options that help shows under one heading: those of the same forms.
struct OptionGroup {
  std::string heading;
  std::vector<SubcommandOption> options;
};
/// The options of a command in groups, first those of all forms. With a form, one group of all
/// that it has.
std::vector<OptionGroup> option_groups(const Subcommand& command, const Subcommand* form = nullptr);
/// The exit status of every command: lines for help.
extern const char* const exit_statuses;
std::vector<std::string> integrator_choices();

/// Appends options that these forms of a command have; without any, all forms.
void append(std::vector<SubcommandOption>& list, std::vector<SubcommandOption> options,
            const std::vector<std::string>& forms = {});
/// The first argument of a command with forms.
SubcommandOption form_argument(std::string& chosen, const std::vector<Subcommand>& forms);

/// The options that select the start, common to all commands that simulate. `verb` describes what
/// is done to a preset.
std::vector<SubcommandOption> start_options(PlanOptions& plan, const std::string& verb);
/// The option --set.
SubcommandOption set_option(PlanOptions& plan);
/// The options of a section and of the table of its points.
std::vector<SubcommandOption> section_options(PlanOptions& plan, std::string& points);
/// The section of a scenario, or the default one, with a note unless `quiet`.
PoincareSection section_or_default(const Scenario& scenario, bool quiet);
/// The option --signal.
SubcommandOption signal_option(PlanOptions& plan);
/// --wall-time, of commands whose work so far is kept when they end early.
SubcommandOption wall_time_option(std::optional<std::string>& seconds);
/// Its time begins, if it was given.
void begin_wall_time(const std::optional<std::string>& seconds);
/// Reads an option, if it was given, by number() or count().
template <class Number>
void read_number(const std::optional<std::string>& given, const char* option, std::string_view unit,
                 Number& to) {
  if (given) to = number(*given, option, unit);
}
template <class Whole>
void read_count(const std::optional<std::string>& given, const char* option, int bits, Whole& to,
                int min_value = 1) {
  if (given) to = static_cast<Whole>(count(*given, option, bits, min_value));
}
/// plan_run(); prints its warnings and, if wanted, its notes.
PlannedRun planned_run(const PlanOptions& plan, bool with_notes = false);
/// Fails if a plan names neither a scenario nor a preset, or both.
void check_start(const PlanOptions& plan, const std::string& command);

/// The form that was chosen by its name. Fails if there is none, or if an option was given that it
/// does not have.
const Subcommand& chosen_form(const Subcommand& command, const std::string& name);

/// To be thrown: an error of wrong usage, with a reference to help.
Failure misuse(std::string location, std::string message);
/// Makes the error of a call one of wrong usage of `option`; for must().
inline auto misuse_of(const char* option) {
  return [option](const Error& error) { return misuse(option, error.message); };
}
/// Makes an error whose place is one of these options that of the option, with its dashes; for
/// must().
inline auto of_options(std::vector<std::string_view> names) {
  return [names = std::move(names)](Error error) {
    if (std::find(names.begin(), names.end(), error.location) != names.end())
      error.location.insert(0, "--");
    return error;
  };
}
/// Makes these errors refer to the help of a command, "run", or of a form, "study order".
void refer_to_help_of(const std::string& command);
/// Writes to standard output; returns 0, the exit status. Fails if it cannot be written.
int print(const std::string& text);
/// "; did you mean run?", or empty if no name is similar.
std::string did_you_mean(std::string_view given, const std::vector<std::string>& names);

}  // namespace twosphere
