// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/state_signal.h"

#include <fmt/format.h>

#include <tuple>
#include <utility>

#include "core/scenario/scenario.h"

namespace twosphere {

Result<StateSignal> StateSignal::create(const ComplexSignal& signal, const Scenario& scenario) {
  StateSignal out;
  for (const auto& [key, text, part] :
       {std::tuple("real", &signal.real, &out.real_),
        std::tuple("imaginary", &signal.imaginary, &out.imaginary_)}) {
    if (text->empty()) continue;
    auto made = StateExpression::create(*text, scenario);
    if (!made)
      return Error{made.error().kind, fmt::format("{}:{}", key, made.error().location),
                   made.error().message};
    *part = std::move(*made);
  }
  return out;
}

}  // namespace twosphere
