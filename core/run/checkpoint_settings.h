// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/run/checkpoint.h"

/// The settings of checkpoints as text, for live files and saved states. Internal to core/run.
namespace twosphere {

/// The start and the settings of a record as they are before its first step.
Scenario without_events(Scenario record);
/// The same with its system. Fails if the system cannot be made.
Result<std::shared_ptr<const RunCheckpoint::Settings>> start_settings(const Scenario& record);

/// Settings of a run as a JSON object.
std::string settings_text(const RunCheckpoint::Settings& settings);
/// The inverse; the system of `before` is shared if it is the same.
Result<std::shared_ptr<const RunCheckpoint::Settings>> read_settings(
    std::string_view text, const Scenario& record, const RunCheckpoint::Settings& before);

/// Whether a checkpoint and markers that were read are those of a run with these settings: whatever
/// the bytes were, such a checkpoint can be shown and continued.
bool fits(const RunCheckpoint& state, const std::vector<RunMarker>& markers,
          const RunCheckpoint::Settings& settings, const Scenario& record);

}  // namespace twosphere
