// SPDX-License-Identifier: GPL-3.0-or-later
// Sums over many bodies to a tolerance, against the sums over all pairs.
#include "core/kernels/far_field.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "core/base/interrupt.h"
#include "core/base/thread_pool.h"
#include "core/kernels/far_field_cells.h"
#include "core/kernels/n_body.h"
#include "tests/cases.h"
#include "tests/core/kernels/levels.h"
#include "tests/core/kernels/torque_error.h"
#include "tests/sanitized.h"

namespace twosphere::test::far_field_test {
namespace {

constexpr int bodies = 5000;
constexpr double tolerances[] = {1e-5, 1e-7, 1e-8, 1e-10};

/// Directions by a function of the index and of three normal numbers.
Columns drawn_from(int n, const std::function<Vec3(int, const Vec3&)>& direction) {
  std::mt19937 generator(17);
  std::normal_distribution<double> normal;
  Columns q(3, n);
  for (int i = 0; i < n; ++i) {
    const Vec3 numbers = drawn(normal, generator);
    q.col(i) = direction(i, numbers).normalized();
    q.col(i).normalize();
  }
  return q;
}
Columns uniform(int n = bodies) {
  return drawn_from(n, [](int, const Vec3& v) { return v; });
}

struct Bodies {
  std::string name;
  Columns q;
};
std::vector<Bodies> all_bodies() {
  Columns pairs = uniform();
  std::mt19937 generator(18);
  std::normal_distribution<double> normal;
  for (int i = 1; i < bodies; i += 2)
    pairs.col(i) = (-pairs.col(i - 1) + 1e-3 * drawn(normal, generator)).normalized();
  const auto about = [](const Vec3& middle, double width) {
    return drawn_from(bodies, [=](int, const Vec3& v) -> Vec3 { return middle + width * v; });
  };
  return {{"uniform", uniform()},
          {"most of them in a cap", drawn_from(bodies,
                                               [](int i, const Vec3& v) -> Vec3 {
                                                 return i % 5 < 2
                                                            ? v
                                                            : Vec3(Vec3(0.6, -0.4, 0.7) + 0.03 * v);
                                               })},
          {"pairs of antipodes", pairs},
          {"at both poles", drawn_from(bodies,
                                       [](int i, const Vec3& v) -> Vec3 {
                                         return Vec3(0, 0, i % 2 == 0 ? 1 : -1) + 0.05 * v;
                                       })},
          {"along an edge of two faces and of the opposite ones",
           drawn_from(bodies,
                      [](int i, const Vec3& v) -> Vec3 {
                        const Vec3 edge(1, i % 4 < 2 ? 1 : -1, v.z() / 2);
                        return Vec3(i % 2 == 0 ? edge : -edge) + 1e-4 * v;
                      })},
          {"in a corner of three faces", about(Vec3(1, 1, 1), 1e-3)},
          // Narrower than 2⁻¹⁶ of a face.
          {"with equal keys", about(Vec3(0.3, -0.2, 1), 3e-6)}};
}

/// Those that the bodies of a set are tried with: all, and under a sanitizer one, another for the
/// next set.
std::span<const double> tolerances_of(std::size_t set) {
  const std::span<const double> all = tolerances;
  return sanitized ? all.subspan(set % all.size(), 1) : all;
}

/// |Σ q_i × g_i| over Σ |q_i × g_i|.
double torque_sum(const Columns& q, const Columns& g) {
  Vec3 sum = Vec3::Zero();
  double lengths = 0;
  for (Eigen::Index i = 0; i < q.cols(); ++i) {
    const Vec3 torque = Vec3(q.col(i)).cross(Vec3(g.col(i)));
    sum += torque;
    lengths += torque.norm();
  }
  return sum.norm() / lengths;
}

/// Circulations of both signs.
Eigen::VectorXd circulations(int n) {
  Eigen::VectorXd all(n);
  for (int i = 0; i < n; ++i) all[i] = (i % 3 == 0 ? -1.0 : 1.0) * (0.5 + i % 7);
  return all;
}

std::unique_ptr<const System> vortices_of(const Eigen::VectorXd& circulations) {
  return system_of("vortices", static_cast<int>(circulations.size()),
                   {{"circulations", {circulations.begin(), circulations.end()}}});
}

struct FarFieldLevels : OnEveryLevel {};
INSTANTIATE_TEST_SUITE_P(Levels, FarFieldLevels, testing::ValuesIn(isa_levels()), level_name);

TEST_P(FarFieldLevels, TorquesAndEnergiesAreWithinTheTolerance) {
  const Columns q = uniform(far_field::min_bodies);
  Columns exact(3, q.cols()), g(3, q.cols());
  Pool<n_body_kernel::Workspace> pairs;
  Pool<far_field::Workspace> pool;
  n_body_kernel::gradient(0.3, q, exact, pairs);
  const double energy = n_body_kernel::potential(0.3, q, pairs);
  // Of each sign the energy of the pairs is about this.
  const double scale = 0.3 * static_cast<double>(q.cols() * q.cols()) / 4;
  for (const double tolerance : tolerances) {
    far_field::attraction_gradient(tolerance, 0.3, q, g, pool);
    EXPECT_LT(torque_error(q, g, exact), tolerance);
    EXPECT_NEAR(far_field::attraction_potential(tolerance, 0.3, q, pool), energy,
                tolerance * scale);
  }
}

TEST(FarFieldSums, TorquesAreWithinTheToleranceWhereverTheBodiesAre) {
  Pool<n_body_kernel::Workspace> pairs;
  Pool<far_field::Workspace> pool;
  const std::vector<Bodies> sets = all_bodies();
  for (std::size_t k = 0; k < sets.size(); ++k) {
    const Bodies& set = sets[k];
    Columns exact(3, bodies), g(3, bodies);
    n_body_kernel::gradient(1, set.q, exact, pairs);
    for (const double tolerance : tolerances_of(k)) {
      far_field::attraction_gradient(tolerance, 1, set.q, g, pool);
      EXPECT_LT(torque_sum(set.q, g), 1e-13) << set.name;
      const double error = torque_error(set.q, g, exact);
      EXPECT_LT(error, tolerance) << set.name;
      RecordProperty(fmt::format("{} {}", set.name, tolerance), fmt::format("{:.2g}", error));
    }
  }
}

TEST(FarFieldSums, VorticesAreWithinTheToleranceWhereverTheyAre) {
  const Eigen::VectorXd strengths = circulations(bodies);
  const auto system = vortices_of(strengths);
  Pool<far_field::Workspace> pool;
  const std::vector<Bodies> sets = all_bodies();
  for (std::size_t k = 0; k < sets.size(); ++k) {
    const Bodies& set = sets[k];
    Columns exact(3, bodies), g(3, bodies);
    system->gradient(set.q, exact);
    const double energy = system->potential(set.q);
    const double scale = strengths.squaredNorm() * bodies / 10;
    for (const double tolerance : tolerances_of(k)) {
      far_field::vortex_gradient(tolerance, strengths, set.q, g, pool);
      EXPECT_LT(torque_sum(set.q, g), 1e-13) << set.name;
      const double error = torque_error(set.q, g, exact);
      EXPECT_LT(error, tolerance) << set.name;
      EXPECT_NEAR(far_field::vortex_potential(tolerance, strengths, set.q, pool), energy,
                  tolerance * scale)
          << set.name;
      RecordProperty(fmt::format("{} {}", set.name, tolerance), fmt::format("{:.2g}", error));
    }
  }
}

// The lists of a leaf and of the cells that it is in have every other body once.
TEST(FarFieldSums, EveryPairOfBodiesIsInOneList) {
  for (const bool projective : {true, false})
    for (const Bodies& set : all_bodies()) {
      const Columns q = set.q.leftCols(700);
      far_field::CellTree tree;
      tree.make(q, {.projective = projective, .leaf = 6, .opening = 0.6, .few = 20});
      const auto& cells = tree.cells();
      std::size_t leaves = 0, placed = 0, of_cells = 0;
      for (std::size_t k = 0; k < cells.size(); ++k) {
        if (!cells[k].leaf()) continue;
        ++leaves;
        placed += cells[k].end - cells[k].begin;
        std::vector<int> met(static_cast<std::size_t>(q.cols()), 0);
        const auto meet = [&](const std::vector<std::uint32_t>& list) {
          for (const std::uint32_t other : list)
            for (std::size_t slot = cells[other].begin; slot < cells[other].end; ++slot)
              ++met[tree.body(slot)];
        };
        meet(tree.near(k));
        for (std::size_t cell = k;; cell = cells[cell].parent) {
          meet(tree.far(cell));
          of_cells += tree.far(cell).size();
          if (cells[cell].level == 0) break;
        }
        EXPECT_TRUE(std::all_of(met.begin(), met.end(), [](int times) { return times == 1; }))
            << set.name << ", cell " << k;
      }
      EXPECT_EQ(placed, static_cast<std::size_t>(q.cols())) << set.name;
      EXPECT_GT(leaves, 1U) << set.name;
      if (set.name == "uniform") {
        EXPECT_GT(of_cells, leaves);
      }
    }
}

struct FarFieldThreads : testing::Test {
  ~FarFieldThreads() override { set_threads(processors()); }
};

TEST_F(FarFieldThreads, AndEarlierSumsChangeNoBit) {
  const Columns q = all_bodies()[1].q, other = uniform(7000);
  const Eigen::VectorXd strengths = circulations(bodies);
  const auto sums = [&](double tolerance, Pool<far_field::Workspace>& pool) {
    Columns all(3, 2 * bodies + 1), g(3, bodies), v(3, bodies);
    far_field::attraction_gradient(tolerance, 1, q, g, pool);
    far_field::vortex_gradient(tolerance, strengths, q, v, pool);
    all << g, v,
        Vec3(far_field::attraction_potential(tolerance, 1, q, pool),
             far_field::vortex_potential(tolerance, strengths, q, pool), 0);
    return all;
  };
  for (const double tolerance : {1e-5, 1e-8}) {
    set_threads(1);
    Pool<far_field::Workspace> fresh, used;
    const Columns expected = sums(tolerance, fresh);
    for (const int count : {1, 2, 7}) {
      set_threads(count);
      Columns g(3, other.cols());
      far_field::attraction_gradient(1e-10, 1, other, g, used);
      EXPECT_EQ(sums(tolerance, used), expected) << count << " threads";
    }
  }
}

TEST(FarFieldSums, BodiesThatMeetAndInterruptedOnesAreNotFinite) {
  Columns q = uniform(), g(3, bodies);
  Pool<far_field::Workspace> pool;
  far_field::attraction_gradient(1e-5, 1, q, g, pool);
  EXPECT_TRUE(g.allFinite());
  {
    const std::atomic<bool> stop = true;
    const Interruptible scope(stop);
    far_field::attraction_gradient(1e-5, 1, q, g, pool);
    EXPECT_TRUE(g.array().isNaN().all());
    EXPECT_TRUE(std::isnan(far_field::attraction_potential(1e-5, 1, q, pool)));
  }
  for (const double side : {1.0, -1.0}) {
    q.col(3111) = side * q.col(77);
    far_field::attraction_gradient(1e-5, 1, q, g, pool);
    EXPECT_FALSE(g.col(77).allFinite());
    EXPECT_FALSE(g.col(3111).allFinite());
    EXPECT_TRUE(g.col(78).allFinite());
  }
  const Eigen::VectorXd strengths = circulations(bodies);
  q.col(3111) = q.col(77);
  far_field::vortex_gradient(1e-5, strengths, q, g, pool);
  EXPECT_FALSE(g.col(77).allFinite());
  EXPECT_FALSE(std::isfinite(far_field::vortex_potential(1e-5, strengths, q, pool)));
}

TEST(FarFieldSums, TakeThePlaceOfOthersForManyBodiesOnTheSphere) {
  Columns q = uniform();
  EXPECT_TRUE(far_field::applies(q));
  EXPECT_FALSE(far_field::applies(q.leftCols(far_field::min_bodies - 1)));
  EXPECT_TRUE(far_field::applies(q.leftCols(far_field::min_bodies)));
  q.col(10) *= 1 + 1e-12;
  EXPECT_FALSE(far_field::applies(q));
}

}  // namespace
}  // namespace twosphere::test::far_field_test
