// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>
#include <cmath>

#include "render/passes.h"

namespace twosphere::render {

namespace {

struct ShadowInstance {
  glm::vec4 start, end;
};

enum GroundUniform : std::size_t { ground_place, ground_grid, ground_lines };
constexpr std::array<std::string_view, 3> ground_uniforms = {"place", "grid", "lines"};
enum ShadowUniform : std::size_t { shadow_place, shadow_strength };
constexpr std::array<std::string_view, 2> shadow_uniforms = {"place", "strength"};

constexpr float seen_from_below = 0.3f;
constexpr std::size_t max_shadows = 48;
constexpr float shadow_on_dark = 0.95f, shadow_on_light = 0.45f;

// For many balls only every k-th one has a shadow, which is wider, and rods have none.
std::vector<ShadowInstance> shadows(const Scene& scene) {
  std::vector<ShadowInstance> instances;
  const std::size_t each = (scene.spheres.size() + max_shadows - 1) / max_shadows;
  const float wider = std::sqrt(static_cast<float>(each));
  for (std::size_t i = 0; i < scene.spheres.size(); i += each) {
    const glm::vec4 ball(scene.spheres[i].center, wider * scene.spheres[i].radius);
    instances.push_back({ball, ball});
  }
  if (each > 1) return instances;
  for (const Cylinder& c : scene.cylinders)
    instances.push_back({{c.from, c.radius}, {c.to, c.radius}});
  return instances;
}

bool is_dark(glm::vec3 color) { return color.r + color.g + color.b < 1.5f; }

}  // namespace

Result<GroundPass> GroundPass::create() {
  auto ground = gl::Program::create("ground", ground_uniforms);
  if (!ground) return ground.error();
  auto shadow = gl::Program::create("shadow", shadow_uniforms);
  if (!shadow) return shadow.error();
  GroundPass pass;
  pass.ground_ = std::move(*ground);
  pass.shadow_ = std::move(*shadow);
  return pass;
}

void GroundPass::draw(const Scene& scene, const Theme& theme, glm::vec3 eye) const {
  const Ground& ground = scene.ground;
  if (!ground.visible) return;
  const bool from_above = eye.z < ground.center.z;  // e3 points down
  const glm::vec4 place(ground.center, ground.radius);
  vertices_.bind();
  glEnable(GL_BLEND);
  glDepthMask(GL_FALSE);
  ground_.use();
  ground_.set(ground_place, place);
  ground_.set(ground_grid, glm::vec4(theme.grid, from_above ? 1 : seen_from_below));
  ground_.set(ground_lines, glm::vec4(ground.center.x, ground.center.y, ground.spacing, 0));
  gl::draw_quads(1);
  if (!from_above) return;

  const std::vector<ShadowInstance> instances = shadows(scene);
  if (instances.empty()) return;
  instances_.write(GL_ARRAY_BUFFER, std::span<const ShadowInstance>(instances));
  vertices_.per_instance(0, 4, sizeof(ShadowInstance), offsetof(ShadowInstance, start));
  vertices_.per_instance(1, 4, sizeof(ShadowInstance), offsetof(ShadowInstance, end));
  shadow_.use();
  shadow_.set(shadow_place, place);
  shadow_.set(shadow_strength, is_dark(theme.background_bottom) ? shadow_on_dark : shadow_on_light);
  gl::draw_quads(instances.size());
}

}  // namespace twosphere::render
