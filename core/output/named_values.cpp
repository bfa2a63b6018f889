// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/output/named_values.h"

#include <utility>

#include "core/base/interrupt.h"
#include "core/mechanics/omega_matrix.h"
#include "core/scenario/scenario.h"

namespace twosphere {

bool has_named_values(const Scenario& scenario) {
  return !info_of(scenario).own_quantities.empty() || !scenario.plots.empty();
}

std::vector<Signal> requested_signals(const SystemInfo& info, int bodies,
                                      const std::vector<PlottedExpression>& expressions) {
  std::vector<Signal> list;
  for (const Signal& signal : {Signal::temperature(), Signal::pressure(),
                               Signal::inertia_determinant(), Signal::inertia_condition()})
    if (signal.exists(info, bodies)) list.push_back(signal);
  for (const OwnQuantity& own : info.own_quantities) list.push_back(Signal::own(own));
  for (const PlottedExpression& expression : expressions) list.emplace_back(expression);
  return list;
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
  const Uninterrupted whole;  // a row is that of a step which has been taken
  const std::vector<double> plotted = expressions_.at(present, system, state);
  auto next = plotted.begin();
  std::optional<OmegaMatrix> inertia;  // its decomposition serves two columns
  std::vector<double> values;
  for (const Signal& signal :
       requested_signals(info_of(present), present.size(), expressions_.expressions())) {
    const bool determinant = signal.kind() == Signal::Kind::inertia_determinant;
    if (signal.expression()) {
      values.push_back(*next++);
    } else if (!state) {
      values.push_back(std::nan(""));
    } else if (determinant || signal.kind() == Signal::Kind::inertia_condition) {
      if (!inertia) inertia = omega_matrix(system->inertia(), state->q);
      values.push_back(determinant ? inertia->determinant : inertia->condition);
    } else {
      values.push_back(signal.value(*system, *state));
    }
  }
  return values;
}

}  // namespace twosphere
