// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/spoken.h"

#include <imgui/imgui.h>
#include <imgui/imgui_internal.h>

#include <algorithm>

namespace twosphere::ui {

void Spoken::add_item(const std::string& id, const Rect& rect) {
  const ImVec2 low = ImGui::GetWindowDrawList()->GetClipRectMin();
  const ImVec2 high = ImGui::GetWindowDrawList()->GetClipRectMax();
  const float left = std::max(rect.x, low.x), right = std::min(rect.x + rect.width, high.x);
  const float top = std::max(rect.y, low.y), bottom = std::min(rect.y + rect.height, high.y);
  const bool visible = left < right && top < bottom;
  const unsigned item = ImGui::GetItemID();
  widgets_.push_back({.id = id,
                      .rect = rect,
                      .seen = visible ? Rect{left, top, right - left, bottom - top} : Rect{},
                      .operable = item != 0 && item != item_,
                      .enabled = (ImGui::GetItemFlags() & ImGuiItemFlags_Disabled) == 0,
                      .focused = ImGui::IsItemActive() && ImGui::GetIO().WantTextInput});
  item_ = item;
  if (id != revealed) return;
  if (bottom - top < rect.height) ImGui::SetScrollHereY();
  revealed.clear();
}

void Spoken::describe(std::string_view name, std::string_view description) {
  if (widgets_.empty() || item_ == 0 || item_ != ImGui::GetItemID()) return;
  SpokenWidget& widget = widgets_.back();
  if (!name.empty() && widget.name.empty()) widget.name = name;
  if (!name.empty() && !widget.role) widget.role = Role::button;
  widget.description = description;
}

}  // namespace twosphere::ui
