// SPDX-License-Identifier: GPL-3.0-or-later
// Clouds of nearby orbits.
#include "core/run/cloud.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <vector>

#include "core/base/interrupt.h"
#include "core/base/thread_pool.h"
#include "core/mechanics/random_state.h"
#include "core/mechanics/state.h"
#include "core/studies/cloud_study.h"
#include "tests/runs.h"

namespace twosphere::test::cloud_test {
namespace {

Cloud cloud_of(Simulation& run, const CloudSpec& spec) {
  (void)run.state(0);
  return Cloud(spec, run.present().lanes[0], run.lane(0), *run.system());
}

TEST(NearbyState, IsOnTheManifoldAndSpreadAsAsked) {
  const Scenario s = preset("chain_pendulum");
  double turned = 0, changed = 0;
  const int members = 400;
  for (int k = 1; k <= members; ++k) {
    Columns q = s.q, w = s.omega;
    scatter(q, w, 1e-4, static_cast<std::uint64_t>(k), 3);
    for (Eigen::Index i = 0; i < q.cols(); ++i) {
      EXPECT_LE(unit_length_error(q.col(i)), 3e-16);
      EXPECT_LE(std::abs(q.col(i).dot(w.col(i))), 1e-15 * (1 + w.col(i).norm()));
      turned += (q.col(i) - s.q.col(i)).squaredNorm();
      changed += (carried(q.col(i), s.q.col(i), w.col(i)) - Vec3(s.omega.col(i))).squaredNorm();
    }
  }
  // Two components of variance spread² each; 4000 samples of each.
  const double count = 2.0 * members * static_cast<double>(s.size());
  EXPECT_NEAR(std::sqrt(turned / count), 1e-4, 3e-6);
  EXPECT_NEAR(std::sqrt(changed / count), 1e-4, 3e-6);
}

TEST(NearbyState, OfABaseThatFliesMovesInLengthsOfTheChain) {
  Simulation run = start(pulled_drone());
  const System& system = *run.system();
  const State& centre = run.state(0);
  double moved = 0, sped = 0;
  const int members = 400;
  for (int k = 1; k <= members; ++k) {
    State state = centre;
    scatter(system, state, 1e-4, static_cast<std::uint64_t>(k), 3);
    moved += (state.x - centre.x).squaredNorm();
    sped += (state.v - centre.v).squaredNorm();
    Columns q = centre.q, w = centre.w;
    scatter(q, w, 1e-4, static_cast<std::uint64_t>(k), 3);
    EXPECT_EQ(state.q, q);
    EXPECT_EQ(state.w, w);
  }
  // Three components each; L = 1.5 m.
  EXPECT_NEAR(std::sqrt(moved / (3 * members)), 1.5e-4, 1e-5);
  EXPECT_NEAR(std::sqrt(sped / (3 * members)), 1.5e-4, 1e-5);
}

TEST(Cloud, OfABaseThatFliesMeasuresItsPlace) {
  Simulation run = start(pulled_drone());
  Cloud cloud = cloud_of(run, {.members = 1, .spread = 1e-3});
  const auto expected = [&] {
    const State &member = *cloud.state(0, *run.system()), &centre = run.state(0);
    const double turned = (member.q - centre.q).norm(), moved = (member.x - centre.x).norm() / 1.5;
    EXPECT_GT(moved, 0.05 * turned);
    return std::hypot(turned, moved);
  };
  for (int part = 0; part < 3; ++part) {
    const Cloud::Distances found = cloud.distances(*run.system(), run.state(0));
    EXPECT_NEAR(found.median, expected(), 1e-15);
    EXPECT_EQ(cloud.group_medians(*run.system(), run.state(0))[0], found.median);
    march(run, 20);
    cloud.advance(*run.system(), 20);
  }
}

TEST(Cloud, EveryMemberIsARunOfItsOwn) {
  std::vector<Scenario> scenarios;
  for (const char* method : {"variational", "variational4", "rk45", "variational_adaptive"})
    scenarios.push_back(with(preset(), {{"integrator.type", method}}));
  scenarios.push_back(preset("three_body"));
  scenarios.push_back(with(preset("pendulum_network"), {{"integrator.type", "variational6"}}));
  for (const Scenario& scenario : scenarios) {
    SCOPED_TRACE(scenario.system + " " + scenario.lanes[0].type);
    Simulation run = start(scenario);
    // Some go together, a few are left over.
    const CloudSpec spec{.members = 21, .spread = 1e-3, .seed = 9};
    Cloud cloud = cloud_of(run, spec);
    for (int block = 0; block < 4; ++block) cloud.advance(*run.system(), 50);
    for (int k = 0; k < spec.members; ++k) {
      Scenario alone = scenario;
      scatter(alone.q, alone.omega, spec.spread, static_cast<std::uint64_t>(k) + 1, spec.seed);
      Simulation other = start(alone, 200);
      const State* member = cloud.state(k, *run.system());
      ASSERT_TRUE(member);
      EXPECT_EQ(member->q, other.state(0).q) << k;
      EXPECT_EQ(member->w, other.state(0).w) << k;
      EXPECT_EQ(member->t, other.state(0).t);
    }
  }
}

TEST(Cloud, ThreadsDoNotChangeIt) {
  Simulation run = start(preset());
  const int before = threads();
  std::vector<Cloud::Distances> all;
  for (const int count : {1, 3}) {
    set_threads(count);
    Cloud cloud = cloud_of(run, {.members = 50, .spread = 1e-3});
    cloud.advance(*run.system(), 300);
    all.push_back(cloud.distances(*run.system(), run.state(0)));
  }
  set_threads(before);
  EXPECT_EQ(all[0].median, all[1].median);
  EXPECT_EQ(all[0].low, all[1].low);
  EXPECT_EQ(all[0].high, all[1].high);
}

TEST(Cloud, BeginsWithItsSpreadAndGrowsAsTangentVectorsDo) {
  // The rate of the median is that of one tangent vector over the same time, to the scatter of
  // both: the exponent at a finite time depends on the direction by about ln(growth spread)/T.
  Simulation run = start(with(preset(), {{"duration", 100.0}}));
  ASSERT_TRUE(run.follow_exponents(1));
  Cloud cloud = cloud_of(run, {.members = 64, .spread = 1e-9});
  const Cloud::Distances first = cloud.distances(*run.system(), run.state(0));
  EXPECT_NEAR(first.median, 1e-9 * std::sqrt(3.36), 3e-10);  // median of χ² with 4 degrees
  EXPECT_LT(first.low, first.median);
  EXPECT_GT(first.high, first.median);
  GrowthFit growth;
  for (int row = 0; row < 100; ++row) {
    march(run, 100);
    cloud.advance(*run.system(), 100);
    const State& centre = run.state(0);
    growth.add(run.time(), cloud.distances(*run.system(), centre).median,
               cloud.group_medians(*run.system(), centre));
  }
  EXPECT_EQ(cloud.lost(), 0);
  const GrowthRate fit = growth.rate();
  EXPECT_EQ(fit.rows, 100u);
  const auto exponent = run.lane(0).exponents->spectrum(*run.system(), run.state(0))[0];
  EXPECT_GT(fit.rate, 0.02);
  EXPECT_NEAR(fit.rate, exponent.value, exponent.error + 3 * fit.error);
}

TEST(Cloud, GoesOnInAnotherSystem) {
  Simulation run = start(preset());
  Cloud cloud = cloud_of(run, {.members = 3, .spread = 1e-3});
  cloud.advance(*run.system(), 20);
  march(run, 20);
  const auto former = run.system();
  ASSERT_TRUE(run.set({{"system.gravity", 2.0}}));
  const auto now = run.system();
  cloud.change(*former, *now, run.present().lanes[0], run.lane(0));
  cloud.advance(*now, 20);
  Scenario alone = preset();
  scatter(alone.q, alone.omega, 1e-3, 2, 1);
  Simulation other = start(alone, 20);
  ASSERT_TRUE(other.set({{"system.gravity", 2.0}}));
  march(other, 20);
  EXPECT_EQ(cloud.state(1, *now)->q, other.state(0).q);
}

TEST(Cloud, CatchesUpAfterAnInterruption) {
  Simulation run = start(preset());
  const CloudSpec spec{.members = 70, .spread = 1e-3};
  Cloud cloud = cloud_of(run, spec), other = cloud_of(run, spec);
  {
    const std::atomic<bool> stop{true};
    const Interruptible interruptible(stop);
    EXPECT_FALSE(cloud.advance(*run.system(), 30));
  }
  EXPECT_EQ(cloud.lost(), 0);
  EXPECT_TRUE(cloud.catch_up(*run.system()));
  EXPECT_TRUE(other.advance(*run.system(), 30));
  for (int k = 0; k < spec.members; ++k)
    EXPECT_EQ(cloud.state(k, *run.system())->q, other.state(k, *run.system())->q) << k;
  Columns positions;
  cloud.positions(positions, 1000);
  EXPECT_EQ(positions.cols(), 140);
  EXPECT_EQ(positions.rightCols(2), cloud.state(69, *run.system())->q);
  cloud.positions(positions, 7);
  EXPECT_EQ(positions.cols(), 6) << "whole members";
}

TEST(Cloud, HasTheCentreOfMassOfEachMemberThatFlies) {
  Simulation run = start(pulled_drone());
  const CloudSpec spec{.members = 3, .spread = 1e-2};
  Cloud cloud = cloud_of(run, spec);
  cloud.advance(*run.system(), 200);
  march(run, 200);
  const Eigen::Index n = run.system()->size();
  Columns all;
  cloud.positions(all, 1000);
  ASSERT_EQ(all.cols(), 3 * (n + 1));
  for (int k = 0; k < spec.members; ++k) {
    const State& member = *cloud.state(k, *run.system());
    EXPECT_EQ(all.middleCols(k * (n + 1), n + 1), positions(member)) << k;
    EXPECT_GT((member.x - run.state(0).x).norm(), 1e-6)
        << "the thrust depends on where the base is";
  }
  cloud.positions(all, 2 * n);
  EXPECT_EQ(all.cols(), 2 * (n + 1)) << "whole members";
}

TEST(Cloud, RefusesWhatIsOutOfRange) {
  EXPECT_TRUE(check(CloudSpec{}));
  EXPECT_TRUE(check({.members = CloudSpec::max_members, .spread = 0.1}));
  EXPECT_EQ(check({.members = 5000}).error().text(),
            "members: must be a whole number from 1 to 4096, not 5000");
  EXPECT_EQ(check({.spread = 0}).error().text(), "spread: must be above 0 and at most 0.1, not 0");
}

TEST(Cloud, MembersWhoseStepFailsAreLost) {
  // Near the limit of the step some members turn by a quarter turn or more, and others do not.
  Simulation run = start(with(preset("three_body"), {{"integrator.step", 0.3}}));
  Cloud cloud = cloud_of(run, {.members = 40, .spread = 0.3});
  cloud.advance(*run.system(), 3);
  EXPECT_GT(cloud.lost(), 0);
  EXPECT_LT(cloud.lost(), 40);
  const Cloud::Distances d = cloud.distances(*run.system(), run.state(0));
  EXPECT_EQ(d.members + cloud.lost(), 40);
  EXPECT_TRUE(std::isfinite(d.median));
  for (int k = 0; k < 40; ++k) {
    const State* state = cloud.state(k, *run.system());
    EXPECT_TRUE(!state || state->q.allFinite());
  }
}

TEST(Cloud, QuantilesAndRates) {
  const std::vector<double> sorted{1, 2, 4, 8, 16};
  EXPECT_EQ(quantile(sorted, 0), 1);
  EXPECT_EQ(quantile(sorted, 0.5), 4);
  EXPECT_EQ(quantile(sorted, 1), 16);
  EXPECT_DOUBLE_EQ(quantile(sorted, 0.1), 1.4);
  EXPECT_TRUE(std::isnan(quantile({}, 0.5)));

  // Groups that grow at rates of 0.8, 0.9 and 1.0, and one that is lost.
  GrowthFit growth;
  for (int k = 0; k < 200; ++k) {
    const double t = 0.1 * k;
    const auto grown = [t](double rate) { return 1e-6 * std::exp(rate * t); };
    if (k == 7) {
      EXPECT_TRUE(std::isnan(growth.rate().rate)) << "of fewer than 8 rows";
    }
    growth.add(t, std::min(1.0, grown(0.9)) * std::exp(0.01 * (k % 2 == 0 ? 1 : -1)),
               std::vector{grown(0.8), grown(0.9), grown(1.0), k < 20 ? 1e-6 : std::nan("")});
  }
  EXPECT_TRUE(growth.ended());
  const GrowthRate fit = growth.rate();
  EXPECT_NEAR(fit.rate, 0.9, 1e-3);
  EXPECT_NEAR(fit.error, 0.1 / std::sqrt(3), 1e-9);
  EXPECT_NEAR(static_cast<double>(fit.rows), std::log(1e5) / 0.09, 2);  // up to 0.1
  EXPECT_EQ(fit.from, 0);
  EXPECT_NEAR(fit.to, 0.1 * static_cast<double>(fit.rows - 1), 1e-12);
  EXPECT_NEAR(fit.level, std::log(1e-6), 0.01);
}

TEST(Cloud, TheErrorOfItsRateCoversOtherSeeds) {
  const auto rate_of = [](const CloudSpec& spec) {
    Simulation run = start(with(preset(), {{"duration", 20.0}}));
    return run_cloud_study(run, spec, [] { return true; }).growth;
  };
  const double rate = rate_of({.members = 2000, .spread = 1e-9, .seed = 1000}).rate;
  int covered = 0;
  constexpr int seeds = 40;
  for (int seed = 1; seed <= seeds; ++seed) {
    const GrowthRate one =
        rate_of({.members = 64, .spread = 1e-9, .seed = static_cast<std::uint64_t>(seed)});
    covered += std::abs(one.rate - rate) <= one.error;
  }
  EXPECT_NEAR(100.0 * covered / seeds, 68, 15) << "%";
}

}  // namespace
}  // namespace twosphere::test::cloud_test
