// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/key_focus.h"

#include <imgui/imgui.h>
#include <imgui/imgui_internal.h>

#include <algorithm>
#include <utility>

#include "ui/shell/spoken.h"
#include "ui/shell/style.h"

namespace twosphere::ui {

namespace {

constexpr float ring_width = 2, ring_gap = 2;

bool key_pressed(ImGuiKey key, bool repeats) {
  return ImGui::IsKeyPressed(ImGui::GetKeyIndex(key), repeats);
}

/// +1 or −1 if a key moves the focus in this frame, else 0.
int step_of_keys(bool arrows) {
  const ImGuiIO& io = ImGui::GetIO();
  if (io.KeyCtrl || io.KeyAlt) return 0;
  if (key_pressed(ImGuiKey_Tab, true)) return io.KeyShift ? -1 : 1;
  if (!arrows) return 0;
  return key_pressed(ImGuiKey_DownArrow, true) - key_pressed(ImGuiKey_UpArrow, true);
}

}  // namespace

void KeyFocus::begin(bool popup, bool keys) {
  popup_ = popup;
  keys_ = keys;
  typing_ = false;
  stops_.clear();
  first_.clear();
  for (const bool clicked : ImGui::GetIO().MouseClicked)
    if (clicked) remove();
  wanted_ = on_ || step_of_keys(false) != 0;
}

void KeyFocus::add(const std::string& id, Kind kind, std::string_view field) {
  if (ImGui::IsItemActive() && ImGui::GetIO().WantTextInput) {
    typing_ = true;
    id_ = id;
  }
  if (!wanted_) return;
  const unsigned item = ImGui::GetItemID();
  const bool enabled = (ImGui::GetItemFlags() & ImGuiItemFlags_Disabled) == 0;
  if (item == 0 || !enabled || (!stops_.empty() && stops_.back().item == item)) return;
  const bool in_popup =
      (ImGui::GetCurrentWindow()->RootWindow->Flags & ImGuiWindowFlags_Popup) != 0;
  stops_.push_back({id, kind, std::string(field), visible_part(item_rect()), item, in_popup});
  if (!reveal_ || id != id_) return;
  if (stops_.back().seen.height < ImGui::GetItemRectSize().y) ImGui::SetScrollHereY();
  reveal_ = false;
}

const KeyFocus::Stop* KeyFocus::stop(std::string_view id) const {
  const auto at =
      std::find_if(stops_.begin(), stops_.end(), [&](const Stop& s) { return s.id == id; });
  return at == stops_.end() ? nullptr : &*at;
}

std::optional<std::string> KeyFocus::end() {
  // Of what is not drawn any more, such as the items of a list that was closed.
  if (wanted_ && !id_.empty() && !stop(id_)) {
    id_ = std::exchange(outer_, {});
    if (!stop(id_)) remove();
  }
  if (!keys_) return {};
  if (on() && popup_ && !stop(id_)->in_popup) {
    outer_ = id_;
    return move(1);
  }
  if (const int by = step_of_keys(takes_arrows()); by != 0) return move(by);
  const bool pressed = key_pressed(ImGuiKey_Space, false) || key_pressed(ImGuiKey_Enter, false) ||
                       key_pressed(ImGuiKey_KeyPadEnter, false);
  if (!pressed) return {};
  if (typing_) {
    on_ = false;  // the field has accepted the text
    return {};
  }
  if (!on_) return {};
  const Stop& here = *stop(id_);
  if (!here.field.empty()) return here.field;
  press(here);
  return {};
}

std::optional<std::string> KeyFocus::move(int by) {
  std::vector<const Stop*> order;
  for (const Stop& s : stops_)
    if (s.in_popup == popup_) order.push_back(&s);
  if (order.empty()) return {};
  const auto count = static_cast<std::ptrdiff_t>(order.size());
  const auto index = [&](const auto& wanted) {
    const auto at = std::find_if(order.begin(), order.end(), wanted);
    return at == order.end() ? std::ptrdiff_t{-1} : at - order.begin();
  };
  std::ptrdiff_t next = index([&](const Stop* s) { return s->id == id_; });
  if (next >= 0) {
    next = (next + by + count) % count;
  } else {
    if (by < 0) std::reverse(order.begin(), order.end());
    next = index([&](const Stop* s) { return s->id == first_; });
    if (next < 0) next = index([](const Stop* s) { return !s->field.empty(); });
    next = std::max<std::ptrdiff_t>(next, 0);
  }
  const Stop& to = *order[static_cast<std::size_t>(next)];
  if (typing_) ImGui::ClearActiveID();
  on_ = reveal_ = true;
  id_ = to.id;
  if (!to.field.empty()) return to.field;
  if (to.kind == Kind::type) press(to);
  return {};
}

void KeyFocus::press(const Stop& stop) {
  ImGui::ActivateItem(stop.item);
  if (stop.kind == Kind::type)
    ImGui::GetCurrentContext()->NavNextActivateFlags = ImGuiActivateFlags_PreferInput;
}

void KeyFocus::remove() {
  on_ = false;
  id_.clear();
  outer_.clear();
}

void KeyFocus::draw(const Colors& colors, float scale) const {
  const Stop* const here = on() ? stop(id_) : nullptr;
  if (here && here->seen.width > 0) draw_ring(here->seen, colors, scale);
}

void draw_ring(const Rect& rect, const Colors& colors, float scale) {
  ImDrawList& list = *ImGui::GetForegroundDrawList();
  const auto ring = [&](float out, float width, Color color) {
    list.AddRect({rect.x - out, rect.y - out},
                 {rect.x + rect.width + out, rect.y + rect.height + out}, im_color(color),
                 ImGui::GetStyle().FrameRounding + out, 0, width);
  };
  // On a ground, as it may lie on anything.
  ring(scale * ring_gap, scale * (ring_width + 2), colors.panel);
  ring(scale * ring_gap, scale * ring_width, colors.accent);
}

}  // namespace twosphere::ui
