// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "core/base/result.h"
#include "core/mechanics/turning_frame.h"
#include "core/output/page_rows.h"
#include "core/scenario/scenario.h"
#include "core/worker/snapshot.h"

namespace twosphere::render {

struct GltfRun {
  std::string bytes;
  std::size_t frames = 0;
  /// The largest distance of a point, at a row between frames, from its place on the straight line
  /// between them [radius of the scene].
  double error = 0;
  /// Whether it is seen in the frame that was given: one that turns too often for a file is not.
  bool turns = false;
};
/// A file has as few frames as keep GltfRun::error within this, but at most 4000, and 64 MB of
/// them.
inline constexpr double gltf_error = 1e-3;

/// A run as a glTF file of solids that move: of each lane the balls, rods, springs and magnets of
/// System::geometry() in the sizes and colours of build_scene(), in the axes of the equations and
/// in metres below a root that turns e3 down, and that, in a frame, turns against it. A lane that
/// begins later rests at its beginning until then. Colours by value, trails and the ground are left
/// out. `end` names the lanes; `record` repeats the run. Fails without rows, and if there would be
/// more than max_gltf_nodes.
Result<GltfRun> gltf_run(const Snapshot& end, const Scenario& record, const PageRows& rows,
                         const std::optional<TurningFrame>& frame);

}  // namespace twosphere::render
