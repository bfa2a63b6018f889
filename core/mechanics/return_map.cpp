// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mechanics/return_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <string_view>
#include <utility>

#include "core/base/interrupt.h"
#include "core/base/json.h"
#include "core/base/thread_pool.h"
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

/// A weighted sum of ends, in the coordinates `in`, and how far they are from the first of them.
struct WeightedEnds {
  Eigen::VectorXd sum, first;
  double spread = 0;

  void add(const PhaseCoordinates& in, const State& end, double weight) {
    const Eigen::VectorXd x = in.difference(end);
    if (first.size() == 0) {
      first = x;
      sum.setZero(x.size());
    }
    sum += weight * x;
    spread = std::max(spread, (x - first).norm());
  }
};

/// The derivative of an end by differences: of ends(1), or where those part so far that the error,
/// of the fourth power of that, is not small, of ends at a part of the distance.
template <class Ends>
Result<Eigen::VectorXd> differences(const Ends& ends) {
  constexpr double far = 0.1, near = 4e-3;
  Result<WeightedEnds> made = ends(1.0);
  if (made && made->spread > far) made = ends(near / made->spread);
  if (!made) return made.error();
  return std::move(made->sum);
}

/// By ε, of at(ε).
template <class At>
Result<Eigen::VectorXd> differences_of(const PhaseCoordinates& in, const At& at) {
  return differences([&](double part) -> Result<WeightedEnds> {
    const double apart = part * 1e-3;
    WeightedEnds out;
    for (const auto& [place, weight] : {std::pair{-2, 1.0}, {-1, -8.0}, {1, 8.0}, {2, -1.0}}) {
      const Result<State> end = at(place * apart);
      if (!end) return end.error();
      out.add(in, *end, weight / (12 * apart));
    }
    return out;
  });
}

/// A derivative that is made by runs, and where it goes.
struct MissingDerivative {
  std::function<Result<Eigen::VectorXd>()> make;
  std::function<void(const Eigen::VectorXd&)> take;
};
/// Makes all on all threads, each as it would be alone. Fails as the first one that does.
Result<void> make_missing(const std::vector<MissingDerivative>& missing) {
  std::vector<Result<Eigen::VectorXd>> made(missing.size(), Eigen::VectorXd());
  const std::atomic<bool>* stop = Interruptible::flag();
  parallel_for(missing.size(), [&](std::size_t k) {
    std::optional<Interruptible> interruptible;
    if (stop) interruptible.emplace(*stop);
    made[k] = missing[k].make();
  });
  for (std::size_t k = 0; k < made.size(); ++k) {
    if (!made[k]) return made[k].error();
    missing[k].take(*made[k]);
  }
  return {};
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
  if (system.force_tolerance() > 0) return "the forces are sums to a tolerance";
  if (!method.supports(system)) return fmt::format("{} needs {}", method.key, method.lacks(system));
  if (velocity_dependent(system) || system.time_dependent()) {
    const std::string_view others =
        first_order(system) ? "use spherical_midpoint8" : "use variational8 or rotation8";
    if (method.adaptive)
      return fmt::format("{} takes inner steps of its own lengths; {}", method.key, others);
    if (!method.keeps_sphere)
      return fmt::format("the steps of {} leave the spheres; {}", method.key, others);
    return {};
  }
  const auto made = make_method(method);
  const TangentMap* map = made->tangent_map(system);
  if (!map || !map->stretches(system))
    return fmt::format("{} has no derivative by its step", method.key);
  return {};
}

Result<Eigen::VectorXd> ReturnMap::beside(const PhaseCoordinates& in, const ParameterSlope& slope,
                                          const State& from, double h, int steps,
                                          double angle) const {
  const double period = system_.force_period();
  return differences([&](double part) -> Result<WeightedEnds> {
    std::optional<ParameterSlope> nearer;
    if (part != 1) {
      auto made = slope.nearer(part);
      if (!made) return made.error();
      nearer = std::move(*made);
    }
    WeightedEnds out;
    for (const auto& [system, weight] : (nearer ? *nearer : slope).beside()) {
      const double other = system->force_period(),
                   longer = period > 0 && other > 0 ? other / period : 1;
      const ReturnMap map(*system, method_, closure_, longer * begin_);
      const auto end = map.end(from, longer * h, steps, angle);
      if (!end) return end.error();
      out.add(in, *end, weight);
    }
    return out;
  });
}

Result<ReturnMap::Image> ReturnMap::at(const PhaseCoordinates& from, double h, int steps,
                                       double angle, const PhaseCoordinates* to,
                                       const ParameterSlope* slope) const {
  const Eigen::Index size = from.size();
  State state = from.state();
  state.t = begin_;
  const auto method = make_method(method_);
  method->prepare(system_, state);
  TangentMap* map = method->tangent_map(system_);
  const bool stretches = map && map->stretches(system_),
             slopes = stretches && !first_order(system_);  // whose maps stretch, but know no θ
  // The unit vectors of the coordinates, that of the step and that of θ.
  std::vector<TangentVector> vectors;
  for (Eigen::Index k = 0; map && k < size; ++k)
    vectors.push_back(from.vector(Eigen::VectorXd::Unit(size, k)));
  if (stretches) {
    vectors.push_back(from.vector(Eigen::VectorXd::Zero(size)));
    vectors.back().stretch = 1;
  }
  if (slopes && slope) {
    vectors.push_back(from.vector(Eigen::VectorXd::Zero(size)));
    vectors.back().slope = slope;
  }

  Image image;
  image.points.reserve(static_cast<std::size_t>(steps) + 1);
  image.points.push_back(state);
  for (int k = 0; k < steps; ++k) {
    if (interrupted()) return step_failure({.status = StepStatus::interrupted}, h, k);
    const StepReport report =
        map ? map->advance(system_, h, state, vectors) : method->advance(system_, h, state);
    if (!report.ok()) return step_failure(report, h, k);
    state.t = begin_ + (k + 1) * h;
    if (!map) method->complete(system_, state);
    image.points.push_back(state);
  }
  const PhaseCoordinates& target = to ? *to : from;
  image.state = closure_.applied(state, angle);
  image.derivative.resize(size, size);
  const auto carried = [&](const TangentVector& v) {
    return target.coordinates(closure_.applied(v.q, angle), closure_.applied(v.w, angle));
  };
  for (Eigen::Index k = 0; map && k < size; ++k)
    image.derivative.col(k) = carried(vectors[static_cast<std::size_t>(k)]);
  image.by_step.setZero(size);
  if (stretches) image.by_step = carried(vectors[static_cast<std::size_t>(size)]);
  if (slopes && slope) image.by_theta = carried(vectors.back());
  // What is not carried is made of differences.
  std::vector<MissingDerivative> missing;
  for (Eigen::Index k = 0; !map && k < size; ++k)
    missing.push_back({[&, k] {
                         return differences_of(target, [&](double change) {
                           return end(from.moved(change * Eigen::VectorXd::Unit(size, k)), h, steps,
                                      angle);
                         });
                       },
                       [&, k](const Eigen::VectorXd& by) { image.derivative.col(k) = by; }});
  if (!stretches && !system_.time_dependent())
    missing.push_back({[&] {
                         return differences_of(target, [&](double change) {
                           return end(from.state(), h * std::exp(change), steps, angle);
                         });
                       },
                       [&](const Eigen::VectorXd& by) { image.by_step = by; }});
  if (slope && !slopes)
    missing.push_back({[&] { return beside(target, *slope, from.state(), h, steps, angle); },
                       [&](const Eigen::VectorXd& by) { image.by_theta = by; }});
  if (auto made = make_missing(missing); !made) return made.error();
  // d/dφ R_e(−φ) = −ê R_e(−φ)
  const Mat3 turn = hat(closure_.axis);
  image.by_angle = -target.coordinates(turn * image.state.q, turn * image.state.w);
  if (!image.derivative.allFinite() || !image.by_step.allFinite() || !image.by_theta.allFinite())
    return Error{ErrorKind::numerical, "", "the derivative of the steps overflowed"};
  return image;
}

Result<State> ReturnMap::end(const State& from, double h, int steps, double angle) const {
  State state = from;
  state.t = begin_;
  const auto method = make_method(method_);
  method->prepare(system_, state);
  for (int k = 0; k < steps; ++k) {
    const StepReport report = interrupted() ? StepReport{.status = StepStatus::interrupted}
                                            : method->advance(system_, h, state);
    if (!report.ok()) return step_failure(report, h, k);
    state.t = begin_ + (k + 1) * h;
  }
  method->complete(system_, state);
  return closure_.applied(state, angle);
}

}  // namespace twosphere
