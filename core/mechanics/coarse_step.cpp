// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mechanics/coarse_step.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>

namespace twosphere {

namespace {

/// V = −e3·q: small oscillations about e3 have the frequency 1 rad/s.
class SmallOscillation final : public System {
 public:
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
  Inertia inertia_ = DiagonalInertia(Eigen::VectorXd::Ones(1));
};

/// Angle and angular velocity after a step from there.
std::optional<Eigen::Vector2d> after_step(const IntegratorInfo& method, double h,
                                          const Eigen::Vector2d& start) {
  Values values;
  for (const ParameterInfo& p : method.parameters) values[std::string(p.key)] = {p.fallback};
  const SmallOscillation system;
  State state{0, Columns(3, 1), Columns(3, 1)};
  state.q << std::sin(start[0]), 0, std::cos(start[0]);
  state.w << 0, start[1], 0;
  const auto integrator = method.create(values);
  integrator->prepare(system, state);
  if (const StepReport done = integrator->advance(system, h, state); !done.ok()) return {};
  integrator->complete(system, state);
  return Eigen::Vector2d(std::atan2(state.q(0, 0), state.q(2, 0)), state.w(1, 0));
}

/// Per radian, the error of the phase, or of the logarithm of the amplitude if that is larger:
/// those of the eigenvalues of the step's matrix.
double error_per_radian(const IntegratorInfo& method, double h) {
  constexpr double small = 1e-4, infinite = 1e9;
  Eigen::Matrix2d map;
  for (int k = 0; k < 2; ++k) {
    const auto end = after_step(method, h, small * Eigen::Vector2d::Unit(k));
    if (!end) return infinite;
    map.col(k) = *end / small;
  }
  const double determinant = map.determinant(),
               cosine = map.trace() / (2 * std::sqrt(std::max(determinant, 0.0)));
  if (!(std::abs(cosine) <= 1)) return infinite;
  return std::max(std::abs(std::acos(cosine) - h), std::abs(std::log(determinant)) / 2) / h;
}

double measured_turn(const IntegratorInfo& method) {
  constexpr double most = 2, precision = 1e-6;
  // That of a leapfrog step: sin φ'/2 = φ/2.
  constexpr double of_variational = 0.2;
  const double allowed = (2 * std::asin(of_variational / 2) - of_variational) / of_variational;
  const auto resolves = [&](double h) { return error_per_radian(method, h) <= allowed; };
  double good = precision, bad = of_variational / 10;
  while (bad < most && resolves(bad)) good = std::exchange(bad, 1.25 * bad);
  if (bad >= most) return most / 2;
  while (bad - good > precision) (resolves((good + bad) / 2) ? good : bad) = (good + bad) / 2;
  return good / 2;
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

std::vector<CoarseStep> coarse_steps(const IntegratorInfo& method, double h,
                                     const TimeScales& scales) {
  std::vector<CoarseStep> found;
  if (method.adaptive || !scales.finite()) return found;
  const auto look = [&](CoarseStep::Cause cause, double resolving) {
    if (const CoarseStep step{cause, h, resolving}; step.ratio() >= CoarseStep::least_ratio)
      found.push_back(step);
  };
  look(CoarseStep::Cause::rate, resolving_step(method, scales));
  look(CoarseStep::Cause::damping, 1 / scales.damping);
  return found;
}

std::string describe(const CoarseStep& coarse) {
  if (coarse.cause == CoarseStep::Cause::rate)
    return fmt::format(
        "the step, {:.3g} s, is {:.2g} times the largest that resolves the fastest rate, {:.2g} s",
        coarse.step, coarse.ratio(), coarse.resolving);
  return fmt::format(
      "the step, {:.3g} s, is {:.2g} times M/c = {:.2g} s: slow motion has order 1, and where a "
      "spin stops is not resolved",
      coarse.step, coarse.ratio(), coarse.resolving);
}

}  // namespace twosphere
