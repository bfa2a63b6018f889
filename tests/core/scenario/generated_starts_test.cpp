// SPDX-License-Identifier: GPL-3.0-or-later
// Starts that are generated: their directions, lists of them, and what is wrong with some.
#include "core/scenario/generated_starts.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json.h"
#include "core/mechanics/sphere.h"
#include "core/scenario/keys.h"
#include "core/scenario/live_edit.h"
#include "core/scenario/reader.h"
#include "core/scenario/scenario.h"
#include "core/scenario/setting_unit.h"
#include "core/scenario/writer.h"
#include "tests/direction.h"
#include "tests/outcome.h"

namespace twosphere::test::generated_starts_test {
namespace {

constexpr double degrees = std::numbers::pi / 180;

/// A scenario of spins on a lattice, with this generator.
std::string spins_with(std::string_view generator, std::string_view lattice) {
  return fmt::format(
      R"({{"twosphere": 1, "system": {{"type": "spins", "lattice": {}}},
"initial": {{"generator": {}}},
"integrator": {{"type": "spherical_midpoint", "step": 0.1}}, "duration": 1}})",
      lattice, generator);
}

constexpr std::string_view row = R"({"type": "chain", "size": [40]})";
constexpr std::string_view plane =
    R"({"type": "square", "size": [20, 20], "spacing": 0.5, "periodic": true})";

Columns start_of(std::string_view generator, std::string_view lattice = row) {
  return value_of(read_scenario(spins_with(generator, lattice), "s.json")).q;
}

std::string error_of(std::string_view generator, std::string_view lattice = row) {
  const auto read = read_scenario(spins_with(generator, lattice), "s.json");
  return read ? "none" : read.error().text();
}

// Each entry takes as long as there are bodies.
TEST(GeneratedStarts, AreAsManyAsTheirBodiesAllow) {
  std::string list = R"({"type": "aligned"})";
  for (int k = 1; k < 9; ++k) list += R"(, {"type": "aligned"})";
  EXPECT_EQ(start_of("[" + list + "]").cols(), 40);
  const std::string error =
      error_of("[" + list + "]", R"({"type": "square", "size": [1024, 1024]})");
  EXPECT_TRUE(
      says(error, "initial.generator: must have at most 8 entries with 1048576 bodies, not 9"))
      << error;
}

TEST(GeneratedStarts, AlignedAndSpiral) {
  const Columns up = start_of(R"({"type": "aligned"})");
  const Columns side = start_of(R"({"type": "aligned", "direction": [3, 0, 4]})");
  const Columns turning = start_of(R"({"type": "spiral", "wave_vector": [0.3, 5, 0], "cone": 60})");
  ASSERT_EQ(turning.cols(), 40);
  for (int i = 0; i < 40; ++i) {
    EXPECT_EQ(up.col(i), Vec3(0, 0, 1));
    EXPECT_LT((side.col(i) - Vec3(0.6, 0, 0.8)).norm(), 1e-15);
    EXPECT_LT((turning.col(i) - direction(60 * degrees, 0.3 * i)).norm(), 1e-14);
  }
  const Columns packet = start_of(
      R"({"type": "spiral", "wave_vector": [0.3, 0, 0], "cone": 10, "width": 3, "center": [20, 0, 0]})");
  EXPECT_NEAR(angle(packet.col(20), Vec3::UnitZ()), 10 * degrees, 1e-14);
  EXPECT_NEAR(angle(packet.col(23), Vec3::UnitZ()), 10 * degrees * std::exp(-0.5), 1e-14);
  EXPECT_LT(angle(packet.col(0), Vec3::UnitZ()), 1e-9);
}

TEST(GeneratedStarts, WallAndSkyrmion) {
  const Columns wall =
      start_of(R"({"type": "domain_wall", "position": 20, "width": 4, "azimuth": 90})");
  for (int i = 0; i < 40; ++i) EXPECT_NEAR(wall(2, i), -std::tanh((i - 20) / 4.0), 1e-14);
  EXPECT_LT((wall.col(20) - Vec3::UnitY()).norm(), 1e-15);

  const Columns knot =
      start_of(R"({"type": "skyrmion", "center": [5, 5], "radius": 2, "helicity": 90})", plane);
  ASSERT_EQ(knot.cols(), 400);
  // At (5, 5), and the radius from there along e1 and e2.
  EXPECT_LT((knot.col(10 * 20 + 10) + Vec3::UnitZ()).norm(), 1e-15);
  EXPECT_LT((knot.col(10 * 20 + 14) - Vec3::UnitY()).norm(), 1e-15);
  EXPECT_LT((knot.col(14 * 20 + 10) + Vec3::UnitX()).norm(), 1e-15);
}

TEST(GeneratedStarts, SolitonIsThatOfTheContinuum) {
  const Columns q = start_of(R"({"type": "soliton", "position": 20, "v": 0.3, "w": 0.06})");
  const double beta = std::sqrt(0.06 - 0.3 * 0.3 / 4);
  for (int i = 0; i < 40; ++i) {
    const double x = i - 20, cosine = 1 - 2 * beta * beta / 0.06 / std::pow(std::cosh(beta * x), 2),
                 azimuth =
                     0.15 * x + std::atan(std::sqrt(4 * 0.06 / 0.09 - 1) * std::tanh(beta * x));
    EXPECT_LT((q.col(i) - direction(std::acos(cosine), azimuth)).norm(), 1e-13) << i;
  }
  // Its mirror image runs the other way.
  const Columns back = start_of(R"({"type": "soliton", "position": 19, "v": -0.3, "w": 0.06})");
  for (int i = 0; i < 40; ++i) {
    EXPECT_NEAR(back(2, i), q(2, 39 - i), 1e-14);
    if (i == 0) continue;
    const Vec3 a = back.col(i), b = back.col(i - 1), c = q.col(39 - i), d = q.col(40 - i);
    EXPECT_NEAR(a.dot(b), c.dot(d), 1e-13);
    EXPECT_NEAR(a.x() * b.y() - a.y() * b.x(), c.x() * d.y() - c.y() * d.x(), 1e-13);
  }
}

TEST(GeneratedStarts, RandomOnesDependOnTheirSeedAlone) {
  const Columns a = start_of(R"({"type": "random", "seed": 3})", plane),
                b = start_of(R"({"type": "random", "seed": 3, "count": 400})", plane),
                c = start_of(R"({"type": "random", "seed": 4})", plane);
  EXPECT_EQ(a, b);
  EXPECT_NE(a, c);
  EXPECT_LT(a.rowwise().mean().norm(), 0.1);
  EXPECT_NEAR(a.row(2).squaredNorm() / 400, 1.0 / 3, 0.03);
  const Columns shaken = start_of(R"({"type": "noise", "amplitude": 0.1, "seed": 1})", plane);
  EXPECT_NEAR(shaken.row(0).squaredNorm() / 400, 0.01, 0.002);
  EXPECT_NEAR(shaken.row(1).squaredNorm() / 400, 0.01, 0.002);
}

TEST(GeneratedStarts, PolygonsAndClustersHaveTheirOwnNumber) {
  const auto read = [](const std::string& generator) {
    const auto root = value_of(json::parse(generator, "s"));
    const document::Origin source{"s"};
    return generated_directions(document::Value(source, root, "generator"), {});
  };
  const Columns polygon =
      read(R"({"type": "polygon", "count": 5, "colatitude": 40, "azimuth": 10})");
  ASSERT_EQ(polygon.cols(), 5);
  for (int i = 0; i < 5; ++i)
    EXPECT_LT((polygon.col(i) - direction(40 * degrees, (10 + 72 * i) * degrees)).norm(), 1e-15);
  const Columns clusters =
      read(R"({"type": "clusters", "count": 100, "clusters": 4, "width": 1, "seed": 2})");
  ASSERT_EQ(clusters.cols(), 100);
  for (int i = 1; i < 100; ++i) {
    const double apart = angle(clusters.col(i), clusters.col(i - 1));
    if (i % 25 != 0) {
      EXPECT_LT(apart, 10 * degrees) << i;
    }
  }
  const Columns sphere = read(R"({"type": "icosphere", "subdivisions": 1})");
  EXPECT_EQ(sphere.cols(), 42);
}

TEST(GeneratedStarts, LaterOnesOfAListTurnThoseBefore) {
  const Columns wall = start_of(R"({"type": "domain_wall", "position": 20, "width": 4})"),
                noise = start_of(R"({"type": "noise", "amplitude": 0.2, "seed": 5})"),
                both = start_of(R"([{"type": "domain_wall", "position": 20, "width": 4},
                                    {"type": "noise", "amplitude": 0.2, "seed": 5}])");
  for (int i = 0; i < 40; ++i)
    EXPECT_LT((both.col(i) - carried(Vec3::UnitZ(), noise.col(i), wall.col(i))).norm(), 1e-14);
  EXPECT_EQ(start_of(R"([{"type": "aligned"}])"), start_of(R"({"type": "aligned"})"));
}

TEST(GeneratedStarts, AreUnitVectorsThatAFileKeeps) {
  const auto scenario = value_of(read_scenario(
      spins_with(R"([{"type": "random", "seed": 3}, {"type": "noise", "amplitude": 0.5}])", plane),
      "s.json"));
  EXPECT_LT((scenario.q.colwise().norm().array() - 1).abs().maxCoeff(), 3e-16);
  std::vector<std::string> warnings;
  const auto again = value_of(read_scenario(write_scenario(scenario), "s.json", &warnings));
  EXPECT_EQ(again.q, scenario.q);
  EXPECT_TRUE(warnings.empty());
}

TEST(GeneratedStarts, StandAtThePlacesThatTheSystemGives) {
  const auto spiral = [](std::string_view system) {
    return value_of(read_scenario(fmt::format(
                                      R"({{"twosphere": 1, "system": {},
"initial": {{"generator": {{"type": "spiral", "wave_vector": [2, 1, 0]}}}},
"integrator": {{"type": "spherical_midpoint", "step": 0.1}}, "duration": 1}})",
                                      system),
                                  "s.json"))
        .q;
  };
  const Columns anywhere =
      spiral(R"({"type": "spins", "bonds": [[0, 1]], "positions": [[0, 0, 0], [0.5, 0.25, 1]]})");
  EXPECT_LT((anywhere.col(1) - direction(90 * degrees, 1.25)).norm(), 1e-15);
}

TEST(GeneratedStarts, AreGeneratedAnewByTheirSettings) {
  const auto list = [](int first, int second) {
    return fmt::format(
        R"([{{"type": "random", "seed": {}}}, {{"type": "noise", "amplitude": 0.1, "seed": {}}}])",
        first, second);
  };
  const auto read = [](std::string_view generator) {
    return value_of(read_scenario(spins_with(generator, row), "s.json"));
  };
  const Scenario one = read(R"({"type": "random", "seed": 3})"), two = read(list(3, 4));
  const auto seeded = [](const Scenario& s, const char* path, double seed) {
    return value_of(with_setting(s, path, seed));
  };
  const Scenario other = seeded(one, "initial.generator.seed", 8);
  EXPECT_EQ(other.q, start_of(R"({"type": "random", "seed": 8})"));
  EXPECT_EQ(seeded(other, "initial.generator.seed", 3).q, one.q) << "and back";
  EXPECT_EQ(seeded(two, "initial.generator[1].seed", 9).q, start_of(list(3, 9)));
  EXPECT_EQ(seeded(seeded(two, "system.exchange", 2), "initial.generator[0].seed", 9).q,
            start_of(list(9, 4)))
      << "other settings keep the generator";
  EXPECT_EQ(seeded(two, "initial.generator[1].amplitude", 0).q, one.q) << "any number of it";
  EXPECT_EQ(setting_unit(two, "initial.generator[1].amplitude"), "rad");
  EXPECT_EQ(setting_unit(two, "initial.generator[1].seed"), "1");
  EXPECT_EQ(
      value_of(with_setting(one, "initial.generator", *json::parse(R"({"type": "aligned"})", "t")))
          .q,
      start_of(R"({"type": "aligned"})"));
  // A file has the directions, which are the same on every machine.
  EXPECT_EQ(write_scenario(one).find("generator"), std::string::npos);
  const auto refused = [](const Scenario& s, const char* path, double seed) {
    const auto set = with_setting(s, path, seed);
    return set ? "none" : set.error().text();
  };
  EXPECT_EQ(refused(value_of(read_scenario(write_scenario(one), "t")), "initial.generator.seed", 1),
            "initial.generator.seed: there is no initial.generator");
  const Scenario turned =
      value_of(with_setting(one, "initial.q[0]", *json::parse("[0, 0, 1]", "t")));
  EXPECT_NE(refused(turned, "initial.generator.seed", 1), "none") << "q is not generated any more";
  EXPECT_NE(refused(one, "initial.generator.seed", 0.5).find("whole number"), std::string::npos);
}

TEST(GeneratedStarts, WithVorticesAreGeneratedAnew) {
  const auto start = [](int subdivisions, double amplitude) {
    return value_of(
        read_scenario(fmt::format(
                          R"({{"twosphere": 1, "system": {{"type": "lennard_jones", "masses": 1,
"epsilon": 0.01, "sigma": 0.1}},
"initial": {{"generator": {{"type": "icosphere", "subdivisions": {}}},
"velocity": {{"type": "two_vortices", "amplitude": {}, "separation": 30, "width": 15}}}},
"integrator": {{"type": "variational", "step": 0.01}}, "duration": 1}})",
                          subdivisions, amplitude),
                      "s.json"));
  };
  const Scenario one = start(0, 1.5), other = start(1, 2);
  const Setting faster{"initial.velocity.amplitude", 2.0},
      finer{"initial.generator.subdivisions", 1.0}, masses{"system.masses", 1.0};
  EXPECT_EQ(value_of(with_settings(one, {faster})).omega, start(0, 2).omega);
  EXPECT_EQ(value_of(with_settings(one, {faster})).q, one.q);
  for (const auto& settings :
       {std::vector{faster, finer, masses}, std::vector{masses, finer, faster}}) {
    const Scenario set = value_of(with_settings(one, settings));
    EXPECT_EQ(set.q, other.q);
    EXPECT_EQ(set.omega, other.omega);
  }
  const Scenario between = value_of(with_settings(one, {faster}));
  EXPECT_EQ(value_of(with_settings(between, {finer, masses})).omega, other.omega);
  EXPECT_EQ(setting_unit(one, "initial.velocity.amplitude"), "rad/s");
  // What is set by hand is generated no longer.
  const Scenario rest =
      value_of(with_setting(one, "initial.omega[0]", *json::parse("[0, 0, 0]", "t")));
  EXPECT_EQ(test::error_of(with_settings(rest, {faster})).text(),
            "initial.velocity.amplitude: there is no initial.velocity");
  const Setting still{"initial.omega[0]", *json::parse("[0, 0, 0]", "t")};
  const Scenario one_rests = value_of(with_settings(one, {faster, still}));
  EXPECT_EQ(one_rests.omega.rightCols(11), start(0, 2).omega.rightCols(11));
  EXPECT_TRUE(one_rests.omega.col(0).isZero(0));
  EXPECT_EQ(test::error_of(with_settings(one, {still, faster})).text(),
            "initial.velocity.amplitude: there is no initial.velocity");
  const Setting moved{"initial.q[0]", *json::parse("[0, 0, 1]", "t")};
  EXPECT_EQ(value_of(with_settings(one, {faster, masses, moved})).q.col(0), Vec3::UnitZ());
}

TEST(GeneratedStarts, SayWhatIsWrong) {
  for (const auto& [generator, message] : {
           std::pair{R"({"type": "spirall"})", "initial.generator.type: unknown generator"},
           {R"({"type": "spiral"})", "initial.generator: missing key \"wave_vector\""},
           {R"({"type": "aligned", "seed": 1})", "initial.generator.seed: unknown key"},
           {R"({"type": "aligned", "direction": [0, 0, 0]})",
            "initial.generator.direction: must not be the zero vector"},
           {R"({"type": "spiral", "wave_vector": [1, 0, 0], "center": [1, 0, 0]})",
            "initial.generator.center: of a packet needs its width"},
           {R"({"type": "domain_wall", "position": 1, "width": 0})", "initial.generator.width"},
           {R"({"type": "soliton", "position": 1, "v": 1, "w": 0.2})",
            "initial.generator.w: must be greater than v²/4 = 0.25, not 0.2"},
           {R"({"type": "skyrmion", "center": [1], "radius": 1})",
            "initial.generator.center: must have 2 numbers, not 1"},
           {R"({"type": "skyrmion", "center": [1, 1], "radius": 1, "charge": 0})",
            "initial.generator.charge: must not be 0"},
           {R"({"type": "clusters", "count": 40, "clusters": 50, "width": 5})",
            "initial.generator.clusters: must be a whole number from 1 to 40, not 50"},
           {R"({"type": "noise", "amplitude": -1})", "must be 0 or greater, not -1"},
           {R"([])", "initial.generator: must have at least one entry"},
           {R"([1])", "initial.generator[0]"},
           {R"([{"type": "aligned"}, {"type": "polygon", "count": 3, "colatitude": 1}])",
            "initial.generator[1]: gives 3 directions, but the first of the list 40"},
       }) {
    const std::string error = error_of(generator);
    EXPECT_NE(error.find(message), std::string::npos) << generator << '\n' << error;
  }
  EXPECT_NE(error_of(R"({"type": "random", "count": 7})").find("has 40 sites"), std::string::npos);
  for (const auto& [lattice, message] : {
           std::pair{R"({"type": "kagome", "size": [4, 4]})", "system.lattice.type"},
           {R"({"type": "square", "size": [4]})",
            "system.lattice.size: must have 2 whole numbers for a square lattice, not 1"},
           {R"({"type": "chain", "size": [2], "periodic": true})",
            "system.lattice.size[0]: of a periodic lattice must be 3 or greater, not 2"},
           {R"({"type": "chain", "size": [4], "spacing": 0})", "system.lattice.spacing"},
           {R"({"type": "chain", "size": [4], "periodic": 1})", "system.lattice.periodic"},
           {R"({"type": "square", "size": [4000, 4000]})", "must give at most 1048576 sites"},
       }) {
    const std::string error = error_of(R"({"type": "aligned"})", lattice);
    EXPECT_NE(error.find(message), std::string::npos) << lattice << '\n' << error;
  }
  const auto unknown = read_scenario(
      R"({"twosphere": 1, "system": {"type": "n_body", "masses": 1},
"initial": {"generator": {"type": "aligned"}, "omega": []},
"integrator": {"type": "variational", "step": 0.1}, "duration": 1})",
      "s.json");
  ASSERT_FALSE(unknown);
  EXPECT_NE(unknown.error().text().find("the number of bodies is not known"), std::string::npos);
}

TEST(GeneratedStarts, AreInTheTableOfKeys) {
  std::set<std::string_view> names(generator_names().begin(), generator_names().end());
  for (const char* name : {"icosphere", "random", "aligned", "spiral", "domain_wall", "soliton",
                           "skyrmion", "polygon", "clusters", "noise"})
    EXPECT_TRUE(names.contains(name)) << name;
  for (const std::string_view name : names)
    EXPECT_EQ(file_object(name).keys.front().key, "type") << name;
}

}  // namespace
}  // namespace twosphere::test::generated_starts_test
