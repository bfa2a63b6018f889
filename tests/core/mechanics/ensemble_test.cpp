// SPDX-License-Identifier: GPL-3.0-or-later
// Members of an ensemble that take their steps together do what each does alone, bit for bit.
#include "core/mechanics/ensemble.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/simd_level.h"
#include "core/catalog.h"
#include "core/kernels/aligned.h"
#include "core/kernels/chain_ensemble.h"
#include "core/mechanics/pulled_system.h"
#include "core/run/lane.h"
#include "tests/cases.h"
#include "tests/runs.h"

namespace twosphere::test::ensemble_test {
namespace {

/// On every instruction set level of this processor.
struct Ensemble : testing::TestWithParam<std::string_view> {
  void SetUp() override { ASSERT_TRUE(force_isa_level(GetParam())); }
  void TearDown() override { ASSERT_TRUE(force_isa_level("")); }
};
INSTANTIATE_TEST_SUITE_P(Levels, Ensemble, testing::ValuesIn(isa_levels()),
                         [](const auto& p) { return std::string(p.param); });

/// `n` bodies of a system, with one lane.
Scenario bodies(std::string_view key, int n, Values values, const std::string& method,
                double step) {
  Scenario scenario = preset();
  scenario.system = key;
  values.merge(default_values(kind_of_system(key).parameters, n));
  scenario.parameters = std::move(values);
  scenario.q.resize(3, n);
  scenario.omega.resize(3, n);
  scenario.events.clear();
  scenario.lanes = {scenario.lanes[0]};
  scenario.lanes[0].type = method;
  scenario.lanes[0].step = step;
  if (const IntegratorInfo* info = find_integrator(method))
    scenario.lanes[0].values = default_values(info->parameters);
  return scenario;
}

/// Numbers between these limits.
std::vector<double> numbers(int n, double low, double high) {
  std::mt19937 random(static_cast<unsigned>(n));
  std::uniform_real_distribution<double> uniform(low, high);
  std::vector<double> out;
  for (int i = 0; i < n; ++i) out.push_back(uniform(random));
  return out;
}

Scenario chain(int n, const std::string& method, double step) {
  const std::vector<double> both = numbers(2 * n, 0.3, 2);
  return bodies("chain_pendulum", n,
                {{"masses", {both.begin(), both.begin() + n}},
                 {"lengths", {both.begin() + n, both.end()}},
                 {"tip_force", {0, 0, 0, 0}}},
                method, step);
}

Scenario attracting(int n, const std::string& method, double step, double gamma) {
  return bodies("n_body", n, {{"masses", numbers(n, 0.3, 2)}, {"gamma", {gamma}}}, method, step);
}

/// Pendula on a spiral, each joined to the next two.
Scenario network(int n, const std::string& method, double step) {
  std::vector<double> pivots, springs;
  for (int i = 0; i < n; ++i) {
    pivots.insert(pivots.end(), {std::cos(i), std::sin(i), 0.1 * i});
    for (int j = i + 1; j < std::min(i + 3, n); ++j)
      springs.insert(springs.end(),
                     {static_cast<double>(i), static_cast<double>(j), 3.0 + i + 0.3 * j});
  }
  const std::vector<double> both = numbers(2 * n, 0.3, 2);
  return bodies("pendulum_network", n,
                {{"masses", {both.begin(), both.begin() + n}},
                 {"lengths", {both.begin() + n, both.end()}},
                 {"pivots", pivots},
                 {"springs", springs}},
                method, step);
}

Scenario molecules(int n, const std::string& method, double step,
                   const std::vector<double>& cutoff) {
  return bodies(
      "lennard_jones", n,
      {{"masses", numbers(n, 0.5, 2)}, {"epsilon", {0.01}}, {"sigma", {0.5}}, {"cutoff", cutoff}},
      method, step);
}

/// Magnets on a spiral.
Scenario magnets(int n, const std::string& method, double step) {
  const auto size = static_cast<std::size_t>(n);
  std::vector<double> positions;
  for (int i = 0; i < n; ++i)
    positions.insert(positions.end(), {0.05 * std::cos(i), 0.05 * std::sin(i), 0.01 * i});
  return bodies("dipole_array", n,
                {{"masses", numbers(n, 0.03, 0.06)},
                 {"lengths", std::vector<double>(size, 0.02)},
                 {"moments", numbers(n, -0.1, 0.1)},
                 {"positions", positions},
                 {"lattice", {}}},
                method, step);
}

std::unique_ptr<const System> made(const Scenario& scenario) {
  return system_of(scenario.system, scenario.size(), scenario.parameters);
}

/// How many members of it go together.
std::size_t width(const Scenario& scenario) {
  const auto system = made(scenario);
  return Lane::create(scenario, 0, *system)->integrator->width(*system);
}

/// Lanes at different states, of which `fast` is about the largest |ω| [rad/s], each with this
/// number of tangent vectors.
std::vector<Lane> lanes_of(Scenario scenario, const System& system, std::size_t count, double fast,
                           int vectors = 0) {
  std::vector<Lane> lanes;
  for (std::size_t m = 0; m < count; ++m) {
    const State start =
        generic_start(scenario.size(), everywhere, fast / 3, static_cast<unsigned>(m));
    scenario.q = start.q;
    scenario.omega = start.w;
    auto lane = Lane::create(scenario, 0, system);
    EXPECT_TRUE(lane) << m;
    if (vectors > 0) lane->exponents.emplace(system, lane->state, vectors);
    lanes.push_back(std::move(*lane));
  }
  return lanes;
}

/// What continues the vectors of a lane.
IntegratorState vectors_of(const Lane& lane) {
  IntegratorState memory;
  if (lane.exponents) lane.exponents->save(memory);
  return memory;
}

void expect_same(const System& system, Lane& a, Lane& b) {
  a.finish_state(system);
  b.finish_state(system);
  EXPECT_TRUE(same_state(a.state, b.state));
  EXPECT_EQ(a.state.t, b.state.t);
  EXPECT_EQ(a.steps, b.steps);
  EXPECT_EQ(a.integrator->saved_state(), b.integrator->saved_state());
  EXPECT_EQ(vectors_of(a), vectors_of(b));
}

std::vector<Lane*> all_of(std::vector<Lane>& lanes) {
  std::vector<Lane*> out;
  for (Lane& lane : lanes) out.push_back(&lane);
  return out;
}

/// Takes 50 steps together and alone, and then a few more alone; `missing`: so many fewer than
/// width() members.
void expect_same_steps(const Scenario& scenario, bool reversed, double fast, int vectors = 0,
                       std::size_t missing = 0) {
  const auto system = made(scenario);
  ASSERT_GT(ensemble_test::width(scenario), missing + 1);
  const std::size_t width = ensemble_test::width(scenario) - missing;
  std::vector<Lane> together = lanes_of(scenario, *system, width, fast, vectors);
  std::vector<Lane> alone = lanes_of(scenario, *system, width, fast, vectors);
  for (std::size_t m = 0; m < width; ++m) {
    together[m].clock.reversed = alone[m].clock.reversed = reversed;
    // Some have taken steps before, and so have multipliers to begin with.
    const auto before = static_cast<std::int64_t>(m % 3);
    ASSERT_EQ(together[m].advance(*system, before), before);
    ASSERT_EQ(alone[m].advance(*system, before), before);
  }
  constexpr std::int64_t steps = 50;
  ASSERT_EQ(Lane::advance_together(*system, steps, all_of(together)), steps);
  for (std::size_t m = 0; m < width; ++m) {
    ASSERT_EQ(alone[m].advance(*system, steps), steps);
    expect_same(*system, together[m], alone[m]);
    // They continue alone as before.
    ASSERT_EQ(together[m].advance(*system, 3), alone[m].advance(*system, 3));
    expect_same(*system, together[m], alone[m]);
  }
}

TEST_P(Ensemble, EachMemberDoesWhatItDoesAlone) {
  for (const char* method : {"variational", "variational4", "variational6", "variational8"})
    for (const bool reversed : {false, true}) {
      SCOPED_TRACE(std::string(method) + (reversed ? ", back" : ""));
      const double h = reversed ? 0.002 : 0.01;
      std::vector<Scenario> all;
      if (chain_kernel::width() > 1)
        for (const int n : {1, 2, 3, 7, 16}) all.push_back(chain(n, method, h));
      for (const int n : {1, 2, 3, 4, 5, 9, 16}) all.push_back(attracting(n, method, h, 0.001));
      for (const int n : {1, 2, 5, 32}) all.push_back(network(n, method, h));
      for (const int n : {1, 2, 9, 16}) all.push_back(molecules(n, method, h, {}));
      all.push_back(molecules(12, method, h, {1.2}));
      for (const int n : {1, 2, 9}) all.push_back(magnets(n, method, h / 10));
      for (const Scenario& scenario : all) {
        SCOPED_TRACE(scenario.system + " " + std::to_string(scenario.size()));
        expect_same_steps(scenario, reversed, 1.5);
      }
    }
}

constexpr const char* rotations[] = {"rotation", "rotation4", "rotation6", "rotation8"};

// With turns that are small and turns of some radians in each rotation.
TEST_P(Ensemble, RotationsOfEachMemberAreThoseAlone) {
  for (const char* method : rotations)
    for (const bool reversed : {false, true})
      for (const double fast : {1.5, 400.0}) {
        SCOPED_TRACE(std::string(method) + (reversed ? ", back" : ""));
        const double h = reversed ? 0.002 : 0.01;
        std::vector<Scenario> all;
        for (const int n : {1, 2, 3, 4, 5, 9, 16}) all.push_back(attracting(n, method, h, 0.001));
        for (const int n : {1, 2, 5, 32}) all.push_back(network(n, method, h));
        // Fast molecules land where others are.
        for (const int n : {1, 2, 9, 16})
          if (fast < 2) all.push_back(molecules(n, method, h, {}));
        for (const int n : {1, 2, 9}) all.push_back(magnets(n, method, h / 10));
        for (const Scenario& scenario : all) {
          SCOPED_TRACE(scenario.system + " " + std::to_string(scenario.size()));
          expect_same_steps(scenario, reversed, fast);
        }
        expect_same_steps(attracting(3, method, h, 0.001), reversed, fast, 0, 5);
      }
}

// States that have been read have no gradient yet.
TEST_P(Ensemble, RotationsContinueSavedStatesTogether) {
  const Scenario scenario = attracting(3, "rotation6", 0.01, 0.001);
  const auto system = made(scenario);
  std::vector<Lane> together = lanes_of(scenario, *system, ensemble_members, 2),
                    alone = lanes_of(scenario, *system, ensemble_members, 2);
  for (std::vector<Lane>* lanes : {&together, &alone})
    for (std::size_t m = 0; m < lanes->size(); m += 2) {
      Lane& lane = (*lanes)[m];
      ASSERT_EQ(lane.advance(*system, 7), 7);
      Lane::Checkpoint saved;
      lane.save(*system, saved);
      lane.roll_back(*system, saved);
    }
  ASSERT_EQ(Lane::advance_together(*system, 20, all_of(together)), 20);
  for (std::size_t m = 0; m < together.size(); ++m) {
    ASSERT_EQ(alone[m].advance(*system, 20), 20);
    expect_same(*system, together[m], alone[m]);
  }
}

TEST_P(Ensemble, ATurnWithoutDigitsIsRefusedTogetherAsItIsAlone) {
  const Scenario scenario = network(3, "rotation4", 0.01);
  const auto system = made(scenario);
  std::vector<Lane> together = lanes_of(scenario, *system, ensemble_members, 2),
                    before = lanes_of(scenario, *system, ensemble_members, 2);
  for (std::vector<Lane>* lanes : {&together, &before}) {
    Lane& lane = (*lanes)[5];
    lane.state.w *= 1e20;
    lane.integrator->prepare(*system, lane.state);
  }
  EXPECT_EQ(Lane::advance_together(*system, 20, all_of(together)), 0);
  for (std::size_t m = 0; m < together.size(); ++m) expect_same(*system, together[m], before[m]);
  EXPECT_EQ(together[5].advance(*system, 1), 0);
}

TEST_P(Ensemble, EachMemberWithAVectorDoesWhatItDoesAlone) {
  if (chain_kernel::width() == 1) GTEST_SKIP();
  for (const char* method : {"variational", "variational4", "variational6", "variational8"})
    for (const bool reversed : {false, true})
      for (const int n : {1, 2, 3, 7, 16}) {
        SCOPED_TRACE(std::string(method) + (reversed ? ", back, " : ", ") + std::to_string(n));
        expect_same_steps(chain(n, method, reversed ? 0.002 : 0.01), reversed, 1.5, 1);
      }
}

TEST_P(Ensemble, FewerMembersDoWhatTheyDoAlone) {
  for (const char* method : {"variational", "variational4"}) {
    for (std::size_t missing = 0; missing + 2 <= chain_kernel::width(); ++missing)
      for (const int vectors : {0, 1})
        expect_same_steps(chain(2, method, 0.01), false, 1.5, vectors, missing);
    for (std::size_t missing = 0; missing + 2 <= ensemble_members; ++missing)
      expect_same_steps(attracting(3, method, 0.01, 0.001), false, 1.5, 0, missing);
  }
}

/// Takes 200 steps together, if none fails, of motions with different speeds.
void expect_same_failures(Scenario (*of)(const char* method), int vectors = 0) {
  int failures = 0, taken_before = 0;
  for (const char* method : {"variational", "variational4"})
    for (const double fast : {5.0, 20.0, 60.0, 90.0}) {
      const Scenario scenario = of(method);
      const auto system = made(scenario);
      const std::size_t width = ensemble_test::width(scenario);
      std::vector<Lane> together = lanes_of(scenario, *system, width, fast, vectors);
      std::vector<Lane> alone = lanes_of(scenario, *system, width, fast, vectors);
      const std::int64_t taken = Lane::advance_together(*system, 200, all_of(together));
      std::int64_t least = 200;
      for (Lane& lane : alone) least = std::min(least, lane.advance(*system, 200));
      EXPECT_EQ(taken, least) << method << " " << fast;
      failures += taken < 200;
      taken_before += taken > 0;
      std::vector<Lane> again = lanes_of(scenario, *system, width, fast, vectors);
      for (std::size_t m = 0; m < width; ++m) {
        ASSERT_EQ(again[m].advance(*system, taken), taken);
        expect_same(*system, together[m], again[m]);
      }
    }
  EXPECT_GT(failures, 1);
  EXPECT_GT(taken_before, 1);
}

// Motions so fast that Newton's iterations take their several ways, and steps fail.
TEST_P(Ensemble, StopsBeforeTheFirstStepThatFails) {
  if (chain_kernel::width() > 1)
    for (const int vectors : {0, 1})
      expect_same_failures([](const char* method) { return chain(2, method, 0.02); }, vectors);
  expect_same_failures([](const char* method) { return attracting(3, method, 0.02, 1); });
  expect_same_failures([](const char* method) { return network(3, method, 0.02); });
}

// A vector that is too long is lost; its orbit continues.
TEST_P(Ensemble, AVectorThatOverflowsIsLostAsItIsAlone) {
  if (chain_kernel::width() == 1) GTEST_SKIP();
  const Scenario scenario = chain(2, "variational", 0.05);
  const auto system = made(scenario);
  const std::size_t width = ensemble_test::width(scenario);
  std::vector<Lane> together = lanes_of(scenario, *system, width, 5, 1),
                    alone = lanes_of(scenario, *system, width, 5, 1);
  // Some so near the largest number that they pass it before they are made orthonormal.
  for (std::vector<Lane>* lanes : {&together, &alone})
    for (std::size_t m = 0; m < width; ++m) {
      IntegratorState memory = vectors_of((*lanes)[m]);
      for (double& x : memory[0].second) x *= m % 2 == 0 ? 0.9e154 : 1;
      (*lanes)[m].exponents = Exponents::load(memory, 2);
    }
  ASSERT_EQ(together[0].exponents->width(*system, *together[0].integrator), width);
  const std::int64_t taken = Lane::advance_together(*system, 50, all_of(together));
  EXPECT_LT(taken, 50);
  for (std::size_t m = 0; m < width; ++m) {
    ASSERT_EQ(alone[m].advance(*system, taken), taken);
    expect_same(*system, together[m], alone[m]);
  }
  EXPECT_TRUE(std::any_of(alone.begin(), alone.end(), [&](const Lane& lane) {
    return lane.exponents->lost() && lane.exponents->width(*system, *lane.integrator) == 1;
  }));
  EXPECT_FALSE(alone[1].exponents->lost());
}

// Two bodies on an orbit about one another that few steps follow, in some members far apart.
TEST_P(Ensemble, CloseBodiesDoWhatTheyDoAlone) {
  const std::vector<std::pair<int, double>> all{{3, 1.0}, {3, -1.0}, {7, 1.0}};
  for (std::size_t k = 0; k < 2 * all.size(); ++k) {
    const auto& [n, side] = all[k / 2];
    // Rotations have directions in two parts.
    const Scenario scenario = attracting(n, k % 2 == 0 ? "variational" : "rotation6", 1e-5, side);
    const auto system = made(scenario);
    std::vector<Lane> together = lanes_of(scenario, *system, ensemble_members, 1),
                      alone = lanes_of(scenario, *system, ensemble_members, 1);
    for (std::vector<Lane>* lanes : {&together, &alone})
      for (std::size_t m = 0; m < lanes->size(); m += 3) {
        State& state = (*lanes)[m].state;
        const Vec3 aside = state.q.col(0).unitOrthogonal();
        const double apart = 0.01 * (1 + static_cast<double>(m));  // close below 1/32
        state.q.col(1) = side * (state.q.col(0) + apart * aside).normalized();
        state.w.col(1) = tangent(state.q.col(1), state.w.col(1));
        (*lanes)[m].integrator->prepare(*system, state);
      }
    ASSERT_EQ(Lane::advance_together(*system, 200, all_of(together)), 200);
    for (std::size_t m = 0; m < together.size(); ++m) {
      ASSERT_EQ(alone[m].advance(*system, 200), 200);
      expect_same(*system, together[m], alone[m]);
    }
  }
}

/// gradient_together() and gradient() of these members, bit for bit.
void expect_same_gradients(const System& system, const std::vector<Columns>& members) {
  const auto n = static_cast<std::size_t>(system.size());
  Aligned<double> q(3 * n * ensemble_members), together(3 * n * ensemble_members);
  const auto place = [](std::size_t k, std::size_t m) { return k * ensemble_members + m; };
  for (std::size_t m = 0; m < ensemble_members; ++m)
    for (std::size_t k = 0; k < 3 * n; ++k) q[place(k, m)] = members[m].data()[k];
  system.gradient_together(q.data(), together.data());
  for (std::size_t m = 0; m < ensemble_members; ++m) {
    Columns g(3, system.size());
    system.gradient(members[m], g);
    for (std::size_t k = 0; k < 3 * n; ++k) {
      if (std::isnan(g.data()[k]) && std::isnan(together[place(k, m)])) continue;
      ASSERT_EQ(together[place(k, m)], g.data()[k]) << "member " << m << ", number " << k;
    }
  }
}

TEST_P(Ensemble, GradientsAreThoseOfEachMemberAlone) {
  std::vector<std::pair<std::string, std::shared_ptr<const System>>> all;
  for (const SystemCase& c : system_cases()) all.emplace_back(c.name, make_system(c));
  for (const int n : {1, 2, 3, 4, 5, 8, 9, 16})
    all.emplace_back("bodies", made(attracting(n, "", 0, -2)));
  for (const int n : {1, 32}) all.emplace_back("network", made(network(n, "", 0)));
  for (const int n : {1, 2, 8, 9, 16}) all.emplace_back("molecules", made(molecules(n, "", 0, {})));
  for (const int n : {1, 2, 9}) all.emplace_back("magnets", made(magnets(n, "", 0)));
  all.emplace_back("molecules with a cutoff", made(molecules(16, "", 0, {1.2})));
  int tested = 0;
  for (const auto& [name, system] : all) {
    if (!system->has_gradient_together()) continue;
    ++tested;
    const int n = system->size();
    SCOPED_TRACE(name + " " + std::to_string(n));
    // On the sphere and off it, with bodies close together and nearly antipodal.
    for (int round = 0; round < 20; ++round) {
      std::vector<Columns> members;
      for (unsigned m = 0; m < ensemble_members; ++m) {
        Columns q = generic_start(n, everywhere, 0, 100 * static_cast<unsigned>(round) + m).q;
        if (round % 4 > 1 && n > 1)
          q.col(round % 8 > 3 ? n - 1 : 1) = ((m % 4 < 2 ? 1 : -1) * q.col(0) +
                                              0.004 * m * Vec3(0.3, -0.2, 0.5) + Vec3(0, 1e-5, 0))
                                                 .normalized();
        if (round % 2 == 1 && m % 3 > 0) q *= 1 + (m % 3 == 1 ? 1e-3 : 1e-12);
        members.push_back(q);
      }
      expect_same_gradients(*system, members);
    }
  }
  EXPECT_GE(tested, 24);
}

TEST_P(Ensemble, OthersTakeTheirStepsAlone) {
  const auto now = [](Scenario scenario, const char* key, std::vector<double> value) {
    scenario.parameters[key] = std::move(value);
    return width(scenario);
  };
  EXPECT_EQ(width(chain(2, "variational", 0.01)), chain_kernel::width());
  EXPECT_EQ(width(chain(2, "rk4", 0.01)), 1U);
  EXPECT_EQ(width(chain(17, "variational", 0.01)), 1U);
  EXPECT_EQ(now(chain(2, "variational", 0.01), "tip_force", {0, 1, 0, 0}), 1U);
  EXPECT_EQ(now(chain(2, "variational", 0.01), "damping", {0.1}), 1U);
  EXPECT_EQ(width(attracting(16, "variational", 0.01, 1)), ensemble_members);
  EXPECT_EQ(width(attracting(4, "variational_adaptive", 0.01, 1)), 1U);
  EXPECT_EQ(width(attracting(17, "variational", 0.01, 1)), 1U);
  EXPECT_EQ(width(attracting(16, "rotation8", 0.01, 1)), ensemble_members);
  EXPECT_EQ(width(attracting(4, "rotation8_adaptive", 0.01, 1)), 1U);
  EXPECT_EQ(width(attracting(17, "rotation", 0.01, 1)), 1U);
  EXPECT_EQ(now(network(2, "rotation6", 0.01), "damping", {0.1}), 1U);
  EXPECT_EQ(width(network(32, "variational", 0.01)), ensemble_members);
  EXPECT_EQ(width(network(33, "variational", 0.01)), 1U);
  EXPECT_EQ(now(network(2, "variational", 0.01), "damping", {0.1}), 1U);
  EXPECT_EQ(width(molecules(16, "variational", 0.01, {1})), ensemble_members);
  EXPECT_EQ(width(molecules(16, "variational", 0.01, {0.9})), 1U);
  EXPECT_EQ(width(molecules(17, "variational", 0.01, {})), 1U);
  EXPECT_EQ(width(magnets(9, "variational", 0.001)), ensemble_members);
  EXPECT_EQ(width(magnets(10, "variational", 0.001)), 1U);
  // With vectors.
  const auto followed = [](const Scenario& of, int vectors) {
    const auto system = made(of);
    const Lane lane = std::move(lanes_of(of, *system, 1, 1, vectors)[0]);
    return lane.exponents->width(*system, *lane.integrator);
  };
  EXPECT_EQ(followed(chain(2, "variational6", 0.01), 1), chain_kernel::width());
  EXPECT_EQ(followed(chain(2, "variational", 0.01), 2), 1U);
  EXPECT_EQ(followed(chain(2, "rk4", 0.01), 1), 1U);
  EXPECT_EQ(followed(chain(17, "variational", 0.01), 1), 1U);
  EXPECT_EQ(followed(attracting(3, "variational", 0.01, 1), 1), 1U);
  EXPECT_EQ(followed(attracting(3, "rotation", 0.01, 1), 1), 1U);
  EXPECT_EQ(followed(network(3, "variational", 0.01), 1), 1U);
  // A body that is pulled by hand.
  const Scenario scenario = attracting(3, "variational", 0.01, 1);
  const PulledSystem pulled(made(scenario), {{0, Vec3(0, 0, 1)}});
  EXPECT_EQ(Lane::create(scenario, 0, pulled)->integrator->width(pulled), 1U);
}

}  // namespace
}  // namespace twosphere::test::ensemble_test
