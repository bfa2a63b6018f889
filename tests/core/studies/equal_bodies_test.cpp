// SPDX-License-Identifier: GPL-3.0-or-later
// Which bodies of a system may change places, and equilibria that differ in that alone.
#include "core/studies/equal_bodies.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "core/mechanics/random_state.h"
#include "core/studies/equilibria.h"
#include "core/studies/relative_equilibria.h"
#include "tests/cases.h"
#include "tests/outcome.h"

namespace twosphere::test::equal_bodies_test {
namespace {

using Places = std::vector<int>;
using Shared = std::shared_ptr<const System>;

bool never_cancelled(std::size_t /*done*/, std::size_t /*all*/) { return true; }

Shared at_rest(Shared system) {
  const Columns q = random_directions(system->size(), 1);
  return value_of(system_at_rest(std::move(system), 0, q));
}

/// Pendula that do not know of one another, two of which are equal.
Shared three_pendula() {
  return system_of("pendulum_network", 3,
                   {{"masses", {1, 1, 2}},
                    {"lengths", {1, 1, 1}},
                    {"gravity", {9.81}},
                    {"pivots", {0, 0, 0, 3, 0, 0, 6, 0, 0}},
                    {"springs", {0, 1, 0}}});
}

TEST(EqualBodies, AreFoundByTheirEnergies) {
  const EqualBodies pendula(*three_pendula());
  EXPECT_EQ(pendula.kinds(), (Places{0, 0, 1}));
  EXPECT_EQ(pendula.orders(), (std::vector<Places>{{0, 1, 2}}));
  EXPECT_EQ(pendula.all(100), (std::vector<Places>{{0, 1, 2}, {1, 0, 2}}));
  const Shared bodies = system_of("vortices", 4, {{"circulations", {1, 1, 1, 1}}});
  EXPECT_EQ(EqualBodies(*bodies).all(100).size(), 24U);
  EXPECT_EQ(EqualBodies(*bodies).all(5).size(), 5U);
  const Shared others = system_of("vortices", 4, {{"circulations", {1, 2, 1, 2}}});
  EXPECT_EQ(EqualBodies(*others).kinds(), (Places{0, 1, 0, 1}));
  const Shared chain =
      system_of("chain_pendulum", 3, {{"masses", {1, 1, 1}}, {"lengths", {1, 1, 1}}});
  EXPECT_EQ(EqualBodies(*chain).all(100).size(), 1U);
  EXPECT_TRUE(equal_bodies(*bodies, {1, 2, 3, 0}));
  EXPECT_FALSE(equal_bodies(*others, {1, 2, 3, 0}));
}

// Magnets in a row are not equal one by one: the outer ones have one neighbour.
TEST(EqualBodies, OfARowAreThoseOfTheReversedRow) {
  const Shared magnets = system_of("dipole_array", 4,
                                   values_from("masses 0.05 0.05 0.05 0.05; lengths 0.02 0.02 0.02 "
                                               "0.02; moments 0.1 0.1 0.1 0.1; positions; "
                                               "lattice 1 4 0.024"));
  const EqualBodies equal(*magnets);
  EXPECT_EQ(equal.kinds(), (Places{0, 1, 2, 3}));
  EXPECT_EQ(equal.orders(), (std::vector<Places>{{0, 1, 2, 3}, {3, 2, 1, 0}}));
}

TEST(EqualBodies, OfTheSameConfigurationMayTurn) {
  const Shared bodies = system_of("vortices", 4, {{"circulations", {1, 1, 2, 1}}});
  const EqualBodies equal(*bodies);
  const Columns a = random_directions(4, 3);
  Columns b(3, 4);
  for (const auto& [from, to] : {std::pair{0, 3}, {1, 0}, {2, 2}, {3, 1}}) b.col(to) = a.col(from);
  const Mat3 turn = Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  EXPECT_TRUE(equal.same(a, turn * b, 1e-9));
  b.col(0) = (b.col(0) + 1e-5 * Vec3::UnitX()).normalized();
  EXPECT_FALSE(equal.same(a, turn * b, 1e-6));
  b.col(0) = a.col(2);
  b.col(2) = a.col(1);
  EXPECT_FALSE(equal.same(a, turn * b, 1e-6)) << "one of them is another";
}

TEST(EqualBodies, EquilibriaThatDifferInTheirPlacesCountOnce) {
  const Shared rest = at_rest(three_pendula());
  const Columns q = random_directions(3, 7);
  EquilibriumSearch search;
  search.tries = 20;
  const Equilibria all = find_equilibria(*rest, q, search, 2, never_cancelled);
  EXPECT_EQ(all.list.size(), 8U);
  search.merge_equal = true;
  const Equilibria merged = find_equilibria(*rest, q, search, 2, never_cancelled);
  ASSERT_EQ(merged.list.size(), 6U);
  for (const Equilibrium& one : merged.list) {
    // The numbers are those of the whole list.
    EXPECT_EQ(one.q, all.list[one.number].q);
    EXPECT_EQ(all.list[one.number].number, one.number);
  }
}

TEST(EqualBodies, RelativeEquilibriaToo) {
  const Shared bodies = system_of("vortices", 3, {{"circulations", {1, 1, 1.5}}});
  const TurningSystem turning{bodies, at_rest(bodies), 2};
  EquilibriumSearch search;
  search.tries = 40;
  const Columns q = random_directions(3, 2);
  const double rate = 0.1;
  const auto all =
      value_of(relative_equilibria_of_rate(turning, q, rate, search, 2, never_cancelled)).curves;
  search.merge_equal = true;
  const auto merged =
      value_of(relative_equilibria_of_rate(turning, q, rate, search, 2, never_cancelled)).curves;
  ASSERT_FALSE(merged.empty());
  EXPECT_LT(merged.size(), all.size());
  // Of each that is left out there is one with the same energy.
  for (const RelativeCurve& curve : all)
    EXPECT_TRUE(std::any_of(merged.begin(), merged.end(), [&](const RelativeCurve& one) {
      return std::abs(one.list[0].energy - curve.list[0].energy) < 1e-9;
    }));
}

}  // namespace
}  // namespace twosphere::test::equal_bodies_test
