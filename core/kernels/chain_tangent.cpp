// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/chain_tangent.h"

#include <algorithm>
#include <cstddef>

#ifndef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/chain_tangent.cpp"
#endif
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/kernels/chain-inl.h"
#include "core/kernels/vector-inl.h"

HWY_BEFORE_NAMESPACE();
namespace twosphere::chain_kernel {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// As many vectors as D has elements. The names are those of step_tangent.cpp.
template <class D>
class Carried {
  using V = hn::Vec<D>;
  using Vector = twosphere::HWY_NAMESPACE::Vector3<V>;

 public:
  static Eigen::Index width() { return static_cast<Eigen::Index>(hn::Lanes(D())); }
  static std::size_t numbers(Eigen::Index links) {
    return static_cast<std::size_t>(((4 * 3 + 1) * links + 1) * width());
  }

  Carried(const StepTaken& step, double* workspace)
      : step_(step),
        start_(workspace),
        dq_(start_ + 3 * n() * width()),
        dv_(dq_ + 3 * n() * width()),
        moved_(dv_ + 3 * n() * width()),
        multiplier_(moved_ + 3 * n() * width()),
        stretch_(multiplier_ + n() * width()) {}

  void carry(std::span<TangentVector> vectors) {
    load(vectors);
    // δv_k, and the first equation for δd.
    for (Eigen::Index i = 0; i < n(); ++i) {
      const Vector dq = at(start_, i), dw = at(moved_, i);
      const Vector dv = add(cross(dw, fixed(step_.q, i)), cross(fixed(step_.omega, i), dq));
      set(dv_, i, dv);
      set(dq_, i, add(dq, scale(number(step_.h), dv)));
    }
    const V h = number(step_.h), stretch = hn::Load(D(), stretch_);
    const bool any = std::any_of(vectors.begin(), vectors.end(),
                                 [](const TangentVector& v) { return v.stretch != 0; });
    const StepSlope* const slope = any ? &step_.slope : nullptr;
    if (slope)
      for (Eigen::Index i = 0; i < n(); ++i)
        set(dq_, i, add(at(dq_, i), scale(hn::Mul(stretch, h), fixed(slope->velocity, i))));
    solve(
        step_.to_end, step_.q, step_.q_next,
        [&](Eigen::Index i) {
          const Vector rest = scale(number(-step_.lambda[i]), at(start_, i));
          if (!slope) return rest;
          const V part = hn::Mul(hn::Mul(hn::Mul(number(2), stretch), h), number(slope->kick));
          return add(rest, scale(part, fixed(slope->gradient, i)));
        },
        [&](Eigen::Index i) { return hn::Neg(dot(fixed(step_.q_next, i), at(dq_, i))); });
    for (Eigen::Index i = 0; i < n(); ++i) {
      const Vector moved = at(moved_, i);
      set(dq_, i, add(at(dq_, i), moved));
      set(dv_, i, add(at(dv_, i), {hn::Div(moved.x, h), hn::Div(moved.y, h), hn::Div(moved.z, h)}));
    }
    if (slope)
      for (Eigen::Index i = 0; i < n(); ++i)
        set(dv_, i, subtract(at(dv_, i), scale(hn::Div(stretch, h), fixed(slope->change, i))));
    // The second for δw.
    solve(
        step_.at_end, step_.q_next, step_.q_next,
        [&](Eigen::Index i) {
          const Vector rest = scale(number(-step_.mu[i]), at(dq_, i));
          if (!slope) return rest;
          return add(rest, scale(hn::Mul(stretch, number(slope->kick)), fixed(slope->gradient, i)));
        },
        [&](Eigen::Index i) {
          return hn::Neg(hn::Add(dot(fixed(step_.v_next, i), at(dq_, i)),
                                 dot(fixed(step_.q_next, i), at(dv_, i))));
        });
    // δω_{k+1} = δq × v + q × δv
    for (Eigen::Index i = 0; i < n(); ++i) {
      const Vector dv = add(at(dv_, i), at(moved_, i));
      set(moved_, i,
          add(cross(at(dq_, i), fixed(step_.v_next, i)), cross(fixed(step_.q_next, i), dv)));
    }
    store(vectors);
  }

 private:
  Eigen::Index n() const { return step_.q.cols(); }
  static V number(double value) { return hn::Set(D(), value); }
  static Vector fixed(const Columns& of, Eigen::Index i) {
    return {number(of(0, i)), number(of(1, i)), number(of(2, i))};
  }
  static Vector at(const double* all, Eigen::Index i) {
    const double* const from = all + 3 * i * width();
    return {hn::Load(D(), from), hn::Load(D(), from + width()), hn::Load(D(), from + 2 * width())};
  }
  static void set(double* all, Eigen::Index i, const Vector& to) {
    double* const out = all + 3 * i * width();
    hn::Store(to.x, D(), out);
    hn::Store(to.y, D(), out + width());
    hn::Store(to.z, D(), out + 2 * width());
  }

  /// Elements without a vector are zero.
  void load(std::span<const TangentVector> vectors) {
    std::fill_n(start_, 3 * n() * width(), 0.0);
    std::fill_n(moved_, 3 * n() * width(), 0.0);
    std::fill_n(stretch_, width(), 0.0);
    for (std::size_t m = 0; m < vectors.size(); ++m) {
      stretch_[m] = vectors[m].stretch;
      for (Eigen::Index k = 0; k < 3 * n(); ++k) {
        const Eigen::Index entry = k * width() + static_cast<Eigen::Index>(m);
        start_[entry] = vectors[m].q.data()[k];
        moved_[entry] = vectors[m].w.data()[k];
      }
    }
  }
  void store(std::span<TangentVector> vectors) const {
    for (std::size_t m = 0; m < vectors.size(); ++m)
      for (Eigen::Index k = 0; k < 3 * n(); ++k) {
        const Eigen::Index entry = k * width() + static_cast<Eigen::Index>(m);
        vectors[m].q.data()[k] = dq_[entry];
        vectors[m].w.data()[k] = moved_[entry];
      }
  }

  template <class Force, class Use>
  HWY_INLINE void apply_inverse(Force force, Use use) const {
    twosphere::HWY_NAMESPACE::apply_inverse<D>(step_.chain, n(), force, use);
  }

  V multiplier(Eigen::Index i) const { return hn::Load(D(), multiplier_ + i * width()); }
  void set_multiplier(Eigen::Index i, V to) { hn::Store(to, D(), multiplier_ + i * width()); }

  /// moved_ = M⁻¹ (λ∘left − rest) with right_i·moved_i = along_i.
  template <class Rest, class Along>
  HWY_INLINE void solve(const Factors& factors, const Columns& left, const Columns& right,
                        Rest rest, Along along) {
    // −M⁻¹ r, and forward elimination.
    apply_inverse(rest, [&](Eigen::Index i, const Vector& a) {
      set(moved_, i, {hn::Neg(a.x), hn::Neg(a.y), hn::Neg(a.z)});
      V value = hn::Add(along(i), dot(fixed(right, i), a));
      if (i > 0) value = hn::Sub(value, hn::Mul(number(factors.lower[i]), multiplier(i - 1)));
      set_multiplier(i, value);
    });
    // Back substitution for λ.
    V value = hn::Mul(multiplier(n() - 1), number(factors.pivot[n() - 1]));
    set_multiplier(n() - 1, value);
    for (Eigen::Index i = n() - 1; i-- > 0;) {
      value = hn::Mul(hn::Sub(multiplier(i), hn::Mul(number(factors.upper[i]), value)),
                      number(factors.pivot[i]));
      set_multiplier(i, value);
    }
    apply_inverse([&](Eigen::Index i) { return scale(multiplier(i), fixed(left, i)); },
                  [&](Eigen::Index i, const Vector& a) { set(moved_, i, add(at(moved_, i), a)); });
  }

  const StepTaken& step_;
  double *start_, *dq_, *dv_;  // δq_k, δq and δv on the way
  double* moved_;              // δω_k, δd, δw and δω_{k+1} in turn
  double *multiplier_, *stretch_;
};

template <class D>
void carry_with(const StepTaken& step, std::span<TangentVector> vectors,
                Aligned<double>& workspace) {
  workspace.resize(Carried<D>::numbers(step.q.cols()));
  const auto width = static_cast<std::size_t>(Carried<D>::width());
  for (std::size_t from = 0; from < vectors.size(); from += width)
    Carried<D>(step, workspace.data())
        .carry(vectors.subspan(from, std::min(width, vectors.size() - from)));
}

void carry(const StepTaken& step, std::span<TangentVector> vectors, Aligned<double>& workspace) {
  if (vectors.size() == 1)
    carry_with<hn::CappedTag<double, 1>>(step, vectors, workspace);
  else
    carry_with<hn::CappedTag<double, 8>>(step, vectors, workspace);
}

}  // namespace HWY_NAMESPACE
}  // namespace twosphere::chain_kernel
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace twosphere::chain_kernel {

HWY_EXPORT(carry);

void Factors::compute(const ChainInertia& chain, const Columns& left, const Columns& right) {
  pivot[0] = 1 / (chain.inverse_diagonal[0] * right.col(0).dot(left.col(0)));
  for (Eigen::Index i = 1; i < pivot.size(); ++i) {
    const double off = chain.inverse_off_diagonal[i - 1];
    upper[i - 1] = off * right.col(i - 1).dot(left.col(i));
    lower[i] = off * right.col(i).dot(left.col(i - 1)) * pivot[i - 1];
    pivot[i] =
        1 / (chain.inverse_diagonal[i] * right.col(i).dot(left.col(i)) - lower[i] * upper[i - 1]);
  }
}

void carry(const StepTaken& step, std::span<TangentVector> vectors, Aligned<double>& workspace) {
  HWY_DYNAMIC_DISPATCH(carry)(step, vectors, workspace);
}

}  // namespace twosphere::chain_kernel
#endif  // HWY_ONCE
