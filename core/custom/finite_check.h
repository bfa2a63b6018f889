// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/custom/model.h"

namespace twosphere::custom {

/// Throws TextException at the innermost part of a text whose value at the state is not
/// finite, such as a divisor that is zero. `over`: the indices of the text, null if it has none;
/// `what`: "V". Returns if all is finite, or it takes too long to find the part.
void check_finite(const Model& model, const Values& values, const State& start, const Range* over,
                  const Ref& node, const std::string& what);

/// Throws TextException at a part whose derivative is not finite, nor perhaps its value: acos(1),
/// sqrt(0), log(0).
/// Returns if none is found.
void check_smooth(const Model& model, const Values& values, const State& start, const Ref& node,
                  const std::string& what);

/// The text of a norm, an absolute value or an angle, from the inside outwards, that is 0 at the
/// state but for rounding: "norm(x[0] - a)". Empty if none is found.
std::string vanishing_norm(const Model& model, const Values& values, const State& start,
                           const Ref& node);

}  // namespace twosphere::custom
