// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <glm/vec3.hpp>
#include <span>
#include <vector>

#include "core/color/look.h"
#include "core/mechanics/system.h"
#include "core/output/body_quantity.h"
#include "render/scene.h"

/// The shapes that represent a configuration.
namespace twosphere::render {

struct PartColors {
  glm::vec3 link, mount, body;
  glm::vec3 north, south;  // of a magnet
  glm::vec3 shell;
};
PartColors part_colors(Palette palette);
/// The colour of the arrows of a vector.
glm::vec3 vector_color(BodyVector vector, Palette palette);

/// The colours of a lane: its own, and the common ones.
struct LaneLook {
  glm::vec3 color;
  PartColors parts;
  std::vector<glm::vec3> bodies{};  ///< colour of each body; empty: shades of the lane colour
};
/// Everything in one colour.
inline LaneLook look_in(glm::vec3 color) {
  return {color, {color, color, color, color, color, color}};
}

/// Colours by value: one per spring, joint or body. Empty: by lane.
struct Shading {
  Shade shade = Shade::lane;
  glm::vec3 calm{0};  ///< colour of the value 0
  std::vector<glm::vec3> colors;

  std::span<const glm::vec3> of(Shade wanted) const {
    return shade == wanted ? std::span<const glm::vec3>(colors) : std::span<const glm::vec3>();
  }
  std::span<const glm::vec3> of_bodies() const {
    return info(shade).of_bodies ? std::span<const glm::vec3>(colors)
                                 : std::span<const glm::vec3>();
  }
};

/// Radius of the largest body [m]: smaller if bodies are close together or share a sphere.
double body_radius(const Geometry& geometry, double extent);
/// The colour of body i: by its value if the bodies are shaded; else its own colour, or a shade of
/// the lane colour, which the last body has in full.
glm::vec3 body_color(const Geometry& geometry, std::size_t i, const LaneLook& look,
                     const Shading& shading);

/// Adds bodies, links, springs, magnets, rods and the frame of a base.
void add_geometry(const Geometry& geometry, double radius, const LaneLook& look,
                  const Shading& shading, bool fine, Scene& scene);
/// How many balls and rods it adds, if it adds no dots. Those of the mounts come after them.
struct ShapeCounts {
  std::size_t spheres, cylinders;
};
ShapeCounts shape_counts(const Geometry& geometry);
/// How bright the south half of a magnet is where its colour is that of a value: the lightness of a
/// direction is part of what its colour says.
inline float south_brightness(Shade shade) { return shade == Shade::direction ? 1.0f : 0.55f; }
/// Positions are taken for the same within this distance, in radii of the ball that is there, or of
/// the largest body.
inline constexpr float agreement = 0.3f;

/// How the outline of a configuration is drawn.
struct OutlineStyle {
  float line = 1.5f, ring = 1.7f;  ///< widths [logical pixels]
  float opacity = 0.85f;           ///< of curves
  Dash dash = Dash::solid;         ///< of curves
  /// Another configuration, which is drawn too: shapes that are in the same place in both are left
  /// out. Null: none.
  const Geometry* beside = nullptr;
};
/// Adds the same as a line drawing that occludes nothing: rings for balls, curves for long shapes.
void add_outline(const Geometry& geometry, double radius, const LaneLook& look, bool fine,
                 Scene& scene, const OutlineStyle& how = {});
/// Adds the fixed parts: balls, pivots, the clamp of a rod, guides, curves.
void add_mounts(const Geometry& geometry, double radius, bool gravity, const PartColors& parts,
                Scene& scene);
/// Adds a translucent unit sphere, with meridians and parallels every `degrees` (none if 0) at the
/// radius `lines` [m].
void add_sphere(int degrees, double lines, const PartColors& parts, bool fine, Scene& scene);
/// Adds an arrow if it is longer than its head.
void add_arrow(const Vec3& from, const Vec3& along, double thickness, glm::vec3 color,
               Scene& scene);

}  // namespace twosphere::render
