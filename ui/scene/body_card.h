// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "core/mechanics/body_motion.h"
#include "ui/fields/number_field.h"
#include "ui/shell/panel.h"

namespace twosphere::ui {

/// The card of the selected body.
struct BodyCard {
  std::optional<BodyId> selected;
  bool left = false;  ///< placed at the left edge of the scene
  float height = 0;   ///< with what is scrolled out of view, as of the last frame [px]
  /// The motion that a drag of a number starts from; while the run plays, the present one.
  std::optional<BodyMotion> from;
};

/// Draws the card with the values of the selected body. Its q and ω are fields: at the start they
/// change the start; later they are an event that sets the state of every lane. `angles`: shows θ,
/// φ and their rates instead.
void body_card(const Panel& panel, BodyCard& card, NumberFields& fields, bool& angles,
               const Rect& scene);

}  // namespace twosphere::ui
