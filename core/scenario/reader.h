// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/scenario/scenario.h"
#include "core/scenario/writer.h"

namespace twosphere {

/// Reads and checks a scenario (format 1). Locations in errors are "SOURCE:LINE: path". A warning
/// is given if the start had to be moved onto the sphere by more than rounding.
Result<Scenario> read_scenario(std::string_view text, std::string_view source,
                               std::vector<std::string>* warnings = nullptr);
/// The same for a document that is already parsed: the way back of to_json().
Result<Scenario> from_json(const json::Node& root, std::string_view source,
                           std::vector<std::string>* warnings = nullptr);
/// Reads a file, or the scenario in a web page (page_scenario.h); an error of kind input_output if
/// that fails.
Result<Scenario> load_scenario(const std::string& path,
                               std::vector<std::string>* warnings = nullptr);
/// Reads a preset. Of an unknown key the error has no location and names those there are.
Result<Scenario> load_preset(const std::string& key, std::vector<std::string>* warnings = nullptr);

/// Reads a document that edits a scenario; what the document omits by its scope is taken from
/// `former`. With `exact_start` a start in the document is taken bit for bit, like that of a saved
/// state.
Result<Scenario> read_edited(const json::Node& root, const Scenario& former, EditScope scope,
                             bool exact_start, std::vector<std::string>* warnings);

}  // namespace twosphere
