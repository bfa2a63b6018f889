// SPDX-License-Identifier: GPL-3.0-or-later
// Manual pages in roff (man(7)), made from the records of the commands.
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <memory>
#include <system_error>

#include "app/cli/subcommand.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/base/version.h"

namespace twosphere {

namespace {

struct ManualOptions {
  std::string command, out;
};

/// The number and length of the character of UTF-8 at `at`.
std::pair<unsigned, std::size_t> character(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(at);
  const std::size_t length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  unsigned code = length == 1 ? first : first & (0x7FU >> length);
  for (std::size_t i = 1; i < length && at + i < text.size(); ++i)
    code = code << 6U | (byte(at + i) & 0x3FU);
  return {code, length};
}

/// Text as roff takes it: escapes, characters beyond ASCII by their numbers, and nothing that reads
/// as a request at the beginning. Dashes stay what they are, to be copied into a shell.
std::string escaped(std::string_view text) {
  std::string out;
  if (text.starts_with('.') || text.starts_with('\'')) out = "\\&";
  for (std::size_t at = 0; at < text.size();) {
    const auto [code, length] = character(text, at);
    const char c = text[at];
    if (length > 1)
      out += fmt::format("\\[u{:04X}]", code);
    else if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else if (c == '\'')
      out += "\\(aq";
    else
      out += c;
    at += length;
  }
  return out;
}

std::string bold(std::string_view text) { return "\\fB" + escaped(text) + "\\fR"; }
std::string italic(std::string_view text) { return "\\fI" + escaped(text) + "\\fR"; }

/// A paragraph, in lines as roff likes them.
std::string filled(std::string_view text) {
  std::string out;
  for (const std::string& line : split(wrapped(text, 0, 72), '\n')) out += escaped(line) + '\n';
  return out;
}

/// "twosphere-run", as the page is called; "twosphere run", as the command is.
std::string name_of(const Subcommand& command, char between) {
  return command.name.empty() ? "twosphere" : fmt::format("twosphere{}{}", between, command.name);
}

/// SYNOPSIS and DESCRIPTION, from the beginning of help: forms behind "Usage:" and "or:", with
/// further lines far to the right, and then text.
std::string usage(const Subcommand& command) {
  std::vector<std::string> forms;
  std::string description;
  for (const std::string& line : split(help_usage(command), '\n')) {
    const std::size_t text = std::min(line.find_first_not_of(' '), line.size());
    if (line.starts_with("Usage: ") || line.starts_with("   or: "))
      forms.push_back(line.substr(7));
    else if (text > 8)
      forms.back() += line.substr(text - 1);
    else if (!line.empty())
      description += escaped(line) + '\n';
  }
  std::string out = ".SH SYNOPSIS\n";
  const std::string name = name_of(command, ' ');
  for (const std::string& form : forms) {
    const std::string first = form.starts_with(name) ? name : "twosphere";
    out += fmt::format(".SY \"{}\"\n{}\n.YS\n", escaped(first),
                       escaped(form.substr(std::min(first.size() + 1, form.size()))));
  }
  return out + ".SH DESCRIPTION\n" + description;
}

/// An entry of a list: what it is about, and text.
std::string list_item(const std::string& label, std::string_view text) {
  return fmt::format(".TP\n{}\n{}", label, filled(text));
}

std::string options(const Subcommand& command) {
  std::string out = ".SH OPTIONS\n";
  for (const OptionGroup& group : option_groups(command)) {
    if (group.heading != "Options") out += fmt::format(".SS {}\n", escaped(group.heading));
    for (const SubcommandOption& option : group.options) {
      std::string label = joined(split(option.name, ','), ", ", bold);
      if (!option.value.empty() && option.implied.empty()) label += "=" + italic(option.value);
      if (!option.implied.empty()) label += "[=" + italic(option.value) + "]";
      out += list_item(label, option.help);
    }
  }
  return out;
}

/// Remarks and examples: paragraphs between empty lines; lines that are indented stand as they are.
std::string notes(const Subcommand& command) {
  std::string out;
  bool begun = false, paragraph = false, code = false;
  const auto set_code = [&](bool wanted) {
    if (code != wanted) out += wanted ? ".EX\n" : ".EE\n";
    code = wanted;
  };
  for (const std::string& line : split(help_notes(command), '\n')) {
    set_code(line.starts_with("  "));
    if (line == "Examples:") {
      out += ".SH EXAMPLES\n";
      begun = true;
    } else if (!line.empty()) {
      if (!begun) out += ".SH NOTES\n";
      if (begun && !paragraph && !code) out += ".PP\n";
      out += escaped(line) + '\n';
      begun = true;
    }
    paragraph = !line.empty();
  }
  set_code(false);
  return out;
}

/// "Exit status: 0 success; 1 a check failed; …".
std::string exit_status() {
  std::string list = exit_statuses, out = ".SH EXIT STATUS\n";
  std::replace(list.begin(), list.end(), '\n', ' ');
  list = list.substr(list.find(':') + 2);
  for (const std::string& item : split(list.substr(0, list.rfind('.')), ';')) {
    const std::size_t number = item.find_first_not_of(' '), text = item.find(' ', number) + 1;
    out += list_item(bold(item.substr(number, text - 1 - number)), item.substr(text));
  }
  return out;
}

/// The list of commands that only the page of the program has.
std::string overview(const std::vector<Subcommand>& all) {
  std::string out = ".SH COMMANDS\n";
  for (const Subcommand& command : all)
    if (!command.name.empty())
      out += list_item(bold(name_of(command, '-')) + "(1)", command.summary);
  return out;
}
/// The forms of a command, with their descriptions.
std::string form_list(const Subcommand& command) {
  if (command.forms.empty()) return {};
  std::string out = ".SH COMMANDS\n";
  for (const Subcommand& form : command.forms) {
    std::string description;
    for (const std::string& line : split(form.usage, '\n'))
      if (!line.empty() && !line.starts_with("Usage: ") && !line.starts_with(' '))
        description += (description.empty() ? "" : " ") + line;
    out += list_item(bold(form.name), description);
  }
  return out;
}
std::string environment() {
  return ".SH ENVIRONMENT\n" +
         list_item(bold("TWOSPHERE_ISA"),
                   "The instruction set level to use, for example avx2 or sse2 on x86-64. The same "
                   "level gives the same bytes on every machine.") +
         list_item(bold("TWOSPHERE_BACK_END"),
                   "How systems of the type custom are evaluated: tape or llvm. The results are "
                   "equal bit for bit.") +
         ".SH FILES\n" +
         filled(
             "Scenarios are JSON files; twosphere show prints one. Settings, recovered sessions "
             "and your own presets are in the XDG directories.");
}

std::string see_also(const std::vector<Subcommand>& all, const Subcommand& command) {
  std::string list;
  for (const Subcommand& other : all) {
    if (other.name == command.name) continue;
    list += (list.empty() ? "" : ",\n") + fmt::format(".BR {} (1)", escaped(name_of(other, '-')));
  }
  return ".SH SEE ALSO\n" + list + '\n';
}

/// The day of the build if that is given, for pages that are the same bytes; else today.
std::string date() {
  std::time_t seconds = std::time(nullptr);
  if (const char* epoch = std::getenv("SOURCE_DATE_EPOCH"))
    seconds = static_cast<std::time_t>(std::strtoll(epoch, nullptr, 10));
  return fmt::format("{:%Y-%m-%d}", fmt::gmtime(seconds));
}

std::string page(const std::vector<Subcommand>& all, const Subcommand& command) {
  std::string title = name_of(command, '-');
  std::transform(title.begin(), title.end(), title.begin(), [](char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  });
  const bool program = command.name.empty();
  return fmt::format(
             ".\\\" SPDX-License-Identifier: GPL-3.0-or-later\n"
             ".TH \"{}\" 1 {} \"twosphere {}\" \"User Commands\"\n"
             ".SH NAME\n{} \\- {}\n",
             escaped(title), date(), version, escaped(name_of(command, '-')),
             escaped(command.summary)) +
         usage(command) + (program ? overview(all) : form_list(command)) + options(command) +
         notes(command) + (program ? environment() : "") + exit_status() + see_also(all, command);
}

int print_manual(const ManualOptions& options) {
  const std::vector<Subcommand> all = all_commands();
  if (options.out.empty()) {
    std::vector<std::string> names;
    for (const Subcommand& command : all) {
      if (command.name == options.command) return print(page(all, command));
      names.push_back(command.name);
    }
    throw misuse("manual", fmt::format("unknown command {}{}", json::quote(options.command),
                                       did_you_mean(options.command, names)));
  }
  if (!options.command.empty())
    throw misuse("--out", "writes the pages of all commands; none is named then");
  std::error_code error;
  std::filesystem::create_directories(options.out, error);
  if (error) throw Failure({ErrorKind::input_output, options.out, error.message()});
  for (const Subcommand& command : all)
    must(
        write_file(fmt::format("{}/{}.1", options.out, name_of(command, '-')), page(all, command)));
  return 0;
}

}  // namespace

Subcommand manual_subcommand() {
  const auto options = std::make_shared<ManualOptions>();
  return {.name = "manual",
          .summary = "print manual pages",
          .options = {{"COMMAND", "", "", &options->command},
                      {"--out", "DIR", "write the pages of all commands to this folder",
                       &options->out}},
          .run = [options] { return print_manual(*options); }};
}

}  // namespace twosphere
