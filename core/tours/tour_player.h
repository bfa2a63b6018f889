// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/run/simulation.h"
#include "core/studies/measured_lane.h"
#include "core/tours/tour.h"

namespace twosphere {

/// Makes the change of an instruction that is a setting or a lane to a scenario that has not begun.
/// Does nothing for other instructions. Locations of errors are paths.
Result<Scenario> with_instruction(const Scenario& scenario, const TourInstruction& instruction);

/// Plays a tour without a window: the same instructions, as fast as the steps can be taken. What a
/// step waits for is done, too: the run continues to the time, the key is pressed, a body is
/// pulled. Of the actions those act that change the run (rewind, run_backwards, reset_parameters);
/// the others are of the view.
class TourPlayer {
 public:
  /// At the start of the preset of the tour.
  static Result<TourPlayer> create(Tour tour);

  /// Goes through the next step. Returns its claims that are false, as "TEXT is false: 0.2, 0.1".
  /// Fails if an instruction cannot be done, a step of the run cannot be taken, or a claim names a
  /// lane that the run lacks; the location is "step N".
  Result<std::vector<std::string>> next();
  /// Whether all steps have been gone through.
  bool done() const { return at_ == tour_.steps.size(); }
  const Simulation& run() const { return run_; }

 private:
  TourPlayer(Tour tour, Scenario preset, Simulation run)
      : tour_(std::move(tour)), preset_(std::move(preset)), run_(std::move(run)) {}
  Result<void> begin(Scenario scenario);
  Result<void> watch();
  Result<void> carry_out(const TourInstruction& instruction);
  Result<void> act(std::string_view action);
  Result<void> wait_for(const TourWait& wait);
  Result<void> continue_to(double time);
  Result<void> take_steps(std::int64_t count);
  Result<void> come_back();
  Result<void> pull();
  Result<int> lane_named(const std::string& name) const;
  Result<double> value_of(const ClaimSide& side);

  Tour tour_;
  Scenario preset_;
  Simulation run_;
  /// Those of the claims, of every lane; held by pointers, because the run observes with them.
  std::vector<std::unique_ptr<MeasuredLane>> measured_;
  std::size_t at_ = 0;  ///< the step that comes next
};

}  // namespace twosphere
