// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace twosphere {

/// A zero x of f between a and b, where f(a) = fa and f(b) = fb have opposite signs, to rounding of
/// x or to `tolerance`: inverse quadratic interpolation where that is safe, else bisection
/// (Chandrupatla, Adv. Eng. Softw. 28, 1997). f returns std::optional<double>; without a value the
/// search ends, without a result.
template <class Function>
std::optional<double> find_root(double a, double fa, double b, double fb, const Function& f,
                                double tolerance) {
  // The latest point is a; c is the one that it replaced.
  double c = b, fc = fb, share = fa / (fa - fb);
  for (;;) {
    const double x = a + share * (b - a);
    const std::optional<double> value = f(x);
    if (!value) return {};
    const double fx = *value;
    if ((fx > 0) == (fa > 0)) {
      c = a, fc = fa;
    } else {
      c = b, fc = fb;
      b = a, fb = fa;
    }
    a = x, fa = fx;
    const double best = std::abs(fa) < std::abs(fb) ? a : b;
    const double margin =
        (std::numeric_limits<double>::epsilon() * std::abs(best) + tolerance) / std::abs(b - a);
    if (fx == 0 || !(margin < 0.5)) return best;
    const double xi = (a - b) / (c - b), phi = (fa - fb) / (fc - fb);
    share = 0.5;
    if (phi * phi < xi && (1 - phi) * (1 - phi) < 1 - xi)
      share = fa / (fb - fa) * fc / (fb - fc) + (c - a) / (b - a) * fa / (fc - fa) * fb / (fc - fb);
    share = std::clamp(share, margin, 1 - margin);
  }
}

/// The false position of Illinois, for functions that are costly and nearly linear: two points, at
/// which the function has opposite signs, and a line through its values there. The value at an end
/// that stays counts half from then on.
class FalsePosition {
 public:
  FalsePosition(double a, double fa, double b, double fb) : a_(a), fa_(fa), b_(b), fb_(fb) {}

  /// Where the line is 0.
  double next() const { return b_ - fb_ * (b_ - a_) / (fb_ - fa_); }
  /// The value fx ≠ 0 at a point between the ends, which takes the place of one of them.
  void add(double x, double fx) {
    if ((fx > 0) != (fb_ > 0)) {
      a_ = b_;
      fa_ = fb_;
    } else {
      fa_ /= 2;
    }
    b_ = x;
    fb_ = fx;
  }
  /// The point that was added last.
  double last() const { return b_; }
  /// Whether a point is one of the ends: they are as close as rounding allows.
  bool is_end(double x) const { return x == a_ || x == b_; }

 private:
  double a_, fa_, b_, fb_;
};

}  // namespace twosphere
