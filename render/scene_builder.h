// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <deque>
#include <memory>
#include <optional>
#include <set>

#include "core/color/color_map.h"
#include "core/color/palette.h"
#include "core/observe/body_quantity.h"
#include "core/observe/surface_field.h"
#include "core/run/worker.h"
#include "render/camera.h"
#include "render/scene.h"

namespace twosphere::render {

struct SceneStyle {
  bool trail = true;
  double trail_span = 4;  ///< [s]
  bool ground = true;
  bool graticule = true;  ///< on the unit sphere
  Palette palette = Palette::dark;
  LaneColors lane_colors = LaneColors::own;
  int reference = 0;       ///< the lane drawn in full
  std::set<int> hidden{};  ///< lanes that are not drawn
  /// What colours show; none: what shows the system best, and bodies in colours of their own where
  /// they have them.
  std::optional<Shade> shade = {};
  ColorMap color_map = ColorMap::viridis;
  bool field = false;  ///< the local kinetic energy instead of many bodies on the unit sphere
  std::array<bool, body_vector_count> arrows{};
  bool fine = true;  ///< else with fewer pieces to a curve, where the processor draws
};

Theme theme(const SceneStyle& style);

/// What one picture of a run hands on to the next: the ends of the scales, and scratch.
struct SceneMemory {
  std::array<ColorScale, shade_count> shades;
  std::array<ScaleTop, body_vector_count> arrows;
  ColorScale field;
  std::unique_ptr<SurfaceField> surface;
  std::shared_ptr<const Mesh::Shape> surface_shape;
};

/// Takes a state into account that is not drawn, so that scales hold for the whole of a run.
void observe(const System& system, const State& state, std::uint64_t generation,
             const SceneStyle& style, SceneMemory& memory);

/// What a snapshot looks like: every system alike, from its Geometry and Extent. Sizes follow from
/// the extent and not from the pose, so that nothing changes while it moves. The reference
/// lane is drawn in full, the others paler and behind it. The trail is made of the poses of the
/// snapshot's generation over the last `trail_span` seconds, oldest first, and ends at the
/// snapshot's state. The only place where doubles become floats.
Scene build_scene(const Snapshot& snapshot, const std::deque<Configuration>& trail,
                  const SceneStyle& style, SceneMemory& memory);
Scene build_scene(const Snapshot& snapshot, const std::deque<Configuration>& trail,
                  const SceneStyle& style);

/// Adds another configuration of a lane to its scene, as an outline that hides nothing.
void add_pose(const Snapshot& snapshot, std::size_t lane, const Columns& q, const SceneStyle& style,
              Scene& scene);

/// The directions q_i of all bodies on one unit sphere, with their trails: to be drawn beside the
/// scene, for systems that do not move on that sphere anyway. Empty for those.
Scene build_inset(const Snapshot& snapshot, const std::deque<Configuration>& trail,
                  const SceneStyle& style);

/// What a camera has to show for the whole motion to be seen, as far as the energy of the first
/// lane reaches; flat things rather from above. One evaluation of the potential.
Framing framing(const Snapshot& snapshot, const SceneStyle& style);

}  // namespace twosphere::render
