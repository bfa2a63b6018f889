// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <chrono>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "core/color/color_map.h"
#include "core/color/palette.h"
#include "core/mechanics/sphere.h"
#include "core/mechanics/system.h"
#include "core/mechanics/turning_frame.h"
#include "core/output/body_quantity.h"
#include "core/output/lane_style.h"
#include "core/output/lattice_layer.h"
#include "core/record/surface_field.h"
#include "core/scenario/split.h"
#include "render/scene.h"

/// How a scene looks, and the scales of its colours and arrows.
namespace twosphere::render {

struct SceneStyle {
  bool trail = true;
  double trail_span = 4;  ///< [s]
  bool ground = true;
  bool graticule = true;  ///< on the unit sphere
  Palette palette = Palette::dark;
  LaneColors lane_colors = LaneColors::own;
  int reference = 0;       ///< the lane drawn in full, unless each has a cell
  std::set<int> hidden{};  ///< lanes not drawn
  /// The quantity shown by colours; none: the default of the system, default_shade(), with
  /// individual body colours if has_body_colors().
  std::optional<Shade> shade = {};
  ColorMap color_map = ColorMap::viridis;
  int color_axis = 2;  ///< about which directions are coloured: 0 to 2 for e1 to e3
  bool field =
      false;  ///< shows the local kinetic energy in place of many bodies on the unit sphere
  std::array<bool, body_vector_count> arrows{};
  bool streamlines = true;    ///< of a fluid that carries the bodies
  bool thrust = true;         ///< of a base that flies, as an arrow
  bool fine = true;           ///< false: fewer segments per curve, for software rendering
  Split split = Split::none;  ///< cells(); build_scene() shows all lanes in one
  std::optional<TurningFrame> frame = {};  ///< in which the scene is seen; none: at rest
  /// That is shown alone, where there are layers; none: all bodies are.
  std::optional<LatticeLayer> layer = {};
  int alone = -1;  ///< the lane or run that has the only cell; −1: all have one
};

/// The ends of the scales of colours and arrows, as of the pictures of a run so far.
struct SceneScales {
  std::array<ColorScale, shade_count> shades;
  std::array<ScaleTop, body_vector_count> arrows;
  ColorScale field;
};

/// The streamlines of the reference, as long as they hold.
struct StreamlineMemory {
  std::shared_ptr<const System> system;
  Columns q;
  std::chrono::steady_clock::time_point found{};
  std::vector<std::pair<double, std::vector<Vec3>>> lines;  ///< each with its ψ
};

/// Data passed from one picture of a run to the next: the scales, and scratch memory.
struct SceneMemory : SceneScales {
  std::unique_ptr<SurfaceField> surface;
  std::shared_ptr<const Mesh::Shape> surface_shape;
  std::shared_ptr<const Mesh::Shape> own_shape;  ///< the cells of a lattice, or an ellipsoid
  std::shared_ptr<const System> own_shape_of;    ///< to which it belongs
  std::optional<LatticeLayer> own_shape_layer;   ///< and to which of its layers
  StreamlineMemory streamlines;
};

}  // namespace twosphere::render
