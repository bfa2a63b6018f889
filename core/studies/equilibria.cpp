// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/studies/equilibria.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "core/base/decompositions.h"
#include "core/base/interrupt.h"
#include "core/base/json.h"
#include "core/base/parse_number.h"
#include "core/base/philox.h"
#include "core/mechanics/effective_potential.h"
#include "core/mechanics/forwarding_system.h"
#include "core/mechanics/linear_terms.h"
#include "core/mechanics/random_state.h"
#include "core/mechanics/symmetry.h"
#include "core/mechanics/tangent_hessian.h"
#include "core/mechanics/turn_between.h"
#include "core/studies/equal_bodies.h"
#include "core/studies/parallel_tasks.h"

namespace twosphere {

namespace {

constexpr double same_angle = 1e-6;   // between the directions of one equilibrium [rad]
constexpr double same_energy = 1e-9;  // of the scale

/// U of a system with constant forces f, without its damping.
class SystemAtRest final : public ForwardingSystem {
 public:
  SystemAtRest(std::shared_ptr<const System> system, Columns force)
      : ForwardingSystem(std::move(system)), force_(std::move(force)) {
    const bool same =
        !velocity_dependent(original()) && !original().time_dependent() && force_.isZero(0);
    conserved_ = same ? original().conserved_momentum() : symmetric_axes(*this);
  }

  double potential(const Columns& q) const override {
    return original().potential(q) - force_.cwiseProduct(q).sum();
  }
  void gradient(const Columns& q, Columns& g) const override {
    original().gradient(q, g);
    g -= force_;
  }
  void gradient_compensated(const Columns& q, const Columns& q_low, Columns& g) const override {
    original().gradient_compensated(q, q_low, g);
    g -= force_;
  }
  TermKinds term_kinds() const override { return {}; }  // V has those of f, too
  bool has_constant_gradient() const override { return original().has_constant_gradient(); }
  bool has_external_force() const override { return false; }
  void force(double /*t*/, const Columns& /*q*/, Columns& f) const override { f.setZero(); }
  void force_slope(double /*t*/, const Columns& /*q*/, const Columns& /*v*/,
                   Columns& d) const override {
    d.setZero();
  }
  bool time_dependent() const override { return false; }
  double force_period() const override { return 0; }
  bool has_velocity_force() const override { return false; }
  void velocity_force(double /*t*/, const Columns& /*q*/, const Columns& /*w*/,
                      Columns& f) const override {
    f.setZero();
  }
  const Eigen::VectorXd& damping() const override { return no_damping_; }
  std::array<bool, 3> conserved_momentum() const override { return conserved_; }

 private:
  Columns force_;  // f [N m]
  Eigen::VectorXd no_damping_;
  std::array<bool, 3> conserved_{};
};

/// Whether the forces are the same at some random configurations, and without a slope.
bool is_constant(const System& system, double t, const Columns& f) {
  Columns other(3, f.cols()), slope(3, f.cols());
  for (std::uint64_t k = 0; k < 3; ++k) {
    const Columns q = random_directions(system.size(), k);
    system.force(t, q, other);
    system.force_slope(t, q, random_tangents(q, k), slope);
    const double allowed = 1e-12 * f.norm();
    if (!((other - f).norm() <= allowed && slope.norm() <= allowed)) return false;
  }
  return true;
}

/// All that a step of Newton's method needs at a configuration.
struct Expansion {
  explicit Expansion(const System& rest, const Columns& at) {
    const EffectivePotential effective(rest);
    const TangentHessian hessian(effective, at);
    gradient = to_tangent_coordinates(at, hessian.gradient());
    matrix = tangent_matrix(hessian, at);
    finite = gradient.allFinite() && matrix.allFinite();
    if (!finite) return;
    values = symmetric_eigenvalues(matrix);
    largest = values.cwiseAbs().maxCoeff();
    balance = {gradient.norm(), hessian.gradient().colwise().norm().sum() + largest};
  }

  /// −H⁺ g. Eigenvectors take most of the time, and are needed only where H is singular.
  Eigen::VectorXd step() const {
    const double least = 1e-9 * largest;
    if (values.cwiseAbs().minCoeff() > least) {
      LuFactors factors(matrix.rows());
      factors.compute(matrix);
      Eigen::VectorXd x;
      factors.solve(-gradient, x);
      return x;
    }
    const EigenSystem eigen = symmetric_eigensystem(matrix);
    Eigen::VectorXd along = eigen.vectors.transpose() * gradient;
    for (Eigen::Index k = 0; k < along.size(); ++k)
      along[k] = std::abs(eigen.values[k]) > least ? -along[k] / eigen.values[k] : 0;
    return eigen.vectors * along;
  }

  /// −|H|⁻¹ g, with a bound on |H|⁻¹.
  Eigen::VectorXd downhill_step() const {
    const EigenSystem eigen = symmetric_eigensystem(matrix);
    const Eigen::ArrayXd sizes = eigen.values.cwiseAbs().cwiseMax(1e-3 * balance.scale);
    return -eigen.vectors * ((eigen.vectors.transpose() * gradient).array() / sizes).matrix();
  }

  bool finite = false;
  Eigen::VectorXd gradient;  // g
  Eigen::MatrixXd matrix;    // H
  Eigen::VectorXd values;    // its eigenvalues
  double largest = 0;        // of them in magnitude
  Balance balance{std::numeric_limits<double>::quiet_NaN(),
                  std::numeric_limits<double>::quiet_NaN()};
};

Columns moved_by(const Columns& q, const Columns& by, double part) {
  Columns to = q + part * by;
  to.colwise().normalize();
  return to;
}

/// The end of a step `x` in tangent coordinates, at most 0.3 rad for each body, that is halved
/// until it is accepted: accept(q, part of the step). None if it never is.
template <class Accept>
std::optional<Columns> shortened(const Columns& q, const Eigen::VectorXd& x, const Accept& accept) {
  constexpr int max_halvings = 30;
  constexpr double longest = 0.3;
  const Columns by = from_tangent_coordinates(q, x);
  const double length = by.colwise().norm().maxCoeff();
  double part = length > longest ? longest / length : 1;
  for (int half = 0; half < max_halvings; ++half, part /= 2) {
    Columns there = moved_by(q, by, part);
    if (accept(there, part)) return there;
  }
  return {};
}

/// Down to near a minimum of U, by steps −|H|⁻¹ g with eigenvalues of at least a thousandth of the
/// scale, each of which lowers U by a part of what its slope promises.
Columns downhill(const System& rest, Columns q) {
  constexpr int max_steps = 200;
  constexpr double near = 1e-6, promised = 1e-4;
  for (int k = 0; k < max_steps && !interrupted(); ++k) {
    const Expansion here(rest, q);
    if (!here.finite || here.balance.within(near)) break;
    const Eigen::VectorXd x = here.downhill_step();
    const double potential = effective_potential(rest, q), slope = here.gradient.dot(x);
    const auto next = shortened(q, x, [&](const Columns& there, double part) {
      return effective_potential(rest, there) < potential + promised * part * slope;
    });
    if (!next) break;
    q = *next;
  }
  return q;
}

/// Eigenvectors of a symmetric positive semidefinite 3×3 matrix or smaller whose eigenvalues do not
/// vanish, divided by their roots.
Eigen::MatrixXd whitening(const Eigen::MatrixXd& gram, double least) {
  const EigenSystem eigen = symmetric_eigensystem(gram);
  Eigen::MatrixXd out(gram.rows(), gram.rows());
  Eigen::Index count = 0;
  for (Eigen::Index k = 0; k < gram.rows(); ++k)
    if (eigen.values[k] > least)
      out.col(count++) = eigen.vectors.col(k) / std::sqrt(eigen.values[k]);
  return out.leftCols(count);
}

/// The starts of a search, by their number.
class Starts {
 public:
  Starts(const Columns& q, const EquilibriumSearch& search)
      : q_(q), search_(search), straight_(q.cols() <= 10 ? std::size_t{1} << q.cols() : 0) {}

  std::size_t count() const { return 1 + straight_ + static_cast<std::size_t>(search_.tries); }

  Columns operator[](std::size_t k) const {
    const auto n = static_cast<int>(q_.cols());
    if (k < straight_) {
      // ±e3 by the bits of a number. They are the first, because some are exact.
      Columns q = Columns::Zero(3, n);
      for (int i = 0; i < n; ++i) q(2, i) = (k >> i & 1) == 0 ? 1 : -1;
      return q;
    }
    if (k == straight_) return q_;
    const PhiloxCounter words =
        philox({static_cast<std::uint32_t>(k - 1 - straight_), 0, 0, 0}, search_.seed);
    return random_directions(n, std::uint64_t{words[0]} << 32 | words[1]);
  }

 private:
  const Columns& q_;
  EquilibriumSearch search_;
  std::size_t straight_;
};

/// Whether two may be the same one.
bool alike(const Equilibrium& a, const Equilibrium& b) {
  return a.index == b.index && a.nullity == b.nullity &&
         std::abs(a.potential_energy - b.potential_energy) <= same_energy * a.scale;
}

bool same_equilibrium(const Equilibrium& a, const Equilibrium& b, const std::array<bool, 3>& axes) {
  return alike(a, b) && a.kind() == b.kind() &&
         (a.kind() == EquilibriumKind::degenerate || turn_between(a.q, b.q, axes) <= same_angle);
}

/// Leaves the first of those that differ in which of several equal bodies is where.
void merge_equal_bodies(const System& rest, std::vector<Equilibrium>& list) {
  const EqualBodies equal(rest);
  std::vector<Equilibrium> kept;
  for (Equilibrium& one : list)
    if (std::none_of(kept.begin(), kept.end(), [&](const Equilibrium& known) {
          return alike(known, one) && equal.same(known.q, one.q, same_angle);
        }))
      kept.push_back(std::move(one));
  list = std::move(kept);
}

/// Sorts by U, index, q, where values that differ by rounding are equal.
void sort_equilibria(std::vector<Equilibrium>& list) {
  std::sort(list.begin(), list.end(), [](const Equilibrium& a, const Equilibrium& b) {
    return a.potential_energy < b.potential_energy;
  });
  const auto before = [](const Equilibrium& a, const Equilibrium& b) {
    if (a.index != b.index) return a.index < b.index;
    for (Eigen::Index k = 0; k < a.q.size(); ++k)
      if (std::abs(a.q.data()[k] - b.q.data()[k]) > same_angle)
        return a.q.data()[k] > b.q.data()[k];
    return false;
  };
  for (auto first = list.begin(); first != list.end();) {
    auto last = std::next(first);
    while (last != list.end() &&
           last->potential_energy - std::prev(last)->potential_energy <= same_energy * last->scale)
      ++last;
    std::stable_sort(first, last, before);
    first = last;
  }
}

constexpr const char* not_finite = "the first or second derivatives of V are not finite";

}  // namespace

Result<std::shared_ptr<const System>> system_at_rest(std::shared_ptr<const System> system, double t,
                                                     const Columns& q) {
  const auto refused = [](std::string why) {
    return Error{ErrorKind::usage, "system", std::move(why)};
  };
  if (system->size() > max_equilibrium_bodies)
    return refused(fmt::format("has {} bodies; equilibria and modes are found for at most {}",
                               system->size(), max_equilibrium_bodies));
  if (system->free_base())
    return refused(
        "has a base that flies; equilibria and modes are those of the axes of the centre of mass, "
        "without a gravity");
  if (has_gyroscopic(*system))
    return refused(
        "has gyroscopic terms; equilibria, modes and orbits are found without them, or with "
        "strengths");
  if (system->has_velocity_force())
    return refused(
        "has forces that depend on velocities; equilibria and modes are found with damping "
        "and constant forces only");
  Columns f = Columns::Zero(3, q.cols());
  if (system->has_external_force()) {
    if (system->time_dependent())
      return refused(
          "has external forces that depend on the time t, under which nothing stays at rest");
    system->force(t, q, f);
    if (!is_constant(*system, t, f))
      return refused(
          "has external forces that depend on q; equilibria and modes are found with constant "
          "forces f, which have the potential -f.q");
  }
  return std::shared_ptr<const System>(std::make_shared<SystemAtRest>(std::move(system), f));
}

std::shared_ptr<const System> unforced_system(std::shared_ptr<const System> system) {
  const int n = system->size();
  return std::make_shared<SystemAtRest>(std::move(system), Columns::Zero(3, n));
}

Balance balance(const System& rest, const Columns& q) { return Expansion(rest, q).balance; }

std::string_view name(EquilibriumKind kind) {
  constexpr std::string_view names[] = {"minimum", "saddle", "maximum", "degenerate"};
  return names[static_cast<std::size_t>(kind)];
}

EquilibriumKind Equilibrium::kind() const {
  if (nullity > rotations) return EquilibriumKind::degenerate;
  if (index == 0) return EquilibriumKind::minimum;
  return index + nullity == 2 * q.cols() ? EquilibriumKind::maximum : EquilibriumKind::saddle;
}

double vanishing_eigenvalue(double largest, double scale) {
  return std::max(1e-8 * largest, 1e-13 * scale);
}

Equilibrium equilibrium_at(const System& rest, const Columns& q) {
  const Expansion here(rest, q);
  Equilibrium out;
  out.q = q.array() + 0.0;  // no zeros with a sign
  out.potential_energy = effective_potential(rest, q);
  const double least = vanishing_eigenvalue(here.largest, here.balance.scale);
  out.index = static_cast<int>((here.values.array() < -least).count());
  out.nullity = static_cast<int>((here.values.array().abs() <= least).count());
  out.rotations = static_cast<int>(rotation_directions(rest, q).cols());
  out.scale = here.balance.scale;
  return out;
}

Eigen::MatrixXd rotation_directions(const System& rest, const Columns& q) {
  const std::array<bool, 3> axes = rest.conserved_momentum();
  Eigen::MatrixXd turned(2 * q.cols(), 3);
  Eigen::Index count = 0;
  for (int axis = 0; axis < 3; ++axis) {
    if (!axes[static_cast<std::size_t>(axis)]) continue;
    Columns along(3, q.cols());
    for (Eigen::Index i = 0; i < q.cols(); ++i) along.col(i) = Vec3::Unit(axis).cross(q.col(i));
    turned.col(count++) = to_tangent_coordinates(q, along);
  }
  if (count == 0) return turned.leftCols(0);
  const Eigen::MatrixXd used = turned.leftCols(count);
  return used * whitening(used.transpose() * used, 1e-10 * static_cast<double>(q.cols()));
}

NewtonEnd newton_equilibrium(const System& rest, const Columns& start) {
  constexpr int max_steps = 100;
  constexpr double wanted = 1e-13, rounding = 1e-11;
  NewtonEnd end{start, {}, false};
  const EffectivePotential effective(rest);
  bool went_downhill = false;
  for (int k = 0; k <= max_steps && !interrupted(); ++k) {
    const Expansion here(rest, end.q);
    end.balance = here.balance;
    if (!here.finite) return end;
    end.converged = here.balance.within(wanted);
    if (end.converged) return end;
    const auto next = shortened(end.q, here.step(), [&](const Columns& there, double) {
      Columns g(3, start.cols());
      effective.gradient(there, g);
      return to_tangent_coordinates(there, g).norm() < here.balance.torque;
    });
    if (next) {
      end.q = *next;
      continue;
    }
    // Where no step makes |g| smaller, it is rounding, or a minimum of |g| that is no equilibrium.
    end.converged = here.balance.within(rounding);
    if (end.converged || went_downhill) return end;
    went_downhill = true;
    end.q = downhill(rest, end.q);
    k = 0;
  }
  return end;
}

Equilibria find_equilibria(const System& rest, const Columns& q, const EquilibriumSearch& search,
                           int threads, const SearchProgress& proceed) {
  const Starts starts(q, search);
  std::vector<std::optional<Equilibrium>> found(starts.count());
  std::vector<double> rests(starts.count(), std::numeric_limits<double>::infinity());
  std::atomic<bool> stop = false;
  Equilibria out;
  out.starts = starts.count();
  out.complete = parallel_tasks(
      starts.count(), threads,
      [&](std::size_t k, const std::stop_token&) {
        const Interruptible interruptible(stop);
        const NewtonEnd end = newton_equilibrium(rest, starts[k]);
        if (end.converged)
          found[k] = equilibrium_at(rest, end.q);
        else if (const double part = end.balance.torque / end.balance.scale; std::isfinite(part))
          rests[k] = part;
      },
      [&](std::size_t done, std::size_t all) {
        const bool wanted = proceed(done, all);
        if (!wanted) stop = true;
        return wanted;
      });
  if (stop) out.complete = false;  // also where the starts that were left have ended at once
  const std::array<bool, 3> axes = rest.conserved_momentum();
  for (const auto& one : found) {
    if (!one) continue;
    ++out.converged;
    const auto known =
        std::find_if(out.list.begin(), out.list.end(),
                     [&](const Equilibrium& other) { return same_equilibrium(other, *one, axes); });
    if (known == out.list.end())
      out.list.push_back(*one);
    else if (one->rotations > known->rotations)
      *known = *one;  // of a family not one with all bodies on an axis
  }
  out.min_rest = *std::min_element(rests.begin(), rests.end());
  sort_equilibria(out.list);
  for (std::size_t k = 0; k < out.list.size(); ++k) out.list[k].number = k;
  if (search.merge_equal) merge_equal_bodies(rest, out.list);
  return out;
}

std::string no_equilibrium(const Equilibria& found) {
  const std::string ends =
      std::isfinite(found.min_rest)
          ? fmt::format("the least torque at which Newton's method ended is {:.2g} of its scale",
                        found.min_rest)
          : fmt::format("Newton's method ended where {}", not_finite);
  return fmt::format("no equilibrium was found from {} starts; {}", found.starts, ends);
}

Result<EquilibriumChoice> parse_equilibrium_choice(const std::string& text) {
  using At = EquilibriumChoice::At;
  if (text == "start") return EquilibriumChoice{At::start};
  if (text == "nearest") return EquilibriumChoice{At::nearest};
  if (const auto number = parse_number<std::size_t>(text))
    return EquilibriumChoice{At::number, *number};
  return Error{ErrorKind::usage, "at",
               fmt::format("must be start, nearest or the number of an equilibrium, from 0, not {}",
                           json::quote(text))};
}

Result<std::optional<Equilibrium>> chosen_equilibrium(const System& rest, const Columns& q,
                                                      const EquilibriumChoice& choice, int threads,
                                                      const SearchProgress& proceed) {
  using At = EquilibriumChoice::At;
  constexpr double at_rest = 1e-9;
  if (choice.at == At::start) {
    const Balance here = balance(rest, q);
    if (here.within(at_rest)) return std::optional(equilibrium_at(rest, q));
    if (!std::isfinite(here.torque))
      return Error{
          ErrorKind::check, "at",
          fmt::format("at the start {}; nearest or a number chooses another place", not_finite)};
    return Error{ErrorKind::check, "at",
                 fmt::format("the start is no equilibrium: its torques are {:.3g} J, which may be "
                             "{:.1g} J; nearest looks for one from there",
                             here.torque, at_rest * here.scale)};
  }
  if (choice.at == At::nearest) {
    NewtonEnd end;
    std::atomic<bool> stop = false;
    const bool done = parallel_tasks(
        1, 1,
        [&](std::size_t, const std::stop_token&) {
          const Interruptible interruptible(stop);
          end = newton_equilibrium(rest, q);
        },
        [&](std::size_t ready, std::size_t all) {
          const bool wanted = proceed(ready, all);
          if (!wanted) stop = true;
          return wanted;
        });
    if (!done || stop) return std::optional<Equilibrium>();
    if (end.converged) return std::optional(equilibrium_at(rest, end.q));
    if (!std::isfinite(end.balance.torque))
      return Error{
          ErrorKind::check, "at",
          fmt::format("Newton's method from the start ends where {}; give the number of one "
                      "of the list of equilibria",
                      not_finite)};
    return Error{ErrorKind::check, "at",
                 fmt::format("Newton's method from the start ends at torques of {:.3g} J, which is "
                             "no equilibrium; give the number of one of the list of equilibria",
                             end.balance.torque)};
  }
  const Equilibria all = find_equilibria(rest, q, {}, threads, proceed);
  if (!all.complete) return std::optional<Equilibrium>();
  if (choice.number < all.list.size()) return std::optional(all.list[choice.number]);
  return Error{ErrorKind::usage, "at",
               all.list.empty()
                   ? "no equilibrium has been found"
                   : fmt::format("must be from 0 to {}, the last of the equilibria, not {}",
                                 all.list.size() - 1, choice.number)};
}

}  // namespace twosphere
