// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/run/checkpoint.h"

/// Checkpoints of a run as bytes. They are exact, but only the same version of the program on a
/// machine of the same byte order reads them; the record, which repeats the run, is read by all.
namespace twosphere {

/// The start and the settings of a record as they are before its first step.
Scenario start_of_record(Scenario record);
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

using RunStates = std::vector<std::shared_ptr<const RunCheckpoint>>;

/// Checkpoints of one run in order of step.
std::string write_states(const RunStates& states);
/// The inverse, for the record of the run. Fails if the bytes are damaged, are of another version
/// or machine, or do not fit the record.
Result<RunStates> read_states(std::string_view bytes, const Scenario& record);

/// Whether two checkpoints of a record continue it identically. If only one of them was taken after
/// the events of its step, the states after the next step are compared; false if they are of
/// different steps.
bool continue_alike(const Scenario& record, const RunCheckpoint& a, const RunCheckpoint& b);

}  // namespace twosphere
