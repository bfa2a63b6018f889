// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mechanics/inertia.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "core/base/decompositions.h"

namespace twosphere {

namespace {

/// −Σ_i s_i v_i/m_t, s_i = l_i Σ_{k≥i} m_k.
template <class Serial>
Vec3 velocity_of_base(const Serial& serial, const Columns& v) {
  if (!serial.has_free_base()) return Vec3::Zero();
  Vec3 momentum = Vec3::Zero();
  for (Eigen::Index i = 0; i < v.cols(); ++i)
    momentum += serial.length[i] * serial.suspended_mass[i] * v.col(i);
  return -momentum / (serial.base_mass + serial.suspended_mass[0]);
}

}  // namespace

ChainInertia::ChainInertia(Eigen::VectorXd masses, Eigen::VectorXd lengths, double mass_of_base)
    : mass(std::move(masses)),
      length(std::move(lengths)),
      inverse_mass(mass.cwiseInverse()),
      inverse_length(length.cwiseInverse()),
      base_mass(mass_of_base) {
  assert(mass.size() == length.size() && mass.size() > 0);
  const auto n = mass.size();
  suspended_mass.resize(n);
  inverse_diagonal.resize(n);
  inverse_off_diagonal.resize(n - 1);
  double sum = 0;
  // Mass carried by each link, summed from the tip.
  for (auto i = n; i-- > 0;) suspended_mass[i] = sum += mass[i];
  for (Eigen::Index i = 0; i < n; ++i) {
    // (M⁻¹)_ii = (1/m_i + 1/m_{i−1})/l_i², (M⁻¹)_{i,i+1} = −1/(m_i l_i l_{i+1})
    const double before = i > 0 ? mass[i - 1] : base_mass, above = before > 0 ? 1 / before : 0;
    inverse_diagonal[i] = (1 / mass[i] + above) / (length[i] * length[i]);
    if (i + 1 < n) inverse_off_diagonal[i] = -1 / (mass[i] * length[i] * length[i + 1]);
  }
}

Vec3 ChainInertia::base_velocity(const Columns& v) const { return velocity_of_base(*this, v); }

RodInertia::RodInertia(Eigen::VectorXd masses, Eigen::VectorXd lengths, Eigen::VectorXd own_inertia,
                       double mass_of_base)
    : mass(std::move(masses)),
      length(std::move(lengths)),
      inverse_length(length.cwiseInverse()),
      rotary_inertia(std::move(own_inertia)),
      base_mass(mass_of_base) {
  assert(mass.size() == length.size() && mass.size() == rotary_inertia.size() && mass.size() > 0);
  suspended_mass.resize(mass.size());
  double sum = 0;
  // Mass carried by each link, summed from the tip.
  for (auto i = mass.size(); i-- > 0;) suspended_mass[i] = sum += mass[i];
}

Vec3 RodInertia::base_velocity(const Columns& v) const { return velocity_of_base(*this, v); }

namespace {

/// out_i = l_i Σ_{k≥i} m_k ẋ_k with ẋ_k = ẋ_0 + Σ_{j≤k} l_j v_j; for ẋ_0 = 0 that is
/// Σ_j l_i l_j (Σ_{k≥max(i,j)} m_k) v_j.
void multiply_serial(const Eigen::VectorXd& mass, const Eigen::VectorXd& length, const Vec3& base,
                     const Columns& v, Columns& out) {
  // Velocities of the masses down the chain, then momenta summed back up.
  Vec3 sum = base;
  for (Eigen::Index k = 0; k < v.cols(); ++k) out.col(k) = sum += length[k] * v.col(k);
  sum.setZero();
  for (Eigen::Index i = v.cols(); i-- > 0;) {
    sum += mass[i] * out.col(i);
    out.col(i) = length[i] * sum;
  }
}

/// Σ_k m_k |ẋ_0 + Σ_{j≤k} l_j v_j|², with the mass of a free base.
template <class Serial>
double twice_serial_energy(const Serial& serial, const Columns& v) {
  const Vec3 base = serial.base_velocity(v);
  Vec3 velocity = base;
  double twice = 0;
  for (Eigen::Index k = 0; k < v.cols(); ++k) {
    // Velocity of mass k.
    velocity += serial.length[k] * v.col(k);
    twice += serial.mass[k] * velocity.squaredNorm();
  }
  if (serial.has_free_base()) twice += serial.base_mass * base.squaredNorm();
  return twice;
}

template <class Serial>
Eigen::MatrixXd serial_matrix(const Serial& serial) {
  const auto n = serial.mass.size();
  Eigen::MatrixXd m(n, n);
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j < n; ++j)
      // M_ij = l_i l_j Σ_{k≥max(i,j)} m_k
      m(i, j) = serial.length[i] * serial.length[j] * serial.suspended_mass[std::max(i, j)];
  return m;
}

/// −s_i s_j/m_t of a free base, on a matrix or its diagonal.
template <class Serial>
void free_base(const Serial& serial, Eigen::MatrixXd& m) {
  if (!serial.has_free_base()) return;
  const Eigen::VectorXd s = serial.length.cwiseProduct(serial.suspended_mass);
  m -= s * s.transpose() / (serial.base_mass + serial.suspended_mass[0]);
}
template <class Serial>
void free_base(const Serial& serial, Eigen::VectorXd& diagonal) {
  if (!serial.has_free_base()) return;
  diagonal -= serial.length.cwiseProduct(serial.suspended_mass).cwiseAbs2() /
              (serial.base_mass + serial.suspended_mass[0]);
}

/// m(q), valid until the next call on this thread, which reuses its memory.
const Eigen::MatrixXd& evaluated(const VariableInertia& inertia, const Columns& q) {
  thread_local Eigen::MatrixXd m;
  m.resize(inertia.n, inertia.n);
  inertia.field->evaluate(q, m);
  return m;
}

struct Multiply {
  const Columns &q, &v;
  Columns& out;

  void operator()(const DiagonalInertia& inertia) const {
    out.noalias() = v * inertia.m.asDiagonal();
  }
  void operator()(const ChainInertia& inertia) const {
    multiply_serial(inertia.mass, inertia.length, inertia.base_velocity(v), v, out);
  }
  void operator()(const RodInertia& inertia) const {
    multiply_serial(inertia.mass, inertia.length, inertia.base_velocity(v), v, out);
    // Rotary inertia D_i q̇_i.
    for (Eigen::Index i = 0; i < v.cols(); ++i) out.col(i) += inertia.rotary_inertia[i] * v.col(i);
  }
  void operator()(const DenseInertia& inertia) const { out.noalias() = v * inertia.matrix; }
  void operator()(const VariableInertia& inertia) const {
    twosphere::multiply(evaluated(inertia, q), v, out);
  }
  void operator()(const NoInertia&) const { out.setZero(); }
};

struct TwiceKinetic {
  const Columns &q, &v;

  double operator()(const DiagonalInertia& inertia) const {
    // Σ m_i |q̇_i|²
    double twice = 0;
    for (Eigen::Index i = 0; i < v.cols(); ++i) twice += inertia.m[i] * v.col(i).squaredNorm();
    return twice;
  }
  double operator()(const ChainInertia& inertia) const { return twice_serial_energy(inertia, v); }
  double operator()(const RodInertia& inertia) const {
    // Σ_k μ_k |ẋ_k|² + Σ_i D_i |q̇_i|²
    double twice = twice_serial_energy(inertia, v);
    for (Eigen::Index i = 0; i < v.cols(); ++i)
      twice += inertia.rotary_inertia[i] * v.col(i).squaredNorm();
    return twice;
  }
  double operator()(const DenseInertia& inertia) const {
    // Σ_ij M_ij q̇_i·q̇_j
    return (v * inertia.matrix).cwiseProduct(v).sum();
  }
  double operator()(const VariableInertia& inertia) const {
    const Eigen::MatrixXd& m = evaluated(inertia, q);
    double twice = 0;
    for (Eigen::Index i = 0; i < v.cols(); ++i) {
      twice += m(i, i) * v.col(i).squaredNorm();
      // Off-diagonal pairs count twice, by symmetry of m.
      for (Eigen::Index j = 0; j < i; ++j) twice += 2 * m(i, j) * v.col(i).dot(v.col(j));
    }
    return twice;
  }
  double operator()(const NoInertia&) const { return 0; }
};

struct Diagonal {
  const Columns& q;
  Eigen::VectorXd& out;

  void operator()(const DiagonalInertia& inertia) const { out = inertia.m; }
  void operator()(const ChainInertia& inertia) const {
    // M_ii = l_i² Σ_{k≥i} m_k
    out = inertia.length.cwiseAbs2().cwiseProduct(inertia.suspended_mass);
    free_base(inertia, out);
  }
  void operator()(const RodInertia& inertia) const {
    // M_ii = l_i² Σ_{k≥i} μ_k + D_i
    out = inertia.length.cwiseAbs2().cwiseProduct(inertia.suspended_mass) + inertia.rotary_inertia;
    free_base(inertia, out);
  }
  void operator()(const DenseInertia& inertia) const { out = inertia.matrix.diagonal(); }
  void operator()(const VariableInertia& inertia) const { out = evaluated(inertia, q).diagonal(); }
  void operator()(const NoInertia& inertia) const { out.setZero(inertia.n); }
};

struct Dense {
  const Columns& q;

  Eigen::MatrixXd operator()(const DiagonalInertia& inertia) const {
    return inertia.m.asDiagonal();
  }
  Eigen::MatrixXd operator()(const ChainInertia& inertia) const {
    Eigen::MatrixXd m = serial_matrix(inertia);
    free_base(inertia, m);
    return m;
  }
  Eigen::MatrixXd operator()(const RodInertia& inertia) const {
    Eigen::MatrixXd m = serial_matrix(inertia);
    m.diagonal() += inertia.rotary_inertia;
    free_base(inertia, m);
    return m;
  }
  Eigen::MatrixXd operator()(const DenseInertia& inertia) const { return inertia.matrix; }
  Eigen::MatrixXd operator()(const VariableInertia& inertia) const { return evaluated(inertia, q); }
  Eigen::MatrixXd operator()(const NoInertia& inertia) const {
    return Eigen::MatrixXd::Zero(inertia.n, inertia.n);
  }
};

bool positive(const Eigen::VectorXd& values) {
  return (values.array() > 0).all() && values.allFinite();
}

struct PositiveDefinite {
  const Columns& q;

  bool operator()(const ChainInertia& inertia) const {
    // M is positive definite by construction; only overflow and underflow are excluded.
    return positive(inertia.inverse_diagonal) && positive_diagonal(inertia);
  }
  bool operator()(const DenseInertia& inertia) const { return matrix(inertia.matrix); }
  bool operator()(const VariableInertia& inertia) const { return matrix(evaluated(inertia, q)); }
  bool operator()(const NoInertia&) const { return true; }
  template <class Structured>
  bool operator()(const Structured& inertia) const {
    return positive_diagonal(inertia);
  }

 private:
  template <class Structured>
  bool positive_diagonal(const Structured& inertia) const {
    Eigen::VectorXd values;
    Diagonal{q, values}(inertia);
    return positive(values);
  }
  // Cholesky decomposition exists. The next call on this thread reuses its memory.
  static bool matrix(const Eigen::MatrixXd& m) {
    thread_local Eigen::MatrixXd factor;
    factor = m;
    return is_positive_definite(factor);
  }
};

}  // namespace

int size(const Inertia& inertia) {
  return std::visit([](const auto& i) { return i.size(); }, inertia);
}

void multiply(const Inertia& inertia, const Columns& q, const Columns& v, Columns& out) {
  std::visit(Multiply{q, v, out}, inertia);
}

double kinetic_energy(const Inertia& inertia, const Columns& q, const Columns& v) {
  return std::visit(TwiceKinetic{q, v}, inertia) / 2;
}

void diagonal(const Inertia& inertia, const Columns& q, Eigen::VectorXd& out) {
  std::visit(Diagonal{q, out}, inertia);
}

bool positive_definite(const Inertia& inertia, const Columns& q) {
  return std::visit(PositiveDefinite{q}, inertia);
}

Eigen::MatrixXd dense(const Inertia& inertia, const Columns& q) {
  return std::visit(Dense{q}, inertia);
}

}  // namespace twosphere
