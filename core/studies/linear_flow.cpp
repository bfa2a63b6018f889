// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/studies/linear_flow.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "core/base/decompositions.h"

namespace twosphere {

namespace {

using Eigen::MatrixXd;

/// S⁻¹ B.
MatrixXd solved(const MatrixXd& s, const MatrixXd& b) {
  LuFactors factors(s.rows());
  factors.compute(s);
  MatrixXd out(b.rows(), b.cols());
  Eigen::VectorXd x;
  for (Eigen::Index k = 0; k < b.cols(); ++k) {
    factors.solve(b.col(k), x);
    out.col(k) = x;
  }
  return out;
}

/// A basis Q of {z: r·S z = 0} without the r that are in it.
MatrixXd reduced_space(const LinearFlow& flow) {
  const MatrixXd& r = flow.neutral;
  if (r.cols() == 0) return MatrixXd::Identity(flow.form.rows(), flow.form.rows());
  const MatrixXd momenta = flow.form.transpose() * r;
  // r w is in the space if rᵀ S r w = 0.
  const MatrixXd among = r.transpose() * flow.form * r;
  const EigenSystem eigen = symmetric_eigensystem(among.transpose() * among);
  const double least = 1e-18 * flow.form.squaredNorm() * r.squaredNorm() * r.squaredNorm();
  const auto inside = (eigen.values.array() <= least).count();
  MatrixXd left_out(r.rows(), r.cols() + inside);
  left_out << momenta, r * eigen.vectors.leftCols(inside);
  return orthogonal_complement(left_out);
}

/// s with parts that are rounding set to 0.
std::complex<double> cleaned(std::complex<double> s, double largest, bool conservative) {
  const double least = (conservative ? 1e-9 : 1e-12) * largest;
  return {conservative && std::abs(s.real()) <= least ? 0.0 : s.real(),
          std::abs(s.imag()) <= least ? 0.0 : s.imag()};
}

}  // namespace

Result<std::vector<FlowMode>> flow_modes(const LinearFlow& flow) {
  const MatrixXd space = reduced_space(flow), image = solved(flow.form, flow.energy * space);
  std::vector<FlowMode> list;
  if (space.cols() == 0) return list;
  const Error missing{ErrorKind::check, "system", "has modes whose eigenvalues were not found"};
  if (!image.allFinite()) return missing;
  const ComplexEigenSystem eigen = general_eigensystem(space.transpose() * image);
  if (!eigen.values.allFinite()) return missing;
  const double largest = eigen.values.cwiseAbs().maxCoeff();
  std::size_t zeros = 0;
  for (Eigen::Index k = 0; k < eigen.values.size(); ++k) {
    FlowMode mode;
    mode.s = cleaned(eigen.values[k], largest, flow.conservative);
    const double re = mode.s.real(), im = mode.s.imag();
    // Of two conjugate ones, and of ±s of a conservative flow, one is enough.
    if (im < 0 || (flow.conservative && im == 0 && re < 0)) continue;
    if (flow.conservative && im == 0 && re == 0 && zeros++ % 2 == 1) continue;
    const Eigen::VectorXcd y = eigen.vectors.col(k);
    mode.z = mode.s == 0.0 ? Eigen::VectorXcd(space * y) : Eigen::VectorXcd(image * y / mode.s);
    if (flow.conservative && re == 0 && im > 0) {
      const double energy = mode.z.dot(flow.energy * mode.z).real(),
                   noise = 1e-9 * flow.energy.norm() * mode.z.squaredNorm();
      mode.energy_sign = energy > noise ? 1 : energy < -noise ? -1 : 0;
    }
    list.push_back(std::move(mode));
  }
  const auto square = [](const FlowMode& mode) { return -(mode.s * mode.s).real(); };
  std::stable_sort(list.begin(), list.end(),
                   [&](const FlowMode& a, const FlowMode& b) { return square(a) < square(b); });
  return list;
}

Result<std::vector<FlowMode>> flow_modes(const SecondOrderFlow& flow) {
  const Eigen::Index size = flow.hessian.rows();
  const double stiff = flow.hessian.norm(),
               rate = stiff > 0 ? std::sqrt(stiff / flow.inertia.norm()) : 1;
  const MatrixXd inertia = rate * rate * flow.inertia, none = MatrixXd::Zero(size, size);
  LinearFlow whole;
  whole.form.resize(2 * size, 2 * size);
  whole.form << -rate * flow.velocity, -inertia, inertia, none;
  whole.energy.resize(2 * size, 2 * size);
  whole.energy << flow.hessian, none, none, inertia;
  whole.neutral = MatrixXd::Zero(2 * size, flow.neutral.cols());
  whole.neutral.topRows(size) = flow.neutral;
  whole.conservative = flow.conservative;
  auto list = flow_modes(whole);
  if (!list) return list;
  for (FlowMode& mode : *list) mode.s *= rate;
  return list;
}

}  // namespace twosphere
