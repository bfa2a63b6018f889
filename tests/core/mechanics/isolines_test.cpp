// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mechanics/isolines.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

#include "core/mechanics/sphere_mesh.h"
#include "core/scenario/icosphere.h"

namespace twosphere::isolines_test {
namespace {

std::vector<double> values_of(const SphereMesh& mesh, const auto& f) {
  std::vector<double> values;
  for (Eigen::Index i = 0; i < mesh.vertices.cols(); ++i)
    values.push_back(f(Vec3(mesh.vertices.col(i))));
  return values;
}

TEST(Isolines, OfAComponentAreParallels) {
  const SphereMesh sphere = icosphere(3);
  const auto height = [](const Vec3& q) { return q.z(); };
  const std::vector<double> values = values_of(sphere, height);
  for (const double level : {-0.7, 0.05, 0.6})
    for (const bool exactly : {false, true}) {
      const auto curves =
          exactly ? isolines(sphere, values, level, height) : isolines(sphere, values, level);
      ASSERT_EQ(curves.size(), 1U);
      EXPECT_EQ(curves[0].front(), curves[0].back()) << "closed";
      double turned = 0;
      for (std::size_t i = 0; i < curves[0].size(); ++i) {
        const Vec3& q = curves[0][i];
        EXPECT_NEAR(q.norm(), 1, 1e-15);
        EXPECT_NEAR(q.z(), level, exactly ? 1e-10 : 5e-3);
        if (i == 0) continue;
        const Vec3& before = curves[0][i - 1];
        turned += std::atan2(before.x() * q.y() - before.y() * q.x(),
                             before.x() * q.x() + before.y() * q.y());
      }
      EXPECT_NEAR(std::abs(turned), 2 * std::numbers::pi, 1e-9) << "once around";
    }
  EXPECT_TRUE(isolines(sphere, values, 1.5).empty());
}

TEST(Isolines, AreAsManyAsTheFunctionHas) {
  const SphereMesh sphere = icosphere(4);
  const std::vector<double> values = values_of(sphere, [](const Vec3& q) { return q.x() * q.x(); });
  EXPECT_EQ(isolines(sphere, values, 0.5).size(), 2U);
  const std::vector<double> product =
      values_of(sphere, [](const Vec3& q) { return q.x() * q.y() * q.z(); });
  EXPECT_EQ(isolines(sphere, product, 0.1).size(), 4U);
}

}  // namespace
}  // namespace twosphere::isolines_test
