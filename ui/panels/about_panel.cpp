// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "core/scenario/live_edit.h"
#include "core/scenario/state_edit.h"
#include "core/studies/published.h"
#include "ui/panels/panels.h"
#include "ui/shell/formula.h"
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

/// Draws formulas in the current window with the loaded fonts.
class Pen final : public FormulaPen {
 public:
  explicit Pen(const Panel& panel) : panel_(panel), list_(*ImGui::GetWindowDrawList()) {}

  float width(const std::string& text, float size) const override {
    return of(size)->CalcTextSizeA(size, FLT_MAX, 0, text.c_str()).x;
  }
  void text(float x, float baseline, const std::string& text, float size) override {
    const ImFont* f = of(size);
    list_.AddText(f, size, {x, baseline - f->Ascent * size / f->FontSize},
                  im_color(panel_.colors.text), text.c_str());
  }
  void line(float x0, float y0, float x1, float y1, float thickness) override {
    list_.AddLine({x0, y0}, {x1, y1}, im_color(panel_.colors.text),
                  std::max(thickness, panel_.px(1)));
  }
  void dot(float x, float y, float radius) override {
    list_.AddCircleFilled({x, y}, std::max(radius, panel_.px(0.9f)), im_color(panel_.colors.text));
  }

 private:
  /// The font nearest to a size.
  static const ImFont* of(float size) {
    const ImFont* best = font(Face::text);
    for (const Face face : {Face::small_text, Face::title})
      if (std::abs(font(face)->FontSize - size) < std::abs(best->FontSize - size))
        best = font(face);
    return best;
  }

  const Panel& panel_;
  ImDrawList& list_;
};

/// A symbol and its meaning; the second column is wrapped.
void meaning(const Panel& panel, std::string_view symbol, const std::string& text) {
  const float x = ImGui::GetCursorPosX();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  Pen pen(panel);
  const float size = ImGui::GetFontSize();
  set_formula(parse_formula(symbol), pen, at.x, at.y + 0.08f * size, size, panel.px(36));
  ImGui::Dummy({panel.px(36), size});
  ImGui::SameLine(x + panel.px(40));
  ImGui::PushStyleColor(ImGuiCol_Text, im_color(panel.colors.dim));
  paragraph(text);
  ImGui::PopStyleColor();
}

/// One equation per line: they are separated by two spaces in the text.
void equations(const Panel& panel, std::string_view text) {
  Pen pen(panel);
  const float size = font(Face::text)->FontSize, width = ImGui::GetContentRegionAvail().x;
  while (!text.empty()) {
    const std::size_t end = text.find(",  ");
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const FormulaSize set =
        set_formula(parse_formula(text.substr(0, end)), pen, at.x, at.y, size, width);
    ImGui::Dummy({std::min(set.width, width), set.up + set.down + panel.px(2)});
    if (end == text.npos) break;
    text.remove_prefix(end + 3);
  }
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
  equations(panel, system->equations);
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
  if (ImGui::Button("Help page")) panel.sink.act(Action::preset_help);
  panel.mark("about/help");
  panel.say(Role::button, "Help page");
  explain(panel, Action::preset_help);
}

}  // namespace twosphere::ui
