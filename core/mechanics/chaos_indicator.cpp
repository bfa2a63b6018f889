// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mechanics/chaos_indicator.h"

#include <fmt/format.h>

#include <cmath>

#include "core/base/parse_number.h"
#include "core/mechanics/exponents.h"

namespace twosphere {

std::optional<ChaosIndicator> ChaosIndicator::find(std::string_view name) {
  constexpr std::string_view exponent = "lyapunov";
  if (name == "megno") return ChaosIndicator{Kind::megno};
  if (name == "fli") return ChaosIndicator{Kind::fli};
  if (!name.starts_with(exponent)) return {};
  const std::string_view index = name.substr(exponent.size());
  if (index.empty()) return ChaosIndicator{};
  if (index.front() != '[' || index.back() != ']') return {};
  const auto number = parse_number<int>(index.substr(1, index.size() - 2));
  if (!number || *number < 0) return {};
  ChaosIndicator out;
  out.index = *number;
  return out;
}

std::string ChaosIndicator::name() const {
  if (kind == Kind::megno) return "megno";
  if (kind == Kind::fli) return "fli";
  return index > 0 ? fmt::format("lyapunov[{}]", index) : "lyapunov";
}

std::string_view ChaosIndicator::label() const {
  return kind == Kind::megno ? "MEGNO" : kind == Kind::fli ? "FLI" : "Lyapunov exponent";
}

std::string_view ChaosIndicator::unit() const { return kind == Kind::lyapunov ? "1/s" : "1"; }

double ChaosIndicator::value(const Exponents& exponents, const System& system,
                             const State& state) const {
  if (kind == Kind::megno) return exponents.megno();
  if (kind == Kind::fli) return exponents.fli();
  if (index >= exponents.count()) return std::nan("");
  return exponents.values(system, state)[static_cast<std::size_t>(index)];
}

}  // namespace twosphere
