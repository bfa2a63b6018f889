// SPDX-License-Identifier: GPL-3.0-or-later
// Completion of command lines in bash, zsh and fish, made from the records of the commands.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <set>
#include <string_view>
#include <utility>

#include "app/cli/subcommand.h"
#include "core/base/json.h"
#include "core/catalog.h"
#include "embedded/completion_scripts.h"

namespace twosphere {

namespace {

using Words = std::vector<std::string>;
using Commands = std::vector<Subcommand>;

/// The words offered for a value.
struct OfferedWords {
  enum class Kind {
    nothing,
    files,
    folders,
    words,     ///< one of these
    list,      ///< some of these, separated by commas
    settings,  ///< PATH=VALUE
  };
  Kind kind = Kind::nothing;
  Words words{};
};

/// Settings for --set and --axis: paths up to "=", for types with the types.
Words settings() {
  Words all{"title=", "duration=", "every=", "integrator.step="};
  for (const std::string& key : integrator_choices()) all.push_back("integrator.type=" + key);
  std::set<std::string> paths;
  for (const IntegratorInfo& info : integrators())
    for (const ParameterInfo& p : info.parameters)
      paths.insert(fmt::format("integrator.{}=", p.key));
  for (const SystemInfo& info : systems()) {
    all.push_back(fmt::format("system.type={}", info.key));
    for (const ParameterInfo& p : info.parameters) paths.insert(fmt::format("system.{}=", p.key));
  }
  all.insert(all.end(), paths.begin(), paths.end());
  return all;
}

OfferedWords offer(const SubcommandOption& option, const Commands& all) {
  const bool named = option.name.starts_with("-");
  const std::string& what = named ? option.value : option.name;
  if (!option.choices.empty())
    return {what == "LIST" ? OfferedWords::Kind::list : OfferedWords::Kind::words, option.choices};
  if (what == "FILE" || what == "SCENARIO") return {OfferedWords::Kind::files};
  if (what == "DIR") return {OfferedWords::Kind::folders};
  if (what.starts_with("PATH=")) return {OfferedWords::Kind::settings, settings()};
  OfferedWords offered;
  if (what != "COMMAND") return offered;
  offered.kind = OfferedWords::Kind::words;
  for (const Subcommand& command : all)
    if (!command.name.empty()) offered.words.push_back(command.name);
  return offered;
}

/// By OfferedWords::Kind, how each shell offers the words {}.
struct Shells {
  std::string_view bash, zsh, fish;
};
constexpr std::array<Shells, 6> shells{{
    {"return", " ", " -x"},
    {"_twosphere_paths -f", "_files", " -r -F"},
    {"_twosphere_paths -d", "_files -/", " -x -a '(__fish_complete_directories)'"},
    {"_twosphere_words '{}'", "({})", " -x -a '{}'"},
    {"_twosphere_list '{}'", "_sequence compadd - {}", " -x -a '(__fish_append , {})'"},
    {"_twosphere_settings '{}'", "_twosphere_settings", " -x -a '{}'"},
}};
std::string offered_in(std::string_view Shells::*shell, const OfferedWords& offered) {
  return fmt::format(fmt::runtime(shells[static_cast<std::size_t>(offered.kind)].*shell),
                     fmt::join(offered.words, " "));
}

bool is_argument(const SubcommandOption& option) { return !option.name.starts_with("-"); }
/// The one that stands for all further ones; null if there is none.
const SubcommandOption* last_argument(const Subcommand& command) {
  const auto last = std::find_if(command.options.rbegin(), command.options.rend(), is_argument);
  return last == command.options.rend() ? nullptr : &*last;
}
/// Whether the word after the option is its value, and not perhaps one.
bool needs_value(const SubcommandOption& option) {
  return !option.value.empty() && option.implied.empty();
}
bool is_repeated(const SubcommandOption& option) {
  return std::holds_alternative<std::vector<std::string>*>(option.target);
}
/// "-h,--help" as its parts.
Words names_of(const SubcommandOption& option) {
  const std::size_t comma = option.name.find(',');
  if (comma == std::string::npos) return {option.name};
  return {option.name.substr(0, comma), option.name.substr(comma + 1)};
}
/// The first clause of a help text.
std::string brief(const std::string& help) {
  return help.substr(0, std::min({help.find("; "), help.find(". "), help.find(": "), help.size()}));
}
/// In single quotes, which bash and zsh close for an apostrophe.
std::string quoted(std::string text) {
  for (std::size_t at = 0; (at = text.find('\'', at)) != std::string::npos; at += 4)
    text.replace(at, 1, "'\\''");
  return '\'' + text + '\'';
}

/// A script of resources/completion/ with texts in place of its marks, each of which stands there
/// once.
std::string filled_script(std::string_view name,
                          const std::vector<std::pair<std::string_view, std::string>>& texts) {
  const auto files = embedded::completion_scripts();
  std::string script(std::find_if(files.begin(), files.end(), [name](const embedded::File& file) {
                       return file.name == name;
                     })->text);
  for (const auto& [mark, text] : texts) script.replace(script.find(mark), mark.size(), text);
  return script;
}

// ---- bash ----

/// A case for each reply, with all patterns that have it.
std::string bash_cases(const std::map<std::string, Words>& replies) {
  std::string out;
  for (const auto& [reply, patterns] : replies)
    out += fmt::format("    {})\n      {} ;;\n", fmt::join(patterns, " | "), reply);
  return out;
}

std::string bash(const Commands& all) {
  std::map<std::string, Words> values, options, arguments, last_arguments;
  for (const Subcommand& command : all) {
    Words names;
    const SubcommandOption* last = last_argument(command);
    int position = 0;
    for (const SubcommandOption& option : command.options) {
      const std::string reply = offered_in(&Shells::bash, offer(option, all));
      if (&option == last) {
        last_arguments[reply].push_back(command.name + ":*");
        continue;
      }
      if (is_argument(option)) {
        arguments[reply].push_back(fmt::format("{}:{}", command.name, ++position));
        continue;
      }
      for (const std::string& name : names_of(option)) {
        names.push_back(name);
        if (needs_value(option)) values[reply].push_back(fmt::format("{}:{}", command.name, name));
      }
    }
    options[fmt::format("_twosphere_words '{}'", fmt::join(names, " "))].push_back(
        command.name.empty() ? "''" : command.name);
  }
  // The first word is a command, or else a scenario.
  Words names;
  for (const Subcommand& command : all)
    if (!command.name.empty()) names.push_back(command.name);
  return filled_script("twosphere.bash",
                       {{"@values@", bash_cases(values)},
                        {"@options@", bash_cases(options)},
                        {"@names@", fmt::format("{}", fmt::join(names, " "))},
                        {"@arguments@", bash_cases(arguments) + bash_cases(last_arguments)}});
}

// ---- zsh ----

/// The specifications of a command's options and arguments for _arguments.
std::string zsh_arguments(const Subcommand& command, const Commands& all) {
  std::string out;
  int position = 0;
  const SubcommandOption* last = last_argument(command);
  for (const SubcommandOption& option : command.options) {
    const std::string action = offered_in(&Shells::zsh, offer(option, all));
    std::string help;
    for (const char c : brief(option.help))
      help += (c == '[' || c == ']' ? "\\" : "") + std::string(1, c);
    if (is_argument(option)) {
      ++position;
      const std::string place =
          is_repeated(option) && &option == last ? "*" : std::to_string(position);
      out += " \\\n      " + quoted(fmt::format("{}:{}:{}", place, option.name, action));
      continue;
    }
    for (const std::string& name : names_of(option))
      out += " \\\n      " +
             quoted(option.value.empty()
                        ? fmt::format("{}[{}]", name, help)
                        : fmt::format("{}{}=[{}]{}:{}:{}", is_repeated(option) ? "*" : "", name,
                                      help, needs_value(option) ? "" : ":", option.value, action));
  }
  return out;
}

std::string zsh(const Commands& all) {
  std::string summaries, cases, program;
  for (const Subcommand& command : all) {
    if (command.name.empty()) {
      Subcommand alone = command;
      std::erase_if(alone.options, is_argument);
      program = zsh_arguments(alone, all);
      continue;
    }
    summaries += "    " + quoted(command.name + ':' + command.summary) + '\n';
    cases +=
        fmt::format("    {})\n      _arguments{} ;;\n", command.name, zsh_arguments(command, all));
  }
  return filled_script("twosphere.zsh",
                       {{"@settings@", fmt::format("{}", fmt::join(settings(), " "))},
                        {"@summaries@", summaries},
                        {"@program@", program},
                        {"@cases@", cases}});
}

// ---- fish ----

std::string fish(const Commands& all) {
  std::string out = filled_script("twosphere.fish", {});
  for (const Subcommand& command : all) {
    if (!command.name.empty())
      out += fmt::format("complete -c twosphere -n '__twosphere_argument \"\" -eq 1' -a {} -d {}\n",
                         command.name, quoted(command.summary));
    int position = command.name.empty() ? 0 : 1;
    const SubcommandOption* last = last_argument(command);
    for (const SubcommandOption& option : command.options) {
      const OfferedWords offered = offer(option, all);
      if (is_argument(option)) {
        ++position;
        std::string values = offered_in(&Shells::fish, offered);
        values = values.starts_with(" -r") ? " -F" : values.substr(3);  // an argument, not a value
        out += fmt::format("complete -c twosphere -n '__twosphere_argument \"{}\" {} {}'{}\n",
                           command.name, &option == last ? "-ge" : "-eq", position, values);
        continue;
      }
      out += fmt::format("complete -c twosphere -n '__twosphere_command \"{}\"'", command.name);
      for (const std::string& name : names_of(option))
        out += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      std::string help = brief(option.help);
      for (std::size_t at = 0; (at = help.find('\'', at)) != std::string::npos; at += 2)
        help.insert(at, 1, '\\');
      out +=
          (needs_value(option) ? offered_in(&Shells::fish, offered) : "") + " -d '" + help + "'\n";
    }
  }
  return out;
}

int print_completion(const std::string& shell) {
  const Commands all = all_commands();
  if (shell == "bash") return print(bash(all));
  if (shell == "zsh") return print(zsh(all));
  if (shell == "fish") return print(fish(all));
  throw misuse("completion", shell.empty()
                                 ? "the name of a shell is missing: bash, zsh or fish"
                                 : json::quote(shell) + " is not one of bash, zsh and fish");
}

}  // namespace

Subcommand completion_subcommand() {
  const auto shell = std::make_shared<std::string>();
  return {.name = "completion",
          .summary = "print a completion script for a shell",
          .options = {{"SHELL", "", "", shell.get(), {"bash", "zsh", "fish"}}},
          .run = [shell] { return print_completion(*shell); }};
}

}  // namespace twosphere
