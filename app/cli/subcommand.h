// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "app/session/plan.h"

namespace twosphere {

/// An option of the command line, or an argument without a name, and where what is given goes.
struct SubcommandOption {
  std::string name;   ///< "--steps"; without a dash it is an argument, which help leaves out
  std::string value;  ///< what stands for the value in help: "N"; empty: none is taken
  std::string help;   ///< what it does, one sentence in lower case
  std::variant<bool*, std::string*, std::optional<std::string>*, std::vector<std::string>*> target;
};

/// A subcommand: one record, made beside the command itself. The parser, help and the list of
/// commands are made from it.
struct Subcommand {
  std::string name;     ///< "run"
  std::string summary;  ///< what the list of commands says of it
  std::string usage;    ///< how help begins: lines of usage, then what it does
  std::vector<SubcommandOption> options;
  std::string notes{};        ///< of help, behind the options: remarks and examples
  bool exit_statuses = true;  ///< whether help ends with what the exit statuses mean
  std::function<int()> run;   ///< once the options have their values; the exit status
};

/// The options that select the start, the same for every command that simulates. `verb` says what
/// is done to a preset.
std::vector<SubcommandOption> start_options(PlanOptions& plan, const std::string& verb);
/// --set, likewise.
SubcommandOption set_option(PlanOptions& plan);
/// An error if a plan names neither a scenario nor a preset, or both.
Result<void> check_start(const PlanOptions& plan, const std::string& command);

/// Wrong usage, with a hint at help.
Error misuse(std::string place, std::string message);
/// Writes to standard output; the exit status.
int print(const std::string& text);
/// "; did you mean run?", or nothing if none of the names is near.
std::string did_you_mean(std::string_view given, const std::vector<std::string>& names);

}  // namespace twosphere
