// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mechanics/time_scales.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <numbers>
#include <vector>

#include "core/base/decompositions.h"
#include "core/mechanics/dynamics.h"
#include "core/mechanics/first_order.h"
#include "core/mechanics/linear_terms.h"
#include "core/mechanics/random_state.h"
#include "core/mechanics/tangent_hessian.h"
#include "core/mechanics/tangent_solver.h"

namespace twosphere {

namespace {

/// The least and the largest eigenvalue of M⁻¹ K on the tangent space at q.
struct Extremes {
  double least = 0, largest = 0;
};

/// How many products with the Hessian are worth it.
Eigen::Index max_products(Eigen::Index bodies) {
  return std::min<Eigen::Index>(2 * bodies, bodies > 1024 ? 4 : bodies > 64 ? 12 : 40);
}

/// The square roots of these are the rates: λ² of oscillation, −σ² of growth.
Extremes first_order_extremes(const System& system, const State& state) {
  const Eigen::Index n = state.q.cols(), most = max_products(n);
  const FirstOrderTangent tangent(system, state.t, state.q);
  Eigen::MatrixXd hessenberg = Eigen::MatrixXd::Zero(most, most);
  std::vector<Columns> basis;
  Columns next = random_tangents(state.q, 0);
  next /= next.norm();
  Eigen::Index count = 0;
  while (count < most) {
    basis.push_back(next);
    tangent.apply(system, basis.back(), next);
    // Twice is enough to keep the basis orthogonal to rounding.
    for (int pass = 0; pass < 2; ++pass)
      for (std::size_t j = 0; j < basis.size(); ++j) {
        const double along = basis[j].cwiseProduct(next).sum();
        hessenberg(static_cast<Eigen::Index>(j), count) += along;
        next -= along * basis[j];
      }
    const double beside = next.norm();
    const double size = hessenberg.col(count).norm();
    if (!std::isfinite(beside) || !std::isfinite(size)) return {std::nan(""), std::nan("")};
    ++count;
    if (!(beside > 1e-10 * size) || count == most) break;
    hessenberg(count, count - 1) = beside;
    next /= beside;
  }
  double decay = 0, growth = 0;
  const Eigen::VectorXcd values =
      general_eigensystem(hessenberg.topLeftCorner(count, count)).values;
  for (const std::complex<double>& value : values) {
    // What is real to rounding is neither.
    const double real = std::abs(value.real()) > 1e-8 * std::abs(value) ? value.real() : 0;
    if (real > 0) growth = std::max(growth, real);
    if (real <= 0) decay = std::max(decay, std::abs(value));
    if (real > 0) decay = std::max(decay, std::abs(value.imag()));
  }
  return {-growth * growth, decay * decay};
}

class SmallMotions {
 public:
  SmallMotions(const System& system, const Columns& q)
      : system_(system),
        q_(q),
        hessian_(system, q),
        solver_(system.inertia()),
        torque_(3, q.cols()),
        rest_(3, q.cols()) {}

  Extremes extremes() {
    const Eigen::Index most = max_products(q_.cols());
    Eigen::VectorXd diagonal(most), beside(most);
    std::vector<Columns> basis;
    Columns next = random_tangents(q_, 0);
    next /= norm(next);
    Eigen::Index count = 0;
    while (count < most) {
      basis.push_back(next);
      const Columns& v = basis.back();
      Columns image(3, q_.cols());
      apply(v, image);
      // v·K v, exactly symmetric.
      diagonal[count] = v.cwiseProduct(torque_).sum();
      // Twice is enough to keep the basis orthogonal to rounding.
      for (int pass = 0; pass < 2; ++pass) {
        const Columns momentum = times_inertia(image);
        for (const Columns& u : basis) image -= u.cwiseProduct(momentum).sum() * u;
      }
      beside[count] = norm(image);
      const double size = diagonal.head(count + 1).cwiseAbs().maxCoeff();
      ++count;
      if (!(beside[count - 1] > 1e-10 * size)) break;
      next = image / beside[count - 1];
    }
    const Eigen::VectorXd known = diagonal.head(count);
    if (!known.allFinite() || !beside.head(count).allFinite()) return {std::nan(""), std::nan("")};
    const Eigen::VectorXd values = tridiagonal_eigenvalues(known, beside.head(count - 1));
    return {values.minCoeff(), values.maxCoeff()};
  }

 private:
  /// image = M⁻¹ K v; leaves K v in torque_.
  void apply(const Columns& v, Columns& image) {
    hessian_.times(v, torque_);
    rest_ = -torque_;
    solver_.solve(system_.inertia(), q_, {q_, q_, rest_}, image, solved_);
    solved_ = true;
  }
  Columns times_inertia(const Columns& v) const {
    Columns out(3, v.cols());
    multiply(system_.inertia(), q_, v, out);
    return out;
  }
  double norm(const Columns& v) const { return std::sqrt(v.cwiseProduct(times_inertia(v)).sum()); }

  const System& system_;
  const Columns& q_;
  TangentHessian hessian_;
  TangentSolver solver_;
  bool solved_ = false;
  Columns torque_, rest_;
};

double middle(std::vector<double>& values) {
  const auto half = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), half, values.end());
  return *half;
}

/// |∂f/∂t|/|f| at the configuration, with max_i |f_i|/M_ii for |f| and each the median over one
/// turn at the rate `other`; 0 if f is too weak to matter.
///
/// In a system of first order (κ_i² + c_i²)^½ is in place of M_ii.
double forcing_rate(const System& system, const State& state, double other,
                    const Eigen::VectorXd& inertia) {
  constexpr std::size_t times = 64;
  constexpr double spacing = 1e-5, min_angle = 1e-3;
  const double period = 2 * std::numbers::pi / (other > 0 ? other : 1);
  std::vector<double> size(times), change(times);
  Columns f(3, state.q.cols()), later(3, state.q.cols());
  const auto weighted = [&](const Columns& a) {
    return (a.colwise().norm().transpose().array() / inertia.array()).maxCoeff();
  };
  for (std::size_t k = 0; k < times; ++k) {
    const double part = static_cast<double>(k) * (std::numbers::phi - 1);
    const double t = state.t + period * (part - std::floor(part));
    system.force(t, state.q, f);
    system.force(t + spacing * period, state.q, later);
    size[k] = weighted(f);
    change[k] = weighted(later - f) / (spacing * period);
  }
  const double strength = middle(size), rate = strength > 0 ? middle(change) / strength : 0;
  return strength > min_angle * (first_order(system) ? rate : rate * rate) ? rate : 0;
}

/// The largest rate at which the forces F q̇ of gyroscopic terms turn velocities, the spectral
/// radius of M⁻¹ F: by powers of it from a random vector.
double gyroscopic_rate(const System& system, const Columns& q) {
  constexpr int powers = 24;
  const GyroscopicField& field = *system.gyroscopic();
  TangentSolver solver(system.inertia());
  Columns x = random_tangents(q, 0), force(3, q.cols()), change(3, q.cols());
  double rate = 0;
  for (int k = 0; k < powers; ++k) {
    // |x|² = x·M x = 2T at q̇ = x; F is antisymmetric, so that |M⁻¹ F x|/|x| is at most the radius.
    const double size = std::sqrt(2 * kinetic_energy(system.inertia(), q, x));
    if (k > 0) rate = std::max(rate, size);
    if (!(size > 0)) break;
    x /= size;
    // −F x
    field.derivative_along(q, x, change);
    force.setZero();
    field.slopes(q, x, force);
    change -= force;
    solver.solve(system.inertia(), q, {q, q, change}, x, k > 0);
  }
  return rate;
}

/// What linear terms make of the rates of V alone: with b = κ/2m, an oscillation of frequency ω
/// turns into precessions of b ± (b² + ω²)^½, and growth σ into (σ² − b²)^½; half the rate of
/// gyroscopic terms is as b, and Ω is added to the frequencies.
void add_linear_rates(const System& system, const State& state, TimeScales& scales) {
  double most = 0, least = 0;
  if (has_strength(system)) {
    Eigen::VectorXd inertia;
    diagonal(system.inertia(), state.q, inertia);
    const Eigen::ArrayXd half = system.strength().array().abs() / (2 * inertia.array());
    most = half.maxCoeff();
    least = half.minCoeff();
  }
  if (has_gyroscopic(system)) {
    // Of both together only a bound is known, and none for growth.
    most += gyroscopic_rate(system, state.q) / 2;
    least = 0;
  }
  scales.oscillation = most + std::hypot(most, scales.oscillation) + system.frame_rotation().norm();
  scales.growth = std::sqrt(std::max(scales.growth * scales.growth - least * least, 0.0));
}

/// max_i |ω̇_i|^½
double acceleration(const System& system, const State& state) {
  Columns qdot(3, state.q.cols()), wdot(3, state.q.cols());
  EquationsOfMotion(system, Formulation::omega)
      .evaluate(system, state.t, state.q, state.w, qdot, wdot);
  return std::sqrt(wdot.colwise().norm().maxCoeff());
}

}  // namespace

double TimeScales::fastest() const {
  return std::max({oscillation, growth, turn, acceleration, forcing});
}

bool TimeScales::finite() const {
  for (const double rate : {oscillation, growth, turn, acceleration, forcing, damping})
    if (!std::isfinite(rate)) return false;
  return true;
}

TimeScales time_scales(const System& system, const State& state) {
  const bool has_inertia = !first_order(system);
  Extremes square{0, 0};
  if (system.force_tolerance() == 0)
    square = has_inertia ? SmallMotions(system, state.q).extremes()
                         : first_order_extremes(system, state);
  TimeScales out;
  // A number within rounding of the other counts as 0. A NaN is kept.
  const double noise = 1e-12 * std::max(square.largest, -square.least);
  out.oscillation = square.largest <= noise ? 0 : std::sqrt(square.largest);
  out.growth = -square.least <= noise ? 0 : std::sqrt(-square.least);
  if (has_linear_terms(system)) add_linear_rates(system, state, out);
  out.turn = state.w.colwise().norm().maxCoeff();
  Eigen::VectorXd inertia;
  if (has_inertia) {
    out.acceleration = acceleration(system, state);
    diagonal(system.inertia(), state.q, inertia);
    if (damped(system)) out.damping = (system.damping().array() / inertia.array()).maxCoeff();
  } else {
    inertia = first_order_weights(system);
  }
  if (system.has_external_force() && system.time_dependent())
    out.forcing = forcing_rate(system, state, out.fastest(), inertia);
  return out;
}

}  // namespace twosphere
