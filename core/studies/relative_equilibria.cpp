// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/studies/relative_equilibria.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <functional>
#include <optional>
#include <stop_token>
#include <utility>

#include "core/base/decompositions.h"
#include "core/base/interrupt.h"
#include "core/base/json.h"
#include "core/mechanics/diagnostics.h"
#include "core/mechanics/linear_terms.h"
#include "core/mechanics/tangent_hessian.h"
#include "core/mechanics/turn_between.h"
#include "core/studies/equal_bodies.h"
#include "core/studies/linear_flow.h"
#include "core/studies/orbit_problem.h"
#include "core/studies/parallel_tasks.h"
#include "core/studies/relative_curve.h"
#include "core/studies/tangent_matrices.h"
#include "core/studies/turning_potential.h"

namespace twosphere {

namespace {

constexpr double same_place = 1e-6;   // [rad]
constexpr double none_turns = 1e-12;  // I of bodies on the axis, of the sum of m_ii

TurningPotential turning_at(const TurningSystem& turning, TurningPotential::Held held,
                            double value) {
  return {turning.rest, turning.axis, held, value};
}

/// Whether any body is off the axis.
bool off_axis(const TurningSystem& turning, const Columns& q) {
  if (first_order(*turning.system)) {
    Columns across = q;
    across.row(turning.axis).setZero();
    return across.norm() > 1e-6;
  }
  Eigen::VectorXd largest;
  diagonal(turning.system->inertia(), q, largest);
  return Turning(*turning.rest, Vec3::Unit(turning.axis)).inertia(q) > none_turns * largest.sum();
}

/// Numbers of negative and of vanishing eigenvalues of a symmetric matrix, and of all. `slopes`:
/// the sum of the sizes of the gradients [J].
struct Signature {
  Signature(const Eigen::MatrixXd& matrix, double slopes) {
    if (matrix.rows() == 0) return;
    const Eigen::VectorXd values = symmetric_eigenvalues(matrix);
    const double largest = values.cwiseAbs().maxCoeff(),
                 least = vanishing_eigenvalue(largest, slopes + largest);
    negative = static_cast<int>((values.array() < -least).count());
    zero = static_cast<int>((values.array().abs() <= least).count());
    all = static_cast<int>(values.size());
  }

  bool flat() const { return all > 0 && zero == all; }
  bool definite() const { return zero == 0 && (negative == 0 || negative == all); }

  int negative = 0, zero = 0, all = 0;
};

Stability stability_of(const RelativeEquilibrium& relative, bool definite) {
  double fastest = 0;
  for (const std::complex<double>& s : relative.eigenvalues)
    fastest = std::max(fastest, std::abs(s));
  // A double eigenvalue 0 has only half of the digits.
  const double least = relative.nullity > 0 ? 1e-6 * fastest : 0;
  if (definite) return Stability::stable;
  if (relative.growth() > least) return Stability::unstable;
  return relative.nullity > 0 ? Stability::degenerate : Stability::linearly_stable;
}

/// The relative equilibria of these equilibria of a TurningPotential, sorted by their energies.
Result<std::vector<RelativeEquilibrium>> relative_list(
    const TurningSystem& turning, const Equilibria& found,
    const std::function<double(const Columns&)>& rate) {
  std::vector<RelativeEquilibrium> list;
  for (const Equilibrium& one : found.list) {
    if (!off_axis(turning, one.q)) continue;
    auto relative = relative_equilibrium_at(turning, one.q, rate(one.q));
    if (!relative) return relative.error();
    list.push_back(std::move(*relative));
  }
  std::stable_sort(list.begin(), list.end(),
                   [](const auto& a, const auto& b) { return a.energy < b.energy; });
  return list;
}

/// Curves of one point each.
std::vector<RelativeCurve> single_points(std::vector<RelativeEquilibrium> list) {
  std::vector<RelativeCurve> curves;
  for (RelativeEquilibrium& one : list) curves.push_back({{std::move(one)}, {}});
  return curves;
}

/// `equal`: up to places of equal bodies; null: each body in its own.
bool on_curve(const RelativeCurve& curve, const RelativeEquilibrium& one, int axis,
              const EqualBodies* equal) {
  std::array<bool, 3> about{};
  about[static_cast<std::size_t>(axis)] = true;
  // The momentum may be 0.
  double largest = std::abs(one.momentum);
  for (const RelativeEquilibrium& known : curve.list)
    largest = std::max(largest, std::abs(known.momentum));
  return std::any_of(curve.list.begin(), curve.list.end(), [&](const RelativeEquilibrium& known) {
    return std::abs(known.momentum - one.momentum) <= 1e-9 * largest &&
           (equal ? equal->same(known.q, one.q, same_place)
                  : turn_between(known.q, one.q, about) <= same_place);
  });
}

/// The curve through a relative equilibrium, between the first and the last of the momenta.
Result<RelativeCurve> whole_curve(const TurningSystem& turning, const RelativeEquilibrium& from,
                                  const std::vector<double>& momenta) {
  RelativeCurve curve;
  for (const int direction : {-1, 1}) {
    RelativeWay way = follow_relative_curve(turning, {from.q, from.rate}, direction, momenta);
    if (direction < 0) std::reverse(way.points.begin(), way.points.end());
    for (const RelativeWay::Point& point : way.points) {
      auto one = relative_equilibrium_at(turning, point.place.q, point.place.rate);
      if (!one) return one.error();
      if (point.turn) curve.turns.push_back(curve.list.size());
      curve.list.push_back(std::move(*one));
    }
    if (direction < 0) curve.list.push_back(from);
    // A closed curve has been followed all around.
    if (way.closed) break;
  }
  return curve;
}

/// What acts on small motions about a relative equilibrium in the frame that turns with it, in
/// tangent coordinates.
struct TurningMatrices {
  TurningMatrices(const TurningSystem& turning, const Columns& q, double rate)
      : TurningMatrices(turning_at(turning, TurningPotential::Held::rate, rate), *turning.system,
                        q) {}
  TurningMatrices(const TurningPotential& at_rate, const System& system, const Columns& q)
      : TurningMatrices(TangentHessian(at_rate, q), at_rate, system, q) {}
  TurningMatrices(const TangentHessian& second, const TurningPotential& at_rate,
                  const System& system, const Columns& q)
      : slopes(second.gradient().colwise().norm().sum()),
        hessian(tangent_matrix(second, q)),
        rotation(rotation_directions(at_rate, q)),
        torques(velocity_torques(system, q)) {}

  double slopes;             ///< Σ |∂(U − ½ Ω² I − Ω k)/∂q_i| [J]
  Eigen::MatrixXd hessian;   ///< of U − ½ Ω² I − Ω k
  Eigen::MatrixXd rotation;  ///< about the axis, as a column
  Eigen::MatrixXd torques;   ///< of strengths
};

Result<std::vector<FlowMode>> small_motions(const TurningSystem& turning, const Columns& q,
                                            double rate, const TurningMatrices& at) {
  const System& system = *turning.system;
  if (!positive_definite(system.inertia(), q))
    return Error{ErrorKind::check, "system",
                 "has an inertia that is not positive definite at a relative equilibrium"};
  if (first_order(system)) return flow_modes(LinearFlow{at.torques, at.hessian, at.rotation, true});
  return flow_modes(SecondOrderFlow{
      at.hessian, tangent_inertia(system, q),
      turning_torques(system, q, rate * Vec3::Unit(turning.axis)) - at.torques, at.rotation, true});
}

}  // namespace

std::string_view name(Stability stability) {
  constexpr std::string_view names[] = {"stable", "linearly stable", "unstable", "degenerate"};
  return names[static_cast<std::size_t>(stability)];
}

double RelativeEquilibrium::growth() const {
  double largest = 0;
  for (const std::complex<double>& s : eigenvalues) largest = std::max(largest, s.real());
  return largest;
}

Result<void> check_turning(const TurningSystem& turning) {
  const System& system = *turning.system;
  const auto refused = [](std::string why) {
    return Error{ErrorKind::usage, "system", std::move(why)};
  };
  if (system.size() > max_damped_mode_bodies)
    return refused(fmt::format("has {} bodies; relative equilibria are found for at most {}",
                               system.size(), max_damped_mode_bodies));
  if (damped(system)) return refused("has damping, with which no motion turns on for ever");
  if (has_frame_rotation(system))
    return refused(
        "has axes that rotate; relative equilibria are found in axes at rest, where those about "
        "the axis of the rotation are the same");
  if (!turning.rest->conserved_momentum()[static_cast<std::size_t>(turning.axis)])
    return refused(
        fmt::format("does not conserve the momentum about e{}, about which its relative equilibria "
                    "would turn",
                    turning.axis + 1));
  return {};
}

Result<RelativeEquilibrium> relative_equilibrium_at(const TurningSystem& turning, const Columns& q,
                                                    double rate) {
  using Held = TurningPotential::Held;
  const System& system = *turning.system;
  const TurningMatrices at(turning, q, rate);
  const auto flow = small_motions(turning, q, rate, at);
  if (!flow) return flow.error();
  const Turning about(*turning.rest, Vec3::Unit(turning.axis));
  RelativeEquilibrium out;
  out.q = q.array() + 0.0;  // no zeros with a sign
  out.axis = Vec3::Unit(turning.axis);
  out.rate = rate;
  out.inertia = about.inertia(q);
  const Eigen::VectorXd& kappa = turning.rest->strength();
  out.momentum = without_rounding(rate * out.inertia + about.strength(q),
                                  std::abs(rate) * out.inertia + kappa.cwiseAbs().sum());
  out.energy = turning.rest->potential(q) + 0.5 * rate * rate * out.inertia;
  Eigen::MatrixXd left_out = at.rotation, second = at.hessian;
  if (first_order(system)) {
    // Of the same k: orthogonal to its slope, too.
    const Eigen::Index rotations = at.rotation.cols();
    left_out.conservativeResize(Eigen::NoChange, 2 * rotations);
    if (rotations > 0)
      left_out.rightCols(rotations) = to_tangent_coordinates(q, about.strength_slope(q));
  } else {
    second =
        tangent_matrix(TangentHessian(turning_at(turning, Held::momentum, out.momentum), q), q);
  }
  for (const FlowMode& mode : *flow) out.eigenvalues.push_back(mode.s);
  const Eigen::MatrixXd space = orthogonal_complement(left_out);
  const Signature signature(space.transpose() * second * space, at.slopes);
  out.index = signature.negative;
  out.nullity = signature.zero;
  // Where the energy is flat nothing grows, and the eigenvalues are rounding.
  out.stability =
      signature.flat()
          ? Stability::degenerate
          : stability_of(out, first_order(system) ? signature.definite()
                                                  : signature.negative + signature.zero == 0);
  return out;
}

Result<Modes> relative_modes(const TurningSystem& turning, const Columns& q, double rate) {
  const auto flow = small_motions(turning, q, rate, TurningMatrices(turning, q, rate));
  if (!flow) return flow.error();
  Modes out;
  out.elliptic = true;
  for (const FlowMode& one : *flow) out.list.push_back(elliptic_mode(one, q));
  return out;
}

Result<RelativeEquilibria> relative_equilibria_of_rate(const TurningSystem& turning,
                                                       const Columns& q, double rate,
                                                       const EquilibriumSearch& search, int threads,
                                                       const SearchProgress& proceed) {
  const TurningPotential potential = turning_at(turning, TurningPotential::Held::rate, rate);
  const Equilibria found = find_equilibria(potential, q, search, threads, proceed);
  RelativeEquilibria out{{}, found.starts, found.converged, found.complete};
  if (!found.complete) return out;
  auto list = relative_list(turning, found, [rate](const Columns&) { return rate; });
  if (!list) return list.error();
  out.curves = single_points(std::move(*list));
  return out;
}

Result<RelativeEquilibria> relative_equilibria_of_momenta(
    const TurningSystem& turning, const Columns& q, const std::vector<double>& momenta,
    const EquilibriumSearch& search, int threads, const SearchProgress& proceed) {
  if (first_order(*turning.system))
    return Error{ErrorKind::usage, "system",
                 "is of first order; its relative equilibria are found at a given rate only"};
  const Turning about(*turning.rest, Vec3::Unit(turning.axis));
  RelativeEquilibria out;
  for (std::size_t k = 0; k < momenta.size(); ++k) {
    const double momentum = momenta[k];
    const TurningPotential amended =
        turning_at(turning, TurningPotential::Held::momentum, momentum);
    const Equilibria found =
        find_equilibria(amended, q, search, threads, [&](std::size_t done, std::size_t all) {
          return proceed(k * all + done, momenta.size() * all);
        });
    out.starts += found.starts;
    out.converged += found.converged;
    out.complete = found.complete;
    if (!out.complete) return out;
    auto list = relative_list(turning, found, [&](const Columns& at) {
      return (momentum - about.strength(at)) / about.inertia(at);
    });
    if (!list) return list.error();
    if (momenta.size() == 1) {
      out.curves = single_points(std::move(*list));
      return out;
    }
    std::optional<EqualBodies> equal;
    if (search.merge_equal) equal.emplace(amended);
    for (const RelativeEquilibrium& one : *list) {
      if (std::any_of(out.curves.begin(), out.curves.end(), [&](const RelativeCurve& curve) {
            return on_curve(curve, one, turning.axis, equal ? &*equal : nullptr);
          }))
        continue;
      std::optional<Result<RelativeCurve>> curve;
      std::atomic<bool> stop = false;
      out.complete = parallel_tasks(
          1, 1,
          [&](std::size_t, const std::stop_token&) {
            const Interruptible interruptible(stop);
            curve = whole_curve(turning, one, momenta);
          },
          [&](std::size_t, std::size_t) {
            const bool wanted = proceed((k + 1) * found.starts, momenta.size() * found.starts);
            if (!wanted) stop = true;
            return wanted;
          });
      if (stop) out.complete = false;
      if (!out.complete) return out;
      if (!*curve) return curve->error();
      out.curves.push_back(std::move(**curve));
    }
  }
  return out;
}

void TurningAxis::turn_back(RelativeEquilibria& found) const {
  if (to.isIdentity(0)) return;
  for (RelativeCurve& curve : found.curves)
    for (RelativeEquilibrium& one : curve.list) {
      one.q = to.transpose() * one.q;
      one.axis = direction();
    }
}

std::optional<TurningAxis> turning_axis(const System& rest, const Vec3& axis) {
  constexpr double straight = 1e-12;
  int along = 0;
  if (axis.cwiseAbs().maxCoeff(&along) > 1 - straight) return TurningAxis{along, Mat3::Identity()};
  const auto conserved = rest.conserved_momentum();
  if (!std::all_of(conserved.begin(), conserved.end(), [](bool one) { return one; })) return {};
  return TurningAxis{2, smallest_turn(axis.normalized(), Vec3::UnitZ())};
}

Result<TurningAxis> read_turning_axis(const std::string& text, const System& rest,
                                      const State& state) {
  const auto wrong = [](std::string why) {
    return Error{ErrorKind::usage, "about", std::move(why)};
  };
  for (int axis = 0; axis < 3; ++axis)
    if (text == fmt::format("e{}", axis + 1)) return TurningAxis{axis, Mat3::Identity()};
  if (text != "J") return wrong("must be e1, e2, e3 or J, not " + json::quote(text));
  const auto conserved = rest.conserved_momentum();
  if (!std::all_of(conserved.begin(), conserved.end(), [](bool one) { return one; }))
    return wrong("can be J where all rotations leave the system unchanged, not here");
  const Vec3 j = orbit_momentum(rest, state);
  if (!(j.norm() > 0)) return wrong("cannot be J, which is 0 at the start");
  // Not −e_k as e_k: J is positive about its own direction.
  return TurningAxis{2, smallest_turn(j.normalized(), Vec3::UnitZ())};
}

State start_turning(const RelativeEquilibrium& relative) {
  State start{0, relative.q, Columns::Zero(3, relative.q.cols())};
  const Vec3 turn = relative.rate * relative.axis;
  for (Eigen::Index i = 0; i < start.q.cols(); ++i) {
    const Vec3 at = start.q.col(i);
    start.w.col(i) = tangent(at, turn);
  }
  return start;
}

State start_turning_in_mode(const Columns& q, const Vec3& turn, const Mode& mode,
                            double amplitude) {
  State start = start_in_mode(q, mode, amplitude);
  for (Eigen::Index i = 0; i < start.q.cols(); ++i) start.w.col(i) += tangent(start.q.col(i), turn);
  return start;
}

}  // namespace twosphere
