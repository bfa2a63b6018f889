// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/surface.h"

#include <imgui/imgui.h>

#include "ui/shell/style.h"

namespace twosphere::ui {

void Surface::begin(Palette palette, float scale, bool keys_shown) {
  if (const std::pair style{palette, scale}; styled != style) {
    apply_style(palette, scale);
    styled = style;
  }
  widgets.clear();
  if (spoken) spoken->begin();
  hover.waiting = false;
  hover.keys.clear();
  hover.keys_shown = keys_shown;
  if (hover.frames_wanted > 0) --hover.frames_wanted;
}

void Surface::take_keys(bool free) {
  const bool popup = ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup);
  const auto pressed = [&](ImGuiKey key) {
    return free && !popup && !ImGui::GetIO().WantTextInput &&
           ImGui::IsKeyPressed(ImGui::GetKeyIndex(key), false);
  };
  hover.escape = pressed(ImGuiKey_Escape);
  hover.enter = !focus.on() && (pressed(ImGuiKey_Enter) || pressed(ImGuiKey_KeyPadEnter));
  focus.begin(popup, free);
}

void Surface::set_spoken(bool on) {
  if (!on)
    spoken.reset();
  else if (!spoken)
    spoken.emplace();
}

std::span<const SpokenWidget> Surface::spoken_widgets() const {
  return spoken ? spoken->widgets() : std::span<const SpokenWidget>();
}

}  // namespace twosphere::ui
