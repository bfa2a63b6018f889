// SPDX-License-Identifier: GPL-3.0-or-later
// Which body lies under a point of the view, without a graphics card.
#include "render/pick.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>

#include "tests/outcome.h"

namespace twosphere::render::pick_test {
namespace {

using test::value_of;

constexpr glm::vec2 view{800, 600};
constexpr float slack = 5;

Camera camera() {
  Camera made;
  made.frame({0, 0, 0}, 1.5F, view.x / view.y);
  return made;
}

glm::vec2 place(const Geometry& geometry, double radius, int body) {
  const auto found = spot(geometry, radius, body, camera(), view);
  EXPECT_TRUE(found.has_value());
  return found ? found->center : glm::vec2(0);
}

TEST(Pick, FindsEveryBodyWhereItIsDrawn) {
  Geometry geometry;
  for (int i = 0; i < 12; ++i)
    geometry.bodies.push_back({Vec3(std::cos(0.5 * i), std::sin(0.5 * i), 0.1 * i - 0.6)});
  const double radius = 0.05;
  for (int i = 0; i < 12; ++i) {
    const auto seen = value_of(spot(geometry, radius, i, camera(), view));
    EXPECT_GT(seen.radius, 3);
    EXPECT_EQ(pick(geometry, radius, camera(), seen.center, view, slack), i);
    const glm::vec2 edge = seen.center + glm::vec2(0.9F * seen.radius, 0);
    EXPECT_EQ(pick(geometry, radius, camera(), edge, view, 0), i);
  }
  EXPECT_EQ(pick(geometry, radius, camera(), {3, 3}, view, slack), std::nullopt);
}

TEST(Pick, ALineOfSightPassesThroughThePointThatWasSeen) {
  for (const Vec3& at : {Vec3(0.3, -0.4, 0.5), Vec3(-0.8, 0.2, -0.1), Vec3(0, 0, 0)}) {
    const Ray ray = sight(camera(), value_of(project(at, camera(), view)), view);
    EXPECT_LT((at - ray.from).cross(ray.along).norm(), 1e-5);
    const auto on = value_of(on_plane(ray, at, Vec3(0.2, 1, 0.1)));
    EXPECT_LT((on - at).norm(), 1e-5);
    // Of a sphere on which it lies, on whichever side.
    const Vec3 center(0.1, 0.1, -0.2);
    const double radius = (at - center).norm();
    const bool near = (at - center).dot(ray.along) < 0;
    EXPECT_LT((on_sphere(ray, center, radius, near) - at).norm(), 1e-4);
    EXPECT_NEAR((on_sphere(ray, center, radius, !near) - center).norm(), radius, 1e-12);
  }
  EXPECT_FALSE(
      project(2 * Vec3(camera().eye().x, camera().eye().y, camera().eye().z), camera(), view));
  // Past a sphere: the point that is seen at its edge.
  const Ray past = sight(camera(), {790, 300}, view);
  const Vec3 edge = on_sphere(past, Vec3::Zero(), 0.2, true);
  EXPECT_NEAR(edge.norm(), 0.2, 1e-12);
  EXPECT_NEAR(edge.dot(past.along), 0, 1e-12);
  const Ray along{{0, 0, 0}, {1, 0, 0}};
  EXPECT_FALSE(on_plane(along, Vec3(0, 1, 0), Vec3(0, 1, 0))) << "parallel";
  EXPECT_FALSE(on_plane(along, Vec3(-1, 0, 0), Vec3(1, 0, 0))) << "behind";
}

TEST(Pick, TakesTheNearerOfTwo) {
  const glm::vec3 eye = camera().eye();
  const Vec3 toward = Vec3(eye.x, eye.y, eye.z).normalized();
  Geometry geometry;
  geometry.bodies = {{-0.5 * toward}, {0.5 * toward}, {Vec3(0.9 * toward)}};
  EXPECT_EQ(pick(geometry, 0.05, camera(), {400, 300}, view, slack), 2);
  geometry.bodies.pop_back();
  EXPECT_EQ(pick(geometry, 0.05, camera(), {400, 300}, view, slack), 1);
  geometry.bodies[1].position = 2 * Vec3(eye.x, eye.y, eye.z);  // behind the viewer
  EXPECT_EQ(pick(geometry, 0.05, camera(), {400, 300}, view, slack), 0);
  EXPECT_FALSE(spot(geometry, 0.05, 1, camera(), view).has_value());
}

TEST(Pick, ForgivesAFewPixels) {
  Geometry geometry;
  geometry.bodies = {{Vec3(0, 0, 0)}};
  const double radius = 1e-4;  // less than a pixel
  const glm::vec2 at = place(geometry, radius, 0);
  EXPECT_EQ(pick(geometry, radius, camera(), at + glm::vec2(4, 0), view, slack), 0);
  EXPECT_EQ(pick(geometry, radius, camera(), at + glm::vec2(7, 0), view, slack), std::nullopt);
  // Not where another one is met.
  geometry.bodies.push_back({Vec3(0.06, 0, 0)});
  geometry.bodies[0].size = 1e-3;
  const double large = 0.05;
  EXPECT_EQ(pick(geometry, large, camera(), at + glm::vec2(4, 0), view, slack), 1);
}

TEST(Pick, LinksAndArrowsBelongToTheirBodies) {
  Geometry chain;
  chain.bodies = {{Vec3(0, 0, 0.5)}, {Vec3(0.6, 0, 0.5)}};
  chain.links = {{Vec3(-0.5, 0, -0.5), Vec3(0, 0, -0.5)},  // held
                 {Vec3(0, 0, -0.5), Vec3(0, 0, 0.5)},
                 {Vec3(0, 0, 0.5), Vec3(0.6, 0, 0.5)}};
  const auto at = [](const Vec3& p) {
    Geometry point;
    point.bodies = {{p}};
    return place(point, 0.01, 0);
  };
  EXPECT_EQ(pick(chain, 0.05, camera(), at({0, 0, 0}), view, slack), 0);
  EXPECT_EQ(pick(chain, 0.05, camera(), at({0.3, 0, 0.5}), view, slack), 1);
  EXPECT_EQ(pick(chain, 0.05, camera(), at({-0.3, 0, -0.5}), view, slack), std::nullopt);

  Geometry magnets;
  magnets.bodies = {{Vec3(-0.5, 0, 0)}, {Vec3(0.5, 0, 0)}};
  magnets.arrows = {{Vec3(-0.5, 0, -0.3), Vec3(-0.5, 0, 0.3)}, {Vec3(0.2, 0, 0), Vec3(0.8, 0, 0)}};
  EXPECT_EQ(pick(magnets, 0.05, camera(), at({-0.5, 0, 0.25}), view, slack), 0);
  EXPECT_EQ(pick(magnets, 0.05, camera(), at({0.25, 0, 0}), view, slack), 1);
  EXPECT_EQ(pick(magnets, 0.05, camera(), at({0, 0, 0.3}), view, slack), std::nullopt);
}

TEST(Pick, IsQuickForAHundredThousandMolecules) {
  constexpr int n = 163'842;
  Geometry geometry;
  geometry.sphere = true;
  for (int i = 0; i < n; ++i) {  // a spiral from pole to pole
    const double z = 1 - 2 * (i + 0.5) / n, r = std::sqrt(1 - z * z), a = 2.399963229728653 * i;
    geometry.bodies.push_back({Vec3(r * std::cos(a), r * std::sin(a), z)});
  }
  const auto start = std::chrono::steady_clock::now();
  const auto body = pick(geometry, 0.004, camera(), {400, 300}, view, slack);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  ASSERT_TRUE(body.has_value());
  const glm::vec3 eye = camera().eye();
  EXPECT_GT(geometry.bodies[static_cast<std::size_t>(*body)].position.dot(
                Vec3(eye.x, eye.y, eye.z).normalized()),
            0.99)
      << "on the side of the viewer";
  EXPECT_LT(took.count(), 0.5);
}

}  // namespace
}  // namespace twosphere::render::pick_test
