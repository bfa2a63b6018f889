// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <deque>
#include <functional>

#include "core/color/look.h"
#include "core/mechanics/sphere.h"
#include "core/mechanics/state.h"
#include "core/mechanics/system.h"
#include "core/output/lattice_layer.h"
#include "core/run/trail.h"
#include "core/worker/snapshot.h"
#include "render/geometry_shapes.h"
#include "render/scene.h"
#include "render/scene_style.h"
#include "render/trails.h"

/// The trails of the bodies of a lane.
namespace twosphere::render {

/// Calls use(configuration, q of the lane) for the configurations of a trail of `span` [s], for at
/// most 2e5 positions of bodies in total. One configuration per time slot is used, so that the
/// choice does not change from frame to frame.
void each_configuration(const Snapshot& snapshot, std::size_t lane,
                        const std::deque<Configuration>& trail, double span,
                        const std::function<void(const Configuration&, const Columns&)>& use);
/// What carries a point of a trail along with the frame of a style, up to the present state.
Mat3 turn_since(const Configuration& was, const State& now, const SceneStyle& style);
/// The first body with a trail. Of many bodies only the end of a chain has one, and none if all are
/// alike. In a lane that is not drawn in full only the last body has one. Magnets have trails at
/// their north poles.
std::size_t first_trail(const Geometry& geometry, bool full);
/// Adds the curves of the trails from the one of body `first` on.
void add_curves(const Trails& trails, const Snapshot& snapshot, const Geometry& geometry,
                std::size_t first, bool on_sphere, const SceneStyle& style, const LaneLook& look,
                Dash dash, Scene& scene);
/// Adds those of a lane. `geometry`: of all its bodies now; it is overwritten. `full`: the lane is
/// drawn in full.
void add_trails(const Snapshot& snapshot, std::size_t lane, const std::deque<Configuration>& trail,
                const SceneStyle& style, const ShownBodies& shown, const LaneLook& look, bool full,
                Dash dash, Geometry& geometry, Scene& scene);

}  // namespace twosphere::render
