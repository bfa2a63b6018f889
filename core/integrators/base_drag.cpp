// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/integrators/base_drag.h"

#include <variant>

#include "core/integrators/damped_mode.h"
#include "core/integrators/velocity_flow.h"
#include "core/mechanics/chain_inverse.h"

namespace twosphere {

bool BaseDrag::suits(const System& system) {
  const FreeBase* base = system.free_base();
  return base && base->drag > 0 && !damped(system) &&
         std::holds_alternative<ChainInertia>(system.inertia());
}

BaseDrag::BaseDrag(Eigen::Index links) {
  for (Eigen::VectorXd* v : {&passed_, &rest_}) v->setZero(links - 1);
}

bool BaseDrag::sound(const FreeBase& base, double s) {
  // Across the first link the mass is that of the base alone.
  return -s * base.drag <= max_backward * base.own_mass;
}

BaseDrag::Effect BaseDrag::flow(const ChainInertia& chain, const FreeBase& base, const Columns& q,
                                const Columns& g, double s, const Columns& v, const Vec3& velocity,
                                const Vec3& control, Columns& change) {
  // μ and β of a link, φ_i = G_{i+1}/l_{i+1} − G_i/l_i, and G_i/l_i.
  const Eigen::Index last = q.cols() - 1;
  Vec3 scaled = chain.inverse_length[last] * g.col(last);
  double mass = chain.mass[last], pull = -q.col(last).dot(scaled);
  for (Eigen::Index i = last; i-- > 0;) {
    const Vec3 here = q.col(i), next = q.col(i + 1), before = chain.inverse_length[i] * g.col(i);
    const Vec3 force = scaled - before;
    const double own = chain.mass[i], all = own + mass, share = mass / all, cosine = here.dot(next);
    const double factor = all / (own + mass * here.cross(next).squaredNorm());
    passed_[i] = share * cosine;
    rest_[i] = share * next.dot(force) - own / all * pull;
    pull = factor * (here.dot(force) - cosine * rest_[i]);
    mass = factor * own;
    scaled = before;
  }

  // The base along the first link and across: m ẏ = −k y − g.
  const Vec3 first = q.col(0), acceleration = base.acceleration(control);
  const Vec3 speed = velocity + base.from_centre(v);
  const double m = base.own_mass, heavy = m + mass;
  const DampedMode along_mode(heavy, base.drag, s), across_mode(m, base.drag, s);
  Vec3 along = first.dot(speed) * first, across = tangent(first, speed);
  const Vec3 g_along = -(heavy * first.dot(acceleration) + first.dot(scaled) + pull) * first;
  const Vec3 g_across = -tangent(first, m * acceleration + scaled);
  const Vec3 along_change = along_mode.change * (base.drag * along + g_along);
  const Vec3 across_change = across_mode.change * (base.drag * across + g_across);
  const double work = along_mode.flow(g_along, along) + across_mode.flow(g_across, across);
  const Vec3 impulse = heavy * along_change + m * across_change + s * (g_along + g_across);

  // ∫ T_i dt; that of the first link from the change of ẋ_0 − Ẋ without the drag.
  double tension = mass * first.dot(along_change - s * acceleration) - s * pull;
  apply_inverse(
      chain,
      [&](Eigen::Index i) -> Vec3 {
        if (i > 0) tension = passed_[i - 1] * tension + s * rest_[i - 1];
        return (chain.length[i] * tension) * q.col(i) - s * g.col(i) - base.share[i] * impulse;
      },
      [&](Eigen::Index i, const Vec3& a) { change.col(i) = tangent(q.col(i), a); });
  return {work, impulse};
}

}  // namespace twosphere
