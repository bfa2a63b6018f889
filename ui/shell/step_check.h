// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/mechanics/step_map.h"
#include "core/worker/snapshot.h"

namespace twosphere::ui {

/// The properties of a step of each lane (core/mechanics/step_map.h), measured at a state of the
/// run.
struct StepCheck {
  struct Lane {
    std::string integrator;  ///< key in the catalogue
    double step = 0;         ///< h [s]
    Values values{};         ///< of its other parameters
    std::optional<SymplecticityDefect> symplecticity;
    std::optional<ReversalError> reversal;
    std::string problem;  ///< why a measurement failed
    bool done = false;

    /// Whether the lane has these settings.
    bool is_of(const LaneSpec& spec) const {
      return integrator == spec.type && step == spec.step && values == spec.values;
    }
  };
  std::uint64_t number = 0;      ///< increases with every check
  std::uint64_t generation = 0;  ///< of the run, see Snapshot
  std::int64_t steps = 0;        ///< step of the run
  double t = 0;                  ///< [s]
  bool conservative = true;      ///< no damping and no external forces
  std::vector<Lane> lanes;

  bool done() const { return lanes.empty() || lanes.back().done; }
  /// Whether it is of this run, with the methods and steps that its lanes have.
  bool is_of(const Snapshot& s) const {
    return generation == s.generation &&
           std::equal(lanes.begin(), lanes.end(), s.present->lanes.begin(), s.present->lanes.end(),
                      [](const Lane& lane, const LaneSpec& spec) { return lane.is_of(spec); });
  }
};

}  // namespace twosphere::ui
