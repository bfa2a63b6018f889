// SPDX-License-Identifier: GPL-3.0-or-later
// Every kernel on every instruction set level of this processor, against its plain version.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "core/base/simd_level.h"
#include "core/kernels/bands.h"
#include "core/kernels/lennard_jones.h"
#include "core/kernels/n_body.h"
#include "core/kernels/n_body_hessian.h"
#include "core/kernels/neighbour_lists.h"
#include "core/kernels/uncoupled.h"
#include "core/scenario/initial_conditions.h"
#include "tests/cases.h"
#include "tests/outcome.h"

namespace twosphere::test::kernels_test {
namespace {

struct Kernels : testing::TestWithParam<std::string_view> {
  void SetUp() override {
    ASSERT_TRUE(succeeds(force_isa_level(GetParam())));
    ASSERT_EQ(isa_level(), GetParam());
  }
  void TearDown() override { ASSERT_TRUE(force_isa_level("")); }
};
INSTANTIATE_TEST_SUITE_P(Levels, Kernels, testing::ValuesIn(isa_levels()),
                         [](const auto& p) { return std::string(p.param); });

/// The largest difference of two gradients, relative to the largest of them.
double difference(const Columns& a, const Columns& b) {
  return (a - b).cwiseAbs().maxCoeff() / std::max(a.cwiseAbs().maxCoeff(), 1e-300);
}

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

TEST_P(Kernels, LennardJonesIsThatOfThePlainLoops) {
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

TEST_P(Kernels, LennardJonesOfAllPairsHasTheBitsOfTheOrderedSum) {
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

TEST_P(Kernels, LennardJonesOfASizeTooSmallForForcesHasNone) {
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

TEST_P(Kernels, LennardJonesByListsIsThatOfThePlainLoops) {
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

TEST_P(Kernels, LennardJonesWithinACutoffHasTheBitsOfTheLoopOverAll) {
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

/// Tangent vectors at q.
Columns tangents(const Columns& q, unsigned seed) {
  Columns v = generic_start(static_cast<int>(q.cols()), 1, 1, seed).w;
  for (Eigen::Index i = 0; i < q.cols(); ++i) v.col(i) = tangent(q.col(i), v.col(i));
  return v;
}

TEST_P(Kernels, LennardJonesHessianIsThatOfThePlainLoops) {
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

TEST_P(Kernels, NBodyHessianIsThatOfThePlainLoops) {
  Pool<n_body_kernel::HessianWorkspace> pool;
  for (const int n : {1, 2, 4, 5, 9, 33, 513, 1030}) {
    const Columns q = generic_start(n, everywhere, 0, 61).q, v = tangents(q, 62);
    Columns h(3, n), plain(3, n);
    n_body_kernel::plain_hessian_times(0.5, q, v, plain);
    n_body_kernel::hessian_times(0.5, q, v, h, pool);
    EXPECT_LT(difference(plain, h), 1e-13) << n;
  }
}

TEST(Bands, RefusePointsThatAreNotFiniteOrFarFromTheSphere) {
  Bands bands;
  const Columns q = generic_start(256, everywhere, 0, 67).q;
  for (const double distance : {0.0, 1e-300, 1e-20, 0.1, 1.9, 3.0}) {
    EXPECT_TRUE(bands.sort(q, distance));
    EXPECT_GE(bands.slots(), 256U) << distance;
    EXPECT_LE(bands.slots(), bands.most_slots()) << distance;
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

TEST_P(Kernels, LennardJonesOfMoleculesThatMeetIsNotFinite) {
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

TEST_P(Kernels, NBodiesOfAllPairs) {
  Pool<n_body_kernel::Workspace> pool;
  int compared = 0;
  // Of one stripe and of several, ending anywhere in a vector and in a tile.
  for (const int n : {1, 2, 3, 7, 8, 9, 33, 100, 600, 1030}) {
    for (const double length : {1.0, 0.99, 1.01}) {
      const Columns q = generic_start(n, everywhere, 0, 63).q * length;
      Columns g(3, n), plain(3, n);
      n_body_kernel::plain_gradient(0.3, q, plain);
      n_body_kernel::gradient(0.3, q, g, pool);
      if (!plain.allFinite()) continue;  // 1 − c² of some pair off the sphere is negative
      double least = 1;                  // s², whose rounding tells most where bodies nearly meet
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < i; ++j) least = std::min(least, q.col(i).cross(q.col(j)).squaredNorm());
      const double most = length == 1 ? 1e-13 : 2e-15 / least;
      EXPECT_LT(difference(plain, g), most) << n << ", |q| = " << length;
      const double v = n_body_kernel::plain_potential(0.3, q);
      EXPECT_NEAR(n_body_kernel::potential(0.3, q, pool), v, 1e-12 * n * n) << n;
      ++compared;
    }
  }
  EXPECT_EQ(compared, 25) << "of 30; five meet off the sphere";
}

/// Torques q_i × g_i and the potential in extended precision, of directions: with s = |q_i ×
/// q_j|/(|q_i| |q_j|).
struct Extended {
  using Vec = Eigen::Matrix<long double, 3, 1>;
  std::vector<Vec> torque;
  long double potential = 0;

  explicit Extended(const Columns& q) : Extended(q, Columns::Zero(3, q.cols())) {}
  /// Of q + rest.
  Extended(const Columns& q, const Columns& rest)
      : torque(static_cast<std::size_t>(q.cols()), Vec::Zero()) {
    const Eigen::Matrix<long double, 3, Eigen::Dynamic> sum =
        q.cast<long double>() + rest.cast<long double>();
    for (std::size_t i = 0; i < torque.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) {
        const Vec a = sum.col(static_cast<Eigen::Index>(i)),
                  b = sum.col(static_cast<Eigen::Index>(j));
        const long double side = a.dot(b) > 0 ? 1 : -1;
        const Vec x = a.cross(Vec(b - side * a));  // q_j ∓ q_i is exact
        const long double sine = x.norm() / (a.norm() * b.norm());
        const Vec pair = x / x.norm() / (sine * sine);
        torque[i] -= pair;
        torque[j] += pair;
        potential -= a.dot(b) / x.norm();
      }
  }
};

TEST_P(Kernels, NBodiesThatNearlyMeetOrAreNearlyAntipodalHaveTheirExactTorques) {
  if (std::numeric_limits<long double>::digits < 64) GTEST_SKIP() << "no extended precision";
  Pool<n_body_kernel::Workspace> pool;
  double worst = 0, worst_potential = 0;
  for (const int n : {2, 3, 20, 100})  // by the plain loops and in vectors
    for (const double distance : {1.0, 0.1, 0.04, 0.033, 0.031, 0.01, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7})
      for (const double side : {1.0, -1.0}) {
        Columns q = generic_start(n, everywhere, 0, 68).q, g(3, n);
        const Eigen::Index first = n > 3 ? 3 : 0, second = n > 3 ? 17 : 1;
        const Vec3 near = q.col(first) + distance * Vec3(0.3, -0.5, 0.8);
        q.col(second) = side * near.normalized();
        n_body_kernel::gradient(1, q, g, pool);
        const Extended exact(q);
        for (const Eigen::Index i : {first, second}) {
          const Extended::Vec expected = exact.torque[static_cast<std::size_t>(i)];
          const Vec3 torque = Vec3(q.col(i)).cross(Vec3(g.col(i)));
          const auto error =
              static_cast<double>((torque.cast<long double>() - expected).norm() / expected.norm());
          worst = std::max(worst, error);
          EXPECT_LT(error, 1e-12) << n << " bodies, " << distance << ", " << side;
        }
        const auto off =
            static_cast<double>(std::abs(n_body_kernel::potential(1, q, pool) - exact.potential) /
                                std::abs(exact.potential));
        if (distance < 1) worst_potential = std::max(worst_potential, off);
      }
  RecordProperty("torque", fmt::format("{:.2g}", worst));
  RecordProperty("potential", fmt::format("{:.2g}", worst_potential));
  EXPECT_LT(worst, 2e-14);
  EXPECT_LT(worst_potential, 2e-14);
}

// Where the stages of Runge-Kutta methods are, along vectors that are not tangent.
TEST_P(Kernels, NBodyHessianBesideTheSphereIsTheDerivativeOfTheGradient) {
  Pool<n_body_kernel::Workspace> pool;
  Pool<n_body_kernel::HessianWorkspace> hessian_pool;
  for (const int n : {3, 9}) {
    Columns q = generic_start(n, everywhere, 0, 61).q;
    for (Eigen::Index i = 0; i < n; ++i) q.col(i) *= i % 2 == 0 ? 0.99 : 0.995;
    const Columns v = generic_start(n, 1, 1, 62).w;
    Columns h(3, n), plain(3, n), expected = Columns::Zero(3, n), g(3, n);
    n_body_kernel::hessian_times(0.5, q, v, h, hessian_pool);
    n_body_kernel::plain_hessian_times(0.5, q, v, plain);
    EXPECT_LT(difference(plain, h), 1e-12) << n;
    constexpr double spacing = 1e-4;
    for (const auto& [at, weight] : {std::pair{-2.0, 1.0}, {-1.0, -8.0}, {1.0, 8.0}, {2.0, -1.0}}) {
      n_body_kernel::gradient(0.5, Columns(q + at * spacing * v), g, pool);
      expected += weight / (12 * spacing) * g;
    }
    EXPECT_LT(difference(expected, h), 1e-8) << n;
  }
}

TEST_P(Kernels, NBodyHessianIsTheDerivativeOfTheTorqueOfBodiesThatNearlyMeet) {
  if (std::numeric_limits<long double>::digits < 64) GTEST_SKIP() << "no extended precision";
  using Vec = Extended::Vec;
  Pool<n_body_kernel::Workspace> pool;
  Pool<n_body_kernel::HessianWorkspace> hessian_pool;
  for (const int n : {2, 20})
    for (const double distance : {0.04, 0.03, 1e-2, 1e-4, 1e-6})
      for (const double side : {1.0, -1.0}) {
        Columns q = generic_start(n, everywhere, 0, 68).q, g(3, n), h(3, n);
        const Eigen::Index first = n > 3 ? 3 : 0, second = n > 3 ? 17 : 1;
        q.col(second) = side * (q.col(first) + distance * Vec3(0.3, -0.5, 0.8)).normalized();
        const Columns v = tangents(q, 62);
        n_body_kernel::gradient(1, q, g, pool);
        n_body_kernel::hessian_times(1, q, v, h, hessian_pool);
        for (const Eigen::Index i : {first, second}) {
          // δT of T = −Σ x/s³, x = q_i × q_j: −Σ (δx/s³ + 3 c δc x/s⁵)
          const auto unit = [&](Eigen::Index k) {
            return Vec(q.col(k).cast<long double>().normalized());
          };
          const auto moved = [&](Eigen::Index k) {
            const Vec change = v.col(k).cast<long double>();
            return Vec(change - unit(k) * unit(k).dot(change));
          };
          const Vec a = unit(i), da = moved(i);
          Vec expected = Vec::Zero();
          for (Eigen::Index j = 0; j < n; ++j) {
            if (j == i) continue;
            const Vec b = unit(j), db = moved(j), x = a.cross(b), dx = da.cross(b) + a.cross(db);
            const long double s = x.norm(), dc = da.dot(b) + a.dot(db);
            expected -= dx / (s * s * s) + 3 * a.dot(b) * dc / std::pow(s, 5) * x;
          }
          const Vec3 found =
              Vec3(v.col(i)).cross(Vec3(g.col(i))) + Vec3(q.col(i)).cross(Vec3(h.col(i)));
          EXPECT_LT(
              static_cast<double>((found.cast<long double>() - expected).norm() / expected.norm()),
              1e-12)
              << n << " bodies, " << distance << ", " << side;
        }
      }
}

TEST_P(Kernels, NBodiesOfTwoPartsHaveTheTorquesOfTheirSums) {
  if (std::numeric_limits<long double>::digits < 64) GTEST_SKIP() << "no extended precision";
  Pool<n_body_kernel::Workspace> pool;
  for (const int n : {2, 20})
    for (const double distance : {1.0, 0.02, 1e-4, 1e-6})
      for (const double side : {1.0, -1.0}) {
        Columns q = generic_start(n, everywhere, 0, 68).q, g(3, n), without(3, n);
        const Eigen::Index first = n > 3 ? 3 : 0, second = n > 3 ? 17 : 1;
        q.col(second) = side * (q.col(first) + distance * Vec3(0.3, -0.5, 0.8)).normalized();
        const Columns rest = 5e-17 * generic_start(n, everywhere, 0, 69).q;
        n_body_kernel::gradient(1, q, g, pool, &rest);
        n_body_kernel::gradient(1, q, without, pool);
        const Extended::Vec expected = Extended(q, rest).torque[static_cast<std::size_t>(first)];
        const auto error = [&](const Columns& found) {
          const Vec3 torque = Vec3(q.col(first)).cross(Vec3(found.col(first)));
          return static_cast<double>((torque.cast<long double>() - expected).norm() /
                                     expected.norm());
        };
        // The sums of the reference are rounded to 5e-20.
        EXPECT_LT(error(g), 2e-14 + 1e-19 / distance) << n << " bodies, " << distance;
        if (distance < 0.01) {
          EXPECT_GT(error(without), 1e-17 / distance) << "the rest is needed";
        }
      }
}

TEST_P(Kernels, NBodiesOffTheSphereHaveTheForcesPrinted) {
  // −γ q_j/(1 − c²)^{3/2} with c = q_i·q_j of the very q, which Runge-Kutta methods depend on.
  Pool<n_body_kernel::Workspace> pool;
  for (const double excess : {1e-3, 1e-9, 1e-13})
    for (const double angle : {0.5, 0.05, 3.1})
      for (const int n : {2, 20}) {
        Columns q = generic_start(n, everywhere, 0, 68).q, g(3, n);
        q.col(0) << 1 - excess, 0, 0;
        q.col(1) << std::cos(angle), std::sin(angle), 0;
        n_body_kernel::gradient(1, q, g, pool);
        using Vec = Extended::Vec;
        Vec expected = Vec::Zero();
        for (int j = 1; j < n; ++j) {
          const Vec a = q.col(0).cast<long double>(), b = q.col(j).cast<long double>();
          const long double c = a.dot(b), square = (1 - c) * (1 + c);
          expected -= b / (square * std::sqrt(square));
        }
        const auto error =
            static_cast<double>((g.col(0).cast<long double>() - expected).norm() / expected.norm());
        const double sine = std::sin(angle);
        EXPECT_LT(error, 1e-15 * (3 + 1 / (sine * sine))) << excess << ", " << angle << ", " << n;
      }
}

TEST_P(Kernels, NBodiesThatMeetHaveNoForce) {
  Pool<n_body_kernel::Workspace> pool;
  for (const double side : {1.0, -1.0}) {
    Columns q = generic_start(20, everywhere, 0, 68).q, g(3, 20);
    q.col(3) << 1, 0, 0;
    q.col(17) << side, 0, 0;
    n_body_kernel::gradient(1, q, g, pool);
    EXPECT_FALSE(g.col(3).allFinite()) << "a step onto another body is refused by this";
    EXPECT_FALSE(g.col(17).allFinite());
    EXPECT_TRUE(g.col(4).allFinite());
    EXPECT_FALSE(std::isfinite(n_body_kernel::potential(1, q, pool)));
  }
}

TEST_P(Kernels, UncoupledStepIsThatBodyByBodyToTheLastBit) {
  for (const int n : {1, 2, 7, 8, 33, 100}) {
    const State s = generic_start(n, everywhere, 0.7, 64);
    const Columns g = generic_start(n, everywhere, 0, 65).q * 3;
    const Eigen::VectorXd m = Eigen::VectorXd::LinSpaced(n, 0.5, 2);
    uncoupled_kernel::Torques torque(n, 3), torque_next(n, 3), plain_torque(n, 3);
    Columns next(3, n), w(3, n), plain(3, n);
    uncoupled_kernel::torque(s.q, g, torque);
    EXPECT_EQ(uncoupled_kernel::drift(0.1, m, s.q, s.w, torque, next), n);
    EXPECT_EQ(uncoupled_kernel::plain_drift(0.1, m, s.q, s.w, torque, plain), n);
    EXPECT_EQ(next, plain) << n;
    EXPECT_EQ(uncoupled_kernel::kick(0.1, m, next, g, s.w, torque, torque_next, w), n);
    EXPECT_EQ(uncoupled_kernel::plain_kick(0.1, m, next, g, s.w, torque, plain_torque, plain), n);
    EXPECT_EQ(w, plain) << n;
    EXPECT_EQ(torque_next, plain_torque) << n;
  }
}

TEST_P(Kernels, UncoupledStepNamesTheFirstBodyRefused) {
  constexpr int n = 21;
  const State s = generic_start(n, everywhere, 0.7, 66);
  const Eigen::VectorXd m = Eigen::VectorXd::Ones(n);
  const Columns g = Columns::Ones(3, n);
  uncoupled_kernel::Torques torque(n, 3), torque_next(n, 3);
  uncoupled_kernel::torque(s.q, g, torque);
  Columns next(3, n), w_next(3, n);
  for (int i = 0; i < n; ++i) {
    for (const double factor : {100.0, std::numeric_limits<double>::quiet_NaN()}) {
      Columns w = s.w;
      w.col(i) *= factor;
      w.col(n - 1) *= factor;
      EXPECT_EQ(uncoupled_kernel::drift(0.1, m, s.q, w, torque, next), i);
      const double square = uncoupled_kernel::drift_square(0.1, m, s.q, w, torque, i);
      EXPECT_EQ(std::isfinite(square), factor == 100);
    }
    for (const double value :
         {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
      Columns singular = g;
      singular(i % 3, i) = value;
      singular(0, n - 1) = value;
      EXPECT_EQ(uncoupled_kernel::kick(0.1, m, s.q, singular, s.w, torque, torque_next, w_next), i);
    }
  }
}

TEST(Isa, ForcedLevelIsTheOneThatRuns) {
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

#ifdef __x86_64__
/// Sets all bits of a vector register and returns those of its upper half, low part, after `act`.
template <class Act>
std::uint64_t upper_half_after(Act act) {
  std::uint64_t upper;
  asm volatile("vcmptrueps %%ymm0, %%ymm0, %%ymm0" ::: "xmm0");
  act();
  asm volatile("vextractf128 $1, %%ymm0, %%xmm1\n\tvmovq %%xmm1, %0" : "=r"(upper)::"xmm1");
  return upper;
}

TEST(Isa, UpperHalvesOfVectorRegistersAreCleared) {
  if (!__builtin_cpu_supports("avx")) GTEST_SKIP() << "this processor has none";
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(upper_half_after([] {}), ~std::uint64_t{0});
    EXPECT_EQ(upper_half_after(zero_upper_registers), 0u);
  }
}
#endif

TEST(Isa, BestLevelIsChosenAndAnyCanBeForced) {
  const auto levels = isa_levels();
  ASSERT_FALSE(levels.empty());
  EXPECT_EQ(isa_level(), levels.front());
#if defined(__x86_64__)
  EXPECT_EQ(levels.back(), "sse2");
#elif defined(__aarch64__)
  EXPECT_EQ(levels, std::vector<std::string_view>{"neon"});
#endif
  for (const std::string_view level : levels) {
    ASSERT_TRUE(force_isa_level(level));
    EXPECT_EQ(isa_level(), level);
    EXPECT_EQ(isa_levels(), levels);
  }
  ASSERT_TRUE(force_isa_level(levels.back()));
  EXPECT_EQ(error_of(force_isa_level("mmx")).message,
            fmt::format("\"mmx\" is not an instruction set level of this program; allowed: {}",
                        fmt::join(levels, ", ")));
  EXPECT_EQ(isa_level(), levels.back()) << "a refused level changes nothing";
  ASSERT_TRUE(force_isa_level(""));
  EXPECT_EQ(isa_level(), levels.front());
}

}  // namespace
}  // namespace twosphere::test::kernels_test
