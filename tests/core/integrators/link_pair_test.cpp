// SPDX-License-Identifier: GPL-3.0-or-later
// The flow of damping on a chain of two links, against that on the same chain as a matrix.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/integrators/damping.h"
#include "core/mechanics/inertia.h"
#include "tests/cases.h"
#include "tests/recast.h"

namespace twosphere::test::link_pair_test {
namespace {

/// Two links of which the second has damping c, and the first has that and k_d.
std::unique_ptr<const System> pair_of_links(double c, double kd) {
  Values values = values_from("masses 1 2; lengths 1 0.5; gravity 9.81");
  values["damping"] = {c};
  values["control_torque"] = {2, 3, 0, -4, 5, kd};
  return system_of("chain_pendulum", 2, values);
}

/// Bent, straight, folded, and nearly so.
std::vector<Columns> configurations() {
  const State start = generic_start(2, everywhere, 0, 71);
  std::vector<Columns> all{start.q};
  const Vec3 first = start.q.col(0), aside = start.q.col(1);
  for (const double sign : {1.0, -1.0})
    for (const double off : {0.0, 1e-13, 1e-8, 1e-3}) {
      all.push_back(start.q);
      all.back().col(1) = sign * (first + off * aside).normalized();
    }
  return all;
}

/// Velocities tangent to q.
Columns velocities(const Columns& q) {
  const State start = generic_start(2, everywhere, 1, 72);
  Columns v(3, 2);
  for (int i = 0; i < 2; ++i) v.col(i) = tangent(q.col(i), start.w.col(i));
  return v;
}

TEST(LinkPair, IsDampedAsTheSameChainAsAMatrix) {
  int flows = 0, refused = 0;
  for (const double c : {0.0, 1e-12, 1e-4, 0.1, 10.0, 1e5, 1e9})
    for (const double kd : {0.0, 1e-12, 1e-4, 0.1, 10.0, 1e5, 1e9})
      for (const double s : {0.01, -0.01, 0.3})
        for (const Columns& q : configurations()) {
          if (c == 0 && kd == 0) continue;
          SCOPED_TRACE("c = " + std::to_string(c) + ", k_d = " + std::to_string(kd) +
                       ", s = " + std::to_string(s));
          const auto links = pair_of_links(c, kd), matrix = as_matrix(pair_of_links(c, kd));
          const Columns v = velocities(q);
          Columns g(3, 2), found = v, expected = v;
          links->gradient(q, g);
          Damping damping(*links), other(*matrix);
          double work = 0, expected_work = 0;
          const StepStatus status = damping.apply(*links, 0, q, g, s, found, work);
          ASSERT_EQ(status, other.apply(*matrix, 0, q, g, s, expected, expected_work));
          if (status == StepStatus::damping_too_strong) {
            EXPECT_LT(s, 0);
            EXPECT_EQ(found, v);
            EXPECT_EQ(work, 0);
            ++refused;
            continue;
          }
          ASSERT_EQ(status, StepStatus::ok);
          ++flows;
          const double size = v.norm() + expected.norm();
          EXPECT_LT((found - expected).norm(), 1e-12 * size);
          EXPECT_LT((found - v - damping.change()).norm(), 1e-15 * size);
          const double energy =
              kinetic_energy(links->inertia(), q, v) + kinetic_energy(links->inertia(), q, found);
          EXPECT_NEAR(work, expected_work, 1e-12 * (energy + std::abs(s) * g.norm() * v.norm()));
          for (int i = 0; i < 2; ++i) EXPECT_LT(std::abs(found.col(i).dot(q.col(i))), 1e-15 * size);
        }
  EXPECT_GT(flows, 900);
  EXPECT_GT(refused, 100);
}

// The modes that are kept are those of the last call and of nothing else.
TEST(LinkPair, KeepsItsModesOnlyWhileNothingChanges) {
  const auto weak = pair_of_links(0.1, 0), strong = pair_of_links(0.1, 50);
  Damping kept(*weak);
  for (const Columns& q : configurations())
    for (const auto& [system, s] : {std::pair(weak.get(), 0.01),
                                    {weak.get(), 0.01},
                                    {strong.get(), 0.01},
                                    {strong.get(), 0.02},
                                    {weak.get(), -0.01}}) {
      Columns g(3, 2), found = velocities(q), expected = found;
      system->gradient(q, g);
      Damping fresh(*system);
      double work = 0, expected_work = 0;
      ASSERT_EQ(kept.apply(*system, 0, q, g, s, found, work), StepStatus::ok);
      ASSERT_EQ(fresh.apply(*system, 0, q, g, s, expected, expected_work), StepStatus::ok);
      EXPECT_EQ(found, expected);
      EXPECT_EQ(work, expected_work);
    }
}

TEST(LinkPair, ComesToRestHoweverStrongItIs) {
  for (const double c : {1e14, 1e100}) {
    const auto links = pair_of_links(c, 0);
    const Columns q = configurations()[0], start = velocities(q);
    Columns g(3, 2), v = start;
    links->gradient(q, g);
    Damping damping(*links);
    double work = 0;
    ASSERT_EQ(damping.apply(*links, 0, q, g, 0.01, v, work), StepStatus::ok) << c;
    EXPECT_LT(v.norm(), 1e-12) << c;
    const double energy = kinetic_energy(links->inertia(), q, start);
    EXPECT_NEAR(work, -energy, 1e-12 * energy) << c;
  }
}

}  // namespace
}  // namespace twosphere::test::link_pair_test
