// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cmath>

#include "core/custom/dual.h"
#include "core/custom/stage.h"
#include "core/custom/tree.h"

namespace twosphere::custom {

/// Runs the code of one stage for W tuples from `first`, of which `valid` count.
template <class T, int W>
class Machine {
 public:
  Machine(const Stage& stage, T* registers, T* adjoints, T* const* arrays, T* const* array_adjoints,
          double t)
      : stage_(stage), r_(registers), z_(adjoints), arrays_(arrays), bars_(array_adjoints), t_(t) {}

  void forward(const std::vector<Instruction>& code, std::size_t first) {
    for (const Instruction& in : code) step(in, first);
  }

  /// Adds the outputs to their elements.
  void store(std::size_t first, int valid) const {
    for (const Stage::Output& out : stage_.outputs) {
      const int* column = stage_.columns[at(out.column)].data() + first;
      T* array = arrays_[out.array];
      if (width(out) == 1)
        for (int l = 0; l < valid; ++l) array[column[l]] += out.scale * r_[out.from * W + l];
      else
        for (int l = 0; l < valid; ++l)
          for (int k = 0; k < 3; ++k)
            array[3 * column[l] + k] += out.scale * r_[(out.from + k) * W + l];
    }
  }

  /// Takes the adjoints of the outputs and carries them back to the arrays. Leaves all adjoints of
  /// registers 0.
  template <bool Guarded>
  void backward(std::size_t first, int valid) {
    for (const Stage::Output& out : stage_.outputs) {
      if (!out.active) continue;
      const int* column = stage_.columns[at(out.column)].data() + first;
      const T* bar = bars_[out.array];
      if (width(out) == 1)
        for (int l = 0; l < valid; ++l) z_[out.from * W + l] += out.scale * bar[column[l]];
      else
        for (int l = 0; l < valid; ++l)
          for (int k = 0; k < 3; ++k)
            z_[(out.from + k) * W + l] += out.scale * bar[3 * column[l] + k];
    }
    for (const Instruction& in : stage_.backward) step_back<Guarded>(in, first, valid);
  }

  void set_widths(const std::vector<Array>& arrays) { widths_ = arrays.data(); }

 private:
  int width(const Stage::Output& out) const { return widths_[out.array].width; }

  template <class F>
  static void each(const F& f) {
#pragma GCC ivdep
    for (int l = 0; l < W; ++l) f(l);
  }

  void step(const Instruction& in, std::size_t first) {
    using std::acos, std::asin, std::atan, std::atan2, std::cos, std::exp, std::log, std::pow,
        std::sin, std::sqrt, std::tan;
    T* const d = r_ + in.d * W;
    const T* const a = r_ + in.a * W;
    const T* const b = r_ + in.b * W;
    const T* const c = r_ + in.c * W;
    const double k = in.k, k2 = in.k2;
    switch (in.code) {
      case Code::constant:
        return each([&](int l) { d[l] = T(k); });
      case Code::table: {
        const double* table = stage_.tables[at(in.b)].data() + first;
        return each([&](int l) { d[l] = T(table[l]); });
      }
      case Code::gather: {
        const int* column = stage_.columns[at(in.b)].data() + first;
        const T* array = arrays_[in.a];
        return each([&](int l) { d[l] = array[column[l]]; });
      }
      case Code::gather_vector: {
        const int* column = stage_.columns[at(in.b)].data() + first;
        const T* array = arrays_[in.a];
        return each([&](int l) {
          const T* element = array + 3 * column[l];
          d[l] = element[0];
          d[l + W] = element[1];
          d[l + 2 * W] = element[2];
        });
      }
      case Code::time:
        return each([&](int l) { d[l] = T(t_); });
      case Code::linear:
        return each([&](int l) { d[l] = k * a[l] + k2 * b[l]; });
      case Code::affine:
        return each([&](int l) { d[l] = k * a[l] + T(k2); });
      case Code::multiply:
        return each([&](int l) { d[l] = a[l] * b[l]; });
      case Code::divide:
        return each([&](int l) { d[l] = k * (a[l] / b[l]); });
      case Code::reciprocal:
        return each([&](int l) { d[l] = T(k) / a[l]; });
      case Code::square:
        return each([&](int l) { d[l] = a[l] * a[l]; });
      case Code::whole_power:
        return each([&](int l) { d[l] = whole_power(a[l], in.which); });
      case Code::real_power:
        return each([&](int l) { d[l] = pow(a[l], k); });
      case Code::power:
        return each([&](int l) { d[l] = general_power(a[l], b[l]); });
      case Code::sqrt:
        return each([&](int l) { d[l] = sqrt(a[l]); });
      case Code::exp:
        return each([&](int l) { d[l] = exp(a[l]); });
      case Code::log:
        return each([&](int l) { d[l] = log(a[l]); });
      case Code::sin:
        return each([&](int l) { d[l] = sin(a[l]); });
      case Code::cos:
        return each([&](int l) { d[l] = cos(a[l]); });
      case Code::tan:
        return each([&](int l) { d[l] = tan(a[l]); });
      case Code::asin:
        return each([&](int l) { d[l] = asin(a[l]); });
      case Code::acos:
        return each([&](int l) { d[l] = acos(a[l]); });
      case Code::atan:
        return each([&](int l) { d[l] = atan(a[l]); });
      case Code::abs:
        return each([&](int l) { d[l] = value(a[l]) < 0 ? -a[l] : a[l]; });
      case Code::sign:
        return each([&](int l) { d[l] = T(sign(value(a[l]))); });
      case Code::atan2:
        return each([&](int l) { d[l] = atan2(a[l], b[l]); });
      case Code::minimum:
        return each([&](int l) { d[l] = value(b[l]) < value(a[l]) ? b[l] : a[l]; });
      case Code::maximum:
        return each([&](int l) { d[l] = value(b[l]) > value(a[l]) ? b[l] : a[l]; });
      case Code::choose:
        return each([&](int l) { d[l] = chosen(in, a[l]) ? b[l] : c[l]; });
      case Code::choose_vector:
        return each([&](int l) {
          const T* const from = chosen(in, a[l]) ? b : c;
          for (int m = 0; m < 3; ++m) d[l + m * W] = from[l + m * W];
        });
      case Code::linear_vector:
#pragma GCC ivdep
        for (int l = 0; l < 3 * W; ++l) d[l] = k * a[l] + k2 * b[l];
        return;
      case Code::scale_vector:
        for (int l = 0; l < 3 * W; ++l) d[l] = k * a[l];
        return;
      case Code::multiply_vector:
        return each([&](int l) {
          d[l] = a[l] * b[l];
          d[l + W] = a[l] * b[l + W];
          d[l + 2 * W] = a[l] * b[l + 2 * W];
        });
      case Code::dot:
        return each([&](int l) { d[l] = dot(a + l, b + l); });
      case Code::cross:
        return each([&](int l) { cross(a + l, b + l, d + l); });
      case Code::norm:
        return each([&](int l) { d[l] = sqrt(dot(a + l, a + l)); });
      case Code::angle:
        return each([&](int l) { d[l] = angle(a + l, b + l); });
      case Code::component:
        return each([&](int l) { d[l] = a[l + in.which * W]; });
      case Code::pack:
        return each([&](int l) {
          d[l] = a[l];
          d[l + W] = b[l];
          d[l + 2 * W] = c[l];
        });
    }
  }

  /// The adjoint of d is taken and cleared, and its share added to those of a, b and c.
  template <bool Guarded>
  void step_back(const Instruction& in, std::size_t first, int valid) {
    using std::cos, std::log, std::pow, std::sin, std::sqrt;
    T* const bar = z_ + in.d * W;
    const T* const d = r_ + in.d * W;
    const T* const a = r_ + in.a * W;
    const T* const b = r_ + in.b * W;
    T* const za = z_ + in.a * W;
    T* const zb = z_ + in.b * W;
    T* const zc = z_ + in.c * W;
    const double k = in.k, k2 = in.k2;
    // Adds g p to an adjoint; where nothing arrives, nothing goes on, even if p is infinite.
    const auto add = [](T& to, const T& g, const T& p) {
      if constexpr (Guarded)
        to += is_zero(g) ? T(0) : g * p;
      else
        to += g * p;
    };
    const auto unary = [&](const auto& slope) {
      each([&](int l) {
        const T g = bar[l];
        bar[l] = T(0);
        add(za[l], g, slope(l));
      });
    };
    switch (in.code) {
      case Code::constant:
      case Code::table:
      case Code::time:
        return;
      case Code::sign:
        return each([&](int l) { bar[l] = T(0); });
      case Code::gather: {
        const int* column = stage_.columns[at(in.b)].data() + first;
        T* array = bars_[in.a];
        for (int l = 0; l < valid; ++l) array[column[l]] += bar[l];
        return each([&](int l) { bar[l] = T(0); });
      }
      case Code::gather_vector: {
        const int* column = stage_.columns[at(in.b)].data() + first;
        T* array = bars_[in.a];
        // Tuples in a row that share an element are added up first.
        T sum[3] = {T(0), T(0), T(0)};
        int open = column[0];
        const auto close = [&] {
          for (int m = 0; m < 3; ++m) array[3 * open + m] += sum[m];
        };
        for (int l = 0; l < valid; ++l) {
          if (column[l] != open) {
            close();
            open = column[l];
            sum[0] = sum[1] = sum[2] = T(0);
          }
          for (int m = 0; m < 3; ++m) sum[m] += bar[l + m * W];
        }
        close();
        for (int m = 0; m < 3; ++m) each([&](int l) { bar[l + m * W] = T(0); });
        return;
      }
      case Code::linear:
        return each([&](int l) {
          const T g = bar[l];
          bar[l] = T(0);
          if (in.a_active) za[l] += k * g;
          if (in.b_active) zb[l] += k2 * g;
        });
      case Code::affine:
        return each([&](int l) {
          const T g = bar[l];
          bar[l] = T(0);
          za[l] += k * g;
        });
      case Code::multiply:
        return each([&](int l) {
          const T g = bar[l];
          bar[l] = T(0);
          if (in.a_active) add(za[l], g, b[l]);
          if (in.b_active) add(zb[l], g, a[l]);
        });
      case Code::divide:
        return each([&](int l) {
          const T g = bar[l];
          bar[l] = T(0);
          if (in.a_active) add(za[l], g, T(k) / b[l]);
          if (in.b_active) add(zb[l], g, -(d[l] / b[l]));
        });
      case Code::reciprocal:
        return unary([&](int l) { return -(d[l] / a[l]); });
      case Code::square:
        return unary([&](int l) { return 2.0 * a[l]; });
      case Code::whole_power:
        return unary(
            [&](int l) { return static_cast<double>(in.which) * whole_power(a[l], in.which - 1); });
      case Code::real_power:
        return unary([&](int l) { return k * pow(a[l], k - 1); });
      case Code::power:
        return each([&](int l) {
          const T g = bar[l];
          bar[l] = T(0);
          if (in.a_active) add(za[l], g, b[l] * general_power(a[l], b[l] - T(1)));
          if (in.b_active) add(zb[l], g, d[l] * log(a[l]));
        });
      case Code::sqrt:
        return unary([&](int l) { return T(0.5) / d[l]; });
      case Code::exp:
        return unary([&](int l) { return d[l]; });
      case Code::log:
        return unary([&](int l) { return T(1) / a[l]; });
      case Code::sin:
        return unary([&](int l) { return cos(a[l]); });
      case Code::cos:
        return unary([&](int l) { return -sin(a[l]); });
      case Code::tan:
        return unary([&](int l) { return T(1) + d[l] * d[l]; });
      case Code::asin:
        return unary([&](int l) { return T(1) / sqrt((T(1) - a[l]) * (T(1) + a[l])); });
      case Code::acos:
        return unary([&](int l) { return T(-1) / sqrt((T(1) - a[l]) * (T(1) + a[l])); });
      case Code::atan:
        return unary([&](int l) { return T(1) / (T(1) + a[l] * a[l]); });
      case Code::abs:
        return unary([&](int l) { return T(sign(value(a[l]))); });
      case Code::atan2:
        return each([&](int l) {
          const T g = bar[l], square = a[l] * a[l] + b[l] * b[l];
          bar[l] = T(0);
          if (in.a_active) add(za[l], g, b[l] / square);
          if (in.b_active) add(zb[l], g, -(a[l] / square));
        });
      case Code::minimum:
      case Code::maximum:
        return each([&](int l) {
          const T g = bar[l];
          bar[l] = T(0);
          const bool second =
              in.code == Code::minimum ? value(b[l]) < value(a[l]) : value(b[l]) > value(a[l]);
          if (second && in.b_active) zb[l] += g;
          if (!second && in.a_active) za[l] += g;
        });
      case Code::choose:
      case Code::choose_vector:
        for (int m = 0; m < (in.code == Code::choose ? 1 : 3); ++m)
          for (int l = 0; l < W; ++l) {
            const T g = bar[l + m * W];
            bar[l + m * W] = T(0);
            const bool yes = chosen(in, a[l]);
            if (yes && in.b_active) zb[l + m * W] += g;
            if (!yes && in.c_active) zc[l + m * W] += g;
          }
        return;
      case Code::linear_vector:
        for (int l = 0; l < 3 * W; ++l) {
          const T g = bar[l];
          bar[l] = T(0);
          if (in.a_active) za[l] += k * g;
          if (in.b_active) zb[l] += k2 * g;
        }
        return;
      case Code::scale_vector:
        for (int l = 0; l < 3 * W; ++l) {
          za[l] += k * bar[l];
          bar[l] = T(0);
        }
        return;
      case Code::multiply_vector:
        return each([&](int l) {
          for (int m = 0; m < 3; ++m) {
            const T g = bar[l + m * W];
            bar[l + m * W] = T(0);
            if (in.a_active) add(za[l], g, b[l + m * W]);
            if (in.b_active) add(zb[l + m * W], g, a[l]);
          }
        });
      case Code::dot:
        return each([&](int l) {
          const T g = bar[l];
          bar[l] = T(0);
          for (int m = 0; m < 3; ++m) {
            const int at = l + m * W;
            if (in.a_active) add(za[at], g, b[at]);
            if (in.b_active) add(zb[at], g, a[at]);
          }
        });
      case Code::cross:
        return each([&](int l) {
          // ∂(g·(a × b)): b × g for a, g × a for b.
          T g[3], share[3];
          take(bar + l, g);
          if (Guarded && is_zero(g[0]) && is_zero(g[1]) && is_zero(g[2])) return;
          if (in.a_active) {
            cross_of(b + l, W, g, 1, share, 1);
            spread(share, za + l);
          }
          if (in.b_active) {
            cross_of(g, 1, a + l, W, share, 1);
            spread(share, zb + l);
          }
        });
      case Code::norm:
        return each([&](int l) {
          const T g = bar[l];
          bar[l] = T(0);
          // At 0, where the norm has no derivative, that of least length.
          if (value(d[l]) == 0) return;
          for (int m = 0; m < 3; ++m) add(za[l + m * W], g, a[l + m * W] / d[l]);
        });
      case Code::angle:
        return each([&](int l) {
          const T g = bar[l];
          bar[l] = T(0);
          // ∂θ/∂a = (c (b × u)/s − s b)/(s² + c²) with u = a × b, s = |u|, c = a·b; likewise for b.
          T u[3], turned[3];
          difference_cross(a + l, b + l, u);
          const T c = dot(a + l, b + l), square = u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
          if (value(square) == 0) return;  // no derivative there: that of least length
          const T s = sqrt(square), all = square + c * c;
          if (in.a_active) {
            cross_of(b + l, W, u, 1, turned, 1);
            for (int m = 0; m < 3; ++m)
              add(za[l + m * W], g, (c * turned[m] / s - s * b[l + m * W]) / all);
          }
          if (in.b_active) {
            cross_of(u, 1, a + l, W, turned, 1);
            for (int m = 0; m < 3; ++m)
              add(zb[l + m * W], g, (c * turned[m] / s - s * a[l + m * W]) / all);
          }
        });
      case Code::component:
        return each([&](int l) {
          za[l + in.which * W] += bar[l];
          bar[l] = T(0);
        });
      case Code::pack:
        return each([&](int l) {
          if (in.a_active) za[l] += bar[l];
          if (in.b_active) zb[l] += bar[l + W];
          if (in.c_active) zc[l] += bar[l + 2 * W];
          bar[l] = bar[l + W] = bar[l + 2 * W] = T(0);
        });
    }
  }

  static double sign(double x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }
  static bool chosen(const Instruction& in, const T& x) {
    return holds(static_cast<Relation>(in.which), value(x), 0);
  }
  /// aᵇ = e^{b log a} for any b, and for a ≤ 0 with a whole b that has no derivative.
  static double general_power(double a, double b) { return std::pow(a, b); }
  static Dual general_power(Dual a, Dual b) {
    const double p = std::pow(a.v, b.v);
    double slope = 0;
    if (a.d != 0) slope += b.v * std::pow(a.v, b.v - 1) * a.d;
    if (b.d != 0) slope += p * std::log(a.v) * b.d;
    return {p, slope};
  }
  static T dot(const T* a, const T* b) { return a[0] * b[0] + a[W] * b[W] + a[2 * W] * b[2 * W]; }
  static void cross_of(const T* a, int i, const T* b, int j, T* d, int k) {
    d[0] = a[i] * b[2 * j] - a[2 * i] * b[j];
    d[k] = a[2 * i] * b[0] - a[0] * b[2 * j];
    d[2 * k] = a[0] * b[j] - a[i] * b[0];
  }
  static void cross(const T* a, const T* b, T* d) { cross_of(a, W, b, W, d, W); }
  /// a × b = a × (b ∓ a), which is accurate where a and b are nearly parallel.
  static void difference_cross(const T* a, const T* b, T* u) {
    const double side = value(dot(a, b)) > 0 ? -1 : 1;
    T apart[3];
    for (int m = 0; m < 3; ++m) apart[m] = b[m * W] + side * a[m * W];
    cross_of(a, W, apart, 1, u, 1);
  }
  static T angle(const T* a, const T* b) {
    using std::atan2, std::sqrt;
    T u[3];
    difference_cross(a, b, u);
    return atan2(sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]), dot(a, b));
  }
  static void take(T* bar, T* g) {
    for (int m = 0; m < 3; ++m) {
      g[m] = bar[m * W];
      bar[m * W] = T(0);
    }
  }
  static void spread(const T* share, T* to) {
    for (int m = 0; m < 3; ++m) to[m * W] += share[m];
  }

  const Stage& stage_;
  T* r_;
  T* z_;
  T* const* arrays_;
  T* const* bars_;
  double t_;
  const Array* widths_ = nullptr;
};

}  // namespace twosphere::custom
