// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/spoken.h"

#include <imgui/imgui.h>
#include <imgui/imgui_internal.h>

#include <algorithm>

namespace twosphere::ui {

Rect item_rect() {
  const ImVec2 from = ImGui::GetItemRectMin(), to = ImGui::GetItemRectMax();
  return {from.x, from.y, to.x - from.x, to.y - from.y};
}

Rect visible_part(const Rect& rect) {
  const ImVec2 low = ImGui::GetWindowDrawList()->GetClipRectMin();
  const ImVec2 high = ImGui::GetWindowDrawList()->GetClipRectMax();
  const float left = std::max(rect.x, low.x), right = std::min(rect.x + rect.width, high.x);
  const float top = std::max(rect.y, low.y), bottom = std::min(rect.y + rect.height, high.y);
  return left < right && top < bottom ? Rect{left, top, right - left, bottom - top} : Rect{};
}

void Spoken::add_item(const std::string& id, const Rect& rect) {
  const Rect seen = visible_part(rect);
  const unsigned item = ImGui::GetItemID();
  widgets_.push_back({.id = id,
                      .rect = rect,
                      .seen = seen,
                      .operable = item != 0 && item != item_,
                      .enabled = (ImGui::GetItemFlags() & ImGuiItemFlags_Disabled) == 0,
                      .focused = ImGui::IsItemActive() && ImGui::GetIO().WantTextInput});
  item_ = item;
}

SpokenWidget* Spoken::last_item() {
  return item_ != 0 && item_ == ImGui::GetItemID() ? last() : nullptr;
}

void Spoken::describe(std::string_view description) {
  if (SpokenWidget* const widget = last_item()) widget->description = description;
}

void Spoken::name_button(std::string_view name) {
  SpokenWidget* const widget = last_item();
  if (!widget) return;
  if (widget->name.empty()) widget->name = name;
  if (!widget->role) widget->role = Role::button;
}

}  // namespace twosphere::ui
