// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <complex>
#include <optional>
#include <string_view>

#include "core/base/result.h"
#include "core/scenario/complex_signal.h"
#include "core/scenario/state_expression.h"

namespace twosphere {

/// A complex signal for the system of a scenario, with its parameters.
class StateSignal {
 public:
  /// The location of an error is "real:column N" or "imaginary:column N".
  static Result<StateSignal> create(const ComplexSignal& signal, const Scenario& scenario);

  std::complex<double> value(const State& state) const {
    return {real_->value(state), imaginary_ ? imaginary_->value(state) : 0};
  }
  /// That of both parts; "1" if it is not known or they differ.
  std::string_view unit() const {
    return imaginary_ && imaginary_->unit() != real_->unit() ? "1" : real_->unit();
  }

 private:
  std::optional<StateExpression> real_, imaginary_;
};

}  // namespace twosphere
