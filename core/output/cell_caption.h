// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>

#include "core/output/lane_style.h"

namespace twosphere {

/// Where the line of a caption begins below the upper edge of its cell, and its height [logical
/// pixels].
inline constexpr float caption_top = 4, caption_height = 20;
/// From the upper edge of a cell to below its caption and, if there is one, the note [logical
/// pixels].
constexpr float caption_depth(bool note) {
  return caption_top + (note ? 2.0f : 1.0f) * caption_height;
}

/// The caption of a lane or a run above its part of a scene.
struct CellCaption {
  LaneStyle style;
  std::string name;
  std::optional<double> step{};          ///< h [s]; none: not known
  std::optional<double> energy_error{};  ///< E − E₀ − W [J]; none: not known
  std::optional<double> distance{};      ///< from the reference [rad]; none: it is the reference
  std::string note{};                    ///< "ended at 12.4 s"
};

}  // namespace twosphere
