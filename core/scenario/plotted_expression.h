// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace twosphere {

/// A number of the state that a scenario plots: an expression (StateExpression) with its name and
/// the unit of its axis.
struct PlottedExpression {
  std::string name;        ///< "height of the last bob"
  std::string expression;  ///< "-e3.q[1]"
  std::string unit = "1";  ///< "m"

  bool operator==(const PlottedExpression&) const = default;
};

}  // namespace twosphere
