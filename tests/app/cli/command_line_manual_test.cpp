// SPDX-License-Identifier: GPL-3.0-or-later
// Manual pages and completions know every option of every command, as help prints them, and what
// reads them does: man, bash, zsh and fish, where they are installed.
#include <fmt/format.h>

#include <cstdlib>
#include <regex>
#include <set>

#include "app/cli/subcommand.h"
#include "core/base/text.h"
#include "core/catalog.h"
#include "tests/app/cli/run_program.h"
#include "tests/outcome.h"

namespace twosphere::command_line_manual_test {
namespace {

using Names = std::set<std::string>;

bool installed(const std::string& program) {
  return std::system(fmt::format("command -v {} >/dev/null", program).c_str()) == 0;
}

class Manual : public CommandLine {
 protected:
  /// The options in the help of a command.
  Names options(const std::string& command) {
    static const std::regex option(R"(^  (?:-\w, |    )(--[a-z-]+).*)");
    Names names;
    const Words words = command.empty() ? Words{"--help"} : Words{command, "--help"};
    for (const std::string& line : lines(run(words).out))
      if (std::smatch match; std::regex_match(line, match, option)) names.insert(match[1]);
    EXPECT_TRUE(names.contains("--help"));
    return names;
  }
  /// The commands in the help of the program, and "" for the program itself.
  Words commands() {
    static const std::regex entry(R"(^  ([a-z]+)  +\S.*)");
    Words names{""};
    for (const std::string& line : lines(run({"--help"}).out))
      if (std::smatch match; std::regex_match(line, match, entry)) names.push_back(match[1]);
    EXPECT_GE(names.size(), 12U);
    return names;
  }
  std::string page(const std::string& command) {
    const Outcome printed = succeed(command.empty() ? Words{"manual"} : Words{"manual", command});
    return printed.out;
  }
  /// Standard output of a shell command in the folder of the test, and nothing on standard error.
  std::string shell(const std::string& line) {
    const std::string all =
        fmt::format("cd '{}' && {{ {}; }} >.shell 2>.complaints", folder_.path().string(), line);
    EXPECT_EQ(std::system(all.c_str()), 0) << line << '\n' << text(".complaints");
    EXPECT_EQ(text(".complaints"), "") << line;
    return text(".shell");
  }
  void keep(const std::string& name, const std::string& content) {
    ASSERT_TRUE(write_file(in(name), content));
  }

  /// What a shell offers for a line.
  std::string bash(const std::string& line) {
    return shell(
        fmt::format("bash -c 'source ./script; COMP_LINE=$1 COMP_POINT=${{#1}}; _twosphere; "
                    "printf \"%s\\n\" \"${{COMPREPLY[@]}}\"' - '{}'",
                    line));
  }
  std::string fish(const std::string& line) {
    return shell(
        fmt::format("HOME=$PWD fish -c \"source ./script; complete -C'{}'\" | cut -f 1", line));
  }
};

Names set_of(const std::string& text) {
  const Words all = lines(text);
  return {all.begin(), all.end()};
}

TEST(CommandTexts, EveryCommandAndFormHasItsOwn) {
  Names expected;
  const auto add = [&](const Subcommand& command, const std::string& file) {
    EXPECT_FALSE(command.usage.empty()) << file;
    expected.insert(file + ".help");
  };
  for (const Subcommand& command : all_commands()) {
    add(command, command.name.empty() ? "twosphere" : command.name);
    for (const Subcommand& form : command.forms) add(form, command.name + '-' + form.name);
  }
  Names files;
  for (const auto& entry : fs::directory_iterator(TWOSPHERE_SOURCE_DIR "/resources/commands"))
    files.insert(entry.path().filename());
  EXPECT_EQ(files, expected);
}

TEST_F(Manual, PagesHaveEveryOptionAndLintIsSilent) {
  for (const std::string& command : commands()) {
    SCOPED_TRACE(command);
    const std::string text = page(command);
    const std::string name = command.empty() ? "twosphere" : "twosphere\\-" + command;
    EXPECT_TRUE(test::says(text, "\n.SH NAME\n" + name + " \\- "));
    for (const char* section : {"SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXIT STATUS", "SEE ALSO"})
      EXPECT_TRUE(test::says(text, fmt::format("\n.SH {}\n", section))) << section;
    for (const std::string& option : options(command)) {
      const std::string label =
          "\\fB" + std::regex_replace(option, std::regex("-"), "\\-") + "\\fR";
      EXPECT_TRUE(test::says(text, label)) << option;
    }
    keep("page", text);
    if (installed("groff")) {
      EXPECT_EQ(shell("groff -ww -z -man -Tutf8 page 2>&1"), "");
    }
    if (installed("mandoc")) {
      EXPECT_EQ(shell("mandoc -T lint page 2>&1 | grep -v 'longer than 80 bytes' || :"), "");
    }
    if (!installed("man")) continue;
    const std::string shown = shell("MANWIDTH=200 LC_ALL=C.UTF-8 man -l page | cat");
    for (const std::string& option : options(command))
      EXPECT_TRUE(std::regex_search(shown, std::regex("\n       (-h, )?" + option + "\\b")))
          << option;
  }
}

TEST_F(Manual, APageListsTheFormsOfItsCommandAndGroupsTheirOptions) {
  const std::string text = page("study");
  const std::size_t at = text.find("\n.SH COMMANDS\n");
  ASSERT_NE(at, std::string::npos);
  for (const char* form : {"order", "section", "cloud"})
    EXPECT_NE(text.find(fmt::format("\n.TP\n\\fB{}\\fR\n", form), at), std::string::npos) << form;
  EXPECT_TRUE(test::says(text, "\n.SS Options of order and cloud\n"));
  // A value that can be left out.
  EXPECT_TRUE(test::says(page("sweep"), "\n\\fB\\-\\-parallel\\fR[=\\fIN\\fR]\n"));
}

TEST_F(Manual, TheProgramsPageNamesItsCommands) {
  const std::string text = page("");
  for (const std::string& command : commands()) {
    if (command.empty()) continue;
    const std::string label = fmt::format("\\fBtwosphere\\-{}\\fR(1)\n", command);
    EXPECT_TRUE(test::says(text, label)) << command;
  }
}

TEST_F(Manual, WritesAllPagesWithTheDateOfTheBuild) {
  const auto date = [] { ::setenv("SOURCE_DATE_EPOCH", "86400", 1); };
  succeed({"manual", "--out", "pages/man1"}, "", date);
  std::size_t files = 0;
  for (const std::string& command : commands()) {
    const std::string page =
        text("pages/man1/twosphere" + (command.empty() ? "" : '-' + command) + ".1");
    EXPECT_TRUE(test::says(page, " 1 1970-01-02 ")) << command;
    ++files;
  }
  EXPECT_EQ(static_cast<std::size_t>(std::distance(fs::directory_iterator(in("pages/man1")), {})),
            files);
}

TEST_F(Manual, BashCompletesEveryOption) {
  if (!installed("bash")) GTEST_SKIP() << "bash is not installed";
  keep("script", run({"completion", "bash"}).out);
  for (const std::string& command : commands()) {
    const std::string line = command.empty() ? "twosphere --" : "twosphere " + command + " --";
    EXPECT_EQ(set_of(bash(line)), options(command)) << line;
  }
}

TEST_F(Manual, BashCompletesValues) {
  if (!installed("bash")) GTEST_SKIP() << "bash is not installed";
  keep("script", run({"completion", "bash"}).out);
  ASSERT_TRUE(fs::create_directories(in("folder")));
  Names presets_and_texts, methods;
  for (const auto& list : {presets(), custom_presets()})
    for (const Preset& preset : list) presets_and_texts.emplace(preset.key);
  for (const IntegratorInfo& info : integrators()) methods.emplace(info.key);
  EXPECT_EQ(set_of(bash("twosphere run --preset ")), presets_and_texts);
  EXPECT_EQ(set_of(bash("twosphere show ")), presets_and_texts);
  EXPECT_EQ(set_of(bash("twosphere verify --integrator=")), methods);
  EXPECT_EQ(set_of(bash("twosphere run --set integrator.type=")), methods);
  Names systems_and;
  for (const SystemInfo& info : systems()) systems_and.emplace(info.key);
  EXPECT_EQ(set_of(bash("twosphere run --set=system.type=")), systems_and);
  EXPECT_EQ(bash("twosphere run --set system.gra"), "system.gravity=\n");
  EXPECT_EQ(bash("twosphere render --arrows velocity,mom"), "velocity,momentum\n");
  EXPECT_EQ(bash("twosphere sweep coll"), "collect\n");
  EXPECT_EQ(bash("twosphere study cl"), "cloud\n");
  EXPECT_EQ(bash("twosphere sweep run fol"), "folder\n");
  EXPECT_EQ(bash("twosphere run --steps "), "\n");
  EXPECT_EQ(bash("twosphere sweep script folder --parallel --mp"), "--mpirun\n");
  EXPECT_EQ(bash("twosphere run --quiet scr"), "script\n");
  EXPECT_EQ(bash("twosphere rend"), "render\n");
  EXPECT_EQ(bash("twosphere scr"), "script\n");
}

TEST_F(Manual, FishCompletesEveryOptionAndValues) {
  if (!installed("fish")) GTEST_SKIP() << "fish is not installed";
  keep("script", run({"completion", "fish"}).out);
  shell("fish -n script");
  for (const std::string& command : commands()) {
    const std::string line = command.empty() ? "twosphere --" : "twosphere " + command + " --";
    EXPECT_EQ(set_of(fish(line)), options(command)) << line;
  }
  Names methods;
  for (const IntegratorInfo& info : integrators()) methods.emplace(info.key);
  EXPECT_EQ(set_of(fish("twosphere verify --integrator ")), methods);
  EXPECT_EQ(fish("twosphere render --arrows velocity,mom"), "velocity,momentum\n");
  EXPECT_EQ(fish("twosphere sweep coll"), "collect\n");
  EXPECT_EQ(fish("twosphere run --set system.gra"), "system.gravity=\n");
  EXPECT_EQ(fish("twosphere run scr"), "script\n");
}

// zsh completes in its line editor: there each specification is checked that _arguments gets.
TEST_F(Manual, ZshCompletesEveryOption) {
  const std::string script = run({"completion", "zsh"}).out;
  for (const std::string& command : commands()) {
    std::string of = script.substr(script.find("_arguments -C"));
    if (!command.empty()) of = of.substr(of.find(fmt::format("\n    {})\n", command)));
    of = of.substr(0, of.find(command.empty() ? "case $line" : " ;;\n"));
    for (const std::string& option : options(command))
      EXPECT_TRUE(std::regex_search(of, std::regex("'\\*?" + option + "=?\\[")))
          << command << option;
  }
  for (const SystemInfo& info : systems())
    EXPECT_TRUE(test::says(script, fmt::format(" system.type={} ", info.key))) << info.key;
  // A value that can be left out.
  EXPECT_TRUE(
      test::says(script, "'--parallel=[write a script that runs N parts by GNU parallel]::N: '"));
  if (!installed("zsh")) return;
  keep("script", script);
  shell("zsh -f -n script");
  keep("ask", R"(
autoload -U compinit; compinit -D -u
_arguments() { print -rl -- "$@"; line=($asked); return 1 }
source ./script
asked=run
_twosphere || :
)");
  const std::string specifications = shell("HOME=$PWD zsh -f ask");
  EXPECT_TRUE(test::says(specifications, "--preset=[run this preset"));
}

}  // namespace
}  // namespace twosphere::command_line_manual_test
