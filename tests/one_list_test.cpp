// SPDX-License-Identifier: GPL-3.0-or-later
// An integrator, a system, a preset, a subcommand, a dialog stand in one place each. Here it is
// counted which files name them.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "core/integrators/family_look.h"
#include "tests/cases.h"

namespace twosphere::test::one_list_test {
namespace {

namespace fs = std::filesystem;
const fs::path root = TWOSPHERE_SOURCE_DIR;

using Names = std::set<std::string, std::less<>>;

std::string without_comments(const std::string& text) {
  std::string code;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t comment = text.find("//", at);
    code.append(text, at, comment - at);
    at = text.find('\n', comment);
  }
  return code;
}

/// The sources of these folders without their comments, by their paths.
std::map<std::string, std::string> sources(const std::vector<std::string>& folders) {
  std::map<std::string, std::string> all;
  for (const std::string& folder : folders)
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      const fs::path& path = entry.path();
      if (path.extension() != ".cpp" && path.extension() != ".h") continue;
      std::ostringstream text;
      text << std::ifstream(path).rdbuf();
      all[fs::relative(path, root)] = without_comments(text.str());
    }
  return all;
}

/// The files that have this as a string.
Names files_that_name(const std::map<std::string, std::string>& files, std::string_view key) {
  const std::string quoted = '"' + std::string(key) + '"';
  Names found;
  for (const auto& [path, text] : files)
    if (text.find(quoted) != std::string::npos) found.insert(path);
  return found;
}

// Files of the program that may name a system, an integrator or a preset of another file, and why.
// None of them has to name a new one.
const std::map<std::string, std::string, std::less<>> may_name = {
    {"core/catalog.cpp", "presets that lists begin with"},
    {"core/output/gltf.cpp", "a key of glTF is named as a method is"},
    {"core/scenario/keys.cpp", "a generated velocity is named as a system is"},
    {"core/scenario/schema.cpp", "a generated velocity is named as a system is"},
    {"core/output/motion_box.cpp", "the method that looks ahead"},
    {"core/scenario/generated_starts.cpp", "starts that are generated as a preset has them"},
    {"core/scenario/start_keys.cpp", "starts that are generated as a preset has them"},
    {"core/scenario/keys.cpp", "velocities that are generated of two vortices"},
    {"core/scenario/schema.cpp", "velocities that are generated of two vortices"},
    {"core/scenario/setting_unit.cpp", "velocities that are generated of two vortices"},
    {"core/systems/vortices.cpp", "a parameter is named as a method is"},
    {"app/session/system_draft.cpp", "the methods with which systems of each order begin"},
    {"core/scenario/initial_conditions.cpp", "the method that takes two positions as a step"},
    {"core/studies/order_study.cpp", "the methods that are compared at first"},
    {"core/studies/orbit_problem.cpp", "the methods by which orbits are found"},
    {"core/studies/orbit_family_record.cpp", "the turn of an orbit is named as a method"},
    {"core/studies/orbit_family_table.cpp", "the turn of an orbit is named as a method"},
    {"core/studies/orbit_search.cpp", "the turn of an orbit is named as a method"},
    {"core/scenario/sections.cpp", "the turn of an orbit is named as a method"},
    {"core/scenario/writer.cpp", "the turn of an orbit is named as a method"},
    {"core/studies/published.cpp", "the runs of the 2009 paper"},
    {"ui/panels/integrator_panel.cpp", "the methods that added lanes have at first"},
    {"app/window/window.h", "the preset that the window opens with"},
};

TEST(OneList, FormatsOfPicturesStandInTheOrderInWhichTheyAreOffered) {
  static const std::regex other("(SVG|PNG)(,| or| and) PDF|PNG(,| or| and) SVG");
  for (const auto& [path, text] : sources({"app", "ui"})) {
    std::smatch found;
    EXPECT_FALSE(std::regex_search(text, found, other)) << path << ": " << found.str();
  }
}

TEST(OneList, IntegratorsSystemsAndPresetsAreNamedInTheirOwnFilesOnly) {
  const auto files = sources({"app", "core", "render", "ui"});
  ASSERT_GT(files.size(), 300U);
  const auto check = [&](std::string_view key, const std::string& folder) {
    int own = 0;
    for (const std::string& path : files_that_name(files, key)) {
      const bool of_kind = path.starts_with(folder);
      own += of_kind ? 1 : 0;
      EXPECT_TRUE(of_kind || may_name.contains(path)) << path << " names " << key;
    }
    EXPECT_EQ(own, 1) << key << ": files in " << folder << " that name it";
  };
  for (const IntegratorInfo& info : integrators()) check(info.key, "core/integrators/");
  for (const SystemInfo& info : systems()) check(info.key, "core/systems/");
  int apart = 0;
  for (const Preset& preset : presets()) {
    if (find_system(preset.key)) continue;  // checked as a system
    ++apart;
    for (const std::string& path : files_that_name(files, preset.key))
      EXPECT_TRUE(may_name.contains(path)) << path << " names " << preset.key;
  }
  EXPECT_GE(apart, 5);
  for (const auto& [path, why] : may_name)
    EXPECT_TRUE(files.contains(path)) << path << " is not there: " << why;
}

// The examples of docs/extend-*.md go through every test that runs over the catalogue. All that
// names them is what the documents say, and tests of the documents.
TEST(OneList, AnExampleIsOneFileAndOneRow) {
  const auto files = sources({"app", "core", "render", "tests", "ui"});
  const Names common{"tests/cases.cpp", "tests/docs_test.cpp", "tests/one_list_test.cpp"};
  for (const std::string key : {"two_rotations", "uncoupled_pendula"}) {
    Names expected = common;
    expected.insert("tests/" + key + ".cpp");
    EXPECT_EQ(files_that_name(files, key), expected) << key;
    const auto rows = [&](const auto& cases, auto member) {
      return std::count_if(cases.begin(), cases.end(),
                           [&](const auto& row) { return row.*member == key; });
    };
    EXPECT_EQ(
        rows(integrator_cases(), &IntegratorCase::key) + rows(system_cases(), &SystemCase::system),
        1)
        << key;
  }
}

/// What names consist of.
constexpr std::string_view letters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";

/// What the macro of a list, `#define LIST(ENTRY)`, has entries for.
Names entries(const std::string& text, const std::string& list) {
  const std::string head = "#define " + list + "(ENTRY)";
  const auto begin = text.find(head), end = text.find("\n\n", begin);
  if (begin == text.npos || end == text.npos) return {};
  static const std::regex entry(R"(ENTRY\((\w+)\))");
  const std::string lines = text.substr(begin + head.size(), end - begin - head.size());
  Names found;
  for (std::sregex_iterator it(lines.begin(), lines.end(), entry), last; it != last; ++it)
    found.insert((*it)[1]);
  return found;
}

/// Lists by macros: what an entry NAME is made by is NAME_KIND(), in a file of the folder.
struct MacroList {
  std::string macro, file, kind, folder;
};
const std::vector<MacroList> macro_lists = {
    {"TWOSPHERE_SUBCOMMANDS", "app/cli/command_line.cpp", "subcommand", "app/cli/"},
    {"TWOSPHERE_DIALOGS", "app/dialogs/dialog_list.cpp", "dialog", "app/dialogs/"},
};

// The record, with its key, stands in a separate file; the list has a line for each, and nothing
// else names the function.
TEST(OneList, ASubcommandAndADialogAreOneFileAndOneLine) {
  const auto files = sources({"app", "core", "render", "ui"});
  for (const MacroList& list : macro_lists) {
    const Names listed = entries(files.at(list.file), list.macro);
    EXPECT_GE(listed.size(), 6U) << list.macro;
    Names made;
    for (const auto& [path, text] : files) {
      const std::string call = '_' + list.kind + "()";
      for (std::size_t at = text.find(call); at != text.npos; at = text.find(call, at + 1)) {
        const std::size_t begin = text.find_last_not_of(letters, at) + 1;
        const std::string name = text.substr(begin, at - begin);
        if (name.empty()) continue;
        EXPECT_TRUE(path.starts_with(list.folder)) << path << " names " << name + call;
        EXPECT_TRUE(made.insert(name).second)
            << name + call << " is named a second time in " << path;
        EXPECT_NE(text.find('"' + name + '"'), text.npos) << path << ": the key of " << name;
      }
    }
    EXPECT_EQ(made, listed) << list.macro;
  }
}

// Beside its own file a dialog is named by the action that opens it, and by the window where that
// opens it with a topic.
TEST(OneList, DialogsAreOpenedByTheirKeys) {
  const auto files = sources({"app", "ui"});
  for (const std::string& name :
       entries(files.at("app/dialogs/dialog_list.cpp"), "TWOSPHERE_DIALOGS")) {
    const std::string order = "dialogs_->open(\"" + name + '"';
    EXPECT_NE(files.at("ui/shell/action_list.h").find(order), std::string::npos) << name;
    for (const auto& [path, text] : files) {
      const bool names_class =
          text.find("app/dialogs/" + name + "_dialog.h\"") != std::string::npos;
      EXPECT_TRUE(!names_class || path.starts_with("app/dialogs/")) << path << " names " << name;
    }
  }
}

// Files that write HTML, and why. Qt takes any text for HTML where it looks like it.
const std::map<std::string, std::string, std::less<>> may_write_html = {
    {"app/base/labels.cpp", "escapes it"},
    {"app/dialogs/about_dialog.cpp", "versions of libraries"},
    {"app/dialogs/definition_field.cpp", "escapes it"},
    {"app/dialogs/help_dialog.cpp", "pages of the program"},
    {"app/dialogs/paper_figure_dialog.cpp", "escapes it"},
    {"app/dialogs/system_dialog.cpp", "escapes it"},
    {"app/dialogs/system_sheet.cpp", "escapes it"},
    {"app/dialogs/video_dialog.cpp", "a fixed text"},
    {"app/session/recovery.cpp", "a fixed text"},
    {"app/window/main_window.cpp", "escapes it"},
};

/// The statements of a source without strings that call or name this.
std::vector<std::string> statements_with(const std::string& text, const std::string& name) {
  std::vector<std::string> found;
  for (std::size_t at = text.find(name); at != text.npos; at = text.find(name, at + 1)) {
    const std::size_t begin = text.find_last_of(";{}", at) + 1;
    found.push_back(text.substr(begin, text.find(';', at) - begin));
  }
  return found;
}

TEST(OneList, TextOfFilesAndNamesIsNowhereTakenForHtml) {
  static const std::regex made(
      R"(\bnew QLabel\b|\bQLabel \w+[({]|\bnew QMessageBox\b|\bQMessageBox \w+[({]|)"
      R"(\bsetInformativeText\b|\bQMessageBox::(about|critical|information|question|warning)\()");
  static const std::regex tag(
      R"re("[^"\n]*<(b|br|code|h\d|i|img|p|small|span|sub|table|td|tr)[ >/])re");
  static const std::regex literal(R"re("(\\.|[^"\\\n])*")re"), word(R"([A-Za-z_]\w*)");
  const Names of_literals{"QLatin1String", "QStringLiteral"};
  for (const auto& [path, text] : sources({"app"})) {
    std::smatch found;
    const bool may_make = path == "app/base/labels.cpp" || path == "app/dialogs/about_dialog.cpp";
    EXPECT_TRUE(may_make || !std::regex_search(text, found, made))
        << path << ": " << found.str() << ", which app/base/labels.h has";
    EXPECT_TRUE(may_write_html.contains(path) || !std::regex_search(text, found, tag))
        << path << ": " << found.str();
    const std::string without = std::regex_replace(text, literal, "\"\"");
    for (const std::string name : {"setToolTip(", "setWhatsThis(", "setLabelText(", "ToolTipRole"})
      for (const std::string& statement : statements_with(without, name)) {
        if (statement.find("plain_tip(") != statement.npos) continue;
        const std::string given = statement.substr(statement.find(name) + name.size());
        for (std::sregex_iterator it(given.begin(), given.end(), word), last; it != last; ++it)
          EXPECT_TRUE(of_literals.contains(it->str())) << path << ": " << statement;
      }
  }
  for (const auto& [path, why] : may_write_html)
    EXPECT_TRUE(fs::exists(root / path)) << path << ": " << why;
}

// Each colour is an integrator's alone, and dash and marker are as long as there are free ones.
TEST(OneList, NoTwoIntegratorsLookAlike) {
  std::vector<IntegratorInfo> all(integrators().begin(), integrators().end());
  all.push_back(two_rotations());
  give_looks(all);
  std::set<std::pair<Dash, Marker>> lines;
  std::set<std::uint32_t> dark, light, paper_dark, paper_light;
  for (const IntegratorInfo& info : all) {
    const Look& look = info.look;
    EXPECT_NE(look, Look{}) << info.key << " has no look";
    lines.insert({look.dash, look.marker});
    EXPECT_TRUE(dark.insert(look.dark.rgb).second) << info.key;
    EXPECT_TRUE(light.insert(look.light.rgb).second) << info.key;
    EXPECT_TRUE(paper_dark.insert(look.paper_dark.rgb).second) << info.key;
    EXPECT_TRUE(paper_light.insert(look.paper_light.rgb).second) << info.key;
    // On white and on near black, as grounds of the palettes are.
    EXPECT_GE(contrast(look.light, {0xffffff}), 3) << info.key;
    EXPECT_GE(contrast(look.paper_light, {0xffffff}), 3) << info.key;
    EXPECT_GE(contrast(look.dark, {0x000000}), 4.5) << info.key;
    EXPECT_GE(contrast(look.paper_dark, {0x000000}), 4.5) << info.key;
  }
  EXPECT_EQ(lines.size(), std::min(all.size(), all_dashes.size() * all_markers.size()));
}

}  // namespace
}  // namespace twosphere::test::one_list_test
