// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/studies/orbit_multipliers.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "core/base/decompositions.h"

namespace twosphere {

namespace {

using Multiplier = std::complex<double>;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double half_turn = std::numbers::pi;
constexpr double on_circle = 1e-6;  // | |μ| − 1 |, or |μ ∓ 1|, that rounding may make

/// The coordinates of dz/dt at z along the orbit, but for a rotation about the axis: of the points
/// seen from a frame that turns by φ in a period, which repeat after as many periods as P has as
/// its order.
VectorXd interpolated_flow(const OrbitProblem& problem, const OrbitSolution& orbit) {
  const PhaseCoordinates at(problem.system, orbit.point.state);
  const int steps = orbit.point.steps, order = problem.closure.order(), count = steps * order;
  const Closure unplaced{problem.closure.axis};
  Closure back{.places = problem.closure.places};  // P⁻¹
  for (std::size_t i = 0; i < back.places.size(); ++i)
    back.places[static_cast<std::size_t>(problem.closure.places[i])] = static_cast<int>(i);
  Columns dq = Columns::Zero(3, orbit.point.state.q.cols()), dw = dq;
  const double length = orbit.point.period * order;
  for (int k = 1; k < count; ++k) {
    // Derivative at 0 of the interpolating polynomial of points that are evenly spaced.
    const double angle = half_turn * k / count, sign = k % 2 == 0 ? -1 : 1;
    const double weight =
        sign * half_turn / length * (count % 2 == 0 ? 1 / std::tan(angle) : 1 / std::sin(angle));
    // The point k from that of the first period, z_{k+N} = P⁻¹ R(φ) z_k.
    const int part = k % steps;
    State point = unplaced.applied(orbit.image.points[static_cast<std::size_t>(part)],
                                   orbit.point.rotation * part / steps);
    for (int turn = 0; turn < k / steps; ++turn) point = back.applied(point, 0);
    dq += weight * point.q;
    dw += weight * point.w;
  }
  return at.coordinates(dq, dw);
}

/// A flow without its parts across the null space of M − 1, in which it lies: what interpolation
/// has left of errors.
VectorXd null_component(const MatrixXd& map, VectorXd flow) {
  constexpr double small = 1e-7;
  const SingularSystem svd = singular_system(map - MatrixXd::Identity(map.rows(), map.cols()));
  for (Eigen::Index k = 0; k < svd.values.size() && svd.values[k] > small * svd.values[0]; ++k)
    flow -= svd.right.col(k) * svd.right.col(k).dot(flow);
  return flow;
}

/// An orthonormal basis of the space of the columns, without those of which rounding is left.
MatrixXd orthonormal(const MatrixXd& columns) {
  MatrixXd scaled = columns;
  Eigen::Index count = 0;
  for (Eigen::Index k = 0; k < columns.cols(); ++k) {
    const double length = columns.col(k).norm();
    if (length > 0) scaled.col(count++) = columns.col(k) / length;
  }
  if (count == 0) return scaled.leftCols(0);
  const SingularSystem svd = singular_system(scaled.leftCols(count));
  const auto rank = (svd.values.array() > 1e-9 * svd.values[0]).count();
  return svd.left.leftCols(rank);
}

/// Q of OrbitMultipliers.
MatrixXd reduced_basis(const MatrixXd& form, const MatrixXd& group) {
  const MatrixXd w = orthonormal(group);
  // W ∩ W^Ω: the null space of Ω within W.
  const MatrixXd dual = form.transpose() * w;
  const SingularSystem inner = singular_system(w.transpose() * dual);
  const double size = form.cwiseAbs().maxCoeff();
  const auto rank = (inner.values.array() > 1e-7 * size).count();
  const MatrixXd common = w * inner.right.rightCols(w.cols() - rank);
  MatrixXd excluded(form.rows(), dual.cols() + common.cols());
  excluded << dual, common;
  return orthogonal_complement(orthonormal(excluded));
}

MultiplierKind kind_of(Multiplier a) {
  if (std::abs(a - 1.0) < on_circle || std::abs(a + 1.0) < on_circle)
    return MultiplierKind::parabolic;
  if (std::abs(std::abs(a) - 1) < on_circle) return MultiplierKind::elliptic;
  if (std::abs(a.imag()) > on_circle * std::abs(a)) return MultiplierKind::complex;
  return a.real() > 0 ? MultiplierKind::hyperbolic : MultiplierKind::inverse_hyperbolic;
}

/// The pairs of μ and 1/μ, in the order of falling |μ|, then of rising rotation.
std::vector<MultiplierPair> paired(const ComplexEigenSystem& eigen, const MatrixXd& form) {
  std::vector<Eigen::Index> left(static_cast<std::size_t>(eigen.values.size()));
  for (std::size_t k = 0; k < left.size(); ++k) left[k] = static_cast<Eigen::Index>(k);
  std::vector<MultiplierPair> pairs;
  while (left.size() > 1) {
    // The largest of those that are left, and what is nearest to its reciprocal.
    const auto first = std::max_element(left.begin(), left.end(), [&](auto a, auto b) {
      return std::abs(eigen.values[a]) < std::abs(eigen.values[b]);
    });
    const Eigen::Index one = *first;
    left.erase(first);
    const auto second = std::min_element(left.begin(), left.end(), [&](auto a, auto b) {
      return std::abs(eigen.values[one] * eigen.values[a] - 1.0) <
             std::abs(eigen.values[one] * eigen.values[b] - 1.0);
    });
    const Eigen::Index other = *second;
    left.erase(second);
    MultiplierPair pair{eigen.values[one], eigen.values[other]};
    pair.kind = kind_of(pair.first);
    Eigen::Index of_first = one;
    if (pair.kind == MultiplierKind::elliptic && pair.first.imag() < 0) {
      std::swap(pair.first, pair.second);
      of_first = other;
    }
    if (pair.kind == MultiplierKind::elliptic) {
      const Eigen::VectorXcd v = eigen.vectors.col(of_first);
      const Multiplier sign = v.dot(form.cast<Multiplier>() * v);
      pair.krein = sign.imag() > 0 ? 1 : -1;
    }
    pair.rotation = std::abs(std::arg(pair.first)) / (2 * half_turn);
    pairs.push_back(pair);
  }
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const MultiplierPair& a, const MultiplierPair& b) {
                     const double la = std::max(1 + on_circle, std::abs(a.first)),
                                  lb = std::max(1 + on_circle, std::abs(b.first));
                     return la != lb ? la > lb : a.rotation < b.rotation;
                   });
  return pairs;
}

}  // namespace

std::string_view name(MultiplierKind kind) {
  constexpr std::string_view names[] = {"elliptic", "parabolic", "hyperbolic", "inverse hyperbolic",
                                        "complex"};
  return names[static_cast<std::size_t>(kind)];
}

bool OrbitMultipliers::stable() const {
  return std::all_of(pairs.begin(), pairs.end(), [](const MultiplierPair& pair) {
    return pair.kind == MultiplierKind::elliptic;
  });
}

std::vector<Multiplier> OrbitMultipliers::values() const {
  std::vector<Multiplier> all;
  for (const MultiplierPair& pair : pairs) {
    all.push_back(pair.first);
    all.push_back(pair.second);
  }
  return all;
}

OrbitMultipliers OrbitMultipliers::over(int periods) const {
  OrbitMultipliers out = *this;
  for (MultiplierPair& pair : out.pairs) {
    pair.first = std::pow(pair.first, periods);
    pair.second = std::pow(pair.second, periods);
    pair.kind = kind_of(pair.first);
    if (pair.kind != MultiplierKind::elliptic) pair.krein = 0;
    if (pair.kind == MultiplierKind::elliptic && pair.first.imag() < 0) {
      std::swap(pair.first, pair.second);
      pair.krein = -pair.krein;
    }
    pair.rotation = std::abs(std::arg(pair.first)) / (2 * half_turn);
  }
  return out;
}

OrbitMultipliers orbit_multipliers(const OrbitProblem& problem, const OrbitSolution& orbit) {
  const PhaseCoordinates at(problem.system, orbit.point.state);
  const MatrixXd form = at.form(problem.system), &map = orbit.image.derivative;
  // W: the flow, and rotations about conserved axes.
  MatrixXd group(at.size(), 4);
  VectorXd flow = interpolated_flow(problem, orbit);
  if (problem.closure.relative())
    flow += orbit.point.rotation / orbit.point.period * at.rotation(problem.closure.axis);
  flow = null_component(map, std::move(flow));
  group.col(0) = flow;
  Eigen::Index count = 1;
  for (const Vec3& axis : conserved_axes(problem.system)) group.col(count++) = at.rotation(axis);

  OrbitMultipliers out;
  out.flow_error = (map * flow - flow).norm() / flow.norm();
  out.determinant = std::abs(determinant(map) - 1);
  out.basis = reduced_basis(form, group.leftCols(count));
  const MatrixXd& q = out.basis;
  out.reduced = q.transpose() * map * q;
  if (q.cols() == 0) return out;
  out.pairs = paired(general_eigensystem(out.reduced), q.transpose() * form * q);
  for (const MultiplierPair& pair : out.pairs)
    out.pairing = std::max(out.pairing, std::abs(pair.first * pair.second - 1.0));
  return out;
}

}  // namespace twosphere
