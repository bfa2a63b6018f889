// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/inertia.h"

#include <cassert>
#include <utility>

namespace twosphere {

ChainInertia::ChainInertia(Eigen::VectorXd masses, Eigen::VectorXd lengths)
    : mass(std::move(masses)), length(std::move(lengths)) {
  assert(mass.size() == length.size() && mass.size() > 0);
  const auto n = mass.size();
  carried.resize(n);
  inverse_diagonal.resize(n);
  inverse_off_diagonal.resize(n - 1);
  double sum = 0;
  for (auto i = n; i-- > 0;) carried[i] = sum += mass[i];
  for (Eigen::Index i = 0; i < n; ++i) {
    const double above = i > 0 ? 1 / mass[i - 1] : 0;
    inverse_diagonal[i] = (1 / mass[i] + above) / (length[i] * length[i]);
    if (i + 1 < n) inverse_off_diagonal[i] = -1 / (mass[i] * length[i] * length[i + 1]);
  }
}

void ChainInertia::apply_inverse(const Columns& v, Columns& out) const {
  // Mass k moves by x_k = (v_k/l_k − v_{k+1}/l_{k+1})/m_k; link i by (x_i − x_{i−1})/l_i.
  const auto n = mass.size();
  Vec3 scaled = v.col(0) / length[0];
  Vec3 before = Vec3::Zero();
  for (Eigen::Index i = 0; i < n; ++i) {
    const Vec3 next = i + 1 < n ? Vec3(v.col(i + 1) / length[i + 1]) : Vec3(Vec3::Zero());
    const Vec3 x = (scaled - next) / mass[i];
    out.col(i) = (x - before) / length[i];
    before = x;
    scaled = next;
  }
}

namespace {

struct Multiply {
  const Columns& v;
  Columns& out;

  void operator()(const DiagonalInertia& inertia) const {
    out.noalias() = v * inertia.m.asDiagonal();
  }
  void operator()(const ChainInertia& inertia) const {
    // Velocities of the masses down the chain, then momenta summed back up.
    Vec3 sum = Vec3::Zero();
    for (Eigen::Index k = 0; k < v.cols(); ++k) out.col(k) = sum += inertia.length[k] * v.col(k);
    sum.setZero();
    for (Eigen::Index i = v.cols(); i-- > 0;) {
      sum += inertia.mass[i] * out.col(i);
      out.col(i) = inertia.length[i] * sum;
    }
  }
};

struct Kinetic {
  const Columns& v;

  double operator()(const DiagonalInertia& inertia) const {
    double twice = 0;
    for (Eigen::Index i = 0; i < v.cols(); ++i) twice += inertia.m[i] * v.col(i).squaredNorm();
    return twice / 2;
  }
  double operator()(const ChainInertia& inertia) const {
    Vec3 velocity = Vec3::Zero();
    double twice = 0;
    for (Eigen::Index k = 0; k < v.cols(); ++k) {
      velocity += inertia.length[k] * v.col(k);
      twice += inertia.mass[k] * velocity.squaredNorm();
    }
    return twice / 2;
  }
};

struct Dense {
  Eigen::MatrixXd operator()(const DiagonalInertia& inertia) const {
    return inertia.m.asDiagonal();
  }
  Eigen::MatrixXd operator()(const ChainInertia& inertia) const {
    const auto n = inertia.mass.size();
    Eigen::MatrixXd m(n, n);
    for (Eigen::Index i = 0; i < n; ++i)
      for (Eigen::Index j = 0; j < n; ++j)
        m(i, j) = inertia.length[i] * inertia.length[j] * inertia.carried[std::max(i, j)];
    return m;
  }
};

}  // namespace

void multiply(const Inertia& inertia, const Columns& v, Columns& out) {
  std::visit(Multiply{v, out}, inertia);
}

double kinetic_energy(const Inertia& inertia, const Columns& v) {
  return std::visit(Kinetic{v}, inertia);
}

Eigen::MatrixXd dense(const Inertia& inertia) { return std::visit(Dense{}, inertia); }

}  // namespace twosphere
