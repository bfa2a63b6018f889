// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <variant>

namespace twosphere {

// A command is a struct with its fields, its traits, and a function that carries it out:
//
//   struct Beep {
//     static constexpr CommandTraits traits{.keeps_drag = true};
//     int times = 1;
//     void carry_out(CommandDesk& desk) const;
//   };
//
// It takes one more line, its name in core/worker/command_list.h.

/// The object on which commands act (core/worker/command_desk.h).
struct CommandDesk;

/// The properties of a kind of command, besides its action.
struct CommandTraits {
  bool is_edit = false;  ///< changes the run itself, not only its pace or extent
  /// Refused while the run is computed elsewhere.
  bool needs_own_run = is_edit;
  bool interrupts = false;   ///< a step in progress is abandoned, and TakeSteps is cut short
  bool keeps_drag = false;   ///< an open DragEdit is not made before
  bool finishes_row = true;  ///< the row of the present state is written before
};

/// Those of a command of a list.
template <class... C>
const CommandTraits& traits_of(const std::variant<C...>& command) {
  static constexpr std::array all{C::traits...};
  return all[command.index()];
}

}  // namespace twosphere
