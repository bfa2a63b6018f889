// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
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
  const SystemInfo* system = nullptr;  ///< custom_system() if it is defined by texts
  int bodies = 0;                      ///< 0: only the scenario says
  std::optional<int> example{};        ///< number in the 2009 paper
  std::string words{};                 ///< further words by which it is found

  /// Read when first asked for, because texts take long to check. For the thread of the window.
  const Scenario& scenario() const;
};

/// Every preset in the order of the catalogue, then those of the type custom; made in the first
/// call.
const std::vector<PresetEntry>& preset_entries();

/// A row of the page of presets, as resources/presets/page.json has it.
struct PresetRow {
  std::string title;
  std::vector<std::size_t> presets;  ///< indices in preset_entries()
  std::vector<std::size_t> tours{};  ///< indices in tour_entries()
};
/// The rows, in which each preset and each tour is once.
const std::vector<PresetRow>& preset_rows();

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
