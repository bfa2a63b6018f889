// SPDX-License-Identifier: GPL-3.0-or-later
// Every quantity of a sample by its formula.
#include "core/mechanics/diagnostics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/cases.h"

namespace twosphere::test::diagnostics_test {
namespace {

// Off the sphere, with an ω that is not tangent. A quantity that is missing here is NaN and fails.
TEST(Diagnostics, EveryQuantityIsThatOfItsFormula) {
  for (const SystemCase& c : system_cases()) {
    auto [system, s] = started(c, 61);
    s.t = 3;
    s.q.col(0) *= 1.001;
    s.w.col(c.n - 1) += 0.01 * c.speed * s.q.col(c.n - 1);
    Columns v(3, c.n);
    for (int i = 0; i < c.n; ++i) v.col(i) = s.w.col(i).cross(s.q.col(i));
    const Columns p = v * dense(system->inertia(), s.q);
    Vec3 momentum = Vec3::Zero();
    double off = 0, mean = 0, along = 0;
    for (int i = 0; i < c.n; ++i) {
      const Vec3 q = s.q.col(i);
      momentum += q.cross(p.col(i));
      off = std::max(off, std::abs(q.norm() - 1));
      mean += std::abs(q.squaredNorm() - 1) / c.n;
      along = std::max(along, std::abs(q.dot(s.w.col(i))));
    }
    constexpr double reference = 5, work = 7;
    Sample want = missing_sample(s.t);
    want[Quantity::kinetic_energy] = v.cwiseProduct(p).sum() / 2;
    want[Quantity::potential_energy] = system->potential(s.q);
    want[Quantity::total_energy] =
        want[Quantity::kinetic_energy] + want[Quantity::potential_energy];
    want[Quantity::work] = work;
    want[Quantity::energy_error] = want[Quantity::total_energy] - reference - work;
    want[Quantity::unit_length_error] = off;
    want[Quantity::unit_length_error_mean] = mean;
    want[Quantity::tangency_error] = along;
    want[Quantity::angular_momentum_x] = momentum.x();
    want[Quantity::angular_momentum_y] = momentum.y();
    want[Quantity::angular_momentum_z] = momentum.z();
    const Sample got = measure(*system, s, reference, work);
    const double scale = reference + work + want[Quantity::kinetic_energy] +
                         std::abs(want[Quantity::potential_energy]);
    for (const QuantityInfo& info : quantities()) {
      const auto quantity = static_cast<Quantity>(&info - quantities().data());
      EXPECT_NEAR(got[quantity], want[quantity], 1e-13 * scale) << c.name << ": " << info.key;
    }
  }
}

}  // namespace
}  // namespace twosphere::test::diagnostics_test
