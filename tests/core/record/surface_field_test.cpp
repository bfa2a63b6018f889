// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/surface_field.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "core/mechanics/diagnostics.h"
#include "core/run/simulation.h"
#include "core/scenario/icosphere.h"
#include "tests/cases.h"
#include "tests/outcome.h"
#include "tests/runs.h"

namespace twosphere::test::surface_field_test {
namespace {

/// The definition, literally: the face whose smallest edge-plane product is the largest, of those
/// that agree to 1e-12 the first.
int face_by_definition(const SurfaceField& field, const Vec3& q) {
  std::vector<double> smallest;
  for (const auto& face : field.faces()) {
    double least = 1;
    for (std::size_t e = 0; e < 3; ++e) {
      const Vec3 a = field.vertices().col(face[e]), b = field.vertices().col(face[(e + 1) % 3]);
      least = std::min(least, a.cross(b).normalized().dot(q.normalized()));
    }
    smallest.push_back(least);
  }
  const double largest = *std::max_element(smallest.begin(), smallest.end());
  const auto first = std::find_if(smallest.begin(), smallest.end(),
                                  [&](double value) { return value >= largest - 1e-12; });
  return static_cast<int>(first - smallest.begin());
}

/// Likewise: the mean over a neighbourhood that grows by whole rings until it holds a body.
struct Value {
  double mean = 0;
  bool widened = false;
};
Value value_by_definition(const SurfaceField& field, int face) {
  std::vector<bool> in(field.faces().size()),
      touched(static_cast<std::size_t>(field.vertices().cols()));
  in[static_cast<std::size_t>(face)] = true;
  for (int ring = 1;; ++ring) {
    for (std::size_t f = 0; f < in.size(); ++f)
      for (const int v : field.faces()[f])
        if (in[f]) touched[static_cast<std::size_t>(v)] = true;
    double sum = 0;
    int bodies = 0;
    for (std::size_t f = 0; f < in.size(); ++f) {
      for (const int v : field.faces()[f])
        if (touched[static_cast<std::size_t>(v)]) in[f] = true;
      if (in[f]) sum += field.sums()[f], bodies += field.counts()[f];
    }
    if (bodies > 0) return {sum / bodies, ring > 1};
  }
}

Columns random_directions(int n, unsigned seed) {
  std::mt19937 generator(seed);
  std::normal_distribution<double> normal;
  Columns q(3, n);
  for (int i = 0; i < n; ++i) q.col(i) = drawn(normal, generator).normalized();
  return q;
}

double part_widened(const SurfaceField& field) {
  return std::accumulate(field.widened().begin(), field.widened().end(), 0.0) /
         static_cast<double>(field.widened().size());
}

double sum(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

TEST(SurfaceField, HasTheMeshOfThePaper) {
  const SurfaceField field;
  EXPECT_EQ(field.vertices().cols(), 2562);
  ASSERT_EQ(field.faces().size(), 5120u);
  int twelve = 0;
  for (int f = 0; f < 5120; ++f) {
    const auto near = field.neighbourhood(f);
    EXPECT_TRUE(std::is_sorted(near.begin(), near.end()));
    EXPECT_TRUE(std::binary_search(near.begin(), near.end(), f));
    if (near.size() == 12)
      ++twelve;
    else
      EXPECT_EQ(near.size(), 13u);
    EXPECT_EQ(field.face_of(field.centers().col(f)), f);
    const auto& [a, b, c] = field.faces()[static_cast<std::size_t>(f)];
    EXPECT_GT(
        Vec3(field.vertices().col(a)).cross(field.vertices().col(b)).dot(field.vertices().col(c)),
        0);
  }
  EXPECT_EQ(twelve, 12 * 5);  // five faces about each of the twelve vertices of valence 5
}

TEST(SurfaceField, FindsTheFaceOfTheDefinitionAlsoOnEdgesAndVertices) {
  const SurfaceField field(2);
  std::vector<Vec3> directions;
  const Columns random = random_directions(200, 31);
  for (int i = 0; i < random.cols(); ++i) directions.emplace_back(random.col(i));
  for (int v = 0; v < field.vertices().cols(); ++v)
    directions.emplace_back(field.vertices().col(v));
  for (const auto& [a, b, c] : field.faces())
    directions.emplace_back((field.vertices().col(a) + field.vertices().col(b)).normalized());
  directions.emplace_back(0, 0, 1);
  directions.emplace_back(0, 0, -1);
  for (const Vec3& q : directions) {
    const int expected = face_by_definition(field, q);
    EXPECT_EQ(field.face_of(q), expected) << q.transpose();
    // As a Runge-Kutta method holds it.
    EXPECT_EQ(field.face_of(1.07 * q), expected) << q.transpose();
  }
}

TEST(SurfaceField, IsTheMeanOverTheNeighbourhoodWidenedWhereItIsEmpty) {
  SurfaceField field(2);  // 320 faces
  std::mt19937 generator(32);
  std::exponential_distribution<double> energy;
  for (const int n : {1, 3, 20, 200, 2000}) {
    const Columns q = random_directions(n, 33);
    std::vector<double> energies(static_cast<std::size_t>(n));
    for (double& e : energies) e = energy(generator);
    field.update(q, energies);
    EXPECT_NEAR(sum(field.sums()), sum(energies), 1e-12 * n);
    EXPECT_EQ(std::accumulate(field.counts().begin(), field.counts().end(), 0), n);
    for (int f = 0; f < 320; ++f) {
      const auto [mean, widened] = value_by_definition(field, f);
      EXPECT_NEAR(field.values()[static_cast<std::size_t>(f)], mean, 1e-12) << n << ", " << f;
      EXPECT_EQ(field.widened()[static_cast<std::size_t>(f)] != 0, widened) << n << ", " << f;
    }
  }
}

TEST(SurfaceField, HasTheEmptyFacesThatTheTextCounts) {
  SurfaceField field;
  const std::vector<double> energies(642, 1.0);
  field.update(icosphere(3).vertices, energies);
  // Every molecule stands on a vertex; 2.8 % if one of its six faces is drawn at random, more if
  // the numbering of the faces favours a side, as any does.
  EXPECT_EQ(part_widened(field), 200 / 5120.0);
  double mean = 0;
  constexpr int draws = 20;
  for (unsigned k = 0; k < draws; ++k) {
    field.update(random_directions(642, 40 + k), energies);
    mean += part_widened(field) / draws;
  }
  // A neighbourhood of 13 of 5120 faces misses 642 molecules with probability (1 − 13/5120)⁶⁴².
  EXPECT_NEAR(mean, std::pow(1 - 13 / 5120.0, 642), 0.01);
  for (const double value : field.values()) EXPECT_EQ(value, 1.0);
}

TEST(SurfaceField, DoesNotDependOnWhatItHadBefore) {
  SurfaceField field;
  std::mt19937 generator(35);
  std::normal_distribution<double> normal(0, 0.02);
  Columns q = icosphere(3).vertices;
  for (int k = 0; k < 6; ++k) {
    const std::vector<double> energies(static_cast<std::size_t>(q.cols()), 1.0 + k);
    SurfaceField fresh;
    fresh.update(q, energies);
    field.update(q, energies);
    EXPECT_TRUE(std::ranges::equal(field.counts(), fresh.counts())) << k;
    EXPECT_TRUE(std::ranges::equal(field.values(), fresh.values())) << k;
    EXPECT_TRUE(std::ranges::equal(field.widened(), fresh.widened())) << k;
    // Most move within their faces, and there are fewer, and then more.
    for (Eigen::Index i = 0; i < q.cols(); ++i)
      q.col(i) =
          (q.col(i) + Vec3(normal(generator), normal(generator), normal(generator))).normalized();
    if (k == 2) q = Columns(q.leftCols(100));
    if (k == 4) q = random_directions(300, 36);
  }
}

TEST(SurfaceField, SharesOutTheKineticEnergyOfEverySystem) {
  SurfaceField field(3);
  for (const SystemCase& c : system_cases()) {
    const auto [system, state] = started(c, 34);
    field.update(*system, state);
    const double energy = kinetic_energy(*system, state);
    EXPECT_NEAR(sum(field.sums()), energy, 1e-14 * energy * c.n) << c.name;
  }
}

TEST(SurfaceField, FollowsTheMoleculesOfExample6) {
  Simulation run = start(preset("lennard_jones"));
  SurfaceField field;
  field.update(*run.system(), run.state(0));
  // The hottest face lies between the centres of the two vortices and on neither.
  const auto hottest = std::max_element(field.values().begin(), field.values().end());
  const Vec3 where = field.centers().col(hottest - field.values().begin());
  EXPECT_GT(where.x(), std::cos(0.2));
  EXPECT_NEAR(sum(field.sums()), run.sample(0)[Quantity::kinetic_energy], 1e-12);
  for (int k = 0; k < 5; ++k) ASSERT_FALSE(run.step());
  field.update(*run.system(), run.state(0));
  EXPECT_NEAR(sum(field.sums()), run.sample(0)[Quantity::kinetic_energy], 1e-12);
}

}  // namespace
}  // namespace twosphere::test::surface_field_test
