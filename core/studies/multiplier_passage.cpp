// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/studies/multiplier_passage.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <iterator>
#include <limits>

namespace twosphere {

double multiplier_motion(const OrbitMultipliers& from, const OrbitMultipliers& to) {
  double most = 0;
  const auto before = from.values();
  for (const std::complex<double> mu : to.values()) {
    double least = std::numeric_limits<double>::infinity();
    for (const std::complex<double> other : before)
      least = std::min(least, std::abs(mu - other) / std::max(1.0, std::abs(mu)));
    most = std::max(most, least);
  }
  return most;
}

int passed_pairs(const OrbitMultipliers& from, const OrbitMultipliers& to) {
  const auto change = [&](const auto& count) {
    return static_cast<int>(std::abs(count(to) - count(from)));
  };
  if (!to.single.empty())
    return change([](const OrbitMultipliers& of) {
      const auto all = distinct(of.own());
      return std::count_if(all.begin(), all.end(), [](const std::complex<double>& mu) {
        return mu.imag() > 0 && std::abs(mu) > 1 + on_circle;
      });
    });
  const auto changed = [&](MultiplierKind kind) {
    return change([kind](const OrbitMultipliers& of) {
      std::vector<std::complex<double>> traces;
      for (const MultiplierPair& pair : of.pairs)
        if (pair.kind == kind) traces.push_back(pair.first + pair.second);
      return std::ssize(distinct(traces));
    });
  };
  if (changed(MultiplierKind::complex) != 0) return 0;
  return std::max(changed(MultiplierKind::hyperbolic), changed(MultiplierKind::inverse_hyperbolic));
}

std::vector<double> trace_excess(const OrbitMultipliers& multipliers, int sign) {
  std::vector<double> out;
  for (const MultiplierPair& pair : multipliers.pairs)
    if (pair.kind != MultiplierKind::complex)
      out.push_back(sign * (pair.first + pair.second).real() - 2);
  std::sort(out.begin(), out.end(), std::greater<>());
  return out;
}

double PairsTogether::test(const OrbitMultipliers& multipliers) const {
  const std::vector<double> all = trace_excess(multipliers, sign);
  double sum = 0;
  for (std::size_t k = first; k < std::min(last, all.size()); ++k) sum += all[k];
  return sum;
}

PairsTogether passed_together(const OrbitMultipliers& from, const OrbitMultipliers& to, int sign) {
  const std::vector<double> before = trace_excess(from, sign), after = trace_excess(to, sign);
  // Where pairs have left the real axis it is not known which have passed.
  if (before.size() != after.size()) return {};
  // Pairs that a symmetry leaves at ±1 do not pass it by rounding.
  constexpr double small = 1e-8;
  const auto positive = [](const std::vector<double>& all) {
    return static_cast<std::size_t>(
        std::count_if(all.begin(), all.end(), [](double one) { return one > small; }));
  };
  const auto [first, last] = std::minmax({positive(before), positive(after)});
  return {sign, first, last};
}

}  // namespace twosphere
