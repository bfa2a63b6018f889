// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/studies/orbit_multipliers.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

#include "core/base/decompositions.h"
#include "core/mechanics/inertia.h"
#include "core/mechanics/sphere.h"

namespace twosphere {

namespace {

using Multiplier = std::complex<double>;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double half_turn = std::numbers::pi;

/// The coordinates of dz/dt along the orbit at the point of a step, but for a rotation about the
/// axis: of the points seen from a frame that turns by φ in a period, which repeat after as many
/// periods as P has as its order.
VectorXd interpolated_flow(const OrbitProblem& problem, const OrbitSolution& orbit,
                           const PhaseCoordinates& at, int step) {
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
    const int part = (step + k) % steps;
    State point = unplaced.applied(orbit.image.points[static_cast<std::size_t>(part)],
                                   orbit.point.rotation * (part - step) / steps);
    for (int turn = 0; turn < (step + k) / steps; ++turn) point = back.applied(point, 0);
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

/// Q of OrbitMultipliers, of W and C, which is in it.
MatrixXd reduced_basis(const MatrixXd& form, const MatrixXd& group, const MatrixXd& conserved) {
  const MatrixXd w = orthonormal(group), c = orthonormal(conserved);
  // W ∩ C^Ω: the null space of Ω(C, ·) within W.
  const MatrixXd dual = form.transpose() * c;
  MatrixXd products = MatrixXd::Zero(w.cols(), w.cols());
  products.topRows(c.cols()) = c.transpose() * (form.transpose() * w);
  const SingularSystem inner = singular_system(products);
  const double size = form.cwiseAbs().maxCoeff();
  const auto rank = (inner.values.array() > 1e-7 * size).count();
  const MatrixXd common = w * inner.right.rightCols(w.cols() - rank);
  MatrixXd excluded(form.rows(), dual.cols() + common.cols());
  excluded << dual, common;
  return orthogonal_complement(orthonormal(excluded));
}

/// Eigenvalues and eigenvectors of the product of square matrices, the first to be applied first:
/// those of it as a whole are only as exact as rounding of the largest. λ^m and the first part of
/// the vectors of
///
///   (0 … B_m; B_1 0 …; 0 B_2 0 …),
///
/// which has each m times.
ComplexEigenSystem product_eigensystem(const std::vector<MatrixXd>& factors) {
  const Eigen::Index size = factors.front().rows(),
                     count = static_cast<Eigen::Index>(factors.size());
  if (count == 1) return general_eigensystem(factors.front());
  MatrixXd cyclic = MatrixXd::Zero(count * size, count * size);
  for (Eigen::Index s = 0; s < count; ++s)
    cyclic.block((s + 1) % count * size, s * size, size, size) =
        factors[static_cast<std::size_t>(s)];
  const ComplexEigenSystem whole = general_eigensystem(cyclic);
  const Eigen::VectorXcd powers =
      whole.values.array().pow(static_cast<double>(count)).matrix().eval();
  std::vector<Eigen::Index> left(static_cast<std::size_t>(powers.size()));
  std::iota(left.begin(), left.end(), Eigen::Index{0});
  ComplexEigenSystem out{Eigen::VectorXcd(size), Eigen::MatrixXcd(size, size)};
  for (Eigen::Index k = 0; k < size; ++k) {
    // The largest of those that are left, with the m − 1 nearest to it.
    const Eigen::Index first = *std::max_element(left.begin(), left.end(), [&](auto a, auto b) {
      return std::abs(powers[a]) < std::abs(powers[b]);
    });
    std::stable_sort(left.begin(), left.end(), [&](auto a, auto b) {
      return std::abs(powers[a] - powers[first]) < std::abs(powers[b] - powers[first]);
    });
    Multiplier sum = 0;
    for (auto one = left.begin(); one != left.begin() + count; ++one) sum += powers[*one];
    left.erase(left.begin(), left.begin() + count);
    out.values[k] = sum / static_cast<double>(count);
    if (std::abs(out.values[k].imag()) <= 1e-12 * std::abs(out.values[k]))
      out.values[k] = out.values[k].real();
    out.vectors.col(k) = whole.vectors.col(first).head(size).normalized();
  }
  return out;
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

std::vector<Multiplier> distinct(std::span<const Multiplier> all) {
  constexpr double equal = 1e-7;
  std::vector<Multiplier> out;
  for (const Multiplier one : all)
    if (std::none_of(out.begin(), out.end(), [&](const Multiplier other) {
          return std::abs(one - other) <= equal * std::abs(other);
        }))
      out.push_back(one);
  return out;
}

bool OrbitMultipliers::stable() const {
  return std::all_of(single.begin(), single.end(),
                     [](const Multiplier mu) { return std::abs(mu) <= 1 + on_circle; }) &&
         std::all_of(pairs.begin(), pairs.end(), [](const MultiplierPair& pair) {
           return pair.kind == MultiplierKind::elliptic;
         });
}

std::string_view OrbitMultipliers::kind() const {
  if (single.empty()) return stable() ? "linearly stable" : "unstable";
  std::size_t outside = 0, inside = 0;
  for (const Multiplier mu : own()) {
    outside += std::abs(mu) > 1 + on_circle ? 1 : 0;
    inside += std::abs(mu) < 1 - on_circle ? 1 : 0;
  }
  if (outside == 0) return inside == own().size() ? "attracting" : "linearly stable";
  return outside == own().size() ? "repelling" : "saddle";
}

bool OrbitMultipliers::reciprocal() const {
  const std::vector<Multiplier> apart = distinct(own());
  for (std::size_t j = 0; j < apart.size(); ++j)
    for (std::size_t k = 0; k < j; ++k)
      if (std::abs(1.0 - apart[j] * apart[k]) < on_circle) return true;
  return false;
}

bool OrbitMultipliers::pair_on_circle() const {
  constexpr double near = 1e-4;
  const auto all = own();
  return std::any_of(all.begin(), all.end(), [](const Multiplier mu) {
    return std::abs(mu.imag()) > near && std::abs(std::abs(mu) - 1) < near;
  });
}

std::vector<Multiplier> OrbitMultipliers::values() const {
  std::vector<Multiplier> all;
  for (const MultiplierPair& pair : pairs) {
    all.push_back(pair.first);
    all.push_back(pair.second);
  }
  all.insert(all.end(), single.begin(), single.end());
  return all;
}

std::array<double, 3> OrbitMultipliers::tests() const {
  Multiplier plus = 1, minus = 1, discriminant = 1;
  if (!single.empty()) {
    const std::vector<Multiplier> apart = distinct(own());
    for (std::size_t j = 0; j < apart.size(); ++j) {
      plus *= 1.0 - apart[j];
      minus *= 1.0 + apart[j];
      for (std::size_t k = 0; k < j; ++k) discriminant *= 1.0 - apart[j] * apart[k];
    }
    const std::size_t count = own().size();
    const auto sign = [](std::size_t factors) { return factors % 2 == 0 ? 1.0 : -1.0; };
    return {sign(count) * plus.real(), minus.real(),
            sign(count * (count - 1) / 2) * discriminant.real()};
  }
  for (const Multiplier mu : values()) {
    plus *= mu - 1.0;
    minus *= mu + 1.0;
  }
  // The differences of the traces μ + 1/μ, but for those of pairs that a symmetry makes equal,
  // which are of rounding.
  constexpr double equal = 1e-7;
  for (std::size_t i = 0; i < pairs.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const Multiplier one = pairs[i].first + pairs[i].second,
                       other = pairs[j].first + pairs[j].second, by = one - other;
      if (std::abs(by) > equal * (1 + std::abs(one))) discriminant *= by * by;
    }
  return {plus.real(), minus.real(), discriminant.real()};
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

namespace {

/// ∫ Σ_i c_i tr (K⁻¹)_ii dt over an orbit, by the trapezoidal rule, which is as exact as its
/// points.
double contraction_of(const System& system, const OrbitSolution& orbit) {
  if (!damped(system) && !system.has_velocity_force() && !first_order(system)) return 0;
  if (first_order(system) || system.has_velocity_force()) return std::nan("");
  const Eigen::VectorXd& c = system.damping();
  const Eigen::Index n = c.size();
  const std::vector<State>& points = orbit.image.points;
  double sum = 0;
  LuFactors factors(2 * n);
  Eigen::VectorXd column;
  for (std::size_t p = 0; p + 1 < points.size(); ++p) {
    const Columns& q = points[p].q;
    const MatrixXd m = dense(system.inertia(), q);
    MatrixXd k(2 * n, 2 * n);
    for (Eigen::Index i = 0; i < n; ++i)
      for (Eigen::Index j = 0; j < n; ++j)
        k.block<2, 2>(2 * i, 2 * j) =
            m(i, j) * tangent_basis(q.col(i)).transpose() * tangent_basis(q.col(j));
    factors.compute(k);
    for (Eigen::Index i = 0; i < 2 * n; ++i) {
      factors.solve(VectorXd::Unit(2 * n, i), column);
      sum += c[i / 2] * column[i];
    }
  }
  return sum * orbit.point.period / orbit.point.steps;
}

/// Those of forces that are not conservative.
OrbitMultipliers single_multipliers(const OrbitProblem& problem, const OrbitSolution& orbit) {
  const System& system = problem.system;
  const PhaseCoordinates at(system, orbit.point.state);
  const MatrixXd& map = orbit.image.derivative;
  OrbitMultipliers out;
  // W: rotations, and the flow where the period is free. C: the rotations that keep J.
  const std::vector<Vec3> axes = orbit_axes(system);
  MatrixXd group(at.size(), static_cast<Eigen::Index>(axes.size()) + 1);
  MatrixXd conserved(at.size(), group.cols());
  Eigen::Index count = 0, kept = 0;
  for (const Vec3& axis : axes) {
    group.col(count++) = at.rotation(axis);
    if (keeps_momentum(system, axis)) conserved.col(kept++) = at.rotation(axis);
  }
  if (orbit_forces(system) == OrbitForces::dissipative) {
    VectorXd flow = interpolated_flow(problem, orbit, at, 0);
    if (problem.closure.relative())
      flow += orbit.point.rotation / orbit.point.period * at.rotation(problem.closure.axis);
    out.flow_error = (map * flow - flow).norm() / flow.norm();
    group.col(count++) = flow;
  }
  const MatrixXd w = count > 0 ? orthonormal(group.leftCols(count)) : MatrixXd(at.size(), 0);
  if (w.cols() == 0)
    out.basis = MatrixXd::Identity(at.size(), at.size());
  else
    out.basis = reduced_basis(at.form(system), w, conserved.leftCols(kept));
  out.reduced = out.basis.transpose() * map * out.basis;

  std::vector<MatrixXd> factors;
  if (orbit.segments.empty() || w.cols() > 0)
    factors.push_back(out.reduced);
  else
    for (const ReturnMap::Image& segment : orbit.segments) factors.push_back(segment.derivative);
  if (out.reduced.cols() > 0) {
    const Eigen::VectorXcd values = product_eigensystem(factors).values;
    out.single.assign(values.begin(), values.end());
  }
  std::stable_sort(out.single.begin(), out.single.end(), [](Multiplier a, Multiplier b) {
    return std::abs(a) != std::abs(b) ? std::abs(a) > std::abs(b) : a.imag() > b.imag();
  });
  // Those of W; 1 for each component of J that is kept, too.
  if (w.cols() > 0) {
    const Eigen::VectorXcd values = general_eigensystem(w.transpose() * map * w).values;
    out.single.insert(out.single.end(), values.begin(), values.end());
  }
  while (static_cast<Eigen::Index>(out.single.size()) < at.size()) out.single.emplace_back(1.0);
  out.trivial = static_cast<std::size_t>(at.size() - out.reduced.cols());

  double volume = 1;
  for (const ReturnMap::Image& part : orbit.parts()) volume *= determinant(part.derivative);
  out.contraction = contraction_of(system, orbit);
  const double expected = std::exp(-out.contraction);
  out.determinant = std::abs(volume - expected) / expected;
  return out;
}

}  // namespace

OrbitMultipliers orbit_multipliers(const OrbitProblem& problem, const OrbitSolution& orbit) {
  if (orbit_forces(problem.system) != OrbitForces::conservative)
    return single_multipliers(problem, orbit);
  // The starts of the segments, with their flow and basis.
  const std::span<const ReturnMap::Image> segments = orbit.parts();
  const std::vector<OrbitStation>& stations = orbit.point.stations;
  std::vector<VectorXd> flows;
  std::vector<MatrixXd> bases;
  MatrixXd form;
  for (std::size_t s = 0; s < segments.size(); ++s) {
    const PhaseCoordinates at(problem.system, s == 0 ? orbit.point.state : stations[s - 1].state);
    // W: the flow, and rotations about conserved axes.
    MatrixXd group(at.size(), 4);
    VectorXd flow = interpolated_flow(problem, orbit, at, s == 0 ? 0 : stations[s - 1].step);
    if (problem.closure.relative())
      flow += orbit.point.rotation / orbit.point.period * at.rotation(problem.closure.axis);
    flows.push_back(flow);
    if (segments.size() == 1) flow = null_component(segments[s].derivative, std::move(flow));
    group.col(0) = flow;
    Eigen::Index count = 1;
    for (const Vec3& axis : conserved_axes(problem.system)) group.col(count++) = at.rotation(axis);
    const MatrixXd here = at.form(problem.system);
    if (s == 0) form = here;
    const MatrixXd w = group.leftCols(count);
    bases.push_back(reduced_basis(here, w, w));
  }

  OrbitMultipliers out;
  out.basis = bases.front();
  const MatrixXd& q = out.basis;
  std::vector<MatrixXd> reduced;
  double volume = 1;
  for (std::size_t s = 0; s < segments.size(); ++s) {
    const std::size_t next = (s + 1) % segments.size();
    const MatrixXd& map = segments[s].derivative;
    out.flow_error =
        std::max(out.flow_error, (map * flows[s] - flows[next]).norm() / flows[next].norm());
    volume *= determinant(map);
    reduced.emplace_back(bases[next].transpose() * map * bases[s]);
  }
  out.determinant = std::abs(volume - 1);
  out.reduced = reduced.front();
  for (std::size_t s = 1; s < reduced.size(); ++s) out.reduced = (reduced[s] * out.reduced).eval();
  if (q.cols() == 0) return out;
  out.pairs = paired(product_eigensystem(reduced), q.transpose() * form * q);
  for (const MultiplierPair& pair : out.pairs)
    out.pairing = std::max(out.pairing, std::abs(pair.first * pair.second - 1.0));
  return out;
}

}  // namespace twosphere
