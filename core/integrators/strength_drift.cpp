// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/integrators/strength_drift.h"

#include <cmath>
#include <limits>
#include <variant>

#include "core/integrators/compensated_direction.h"
#include "core/integrators/frame_turn.h"

namespace twosphere {

namespace {

/// Beyond it the rounding of a turn is corrected at once [rad].
constexpr double large_turn = 1;

/// Σ_{k≥0} (−1)^k c_k x^k with c_0 = first and c_{k+1} = c_k factor(k): of small x = θ².
template <class Factor>
double series(double x, double first, Factor factor) {
  constexpr int terms = 9;
  double power = first, sum = first;
  for (int k = 0; k < terms; ++k) sum += power *= -x * factor(k);
  return sum;
}

/// (sin θ/θ − cos θ)/θ² = Σ (−1)^k (2k + 2) θ^2k/(2k + 3)!
double sine_lag(double angle) {
  const double x = angle * angle;
  if (x > 0.25) return (std::sin(angle) / angle - std::cos(angle)) / x;
  return series(x, 1.0 / 3, [](int k) { return 1.0 / ((2 * k + 2) * (2 * k + 5)); });
}

/// (2 (1 − cos θ) − θ sin θ)/θ⁴ = Σ (−1)^k (2k + 2) θ^2k/(2k + 4)!
double cosine_lag(double angle) {
  const double x = angle * angle;
  if (x > 0.25) {
    const double half = std::sin(angle / 2);
    return (4 * half * half - angle * std::sin(angle)) / (x * x);
  }
  return series(x, 1.0 / 12, [](int k) {
    return 1.0 / ((2 * k + 2) * (2 * k + 5)) * (2 * k + 4) / (2 * k + 6);
  });
}

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
    const double speed = a.norm(), angle = speed * s;
    if (!(std::abs(angle) < 1 / std::numeric_limits<double>::epsilon())) {
      // The angle has no significant digits.
      q.col(i).setConstant(std::numeric_limits<double>::quiet_NaN());
      continue;
    }
    // Δq = sin θ/|a| a × q + 2 sin²(θ/2)/|a|² a × (a × q)
    const double half = std::sin(angle / 2);
    const Vec3 across = a.cross(from);
    const double sine = speed > 0 ? std::sin(angle) / speed : s,
                 versine = speed > 0 ? 2 * (half / speed) * (half / speed) : s * s / 2;
    const Vec3 moved = sine * across + versine * a.cross(across);
    add_compensated(moved, i, q, e);
    if (std::abs(angle) > large_turn)
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
    const double speed = a.norm(), angle = s * speed, half = std::sin(angle / 2);
    const double sine = speed > 0 ? std::sin(angle) / speed : s,
                 versine = speed > 0 ? 2 * (half / speed) * (half / speed) : s * s / 2;
    const double along = a.dot(from);
    const Vec3 by_axis = -s * sine * from - s * s * s * sine_lag(angle) * a.cross(from) -
                         s * s * s * s * cosine_lag(angle) * along * a;
    Vec3 next = std::cos(angle) * dq + sine * (da.cross(from) + a.cross(dq)) +
                versine * ((da.dot(from) + a.dot(dq)) * a + along * da) + a.dot(da) * by_axis;
    Vec3 rate = da - ratio_[i] * next;
    // The turn of the axes.
    next += change * next;
    rate += change * rate;
    vector.q.col(i) = next;
    vector.w.col(i) = rate + to.dot(turn_) * next + next.dot(turn_) * to;
  }
}

}  // namespace twosphere
