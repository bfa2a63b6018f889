// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace twosphere {
struct Scenario;
}

namespace twosphere::ui {

struct Panel;
struct Settings;

/// The state of the page of presets.
struct Gallery {
  bool open = false;
  std::string chosen;     ///< the card that Enter opens, by its name
  std::string filter;     ///< what was typed: other cards are not shown
  bool reveal = false;    ///< the next frame scrolls to the chosen card
  bool by_keys = false;   ///< the keys chose it, and the mouse has not moved since
  bool selected = false;  ///< Ctrl+A: what is typed next takes the place of the filter
  std::string moving;     ///< the preset whose moving picture plays; empty: none
  double since = 0;       ///< when it began [s]

  /// Opens the page with the card of the open scenario chosen, if that is a preset.
  void show(const Scenario* opened);
};

/// Draws the page of presets over the whole view: the rows of preset_rows(), which begin with
/// the tours, a card that begins a new system, the user's presets and the recent files. A click or
/// Enter opens the scenario and closes the page. The arrow keys, Home and End move the choice, and
/// show the whole description of the card, as the mouse does where it rests; its picture moves.
/// What is typed filters the cards and chooses the first whose title has the words, else the first;
/// Ctrl+A selects the filter, and Esc clears it, and then closes the page.
void gallery_page(const Panel& panel, Gallery& gallery, Settings& settings);

}  // namespace twosphere::ui
