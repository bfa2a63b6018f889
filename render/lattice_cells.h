// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>

#include "core/mechanics/system.h"
#include "core/output/lattice_layer.h"
#include "render/camera.h"
#include "render/geometry_shapes.h"
#include "render/scene.h"
#include "render/scene_style.h"

/// The cells of a lattice in a plane, or of a layer of a cubic one, which are drawn where its
/// arrows would be too close together on the screen.
namespace twosphere::render {

/// Marks where the shapes begin that cells can replace: what is added to the scene from here on.
LatticeCells begin_cells(const Scene& scene);
/// Adds the cells of a geometry that has some, in the colours of its arrows; they replace what was
/// added since begin_cells(). `layer`: that the geometry was cut to, if it was.
void add_cells(const Geometry& geometry, const std::shared_ptr<const System>& system,
               const std::optional<LatticeLayer>& layer, const LaneLook& look,
               const Shading& shading, LatticeCells begun, SceneMemory& memory, Scene& scene);

/// Whether cells are drawn: if the arrows are less than 6 logical pixels apart beside the target of
/// the camera, in a view of this height [logical pixels].
bool shows_cells(const Scene& scene, const Camera& camera, float height);
/// The scene with its cells in place of the arrows.
Scene with_cells(const Scene& scene);

}  // namespace twosphere::render
