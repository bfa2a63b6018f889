// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

#include "core/program/dual.h"
#include "core/program/stage.h"
#include "core/program/tree.h"

namespace twosphere::custom {

/// What the instructions of a stage compute, with W numbers of a type T in each register. Where
/// elements, tables and constants come from and go to is the concern of `Memory`:
///
/// - number(in, which): k or k2 of an instruction,
/// - table(b, d), time(d): what is the same at every evaluation, and t,
/// - read(where, array, column, width, d): elements or their adjoints,
/// - add(where, array, column, width, d, first): of d, the eight lanes from `first` are added to
/// them; end_group(where, first): all of these eight lanes are.
///
/// The tape computes with T = double or Dual and 16 lanes (core/program/lanes.h); machine code is
/// written with symbols for T (core/program/llvm_emission.h). Both thus take the same operations in
/// the same order, so that their results are equal bit for bit.
template <class T, int W, class Memory>
class Machine {
 public:
  Machine(Memory& memory, T* registers, T* adjoints)
      : memory_(memory), r_(registers), z_(adjoints) {}

  void forward(const std::vector<Instruction>& code) {
    for (const Instruction& in : code) step(in);
  }

  /// Adds the outputs to their elements.
  void store(const Stage& stage) {
    for (int first = 0; first < W; first += group_size)
      for (std::size_t o = 0; o < stage.outputs.size(); ++o) {
        const Stage::Output& out = stage.outputs[o];
        const auto scale = memory_.scale(o);
        T share[3 * W];
        const T* from = r_ + out.from * W;
        for (int m = 0; m < out.width; ++m)
          for (int l = first; l < W && l < first + group_size; ++l)
            share[l + m * W] = scale * from[l + m * W];
        memory_.add(Elements::values, out.array, out.column, out.width, share, first);
        if (o + 1 == stage.outputs.size()) memory_.end_group(Elements::values, first);
      }
  }

  /// Takes the adjoints of the outputs and carries them back to the arrays. Leaves all adjoints of
  /// registers 0.
  template <bool Guarded>
  void backward(const Stage& stage) {
    for (std::size_t o = 0; o < stage.outputs.size(); ++o) {
      const Stage::Output& out = stage.outputs[o];
      if (!out.active) continue;
      const auto scale = memory_.scale(o);
      T bar[3 * W];
      memory_.read(Elements::adjoints, out.array, out.column, out.width, bar);
      T* to = z_ + out.from * W;
      for (int m = 0; m < out.width; ++m)
        each([&](int l) { to[l + m * W] += scale * bar[l + m * W]; });
    }
    for (const Instruction& in : stage.backward) step_back<Guarded>(in);
    for (int first = 0; first < W; first += group_size) {
      for (const Instruction& in : stage.gathers)
        memory_.add(Elements::adjoints, in.a, in.b, width(in), z_ + in.d * W, first);
      memory_.end_group(Elements::adjoints, first);
    }
    for (const Instruction& in : stage.gathers)
      std::fill(z_ + in.d * W, z_ + (in.d + width(in)) * W, T(0));
  }

 private:
  static constexpr double infinite = std::numeric_limits<double>::infinity();

  /// Of the result of a gather.
  static int width(const Instruction& in) { return in.code == Code::gather ? 1 : 3; }

  // Derivatives multiply by an inverse where they could divide: of many divisions by one number,
  // one is left in machine code.

  template <class F>
  static void each(const F& f) {
#pragma GCC ivdep
    for (int l = 0; l < W; ++l) f(l);
  }

  void step(const Instruction& in) {
    using std::atan2, std::pow;
    T* const d = r_ + in.d * W;
    const T* const a = r_ + in.a * W;
    const T* const b = r_ + in.b * W;
    const T* const c = r_ + in.c * W;
    const auto k = memory_.number(in, 0), k2 = memory_.number(in, 1);
    switch (in.code) {
      case Code::constant:
        return each([&](int l) { d[l] = T(k); });
      case Code::table:
        return memory_.table(in.b, d);
      case Code::gather:
        return memory_.read(Elements::values, in.a, in.b, 1, d);
      case Code::gather_vector:
        return memory_.read(Elements::values, in.a, in.b, 3, d);
      case Code::time:
        return memory_.time(d);
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
      case Code::half_power:
        return each([&](int l) { d[l] = half_power(a[l], in.which); });
      case Code::flat_power:
        if (in.which != 0) return each([&](int l) { d[l] = half_power(a[l], in.which); });
        [[fallthrough]];
      case Code::real_power:
        return each([&](int l) { d[l] = pow(a[l], k); });
      case Code::power:
        return each([&](int l) { d[l] = general_power(a[l], b[l]); });
#define FUNCTION(name, ...) \
  case Code::name:          \
    return each([&](int l) { d[l] = name(a[l]); });
#include "core/language/function_list.h"
      case Code::atan2:
        return each([&](int l) { d[l] = atan2(a[l], b[l]); });
      case Code::minimum:
        return each([&](int l) { d[l] = select(value(b[l]) < value(a[l]), b[l], a[l]); });
      case Code::maximum:
        return each([&](int l) { d[l] = select(value(b[l]) > value(a[l]), b[l], a[l]); });
      case Code::choose:
        return each([&](int l) { d[l] = select(chosen(in, a[l]), b[l], c[l]); });
      case Code::choose_vector:
        return each([&](int l) {
          const auto yes = chosen(in, a[l]);
          for (int m = 0; m < 3; ++m) d[l + m * W] = select(yes, b[l + m * W], c[l + m * W]);
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
      case Code::angle_square:
        return each([&](int l) {
          const T theta = angle(a + l, b + l);
          d[l] = theta * theta;
        });
      case Code::acos_square:
        return each([&](int l) { d[l] = acos_square(a[l]); });
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
  void step_back(const Instruction& in) {
    using std::pow;
    T* const bar = z_ + in.d * W;
    const T* const d = r_ + in.d * W;
    const T* const a = r_ + in.a * W;
    const T* const b = r_ + in.b * W;
    T* const za = z_ + in.a * W;
    T* const zb = z_ + in.b * W;
    T* const zc = z_ + in.c * W;
    const auto k = memory_.number(in, 0), k2 = memory_.number(in, 1);
    // Adds g p to an adjoint; where nothing arrives, nothing is passed on, even if p is infinite.
    const auto add = [](T& to, const T& g, const T& p) {
      if constexpr (Guarded)
        to += select(is_zero(g), T(0), g * p);
      else
        to += g * p;
    };
    const auto each_adjoint = [&](const auto& share) {
      each([&](int l) {
        const T g = bar[l];
        bar[l] = T(0);
        share(l, g);
      });
    };
    const auto unary = [&](const auto& slope) {
      each_adjoint([&](int l, const T& g) { add(za[l], g, slope(l)); });
    };
    // Of an angle with u = a × b: its slope is a function of b × u and b in a, of u × a and a in b.
    const auto of_angle = [&](int l, const T& g, const T* u, const auto& slope) {
      T turned[3];
      if (in.a_active) {
        cross_of(b + l, W, u, 1, turned, 1);
        for (int m = 0; m < 3; ++m) add(za[l + m * W], g, slope(turned[m], b[l + m * W]));
      }
      if (in.b_active) {
        cross_of(u, 1, a + l, W, turned, 1);
        for (int m = 0; m < 3; ++m) add(zb[l + m * W], g, slope(turned[m], a[l + m * W]));
      }
    };
    switch (in.code) {
      case Code::constant:
      case Code::table:
      case Code::time:
        return;
      case Code::gather:
      case Code::gather_vector:
        return;  // at the end: Stage::gathers
      case Code::linear:
        return each_adjoint([&](int l, const T& g) {
          if (in.a_active) za[l] += k * g;
          if (in.b_active) zb[l] += k2 * g;
        });
      case Code::affine:
        return each_adjoint([&](int l, const T& g) { za[l] += k * g; });
      case Code::multiply:
        return each_adjoint([&](int l, const T& g) {
          if (in.a_active) add(za[l], g, b[l]);
          if (in.b_active) add(zb[l], g, a[l]);
        });
      case Code::divide:
        return each_adjoint([&](int l, const T& g) {
          const T inverse = T(1) / b[l];
          if (in.a_active) add(za[l], g, k * inverse);
          if (in.b_active) add(zb[l], g, -(k * (a[l] * inverse) * inverse));
        });
      case Code::reciprocal:
        return unary([&](int l) {
          const T inverse = T(1) / a[l];
          return -(k * inverse * inverse);
        });
      case Code::square:
        return unary([&](int l) { return 2.0 * a[l]; });
      case Code::whole_power:
        return unary(
            [&](int l) { return static_cast<double>(in.which) * whole_power(a[l], in.which - 1); });
      case Code::half_power:
        return unary([&](int l) { return 0.5 * in.which * half_power(a[l], in.which - 2); });
      case Code::real_power:
        return unary([&](int l) { return k * pow(a[l], k - 1.0); });
      case Code::flat_power:
        return unary([&](int l) {
          const T slope = in.which != 0 ? 0.5 * in.which * half_power(a[l], in.which - 2)
                                        : k * pow(a[l], k - 1.0);
          return select(is_zero(value(a[l])), flat_slope<T>(k2), slope);
        });
      case Code::power:
        return each_adjoint([&](int l, const T& g) {
          if (in.a_active) {
            const T slope = select(is_zero(b[l]), T(0), b[l] * general_power(a[l], b[l] - T(1)));
            using Number = std::decay_t<decltype(k)>;
            const Number order = k * value(b[l]);
            const Number bend = select(order > 2.0, Number(0), Number(infinite));
            const auto flat = is_zero(value(a[l])) && order > 1.0 && value(b[l]) != 1.0;
            add(za[l], g, select(flat, flat_slope<T>(bend), slope));
          }
          if (in.b_active) add(zb[l], g, select(is_zero(value(d[l])), T(0), d[l] * log(a[l])));
        });
#define FUNCTION(name, reads, derivative, code)                 \
  case Code::name:                                              \
    if constexpr (DerivativeOf::reads == DerivativeOf::nothing) \
      return each([&](int l) { bar[l] = T(0); });               \
    else                                                        \
      return unary([&](int l) {                                 \
        [[maybe_unused]] const T &x = a[l], &y = d[l];          \
        return T(derivative);                                   \
      });
#include "core/language/function_list.h"
      case Code::atan2:
        return each_adjoint([&](int l, const T& g) {
          const T inverse = T(1) / (a[l] * a[l] + b[l] * b[l]);
          if (in.a_active) add(za[l], g, b[l] * inverse);
          if (in.b_active) add(zb[l], g, -(a[l] * inverse));
        });
      case Code::minimum:
      case Code::maximum:
        return each_adjoint([&](int l, const T& g) {
          const auto second =
              in.code == Code::minimum ? value(b[l]) < value(a[l]) : value(b[l]) > value(a[l]);
          if (in.b_active) zb[l] += select(second, g, T(0));
          if (in.a_active) za[l] += select(second, T(0), g);
        });
      case Code::choose:
      case Code::choose_vector:
        for (int m = 0; m < (in.code == Code::choose ? 1 : 3); ++m)
          for (int l = 0; l < W; ++l) {
            const T g = bar[l + m * W];
            bar[l + m * W] = T(0);
            const auto yes = chosen(in, a[l]);
            if (in.b_active) zb[l + m * W] += select(yes, g, T(0));
            if (in.c_active) zc[l + m * W] += select(yes, T(0), g);
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
        if (in.a == in.b)  // |a|²
          return each_adjoint([&](int l, const T& g) {
            const T twice = 2.0 * g;
            for (int m = 0; m < 3; ++m) add(za[l + m * W], twice, a[l + m * W]);
          });
        return each_adjoint([&](int l, const T& g) {
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
          const auto spread = [&](T* to) {
            const auto none = is_zero(g[0]) && is_zero(g[1]) && is_zero(g[2]);
            for (int m = 0; m < 3; ++m)
              if constexpr (Guarded)
                to[m * W] += select(none, T(0), share[m]);
              else
                to[m * W] += share[m];
          };
          if (in.a_active) {
            cross_of(b + l, W, g, 1, share, 1);
            spread(za + l);
          }
          if (in.b_active) {
            cross_of(g, 1, a + l, W, share, 1);
            spread(zb + l);
          }
        });
      case Code::norm:
        return each_adjoint([&](int l, const T& g) {
          // At 0, where the norm has no derivative, that of least length.
          const auto none = is_zero(value(d[l]));
          const T inverse = T(1) / d[l];
          for (int m = 0; m < 3; ++m)
            add(za[l + m * W], g, select(none, T(0), a[l + m * W] * inverse));
        });
      case Code::angle:
        return each_adjoint([&](int l, const T& g) {
          // ∂θ/∂a = (c (b × u)/s − s b)/(s² + c²) with u = a × b, s = |u|, c = a·b; likewise for b.
          T u[3];
          difference_cross(a + l, b + l, u);
          const T c = dot(a + l, b + l), square = u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
          const auto none = is_zero(value(square));  // no derivative there: that of least length
          const T s = sqrt(square), all = square + c * c;
          of_angle(l, g, u, [&](const T& turned, const T& other) {
            return select(none, T(0), (c * turned / s - s * other) / all);
          });
        });
      case Code::angle_square:
        return each_adjoint([&](int l, const T& g) {
          // ∂θ²/∂a = 2 (θ/√w) (c b × u − w b)/(w + c²) with u = a × b, w = |u|², c = a·b; likewise
          // for b. It has derivatives where θ = 0.
          T u[3];
          difference_cross(a + l, b + l, u);
          const T c = dot(a + l, b + l), w = u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
          const T factor = T(2) * angle_by_sine(w, c) / (w + c * c);
          of_angle(l, g, u, [&](const T& turned, const T& other) {
            return factor * (c * turned - w * other);
          });
        });
      case Code::acos_square:
        return unary([&](int l) { return acos_square_slope(a[l]); });
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

  static auto chosen(const Instruction& in, const T& x) {
    return compared(static_cast<Relation>(in.which), value(x));
  }
  /// Whether x REL 0.
  template <class N>
  static auto compared(Relation relation, const N& x) {
    switch (relation) {
      case Relation::less:
        return x < 0;
      case Relation::at_most:
        return x <= 0;
      case Relation::greater:
        return x > 0;
      case Relation::at_least:
        return x >= 0;
      case Relation::equal:
        return x == 0;
      case Relation::unequal:
        break;
    }
    return x != 0;
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
    const auto dots = value(dot(a, b));
    using N = std::remove_const_t<decltype(dots)>;
    const N side = select(dots > 0, N(-1), N(1));
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
  /// θ/√w of θ = atan2(√w, c), whose slope is finite at w = 0 where c > 0: the series of atan in
  /// x = w/c². 0 where θ = π, which has no derivative.
  static T angle_by_sine(const T& w, const T& c) {
    using std::atan2, std::sqrt;
    const T s = sqrt(w), x = w / (c * c);
    T series = T(1.0 / 17);
    for (int k = 15; k > 0; k -= 2) series = T(1.0 / k) - x * series;
    const T quotient = select(is_zero(value(w)), T(0), atan2(s, c) / s);
    using N = std::remove_cvref_t<decltype(value(x))>;
    const T near = select(value(x) - N(0.01) < 0, series / c, quotient);
    return select(value(c) > 0, near, quotient);
  }
  static void take(T* bar, T* g) {
    for (int m = 0; m < 3; ++m) {
      g[m] = bar[m * W];
      bar[m * W] = T(0);
    }
  }
  Memory& memory_;
  T* r_;
  T* z_;
};

}  // namespace twosphere::custom
