// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/mechanics/system.h"
#include "core/scenario/scenario.h"

namespace twosphere::ui {

/// What lists of presets show of one.
struct PresetEntry {
  std::string_view key;
  std::string title, description;
  const SystemInfo* system = nullptr;
  int bodies = 0;
  std::optional<int> example;  ///< of the 2009 paper
  Scenario scenario;
};

/// Every preset, in the order of the catalogue; read once.
const std::vector<PresetEntry>& preset_entries();

/// The preset that a scenario is, as it was opened: that of the same system with the same
/// parameters and the same start, whatever its title, methods and duration are. So a preset is
/// still one once it was saved and opened again, unless it was saved with another start or other
/// parameters, or as a state of its run. Null if it is none, or nothing is open.
const PresetEntry* preset_of(const Scenario* opened);

/// What a description says first, without the full stop.
std::string_view first_sentence(std::string_view text);
/// The same without the citation that it may begin with: "three bodies that …" of "Example 2 of
/// Lee, Leok and McClamroch (2009): three bodies that …", with a capital.
std::string summary(std::string_view text);

}  // namespace twosphere::ui
