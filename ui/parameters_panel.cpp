// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <vector>

#include "ui/field_row.h"

namespace twosphere::ui {

namespace {

// Up to so many bodies each value has a row with its symbol, above that a body has a row.
constexpr int most_rows = 3;

/// One number of a parameter, at `index` of a list, or alone.
Entry entry(const Panel& panel, const PanelState& state, const ParameterInfo& p, int index) {
  const auto at = static_cast<std::size_t>(std::max(index, 0));
  const auto value = [&](const Scenario* s) {
    if (!s) return p.fallback;
    const auto it = s->parameters.find(p.key);
    return it != s->parameters.end() && at < it->second.size() ? it->second[at] : p.fallback;
  };
  const std::string name = index < 0 ? std::string(p.key) : fmt::format("{}[{}]", p.key, index);
  return {.path = "system." + name,
          .name = "parameter/" + name,
          .symbol = index < 0                  ? std::string(p.symbol)
                    : p.shape == Shape::vector ? component(p.symbol, index)
                                               : with_index(p.symbol, index + 1),
          .info = &p,
          .value = value(state.upcoming.get()),
          .running = value(panel.snapshot.present.get()),
          .original = value(state.original.get())};
}

}  // namespace

void parameters_panel(const Panel& panel, PanelState& state) {
  if (!section(panel, state, "Parameters")) return;
  if (!panel.snapshot.system_info) return;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {panel.px(8), panel.px(3)});
  const auto& parameters = panel.snapshot.system_info->parameters;
  const Setter set = to_path(panel);
  const int n = panel.snapshot.present->size();
  if (n > most_rows) {
    std::vector<EntryColumn> columns;
    for (const ParameterInfo& p : parameters)
      if (p.shape == Shape::per_body) columns.push_back({std::string(p.symbol) + "ᵢ", &p});
    const auto row = [&](int i) {
      std::vector<Entry> entries;
      for (const EntryColumn& c : columns) entries.push_back(entry(panel, state, *c.info, i));
      return entries;
    };
    if (!columns.empty()) entry_table(panel, state, "parameters", columns, n, row, set);
  } else {
    for (const ParameterInfo& p : parameters)
      for (int i = 0; p.shape == Shape::per_body && i < n; ++i)
        entry_row(panel, state, {entry(panel, state, p, i)}, with_index(p.symbol, i + 1), set);
  }
  for (const ParameterInfo& p : parameters) {
    std::vector<Entry> entries;
    if (p.shape == Shape::scalar) entries = {entry(panel, state, p, -1)};
    if (p.shape == Shape::vector)
      for (int k = 0; k < 3; ++k) entries.push_back(entry(panel, state, p, k));
    if (!entries.empty()) entry_row(panel, state, entries, std::string(p.symbol), set);
  }
  ImGui::PopStyleVar();
}

}  // namespace twosphere::ui
