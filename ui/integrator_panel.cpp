// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/core.h>

#include <string>

#include "core/catalog.h"
#include "ui/field_row.h"

namespace twosphere::ui {

namespace {

constexpr float swatch_width = 30;

/// "order 2 · implicit · symplectic · reversible · keeps |q| = 1"
std::string properties(const IntegratorInfo& i) {
  std::string text =
      fmt::format("order {} · {}", i.order, i.explicit_method ? "explicit" : "implicit");
  if (i.adaptive) text += " · adaptive";
  if (i.symplectic) text += " · symplectic";
  if (i.reversible) text += " · reversible";
  if (i.keeps_sphere) text += " · keeps |q| = 1";
  return text;
}

std::string record(const IntegratorInfo& i) {
  std::string text = fmt::format("{}\n{}\n{}", i.title, properties(i), i.description);
  if (!i.formula.empty()) text += fmt::format("\n\n{}", i.formula);
  if (!i.reference.empty()) text += fmt::format("\n\n{}", i.reference);
  return text;
}

void method_combo(const Panel& panel, int lane, const LaneSpec& spec, const std::string& suffix) {
  const IntegratorInfo* now = find_integrator(spec.type);
  auto& list = *ImGui::GetWindowDrawList();
  const ImVec2 from = ImGui::GetCursorScreenPos();
  swatch(list, {from.x, from.y + ImGui::GetFrameHeight() / 2}, panel.px(swatch_width),
         panel.lane(spec.type), panel.scale);
  ImGui::Dummy({panel.px(swatch_width), ImGui::GetFrameHeight()});
  ImGui::SameLine();
  const float width = ImGui::GetContentRegionAvail().x;
  ImGui::SetNextItemWidth(width);
  const std::string preview = elided(now ? now->title : std::string_view(spec.type),
                                     width - ImGui::GetFrameHeight() - panel.px(12));
  const bool open =
      ImGui::BeginCombo("##integrator", preview.c_str(), ImGuiComboFlags_HeightLargest);
  if (open) {
    for (const IntegratorInfo& i : integrators()) {
      auto& items = *ImGui::GetWindowDrawList();
      const ImVec2 at = ImGui::GetCursorScreenPos();
      const bool fits = !i.applies || i.applies(panel.snapshot.system->inertia());
      const bool chosen =
          ImGui::Selectable(fmt::format("        {}##{}", i.title, i.key).c_str(),
                            i.key == spec.type, fits ? 0 : ImGuiSelectableFlags_Disabled);
      panel.mark(fmt::format("integrator{}/{}", suffix, i.key));
      tooltip(panel, fits ? record(i) : fmt::format("Needs {}.\n\n{}", i.needs, record(i)));
      swatch(items, {at.x, at.y + ImGui::GetFontSize() / 2}, panel.px(24), panel.lane(i.key),
             panel.scale);
      if (chosen && i.key != spec.type)
        panel.set(lane_path(*panel.snapshot.present, lane, "type"), json::Node(std::string(i.key)));
    }
    ImGui::EndCombo();
  }
  panel.mark("integrator" + suffix);
  if (!open && now) tooltip(panel, record(*now));
}

}  // namespace

void integrator_panel(const Panel& panel, PanelState& state) {
  const Scenario& present = *panel.snapshot.present;
  const bool several = present.lanes.size() > 1;
  if (!section(panel, state, several ? "Integrators" : "Integrator")) return;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {panel.px(8), panel.px(4)});
  for (std::size_t l = 0; l < present.lanes.size(); ++l) {
    const LaneSpec& spec = present.lanes[l];
    const int lane = static_cast<int>(l);
    // "step" for the first lane, "step[1]" for the second.
    const std::string suffix = l == 0 ? "" : fmt::format("[{}]", l);
    ImGui::PushID(lane);
    method_combo(panel, lane, spec, suffix);
    // What the lane was loaded with, as far as it was the same method.
    const LaneSpec* loaded = l < state.original->lanes.size() ? &state.original->lanes[l] : nullptr;
    const auto setting = [&](const ParameterInfo& p, double value, double original,
                             const std::string& name) {
      const Entry entry{.path = lane_path(present, lane, p.key),
                        .name = name,
                        .symbol = std::string(p.symbol),
                        .info = &p,
                        .value = value,
                        .running = value,
                        .original = original};
      if (p.shape == Shape::choice)
        choice_row(panel, entry);
      else
        entry_row(panel, state, {entry}, entry.symbol, to_path(panel));
    };
    setting(step_parameter(), spec.step, loaded ? loaded->step : spec.step, "step" + suffix);
    if (const IntegratorInfo* info = find_integrator(spec.type)) {
      for (const ParameterInfo& p : info->parameters)
        if (const auto it = spec.values.find(p.key);
            it != spec.values.end() && !it->second.empty()) {
          const bool same = loaded && loaded->type == spec.type;
          const auto was = same ? loaded->values.find(p.key) : spec.values.end();
          setting(p, it->second[0], same && !was->second.empty() ? was->second[0] : p.fallback,
                  fmt::format("integrator{}.{}", suffix, p.key));
        }
      ImGui::PushFont(font(Face::small_text));
      ImGui::PushStyleColor(ImGuiCol_Text, ink(panel.colors.dim));
      ImGui::PushTextWrapPos(0);
      ImGui::TextUnformatted(properties(*info).c_str());
      ImGui::PopTextWrapPos();
      ImGui::PopStyleColor();
      ImGui::PopFont();
    }
    ImGui::PopID();
  }
  ImGui::PopStyleVar();
}

}  // namespace twosphere::ui
