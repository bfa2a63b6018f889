// SPDX-License-Identifier: GPL-3.0-or-later
// Spins without signs, as the molecules of a nematic: plaquettes of lattices, defects, the preset.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "core/mechanics/system.h"
#include "core/run/simulation.h"
#include "core/systems/site_lattice.h"
#include "tests/cases.h"
#include "tests/core/systems/lattices.h"
#include "tests/direction.h"
#include "tests/outcome.h"
#include "tests/runs.h"

namespace twosphere::test::nematic_test {
namespace {

TEST(Plaquettes, PlaquettesAreTheFacesBetweenItsBonds) {
  for (const auto& [key, corners] :
       {std::pair{"square", 4U}, {"triangular", 3U}, {"hexagonal", 6U}})
    for (const bool periodic : {true, false}) {
      SCOPED_TRACE(key);
      const SiteLattice lattice = lattice_of(key, 4, 3, 1, periodic, 0.5);
      const Plaquettes faces = lattice.plaquettes();
      ASSERT_EQ(faces.corners, corners);
      std::set<std::pair<int, int>> bonds, sides;
      for (const SiteBond& bond : lattice.bonds()) {
        bonds.insert({bond.first, bond.second});
        bonds.insert({bond.second, bond.first});
      }
      // Each side is a bond, along which at most one face runs in this direction.
      for (std::size_t face = 0; face < faces.count(); ++face)
        for (std::size_t k = 0; k < corners; ++k) {
          const std::pair side{faces.sites[face * corners + k],
                               faces.sites[face * corners + (k + 1) % corners]};
          EXPECT_TRUE(bonds.contains(side));
          EXPECT_TRUE(sides.insert(side).second);
        }
      if (periodic) {
        EXPECT_EQ(sides, bonds);
        // Euler's number of the torus is 0, and the faces cover its cells.
        EXPECT_EQ(lattice.sites() + static_cast<std::ptrdiff_t>(faces.count()),
                  static_cast<std::ptrdiff_t>(bonds.size() / 2));
        EXPECT_NEAR(static_cast<double>(faces.count()) * faces.area,
                    12 * lattice.along({1, 0, 0}).cross(lattice.along({0, 1, 0})).z(), 1e-12);
        continue;
      }
      // Counter-clockwise about e3, each with its area.
      const Columns places = lattice.positions();
      for (std::size_t face = 0; face < faces.count(); ++face) {
        double area = 0;
        for (std::size_t k = 0; k < corners; ++k)
          area += places.col(faces.sites[face * corners + k])
                      .cross(places.col(faces.sites[face * corners + (k + 1) % corners]))
                      .z() /
                  2;
        EXPECT_NEAR(area, faces.area, 1e-12);
      }
    }
  for (const char* key : {"chain", "cubic"})
    EXPECT_EQ(lattice_of(key, 4, 1, 1, false).plaquettes().count(), 0U) << key;
}

TEST(Nematic, DefectsAreCountedWhateverTheSigns) {
  const auto nematic = [](std::string_view key, double periodic, Values more = {}) {
    const SiteLattice lattice = lattice_of(key, 12, 12, 1, periodic > 0);
    more.insert({{"lattice", {kind_of(key), 12, 12, 1, 1, periodic}},
                 {"exchange", {0}},
                 {"biquadratic", {1}}});
    return system_of("spins", static_cast<int>(lattice.sites()), std::move(more));
  };
  for (const char* key : {"square", "triangular", "hexagonal"}) {
    SCOPED_TRACE(key);
    const SiteLattice lattice = lattice_of(key, 12, 12, 1, false);
    const Plaquettes faces = lattice.plaquettes();
    const auto system = nematic(key, 0);
    EXPECT_TRUE(system->apolar());
    const auto defects = [&](const Columns& q) {
      return system->own_quantity("nematic defects", 0, q, q);
    };
    const auto spacing = [&](const Columns& q) {
      return system->own_quantity("spacing of defects", 0, q, q);
    };
    // In the middles of two faces directions turn by half a turn, either way.
    const Columns places = lattice.positions();
    const auto middle = [&](std::size_t face) {
      Vec3 sum = Vec3::Zero();
      for (std::size_t k = 0; k < faces.corners; ++k)
        sum += places.col(faces.sites[face * faces.corners + k]);
      return Vec3(sum / static_cast<double>(faces.corners));
    };
    const Vec3 a = middle(faces.count() / 3), b = middle(2 * faces.count() / 3 + 4);
    for (const auto& [charge_a, charge_b, expected] :
         {std::tuple{0.5, 0.0, 1}, {0.5, -0.5, 2}, {0.5, 0.5, 2}, {0.0, 0.0, 0}}) {
      Columns q(3, places.cols());
      for (Eigen::Index i = 0; i < q.cols(); ++i) {
        const Vec3 u = places.col(i) - a, v = places.col(i) - b;
        q.col(i) = direction(
            1.2, charge_a * std::atan2(u.y(), u.x()) + charge_b * std::atan2(v.y(), v.x()) + 0.37);
        if (i % 3 == 0) q.col(i) *= -1;
      }
      // Lines near a plane.
      q.row(2) *= 0.1;
      q.colwise().normalize();
      EXPECT_EQ(defects(q), expected) << charge_a << ' ' << charge_b;
      if (expected == 0) {
        EXPECT_TRUE(std::isnan(spacing(q)));
      } else {
        EXPECT_NEAR(spacing(q),
                    std::sqrt(static_cast<double>(faces.count()) * faces.area / expected), 1e-12);
      }
    }
    // On a periodic lattice every bond has two faces: the number is even.
    const auto closed = nematic(key, 1);
    Columns any = generic_start(closed->size(), everywhere, 0, 3).q;
    const double count = closed->own_quantity("nematic defects", 0, any, any);
    EXPECT_GT(count, 10);
    EXPECT_EQ(std::fmod(count, 2), 0);
    any.col(7) *= -1;
    any.col(40) *= -1;
    EXPECT_EQ(closed->own_quantity("nematic defects", 0, any, any), count);
    EXPECT_NEAR(closed->potential(any), closed->potential(-any), 1e-12);
  }
  // Of arrows there are none.
  for (const Values& polar : {Values{{"exchange", {0.1}}}, Values{{"dm", {1, 0.3}}},
                              Values{{"field", {0, 0, 0, 1}}}, Values{{"biquadratic", {0}}}}) {
    const auto system = nematic("square", 1, polar);
    const Columns q = generic_start(system->size(), everywhere, 0, 3).q;
    EXPECT_FALSE(system->apolar());
    EXPECT_TRUE(std::isnan(system->own_quantity("nematic defects", 0, q, q)));
    EXPECT_TRUE(std::isnan(system->own_quantity("spacing of defects", 0, q, q)));
  }
}

// Its help page has the numbers.
TEST(Nematic, DefectsOfTheQuenchVanishInPairs) {
  Simulation run = start(preset("quench"));
  ASSERT_TRUE(run.system()->apolar());
  const auto own = [&](std::string_view name) {
    const State& now = run.state(0);
    return run.system()->own_quantity(name, now.t, now.q, now.w);
  };
  const double begin = own("nematic defects");
  EXPECT_GT(begin, 1500);
  march(run, 100);
  const double early = own("nematic defects");
  EXPECT_NEAR(early, 288, 10);
  march(run, 200);
  const double late = own("nematic defects");
  EXPECT_NEAR(late, 124, 8);
  for (const double count : {begin, early, late}) EXPECT_EQ(std::fmod(count, 2), 0) << count;
  EXPECT_NEAR(own("spacing of defects"), 64 / std::sqrt(late), 1e-12);
  // What friction takes is counted.
  EXPECT_LT(run.sample(0)[Quantity::energy_error], 1);
  EXPECT_LT(run.sample(0)[Quantity::work], -4000);
}

}  // namespace
}  // namespace twosphere::test::nematic_test
