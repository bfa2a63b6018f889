// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/mechanics/step_map.h"

namespace twosphere::ui {

/// The properties of a step of each lane (core/mechanics/step_map.h), measured at a state of the
/// run.
struct StepCheck {
  struct Lane {
    std::string integrator;  ///< key in the catalogue
    double step = 0;         ///< h [s]
    std::optional<SymplecticityDefect> symplecticity;
    std::optional<ReversalError> reversal;
    std::string problem;  ///< why a measurement failed
    bool done = false;
  };
  std::uint64_t number = 0;  ///< increases with every check
  std::int64_t steps = 0;    ///< step of the run
  double t = 0;              ///< [s]
  bool conservative = true;  ///< no damping and no external forces
  std::vector<Lane> lanes;

  bool done() const { return lanes.empty() || lanes.back().done; }
};

}  // namespace twosphere::ui
