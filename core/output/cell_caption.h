// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>

#include "core/output/lane_style.h"

namespace twosphere {

/// The caption of a lane or a run above its part of a scene.
struct CellCaption {
  LaneStyle style;
  std::string name;
  std::optional<double> step{};          ///< h [s]; none: not known
  std::optional<double> energy_error{};  ///< E − E₀ − W [J], likewise
  std::optional<double> distance{};      ///< from the reference [rad]; none: it is the reference
  std::string note{};                    ///< "ended at 12.4 s"
};

}  // namespace twosphere
