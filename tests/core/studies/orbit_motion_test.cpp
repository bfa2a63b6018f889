// SPDX-License-Identifier: GPL-3.0-or-later
// A period of an orbit, as it is played.
#include "core/studies/orbit_motion.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <memory>

#include "core/base/interrupt.h"
#include "core/mechanics/sphere.h"
#include "core/studies/equilibria.h"
#include "core/studies/orbit_search.h"
#include "tests/cases.h"
#include "tests/outcome.h"
#include "tests/runs.h"

namespace twosphere::test::orbit_motion_test {
namespace {

/// The relative orbit at the nearest return of the double spherical pendulum.
struct Returning {
  Returning() {
    const Scenario scenario = preset("double_spherical_pendulum");
    const auto system = start(scenario).system();
    rest = value_of(system_at_rest(system, 0, scenario.q));
    OrbitRequest request;
    request.from = OrbitRequest::From::returned;
    request.start = {0, scenario.q, scenario.omega};
    request.duration = scenario.duration;
    request.closure.axis = Vec3::UnitZ();
    orbit = value_of(value_of(
        search_orbit(*system, *rest, orbit_method(*system), request, [] { return true; })));
  }
  std::shared_ptr<const System> rest;
  FoundOrbit orbit;
};

TEST(OrbitMotion, ClosesInItsFrame) {
  const Returning relative;
  ASSERT_GT(std::abs(relative.orbit.rotation()), 0.1);
  const auto all = value_of(orbit_motion(*relative.rest, relative.orbit, 1'000'000));
  ASSERT_EQ(static_cast<int>(all.size()), relative.orbit.steps()) << "at most one of each step";
  EXPECT_EQ(all.front(), relative.orbit.orbit.point().state.q);
  // From the last one it is a step to the first.
  const double step = (all[1] - all[0]).norm();
  EXPECT_LT((all.back() - all.front()).norm(), 3 * step);
  for (const Columns& q : all)
    for (Eigen::Index i = 0; i < q.cols(); ++i) EXPECT_LT(unit_length_error(q.col(i)), 1e-14);
  // Few of them are among all of them.
  const auto few = value_of(orbit_motion(*relative.rest, relative.orbit, 60));
  ASSERT_EQ(few.size(), 60U);
  EXPECT_LT((few[30] - all[all.size() / 2]).norm(), 1e-10);
}

TEST(OrbitMotion, IsInterrupted) {
  const Returning relative;
  const std::atomic<bool> stop = true;
  const Interruptible interruptible(stop);
  EXPECT_FALSE(orbit_motion(*relative.rest, relative.orbit, 60));
}

}  // namespace
}  // namespace twosphere::test::orbit_motion_test
