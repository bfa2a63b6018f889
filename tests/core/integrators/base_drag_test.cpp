// SPDX-License-Identifier: GPL-3.0-or-later
// The flow of the drag of a base that flies, against the general flow of forces of velocities, and
// where it is so strong that the base is a pivot.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "core/integrators/damping.h"
#include "core/integrators/velocity_flow.h"
#include "core/mechanics/free_base.h"
#include "core/mechanics/tangent_solver.h"
#include "tests/cases.h"

namespace twosphere::test::base_drag_test {
namespace {

/// Unequal links on a base that is held near the origin.
std::unique_ptr<const System> held(int n, double base_mass, double kd, double damping = 0) {
  Values values{{"base_mass", {base_mass}},
                {"gravity", {9.81}},
                {"thrust", {1, 0.3, 0.2, -0.1, 3, kd}},
                {"damping", {damping}}};
  for (int i = 0; i < n; ++i) {
    values["masses"].push_back(i % 3 == 1 ? 2.5 : 0.4);
    values["lengths"].push_back(i % 2 == 1 ? 0.5 : 0.8);
  }
  return system_of("free_chain", n, values);
}

/// Bent, straight, folded, and nearly straight.
std::vector<Columns> configurations(int n) {
  const Columns bent = generic_start(n, everywhere, 0, 71).q;
  std::vector<Columns> all(4, bent);
  for (int i = 0; i < n; ++i) {
    all[1].col(i) = bent.col(0);
    all[2].col(i) = (i % 2 == 0 ? 1 : -1) * bent.col(0);
    all[3].col(i) = (bent.col(0) + 1e-7 * bent.col(i)).normalized();
  }
  return all;
}

/// The state before a flow, with what acts on it.
struct Beginning {
  Beginning(const System& system, const Columns& configuration)
      : q(configuration), v(3, q.cols()), g(3, q.cols()) {
    const State start = generic_start(system.size(), everywhere, 1, 72);
    for (Eigen::Index i = 0; i < q.cols(); ++i) v.col(i) = tangent(q.col(i), start.w.col(i));
    const FreeBase& base = *system.free_base();
    centre.velocity = Vec3(0.5, -0.7, 0.2);
    centre.control = base.control_at(0, Vec3(0.1, 0.4, -0.2), q);
    Columns f = Columns::Zero(3, q.cols());
    generalised_gradient(system, 0, q, g, f);
    base.add_force(-centre.control, g);
  }
  Columns q, v, g;
  VelocityFlow::Centre centre{};
};

TEST(BaseDrag, HasTheFlowOfForcesOfVelocities) {
  int flows = 0;
  double speed = 0, work = 0;  // the largest differences
  for (const int n : {1, 2, 3, 8})
    for (const double base_mass : {0.2, 1.5, 40.0})
      for (const double kd : {1e-9, 0.01, 1.0, 30.0})
        for (const double s : {0.01, -0.002, 0.1}) {
          const auto system = held(n, base_mass, kd);
          for (const Columns& q : configurations(n)) {
            const Beginning start(*system, q);
            VelocityFlow::Centre one = start.centre, other = start.centre;
            Columns v = start.v, expected = start.v;
            double found_work = 0, expected_work = 0;
            Damping damping(*system);
            VelocityFlow general(*system);
            ASSERT_EQ(damping.apply(*system, 0, q, start.g, s, v, found_work, &one),
                      StepStatus::ok);
            // In parts, each of which is exact to rounding.
            constexpr int parts = 16;
            for (int k = 0; k < parts; ++k)
              ASSERT_EQ(
                  general.apply(*system, 0, q, start.g, s / parts, expected, expected_work, &other),
                  StepStatus::ok);
            EXPECT_LT((v - start.v - damping.change()).norm(), 1e-15 * v.norm());
            const double scale = start.v.norm() + expected.norm() + 1;
            speed = std::max({speed, (v - expected).norm() / scale,
                              (one.velocity - other.velocity).norm() / scale});
            work = std::max(work, std::abs(found_work - expected_work) / std::abs(expected_work));
            for (int i = 0; i < n; ++i)
              EXPECT_LT(std::abs(q.col(i).dot(damping.change().col(i))), 1e-15 * scale) << i;
            ++flows;
          }
        }
  EXPECT_EQ(flows, 4 * 3 * 4 * 3 * 4);
  EXPECT_LT(speed, 1e-12);
  EXPECT_LT(work, 1e-11);
}

TEST(BaseDrag, MakesAPivotOfTheBaseWhereItIsStrong) {
  constexpr int n = 5;
  const double s = 0.01;
  const auto system = held(n, 0.7, 1e13);
  const auto& inertia = std::get<ChainInertia>(system->inertia());
  const auto pendulum = system_of("chain_pendulum", n,
                                  {{"masses", {inertia.mass.begin(), inertia.mass.end()}},
                                   {"lengths", {inertia.length.begin(), inertia.length.end()}},
                                   {"gravity", {9.81}}});
  for (const Columns& q : configurations(n)) {
    Beginning start(*system, q);
    // The base is at rest.
    start.centre.velocity = -system->free_base()->from_centre(start.v);
    Columns v = start.v, g(3, n), change(3, n);
    double work = 0;
    Damping damping(*system);
    ASSERT_EQ(damping.apply(*system, 0, q, start.g, s, v, work, &start.centre), StepStatus::ok);
    // K v̇ = −Π G of the pendulum.
    pendulum->gradient(q, g);
    TangentSolver(pendulum->inertia())
        .solve(pendulum->inertia(), q, {.left = q, .right = q, .rest = g}, change);
    EXPECT_LT((damping.change() - s * change).norm(), 1e-9 * s * change.norm());
    EXPECT_LT((start.centre.velocity + system->free_base()->from_centre(v)).norm(), 1e-11);
    EXPECT_LE(work, 0);
    EXPECT_GT(work, -1e-9);
  }
}

TEST(BaseDrag, IsRefusedWhereItMakesErrorsGrow) {
  const auto system = held(3, 0.5, 20);
  const Columns q = configurations(3).front();
  const Beginning start(*system, q);
  Damping damping(*system);
  // Across the first link the base is alone: e^{−s k_d/m_0} is 10 at s = −0.0576.
  for (const double s : {-0.057, -0.058}) {
    VelocityFlow::Centre centre = start.centre;
    Columns v = start.v;
    double work = 0;
    const StepStatus status = damping.apply(*system, 0, q, start.g, s, v, work, &centre);
    EXPECT_EQ(status, s > -0.0575 ? StepStatus::ok : StepStatus::damping_too_strong) << s;
    if (status == StepStatus::ok) continue;
    EXPECT_EQ(v, start.v);
    EXPECT_EQ(centre.velocity, start.centre.velocity);
    EXPECT_EQ(work, 0);
  }
}

TEST(BaseDrag, StepsAreThoseWithAlmostNoDampingOfTheLinks) {
  // With damping of the links the flow is the general one.
  std::array<State, 2> ends;
  for (std::size_t k = 0; k < 2; ++k) {
    const auto system = held(4, 1.5, 6, k == 0 ? 0 : 1e-14);
    EXPECT_EQ(damped(*system), k == 1);
    State& s = ends[k] = generic_start(4, 0.5, 0.5, 73);
    s.x = -system->free_base()->from_centre(s.q);
    s.v = Columns::Zero(3, 1);
    const auto method = prepared("variational4", *system, s);
    ASSERT_TRUE(march(*system, *method, 0.01, 100, s));
  }
  EXPECT_LT(distance(ends[0], ends[1]), 1e-10);
  EXPECT_LT((ends[0].x - ends[1].x).norm() + (ends[0].v - ends[1].v).norm(), 1e-10);
}

}  // namespace
}  // namespace twosphere::test::base_drag_test
