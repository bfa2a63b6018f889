// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/preset_list.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/catalog.h"
#include "core/scenario/reader.h"
#include "core/studies/published.h"

namespace twosphere::ui {

namespace {

std::optional<int> example_of(std::string_view preset) {
  const auto runs = published_runs();
  const auto run = std::find_if(runs.begin(), runs.end(),
                                [&](const PublishedRun& r) { return r.preset == preset; });
  if (run == runs.end()) return std::nullopt;
  return run->example;
}

}  // namespace

const std::vector<PresetEntry>& preset_entries() {
  static const std::vector<PresetEntry> list = [] {
    std::vector<PresetEntry> result;
    for (const Preset& preset : presets())
      if (const Result<Scenario> scenario = read_scenario(preset.text, preset.key))
        result.push_back({preset.key, scenario->title, scenario->description, &info_of(*scenario),
                          scenario->size(), example_of(preset.key), *scenario});
    return result;
  }();
  return list;
}

const PresetEntry* preset_of(const Scenario* opened) {
  if (!opened) return nullptr;
  const PresetEntry* found = nullptr;
  for (const PresetEntry& entry : preset_entries()) {
    const Scenario& preset = entry.scenario;
    if (!same_system(preset, *opened) || preset.size() != opened->size() || preset.q != opened->q ||
        preset.omega != opened->omega)
      continue;
    if (preset.lanes[0].type == opened->lanes[0].type) return &entry;
    if (!found) found = &entry;
  }
  return found;
}

std::string_view first_sentence(std::string_view text) { return text.substr(0, text.find(". ")); }

std::string summary(std::string_view text) {
  std::string said(first_sentence(text));
  if (said.starts_with("Example ")) {
    if (const std::size_t end = said.find(": "); end != said.npos) said.erase(0, end + 2);
    said = capitalised(std::move(said));
  }
  return said;
}

}  // namespace twosphere::ui
