// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/core.h>

#include <string>
#include <vector>

#include "core/catalog.h"
#include "ui/panel.h"

namespace twosphere::ui {

namespace {

struct Title {
  std::string_view key;
  std::string title, description;
};

/// The presets' titles, read once.
const std::vector<Title>& titles() {
  static const std::vector<Title> list = [] {
    std::vector<Title> result;
    for (const Preset& preset : presets()) {
      const Result<Scenario> scenario = read_scenario(preset.text, preset.key);
      if (scenario) result.push_back({preset.key, scenario->title, scenario->description});
    }
    return result;
  }();
  return list;
}

}  // namespace

void system_panel(const Panel& panel, PanelState& state) {
  if (!section(panel, state, "System")) return;
  const Scenario& present = *panel.snapshot.present;
  const float width = ImGui::GetContentRegionAvail().x;

  std::string name = present.title;
  if (name.empty() && panel.snapshot.system_info) name = panel.snapshot.system_info->title;
  ImGui::SetNextItemWidth(width);
  const std::string preview = elided(name, width - ImGui::GetFrameHeight() - panel.px(12));
  const bool open = ImGui::BeginCombo("##preset", preview.c_str(), ImGuiComboFlags_HeightLargest);
  if (open) {
    for (const Title& t : titles()) {
      if (ImGui::Selectable(fmt::format("{}##{}", t.title, t.key).c_str(),
                            t.title == present.title))
        panel.sink.load_preset(t.key);
      panel.mark(fmt::format("preset/{}", t.key));
      if (!t.description.empty()) tooltip(panel, t.description);
    }
    ImGui::EndCombo();
  }
  panel.mark("preset");
  if (!open && panel.snapshot.system_info) {
    const SystemInfo& s = *panel.snapshot.system_info;
    tooltip(panel,
            fmt::format("{}\n{}\n\n{}\n\n{}", s.title, s.description, s.equations, s.reference));
  }

  ImGui::PushFont(font(Face::small_text));
  ImGui::PushStyleColor(ImGuiCol_Text, ink(panel.colors.dim));
  ImGui::PushTextWrapPos(0);
  if (!panel.frame.file_name.empty())
    ImGui::TextUnformatted(elided(panel.frame.file_name, width).c_str());
  std::string_view description = present.description;
  if (description.empty() && panel.snapshot.system_info)
    description = panel.snapshot.system_info->description;
  const std::string_view first = description.substr(0, description.find(". "));
  ImGui::TextUnformatted(first.data(), first.data() + first.size());
  ImGui::PopTextWrapPos();
  ImGui::PopStyleColor();
  ImGui::PopFont();
  tooltip(panel, std::string(description));
}

}  // namespace twosphere::ui
