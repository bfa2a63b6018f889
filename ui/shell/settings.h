// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/color/color_map.h"
#include "core/color/palette.h"
#include "core/output/body_quantity.h"
#include "core/output/lattice_layer.h"
#include "core/scenario/split.h"
#include "core/studies/view_frame.h"
#include "ui/plot/plot_spec.h"

namespace twosphere::ui {

/// The user settings, stored between sessions.
struct Settings {
  /// Logical pixels at scale 1; in views wider than 1280 the right column gets a share of the
  /// additional width.
  float left_width = 300, right_width = 380;
  bool columns = true;
  Palette palette = Palette::dark;
  LaneColors lane_colors = LaneColors::own;
  float scale = 1;  ///< scale of the interface, multiplied by that of the screen
  bool trail = true, ground = true;
  bool graticule = true, inset = true, labels = false;
  bool angles = false;              ///< the card of a body shows θ and φ instead of q and ω
  bool time_pictures = true;        ///< of the instant under the mouse on the time line
  bool joystick_springs = true;     ///< the joystick of the torque returns to 0 when released
  bool field = false;               ///< the kinetic energy field
  bool streamlines = true;          ///< of a fluid that carries the bodies
  Split split = Split::none;        ///< whether lanes or runs have their own cells
  std::optional<Shade> shade = {};  ///< quantity shown by colours; none: the default
  ColorMap color_map = ColorMap::viridis;
  int color_axis = 2;  ///< SceneStyle::color_axis
  std::array<bool, body_vector_count> arrows{};
  double trail_span = 4;  ///< [s]
  /// The frame that the scene is drawn in, of the open document; none: it is at rest.
  std::optional<FrameChoice> frame = {};
  /// SceneStyle::layer, of the open document.
  std::optional<LatticeLayer> layer = {};
  bool gallery_at_start = true;  ///< show the page of presets at startup
  bool moving_pictures = true;   ///< on that page
  std::vector<PlotSpec> plots = energy_plots();
  /// The owner of `plots`: the key of the preset, or of the system if the scenario is not a preset;
  /// empty: none yet.
  std::string plots_of;
  /// Their default plots, which need no entry in the next.
  std::vector<PlotSpec> default_plots = energy_plots();
  /// Lists of plots that differ from the default of the system, by owner. The entry of `plots_of`
  /// may be outdated.
  std::map<std::string, std::vector<PlotSpec>, std::less<>> own_plots;
  /// The lane that is drawn in full and from which distances are measured; with the next, stored
  /// only in sessions and for recovery.
  int reference_lane = 0;
  /// The run that distances are measured to: BranchView::id; −1: the present one, whichever that
  /// is.
  int reference_run = -1;

  bool operator==(const Settings&) const = default;
};

}  // namespace twosphere::ui
