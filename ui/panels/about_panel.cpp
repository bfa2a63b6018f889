// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/scenario/live_edit.h"
#include "core/scenario/state_edit.h"
#include "core/studies/published.h"
#include "ui/panels/panels.h"
#include "ui/shell/equation_view.h"
#include "ui/shell/preset_list.h"

namespace twosphere::ui {

namespace {

void heading(const Panel& panel, const char* text) {
  ImGui::Dummy({0, panel.px(1)});
  ImGui::PushStyleColor(ImGuiCol_Text, im_color(panel.colors.accent));
  ImGui::TextUnformatted(text);
  ImGui::PopStyleColor();
}

void paragraph(std::string_view text) {
  ImGui::PushTextWrapPos(0);
  ImGui::TextUnformatted(text.data(), text.data() + text.size());
  ImGui::PopTextWrapPos();
}

/// A symbol and its meaning; the second column is wrapped.
void meaning(const Panel& panel, std::string_view symbol, const std::string& text) {
  const float x = ImGui::GetCursorPosX();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ScreenPen pen(im_color(panel.colors.text), panel.scale);
  const float size = ImGui::GetFontSize();
  set_formula(parse_formula(symbol), pen, at.x, at.y + 0.08f * size, size, panel.px(36));
  ImGui::Dummy({panel.px(36), size});
  ImGui::SameLine(x + panel.px(40));
  ImGui::PushStyleColor(ImGuiCol_Text, im_color(panel.colors.dim));
  paragraph(text);
  ImGui::PopStyleColor();
}

void symbols(const Panel& panel, const SystemInfo& system) {
  meaning(panel, "q", "direction of each body, on the unit sphere");
  meaning(panel, "ω", "angular velocity, orthogonal to q [rad/s]; dq/dt = ω × q");
  for (const ParameterInfo& p : system.parameters) {
    std::string text(p.label);
    if (p.unit != "1") text += fmt::format(" [{}]", p.unit);
    meaning(panel, p.symbol, text);
  }
}

/// The published numbers of this scenario, and beside them those of the current run if it has the
/// same method.
void published(const Panel& panel, std::string_view preset) {
  bool any = false;
  for (const PublishedRun& run : published_runs()) {
    if (run.preset != preset) continue;
    const bool prints = std::any_of(run.means.begin(), run.means.end(),
                                    [](const PublishedMean& m) { return !m.printed.empty(); });
    if (!prints) continue;
    if (!std::exchange(any, true)) heading(panel, "Published");
    paragraph(conditions(run));
    ImGui::PushStyleColor(ImGuiCol_Text, im_color(panel.colors.dim));
    for (const PublishedMean& mean : run.means) {
      if (mean.printed.empty()) continue;
      const bool energy = info(mean.quantity).unit == "J";
      std::string line = fmt::format("mean {} {}", label_of_mean(mean.quantity), mean.printed);
      if (energy) line += fmt::format(" {}", label(run.unit));
      if (mean.inputs == Inputs::fitted) line += "; inputs chosen to fit";
      paragraph(line);
      for (std::size_t l = 0; l < panel.snapshot.lanes.size(); ++l) {
        const IntegratorInfo* method = panel.snapshot.lanes[l].info;
        if (!method || method->key != run.integrator || l >= panel.frame.histories.size()) continue;
        if (panel.frame.histories[l].size() < 2) continue;
        if (!is_comparable(panel.snapshot, l)) {
          paragraph("  this run: changed, not compared");
          continue;
        }
        const double unit = energy ? joules(run.unit, *panel.snapshot.present) : 1;
        const double ours = panel.frame.histories[l].mean_magnitude(mean.quantity) / unit;
        paragraph(fmt::format("  this run, to {:.4g} s: {:.4e}", panel.snapshot.t, ours));
      }
    }
    ImGui::PopStyleColor();
  }
}

}  // namespace

bool is_comparable(const Snapshot& s, std::size_t lane) {
  const auto of_motion = [](const Setting& setting) {
    const std::string_view part = setting.path.key();
    return part == "system" || part == "initial" || is_of_state(setting.path);
  };
  const auto any = [&](const std::vector<Setting>& settings) {
    return std::any_of(settings.begin(), settings.end(), of_motion);
  };
  return s.present->lanes[lane].step == s.loaded->lanes[0].step &&
         !any(differences(*s.loaded, *s.present)) &&
         std::none_of(s.record->events.begin(), s.record->events.end(), [&](const Event& event) {
           return event.pull || event.reverse || any(event.set);
         });
}

void about_panel(const Panel& panel, PanelState& state) {
  const SystemInfo* system = panel.snapshot.system_info;
  if (!system || !section(panel, state.closed, "About this system")) return;
  const Scenario& present = *panel.snapshot.present;
  const PresetEntry* const preset = preset_of(panel.snapshot.loaded.get());
  ImGui::PushFont(font(Face::small_text));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {panel.px(8), panel.px(4)});
  ImGui::BeginGroup();
  paragraph(system->description);
  heading(panel, "Equations");
  draw_equations(im_color(panel.colors.text), panel.scale, system->equations,
                 ImGui::GetContentRegionAvail().x);
  ImGui::EndGroup();
  panel.mark("about/equations");
  panel.say(Role::label, system->description, system->equations);
  heading(panel, "Symbols");
  symbols(panel, *system);
  if (!present.description.empty()) {
    heading(panel, "What to look at");
    paragraph(present.description);
  }
  if (preset) published(panel, preset->key);
  heading(panel, "Reference");
  paragraph(system->reference);
  ImGui::PopStyleVar();
  ImGui::PopFont();
  action_button(panel, "Help page", "about/help", Action::preset_help);
}

}  // namespace twosphere::ui
