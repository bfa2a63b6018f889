// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "core/run/grip.h"
#include "core/run/simulation.h"

namespace twosphere {

/// Pulls a body with a Grip towards a target from now on, by recorded pulls of about 1/60 s of real
/// time each. Replaces the previous Grab.
struct Grab {
  int lane = 0;  ///< lane whose state determines the force; the force acts in all lanes
  int body = 0;
  Vec3 target = Vec3::Zero();  ///< [m]
  /// Frequency of the spring relative to the default of 12 rad/s of real time. It is limited for
  /// stability.
  double stiffness = 1;
};

/// The hand that holds a body of a run that goes on: makes one pull after the other.
class PullByHand {
 public:
  /// At the present step of the run. The lane and the body must exist.
  PullByHand(const Grab& grab, const Simulation& run) : grab_(grab), next_(run.steps()) {}

  int body() const { return grab_.body; }
  /// Another target for the same body; it counts from the next pull.
  void move(const Grab& grab) { grab_ = grab; }

  /// The step at which the next pull begins.
  std::int64_t next() const { return next_; }
  /// The next pull begins now, as the pace has changed.
  void hurry(const Simulation& run) { next_ = run.steps(); }
  /// Starts the next pull if the last one has run out. `pace`: ratio of simulated to real time, 0
  /// if unknown.
  Result<void> pull(Simulation& run, double pace);
  /// Lets the last pull end. A longer one, which began at a faster pace, is cancelled by its
  /// opposite.
  Result<void> let_go(Simulation& run) const;

 private:
  std::pair<Vec3, std::int64_t> pulled_beyond(const Simulation& run, std::int64_t step) const;

  Grab grab_;
  std::shared_ptr<const System> system_;  // of the grip
  std::optional<Grip> grip_;
  std::int64_t since_ = -1;  // step at which the last pull began; -1: none yet
  std::int64_t next_;
};

}  // namespace twosphere
