// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/studies/published.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <string>

#include "core/base/exceptions.h"
#include "core/base/json.h"
#include "core/base/parse_number.h"
#include "core/base/text.h"
#include "core/catalog.h"
#include "core/scenario/document.h"
#include "core/scenario/live_edit.h"
#include "core/scenario/reader.h"
#include "embedded/published_files.h"

namespace twosphere {

namespace {

constexpr std::string_view step = "integrator.step";

using document::Names;
using document::Value;

// Names in the files, in the order of the enumerations.
const Names energy_units{std::string(label(EnergyUnit::joule)),
                         std::string(label(EnergyUnit::m_g_l))};
const Names sweeps{"nothing", "rows", "duration", "start"};
const Names rules{"digits", "spread", "at_most", "open"};
const Names input_kinds{"printed", "fitted"};

template <class Enum>
Enum choice(const Value& value, const Names& names, std::string_view what) {
  return static_cast<Enum>(value.choice(names, what));
}

/// The key of a preset or an integrator.
template <class List>
std::string catalogue_key(const Value& value, const List& list, std::string_view what) {
  const Names names = texts_of(list, [](const auto& entry) { return entry.key; });
  return names[value.choice(names, what)];
}

Quantity read_quantity(const Value& value) {
  return choice<Quantity>(value, texts_of(quantities(), &QuantityInfo::key), "quantity");
}

std::vector<double> read_numbers(const Value& value) {
  std::vector<double> list;
  for (const Value& one : value.items()) list.push_back(one.number());
  return list;
}

std::vector<Quantity> read_quantities(const Value& value) {
  std::vector<Quantity> list;
  for (const Value& one : value.items()) list.push_back(read_quantity(one));
  return list;
}

/// Whether a text has the form 1.2345e-6, from which the half unit of the last digit follows.
bool is_printed_number(std::string_view text) {
  const auto dot = text.find('.'), e = text.find('e');
  return dot != text.npos && e != text.npos && dot < e && parse_number<double>(text);
}

SensitivitySweep read_sweep(const Value& value) {
  SensitivitySweep sweep;
  value.object({"of", "low", "high", "by", "members"});
  sweep.of = choice<SensitivitySweep::Of>(value.member("of"), sweeps, "sweep");
  if (sweep.of == SensitivitySweep::Of::start) {
    value.object({"of", "by", "members"});
    sweep.low = value.member("by").positive("1");
    sweep.members = static_cast<int>(value.member("members").whole(1, 100'000));
  } else {
    value.object({"of", "low", "high"});
    sweep.low = value.member("low").positive("1");
    sweep.high = value.member("high").positive("1");
  }
  return sweep;
}

PublishedMean read_mean(const Value& value) {
  value.object({"quantity", "printed", "rule", "inputs", "reason"});
  PublishedMean mean{.quantity = read_quantity(value.member("quantity")),
                     .printed = {},
                     .rule = choice<AcceptanceRule>(value.member("rule"), rules, "rule"),
                     .reason = value.member("reason").text()};
  if (const auto printed = value.find("printed")) {
    mean.printed = printed->text();
    if (!is_printed_number(mean.printed))
      printed->fail(json::quote(mean.printed) + " is not a number as printed, such as 1.2345e-6");
  } else if (mean.rule != AcceptanceRule::open) {
    value.fail("a number that is compared needs \"printed\"");
  }
  if (const auto inputs = value.find("inputs"))
    mean.inputs = choice<Inputs>(*inputs, input_kinds, "kind of inputs");
  return mean;
}

PublishedRun read_run(const Value& value) {
  value.object({"example", "preset", "integrator", "set", "energy_unit", "sweep", "means"});
  PublishedRun run;
  run.example = static_cast<int>(value.member("example").whole(1, example_count));
  run.preset = catalogue_key(value.member("preset"), presets(), "preset");
  run.integrator = catalogue_key(value.member("integrator"), integrators(), "integrator");
  const Value settings = value.member("set");
  for (const auto& [path, number] : settings.expect(json::Kind::object).node().members)
    run.settings.emplace_back(path, settings.member(path).number());
  run.unit = choice<EnergyUnit>(value.member("energy_unit"), energy_units, "unit of energy");
  if (const auto sweep = value.find("sweep")) run.variation = read_sweep(*sweep);
  for (const Value& mean : value.member("means").items()) run.means.push_back(read_mean(mean));
  return run;
}

PaperFigure read_figure(const Value& value) {
  value.object({"number", "preset", "title", "quantities", "steps", "note", "errata"});
  const auto steps = value.find("steps");
  return {.number = value.member("number").text(),
          .preset = catalogue_key(value.member("preset"), presets(), "preset"),
          .title = value.member("title").text(),
          .plots = read_quantities(value.member("quantities")),
          .steps = steps ? read_numbers(*steps) : std::vector<double>(),
          .note = value.member("note").text(),
          .errata = value.member("errata").text()};
}

PaperField read_field(const Value& value) {
  value.object({"number", "preset", "title", "times", "note", "errata"});
  return {.number = value.member("number").text(),
          .preset = catalogue_key(value.member("preset"), presets(), "preset"),
          .title = value.member("title").text(),
          .times = read_numbers(value.member("times")),
          .note = value.member("note").text(),
          .errata = value.member("errata").text()};
}

/// The table embedded in the program; throws if it cannot be read.
const PublishedPaper& published_paper() {
  static const PublishedPaper paper = [] {
    const embedded::File& file = embedded::published_files().front();
    auto read = read_published(file.text, file.name);
    if (!read) throw Failure(Error{ErrorKind::internal, {}, read.error().text()});
    return *read;
  }();
  return paper;
}

/// The quantity whose mean over the bodies this is.
Quantity single(Quantity quantity) {
  return quantity == Quantity::unit_length_error_mean ? Quantity::unit_length_error : quantity;
}

}  // namespace

std::string conditions(const PublishedRun& run) {
  std::string out(run.integrator);
  for (const auto& [path, value] : run.settings) {
    const std::string number = json::shortest(value);
    if (path == step)
      out += fmt::format(", h = {} s", number);
    else if (path == "duration")
      out += fmt::format(", {} s", number);
    else
      for (const ParameterInfo& p : find_integrator(run.integrator)->parameters)
        if (path.ends_with(p.key)) out += fmt::format(", {} {}", p.label, number);
  }
  return out;
}

std::optional<double> published_setting(std::string_view preset, std::string_view integrator,
                                        std::string_view key) {
  constexpr std::string_view section = "integrator.";
  for (const PublishedRun& run : published_runs()) {
    if (run.preset != preset || run.integrator != integrator) continue;
    for (const auto& [path, value] : run.settings)
      if (path.starts_with(section) && path.substr(section.size()) == key) return value;
  }
  return std::nullopt;
}

std::string_view label_of_mean(Quantity quantity) { return info(single(quantity)).label; }
std::string_view key_of_mean(Quantity quantity) { return info(single(quantity)).key; }

std::string_view label(EnergyUnit unit) { return unit == EnergyUnit::joule ? "J" : "m g l"; }

double joules(EnergyUnit unit, const Scenario& scenario) {
  if (unit == EnergyUnit::joule) return 1;
  const auto first = [&scenario](std::string_view key) {
    return numbers_of(scenario.parameters, key).front();
  };
  return first("masses") * first("gravity") * first("lengths");
}

std::optional<double> PublishedMean::value() const { return parse_number<double>(printed); }

double PublishedMean::half_unit() const {
  const auto e = printed.find('e'), dot = printed.find('.');
  const int exponent = parse_number<int>(printed.substr(e + 1)).value_or(0);
  return 0.5 * std::pow(10.0, exponent - static_cast<int>(e - dot - 1));
}

Result<Scenario> PublishedRun::scenario() const {
  auto start = read_scenario(find_preset(preset)->text, preset);
  if (!start) return start.error();
  std::vector<Setting> set{{"integrator.type", integrator}};
  for (const auto& [path, value] : settings) set.push_back({path, json::Node(value)});
  set.push_back({"every", json::Node::whole(1)});
  return with_settings(*start, set);
}

Result<PublishedPaper> read_published(std::string_view text, std::string_view source) {
  auto root = json::parse(text, source);
  if (!root) return root.error();
  try {
    const document::Origin from{source};
    const Value value(from, *root, "");
    value.expect(json::Kind::object).object({"paper", "runs", "figures", "field"});
    (void)value.member("paper").text();  // for human readers; the program does not use it
    PublishedPaper paper;
    for (const Value& run : value.member("runs").items()) paper.runs.push_back(read_run(run));
    for (const Value& figure : value.member("figures").items())
      paper.figures.push_back(read_figure(figure));
    paper.field = read_field(value.member("field"));
    return paper;
  } catch (const Failure& failure) {
    return failure.error();
  }
}

std::span<const PublishedRun> published_runs() { return published_paper().runs; }

std::vector<const PublishedRun*> PaperFigure::lanes() const {
  std::vector<const PublishedRun*> list;
  for (const PublishedRun& run : published_runs())
    if (run.preset == preset &&
        std::none_of(list.begin(), list.end(), [&run](const PublishedRun* other) {
          return other->integrator == run.integrator;
        }))
      list.push_back(&run);
  return list;
}

std::vector<PublishedRun> PaperFigure::step_runs() const {
  std::vector<PublishedRun> list;
  for (const PublishedRun* lane : lanes())
    for (const double h : steps) {
      PublishedRun run = *lane;
      for (auto& [path, value] : run.settings)
        if (path == step) value = h;
      run.variation = {};
      for (PublishedMean& mean : run.means)
        mean = {mean.quantity, {}, AcceptanceRule::open, "The paper shows it in a figure only."};
      list.push_back(std::move(run));
    }
  return list;
}

std::span<const PaperFigure> paper_figures() { return published_paper().figures; }

const PaperField& paper_field() { return published_paper().field; }

double fitted_order(std::span<const double> x, std::span<const double> y) {
  assert(x.size() == y.size() && x.size() >= 2);
  const auto count = static_cast<double>(x.size());
  double mx = 0, my = 0, xx = 0, xy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    mx += std::log(x[i]) / count;
    my += std::log(y[i]) / count;
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double dx = std::log(x[i]) - mx;
    xx += dx * dx;
    xy += dx * (std::log(y[i]) - my);
  }
  return xy / xx;
}

}  // namespace twosphere
