// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command_line.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cassert>
#include <csignal>
#include <exception>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "app/base/signals.h"
#include "app/cli/subcommand.h"
#include "app/cli/window_module.h"
#include "core/base/build.h"
#include "core/base/comma_list.h"
#include "core/base/edit_distance.h"
#include "core/base/exceptions.h"
#include "core/base/simd_level.h"
#include "core/base/text.h"
#include "core/base/version.h"
#include "core/catalog.h"
#include "core/program/back_end.h"
#include "core/tours/tour.h"
#include "embedded/command_files.h"

// The list of subcommands. Each is one file in this folder and one line here.
#define TWOSPHERE_SUBCOMMANDS(ENTRY) \
  ENTRY(list)                        \
  ENTRY(show)                        \
  ENTRY(schema)                      \
  ENTRY(check)                       \
  ENTRY(run)                         \
  ENTRY(render)                      \
  ENTRY(verify)                      \
  ENTRY(reproduce)                   \
  ENTRY(study)                       \
  ENTRY(modes)                       \
  ENTRY(orbits)                      \
  ENTRY(sweep)                       \
  ENTRY(manual)                      \
  ENTRY(completion)

namespace twosphere {

#define TWOSPHERE_DECLARE(name) Subcommand name##_subcommand();
TWOSPHERE_SUBCOMMANDS(TWOSPHERE_DECLARE)
#undef TWOSPHERE_DECLARE

namespace {

using Names = std::vector<std::string>;

/// "  -x, --long=VALUE   what it does", one entry per option or command.
std::string entry(const std::string& label, const std::string& help) {
  constexpr std::size_t column = 26, width = 80;
  std::string out = "  " + label;
  if (out.size() + 2 > column)
    out.append(1, '\n').append(column, ' ');
  else
    out.append(column - out.size(), ' ');
  return out + wrapped(help, column, width) + '\n';
}

/// "-h, --help", "    --steps=N".
std::string label(const SubcommandOption& option) {
  std::string out = option.name;
  if (const std::size_t comma = out.find(','); comma != std::string::npos)
    out.insert(comma + 1, 1, ' ');
  else
    out.insert(0, 4, ' ');
  if (option.value.empty()) return out;
  return option.implied.empty() ? out + '=' + option.value
                                : fmt::format("{}[={}]", out, option.value);
}

int print_version() {
  return print(fmt::format(
      "twosphere {}\n"
      "Instruction set: {}\n"
      "Back end of custom systems: {}\n"
      "Libraries: {}, CLI11 {}, Qt {}, Dear ImGui {}\n"
      "Revision: {}\n"
      "Compiler: {}\n"
      "Licence: GPL-3.0-or-later <https://www.gnu.org/licenses/gpl-3.0.html>\n"
      "This is free software; there is no warranty, to the extent permitted by law.\n",
      version, isa_level(), custom::describe_back_end(), core_libraries(), CLI11_VERSION,
      TWOSPHERE_QT, TWOSPHERE_IMGUI,
      revision().empty() ? "unknown: not built from a git checkout" : revision(), compiler));
}

Names tour_choices() { return texts_of(tour_entries(), &TourEntry::name); }

/// The program without a subcommand.
struct WindowCommand {
  bool version = false, present = false;
  std::string scenario, preset, tour;

  Subcommand record() {
    return {.name = "",
            .summary = "simulate and display mechanics on products of two-spheres",
            .options = {{"--version", "",
                         "print version, instruction set, libraries, revision, compiler and "
                         "licence, and exit",
                         &version},
                        {"SCENARIO", "", "", &scenario},
                        {"--preset", "NAME", "open this preset (see twosphere list)", &preset,
                         preset_keys()},
                        {"--tour", "NAME",
                         fmt::format("begin this tour, or the one in this file; there are {}",
                                     fmt::join(tour_choices(), ", ")),
                         &tour, tour_choices()},
                        {"--present", "",
                         "open it as a presentation, on the full screen, which runs in a loop",
                         &present}},
            .run = {}};
  }
};

/// The command with the texts of its help, resources/commands/NAME.help: the beginning, then a line
/// OPTIONS, then remarks and examples. The file of a form is COMMAND-FORM.help.
Subcommand with_texts(Subcommand command, const std::string& file) {
  const auto files = embedded::command_files();
  const auto found = std::find_if(files.begin(), files.end(), [&](const embedded::File& f) {
    return f.name == file + ".help";
  });
  assert(found != files.end());
  constexpr std::string_view options = "\nOPTIONS\n";
  const std::size_t at = found->text.find(options);
  command.usage = found->text.substr(0, at == std::string_view::npos ? at : at + 1);
  if (at != std::string_view::npos) command.notes = found->text.substr(at + options.size());
  for (Subcommand& form : command.forms) form = with_texts(form, file + '-' + form.name);
  return command;
}

constexpr const char* help_flag = "-h,--help";
constexpr const char* help_text = "show this help and exit";

std::vector<Subcommand> subcommands() {
#define TWOSPHERE_CALL(name) with_texts(name##_subcommand(), #name),
  return {TWOSPHERE_SUBCOMMANDS(TWOSPHERE_CALL)};
#undef TWOSPHERE_CALL
}

/// The command with the option --help, which the parser has of its own.
Subcommand with_help(Subcommand command) {
  static bool help;
  command.options.insert(command.options.begin(), {help_flag, "", help_text, &help});
  return command;
}

/// The complete command-line grammar.
struct Grammar {
  CLI::App app{"Simulates and displays mechanics on products of two-spheres.", "twosphere"};
  const std::vector<Subcommand> commands = subcommands();
  WindowCommand window;
  const Subcommand window_record = with_texts(window.record(), "twosphere");

  Grammar() {
    app.set_help_flag(help_flag, help_text);
    app.require_subcommand(0, 1);  // in "sweep run" the second word is an argument
    add(app, window_record.options);
    for (const Subcommand& command : commands)
      add(*app.add_subcommand(command.name, command.summary), command.options);
  }
  Grammar(const Grammar&) = delete;
  Grammar& operator=(const Grammar&) = delete;

  static void add(CLI::App& to, const std::vector<SubcommandOption>& options) {
    const auto add_option = [&to](const SubcommandOption& o, auto* target) {
      if (!o.name.starts_with("-")) {
        to.add_option(o.name, *target)->group("");
        return;
      }
      auto* option =
          to.add_option(o.name, *target, o.help)
              ->type_name(o.value)
              ->allow_extra_args(false)
              ->check([](const std::string& given) { return given.empty() ? "missing" : ""; }, "");
      if (!o.implied.empty()) option->expected(0, 1)->default_str(o.implied);
      if (o.several) option->delimiter(',');
    };
    for (const SubcommandOption& option : options)
      if (bool* const* flag = std::get_if<bool*>(&option.target))
        to.add_flag(option.name, **flag, option.help);
      else
        std::visit([&](auto* target) { add_option(option, target); }, option.target);
    to.allow_extras();
  }

  /// The parser of the subcommand that was given; null if there is none.
  const CLI::App* parsed() const {
    const auto all = app.get_subcommands();
    return all.empty() ? nullptr : all.front();
  }
  /// The subcommand that was given; null if there is none.
  const Subcommand* command() const {
    const CLI::App* given = parsed();
    for (const Subcommand& c : commands)
      if (given && given->get_name() == c.name) return &c;
    return nullptr;
  }

  /// The word that chooses the form of a command with forms; empty if there is none.
  std::string form_name() const {
    const Subcommand* given = command();
    if (!given || given->forms.empty()) return {};
    const Names words = parsed()->get_option(given->options.front().name)->results();
    return words.empty() ? "" : words.front();
  }
  /// The form that was given; null if there is none.
  const Subcommand* form() const {
    if (const Subcommand* given = command())
      for (const Subcommand& f : given->forms)
        if (f.name == form_name()) return &f;
    return nullptr;
  }
  /// "study order", as far as it was given; empty without a command.
  std::string words() const {
    const Subcommand *given = command(), *part = form();
    return given ? given->name + (part ? ' ' + part->name : "") : "";
  }

  std::string help() const {
    const Subcommand *given = command(), *part = form();
    const Subcommand whole = with_help(given ? *given : window_record);
    const Subcommand& shown = part ? *part : whole;
    std::string out = help_usage(shown);
    if (const auto& listed = given ? shown.forms : commands; !listed.empty()) {
      out += "\nCommands:\n";
      for (const Subcommand& c : listed) out += entry(c.name, c.summary);
    }
    for (const OptionGroup& group : option_groups(whole, part)) {
      out += fmt::format("\n{}:\n", group.heading);
      for (const SubcommandOption& option : group.options) out += entry(label(option), option.help);
    }
    return out + help_notes(shown) + '\n' + exit_statuses;
  }
};

Names option_names(const CLI::App& of) {
  Names names;
  for (const CLI::Option* option : of.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

/// The names that other programs and commands give an option of ours.
struct OptionAlias {
  std::string_view theirs, ours;
};
constexpr std::array<OptionAlias, 8> option_aliases{{{"--to", "--duration"},
                                                     {"--until", "--duration"},
                                                     {"--time", "--duration"},
                                                     {"--end", "--duration"},
                                                     {"--dt", "--step"},
                                                     {"--method", "--integrator"},
                                                     {"--output", "--csv"},
                                                     {"--out", "--csv"}}};

/// "; did you mean --duration?", or empty if no option of a command is meant by this one.
std::string meant_option(std::string_view given, const CLI::App& of) {
  const Names names = option_names(of);
  for (const OptionAlias& alias : option_aliases)
    if (alias.theirs == given && std::find(names.begin(), names.end(), alias.ours) != names.end())
      return fmt::format("; did you mean {}?", alias.ours);
  return did_you_mean(given, names);
}

/// Converts an error of the parser to the form "--option: message".
Failure parse_error(const CLI::ParseError& error) {
  const std::string what = error.what();
  const auto colon = what.find(": ");
  if (colon == std::string::npos) return misuse("", what);
  const std::string location = what.substr(0, colon), message = what.substr(colon + 2);
  if (message.ends_with("missing")) return misuse(location, "a value is missing");
  if (message.find("received") != std::string::npos)
    return misuse(location, "can be given only once");
  return misuse(location, message);
}

/// That a scenario which is no file is not a misspelt command either.
void check_scenario(const Grammar& grammar) {
  const std::string& path = grammar.window.scenario;
  if (path.empty() || path.find_first_of("./") != std::string::npos ||
      ::access(path.c_str(), F_OK) == 0)
    return;
  const Names names = texts_of(grammar.commands, &Subcommand::name);
  if (std::ranges::find(names, path) != names.end())
    throw misuse(path, "a command must come first");
  if (nearest(path, names).empty()) return;
  throw misuse(path, "is neither a file nor a command" + did_you_mean(path, names));
}

/// Rejects an option with nothing after its "=", whose value the parser takes from the next
/// argument, a value of an option that has none, and nothing beside a comma of a list, which the
/// parser leaves out.
void check_values(int argc, char** argv, const Grammar& grammar) {
  std::set<std::string, std::less<>> lists, flags;
  const Subcommand* command = grammar.command();
  for (const SubcommandOption& option : (command ? *command : grammar.window_record).options) {
    if (option.several) lists.insert(option.name);
    if (std::holds_alternative<bool*>(option.target)) flags.insert(option.name);
  }
  for (int i = 1; i < argc && std::string_view(argv[i]) != "--"; ++i) {
    const std::string_view given = argv[i], name = given.substr(0, given.find('='));
    if (given != name && flags.find(name) != flags.end())
      throw misuse(std::string(name), "takes no value");
    if (name.starts_with("--") && given.size() == name.size() + 1)
      throw misuse(std::string(name), "a value is missing");
    if (lists.find(name) == lists.end()) continue;
    const std::string list = given != name  ? std::string(given.substr(name.size() + 1))
                             : i + 1 < argc ? argv[i + 1]
                                            : "";
    if (list.empty()) continue;
    if (const auto members = comma_list(list); !members)
      throw misuse(std::string(name), members.error().message);
  }
}

/// Rejects an option after "--", where there are only names of files.
void check_end(int argc, char** argv, const CLI::App& of) {
  const Names names = option_names(of);
  const char* const* last = argv + argc;
  for (const char* const* at = std::find(argv + 1, argv + argc, std::string_view("--")); at < last;
       ++at) {
    const std::string_view given = *at, name = given.substr(0, given.find('='));
    if (std::find(names.begin(), names.end(), name) != names.end() && ::access(*at, F_OK) != 0)
      throw misuse(std::string(name), "is no option after --, which ends the options");
  }
}

/// Rejects unknown arguments, and a scenario or a preset before a subcommand.
void check_arguments(int argc, char** argv, const Grammar& grammar) {
  const CLI::App* command = grammar.parsed();
  check_end(argc, argv, command ? *command : grammar.app);
  for (const CLI::App* app : {&std::as_const(grammar.app), command}) {
    if (!app) continue;
    Names extras = app->remaining();
    std::erase(extras, "--");  // "--" only ends the options
    for (const std::string& extra : extras) {
      const std::string name = extra.substr(0, extra.find('='));
      if (name.starts_with("-") && name.size() > 1)
        throw misuse(name, "unknown option" + meant_option(name, command ? *command : *app));
    }
    if (extras.empty()) continue;
    check_scenario(grammar);
    throw misuse(extras.front(), "unexpected argument");
  }
  if (!command) return;
  if (!grammar.window.scenario.empty())
    throw misuse(grammar.window.scenario, "a command must come first");
  if (grammar.window.present) throw misuse("--present", "is of the window, without a command");
  if (!grammar.window.preset.empty())
    throw misuse("--preset", fmt::format("must come after {}", command->get_name()));
  if (!grammar.window.tour.empty()) throw misuse("--tour", "opens the window, without a command");
}

int run_without_command(int argc, char** argv, const Grammar& grammar) {
  const std::string &path = grammar.window.scenario, &preset = grammar.window.preset;
  check_scenario(grammar);
  if (!path.empty() && !preset.empty())
    throw misuse("--preset", "a scenario and a preset cannot be given together");
  const std::string& tour = grammar.window.tour;
  if (!tour.empty() && !(path.empty() && preset.empty()))
    throw misuse("--tour", "a tour opens its own preset; give no other scenario");
  WindowOptions options{.scenario_path = path,
                        .tour = tour,
                        .named = !path.empty() || !preset.empty() || !tour.empty()};
  if (!preset.empty()) options.preset = preset;
  options.present = grammar.window.present;
  return open_window(argc, argv, options);
}

}  // namespace

const char* const exit_statuses =
    "Exit status: 0 success; 1 a check failed; 2 invalid usage or invalid scenario;\n"
    "3 a step failed; 4 a file could not be read or written; 70 internal error;\n"
    "128+N after signal N: 130 after Ctrl-C, 143 after SIGTERM.\n";

std::vector<Subcommand> all_commands() {
  static WindowCommand window;
  std::vector<Subcommand> all{with_help(with_texts(window.record(), "twosphere"))};
  for (Subcommand& command : subcommands()) all.push_back(with_help(std::move(command)));
  return all;
}

int command_line(int argc, char** argv) try {
  // Report a closed pipe and the file size limit as errors of writing.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  end_at_signals();
  Grammar grammar;
  try {
    grammar.app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    return print(grammar.help());
  } catch (const CLI::ParseError& error) {
    refer_to_help_of(grammar.words());
    check_values(argc, argv, grammar);
    throw parse_error(error);
  }
  refer_to_help_of(grammar.words());
  must(force_isa_from_environment());
  must(custom::force_back_end_from_environment());
  if (grammar.window.version) return print_version();
  check_arguments(argc, argv, grammar);
  check_values(argc, argv, grammar);
  const Subcommand* command = grammar.command();
  if (!command) return run_without_command(argc, argv, grammar);
  if (command->forms.empty()) return command->run();
  return chosen_form(*command, grammar.form_name()).run();
} catch (const std::exception& thrown) {
  return report_error(from_exception(thrown));
}

}  // namespace twosphere
