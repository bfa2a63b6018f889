// SPDX-License-Identifier: GPL-3.0-or-later
// The guard: what it warns of, where, once, and what it leaves alone.
#include "core/run/guard.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "core/catalog.h"
#include "core/mechanics/coincidence.h"
#include "core/run/simulation.h"
#include "core/scenario/live_edit.h"
#include "core/scenario/reader.h"
#include "core/scenario/writer.h"
#include "tests/other_units.h"
#include "tests/runs.h"

namespace twosphere::test::guard_test {
namespace {

Scenario read(const std::string& text) { return value_of(read_scenario(text, "test")); }

/// As far as it goes.
std::optional<StepFailure> go_on(Simulation& run, std::int64_t steps) {
  for (std::int64_t k = 0; k < steps; ++k)
    if (auto failure = run.step()) return failure;
  return {};
}

// What is done at a start that is kept, live or by its record, comes before the guard begins.
TEST(Guard, AnEditedStartIsWatchedAsItsRecordIs) {
  static constexpr std::array slow{0.0, 0.1, 0.0};
  const Scenario fast =
      with(preset("three_body"), "initial.omega[0]", *json::parse_value("[0, 0, 2000]"));
  Simulation live = start(fast);
  live.keep_start();
  ASSERT_TRUE(live.set({{"state.omega[0]", json::Node::numbers(slow)}}));
  EXPECT_FALSE(go_on(live, 10));
  Simulation repeated = start(live.record());
  EXPECT_FALSE(go_on(repeated, 10));
  EXPECT_TRUE(live.warnings().empty());
  EXPECT_TRUE(repeated.warnings().empty());
}

TEST(Guard, ThreeBodiesAreWarnedOfAfterTheirPlannedEndAndNotBefore) {
  Simulation run = start(with(preset("three_body"), "duration", 12.0));
  EXPECT_FALSE(go_on(run, 2000));
  EXPECT_TRUE(run.warnings().empty()) << describe(run.warnings()[0]);
  EXPECT_FALSE(go_on(run, 400));
  ASSERT_EQ(run.warnings().size(), 1U);
  const Warning& w = run.warnings()[0];
  EXPECT_EQ(w.kind, Warning::Kind::encounter);
  EXPECT_EQ(w.lane, 0);
  EXPECT_GT(w.t, 10.5);
  EXPECT_LT(w.t, 11.3);
  EXPECT_EQ(w.t, static_cast<double>(w.step) * 0.005);
  EXPECT_GT(w.value, 1);
  EXPECT_LT(w.last_good_step, w.step - 5);
  EXPECT_GT(w.last_good_step, w.step - 400) << "the error of earlier encounters is small";
  ASSERT_TRUE(w.nearest);
  EXPECT_LT(w.nearest->angle, 0.03);
  const std::string text = describe(w);
  for (const char* part : {"the encounter of bodies ", " is not resolved: they pass at ",
                           " rad, so close that a circular orbit would take only 0.019 steps",
                           "are not meaningful", "try rotation8_adaptive"})
    EXPECT_TRUE(says(text, part));
  // Below a title that says so it is not said again, and the method has its name.
  const std::string below = explain(w);
  EXPECT_TRUE(below.ends_with("). Try " + std::string(w.remedy->title))) << below;
  EXPECT_FALSE(says(below, "meaningful"));
  // Marked, and not recorded: it follows from the rows.
  ASSERT_EQ(run.markers().size(), 1U);
  EXPECT_TRUE(run.markers()[0].warning);
  EXPECT_EQ(run.markers()[0].step, w.step);
  EXPECT_TRUE(run.record().events.empty());
}

// A pair of vortices turns about itself, here by 0.8 and by 3.2 rad in a step.
TEST(Guard, AVortexPairThatTurnsTooFastForTheStepIsWarnedOf) {
  const auto warnings = [](double apart, const char* method = "spherical_midpoint") {
    Simulation run = start(read(fmt::format(
        R"({{"twosphere": 1, "system": {{"type": "vortices", "circulations": [1, 1, 1]}},
            "initial": {{"q": [[{0}, 0, {1}], [-{0}, 0, {1}], [0, 0, -1]]}},
            "integrator": {{"type": "{2}", "step": 0.05}}, "duration": 1}})",
        std::sin(apart / 2), std::cos(apart / 2), method)));
    (void)go_on(run, 2);
    return run.warnings();
  };
  EXPECT_TRUE(warnings(0.14).empty());
  const auto found = warnings(0.07);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].kind, Warning::Kind::encounter);
  ASSERT_TRUE(found[0].nearest);
  EXPECT_EQ(found[0].nearest->first, 0);
  EXPECT_EQ(found[0].nearest->second, 1);
  EXPECT_GT(found[0].value, 1);
  // The method that is recommended takes it exactly.
  ASSERT_TRUE(found[0].remedy);
  EXPECT_EQ(found[0].remedy->key, "pair_rotation");
  EXPECT_TRUE(warnings(0.07, "pair_rotation").empty());
  EXPECT_TRUE(warnings(1e-4, "pair_rotation").empty());
}

TEST(Guard, AnEncounterBetweenRowsIsWarnedOf) {
  // With a step that resolves what is before: the bodies meet at 12.7 s, between two rows.
  Simulation run = start(with(
      with(with(preset("three_body"), "integrator.type", "rotation6"), "integrator.step", 1e-4),
      "duration", 13.0));
  while (!run.finished() && run.warnings().empty())
    ASSERT_FALSE(run.advance_to(run.planned_steps()));
  ASSERT_EQ(run.warnings().size(), 1U);
  const Warning& w = run.warnings()[0];
  EXPECT_EQ(w.kind, Warning::Kind::encounter) << describe(w);
  EXPECT_NEAR(w.t, 12.7, 0.05);
  EXPECT_LT(w.nearest->angle, 1e-4);
  // None for a method that follows the motion.
  Simulation adaptive =
      start(with(with(with(preset("three_body"), "integrator.type", "rotation8_adaptive"),
                      "integrator.first_step", 0.02),
                 "duration", 20.0));
  EXPECT_FALSE(go_on(adaptive, 4000));
  EXPECT_TRUE(adaptive.warnings().empty()) << describe(adaptive.warnings()[0]);
}

// Far from where they meet, in time: at rest, and where an orbit turns back.
TEST(Guard, BodiesCloseToEachOtherThatDoNotMeetYetAreLeftAlone) {
  for (const char* speed : {"0", "0.001", "0.0045"})
    for (const char* step : {"1e-4", "0.05"}) {
      Simulation run = start(read(
          fmt::format(R"({{"twosphere":1,"system":{{"type":"n_body","masses":[1,1],"gamma":1e-6}},)"
                      R"("initial":{{"q":[[0,0,1],[0.0871557427476582,0,0.9961946980917455]],)"
                      R"("omega":[[{0},0,0],[-{0},0,0]]}},)"
                      R"("integrator":{{"type":"variational","step":{1}}},"duration":1}})",
                      speed, step)));
      EXPECT_FALSE(go_on(run, 20));
      EXPECT_TRUE(run.warnings().empty()) << describe(run.warnings()[0]);
    }
}

// Two bodies at rest at a distance d, small beside the sphere, meet after π/2 √(d³/2μ), μ = 2γ.
TEST(Guard, BodiesThatFallTogetherAreWarnedOfInTheRowBeforeTheyMeet) {
  constexpr double gamma = 1e-3, d = 0.05, h = 1e-3;
  const double meet = std::numbers::pi / 2 * std::sqrt(d * d * d / (2 * 2 * gamma));
  Simulation run = start(
      read(fmt::format(R"({{"twosphere":1,"system":{{"type":"n_body","masses":[1,1],"gamma":{}}},)"
                       R"("initial":{{"q":[[0,0,1],[{},0,{}]],"omega":[[0,0,0],[0,0,0]]}},)"
                       R"("integrator":{{"type":"variational","step":{}}},"duration":1}})",
                       gamma, std::sin(d), std::cos(d), h)));
  const auto due = static_cast<std::int64_t>(meet / h);
  EXPECT_FALSE(go_on(run, due - 3));
  EXPECT_TRUE(run.warnings().empty());
  (void)go_on(run, 5);
  ASSERT_FALSE(run.warnings().empty());
  const Warning& w = run.warnings()[0];
  EXPECT_EQ(w.kind, Warning::Kind::encounter);
  EXPECT_NEAR(w.t, meet, 2 * h);
  EXPECT_NEAR(static_cast<double>(w.step - w.last_good_step), Guard::good_rows, 3);
}

TEST(Guard, AWarningOfTheFirstRowIsMarked) {
  Simulation run =
      start(read(R"({"twosphere":1,"system":{"type":"n_body","masses":[1,1],"gamma":1e-3},)"
                 R"("initial":{"q":[[1,0,0],[0,0.6,0.8]],"omega":[[0,0,40],[0,0,0]]},)"
                 R"("integrator":{"type":"rotation","step":0.1},"duration":0.3})"));
  EXPECT_FALSE(go_on(run, 1));
  ASSERT_EQ(run.warnings().size(), 1u);
  EXPECT_EQ(run.warnings()[0].step, 0);
  EXPECT_EQ(run.warnings()[0].last_good_step, 0);
  ASSERT_EQ(run.markers().size(), 1u);
  EXPECT_TRUE(run.markers()[0].warning);
}

TEST(Guard, AWarningIsFoundAgainByWhoRepeatsTheRunOrGoesOnFromItsFile) {
  Simulation whole = start(with(preset("three_body"), "duration", 12.0));
  EXPECT_FALSE(go_on(whole, 100));
  ASSERT_TRUE(whole.set({{"duration", 12.5}}));
  EXPECT_FALSE(go_on(whole, 1400));
  Simulation rest = start(read(write_scenario(whole.continuation())));
  EXPECT_FALSE(go_on(whole, 900));
  Simulation again = start(read(write_scenario(whole.record())));
  EXPECT_FALSE(go_on(again, 2400));
  EXPECT_FALSE(go_on(rest, 900));
  ASSERT_EQ(whole.warnings().size(), 1U);
  ASSERT_EQ(again.warnings().size(), 1U);
  ASSERT_EQ(rest.warnings().size(), 1U);
  EXPECT_EQ(describe(again.warnings()[0]), describe(whole.warnings()[0]));
  EXPECT_EQ(rest.warnings()[0].step + 1500, whole.warnings()[0].step);
  // A state saved beyond the bounds says so before the first step is over.
  Simulation lost = start(read(write_scenario(whole.continuation())));
  EXPECT_FALSE(go_on(lost, 1));
  ASSERT_EQ(lost.warnings().size(), 1U);
  EXPECT_EQ(lost.warnings()[0].step, 0);
  EXPECT_EQ(lost.warnings()[0].t, whole.time());
}

TEST(Guard, LanesAreWarnedOfEachOnItsOwn) {
  Simulation run = start(with(
      with(preset("three_body"), "duration", 12.0), "lanes",
      json::parse_value(R"([{"type": "variational", "step": 0.005}, {"type": "rk45", "step": 0.005,
           "relative_tolerance": 1e-9, "absolute_tolerance": 1e-12}])")
          .value()));
  EXPECT_FALSE(go_on(run, 2400));
  ASSERT_EQ(run.warnings().size(), 1U);
  EXPECT_EQ(run.warnings()[0].lane, 0);
}

TEST(Guard, NoPresetIsWarnedOfWithAMethodThatKeepsTheSphere) {
  int runs = 0;
  for (const Preset& p : presets()) {
    const Scenario scenario = preset(p.key);
    if (scenario.size() > 100) continue;
    for (const IntegratorInfo& method : integrators()) {
      if (!method.keeps_sphere && !method.adaptive) continue;
      // That is of what only these resolve.
      if (p.key == "close_encounters" && !(method.adaptive && method.reversible)) continue;
      if (method.key == "variational_cayley" && scenario.size() > 20) continue;
      auto chosen = with_setting(scenario, "integrator.type", method.key);
      ASSERT_EQ(chosen.has_value(), method.supports(*start(scenario).system()));
      if (!chosen) continue;
      // Its own tolerances do not resolve that, see below.
      if (p.key == "vortex_leapfrog" && method.key == "rk45")
        chosen = with_settings(*chosen, {{"integrator.relative_tolerance", 1e-6},
                                         {"integrator.absolute_tolerance", 1e-9}});
      ASSERT_TRUE(chosen);
      Simulation run = start(*chosen);
      const auto failure = go_on(run, std::min<std::int64_t>(run.planned_steps(), 3000));
      EXPECT_FALSE(failure) << failure->message;
      EXPECT_TRUE(run.warnings().empty())
          << p.key << " " << method.key << ": " << describe(run.warnings()[0]);
      ++runs;
    }
  }
  EXPECT_GE(runs, 80);
}

// A relative tolerance of 1e-3 is a hundredth of the distances there: with it, vortices come so
// close that no inner step is short enough.
TEST(Guard, TolerancesThatDoNotResolveVorticesAreWarnedOf) {
  Simulation run = start(with(preset("vortex_leapfrog"), "integrator.type", "rk45"));
  EXPECT_TRUE(go_on(run, 3000)) << "the run fails";
  ASSERT_EQ(run.warnings().size(), 1U);
  EXPECT_EQ(run.warnings()[0].kind, Warning::Kind::encounter);
  EXPECT_LT(run.warnings()[0].step, 100) << "long before that";
}

TEST(Guard, RodsWithHeunAreWarnedOf) {
  Simulation run = start(with(preset("elastic_rod_consistent"), "integrator.type", "heun"));
  (void)go_on(run, run.planned_steps());
  ASSERT_EQ(run.warnings().size(), 1U);
}

TEST(Guard, BodiesOffTheSphereAreWarnedOf) {
  Simulation run = start(read(R"({"twosphere": 1,
      "system": {"type": "chain_pendulum", "masses": [1, 1], "lengths": [1e6, 1e6]},
      "initial": {"q": [[0.8, 0, 0.6], [0, 0, 1]], "omega": [[0, 0, 0], [0, 1, 0]]},
      "integrator": {"type": "rk45", "step": 10}, "duration": 1e5})"));
  (void)go_on(run, run.planned_steps());
  ASSERT_EQ(run.warnings().size(), 1U);
  const std::string text = describe(run.warnings()[0]);
  EXPECT_TRUE(text.find("unit-length error") != std::string::npos ||
              text.find("energy error") != std::string::npos)
      << text;
  EXPECT_TRUE(says(text, "smaller tolerances"));
}

// The inertia of a body falls from 4e11 to 1 where it crosses the equator, in far less than a step:
// for a while its energy is four times that of the start, and no step fails.
TEST(Guard, AnInertiaThatIsNotResolvedIsWarnedOf) {
  const auto crossing = [](const char* slope) {
    return start(read(fmt::format(R"({{"twosphere": 1,
      "system": {{"type": "conformal_particles", "masses": [1, 1], "slope": {}, "coupling": 0.95}},
      "initial": {{"q": [[0.8, 0, 0.6], [0, 1, 0]], "omega": [[0, -1, 0], [0, 0, 0]]}},
      "integrator": {{"type": "variational", "step": 1e-3}}, "duration": 10}})",
                                  slope)));
  };
  Simulation run = crossing("1e12"), smooth = crossing("1");
  double worst = 0;
  for (int k = 0; k < 10'000; ++k) {
    ASSERT_FALSE(go_on(run, 1)) << k;
    worst = std::max(worst, std::abs(run.sample(0)[Quantity::energy_error]));
  }
  EXPECT_GT(worst, 3 * run.lane(0).energy_reference);
  ASSERT_EQ(run.warnings().size(), 1U);
  EXPECT_EQ(run.warnings()[0].kind, Warning::Kind::energy) << describe(run.warnings()[0]);
  EXPECT_FALSE(go_on(smooth, 10'000));
  EXPECT_TRUE(smooth.warnings().empty()) << describe(smooth.warnings()[0]);
}

TEST(Guard, TurnsBeyondHalfATurnAreWarnedOf) {
  const auto spinning = [](double speed) {
    return read(fmt::format(R"({{"twosphere": 1,
      "system": {{"type": "n_body", "masses": [1, 1], "gamma": 1e-3}},
      "initial": {{"q": [[1, 0, 0], [0, 0.6, 0.8]], "omega": [[0, 0, {}], [0, 0, 0]]}},
      "integrator": {{"type": "rotation", "step": 0.1}}, "duration": 1}})",
                            speed));
  };
  Simulation slow = start(spinning(31)), fast = start(spinning(32));
  EXPECT_FALSE(go_on(slow, 10));
  EXPECT_TRUE(slow.warnings().empty());
  EXPECT_FALSE(go_on(fast, 10));
  ASSERT_EQ(fast.warnings().size(), 1U);
  EXPECT_EQ(fast.warnings()[0].kind, Warning::Kind::turn);
  EXPECT_EQ(fast.warnings()[0].body, 0);
  EXPECT_TRUE(says(describe(fast.warnings()[0]), "body 1 turns by 3.2 rad in one step"));
}

// With E0 = 0 only the kinetic energy says what an error is to be compared with.
TEST(Guard, WithoutEnergyAtTheStartThereIsNoWarning) {
  const Scenario level = read(R"({"twosphere": 1,
      "system": {"type": "chain_pendulum", "masses": [1], "lengths": [1]},
      "initial": {"q": [[1, 0, 0]], "omega": [[0, 0, 0]]},
      "integrator": {"type": "variational", "step": 0.01}, "duration": 10})");
  Simulation run = start(level);
  // Also not where a saved state turns back, nearly at rest.
  int restarts = 0;
  for (int k = 0; k < 1000; ++k) {
    EXPECT_FALSE(go_on(run, 1));
    if (run.sample(0)[Quantity::kinetic_energy] > 0.02) continue;
    Simulation rest = start(read(write_scenario(run.continuation())));
    EXPECT_FALSE(go_on(rest, 50));
    ASSERT_TRUE(rest.warnings().empty()) << k << ": " << describe(rest.warnings()[0]);
    ++restarts;
  }
  EXPECT_EQ(restarts, 35);
  EXPECT_TRUE(run.warnings().empty()) << describe(run.warnings()[0]);
  // At rest, one up and one down: all errors are rounding.
  Simulation still = start(read(R"({"twosphere": 1,
      "system": {"type": "chain_pendulum", "masses": [1, 2], "lengths": [2, 3], "gravity": 9.81},
      "initial": {"q": [[0, 0, 1], [0, 0, -1]], "omega": [[0, 0, 0], [0, 0, 0]]},
      "integrator": {"type": "rk4", "step": 0.01}, "duration": 10})"));
  EXPECT_EQ(still.lane(0).energy_reference, 0);
  EXPECT_FALSE(go_on(still, 1000));
  EXPECT_TRUE(still.warnings().empty()) << describe(still.warnings()[0]);
}

TEST(Guard, BodiesAtRestWithoutAPotentialAreLeftAlone) {
  const auto resting = [](const char* method, const char* potential, const char* step) {
    return start(read(fmt::format(
        R"json({{"twosphere": 1, "system": {{"type": "custom",
             "inertia": "diag(1 + 0.1*(q[0].e1)^2)", "potential": "{}"}},
           "initial": {{"q": [[0.6, 0, 0.8], [0, 0.8, 0.6]], "omega": [[0, 0, 0], [0, 0, 0]]}},
           "integrator": {{"type": "{}", "step": {}}}, "duration": 1000}})json",
        potential, method, step)));
  };
  for (const char* method : {"variational", "variational8", "rk4", "rk45"})
    for (const char* step : {"0.01", "1e-6", "0.5"}) {
      Simulation run = resting(method, "0", step);
      EXPECT_EQ(run.lane(0).energy_reference, 0);
      EXPECT_FALSE(go_on(run, 1000));
      EXPECT_TRUE(run.warnings().empty())
          << method << " " << step << ": " << describe(run.warnings()[0]);
    }
  // A potential that is zero at the start and too steep for the step is another matter.
  Simulation run = resting("rk4", "1e4*(q[0].e1 - 0.6)*q[1].e2 + q[0].e3 - 0.8", "0.5");
  EXPECT_NEAR(run.lane(0).energy_reference, 0, 1e-12);
  (void)go_on(run, 1000);
  ASSERT_EQ(run.warnings().size(), 1U);
}

TEST(Guard, TheLastGoodStateIsWithinTheBounds) {
  for (const char* method : {"rk4", "rk2", "heun"}) {
    const Scenario scenario =
        with(with(preset("elastic_rod"), "integrator.step", 0.02), "integrator.type", method);
    Simulation run = start(scenario), other = start(scenario);
    run.save_last_good();
    const auto failure = go_on(run, 200);
    ASSERT_TRUE(failure) << method;
    ASSERT_EQ(run.warnings().size(), 1U);
    const auto back = value_of(run.go_back());
    EXPECT_LT(back, run.warnings()[0].step);
    EXPECT_EQ(run.steps(), back);
    const Sample good = run.sample(0);
    EXPECT_LE(good[Quantity::unit_length_error], Guard::max_unit_length_error) << method;
    EXPECT_LE(std::abs(good[Quantity::energy_error]), run.warnings()[0].scale) << method;
    // It is the state of a run that goes just so far.
    EXPECT_FALSE(go_on(other, back));
    EXPECT_EQ(write_scenario(run.continuation()), write_scenario(other.continuation())) << method;
  }
}

TEST(Guard, WithoutAWarningThereIsNoGoingBack) {
  Simulation run = start(with(preset("chain_pendulum"), "integrator.step", 0.5));
  run.save_last_good();
  ASSERT_TRUE(go_on(run, 1000));
  const std::int64_t steps = run.steps();
  ASSERT_TRUE(run.warnings().empty());
  EXPECT_FALSE(run.go_back());
  EXPECT_EQ(run.steps(), steps);
}

/// A guard of the rows of a run in other units. Inner steps are taken to be `longer` than they are.
class OtherGuard {
 public:
  explicit OtherGuard(const Units& units, double longer = 1)
      : guard_(1), units_(units), longer_(longer) {}

  void see(Simulation& run) {
    const Lane& lane = run.lane(0);
    const OtherUnits system(run.system(), units_);
    State state = run.state(0);
    state.w *= units_.rate;
    Sample sample = run.sample(0);
    for (const Quantity q : {Quantity::kinetic_energy, Quantity::potential_energy,
                             Quantity::total_energy, Quantity::energy_error, Quantity::work})
      sample[q] *= units_.energy();
    sample[Quantity::potential_energy] += units_.zero;
    sample[Quantity::total_energy] += units_.zero;
    sample[Quantity::time] /= units_.rate;
    const double inner = longer_ * lane.last.shortest_step / units_.rate;
    const Guard::Row row{system,      *lane.info, lane.clock.step / units_.rate, state, sample,
                         run.steps(), inner};
    if (run.steps() == 0)
      guard_.begin(0, row);
    else
      guard_.check_row(0, row);
  }
  const std::vector<Warning>& warnings() const { return guard_.warnings(); }
  /// Kind, step and value in the units of the run.
  std::string warning() const {
    if (guard_.warnings().empty()) return "none";
    const Warning& w = guard_.warnings()[0];
    const double unit = w.kind == Warning::Kind::energy ? units_.energy() : 1;
    return fmt::format("{} {} {} {:.6g} {:.6g}", static_cast<int>(w.kind), w.step, w.last_good_step,
                       w.value / unit, w.scale / unit);
  }

 private:
  Guard guard_;
  Units units_;
  double longer_;
};

TEST(Guard, SaysTheSameOfTheSameMotion) {
  int runs = 0, warned = 0;
  const auto compare = [&](const Scenario& scenario, const std::string& name) {
    Simulation run = start(scenario);
    OtherGuard plain({}), faster({.rate = 4}), shifted({.zero = 1 << 20}),
        all({.mass = 8, .rate = 0.25, .zero = -(1 << 16)});
    const auto see = [&] {
      for (OtherGuard* guard : {&plain, &faster, &shifted, &all}) guard->see(run);
    };
    see();
    for (int k = 0; k < 150 && !run.step(); ++k) see();
    for (const OtherGuard* guard : {&faster, &shifted, &all})
      EXPECT_EQ(guard->warning(), plain.warning()) << name;
    ++runs;
    warned += plain.warning() != "none";
  };
  for (const Preset& p : presets()) {
    const Scenario scenario = preset(p.key);
    if (scenario.size() > 20) continue;
    for (const char* method : {"variational", "rk4", "heun", "rk45"})
      for (const double coarser : {1.0, 20.0, 100.0}) {
        const auto chosen =
            with_settings(scenario, {{"integrator.type", method},
                                     {"integrator.step", scenario.lanes[0].step * coarser},
                                     {"duration", scenario.lanes[0].step * coarser * 1000}});
        if (chosen) compare(*chosen, fmt::format("{} {} {}", p.key, method, coarser));
      }
  }
  EXPECT_GE(runs, 100);
  EXPECT_GE(warned, 10);
}

// E_0 says nothing: it contains the constant.
TEST(Guard, AConstantInAPotentialChangesNoWarning) {
  const auto warning = [](const std::string& constant) {
    Simulation run = start(read(fmt::format(R"json({{"twosphere": 1,
      "system": {{"type": "custom", "inertia": "diag(1)", "potential": "-9.81*e3.q[0]{}"}},
      "initial": {{"q": [[0.8, 0, 0.6]], "omega": [[-1.2, 0, 1.6]]}},
      "integrator": {{"type": "rk2_projected", "step": 0.2}}, "duration": 20}})json",
                                            constant)));
    EXPECT_FALSE(go_on(run, 100));
    return run.warnings().empty() ? -1 : run.warnings()[0].step;
  };
  const std::int64_t step = warning("");
  EXPECT_GT(step, 0);
  for (const char* constant : {" + 9.81", " + 1e3", " - 1e6"})
    EXPECT_EQ(warning(constant), step) << constant;
}

// The bodies pass each other six times; T is 250 times its median there.
TEST(Guard, WhatAnEncounterLeavesBehindIsSeen) {
  Simulation run =
      start(read(R"({"twosphere":1,"system":{"type":"n_body","masses":[1,1],"gamma":0.1},)"
                 R"("initial":{"q":[[1,0,0],[0.8775825618903728,0.479425538604203,0]],)"
                 R"("omega":[[0,0.005,0],[0,0,0]]},)"
                 R"("integrator":{"type":"rk78","step":0.01},"duration":6})"));
  EXPECT_FALSE(go_on(run, 600));
  EXPECT_GT(std::abs(run.sample(0)[Quantity::energy_error]),
            std::abs(run.lane(0).energy_reference));
  ASSERT_EQ(run.warnings().size(), 1U);
  EXPECT_EQ(run.warnings()[0].kind, Warning::Kind::energy);
}

// rk45 takes one step of its own over many rows as close as these.
TEST(Guard, RowsWithoutAnInnerStepBetweenThemAreNoEncounterWithoutSteps) {
  Simulation run =
      start(read(R"({"twosphere":1,"system":{"type":"n_body","masses":[1,1],"gamma":1},"initial":{)"
                 R"("q":[[0.044984814037660234,0,0.9989876708478425],)"
                 R"([-0.044984814037660234,0,0.9989876708478425]],)"
                 R"("omega":[[-1.997975341695685,0,0.08996962807532047],)"
                 R"([1.997975341695685,0,0.08996962807532047]]},)"
                 R"("integrator":{"type":"rk45","step":0.0001},"duration":0.2,"every":1})"));
  EXPECT_FALSE(go_on(run, 2000));
  EXPECT_TRUE(run.warnings().empty()) << describe(run.warnings()[0]);
}

// Up to the 20th row, T and V have not yet shown how much they change: the forces say that.
TEST(Guard, TheFirstRowsAreComparedWithTheForces) {
  const auto starting = [](const char* angle, const char* method, const char* step) {
    return start(read(fmt::format(R"json({{"twosphere": 1,
      "system": {{"type": "custom", "inertia": "diag(1)", "potential": "-9.81*e3.q[0]"}},
      "initial": {{"q": [["sin({0})", 0, "cos({0})"]], "omega": [[0, 0, 0]]}},
      "integrator": {{"type": "{1}", "step": {2}}}, "duration": 100}})json",
                                  angle, method, step)));
  };
  for (const char* angle : {"1", "1e-3", "1e-6", "pi - 1e-3"}) {
    Simulation fine = starting(angle, "variational", "0.05");
    EXPECT_FALSE(go_on(fine, 100));
    EXPECT_TRUE(fine.warnings().empty()) << angle << ": " << describe(fine.warnings()[0]);
  }
  Simulation coarse = starting("1", "rk2_projected", "0.3");
  EXPECT_FALSE(go_on(coarse, 20));
  ASSERT_EQ(coarse.warnings().size(), 1U);
  EXPECT_EQ(coarse.warnings()[0].kind, Warning::Kind::energy);
  EXPECT_LT(coarse.warnings()[0].step, MotionEnergy::min_rows);
}

// Of an adaptive method, the inner steps near the pericentre count, when they have been taken.
TEST(Guard, AnEncounterThatInnerStepsDoNotResolveIsWarnedOf) {
  Simulation run =
      start(read(R"({"twosphere":1,"system":{"type":"n_body","masses":[1,1],"gamma":0.1},)"
                 R"("initial":{"q":[[1,0,0],[0.8775825618903728,0.479425538604203,0]],)"
                 R"("omega":[[0,0.02,0],[0,0,0]]},"integrator":{"type":"rotation8_adaptive",)"
                 R"("step":0.01,"first_step":0.005},"duration":2})"));
  OtherGuard fine({}), coarse({}, 1000);
  std::int64_t closest = 0;
  double least = 1;
  for (int k = 0; k <= 150; ++k) {
    if (k > 0) {
      ASSERT_FALSE(run.step());
    }
    for (OtherGuard* guard : {&fine, &coarse}) guard->see(run);
    const State& now = run.state(0);
    if (const double apart = (now.q.col(0) - now.q.col(1)).norm(); apart < least)
      least = apart, closest = run.steps();
  }
  EXPECT_TRUE(run.warnings().empty()) << describe(run.warnings()[0]);
  EXPECT_EQ(fine.warning(), "none");
  ASSERT_EQ(coarse.warnings().size(), 1U);
  EXPECT_EQ(coarse.warnings()[0].kind, Warning::Kind::encounter);
  EXPECT_NEAR(static_cast<double>(coarse.warnings()[0].step), static_cast<double>(closest), 1);
}

TEST(NearestPair, IsThatOfAllPairs) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  for (const int n : {2, 3, 10, 300})
    for (const double spread : {1.0, 1e-9})
      for (int k = 0; k < 20; ++k) {
        Columns points(3, n);
        for (Eigen::Index i = 0; i < n; ++i)
          points.col(i) =
              (Vec3(0, 0, 1) + spread * Vec3(normal(random), normal(random), normal(random)))
                  .normalized();
        if (k == 7 && n > 3) points.col(n - 1) = points.col(1);
        for (const double side : {1.0, -1.0}) {
          double least = 5;
          for (Eigen::Index i = 0; i < n; ++i)
            for (Eigen::Index j = 0; j < i; ++j)
              least = std::min(least, (points.col(i) - side * points.col(j)).squaredNorm());
          const auto [i, j] = nearest_pair(points, side);
          EXPECT_LT(i, j);
          EXPECT_EQ((points.col(i) - side * points.col(j)).squaredNorm(), least) << n;
        }
      }
}

}  // namespace
}  // namespace twosphere::test::guard_test
