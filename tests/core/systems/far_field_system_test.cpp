// SPDX-License-Identifier: GPL-3.0-or-later
// system.far_field: where it changes the forces, what it refuses, and runs with it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "core/kernels/far_field.h"
#include "core/mechanics/diagnostics.h"
#include "core/mechanics/modified_energy.h"
#include "core/mechanics/random_state.h"
#include "core/run/simulation.h"
#include "core/scenario/live_edit.h"
#include "core/scenario/reader.h"
#include "core/scenario/tangent_maps.h"
#include "core/scenario/writer.h"
#include "core/studies/system_report.h"
#include "core/studies/system_report_text.h"
#include "tests/cases.h"
#include "tests/outcome.h"
#include "tests/runs.h"

namespace twosphere::test::far_field_system_test {
namespace {

/// A scenario of random bodies at rest.
std::string text_of(int n, std::string_view system, std::string_view integrator = "variational",
                    std::string_view more = "") {
  return fmt::format(
      R"({{"twosphere": 1, "system": {{{}}},
"initial": {{"generator": {{"type": "random", "count": {}, "seed": 3}}}},
"integrator": {{"type": "{}", "step": 0.001}}, "duration": 0.01{}}})",
      system, n, integrator, more);
}
constexpr std::string_view attracting = R"("type": "n_body", "masses": 1, "gamma": 1e-7)";
std::string with_tolerance(std::string_view system, std::string_view tolerance) {
  return fmt::format(R"({}, "far_field": {})", system, tolerance);
}

Scenario scenario_of(int n, const std::string& system,
                     std::string_view integrator = "variational") {
  return value_of(read_scenario(text_of(n, system, integrator), "bodies"));
}

Columns forces(const Scenario& scenario) {
  const auto system = system_of(scenario.system, scenario.size(), scenario.parameters);
  Columns g(3, scenario.size());
  system->gradient(scenario.q, g);
  return g;
}

TEST(FarField, IsDirectBelow4000BodiesAndBesideTheSphere) {
  for (const std::string_view type :
       {attracting, std::string_view(R"("type": "vortices", "circulations": 1)")}) {
    const std::string direct(type), sums = with_tolerance(type, "1e-5");
    const std::string_view method = type == attracting ? "variational" : "spherical_midpoint";
    EXPECT_EQ(forces(scenario_of(3999, sums, method)), forces(scenario_of(3999, direct, method)));
    Scenario many = scenario_of(4000, sums, method), pairs = scenario_of(4000, direct, method);
    EXPECT_NE(forces(many), forces(pairs));
    many.q *= 1 + 1e-10;
    pairs.q *= 1 + 1e-10;
    EXPECT_EQ(forces(many), forces(pairs));
  }
}

TEST(FarField, IsPartOfTheRecordOnlyWhereItIsGiven) {
  const Scenario direct = scenario_of(4, std::string(attracting)),
                 sums = scenario_of(4, with_tolerance(attracting, "1e-7"));
  EXPECT_EQ(write_scenario(direct).find("far_field"), std::string::npos);
  EXPECT_NE(write_scenario(sums).find("\"far_field\": 1e-07"), std::string::npos);
  EXPECT_EQ(write_scenario(value_of(read_scenario(write_scenario(sums), "again"))),
            write_scenario(sums));
  EXPECT_EQ(write_scenario(scenario_of(4, with_tolerance(attracting, "\"direct\""))),
            write_scenario(direct));
}

TEST(FarField, BelowTheLeastToleranceItIsRefused) {
  for (const auto& [value, message] :
       {std::pair{"1e-11", "system.far_field: must be 1e-10 or greater, or \"direct\", not 1e-11"},
        {"0", "system.far_field: must be greater than 0, not 0"},
        {"\"exact\"", "system.far_field"}}) {
    const Error error =
        error_of(read_scenario(text_of(3, with_tolerance(attracting, value)), "bodies"));
    EXPECT_TRUE(says(error.text(), message));
  }
}

TEST(FarField, GeneratedBodiesAreAtRestWithoutVelocities) {
  const Scenario s = scenario_of(5, std::string(attracting));
  EXPECT_EQ(s.omega, Columns::Zero(3, 5));
  EXPECT_NE(s.q.col(0), s.q.col(1));
}

TEST(FarField, HasNoTangentMapsAndNoModifiedEnergy) {
  const Scenario s = scenario_of(4000, with_tolerance(attracting, "1e-5"));
  const auto system = system_of(s.system, s.size(), s.parameters);
  const IntegratorInfo& method = *find_integrator("variational");
  EXPECT_TRUE(says(why_no_tangent_map(method, *system, s.parameters),
                   "the forces are sums to a tolerance"));
  EXPECT_TRUE(says(ModifiedEnergy::missing(*system, method), "sums to a tolerance"));
  EXPECT_FALSE(prepared("rotation", *system, {0, s.q, s.omega})->tangent_map(*system));
  const Error error =
      error_of(read_scenario(text_of(4000, with_tolerance(attracting, "1e-5"), "variational",
                                     R"(, "stop": [{"quantity": "megno", "above": 5}])"),
                             "bodies"));
  EXPECT_TRUE(says(error.text(), "system.far_field"));
  // Of fewer bodies there are both.
  const Scenario few = scenario_of(5, with_tolerance(attracting, "1e-5"));
  const auto exact = system_of(few.system, few.size(), few.parameters);
  EXPECT_EQ(why_no_tangent_map(method, *exact, few.parameters), "");
  EXPECT_EQ(ModifiedEnergy::missing(*exact, method), "");
}

TEST(FarField, TheReportComparesNoDerivatives) {
  for (const std::string_view type :
       {attracting, std::string_view(R"("type": "vortices", "circulations": 1e-5)")}) {
    const std::string_view method = type == attracting ? "variational" : "spherical_midpoint";
    const auto report =
        value_of(system_report(scenario_of(4000, with_tolerance(type, "1e-5"), method)));
    ASSERT_TRUE(report);
    EXPECT_EQ(report->gradient.states, 0);
    EXPECT_EQ(report->hessian.states, 0);
    EXPECT_EQ(report->conserved, (std::array{true, true, true}));
    int without = 0;
    for (const ReportLine& line : report_lines(*report)) {
      EXPECT_NE(line.finding, ReportLine::Finding::warning) << line.label << ": " << line.value;
      without += line.value == "not compared: forces are sums to a tolerance, 1e-05" ? 1 : 0;
    }
    EXPECT_EQ(without, 2);
  }
}

TEST(FarField, ChangesDuringARun) {
  Simulation run = start(scenario_of(4000, std::string(attracting)), 2);
  const Columns before = run.state(0).q;
  ASSERT_TRUE(succeeds(run.set({{"system.far_field", 1e-5}})));
  march(run, 3);
  Simulation direct = start(scenario_of(4000, std::string(attracting)), 5);
  EXPECT_NE(run.state(0).q, direct.state(0).q);
  EXPECT_LT((run.state(0).q - direct.state(0).q).cwiseAbs().maxCoeff(), 1e-9);
  Simulation again = repeated(run, 5);
  EXPECT_EQ(again.state(0).q, run.state(0).q);
  Simulation continued = loaded(run);
  march(run, 2);
  march(continued, 2);
  EXPECT_EQ(continued.state(0).q, run.state(0).q);
}

/// The largest change of the energy over the steps.
double energy_error(const Scenario& s, std::string_view method, double h, int steps) {
  const auto system = system_of(s.system, s.size(), s.parameters);
  State state{0, s.q, s.omega};
  auto integrator = prepared(method, *system, state);
  const double first = total_energy(*system, state);
  double worst = 0;
  for (int k = 0; k < steps; ++k) {
    EXPECT_TRUE(integrator->advance(*system, h, state).ok());
    integrator->complete(*system, state);
    worst = std::max(worst, std::abs(total_energy(*system, state) - first));
  }
  return worst;
}

TEST(FarField, TheEnergyOf10000BodiesIsKeptAsWellAsByAllPairs) {
  const auto bodies = [](const std::string& system) {
    Scenario s = scenario_of(10'000, system);
    s.omega = random_tangents(s.q, 5);
    return s;
  };
  const double direct = energy_error(bodies(std::string(attracting)), "variational", 1e-3, 10),
               sums = energy_error(bodies(with_tolerance(attracting, "1e-5")), "variational", 1e-3,
                                   10);
  RecordProperty("direct", fmt::format("{:.3g}", direct));
  RecordProperty("sums", fmt::format("{:.3g}", sums));
  EXPECT_LT(sums, 2 * direct);
}

TEST(FarField, VorticesKeepTheirEnergyToTheTolerance) {
  const Scenario s = scenario_of(
      4000, R"("type": "vortices", "circulations": 1e-5, "far_field": 1e-7)", "spherical_midpoint");
  const auto system = system_of(s.system, s.size(), s.parameters);
  const double energy = std::abs(system->potential(s.q));
  EXPECT_LT(energy_error(s, "spherical_midpoint", 1e-3, 5), 1e-6 * energy);
}

}  // namespace
}  // namespace twosphere::test::far_field_system_test
