// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace twosphere {
struct Scenario;
}

namespace twosphere::ui {

struct Panel;
struct Settings;

/// The page of presets, as it stands from frame to frame.
struct Gallery {
  bool open = false;
  int chosen = 0;       ///< index of the card that Enter opens
  bool reveal = false;  ///< the next frame scrolls to it

  /// Opens it with the card of what is open chosen, if that is a preset.
  void show(const Scenario* opened);
};

/// A card for every preset and below them one for every recent file, over the whole view. A click
/// or Enter opens one and closes the page, as Esc does; the arrows, Home and End choose.
void gallery_page(const Panel& panel, Gallery& gallery, Settings& settings);

}  // namespace twosphere::ui
