// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mechanics/chaos_indicator.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "core/mechanics/exponents.h"

namespace twosphere {

std::optional<ChaosIndicator> ChaosIndicator::find(std::string_view name) {
  constexpr std::string_view exponent = "lyapunov";
  if (name == "megno") return ChaosIndicator{Kind::megno};
  if (name == "fli") return ChaosIndicator{Kind::fli};
  if (!name.starts_with(exponent)) return {};
  const std::string_view index = name.substr(exponent.size());
  if (index.empty()) return ChaosIndicator{};
  ChaosIndicator out;
  const char *begin = index.data() + 1, *end = index.data() + index.size();
  const auto read = std::from_chars(begin, end, out.index);
  const bool whole = read.ec == std::errc() && read.ptr + 1 == end && out.index >= 0;
  if (index.front() != '[' || index.back() != ']' || !whole) return {};
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
