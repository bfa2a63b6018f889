// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/integrators/damped_mode.h"

#include <cmath>
#include <limits>

namespace twosphere {

namespace {

constexpr double smallest_term = std::numeric_limits<double>::epsilon() / 16;

/// x² ∫₀¹ (t φ(−x t))² dt = 1 − 2 φ(−x) + φ(−2x) where x is small: Σ_{k≥2} (−1)^k x^k
/// (2^k − 2)/(k + 1)!, here without x².
double square_series(double x) {
  double doubled = 4.0 / 6, single = 2.0 / 6, sum = doubled - single;
  for (int k = 4; std::abs(doubled) > smallest_term; ++k) {
    doubled *= -2 * x / k;
    single *= -x / k;
    sum += doubled - single;
  }
  return sum;
}

}  // namespace

double decay_mean(double x) { return x == 0 ? 1 : -std::expm1(-x) / x; }

double decay_complement(double x) {
  // Closed form, or the series.
  if (std::abs(x) >= 0.5) return (1 - decay_mean(x)) / x;
  double term = 0.5, sum = term;
  for (int k = 3; std::abs(term) > smallest_term; ++k) sum += term *= -x / k;
  return sum;
}

DampedMode::DampedMode(double m, double damping, double s) : c(damping) {
  // Series where x is small, closed forms elsewhere.
  const double x = s * c / m, gone = std::expm1(-x), kick = s / m;
  vv = m / 2 * std::expm1(-2 * x);
  if (std::abs(x) < 0.5) {
    const double part = decay_mean(x);
    change = -kick * part;
    way = -s * kick * decay_complement(x);
    vg = c * s * kick * part * part;
    gg = -c * s * kick * kick * square_series(x);
  } else {
    change = gone / c;
    way = -s / c * (1 - decay_mean(x));
    vg = m / c * gone * gone;
    gg = -s / c * (1 - 2 * decay_mean(x) + decay_mean(2 * x));
  }
}

}  // namespace twosphere
