// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <glm/geometric.hpp>
#include <glm/vec3.hpp>
#include <memory>
#include <vector>

#include "core/output/lattice_layer.h"
#include "core/worker/snapshot.h"
#include "render/geometry_shapes.h"
#include "render/scene_style.h"

/// What the colours and arrows of a scene show, on the scales of its run.
namespace twosphere::render {

/// A lane that is drawn in full. The scales follow its values if it is the reference.
struct FullLane {
  const Snapshot& snapshot;
  std::size_t lane = 0;
  bool reference = true;

  const State& state() const { return snapshot.lanes[lane].state; }
};

/// Whether the kinetic energy field is shown: not of a system that has no kinetic energy.
bool shows_field(const System& system, const Geometry& geometry, const SceneStyle& style);
/// Faces of an ellipsoid towards e1 − e2 − e3 are brighter than others, so that the form is seen:
/// the brightness of one with the normal n is ellipsoid_shade + ellipsoid_contrast n·light.
inline constexpr float ellipsoid_shade = 0.5f, ellipsoid_contrast = 0.3f;
inline glm::vec3 ellipsoid_light() { return glm::normalize(glm::vec3(1, -1, -1)); }
/// Adds the ellipsoid of a geometry that has one.
void add_ellipsoid(const Geometry& geometry, const std::shared_ptr<const System>& system,
                   glm::vec3 color, SceneMemory& memory, Scene& scene);
/// Adds the field of a lane and its scale.
void add_field(const FullLane& of, const SceneStyle& style, SceneMemory& memory, Scene& scene);
/// What the colours show: the chosen quantity, or the default one; none, Shade::lane, where the
/// system lacks it.
Shade shade_of(const System& system, const Geometry& geometry, const SceneStyle& style);
/// The colours of a lane.
Shading shading_of(const Geometry& geometry, const FullLane& of, const SceneStyle& style,
                   SceneMemory& memory);
/// The colours of the directions q, if it is these that the colours show; else empty.
std::vector<glm::vec3> direction_colors(const System& system, const Geometry& geometry,
                                        const Columns& q, const SceneStyle& style);
/// Whether the colours of a quantity distinguish the signs.
bool has_signs(Shade shade, const ColorScale& scale);
/// Adds the scale of these colours to the legend.
void add_bar(const System& system, const Geometry& geometry, Shade shade, const SceneStyle& style,
             const SceneScales& scales, Scene& scene);
/// Adds the arrows at the bodies of a lane. `extent` and `radius` are those of the system and of
/// its largest body [m]; `geometry` has all bodies.
void add_arrows(const Geometry& geometry, const ShownBodies& shown, const FullLane& of,
                const SceneStyle& style, double extent, double radius, SceneMemory& memory,
                Scene& scene);
/// Adds the force F on a base that flies [N], in units of the weight of all masses; without
/// gravity, of the constant part of F. `extent` as above.
void add_thrust(const FullLane& of, double extent, const SceneStyle& style, Scene& scene);
/// Colours the sphere by the inertia at each latitude.
void color_sphere(const System& system, const Columns& q, const SceneStyle& style, Scene& scene);

}  // namespace twosphere::render
