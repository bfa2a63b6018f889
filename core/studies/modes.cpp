// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/studies/modes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <utility>

#include "core/base/decompositions.h"
#include "core/mechanics/effective_potential.h"
#include "core/mechanics/linear_terms.h"
#include "core/mechanics/tangent_hessian.h"
#include "core/studies/linear_flow.h"
#include "core/studies/tangent_matrices.h"

namespace twosphere {

namespace {

constexpr double two_pi = 2 * std::numbers::pi;
constexpr double zero_part = 1e-12;  // of the largest ν²: rounding

/// The largest length of the part of a vector that belongs to one body.
template <class Vector>
double largest_part(const Vector& x) {
  double largest = 0;
  for (Eigen::Index i = 0; i < x.size() / 2; ++i)
    largest = std::max(largest, x.template segment<2>(2 * i).norm());
  return largest;
}

/// Another basis of the space of orthonormal columns, the same however they were chosen: one vector
/// after another is the projection of the coordinate that has most of what is left.
Eigen::MatrixXd concentrated(Eigen::MatrixXd space) {
  Eigen::MatrixXd out(space.rows(), space.cols());
  for (Eigen::Index k = 0; k < out.cols(); ++k) {
    const Eigen::VectorXd sizes = space.rowwise().norm();
    Eigen::Index row = 0;  // the first of those that differ by rounding only
    while (sizes[row] < (1 - 1e-6) * sizes.maxCoeff()) ++row;
    const Eigen::VectorXd weights = space.row(row).transpose() / sizes[row];
    out.col(k) = space * weights;
    if (k + 1 < out.cols()) space = (space * orthogonal_complement(weights)).eval();
  }
  return out;
}

/// The eigenvectors with the spaces of equal eigenvalues in such bases.
Eigen::MatrixXd chosen_vectors(const EigenSystem& eigen) {
  const Eigen::Index size = eigen.values.size();
  const double noise = 1e-11 * (size > 0 ? eigen.values.cwiseAbs().maxCoeff() : 0);
  Eigen::MatrixXd out = eigen.vectors;
  for (Eigen::Index first = 0; first < size;) {
    Eigen::Index last = first + 1;
    while (last < size && eigen.values[last] - eigen.values[last - 1] <=
                              noise + 1e-9 * std::abs(eigen.values[last]))
      ++last;
    out.middleCols(first, last - first) =
        concentrated(eigen.vectors.middleCols(first, last - first));
    first = last;
  }
  return out;
}

std::vector<Mode> undamped(const Eigen::MatrixXd& hessian, const Eigen::MatrixXd& inertia,
                           const Eigen::MatrixXd& rotations, const Columns& q) {
  // The space orthogonal to rotations in the inner product of K.
  const Eigen::MatrixXd space = orthogonal_complement(inertia * rotations);
  EigenSystem eigen = generalised_eigensystem(space.transpose() * hessian * space,
                                              space.transpose() * inertia * space);
  eigen.vectors = (space * eigen.vectors).eval();
  const Eigen::MatrixXd vectors = chosen_vectors(eigen);
  const double noise = eigen.values.size() > 0 ? zero_part * eigen.values.cwiseAbs().maxCoeff() : 0;
  std::vector<Mode> list;
  for (Eigen::Index k = 0; k < eigen.values.size(); ++k) {
    const double square = std::abs(eigen.values[k]) <= noise ? 0 : eigen.values[k];
    const Eigen::VectorXd x = vectors.col(k) / largest_part(vectors.col(k));
    Mode mode;
    mode.square = square;
    mode.frequency = std::sqrt(std::max(0.0, square)) / two_pi;
    mode.growth = std::sqrt(std::max(0.0, -square));
    mode.shape = from_tangent_coordinates(q, x).array() + 0.0;
    list.push_back(std::move(mode));
  }
  return list;
}

/// A mode s with the complex vector x in tangent coordinates.
Mode complex_mode(std::complex<double> s, Eigen::VectorXcd x, const Columns& q) {
  Eigen::Index first = 0;
  const Eigen::VectorXd sizes = x.cwiseAbs();
  while (sizes[first] < (1 - 1e-6) * sizes.maxCoeff()) ++first;
  x *= std::conj(x[first]) / std::abs(x[first]);
  x /= std::max(largest_part(x.real()), largest_part(x.imag()));
  Mode mode;
  mode.square = -(s * s).real();
  mode.frequency = s.imag() / two_pi;
  mode.growth = s.real();
  mode.shape = from_tangent_coordinates(q, x.real()).array() + 0.0;
  mode.imaginary = from_tangent_coordinates(q, x.imag()).array() + 0.0;
  return mode;
}

/// Q of an oscillation that decays or grows; NaN of what is neither.
double quality(std::complex<double> s) {
  return s.imag() > 0 && s.real() != 0 ? std::abs(s) / (2 * std::abs(s.real()))
                                       : std::numeric_limits<double>::quiet_NaN();
}

Result<std::vector<Mode>> damped_list(const Eigen::MatrixXd& hessian,
                                      const Eigen::MatrixXd& inertia,
                                      const Eigen::VectorXd& damping, Eigen::Index rotations,
                                      const Columns& q) {
  const Eigen::Index size = hessian.rows();
  // y = (x, s x): s y = (0, 1; −K⁻¹ H, −K⁻¹ C) y.
  Eigen::MatrixXd right(size, 2 * size);
  right.leftCols(size) = -hessian;
  right.rightCols(size).setZero();
  for (Eigen::Index k = 0; k < size; ++k) right(k, size + k) = -damping[k / 2];
  CholeskyFactors factors(size);
  factors.compute(inertia);
  factors.solve_in_place(right);
  Eigen::MatrixXd whole(2 * size, 2 * size);
  whole << Eigen::MatrixXd::Zero(size, size), Eigen::MatrixXd::Identity(size, size), right;
  const ComplexEigenSystem eigen = general_eigensystem(whole);
  if (!eigen.values.allFinite())
    return Error{ErrorKind::check, "system", "has damped modes whose eigenvalues were not found"};
  const double largest = eigen.values.cwiseAbs().maxCoeff();
  std::vector<Eigen::Index> order;
  for (Eigen::Index k = 0; k < eigen.values.size(); ++k) order.push_back(k);
  // Each rotation has one s = 0.
  std::stable_sort(order.begin(), order.end(), [&](Eigen::Index a, Eigen::Index b) {
    return std::abs(eigen.values[a]) < std::abs(eigen.values[b]);
  });
  order.erase(order.begin(), order.begin() + rotations);
  std::vector<Mode> list;
  for (const Eigen::Index k : order) {
    std::complex<double> s = eigen.values[k];
    // Of two conjugate ones the first is enough.
    if (std::abs(s.imag()) <= zero_part * largest) s = s.real();
    if (s.imag() < 0) continue;
    list.push_back(complex_mode(s, eigen.vectors.col(k).head(size), q));
    list.back().quality = quality(s);
  }
  std::stable_sort(list.begin(), list.end(),
                   [](const Mode& a, const Mode& b) { return a.square < b.square; });
  return list;
}

/// The modes of a system with strengths, or in axes that rotate.
Result<std::vector<Mode>> precessing(const System& system, const Eigen::MatrixXd& hessian,
                                     const Eigen::MatrixXd& rotations, const Columns& q) {
  Eigen::MatrixXd torques = velocity_torques(system, q);
  if (has_frame_rotation(system)) torques -= turning_torques(system, q, system.frame_rotation());
  const bool conservative = !damped(system);
  const auto flow = first_order(system)
                        ? flow_modes(LinearFlow{torques, hessian, rotations, conservative})
                        : flow_modes(SecondOrderFlow{hessian, tangent_inertia(system, q), -torques,
                                                     rotations, conservative});
  if (!flow) return flow.error();
  std::vector<Mode> list;
  for (const FlowMode& one : *flow) {
    Mode& mode = list.emplace_back(elliptic_mode(one, q));
    if (!conservative) mode.quality = quality(one.s);
  }
  return list;
}

}  // namespace

Result<Modes> modes_at(const System& system, const System& rest, const Equilibrium& equilibrium) {
  const Columns& q = equilibrium.q;
  const bool moves = !first_order(system), rotates = has_frame_rotation(system),
             turns = rotates || system.strength().size() > 0;
  if (moves && (damped(system) || turns) && system.size() > max_damped_mode_bodies)
    return Error{ErrorKind::usage, "system",
                 fmt::format("has {} bodies and {}; {} are found for at most {}", system.size(),
                             rotates ? "axes that rotate"
                             : turns ? "strengths"
                                     : "damping",
                             rotates ? "modes in them"
                             : turns ? "modes with them"
                                     : "damped modes",
                             max_damped_mode_bodies)};
  if (!positive_definite(system.inertia(), q))
    return Error{ErrorKind::check, "system",
                 "has an inertia that is not positive definite at the equilibrium"};
  const EffectivePotential effective(rest);
  const Eigen::MatrixXd hessian = tangent_matrix(TangentHessian(effective, q), q),
                        rotations = rotation_directions(rest, q);
  Modes modes;
  modes.damped = damped(system);
  modes.elliptic = modes.damped || turns;
  modes.axes_rotate = rotates;
  auto list =
      turns ? precessing(system, hessian, rotations, q)
      : modes.damped
          ? damped_list(hessian, tangent_inertia(system, q), system.damping(), rotations.cols(), q)
          : Result<std::vector<Mode>>(undamped(hessian, tangent_inertia(system, q), rotations, q));
  if (!list) return list.error();
  modes.list = std::move(*list);
  return modes;
}

Mode elliptic_mode(const FlowMode& solution, const Columns& q) {
  Mode mode = complex_mode(solution.s, solution.z.head(2 * q.cols()), q);
  mode.energy_sign = solution.energy_sign;
  return mode;
}

Columns moved_by_mode(const Columns& q, const Mode& mode, double amplitude, double phase) {
  Columns by = std::cos(phase) * mode.shape;
  if (mode.imaginary.cols() > 0) by -= std::sin(phase) * mode.imaginary;
  return along_mode(q, by, amplitude);
}

Columns along_mode(const Columns& q, const Columns& shape, double amplitude) {
  Columns out(3, q.cols());
  for (Eigen::Index i = 0; i < q.cols(); ++i) {
    const double length = shape.col(i).norm(), by = amplitude * length;
    out.col(i) = q.col(i);
    if (length > 0) out.col(i) = std::cos(by) * q.col(i) + std::sin(by) / length * shape.col(i);
    out.col(i).normalize();
  }
  return out;
}

State start_in_mode(const Columns& q, const Mode& mode, double amplitude) {
  State start{0, along_mode(q, mode.shape, amplitude), Columns::Zero(3, q.cols())};
  if (mode.imaginary.cols() == 0) return start;
  // v = a Re(s δq), carried from q_i to where the body is.
  const Columns v =
      amplitude * (mode.growth * mode.shape - two_pi * mode.frequency * mode.imaginary);
  for (Eigen::Index i = 0; i < q.cols(); ++i) {
    const Vec3 at = start.q.col(i);
    start.w.col(i) = tangent(at, at.cross(carried(q.col(i), at, v.col(i))));
  }
  return start;
}

}  // namespace twosphere
