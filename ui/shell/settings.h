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
#include "core/observe/body_quantity.h"
#include "ui/plot/plot_spec.h"

namespace twosphere::ui {

/// What the user arranged; kept over sessions.
struct Settings {
  /// Logical pixels at scale 1; in views wider than 1280 the right column is wider by a part of
  /// the rest.
  float left_width = 300, right_width = 380;
  bool columns = true;
  Palette palette = Palette::dark;
  LaneColors lane_colors = LaneColors::own;
  float scale = 1;  ///< of the interface, on top of the screen's
  bool trail = true, ground = true;
  bool graticule = true, inset = true, labels = false;
  bool field = false;               ///< the kinetic energy field
  std::optional<Shade> shade = {};  ///< what colours show; none: what is usual
  ColorMap color_map = ColorMap::viridis;
  std::array<bool, body_vector_count> arrows{};
  double trail_span = 4;         ///< [s]
  bool gallery_at_start = true;  ///< the page of presets opens with the program
  std::vector<PlotSpec> plots = default_plots();
  /// Whose they are: a preset's key, of another scenario its system's; empty: nobody's yet.
  std::string plots_of;
  /// Lists that are not their system's usual one, by whose they are; of `plots_of` the one of
  /// before.
  std::map<std::string, std::vector<PlotSpec>, std::less<>> own_plots;
  /// The lane that is drawn in full and that distances are taken from; kept for recovery only.
  int reference_lane = 0;

  bool operator==(const Settings&) const = default;
};

}  // namespace twosphere::ui
