// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>

/// The numbers with which core/custom/machine.h computes: double, Dual, and those that write code
/// instead (core/custom/symbol.h). What they have in common is written once, without branches.
namespace twosphere::custom {

/// a if the condition holds, else b; both are evaluated.
inline double select(bool condition, double a, double b) { return condition ? a : b; }
inline double value(double x) { return x; }
inline bool is_zero(double x) { return x == 0; }

/// A value and its derivative along a direction: v + ε d, ε² = 0.
template <class N>
struct DualOf {
  N v, d;

  DualOf() = default;
  constexpr DualOf(N value, N along = N(0)) : v(value), d(along) {}

  friend constexpr DualOf operator+(DualOf a, DualOf b) { return {a.v + b.v, a.d + b.d}; }
  friend constexpr DualOf operator-(DualOf a, DualOf b) { return {a.v - b.v, a.d - b.d}; }
  friend constexpr DualOf operator-(DualOf a) { return {-a.v, -a.d}; }
  friend constexpr DualOf operator*(DualOf a, DualOf b) {
    return {a.v * b.v, a.d * b.v + a.v * b.d};
  }
  friend constexpr DualOf operator*(N a, DualOf b) { return {a * b.v, a * b.d}; }
  friend constexpr DualOf operator/(DualOf a, DualOf b) {
    const N ratio = a.v / b.v;
    return {ratio, (a.d - ratio * b.d) * (N(1) / b.v)};
  }
  constexpr DualOf& operator+=(DualOf b) {
    v += b.v;
    d += b.d;
    return *this;
  }
  constexpr DualOf& operator*=(DualOf b) { return *this = *this * b; }
};
using Dual = DualOf<double>;

template <class N>
N value(const DualOf<N>& x) {
  return x.v;
}
template <class N>
auto is_zero(const DualOf<N>& x) {
  return is_zero(x.v) && is_zero(x.d);
}
template <class C, class N>
DualOf<N> select(const C& condition, const DualOf<N>& a, const DualOf<N>& b) {
  return {select(condition, a.v, b.v), select(condition, a.d, b.d)};
}

template <class N>
DualOf<N> sqrt(const DualOf<N>& x) {
  using std::sqrt;
  const N root = sqrt(x.v);
  // At 0 a direction that leaves x as it is leaves the root, too.
  return {root, select(is_zero(x.d), N(0), x.d * (N(0.5) * (N(1) / root)))};
}
template <class N>
DualOf<N> exp(const DualOf<N>& x) {
  using std::exp;
  const N e = exp(x.v);
  return {e, e * x.d};
}
template <class N>
DualOf<N> log(const DualOf<N>& x) {
  using std::log;
  return {log(x.v), x.d / x.v};
}
template <class N>
DualOf<N> sin(const DualOf<N>& x) {
  using std::cos, std::sin;
  return {sin(x.v), cos(x.v) * x.d};
}
template <class N>
DualOf<N> cos(const DualOf<N>& x) {
  using std::cos, std::sin;
  return {cos(x.v), -sin(x.v) * x.d};
}
template <class N>
DualOf<N> tan(const DualOf<N>& x) {
  using std::tan;
  const N t = tan(x.v);
  return {t, (N(1) + t * t) * x.d};
}
template <class N>
DualOf<N> asin(const DualOf<N>& x) {
  using std::asin, std::sqrt;
  return {asin(x.v), x.d / sqrt((N(1) - x.v) * (N(1) + x.v))};
}
template <class N>
DualOf<N> acos(const DualOf<N>& x) {
  using std::acos, std::sqrt;
  return {acos(x.v), -x.d / sqrt((N(1) - x.v) * (N(1) + x.v))};
}
template <class N>
DualOf<N> atan(const DualOf<N>& x) {
  using std::atan;
  return {atan(x.v), x.d / (N(1) + x.v * x.v)};
}
template <class N>
DualOf<N> sinh(const DualOf<N>& x) {
  using std::cosh, std::sinh;
  return {sinh(x.v), cosh(x.v) * x.d};
}
template <class N>
DualOf<N> cosh(const DualOf<N>& x) {
  using std::cosh, std::sinh;
  return {cosh(x.v), sinh(x.v) * x.d};
}
template <class N>
DualOf<N> tanh(const DualOf<N>& x) {
  using std::tanh;
  const N t = tanh(x.v);
  return {t, (N(1) - t) * (N(1) + t) * x.d};
}
template <class N>
DualOf<N> atan2(const DualOf<N>& y, const DualOf<N>& x) {
  using std::atan2;
  return {atan2(y.v, x.v), (x.v * y.d - y.v * x.d) / (x.v * x.v + y.v * y.v)};
}

/// xⁿ by repeated squaring; the derivative n xⁿ⁻¹ is exact at 0, too.
template <class N>
N whole_power(const N& x, int n) {
  N base = n < 0 ? N(1) / x : x, out(1);
  for (unsigned left = static_cast<unsigned>(n < 0 ? -n : n); left > 0; left >>= 1U) {
    if ((left & 1U) != 0) out *= base;
    base *= base;
  }
  return out;
}
template <class N>
DualOf<N> whole_power(const DualOf<N>& x, int n) {
  return {whole_power(x.v, n),
          n == 0 ? N(0) : N(static_cast<double>(n)) * whole_power(x.v, n - 1) * x.d};
}
template <class N>
DualOf<N> pow(const DualOf<N>& x, const N& p) {
  using std::pow;
  return {pow(x.v, p), select(is_zero(p) || is_zero(x.d), N(0), p * pow(x.v, p - N(1)) * x.d)};
}

/// aᵇ = e^{b log a} for any b, and for a ≤ 0 with a whole b that has no derivative.
inline double general_power(double a, double b) { return std::pow(a, b); }
template <class N>
DualOf<N> general_power(const DualOf<N>& a, const DualOf<N>& b) {
  using std::log, std::pow;
  const N p = pow(a.v, b.v);
  return {p, select(is_zero(a.d), N(0), b.v * pow(a.v, b.v - N(1)) * a.d) +
                 select(is_zero(b.d), N(0), p * log(a.v) * b.d)};
}

}  // namespace twosphere::custom
