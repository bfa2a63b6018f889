// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/panel.h"

#include <fmt/core.h>
#include <imgui/imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/text.h"
#include "ui/shell/equation_view.h"

namespace twosphere::ui {

namespace {

constexpr double rest_time = 0.6;  // [s] before a tooltip appears
constexpr float tooltip_width = 340;
constexpr int frames_of_new_window = 3;

/// The part of a label that is drawn.
std::string_view shown_part(std::string_view label) { return label.substr(0, label.find("##")); }

}  // namespace

void Panel::mark(std::string name) const {
  focus.add(name, KeyFocus::Kind::press);
  mark_area(std::move(name));
}

void Panel::mark_text(std::string name, std::string_view field) const {
  focus.add(name, KeyFocus::Kind::type, field);
  mark_area(std::move(name));
}

bool is_part(std::string_view name, std::string_view whole) {
  return name.starts_with(whole) && (name.size() == whole.size() ||
                                     std::string_view("[./").find(name[whole.size()]) != name.npos);
}

void Panel::reveal_item(std::string_view name, const Rect& rect) const {
  if (hover.revealed.empty() || !is_part(name, hover.revealed)) return;
  // A table that is out of view has no places yet: first it comes into view itself.
  if (ImGuiWindow* const table = ImGui::GetCurrentWindowRead();
      table->SkipItems && table->ParentWindow)
    return ImGui::ScrollToRect(table->ParentWindow, table->Rect(), ImGuiScrollFlags_AlwaysCenterY);
  if (visible_part(rect).height < rect.height) ImGui::SetScrollHereY();
  hover.revealed.clear();
}

void Panel::mark_area(std::string name) const {
  const Rect rect = item_rect();
  reveal_item(name, rect);
  if (spoken) {
    spoken->add_item(name, rect);
    if (focus.on(name)) spoken->last()->focused = true;
  }
  widgets[std::move(name)] = rect;
}

void Panel::mark(std::string name, const Rect& rect) const {
  if (spoken) spoken->add(name, rect);
  widgets[std::move(name)] = rect;
}

void Panel::say(Role role, std::string_view name, std::string_view value,
                std::optional<bool> on) const {
  SpokenWidget* const widget = said();
  if (!widget) return;
  widget->role = role;
  widget->name =
      spoken->part.empty() ? std::string(name) : fmt::format("{}, {}", name, spoken->part);
  widget->value = value;
  widget->on = on;
}

void Panel::tell(const char* id, const Rect& rect, std::string_view name, std::string_view value,
                 Role role) const {
  if (!spoken) return;
  spoken->add(id, rect);
  say(role, name, value);
}

void Panel::request_frames() const { hover.frames_wanted = frames_of_new_window; }

bool section(const Panel& panel, ClosedSections& closed, const char* title) {
  ImGui::Dummy({0, panel.px(2)});
  const float width = ImGui::GetContentRegionAvail().x;
  const ImVec2 from = ImGui::GetCursorScreenPos();
  if (ImGui::InvisibleButton(title, {width, panel.px(22)})) {
    if (!closed.erase(title)) closed.insert(title);
  }
  const bool open = !closed.contains(title);
  const bool hovered = ImGui::IsItemHovered();
  auto& list = *ImGui::GetWindowDrawList();
  const Color color = hovered ? panel.colors.text : panel.colors.dim;
  const ImVec2 c{from.x + panel.px(5), std::round(from.y + panel.px(11))};
  const float r = panel.px(4);
  if (open)
    list.AddTriangleFilled({c.x - r, c.y - r / 2}, {c.x + r, c.y - r / 2}, {c.x, c.y + r * 0.7f},
                           im_color(color));
  else
    list.AddTriangleFilled({c.x - r / 2, c.y - r}, {c.x + r * 0.7f, c.y}, {c.x - r / 2, c.y + r},
                           im_color(color));
  const float height = ImGui::GetFontSize();
  list.AddText({from.x + panel.px(16), std::round(c.y - height / 2)}, im_color(panel.colors.text),
               title);
  const float line = from.x + panel.px(26) + ImGui::CalcTextSize(title).x;
  list.AddLine({line, c.y}, {from.x + width, c.y}, im_color(panel.colors.line));
  panel.mark(fmt::format("section/{}", title));
  panel.say(Role::heading, title, {}, open);
  return open;
}

bool begin_list(const char* id, const std::string& preview, float width, ImGuiComboFlags flags) {
  const ImVec2 padding = ImGui::GetStyle().FramePadding, from = ImGui::GetCursorScreenPos();
  const auto room = [&](float height) {
    const float arrow = (flags & ImGuiComboFlags_NoArrowButton) != 0 ? padding.x / 2 : height;
    return width - arrow - 1.5f * padding.x;
  };
  ImGui::SetNextItemWidth(width);
  const float plain = ImGui::GetFrameHeight();
  const bool fits = ImGui::CalcTextSize(preview.c_str()).x <= room(plain);
  std::vector<std::string> lines;
  float height = plain;
  if (!fits) {
    ImGui::PushFont(font(Face::small_text));
    lines = wrapped(preview, room(plain), 1);
    if (lines.front() != preview) {
      height = 2 * ImGui::GetFontSize() + 2 * padding.y;
      lines = wrapped(preview, room(height), 2);
    }
    ImGui::PopFont();
  }
  ImDrawList& list = *ImGui::GetWindowDrawList();
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {padding.x, (height - ImGui::GetFontSize()) / 2});
  const bool open =
      ImGui::BeginCombo(id, fits ? preview.c_str() : "", flags | ImGuiComboFlags_HeightLargest);
  ImGui::PopStyleVar();
  if (!fits) {
    ImFont* const small = font(Face::small_text);
    const float size = small->FontSize * ImGui::GetIO().FontGlobalScale;
    float y = from.y + (height - size * static_cast<float>(lines.size())) / 2;
    for (const std::string& line : lines) {
      list.AddText(small, size, {from.x + padding.x, std::round(y)},
                   ImGui::GetColorU32(ImGuiCol_Text), line.c_str());
      y += size;
    }
  }
  if (open && ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape), false))
    ImGui::CloseCurrentPopup();
  return open;
}

bool list_item(const Panel& panel, const std::string& label, const std::string& name, bool chosen) {
  const bool pressed = ImGui::Selectable(fmt::format("{}##{}", label, name).c_str(), chosen);
  panel.mark(name);
  panel.say(Role::item, label, {}, chosen);
  return pressed;
}

bool push_button(const Panel& panel, const std::string& label, const std::string& name, ImVec2 size,
                 std::string_view spoken) {
  const bool pressed = ImGui::Button(label.c_str(), size);
  panel.mark(name);
  panel.say(Role::button, spoken.empty() ? shown_part(label) : spoken);
  return pressed;
}

bool action_button(const Panel& panel, const std::string& label, const std::string& name,
                   Action action, ImVec2 size, std::string_view spoken) {
  const bool pressed = push_button(panel, label, name, size, spoken);
  explain(panel, action);
  if (pressed) panel.sink.act(action);
  return pressed;
}

bool check_box(const Panel& panel, const std::string& label, const std::string& name, bool& value,
               std::string_view spoken) {
  const bool pressed = ImGui::Checkbox(label.c_str(), &value);
  panel.mark(name);
  panel.say(Role::check_box, spoken.empty() ? shown_part(label) : spoken, {}, value);
  return pressed;
}

bool take_escape(const Panel& panel) { return std::exchange(panel.hover.escape, false); }

void tooltip(const Panel& panel, const std::string& text, std::string_view equations) {
  if (panel.spoken)
    panel.spoken->describe(equations.empty() ? text : fmt::format("{}\n\n{}", text, equations));
  if (!ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled) || ImGui::IsItemActive()) return;
  HoverState& hover = panel.hover;
  const ImVec2 item = ImGui::GetItemRectMin();
  const int frame = ImGui::GetFrameCount();
  if (item.x != hover.item.x || item.y != hover.item.y || frame > hover.frame + 1) {
    hover.item = item;
    hover.since = ImGui::GetTime();
  }
  hover.frame = frame;
  hover.waiting = ImGui::GetTime() - hover.since < rest_time;
  if (!hover.waiting) tooltip_at_once(panel, text, equations);
}

void tooltip_at_once(const Panel& panel, const std::string& text, std::string_view equations) {
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {panel.px(10), panel.px(8)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, panel.px(4));
  ImGui::PushStyleVar(ImGuiStyleVar_PopupBorderSize, 1);
  // Beside the item, so that it stays visible; above it in the last rows, below it at the right
  // edge.
  const ImVec2 item = ImGui::GetItemRectMin(), end = ImGui::GetItemRectMax(),
               view = ImGui::GetIO().DisplaySize;
  const float apart = panel.px(8);
  if (end.y > view.y - panel.px(60))
    ImGui::SetNextWindowPos({item.x, item.y - apart}, ImGuiCond_Always, {0, 1});
  else if (end.x + apart + panel.px(tooltip_width) < view.x)
    ImGui::SetNextWindowPos({end.x + apart, item.y});
  else
    ImGui::SetNextWindowPos({view.x - apart, end.y + apart}, ImGuiCond_Always, {1, 0});
  ImGui::BeginTooltip();
  if (ImGui::IsWindowAppearing()) panel.request_frames();
  ImGui::PushTextWrapPos(panel.px(tooltip_width));
  ImGui::TextUnformatted(text.c_str(), text.c_str() + text.size());
  ImGui::PopTextWrapPos();
  if (!equations.empty()) {
    ImGui::Spacing();
    draw_equations(im_color(panel.colors.text), panel.scale, equations, panel.px(tooltip_width));
  }
  ImGui::EndTooltip();
  ImGui::PopStyleVar(3);
}

void explain(const Panel& panel, Action action, const std::string& more) {
  const ActionInfo& a = info(action);
  std::string text(a.help);
  if (!a.key.empty()) text += fmt::format("\nKey: {}", a.key);
  if (!more.empty()) text += '\n' + more;
  if (panel.spoken) panel.spoken->name_button(a.label);
  tooltip(panel, text);
  hint_key(panel, a.key);
}

void explain_escape(const Panel& panel, const std::string& help) {
  constexpr std::string_view key = "Esc";
  tooltip(panel, fmt::format("{}{}Key: {}", help, help.empty() ? "" : "\n", key));
  hint_key(panel, key);
}

void hint_key(const Panel& panel, std::string_view key) {
  if (!panel.hover.keys_shown || key.empty() || !ImGui::IsItemVisible()) return;
  const ImVec2 from = ImGui::GetItemRectMin(), to = ImGui::GetItemRectMax();
  panel.hover.keys.push_back({{from.x, from.y, to.x - from.x, to.y - from.y}, std::string(key)});
}

std::string elided(std::string_view text, float width) {
  return cut_to_fit(text, [width](const std::string& part) {
    return ImGui::CalcTextSize(part.c_str()).x <= width;
  });
}

std::vector<std::string> wrapped(std::string_view text, float width, int max_rows) {
  std::vector<std::string> result;
  if (max_rows < 1) return result;
  while (!text.empty() && static_cast<int>(result.size()) + 1 < max_rows) {
    const char* const end =
        ImGui::GetFont()->CalcWordWrapPositionA(ImGui::GetFontSize() / ImGui::GetFont()->FontSize,
                                                text.data(), text.data() + text.size(), width);
    auto taken = static_cast<std::size_t>(end - text.data());
    if (taken == 0 || taken >= text.size()) break;
    // Do not break after the decimal point of a number.
    if (const std::size_t space = text.rfind(' ', taken); space != text.npos && space > 0)
      taken = space;
    result.emplace_back(text.substr(0, taken));
    text.remove_prefix(taken);
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  }
  if (!text.empty()) result.push_back(elided(text, width));
  return result;
}

void value_row(const Panel& panel, const char* id, const std::string& name,
               const std::string& value) {
  ImGui::PushStyleColor(ImGuiCol_Text, im_color(panel.colors.dim));
  ImGui::TextUnformatted(name.c_str());
  ImGui::PopStyleColor();
  ImGui::SameLine(panel.px(96));
  ImGui::PushFont(font(Face::small_mono));
  ImGui::TextUnformatted(value.c_str());
  ImGui::PopFont();
  if (panel.spoken) panel.tell((id + name).c_str(), item_rect(), name, value);
}

void note(const Panel& panel, const std::string& id, const std::string& text) {
  ImGui::PushStyleColor(ImGuiCol_Text, im_color(panel.colors.dim));
  ImGui::TextWrapped("%s", text.c_str());
  ImGui::PopStyleColor();
  panel.mark(id, item_rect());
  panel.say(Role::label, text);
}

void row_label(const Panel& panel, const std::string& name, std::string_view unit, float width) {
  const ImVec2 from = ImGui::GetCursorScreenPos();
  ImGui::Dummy({width, ImGui::GetFrameHeight()});
  auto& list = *ImGui::GetWindowDrawList();
  const float y = from.y + ImGui::GetStyle().FramePadding.y;
  list.AddText({from.x, y}, im_color(panel.colors.text), name.c_str());
  if (unit.empty() || unit == "1") return;
  const float x = from.x + ImGui::CalcTextSize(name.c_str()).x + panel.px(5);
  list.AddText({std::round(x), y}, im_color(panel.colors.dim), fmt::format("[{}]", unit).c_str());
}

std::string component(std::string_view symbol, int axis) {
  return fmt::format("{}·{}", symbol, with_index("e", axis + 1));
}

}  // namespace twosphere::ui
