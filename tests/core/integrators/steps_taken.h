// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>

#include "core/mechanics/sphere.h"
#include "tests/cases.h"

namespace twosphere::test {

/// A state after some steps of a method, with the work and the iterations of all.
struct StepsTaken {
  State state;
  double work = 0;
  int iterations = 0;
};

/// So many steps from directions at rest.
inline StepsTaken take(const System& system, std::string_view method, double h, int steps,
                       const Columns& q, double t = 0) {
  StepsTaken run{{t, q, Columns::Zero(3, q.cols())}};
  const auto integrator = make_integrator(method);
  integrator->prepare(system, run.state);
  for (int k = 1; k <= steps; ++k) {
    const StepReport report = integrator->advance(system, h, run.state);
    EXPECT_TRUE(report.ok()) << method << ": " << describe(report.status) << ", step " << k;
    run.work += report.work;
    run.iterations += report.iterations;
    run.state.t = t + k * h;
  }
  integrator->complete(system, run.state);
  return run;
}

inline double apart(const Columns& a, const Columns& b) {
  return (a - b).colwise().norm().maxCoeff();
}

inline double longest(const Columns& q) {
  double worst = 0;
  for (Eigen::Index i = 0; i < q.cols(); ++i) worst = std::max(worst, unit_length_error(q.col(i)));
  return worst;
}

}  // namespace twosphere::test
