// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <glm/vec3.hpp>
#include <span>
#include <vector>

#include "core/mechanics/system.h"
#include "core/observe/body_quantity.h"
#include "render/scene.h"

/// The shapes that a figure is drawn with.
namespace twosphere::render {

struct Inks {
  glm::vec3 link, mount, body;
  glm::vec3 north, south;  // of a magnet
  glm::vec3 shell;
};
Inks inks(Palette palette);
/// Of the arrows of a vector.
glm::vec3 vector_ink(BodyVector vector, Palette palette);

/// A lane's colours: its own, and the common ones, paler for ghosts.
struct LaneLook {
  glm::vec3 ink;
  Inks inks;
  float opacity = 1;                ///< of lines
  std::vector<glm::vec3> bodies{};  ///< their own; empty: tones of the lane's
};

/// Colours by number: one per spring, joint or body. Empty: by lane.
struct Shading {
  Shade shade = Shade::lane;
  glm::vec3 calm{0};  ///< of no energy, no speed
  std::vector<glm::vec3> colors;

  std::span<const glm::vec3> of(Shade wanted) const {
    return shade == wanted ? std::span<const glm::vec3>(colors) : std::span<const glm::vec3>();
  }
  std::span<const glm::vec3> of_bodies() const {
    return info(shade).of_bodies ? std::span<const glm::vec3>(colors)
                                 : std::span<const glm::vec3>();
  }
};

/// The links that are held, which come before those of the bodies.
std::span<const Geometry::Link> held(const Geometry& geometry);
/// Radius of the largest body [m]: smaller where bodies hang close together or share a sphere.
double body_radius(const Geometry& geometry, double extent);
/// Of body i: by number; else its own, or in the lane's tones, the last the lane's own.
glm::vec3 body_color(const Geometry& geometry, std::size_t i, const LaneLook& look,
                     const Shading& shading);

/// Bodies, links, springs, magnets, rods.
void add_figure(const Geometry& geometry, double radius, const LaneLook& look,
                const Shading& shading, bool fine, Scene& scene);
/// The same as a drawing of lines that hides nothing: rings for balls, curves for what is long.
void add_outline(const Geometry& geometry, double radius, const LaneLook& look, bool fine,
                 Scene& scene);
/// What does not move: pivots, the clamp of a rod, guides.
void add_mounts(const Geometry& geometry, double radius, bool gravity, const Inks& inks,
                Scene& scene);
/// A translucent unit sphere, with meridians and parallels every so many degrees if any, at a
/// distance `lines` from the centre [m].
void add_sphere(int degrees, double lines, const Inks& inks, bool fine, Scene& scene);
/// An arrow, if it is longer [m] than its head.
void add_arrow(const Vec3& from, const Vec3& along, double thickness, glm::vec3 color,
               Scene& scene);

}  // namespace twosphere::render
