// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/mechanics/state.h"

namespace twosphere {

class CompiledDefinition;
class System;
struct Scenario;

/// A number that a text makes of a state: an expression of the language of custom systems
/// (core/custom/definition.h) in q, w, v and t, the parameters of the system that are numbers or
/// lists, and the definitions of a custom one.
class StateExpression {
 public:
  /// For the system of a scenario, with its parameters. `unit`: that of value(); empty: of the SI.
  /// The location of an error is "column N", or "unit" if that is none or does not fit.
  static Result<StateExpression> create(const std::string& text, const Scenario& scenario,
                                        std::string_view unit = {});

  /// At t, q and ω of a state; may be called from several threads at the same time.
  double value(const State& state) const;
  /// "m"; "1" if it is neither given nor known.
  std::string_view unit() const;
  /// Whether the unit follows from the text. It does not where it contains t, w or v, or a
  /// parameter without a unit.
  bool knows_unit() const;
  /// The unit of bounds of it; empty: any. Of an angular velocity it is rad/s, so that Hz are
  /// converted.
  std::string_view bound_unit() const;

 private:
  std::shared_ptr<const CompiledDefinition> definition_;
  std::shared_ptr<const System> system_;
  std::string unit_;  // as given
  double scale_ = 1;  // of that unit in the SI
};

}  // namespace twosphere
