// SPDX-License-Identifier: GPL-3.0-or-later
// The tables of README.md and of the help pages are those of the catalogue, and its example of a
// new system is the one that the tests compile. With TWOSPHERE_UPDATE=1 the files are written anew.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "core/diagnostics.h"
#include "core/published.h"
#include "core/scenario.h"
#include "tests/cases.h"

namespace twosphere::test {
namespace {

const std::string source = TWOSPHERE_SOURCE_DIR "/";

std::string text_of(const std::string& path) {
  std::ifstream file(source + path, std::ios::binary);
  EXPECT_TRUE(file) << path;
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Compares what stands between `begin` and `end` in a file, or puts it there if it is to be
/// updated.
void expect_between(const std::string& path, const std::string& begin, const std::string& end,
                    const std::string& wanted) {
  std::string text = text_of(path);
  const std::size_t from = text.find(begin);
  ASSERT_NE(from, std::string::npos) << path << " has no " << begin;
  const std::size_t first = from + begin.size(), last = text.find(end, first);
  ASSERT_NE(last, std::string::npos) << path << " has no " << end << " after " << begin;
  if (std::getenv("TWOSPHERE_UPDATE")) {
    text.replace(first, last - first, wanted);
    std::ofstream(source + path, std::ios::binary) << text;
    return;
  }
  EXPECT_EQ(text.substr(first, last - first), wanted)
      << path << " is behind the catalogue; TWOSPHERE_UPDATE=1 readme_test writes it anew";
}

void expect_table(const std::string& path, const std::string& name, const std::string& wanted) {
  expect_between(path, "<!-- " + name + ", from the catalogue -->\n", "<!-- end -->", wanted);
}

std::string row(const std::vector<std::string>& cells) {
  std::string line = "|";
  for (const std::string& cell : cells) {
    line += ' ';
    for (const char c : cell) line += c == '|' ? "\\|" : std::string(1, c);
    line += " |";
  }
  return line + "\n";
}
std::string head(const std::vector<std::string>& cells) {
  std::string line = "|";
  for (std::size_t i = 0; i < cells.size(); ++i) line += "---|";
  return row(cells) + line + "\n";
}
std::string code(std::string_view key) { return fmt::format("`{}`", key); }
std::string yes(bool b) { return b ? "yes" : "no"; }

const std::vector<std::pair<std::string, Inertia>>& structures() {
  const Eigen::VectorXd one = Eigen::VectorXd::Ones(1);
  static const std::vector<std::pair<std::string, Inertia>> list{
      {"diagonal", DiagonalInertia(one)},
      {"chain", ChainInertia(one, one)},
      {"rod", RodInertia(one, one, one)},
      {"matrix", DenseInertia(one)},
      {"m(q)", VariableInertia{nullptr, 1}}};
  return list;
}

std::string system_table() {
  std::string table = head({"system", "what it is", "inertia", "reference"});
  for (const SystemInfo& s : systems()) {
    std::string inertia;
    for (const SystemCase& c : system_cases())
      if (c.system == s.key && !c.matrix)
        inertia = structures()[make_system(c)->inertia().index()].first;
    table += row({code(s.key), std::string(s.description), inertia, std::string(s.reference)});
  }
  return table;
}

std::string integrator_table() {
  std::string table = head({"integrator", "order", "symplectic", "reversible", "keeps |q| = 1",
                            "inertia", "formulations", "reference"});
  for (const IntegratorInfo& i : integrators()) {
    std::string inertia;
    for (const auto& [name, structure] : structures())
      if (!i.applies || i.applies(structure)) inertia += (inertia.empty() ? "" : ", ") + name;
    bool formulated = false;
    for (const ParameterInfo& p : i.parameters) formulated = formulated || p.key == "formulation";
    table += row({code(i.key),
                  i.adaptive ? fmt::format("{}, adaptive", i.order) : std::to_string(i.order),
                  yes(i.symplectic), yes(i.reversible),
                  i.keeps_sphere && !i.symplectic ? "by projection" : yes(i.keeps_sphere),
                  i.applies ? inertia : "any", formulated ? "all four" : "(q, p)",
                  std::string(i.reference)});
  }
  return table;
}

Scenario preset(const Preset& p) {
  auto scenario = read_scenario(p.text, p.key);
  EXPECT_TRUE(scenario) << scenario.error().text();
  return std::move(*scenario);
}

std::string preset_table() {
  std::string table = head({"preset", "system", "bodies", "step", "duration", "title"});
  for (const Preset& p : presets()) {
    const Scenario s = preset(p);
    table += row({code(p.key), code(s.system), std::to_string(s.size()),
                  fmt::format("{} s", s.lanes[0].step), fmt::format("{} s", s.duration), s.title});
  }
  return table;
}

std::string value_of(const ParameterInfo& p) {
  const std::string number = p.domain == Domain::positive       ? "number > 0"
                             : p.domain == Domain::non_negative ? "number ≥ 0"
                                                                : "number";
  switch (p.shape) {
    case Shape::scalar:
      return p.word.empty() ? number : fmt::format("{}, or \"{}\"", number, p.word);
    case Shape::per_body:
      return number + ", or a list of n";
    case Shape::vector:
      return "[x, y, z]";
    case Shape::choice: {
      std::string names;
      for (const std::string_view name : p.choices)
        names += fmt::format("{}\"{}\"", names.empty() ? "" : ", ", name);
      return names;
    }
    case Shape::count:
      return "whole number ≥ 1: n";
    case Shape::points:
      return "[[x, y, z], …], n of them";
    case Shape::lattice:
      return "{\"rows\": r, \"columns\": c, \"spacing\": a}, r c = n";
    case Shape::springs:
      return fmt::format("[{{\"between\": [i, j], \"stiffness\": {}}}, …]", number);
  }
  return "";
}

std::string default_of(const ParameterInfo& p) {
  if (p.required) return "required";
  if (p.optional) return p.word.empty() ? "none" : fmt::format("\"{}\"", p.word);
  switch (p.shape) {
    case Shape::choice:
      return fmt::format("\"{}\"", p.choices[static_cast<std::size_t>(p.fallback)]);
    case Shape::vector: {
      const std::vector<double> v =
          p.fallback_vector.empty() ? std::vector<double>(3, p.fallback) : p.fallback_vector;
      return fmt::format("[{}, {}, {}]", v[0], v[1], v[2]);
    }
    case Shape::springs:
      return "[]";
    default:
      return fmt::format("{}", p.fallback);
  }
}

std::string range_of(const ParameterInfo& p) {
  if (p.shape == Shape::choice || p.shape == Shape::count) return "";
  return fmt::format("{} … {}", p.low, p.high);
}

std::string parameter_table(const std::vector<ParameterInfo>& parameters) {
  std::string table =
      head({"key", "symbol", "unit", "value", "default", "range offered", "in a run", "meaning"});
  for (const ParameterInfo& p : parameters) {
    const std::string live = p.shape == Shape::springs ? "stiffness live, ends on Rewind"
                             : p.live                  ? "live"
                                                       : "on Rewind";
    table += row({code(p.key), std::string(p.symbol), std::string(p.unit), value_of(p),
                  default_of(p), range_of(p), live, std::string(p.help)});
  }
  return table;
}

std::string system_reference() {
  std::string text;
  for (const SystemInfo& s : systems())
    text += fmt::format("\n### `{}`\n\n{} {}.\n\n    {}\n\n", s.key, s.description, s.reference,
                        s.equations) +
            parameter_table(s.parameters);
  return text + "\n";
}

std::string integrator_reference() {
  std::string text;
  for (const IntegratorInfo& i : integrators()) {
    text += fmt::format("\n### `{}`\n\n{} {}.\n\n    {}\n\n", i.key, i.description, i.reference,
                        i.formula);
    std::vector<ParameterInfo> parameters{step_parameter()};
    parameters.insert(parameters.end(), i.parameters.begin(), i.parameters.end());
    text += parameter_table(parameters);
  }
  return text + "\n";
}

std::string column_table() {
  std::string table = head({"column", "symbol", "meaning", "systems"});
  for (const QuantityInfo& q : quantities()) {
    std::string with;
    bool everywhere = true;
    for (const SystemInfo& s : systems()) {
      bool has = false;
      for (const Quantity column : csv_quantities(s)) has = has || info(column).key == q.key;
      everywhere = everywhere && has;
      if (has) with += (with.empty() ? "" : ", ") + code(s.key);
    }
    table += row({fmt::format("`{} [{}]`", q.key, q.unit), std::string(q.symbol),
                  std::string(q.help), everywhere ? "all" : with});
  }
  return table;
}

/// "1", "1, 2", "(0, 0, 1)": the parameter's value in a preset.
std::string shown(const ParameterInfo& p, const std::vector<double>& value) {
  const auto list = [&](std::size_t from, std::size_t count) {
    std::string text;
    for (std::size_t i = from; i < from + count; ++i)
      text += fmt::format("{}{:.12g}", i == from ? "" : ", ", value[i]);
    return text;
  };
  const std::string unit = p.unit == "1" ? "" : fmt::format(" {}", p.unit);
  if (value.empty()) return p.shape == Shape::scalar ? "none" : "";
  switch (p.shape) {
    case Shape::choice:
      return std::string(p.choices[static_cast<std::size_t>(value[0])]);
    case Shape::vector:
      return fmt::format("({}){}", list(0, 3), unit);
    case Shape::points: {
      std::string text;
      for (std::size_t i = 0; i < value.size(); i += 3)
        text += fmt::format("{}({})", i == 0 ? "" : ", ", list(i, 3));
      return text + unit;
    }
    case Shape::lattice:
      return fmt::format("{} rows, {} columns, {}{} apart", value[0], value[1], value[2], unit);
    case Shape::springs: {
      std::string text;
      for (std::size_t i = 0; i < value.size(); i += 3)
        text += fmt::format("{}{} between {} and {}", i == 0 ? "" : ", ", value[i + 2],
                            value[i] + 1, value[i + 1] + 1);
      return text + unit;
    }
    default: {
      const bool equal =
          std::all_of(value.begin(), value.end(), [&](double x) { return x == value.front(); });
      return list(0, equal ? 1 : value.size()) + unit;
    }
  }
}

std::string values_of(const Scenario& s) {
  std::string text = fmt::format("- bodies n: {}\n", s.size());
  for (const ParameterInfo& p : find_system(s.system)->parameters) {
    const std::string value = shown(p, s.parameters.find(p.key)->second);
    if (!value.empty() && p.shape != Shape::count)
      text += fmt::format("- {} {}: {}\n", p.label, p.symbol, value);
  }
  return text + fmt::format("- integrator: `{}`, step {} s, duration {} s", s.lanes[0].type,
                            s.lanes[0].step, s.duration);
}

std::string published(std::string_view preset) {
  std::string text;
  for (const PublishedRun& run : published_runs()) {
    if (run.preset != preset) continue;
    std::string with;
    for (const auto& [path, value] : run.settings)
      with += fmt::format(", {} {}", path.substr(path.rfind('.') + 1), value);
    for (char& c : with) c = c == '_' ? ' ' : c;
    const std::string item = fmt::format("\n- `{}`{}: ", run.integrator, with);
    if (std::none_of(run.means.begin(), run.means.end(),
                     [](const PublishedMean& mean) { return mean.value(); })) {
      text += item + "in a figure only.";
      continue;
    }
    // Numbers with one reason stand together.
    for (std::size_t i = 0; i < run.means.size(); ++i) {
      const PublishedMean& mean = run.means[i];
      const std::string_view label = info(mean.quantity).label;
      const bool energy = mean.quantity == Quantity::energy_error;
      const bool again = i > 0 && run.means[i - 1].reason == mean.reason;
      text += fmt::format("{}{}{}", again ? ", " : item, label.starts_with("mean") ? "" : "mean ",
                          label);
      if (mean.value()) text += fmt::format(" {}", mean.printed);
      if (mean.value() && energy) text += fmt::format(" {}", twosphere::label(run.unit));
      if (i + 1 == run.means.size() || run.means[i + 1].reason != mean.reason)
        text += fmt::format(". {}", mean.reason);
    }
  }
  return text.empty() ? "- The papers print no numbers of it." : text.substr(1);
}

TEST(Help, PagesHaveThePresetsValuesAndThePublishedOnes) {
  for (const Preset& p : presets()) {
    const std::string path = fmt::format("resources/help/{}.md", p.key);
    const Scenario s = preset(p);
    expect_between(path, "\n## Units and values\n\n", "\n\n", values_of(s));
    expect_between(path, "\n## Published values\n\n", "\n\n", published(p.key));
    if (std::getenv("TWOSPHERE_UPDATE")) continue;
    EXPECT_EQ(p.help, text_of(path));
    EXPECT_NE(p.help.find("\n    " + std::string(find_system(s.system)->equations) + "\n"),
              std::string::npos)
        << path << " has other equations than the catalogue";
  }
}

TEST(Help, PagesAreOfTheKindThatCanBeShown) {
  for (const Preset& p : presets()) {
    const std::string title = preset(p).title;
    std::vector<std::string> headings;
    std::istringstream lines{std::string(p.help)};
    int number = 0;
    for (std::string line; std::getline(lines, line);) {
      ++number;
      SCOPED_TRACE(fmt::format("{}.md:{}: {}", p.key, number, line));
      if (number == 1) {
        EXPECT_EQ(line, "# " + title);
      } else if (line.starts_with("#")) {
        headings.push_back(line);
      }
      // No tables, pictures, links, numbered lists, emphasis, quotes, fences or HTML.
      if (line.starts_with("    ")) continue;
      for (const char* mark : {"](", "**", "```", "<!"})
        EXPECT_EQ(line.find(mark), std::string::npos);
      EXPECT_EQ(std::string("|>*+").find(line.empty() ? ' ' : line[0]), std::string::npos);
      EXPECT_FALSE(!line.empty() && std::isdigit(static_cast<unsigned char>(line[0])) &&
                   line.find(". ") < 3);
    }
    EXPECT_EQ(headings,
              (std::vector<std::string>{"## Equations", "## Units and values", "## What to look at",
                                        "## Published values", "## Exercises"}))
        << p.key;
  }
}

TEST(Readme, TablesAreThoseOfTheCatalogue) {
  expect_table("README.md", "systems", system_table());
  expect_table("README.md", "integrators", integrator_table());
  expect_table("README.md", "presets", preset_table());
}

TEST(Readme, ReferenceOfScenariosIsThatOfTheCatalogue) {
  expect_table("resources/help/scenarios.md", "systems", system_reference());
  expect_table("resources/help/scenarios.md", "integrators", integrator_reference());
  expect_table("resources/help/scenarios.md", "columns", column_table());
}

TEST(Readme, NewSystemIsTheOneThatTheTestsRun) {
  // The file, which cases.h includes, and its row there.
  expect_between("README.md", "<!-- tests/uncoupled_pendula.cpp -->\n```cpp\n", "```\n<!-- end -->",
                 text_of("tests/uncoupled_pendula.cpp"));
  const std::string cases = text_of("tests/cases.h");
  const std::size_t from = cases.find("      {\"uncoupled\",\n"), to = cases.find("\n  };", from);
  ASSERT_NE(from, std::string::npos);
  expect_between("README.md", "<!-- the row of tests/cases.h -->\n```cpp\n", "```\n<!-- end -->",
                 cases.substr(from, to - from + 1));
  // The line of the catalogue looks like those that stand there.
  EXPECT_NE(text_of("README.md").find("\n  ENTRY(uncoupled_pendula)\n"), std::string::npos);
  EXPECT_NE(text_of("core/catalog.cpp").find("\n  ENTRY(conformal_particles)\n"),
            std::string::npos);
  EXPECT_EQ(uncoupled_pendula().key, "uncoupled_pendula");
}

}  // namespace
}  // namespace twosphere::test
