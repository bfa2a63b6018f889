// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>

namespace twosphere::custom {

/// A value and its derivative along a direction: v + ε d, ε² = 0.
struct Dual {
  double v, d;

  Dual() = default;
  constexpr Dual(double value, double along = 0) : v(value), d(along) {}
};

constexpr Dual operator+(Dual a, Dual b) { return {a.v + b.v, a.d + b.d}; }
constexpr Dual operator-(Dual a, Dual b) { return {a.v - b.v, a.d - b.d}; }
constexpr Dual operator-(Dual a) { return {-a.v, -a.d}; }
constexpr Dual operator*(Dual a, Dual b) { return {a.v * b.v, a.d * b.v + a.v * b.d}; }
constexpr Dual operator*(double a, Dual b) { return {a * b.v, a * b.d}; }
constexpr Dual operator/(Dual a, Dual b) {
  const double ratio = a.v / b.v;
  return {ratio, (a.d - ratio * b.d) / b.v};
}
constexpr Dual& operator+=(Dual& a, Dual b) { return a = a + b; }
constexpr Dual& operator-=(Dual& a, Dual b) { return a = a - b; }

constexpr double value(double x) { return x; }
constexpr double value(Dual x) { return x.v; }
constexpr bool is_zero(double x) { return x == 0; }
constexpr bool is_zero(Dual x) { return x.v == 0 && x.d == 0; }

inline Dual sqrt(Dual x) {
  const double root = std::sqrt(x.v);
  // At 0 a direction that leaves x as it is leaves the root, too.
  return {root, x.d == 0 ? 0 : x.d / (2 * root)};
}
inline Dual exp(Dual x) {
  const double e = std::exp(x.v);
  return {e, e * x.d};
}
inline Dual log(Dual x) { return {std::log(x.v), x.d / x.v}; }
inline Dual sin(Dual x) { return {std::sin(x.v), std::cos(x.v) * x.d}; }
inline Dual cos(Dual x) { return {std::cos(x.v), -std::sin(x.v) * x.d}; }
inline Dual tan(Dual x) {
  const double t = std::tan(x.v);
  return {t, (1 + t * t) * x.d};
}
inline Dual asin(Dual x) { return {std::asin(x.v), x.d / std::sqrt((1 - x.v) * (1 + x.v))}; }
inline Dual acos(Dual x) { return {std::acos(x.v), -x.d / std::sqrt((1 - x.v) * (1 + x.v))}; }
inline Dual atan(Dual x) { return {std::atan(x.v), x.d / (1 + x.v * x.v)}; }
inline Dual atan2(Dual y, Dual x) {
  return {std::atan2(y.v, x.v), (x.v * y.d - y.v * x.d) / (x.v * x.v + y.v * y.v)};
}

/// xⁿ by repeated squaring; the derivative n xⁿ⁻¹ is exact at 0, too.
inline double whole_power(double x, int n) {
  double base = n < 0 ? 1 / x : x, out = 1;
  for (unsigned left = static_cast<unsigned>(n < 0 ? -n : n); left > 0; left >>= 1U) {
    if ((left & 1U) != 0) out *= base;
    base *= base;
  }
  return out;
}
inline Dual whole_power(Dual x, int n) {
  return {whole_power(x.v, n), n == 0 ? 0 : n * whole_power(x.v, n - 1) * x.d};
}
inline Dual pow(Dual x, double p) {
  return {std::pow(x.v, p), p == 0 || x.d == 0 ? 0 : p * std::pow(x.v, p - 1) * x.d};
}

}  // namespace twosphere::custom
