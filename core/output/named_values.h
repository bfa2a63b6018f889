// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/mechanics/state.h"
#include "core/mechanics/system.h"
#include "core/record/signal.h"
#include "core/scenario/plotted_expression.h"
#include "core/scenario/state_expression.h"

namespace twosphere {

struct Scenario;

/// Whether a run has quantities with names of its own: of its definition, or plotted expressions.
bool has_named_values(const Scenario& scenario);
/// The signals that are columns of tables on request: temperature, pressure, determinant and
/// condition of the inertia, of those that the system has; then those with their own names.
std::vector<Signal> requested_signals(const SystemInfo& info, int bodies,
                                      const std::vector<PlottedExpression>& expressions);

/// The values of plotted expressions at states of a run whose settings may change.
class ExpressionValues {
 public:
  explicit ExpressionValues(std::vector<PlottedExpression> expressions)
      : expressions_(std::move(expressions)) {}

  const std::vector<PlottedExpression>& expressions() const { return expressions_; }

  /// For these settings and their system; NaN without a state, and of an expression that does not
  /// fit them.
  std::vector<double> at(const Scenario& present, const std::shared_ptr<const System>& system,
                         const State* state);

 private:
  std::vector<PlottedExpression> expressions_;
  std::shared_ptr<const System> compiled_for_;
  std::vector<std::optional<StateExpression>> compiled_;  // one of each expression
};

/// The values of requested_signals().
class NamedValues {
 public:
  explicit NamedValues(std::vector<PlottedExpression> expressions)
      : expressions_(std::move(expressions)) {}

  /// As ExpressionValues::at(); computed whole, even where the thread is interrupted.
  std::vector<double> at(const Scenario& present, const std::shared_ptr<const System>& system,
                         const State* state);

 private:
  ExpressionValues expressions_;
};

}  // namespace twosphere
