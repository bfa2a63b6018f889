// SPDX-License-Identifier: GPL-3.0-or-later
#include "render/lattice_cells.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include "render/convert.h"

namespace twosphere::render {

namespace {

constexpr float min_spacing = 6;  // of arrows [logical pixels]

// Each cell as a fan of triangles about its first corner.
std::shared_ptr<const Mesh::Shape> cell_shape(const Geometry& geometry) {
  auto shape = std::make_shared<Mesh::Shape>();
  for (std::size_t i = 0; i < geometry.arrows.size(); ++i) {
    const Geometry::Cell& cell = geometry.cells[i % geometry.cells.size()];
    const Vec3 middle = (geometry.arrows[i].from + geometry.arrows[i].to) / 2;
    const auto first = static_cast<unsigned>(shape->vertices.size());
    for (std::size_t k = 0; k < cell.count; ++k)
      shape->vertices.push_back(to_float(Vec3(middle + cell.corners.at(k))));
    for (unsigned k = 2; k < cell.count; ++k)
      shape->faces.push_back({first, first + k - 1, first + k});
  }
  return shape;
}

// The distance of neighbours: twice that of a site from the nearest edge of its cell.
float neighbour_distance(const Geometry::Cell& cell) {
  double least = std::numeric_limits<double>::max();
  for (std::size_t k = 0; k < cell.count; ++k) {
    const Vec3 &a = cell.corners.at(k), &b = cell.corners.at((k + 1) % cell.count);
    least = std::min(least, a.cross(b).norm() / (b - a).norm());
  }
  return static_cast<float>(2 * least);
}

template <class Shape>
std::vector<Shape> without(const std::vector<Shape>& shapes, const ShapeRange& range) {
  const auto first = shapes.begin() + static_cast<std::ptrdiff_t>(range.first);
  std::vector<Shape> rest(shapes.begin(), first);
  rest.insert(rest.end(), first + static_cast<std::ptrdiff_t>(range.count), shapes.end());
  return rest;
}

}  // namespace

LatticeCells begin_cells(const Scene& scene) {
  LatticeCells begun;
  begun.spheres.first = scene.spheres.size();
  begun.cylinders.first = scene.cylinders.size();
  begun.cones.first = scene.cones.size();
  begun.polylines.first = scene.polylines.size();
  return begun;
}

void add_cells(const Geometry& geometry, const std::shared_ptr<const System>& system,
               const std::optional<LatticeLayer>& layer, const LaneLook& look,
               const Shading& shading, LatticeCells begun, SceneMemory& memory, Scene& scene) {
  if (memory.own_shape_of != system || memory.own_shape_layer != layer) {
    memory.own_shape = cell_shape(geometry);
    memory.own_shape_of = system;
    memory.own_shape_layer = layer;
  }
  LatticeCells& cells = scene.lattice = std::move(begun);
  cells.spheres.count = scene.spheres.size() - cells.spheres.first;
  cells.cylinders.count = scene.cylinders.size() - cells.cylinders.first;
  cells.cones.count = scene.cones.size() - cells.cones.first;
  cells.polylines.count = scene.polylines.size() - cells.polylines.first;
  cells.spacing = neighbour_distance(geometry.cells.front());
  cells.mesh.shape = memory.own_shape;
  cells.mesh.colors.reserve(memory.own_shape->faces.size());
  for (std::size_t i = 0; i < geometry.arrows.size(); ++i)
    cells.mesh.colors.insert(cells.mesh.colors.end(),
                             geometry.cells[i % geometry.cells.size()].count - 2,
                             body_color(geometry, i, look, shading));
}

bool shows_cells(const Scene& scene, const Camera& camera, float height) {
  return scene.lattice.mesh.shape &&
         scene.lattice.spacing * camera.pixels_per_metre(height) < min_spacing;
}

Scene with_cells(const Scene& scene) {
  const LatticeCells& cells = scene.lattice;
  Scene rest;
  rest.spheres = without(scene.spheres, cells.spheres);
  rest.dots = scene.dots;
  rest.rings = scene.rings;
  rest.cylinders = without(scene.cylinders, cells.cylinders);
  rest.cones = without(scene.cones, cells.cones);
  rest.tubes = scene.tubes;
  rest.polylines = without(scene.polylines, cells.polylines);
  rest.cloud = scene.cloud;
  rest.shell = scene.shell;
  rest.mesh = cells.mesh;
  rest.ground = scene.ground;
  rest.gravity = scene.gravity;
  rest.center = scene.center;
  rest.radius = scene.radius;
  return rest;
}

}  // namespace twosphere::render
