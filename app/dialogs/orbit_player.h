// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <memory>

#include "app/base/background.h"
#include "core/studies/modes.h"
#include "core/studies/orbit_search.h"
#include "core/studies/relative_equilibria.h"

namespace twosphere {

class MotionView;

/// Plays what was found of a system in a MotionView. A period of an orbit is computed on another
/// thread.
class OrbitPlayer {
 public:
  explicit OrbitPlayer(MotionView& view) : view_(view) {}
  ~OrbitPlayer();

  /// The system, and its system_at_rest(); null: nothing can be played.
  void set_system(std::shared_ptr<const System> system, std::shared_ptr<const System> rest);
  void clear();
  /// A configuration at rest.
  void play(const Columns& q);
  /// The shape of a mode about a configuration, up to an amplitude [rad].
  void play(const Columns& q, const Mode& mode, double amplitude);
  void play(const RelativeEquilibrium& relative, int axis);
  /// In the phase of the orbit before; the last one of those asked for meanwhile.
  void play(const FoundOrbit& orbit);

 private:
  MotionView& view_;
  std::shared_ptr<const System> system_, rest_;
  std::atomic<bool> unwanted_ = false;      // the period that is computed
  std::shared_ptr<const FoundOrbit> next_;  // after it
  Background work_;                         // last: it uses the others
};

}  // namespace twosphere
