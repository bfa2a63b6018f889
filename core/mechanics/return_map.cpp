// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mechanics/return_map.h"

#include <fmt/format.h>

#include <cstddef>
#include <memory>
#include <numeric>

#include "core/base/interrupt.h"
#include "core/base/json.h"
#include "core/mechanics/linear_terms.h"

namespace twosphere {

namespace {

std::unique_ptr<Integrator> make_method(const IntegratorInfo& method) {
  return method.create(default_values(method.parameters));
}

Error step_failure(const StepReport& report, double h, int k) {
  return {ErrorKind::numerical, "",
          report.status == StepStatus::interrupted
              ? "it was stopped"
              : fmt::format("step {} of {} s failed: body {}: {}", k + 1, json::shortest(h),
                            report.body + 1, describe(report.status))};
}

}  // namespace

int Closure::order() const {
  int order = 1;
  for (std::size_t i = 0; i < places.size(); ++i) {
    int length = 1;
    for (auto k = static_cast<std::size_t>(places[i]); k != i;
         k = static_cast<std::size_t>(places[k]))
      ++length;
    order = std::lcm(order, length);
  }
  return order;
}

Columns Closure::applied(const Columns& vectors, double angle) const {
  Columns out = vectors;
  for (std::size_t i = 0; i < places.size(); ++i)
    out.col(places[i]) = vectors.col(static_cast<Eigen::Index>(i));
  if (relative()) out = Eigen::AngleAxisd(-angle, axis).toRotationMatrix() * out;
  return out;
}

State Closure::applied(const State& state, double angle) const {
  return {state.t, applied(state.q, angle), applied(state.w, angle)};
}

std::string ReturnMap::missing(const System& system, const IntegratorInfo& method) {
  if (has_gyroscopic(system)) return "the system has gyroscopic terms";
  if (system.free_base()) return "the system has a base that flies";
  if (system.heat_bath()) return "the system is in a heat bath, whose noise closes no orbit";
  if (velocity_dependent(system)) return "the system has damping or forces of velocities";
  if (system.time_dependent()) return "the system has forces that depend on the time";
  if (system.force_tolerance() > 0) return "the forces are sums to a tolerance";
  if (!method.supports(system)) return fmt::format("{} needs {}", method.key, method.lacks(system));
  const auto made = make_method(method);
  const TangentMap* map = made->tangent_map(system);
  if (!map || !map->stretches(system))
    return fmt::format("{} has no derivative by its step", method.key);
  return {};
}

Result<ReturnMap::Image> ReturnMap::at(const PhaseCoordinates& from, double h, int steps,
                                       double angle, const PhaseCoordinates* to,
                                       const ParameterSlope* slope) const {
  const Eigen::Index size = from.size();
  State state = from.state();
  state.t = 0;
  const auto method = make_method(method_);
  method->prepare(system_, state);
  TangentMap* map = method->tangent_map(system_);
  // The unit vectors of the coordinates, that of the step and that of θ.
  std::vector<TangentVector> vectors;
  for (Eigen::Index k = 0; k < size; ++k)
    vectors.push_back(from.vector(Eigen::VectorXd::Unit(size, k)));
  vectors.push_back(from.vector(Eigen::VectorXd::Zero(size)));
  vectors.back().stretch = 1;
  if (slope) {
    vectors.push_back(from.vector(Eigen::VectorXd::Zero(size)));
    vectors.back().slope = slope;
  }

  Image image;
  image.points.reserve(static_cast<std::size_t>(steps) + 1);
  image.points.push_back(state);
  for (int k = 0; k < steps; ++k) {
    if (interrupted()) return step_failure({.status = StepStatus::interrupted}, h, k);
    const StepReport report = map->advance(system_, h, state, vectors);
    if (!report.ok()) return step_failure(report, h, k);
    state.t = (k + 1) * h;
    image.points.push_back(state);
  }
  const PhaseCoordinates& target = to ? *to : from;
  image.state = closure_.applied(state, angle);
  image.derivative.resize(size, size);
  const auto carried = [&](const TangentVector& v) {
    return target.coordinates(closure_.applied(v.q, angle), closure_.applied(v.w, angle));
  };
  for (Eigen::Index k = 0; k < size; ++k)
    image.derivative.col(k) = carried(vectors[static_cast<std::size_t>(k)]);
  image.by_step = carried(vectors[static_cast<std::size_t>(size)]);
  if (slope) image.by_theta = carried(vectors.back());
  // d/dφ R_e(−φ) = −ê R_e(−φ)
  const Mat3 turn = hat(closure_.axis);
  image.by_angle = -target.coordinates(turn * image.state.q, turn * image.state.w);
  if (!image.derivative.allFinite() || !image.by_step.allFinite() || !image.by_theta.allFinite())
    return Error{ErrorKind::numerical, "", "the derivative of the steps overflowed"};
  return image;
}

Result<State> ReturnMap::end(const State& from, double h, int steps, double angle) const {
  State state = from;
  state.t = 0;
  const auto method = make_method(method_);
  method->prepare(system_, state);
  for (int k = 0; k < steps; ++k) {
    const StepReport report = interrupted() ? StepReport{.status = StepStatus::interrupted}
                                            : method->advance(system_, h, state);
    if (!report.ok()) return step_failure(report, h, k);
    state.t = (k + 1) * h;
  }
  method->complete(system_, state);
  return closure_.applied(state, angle);
}

}  // namespace twosphere
