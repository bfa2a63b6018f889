// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/output/named_values.h"

#include <cmath>
#include <utility>

#include "core/scenario/scenario.h"

namespace twosphere {

bool has_named_values(const Scenario& scenario) {
  return !info_of(scenario).own_quantities.empty() || !scenario.plots.empty();
}

std::vector<double> ExpressionValues::at(const Scenario& present,
                                         const std::shared_ptr<const System>& system,
                                         const State* state) {
  if (compiled_for_ != system) {
    compiled_for_ = system;
    compiled_.clear();
    for (const PlottedExpression& plotted : expressions_) {
      auto made = StateExpression::create(plotted.expression, present, plotted.unit);
      compiled_.push_back(made ? std::optional(std::move(*made)) : std::nullopt);
    }
  }
  std::vector<double> values;
  for (const auto& expression : compiled_)
    values.push_back(state && expression ? expression->value(*state) : std::nan(""));
  return values;
}

std::vector<double> NamedValues::at(const Scenario& present,
                                    const std::shared_ptr<const System>& system,
                                    const State* state) {
  std::vector<double> values;
  for (const OwnQuantity& own : info_of(present).own_quantities)
    values.push_back(state ? system->own_quantity(own.name, state->t, state->q, state->w)
                           : std::nan(""));
  const std::vector<double> plotted = expressions_.at(present, system, state);
  values.insert(values.end(), plotted.begin(), plotted.end());
  return values;
}

}  // namespace twosphere
