// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/scenario/scenario.h"

namespace twosphere {

/// Reads and checks a scenario (contract: format 1). Places in errors are "SOURCE:LINE: path".
/// Warnings: a start that had to be moved onto the sphere by more than rounding.
Result<Scenario> read_scenario(std::string_view text, std::string_view source,
                               std::vector<std::string>* warnings = nullptr);
/// The same from a document already parsed.
Result<Scenario> read_scenario(const json::Node& root, std::string_view source,
                               std::vector<std::string>* warnings = nullptr);
/// A whole file; kind input_output if it cannot be read.
Result<Scenario> load_scenario(const std::string& path,
                               std::vector<std::string>* warnings = nullptr);

/// Reads a document in which a scenario was edited. With `start` its start is that of this
/// scenario, and the document's is not read; with `exact_start` it is taken bit for bit, like that
/// of a saved state.
Result<Scenario> read_edited(const json::Node& root, const Scenario* start, bool exact_start,
                             std::vector<std::string>* warnings);

}  // namespace twosphere
