// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <glm/vec3.hpp>
#include <glm/vec4.hpp>
#include <vector>

/// Plain shapes, in metres and in the axes of the equations (e3 down). No OpenGL here.
namespace twosphere::render {

struct Sphere {
  glm::vec3 center;
  float radius;
  glm::vec3 color;
};

/// A round rod with flat ends.
struct Cylinder {
  glm::vec3 from, to;
  float radius;
  glm::vec3 color;
};

/// A curve of constant width on the screen; alpha per point, so that trails fade.
struct Polyline {
  std::vector<glm::vec4> points;  ///< xyz and alpha
  float width = 2;                ///< logical pixels
  glm::vec3 color;
  float far_side = 1;  ///< share of alpha where it lies behind a sphere about the origin
};

/// A horizontal grid that fades with distance, with contact shadows of what stands above it.
struct Ground {
  bool visible = false;
  glm::vec3 center;   ///< a point of the plane
  float radius = 1;   ///< where it has faded away
  float spacing = 1;  ///< between lines
};

struct Theme {
  glm::vec3 background_top, background_bottom, grid, text;
};

struct Scene {
  std::vector<Sphere> spheres;
  std::vector<Cylinder> cylinders;
  std::vector<Polyline> polylines;
  Ground ground;
  bool gravity = false;  ///< shows the arrow of gravity (along +e3) with the corner axes
  glm::vec3 center{0};   ///< of the whole motion, for framing
  float radius = 1;
};

}  // namespace twosphere::render
