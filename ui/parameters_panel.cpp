// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <vector>

#include "ui/axis.h"
#include "ui/panel.h"

namespace twosphere::ui {

namespace {

constexpr float label_width = 92, number_width = 26, reset_width = 20, gap = 4;
// Up to so many bodies each value has a row with its symbol, above that a body has a row.
constexpr int most_rows = 3;

/// An entry of a parameter: where it stands in files, and what it was when loaded.
struct Entry {
  const ParameterInfo* info;
  int index;  // in a list, −1 for a scalar
  double value, original;

  std::string name() const {
    return index < 0 ? std::string(info->key) : fmt::format("{}[{}]", info->key, index);
  }
  std::string path() const { return "system." + name(); }
  std::string symbol() const {
    return index < 0 ? std::string(info->symbol) : with_index(info->symbol, index + 1);
  }
};

class Form {
 public:
  Form(const Panel& panel, PanelState& state)
      : panel_(panel), state_(state), present_(*panel.snapshot.present) {}

  void draw() {
    std::vector<const ParameterInfo*> per_body;
    for (const ParameterInfo& p : panel_.snapshot.system_info->parameters) {
      if (p.shape != Shape::per_body) continue;
      per_body.push_back(&p);
    }
    const int n = present_.size();
    if (n > most_rows && !per_body.empty()) {
      table(per_body, n);
    } else {
      for (const ParameterInfo* p : per_body)
        for (int i = 0; i < n; ++i) row({entry(*p, i)}, with_index(p->symbol, i + 1));
    }
    for (const ParameterInfo& p : panel_.snapshot.system_info->parameters) {
      if (p.shape == Shape::scalar) row({entry(p, -1)}, std::string(p.symbol));
      if (p.shape == Shape::vector)
        row({entry(p, 0), entry(p, 1), entry(p, 2)}, std::string(p.symbol));
    }
  }

 private:
  Entry entry(const ParameterInfo& p, int index) const {
    const auto at = static_cast<std::size_t>(std::max(index, 0));
    const auto value = [&](const Scenario* s) {
      if (!s) return p.fallback;
      const auto it = s->parameters.find(p.key);
      return it != s->parameters.end() && at < it->second.size() ? it->second[at] : p.fallback;
    };
    const double now = value(&present_);
    return {&p, index, now, state_.original ? value(state_.original.get()) : now};
  }

  void send(const Entry& e, double value) const {
    panel_.sink.command(Change{{{e.path(), json::Node(value)}}});
  }

  void field(const Entry& e, float width) {
    const auto next =
        state_.fields.draw({e.path(), e.value, e.info, width}, panel_.colors, panel_.scale);
    panel_.mark("parameter/" + e.name());
    tooltip(panel_, explain(*e.info, e.symbol()));
    if (next) send(e, *next);
  }

  /// A button that brings back what was loaded, where that differs.
  void reset(const std::vector<Entry>& entries) {
    ImGui::SameLine(0, 0);
    const ImVec2 size{panel_.px(reset_width), ImGui::GetFrameHeight()};
    if (std::all_of(entries.begin(), entries.end(),
                    [](const Entry& e) { return e.value == e.original; })) {
      ImGui::Dummy(size);
      return;
    }
    const ImVec2 from = ImGui::GetCursorScreenPos();
    ImGui::PushID(entries.front().path().c_str());
    const bool pressed = ImGui::InvisibleButton("##reset", size);
    ImGui::PopID();
    const Color color = ImGui::IsItemHovered() ? panel_.colors.text : panel_.colors.dim;
    ImGui::GetWindowDrawList()->AddText(
        {from.x + panel_.px(5), from.y + ImGui::GetStyle().FramePadding.y}, ink(color), "↺");
    panel_.mark("reset/" + entries.front().name());
    std::string what;
    for (const Entry& e : entries) {
      what += (what.empty() ? "Back to " : ", ") + short_number(e.original);
      if (!pressed || e.value == e.original) continue;
      state_.fields.expect(e.path(), e.original);
      send(e, e.original);
    }
    tooltip(panel_, what);
  }

  /// Symbol, unit and one or three fields.
  void row(const std::vector<Entry>& entries, const std::string& symbol) {
    const auto& p = *entries.front().info;
    const float all = ImGui::GetContentRegionAvail().x;
    const float count = static_cast<float>(entries.size());
    row_label(panel_, symbol, p.unit, panel_.px(label_width));
    tooltip(panel_, fmt::format("{}\n{}", p.label, p.help));
    const float width =
        (all - panel_.px(label_width + reset_width) - (count - 1) * panel_.px(gap)) / count;
    for (std::size_t i = 0; i < entries.size(); ++i) {
      ImGui::SameLine(0, i == 0 ? 0 : panel_.px(gap));
      field(entries[i], width);
    }
    reset(entries);
  }

  /// Bodies as rows, parameters as columns.
  void table(const std::vector<const ParameterInfo*>& columns, int n) {
    const float all = ImGui::GetContentRegionAvail().x;
    const float count = static_cast<float>(columns.size());
    const float width =
        (all - panel_.px(number_width + reset_width) - (count - 1) * panel_.px(gap)) / count;
    ImGui::Dummy({panel_.px(number_width), ImGui::GetFrameHeight()});
    for (std::size_t i = 0; i < columns.size(); ++i) {
      ImGui::SameLine(0, i == 0 ? 0 : panel_.px(gap));
      // Over the right-aligned numbers.
      const ParameterInfo& p = *columns[i];
      const std::string unit = p.unit == "1" ? "" : fmt::format(" [{}]", p.unit);
      const float used =
          ImGui::CalcTextSize((std::string(p.symbol) + "ᵢ" + unit).c_str()).x + panel_.px(9);
      ImGui::Dummy({std::max(0.0f, width - used), 0});
      ImGui::SameLine(0, 0);
      row_label(panel_, std::string(p.symbol) + "ᵢ", p.unit, std::min(used, width));
      tooltip(panel_, fmt::format("{}\n{}", p.label, p.help));
    }
    ImGuiListClipper clipper;
    clipper.Begin(n, ImGui::GetFrameHeightWithSpacing());
    while (clipper.Step())
      for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
        ImGui::PushStyleColor(ImGuiCol_Text, ink(panel_.colors.dim));
        row_label(panel_, std::to_string(i + 1), "", panel_.px(number_width));
        ImGui::PopStyleColor();
        std::vector<Entry> entries;
        for (std::size_t c = 0; c < columns.size(); ++c) {
          ImGui::SameLine(0, c == 0 ? 0 : panel_.px(gap));
          entries.push_back(entry(*columns[c], i));
          field(entries.back(), width);
        }
        reset(entries);
      }
  }

  const Panel& panel_;
  PanelState& state_;
  const Scenario& present_;
};

}  // namespace

void parameters_panel(const Panel& panel, PanelState& state) {
  if (!section(panel, state, "Parameters")) return;
  if (!panel.snapshot.system_info) return;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {panel.px(8), panel.px(3)});
  Form(panel, state).draw();
  ImGui::PopStyleVar();
}

}  // namespace twosphere::ui
