// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/mechanics/system.h"
#include "core/scenario/scenario.h"

namespace twosphere::ui {

/// A preset in lists.
struct PresetEntry {
  std::string_view key;
  std::string title, description;
  const SystemInfo* system = nullptr;
  int bodies = 0;
  std::optional<int> example;  ///< number in the 2009 paper
  Scenario scenario;
};

/// Every preset in the order of the catalogue; read in the first call.
const std::vector<PresetEntry>& preset_entries();

/// The preset with the same system, parameters and start as a scenario; title, methods and duration
/// may differ. A preset that was saved and opened again is still recognised, unless its start or
/// its parameters were changed or it was saved as a state of a run. Null if there is none, or if
/// `opened` is null.
const PresetEntry* preset_of(const Scenario* opened);

/// The first sentence of a description, without the full stop.
std::string_view first_sentence(std::string_view text);
/// The same without a leading citation, and capitalised: "Three bodies that …" from "Example 2 of
/// Lee, Leok and McClamroch (2009): three bodies that …".
std::string summary(std::string_view text);

}  // namespace twosphere::ui
