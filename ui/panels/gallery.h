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
  int chosen = 0;        ///< index of the card that Enter opens
  bool reveal = false;   ///< the next frame scrolls to the chosen card
  bool by_keys = false;  ///< the keys chose it, and the mouse has not moved since

  /// Opens the page with the card of the open scenario chosen, if that is a preset.
  void show(const Scenario* opened);
};

/// Draws a card for every preset and below them one for each of the user's presets and every recent
/// file, over the whole view. A click or Enter opens the scenario and closes the page; Esc closes
/// it. The arrow keys, Home and End move the choice, and show
/// the whole description of the card, as the mouse does where it rests.
void gallery_page(const Panel& panel, Gallery& gallery, Settings& settings);

}  // namespace twosphere::ui
