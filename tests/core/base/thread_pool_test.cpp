// SPDX-License-Identifier: GPL-3.0-or-later
// Loops shared by threads: every part once, and the same bits for any number of threads.
#include "core/base/thread_pool.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <functional>
#include <thread>
#include <vector>

#include "core/kernels/uncoupled.h"
#include "core/record/spectrum.h"
#include "core/scenario/icosphere.h"
#include "core/scenario/initial_conditions.h"
#include "tests/cases.h"
#include "tests/thread_limit.h"

namespace twosphere::test::thread_pool_test {
namespace {

struct Threads : testing::Test {
  void TearDown() override { set_threads(before_); }

 private:
  int before_ = threads();
};

TEST_F(Threads, AreAtFirstAsManyAsProcessors) {
  EXPECT_EQ(threads(), static_cast<int>(std::max(1U, std::thread::hardware_concurrency())));
  set_threads(5);
  EXPECT_EQ(threads(), 5);
}

TEST_F(Threads, DoEveryPartOnce) {
  for (const int count : {1, 2, 3, 7}) {
    set_threads(count);
    for (const std::size_t parts : {0U, 1U, 2U, 5U, 1000U}) {
      for (int repeat = 0; repeat < 20; ++repeat) {
        std::vector<int> done(parts, 0);
        parallel_for(parts, [&](std::size_t part) { ++done[part]; });
        EXPECT_EQ(done, std::vector<int>(parts, 1)) << count << " threads";
      }
    }
  }
}

TEST_F(Threads, ServeSeveralCallersAndLoopsInLoops) {
  set_threads(3);
  std::atomic<int> done{0};
  const auto call = [&] {
    for (int repeat = 0; repeat < 50; ++repeat)
      parallel_for(10, [&](std::size_t) { parallel_for(10, [&](std::size_t) { ++done; }); });
  };
  std::vector<std::thread> callers;
  for (int k = 0; k < 3; ++k) callers.emplace_back(call);
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(done, 3 * 50 * 100);
}

// FFTW's planner takes one thread at a time: the spectrum of a plot is planned beside the dipoles
// of a run.
TEST_F(Threads, PlanTransformsSideBySide) {
  const auto spectra = [] {
    std::vector<double> all;
    for (int n = 64; n < 96; ++n) {
      std::vector<double> times, values;
      for (int k = 0; k < n; ++k) times.push_back(0.01 * k), values.push_back(std::sin(0.3 * k));
      const auto spectrum = power_spectrum(times, values);
      if (spectrum) all.insert(all.end(), spectrum->density.begin(), spectrum->density.end());
    }
    return all;
  };
  const auto gradients = [] {
    std::vector<double> all;
    for (int columns = 9; columns < 13; ++columns) {
      const int n = 8 * columns;
      const auto count = static_cast<std::size_t>(n);
      const auto system = system_of("dipole_array", n,
                                    {{"masses", std::vector<double>(count, 0.05)},
                                     {"lengths", std::vector<double>(count, 0.02)},
                                     {"moments", std::vector<double>(count, 0.1)},
                                     {"positions", {}},
                                     {"lattice", {8, double(columns), 0.024}}});
      if (!system) return all;
      Columns g(3, n);
      system->gradient(generic_start(n, 1, 0, 91).q, g);
      all.insert(all.end(), g.data(), g.data() + g.size());
    }
    return all;
  };
  const std::vector<double> spectrum = spectra(), gradient = gradients();
  ASSERT_FALSE(spectrum.empty());
  ASSERT_EQ(gradient.size(), std::size_t{3 * 8 * (9 + 10 + 11 + 12)});
  for (int round = 0; round < 5; ++round) {
    std::vector<double> found;
    std::thread plot([&] { found = spectra(); });
    EXPECT_EQ(gradients(), gradient);
    plot.join();
    EXPECT_EQ(found, spectrum);
  }
}

TEST_F(Threads, AreFoundAsleepToo) {
  set_threads(4);
  std::atomic<int> done{0};
  for (int repeat = 0; repeat < 5; ++repeat) {
    parallel_for(100, [&](std::size_t) { ++done; });
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  EXPECT_EQ(done, 500);
}

TEST_F(Threads, AreAsManyAsCanBeStarted) {
  set_threads(1);
  for (const int more : {0, 2}) {
    const ThreadLimit limit(more);
    set_threads(8);
    EXPECT_EQ(threads(), 1 + more);
    std::vector<int> done(1000, 0);
    for (int repeat = 0; repeat < 20; ++repeat)
      parallel_for(done.size(), [&](std::size_t part) { ++done[part]; });
    EXPECT_EQ(done, std::vector<int>(1000, 20));
    set_threads(1);
  }
  set_threads(3);
  EXPECT_EQ(threads(), 3) << "once there are more";
}

/// What `compute` returns must not depend on the number of threads.
void expect_same(const std::function<Columns()>& compute) {
  set_threads(1);
  const Columns alone = compute();
  ASSERT_TRUE(alone.allFinite());
  for (const int count : {2, 3, 7}) {
    set_threads(count);
    EXPECT_TRUE(compute() == alone) << count << " threads";
  }
}

struct Crowd {
  const char* name;
  int subdivisions;
  std::vector<double> cutoff;
};
void PrintTo(const Crowd& c, std::ostream* out) { *out << c.name; }

class Molecules : public Threads, public testing::WithParamInterface<Crowd> {};
INSTANTIATE_TEST_SUITE_P(Threads, Molecules,
                         testing::Values(Crowd{"all_pairs", 4, {}}, Crowd{"cutoff", 5, {0.08}}),
                         [](const auto& p) { return p.param.name; });

TEST_P(Molecules, MoveToTheSameBits) {
  const auto [name, subdivisions, cutoff] = GetParam();
  State start;
  start.q = icosphere(subdivisions).vertices;
  start.w = two_vortices(start.q, 1.5, 0.5, 0.25);
  const int n = start.size();
  const auto system = system_of("lennard_jones", n,
                                {{"masses", std::vector<double>(static_cast<std::size_t>(n), 1)},
                                 {"epsilon", {0.01}},
                                 {"sigma", {3.3 / std::sqrt(n)}},
                                 {"cutoff", cutoff}});
  expect_same([&] {
    State s = start;
    auto integrator = prepared("variational", *system, s);
    for (int k = 0; k < 3; ++k) EXPECT_TRUE(integrator->advance(*system, 1e-3, s).ok());
    Columns all(3, 2 * n + 1);
    all << s.q, s.w, Vec3::Constant(system->potential(s.q));
    return all;
  });
}

TEST_F(Threads, BringBodiesOnASphereToTheSameBits) {
  constexpr int n = 1500;
  const auto system =
      system_of("n_body", n, {{"masses", std::vector<double>(n, 1)}, {"gamma", {1e-4}}});
  const Columns q = generic_start(n, everywhere, 0, 83).q;
  expect_same([&] {
    Columns all(3, n + 1), g(3, n);
    system->gradient(q, g);
    all << g, Vec3::Constant(system->potential(q));
    return all;
  });
}

TEST_F(Threads, NameTheFirstBodyThatIsRefused) {
  constexpr int n = 12'000;
  State s = generic_start(n, everywhere, 0.1, 82);
  for (const int i : {11'000, 4100, 9000}) s.w.col(i) *= 1e6;
  const Eigen::VectorXd m = Eigen::VectorXd::Ones(n);
  uncoupled_kernel::Torques torque = uncoupled_kernel::Torques::Zero(n, 3);
  Columns next(3, n);
  for (const int count : {1, 2, 7}) {
    set_threads(count);
    EXPECT_EQ(uncoupled_kernel::drift(0.1, m, s.q, s.w, torque, next), 4100);
  }
}

}  // namespace
}  // namespace twosphere::test::thread_pool_test
