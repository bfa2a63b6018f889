// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <glm/mat3x3.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/color/color_map.h"
#include "core/output/body_quantity.h"

/// Plain shapes, in metres and in the axes of the equations (e3 down). No OpenGL here.
namespace twosphere::render {

/// For depth tests a shape counts as `back` [m] farther from the viewer than it is, so that nearly
/// coincident shapes do not intersect.
struct Sphere {
  glm::vec3 center;
  float radius;
  glm::vec3 color;
  float back = 0;
};

/// The outline of a ball, a circle on the screen.
struct Ring {
  glm::vec3 center;
  float radius;
  glm::vec3 color;
  float width = 1.7f;  ///< of the line [logical pixels]
};

/// A round rod with flat ends.
struct Cylinder {
  glm::vec3 from, to;
  float radius;
  glm::vec3 color;
  float back = 0;
};

/// The head of an arrow.
struct Cone {
  glm::vec3 base, tip;
  float radius;  ///< of the base
  glm::vec3 color;
  float back = 0;
};

/// A round rod bent along a curve, with open ends, through at least two points that differ.
struct Tube {
  struct Point {
    glm::vec3 position, color;
  };
  std::vector<Point> points;
  float radius = 1;
  float back = 0;
};

inline constexpr std::size_t shell_zones = 16;

/// A translucent ball seen from outside, which occludes nothing; both its sides are visible.
struct Shell {
  bool visible = false;
  glm::vec3 center{0};
  float radius = 1;
  glm::vec3 color{0};
  float opacity = 0.2f;  ///< of one side at normal incidence
  bool both = true;      ///< false: only the side towards the viewer is drawn
  /// In place of `color`: colours at shell_zones + 1 equal steps along e3 from pole to pole.
  std::vector<glm::vec3> zones{};
};

/// An opaque surface of coloured triangles, counterclockwise from outside.
struct Mesh {
  /// Vertices and faces; the renderer caches them as long as the pointer is the same.
  struct Shape {
    std::vector<glm::vec3> vertices;
    std::vector<std::array<unsigned, 3>> faces;
  };
  std::shared_ptr<const Shape> shape;  ///< null: there is none
  std::vector<glm::vec3> colors;       ///< one per face
};

/// Some of the shapes of a list of a scene.
struct ShapeRange {
  std::size_t first = 0, count = 0;
};

/// What is drawn in place of the arrows of a lattice where they are too close to be seen: a cell of
/// one colour for each.
struct LatticeCells {
  Mesh mesh;                                        ///< without a shape there are no cells
  float spacing = 0;                                ///< of the arrows [m]
  ShapeRange spheres, cylinders, cones, polylines;  ///< the shapes that they replace
};

/// A curve of constant width on the screen; alpha per point, so that trails fade.
struct Polyline {
  std::vector<glm::vec4> points;  ///< xyz and alpha; below zero at both ends of a gap
  float width = 2;                ///< logical pixels
  glm::vec3 color;
  float far_side = 1;  ///< factor of alpha behind a sphere about the origin
  float back = 0;
};

/// Many small translucent dots, which fade with their depth and occlude nothing.
struct DotCloud {
  struct Dot {
    glm::vec3 position, color;
  };
  /// The renderer keeps them on the device as long as the pointer is the same.
  std::shared_ptr<const std::vector<Dot>> dots;
  float radius = 0;   ///< [m]; on the screen a dot is at least 1.3 logical pixels in radius
  float opacity = 1;  ///< of the nearest dots
  glm::vec3 center{0};
  float extent = 1;  ///< at this distance before and behind the centre fading begins and ends [m]
  float back = 0;
};

/// A horizontal grid that fades with distance, with the shadows of the shapes above it.
struct Ground {
  bool visible = false;
  glm::vec3 center;   ///< a point of the plane
  float radius = 1;   ///< where the grid has faded out
  float spacing = 1;  ///< between lines
};

struct Theme {
  glm::vec3 background_top, background_bottom, grid, text;
};

/// The scale of the arrows of a vector: the value of the longest possible arrow.
struct ArrowKey {
  BodyVector vector;
  double longest;  ///< in the vector's unit
  glm::vec3 color;
  double length = 0;  ///< of the arrow of the unit [m]
};

struct Scene {
  std::vector<Sphere> spheres;
  std::vector<Sphere> dots;  ///< many small balls, drawn cheaply with hard edges
  std::vector<Ring> rings;
  std::vector<Cylinder> cylinders;
  std::vector<Cone> cones;
  std::vector<Tube> tubes;
  std::vector<Polyline> polylines;
  DotCloud cloud;
  Shell shell;
  Mesh mesh;
  LatticeCells lattice;
  Ground ground;
  bool gravity = false;  ///< shows the arrow of gravity (along +e3) with the corner axes
  glm::vec3 center{0};   ///< of the whole motion, for framing
  float radius = 1;
  /// Positions and radii of the bodies of the first lane, in order; of those that are not shown the
  /// radius is 0.
  std::vector<glm::vec4> bodies;
  std::vector<ColorBar> bars;  ///< colour scales for the legend
  std::vector<ArrowKey> arrow_keys;
  std::vector<std::pair<int, glm::vec3>> spin_tips;  ///< of the arrows of ω, by body
  std::string sizes;  ///< meaning of the sizes of the bodies, if they differ
  /// The rotation from the axes of the equations, in which the shapes are, to those of the frame in
  /// which they are seen: TurningFrame::turn(). Whoever draws the scene applies it to the camera.
  glm::mat3 turn{1};
  std::string frame;  ///< a sentence that says how the frame turns; empty: it is at rest
};

/// A rectangle of a picture or a view in whole pixels, from the upper left corner.
struct CellArea {
  int x = 0, y = 0, width = 0, height = 0;

  bool operator==(const CellArea&) const = default;
};

/// Centres of the labels at the tips of the corner axes and of the gravity arrow, in logical pixels
/// from the upper left corner of the target.
struct AxisLabels {
  std::array<glm::vec2, 3> tips;
  glm::vec2 gravity;
  bool has_gravity = false;
};

}  // namespace twosphere::render
