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
