// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/system.h"

namespace twosphere::ui {

/// What lists of presets show of one.
struct PresetEntry {
  std::string_view key;
  std::string title, description;
  const SystemInfo* system = nullptr;
  int bodies = 0;
  std::optional<int> example;  ///< of the 2009 paper
};

/// Every preset, in the order of the catalogue; read once.
const std::vector<PresetEntry>& preset_entries();

/// The one of a title; null if there is none.
const PresetEntry* preset_titled(std::string_view title);

/// What a description says first, without the full stop.
std::string_view first_sentence(std::string_view text);
/// The same without the citation that it may begin with: "three bodies that …" of "Example 2 of
/// Lee, Leok and McClamroch (2009): three bodies that …", with a capital.
std::string summary(std::string_view text);

}  // namespace twosphere::ui
