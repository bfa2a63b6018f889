// SPDX-License-Identifier: GPL-3.0-or-later
// Explicit methods and baselines of systems of first order: what each keeps, and what it does not.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/thread_pool.h"
#include "core/catalog.h"
#include "core/integrators/exact_turn.h"
#include "core/integrators/pair_flow.h"
#include "core/mechanics/diagnostics.h"
#include "core/mechanics/first_order.h"
#include "core/mechanics/pulled_system.h"
#include "core/mechanics/step_map.h"
#include "tests/cases.h"
#include "tests/core/integrators/steps_taken.h"
#include "tests/outcome.h"
#include "tests/spin_ring.h"

namespace twosphere::test::first_order_methods_test {
namespace {

constexpr std::string_view explicit_methods[]{"pair_rotation", "pair_rotation4",
                                              "sublattice_rotation"};
constexpr std::string_view baselines[]{"implicit_midpoint", "depondt_mertens", "semi_implicit",
                                       "heun_projected"};

std::vector<std::string_view> all_methods() {
  std::vector<std::string_view> all(std::begin(explicit_methods), std::end(explicit_methods));
  all.insert(all.end(), std::begin(baselines), std::end(baselines));
  return all;
}

/// A ring of spins with everything that the method takes and, if none are given, strengths of
/// either sign.
std::unique_ptr<const SpinRing> ring_for(std::string_view method, int n, Values values = {}) {
  values["exchange"] = {1};
  values["field"] = {0.2, 0, 0.1};
  if (!method.starts_with("pair")) values["dm"] = {0.2, 0.1, 0.4};
  if (method != "sublattice_rotation") values["anisotropy"] = {0.4};
  values["axis"] = {1, 2, 2};
  if (std::vector<double>& strength = values["strength"]; strength.empty())
    for (int i = 0; i < n; ++i) strength.push_back((i % 3 == 0 ? -1 : 1) * (1 + 0.1 * i));
  return make_spin_ring(n, values);
}

void expect_order(const System& system, std::string_view method, const Columns& start,
                  double duration, double t = 0, int steps_of_4 = 64) {
  const Columns exact = take(system, "gauss16", duration / 64, 64, start, t).state.q;
  const int order = method_info(method).order, steps = order == 4 ? steps_of_4 : 256;
  const auto error = [&](int count) {
    return apart(take(system, method, duration / count, count, start, t).state.q, exact);
  };
  EXPECT_NEAR(std::log2(error(steps) / error(2 * steps)), order, 0.1) << method;
}

TEST(FirstOrderMethods, HaveTheirOrdersOnSpins) {
  for (const std::string_view method : all_methods())
    expect_order(*ring_for(method, 16), method, ring_start(16), 2);
}

TEST(FirstOrderMethods, BaselinesHaveTheirOrdersOnDampedAndDrivenSpins) {
  const auto ring =
      ring_for("", 8, {{"damping", {0.3}}, {"push", {0.5}}, {"spin_torque", {0.1, -0.2, 0.3}}});
  for (const std::string_view method : baselines)
    expect_order(*ring, method, ring_start(8), 2, 0.3);
  const auto overdamped =
      make_spin_ring(6, {{"damping", {0.8}}, {"strength", {0}}, {"field", {0.2, 0, 0.1}}});
  for (const std::string_view method : baselines)
    expect_order(*overdamped, method, ring_start(6), 2);
}

TEST(FirstOrderMethods, HaveTheirOrdersOnEverySystemThatTheySupport) {
  int pairs = 0;
  for (const SystemCase& c : first_order_cases()) {
    const auto [system, start] = started(c, 31);
    for (const std::string_view method : all_methods()) {
      if (!method_info(method).supports(*system)) continue;
      expect_order(*system, method, start.q, 1, 0, 8);
      ++pairs;
    }
  }
  // Baselines of all, pair rotations of vortices.
  EXPECT_GE(pairs, 8 * 4 + 2);
}

TEST(FirstOrderMethods, ForcesOfTimeKeepTheOrderAndTheirWorkIsTheChangeOfTheEnergy) {
  for (const std::string_view method : explicit_methods) {
    const auto ring = ring_for(method, 8, {{"push", {0.5}}});
    const Columns start = ring_start(8);
    expect_order(*ring, method, start, 2, 0.3);
    const double before = ring->potential(start);
    const int order = method_info(method).order, steps = order == 4 ? 64 : 256;
    const auto error = [&](int count) {
      const StepsTaken run = take(*ring, method, 2.0 / count, count, start, 0.3);
      return std::abs(ring->potential(run.state.q) - before - run.work);
    };
    // Where H is linear in each body every turn changes it by what is counted.
    if (method == "sublattice_rotation") {
      EXPECT_LE(error(64), 1e-13);
      continue;
    }
    EXPECT_NEAR(std::log2(error(steps) / error(2 * steps)), order, 0.3) << method;
  }
}

TEST(FirstOrderMethods, TheWorkOfBaselinesIsTheChangeOfTheEnergy) {
  const auto ring =
      ring_for("", 6, {{"damping", {0.2}}, {"push", {0.5}}, {"spin_torque", {0.1, -0.2, 0.3}}});
  const Columns start = ring_start(6);
  const double before = ring->potential(start);
  for (const std::string_view method : baselines) {
    const auto error = [&](int count) {
      const StepsTaken run = take(*ring, method, 2.0 / count, count, start);
      return std::abs(ring->potential(run.state.q) - before - run.work);
    };
    // H is quadratic: what changes it is what the midpoint rule counts.
    if (method == "implicit_midpoint")
      EXPECT_LE(error(64), 1e-12);
    else
      EXPECT_NEAR(std::log2(error(1024) / error(2048)), 2, 0.3) << method;
  }
}

/// The largest errors of |q|, J and H in so many steps of a ring of 32.
struct Kept {
  double length = 0, momentum = 0, energy = 0;
};
Kept kept(std::string_view method, int steps) {
  const auto ring = make_spin_ring(32);
  State state{0, ring_start(32), Columns::Zero(3, 32)};
  const Vec3 momentum = state.q * ring->strength();
  const double energy = ring->potential(state.q);
  const auto integrator = make_integrator(method);
  integrator->prepare(*ring, state);
  Kept worst;
  for (int k = 0; k < steps; ++k) {
    EXPECT_TRUE(integrator->advance(*ring, 0.1, state).ok());
    worst.length = std::max(worst.length, longest(state.q));
    worst.momentum = std::max(worst.momentum, (state.q * ring->strength() - momentum).norm());
    worst.energy = std::max(worst.energy, std::abs(ring->potential(state.q) - energy));
  }
  return worst;
}

// The implicit one takes 10⁵ steps, too, with TWOSPHERE_LONG set.
TEST(FirstOrderMethods, KeepWhatTheirRecordsSayOverManySteps) {
  constexpr int steps = 100'000;
  const bool is_long = std::getenv("TWOSPHERE_LONG") != nullptr;
  const Kept pairs = kept("pair_rotation", steps), sublattices = kept("sublattice_rotation", steps),
             implicit = kept("implicit_midpoint", is_long ? steps : steps / 5);
  EXPECT_LE(pairs.length, 3e-16);
  EXPECT_LE(pairs.momentum, 1e-12);
  EXPECT_GT(pairs.energy, 1e-4) << "oscillates";
  EXPECT_LE(pairs.energy, 0.2);
  EXPECT_LE(sublattices.length, 3e-16);
  EXPECT_LE(sublattices.energy, 1e-11);
  EXPECT_GT(sublattices.momentum, 1e-3);
  EXPECT_LE(implicit.length, 3e-16);
  EXPECT_LE(implicit.energy, 1e-11);
  EXPECT_LE(implicit.momentum, 1e-12);
}

// Bonds with equal terms share their numbers, and spins of a sublattice turn in parallel.
TEST(FirstOrderMethods, SublatticesOfManySpinsHaveTheirBondsAndTheSameBitsOnAnyThreads) {
  constexpr int side = 64, n = side * side;
  std::mt19937 generator(5);
  std::uniform_int_distribution<int> kind(1, 3);
  const auto spins = [&](bool alike) {
    Values values{{"lattice", {1, side, side, 1, 1, 1}}, {"dm", {1, 0.3, 0, 0}}};
    if (!alike)
      for (int bond = 0; bond < 2 * n; ++bond) values["exchange"].push_back(0.5 * kind(generator));
    return system_of("spins", n, std::move(values));
  };
  const Columns start = generic_start(n, everywhere, 0, 7).q;
  const int before = threads();
  for (const bool alike : {true, false}) {
    SCOPED_TRACE(alike);
    const auto system = spins(alike);
    set_threads(1);
    const Columns one = take(*system, "sublattice_rotation", 0.1, 5, start).state.q;
    set_threads(3);
    EXPECT_EQ(take(*system, "sublattice_rotation", 0.1, 5, start).state.q, one);
    EXPECT_GT(apart(one, start), 0.1);
    EXPECT_NEAR(system->potential(one), system->potential(start), 1e-11 * n);
  }
  set_threads(before);
}

TEST(FirstOrderMethods, OthersKeepTheLengthAlone) {
  for (const std::string_view method : {"depondt_mertens", "semi_implicit", "heun_projected"}) {
    const Kept found = kept(method, 2000);
    EXPECT_LE(found.length, 4.5e-16) << method;  // as in tests/cases.h
    EXPECT_GT(found.momentum, 1e-6) << method;
    EXPECT_GT(found.energy, 1e-6) << method;
  }
  // Runge-Kutta methods keep what is linear.
  const Kept found = kept("rk4", 2000);
  EXPECT_GT(found.length, 1e-9);
  EXPECT_LE(found.momentum, 1e-12);
}

TEST(FirstOrderMethods, ReversibleOnesStepBackToTheStart) {
  for (const std::string_view method : all_methods()) {
    const auto ring = ring_for(method, 12);
    State state{0, ring_start(12), Columns::Zero(3, 12)};
    const Columns start = state.q;
    const auto integrator = make_integrator(method);
    integrator->prepare(*ring, state);
    for (const double h : {0.1, -0.1})
      for (int k = 0; k < 100; ++k) ASSERT_TRUE(integrator->advance(*ring, h, state).ok());
    if (method_info(method).reversible)
      EXPECT_LE(apart(state.q, start), 1e-12) << method;
    else
      EXPECT_GT(apart(state.q, start), 1e-3) << method;
  }
}

TEST(FirstOrderMethods, PairRotationIsSymplecticAndTheOthersAreNot) {
  // Their sizes where all strengths are 1.
  const std::map<std::string_view, double> defects{
      {"sublattice_rotation", 4e-4}, {"implicit_midpoint", 7e-4}, {"depondt_mertens", 9e-4},
      {"semi_implicit", 1e-3},       {"heun_projected", 2e-3},    {"rk4", 1e-5}};
  std::vector<std::string_view> methods = all_methods();
  methods.emplace_back("rk4");
  for (const std::string_view method : methods) {
    const auto ring = ring_for(method, 6, {{"strength", {1}}});
    State start{0, ring_start(6), Columns(3, 6)};
    first_order_velocity(*ring, 0, start.q, start.w);
    const IntegratorInfo& info = method_info(method);
    const auto found =
        symplecticity_defect({*ring, info, default_values(info.parameters), 0.1}, start);
    ASSERT_TRUE(found) << method;
    EXPECT_EQ(found->verdict,
              info.symplectic ? Symplecticity::symplectic : Symplecticity::not_symplectic)
        << method << ": " << found->defect;
    if (info.symplectic) {
      EXPECT_LE(found->defect, 1e-12) << method;
      continue;
    }
    EXPECT_GT(found->defect, defects.at(method) / 3) << method;
    EXPECT_LT(found->defect, defects.at(method) * 3) << method;
  }
}

TEST(FirstOrderMethods, PairRotationIsExactForTwoBodiesHoweverClose) {
  for (const double distance : {1.0, 1e-3, 1e-6})
    for (const double second : {0.5, -1.0, -0.999}) {
      const auto pair = system_of("vortices", 2, {{"circulations", {1, second}}});
      Columns q(3, 2);
      q << Vec3(0.6, 0, 0.8), Vec3(0.6 * std::cos(distance), 0.6 * std::sin(distance), 0.8);
      const Vec3 sum = q.col(0) + second * q.col(1);
      const double closeness = (q.col(0) - q.col(1)).squaredNorm() / 2,
                   turn = sum.norm() / (4 * M_PI * closeness), h = 2 / turn;
      const Columns end = take(*pair, "pair_rotation", h, 10, q).state.q,
                    exact =
                        Eigen::AngleAxisd(10 * h * turn, sum.normalized()).toRotationMatrix() * q;
      // The axis is as accurate as the given directions.
      const double rounding = 1e-14 + 1e-15 / (distance * (1 + second));
      if (second != -1.0) {
        EXPECT_LE(apart(end, exact), rounding) << distance << ' ' << second;
      }
      EXPECT_NEAR((end.col(0) - end.col(1)).norm() / (q.col(0) - q.col(1)).norm(), 1,
                  1e-15 + 4e-16 / distance)
          << distance << ' ' << second;
    }
}

TEST(FirstOrderMethods, PairRotationTakesAnyStep) {
  const auto vortices = system_of("vortices", 3, {{"circulations", {1, -2, 3}}});
  State state{0, ring_start(3), Columns::Zero(3, 3)};
  const auto integrator = make_integrator("pair_rotation");
  integrator->prepare(*vortices, state);
  for (const double h : {1.0, 100.0, 1e6}) {
    ASSERT_TRUE(integrator->advance(*vortices, h, state).ok()) << h;
    EXPECT_LE(longest(state.q), 3e-16);
  }
}

TEST(FirstOrderMethods, TheTangentMapOfPairRotationIsTheDerivativeOfItsStep) {
  const auto spins = ring_for("pair_rotation", 5, {{"push", {0.3}}});
  const auto vortices =
      system_of("vortices", 5, {{"circulations", {1, -2, 0.5, 3, 1}}, {"rotation", {0.3}}});
  const auto squares = system_of(
      "spins", 5, {{"bonds", {0, 1, 1, 2, 2, 0, 3, 4}}, {"biquadratic", {0.7, 0.2, 1, 3}}});
  for (const System* system :
       {static_cast<const System*>(spins.get()), vortices.get(), squares.get()})
    for (const double h : {0.05, 0.8})
      for (const std::string_view method : {"pair_rotation", "pair_rotation4"}) {
        const Columns q = ring_start(5);
        Columns d(3, 5);
        for (int i = 0; i < 5; ++i)
          d.col(i) = tangent(q.col(i), Vec3(std::sin(i), std::cos(2 * i), std::sin(3 * i + 1.0)));
        const auto integrator = make_integrator(method);
        std::vector<TangentVector> vectors{{d, Columns::Zero(3, 5)}};
        State state{0.3, q, Columns::Zero(3, 5)}, plain = state;
        integrator->prepare(*system, plain);
        ASSERT_TRUE(integrator->advance(*system, h, plain).ok());
        integrator->prepare(*system, state);
        ASSERT_TRUE(integrator->tangent_map(*system)->advance(*system, h, state, vectors).ok());
        EXPECT_EQ(state.q, plain.q);
        Columns found = Columns::Zero(3, 5);
        constexpr double spacing = 1e-4;
        for (const auto& [at, weight] :
             {std::pair{-2.0, 1.0}, {-1.0, -8.0}, {1.0, 8.0}, {2.0, -1.0}}) {
          State beside{0.3, q, Columns::Zero(3, 5)};
          for (int i = 0; i < 5; ++i) {
            const Vec3 along = d.col(i);
            const double size = along.norm(), turn = at * spacing * size;
            beside.q.col(i) = std::cos(turn) * q.col(i) + std::sin(turn) / size * along;
          }
          integrator->prepare(*system, beside);
          ASSERT_TRUE(integrator->advance(*system, h, beside).ok());
          found += weight / (12 * spacing) * beside.q;
        }
        EXPECT_LE((found - vectors[0].q).norm(), 1e-8 * found.norm()) << method << ", h " << h;
      }
}

TEST(FirstOrderMethods, TurnFactorsAndTheirSlopesAreSmoothWhereTheSeriesEnds) {
  for (const double x : {1e-12, 1e-3, 0.2499999, 0.2500001, 1.0, 30.0}) {
    const double square = 0.7, a = std::sqrt(x / square), angle = a * std::sqrt(square);
    const TurnFactors turn = turn_factors(a, square);
    EXPECT_NEAR(turn.along, std::sin(angle) / std::sqrt(square), 1e-15 * (1 + a)) << x;
    const double half = std::sin(angle / 2);
    EXPECT_NEAR(turn.across, 2 * half * half / square, 1e-15 * (1 + a * a)) << x;
    const double da = 0.3 * a, dsquare = -0.4;
    constexpr double s = 1e-3;
    const TurnFactors slopes = turn_slopes(a, square, da, dsquare);
    const auto at = [&](double k) {
      return turn_factors(a + k * s * da, square + k * s * dsquare);
    };
    const auto difference = [&](double TurnFactors::*part) {
      return (8 * (at(1).*part - at(-1).*part) - (at(2).*part - at(-2).*part)) / (12 * s);
    };
    EXPECT_NEAR(slopes.along, difference(&TurnFactors::along), 1e-10 * (1 + a)) << x;
    EXPECT_NEAR(slopes.across, difference(&TurnFactors::across), 1e-10 * (1 + a * a)) << x;
  }
  EXPECT_TRUE(std::isnan(turn_factors(1e200, 1).along));
}

TEST(FirstOrderMethods, PairsOfOneColourHaveNoBodyInCommon) {
  std::vector<PairTerms::Pair> pairs;
  constexpr int n = 40;
  for (int i = 0; i < n; ++i)
    for (int j = i + 1; j < n; ++j)
      if ((i * 7 + j * 3) % 4 != 0) pairs.push_back({i, j, 1, 0});
  const auto order = sorted_by_color(n, pairs);
  EXPECT_EQ(std::set<std::size_t>(order.begin(), order.end()).size(), pairs.size());
  // A colour ends where a body comes again.
  int colors = 1;
  std::set<int> seen;
  for (const std::size_t s : order) {
    if (seen.contains(pairs[s].first) || seen.contains(pairs[s].second)) {
      ++colors;
      seen.clear();
    }
    seen.insert({pairs[s].first, pairs[s].second});
  }
  EXPECT_LE(colors, 2 * n - 3);
  // An even ring has two.
  std::vector<PairTerms::Pair> ring;
  for (int i = 0; i < 6; ++i) ring.push_back({i, (i + 1) % 6, 1, 0});
  EXPECT_EQ(sorted_by_color(6, ring), (std::vector<std::size_t>{0, 2, 4, 1, 3, 5}));
}

/// What a method says that a system lacks; empty if it supports it.
std::string_view lacking(std::string_view method, const System& system) {
  const IntegratorInfo& info = method_info(method);
  return info.supports(system) ? std::string_view() : info.lacks(system);
}

TEST(FirstOrderMethods, SayWhySystemsAreRefused) {
  const auto ring = [](const Values& values) { return make_spin_ring(4, values); };
  for (const std::string_view method : explicit_methods) {
    EXPECT_EQ(lacking(method, *ring({})), "");
    EXPECT_EQ(lacking(method, *ring({{"push", {1}}})), "");
    EXPECT_TRUE(says(lacking(method, *ring({{"damping", {0.1}}})), "without damping"));
    EXPECT_TRUE(says(lacking(method, *ring({{"spin_torque", {0, 0, 1}}})), "no spin torque"));
    EXPECT_TRUE(says(lacking(method, *make_system(first_order_cases()[1])),
                     "Hamiltonian"));  // gyrostats
    EXPECT_TRUE(says(lacking(method, *make_system(system_cases()[0])), "a system of first order"));
  }
  const auto dm = ring({{"dm", {0, 0, 1}}}), anisotropic = ring({{"anisotropy", {0.1}}});
  const auto squares = system_of("spins", 2, {{"bonds", {0, 1}}, {"biquadratic", {1}}});
  const auto vortices = system_of("vortices", 2, {{"circulations", {1, 2}}});
  EXPECT_TRUE(says(lacking("pair_rotation", *dm), "without Dzyaloshinskii-Moriya"));
  EXPECT_EQ(lacking("pair_rotation", *anisotropic), "");
  EXPECT_EQ(lacking("pair_rotation", *squares), "");
  EXPECT_EQ(lacking("pair_rotation", *vortices), "");
  EXPECT_EQ(lacking("sublattice_rotation", *dm), "");
  EXPECT_TRUE(says(lacking("sublattice_rotation", *anisotropic), "without anisotropy"));
  EXPECT_TRUE(says(lacking("sublattice_rotation", *squares), "without biquadratic"));
  EXPECT_TRUE(says(lacking("sublattice_rotation", *vortices), "linear in each body"));
  for (const std::string_view method : baselines) {
    EXPECT_EQ(lacking(method, *ring({{"damping", {0.1}}, {"spin_torque", {0, 0, 1}}})), "");
    EXPECT_EQ(lacking(method, *make_system(first_order_cases()[1])), "");
    EXPECT_TRUE(says(lacking(method, *make_system(system_cases()[0])), "a system of first order"));
  }
}

TEST(FirstOrderMethods, TheTermsAddUpToTheHamiltonian) {
  for (const SystemCase& c : first_order_cases()) {
    const auto [system, start] = started(c, 33);
    if (!system->term_kinds().known) continue;
    const PairTerms terms = system->pair_terms();
    const Columns& q = start.q;
    double sum = 0;
    for (const auto& [i, j, linear, square, cross] : terms.pairs) {
      const Vec3 a = q.col(i), b = q.col(j);
      sum += (linear + square * a.dot(b)) * a.dot(b) + cross.dot(a.cross(b));
    }
    for (Eigen::Index j = 0; j < q.cols() && terms.logarithmic != 0; ++j)
      for (Eigen::Index i = 0; i < j; ++i)
        sum -= terms.logarithmic * system->strength()[i] * system->strength()[j] *
               std::log(1 - q.col(i).dot(q.col(j)));
    for (Eigen::Index i = 0; i < q.cols(); ++i) {
      if (terms.field.cols() > 0) sum -= terms.field.col(i).dot(q.col(i));
      const double along = terms.axis.dot(q.col(i));
      if (terms.anisotropy.size() > 0) sum -= terms.anisotropy[i] * along * along;
    }
    EXPECT_NEAR(sum, system->potential(q), 1e-13) << c.name;
  }
}

TEST(FirstOrderMethods, APullTurnsSpins) {
  const std::shared_ptr<const System> ring = make_spin_ring(4);
  const PulledSystem pulled(ring, {{1, Vec3(0, 0, 2)}});
  for (const std::string_view method : explicit_methods) {
    ASSERT_TRUE(method_info(method).supports(pulled)) << method;
    expect_order(pulled, method, ring_start(4), 2);
  }
}

TEST(FirstOrderMethods, AStateContinuesThemBitForBitAndAStepThatFailsChangesNothing) {
  for (const std::string_view method : all_methods()) {
    const auto ring = ring_for(method, 9);
    const Columns whole = take(*ring, method, 0.1, 30, ring_start(9)).state.q;
    State state{0, ring_start(9), Columns::Zero(3, 9)};
    const auto first = make_integrator(method), second = make_integrator(method);
    first->prepare(*ring, state);
    for (int k = 0; k < 30; ++k) {
      const auto& integrator = k < 13 ? first : second;
      if (k == 13) {
        second->prepare(*ring, state);
        EXPECT_FALSE(second->load_state({{"nonsense", {1}}})) << method;
        ASSERT_TRUE(second->load_state(first->saved_state())) << method;
      }
      const Columns before = state.q;
      const IntegratorState memory = integrator->saved_state();
      EXPECT_FALSE(integrator->advance(*ring, 1e200, state).ok()) << method;
      EXPECT_EQ(state.q, before) << method;
      EXPECT_EQ(integrator->saved_state(), memory) << method;
      ASSERT_TRUE(integrator->advance(*ring, 0.1, state).ok());
      state.t = (k + 1) * 0.1;
    }
    EXPECT_EQ(state.q, whole) << method;
  }
}

}  // namespace
}  // namespace twosphere::test::first_order_methods_test
