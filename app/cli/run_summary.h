// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/json.h"
#include "core/mechanics/diagnostics.h"
#include "core/mechanics/exponents.h"
#include "core/record/magnitude.h"
#include "core/record/signal_samples.h"
#include "core/run/simulation.h"
#include "core/studies/measured_lane.h"

namespace twosphere {

/// The results of a lane.
struct LaneSummary {
  double first_time = 0;                 ///< of Simulation::elapsed() [s]
  std::int64_t samples = 0, points = 0;  ///< points of a section
  Magnitude energy_error, unit_length_error, mean_unit_length_error;
  json::Node out = json::Node::object();    ///< "key": value, from the last describe()
  json::Node check = json::Node::object();  ///< of the step, if requested
  std::optional<Warning> warning;
  std::optional<StartDistance> distance;      ///< when the run was last back at its start
  std::vector<Exponents::Exponent> spectrum;  ///< at the end, if tangent vectors follow the lane
  std::optional<SignalSamples> signal;        ///< if frequencies are measured
  int lines = 0;                              ///< how many
  std::optional<MeasuredLane> measured;       ///< if measures are asked for
  /// Why something that an option asked for is not in the summary, with the option.
  std::vector<std::pair<std::string, std::string>> notes;

  /// Adds the present row of the lane, or those of Simulation::rows().
  void add_rows(Simulation& simulation, int index);
  /// Takes the present step of the lane into account, as a Simulation::Observer.
  std::int64_t see(Simulation& simulation, int index);

  /// Describes the current state of the lane with this index, `seconds` of computation after the
  /// start of the run.
  void describe(Simulation& simulation, int number, double seconds);
  /// The largest value of the quantity of the warning.
  std::optional<double> worst() const;
};

/// The summary of a run: with several lanes there is one block per lane that has begun, which
/// starts with its name. The branch comes first, if the run is one, the back end of a system of
/// texts, and the tolerance of forces that have one. `stopped`: why the run ended before its end,
/// if it did.
std::string run_summary(const Simulation& simulation, const std::vector<LaneSummary>& lanes,
                        const std::string& branch, const std::optional<std::string>& stopped,
                        bool as_json);

}  // namespace twosphere
