// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panel.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "ui/axis.h"
#include "ui/curve.h"
#include "ui/field_row.h"

namespace twosphere::ui {

namespace {

constexpr double rest_time = 0.6;  // [s] before a tooltip
constexpr float tooltip_width = 340;
constexpr float note_width = 270;
constexpr int settling_frames = 3;

}  // namespace

void Panel::mark(std::string name) const {
  const ImVec2 from = ImGui::GetItemRectMin(), to = ImGui::GetItemRectMax();
  widgets[std::move(name)] = {from.x, from.y, to.x - from.x, to.y - from.y};
}

void Panel::settle() const { rest.settling = settling_frames; }

bool section(const Panel& panel, PanelState& state, const char* title) {
  ImGui::Dummy({0, panel.px(2)});
  const float width = ImGui::GetContentRegionAvail().x;
  const ImVec2 from = ImGui::GetCursorScreenPos();
  if (ImGui::InvisibleButton(title, {width, panel.px(22)})) {
    if (!state.closed.erase(title)) state.closed.insert(title);
  }
  const bool open = !state.closed.contains(title);
  const bool hovered = ImGui::IsItemHovered();
  auto& list = *ImGui::GetWindowDrawList();
  const Color color = hovered ? panel.colors.text : panel.colors.dim;
  const ImVec2 c{from.x + panel.px(5), std::round(from.y + panel.px(11))};
  const float r = panel.px(4);
  if (open)
    list.AddTriangleFilled({c.x - r, c.y - r / 2}, {c.x + r, c.y - r / 2}, {c.x, c.y + r * 0.7f},
                           ink(color));
  else
    list.AddTriangleFilled({c.x - r / 2, c.y - r}, {c.x + r * 0.7f, c.y}, {c.x - r / 2, c.y + r},
                           ink(color));
  const float height = ImGui::GetFontSize();
  list.AddText({from.x + panel.px(16), std::round(c.y - height / 2)}, ink(panel.colors.text),
               title);
  const float line = from.x + panel.px(26) + ImGui::CalcTextSize(title).x;
  list.AddLine({line, c.y}, {from.x + width, c.y}, ink(panel.colors.line));
  panel.mark(fmt::format("section/{}", title));
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

bool take_escape(const Panel& panel) { return std::exchange(panel.rest.escape, false); }

void tooltip(const Panel& panel, const std::string& text) {
  if (!ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled) || ImGui::IsItemActive()) return;
  Rest& rest = panel.rest;
  const ImVec2 item = ImGui::GetItemRectMin();
  const int frame = ImGui::GetFrameCount();
  if (item.x != rest.item.x || item.y != rest.item.y || frame > rest.frame + 1) {
    rest.item = item;
    rest.since = ImGui::GetTime();
  }
  rest.frame = frame;
  rest.waiting = ImGui::GetTime() - rest.since < rest_time;
  if (rest.waiting) return;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {panel.px(10), panel.px(8)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, panel.px(4));
  ImGui::PushStyleVar(ImGuiStyleVar_PopupBorderSize, 1);
  // Beside the item, so that it stays in sight; in the last row above it, at the right edge below.
  const ImVec2 end = ImGui::GetItemRectMax(), view = ImGui::GetIO().DisplaySize;
  const float apart = panel.px(8);
  if (end.y > view.y - panel.px(60))
    ImGui::SetNextWindowPos({item.x, item.y - apart}, ImGuiCond_Always, {0, 1});
  else if (end.x + apart + panel.px(tooltip_width) < view.x)
    ImGui::SetNextWindowPos({end.x + apart, item.y});
  else
    ImGui::SetNextWindowPos({view.x - apart, end.y + apart}, ImGuiCond_Always, {1, 0});
  ImGui::BeginTooltip();
  if (ImGui::IsWindowAppearing()) panel.settle();
  ImGui::PushTextWrapPos(panel.px(tooltip_width));
  ImGui::TextUnformatted(text.c_str(), text.c_str() + text.size());
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
  ImGui::PopStyleVar(3);
}

void field_note(const Panel& panel, const PanelState& state) {
  const NumberFields::Note* note = state.fields.note();
  if (!note) return;
  const Colors& c = panel.colors;
  const float wrap = panel.px(note_width);
  const ImVec2 size = ImGui::CalcTextSize(note->text.c_str(), nullptr, false, wrap);
  const ImVec2 pad{panel.px(9), panel.px(6)}, view = ImGui::GetIO().DisplaySize;
  const ImVec2 all{size.x + 2 * pad.x, size.y + 2 * pad.y};
  // Under the field, above it in the last rows.
  const float x = std::max(0.0f, std::min(note->x, view.x - all.x));
  const float below = note->y + panel.px(3);
  const float y =
      below + all.y < view.y ? below : note->y - ImGui::GetFrameHeight() - panel.px(3) - all.y;
  auto& list = *ImGui::GetForegroundDrawList();
  list.AddRectFilled({x, y}, {x + all.x, y + all.y}, ink(c.panel), panel.px(4));
  list.AddRect({x, y}, {x + all.x, y + all.y}, ink(note->error ? c.error : c.line), panel.px(4), 0,
               panel.px(1));
  list.AddText(ImGui::GetFont(), ImGui::GetFontSize(), {x + pad.x, y + pad.y},
               ink(note->error ? c.error : c.text), note->text.c_str(), nullptr, wrap);
  panel.mark(note->error ? "refused_value" : "field_note", {x, y, all.x, all.y});
}

std::string explain(Action action) {
  const ActionInfo& a = info(action);
  return a.key.empty() ? std::string(a.help) : fmt::format("{}\nKey: {}", a.help, a.key);
}

std::string elided(std::string_view text, float width) {
  std::string result(text);
  if (ImGui::CalcTextSize(result.c_str()).x <= width) return result;
  while (!result.empty()) {
    // Back over the bytes of one character.
    do result.pop_back();
    while (!result.empty() && (static_cast<unsigned char>(result.back()) & 0x80) != 0 &&
           (static_cast<unsigned char>(result.back()) & 0xc0) != 0xc0);
    if (!result.empty() && (static_cast<unsigned char>(result.back()) & 0xc0) == 0xc0)
      result.pop_back();
    while (result.ends_with(' ')) result.pop_back();
    const std::string cut = result + "…";
    if (ImGui::CalcTextSize(cut.c_str()).x <= width) return cut;
  }
  return result;
}

std::vector<std::string> wrapped(std::string_view text, float width, int most) {
  std::vector<std::string> result;
  if (most < 1) return result;
  while (!text.empty() && static_cast<int>(result.size()) + 1 < most) {
    const char* const end =
        ImGui::GetFont()->CalcWordWrapPositionA(ImGui::GetFontSize() / ImGui::GetFont()->FontSize,
                                                text.data(), text.data() + text.size(), width);
    auto taken = static_cast<std::size_t>(end - text.data());
    if (taken == 0 || taken >= text.size()) break;
    // Not after the point of a number.
    if (const std::size_t space = text.rfind(' ', taken); space != text.npos && space > 0)
      taken = space;
    result.emplace_back(text.substr(0, taken));
    text.remove_prefix(taken);
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  }
  if (!text.empty()) result.push_back(elided(text, width));
  return result;
}

void row_label(const Panel& panel, const std::string& name, std::string_view unit, float width) {
  const ImVec2 from = ImGui::GetCursorScreenPos();
  ImGui::Dummy({width, ImGui::GetFrameHeight()});
  auto& list = *ImGui::GetWindowDrawList();
  const float y = from.y + ImGui::GetStyle().FramePadding.y;
  list.AddText({from.x, y}, ink(panel.colors.text), name.c_str());
  if (unit.empty() || unit == "1") return;
  const float x = from.x + ImGui::CalcTextSize(name.c_str()).x + panel.px(5);
  list.AddText({std::round(x), y}, ink(panel.colors.dim), fmt::format("[{}]", unit).c_str());
}

std::string with_index(std::string_view symbol, int index) {
  static constexpr std::array<std::string_view, 10> digits{"₀", "₁", "₂", "₃", "₄",
                                                           "₅", "₆", "₇", "₈", "₉"};
  std::string result(symbol);
  for (const char c : std::to_string(index)) result += digits[static_cast<std::size_t>(c - '0')];
  return result;
}

std::string component(std::string_view symbol, int axis) {
  return fmt::format("{}·{}", symbol, with_index("e", axis + 1));
}

void swatch(ImDrawList& list, ImVec2 from, float width, const LaneStyle& style, float scale) {
  const std::array<ImVec2, 2> ends{from, ImVec2{from.x + width, from.y}};
  float start = 0;
  draw_line(list, ends, style, scale, start);
  draw_marker(list, {from.x + width / 2, from.y}, 3.5f * scale, style);
}

std::string explain(const ParameterInfo& p, const std::string& symbol, bool limited, bool whole) {
  std::string text = field_name(p, symbol);
  if (p.unit != "1") text += fmt::format(" [{}]", p.unit);
  if (whole) {
    text +=
        fmt::format("\n{}\nRange {:.0f} to {:.0f}; whole numbers from 1", p.help, p.low, p.high);
  } else {
    text += fmt::format("\n{}\nRange {} to {}", p.help, short_number(p.low), short_number(p.high));
  }
  if (p.domain == Domain::positive && !whole) text += "; any positive number can be typed";
  if (p.domain == Domain::non_negative) text += "; any number from 0 on can be typed";
  if (p.domain == Domain::any && !limited) text += "; any number can be typed";
  if (!p.required && p.optional)
    text += fmt::format(". Default {}.", p.word.empty() ? "none" : p.word);
  else
    text += p.required ? "." : fmt::format(". Default {}.", short_number(p.fallback));
  if (!p.live) text += "\nTakes effect at the next rewind, if the run is under way.";
  text += "\nDrag to change, with Shift finer; click to type.";
  return text;
}

}  // namespace twosphere::ui
