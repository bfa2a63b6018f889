// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "core/color/palette.h"
#include "core/output/lane_style.h"
#include "core/worker/worker.h"
#include "render/camera.h"
#include "render/scene.h"
#include "render/scene_style.h"

namespace twosphere::render {

Theme theme(const SceneStyle& style);

/// Includes a state that is not drawn in the scales, so that they are valid for the whole run.
void observe(const System& system, const State& state, std::uint64_t generation,
             const SceneStyle& style, SceneMemory& memory);

/// Builds the scene of a snapshot. Every system is drawn in the same way from its Geometry and
/// Extent. Sizes depend on the extent and not on the configuration, so that they do not change
/// during the motion. The reference lane is drawn in full. Where others differ from it they are
/// rings, and curves in their own dashes, in their own colours. `trail` contains configurations,
/// oldest first; those of the generation of the snapshot within the last `trail_span` seconds form
/// the trail, which ends at the state of the snapshot.
Scene build_scene(const Snapshot& snapshot, const std::deque<Configuration>& trail,
                  const SceneStyle& style, SceneMemory& memory);
Scene build_scene(const Snapshot& snapshot, const std::deque<Configuration>& trail,
                  const SceneStyle& style);

/// A scene with one lane alone, drawn in full. The scales of colours and arrows follow it only if
/// it is the reference.
Scene build_lane(const Snapshot& snapshot, std::size_t lane, bool reference,
                 const std::deque<Configuration>& trail, const SceneStyle& style,
                 SceneMemory& memory);

/// The lane that is drawn in full: the reference or, if that is hidden, the first that is not; the
/// number of lanes if all are.
std::size_t full_lane(const Snapshot& snapshot, const SceneStyle& style);
/// The lanes that are shown, in order.
std::vector<std::size_t> shown_lanes(const Snapshot& snapshot, const SceneStyle& style);
/// The colour and the dashes of a lane among those of the run.
LaneStyle style_of_lane(const Snapshot& snapshot, std::size_t lane, const SceneStyle& style);

/// Adds another configuration of a lane to its scene, as an outline that occludes nothing: in the
/// colours of the lane, or in one color; bodies that have their own colours keep them, and have
/// a second ring in that one. Without the shapes that are in the same place in the configuration
/// `beside`, if there is one. `time`: that of the configuration [s], for a frame that turns; none:
/// that of the scene.
void add_configuration(const Snapshot& snapshot, std::size_t lane, const Columns& q,
                       const SceneStyle& style, Scene& scene, std::optional<Color> color = {},
                       const Columns* beside = nullptr, std::optional<double> time = {});

/// The directions q_i of all bodies on one unit sphere, with their trails, as an inset. Empty for
/// systems whose bodies move on the unit sphere.
Scene build_inset(const Snapshot& snapshot, const std::deque<Configuration>& trail,
                  const SceneStyle& style);

/// The region that contains every motion possible with the energy of the first lane; where that is
/// no bound, the region of its motion in the next 5 s, or in one turn at its motion_rate() if that
/// is longer, if that is much smaller: motion_box(). Where a base flies, nothing is a bound: that
/// motion is shown or, if it leads far away, the surroundings of its start, where the frame of the
/// style has them now. It does not depend on the planned end of the run. Flat regions are viewed
/// from higher above. Cost: up to about 50 ms.
Framing framing(const Snapshot& snapshot, const SceneStyle& style);

}  // namespace twosphere::render
