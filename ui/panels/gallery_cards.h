// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>

#include "ui/shell/panel.h"

/// The cards of the page of presets. Internal to it.
namespace twosphere::ui {

/// The contents of a card, and their places.
struct GalleryCard {
  enum class Kind { preset, tour, create, own, file };
  Kind kind = Kind::preset;
  /// In preset_entries(), tour_entries(), Frame::own_presets or Frame::recent.
  std::size_t index = 0;
  std::string name;       ///< of the widget
  std::string picture{};  ///< PresetPicture::preset
  std::string title, caption, description;
  std::string problem{};  ///< why it cannot be opened; empty if it can
  std::string words{};    ///< further words by which it is found
  ImVec2 at{}, size{};    ///< on the page [px]
  int line = 0, column = 0;

  /// Whether it is a low one without a picture.
  bool low() const { return kind == Kind::file || kind == Kind::tour; }
};

GalleryCard preset_card(std::size_t index);
GalleryCard tour_card(std::size_t index);
/// The card that begins a system of the user's own.
GalleryCard create_card();
GalleryCard own_card(const UserPreset& preset, std::size_t index);
GalleryCard file_card(const RecentFile& file, std::size_t index);

/// The size of a card of a preset in a page of this width [px].
ImVec2 card_size(const Panel& panel, float width);
/// The height of a card without a picture [px].
float low_card_height(const Panel& panel);

/// The actions of the mouse on a card.
struct CardUse {
  bool opened = false, removed = false, hovered = false;
};
/// Draws a card; `origin`: of the page. `described`: with its whole description beside it.
/// `moment`: of its moving picture, from 0 to 1.
CardUse draw_card(const Panel& panel, const GalleryCard& card, ImVec2 origin, bool chosen,
                  bool described, float moment);

}  // namespace twosphere::ui
