// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/integrators/midpoint_step.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/interrupt.h"
#include "core/integrators/exact_turn.h"
#include "core/integrators/sweeps.h"
#include "core/kernels/midpoint.h"
#include "core/mechanics/first_order.h"

namespace twosphere {

namespace {

constexpr int max_newton = 12;
constexpr int first_sweeps = 6;  // before Newton's method is considered
constexpr int max_foretold = 1000;
// Further sweeps that take longer than Newton's method, by elimination and by GMRES.
constexpr int worth_elimination = 10, worth_gmres = 40;
constexpr Eigen::Index krylov_size = 40;
constexpr int max_restarts = 10;

}  // namespace

void MidpointStep::prepare(const System& system) {
  const Eigen::Index n = system.size();
  damping_ = damped(system) ? system.damping() : Eigen::VectorXd::Zero(n);
  const Eigen::ArrayXd kappa = system.strength(),
                       square = kappa.square() + damping_.array().square();
  along_ = kappa / square;
  across_ = damping_.array() / square;
  for (Columns* c : {&next_, &kept_, &m_, &g_, &f_, &turn_}) c->setZero(3, n);
  length_.setZero(n);
  factored_ = false;
  if (n <= max_prepared)
    allocate_newton(n);
  else if (static_cast<Eigen::Index>(frames_.size()) != n)
    frames_.clear();
}

/// Memory of Newton's method, unless it is there.
void MidpointStep::allocate_newton(Eigen::Index n) {
  if (static_cast<Eigen::Index>(frames_.size()) == n) return;
  for (Columns* c : {&u_, &z_, &k_, &slope_, &residual_}) c->setZero(3, n);
  frames_.resize(static_cast<std::size_t>(n));
  for (Eigen::VectorXd* v : {&right_, &y_}) v->setZero(2 * n);
  lu_.reset();
  if (n <= max_dense) {
    matrix_.setZero(2 * n, 2 * n);
    lu_.emplace(2 * n);
    return;
  }
  blocks_.resize(static_cast<std::size_t>(n));
  krylov_.image.setZero(2 * n);
  krylov_.basis.assign(static_cast<std::size_t>(krylov_size) + 1, Eigen::VectorXd::Zero(2 * n));
  krylov_.hessenberg.setZero(krylov_size + 1, krylov_size);
  for (Eigen::VectorXd* v : {&krylov_.cosine, &krylov_.sine, &krylov_.rest})
    v->setZero(krylov_size + 1);
}

/// m, s and g for Q.
void MidpointStep::evaluate(const System& system, double t, const Columns& q) {
  midpoint_kernel::middle(q, next_, m_, length_);
  generalised_gradient(system, t, m_, g_, f_);
  factored_ = false;
}

/// Finds Q.
StepStatus MidpointStep::solve(const System& system, double t, double h, const Columns& q,
                               StepReport& report) {
  next_ = q;
  double before = std::numeric_limits<double>::infinity();
  double small = near_rounding;
  bool tried = false;
  for (int k = 1; k <= max_sweeps; ++k) {
    if (interrupted()) return StepStatus::interrupted;
    evaluate(system, t, q);
    const double change =
        midpoint_kernel::sweep(h, along_, across_, q, m_, length_, g_, turn_, next_);
    ++report.iterations;
    if (!std::isfinite(change)) return StepStatus::not_finite;
    report.sweeps = k;
    // Forces to a tolerance may jump by it from sweep to sweep; the first change is that of a step.
    if (k == 1) small = std::max(small, system.force_tolerance() * change);
    if (ended(change, before, small)) return StepStatus::ok;
    const double rate = change / before;
    before = change;
    if (k < first_sweeps || tried || system.force_tolerance() > 0) continue;
    // So many sweeps are left if the rate stays.
    const int worth = q.cols() <= max_dense ? worth_elimination : worth_gmres;
    const double left =
        rate < 1 ? std::log(smallest_change / change) / std::log(rate) : max_foretold;
    report.sweeps = static_cast<int>(std::min<double>(k + std::ceil(left), max_foretold));
    if (left <= worth && k + left <= max_sweeps) continue;
    tried = true;
    kept_ = next_;
    if (newton(system, t, h, q, report)) return StepStatus::ok;
    next_ = kept_;
  }
  return StepStatus::not_converged;
}

/// Finds Q from the present one; false if it does not converge.
bool MidpointStep::newton(const System& system, double t, double h, const Columns& q,
                          StepReport& report) {
  constexpr double enough = 1e-6;  // of the linear solution: the iteration corrects the rest
  double before = std::numeric_limits<double>::infinity();
  for (int k = 1; k <= max_newton && !interrupted(); ++k) {
    evaluate(system, t, q);
    const Eigen::VectorXd& kappa = system.strength();
    for (Eigen::Index i = 0; i < q.cols(); ++i)
      turn_.col(i) = first_order_turn(kappa[i], damping_[i], g_.col(i), m_.col(i));
    begin_linear(system, t, h);
    for (Eigen::Index i = 0; i < q.cols(); ++i) {
      residual_.col(i) = next_.col(i) - q.col(i) - h * Vec3(turn_.col(i)).cross(m_.col(i));
      right_.segment<2>(2 * i) =
          -frames_[static_cast<std::size_t>(i)].transpose() * residual_.col(i);
    }
    ++report.iterations;
    if (!solve_linear(system, t, h, enough)) return false;
    double change = 0;
    for (Eigen::Index i = 0; i < q.cols(); ++i) {
      const Vec3 step = z_.col(i) - residual_.col(i);
      change = std::max(change, step.norm());
      next_.col(i) = (next_.col(i) + step).normalized();
    }
    if (!(change < 1) || !next_.allFinite()) return false;
    if (ended(change, before)) return true;
    before = change;
  }
  return false;
}

/// z(u) at m.
void MidpointStep::derivative(const System& system, double t, double h, const Columns& u,
                              Columns& z) {
  const Eigen::VectorXd& kappa = system.strength();
  system.hessian_times(m_, u, k_);
  if (system.has_external_force()) {
    system.force_slope(t, m_, u, slope_);
    k_ -= slope_;
  }
  for (Eigen::Index i = 0; i < u.cols(); ++i) {
    const Vec3 m = m_.col(i), ui = u.col(i), g = g_.col(i), k = k_.col(i), turn = turn_.col(i);
    const Vec3 change = first_order_turn_rate(kappa[i], damping_[i], g, m, k, ui);
    z.col(i) = h * (change.cross(m) + turn.cross(ui));
  }
}

/// Prepares A at the present m, once.
void MidpointStep::begin_linear(const System& system, double t, double h) {
  const Eigen::Index n = m_.cols();
  allocate_newton(n);
  if (factored_) return;
  factored_ = true;
  for (Eigen::Index i = 0; i < n; ++i)
    frames_[static_cast<std::size_t>(i)] = tangent_basis(m_.col(i));
  if (n <= max_dense) {
    // A column of A for each coordinate.
    for (Eigen::Index k = 0; k < 2 * n; ++k) {
      y_.setZero();
      y_[k] = 1;
      apply(system, t, h, y_, right_);
      matrix_.col(k) = right_;
    }
    lu_->compute(matrix_);
    return;
  }
  const Eigen::VectorXd& kappa = system.strength();
  for (Eigen::Index i = 0; i < n; ++i) {
    // A without K, of one body.
    const auto& frame = frames_[static_cast<std::size_t>(i)];
    const Vec3 m = m_.col(i), g = g_.col(i), turn = turn_.col(i);
    const double c = damping_[i], share = c / (kappa[i] * kappa[i] + c * c);
    Eigen::Matrix2d block;
    for (int k = 0; k < 2; ++k) {
      const Vec3 u = frame.col(k);
      block.col(k) = -h * (frame.transpose() * (share * g.cross(u).cross(m) + turn.cross(u)));
      block(k, k) += length_[i];
    }
    blocks_[static_cast<std::size_t>(i)] = block.inverse();
  }
}

/// out = A y, in coordinates; leaves u and z(u).
void MidpointStep::apply(const System& system, double t, double h, const Eigen::VectorXd& y,
                         Eigen::VectorXd& out) {
  for (Eigen::Index i = 0; i < u_.cols(); ++i)
    u_.col(i) = frames_[static_cast<std::size_t>(i)] * y.segment<2>(2 * i);
  derivative(system, t, h, u_, z_);
  for (Eigen::Index i = 0; i < u_.cols(); ++i)
    out.segment<2>(2 * i) = length_[i] * y.segment<2>(2 * i) -
                            frames_[static_cast<std::size_t>(i)].transpose() * z_.col(i);
}

bool MidpointStep::solve_linear(const System& system, double t, double h, double tolerance) {
  if (m_.cols() <= max_dense) {
    lu_->solve(right_, y_);
  } else if (!gmres(system, t, h, tolerance)) {
    return false;
  }
  if (!y_.allFinite()) return false;
  for (Eigen::Index i = 0; i < u_.cols(); ++i)
    u_.col(i) = frames_[static_cast<std::size_t>(i)] * y_.segment<2>(2 * i);
  derivative(system, t, h, u_, z_);
  return true;
}

void MidpointStep::precondition(Eigen::VectorXd& y) const {
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    auto part = y.segment<2>(2 * static_cast<Eigen::Index>(i));
    part = (blocks_[i] * part).eval();
  }
}

/// y with A y = r to a residual of `tolerance` |r|, or as near as rounding allows: GMRES (Saad,
/// Schultz 1986), preconditioned from the right.
bool MidpointStep::gmres(const System& system, double t, double h, double tolerance) {
  auto& [basis, hessenberg, cosine, sine, rest, image] = krylov_;
  y_.setZero();
  const double wanted = tolerance * right_.norm();
  double last = std::numeric_limits<double>::infinity();
  for (int restart = 0; restart < max_restarts; ++restart) {
    // Residual of y.
    apply(system, t, h, y_, image);
    basis[0] = right_ - image;
    const double size = basis[0].norm();
    if (!std::isfinite(size)) return false;
    if (size <= wanted || size == 0) return true;
    // Rounding is reached.
    if (size > last / 2)
      return last <= 1e3 * std::numeric_limits<double>::epsilon() * right_.norm();
    last = size;
    basis[0] /= size;
    rest.setZero();
    rest[0] = size;
    Eigen::Index count = 0;
    while (count < krylov_size) {
      if (interrupted()) return false;
      const auto k = static_cast<std::size_t>(count);
      basis[k + 1] = basis[k];
      precondition(basis[k + 1]);
      apply(system, t, h, basis[k + 1], image);
      // Arnoldi's process.
      for (std::size_t j = 0; j <= k; ++j) {
        const auto row = static_cast<Eigen::Index>(j);
        hessenberg(row, count) = basis[j].dot(image);
        image -= hessenberg(row, count) * basis[j];
      }
      const double beside = image.norm();
      hessenberg(count + 1, count) = beside;
      // Rotations that make the matrix triangular.
      for (Eigen::Index j = 0; j < count; ++j) {
        const double above = hessenberg(j, count), below = hessenberg(j + 1, count);
        hessenberg(j, count) = cosine[j] * above + sine[j] * below;
        hessenberg(j + 1, count) = -sine[j] * above + cosine[j] * below;
      }
      const double length = std::hypot(hessenberg(count, count), beside);
      cosine[count] = hessenberg(count, count) / length;
      sine[count] = beside / length;
      hessenberg(count, count) = length;
      rest[count + 1] = -sine[count] * rest[count];
      rest[count] *= cosine[count];
      ++count;
      if (std::abs(rest[count]) <= wanted || beside == 0) break;
      basis[k + 1] = image / beside;
    }
    // Back substitution, and y += P Σ x_k v_k.
    image.setZero();
    for (Eigen::Index k = count; k-- > 0;) {
      for (Eigen::Index j = k + 1; j < count; ++j) rest[k] -= hessenberg(k, j) * rest[j];
      rest[k] /= hessenberg(k, k);
      image += rest[k] * basis[static_cast<std::size_t>(k)];
    }
    precondition(image);
    y_ += image;
  }
  return false;
}

StepReport MidpointStep::take(const System& system, double t, double h, Columns& q, Columns& e,
                              std::span<TangentVector> vectors) {
  StepReport report;
  const double middle = t + h / 2;
  report.status = solve(system, middle, h, q, report);
  check_midpoint_step(report, q, next_, turn_);
  if (!report.ok()) return report;
  if (!vectors.empty()) {
    begin_linear(system, middle, h);
    for (TangentVector& vector : vectors) {
      for (Eigen::Index i = 0; i < q.cols(); ++i)
        right_.segment<2>(2 * i) =
            2 * frames_[static_cast<std::size_t>(i)].transpose() * vector.q.col(i);
      // δh ω × m
      if (vector.stretch != 0) {
        for (Eigen::Index i = 0; i < q.cols(); ++i) {
          const Vec3 turn = turn_.col(i), m = m_.col(i);
          residual_.col(i) = vector.stretch * h * turn.cross(m);
          right_.segment<2>(2 * i) +=
              frames_[static_cast<std::size_t>(i)].transpose() * residual_.col(i);
        }
      }
      if (!solve_linear(system, middle, h, std::numeric_limits<double>::epsilon())) {
        report.status = StepStatus::not_converged;
        return report;
      }
      vector.q += z_;
      if (vector.stretch != 0) vector.q += residual_;
    }
  }
  const Eigen::VectorXd& kappa = system.strength();
  if (!system.has_external_force() && damping_.isZero(0)) {
    midpoint_kernel::advance(h, kappa, m_, g_, q, e);
    return report;
  }
  for (Eigen::Index i = 0; i < q.cols(); ++i) {
    const Vec3 m = m_.col(i), g = g_.col(i), turn = turn_.col(i);
    // ω × m, in place of ω
    turn_.col(i) = damping_[i] == 0 ? Vec3(g.cross(m) / kappa[i]) : Vec3(turn.cross(m));
  }
  finish_midpoint_step(system, h, turn_, f_, damping_, q, e, report.work);
  return report;
}

Vec3 MidpointStep::turned(double h, Eigen::Index i, const Vec3& x) const {
  const Vec3 g = g_.col(i), turn = along_[i] * g + across_[i] * g.cross(Vec3(m_.col(i)));
  return cayley_turned(h / length_[i] * turn, x);
}

}  // namespace twosphere
