// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/core.h>

#include <string>

#include "ui/panels/panels.h"
#include "ui/shell/preset_list.h"

namespace twosphere::ui {

namespace {

constexpr int max_description_lines = 20;

}  // namespace

void system_panel(const Panel& panel, PanelState& state) {
  if (!section(panel, state.closed, "System")) return;
  const Scenario& present = *panel.snapshot.present;
  const float width = ImGui::GetContentRegionAvail().x;

  std::string name = present.title;
  if (name.empty() && panel.snapshot.system_info) name = panel.snapshot.system_info->title;
  const bool open = begin_list("##preset", name, width);
  if (open) {
    const PresetEntry* const opened = preset_of(panel.snapshot.loaded.get());
    for (const PresetEntry& t : preset_entries()) {
      if (list_item(panel, t.title, fmt::format("preset/{}", t.key), &t == opened))
        panel.sink.load_preset(t.key);
      if (!t.description.empty()) tooltip(panel, t.description);
    }
    ImGui::EndCombo();
  }
  panel.mark("preset");
  panel.say(Role::list, "Preset", name, open);
  if (!open && panel.snapshot.system_info) {
    const SystemInfo& s = *panel.snapshot.system_info;
    tooltip(panel, fmt::format("{}\n{}\n\n{}", s.title, s.description, s.reference), s.equations);
  }

  ImGui::PushFont(font(Face::small_text));
  ImGui::PushStyleColor(ImGuiCol_Text, im_color(panel.colors.dim));
  if (!panel.frame.file_name.empty())
    ImGui::TextUnformatted(elided(panel.frame.file_name, width).c_str());
  std::string_view description = present.description;
  if (description.empty() && panel.snapshot.system_info)
    description = panel.snapshot.system_info->description;
  const std::string_view first = first_sentence(description);
  ImGui::BeginGroup();
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  for (const std::string& line : wrapped(first, width, max_description_lines))
    ImGui::TextUnformatted(line.c_str());
  ImGui::PopStyleVar();
  ImGui::EndGroup();
  ImGui::PopStyleColor();
  ImGui::PopFont();
  if (panel.spoken) panel.tell("description", item_rect(), description);
  tooltip(panel, std::string(description));
  ImGui::PushFont(font(Face::small_text));
  if (ImGui::SmallButton("System as text…")) panel.sink.act(Action::system_as_text);
  ImGui::PopFont();
  panel.mark("system_as_text");
  panel.say(Role::button, "System as text…");
  explain(panel, Action::system_as_text);
}

}  // namespace twosphere::ui
