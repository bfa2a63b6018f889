// SPDX-License-Identifier: GPL-3.0-or-later
// The documents are true: tables are those of the catalogue, numbers are those that are measured,
// help texts are what the program prints, examples are what the tests compile, links lead
// somewhere, and command lines have options that there are. With TWOSPHERE_UPDATE=1 the parts that
// are made are written anew.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/custom/definition.h"
#include "core/custom/equations.h"
#include "core/language/functions.h"
#include "core/language/units.h"
#include "core/mechanics/diagnostics.h"
#include "core/mechanics/step_map.h"
#include "core/run/simulation.h"
#include "core/scenario/keys.h"
#include "core/scenario/live_edit.h"
#include "core/scenario/parameter_io.h"
#include "core/scenario/reader.h"
#include "core/scenario/scenario.h"
#include "core/studies/order_study.h"
#include "core/studies/published.h"
#include "core/studies/reproduction.h"
#include "core/studies/reproduction_table.h"
#include "core/systems/site_lattice.h"
#include "core/tours/tour.h"
#include "core/tours/tour_player.h"
#include "tests/cases.h"
#include "tests/composition_orders.h"
#include "tests/documents.h"
#include "tests/encounters.h"

namespace twosphere::test {
namespace {

void expect_table(const std::string& path, const std::string& name, const std::string& wanted) {
  expect_between(path, "<!-- " + name + ", from the catalogue -->\n", "<!-- end -->", wanted);
}

std::string yes(bool b) { return b ? "yes" : "no"; }

const std::vector<std::pair<std::string, Inertia>>& structures() {
  const Eigen::VectorXd one = Eigen::VectorXd::Ones(1);
  static const std::vector<std::pair<std::string, Inertia>> list{
      {"diagonal", DiagonalInertia(one)},    {"chain", ChainInertia(one, one)},
      {"rod", RodInertia(one, one, one)},    {"matrix", DenseInertia(one)},
      {"m(q)", VariableInertia{nullptr, 1}}, {"none", NoInertia{1}}};
  return list;
}

/// A reference as Markdown in a document of docs/: another one is linked.
std::string linked(std::string_view reference) {
  constexpr std::string_view folder = "docs/";
  if (!reference.starts_with(folder)) return std::string(reference);
  return fmt::format("[{}]({})", reference, reference.substr(folder.size()));
}

std::string system_table() {
  std::string table = head({"system", "what it is", "inertia", "reference"});
  for (const SystemInfo& s : systems()) {
    std::string inertia;
    for (const SystemCase& c : all_system_cases())
      if (c.system == s.key && !c.matrix)
        inertia = structures()[make_system(c)->inertia().index()].first;
    if (s.key == custom_system().key) inertia = "any";
    table += row({code(s.key), std::string(s.description), inertia, linked(s.reference)});
  }
  return table;
}

std::string integrator_table() {
  std::string table = head({"integrator", "order", "symplectic", "reversible", "keeps |q| = 1",
                            "inertia", "formulations", "reference"});
  for (const IntegratorInfo& i : integrators()) {
    std::string inertia;
    for (const auto& [name, structure] : structures())
      if (i.applies && i.applies(structure) && (i.takes.first_order || name != "none"))
        inertia += (inertia.empty() ? "" : ", ") + name;
    if (!i.applies) inertia = i.takes.first_order ? "any, none" : "any";
    bool formulated = false;
    for (const ParameterInfo& p : i.parameters) formulated = formulated || p.key == "formulation";
    table += row({code(i.key),
                  i.adaptive ? fmt::format("{}, adaptive", i.order) : std::to_string(i.order),
                  yes(i.symplectic), yes(i.reversible),
                  i.projects ? "by projection" : yes(i.keeps_sphere), inertia,
                  inertia == "none"            ? "q"
                  : formulated                 ? "all four"
                  : i.symplectic || i.adaptive ? "(q, p)"
                                               : "(q, ω)",
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
  std::string table = head({"picture", "preset", "system", "bodies", "step", "duration", "title"});
  for (const Preset& p : presets()) {
    const Scenario s = preset(p);
    table +=
        row({fmt::format("<img src=\"../resources/pictures/presets/{}.light.jpg\" width=\"120\" "
                         "alt=\"{}\">",
                         p.key, s.title),
             fmt::format("[`{}`](../resources/help/{}.md)", p.key, p.key), code(s.system),
             std::to_string(s.size()), fmt::format("{} s", s.lanes[0].step),
             fmt::format("{} s", s.duration), s.title});
  }
  return table;
}

std::string value_of(const ParameterInfo& p) {
  const std::string number = p.whole                            ? "whole number ≥ 0"
                             : p.domain == Domain::positive     ? "number > 0"
                             : p.domain == Domain::non_negative ? "number ≥ 0"
                                                                : "number";
  switch (p.shape) {
    case Shape::scalar:
      return p.word.empty() ? number : fmt::format("{}, or \"{}\"", number, p.word);
    case Shape::list:
      return fmt::format("list of {}, {} each", p.default_vector.size(), number);
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
      return "[x, y, z], or a list of n";
    case Shape::lattice:
      return "{\"rows\": r, \"columns\": c, \"spacing\": a}, r c = n";
    case Shape::sites:
      return "{\"type\", \"size\", \"spacing\", \"periodic\"}, with n sites";
    case Shape::pairs:
      return "[[i, j], …], pairs of bodies counted from 0";
    case Shape::per_pair:
      return number + ", or a list with one of each bond";
    case Shape::springs:
      return fmt::format("[{{\"between\": [i, j], \"stiffness\": {}}}, …]", number);
    case Shape::waypoints:
      return "[[t, x, y, z], …], t ascending";
    case Shape::form: {
      std::string forms = value_of(p.forms[0].fields[0]);
      for (std::size_t k = 1; k < p.forms.size(); ++k) {
        forms += fmt::format(", or {{\"type\": \"{}\"", p.forms[k].key);
        for (const ParameterInfo& field : p.forms[k].fields)
          forms += fmt::format(", \"{}\"", field.key);
        forms += "}";
      }
      return forms;
    }
  }
  return "";
}

std::string default_of(const ParameterInfo& p) {
  if (p.required) return "required";
  if (!p.unless.empty()) return fmt::format("{}; none with `{}`", p.default_value, p.unless);
  if (p.optional) return p.word.empty() ? "none" : fmt::format("\"{}\"", p.word);
  switch (p.shape) {
    case Shape::choice:
      return fmt::format("\"{}\"", p.choices[static_cast<std::size_t>(p.default_value)]);
    case Shape::vector:
    case Shape::points: {
      const std::vector<double> v =
          p.default_vector.empty() ? std::vector<double>(3, p.default_value) : p.default_vector;
      return fmt::format("[{}, {}, {}]", v[0], v[1], v[2]);
    }
    case Shape::springs:
      return "[]";
    case Shape::form:
      return default_of(p.forms[0].fields[0]);
    default:
      return fmt::format("{}", p.default_value);
  }
}

std::string range_of(const ParameterInfo& p) {
  if (p.shape == Shape::choice || p.shape == Shape::count) return "";
  return fmt::format("{} … {}", p.low, p.high);
}

std::string parameter_rows(const std::vector<ParameterInfo>& parameters,
                           const std::string& section = "") {
  std::string table;
  for (const ParameterInfo& p : parameters) {
    const std::string live = p.shape == Shape::springs ? "stiffness live, ends on Rewind"
                             : p.live                  ? "live"
                                                       : "on Rewind";
    std::string meaning(p.help);
    for (const ParameterForm& form : p.forms)
      meaning += fmt::format(" {}: {}", form.label, form.help);
    table += row({code(section + std::string(p.key)), std::string(p.symbol), std::string(p.unit),
                  value_of(p), default_of(p), range_of(p), live, meaning});
    // A field that several forms have alike is listed once.
    std::string fields;
    for (std::size_t k = 1; k < p.forms.size(); ++k)
      for (const ParameterInfo& field : p.forms[k].fields)
        if (const std::string one = parameter_rows({field}, std::string(p.key) + ".");
            fields.find(one) == std::string::npos)
          fields += one;
    table += fields;
  }
  return table;
}

std::string parameter_table(const std::vector<ParameterInfo>& parameters) {
  return head({"key", "symbol", "unit", "value", "default", "range offered", "in a run",
               "meaning"}) +
         parameter_rows(parameters);
}

std::string system_reference() {
  std::string text;
  for (const SystemInfo& s : systems())
    text += fmt::format("\n### `{}`\n\n{} {}.\n\n    {}\n\n", s.key, s.description,
                        linked(s.reference), s.equations) +
            (s.parameters.empty() ? "[A system of your own](custom.md) lists its keys.\n"
                                  : parameter_table(s.parameters));
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

/// The keys of these objects of a file.
std::string key_table(const std::vector<std::string_view>& objects) {
  std::string table = head({"key", "value"});
  for (const std::string_view object : objects)
    for (const KeyInfo& key : file_object(object).keys)
      table += row({code(key.key), std::string(key.help)});
  return table;
}

void expect_key_table(const std::string& path, const std::string& of,
                      const std::vector<std::string_view>& objects) {
  expect_between(path, "<!-- keys of " + of + ", from the table of keys -->\n", "<!-- end -->",
                 key_table(objects));
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
  if (value.empty())
    return p.shape == Shape::scalar ? std::string(p.word.empty() ? "none" : p.word) : "";
  switch (p.shape) {
    case Shape::choice:
      return std::string(p.choices[static_cast<std::size_t>(value[0])]);
    case Shape::vector:
      return fmt::format("({}){}", list(0, 3), unit);
    case Shape::points: {
      // One for all if they are equal.
      std::size_t count = 3;
      for (std::size_t i = 3; i < value.size(); ++i)
        if (value[i] != value[i % 3]) count = value.size();
      std::string text;
      for (std::size_t i = 0; i < count; i += 3)
        text += fmt::format("{}({})", i == 0 ? "" : ", ", list(i, 3));
      return text + unit;
    }
    case Shape::lattice:
      return fmt::format("{} rows, {} columns, {}{} apart", value[0], value[1], value[2], unit);
    case Shape::sites: {
      const SiteLattice lattice(value);
      std::string text(lattice.kind().key);
      for (int k = 0; k < lattice.kind().dimension; ++k)
        text += fmt::format(" {} {}", k == 0 ? "of" : "by",
                            lattice.size()[static_cast<std::size_t>(k)]);
      return text + fmt::format(" cells{}, {}{} apart", lattice.periodic() ? ", periodic" : "",
                                lattice.spacing(), unit);
    }
    case Shape::waypoints: {
      std::string text;
      for (std::size_t i = 0; i + 3 < value.size(); i += 4)
        text += fmt::format("{}({}){} at {} s", i == 0 ? "" : ", ", list(i + 1, 3), unit, value[i]);
      return text;
    }
    case Shape::pairs:
      return fmt::format("{} pairs", value.size() / 2);
    case Shape::springs: {
      std::string text;
      for (std::size_t i = 0; i < value.size(); i += 3)
        text += fmt::format("{}{} between {} and {}", i == 0 ? "" : ", ", value[i + 2],
                            value[i] + 1, value[i + 1] + 1);
      return text + unit;
    }
    case Shape::form: {
      std::string text(value[0] == 0 ? "" : form_of(p, value).label);
      for (const FormField& field : fields_of(form_of(p, value), value))
        text += (text.empty() ? "" : ", ") +
                (value[0] == 0 ? "" : fmt::format("{} ", field.info.symbol)) +
                shown(field.info, field.of(value));
      return text;
    }
    default: {
      const bool equal =
          std::all_of(value.begin(), value.end(), [&](double x) { return x == value.front(); });
      constexpr std::size_t most = 24;  // numbers that are written out
      if (equal || value.size() <= most) return list(0, equal ? 1 : value.size()) + unit;
      std::string text;
      for (std::size_t i = 0, next = 0; i < value.size(); i = next) {
        while (next < value.size() && value[next] == value[i]) ++next;
        text += fmt::format("{}{} times {:.12g}", i == 0 ? "" : ", ", next - i, value[i]);
      }
      return text + unit;
    }
  }
}

/// Numbers as the window shows them.
std::string with_minus_signs(const std::string& text) {
  static const std::regex negative("(^|[ (])-(?=[0-9])");
  return std::regex_replace(text, negative, "$1−");
}

std::string values_of(const Scenario& s) {
  std::string text = fmt::format("- bodies n: {}\n", s.size());
  for (const ParameterInfo& p : find_system(s.system)->parameters) {
    const std::string value = shown(p, s.parameters.find(p.key)->second);
    if (!value.empty() && p.shape != Shape::count)
      text += fmt::format("- {}{}{}: {}\n", p.label, p.symbol.empty() ? "" : " ", p.symbol, value);
  }
  return with_minus_signs(text) + fmt::format("- integrator: `{}`, step {} s, duration {} s",
                                              s.lanes[0].type, s.lanes[0].step, s.duration);
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
        text += fmt::format(". {}{}", mean.reason,
                            mean.inputs == Inputs::fitted ? " Inputs chosen to fit." : "");
    }
  }
  return text.empty() ? "- The papers print no numbers for this example." : text.substr(1);
}

TEST(Help, PagesHaveThePresetsValuesAndThePublishedOnes) {
  for (const Preset& p : presets()) {
    const std::string path = fmt::format("resources/help/{}.md", p.key);
    const Scenario s = preset(p);
    expect_between(path, "\n## Units and values\n\n", "\n\n", values_of(s));
    expect_between(path, "\n## Published values\n\n", "\n\n", published(p.key));
    if (updating()) continue;
    EXPECT_EQ(p.help, text_of(path));
    EXPECT_NE(p.help.find("\n    " + std::string(find_system(s.system)->equations) + "\n"),
              std::string::npos)
        << path << " has other equations than the catalogue";
  }
}

/// The same for a system of texts.
std::string values_of_texts(const Scenario& s) {
  using Form = Definition::Parameter::Form;
  constexpr std::size_t most = 4;  // numbers that are written out
  std::string text = fmt::format("- bodies n: {}\n", s.size());
  for (const Definition::Parameter& p : s.definition->definition().parameters) {
    text += fmt::format("- `{}`: ", p.key);
    if (p.form == Form::pairs) {
      text += fmt::format("{} pairs of bodies", p.value.size() / 2);
    } else if (p.value.size() > most) {
      text += fmt::format("{} numbers", p.value.size());
    } else {
      for (std::size_t i = 0; i < p.value.size(); ++i)
        text += fmt::format("{}{:.12g}", i == 0 ? "" : ", ", p.value[i]);
      if (!p.unit.empty() && p.unit != "1") text += ' ' + shown_unit(p.unit);
    }
    text += (p.help.empty() ? "" : ". " + p.help) + '\n';
  }
  return with_minus_signs(text) + fmt::format("- integrator: `{}`, step {} s, duration {} s",
                                              s.lanes[0].type, s.lanes[0].step, s.duration);
}

TEST(Help, PagesOfSystemsAsTextHaveTheirEquationsAndValues) {
  for (const Preset& p : custom_presets()) {
    const std::string path = fmt::format("resources/help/{}.md", p.key);
    const Scenario s = preset(p);
    std::string lines;
    for (const std::string& line : equations(s.definition->definition()))
      lines += (lines.empty() ? "    " : "\n    ") + line;
    expect_between(path, "\n## Equations\n\n", "\n\n", lines);
    expect_between(path, "\n## Units and values\n\n", "\n\n", values_of_texts(s));
    if (!updating()) {
      EXPECT_EQ(p.help, text_of(path));
    }
  }
}

/// "  [Halve the step](do:set:integrator.step=0.005)"
bool is_button(const std::string& line) {
  return line.starts_with("  [") && line.ends_with(")") && line.find("](do:") != line.npos;
}

// The buttons of a page do what the words of tours do.
TEST(Help, ExercisesCanBeDoneWithThePreset) {
  const TourNames names{{}, [](std::string_view) { return false; }};
  for (const std::string& key : preset_keys()) {
    const Preset& p = *find_preset(key);
    const Scenario opened = preset(p);
    const std::string page(p.help);
    int buttons = 0;
    std::istringstream lines(page.substr(page.find("\n## Exercises\n")));
    for (std::string line; std::getline(lines, line);) {
      if (!is_button(line)) continue;
      SCOPED_TRACE(fmt::format("{}.md: {}", key, line));
      ++buttons;
      constexpr std::string_view mark = "](do:";
      const std::size_t from = line.find(mark) + mark.size();
      const auto instruction = parse_instruction(line.substr(from, line.size() - 1 - from), names);
      ASSERT_TRUE(instruction) << instruction.error().text();
      const auto changed = with_instruction(opened, *instruction);
      ASSERT_TRUE(changed) << changed.error().text();
      EXPECT_FALSE(differences(opened, *changed).empty()) << "it changes nothing";
      const auto run = Simulation::create(*changed);
      EXPECT_TRUE(run) << run.error().text();
    }
    EXPECT_GE(buttons, 2) << key;
  }
}

TEST(Help, PagesAreOfTheKindThatCanBeShown) {
  static const std::regex index_in_code(R"(^[^`]*(`[^`]*`[^`]*)*`[^`]*\b[A-Za-z]_[A-Za-z]\b)");
  for (const std::string& key : preset_keys()) {
    const Preset& p = *find_preset(key);
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
      // No tables, pictures, links, numbered lists, emphasis, quotes, fences or HTML; a button,
      // which is a link that does something, has a line to itself.
      if (line.starts_with("    ") || is_button(line)) continue;
      EXPECT_FALSE(std::regex_search(line, index_in_code)) << "it would be shown as HTML";
      for (const char* mark : {"](", "**", "```", "<!"})
        EXPECT_EQ(line.find(mark), std::string::npos);
      EXPECT_EQ(std::string("|>*+").find(line.empty() ? ' ' : line[0]), std::string::npos);
      EXPECT_FALSE(!line.empty() && std::isdigit(static_cast<unsigned char>(line[0])) &&
                   line.find(". ") < 3);
    }
    std::vector<std::string> wanted{"## Equations", "## Units and values", "## What to look at",
                                    "## Published values", "## Exercises"};
    if (key.starts_with("custom/")) std::erase(wanted, "## Published values");
    EXPECT_EQ(headings, wanted) << p.key;
  }
}

std::string errata_table() {
  std::string table = head({"figure", "preset", "what is wrong or missing in print"});
  for (const PaperFigure& f : paper_figures())
    table += row({std::string(f.number), code(f.preset), fmt::format("{} {}", f.note, f.errata)});
  const PaperField& field = paper_field();
  return table + row({std::string(field.number), code(field.preset),
                      fmt::format("{} {}", field.note, field.errata)});
}

#ifdef TWOSPHERE_TIERS
/// The tests of each tier, from their labels; all others are of the tier `default`.
std::string tier_table() {
  std::map<std::string, std::set<std::string>> tests;
  std::ifstream file(TWOSPHERE_TIERS);
  for (std::string name, labels; std::getline(std::getline(file, name, '\t'), labels);)
    for (const char* tier : {"rest", "long"})
      if (labels.find(tier) != labels.npos)
        tests[tier].insert(code(name.substr(0, name.find('.'))));
  std::string table = head({"tier", "tests"}) + row({code("default"), "all others"});
  for (const auto& [tier, names] : tests)
    table += row({code(tier), fmt::format("{}", fmt::join(names, ", "))});
  return table;
}

TEST(Docs, TableOfTiersIsThatOfTheLabels) {
  expect_between("docs/testing.md", "<!-- tiers, from the labels -->\n", "<!-- end -->",
                 tier_table());
}

// Continuous integration builds and runs one of the parts.
TEST(Docs, EveryTestUnderSanitizersIsInOneOfFourParts) {
  for (const std::string kind : {"memory", "thread"}) {
    std::set<std::string> parts;
    std::ifstream file(TWOSPHERE_TIERS);
    for (std::string name, labels; std::getline(std::getline(file, name, '\t'), labels);) {
      int of = 0;
      std::istringstream words(labels);
      for (std::string word; words >> word;)
        if (word.starts_with(kind)) {
          ++of;
          parts.insert(word);
        }
      EXPECT_EQ(of, labels.find("-" + kind) == labels.npos ? 0 : 1) << name << ": " << labels;
    }
    EXPECT_EQ(parts, (std::set<std::string>{kind + "0", kind + "1", kind + "2", kind + "3"}));
  }
}
#endif

TEST(Docs, TablesAreThoseOfTheCatalogue) {
  expect_table("docs/catalogue.md", "systems", system_table());
  expect_table("docs/catalogue.md", "integrators", integrator_table());
  expect_table("docs/user-guide.md", "presets", preset_table());
  expect_between("docs/numerics.md", "<!-- errata, from the table of figures -->\n", "<!-- end -->",
                 errata_table());
}

std::string range_of(const ReproducedRun& run, const ReproducedMean& mean) {
  const SensitivitySweep& v = run.published->variation;
  switch (mean.published->rule) {
    case AcceptanceRule::digits:
      return "to five digits";
    case AcceptanceRule::at_most:
      return "";
    default:
      break;
  }
  if (!mean.allowed) return "";
  const std::string band =
      fmt::format("{} to {} over ", as_printed(mean.allowed->low), as_printed(mean.allowed->high));
  switch (v.of) {
    case SensitivitySweep::Of::rows:
      return band + fmt::format("means over every row to every {}th", v.high);
    case SensitivitySweep::Of::duration:
      return band + fmt::format("durations from {} s to {} s", v.low, v.high);
    case SensitivitySweep::Of::start:
      return band + fmt::format("starts perturbed by {}", as_printed(v.low, 0));
    default:
      return "";
  }
}

/// Every number that the paper prints beside ours.
std::string reproduction_table(const std::vector<ReproducedRun>& runs) {
  std::string table = head({"example, run", "mean", "published", "twosphere", "verdict", "band"});
  for (const ReproducedRun& run : runs) {
    const PublishedRun& published = *run.published;
    std::string name = fmt::format("{}, {}", published.example, conditions(published));
    if (published.preset == "elastic_rod_consistent") name += ", inertia of rigid rods";
    for (const ReproducedMean& mean : run.means) {
      if (!mean.published->value()) continue;
      const bool energy = mean.published->quantity == Quantity::energy_error;
      const bool below = mean.verdict == Verdict::below;
      table += row({std::exchange(name, ""),
                    energy ? fmt::format("|E − E₀|, {}", label(published.unit)) : "|q·q − 1|",
                    std::string(mean.published->printed), as_printed(mean.ours, below ? 0 : 4),
                    std::string(word(mean.verdict)), range_of(run, mean)});
    }
  }
  return table + "\n" + in_words(tally(runs)) + ".\n";
}

/// The mean and the worst of errors over every row of Example 1 with some method.
struct Errors {
  double mean_energy = 0, mean_length = 0, worst_length = 0;
};
Errors errors_of(const std::string& integrator) {
  PublishedRun run = published_runs()[0];
  EXPECT_EQ(run.example, 1);
  run.integrator = integrator;
  run.variation = {};
  run.means[0].rule = run.means[1].rule = AcceptanceRule::open;
  const auto done = reproduce({&run}, 1, [](std::size_t, std::size_t) { return true; });
  EXPECT_TRUE(done);
  Errors errors{(*done)[0].means[0].ours * (*done)[0].joules, (*done)[0].means[1].ours};
  for (const Sample& sample : (*done)[0].rows)
    errors.worst_length = std::max(errors.worst_length, sample[Quantity::unit_length_error]);
  return errors;
}

std::string example_table(const std::vector<ReproducedRun>& runs) {
  std::string table =
      head({"double spherical pendulum, h = 0.01 s, 100 s, every step", "published", "twosphere"});
  for (const ReproducedRun& run : runs) {
    if (run.published->example != 1) continue;
    const std::string method = code(run.published->integrator);
    const ReproducedMean &energy = run.means[0], &length = run.means[1];
    table += row({"mean |E − E₀|, " + method, fmt::format("{} m g l", energy.published->printed),
                  fmt::format("{} J = {} m g l", as_printed(energy.ours * run.joules),
                              as_printed(energy.ours))});
    table += row({"mean |q·q − 1|, " + method, std::string(length.published->printed),
                  as_printed(length.ours, length.verdict == Verdict::below ? 0 : 4)});
  }
  const Errors second = errors_of("variational"), rk4 = errors_of("rk4"),
               fourth = errors_of("variational4"), sixth = errors_of("variational6");
  table += row({"worst | |q| − 1 |, `variational`", "", as_printed(second.worst_length, 0)});
  table += row({"mean |E − E₀|, `rk4` at the same step", "",
                as_printed(rk4.mean_energy, 3) + " J, but it drifts: see below"});
  table += row({"mean |E − E₀|, `variational4`, `variational6` at the same step", "",
                fmt::format("{} J, {} J", as_printed(fourth.mean_energy, 2),
                            as_printed(sixth.mean_energy, 0))});
  table += row({"worst | |q| − 1 |, `rk4`", "", as_printed(rk4.worst_length, 1) + ", growing"});
  return table;
}

/// Numbers and what stands between them.
std::vector<std::string> pieces(const std::string& text) {
  std::vector<std::string> out{""};
  const auto part_of_number = [&text](std::size_t i) {
    const char c = text[i];
    const bool digit = c >= '0' && c <= '9';
    if (digit || c == '.') return true;
    return (c == 'e' || c == '-') && i > 0 && i + 1 < text.size() && text[i + 1] != ' ' &&
           (text[i - 1] == 'e' || (text[i - 1] >= '0' && text[i - 1] <= '9'));
  };
  bool number = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (part_of_number(i) != number) {
      number = !number;
      out.emplace_back();
    }
    out.back() += text[i];
  }
  return out;
}

/// Compares what stands in a file with what was measured: texts to the letter, numbers as far as
/// other machines agree in them, those of rounding in their order of magnitude and those of chaotic
/// runs within their bands.
void expect_measured(const std::string& path, const std::string& name, const std::string& wanted) {
  const std::string begin = "<!-- " + name + ", as measured -->\n", end = "<!-- end -->";
  if (updating()) return expect_between(path, begin, end, wanted);
  const std::string text = text_of(path);
  const std::size_t first = text.find(begin), last = text.find(end, first);
  ASSERT_TRUE(first != text.npos && last != text.npos) << path << " has no " << begin;
  std::istringstream ours(wanted),
      theirs(text.substr(first + begin.size(), last - first - begin.size()));
  for (std::string a, b; std::getline(ours, a);) {
    ASSERT_TRUE(std::getline(theirs, b)) << "behind what was measured: " << a;
    const auto measured = pieces(a), written = pieces(b);
    ASSERT_EQ(measured.size(), written.size()) << a << '\n' << b;
    const bool fitted = name == "orders of the compositions",
               chaotic = a.find("starts perturbed") != a.npos || name == "encounters" ||
                         name == "exponents of Example 1";
    for (std::size_t i = 0; i < measured.size(); ++i) {
      if (measured[i] == written[i]) continue;
      const double x = std::strtod(measured[i].c_str(), nullptr),
                   y = std::strtod(written[i].c_str(), nullptr);
      ASSERT_TRUE(x > 0 && y > 0) << a << '\n' << b;
      const double factor = std::max(x, y) < 1e-10 || chaotic ? 4 : fitted ? 1.01 : 1.001;
      EXPECT_LT(std::max(x / y, y / x), factor)
          << path << " is behind what is measured; TWOSPHERE_UPDATE=1 docs_test writes it anew\n"
          << a << '\n'
          << b;
    }
  }
  std::string more;
  EXPECT_FALSE(std::getline(theirs, more)) << more;
}

/// How nearly symplectic a step is from the start of Example 1.
std::string defect_table() {
  const std::vector<std::string> methods{"variational", "rk4"};
  std::string table = head({"step h", code(methods[0]), code(methods[1]) + " with projection"});
  const auto run = Simulation::create(preset(*find_preset("double_spherical_pendulum")));
  EXPECT_TRUE(run);
  for (const double h : {0.01, 0.03, 0.1}) {
    std::vector<std::string> cells{fmt::format("{} s", h)};
    for (const std::string& method : methods) {
      const IntegratorInfo& info = *find_integrator(method);
      const Values values = default_values(info.parameters);
      const auto defect =
          symplecticity_defect({*run->system(), info, values, h}, run->lane(0).state);
      EXPECT_TRUE(defect);
      if (defect) cells.push_back(as_printed(defect->defect, 1));
    }
    table += row(cells);
  }
  return table;
}

/// The orders that `twosphere study order` fits.
std::string orders_table() {
  std::string table = head({"integrator", "order", "double pendulum", "pendula joined by springs"});
  std::map<std::string, std::vector<std::string>> cells;
  for (const test::OrderExample& example : test::order_examples) {
    const auto study = test::study_of(example);
    EXPECT_TRUE(study);
    if (!study) continue;
    const auto result = run_order_study(*study, 2, {});
    EXPECT_TRUE(result && *result);
    if (!result || !*result) continue;
    for (std::size_t m = 0; m < study->methods.size(); ++m)
      if (const auto order = order_of(*study, **result, m)) {
        std::vector<std::string>& row_of_method = cells[study->methods[m].type];
        row_of_method.resize(example.preset == test::order_examples[0].preset ? 0 : 1, "—");
        row_of_method.push_back(fmt::format("{:.2f}", order->order));
      }
  }
  for (const IntegratorInfo& info : integrators()) {
    if (!test::is_composition(info)) continue;
    std::vector<std::string> row_of_method{code(std::string(info.key)),
                                           fmt::format("{}", info.order)};
    for (const std::string& cell : cells[std::string(info.key)]) row_of_method.push_back(cell);
    table += row(row_of_method);
  }
  return table;
}

/// What `twosphere run --exponents 8` finds in Example 1.
std::string exponents_table() {
  std::string table = head({"duration T", "λ₁", "λ₂"});
  for (const auto& [duration, name] : {std::pair(2000.0, "2000 s"), {20'000.0, "20 000 s"}}) {
    Scenario scenario = preset(*find_preset("double_spherical_pendulum"));
    scenario.duration = duration;
    auto run = Simulation::create(std::move(scenario));
    EXPECT_TRUE(run && run->follow_exponents(8));
    if (!run) continue;
    bool fails = false;
    while (!run->finished() && !fails) fails = run->advance_to(run->planned_steps()).has_value();
    EXPECT_FALSE(fails);
    std::vector<std::string> cells{name};
    const auto spectrum = run->lane(0).exponents->spectrum(*run->system(), run->state(0));
    for (std::size_t k = 0; k < 2; ++k)
      cells.push_back(fmt::format("{:.4f} ± {:.4f}", spectrum[k].value, spectrum[k].error));
    for (std::size_t k = 2; k < 4; ++k)
      EXPECT_LT(std::abs(spectrum[k].value), 3 * spectrum[k].error) << k;
    table += row(cells);
  }
  return table;
}

/// Errors of Example 2 at 10 s and beyond its close encounters, and the forces evaluated for them.
std::string encounters_table() {
  struct Run {
    const char* method;
    double step;  // h, η_0 or r
  };
  const std::vector<int> ends{10, 13, 20};
  std::string table = head({"method", "to 10 s", "to 13 s", "to 20 s"});
  for (const auto& [method, step] :
       {Run{"variational", 0.005}, Run{"variational", 0.0005}, Run{"variational_adaptive", 0.01},
        Run{"variational_adaptive", 0.002}, Run{"rotation6", 0.05}, Run{"rotation6", 0.005},
        Run{"rotation6_adaptive", 0.05}, Run{"rotation6_adaptive", 0.02},
        Run{"rotation8_adaptive", 0.05}, Run{"rotation8_adaptive", 0.03}, Run{"rk78", 1e-10},
        Run{"rk78", 1e-13}}) {
    const IntegratorInfo& info = *find_integrator(method);
    const bool follows = info.adaptive && info.reversible;
    std::vector<std::string> cells{
        fmt::format("{}, {} {}", code(method),
                    !info.adaptive ? "h ="
                    : follows      ? "η₀ ="
                                   : "r =",
                    info.adaptive && !follows ? as_printed(step, 0) : fmt::format("{} s", step))};
    for (const int end : ends) {
      Values values;
      if (follows) values["first_step"] = {step};
      if (info.adaptive && !follows) {
        values["relative_tolerance"] = {step};
        values["absolute_tolerance"] = {step / 100};
      }
      const Followed run = follow(method, info.adaptive ? end : step, end, values);
      const double error = run.whole ? distance_from_golden(run) : 0;
      cells.push_back(!run.whole    ? "refused"
                      : error > 0.1 ? fmt::format("lost ({})", run.forces)
                                    : fmt::format("{} ({})", as_printed(error, 1), run.forces));
    }
    table += row(cells);
  }
  return table;
}

TEST(Docs, EncountersAreThoseThatAreMeasured) {
  expect_measured("docs/numerics.md", "encounters", encounters_table());
}

TEST(Docs, TimesOfTasksAreThoseOfTheBenchmarks) {
  const std::string text = text_of("docs/benchmarks.md"), begin = "<!-- bench: tasks -->\n";
  const std::size_t from = text.find(begin), to = text.find("<!-- end -->", from);
  ASSERT_TRUE(from != text.npos && to != text.npos);
  expect_between("docs/clusters.md", "<!-- tasks, from benchmarks.md -->\n", "<!-- end -->",
                 text.substr(from + begin.size(), to - from - begin.size()));
}

TEST(Docs, OrdersAreThoseThatAreMeasured) {
  for (const test::OrderExample& example : test::order_examples)
    EXPECT_NE(text_of("docs/studies.md")
                  .find(fmt::format("--preset {} --duration {} \\\n    --steps {} --reference "
                                    "gauss16@{}",
                                    example.preset, example.duration, fmt::join(example.steps, ","),
                                    example.reference_step)),
              std::string::npos)
        << example.preset;
  expect_measured("docs/studies.md", "orders of the compositions", orders_table());
}

TEST(Docs, ExponentsAreThoseThatAreMeasured) {
  expect_measured("docs/numerics.md", "exponents of Example 1", exponents_table());
}

TEST(Docs, DefectIsTheOneThatIsMeasured) {
  expect_measured("docs/numerics.md", "the defect", defect_table());
}

// Twenty seconds of processor time.
TEST(Docs, NumbersAreThoseThatAreMeasured) {
  std::vector<const PublishedRun*> wanted;
  for (const PublishedRun& run : published_runs())
    if (std::any_of(run.means.begin(), run.means.end(),
                    [](const PublishedMean& mean) { return mean.value(); }))
      wanted.push_back(&run);
  const auto runs = reproduce(wanted, 2, [](std::size_t, std::size_t) { return true; });
  ASSERT_TRUE(runs) << runs.error().text();
  EXPECT_EQ(tally(*runs).missed, 0);
  expect_measured("docs/reproduction.md", "Example 1", example_table(*runs));
  expect_measured("docs/reproduction.md", "the examples", reproduction_table(*runs));
}

// A new method is added at the end, so that those before it keep their looks.
TEST(Docs, OrderOfLooksHasEveryMethod) {
  const std::string path = "core/integrators/look_order.inc", listed = text_of(path);
  std::string wanted = listed;
  for (const IntegratorInfo& info : integrators()) {
    const std::string line = fmt::format("\"{}\",\n", info.key);
    if (listed.find(line) == listed.npos) wanted += line;
  }
  if (updating()) std::ofstream(TWOSPHERE_SOURCE_DIR "/" + path, std::ios::binary) << wanted;
  EXPECT_EQ(text_of(path), wanted) << path << " lacks methods; TWOSPHERE_UPDATE=1 adds them";
}

TEST(Docs, ReferenceOfScenariosIsThatOfTheCatalogue) {
  expect_table("docs/scenario-format.md", "systems", system_reference());
  expect_table("docs/scenario-format.md", "integrators", integrator_reference());
  expect_table("docs/scenario-format.md", "columns", column_table());
}

// Two forms of a parameter may have the same fields.
TEST(Docs, TablesOfParametersHaveNoRowTwice) {
  for (const std::string& text : {system_reference(), integrator_reference()}) {
    std::set<std::string> rows;  // of one table
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      if (line.empty()) rows.clear();
      if (line.starts_with("| `")) {
        EXPECT_TRUE(rows.insert(line).second) << line;
      }
    }
  }
}

TEST(Docs, TablesOfKeysAreThatOfTheReaders) {
  expect_key_table("docs/scenario-format.md", "a scenario", {"scenario"});
  expect_key_table("docs/scenario-format.md", "a section", {"section"});
  expect_key_table("docs/scenario-format.md", "an orbit", {"orbit"});
  expect_key_table("docs/scenario-format.md", "a view", {"view"});
  expect_key_table("docs/scenario-format.md", "a saved state", {"run_state", "lane_state"});
  expect_key_table("docs/custom.md", "a definition", {"definition"});
}

/// An example file with its row in tests/cases.cpp, which begins so, and its line in the catalogue.
void expect_example(const std::string& page, const std::string& key, const std::string& marker,
                    const std::string& beginning) {
  const std::string file = "tests/" + key + ".cpp";
  expect_between(page, "<!-- " + file + " -->\n```cpp\n", "```\n<!-- end -->", text_of(file));
  const std::string cases = text_of("tests/cases.cpp");
  const std::size_t from = cases.find(beginning);
  ASSERT_NE(from, std::string::npos) << beginning;
  // Up to the next row, or to the end of the list.
  const std::size_t to = std::min(cases.find("\n      {", from), cases.find("\n  };", from));
  expect_between(page, "<!-- " + marker + " -->\n```cpp\n", "```\n<!-- end -->",
                 cases.substr(from, to - from + 1));
  EXPECT_NE(text_of(page).find("\n  ENTRY(" + key + ")\n"), std::string::npos);
}

// The table of expressions has every function of texts: those of one number in one row, the others
// with their arguments.
TEST(Docs, FunctionsOfTextsAreThoseOfTheProgram) {
  const std::string page = text_of("docs/custom.md");
  const std::size_t table = page.find("\n| written | meaning |\n"), end = page.find("\n\n", table);
  ASSERT_NE(end, std::string::npos);
  const std::string rows = page.substr(table, end - table);
  for (const std::string_view call : language::call_names)
    EXPECT_NE(rows.find(fmt::format("`{}(", call)), std::string::npos) << call;
  expect_between("docs/custom.md", "accurate at both ends |\n| `", "` | functions of a number |",
                 fmt::format("{}", fmt::join(language::function_names, " ")));
  expect_between("docs/user-guide.md", "the functions ", " and atan2(y, x)",
                 fmt::format("{}", fmt::join(language::function_names, ", ")));
}

TEST(Docs, ExamplesAreThoseThatTheTestsRun) {
  expect_example("docs/extend-a-system.md", "uncoupled_pendula", "the row of tests/cases.cpp",
                 "      {\"uncoupled\", ");
  expect_example("docs/extend-an-integrator.md", "two_rotations",
                 "the method's row of tests/cases.cpp", "      {\"two_rotations\", ");
  expect_between("docs/library.md", "<!-- docs/library/energy.cpp -->\n```cpp\n",
                 "```\n<!-- end -->", text_of("docs/library/energy.cpp"));
  // Their lines look like those of the catalogue.
  EXPECT_NE(text_of("core/catalog.cpp").find("\n  ENTRY(conformal_particles)"), std::string::npos);
  EXPECT_NE(text_of("core/catalog.cpp").find("\n  ENTRY(rk45)"), std::string::npos);
  const std::string others = "docs/extend-the-program.md", action_list = "ui/shell/action_list.h";
  expect_between(others, "<!-- app/cli/show.cpp -->\n```cpp\n", "```\n<!-- end -->",
                 text_of("app/cli/show.cpp"));
  EXPECT_NE(text_of("app/cli/command_line.cpp").find("\n  ENTRY(show)"), std::string::npos);
  expect_between(others, "<!-- app/dialogs/about_dialog.cpp -->\n```cpp\n", "```\n<!-- end -->",
                 text_of("app/dialogs/about_dialog.cpp"));
  EXPECT_NE(text_of("app/dialogs/dialog_list.cpp").find("\n  ENTRY(about)"), std::string::npos);
  const std::string actions = text_of(action_list);
  const std::size_t from = actions.find("ACTION(toggle_trail, "),
                    to = actions.find("ACTION(", from + 1);
  ASSERT_NE(to, std::string::npos);
  expect_between(others, "<!-- " + action_list + " -->\n```cpp\n", "```\n<!-- end -->",
                 actions.substr(from, to - from));
  EXPECT_EQ(uncoupled_pendula().key, "uncoupled_pendula");
  EXPECT_EQ(two_rotations().key, "two_rotations");
}

const std::filesystem::path root = TWOSPHERE_SOURCE_DIR;

/// What people read, relative to the source tree.
std::vector<std::string> documents() {
  std::vector<std::string> list{"README.md", "CONTRIBUTING.md"};
  for (const auto& entry : std::filesystem::directory_iterator(root / "docs"))
    if (entry.path().extension() == ".md")
      list.push_back("docs/" + entry.path().filename().string());
  std::sort(list.begin(), list.end());
  return list;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// A document in parts: lines of text, spans and lines of code, headings.
struct Page {
  std::vector<std::pair<int, std::string>> prose;  ///< number of the line; code taken out
  std::vector<std::pair<int, std::string>> code;   ///< spans, and lines of fenced blocks
  std::set<std::string> anchors;                   ///< of the headings, as GitHub makes them
};

Page parse(const std::string& text) {
  static const std::regex span("`([^`]+)`");
  Page page;
  bool fenced = false;
  int number = 0;
  for (const std::string& line : lines_of(text)) {
    ++number;
    if (line.starts_with("```")) {
      fenced = !fenced;
    } else if (fenced) {
      page.code.emplace_back(number, line);
    } else if (!line.starts_with("    ")) {
      for (std::sregex_iterator it(line.begin(), line.end(), span), end; it != end; ++it)
        page.code.emplace_back(number, (*it)[1]);
      page.prose.emplace_back(number, std::regex_replace(line, span, ""));
      if (!line.starts_with("#")) continue;
      std::string anchor;
      for (const char c : line.substr(line.find(' ') + 1)) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte >= 0x80 || std::isalnum(byte) || c == '-' || c == '_')
          anchor += static_cast<char>(std::tolower(byte));
        else if (c == ' ')
          anchor += '-';
      }
      page.anchors.insert(anchor);
    }
  }
  return page;
}

TEST(Docs, ReadmeIsShort) {
  const std::string text = text_of("README.md");
  EXPECT_LE(lines_of(text).size(), 100U);
  for (const std::string& path : documents())
    EXPECT_EQ(text_of(path).find(" proves "), std::string::npos)
        << path << ": the program measures and monitors, it proves nothing";
}

/// Numbers of lines in which an item of a list stands behind other text.
std::vector<int> lines_with_inner_items(const std::string& text) {
  static const std::regex inner(R"([.:;,)\*]\s+- [A-Z*])"), gap(R"(\S {3,}\S)");
  std::vector<int> found;
  for (const auto& [number, line] : parse(text).prose)
    if (!line.starts_with("|") &&
        (std::regex_search(line, inner) ||
         (std::regex_search(line, gap) && line.find_first_not_of(' ') < 4)))
      found.push_back(number);
  return found;
}

TEST(Docs, ItemsOfListsBeginTheirLines) {
  EXPECT_EQ(lines_with_inner_items("- One. - Two\n- one, two - 1\nand   more\n"),
            (std::vector<int>{1, 3}));
  std::vector<std::string> pages = documents();
  pages.push_back("CHANGELOG.md");
  for (const std::string& key : preset_keys())
    pages.push_back(fmt::format("resources/help/{}.md", key));
  for (const std::string& path : pages)
    for (const int line : lines_with_inner_items(text_of(path)))
      ADD_FAILURE() << path << ':' << line << ": an item of a list, or a gap, inside a line";
}

TEST(Docs, ParserFindsCodeAndAnchors) {
  const Page page = parse("# A `b`, c-d\ntext `x y` [l](m)\n```sh\nrun it\n```\n    1 + 1\n");
  EXPECT_EQ(page.anchors, std::set<std::string>{"a-b-c-d"});
  ASSERT_EQ(page.code.size(), 3U);
  EXPECT_EQ(page.code[2].second, "run it");
  EXPECT_EQ(page.prose[1].second, "text  [l](m)");
}

// Where a page begins with a list of its sections, that has all of them, in order.
TEST(Docs, ContentsNameEverySection) {
  static const std::regex entry(R"(^- \[([^\]]+)\]\(#)"), heading("^## (.+)$");
  for (const std::string& path : documents()) {
    const std::string text = text_of(path);
    std::vector<std::string> entries, headings;
    for (const std::string& line : lines_of(text)) {
      std::smatch match;
      if (std::regex_search(line, match, heading))
        headings.push_back(match[1]);
      else if (headings.empty() && std::regex_search(line, match, entry))
        entries.push_back(match[1]);
    }
    if (entries.size() > 2) {
      EXPECT_EQ(entries, headings) << path;
    }
  }
}

TEST(Docs, LinksAndPicturesLeadSomewhere) {
  static const std::regex link(R"(\]\(([^)\s]+)\)|<img src="([^"]+)\")");
  std::set<std::string> linked;
  std::vector<std::string> pages = documents();
  pages.push_back("CHANGELOG.md");
  for (const std::string& path : pages) {
    for (const auto& [number, line] : parse(text_of(path)).prose)
      for (std::sregex_iterator it(line.begin(), line.end(), link), end; it != end; ++it) {
        const std::string target = (*it)[1].matched ? (*it)[1] : (*it)[2];
        SCOPED_TRACE(fmt::format("{}:{}: {}", path, number, target));
        if (target.starts_with("https://")) continue;
        const std::size_t hash = std::min(target.find('#'), target.size());
        const std::filesystem::path file =
            hash == 0 ? root / path
                      : root / std::filesystem::path(path).parent_path() / target.substr(0, hash);
        ASSERT_TRUE(std::filesystem::exists(file));
        linked.insert(std::filesystem::relative(file, root).string());
        if (hash == target.size()) continue;
        const auto anchors = parse(text_of(std::filesystem::relative(file, root).string())).anchors;
        EXPECT_TRUE(anchors.count(target.substr(hash + 1)));
      }
  }
  for (const std::string& path : documents())
    EXPECT_TRUE(path == "README.md" || linked.count(path)) << "no link leads to " << path;
}

TEST(Docs, FoldersAndFilesThatAreNamedExist) {
  static const std::regex named(
      "(app|cmake|core|docs|render|resources|scripts|shaders|tests|ui)/[a-z0-9_./-]*");
  for (const std::string& path : documents())
    for (const auto& [number, text] : parse(text_of(path)).code)
      // What an example would be called if it were part of the program lies in tests/.
      EXPECT_TRUE(!std::regex_match(text, named) || std::filesystem::exists(root / text) ||
                  std::filesystem::exists(root / "tests" / std::filesystem::path(text).filename()))
          << path << ':' << number << ": " << text;
  const std::string architecture = text_of("docs/architecture.md");
  for (const char* layer : {"core", "render", "ui", "app"}) {
    EXPECT_NE(architecture.find(fmt::format("| `{}/` |", layer)), std::string::npos) << layer;
    for (const auto& entry : std::filesystem::directory_iterator(root / layer))
      EXPECT_TRUE(
          !entry.is_directory() ||
          architecture.find(fmt::format("| `{}/{}/` |", layer, entry.path().filename().string())) !=
              std::string::npos)
          << entry.path() << " has no row in docs/architecture.md";
  }
}

TEST(Docs, NumericsNameEverySystemAndIntegrator) {
  const std::string text = text_of("docs/numerics.md");
  for (const SystemInfo& s : systems())
    EXPECT_TRUE(text.find(code(s.key)) != std::string::npos)
        << "docs/numerics.md does not mention " << s.key;
  for (const IntegratorInfo& i : integrators())
    EXPECT_TRUE(text.find(code(i.key)) != std::string::npos)
        << "docs/numerics.md does not mention " << i.key;
}

/// The subcommands in the list of the program, and "" for the program itself.
std::vector<std::string> subcommands() {
  static const std::regex line(R"(^  ENTRY\((\w+)\).*)");
  std::vector<std::string> names{""};
  for (const std::string& text : lines_of(text_of("app/cli/command_line.cpp"))) {
    std::smatch match;
    if (std::regex_match(text, match, line)) names.push_back(match[1]);
  }
  EXPECT_GT(names.size(), 1U);
  return names;
}
const std::vector<std::string>& commands() {
  static const std::vector<std::string> names = subcommands();
  return names;
}

std::string help_marker(const std::string& command) {
  return fmt::format("<!-- twosphere {}--help -->\n", command.empty() ? "" : command + " ");
}

TEST(Docs, HelpTextsAreWhatTheProgramPrints) {
#ifdef TWOSPHERE_PROGRAM
  if (std::filesystem::exists(TWOSPHERE_PROGRAM)) {
    for (const std::string& command : commands()) {
      const std::string line = fmt::format("'{}' {} --help", TWOSPHERE_PROGRAM, command);
      std::FILE* pipe = popen(line.c_str(), "r");
      ASSERT_NE(pipe, nullptr);
      std::string text;
      char buffer[4096];
      std::size_t n = 0;
      while ((n = std::fread(buffer, 1, sizeof buffer, pipe)) > 0) text.append(buffer, n);
      EXPECT_EQ(pclose(pipe), 0) << line;
      expect_between("docs/command-line.md", help_marker(command), "<!-- end -->",
                     "```text\n" + text + "```\n");
    }
    return;
  }
#endif
  GTEST_SKIP() << "the program was not built";
}

/// The options of every command, as its help text in docs/command-line.md names them.
std::map<std::string, std::set<std::string>> options() {
  static const std::regex option(R"(^  (?:-\w, |    )(--[a-z-]+).*)");
  const std::string text = text_of("docs/command-line.md");
  std::map<std::string, std::set<std::string>> all;
  for (const std::string& command : commands()) {
    const std::size_t from = text.find(help_marker(command)), to = text.find("<!-- end -->", from);
    if (from == std::string::npos || to == std::string::npos) {
      ADD_FAILURE() << "docs/command-line.md has no lines " << help_marker(command)
                    << "<!-- end -->, between which the help of the command stands";
      continue;
    }
    for (const std::string& line : lines_of(text.substr(from, to - from))) {
      std::smatch match;
      if (std::regex_match(line, match, option)) all[command].insert(match[1]);
    }
    EXPECT_TRUE(all[command].count("--help")) << command;
  }
  return all;
}

/// What is wrong with a command line, if it is one of this program: "twosphere run --preset NAME".
std::optional<std::string> wrong(const std::string& line,
                                 const std::map<std::string, std::set<std::string>>& known) {
  std::istringstream words(line.substr(0, line.find(" #")));
  std::string word, command, before;
  words >> word;
  if (word != "twosphere" && word != "scripts/run") return {};
  bool first = true;
  while (words >> word) {
    const bool names = std::all_of(word.begin(), word.end(), [](unsigned char c) {
      return std::islower(c) || std::isdigit(c) || c == '_';
    });
    if (first && known.count(word)) command = word;
    if (word.starts_with("--")) {
      const auto& options = known.find(command)->second;
      if (!options.count(word.substr(0, word.find('='))))
        return fmt::format("twosphere {} has no option {}", command, word);
    } else if (before == "--preset" && names && !find_preset(word)) {
      return "no preset " + word;
    } else if (before == "--integrator" && names && !find_integrator(word)) {
      return "no integrator " + word;
    }
    first = false;
    before = word;
  }
  return {};
}

TEST(Docs, CommandLinesHaveOptionsThatThereAre) {
  const auto known = options();
  EXPECT_TRUE(wrong("twosphere run --presets three_body", known));
  EXPECT_TRUE(wrong("twosphere run --preset two_body", known));
  EXPECT_TRUE(wrong("twosphere list --steps", known));
  EXPECT_FALSE(wrong("twosphere run --preset NAME --integrator rk4  # --why", known));
  int lines = 0;
  std::vector<std::string> pages = documents();
  for (const std::string& key : preset_keys())
    pages.push_back(fmt::format("resources/help/{}.md", key));
  for (const std::string& path : pages)
    for (const auto& [number, line] : parse(text_of(path)).code) {
      lines += line.starts_with("twosphere ");
      const auto why = wrong(line, known);
      EXPECT_FALSE(why) << path << ':' << number << ": " << *why;
    }
  EXPECT_GT(lines, 20);
}

}  // namespace
}  // namespace twosphere::test
