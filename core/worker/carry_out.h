// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <exception>
#include <variant>

#include "core/base/exceptions.h"
#include "core/base/interrupt.h"
#include "core/worker/command_desk.h"
#include "core/worker/command_traits.h"
#include "core/worker/commands_edit.h"

namespace twosphere {

/// Carries out a command of a list between two steps. If it cannot be carried out, the status has
/// the reason.
template <class... C>
void carry_out(std::variant<C...>& command, CommandDesk& desk) {
  const CommandTraits& traits = traits_of(command);
  try {
    if (traits.finishes_row) {
      const Uninterrupted settling;
      (void)desk.finish_row();
    }
    if (desk.open_edit.active() && !traits.keeps_drag) make_open_edit(desk);
    if (traits.needs_own_run && !desk.source->is_own())
      desk.fail({ErrorKind::usage, "", "the run is computed by another process"});
    else
      std::visit([&desk](auto& one) { one.carry_out(desk); }, command);
  } catch (const std::exception& e) {
    desk.fail(from_exception(e));
  }
  // TakeSteps counts as carried out when its steps are taken.
  if (desk.steps_left == 0) ++desk.status.commands;
  desk.unpublished = true;
}

}  // namespace twosphere
