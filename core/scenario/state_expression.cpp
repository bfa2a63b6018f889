// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/state_expression.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <utility>

#include "core/base/json.h"
#include "core/custom/checker.h"
#include "core/custom/definition.h"
#include "core/language/evaluate.h"
#include "core/language/units.h"
#include "core/mechanics/parameter.h"
#include "core/scenario/scenario.h"
#include "core/scenario/writer.h"

namespace twosphere {

namespace {

constexpr std::string_view plot = "value", rate_unit = "rad/s";

/// A definition of the names of a system, without its mechanics.
Definition names_of(const Scenario& scenario) {
  if (scenario.definition) {
    Definition names = present_definition(scenario);
    names.first_order = false;
    for (auto* text :
         {&names.potential, &names.strength, &names.hamiltonian, &names.damping, &names.temperature,
          &names.frame_rotation, &names.gyroscopic, &names.lagrangian})
      text->clear();
    names.color.clear();
    for (auto* texts : {&names.force, &names.torque, &names.figure}) texts->clear();
    names.strict_units = false;
    names.seed = 0;
    return names;
  }
  Definition names;
  names.bodies = scenario.size();
  for (const ParameterInfo& p : info_of(scenario).parameters) {
    std::vector<double> value = numbers_of(scenario.parameters, p.key);
    // The first form is a value alone, the others have several.
    const bool alone = p.shape == Shape::form && value[0] == 0;
    if (alone) value.erase(value.begin());
    const bool numbers = alone || p.shape == Shape::scalar || p.shape == Shape::vector ||
                         p.shape == Shape::list || p.shape == Shape::per_body ||
                         p.shape == Shape::points || p.shape == Shape::per_pair;
    if (!numbers || value.empty() || custom::is_reserved(std::string(p.key))) continue;
    const bool one = p.shape == Shape::scalar || (p.shape == Shape::per_pair && value.size() == 1);
    const auto unit = read_unit(p.unit);
    using Form = Definition::Parameter::Form;
    names.parameters.push_back({.key = std::string(p.key),
                                .form = one ? Form::number : Form::list,
                                .value = value,
                                .unit = unit && unit->si() == 1 ? std::string(p.unit) : ""});
  }
  return names;
}

/// Whether the plot of a definition is in rad/s once t, w and v have their units.
bool is_angular_velocity(Definition definition) {
  definition.strict_units = true;
  const CompileResult strict = translate(std::move(definition));
  return strict.definition && strict.definition->knows_unit(0) &&
         read_unit(strict.definition->info().own_quantities.front().unit)->dimension ==
             read_unit(rate_unit)->dimension;
}

}  // namespace

Result<StateExpression> StateExpression::create(const std::string& text, const Scenario& scenario,
                                                std::string_view unit) {
  Definition definition = names_of(scenario);
  definition.inertia = "diag(1)";
  definition.plots = {{std::string(plot), text}};
  CompileResult translation = translate(std::move(definition));
  const auto wrong = [](int column, std::string message) {
    return Error{ErrorKind::usage, fmt::format("column {}", column), std::move(message)};
  };
  if (!translation.definition) return wrong(translation.error.column, translation.error.message);
  StateExpression out;
  out.definition_ = std::move(translation.definition);
  Values values;
  for (const ParameterInfo& p : out.definition_->info().parameters)
    values.emplace(p.key, numbers_of(scenario.parameters, p.key));
  auto system = out.definition_->info().create(scenario.size(), values);
  if (!system) return wrong(0, system.error().message);
  out.system_ = std::move(*system);
  if (unit.empty()) return out;
  const std::string_view own = out.bound_unit();
  const auto given = read_unit(unit), known = read_unit(own.empty() ? out.unit() : own);
  const auto wrong_unit = [](std::string message) {
    return Error{ErrorKind::usage, "unit", std::move(message)};
  };
  if (!given)
    return wrong_unit(fmt::format("{} is not a unit; units are {}, with prefixes",
                                  json::quote(unit), fmt::join(unit_names(), ", ")));
  if (out.knows_unit() && known &&
      without_turns(known->dimension) != without_turns(given->dimension))
    return wrong_unit(fmt::format("the expression is in {}, not in {}", out.unit(), unit));
  out.unit_ = unit;
  out.scale_ = given->si();
  if (known)
    out.scale_ *=
        std::pow(2 * std::numbers::pi, cycles_to_radians(given->dimension, known->dimension));
  return out;
}

double StateExpression::value(const State& state) const {
  return system_->own_quantity(plot, state.t, state.q, state.w) / scale_;
}

std::string_view StateExpression::unit() const {
  return unit_.empty() ? definition_->info().own_quantities.front().unit : std::string_view(unit_);
}

bool StateExpression::knows_unit() const { return definition_->knows_unit(0); }

std::string_view StateExpression::bound_unit() const {
  if (knows_unit()) return unit();
  return is_angular_velocity(definition_->definition()) ? rate_unit : std::string_view();
}

}  // namespace twosphere
