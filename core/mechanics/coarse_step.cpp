// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mechanics/coarse_step.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <mutex>
#include <numbers>
#include <optional>
#include <string_view>
#include <utility>

#include "core/base/interrupt.h"
#include "core/mechanics/parameter.h"

namespace twosphere {

namespace {

/// Steps of bodies that are taken to judge a step.
constexpr int max_bodies_stepped = 40'000;

/// The largest value of resolved_turn() [rad].
constexpr double max_resolved = 1;

/// The error per radian at twice the largest step that resolves, that of a leapfrog step of 0.2
/// rad: sin φ'/2 = φ/2.
const double allowed_error = (2 * std::asin(0.1) - 0.2) / 0.2;

/// One body with V = −e3·q.
class InAField : public System {
 public:
  explicit InAField(Inertia inertia) : inertia_(std::move(inertia)) {}
  int size() const override { return 1; }
  const Inertia& inertia() const override { return inertia_; }
  double potential(const Columns& q) const override { return -q(2, 0); }
  void gradient(const Columns& /*q*/, Columns& g) const override { g.col(0) = Vec3(0, 0, -1); }
  void hessian_times(const Columns& /*q*/, const Columns& /*v*/, Columns& h) const override {
    h.setZero();
  }
  void geometry(const Columns& /*q*/, Geometry& out) const override { out.clear(); }
  Extent extent() const override { return {}; }

 private:
  Inertia inertia_;
};

/// Small oscillations about e3 have the frequency 1 rad/s.
class SmallOscillation final : public InAField {
 public:
  SmallOscillation() : InAField(DiagonalInertia(Eigen::VectorXd::Ones(1))) {}
};

/// A spin that turns about e3 at 1 rad/s.
class SmallPrecession final : public InAField {
 public:
  SmallPrecession() : InAField(NoInertia{1}) {}
  const Eigen::VectorXd& strength() const override { return strength_; }
  TermKinds term_kinds() const override { return {.known = true}; }
  PairTerms pair_terms() const override {
    PairTerms terms;
    terms.field = Vec3::UnitZ();
    return terms;
  }

 private:
  Eigen::VectorXd strength_ = Eigen::VectorXd::Ones(1);
};

/// The components of q across e3 after a step of a method for systems of first order.
std::optional<Eigen::Vector2d> precessed(const IntegratorInfo& method, double h,
                                         const Eigen::Vector2d& start) {
  const SmallPrecession system;
  State state{0, Columns(3, 1), Columns::Zero(3, 1)};
  state.q << start[0], start[1], std::sqrt(1 - start.squaredNorm());
  const auto integrator = method.create(default_values(method.parameters));
  integrator->prepare(system, state);
  if (const StepReport done = integrator->advance(system, h, state); !done.ok()) return {};
  return Eigen::Vector2d(state.q(0, 0), state.q(1, 0));
}

/// Angle and angular velocity after a step from there.
std::optional<Eigen::Vector2d> after_step(const IntegratorInfo& method, double h,
                                          const Eigen::Vector2d& start) {
  const SmallOscillation system;
  if (!method.supports(system)) return precessed(method, h, start);
  State state{0, Columns(3, 1), Columns(3, 1)};
  state.q << std::sin(start[0]), 0, std::cos(start[0]);
  state.w << 0, start[1], 0;
  const auto integrator = method.create(default_values(method.parameters));
  integrator->prepare(system, state);
  if (const StepReport done = integrator->advance(system, h, state); !done.ok()) return {};
  integrator->complete(system, state);
  return Eigen::Vector2d(std::atan2(state.q(0, 0), state.q(2, 0)), state.w(1, 0));
}

/// The matrix of a step for small oscillations.
std::optional<Eigen::Matrix2d> step_matrix(const IntegratorInfo& method, double h) {
  constexpr double small = 1e-4;
  Eigen::Matrix2d map;
  for (int k = 0; k < 2; ++k) {
    const auto end = after_step(method, h, small * Eigen::Vector2d::Unit(k));
    if (!end) return {};
    map.col(k) = *end / small;
  }
  return map;
}

/// Per radian, the error of the phase, or of the logarithm of the amplitude if that is larger:
/// those of the eigenvalues of the step's matrix.
double error_per_radian(const IntegratorInfo& method, double h) {
  constexpr double infinite = 1e9;
  const auto map = step_matrix(method, h);
  if (!map) return infinite;
  const double determinant = map->determinant(),
               cosine = map->trace() / (2 * std::sqrt(std::max(determinant, 0.0)));
  if (!(std::abs(cosine) <= 1)) return infinite;
  return std::max(std::abs(std::acos(cosine) - h), std::abs(std::log(determinant)) / 2) / h;
}

double measured_turn(const IntegratorInfo& method) {
  constexpr double most = 2 * max_resolved, precision = 1e-6;
  const auto resolves = [&](double h) { return error_per_radian(method, h) <= allowed_error; };
  double good = precision, bad = 0.02;
  while (bad < most && resolves(bad)) good = std::exchange(bad, 1.25 * bad);
  if (bad >= most) return max_resolved;
  while (bad - good > precision) (resolves((good + bad) / 2) ? good : bad) = (good + bad) / 2;
  return good / 2;
}

/// Whether the errors of steps h from a state on reach StepErrors::min_share() over the horizon
/// at a rate that h is too large for.
bool errors_matter(const IntegratorInfo& method, const Values& values, double h,
                   const System& system, State state, double rate) {
  constexpr double unstable = 2;
  const double turn = h * rate, steps = std::ceil(StepErrors::horizon / turn);
  if (turn >= unstable) return true;
  if (!StepErrors::known(method) || steps * system.size() > max_bodies_stepped)
    return turn >= CoarseStep::min_ratio * resolved_turn(method);
  StepErrors errors(method, state.q);
  const auto integrator = method.create(values);
  integrator->prepare(system, state);
  const double start = state.t;
  for (int k = 1; k <= std::max(steps, 2.0 * errors.in_row()); ++k) {
    if (!integrator->advance(system, h, state).ok() || interrupted()) return !interrupted();
    state.t = start + k * h;
    errors.add(state.q);
  }
  return !(errors.share(steps) < StepErrors::min_share());
}

/// The sweeps of a step from a state; 0 if it fails.
int sweeps_of_step(const IntegratorInfo& method, const Values& values, double h,
                   const System& system, State state) {
  const auto integrator = method.create(values);
  integrator->prepare(system, state);
  const StepReport done = integrator->advance(system, h, state);
  return done.ok() ? done.sweeps : 0;
}

}  // namespace

double resolved_turn(const IntegratorInfo& method) {
  static std::mutex mutex;
  static std::map<std::string_view, double> known;
  const std::lock_guard lock(mutex);
  const auto [at, is_new] = known.try_emplace(method.key);
  if (is_new) at->second = measured_turn(method);
  return at->second;
}

double resolving_step(const IntegratorInfo& method, const TimeScales& scales) {
  return resolved_turn(method) / scales.fastest();
}

double oscillation_turn(const IntegratorInfo& method, double h) {
  const auto map = step_matrix(method, h);
  if (!map) return std::numeric_limits<double>::quiet_NaN();
  // The eigenvalues are ½ tr ± i s: s² without the cancellation that det − ¼ tr² has.
  const double difference = ((*map)(0, 0) - (*map)(1, 1)) / 2,
               square = -(*map)(0, 1) * (*map)(1, 0) - difference * difference;
  if (!(square >= 0)) return std::numeric_limits<double>::quiet_NaN();
  return std::atan2(std::sqrt(square), map->trace() / 2);
}

bool StepErrors::known(const IntegratorInfo& method) {
  return resolved_turn(method) < max_resolved;
}

StepErrors::StepErrors(const IntegratorInfo& method, const Columns& q)
    : order_(method.order),
      factor_(allowed_error * 2 * resolved_turn(method) /
              std::pow(2 * std::sin(resolved_turn(method)), method.order + 1)),
      start_(q),
      next_(q),
      differences_(static_cast<std::size_t>(in_row()), q) {
  add(q);
}

void StepErrors::add(const Columns& q) {
  motion_ = std::max(motion_, (q - start_).colwise().norm().maxCoeff());
  next_ = q;
  for (int j = 0; j < known_; ++j) {
    Columns& difference = differences_[static_cast<std::size_t>(j)];
    difference.swap(next_);
    next_ = difference - next_;
  }
  if (known_ < in_row()) differences_[static_cast<std::size_t>(known_++)] = next_;
  if (known_ < in_row()) return;
  ++count_;
  sum_ += factor_ * largest(order_ + 1);
}

/// max_i |Δ^j q_i| of the last q.
double StepErrors::largest(int j) const {
  const double rounding = std::ldexp(std::numeric_limits<double>::epsilon(), j + 1),
               size = differences_[static_cast<std::size_t>(j)].colwise().norm().maxCoeff();
  return size <= rounding ? 0 : size;
}

void StepErrors::leave_out() {
  known_ = count_ = 0;
  sum_ = 0;
}

double StepErrors::share(double steps) const {
  return sum_ == 0 ? 0 : steps * sum_ / count_ / motion_;
}

double StepErrors::turn() const {
  const double slower = largest(order_ - 1);
  return slower > 0 ? std::sqrt(largest(order_ + 1) / slower) : 0;
}

double StepErrors::min_share() { return allowed_error * horizon / std::numbers::pi; }

std::vector<CoarseStep> coarse_steps(const IntegratorInfo& method, const Values& values, double h,
                                     const System& system, const State& state,
                                     const TimeScales& scales) {
  std::vector<CoarseStep> found;
  if (method.adaptive || !scales.finite()) return found;
  // The fastest rates are those of close pairs, which the method takes exactly.
  if (method.exact_pairs && system.closest_encounter(state.q)) return found;
  if (const CoarseStep step{CoarseStep::Cause::rate, h, resolving_step(method, scales)};
      step.ratio() > 1 && errors_matter(method, values, h, system, state, scales.fastest()))
    found.push_back(step);
  if (const CoarseStep step{CoarseStep::Cause::damping, h, 1 / scales.damping};
      step.ratio() >= CoarseStep::min_ratio)
    found.push_back(step);
  if (!method.explicit_method && first_order(system) && system.size() <= max_bodies_stepped)
    if (const auto step = coarse_by_sweeps(h, sweeps_of_step(method, values, h, system, state)))
      found.push_back(*step);
  if (interrupted()) found.clear();
  return found;
}

std::optional<CoarseStep> coarse_by_sweeps(double h, int sweeps) {
  constexpr double digits = 36;  // −ln of rounding
  if (sweeps <= many_sweeps) return {};
  return CoarseStep{CoarseStep::Cause::sweeps, h, h * std::exp(digits / sweeps - 1), sweeps};
}

bool has_coarse_rate(const std::vector<CoarseStep>& found) {
  return std::any_of(found.begin(), found.end(),
                     [](const CoarseStep& s) { return s.cause == CoarseStep::Cause::rate; });
}

std::string describe(const CoarseStep& coarse) {
  if (coarse.cause == CoarseStep::Cause::rate)
    return fmt::format(
        "the step, {:.3g} s, is {:.2g} times the largest that resolves the fastest rate, {:.2g} s",
        coarse.step, coarse.ratio(), coarse.resolving);
  if (coarse.cause == CoarseStep::Cause::sweeps)
    return fmt::format(
        "the step, {:.3g} s, takes {} sweeps, more than {}: steps above {:.2g} s save no time",
        coarse.step, coarse.sweeps, many_sweeps, coarse.resolving);
  return fmt::format(
      "the step, {:.3g} s, is {:.2g} times M/c = {:.2g} s: slow motion has order 1, and where a "
      "spin stops is not resolved",
      coarse.step, coarse.ratio(), coarse.resolving);
}

}  // namespace twosphere
