// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/preset_list.h"

#include <algorithm>
#include <map>

#include "core/base/json.h"
#include "core/base/text.h"
#include "core/catalog.h"
#include "core/custom/definition.h"
#include "core/scenario/reader.h"
#include "core/studies/published.h"
#include "core/tours/tour.h"
#include "embedded/preset_page.h"
#include "ui/shell/word_search.h"

namespace twosphere::ui {

namespace {

std::optional<int> example_of(std::string_view preset) {
  const auto runs = published_runs();
  const auto run = std::find_if(runs.begin(), runs.end(),
                                [&](const PublishedRun& r) { return r.preset == preset; });
  if (run == runs.end()) return std::nullopt;
  return run->example;
}

const json::Node& page_file() {
  static const json::Node file = *json::parse(embedded::preset_page().front().text, "page.json");
  return file;
}

/// "gravity chaos": the words of a preset on the page.
std::string words_of_preset(std::string_view key) {
  return listed_words(*page_file().find("words"), key);
}

PresetEntry built_in_entry(std::string_view key) {
  PresetEntry entry{.key = key, .title = {}, .description = {}};
  entry.example = example_of(key);
  entry.words = words_of_preset(key);
  const Scenario& scenario = entry.scenario();
  entry.title = scenario.title;
  entry.description = scenario.description;
  entry.system = &info_of(scenario);
  entry.bodies = scenario.size();
  return entry;
}

/// From the file as it is written: its texts are not checked.
PresetEntry custom_entry(const Preset& preset) {
  const json::Node file = *json::parse(preset.text, preset.key);
  const auto text = [&](std::string_view key) {
    const json::Node* const found = file.find(key);
    return found ? found->text : std::string();
  };
  const json::Node* const start = file.find("initial");
  const json::Node* const q = start ? start->find("q") : nullptr;
  return {.key = preset.key,
          .title = text("title"),
          .description = text("description"),
          .system = &custom_system(),
          .bodies = q ? static_cast<int>(q->items.size()) : 0,
          .words = words_of_preset(preset.key)};
}

}  // namespace

const Scenario& PresetEntry::scenario() const {
  static std::map<std::string_view, Scenario> all;
  const auto found = all.find(key);
  if (found != all.end()) return found->second;
  return all.emplace(key, *read_scenario(find_preset(key)->text, key)).first->second;
}

const std::vector<PresetEntry>& preset_entries() {
  static const std::vector<PresetEntry> list = [] {
    std::vector<PresetEntry> result;
    for (const Preset& preset : presets()) result.push_back(built_in_entry(preset.key));
    for (const Preset& preset : custom_presets()) result.push_back(custom_entry(preset));
    return result;
  }();
  return list;
}

const std::vector<PresetRow>& preset_rows() {
  static const std::vector<PresetRow> list = [] {
    const std::vector<PresetEntry>& entries = preset_entries();
    std::vector<PresetRow> rows;
    for (const json::Node& row : page_file().find("rows")->items) {
      PresetRow& made = rows.emplace_back(PresetRow{row.find("title")->text, {}});
      if (const json::Node* const keys = row.find("presets"))
        for (const json::Node& key : keys->items)
          for (std::size_t i = 0; i < entries.size(); ++i)
            if (entries[i].key == key.text) made.presets.push_back(i);
      if (const json::Node* const names = row.find("tours"))
        for (const json::Node& name : names->items)
          for (std::size_t i = 0; i < tour_entries().size(); ++i)
            if (tour_entries()[i].name == name.text) made.tours.push_back(i);
    }
    return rows;
  }();
  return list;
}

const PresetEntry* preset_of(const Scenario* opened) {
  if (!opened) return nullptr;
  const PresetEntry* found = nullptr;
  for (const PresetEntry& entry : preset_entries()) {
    if (entry.system->key != opened->system ||
        (entry.bodies != 0 && entry.bodies != opened->size()))
      continue;
    const Scenario& preset = entry.scenario();
    if (!same_system(preset, *opened) || preset.size() != opened->size() || preset.q != opened->q ||
        preset.omega != opened->omega || preset.base != opened->base)
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
