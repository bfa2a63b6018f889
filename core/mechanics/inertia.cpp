// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mechanics/inertia.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "core/base/decompositions.h"

namespace twosphere {

ChainInertia::ChainInertia(Eigen::VectorXd masses, Eigen::VectorXd lengths)
    : mass(std::move(masses)),
      length(std::move(lengths)),
      inverse_mass(mass.cwiseInverse()),
      inverse_length(length.cwiseInverse()) {
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
    const double above = i > 0 ? 1 / mass[i - 1] : 0;
    inverse_diagonal[i] = (1 / mass[i] + above) / (length[i] * length[i]);
    if (i + 1 < n) inverse_off_diagonal[i] = -1 / (mass[i] * length[i] * length[i + 1]);
  }
}

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

Vec3 RodInertia::base_velocity(const Columns& v) const {
  if (base_mass == 0) return Vec3::Zero();
  Vec3 momentum = Vec3::Zero();
  // Σ_i s_i v_i
  for (Eigen::Index i = 0; i < v.cols(); ++i) momentum += length[i] * suspended_mass[i] * v.col(i);
  return -momentum / (base_mass + suspended_mass[0]);
}

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

/// Σ_k m_k |ẋ_0 + Σ_{j≤k} l_j v_j|².
double twice_serial_energy(const Eigen::VectorXd& mass, const Eigen::VectorXd& length,
                           const Vec3& base, const Columns& v) {
  Vec3 velocity = base;
  double twice = 0;
  for (Eigen::Index k = 0; k < v.cols(); ++k) {
    // Velocity of mass k.
    velocity += length[k] * v.col(k);
    twice += mass[k] * velocity.squaredNorm();
  }
  return twice;
}

Eigen::MatrixXd serial_matrix(const Eigen::VectorXd& suspended_mass,
                              const Eigen::VectorXd& length) {
  const auto n = suspended_mass.size();
  Eigen::MatrixXd m(n, n);
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j < n; ++j)
      // M_ij = l_i l_j Σ_{k≥max(i,j)} m_k
      m(i, j) = length[i] * length[j] * suspended_mass[std::max(i, j)];
  return m;
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
    multiply_serial(inertia.mass, inertia.length, Vec3::Zero(), v, out);
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
  double operator()(const ChainInertia& inertia) const {
    return twice_serial_energy(inertia.mass, inertia.length, Vec3::Zero(), v);
  }
  double operator()(const RodInertia& inertia) const {
    // Σ_k μ_k |ẋ_k|² + Σ_i D_i |q̇_i|²
    const Vec3 base = inertia.base_velocity(v);
    double twice = twice_serial_energy(inertia.mass, inertia.length, base, v);
    if (inertia.base_mass > 0) twice += inertia.base_mass * base.squaredNorm();
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
  }
  void operator()(const RodInertia& inertia) const {
    // M_ii = l_i² Σ_{k≥i} μ_k + D_i, less s_i²/m_t if the base is free.
    out = inertia.length.cwiseAbs2().cwiseProduct(inertia.suspended_mass) + inertia.rotary_inertia;
    if (inertia.base_mass > 0)
      out -= inertia.length.cwiseProduct(inertia.suspended_mass).cwiseAbs2() /
             (inertia.base_mass + inertia.suspended_mass[0]);
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
    return serial_matrix(inertia.suspended_mass, inertia.length);
  }
  Eigen::MatrixXd operator()(const RodInertia& inertia) const {
    Eigen::MatrixXd m = serial_matrix(inertia.suspended_mass, inertia.length);
    m.diagonal() += inertia.rotary_inertia;
    if (inertia.base_mass > 0) {
      // Less s_i s_j/m_t.
      const Eigen::VectorXd s = inertia.length.cwiseProduct(inertia.suspended_mass);
      m -= s * s.transpose() / (inertia.base_mass + inertia.suspended_mass[0]);
    }
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
