// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/core.h>

#include <string>

#include "core/catalog.h"
#include "ui/axis.h"
#include "ui/panel.h"

namespace twosphere::ui {

namespace {

constexpr float label_width = 92, swatch_width = 30;

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
      const bool chosen = ImGui::Selectable(fmt::format("        {}##{}", i.title, i.key).c_str(),
                                            i.key == spec.type);
      panel.mark(fmt::format("integrator{}/{}", suffix, i.key));
      tooltip(panel, record(i));
      swatch(items, {at.x, at.y + ImGui::GetFontSize() / 2}, panel.px(24), panel.lane(i.key),
             panel.scale);
      if (chosen && i.key != spec.type)
        panel.sink.command(Change{
            {{lane_path(*panel.snapshot.present, lane, "type"), json::Node(std::string(i.key))}}});
    }
    ImGui::EndCombo();
  }
  panel.mark("integrator" + suffix);
  if (!open && now) tooltip(panel, record(*now));
}

void setting(const Panel& panel, PanelState& state, int lane, const ParameterInfo& p, double value,
             const std::string& name) {
  const std::string path = lane_path(*panel.snapshot.present, lane, p.key);
  row_label(panel, std::string(p.symbol), p.unit, panel.px(label_width));
  tooltip(panel, fmt::format("{}\n{}", p.label, p.help));
  ImGui::SameLine(0, 0);
  const float width = ImGui::GetContentRegionAvail().x - panel.px(20);
  const auto next = state.fields.draw({path, value, &p, width}, panel.colors, panel.scale);
  panel.mark(name);
  tooltip(panel, explain(p, std::string(p.symbol)));
  if (next) panel.sink.command(Change{{{path, json::Node(*next)}}});
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
    setting(panel, state, lane, step_parameter(), spec.step, "step" + suffix);
    if (const IntegratorInfo* info = find_integrator(spec.type)) {
      for (const ParameterInfo& p : info->parameters)
        if (const auto it = spec.values.find(p.key); it != spec.values.end() && !it->second.empty())
          setting(panel, state, lane, p, it->second[0],
                  fmt::format("integrator{}.{}", suffix, p.key));
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
