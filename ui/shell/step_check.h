// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/mechanics/step_map.h"

namespace twosphere::ui {

/// What a step of each lane does, core/mechanics/step_map.h, measured beside the run at one of its
/// states.
struct StepCheck {
  struct Lane {
    std::string integrator;  ///< key in the catalogue
    double step = 0;         ///< h [s]
    std::optional<SymplecticityDefect> symplecticity;
    std::optional<ReversalError> reversal;
    std::string problem;  ///< why one of them could not be measured
    bool done = false;
  };
  std::uint64_t number = 0;  ///< rises with every check
  std::int64_t steps = 0;    ///< where the run stood
  double t = 0;              ///< [s]
  bool conservative = true;  ///< neither damping nor external forces
  std::vector<Lane> lanes;

  bool done() const { return lanes.empty() || lanes.back().done; }
};

}  // namespace twosphere::ui
