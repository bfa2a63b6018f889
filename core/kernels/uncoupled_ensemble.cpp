// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/uncoupled_ensemble.h"

#include <limits>

#ifndef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/uncoupled_ensemble.cpp"
#endif
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/kernels/ensemble-inl.h"

HWY_BEFORE_NAMESPACE();
namespace twosphere::uncoupled_kernel {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
namespace en = ensemble::HWY_NAMESPACE;
using en::number;

/// The names are those of uncoupled.cpp.
bool drift_members(double h, const double* factor, Eigen::Index n, const Members& from,
                   Members& to) {
  const en::D d;
  const en::V one = number(1), step = number(h);
  en::M taken = en::everyone();
  for (std::size_t m = 0; m < ensemble_members; m += en::lanes)
    for (Eigen::Index i = 0; i < n; ++i) {
      const en::Vector q = en::load(from.q.data() + m, i), w = en::load(from.w.data() + m, i);
      const en::Vector torque = en::load(from.torque.data() + m, i);
      // a = h ω − (h²/2m) τ
      const en::Vector a = subtract(scale(step, w), scale(number(factor[i]), torque));
      // Radicand 1/(q·q) − a·a; the step fails unless it is positive.
      const en::V under = hn::Sub(hn::Div(one, dot(q, q)), dot(a, a));
      taken = hn::And(taken, hn::Gt(under, hn::Zero(d)));
      // q_{k+1} = a × q + √(…) q
      en::store(add(cross(a, q), scale(hn::Sqrt(under), q)), to.q.data() + m, i);
    }
  return hn::AllTrue(d, taken);
}

bool kick_members(const double* factor, Eigen::Index n, const Members& from, const double* g,
                  Members& to) {
  const en::D d;
  en::V sum = hn::Zero(d);
  for (std::size_t m = 0; m < ensemble_members; m += en::lanes)
    for (Eigen::Index i = 0; i < n; ++i) {
      // τ_{k+1} = q_{k+1} × G_{k+1}
      const en::Vector q = en::load(to.q.data() + m, i), torque = cross(q, en::load(g + m, i));
      const en::Vector before = en::load(from.torque.data() + m, i);
      // ω − (h/2m) (τ_k + τ_{k+1}), then its component along q removed.
      const en::Vector kicked =
          subtract(en::load(from.w.data() + m, i), scale(number(factor[i]), add(before, torque)));
      const en::Vector w = subtract(kicked, scale(hn::Div(dot(q, kicked), dot(q, q)), q));
      en::store(torque, to.torque.data() + m, i);
      en::store(w, to.w.data() + m, i);
      // Finite only if every component is.
      sum = hn::Add(sum, hn::Add(hn::Add(w.x, w.y), w.z));
    }
  return hn::AllTrue(d, hn::Lt(hn::Abs(sum), number(std::numeric_limits<double>::infinity())));
}

}  // namespace HWY_NAMESPACE
}  // namespace twosphere::uncoupled_kernel
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace twosphere::uncoupled_kernel {

HWY_EXPORT(drift_members);
HWY_EXPORT(kick_members);

void Members::resize(Eigen::Index n) {
  for (Aligned<double>* all : {&q, &w, &torque})
    all->resize(3 * static_cast<std::size_t>(n) * ensemble_members);
}

Composition::Composition(std::span<const double> gamma, double h, const Eigen::VectorXd& m)
    : drift(m.size(), gamma.size()), kick(m.size(), gamma.size()) {
  for (const double part : gamma) {
    const auto k = static_cast<Eigen::Index>(step.size());
    const double s = part * h;
    step.push_back(s);
    drift.col(k) = s * s / (2 * m.array());
    kick.col(k) = s / (2 * m.array());
  }
}

bool drift(const Composition& composition, std::size_t k, const Members& from, Members& to) {
  const auto factor = composition.drift.col(static_cast<Eigen::Index>(k));
  return HWY_DYNAMIC_DISPATCH(drift_members)(composition.step[k], factor.data(), factor.size(),
                                             from, to);
}

bool kick(const Composition& composition, std::size_t k, const Members& from, const double* g,
          Members& to) {
  const auto factor = composition.kick.col(static_cast<Eigen::Index>(k));
  return HWY_DYNAMIC_DISPATCH(kick_members)(factor.data(), factor.size(), from, g, to);
}

}  // namespace twosphere::uncoupled_kernel
#endif  // HWY_ONCE
