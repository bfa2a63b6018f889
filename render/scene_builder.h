// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <deque>
#include <set>

#include "core/palette.h"
#include "core/worker.h"
#include "render/scene.h"

namespace twosphere::render {

struct SceneStyle {
  bool trail = true;
  double trail_span = 4;  ///< [s]
  bool ground = true;
  Palette palette = Palette::dark;
  LaneColors lane_colors = LaneColors::own;
  int reference = 0;       ///< the lane drawn in full
  std::set<int> hidden{};  ///< lanes that are not drawn
};

Theme theme(const SceneStyle& style);

/// What a snapshot looks like: every system alike, from its Figure and Extent. Sizes follow from
/// the extent and not from the pose, so that nothing changes while it moves. The reference
/// lane is drawn in full, the others paler. The trail is made of the poses of the snapshot's
/// generation over the last `trail_span` seconds, oldest first, and ends at the snapshot's state.
/// The only place where doubles become floats.
Scene build_scene(const Snapshot& snapshot, const std::deque<Pose>& trail, const SceneStyle& style);

}  // namespace twosphere::render
