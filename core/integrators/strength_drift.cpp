// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/integrators/strength_drift.h"

#include <algorithm>
#include <variant>

#include "core/integrators/compensated_direction.h"
#include "core/integrators/exact_turn.h"
#include "core/integrators/frame_turn.h"
#include "core/mechanics/linear_terms.h"
#include "core/mechanics/parameter_slope.h"

namespace twosphere {

namespace {

/// Square of the angle beyond which the rounding of a turn is corrected at once.
constexpr double large_turn = 1;

}  // namespace

StrengthDrift::StrengthDrift(const System& system) : turn_(system.frame_rotation()) {
  const auto& m = std::get<DiagonalInertia>(system.inertia()).m;
  const Eigen::VectorXd& kappa = system.strength();
  ratio_ =
      kappa.size() > 0 ? Eigen::VectorXd(kappa.cwiseQuotient(m)) : Eigen::VectorXd::Zero(m.size());
}

void StrengthDrift::apply(double s, Columns& q, Columns& e, Columns& w) const {
  const Mat3 change = turn_change(turn_, s);
  for (Eigen::Index i = 0; i < q.cols(); ++i) {
    const Vec3 from = q.col(i);
    const Vec3 inertial = w.col(i) + tangent(from, turn_), a = inertial + ratio_[i] * from;
    const double square = a.squaredNorm();
    // Δq; not a number where the angle has no significant digits.
    const Vec3 moved = turn_factors(s, square).change(a, a.cross(from));
    add_compensated(moved, i, q, e);
    if (s * s * square > large_turn)
      add_compensated(length_correction(q.col(i), e.col(i)), i, q, e);
    Vec3 next = inertial - ratio_[i] * moved;
    // The turn of the axes.
    add_compensated(change * q.col(i), i, q, e);
    next += change * next;
    const Vec3 here = q.col(i);
    const Vec3 relative = next - turn_;
    // ω ⟂ q, by which Π is taken, too.
    w.col(i) = relative - here * (here.dot(relative) / here.squaredNorm());
  }
}

void StrengthDrift::carry(double s, const Columns& q, const Columns& w, const Columns& q_end,
                          TangentVector& vector) const {
  const Mat3 change = turn_change(turn_, s);
  for (Eigen::Index i = 0; i < q.cols(); ++i) {
    const Vec3 from = q.col(i), to = q_end.col(i), dq = vector.q.col(i), dw = vector.w.col(i);
    const Vec3 a = w.col(i) + tangent(from, turn_) + ratio_[i] * from;
    // δϖ = δω + δ(Π Ω)
    const Vec3 da = dw - from.dot(turn_) * dq - dq.dot(turn_) * from + ratio_[i] * dq;
    const double square = a.squaredNorm();
    const TurnFactors turn = turn_factors(s, square),
                      slope = turn_slopes(s, square, 0, 2 * a.dot(da));
    const Vec3 across = a.cross(from), change_across = da.cross(from) + a.cross(dq);
    Vec3 next = dq + turn.along * change_across +
                turn.across * (da.cross(across) + a.cross(change_across)) + slope.change(a, across);
    Vec3 rate = da - ratio_[i] * next;
    // The turn of the axes.
    next += change * next;
    rate += change * rate;
    if (vector.stretch != 0) {
      const double by = vector.stretch * s;
      const Vec3 turned = a + change * a, qdot = (turned - turn_).cross(to);
      next += by * qdot;
      rate -= by * (turn_.cross(turned) + ratio_[i] * qdot);
    }
    vector.q.col(i) = next;
    vector.w.col(i) = rate + to.dot(turn_) * next + next.dot(turn_) * to;
  }
}

void add_drift_slope(double s, const Columns& q, const Columns& w, TangentVector& vector) {
  if (!vector.slope) return;
  const auto& list = vector.slope->beside();
  if (std::none_of(list.begin(), list.end(),
                   [](const ParameterSlope::Beside& one) { return has_linear_terms(*one.system); }))
    return;
  for (const auto& [beside, weight] : list) {
    Columns q_end = q, w_end = w, rounding = Columns::Zero(3, q.cols());
    StrengthDrift(*beside).apply(s, q_end, rounding, w_end);
    vector.q += weight * q_end;
    vector.w += weight * w_end;
  }
}

}  // namespace twosphere
