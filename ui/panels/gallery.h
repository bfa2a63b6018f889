// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace twosphere {
struct Scenario;
}

namespace twosphere::ui {

struct Panel;
struct Settings;

/// The state of the page of presets.
struct Gallery {
  bool open = false;
  int chosen = 0;       ///< index of the card that Enter opens
  bool reveal = false;  ///< the next frame scrolls to the chosen card

  /// Opens the page with the card of the open scenario chosen, if that is a preset.
  void show(const Scenario* opened);
};

/// Draws a card for every preset and below them one for each of the user's presets and every recent
/// file, over the whole view. A click or Enter opens the scenario and closes the page; Esc closes
/// it. The arrow keys, Home and End move the choice.
void gallery_page(const Panel& panel, Gallery& gallery, Settings& settings);

}  // namespace twosphere::ui
