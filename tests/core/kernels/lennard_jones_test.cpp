// SPDX-License-Identifier: GPL-3.0-or-later
// Forces of molecules on every instruction set level of this processor, and the lists of neighbours
// that they are summed over.
#include "core/kernels/lennard_jones.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <string_view>
#include <vector>

#include "core/base/interrupt.h"
#include "core/base/simd_level.h"
#include "core/kernels/bands.h"
#include "core/kernels/lennard_jones_near.h"
#include "core/kernels/neighbour_lists.h"
#include "core/kernels/uncoupled.h"
#include "core/scenario/icosphere.h"
#include "core/scenario/initial_conditions.h"
#include "tests/cases.h"
#include "tests/core/kernels/levels.h"

namespace twosphere::test::lennard_jones_test {
namespace {

struct LennardJonesKernels : OnEveryLevel {};
INSTANTIATE_TEST_SUITE_P(Levels, LennardJonesKernels, testing::ValuesIn(isa_levels()), level_name);

/// Both sides of a cutoff, and none.
const std::vector<lennard_jones_kernel::Law>& laws() {
  using lennard_jones_kernel::Law;
  static const std::vector<Law> all = [] {
    std::vector<Law> list{{4, 0.04}};
    for (const double cutoff : {1e-3, 0.3, 1.0, 2.5}) {
      list.push_back({4, 0.04, cutoff * cutoff});
      list.back().shift = pair_potential(list.back(), list.back().reach);
    }
    return list;
  }();
  return all;
}

TEST_P(LennardJonesKernels, IsThatOfThePlainLoops) {
  lennard_jones_kernel::Workspace work;
  for (const int n : {1, 2, 3, 7, 8, 9, 33, 513}) {
    const Columns q = generic_start(n, everywhere, 0, 61).q * 1.01;  // off the sphere too
    Columns g(3, n), plain(3, n);
    for (const lennard_jones_kernel::Law& law : laws()) {
      SCOPED_TRACE(fmt::format("{} molecules, cutoff {}", n, std::sqrt(law.reach)));
      lennard_jones_kernel::plain_gradient(law, q, plain);
      lennard_jones_kernel::gradient(law, q, g, work);
      EXPECT_LT(difference(plain, g), 1e-14);
      const double v = lennard_jones_kernel::plain_potential(law, q);
      EXPECT_NEAR(lennard_jones_kernel::potential(law, q, work), v, 1e-12 * std::abs(v));
    }
  }
}

/// The sums over all pairs in the order that lennard_jones.h promises, one molecule i after the
/// other: returns the potential.
double ordered(const lennard_jones_kernel::Law& law, const Columns& q, Columns& g) {
  const bool fused = isa_level() != "sse4" && isa_level() != "sse2" && isa_level() != "generic";
  const auto multiply_add = [&](double a, double b, double c) {
    return fused ? std::fma(a, b, c) : a * b + c;
  };
  const auto total = [](const double* p) {
    return ((p[0] + p[4]) + (p[2] + p[6])) + ((p[1] + p[5]) + (p[3] + p[7]));
  };
  constexpr Eigen::Index block = 512;
  const Eigen::Index n = q.cols(), blocks = (n + block - 1) / block;
  double potential = 0;
  g.setZero();
  for (Eigen::Index round = 0; round < blocks; ++round)
    for (Eigen::Index a = 0; a < blocks; ++a) {
      const Eigen::Index b = (round + blocks - a) % blocks;
      double of_tile = 0;
      for (Eigen::Index i = a * block; a <= b && i < std::min(n, (a + 1) * block); ++i) {
        double sums[4][8] = {};
        for (Eigen::Index j = std::max(i + 1, b * block); j < std::min(n, (b + 1) * block); ++j) {
          const Vec3 apart = q.col(i) - q.col(j);
          const double r2 = multiply_add(apart[2], apart[2],
                                         multiply_add(apart[1], apart[1], apart[0] * apart[0]));
          const bool near = !(r2 >= law.reach);
          // v⁴ (1 − v³) and (σ/r)¹² − (σ/r)⁶ − shift
          const double v = law.zero_force_squared() / r2, v3 = v * v * v;
          const double w = near ? v * multiply_add(-v3, v3, v3) : 0;
          const double s2 = law.sigma_squared / r2, s6 = s2 * s2 * s2;
          for (Eigen::Index k = 0; k < 3; ++k) {
            sums[k][j % 8] = multiply_add(w, apart[k], sums[k][j % 8]);
            g(k, j) = multiply_add(-w, apart[k], g(k, j));
          }
          sums[3][j % 8] += near ? multiply_add(s6, s6, -s6) - law.shift / law.depth : 0;
        }
        for (Eigen::Index k = 0; k < 3; ++k) g(k, i) += total(sums[k]);
        of_tile += total(sums[3]);
      }
      potential += of_tile;
    }
  g *= law.force_unit();
  return law.depth * potential;
}

TEST_P(LennardJonesKernels, OfAllPairsHasTheBitsOfTheOrderedSum) {
  lennard_jones_kernel::Workspace work;
  for (const int n : {1, 2, 3, 7, 8, 9, 16, 33, 512, 515, 1100}) {
    const Columns q = generic_start(n, everywhere, 0, 61).q * 1.01;
    Columns g(3, n), expected(3, n);
    for (const double cutoff : {1.0, 1.5, std::numeric_limits<double>::infinity()}) {
      SCOPED_TRACE(fmt::format("{} molecules, cutoff {}", n, cutoff));
      const lennard_jones_kernel::Law law{4, 0.04, cutoff * cutoff, cutoff == 1.5 ? 0.01 : 0};
      const double v = ordered(law, q, expected);
      lennard_jones_kernel::gradient(law, q, g, work);
      EXPECT_TRUE(g == expected);
      EXPECT_EQ(lennard_jones_kernel::potential(law, q, work), v);
    }
  }
}

TEST_P(LennardJonesKernels, OfASizeTooSmallForForcesHasNone) {
  lennard_jones_kernel::Workspace work;
  const Columns q = generic_start(9, everywhere, 0, 61).q;
  Columns g(3, 9);
  for (const double sigma_squared : {1e-100, 1e-300, 1e-308, 5e-324}) {
    lennard_jones_kernel::gradient({4, sigma_squared}, q, g, work);
    EXPECT_TRUE((g.array() == 0).all()) << sigma_squared;
  }
  const Columns many = generic_start(300, everywhere, 0, 61).q;
  Columns of_many(3, 300);
  for (const double sigma_squared : {1e-100, 1e-300, 1e-308, 5e-324}) {
    lennard_jones_kernel::gradient({4, sigma_squared, 0.04}, many, of_many, work);
    EXPECT_TRUE((of_many.array() == 0).all()) << sigma_squared;
  }
}

/// Starts that lists of neighbours must get right: n, and where the molecules are.
struct Places {
  const char* name;
  Columns q;
};
std::vector<Places> places() {
  std::vector<Places> all;
  const auto add = [&](const char* name, int n, auto place) {
    all.push_back({name, Columns(3, n)});
    const Columns q = generic_start(n, everywhere, 0, 67).q;
    for (int i = 0; i < n; ++i) all.back().q.col(i) = place(i, Vec3(q.col(i)));
  };
  const auto near = [](const Vec3& c, double spread) {
    return [=](int, const Vec3& p) { return Vec3((c + spread * p).normalized()); };
  };
  add("everywhere", 700, [](int, const Vec3& p) { return p; });
  add("off_the_sphere", 700, [](int i, const Vec3& p) { return Vec3((0.9 + 1e-3 * (i % 7)) * p); });
  add("one_bin", 300, near(Vec3(0.3, -0.5, 0.4), 1e-3));
  add("about_the_north_pole", 300, near(Vec3(0, 0, 1), 0.05));
  add("about_the_south_pole", 300, near(Vec3(0, 0, -1), 0.05));
  add("about_the_seam", 300, near(Vec3(1, 0, 0), 0.05));
  add("about_the_far_side", 300, near(Vec3(-1, 0, 0), 0.2));
  add("on_a_meridian", 300,
      [](int i, const Vec3&) { return Vec3(std::sin(i * 0.02), 0, std::cos(i * 0.02)); });
  add("on_the_equator", 300,
      [](int i, const Vec3&) { return Vec3(std::cos(i * 0.02), std::sin(i * 0.02), 0); });
  all.push_back({"icosphere", icosphere(3).vertices});
  all.push_back({"on_the_axes", generic_start(300, everywhere, 0, 67).q});
  all.back().q.leftCols(6) << 1, -1, 0, 0, 0, 0, 0, 0, 1, -1, 0, 0, 0, 0, 0, 0, 1, -1;
  return all;
}

TEST_P(LennardJonesKernels, ByListsIsThatOfThePlainLoops) {
  lennard_jones_kernel::Workspace work;
  for (const Places& p : places()) {
    Columns g(3, p.q.cols()), plain(3, p.q.cols());
    for (const double cutoff : {1e-3, 0.05, 0.2, 0.6, 0.75}) {
      SCOPED_TRACE(fmt::format("{}, cutoff {}", p.name, cutoff));
      ASSERT_TRUE(work.lists.update(p.q, cutoff));
      lennard_jones_kernel::Law law{4, 1e-4, cutoff * cutoff};
      law.shift = pair_potential(law, law.reach);
      lennard_jones_kernel::plain_gradient(law, p.q, plain);
      lennard_jones_kernel::gradient(law, p.q, g, work);
      EXPECT_LT(difference(plain, g), 1e-13);
      const double v = lennard_jones_kernel::plain_potential(law, p.q);
      EXPECT_NEAR(lennard_jones_kernel::potential(law, p.q, work), v, 1e-12 * std::abs(v));
      // Whatever was computed in between.
      const Columns before = g;
      lennard_jones_kernel::gradient(law, -p.q, g, work);
      lennard_jones_kernel::gradient(law, p.q, g, work);
      EXPECT_TRUE(g == before);
    }
  }
}

/// The sums that lennard_jones_near.h promises: returns the potential, and writes g and h.
double loop_over_all(const lennard_jones_kernel::Law& law, const Columns& q, const Columns& v,
                     Columns& g, Columns& h) {
  const bool fused = isa_level() != "sse4" && isa_level() != "sse2" && isa_level() != "generic";
  const auto multiply_add = [&](double a, double b, double c) {
    return fused ? std::fma(a, b, c) : a * b + c;
  };
  const double u = law.zero_force_squared(),
               least = std::max(1e-42 * u, std::numeric_limits<double>::min());
  double potential = 0;
  for (Eigen::Index i = 0; i < q.cols(); ++i) {
    Vec3 force = Vec3::Zero(), slope = Vec3::Zero();
    double energy = 0;
    for (Eigen::Index j = 0; j < q.cols(); ++j) {
      const Vec3 apart = q.col(i) - q.col(j), change = v.col(i) - v.col(j);
      const double r2 =
          multiply_add(apart[2], apart[2],
                       multiply_add(apart[1], apart[1], multiply_add(apart[0], apart[0], least)));
      if (r2 >= law.reach) continue;
      // v⁴ (1 − v³), and the factor of Δ in its derivative
      const double w = u / r2, w3 = w * w * w, w4 = w * w3;
      const double weight = w * multiply_add(-w3, w3, w3);
      const double dot = multiply_add(apart[2], change[2],
                                      multiply_add(apart[1], change[1], apart[0] * change[0]));
      const double along = multiply_add(14, w3, -8) * w4 * (dot / r2);
      for (Eigen::Index k = 0; k < 3; ++k) {
        force[k] = multiply_add(weight, apart[k], force[k]);
        slope[k] = multiply_add(multiply_add(-w4, w3, w4), change[k],
                                multiply_add(along, apart[k], slope[k]));
      }
      if (j == i) continue;
      const double s2 = law.sigma_squared / r2, s6 = s2 * s2 * s2;
      energy += multiply_add(s6, s6, -s6) - law.shift / law.depth;
    }
    g.col(i) = law.force_unit() * force;
    h.col(i) = law.force_unit() * slope;
    potential += energy;
  }
  return law.depth * (potential / 2);
}

TEST_P(LennardJonesKernels, WithinACutoffHasTheBitsOfTheLoopOverAll) {
  lennard_jones_kernel::Workspace work;
  for (const Places& p : places()) {
    const Eigen::Index n = p.q.cols();
    const Columns v = generic_start(static_cast<int>(n), 1, 1, 63).w;
    Columns g(3, n), h(3, n), expected(3, n), slopes(3, n);
    for (const double cutoff : {1e-3, 0.05, 0.2, 0.75}) {
      lennard_jones_kernel::Law law{4, 1e-4, cutoff * cutoff};
      law.shift = pair_potential(law, law.reach);
      // With lists that are new, that are kept, of which some molecules are near the end of their
      // way, and that are made again.
      for (const double way : {0.0, 1e-9, 0.03, 0.059, 0.3}) {
        SCOPED_TRACE(fmt::format("{}, cutoff {}, {} of it moved", p.name, cutoff, way));
        Columns q = p.q;
        for (Eigen::Index i = 0; i < n; ++i)
          q.col(i) += way * cutoff * tangent(q.col(i), v.col(i)).normalized();
        const double potential = loop_over_all(law, q, v, expected, slopes);
        lennard_jones_kernel::gradient(law, q, g, work);
        EXPECT_TRUE(g == expected);
        EXPECT_EQ(lennard_jones_kernel::potential(law, q, work), potential);
        lennard_jones_kernel::hessian_times(law, q, v, h, work);
        EXPECT_TRUE(h == slopes);
      }
    }
  }
}

TEST_P(LennardJonesKernels, HessianIsThatOfThePlainLoops) {
  lennard_jones_kernel::Workspace work;
  for (const int n : {1, 2, 3, 7, 8, 9, 33, 513}) {
    const Columns q = generic_start(n, everywhere, 0, 61).q, v = tangents(q, 62);
    Columns h(3, n), plain(3, n);
    for (const lennard_jones_kernel::Law& law : laws()) {
      SCOPED_TRACE(fmt::format("{} molecules, cutoff {}", n, std::sqrt(law.reach)));
      lennard_jones_kernel::plain_hessian_times(law, q, v, plain);
      lennard_jones_kernel::hessian_times(law, q, v, h, work);
      EXPECT_LT(difference(plain, h), 1e-13);
    }
  }
  // By lists.
  for (const Places& p : places()) {
    const Columns v = tangents(p.q, 62);
    Columns h(3, p.q.cols()), plain(3, p.q.cols());
    for (const double cutoff : {1e-3, 0.05, 0.2, 0.6, 0.75}) {
      SCOPED_TRACE(fmt::format("{}, cutoff {}", p.name, cutoff));
      const lennard_jones_kernel::Law law{4, 1e-4, cutoff * cutoff};
      lennard_jones_kernel::plain_hessian_times(law, p.q, v, plain);
      lennard_jones_kernel::hessian_times(law, p.q, v, h, work);
      EXPECT_LT(difference(plain, h), 1e-13);
    }
  }
}

TEST(Bands, RefusePointsThatAreNotFiniteOrFarFromTheSphere) {
  Bands bands;
  const Columns q = generic_start(256, everywhere, 0, 67).q;
  for (const double distance : {0.0, 1e-300, 1e-20, 0.1, 1.9, 3.0}) {
    EXPECT_TRUE(bands.sort(q, distance));
    EXPECT_GE(bands.slots(), 256U) << distance;
    EXPECT_LE(bands.slots(), bands.max_slots()) << distance;
  }
  for (const double bad : {0.0, 0.49, 2.1, std::numeric_limits<double>::infinity(),
                           std::numeric_limits<double>::quiet_NaN()}) {
    for (const int at : {0, 100, 255}) {
      Columns wrong = q;
      wrong.col(at) *= bad;
      EXPECT_FALSE(bands.sort(wrong, 0.1)) << bad << " at " << at;
      NeighbourLists lists;
      EXPECT_TRUE(lists.update(q, 0.1));
      EXPECT_FALSE(lists.update(wrong, 0.1)) << bad << " at " << at;
      EXPECT_TRUE(lists.update(q, 0.1));
    }
  }
}

TEST(NeighbourLists, HaveAllNeighboursInTheOrderOfTheirNumbers) {
  for (const Places& p : places()) {
    NeighbourLists lists;
    for (const double reach : {1e-3, 0.05, 0.3, 0.9}) {
      SCOPED_TRACE(fmt::format("{}, reach {}", p.name, reach));
      ASSERT_TRUE(lists.update(p.q, reach));
      Eigen::Index seen = 0;
      for (std::size_t g = 0; g < lists.groups(); ++g) {
        std::vector<int> numbers;
        const NeighbourLists::List list = lists.neighbours(g);
        for (const std::uint32_t* entry = list.begin; entry != list.end; ++entry) {
          numbers.push_back(lists.point(*entry / 4));
          ASSERT_TRUE(Vec3(Eigen::Map<const Vec3>(lists.positions() + *entry)) ==
                      p.q.col(numbers.back()));
        }
        EXPECT_TRUE(std::is_sorted(numbers.begin(), numbers.end(), std::less_equal<>()));
        for (std::size_t slot = g * NeighbourLists::group; slot < (g + 1) * NeighbourLists::group;
             ++slot) {
          const int i = lists.point(slot);
          if (i < 0) continue;
          ++seen;
          for (int j = 0; j < p.q.cols(); ++j)
            if ((p.q.col(i) - p.q.col(j)).norm() < reach) {
              EXPECT_TRUE(std::binary_search(numbers.begin(), numbers.end(), j)) << i << ' ' << j;
            }
        }
      }
      EXPECT_EQ(seen, p.q.cols());
    }
  }
}

TEST(NeighbourLists, AreThoseOfMotionsThatAreFollowedInTurn) {
  const Columns one = generic_start(300, everywhere, 0, 67).q,
                other = generic_start(300, everywhere, 0, 68).q;
  NeighbourLists lists;
  EXPECT_FALSE(lists.may_suit(one, 0.2));
  ASSERT_TRUE(lists.update(one, 0.2));
  Columns moved = one;
  moved.col(7) = -moved.col(7);
  EXPECT_TRUE(lists.may_suit(one, 0.2));
  EXPECT_TRUE(lists.may_suit(moved, 0.2));
  EXPECT_FALSE(lists.may_suit(other, 0.2));
  EXPECT_FALSE(lists.may_suit(one, 0.3));
  EXPECT_FALSE(lists.may_suit(one.leftCols(299), 0.2));
}

TEST_P(LennardJonesKernels, OfMoleculesThatMeetIsNotFinite) {
  lennard_jones_kernel::Workspace work;
  for (const int n : {20, 300}) {
    Columns q = generic_start(n, everywhere, 0, 61).q, g(3, n);
    q.col(3) = q.col(17);
    for (const lennard_jones_kernel::Law& law : laws()) {
      lennard_jones_kernel::gradient(law, q, g, work);
      EXPECT_FALSE(g.col(3).allFinite());
      EXPECT_FALSE(g.col(17).allFinite());
      EXPECT_FALSE(std::isfinite(lennard_jones_kernel::potential(law, q, work)));
    }
  }
}

TEST(LennardJonesLevels, ForcedLevelIsTheOneThatRuns) {
  lennard_jones_kernel::Workspace work;
  for (const Places& p : places())
    for (const double cutoff : {0.2, 0.7, 3.0}) {
      SCOPED_TRACE(fmt::format("{}, cutoff {}", p.name, cutoff));
      std::map<std::string_view, Columns> g;
      for (const std::string_view level : isa_levels()) {
        ASSERT_TRUE(force_isa_level(level));
        ASSERT_EQ(isa_level(), level);
        g[level].resize(3, p.q.cols());
        lennard_jones_kernel::gradient({4, 0.04, cutoff * cutoff}, p.q, g[level], work);
      }
      ASSERT_TRUE(force_isa_level(""));
      // Those with fused multiply-add round alike, and otherwise than those without.
      if (g.contains("avx512")) {
        EXPECT_TRUE(g["avx512"] == g["avx2"]);
      }
      if (g.contains("avx2")) {
        EXPECT_TRUE(g["avx2"] != g["sse4"]);
      }
      if (g.contains("sse4")) {
        EXPECT_TRUE(g["sse4"] == g["sse2"]);
      }
    }
}

/// Molecules and their torques on the way.
struct Moved {
  State s;
  uncoupled_kernel::Torques torque;
};

/// Steps one by one, of a gradient whose lists are always new.
void step(const lennard_jones_kernel::Law& law, const Eigen::VectorXd& m, double h, Moved& at) {
  lennard_jones_kernel::Workspace work;
  const Eigen::Index n = at.s.q.cols();
  Columns q(3, n), w(3, n), g(3, n);
  uncoupled_kernel::Torques torque(n, 3);
  ASSERT_EQ(uncoupled_kernel::drift(h, m, at.s.q, at.s.w, at.torque, q), n);
  lennard_jones_kernel::gradient(law, q, g, work);
  ASSERT_EQ(uncoupled_kernel::kick(h, m, q, g, at.s.w, at.torque, torque, w), n);
  at = {State{at.s.t, q, w}, torque};
}

bool same(const Moved& a, const Moved& b) {
  return a.s.q == b.s.q && a.s.w == b.s.w && a.torque == b.torque;
}

/// Molecules about as far from one another as they are at rest, with different masses.
struct Stirred {
  lennard_jones_kernel::Law law{0.04, 0.01716, 0.1073};
  Eigen::VectorXd m;
  Moved start;

  Stirred() {
    const Columns q = icosphere(3).vertices;
    start = {State{0, q, two_vortices(q, 1.5, 0.5, 0.25)}, {}};
    m = Eigen::VectorXd::LinSpaced(q.cols(), 0.5, 2);
    lennard_jones_kernel::Workspace work;
    Columns g(3, q.cols());
    lennard_jones_kernel::gradient(law, q, g, work);
    start.torque.resize(q.cols(), 3);
    uncoupled_kernel::torque(q, g, start.torque);
  }
};

TEST_P(LennardJonesKernels, ManyStepsAreThoseOneByOne) {
  const Stirred of;
  // Forwards and back, past the making of some lists.
  for (const double h : {0.004, -0.004}) {
    Moved one = of.start, many = of.start;
    lennard_jones_kernel::Workspace work;
    for (const int count : {4, 5, 41}) {
      for (int k = 0; k < count; ++k) step(of.law, of.m, h, one);
      EXPECT_EQ(lennard_jones_near::advance(of.law, of.m, h, count, many.s.q, many.s.w, many.torque,
                                            work),
                count);
      EXPECT_TRUE(same(one, many)) << h << ", " << count;
    }
  }
}

TEST_P(LennardJonesKernels, ManyStepsEndBeforeOneThatFails) {
  const Stirred of;
  lennard_jones_kernel::Workspace work;
  const auto advance = [&](Moved& at, double h, std::int64_t count) {
    return lennard_jones_near::advance(of.law, of.m, h, count, at.s.q, at.s.w, at.torque, work);
  };
  // Two molecules that meet turn by more than a quarter turn in the second step.
  Moved met = of.start;
  met.s.q.col(1) = (met.s.q.col(0) + Vec3(0.01, 0.02, 0.03)).normalized();
  met.s.w.col(1).setZero();
  met.torque.setZero();
  Moved after = met;
  step(of.law, of.m, 0.004, after);
  EXPECT_EQ(advance(met, 0.004, 10), 1);
  EXPECT_TRUE(same(met, after));
  EXPECT_EQ(advance(met, 0.004, 10), 0);
  EXPECT_TRUE(same(met, after));
  // A value that is not finite, too few steps, and an interruption.
  Moved lost = of.start;
  lost.s.w(1, 7) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(advance(lost, 0.004, 10), 0);
  Moved few = of.start;
  EXPECT_EQ(advance(few, 0.004, 3), 0);
  EXPECT_TRUE(same(few, of.start));
  const std::atomic<bool> stop{true};
  const Interruptible interruptible(stop);
  Moved first = of.start, expected = of.start;
  EXPECT_EQ(advance(first, 0.004, 10), 1);
  step(of.law, of.m, 0.004, expected);
  EXPECT_TRUE(same(first, expected));
}

}  // namespace
}  // namespace twosphere::test::lennard_jones_test
