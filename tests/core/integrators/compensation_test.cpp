// SPDX-License-Identifier: GPL-3.0-or-later
// Directions in two parts, q + e: the rotations of close bodies are not lost in the rounding of q.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include "core/mechanics/pulled_system.h"
#include "core/run/simulation.h"
#include "core/scenario/reader.h"
#include "tests/cases.h"
#include "tests/outcome.h"

namespace twosphere::test::compensation_test {
namespace {

using Real = long double;
using RealVec = Eigen::Matrix<Real, 3, 1>;

/// Two equal bodies that circle about one another, `apart` [rad] from each other.
struct Orbit {
  std::unique_ptr<const System> system = system_of("n_body", 2, {{"masses", {1, 1}}});
  State start;
  double period;

  explicit Orbit(double apart) {
    // m Ω² sin α cos α = γ/sin² 2α at the angle α from the axis
    const double alpha = apart / 2, sine = std::sin(apart);
    const double rate = std::sqrt(2 / (sine * sine * sine));
    period = 2 * std::numbers::pi / rate;
    const Vec3 axis = Vec3(0.3, -0.5, 0.8).normalized(),
               aside = axis.cross(Vec3(1, 2, 3)).normalized();
    start.q.resize(3, 2);
    start.w.resize(3, 2);
    for (int i = 0; i < 2; ++i) {
      const Vec3 q = (axis + (i == 0 ? 1 : -1) * std::tan(alpha) * aside).normalized();
      start.q.col(i) = q;
      start.w.col(i) = tangent(q, q.cross(rate * axis.cross(q)));
    }
  }
};

/// Kick, rotate, kick of two bodies of mass 1 and γ = 1 in extended precision.
struct Extended {
  std::array<RealVec, 2> q, w, torque;

  explicit Extended(const State& s) {
    for (int i = 0; i < 2; ++i) {
      const auto k = static_cast<std::size_t>(i);
      q[k] = s.q.col(i).cast<Real>().normalized();
      w[k] = s.w.col(i).cast<Real>();
    }
    forces();
  }
  void forces() {
    const RealVec x = q[0].cross(RealVec(q[1] - q[0]));
    const Real sine = x.norm();
    torque[0] = -x / (sine * sine * sine);
    torque[1] = -torque[0];
  }
  void kick(Real s) {
    for (std::size_t i = 0; i < 2; ++i) {
      w[i] -= s * torque[i];
      w[i] -= q[i] * q[i].dot(w[i]);
    }
  }
  void step(Real h) {
    kick(h / 2);
    for (std::size_t i = 0; i < 2; ++i) {
      const Real speed = w[i].norm();
      q[i] = (std::cos(h * speed) * q[i] + std::sin(h * speed) / speed * w[i].cross(q[i]))
                 .normalized();
    }
    forces();
    kick(h / 2);
  }
};

TEST(Compensation, AnOrbitOfCloseBodiesStaysNearThatOfExtendedPrecision) {
  if (std::numeric_limits<Real>::digits < 64) GTEST_SKIP() << "no extended precision";
  for (const double apart : {1e-2, 1e-4, 1e-6}) {
    Orbit orbit(apart);
    State s = orbit.start;
    Extended exact(s);
    auto integrator = prepared("rotation", *orbit.system, s);
    const double h = orbit.period / 200;
    double worst = 0;
    for (int k = 0; k < 20'000; ++k) {
      ASSERT_TRUE(integrator->advance(*orbit.system, h, s).ok());
      exact.step(static_cast<Real>(h));
      const RealVec between = exact.q[1] - exact.q[0];
      const RealVec found = Vec3(s.q.col(1) - s.q.col(0)).cast<Real>();
      worst = std::max(worst, static_cast<double>((found - between).norm() / between.norm()));
    }
    RecordProperty(fmt::format("{:.0e}", apart), fmt::format("{:.2g}", worst));
    // measured: 4e-12, 4e-11 and 1.4e-9; without the second part 9e-10, 3e-8 and 3e-6
    EXPECT_LT(worst, 1e-11 + 1e-14 / apart) << apart;
  }
}

TEST(Compensation, KeepsTheLengthBelowTheRoundingOfQ) {
  if (std::numeric_limits<Real>::digits < 64) GTEST_SKIP() << "no extended precision";
  Orbit orbit(0.01);
  State s = orbit.start;
  auto integrator = prepared("rotation6", *orbit.system, s);
  for (int k = 0; k < 1000; ++k) {
    ASSERT_TRUE(integrator->advance(*orbit.system, orbit.period / 50, s).ok());
    const IntegratorState memory = integrator->saved_state();
    ASSERT_EQ(memory.size(), 1U);
    EXPECT_EQ(memory[0].first, "compensation");
    const Eigen::Map<const Columns> q_low(memory[0].second.data(), 3, 2);
    for (int i = 0; i < 2; ++i) {
      const RealVec q = s.q.col(i).cast<Real>() + q_low.col(i).cast<Real>();
      EXPECT_LT(std::abs(static_cast<double>(q.squaredNorm() - 1)), 2e-18);
      EXPECT_LT(q_low.col(i).cwiseAbs().maxCoeff(), 1.2e-16);
    }
  }
}

TEST(Compensation, IsTakenAsZeroFromAStateOfAnEarlierVersion) {
  std::string text(find_preset("three_body")->text);
  const std::string type = "\"type\": \"variational\"", duration = "\"duration\"";
  ASSERT_TRUE(says(text, type));
  text.replace(text.find(type), type.size(), "\"type\": \"rotation6\"");
  text.replace(text.find(duration), duration.size(),
               "\"integrator_state\": {\"work_compensation\": [0]}, \"time_origin\": 0, "
               "\"step_index\": 5, \"energy_reference\": 1, \"work\": 0, \"duration\"");
  std::vector<std::string> warnings;
  const auto scenario = value_of(read_scenario(text, "file.json", &warnings));
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_TRUE(says(warnings[0], "has no compensation, as if written by an earlier version"));
  EXPECT_FALSE(value_of(Simulation::create(scenario)).step());
}

TEST(Compensation, AnOrbitOfCloseBodiesReturnsWhenItIsReversed) {
  Orbit orbit(1e-4);
  for (const char* key : {"rotation", "rotation4", "rotation6"}) {
    State s = orbit.start;
    auto integrator = prepared(key, *orbit.system, s);
    const double h = orbit.period / 50;
    ASSERT_TRUE(march(*orbit.system, *integrator, h, 500, s));
    ASSERT_TRUE(march(*orbit.system, *integrator, -h, 500, s));
    const double error = (s.q - orbit.start.q).cwiseAbs().maxCoeff();
    RecordProperty(key, fmt::format("{:.2g}", error));
    EXPECT_LT(error, 1e-15) << key;
  }
}

TEST(Compensation, IsPassedOnWhereBodiesArePulled) {
  const auto shared = std::shared_ptr<const System>(Orbit(1e-4).system);
  const Columns q = Orbit(1e-4).start.q;
  const PulledSystem pulled(shared, {{.body = 0, .force = Vec3(1, 0, 0)}});
  Columns q_low = Columns::Zero(3, 2), own(3, 2), passed(3, 2), without(3, 2);
  q_low(0, 0) = 5e-17;
  shared->gradient_compensated(q, q_low, own);
  pulled.gradient_compensated(q, q_low, passed);
  shared->gradient(q, without);
  EXPECT_EQ(own, passed);
  EXPECT_GT((own - without).norm(), 1e-13 * own.norm());
}

}  // namespace
}  // namespace twosphere::test::compensation_test
