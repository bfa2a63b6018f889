// SPDX-License-Identifier: GPL-3.0-or-later
// States at places of a section, with a given energy, and the orbits from them.
#include "core/studies/section_start.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/mechanics/diagnostics.h"
#include "core/mechanics/first_order.h"
#include "core/mechanics/sphere.h"
#include "core/scenario/poincare_section.h"
#include "core/scenario/section_surface.h"
#include "tests/outcome.h"
#include "tests/runs.h"

namespace twosphere::test::section_start_test {
namespace {

struct Case {
  Scenario scenario;
  std::shared_ptr<const System> system;
  std::shared_ptr<const SectionSurface> surface;
  State state;  ///< of the second crossing; the first may be the start

  explicit Case(Scenario given) : scenario(std::move(given)) {
    if (!scenario.section) scenario.section = default_section(scenario);
    Simulation run = start(scenario);
    EXPECT_TRUE(run.follow_section(*scenario.section));
    std::vector<SectionPoint> points;
    while (points.size() < 2) {
      march(run, 100);
      for (SectionPoint& point : run.take_section_points(0)) points.push_back(std::move(point));
    }
    system = run.system();
    surface = run.lane(0).crossings->surface();
    state = points[1].state;
  }
  std::vector<double> coordinates(const State& at) const {
    std::vector<double> values;
    surface->coordinates(at, values);
    return values;
  }
  double energy() const { return total_energy(*system, {0, scenario.q, scenario.omega}); }
  SectionTarget target(double x, double y) const {
    return {.values = {x, y}, .sizes = {2, 2}, .energy = energy()};
  }
  /// The run of the orbit that begins at a place, with its section.
  Simulation orbit_from(const SectionTarget& at) const {
    const auto found = value_of(state_on_section(*system, *surface, state, at));
    const auto orbit = value_of(section_orbit(scenario, 0, found));
    Simulation run = start(orbit);
    EXPECT_TRUE(run.follow_section(*orbit.section));
    return run;
  }
};

double distance(const State& a, const State& b) {
  return std::sqrt((a.q - b.q).squaredNorm() + (a.w - b.w).squaredNorm());
}

TEST(SectionStart, HasTheCoordinatesAndTheEnergyAndLiesOnTheSection) {
  for (const char* key : {"double_spherical_pendulum", "chain_pendulum", "three_body",
                          "conformal_pair", "custom/magnetic_pendulum"}) {
    const Case at(preset(key));
    const std::vector<double> from = at.coordinates(at.state);
    for (const double by : {0.05, -0.1, 0.2}) {
      const SectionTarget target = at.target(from[0] + by, from[1] - by / 2);
      const auto found = value_of(state_on_section(*at.system, *at.surface, at.state, target));
      EXPECT_NEAR(at.coordinates(found)[0], target.values[0], 1e-9) << key;
      EXPECT_NEAR(at.coordinates(found)[1], target.values[1], 1e-9) << key;
      EXPECT_NEAR(at.surface->value(found), 0, 1e-11) << key;
      EXPECT_NEAR(total_energy(*at.system, found), target.energy, 1e-9 * std::abs(target.energy));
      for (Eigen::Index i = 0; i < found.q.cols(); ++i) {
        EXPECT_LT(unit_length_error(found.q.col(i)), 1e-15);
        EXPECT_LT(std::abs(found.q.col(i).dot(found.w.col(i))), 1e-13);
      }
      EXPECT_LT(distance(found, at.state), 20 * std::abs(by)) << key << ": the nearest";
    }
  }
}

TEST(SectionStart, OfASystemOfFirstOrderMovesDirectionsAlone) {
  for (const char* key : {"vortex_leapfrog", "custom/spin_ring"}) {
    Scenario scenario = preset(key);
    scenario.section = PoincareSection{
        .expression = "q[0].e2",
        .coordinates = {{"azimuth", "atan2(q[1].e2, q[1].e1)"}, {"height", "q[1].e3"}}};
    const Case at(scenario);
    const std::vector<double> from = at.coordinates(at.state);
    for (const double by : {0.01, -0.02}) {
      const SectionTarget target = at.target(from[0] + by, from[1] - by / 2);
      const State found = value_of(state_on_section(*at.system, *at.surface, at.state, target));
      EXPECT_NEAR(at.coordinates(found)[0], target.values[0], 1e-9) << key;
      EXPECT_NEAR(at.coordinates(found)[1], target.values[1], 1e-9) << key;
      EXPECT_NEAR(at.surface->value(found), 0, 1e-11) << key;
      EXPECT_NEAR(total_energy(*at.system, found), target.energy,
                  1e-9 * std::abs(target.energy) + 1e-12);
      Columns w(3, found.q.cols());
      first_order_velocity(*at.system, found.t, found.q, w);
      EXPECT_EQ(found.w, w) << key;
      EXPECT_LT((found.q - at.state.q).norm(), 20 * std::abs(by)) << key << ": the nearest";
    }
  }
}

TEST(SectionStart, TheEnergyOfAStrongSpinMovesTheWeak) {
  // Spins of strength 1 and 100 in fields alike, at the same angles: q changes by (1/|κ|) ∂H/∂q.
  const auto scenario = value_of(read_scenario(
      R"({"twosphere": 1,
          "system": {"type": "spins", "lattice": {"type": "chain", "size": [4]}, "exchange": 0,
                     "strength": [1, 1, 100, 1], "field": [0, 0, 1]},
          "initial": {"q": [[0.796, -0.08, 0.6], [0.8, 0, 0.6], [0.8, 0, 0.6], [0.8, 0, 0.6]]},
          "integrator": {"type": "spherical_midpoint", "step": 0.01}, "duration": 20})",
      "spins"));
  const auto system = value_of(Simulation::make_system(scenario));
  const PoincareSection section{.expression = "q[0].e2",
                                .coordinates = {{"first", "q[0].e1"}, {"second", "q[3].e1"}}};
  const auto surface = value_of(SectionSurface::create(section, scenario));
  const State near{0, scenario.q, scenario.omega};
  SectionTarget target{.values = {0.8, 0.8}, .energy = total_energy(*system, near) - 0.02};
  const State found = value_of(state_on_section(*system, *surface, near, target));
  const auto moved = [&](int i) { return (found.q.col(i) - near.q.col(i)).norm(); };
  EXPECT_NEAR(moved(1) / moved(2), 100, 5);
  EXPECT_NEAR(total_energy(*system, found), target.energy, 1e-9);
}

TEST(SectionStart, AnOrbitOfFirstOrderBeginsWithItsPoint) {
  Scenario scenario = preset("vortex_leapfrog");
  scenario.section = PoincareSection{
      .expression = "q[0].e2",
      .coordinates = {{"azimuth", "atan2(q[1].e2, q[1].e1)"}, {"height", "q[1].e3"}}};
  const Case at(scenario);
  const std::vector<double> from = at.coordinates(at.state);
  const SectionTarget target = at.target(from[0] + 0.01, from[1]);
  Simulation run = at.orbit_from(target);
  march(run, 1);
  const auto points = run.take_section_points(0);
  ASSERT_EQ(points.size(), 1U);
  EXPECT_NEAR(at.coordinates(points[0].state)[0], target.values[0], 1e-9);
  EXPECT_NEAR(at.coordinates(points[0].state)[1], target.values[1], 1e-9);
}

TEST(SectionStart, KeepsTheMomentumThatIsConserved) {
  for (const char* key : {"double_spherical_pendulum", "three_body"}) {
    const Case at(preset(key));
    const std::vector<double> from = at.coordinates(at.state);
    SectionTarget target = at.target(from[0] + 0.05, from[1]);
    const Vec3 momentum = momentum_map(*at.system, at.state);
    const auto conserved = at.system->conserved_momentum();
    const auto off = [&](const State& state) {
      double most = 0;
      for (std::size_t k = 0; k < 3; ++k)
        if (conserved[k])
          most = std::max(most, std::abs((momentum_map(*at.system, state) -
                                          momentum)(static_cast<Eigen::Index>(k))));
      return most / momentum.norm();
    };
    const auto free = value_of(state_on_section(*at.system, *at.surface, at.state, target));
    EXPECT_GT(off(free), 1e-4) << key;
    target.momentum = momentum;
    const auto kept = value_of(state_on_section(*at.system, *at.surface, at.state, target));
    EXPECT_LT(off(kept), 1e-9) << key;
    EXPECT_NEAR(at.coordinates(kept)[0], target.values[0], 1e-9);
    EXPECT_NEAR(total_energy(*at.system, kept), target.energy, 1e-9 * std::abs(target.energy));
    EXPECT_GT(distance(kept, at.state), distance(free, at.state));
  }
}

TEST(SectionStart, TheOrbitBeginsWithThatPoint) {
  for (const auto direction :
       {PoincareSection::Direction::rising, PoincareSection::Direction::falling}) {
    Scenario scenario = preset();
    scenario.section = default_section(scenario);
    scenario.section->direction = direction;
    const Case at(scenario);
    const std::vector<double> from = at.coordinates(at.state);
    const SectionTarget target = at.target(from[0] + 0.1, from[1] + 0.05);
    Simulation run = at.orbit_from(target);
    march(run, 1);
    const auto points = run.take_section_points(0);
    ASSERT_EQ(points.size(), 1U);
    EXPECT_NEAR(at.coordinates(points[0].state)[0], target.values[0], 1e-9);
    EXPECT_NEAR(at.coordinates(points[0].state)[1], target.values[1], 1e-9);
    EXPECT_LT(points[0].state.t, 1e-9);
  }
}

TEST(SectionStart, RefusesPlacesThatTheEnergyDoesNotReach) {
  const Case at(preset());
  const std::vector<double> from = at.coordinates(at.state);
  const Error found = error_of(
      state_on_section(*at.system, *at.surface, at.state, at.target(from[0], from[1] + 10)));
  EXPECT_EQ(found.kind, ErrorKind::numerical);
  EXPECT_TRUE(says(found.message, "the nearest to the run has"));
  // An angle that no state has.
  const auto angle = state_on_section(*at.system, *at.surface, at.state, at.target(5, from[1]));
  EXPECT_FALSE(angle);
}

TEST(SectionStart, TheOtherDirectionIsRefused) {
  const Case at(preset());
  Scenario other = at.scenario;
  other.section->direction = PoincareSection::Direction::falling;
  EXPECT_TRUE(says(error_of(section_orbit(other, 0, at.state)).message, "rising"));
}

TEST(SectionStart, AStroboscopicOrbitBeginsAtItsPhase) {
  Scenario scenario = preset();
  scenario.section =
      PoincareSection{.period = "0.7",
                      .phase = 0.2,
                      .coordinates = {{"angle", "atan2(q[1].e1, q[1].e3)"}, {"rate", "w[1].e2"}}};
  const Case at(scenario);
  const std::vector<double> from = at.coordinates(at.state);
  const SectionTarget target = at.target(from[0] + 0.1, from[1]);
  Simulation run = at.orbit_from(target);
  EXPECT_EQ(run.time(), 0.2);
  march(run, 100);
  const auto points = run.take_section_points(0);
  ASSERT_EQ(points.size(), 2U);
  EXPECT_EQ(points[0].state.t, 0.2);
  EXPECT_NEAR(points[1].state.t, 0.9, 1e-12);
  EXPECT_NEAR(at.coordinates(points[0].state)[0], target.values[0], 1e-9);
}

TEST(SectionStart, AnOrbitKeepsTheMomentumWhereItCan) {
  const Case at(preset("double_spherical_pendulum"));
  const std::vector<double> from = at.coordinates(at.state);
  SectionTarget target = at.target(from[0] + 0.01, from[1]);
  target.momentum = momentum_map(*at.system, at.state);
  const auto found =
      value_of(orbit_on_section(at.scenario, 0, *at.system, *at.surface, {at.state}, target));
  EXPECT_TRUE(found.conserved);
  const State start{0, found.orbit.q, found.orbit.omega};
  EXPECT_NEAR(total_energy(*at.system, start), target.energy, 1e-8 * std::abs(target.energy));
  if (found.momentum) {
    EXPECT_NEAR(momentum_map(*at.system, start).z(), target.momentum->z(), 1e-6);
  }
  EXPECT_FALSE(orbit_on_section(at.scenario, 0, *at.system, *at.surface, {at.state},
                                at.target(from[0], 1e6)));
}

}  // namespace
}  // namespace twosphere::test::section_start_test
