// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/json.h"
#include "core/scenario/scenario.h"
#include "core/worker/command_traits.h"

/// Commands that change a run at its present step. DragEdit (core/worker/drag_edit.h) and MousePull
/// (core/worker/mouse_pull.h) are such commands, too.
namespace twosphere {

/// Changes settings, all of them or none, as part of a gesture: see Simulation::set(). Allows a run
/// that has failed or finished to continue.
struct Change {
  static constexpr CommandTraits traits{.is_edit = true};
  std::vector<Setting> settings;
  std::uint64_t gesture = 0;
  /// If another run begins with it, in the past, they are undone together.
  bool continues = false;
  void carry_out(CommandDesk& desk) const;
};

/// Continues backwards in time, or forwards again: see Simulation::reverse(). Also allows a run
/// that has failed or finished to continue.
struct Reverse {
  static constexpr CommandTraits traits{.is_edit = true};
  bool to_start = false;
  void carry_out(CommandDesk& desk) const;
};

/// Begins a lane at the state of another one: see Simulation::add_lane().
struct AddLane {
  static constexpr CommandTraits traits{.is_edit = true};
  json::Node lane;
  void carry_out(CommandDesk& desk) const;
};

/// Pulls a body: see Simulation::pull().
struct PullBody {
  static constexpr CommandTraits traits{.is_edit = true};
  Pull pull;
  void carry_out(CommandDesk& desk) const;
};

/// Makes the open DragEdit. Ends a MousePull, whose last pull runs out.
struct Release {
  static constexpr CommandTraits traits{};
  void carry_out(CommandDesk& desk) const;
};

/// Makes the open DragEdit.
void make_open_edit(CommandDesk& desk);

}  // namespace twosphere
