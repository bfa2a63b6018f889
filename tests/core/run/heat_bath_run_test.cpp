// SPDX-License-Identifier: GPL-3.0-or-later
// Runs in a heat bath: the means that they keep, the noise of each step, and what is refused there.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "core/custom/definition.h"
#include "core/mechanics/heat_bath.h"
#include "core/mechanics/return_map.h"
#include "core/scenario/as_text.h"
#include "core/scenario/setting.h"
#include "core/studies/order_study.h"
#include "core/studies/system_report.h"
#include "core/studies/system_report_text.h"
#include "tests/runs.h"

namespace twosphere::test::heat_bath_run_test {
namespace {

/// A chain of n spins in a field of 1 J along e3, with these keys of the system and settings
/// beside.
std::string text_of(int n, const std::string& system, const std::string& method, double step,
                    const std::string& more = "") {
  return fmt::format(
      R"({{"twosphere": 1, "system": {{"type": "spins", "lattice": {{"type": "chain", "size": [{}]}},
          "field": [0, 0, 1]{}}},
          "initial": {{"generator": {{"type": "random", "count": {}, "seed": 1}}}},
          "integrator": {{"type": "{}", "step": {}}}, "duration": 1000{}}})",
      n, system, n, method, step, more);
}

constexpr const char* warm = R"(, "exchange": 0.3, "damping": 0.2, "temperature": 0.5, "seed": 7)";

Scenario spins(int n = 3, const std::string& system = warm,
               const std::string& method = "spherical_midpoint", double step = 0.1) {
  return value_of(read_scenario(text_of(n, system, method, step), "spins"));
}

Error refused(const std::string& system, const std::string& method = "spherical_midpoint",
              const std::string& more = "") {
  return error_of(read_scenario(text_of(3, system, method, 0.1, more), "spins"));
}

/// The mean of q·e3 over spins without exchange and over the steps after they have settled.
double mean_component(const std::string& method, double step, double temperature, int n,
                      std::int64_t steps) {
  Simulation run = start(
      spins(n, fmt::format(R"(, "exchange": 0, "damping": 0.3, "temperature": {})", temperature),
            method, step));
  const auto settled = static_cast<std::int64_t>(30 / step);
  march(run, settled);
  double sum = 0;
  for (std::int64_t k = 0; k < steps; ++k) {
    march(run, 1);
    sum += run.lane(0).state.q.row(2).mean();
  }
  return sum / static_cast<double>(steps);
}

double langevin(double x) { return 1 / std::tanh(x) - 1 / x; }

TEST(HeatBath, SpinsInAFieldKeepLangevinsMean) {
  // The statistical errors are about 0.002.
  EXPECT_NEAR(mean_component("spherical_midpoint", 0.1, 0.5, 400, 8000), langevin(2), 0.01);
  EXPECT_NEAR(mean_component("spherical_midpoint", 0.05, 1, 400, 8000), langevin(1), 0.01);
}

TEST(HeatBath, EveryMethodOfOrderTwoThatKeepsTheSphereTakesIt) {
  std::vector<std::string> taking;
  const Simulation run = start(spins());
  for (const IntegratorInfo& info : integrators())
    if (info.supports(*run.system())) taking.emplace_back(info.key);
  for (const char* key : {"spherical_midpoint", "implicit_midpoint", "heun_projected",
                          "depondt_mertens", "semi_implicit", "rk2_projected"})
    EXPECT_EQ(std::count(taking.begin(), taking.end(), key), 1) << key;
  for (const std::string& key : taking) {
    EXPECT_EQ(find_integrator(key)->order, 2) << key;
    EXPECT_NEAR(mean_component(key, 0.05, 0.5, 200, 2500), langevin(2), 0.03) << key;
  }
}

TEST(HeatBath, TheWorkOfTheNoiseIsCounted) {
  // In a field alone the work of the midpoint rules is exact.
  for (const char* method : {"spherical_midpoint", "implicit_midpoint"}) {
    Simulation run =
        start(spins(3, R"(, "exchange": 0, "damping": 0.2, "temperature": 0.5)", method), 2000);
    EXPECT_GT(std::abs(run.sample(0)[Quantity::work]), 0.1) << method;
    EXPECT_NEAR(run.sample(0)[Quantity::energy_error], 0, 1e-10) << method;
    EXPECT_LT(run.sample(0)[Quantity::unit_length_error], 1e-14) << method;
  }
}

TEST(HeatBath, WithoutATemperatureNothingChanges) {
  const Scenario cold = spins(3, R"(, "damping": 0.2)");
  EXPECT_FALSE(says(write_scenario(cold), "temperature"));
  EXPECT_FALSE(says(write_scenario(cold), "seed"));
  EXPECT_EQ(start(cold).system()->heat_bath(), nullptr);
  EXPECT_NE(start(spins()).system()->heat_bath(), nullptr);
}

TEST(HeatBath, ATextHasTheSameNoise) {
  const Scenario own =
      spins(3, R"(, "damping": [0.2, 0.4, 0.1], "exchange": 0.3, "temperature": 0.5, "seed": 7)");
  const Scenario text = value_of(as_text(own));
  EXPECT_EQ(text.definition->definition().temperature, "kT");
  EXPECT_EQ(text.parameters.at("kT"), std::vector<double>{0.5});
  EXPECT_EQ(text.definition->definition().seed, 7);
  Simulation a = start(own), b = start(text);
  ASSERT_TRUE(a.system()->heat_bath() && b.system()->heat_bath());
  Columns noise, same;
  for (std::int64_t k : {-3, 0, 8}) {
    write_noise(*a.system(), *a.system()->heat_bath(), {0, k, 0.1}, noise);
    write_noise(*b.system(), *b.system()->heat_bath(), {0, k, 0.1}, same);
    EXPECT_EQ(noise, same);
  }
  march(a, 200);
  march(b, 200);
  EXPECT_LT((a.state(0).q - b.state(0).q).norm(), 1e-11);
  EXPECT_NEAR(a.sample(0)[Quantity::work], b.sample(0)[Quantity::work], 1e-11);
  // The file keeps it.
  EXPECT_TRUE(succeeds(read_scenario(write_scenario(text), "text")));
  EXPECT_TRUE(same_system(value_of(read_scenario(write_scenario(text), "text")), text));
}

TEST(HeatBath, OfATextIsSetAndCheckedAsThatOfSpins) {
  Simulation run = start(value_of(as_text(spins())), 10);
  ASSERT_TRUE(succeeds(run.set({{"system.kT", 0.1}})));
  EXPECT_EQ(run.system()->heat_bath()->temperature, 0.1);
  ASSERT_TRUE(succeeds(run.set({{"system.temperature", "2*kT"}})));
  EXPECT_EQ(run.system()->heat_bath()->temperature, 0.2);
  EXPECT_TRUE(
      says(error_of(run.set({{"system.c", 0.0}})).text(), "needs a damping greater than 0"));
  EXPECT_TRUE(
      says(error_of(run.set({{"integrator.type", "rk4"}})).text(), "rk4 needs a temperature of 0"));
  EXPECT_TRUE(says(why_not_live(to_json(run.present()), SettingPath("system.seed")), "reset"));
  march(run, 10);
  ASSERT_TRUE(succeeds(run.set({{"system.temperature", 0.0}})));
  EXPECT_FALSE(run.system()->heat_bath());
}

TEST(HeatBath, TheSeedOfATextWaitsForRewind) {
  const Scenario text = value_of(as_text(spins()));
  const Scenario other = with(text, "system.seed", 8);
  EXPECT_EQ(other.definition->definition().seed, 8);
  EXPECT_FALSE(acts_at_once(text, {{"system.seed", 8}}));
  EXPECT_TRUE(acts_at_once(text, {{"system.temperature", "0.1"}}));
  EXPECT_TRUE(same_system(with(text, differences(text, other)), other));
  EXPECT_GT((start(other, 40).state(0).q - start(text, 40).state(0).q).norm(), 0.1);
}

TEST(HeatBath, TheNoiseIsNormalAndCut) {
  const Simulation run = start(spins(3, R"(, "damping": [0.2, 0, 0.8], "temperature": 0.5)"));
  const System& system = *run.system();
  Columns noise, same;
  double sum = 0, square = 0, largest = 0;
  constexpr int count = 100'000;
  constexpr double h = 0.1;
  for (int k = 0; k < count; ++k) {
    write_noise(system, *system.heat_bath(), {0, k - count / 2, h}, noise);
    EXPECT_TRUE(noise.col(1).isZero(0));
    // The same numbers on all damped bodies are of the size of their damping.
    const Columns z = noise / std::sqrt(2 * 0.2 * 0.5 / h);
    sum += z.col(0).sum();
    square += z.col(0).squaredNorm() + z.col(2).squaredNorm() / 4;
    largest = std::max(largest, z.col(0).cwiseAbs().maxCoeff());
  }
  EXPECT_NEAR(sum / (3 * count), 0, 5 / std::sqrt(3.0 * count));
  EXPECT_NEAR(square / (6 * count), 1, 0.01);
  EXPECT_LE(largest, noise_cut * (1 + 1e-14));
  EXPECT_GT(largest, 3.9);
  // Another seed, clock or interval has other numbers; the same one has the same.
  write_noise(system, {0.5, 0}, {0, 3, h}, noise);
  write_noise(system, {0.5, 0}, {0, 3, h}, same);
  EXPECT_EQ(noise, same);
  for (const auto& [seed, origin, index] :
       {std::tuple{std::uint64_t{1}, 0.0, std::int64_t{3}}, {0, 1.0, 3}, {0, 0.0, 4}}) {
    write_noise(system, {0.5, seed}, {origin, index, h}, same);
    EXPECT_GT((noise - same).colwise().norm().maxCoeff(), 0.1);
  }
}

TEST(HeatBath, RunsRepeatAndContinueBitForBit) {
  const Scenario scenario = spins();
  Simulation whole = start(scenario, 40), half = start(scenario, 20);
  Simulation rest = loaded(half);
  march(rest, 20);
  EXPECT_EQ(whole.state(0).q, rest.state(0).q);
  // With an event of a file and a change of the step, after which the clock begins anew.
  for (Simulation* run : {&whole, &rest}) {
    ASSERT_TRUE(succeeds(run->set({{"system.temperature", 0.1}})));
    march(*run, 5);
    ASSERT_TRUE(succeeds(run->set({{"integrator.step", 0.05}})));
    march(*run, 5);
  }
  EXPECT_EQ(whole.state(0).q, rest.state(0).q);
  Simulation again = repeated(whole, whole.steps());
  EXPECT_EQ(whole.state(0).q, again.state(0).q);
  // A checkpoint continues it, too.
  Simulation from = start(scenario, 20);
  Simulation at = Simulation::at(from.record(), from.checkpoint());
  march(from, 10);
  march(at, 10);
  EXPECT_EQ(from.state(0).q, at.state(0).q);
  // Another seed is another run.
  Simulation other = start(with(scenario, "system.seed", 8), 40);
  EXPECT_GT((other.state(0).q - start(scenario, 40).state(0).q).norm(), 0.1);
}

TEST(HeatBath, AReversedRunMeetsTheSameNoise) {
  Simulation run = start(spins(), 20);
  run.reverse();
  march(run, 20);
  // Damping amplifies rounding on the way back.
  EXPECT_LT((run.state(0).q - run.record().q).norm(), 1e-9);
  EXPECT_NEAR(run.sample(0)[Quantity::work], 0, 1e-9);
}

TEST(HeatBath, LanesOfOneStepHaveTheSameNoise) {
  const json::Node lanes = value_of(json::parse(R"([{"type": "spherical_midpoint", "step": 0.01},
                               {"type": "implicit_midpoint", "step": 0.01},
                               {"type": "spherical_midpoint", "step": 0.005}])",
                                                "lanes"));
  Simulation run = start(with(spins(), "lanes", lanes), 100);
  const Columns first = run.state(0).q, second = run.state(1).q, third = run.state(2).q;
  EXPECT_LT((first - second).norm(), 0.05);
  EXPECT_GT((first - third).norm(), 0.1);
}

TEST(HeatBath, TheTemperatureChangesWhileItRuns) {
  Simulation run = start(spins(3, R"(, "damping": 0.2)"), 10);
  ASSERT_TRUE(succeeds(run.set({{"system.temperature", 0.5}})));
  ASSERT_TRUE(run.system()->heat_bath());
  EXPECT_EQ(run.system()->heat_bath()->temperature, 0.5);
  march(run, 10);
  // What it needs stays, and what it excludes does not come.
  const std::string saved = bytes(run);
  EXPECT_TRUE(says(error_of(run.set({{"system.damping", 0.0}})).text(), "temperature"));
  EXPECT_TRUE(says(error_of(run.set({{"integrator.type", "spherical_midpoint4"}})).text(),
                   "spherical_midpoint4 needs a temperature of 0"));
  EXPECT_EQ(bytes(run), saved);
  ASSERT_TRUE(succeeds(run.set({{"system.temperature", 0.0}})));
  EXPECT_FALSE(run.system()->heat_bath());
}

TEST(HeatBath, VectorsAreLostWhereItBegins) {
  Simulation run = start(spins(3, R"(, "damping": 0.2)"));
  ASSERT_TRUE(succeeds(run.follow_exponents(1)));
  march(run, 5);
  ASSERT_TRUE(succeeds(run.set({{"system.temperature", 0.5}})));
  Simulation alone = start(spins(3, R"(, "damping": 0.2)"), 5);
  ASSERT_TRUE(succeeds(alone.set({{"system.temperature", 0.5}})));
  march(run, 5);
  march(alone, 5);
  EXPECT_EQ(run.state(0).q, alone.state(0).q);
  EXPECT_TRUE(says(run.why_exponents_ended(0), "heat bath"));
}

TEST(HeatBath, WhatItNeedsIsChecked) {
  const std::string damped = R"(, "damping": 0.2)";
  EXPECT_TRUE(says(refused(R"(, "temperature": 0.5)").text(),
                   "system.temperature: needs a damping greater than 0"));
  EXPECT_TRUE(says(refused(damped + R"(, "temperature": -1)").message, "must be 0 or greater"));
  EXPECT_TRUE(says(refused(damped + R"(, "seed": 1.5)").message,
                   "must be a whole number of at least 0, not 1.5"));
  EXPECT_TRUE(says(refused(damped + R"(, "seed": -1)").message,
                   "must be a whole number of at least 0, not -1"));
  for (const char* method : {"spherical_midpoint4", "rk4", "heun", "gauss16"})
    EXPECT_TRUE(says(refused(warm, method).message, "a heat bath takes methods of order 2"))
        << method;
}

TEST(HeatBath, WhatNeedsASmoothMotionIsRefused) {
  Simulation run = start(spins());
  EXPECT_TRUE(says(error_of(run.follow_exponents(1)).message, "heat bath"));
  EXPECT_TRUE(says(error_of(run.follow_section({.expression = "q[0].e1"})).text(), "heat bath"));
  const IntegratorInfo& method = *find_integrator("spherical_midpoint");
  EXPECT_TRUE(says(ReturnMap::missing(*run.system(), method), "heat bath"));
  EXPECT_TRUE(says(refused(warm, "spherical_midpoint",
                           R"(, "stop": [{"quantity": "work", "above": 1, "at": "crossing"}])")
                       .text(),
                   "stop[0].at"));
  OrderStudy study;
  study.scenario = spins();
  study.methods = study.scenario.lanes;
  study.reference = study.scenario.lanes[0];
  study.steps = {0.1};
  EXPECT_TRUE(says(error_of(run_order_study(study, 1, {})).text(), "heat bath"));
}

TEST(HeatBath, EventsWithACrossingAreRefusedWhereTheyAreRead) {
  const std::string damped = R"(, "damping": 0.2)",
                    crossing = R"("stop": [{"quantity": "work", "above": 1, "at": "crossing"}])",
                    heated = R"("events": [{"step": 10, "set": {"system.temperature": 0.5}}])";
  EXPECT_EQ(
      refused(damped, "spherical_midpoint", ", " + crossing + ", " + heated).text(),
      "spins:4: events[0].set.system.temperature: stop[0].at: \"crossing\" needs a path "
      "between the steps, and in a heat bath, of a system.temperature above 0, there is none; "
      "\"step\" stops there");
  EXPECT_TRUE(says(refused(warm, "spherical_midpoint",
                           R"(, "events": [{"step": 10, "set": {)" + crossing + "}}]")
                       .text(),
                   "events[0].set.stop: stop[0].at: \"crossing\" needs a path"));
  // Between the bath and the condition it may stop at one.
  EXPECT_TRUE(read_scenario(text_of(3, warm, "spherical_midpoint", 0.1,
                                    R"(, "events": [{"step": 5, "set": {"system.temperature": 0}},
                  {"step": 10, "set": {)" +
                                        crossing + "}}]"),
                            "spins"));
}

TEST(HeatBath, TheGuardDoesNotJudgeTheEnergy) {
  // The explicit methods count the work of the noise by a quadrature of their own.
  Simulation run = start(spins(3, warm, "heun_projected", 0.2), 3000);
  EXPECT_GT(std::abs(run.sample(0)[Quantity::energy_error]), 1);
  EXPECT_TRUE(run.warnings().empty());
  // After it only errors since then count.
  ASSERT_TRUE(succeeds(run.set({{"system.temperature", 0.0}})));
  march(run, 3);
  EXPECT_TRUE(run.warnings().empty());
}

TEST(HeatBath, TheReportSaysHowFarTheNoiseTurns) {
  const auto line = [](double step) {
    const auto report = value_of(system_report(spins(3, warm, "spherical_midpoint", step)));
    for (const ReportLine& one : report_lines(value_of(report)))
      if (one.label.starts_with("noise of")) return one;
    return ReportLine{};
  };
  // (4 · 0.2 · 0.5 · 0.1/1.04)^½
  EXPECT_TRUE(says(line(0.1).value, "turns a body by 0.2 rad in a step"));
  EXPECT_EQ(line(0.1).finding, ReportLine::Finding::ok);
  EXPECT_EQ(line(0.5).finding, ReportLine::Finding::warning);
}

}  // namespace
}  // namespace twosphere::test::heat_bath_run_test
