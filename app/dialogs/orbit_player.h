// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "app/base/background.h"
#include "app/dialogs/orbit_results.h"
#include "core/base/result.h"
#include "core/scenario/scenario.h"
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

  /// Those of a scenario.
  void set_systems(const Scenario& scenario, const OrbitSystems& systems);
  void clear();
  /// A configuration at rest.
  void play(const Columns& q);
  /// The shape of a mode about a configuration, up to an amplitude [rad].
  void play(const Columns& q, const Mode& mode, double amplitude);
  void play(const RelativeEquilibrium& relative, int axis);
  /// An orbit of a scenario, whose system may be another one, with the number of its family, which
  /// is seen at one scale. In the phase of the orbit before; the last one of those asked for
  /// meanwhile.
  void play(const Scenario& orbit, const FoundOrbit& found, std::size_t family);

 private:
  struct Period {
    std::shared_ptr<const System> system;
    std::vector<Columns> motion;
  };
  struct Asked {
    Scenario scenario;
    FoundOrbit orbit;
    std::size_t family = 0;
  };
  static Result<Period> period_of(const Asked& asked, OrbitSystems systems, bool known);

  MotionView& view_;
  Scenario scenario_;
  OrbitSystems systems_;
  std::optional<std::size_t> family_;   // of the orbit that is played
  std::atomic<bool> unwanted_ = false;  // the period that is computed
  std::shared_ptr<const Asked> next_;   // after it
  Background work_;                     // last: it uses the others
};

}  // namespace twosphere
