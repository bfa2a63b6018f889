// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/chain_ensemble.h"

#include <algorithm>
#include <array>
#include <limits>

#include "core/base/interrupt.h"

#ifndef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/chain_ensemble.cpp"
#endif
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/kernels/chain-inl.h"
#include "core/kernels/vector-inl.h"

HWY_BEFORE_NAMESPACE();
namespace twosphere::chain_kernel {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
// Eight elements are the widest vectors.
using D = hn::CappedTag<double, 8>;
using V = hn::Vec<D>;
using M = hn::Mask<D>;
using Vector = twosphere::HWY_NAMESPACE::Vector3<V>;

HWY_INLINE V number(double value) { return hn::Set(D(), value); }

/// A number per link and member.
struct Numbers {
  HWY_ALIGN double values[max_links * 8];

  V operator[](Eigen::Index i) const {
    return hn::Load(D(), values + i * static_cast<Eigen::Index>(hn::Lanes(D())));
  }
  void set(Eigen::Index i, V to) {
    hn::Store(to, D(), values + i * static_cast<Eigen::Index>(hn::Lanes(D())));
  }
};
/// A vector per link and member.
struct Vectors {
  HWY_ALIGN double values[3 * max_links * 8];

  static const double* at(const double* all, Eigen::Index i) {
    return all + 3 * i * static_cast<Eigen::Index>(hn::Lanes(D()));
  }
  Vector operator[](Eigen::Index i) const {
    const auto width = hn::Lanes(D());
    const double* from = at(values, i);
    return {hn::Load(D(), from), hn::Load(D(), from + width), hn::Load(D(), from + 2 * width)};
  }
  void set(Eigen::Index i, const Vector& to) {
    const auto width = hn::Lanes(D());
    double* const out = values + 3 * i * static_cast<Eigen::Index>(width);
    hn::Store(to.x, D(), out);
    hn::Store(to.y, D(), out + width);
    hn::Store(to.z, D(), out + 2 * width);
  }
  /// The same for these members only. No masked stores: some processors execute them in microcode.
  void set(Eigen::Index i, const Vector& to, M members) {
    const Vector old = (*this)[i];
    set(i, {hn::IfThenElse(members, to.x, old.x), hn::IfThenElse(members, to.y, old.y),
            hn::IfThenElse(members, to.z, old.z)});
  }
};

/// The steps of one chain, of `links` links or, if that is 0, of any number. The names are those
/// of variational_chain.cpp.
template <int links>
class Steps {
 public:
  Steps(const ChainInertia& chain, const Columns& a) : chain_(chain), a_(a) {}

  void load(const Members& from) {
    const auto width = static_cast<Eigen::Index>(hn::Lanes(D()));
    std::copy_n(from.q.data(), 3 * n() * width, q_.values);
    std::copy_n(from.v.data(), 3 * n() * width, v_.values);
    std::copy_n(from.lambda.data(), n() * width, lambda_.values);
    std::copy_n(from.last_step.data(), width, last_);
    std::copy_n(from.lambda_before.data(), n() * width, lambda_before_.values);
    std::copy_n(from.step_before.data(), width, before_);
  }
  void store(Members& to) const {
    const auto width = static_cast<Eigen::Index>(hn::Lanes(D()));
    std::copy_n(q_.values, 3 * n() * width, to.q.data());
    std::copy_n(v_.values, 3 * n() * width, to.v.data());
    std::copy_n(lambda_.values, n() * width, to.lambda.data());
    std::copy_n(last_, width, to.last_step.data());
    std::copy_n(lambda_before_.values, n() * width, to.lambda_before.data());
    std::copy_n(before_, width, to.step_before.data());
  }

  const Vectors& q() const { return q_; }
  const Vectors& v() const { return v_; }

  /// A drift over h between kicks over h/2. Whether all members have taken it; if not, nothing
  /// has changed.
  bool stage(double h) {
    const D d;
    const double kick = h / 2;
    for (Eigen::Index i = 0; i < n(); ++i)
      drift_.set(i, subtract(scale(number(h), v_[i]), constant(h * kick, i)));
    const M all = hn::FirstN(d, hn::Lanes(d));
    const V last = hn::Load(d, last_);
    const M moved = hn::Ne(last, hn::Zero(d));
    M solved = hn::FirstN(d, 0);
    if (!hn::AllFalse(d, moved)) {
      first_guess(h);
      solved = solve(moved);
    }
    // Second guess: λ = 0.
    if (const M left = hn::AndNot(solved, all); !hn::AllFalse(d, left)) {
      for (Eigen::Index i = 0; i < n(); ++i)
        start_.set(i, hn::IfThenElse(left, hn::Zero(d), start_[i]));
      solved = hn::Or(solved, solve(left));
    }
    if (!hn::AllTrue(d, solved)) return false;
    const V inverse_h = number(1 / h);
    for (Eigen::Index i = 0; i < n(); ++i) {
      // v_k + M⁻¹ (λ∘q_k)/h − (h/2) M⁻¹ (G_k + G_{k+1})
      const Vector twice{number(kick * (a_(0, i) + a_(0, i))), number(kick * (a_(1, i) + a_(1, i))),
                         number(kick * (a_(2, i) + a_(2, i)))};
      v_.set(i, add(v_[i], subtract(scale(inverse_h, pull_[i]), twice)));
    }
    // Multipliers μ that make v_{k+1} tangent.
    solve_tridiagonal(
        next_, next_, [&](Eigen::Index i) { return hn::Neg(dot(next_[i], v_[i])); },
        [&](Eigen::Index i, V x) { mu_.set(i, x); });
    apply_inverse([&](Eigen::Index i) { return scale(mu_[i], next_[i]); },
                  [&](Eigen::Index i, const Vector& change) { v_.set(i, add(v_[i], change)); });
    // Accept the step.
    for (Eigen::Index i = 0; i < n(); ++i) {
      lambda_before_.set(i, lambda_[i]);
      lambda_.set(i, start_[i]);
      q_.set(i, next_[i]);
    }
    hn::Store(last, d, before_);
    hn::Store(number(h), d, last_);
    return true;
  }

 private:
  static constexpr int max_iterations = 8;

  Eigen::Index n() const { return links > 0 ? links : chain_.size(); }

  Vector constant(double factor, Eigen::Index i) const {
    return {number(factor * a_(0, i)), number(factor * a_(1, i)), number(factor * a_(2, i))};
  }

  template <class Force, class Use>
  HWY_INLINE void apply_inverse(Force force, Use use) const {
    twosphere::HWY_NAMESPACE::apply_inverse<D>(chain_, n(), force, use);
  }

  template <class Value, class Use>
  HWY_INLINE void solve_tridiagonal(const Vectors& to, const Vectors& from, Value value, Use use) {
    const V one = number(1);
    V right = value(0);
    V pivot = hn::Div(one, hn::Mul(number(chain_.inverse_diagonal[0]), dot(to[0], from[0])));
    right_.set(0, right);
    pivot_.set(0, pivot);
    for (Eigen::Index i = 1; i < n(); ++i) {
      const V off = number(chain_.inverse_off_diagonal[i - 1]);
      const V upper = hn::Mul(off, dot(to[i - 1], from[i]));
      const V factor = hn::Mul(hn::Mul(off, dot(to[i], from[i - 1])), pivot);
      const V diagonal = hn::Mul(number(chain_.inverse_diagonal[i]), dot(to[i], from[i]));
      pivot = hn::Div(one, hn::Sub(diagonal, hn::Mul(factor, upper)));
      right = hn::Sub(value(i), hn::Mul(factor, right));
      upper_.set(i - 1, upper);
      pivot_.set(i, pivot);
      right_.set(i, right);
    }
    right = hn::Mul(right, pivot);
    use(n() - 1, right);
    for (Eigen::Index i = n() - 1; i-- > 0;) {
      right = hn::Mul(hn::Sub(right_[i], hn::Mul(upper_[i], right)), pivot_[i]);
      use(i, right);
    }
  }

  /// start_ of a step h, as FirstGuess has it.
  HWY_INLINE void first_guess(double h) {
    const D d;
    const V step = number(h), last = hn::Load(d, last_), before = hn::Load(d, before_);
    V of_last = number(2), of_before = number(1);
    const M equal = hn::And(hn::Eq(last, step), hn::Eq(before, step));
    if (!hn::AllTrue(d, equal)) {
      const V way = hn::Add(step, last);
      const M line = hn::And(hn::Ne(before, hn::Zero(d)),
                             hn::Lt(hn::Abs(way), hn::Mul(number(FirstGuess::longest),
                                                          hn::Abs(hn::Add(last, before)))));
      const V former = hn::IfThenElse(line, before, last), apart = hn::Add(last, former);
      const V both = hn::Mul(last, former);
      const V one = hn::Div(number(1), hn::Mul(both, apart)), unit = hn::Mul(step, one);
      const V ratio = hn::Mul(unit, hn::Mul(former, apart)),
              of_former = hn::Mul(unit, hn::Mul(last, apart));
      const V c = hn::IfThenElseZero(line, hn::Mul(way, hn::Mul(one, both)));
      const V square = hn::Mul(ratio, ratio);
      of_last = hn::IfThenElse(equal, of_last, hn::Add(square, hn::Mul(c, square)));
      of_before = hn::IfThenElse(equal, of_before, hn::Mul(c, hn::Mul(of_former, of_former)));
    }
    for (Eigen::Index i = 0; i < n(); ++i)
      start_.set(i, hn::Sub(hn::Mul(of_last, lambda_[i]), hn::Mul(of_before, lambda_before_[i])));
  }

  /// Newton's iteration for λ from start_ in these members; returns those in which it has found
  /// the solution. The decisions are those of LengthIteration.
  M solve(M active) {
    const D d;
    constexpr double epsilon = std::numeric_limits<double>::epsilon();
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const V half = number(0.5), one = number(1);
    V before = number(infinity);
    M found = hn::FirstN(d, 0);
    for (int iteration = 0;; ++iteration) {
      V size = one, worst = hn::Zero(d), turned = hn::Zero(d), sum = hn::Zero(d);
      // M⁻¹ (λ∘q), as in apply_inverse(), and the residuals with it.
      const V zero = hn::Zero(d);
      Vector here = q_[0], stretched{zero, zero, zero};
      Vector scaled = scale(number(chain_.inverse_length[0]), scale(start_[0], here));
      for (Eigen::Index i = 0; i < n(); ++i) {
        Vector below{zero, zero, zero}, next{zero, zero, zero};
        if (i + 1 < n()) {
          below = q_[i + 1];
          next = scale(number(chain_.inverse_length[i + 1]), scale(start_[i + 1], below));
        }
        const Vector x = scale(number(chain_.inverse_mass[i]), subtract(scaled, next));
        const Vector pull = scale(number(chain_.inverse_length[i]), subtract(x, stretched));
        const Vector dq = add(drift_[i], pull);
        // ½ (|q_k + Δq|² − 1) = q_k·Δq + ½ |Δq|² + ½ (|q_k|² − 1)
        const V turn = dot(here, dq);
        const V residual = hn::Add(hn::Add(turn, hn::Mul(dot(dq, dq), half)),
                                   hn::Mul(hn::Sub(dot(here, here), one), half));
        pull_.set(i, pull, active);
        next_.set(i, add(here, dq), active);
        residual_.set(i, residual);
        sum = hn::Add(sum, residual);  // finite only if every residual is
        worst = hn::Max(worst, hn::Abs(residual));
        turned = hn::Min(turned, turn);
        size = hn::Max(size, hn::Mul(number(chain_.inverse_diagonal[i]), hn::Abs(start_[i])));
        here = below;
        stretched = x;
        scaled = next;
      }
      const V floor = hn::Mul(number(16 * epsilon), size);
      const M finite = hn::Lt(hn::Abs(sum), number(infinity));
      const M small = hn::Or(hn::Le(worst, number(epsilon)),
                             hn::And(hn::Le(before, floor), hn::Le(worst, floor)));
      M ended = hn::Or(hn::Not(finite), small);
      if (iteration > 0) ended = hn::Or(ended, hn::Gt(worst, hn::Mul(number(2), before)));
      if (iteration == max_iterations) ended = hn::FirstN(d, hn::Lanes(d));
      const M right = hn::And(hn::And(finite, small), hn::Gt(turned, number(-1)));
      found = hn::Or(found, hn::And(active, hn::And(ended, right)));
      active = hn::AndNot(ended, active);
      if (hn::AllFalse(d, active)) return found;
      before = worst;
      solve_tridiagonal(
          next_, q_, [&](Eigen::Index i) { return hn::Neg(residual_[i]); },
          [&](Eigen::Index i, V x) {
            start_.set(i, hn::IfThenElse(active, hn::Add(start_[i], x), start_[i]));
          });
    }
  }

  const ChainInertia& chain_;
  const Columns& a_;
  Vectors q_, v_, drift_, pull_{}, next_{};
  Numbers lambda_, lambda_before_, start_{}, residual_, right_, pivot_, upper_, mu_;
  HWY_ALIGN double last_[8];
  HWY_ALIGN double before_[8];
};

/// The tangent vectors of the members along their steps. The names are those of step_tangent.cpp.
template <int links>
class Following {
 public:
  Following(const ChainInertia& chain, const Columns& g) : chain_(chain), g_(g) {}

  void load(const Tangents& from) {
    const auto width = static_cast<Eigen::Index>(hn::Lanes(D()));
    std::copy_n(from.q.data(), 3 * n() * width, start_.values);
    std::copy_n(from.w.data(), 3 * n() * width, dw_.values);
    std::copy_n(from.weight.data(), n() * width, weight_.values);
    std::copy_n(from.square.data(), width, square_);
  }
  void store(Tangents& to) const {
    const auto width = static_cast<Eigen::Index>(hn::Lanes(D()));
    std::copy_n(start_.values, 3 * n() * width, to.q.data());
    std::copy_n(dw_.values, 3 * n() * width, to.w.data());
  }

  /// The state before a stage.
  void begin(const Vectors& q, const Vectors& v) {
    for (Eigen::Index i = 0; i < n(); ++i) {
      q_.set(i, q[i]);
      omega_.set(i, cross(q[i], v[i]));
    }
  }

  /// Carries the vectors over the stage from there.
  void carry(double step, const Vectors& q_next, const Vectors& velocity) {
    const V h = number(step);
    const double kick = step / 2;
    for (Eigen::Index i = 0; i < n(); ++i) {
      const Vector q = q_[i], next = q_next[i], v = cross(omega_[i], q);
      const Vector v_next = cross(cross(next, velocity[i]), next);
      const Vector d = subtract(subtract(next, q), scale(h, v));
      v_next_.set(i, v_next);
      d_.set(i, d);
      dv_.set(i, subtract(subtract(v_next, v), divide(d, h)));
    }
    project(q_, d_, step * kick, lambda_);
    project(q_next, dv_, kick, mu_);
    // δv_k, and the first equation for δd.
    for (Eigen::Index i = 0; i < n(); ++i) {
      const Vector dq = start_[i], dv = add(cross(dw_[i], q_[i]), cross(omega_[i], dq));
      dv_.set(i, dv);
      dq_.set(i, add(dq, scale(h, dv)));
    }
    solve(
        q_, q_next, [&](Eigen::Index i) { return scale(hn::Neg(lambda_[i]), start_[i]); },
        [&](Eigen::Index i) { return hn::Neg(dot(q_next[i], dq_[i])); });
    for (Eigen::Index i = 0; i < n(); ++i) {
      const Vector moved = moved_[i];
      dq_.set(i, add(dq_[i], moved));
      dv_.set(i, add(dv_[i], divide(moved, h)));
    }
    // The second for δw.
    solve(
        q_next, q_next, [&](Eigen::Index i) { return scale(hn::Neg(mu_[i]), dq_[i]); },
        [&](Eigen::Index i) {
          return hn::Neg(hn::Add(dot(v_next_[i], dq_[i]), dot(q_next[i], dv_[i])));
        });
    // δω_{k+1} = δq × v + q × δv
    for (Eigen::Index i = 0; i < n(); ++i) {
      const Vector dq = dq_[i], dv = add(dv_[i], moved_[i]);
      dw_.set(i, add(cross(dq, v_next_[i]), cross(q_next[i], dv)));
      start_.set(i, dq);
    }
  }

  /// Writes ‖δ‖².
  void measure(double* norms) const {
    const V square = hn::Load(D(), square_);
    V sum = hn::Zero(D());
    for (Eigen::Index i = 0; i < n(); ++i) {
      const Vector dq = start_[i], dw = dw_[i];
      sum = hn::Add(sum, hn::Mul(weight_[i], hn::Add(hn::Mul(square, dot(dq, dq)), dot(dw, dw))));
    }
    hn::Store(sum, D(), norms);
  }

 private:
  Eigen::Index n() const { return links > 0 ? links : chain_.size(); }

  static Vector divide(const Vector& a, V by) {
    return {hn::Div(a.x, by), hn::Div(a.y, by), hn::Div(a.z, by)};
  }

  /// out_i = q_i·(M x + s G)_i / |q_i|²
  HWY_INLINE void project(const Vectors& q, const Vectors& x, double s, Numbers& out) {
    const V zero = hn::Zero(D());
    // Velocities of the masses down the chain, then momenta summed back up.
    Vector sum{zero, zero, zero};
    for (Eigen::Index i = 0; i < n(); ++i) {
      sum = add(sum, scale(number(chain_.length[i]), x[i]));
      moved_.set(i, sum);
    }
    sum = {zero, zero, zero};
    for (Eigen::Index i = n(); i-- > 0;) {
      sum = add(sum, scale(number(chain_.mass[i]), moved_[i]));
      const Vector kick{number(s * g_(0, i)), number(s * g_(1, i)), number(s * g_(2, i))};
      const Vector here = q[i], rest = add(scale(number(chain_.length[i]), sum), kick);
      out.set(i, hn::Div(dot(here, rest), dot(here, here)));
    }
  }

  /// moved_ = M⁻¹ (λ∘left − rest) with right_i·moved_i = along_i.
  template <class Rest, class Along>
  HWY_INLINE void solve(const Vectors& left, const Vectors& right, Rest rest, Along along) {
    const V one = number(1);
    // −M⁻¹ r, and the Thomas algorithm: forward elimination.
    V value = one, pivot = one;
    twosphere::HWY_NAMESPACE::apply_inverse<D>(
        chain_, n(), rest, [&](Eigen::Index i, const Vector& a) {
          moved_.set(i, {hn::Neg(a.x), hn::Neg(a.y), hn::Neg(a.z)});
          const V before = value;
          value = hn::Add(along(i), dot(right[i], a));
          V diagonal = hn::Mul(number(chain_.inverse_diagonal[i]), dot(right[i], left[i]));
          if (i > 0) {
            const V off = number(chain_.inverse_off_diagonal[i - 1]);
            const V upper = hn::Mul(off, dot(right[i - 1], left[i]));
            const V lower = hn::Mul(hn::Mul(off, dot(right[i], left[i - 1])), pivot);
            value = hn::Sub(value, hn::Mul(lower, before));
            diagonal = hn::Sub(diagonal, hn::Mul(lower, upper));
            upper_.set(i - 1, upper);
          }
          pivot = hn::Div(one, diagonal);
          pivot_.set(i, pivot);
          multiplier_.set(i, value);
        });
    // Back substitution for λ.
    value = hn::Mul(value, pivot);
    multiplier_.set(n() - 1, value);
    for (Eigen::Index i = n() - 1; i-- > 0;) {
      value = hn::Mul(hn::Sub(multiplier_[i], hn::Mul(upper_[i], value)), pivot_[i]);
      multiplier_.set(i, value);
    }
    twosphere::HWY_NAMESPACE::apply_inverse<D>(
        chain_, n(), [&](Eigen::Index i) { return scale(multiplier_[i], left[i]); },
        [&](Eigen::Index i, const Vector& a) { moved_.set(i, add(moved_[i], a)); });
  }

  const ChainInertia& chain_;
  const Columns& g_;
  Vectors start_, dw_;           // δq_k and δω_k
  Vectors q_, omega_, v_next_;   // q_k, ω_k and v_{k+1}
  Vectors d_, dq_, dv_, moved_;  // d, δq and δv on the way, δd and δw
  Numbers lambda_, mu_, weight_, multiplier_, pivot_, upper_;
  HWY_ALIGN double square_[8];
};

std::size_t lanes() { return hn::Lanes(D()); }

template <int links, bool followed>
std::int64_t advance_links(const ChainInertia& chain, const Columns& g, const Columns& a, double h,
                           std::span<const double> gamma, std::int64_t count, Members& members,
                           Tangents* tangents) {
  Steps<links> steps(chain, a);
  Following<links> following(chain, g);
  const auto load = [&] {
    steps.load(members);
    if constexpr (followed) following.load(*tangents);
  };
  const auto store = [&] {
    steps.store(members);
    if constexpr (followed) following.store(*tangents);
  };
  const auto stage = [&](double part) {
    if constexpr (followed) following.begin(steps.q(), steps.v());
    if (!steps.stage(part)) return false;
    if constexpr (followed) following.carry(part, steps.q(), steps.v());
    return true;
  };
  load();
  std::int64_t taken = 0;
  for (; taken < count && !(taken > 0 && interrupted()); ++taken) {
    std::size_t stages = 0;
    while (stages < gamma.size() && stage(gamma[stages] * h)) ++stages;
    if (stages < gamma.size()) {
      // A failed stage undoes the whole step.
      if (stages > 0) load();
      break;
    }
    if (gamma.size() > 1) store();
    if constexpr (followed)
      following.measure(tangents->norms.data() + static_cast<std::size_t>(taken) * hn::Lanes(D()));
  }
  store();
  return taken;
}

template <bool followed>
std::int64_t advance_with(const ChainInertia& chain, const Columns& g, const Columns& a, double h,
                          std::span<const double> gamma, std::int64_t count, Members& members,
                          Tangents* tangents) {
  constexpr std::array by_links{advance_links<0, followed>, advance_links<1, followed>,
                                advance_links<2, followed>, advance_links<3, followed>};
  const auto n = static_cast<std::size_t>(chain.size());
  return by_links[n < by_links.size() ? n : 0](chain, g, a, h, gamma, count, members, tangents);
}

std::int64_t advance(const ChainInertia& chain, const Columns& g, const Columns& a, double h,
                     std::span<const double> gamma, std::int64_t count, Members& members,
                     Tangents* tangents) {
  return tangents ? advance_with<true>(chain, g, a, h, gamma, count, members, tangents)
                  : advance_with<false>(chain, g, a, h, gamma, count, members, tangents);
}

}  // namespace HWY_NAMESPACE
}  // namespace twosphere::chain_kernel
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace twosphere::chain_kernel {

HWY_EXPORT(lanes);
HWY_EXPORT(advance);

std::size_t width() { return HWY_DYNAMIC_DISPATCH(lanes)(); }

void Members::resize(Eigen::Index links) {
  const std::size_t numbers = static_cast<std::size_t>(links) * width();
  q.resize(3 * numbers);
  v.resize(3 * numbers);
  lambda.resize(numbers);
  lambda_before.resize(numbers);
  last_step.resize(width());
  step_before.resize(width());
}

void Tangents::resize(Eigen::Index links, std::int64_t steps) {
  const std::size_t numbers = static_cast<std::size_t>(links) * width();
  q.resize(3 * numbers);
  w.resize(3 * numbers);
  weight.resize(numbers);
  square.resize(width());
  norms.resize(static_cast<std::size_t>(steps) * width());
}

std::int64_t advance(const ChainInertia& chain, const Columns& g, const Columns& a, double h,
                     std::span<const double> gamma, std::int64_t count, Members& members,
                     Tangents* tangents) {
  return HWY_DYNAMIC_DISPATCH(advance)(chain, g, a, h, gamma, count, members, tangents);
}

}  // namespace twosphere::chain_kernel
#endif  // HWY_ONCE
