// SPDX-License-Identifier: GPL-3.0-or-later
// Families of orbits over a setting of the system, and families that are gone on with.
#include "core/studies/orbit_parameter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/json.h"
#include "core/mechanics/diagnostics.h"
#include "core/mechanics/parameter_slope.h"
#include "core/mechanics/return_map.h"
#include "core/scenario/reader.h"
#include "core/scenario/writer.h"
#include "core/studies/orbit_family_record.h"
#include "core/studies/orbit_family_table.h"
#include "core/studies/sweep_collect.h"
#include "tests/cases.h"
#include "tests/outcome.h"
#include "tests/runs.h"

namespace twosphere::test::orbit_parameter_test {
namespace {

/// The derivative at 0 of the state at(s), by five points.
template <class At>
Eigen::VectorXd five_points(const PhaseCoordinates& from, double s, const At& at) {
  Eigen::VectorXd by = Eigen::VectorXd::Zero(from.size());
  for (const auto& [k, weight] : {std::pair{-2.0, 1.0}, {-1.0, -8.0}, {1.0, 8.0}, {2.0, -1.0}})
    by += weight / (12 * s) * from.difference(at(k * s));
  return by;
}

// By h and by θ, of systems with every form of the inertia, texts among them, and of compositions.
TEST(ReturnMapByParameter, DerivativesByStepAndParameterAreThoseOfDifferences) {
  const struct {
    const char *row, *key;
    std::size_t entry;
  } parameters[] = {
      {"double_pendulum", "lengths", 1},
      {"chain_of_5", "masses", 2},
      {"chain_of_5", "gravity", 0},
      {"three_bodies", "masses", 0},
      {"three_bodies", "gamma", 0},
      {"rod_consistent", "mass", 0},
      {"rod_consistent", "stiffness", 1},
      {"dipoles", "moments", 2},
      {"molecules", "sigma", 0},
      {"matrix", "length", 0},
      {"variable_inertia", "slope", 0},
      {"variable_inertia", "masses", 1},
      {"variable_inertia", "gravity", 0},
      {"custom_chain", "l", 0},
      {"custom_bodies", "gamma", 0},
      {"custom_variable_inertia", "alpha", 0},
      {"custom_network", "k", 1},
      {"flying_chain", "lengths", 2},
      {"vortices", "rotation", 0},
      {"vortices", "circulations", 1},
      {"gyrostats", "moments", 1},
      {"gyrostats", "angular_momentum", 0},
      {"spins_ring", "exchange", 0},
      {"spins_mixed_signs", "dm", 1},
      {"custom_first_order", "D", 0},
      {"turning_chain", "frame_rotation", 2},
      {"turning_chain", "lengths", 1},
      {"turning_matrix", "frame_rotation", 0},
      {"orbiting_chain", "orbital_rate", 0},
      {"turning_network", "frame_rotation", 2},
      {"charged_bodies", "strength", 1},
      {"turning_charged_bodies", "frame_rotation", 1},
      {"turning_charged_bodies", "masses", 0},
  };
  int compared = 0;
  for (const auto& p : parameters) {
    const std::string row = p.row, key = p.key;
    const std::size_t entry = p.entry;
    const std::vector<SystemCase> rows = all_system_cases();
    const auto found =
        std::find_if(rows.begin(), rows.end(), [&](const SystemCase& c) { return c.name == row; });
    ASSERT_NE(found, rows.end()) << row;
    const double theta = found->values.at(key).at(entry);
    const SystemAt at = [&](double value) -> Result<std::shared_ptr<const System>> {
      SystemCase beside = *found;
      beside.values.at(key).at(entry) = value;
      return std::shared_ptr<const System>(make_system(beside));
    };
    const auto [system, from] = started(*found, 3);
    const PhaseCoordinates coordinates(*system, from);
    const ParameterSlope slope = value_of(ParameterSlope::at(at, theta, 1e-3 * std::abs(theta)));
    const double h = 0.004 * found->time;
    constexpr int steps = 5;
    for (const char* method :
         {"variational", "variational_cayley", "variational4", "rotation", "rotation6",
          "variational8", "spherical_midpoint", "spherical_midpoint4"}) {
      if (!method_info(method).supports(*system)) continue;
      if (!ReturnMap::missing(*system, method_info(method)).empty()) continue;
      SCOPED_TRACE(row + " " + key + " " + method);
      ++compared;
      const ReturnMap map(*system, method_info(method), {});
      const auto image = value_of(map.at(coordinates, h, steps, 0, nullptr, &slope));
      const auto by_theta = five_points(coordinates, 1e-3 * theta, [&](double change) {
        const auto beside = value_of(at(theta + change));
        return value_of(ReturnMap(*beside, method_info(method), {}).end(from, h, steps, 0));
      });
      const double size = 1 + image.derivative.norm();
      EXPECT_LT((image.by_theta - by_theta).norm() * std::abs(theta), 1e-9 * size);
      const auto by_step = five_points(coordinates, 1e-3, [&](double change) {
        return value_of(map.end(from, h * std::exp(change), steps, 0));
      });
      EXPECT_LT((image.by_step - by_step).norm(), 1e-9 * size);
    }
  }
  EXPECT_GT(compared, 60);
}

// Where the axes are at rest and the bodies do not spin at θ, but do beside it.
TEST(ReturnMapByParameter, DerivativesByARotationOrAStrengthThatVanish) {
  const auto network = [](double strength, double rate) -> std::shared_ptr<const System> {
    return system_of("pendulum_network", 2,
                     {{"masses", {1, 2}},
                      {"lengths", {1, 0.5}},
                      {"pivots", {0, 0, 0, 1, 0, 0}},
                      {"strength", {strength, 0}},
                      {"frame_rotation", {0, rate, 0}}});
  };
  const auto chain = [](double rate) -> std::shared_ptr<const System> {
    return system_of("chain_pendulum", 2,
                     {{"masses", {1, 2}}, {"lengths", {1, 0.5}}, {"frame_rotation", {0, rate, 0}}});
  };
  const struct {
    const char* method;
    std::function<std::shared_ptr<const System>(double)> system;
  } cases[] = {{"rotation", [&](double kappa) { return network(kappa, 0); }},
               {"rotation4", [&](double rate) { return network(0, rate); }},
               {"variational", [&](double rate) { return network(0, rate); }},
               {"variational4", chain}};
  for (const auto& c : cases) {
    SCOPED_TRACE(c.method);
    const auto system = c.system(0);
    const State from = generic_start(2, 0.5, 1, 87);
    const PhaseCoordinates coordinates(*system, from);
    const ParameterSlope slope = value_of(ParameterSlope::at(
        [&](double theta) -> Result<std::shared_ptr<const System>> { return c.system(theta); }, 0,
        1e-3));
    const IntegratorInfo& method = method_info(c.method);
    const auto image =
        value_of(ReturnMap(*system, method, {}).at(coordinates, 0.01, 5, 0, nullptr, &slope));
    const auto by_theta = five_points(coordinates, 1e-3, [&](double theta) {
      const auto beside = c.system(theta);
      return value_of(ReturnMap(*beside, method, {}).end(from, 0.01, 5, 0));
    });
    EXPECT_GT(by_theta.norm(), 1e-3);
    EXPECT_LT((image.by_theta - by_theta).norm(), 1e-9);
  }
}

// A damped spin: the tangent map of its steps stretches, but knows no θ.
TEST(ReturnMapByParameter, DerivativesOfDampedSystemsOfFirstOrder) {
  const double damping = 0.2;
  const auto spin = [](double theta) -> Result<std::shared_ptr<const System>> {
    return std::shared_ptr<const System>(system_of("spins", 1,
                                                   {{"lattice", {0, 1, 1, 1, 1, 0}},
                                                    {"damping", {theta}},
                                                    {"field", {0, 0.3, 0, 1}},
                                                    {"spin_torque", {0.1, 0.2, 0.4}}}));
  };
  const auto system = value_of(spin(damping));
  const PhaseCoordinates coordinates(*system, generic_start(1, 0.5, 1, 87));
  const ParameterSlope slope = value_of(ParameterSlope::at(spin, damping, 1e-3));
  const IntegratorInfo& method = method_info("spherical_midpoint8");
  const State& from = coordinates.state();
  const auto image =
      value_of(ReturnMap(*system, method, {}).at(coordinates, 0.1, 20, 0, nullptr, &slope));
  const auto by_theta = five_points(coordinates, 1e-3, [&](double change) {
    const auto beside = value_of(spin(damping + change));
    return value_of(ReturnMap(*beside, method, {}).end(from, 0.1, 20, 0));
  });
  EXPECT_GT(by_theta.norm(), 1e-3);
  EXPECT_LT((image.by_theta - by_theta).norm(), 1e-9);
}

// At an end of the range of θ, by systems on one side.
TEST(ParameterSlope, IsTakenOnOneSideAtAnEnd) {
  const SystemAt at = [](double gravity) -> Result<std::shared_ptr<const System>> {
    if (gravity < 0 || gravity > 2)
      return Error{ErrorKind::usage, "system.gravity", "must be from 0 to 2"};
    return std::shared_ptr<const System>(system_of(
        "chain_pendulum", 1, {{"masses", {1}}, {"lengths", {1}}, {"gravity", {gravity}}}));
  };
  Columns q(3, 1);
  q.col(0) << 0.6, 0, 0.8;
  for (const double theta : {0.0, 1.0, 2.0}) {
    const ParameterSlope slope = value_of(ParameterSlope::at(at, theta, 1e-3));
    EXPECT_NEAR(slope.derivative([&](const System& s) { return s.potential(q); }), -0.8, 1e-11);
  }
  EXPECT_NE(error_of(ParameterSlope::at(at, -1, 1e-3)).text().find("from 0 to 2"),
            std::string::npos);
}

/// A scenario of one period of a mode.
Scenario in_mode(const Scenario& scenario, std::size_t mode, double above_rest) {
  const auto system = start(scenario).system();
  const auto rest = value_of(system_at_rest(system, 0, scenario.q));
  OrbitRequest request;
  request.from = OrbitRequest::From::mode;
  request.mode = mode;
  request.start = {0, scenario.q, scenario.omega};
  request.energy = above_rest;
  request.above_rest = true;
  const auto found =
      value_of(search_orbit(*system, *rest, orbit_method(*system), request, [] { return true; }));
  return found->scenario(scenario);
}
/// Of the slow mode of a double pendulum.
Scenario slow_mode(double above_rest) { return in_mode(preset(), 0, above_rest); }

/// The family of a scenario.
Result<FoundFamily> family_of(const Scenario& scenario, const FamilyRequest& request,
                              const std::function<bool(std::size_t)>& go_on,
                              const KnownFamily* known = nullptr) {
  const auto system = start(scenario).system();
  const auto rest = value_of(system_at_rest(system, 0, scenario.q));
  return continued_family(*system, *rest, scenario, request, go_on, known);
}
FamilyRequest over(const Scenario& scenario, const std::string& what, const std::string& to) {
  FamilyRequest request;
  const auto read = read_over(what, scenario, request);
  EXPECT_TRUE(read) << read.error().text();
  const auto value = read_to(to, scenario, request);
  EXPECT_TRUE(value) << value.error().text();
  return request;
}
constexpr auto always = [](std::size_t) { return true; };

// With twice the gravity T is smaller by √2 for the same shape, whose energy is then twice as
// large: from the same total energy, the orbit over gravity is that of the new system at this
// energy.
TEST(OrbitFamilies, OverASettingKeepTheEnergy) {
  const Scenario scenario = slow_mode(60);
  const double gravity = scenario.parameters.at("gravity").at(0);
  const FoundFamily found = value_of(
      family_of(scenario, over(scenario, "system.gravity", json::shortest(0.9 * gravity)), always));
  ASSERT_TRUE(found.reached) << found.end;
  ASSERT_GT(found.members.size(), 1U);
  const FoundOrbit& first = found.members.front();
  const FoundOrbit& last = found.members.back();
  for (const FoundOrbit& one : found.members) {
    EXPECT_NEAR(one.orbit.energy, first.orbit.energy, 1e-11 * std::abs(first.orbit.energy));
    EXPECT_LT(one.orbit.solution.residual, 1e-12 * one.orbit.solution.growth);
    ASSERT_TRUE(one.setting);
  }
  EXPECT_EQ(last.setting->value, 0.9 * gravity);
  EXPECT_EQ(first.setting->value, gravity);
  // Its scenario has the other gravity, and its run closes.
  const Scenario saved = value_of(read_scenario(write_scenario(last.scenario(scenario)), "saved"));
  EXPECT_EQ(saved.parameters.at("gravity").at(0), 0.9 * gravity);
  Simulation run = start(saved, saved.orbit->steps);
  EXPECT_LT((run.state(0).q - saved.q).norm(), 1e-10);
  // A search in that system finds the same orbit.
  const auto system = start(saved).system();
  const auto rest = value_of(system_at_rest(system, 0, saved.q));
  OrbitRequest request;
  request.start = {0, saved.q, saved.omega};
  request.period = saved.orbit->period;
  const auto again =
      value_of(search_orbit(*system, *rest, orbit_method(*system), request, [] { return true; }));
  EXPECT_NEAR(again->period(), last.period(), 1e-9);
  // The energy of rest is that of the system there.
  ASSERT_TRUE(last.rest_energy && again->rest_energy);
  EXPECT_NEAR(*last.rest_energy, *again->rest_energy, 1e-9);
  EXPECT_NE(found.csv().find("member [1],system.gravity ["), std::string::npos)
      << found.csv().substr(0, 200);
}

// A pendulum at a fixed energy over its length: T = 4 (l/g)^½ K(sin ½ θ₀).
TEST(OrbitFamilies, OverALengthHaveTheirPeriods) {
  Scenario scenario = preset();
  scenario =
      with(scenario, {{"system", value_of(json::parse(
                                     R"({"type": "chain_pendulum", "masses": [1], "lengths": [1],
                                 "gravity": 9.81})",
                                     "system"))},
                      {"initial", value_of(json::parse(
                                      R"({"q": [[1, 0, 0]], "omega": [[0, 0, 0]]})", "initial"))}});
  const auto system = start(scenario).system();
  const auto rest = value_of(system_at_rest(system, 0, scenario.q));
  OrbitRequest request;
  request.start = {0, scenario.q, scenario.omega};
  request.period = 2.3;
  const auto orbit =
      value_of(search_orbit(*system, *rest, orbit_method(*system), request, [] { return true; }));
  const Scenario first = orbit->scenario(scenario);
  // E = 0: 90 degrees for every length.
  const FoundFamily found =
      value_of(family_of(first, over(first, "system.lengths[0]", "2.25 m"), always));
  ASSERT_TRUE(found.reached) << found.end;
  EXPECT_NEAR(found.members.back().period(), 1.5 * 2.36784194757624, 1e-9);
}

TEST(OrbitFamilies, AreGoneOnWithByteForByte) {
  const Scenario scenario = slow_mode(100), another = slow_mode(90);
  for (const auto& [what, to] : {std::pair{"energy", "rest+130"}, {"system.masses[1]", "1.2 kg"}}) {
    SCOPED_TRACE(what);
    FamilyRequest request = over(scenario, what, to);
    const auto files = [&](const FoundFamily& found) {
      std::string all = found.csv() + found.companion(scenario) + json::write(found.document()) +
                        write_family_record(found, request, scenario);
      for (const FoundOrbit& one : found.members) all += write_scenario(one.scenario(scenario));
      return all;
    };
    const FoundFamily whole = value_of(family_of(scenario, request, always));
    ASSERT_TRUE(whole.reached) << whole.end;
    ASSERT_GT(whole.members.size(), 3U);
    request.threads = 2;
    // Stopped after two, then after three, then to the end.
    std::optional<KnownFamily> known;
    for (const std::size_t most : {2U, 3U, 1000U}) {
      const FoundFamily part = value_of(family_of(
          scenario, request, [&](std::size_t n) { return n < most; }, known ? &*known : nullptr));
      EXPECT_EQ(part.members.size(), std::min<std::size_t>(most, whole.members.size()));
      if (most == 1000) {
        EXPECT_EQ(files(part), files(whole));
      } else {
        EXPECT_EQ(part.end, "it was stopped");
      }
      known = value_of(read_family_record(write_family_record(part, request, scenario), "record",
                                          request, scenario));
    }
    // A complete one stays as it is.
    EXPECT_EQ(files(value_of(family_of(scenario, request, always, &*known))), files(whole));
    // Of other settings it is refused.
    const std::string record = write_family_record(whole, request, scenario);
    const auto refused = [&](const FamilyRequest& other, const Scenario& of) {
      return error_of(read_family_record(record, "family.json", other, of)).text();
    };
    FamilyRequest other = request;
    other.to += 1;
    EXPECT_NE(refused(other, scenario).find("another \"to\""), std::string::npos);
    EXPECT_NE(refused(over(scenario, "period", "9"), scenario).find("another \"over\""),
              std::string::npos);
    EXPECT_NE(refused(request, another).find("another orbit"), std::string::npos);
    other = request;
    other.count = 2;
    EXPECT_NE(refused(other, scenario).find("must be at least"), std::string::npos);
    EXPECT_FALSE(
        read_family_record(record.substr(0, record.size() / 2), "family.json", request, scenario));
  }
}

// Where the segments of its orbits begin is known, too, and how often the steps of the last one
// were doubled.
TEST(OrbitFamilies, AreRecordedWithTheirSegmentsAndDoublings) {
  const Scenario scenario = slow_mode(100);
  const FamilyRequest request = over(scenario, "energy", "rest+130");
  FoundFamily found = value_of(family_of(scenario, request, [](std::size_t n) { return n < 2; }));
  OrbitSolution& last = found.members.back().orbit.solution;
  for (const int part : {1, 2}) {
    const int step = part * last.point.steps / 3;
    last.point.stations.push_back({last.image.points[static_cast<std::size_t>(step)], step});
    found.direction.stations.push_back({part * scenario.q, part * scenario.omega});
  }
  found.doublings = 2;
  const std::string record = write_family_record(found, request, scenario);
  const KnownFamily known = value_of(read_family_record(record, "record", request, scenario));
  EXPECT_EQ(known.family.doublings, 2);
  const OrbitPoint& point = known.family.members.back().solution.point;
  ASSERT_EQ(point.stations.size(), 2U);
  ASSERT_EQ(known.family.direction.stations.size(), 2U);
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_EQ(point.stations[k].step, last.point.stations[k].step);
    EXPECT_EQ(point.stations[k].state.q, last.point.stations[k].state.q);
    EXPECT_EQ(point.stations[k].state.w, last.point.stations[k].state.w);
    EXPECT_EQ(known.family.direction.stations[k].q, found.direction.stations[k].q);
    EXPECT_EQ(known.family.direction.stations[k].w, found.direction.stations[k].w);
  }
  EXPECT_TRUE(known.family.members.front().solution.point.stations.empty());
}

// The direction in which a family branches off is one of its own.
TEST(OrbitFamilies, AreRecordedWithTheirDirection) {
  const Scenario scenario = slow_mode(100);
  FamilyRequest request = over(scenario, "energy", "rest+130");
  for (const char* wrong : {"", "+2", "+1:", "+1:x", "+1:-1", "+1 1"})
    EXPECT_FALSE(read_branch(wrong, request)) << wrong;
  EXPECT_TRUE(read_branch("-1", request));
  EXPECT_EQ(request.direction, 0U);
  EXPECT_TRUE(read_branch("+1:3", request));
  EXPECT_EQ(request.branch, BifurcationKind::branching);
  EXPECT_EQ(request.direction, 3U);
  const FamilyRequest plain = over(scenario, "energy", "rest+130");
  FoundFamily found = value_of(family_of(scenario, plain, [](std::size_t n) { return n < 2; }));
  found.along = "direction 3 of 4: q[0] by [1, 0, 0]";
  const std::string record = write_family_record(found, request, scenario);
  EXPECT_EQ(value_of(read_family_record(record, "record", request, scenario)).along, found.along);
  EXPECT_NE(found.text().find("along direction 3 of 4"), std::string::npos);
  request.direction = 2;
  const auto other = read_family_record(record, "record", request, scenario);
  ASSERT_FALSE(other);
  EXPECT_NE(other.error().text().find("branching:3, not branching:2"), std::string::npos)
      << other.error().text();
}

// A pendulum swings along a spring of (5 + p²) J. Where |p| is below 0.9246 it leaves its plane, to
// one side or to the other: one closed family, which passes the mirror image of its first orbit, of
// the same p, E, T and multipliers, before it comes back to that.
TEST(OrbitFamilies, EndWhereTheyComeBackToTheirFirstOrbit) {
  const Scenario swing =
      in_mode(value_of(read_scenario(R"json({"twosphere": 1, "system": {"type": "custom",
      "parameters": {"p": {"value": 1.5, "unit": "1"}}, "inertia": "diag(1)",
      "potential": "-9.81*e3.q[0] + (5 + p^2)/2*(e1.q[0])^2"},
    "initial": {"q": [[0, 0, 1]], "omega": [[0, 0, 0]]},
    "integrator": {"type": "variational", "step": 0.01}, "duration": 10})json",
                                     "test")),
              1, 3.5);
  FamilyRequest request = over(swing, "system.p", "0");
  request.branch = BifurcationKind::branching;
  request.count = 2;
  const FoundFamily begun = value_of(family_of(swing, request, always));
  const FoundOrbit& first = begun.members.front();
  const double p = first.setting->value;
  EXPECT_NEAR(begun.origin->at.solution.point.parameter, 0.92458155807, 1e-8);

  // Also where it was interrupted.
  const Scenario scenario = first.scenario(swing);
  request = over(scenario, "system.p", "-3");
  const FoundFamily part =
      value_of(family_of(scenario, request, [](std::size_t n) { return n < 30; }));
  EXPECT_FALSE(part.closed);
  KnownFamily known = value_of(read_family_record(write_family_record(part, request, scenario),
                                                  "record", request, scenario));
  const FoundFamily whole = value_of(family_of(scenario, request, always, &known));
  EXPECT_TRUE(whole.closed && whole.complete);
  EXPECT_FALSE(whole.reached);
  EXPECT_EQ(whole.end, "it is closed: it has come back to its first orbit");
  EXPECT_LT(whole.members.size(), 45U);
  const auto is_first = [&](const FoundOrbit& one) {
    EXPECT_EQ(one.setting->value, p);
    EXPECT_NEAR(one.period(), first.period(), 1e-10);
    EXPECT_LT((one.orbit.point().state.q - first.orbit.point().state.q).norm(), 1e-6);
  };
  is_first(whole.members.back());
  EXPECT_TRUE(std::any_of(whole.members.begin(), whole.members.end(), [&](const FoundOrbit& one) {
    return one.setting->value > p;
  })) << "passes beside it";
  EXPECT_NE(json::write(whole.document()).find("\"closed\": true"), std::string::npos);
  known = value_of(read_family_record(write_family_record(whole, request, scenario), "record",
                                      request, scenario));
  EXPECT_TRUE(known.family.closed);

  // From its thirtieth orbit on to where it began.
  const Scenario later = part.members.back().scenario(scenario);
  request = over(later, "system.p", "3");
  request.start = first.orbit.point();
  const FoundFamily rest = value_of(family_of(later, request, always));
  EXPECT_TRUE(rest.closed);
  EXPECT_LT(rest.members.size(), 15U);
  is_first(rest.members.back());
}

TEST(OrbitFamilies, AreWrittenAsNetcdf) {
  const Scenario scenario = slow_mode(100);
  const FoundFamily found =
      value_of(family_of(scenario, over(scenario, "energy", "rest+102"), always));
  const auto bytes = found.netcdf(scenario);
  if (!has_netcdf()) {
    EXPECT_FALSE(bytes);
    return;
  }
  ASSERT_TRUE(bytes) << bytes.error().text();
  EXPECT_EQ(bytes->substr(1, 3), "HDF");
  for (const char* name : {"omega", "multiplier0_re", "period_change", "linearly_stable"})
    EXPECT_NE(bytes->find(name), std::string::npos) << name;
}

// Every request that cannot be met says why.
TEST(OrbitFamilies, AreRefusedWithTheReason) {
  const Scenario scenario = slow_mode(60);
  const struct {
    const char *over, *to, *why;
  } cases[] = {
      {"mass", "1", "must be energy, period, momentum or a setting of the system"},
      {"gravity", "1", "did you mean system.gravity"},
      {"enrgy", "1", "did you mean energy"},
      {"", "1", "must be energy, period, momentum"},
      {"system", "1", "must be energy, period, momentum"},
      {"duration", "1", "must be energy, period, momentum"},
      {"initial.q[0][0]", "1", "must be energy, period, momentum"},
      {"system.gravty", "1", "did you mean gravity"},
      {"system.masses", "1", "is a list of 2; name one of its numbers, such as system.masses[0]"},
      {"system.masses[2]", "1", "has 2 entries"},
      {"system.masses[-1]", "1", "index"},
      {"system.masses[0].x", "1", "system.masses[0]"},
      {"system.type", "1", "must be a number, not \"chain_pendulum\""},
      {"system..gravity", "1", "system..gravity"},
      {"energy", "much", "much"},
      {"energy", "rest", "rest"},
      {"energy", "rest-5", "rest+E"},
      {"energy", "rest+0", "must be above that of rest"},
      {"energy", "5 s", "s"},
      {"period", "rest+5", "counts from rest over energy only"},
      {"period", "0", "must be a period above 0 s"},
      {"period", "-3", "must be a period above 0 s"},
      {"period", "3 kg", "kg"},
      {"momentum", "3 m", "m"},
      {"system.gravity", "rest+5", "counts from rest over energy only"},
      {"system.gravity", "5 kg", "kg"},
      {"system.gravity", "", ""},
      {"momentum", "3", "can be momentum for relative orbits only"},
      {"system.masses[0]", "-1", "system.masses[0]"},
      {"system.masses[0]", "0", "system.masses[0]"},
      {"system.lengths[1]", "-0.5", "system.lengths[1]"},
      {"system.damping", "0.1", "damping"},
      {"system.frame_rotation[2]", "1", "has no value in the scenario"},
      {"system.tip_force", "1", "name one of its numbers"},
  };
  static_assert(std::size(cases) >= 30);
  for (const auto& [what, to, why] : cases) {
    SCOPED_TRACE(std::string(what) + " to " + to);
    FamilyRequest request;
    std::string said = "it is found";
    if (const auto read = read_over(what, scenario, request); !read) {
      said = read.error().text();
      EXPECT_EQ(read.error().kind, ErrorKind::usage);
    } else if (const auto value = read_to(to, scenario, request); !value) {
      said = value.error().text();
      EXPECT_EQ(value.error().kind, ErrorKind::usage);
    } else if (const auto found = family_of(scenario, request, always); !found) {
      said = found.error().text();
    }
    EXPECT_NE(said, "it is found");
    EXPECT_NE(said.find(why), std::string::npos) << said;
  }
  // Steps of systems of first order have no derivative by it.
  const Scenario vortices = preset("vortex_leapfrog");
  const auto rest = value_of(system_at_rest(start(vortices).system(), 0, vortices.q));
  const FamilySetting circulation = value_of(family_setting_of(vortices, "system.circulations[0]"));
  EXPECT_NE(error_of(orbit_parameter(vortices, {*rest, orbit_method(*rest)}, circulation, 1.1))
                .text()
                .find("systems of first order"),
            std::string::npos);
  // Whole numbers, and scenarios that say nothing of an orbit.
  const Scenario springs = preset("pendulum_network");
  EXPECT_NE(error_of(family_setting_of(springs, "system.springs[0].between[0]"))
                .text()
                .find("does not change continuously"),
            std::string::npos);
  EXPECT_NE(error_of(family_of(preset(), over(preset(), "energy", "rest+5"), always))
                .text()
                .find("is missing"),
            std::string::npos);
}

// Where the orbit of a member does not exist for a value, the family ends there and says why.
TEST(OrbitFamilies, EndWhereThereIsNoSystem) {
  const Scenario scenario = slow_mode(60);
  const auto system = start(scenario).system();
  const auto rest = value_of(system_at_rest(system, 0, scenario.q));
  OrbitProblem problem{*rest, *find_integrator(scenario.lanes[0].type)};
  const FamilySetting setting = value_of(family_setting_of(scenario, "system.gravity"));
  OrbitParameter parameter = value_of(orbit_parameter(scenario, problem, setting, 0.8 * 9.81));
  const SystemAt all = parameter.system;
  const double end = setting.value * 0.95;
  parameter.system = [&](double value) -> Result<std::shared_ptr<const System>> {
    if (value < end) return Error{ErrorKind::usage, "system.gravity", "must be larger"};
    return all(value);
  };
  problem.parameter = &parameter;
  OrbitConditions held;
  held.parameter = setting.value;
  held.energy = total_energy(*rest, {0, scenario.q, scenario.omega});
  const OrbitPoint from{
      {0, scenario.q, scenario.omega}, scenario.orbit->period, 0, scenario.orbit->steps};
  const OrbitSolution first = value_of(solve_orbit(problem, from, held));
  FamilyPlan plan{FamilyOver::parameter, 0.8 * setting.value};
  plan.held = Held::all;
  const Family family = follow_family(problem, first, plan, always);
  EXPECT_FALSE(family.reached);
  EXPECT_TRUE(family.complete);
  EXPECT_NE(family.end.find("system.gravity: must be larger"), std::string::npos) << family.end;
  EXPECT_GE(family.members.back().solution.point.parameter, end);
  EXPECT_LT(family.members.back().solution.point.parameter, setting.value);
}

}  // namespace
}  // namespace twosphere::test::orbit_parameter_test
