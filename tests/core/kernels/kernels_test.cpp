// SPDX-License-Identifier: GPL-3.0-or-later
// Every kernel on every instruction set level of this processor, against its plain version.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "core/base/simd_level.h"
#include "core/kernels/n_body.h"
#include "core/kernels/n_body_hessian.h"
#include "core/kernels/rotation.h"
#include "core/kernels/uncoupled.h"
#include "core/scenario/initial_conditions.h"
#include "tests/cases.h"
#include "tests/core/kernels/levels.h"

namespace twosphere::test::kernels_test {
namespace {

struct Kernels : OnEveryLevel {};
INSTANTIATE_TEST_SUITE_P(Levels, Kernels, testing::ValuesIn(isa_levels()), level_name);

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

TEST_P(Kernels, FewBodiesHaveTheForcesOfThePlainLoopsToTheLastBit) {
  Pool<n_body_kernel::Workspace> pool;
  for (int n = 1; n < n_body_kernel::min_vectors; ++n)
    // Apart, near one another, and off the sphere.
    for (const auto& [spread, length] : {std::pair(everywhere, 1.0), {0.02, 1.0}, {1.0, 1.01}}) {
      const Columns q = generic_start(n, spread, 0, 64).q * length, low = 1e-17 * q;
      Columns g(3, n), plain(3, n);
      n_body_kernel::plain_gradient(0.3, q, plain, &low);
      n_body_kernel::gradient(0.3, q, g, pool, &low);
      EXPECT_EQ(g, plain) << n << " within " << spread << ", |q| = " << length;
    }
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

/// Bodies of a run in slots.
void put(const Columns& from, Aligned<double>& to) {
  for (Eigen::Index i = 0; i < from.cols(); ++i)
    for (Eigen::Index c = 0; c < 3; ++c)
      to[rotation_kernel::place(static_cast<std::size_t>(i)) +
         static_cast<std::size_t>(c) * ensemble_members] = from(c, i);
}

TEST_P(Kernels, RotationsAreThoseOfExtendedPrecision) {
  using Vec = Eigen::Matrix<long double, 3, 1>;
  for (const int n : {1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 33}) {
    const State start = generic_start(n, everywhere, 0.4, 73);
    rotation_kernel::Slots slots;
    slots.clear(static_cast<std::size_t>(n));
    // Turns by series, of about a radian, and of many.
    for (const double s : {1e-9, 1e-3, -0.7, 1.5, 40.0}) {
      Columns q = start.q, e = Columns::Zero(3, n);
      put(q, slots.q);
      put(e, slots.e);
      put(start.w, slots.w);
      rotation_kernel::correct_lengths(static_cast<std::size_t>(n), slots);
      ASSERT_TRUE(rotation_kernel::rotate(s, slots, q, e)) << n;
      for (int i = 0; i < n; ++i) {
        const Vec w = start.w.col(i).cast<long double>();
        const Vec from = start.q.col(i).cast<long double>().normalized();
        const long double speed = w.norm(), half = speed * s / 2;
        const Vec across = w.cross(from) / speed;
        const Vec change = 2 * std::sin(half) * (std::cos(half) * across - std::sin(half) * from);
        const Vec error =
            q.col(i).cast<long double>() + e.col(i).cast<long double>() - from - change;
        // The angle has an error of some ulp, and the comparison one of 1e-18.
        EXPECT_LT(error.norm(), 8e-16L * std::abs(half) + 1e-18L)
            << n << ", body " << i << ", s " << s;
      }
    }
  }
}

TEST_P(Kernels, AForceThatIsNotFiniteIsForgotten) {
  for (const int n : {1, 3, 5, 9}) {
    const State start = generic_start(n, everywhere, 0.4, 74);
    Aligned<double> m;
    rotation_kernel::set_inertia(Eigen::VectorXd::Ones(n), 1, m);
    rotation_kernel::Slots slots;
    slots.clear(static_cast<std::size_t>(n));
    Columns q = start.q, e = Columns::Zero(3, n);
    const auto step = [&](double force) {
      Columns g = Columns::Ones(3, n);
      g(0, n - 1) = force;
      put(start.q, slots.q);
      put(Columns::Zero(3, n), slots.e);
      put(start.w, slots.w);
      const bool moved = rotation_kernel::kick_and_rotate(0.1, 0.1, m, g, slots, q, e);
      return rotation_kernel::last_kick(0.1, m, g, slots) && moved;
    };
    EXPECT_TRUE(step(1)) << n;
    EXPECT_FALSE(step(std::numeric_limits<double>::infinity())) << n;
    EXPECT_TRUE(step(1)) << n;
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
