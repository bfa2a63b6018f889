// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/field_row.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "ui/axis.h"

namespace twosphere::ui {

namespace {

constexpr float gap = 4;
constexpr int most_rows_in_view = 12;

/// A button that brings back what was loaded, where that differs.
void reset(const Panel& panel, PanelState& state, const std::vector<Entry>& entries,
           const Setter& set) {
  ImGui::SameLine(0, 0);
  const ImVec2 size{panel.px(field_reset_width), ImGui::GetFrameHeight()};
  if (std::all_of(entries.begin(), entries.end(),
                  [](const Entry& e) { return e.value == e.original; })) {
    ImGui::Dummy(size);
    return;
  }
  const ImVec2 from = ImGui::GetCursorScreenPos();
  ImGui::PushID(entries.front().path.c_str());
  const bool pressed = ImGui::InvisibleButton("##reset", size);
  ImGui::PopID();
  const Color color = ImGui::IsItemHovered() ? panel.colors.text : panel.colors.dim;
  ImGui::GetWindowDrawList()->AddText(
      {from.x + panel.px(5), from.y + ImGui::GetStyle().FramePadding.y}, ink(color), "↺");
  const std::string& name = entries.front().name;
  panel.mark("reset/" + name.substr(name.find('/') + 1));
  std::string what;
  for (const Entry& e : entries)
    what += (what.empty() ? "Back to " : ", ") + short_number(e.original);
  tooltip(panel, what);
  if (!pressed) return;
  for (const Entry& e : entries) {
    if (e.value == e.original) continue;
    state.fields.expect(e.path, e.original);
    set(e, e.original);
  }
}

/// The icon of the rewind button, small: a value that waits for it.
void rewind_mark(const Panel& panel, ImVec2 center, const std::string& name) {
  auto& list = *ImGui::GetWindowDrawList();
  const float r = panel.px(4);
  const ImU32 color = ink(panel.colors.dim);
  list.AddRectFilled({center.x - r, center.y - r}, {center.x - 0.6f * r, center.y + r}, color);
  list.AddTriangleFilled({center.x - 0.5f * r, center.y}, {center.x + r, center.y - r},
                         {center.x + r, center.y + r}, color);
  panel.mark(name, {center.x - r, center.y - r, 2 * r, 2 * r});
}

}  // namespace

std::string rewind_note() {
  return fmt::format("Takes effect at the next Rewind ({}).", info(Action::rewind).key);
}

Setter to_path(const Panel& panel) {
  return [&panel](const Entry& e, double value) { panel.set(e.path, json::Node(value)); };
}

void entry_field(const Panel& panel, PanelState& state, const Entry& e, float width,
                 const Setter& set) {
  const NumberField field{.path = e.path,
                          .value = e.value,
                          .info = e.info,
                          .width = width,
                          .symbol = e.symbol,
                          .least = e.least,
                          .most = e.most,
                          .multiple = e.multiple,
                          .upcoming = e.value != e.running};
  const auto next = state.fields.draw(field, panel.colors, panel.scale);
  panel.mark(e.name);
  std::string text = explain(*e.info, e.symbol, std::isfinite(e.least));
  if (field.upcoming)
    text = fmt::format("{} {} at the next rewind; the run has {}.\n\n{}", e.symbol,
                       short_number(e.value), short_number(e.running), text);
  tooltip(panel, text);
  if (next) set(e, *next);
}

void entry_row(const Panel& panel, PanelState& state, const std::vector<Entry>& entries,
               const std::string& symbol, const Setter& set) {
  const ParameterInfo& p = *entries.front().info;
  const float all = ImGui::GetContentRegionAvail().x;
  const auto count = static_cast<float>(entries.size());
  const ImVec2 from = ImGui::GetCursorScreenPos();
  row_label(panel, symbol, p.unit, panel.px(field_label_width));
  tooltip(panel, fmt::format("{}\n{}{}", p.label, p.help, p.live ? "" : "\n" + rewind_note()));
  if (!p.live)
    rewind_mark(panel,
                {from.x + panel.px(field_label_width - 10), from.y + ImGui::GetFrameHeight() / 2},
                "mark/" + entries.front().name);
  const float width =
      (all - panel.px(field_label_width + field_reset_width) - (count - 1) * panel.px(gap)) / count;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    ImGui::SameLine(0, i == 0 ? 0 : panel.px(gap));
    entry_field(panel, state, entries[i], width, set);
  }
  reset(panel, state, entries, set);
}

void entry_table(const Panel& panel, PanelState& state, const char* name,
                 std::span<const EntryColumn> columns, int rows,
                 const std::function<std::vector<Entry>(int)>& row, const Setter& set) {
  const bool scrolls = rows > most_rows_in_view;
  const float bar = scrolls ? ImGui::GetStyle().ScrollbarSize : 0;
  const float all = ImGui::GetContentRegionAvail().x - bar;
  const auto count = static_cast<float>(columns.size());
  const float width =
      (all - panel.px(field_number_width + field_reset_width) - (count - 1) * panel.px(gap)) /
      count;
  const ImVec2 from = ImGui::GetCursorScreenPos();
  ImGui::Dummy({panel.px(field_number_width), ImGui::GetFrameHeight()});
  for (std::size_t i = 0; i < columns.size(); ++i) {
    ImGui::SameLine(0, i == 0 ? 0 : panel.px(gap));
    // Over the right-aligned numbers.
    const ParameterInfo& p = *columns[i].info;
    const std::string unit = p.unit == "1" ? "" : fmt::format(" [{}]", p.unit);
    const float used = ImGui::CalcTextSize((columns[i].symbol + unit).c_str()).x + panel.px(9);
    ImGui::Dummy({std::max(0.0f, width - used), 0});
    ImGui::SameLine(0, 0);
    row_label(panel, columns[i].symbol, p.unit, std::min(used, width));
    tooltip(panel, fmt::format("{}\n{}{}", p.label, p.help, p.live ? "" : "\n" + rewind_note()));
  }
  if (!columns.front().info->live)
    rewind_mark(panel, {from.x + panel.px(6), from.y + ImGui::GetFrameHeight() / 2},
                std::string("mark/") + name);

  const float pitch = ImGui::GetFrameHeightWithSpacing();
  if (scrolls)
    ImGui::BeginChild(name, {0, static_cast<float>(most_rows_in_view) * pitch}, false,
                      ImGuiWindowFlags_NoNav);
  ImGuiListClipper clipper;
  clipper.Begin(rows, pitch);
  while (clipper.Step())
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      ImGui::PushStyleColor(ImGuiCol_Text, ink(panel.colors.dim));
      row_label(panel, std::to_string(i + 1), "", panel.px(field_number_width));
      ImGui::PopStyleColor();
      const std::vector<Entry> entries = row(i);
      for (std::size_t c = 0; c < entries.size(); ++c) {
        ImGui::SameLine(0, c == 0 ? 0 : panel.px(gap));
        entry_field(panel, state, entries[c], width, set);
      }
      reset(panel, state, entries, set);
    }
  if (scrolls) ImGui::EndChild();
}

}  // namespace twosphere::ui
