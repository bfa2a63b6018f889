// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/mechanics/state.h"

namespace twosphere {

class Exponents;
class System;

/// A number that tangent vectors give of an orbit, by the name of its column: "lyapunov",
/// "lyapunov[k]", "megno" or "fli".
struct ChaosIndicator {
  enum class Kind { lyapunov, megno, fli };

  Kind kind = Kind::lyapunov;
  int index = 0;  ///< k of an exponent; "lyapunov" is k = 0

  static std::optional<ChaosIndicator> find(std::string_view name);
  std::string name() const;
  std::string_view label() const;  ///< "MEGNO"
  std::string_view unit() const;
  /// Tangent vectors that it needs.
  int vectors() const { return kind == Kind::lyapunov ? index + 1 : 1; }
  /// NaN before the first step, and if the vectors are lost or too few.
  double value(const Exponents& exponents, const System& system, const State& state) const;
  bool operator==(const ChaosIndicator&) const = default;
};

}  // namespace twosphere
