// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/sections.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/base/text.h"
#include "core/catalog.h"
#include "core/custom/definition.h"
#include "core/custom/definition_keys.h"
#include "core/mechanics/diagnostics.h"
#include "core/mechanics/exponents.h"
#include "core/scenario/definition_io.h"
#include "core/scenario/file_limits.h"
#include "core/scenario/keys.h"
#include "core/scenario/names.h"
#include "core/scenario/parameter_io.h"
#include "core/scenario/run_clock.h"
#include "core/scenario/section_surface.h"
#include "core/scenario/state_expression.h"

namespace twosphere::document {

using json::Kind;
using json::quote;
using json::shortest;

namespace {

template <class Catalogue>
Names keys(const Catalogue& catalogue) {
  Names out;
  for (const auto& entry : catalogue) out.emplace_back(entry.key);
  return out;
}

/// The catalogue entry named by the key "type".
template <class Info, class Catalogue>
const Info& read_type(const Value& section, const Info* (*find)(std::string_view),
                      const Catalogue& catalogue, std::string_view what) {
  const Value type = section.expect(Kind::object).member("type");
  if (const Info* info = find(type.text())) return *info;
  const Names known = keys(catalogue);
  type.fail(fmt::format("unknown {} {}; {}known: {}", what, quote(type.text()),
                        suggestion(type.text(), known), join(known)));
}

void check_size(const Value& type, std::string_view key, int bodies, int most) {
  if (most > 0 && bodies > most)
    type.fail(
        fmt::format("{} supports at most {} bodies, because its memory grows with their square; "
                    "the start has {}",
                    key, most, bodies));
}

/// Reads a condition on an expression of the state.
StopCondition read_expression(const Value& entry, const Scenario& scenario) {
  const Value text = entry.member("expression");
  const auto above = entry.find("above"), below = entry.find("below");
  const auto expression = StateExpression::create(text.text(), scenario);
  if (!expression) text.fail_in_text(expression.error());
  const Value& bound = above ? *above : *below;
  return {.quantity = {},
          .above = above.has_value(),
          .value = bound.number(expression->bound_unit()),
          .expression = text.text()};
}

/// Whether "at" is "crossing"; without it, it is "step".
bool read_at_crossing(const Value& entry) {
  const auto at = entry.find("at");
  if (!at || at->text() == "step") return false;
  if (at->text() != "crossing")
    at->fail(fmt::format("must be \"step\" or \"crossing\", not {}", quote(at->text())));
  return true;
}

/// Fails at the character if the text is no expression of the state.
void check_expression(const Value& text, const Scenario& scenario) {
  const auto made = StateExpression::create(text.text(), scenario);
  if (!made) text.fail_in_text(made.error());
  text.check_operations();
}

}  // namespace

std::vector<StopCondition> read_stop(const Value& list, const Scenario& scenario) {
  Names names;
  std::vector<Quantity> known;
  for (const Quantity quantity : csv_quantities(info_of(scenario))) {
    if (quantity == Quantity::time) continue;
    known.push_back(quantity);
    names.emplace_back(info(quantity).key);
  }
  Names all = names;
  for (const char* name : {"lyapunov", "lyapunov[k]", "megno", "fli"}) all.emplace_back(name);
  if (list.expect(Kind::array).size() > max_conditions)
    list.fail(fmt::format("must have at most {} entries, not {}", max_conditions, list.size()));
  std::vector<StopCondition> conditions;
  for (const Value& entry : list.items()) {
    entry.object(key_names("stop_condition"));
    const auto time = entry.find("time"), quantity = entry.find("quantity"),
               expression = entry.find("expression"), above = entry.find("above"),
               below = entry.find("below"), at = entry.find("at");
    if (time) {
      for (const auto& other : {quantity, expression, above, below, at})
        if (other) other->fail("cannot be combined with time; a condition has one or the other");
      conditions.push_back({{}, true, time->number("s")});
      continue;
    }
    if (!quantity && !expression)
      entry.fail(
          "must be {\"time\": T}, {\"quantity\": NAME, \"above\": BOUND} or "
          "{\"expression\": TEXT, \"above\": BOUND}");
    if (quantity && expression) expression->fail("cannot be combined with quantity");
    if (above && below) below->fail("above and below cannot be combined; use two conditions");
    if (!above && !below) entry.fail("missing bound: \"above\" or \"below\"");
    if (expression) {
      conditions.push_back(read_expression(entry, scenario));
      expression->check_operations();
      conditions.back().at_crossing = read_at_crossing(entry);
      continue;
    }
    if (const auto indicator = ChaosIndicator::find(quantity->text())) {
      const int most = Exponents::max_count(scenario.size(), info_of(scenario).first_order);
      if (indicator->vectors() > most)
        quantity->fail(fmt::format("must be one of lyapunov[0] to lyapunov[{}], not {}", most - 1,
                                   quote(quantity->text())));
      if (read_at_crossing(entry))
        at->fail("must be \"step\": within a step an indicator of chaos has no value");
      conditions.push_back({.quantity = {},
                            .above = above.has_value(),
                            .value = (above ? *above : *below).number(indicator->unit()),
                            .indicator = indicator});
      continue;
    }
    const auto name = std::find(names.begin(), names.end(), quantity->text());
    if (name == names.end())
      quantity->fail(fmt::format("unknown quantity {}; {}known: {}", quote(quantity->text()),
                                 suggestion(quantity->text(), all), join(all)));
    const Value& bound = above ? *above : *below;
    const Quantity which = known[static_cast<std::size_t>(name - names.begin())];
    StopCondition condition{which, above.has_value(), bound.number(info(which).unit)};
    if (info(*condition.quantity).error && condition.value < 0)
      bound.fail(fmt::format("must be 0 or greater, not {}: errors are compared by magnitude",
                             shortest(condition.value)));
    condition.at_crossing = read_at_crossing(entry);
    conditions.push_back(condition);
  }
  return conditions;
}

ComplexSignal read_signal(const Value& signal, const Scenario& scenario) {
  signal.object(key_names("signal"));
  const auto imaginary = signal.find("imaginary"), window = signal.find("window");
  ComplexSignal out{.real = signal.member("real").text(), .imaginary = ""};
  check_expression(signal.member("real"), scenario);
  if (imaginary) {
    check_expression(*imaginary, scenario);
    out.imaginary = imaginary->text();
  }
  if (window) out.window = static_cast<int>(window->whole(0, ComplexSignal::max_window));
  return out;
}

ClosedOrbit read_orbit(const Value& orbit, const Scenario& scenario) {
  orbit.object(key_names("orbit"));
  ClosedOrbit out;
  out.period = orbit.member("period").positive("s");
  out.steps = static_cast<int>(orbit.member("steps").whole(1, std::numeric_limits<int>::max()));
  if (const auto axis = orbit.find("axis")) {
    out.axis = read_vector(*axis, "1");
    const double length = out.axis.norm();
    if (!(length > 0)) axis->fail("must not be zero");
    if (length != 1) out.axis /= length;
    out.rotation = orbit.member("rotation").number("rad");
  } else if (const auto rotation = orbit.find("rotation")) {
    rotation->fail("needs an axis");
  }
  if (const auto places = orbit.find("relabel")) {
    const int last = scenario.size() - 1;
    std::vector<bool> taken(static_cast<std::size_t>(scenario.size()));
    for (const Value& one : places->items()) {
      const auto place = static_cast<int>(one.whole(0, last));
      if (taken[static_cast<std::size_t>(place)]) one.fail("is there twice");
      taken[static_cast<std::size_t>(place)] = true;
      out.places.push_back(place);
    }
    if (places->size() != taken.size())
      places->fail(fmt::format("must have {} entries, not {}", taken.size(), places->size()));
  }
  if (const auto kind = orbit.find("kind")) out.kind = kind->text();
  return out;
}

std::vector<PlottedExpression> read_plots(const Value& plots, const Scenario& scenario) {
  std::vector<PlottedExpression> all;
  const auto& own = info_of(scenario).own_quantities;
  const auto& members = plots.expect(Kind::object).node().members;
  if (members.size() > max_plots)
    plots.fail(fmt::format("must have at most {} entries, not {}", max_plots, members.size()));
  for (const auto& [name, node] : members) {
    const Value entry = plots.member(name);
    const auto same_name = [&name = name](const auto& other) { return other.name == name; };
    check_name(entry, name);
    if (std::any_of(own.begin(), own.end(), same_name))
      entry.fail("has the name of a quantity of the system");
    if (entry.kind() != Kind::object) {
      const auto made = StateExpression::create(entry.text(), scenario);
      if (!made) entry.fail_in_text(made.error());
      entry.check_operations();
      all.push_back({name, entry.text(), std::string(made->unit())});
      continue;
    }
    entry.object(key_names("plot"));
    const Value text = entry.member("expression");
    const auto unit = entry.find("unit");
    check_expression(text, scenario);
    const auto made =
        StateExpression::create(text.text(), scenario, unit ? unit->text() : std::string());
    if (!made) unit->fail(made.error().message);
    all.push_back({name, text.text(), std::string(made->unit())});
  }
  return all;
}

PoincareSection read_section(const Value& section, const Scenario& scenario) {
  section.object(key_names("section"));
  const auto expression = section.find("expression"), direction = section.find("direction"),
             period = section.find("period"), phase = section.find("phase"),
             coordinates = section.find("coordinates");
  if (!expression && !period)
    section.fail("must have \"expression\", which is zero on the section, or \"period\"");
  if (expression && period) period->fail("cannot be combined with expression");
  if (direction && period) direction->fail("belongs to an expression");
  if (phase && !period) phase->fail("belongs to a period");
  PoincareSection out;
  const auto check = [&](const Value& text) { check_expression(text, scenario); };
  if (expression) {
    check(*expression);
    out.expression = expression->text();
    if (out.expression.empty()) expression->fail("must not be empty");
    const auto& known = PoincareSection::directions;
    if (direction)
      out.direction = static_cast<PoincareSection::Direction>(
          direction->choice({known.begin(), known.end()}, "direction"));
  } else {
    const bool text = period->kind() == Kind::string;
    if (text) check(*period);
    out.period = text ? period->text() : shortest(period->positive("s"));
    if (phase) out.phase = phase->number("s");
  }
  if (coordinates) {
    if (coordinates->expect(Kind::object).node().members.empty())
      coordinates->fail("must have an entry; without it q and omega of all bodies are recorded");
    for (const auto& [key, node] : coordinates->node().members) {
      const Value text = coordinates->member(key);
      check(text);
      check_name(text, key);
      out.coordinates.emplace_back(key, text.text());
    }
  }
  if (const auto made = SectionSurface::create(out, scenario); !made)
    fail_at(section, made.error());
  return out;
}

const SystemInfo& read_system_type(const Value& section) {
  return read_type(section, find_system, systems(), "system");
}

void fail_at(const Value& section, const Error& error) {
  const auto [at, rest] = descend(section, SettingPath(error.location));
  at.fail(rest.empty() ? error.message : fmt::format("{}: {}", rest, error.message));
}

namespace {

/// Reads a definition, sets the kind that it defines, and returns the values of its parameters.
/// Warns of the texts if they are other ones than before, and of values that are.
Values read_kind(const Value& section, Scenario& scenario, const Values* former) {
  std::optional<Definition> present;
  if (former) present = with_values(scenario.definition->definition(), *former);
  Definition definition = read_definition(section, scenario.size(), present ? &*present : nullptr);
  const bool other =
      !scenario.definition || !same_but_values(definition, scenario.definition->definition());
  const auto warn = [&](const std::vector<TextError>& warnings) {
    for (const TextError& warning : warnings) warn_at(section, warning);
  };
  if (other) {
    CompileResult translation = translate(definition);
    if (!translation.definition) fail_at(section, translation.error);
    warn(translation.definition->warnings());
    scenario.definition = std::move(translation.definition);
  }
  warn(outside_ranges(definition, other ? Values() : scenario.parameters));
  Values values;
  for (const ParameterInfo& p : scenario.definition->info().parameters)
    values.emplace(p.key, value_of(definition, p.key));
  return values;
}

}  // namespace

void read_system_values(const Value& section, Scenario& scenario, const Values* former) {
  const SystemInfo& listed = read_system_type(section);
  const int bodies = scenario.size();
  scenario.system = listed.key;
  if (listed.key == custom_system().key) {
    scenario.parameters = read_kind(section, scenario, former);
  } else {
    scenario.definition = nullptr;
    Names allowed{"type"};
    for (const ParameterInfo& p : listed.parameters) allowed.emplace_back(p.key);
    section.object(allowed);
    scenario.parameters = read_parameters(section, listed.parameters, bodies, former);
  }
  const SystemInfo& info = info_of(scenario);
  check_size(section.member("type"), info.key, bodies, info.max_bodies);
  if (info.resolve) info.resolve(scenario.q, scenario.parameters);
}

std::unique_ptr<const System> read_system(const Value& section, Scenario& scenario,
                                          const Values* former) {
  read_system_values(section, scenario, former);
  auto made = create_system(scenario);
  if (!made) {
    const Error& error = made.error();
    // A part of a document need not have the parameter that its values do not fit.
    if (!scenario.definition && former && !error.location.empty() &&
        !section.find(SettingPath(error.location).key()))
      section.named(section.path() + "." + error.location).fail(error.message);
    if (!scenario.definition) fail_at(section, error);
    const auto [text, column] = split_location(error.location);
    fail_at(section, TextError{std::string(text), column, error.message, {}});
  }
  if (positive_definite((*made)->inertia(), scenario.q)) return std::move(*made);
  check_texts(section, **made, scenario);
  section.fail("the inertia is not positive definite and finite with these values");
}

void check_texts(const Value& section, const System& system, const Scenario& scenario) {
  if (!scenario.definition) return;
  const State start{0, scenario.q, scenario.omega};
  if (const auto error = scenario.definition->check_start(start, system, scenario.parameters))
    fail_at(section, *error);
}

void check_method(const Value& type, const IntegratorInfo& info, const System& system) {
  if (!info.supports(system)) {
    Names fitting;
    for (const IntegratorInfo& other : integrators())
      if (other.supports(system)) fitting.emplace_back(other.key);
    type.fail(fmt::format("{} needs {}; integrators for this system: {}", info.key,
                          info.lacks(system), join(fitting)));
  }
  check_size(type, info.key, system.size(), info.max_bodies);
}

/// Fails unless the formulation, if a method has one, is that of systems of first order.
void check_formulation(const Value& section, const Values& values) {
  const auto chosen = values.find("formulation");
  if (chosen == values.end() || chosen->second.at(0) == 0) return;
  section.member("formulation")
      .fail("a system of first order has one formulation, \"omega\": q̇ = ω × q");
}

LaneSpec read_lane(const Value& section, bool named, const System* system, const Names& more) {
  const IntegratorInfo& info = read_type(section, find_integrator, integrators(), "integrator");
  if (system) check_method(section.member("type"), info, *system);
  Names allowed = key_names("integrator");
  for (const ParameterInfo& p : info.parameters) allowed.emplace_back(p.key);
  const Names& of_list = key_names("lane");
  if (named) allowed.insert(allowed.end(), of_list.begin(), of_list.end());
  allowed.insert(allowed.end(), more.begin(), more.end());
  section.object(allowed);
  LaneSpec lane;
  lane.type = info.key;
  lane.step = section.member("step").positive("s");
  lane.values = read_parameters(section, info.parameters, 0);
  if (system && first_order(*system)) check_formulation(section, lane.values);
  const auto name = named ? section.find("name") : std::nullopt;
  if (!name) return lane;
  lane.name = name->text();
  if (const std::string why = why_no_name(lane.name); !why.empty()) name->fail(why);
  if (lane.name.find('/') != std::string::npos) name->fail("must not contain a slash");
  return lane;
}

void check_lanes(const std::vector<Value>& entries, std::vector<LaneSpec>& lanes) {
  const std::vector<std::string> names = default_names(lanes);
  for (std::size_t i = 0; i < lanes.size(); ++i)
    if (lanes[i].name.empty()) lanes[i].name = names[i];
  for (std::size_t i = 0; i < lanes.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      if (lanes[i].name != lanes[j].name) continue;
      const auto name = entries[i].find("name");
      (name ? *name : entries[i])
          .fail(fmt::format("the name {} is already used by lanes[{}]; names must be unique",
                            quote(lanes[i].name), j));
    }
  const double grid = grid_step(lanes);
  const auto largest = std::find_if(lanes.begin(), lanes.end(),
                                    [grid](const LaneSpec& lane) { return lane.step == grid; });
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    if (!(grid / lanes[i].step <= static_cast<double>(max_substeps)))
      entries[i].member("step").fail(
          fmt::format("{} s, the step of lanes[{}], is {:.4g} steps of {} s; at most {} are "
                      "allowed in one step of the run",
                      shortest(grid), largest - lanes.begin(), grid / lanes[i].step,
                      shortest(lanes[i].step), max_substeps));
    if (!substeps(grid, lanes[i].step))
      entries[i].member("step").fail(
          fmt::format("{} s, the step of lanes[{}], is not a whole number of steps of {} s; every "
                      "step must divide the largest one",
                      shortest(grid), largest - lanes.begin(), shortest(lanes[i].step)));
  }
}

double read_duration(const Value& value, const std::vector<LaneSpec>& lanes) {
  const double duration = value.positive("s");
  for (const LaneSpec& lane : lanes)
    if (!(duration / lane.step <= static_cast<double>(max_steps)))
      value.fail(fmt::format("{} s is more than 2^53 - 1 steps of {} s", shortest(duration),
                             shortest(lane.step)));
  return duration;
}

std::vector<Value> listed_lanes(const Value& lanes, int bodies) {
  std::vector<Value> list = lanes.items();
  if (list.empty()) lanes.fail("must have an entry");
  if (const std::size_t most = max_lanes_of(bodies); lanes.size() > most)
    lanes.fail(fmt::format("must have at most {} entries{}, not {}", most,
                           most < max_lanes ? fmt::format(" with {} bodies", bodies) : "",
                           lanes.size()));
  return list;
}

}  // namespace twosphere::document
