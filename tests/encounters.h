// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/catalog.h"
#include "core/mechanics/diagnostics.h"
#include "core/mechanics/forwarding_system.h"
#include "core/scenario/reader.h"
#include "tests/cases.h"

/// Example 2 beyond its published end, through its close encounters: 0.0034 rad at 10.55 s, 1.4e-5
/// rad at 12.73 s.
namespace twosphere::test {

/// A system that counts the evaluations of its forces.
class Counted final : public ForwardingSystem {
 public:
  using ForwardingSystem::ForwardingSystem;

  void gradient(const Columns& q, Columns& g) const override {
    ++forces;
    ForwardingSystem::gradient(q, g);
  }
  void gradient_compensated(const Columns& q, const Columns& q_low, Columns& g) const override {
    ++forces;
    ForwardingSystem::gradient_compensated(q, q_low, g);
  }

  mutable long forces = 0;
};

/// The start of the preset three_body.
struct ThreeBodies {
  std::unique_ptr<const System> system;
  State start;
};
inline ThreeBodies three_bodies() {
  const auto scenario = read_scenario(find_preset("three_body")->text, "preset");
  auto made = find_system(scenario->system)->create(scenario->size(), scenario->parameters);
  return {std::move(*made), {0, scenario->q, scenario->omega}};
}

/// The smallest |sin| of the angle between two bodies.
inline double min_sine(const Columns& q) {
  double least = 1;
  for (Eigen::Index i = 0; i < q.cols(); ++i)
    for (Eigen::Index j = 0; j < i; ++j)
      least = std::min(least, std::sin(angle(q.col(i), q.col(j))));
  return least;
}

/// A run of the preset three_body with another method.
struct Followed {
  bool whole = false;  ///< no step was refused
  long forces = 0;     ///< evaluations
  long inner_steps = 0;
  State end;
  double energy_error = 0;  ///< the largest at samples where no |sin| is below 0.1 [J]
};

/// `step` is the step of a method without one of its own, and else the sampling grid.
inline Followed follow(const std::string& method, double step, double until, Values values = {}) {
  ThreeBodies bodies = three_bodies();
  const Counted system(std::move(bodies.system));
  Followed run{.end = std::move(bodies.start)};
  const double start = total_energy(system, run.end);
  const auto integrator = make_integrator(method, std::move(values));
  integrator->prepare(system, run.end);
  const long steps = std::lround(until / step);
  for (long k = 0; k < steps; ++k) {
    run.end.t = static_cast<double>(k) * step;
    const StepReport report = integrator->advance(system, step, run.end);
    if (!report.ok()) return run;
    integrator->complete(system, run.end);
    run.inner_steps += report.inner_steps;
    if (min_sine(run.end.q) > 0.1)
      run.energy_error =
          std::max(run.energy_error, std::abs(total_energy(system, run.end) - start));
  }
  run.end.t = until;
  run.whole = true;
  run.forces = system.forces;
  return run;
}

/// Largest |Δq| from the golden solution at 10, 13 or 20 s.
inline double distance_from_golden(const Followed& run) {
  const std::string path = std::string(TWOSPHERE_SOURCE_DIR) + "/tests/golden/three_body_" +
                           std::to_string(std::lround(run.end.t)) + ".expected.json";
  const auto expected = json::parse(read_file(path, 1 << 20).value(), path);
  double worst = 0;
  for (Eigen::Index i = 0; i < run.end.q.cols(); ++i)
    for (Eigen::Index k = 0; k < 3; ++k) {
      const auto& q = expected->find("q")->items[static_cast<std::size_t>(i)];
      worst =
          std::max(worst, std::abs(run.end.q(k, i) - q.items[static_cast<std::size_t>(k)].number));
    }
  return worst;
}

}  // namespace twosphere::test
