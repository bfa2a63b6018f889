// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>

#include "core/language/functions.h"

/// The numbers with which core/program/machine.h computes: double, Dual, and those that write code
/// instead (core/program/llvm_symbol.h). What they have in common is written once, without
/// branches.
namespace twosphere::custom {

/// a if the condition holds, else b; both are evaluated.
inline double select(bool condition, double a, double b) { return condition ? a : b; }
inline double value(double x) { return x; }
inline bool is_zero(double x) { return x == 0; }

/// What the derivative of a function is made of.
enum class DerivativeOf { nothing, argument, value };

#define FUNCTION(name, ...) using functions::name;
#include "core/language/function_list.h"

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

// A direction that leaves the argument as it is leaves the value, too, also where the derivative is
// infinite.
#define FUNCTION(name, reads, derivative, code)                   \
  template <class T>                                              \
  DualOf<T> name(const DualOf<T>& at) {                           \
    [[maybe_unused]] const T x = at.v, y = name(x);               \
    if constexpr (DerivativeOf::reads == DerivativeOf::nothing)   \
      return {y, T(0)};                                           \
    else                                                          \
      return {y, select(is_zero(at.d), T(0), (derivative)*at.d)}; \
  }
#include "core/language/function_list.h"
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
/// x^{n/2}; the derivative is exact at 0, too, where that of the root is infinite.
template <class N>
N half_power(const N& x, int n) {
  return whole_power(sqrt(x), n);
}
template <class N>
DualOf<N> half_power(const DualOf<N>& x, int n) {
  if (n == 0) return {half_power(x.v, n), N(0)};
  return {half_power(x.v, n),
          select(is_zero(x.d), N(0), N(0.5 * n) * half_power(x.v, n - 2) * x.d)};
}
template <class N>
DualOf<N> pow(const DualOf<N>& x, const N& p) {
  using std::pow;
  return {pow(x.v, p), select(is_zero(p) || is_zero(x.d), N(0), p * pow(x.v, p - N(1)) * x.d)};
}
/// A derivative that is 0, and that of it.
template <class T, class N>
T flat_slope(const N& bend) {
  T slope(0);
  if constexpr (requires { slope.d; }) slope.d = bend;
  return slope;
}

/// The derivative −2θ/sin θ of θ² = acos(x)²: finite at x = 1, by the series of θ/sin θ in 1 − x,
/// whose coefficients are k!/(2k + 1)!!. Not a number beyond, as θ.
template <class N>
N acos_square_slope(const N& x) {
  const N w = N(1) - x;
  N series(1);
  for (int k = 10; k > 0; --k) series = N(1) + N(k / (2.0 * k + 1)) * w * series;
  const N quotient = acos(x) / sqrt(w * (N(1) + x));
  return N(-2) * select(value(w) < 0.02, select(value(w) < 0, quotient, series), quotient);
}
template <class N>
N acos_square(const N& x) {
  const N theta = acos(x);
  return theta * theta;
}
template <class N>
DualOf<N> acos_square(const DualOf<N>& x) {
  return {acos_square(x.v), select(is_zero(x.d), N(0), acos_square_slope(x.v) * x.d)};
}

/// aᵇ = e^{b log a} for any b, and for a ≤ 0 with a whole b that has no derivative. Where b or aᵇ
/// is 0, the derivative by a or b is 0, too.
inline double general_power(double a, double b) { return std::pow(a, b); }
template <class N>
DualOf<N> general_power(const DualOf<N>& a, const DualOf<N>& b) {
  using std::log, std::pow;
  const N p = pow(a.v, b.v);
  return {p, select(is_zero(a.d) || is_zero(b.v), N(0), b.v * pow(a.v, b.v - N(1)) * a.d) +
                 select(is_zero(b.d) || is_zero(p), N(0), p * log(a.v) * b.d)};
}

}  // namespace twosphere::custom
