// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "ui/shell/panel.h"

namespace twosphere::ui {

/// The card of the selected body.
struct BodyCard {
  std::optional<BodyId> selected;
  bool left = false;  ///< placed at the left edge of the scene
  float height = 0;   ///< as of the last frame [px]
};

/// Draws the card with the values of the selected body.
void body_card(const Panel& panel, BodyCard& card, const Rect& scene);

}  // namespace twosphere::ui
