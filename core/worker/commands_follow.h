// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "core/run/followed_cloud.h"
#include "core/worker/command_traits.h"

/// Commands that say what follows a run: trail, tangent vectors, a cloud.
namespace twosphere {

/// Sets the simulated time that the trail spans [s]; 0: no trail.
struct TrailSpan {
  static constexpr CommandTraits traits{.keeps_drag = true};
  double span = 0;
  void carry_out(CommandDesk& desk) const;
};

/// From now on Exponents::default_count() tangent vectors follow the lanes that can have them, in
/// this run and those after it, or no longer: Simulation::follow_where_possible(). They begin anew
/// after a change of the method.
struct FollowExponents {
  static constexpr CommandTraits traits{.keeps_drag = true};
  bool on = true;
  void carry_out(CommandDesk& desk) const;
};

/// From now on a cloud of at most LiveCloud::max_members() follows a lane, from a step of this run
/// on, and of its branches; after Rewind from the start; not in another scenario. None: no longer.
/// Where the run is past that step, a FollowedCloud finds what the members have done since, with
/// which the same command is sent again: the cloud then joins the run. It takes the steps of the
/// run since, and joins later if that is interrupted.
struct FollowCloud {
  static constexpr CommandTraits traits{.needs_own_run = true, .keeps_drag = true};
  std::optional<CloudSpec> spec;
  int lane = 0;
  std::int64_t from = 0;  ///< later than the present step: the present step
  std::shared_ptr<const CloudBeginning> beginning = nullptr;
  void carry_out(CommandDesk& desk) const;
};

}  // namespace twosphere
