// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/integrators/damping.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>

namespace twosphere {

namespace {

constexpr double machine_epsilon = std::numeric_limits<double>::epsilon();
/// |s|/α of the shift α.
constexpr double per_shift = 16;

}  // namespace

double LinkPairDamping::Part::prepare(double mass1, double mass2, double coupling,
                                      double determinant, double p, double q, double s) {
  m1 = mass1;
  m2 = mass2;
  kappa = coupling;
  // det (K + αC) with p = α c_1, q = α c_2, and what K, C and both together contribute.
  const double mixed = p * m2 + q * m1, drag = p * q, det = determinant + mixed + drag;
  const double inverse = 1 / (m1 + p), root = std::sqrt(det);
  corner = std::sqrt(inverse);
  below = kappa * inverse;
  rest = 1 / (root * corner);
  // S = L⁻¹ αC L⁻ᵀ times det: S_11 − S_22 and 2 S_12, and the distance of its eigenvalues.
  const double apart = p * m2 - q * m1 - 2 * p * kappa * below, twice = -2 * p * below * root;
  const double distance = std::sqrt(apart * apart + twice * twice);
  // θ = 1 − σ of the weaker and of the stronger damped mode.
  const double theta_weak = (2 * determinant + mixed + distance) / (2 * det);
  const double theta_strong = determinant / (det * theta_weak);
  const double sigma_strong = (mixed + 2 * drag + distance) / (2 * det);
  const double sigma_weak = sigma_strong > 0 ? drag / (det * sigma_strong) : 0;
  // Half the angle of (S_11 − S_22, 2 S_12): the strong mode first.
  cosine = 1;
  sine = 0;
  if (distance > 0) {
    const double larger = std::sqrt((distance + std::abs(apart)) / (2 * distance)),
                 smaller = twice / (2 * distance * larger);
    cosine = apart >= 0 ? larger : std::abs(smaller);
    sine = apart >= 0 ? smaller : std::copysign(larger, twice);
  }
  const auto mode = [&](std::size_t k, double sigma, double theta) {
    // x = s λ, λ = σ/(αθ)
    const double x = std::copysign(per_shift, s) * sigma / theta, slower = decay_complement(x);
    const double part = std::abs(x) < 0.5 ? 1 - x * slower : decay_mean(x);
    change[k] = -s / theta * part;
    way[k] = -s * s / theta * slower;
    return std::abs(x);
  };
  mode(1, sigma_weak, theta_weak);
  return mode(0, sigma_strong, theta_strong);
}

double LinkPairDamping::Part::flow(double c1, double c2, double s, double g1, double g2, double& v1,
                                   double& v2) const {
  // C v + g in the modes.
  const double r1 = c1 * v1 + g1, r2 = c2 * v2 + g2;
  const double y1 = corner * r1, y2 = rest * (r2 - below * r1);
  const double strong = cosine * y1 + sine * y2, weak = cosine * y2 - sine * y1;
  // Back from the modes.
  const auto from = [&](const double(&factor)[2], double& out1, double& out2) {
    const double a = factor[0] * strong, b = factor[1] * weak;
    out2 = rest * (sine * a + cosine * b);
    out1 = corner * (cosine * a - sine * b) - below * out2;
  };
  double change1, change2, way1, way2;
  from(change, change1, change2);
  from(way, way1, way2);
  // ΔT + g·∫ v dt
  const double work = (m1 * change1 + kappa * change2) * (v1 + change1 / 2) +
                      (kappa * change1 + m2 * change2) * (v2 + change2 / 2) + g1 * (s * v1 + way1) +
                      g2 * (s * v2 + way2);
  v1 = change1;
  v2 = change2;
  return work;
}

void LinkPairDamping::prepare(const ChainInertia& chain, const Columns& q, const Eigen::VectorXd& c,
                              double s) {
  const double m1 = chain.mass[0], m2 = chain.mass[1], l1 = chain.length[0], l2 = chain.length[1];
  const std::array<double, 13> key{q(0, 0), q(1, 0), q(2, 0), q(0, 1), q(1, 1), q(2, 1), c[0],
                                   c[1],    m1,      m2,      l1,      l2,      s};
  if (key == key_) return;
  key_ = key;
  c1_ = c[0];
  c2_ = c[1];
  s_ = s;
  // q_1 × q_2 = q_1 × (q_2 ∓ q_1), whose last factor is exact where the links are in line.
  const Vec3 q1 = q.col(0), q2 = q.col(1);
  const double inner = q1.dot(q2);
  const Vec3 normal = q1.cross(inner > 0 ? Vec3(q2 - q1) : Vec3(q2 + q1));
  const double square = normal.squaredNorm();
  e_ = square > 0 ? Vec3(normal / std::sqrt(square)) : q1.unitOrthogonal();
  t1_ = e_.cross(q1);
  t2_ = e_.cross(q2);
  // M_11 = l_1² (m_1 + m_2), M_12 = l_1 l_2 m_2, M_22 = l_2² m_2, and det K without cancellation.
  const double a = l1 * l1 * chain.suspended_mass[0], b = l1 * l2 * m2, d = l2 * l2 * m2;
  const double shift = std::abs(s) / per_shift, unit = l1 * l1 * d;
  rate_ = std::max(
      across_.prepare(a, d, b, unit * m1, shift * c1_, shift * c2_, s),
      along_.prepare(a, d, b * inner, unit * (m1 + m2 * square), shift * c1_, shift * c2_, s));
}

double LinkPairDamping::flow(const Columns& q, const Columns& v, const Columns& g,
                             Columns& change) const {
  double across1 = e_.dot(v.col(0)), across2 = e_.dot(v.col(1));
  double along1 = t1_.dot(v.col(0)), along2 = t2_.dot(v.col(1));
  const double work =
      across_.flow(c1_, c2_, s_, e_.dot(g.col(0)), e_.dot(g.col(1)), across1, across2) +
      along_.flow(c1_, c2_, s_, t1_.dot(g.col(0)), t2_.dot(g.col(1)), along1, along2);
  // Without the rounding error along q.
  change.col(0) = tangent(q.col(0), across1 * e_ + along1 * t1_);
  change.col(1) = tangent(q.col(1), across2 * e_ + along2 * t2_);
  return work;
}

Damping::Damping(const System& system) {
  if (BaseDrag::suits(system))
    base_drag_.emplace(system.size());
  else if (system.has_velocity_force())
    nonlinear_.emplace(system);
  if (!velocity_dependent(system)) return;
  const int n = system.size();
  for (Columns* columns : {&g_, &change_, &next_, &weighted_, &part_}) columns->setZero(3, n);
  if (base_drag_ || std::holds_alternative<DiagonalInertia>(system.inertia())) return;
  const auto* chain = std::get_if<ChainInertia>(&system.inertia());
  if (chain && n == 2 && !chain->has_free_base()) {
    pair_.emplace();
    return;
  }
  solver_.emplace(system.inertia());
  extra_.setZero(n);
  diagonal_inertia_.setZero(n);
  for (Eigen::MatrixXd* matrix : {&vectors_, &momenta_})
    matrix->setZero(3 * n, std::min(2 * n, max_vectors));
}

StepStatus Damping::apply(const System& system, double t, const Columns& q, const Columns& g,
                          double s, Columns& v, double& work, VelocityFlow::Centre* centre) {
  if (nonlinear_) {
    const StepStatus status = nonlinear_->apply(system, t, q, g, s, v, work, centre);
    change_ = nonlinear_->change();
    return status;
  }
  const Eigen::VectorXd& c = system.damping();
  double done = 0;
  // Of a base that flies: damping of the bodies does not act on their centre of mass.
  Vec3 pushed = Vec3::Zero();
  if (centre) pushed = s * system.free_base()->acceleration(centre->control);
  if (base_drag_) {
    const FreeBase& base = *system.free_base();
    if (!BaseDrag::sound(base, s)) return StepStatus::damping_too_strong;
    const Vec3 none = Vec3::Zero();
    const auto [drag_work, impulse] = base_drag_->flow(
        std::get<ChainInertia>(system.inertia()), base, q, g, s, v,
        centre ? centre->velocity : none, centre ? centre->control : none, change_);
    done = drag_work;
    pushed += impulse / base.mass;
  } else if (pair_) {
    pair_->prepare(std::get<ChainInertia>(system.inertia()), q, c, s);
    if (!pair_->sound()) return StepStatus::damping_too_strong;
    done = pair_->flow(q, v, g, change_);
  } else if (const auto* uncoupled = std::get_if<DiagonalInertia>(&system.inertia())) {
    // Uncoupled bodies: closed form per body.
    if (!sound(uncoupled->m, c, s)) return StepStatus::damping_too_strong;
    for (Eigen::Index i = 0; i < q.cols(); ++i) {
      // Π_i G_i
      g_.col(i) = tangent(q.col(i), g.col(i));
      Vec3 vi = v.col(i);
      const DampedMode mode(uncoupled->m[i], c[i], s);
      change_.col(i) = mode.change * (c[i] * vi + g_.col(i));
      done += mode.flow(g_.col(i), vi);
    }
  } else if (const StepStatus status = coupled(system.inertia(), q, g, c, s, v, done);
             status != StepStatus::ok) {
    return status;
  }
  if (!change_.allFinite()) return StepStatus::not_finite;
  v += change_;
  if (centre) centre->velocity += pushed;
  work += done;
  return StepStatus::ok;
}

StepStatus Damping::coupled(const Inertia& inertia, const Columns& q, const Columns& g,
                            const Eigen::VectorXd& c, double s, const Columns& v, double& work) {
  // Π_i G_i
  for (Eigen::Index i = 0; i < q.cols(); ++i) g_.col(i) = tangent(q.col(i), g.col(i));
  // Amplification by the flow backwards in time is limited: K + (s/log 10) C positive definite.
  if (s < 0) {
    extra_ = (s / max_backward) * c;
    if (!solver_->definite(inertia, q, extra_)) return StepStatus::damping_too_strong;
  }
  const double shift = std::abs(s) / per_shift;
  // αC
  extra_ = shift * c;
  // As vectors of 3n numbers.
  const Eigen::Index dimension = v.size();
  const Eigen::Map<const Eigen::VectorXd> all_v(v.data(), dimension), all_g(g_.data(), dimension);
  Eigen::Map<Eigen::VectorXd> change(change_.data(), dimension), next(next_.data(), dimension),
      weighted(weighted_.data(), dimension);
  diagonal(inertia, q, diagonal_inertia_);
  // next = (K + αC)⁻¹ weighted. The part y with M_ii for K is split off first: where C is large,
  // the remainder (M_ii − K) y involves no cancellation of large numbers.
  bool again = false;
  const auto solve = [&] {
    for (Eigen::Index i = 0; i < q.cols(); ++i)
      part_.col(i) = tangent(q.col(i), weighted_.col(i)) / (diagonal_inertia_[i] + extra_[i]);
    multiply(inertia, q, part_, weighted_);
    weighted_ -= part_ * diagonal_inertia_.asDiagonal();
    solver_->solve(inertia, q, {.left = q, .right = q, .rest = weighted_, .extra = &extra_}, next_,
                   again);
    next_ += part_;
    again = true;
  };
  // weighted = K next; returns the norm of next in the inner product of K.
  const auto weigh = [&] {
    for (Eigen::Index i = 0; i < q.cols(); ++i) next_.col(i) = tangent(q.col(i), next_.col(i));
    multiply(inertia, q, next_, weighted_);
    return std::sqrt(next.dot(weighted));
  };

  for (Row* row : {&diagonal_, &off_diagonal_, &value_}) row->resize(0);
  // w = (K + αC)⁻¹ (C v + G), normalised to the first Lanczos vector.
  weighted_ = g_;
  weighted_ += v * c.asDiagonal();
  solve();
  const double size = weigh();
  double length = size, largest = 0;
  Eigen::Index count = 0;
  while (length > 8 * machine_epsilon * largest && count < vectors_.cols()) {
    // Next Lanczos vector u, and K u.
    vectors_.col(count) = next / length;
    momenta_.col(count) = weighted / length;
    weighted = momenta_.col(count);
    solve();
    if (count > 0) off_diagonal_.conservativeResize(count), off_diagonal_[count - 1] = length;
    diagonal_.conservativeResize(++count);
    diagonal_[count - 1] = momenta_.col(count - 1).dot(next);
    // Reorthogonalise twice in the inner product of K.
    for (int round = 0; round < 2; ++round)
      for (Eigen::Index k = count; k-- > 0;) next -= vectors_.col(k) * momenta_.col(k).dot(next);
    length = weigh();
    if (!std::isfinite(length)) return StepStatus::not_finite;
    largest = std::max(largest, std::abs(diagonal_[count - 1]) + length);
    // Further vectors would contribute less than the last two components, which contain the
    // rounding errors of the eigenvectors.
    if (count % (count < 8 ? 2 : 4) != 0) continue;
    evaluate(s, shift);
    if (value_.tail(2).norm() <= 8 * machine_epsilon * value_.norm() &&
        way_.tail(2).norm() <= 8 * machine_epsilon * way_.norm())
      break;
  }
  if (!std::isfinite(size)) return StepStatus::not_finite;
  if (value_.size() != count) evaluate(s, shift);
  // v⁺ − v = |w| Σ u_k F_k
  const auto basis = vectors_.leftCols(count);
  value_ *= size;
  change.noalias() = basis * value_;

  // −∫ Σ c_i |v_i|² dt = ΔT + G·∫ v dt, ∫ v dt = s v + ∫ (change so far) dt.
  multiply(inertia, q, change_, next_);
  work += next.dot(all_v) + next.dot(change) / 2 + s * all_g.dot(all_v);
  if (count > 0) {
    along_.noalias() = basis.transpose() * all_g;
    work += size * along_.dot(way_);
  }
  return StepStatus::ok;
}

void Damping::evaluate(double s, double shift) {
  // Ritz values θ and vectors of the tridiagonal matrix.
  using Small = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, max_vectors, max_vectors>;
  Eigen::SelfAdjointEigenSolver<Small> ritz;
  ritz.computeFromTridiagonal(diagonal_, off_diagonal_);
  const Small& part = ritz.eigenvectors();
  for (Row* row : {&value_, &way_}) row->resize(diagonal_.size());
  // The eigenvalues are θ = 1/(1 + αλ). Rounding must not move them outside (0, 1], nor λ above the
  // allowed bound.
  const double least =
      s < 0 ? 1 / (1 - shift * max_backward / s) : std::numeric_limits<double>::min();
  for (Eigen::Index j = 0; j < value_.size(); ++j) {
    const double theta = std::clamp(ritz.eigenvalues()[j], least, 1.0);
    // F(λ) and its integral at the Ritz value λ = (1/θ − 1)/α.
    const double x = s / shift * ((1 - theta) / theta);
    value_[j] = -s * decay_mean(x) / theta * part(0, j);
    way_[j] = -s * s * decay_complement(x) / theta * part(0, j);
  }
  // Back to the Lanczos basis.
  value_ = (part * value_).eval();
  way_ = (part * way_).eval();
}

}  // namespace twosphere
