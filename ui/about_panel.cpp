// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/published.h"
#include "ui/notation.h"
#include "ui/panel.h"
#include "ui/preset_list.h"

namespace twosphere::ui {

namespace {

void heading(const Panel& panel, const char* text) {
  ImGui::Dummy({0, panel.px(1)});
  ImGui::PushStyleColor(ImGuiCol_Text, ink(panel.colors.accent));
  ImGui::TextUnformatted(text);
  ImGui::PopStyleColor();
}

void paragraph(std::string_view text) {
  ImGui::PushTextWrapPos(0);
  ImGui::TextUnformatted(text.data(), text.data() + text.size());
  ImGui::PopTextWrapPos();
}

/// A symbol and what it stands for, the second column wrapped.
void meaning(const Panel& panel, std::string_view symbol, const std::string& text) {
  const float x = ImGui::GetCursorPosX();
  ImGui::TextUnformatted(symbol.data(), symbol.data() + symbol.size());
  ImGui::SameLine(x + panel.px(40));
  ImGui::PushStyleColor(ImGuiCol_Text, ink(panel.colors.dim));
  paragraph(text);
  ImGui::PopStyleColor();
}

/// A part of the equations to a line: they are separated by two blanks.
void equations(std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = text.find(",  ");
    paragraph(text.substr(0, end));
    if (end == text.npos) break;
    text.remove_prefix(end + 3);
  }
}

void symbols(const Panel& panel, const SystemInfo& system) {
  meaning(panel, "q", "direction of each body, on the unit sphere");
  meaning(panel, "ω", "angular velocity, at right angles to q [rad/s]; q′ = dq/dt = ω × q");
  for (const ParameterInfo& p : system.parameters) {
    std::string text(p.label);
    if (p.unit != "1") text += fmt::format(" [{}]", p.unit);
    meaning(panel, p.symbol, text);
  }
}

/// What the paper prints of this scenario, and beside it this run so far if it has that method.
void published(const Panel& panel, std::string_view preset) {
  bool any = false;
  for (const PublishedRun& run : published_runs()) {
    if (run.preset != preset) continue;
    const bool prints = std::any_of(run.means.begin(), run.means.end(),
                                    [](const PublishedMean& m) { return !m.printed.empty(); });
    if (!prints) continue;
    if (!std::exchange(any, true)) heading(panel, "Published");
    paragraph(conditions(run));
    ImGui::PushStyleColor(ImGuiCol_Text, ink(panel.colors.dim));
    for (const PublishedMean& mean : run.means) {
      if (mean.printed.empty()) continue;
      const bool energy = info(mean.quantity).unit == "J";
      std::string line = fmt::format("mean {} {}", label_of_mean(mean.quantity), mean.printed);
      if (energy) line += fmt::format(" {}", label(run.unit));
      paragraph(line);
      for (std::size_t l = 0; l < panel.snapshot.lanes.size(); ++l) {
        const IntegratorInfo* method = panel.snapshot.lanes[l].info;
        if (!method || method->key != run.integrator || l >= panel.frame.histories.size()) continue;
        if (panel.frame.histories[l].size() < 2) continue;
        const double unit = energy ? joules(run.unit, *panel.snapshot.present) : 1;
        const double ours = panel.frame.histories[l].mean_magnitude(mean.quantity) / unit;
        paragraph(fmt::format("  this run, to {:.4g} s: {:.4e}", panel.snapshot.t, ours));
      }
    }
    ImGui::PopStyleColor();
  }
}

}  // namespace

void about_panel(const Panel& panel, PanelState& state) {
  const SystemInfo* system = panel.snapshot.system_info;
  if (!system || !section(panel, state, "About this system")) return;
  const Scenario& present = *panel.snapshot.present;
  const PresetEntry* const preset = preset_titled(present.title);
  ImGui::PushFont(font(Face::small_text));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {panel.px(8), panel.px(4)});
  ImGui::BeginGroup();
  paragraph(system->description);
  heading(panel, "Equations");
  equations(with_primes(std::string(system->equations)));
  ImGui::EndGroup();
  panel.mark("about/equations");
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
  if (ImGui::Button("Help page")) panel.sink.act(Action::preset_help);
  panel.mark("about/help");
  tooltip(panel, explain(Action::preset_help));
}

}  // namespace twosphere::ui
