// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mechanics/exponents.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "core/base/philox.h"
#include "tests/cases.h"
#include "tests/outcome.h"
#include "tests/runs.h"

namespace twosphere::test::exponents_test {
namespace {

using Exponent = Exponents::Exponent;

TEST(Philox, IsThatOfItsAuthors) {
  // The known answers of Random123.
  EXPECT_EQ(philox({0, 0, 0, 0}, 0),
            (PhiloxCounter{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox({~0U, ~0U, ~0U, ~0U}, ~0ULL),
            (PhiloxCounter{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, 0x299f31d0a4093822),
            (PhiloxCounter{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Philox, NormalNumbersHaveTheMomentsOfTheNormalDistribution) {
  double sum = 0, square = 0, fourth = 0;
  constexpr int count = 40'000;
  for (std::uint32_t k = 0; k < count / 4; ++k)
    for (const double x : normal_numbers({k, 0, 0, 0}, 7)) {
      sum += x / count;
      square += x * x / count;
      fourth += x * x * x * x / count;
    }
  EXPECT_NEAR(sum, 0, 4 / std::sqrt(count));
  EXPECT_NEAR(square, 1, 4 * std::sqrt(2.0 / count));
  EXPECT_NEAR(fourth, 3, 4 * std::sqrt(96.0 / count));
}

/// A run of a preset with vectors that follow it.
Simulation followed(Scenario scenario, int vectors, double duration) {
  scenario.duration = duration;
  scenario.every = 1'000'000'000;
  Simulation run = start(scenario);
  EXPECT_TRUE(succeeds(run.follow_exponents(vectors)));
  while (!run.finished()) {
    const auto failure = run.advance_to(run.planned_steps());
    EXPECT_FALSE(failure) << failure->message;
    if (failure) break;
  }
  return run;
}

const Exponents& of(const Simulation& run) { return *run.lane(0).exponents; }
std::vector<Exponent> spectrum_of(Simulation& run) {
  return of(run).spectrum(*run.system(), run.state(0));
}

TEST(Exponents, AreThoseOfExample1) {
  const double T = 2000;
  Simulation run = followed(preset(), 8, T);
  const std::vector<Exponent> spectrum = spectrum_of(run);
  // Measured before by a separate program, on another orbit that rounding makes of this start.
  const double expected[] = {0.0794, 0.0366, 0, 0, 0, 0, -0.0353, -0.0803};
  for (std::size_t k = 0; k < 8; ++k) {
    // Both scatter by an error.
    EXPECT_NEAR(spectrum[k].value, expected[k], 3 * std::sqrt(2) * spectrum[k].error) << k;
    EXPECT_LT(spectrum[k].error, 0.02) << k;
    // A symplectic map: exponents in pairs, to rounding; far below 2/T.
    EXPECT_NEAR(spectrum[k].value + spectrum[7 - k].value, 0, 1e-9) << k;
  }
  // The energy, the momentum about e3, and the two directions conjugate to them.
  for (std::size_t k = 2; k < 6; ++k) EXPECT_LE(std::abs(spectrum[k].value), spectrum[k].error);
  EXPECT_GT(spectrum[1].value, 3 * spectrum[1].error);
  EXPECT_NEAR(of(run).elapsed(), T, 1e-8);
  // MEGNO and FLI of chaotic motion.
  EXPECT_NEAR(of(run).megno(), spectrum[0].value * T / 2, 0.25 * spectrum[0].value * T / 2);
  EXPECT_NEAR(of(run).fli(), spectrum[0].value * T, 0.05 * spectrum[0].value * T);
  // One vector alone is the first of several.
  Simulation alone = followed(preset(), 1, T);
  EXPECT_EQ(spectrum_of(alone)[0].value, spectrum[0].value);
  EXPECT_EQ(of(alone).megno(), of(run).megno());
}

TEST(Exponents, AreZeroTwiceForEachConservedQuantity) {
  const auto zeros = [](std::string_view key, double damping) {
    Scenario scenario = preset(key);
    if (damping > 0) scenario.parameters["damping"] = {damping};
    return expected_zeros(**create_system(scenario));
  };
  EXPECT_EQ(zeros("double_spherical_pendulum", 0), 4);  // E and J₃
  EXPECT_EQ(zeros("double_spherical_pendulum", 0.1), 0);
  EXPECT_EQ(zeros("three_body", 0), 6);  // E, |J| and J₃
  // As many are below their errors.
  Simulation run = followed(preset(), 8, 500);
  const std::vector<Exponent> spectrum = spectrum_of(run);
  EXPECT_EQ(std::count_if(spectrum.begin(), spectrum.end(),
                          [](const Exponent& e) { return std::abs(e.value) <= e.error; }),
            4);
}

TEST(Exponents, OverALongerTimeScatterLess) {
  // 12 orbits over 20 000 s: 0.083 ± 0.003.
  const Exponent largest = [] {
    Simulation run = followed(preset(), 1, 20'000);
    return spectrum_of(run)[0];
  }();
  EXPECT_NEAR(largest.value, 0.083, 0.009);
  EXPECT_LT(largest.error, 0.006);
}

TEST(Exponents, AgreeWithTwoOrbits) {
  // Benettin's first method: the distance of a second orbit, rescaled every second. The first orbit
  // is that of the run, bit for bit.
  constexpr double T = 2000, h = 0.01, distance = 1e-7;
  const Scenario scenario = preset();
  const auto system = create_system(scenario);
  State a{0, scenario.q, scenario.omega}, b = a;
  auto first = make_integrator("variational"), second = make_integrator("variational");
  const auto apart = [&] {
    return std::sqrt((a.q - b.q).squaredNorm() + (a.w - b.w).squaredNorm());
  };
  b.q.col(0) = Vec3(b.q.col(0) + distance * Vec3(0, 1, 0)).normalized();
  b.w.col(0) = tangent(b.q.col(0), b.w.col(0));
  first->prepare(**system, a);
  double growth = 0, before = apart();
  for (int k = 0; k < static_cast<int>(T); ++k) {
    second->prepare(**system, b);
    for (int j = 0; j < 100; ++j) {
      ASSERT_TRUE(first->advance(**system, h, a).ok());
      ASSERT_TRUE(second->advance(**system, h, b).ok());
    }
    first->complete(**system, a);
    second->complete(**system, b);
    growth += std::log(apart() / before);
    b.q = a.q + (b.q - a.q) * (distance / apart());
    b.w = a.w + (b.w - a.w) * (distance / apart());
    for (Eigen::Index i = 0; i < 2; ++i) {
      b.q.col(i).normalize();
      b.w.col(i) = tangent(b.q.col(i), b.w.col(i));
    }
    before = apart();
  }
  Simulation run = followed(scenario, 1, T);
  ASSERT_TRUE(a.q == run.lane(0).state.q);
  EXPECT_NEAR(growth / T, spectrum_of(run)[0].value, 10 / T);
}

TEST(Exponents, OfIntegrableMotionAreZero) {
  // One link: the spherical pendulum.
  Scenario pendulum = preset("chain_pendulum");
  pendulum.q = Vec3(0.6, 0, 0.8);
  pendulum.omega = Vec3(0, 2, 0) + 0.9 * Vec3(-0.8, 0, 0.6);
  for (auto& [key, values] : pendulum.parameters)
    if (key == "masses" || key == "lengths") values = {1};
  pendulum.lanes[0].step = 0.02;
  for (const char* method : {"variational", "variational4"}) {
    SCOPED_TRACE(method);
    const Scenario s = with(pendulum, {{"integrator.type", method}});
    Simulation run = followed(s, 4, 4000);
    for (const Exponent& e : spectrum_of(run)) {
      EXPECT_NEAR(e.value, 0, e.error);
      EXPECT_LT(e.error, 0.005);
    }
    EXPECT_NEAR(of(run).megno(), 2, 0.1);
  }
}

TEST(Exponents, LeaveTheRunAsItIs) {
  for (const char* key :
       {"double_spherical_pendulum", "three_body", "elastic_rod", "conformal_pair"}) {
    SCOPED_TRACE(key);
    Simulation plain = start(preset(key)), run = start(preset(key));
    ASSERT_TRUE(run.follow_exponents(3));
    march(plain, 25);
    march(run, 25);
    EXPECT_TRUE(plain.state(0).q == run.state(0).q && plain.state(0).w == run.state(0).w);
    EXPECT_TRUE(std::isfinite(spectrum_of(run)[2].value));
  }
}

TEST(Exponents, GoOnFromAStateFileBitForBit) {
  Simulation whole = start(preset());
  ASSERT_TRUE(whole.follow_exponents(8));
  march(whole, 1234);
  // Looking at results changes nothing.
  (void)spectrum_of(whole);
  auto saved = value_of(read_scenario(write_scenario(whole.continuation()), "state"));
  Simulation resumed = start(saved);
  ASSERT_TRUE(resumed.lane(0).exponents);
  march(whole, 777);
  march(resumed, 777);
  EXPECT_EQ(bytes(whole), bytes(resumed));
  EXPECT_EQ(of(whole).megno(), of(resumed).megno());
  EXPECT_EQ(spectrum_of(whole)[5].error, spectrum_of(resumed)[5].error);
  EXPECT_TRUE(resumed.follow_exponents(8));
  EXPECT_FALSE(resumed.follow_exponents(2));
}

TEST(Exponents, AStateFileWithVectorsOfOtherBodiesIsRefused) {
  Simulation run = start(preset());
  ASSERT_TRUE(run.follow_exponents(1));
  march(run, 10);
  Scenario saved = run.continuation();
  for (auto& [name, values] : saved.continuation->lanes[0].memory)
    if (name == "tangent_metric") values.pop_back();
  EXPECT_TRUE(
      says(error_of(read_scenario(write_scenario(saved), "state")).text(), "tangent vectors"));
  // Nor one whose norm is none.
  saved = run.continuation();
  for (auto& [name, values] : saved.continuation->lanes[0].memory)
    if (name == "tangent_metric") values.back() = 0;
  EXPECT_TRUE(says(error_of(read_scenario(write_scenario(saved), "state")).text(),
                   "ω₀², all greater than 0"));
}

TEST(Exponents, NeedATangentMap) {
  Simulation run = start(with(preset(), {{"integrator.type", "rk4"}}));
  EXPECT_EQ(error_of(run.follow_exponents(1)).message,
            "rk4 has no tangent map; the variational and rotation methods with a fixed step have "
            "one");
  EXPECT_FALSE(start(preset()).follow_exponents(9));
  // A change to such a method during a run ends them; the run continues.
  Simulation changed = start(preset());
  ASSERT_TRUE(changed.follow_exponents(1));
  march(changed, 20);
  ASSERT_TRUE(changed.set({{"integrator.type", "rk4"}}));
  march(changed, 1);
  EXPECT_TRUE(of(changed).lost());
  EXPECT_TRUE(std::isnan(of(changed).megno()));
}

json::Node stop_on(const std::string& quantity, double bound) {
  json::Node entry = json::Node::object(), list = json::Node::array();
  entry.set("quantity", quantity);
  entry.set("above", bound);
  list.items.push_back(std::move(entry));
  return list;
}

TEST(Exponents, StopARun) {
  const auto end = [](Simulation& run) {
    while (!run.finished() && !run.stopped()) ASSERT_FALSE(run.advance_to(run.planned_steps()));
  };
  const Scenario scenario = with(preset(), {{"duration", 60.0}, {"stop", stop_on("megno", 2)}});
  Simulation run = start(*read_scenario(write_scenario(scenario), "s"));
  end(run);
  ASSERT_TRUE(run.stopped()) << "vectors follow it without being asked for";
  EXPECT_NE(run.stopped()->find(": megno = 2."), std::string::npos) << *run.stopped();
  Simulation plain = start(preset());
  ASSERT_TRUE(plain.follow_exponents(1));
  march(plain, run.steps() - 1);
  EXPECT_LE(of(plain).megno(), 2);
  march(plain, 1);
  EXPECT_EQ(of(plain).megno(), of(run).megno());
  // As many as it needs, or more; they continue in a saved state.
  Simulation second = start(with(preset(), {{"stop", stop_on("lyapunov[1]", 100)}}));
  EXPECT_EQ(of(second).count(), 2);
  ASSERT_TRUE(second.follow_exponents(1));
  EXPECT_EQ(of(second).count(), 2);
  ASSERT_TRUE(second.follow_exponents(4));
  march(second, 10);
  second.end_following();
  EXPECT_EQ(of(second).count(), 4);
  EXPECT_EQ(of(loaded(second)).count(), 4);
  // During a run.
  Simulation later = start(preset(), 100);
  ASSERT_TRUE(later.set({{"stop", stop_on("fli", 0.5)}}));
  end(later);
  EXPECT_TRUE(later.stopped());
}

TEST(Exponents, ThatARunCannotStopOnAreRefused) {
  const Error range = error_of(with_setting(preset(), "stop", stop_on("lyapunov[8]", 1)));
  EXPECT_EQ(range.text(),
            "stop[0].quantity: must be one of lyapunov[0] to lyapunov[7], not \"lyapunov[8]\"");
  EXPECT_FALSE(with_setting(preset(), "stop", stop_on("lyapunov[1", 1)));
  json::Node located = stop_on("megno", 2);
  located.items[0].set("at", "crossing");
  const Error within = error_of(with_setting(preset(), "stop", located));
  EXPECT_TRUE(within.text().starts_with("stop[0].at: must be \"step\"")) << within.text();
  const std::string why =
      "rk4 has no tangent map; the variational and rotation methods with a fixed step have one";
  const Scenario rk4 = with(preset(), {{"integrator.type", "rk4"}});
  Scenario stops = rk4;
  stops.stop = with(preset(), {{"stop", stop_on("megno", 2)}}).stop;
  EXPECT_EQ(error_of(Simulation::create(stops)).text(), "stop[0].quantity: " + why);
  // In a file, with its line.
  const std::string text = write_scenario(stops);
  const auto line =
      1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(text.find("megno")),
                     '\n');
  EXPECT_EQ(error_of(read_scenario(text, "s.json")).text(),
            fmt::format("s.json:{}: stop[0].quantity: {}", line, why));
  Simulation run = start(rk4, 3);
  EXPECT_EQ(error_of(run.set({{"stop", stop_on("megno", 2)}})).text(), "stop[0].quantity: " + why);
  // Together with the method: what counts is the one that it changes to.
  ASSERT_TRUE(run.set({{"integrator.type", "variational"}, {"stop", stop_on("fli", 0.5)}}));
  EXPECT_EQ(of(run).count(), 1);
  while (!run.finished() && !run.stopped()) ASSERT_FALSE(run.advance_to(run.planned_steps()));
  EXPECT_TRUE(run.stopped());
  for (const auto& settings : {std::vector<Setting>{{"integrator.type", "rk4"}},
                               {{"integrator.type", "rk4"}, {"stop", stop_on("fli", 2)}},
                               {{"system.damping", 0.1}}}) {
    const Error change = error_of(run.set(settings));
    EXPECT_TRUE(change.text().starts_with("stop[0].quantity: ")) << change.text();
    EXPECT_FALSE(of(run).lost());
  }
  json::Node lane = json::Node::object();
  lane.set("type", "rk4");
  lane.set("step", run.grid_step());
  EXPECT_EQ(error_of(run.add_lane(lane)).text(), "add_lane.type: " + why);
  // By an event of a file.
  json::Node file = *json::parse(write_scenario(with(preset(), {{"stop", stop_on("fli", 2)}})), "");
  for (const auto& [event, place] :
       {std::pair(R"([{"step": 3, "set": {"integrator.type": "rk4"}}])",
                  "events[0].set.integrator.type: stop[0].quantity: "),
        std::pair(R"([{"step": 3, "add_lane": {"type": "rk4", "step": 0.01}}])",
                  "events[0].add_lane.type: ")}) {
    file.set("events", *json::parse_value(event));
    const Error later = error_of(read_scenario(json::write(file), "s.json"));
    EXPECT_TRUE(later.text().ends_with(place + why)) << later.text();
  }
}

TEST(Exponents, WhatKeepsAMethodFromATangentMapIsNamed) {
  const auto why = [](const Scenario& s) {
    const auto follows = start(s).follow_exponents(1);
    return follows ? std::string() : follows.error().message;
  };
  const auto because = [](const char* cause) {
    return std::string("variational has no tangent map for this system, because ") + cause;
  };
  EXPECT_EQ(why(with(preset(), {{"system.damping", 0.1}})), because("coupled bodies are damped"));
  EXPECT_EQ(why(preset("inverted_double_pendulum")), because("PD control damps coupled bodies"));
  EXPECT_EQ(why(with(preset("inverted_double_pendulum"), {{"system.control_torque.kd", 0.0}})), "");
  EXPECT_EQ(why(with(preset("custom/shaken_pivot"), {{"system.force", "f[0] = -norm(v[0])*v[0]"}})),
            because("a force depends on velocities"));
  EXPECT_EQ(why(preset("close_encounters")),
            "rotation8_adaptive has no tangent map, because it adapts its steps; the variational "
            "and rotation methods with a fixed step have one");
  // Uncoupled bodies may be damped, but for one method.
  const Scenario uncoupled = with(preset("pendulum_network"), {{"system.damping", 0.1}});
  EXPECT_EQ(why(with(uncoupled, {{"integrator.type", "variational"}})), "");
  EXPECT_EQ(why(with(uncoupled, {{"integrator.type", "variational_cayley"}})),
            "variational_cayley has no tangent map for this system, because bodies are damped");
}

TEST(Exponents, AFailedStepLeavesThemAsTheyWere) {
  Simulation run = start(preset());
  ASSERT_TRUE(run.follow_exponents(2));
  march(run, 15);
  const std::string before = bytes(run);
  ASSERT_TRUE(run.set({{"integrator.step", 50.0}}));
  ASSERT_TRUE(run.step());
  ASSERT_TRUE(run.set({{"integrator.step", 0.01}}));
  IntegratorState memory;
  of(run).save(memory);
  Simulation again = start(preset());
  ASSERT_TRUE(again.follow_exponents(2));
  march(again, 15);
  IntegratorState expected;
  of(again).save(expected);
  EXPECT_EQ(memory, expected);
}

}  // namespace
}  // namespace twosphere::test::exponents_test
