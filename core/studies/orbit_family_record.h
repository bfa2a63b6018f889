// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/base/result.h"
#include "core/scenario/scenario.h"
#include "core/studies/orbit_family_table.h"

namespace twosphere {

/// What a family needs to be gone on with, in JSON: what was asked for, its members with all digits
/// and the next step.
std::string write_family_record(const FoundFamily& family, const FamilyRequest& request,
                                const Scenario& scenario);
/// Reads it. `name` is that of the file, for errors. Fails with kind usage if it is a record of
/// another request or another scenario, or has more members than the request allows; the numbers of
/// threads and members may be others.
Result<KnownFamily> read_family_record(const std::string& text, const std::string& name,
                                       const FamilyRequest& request, const Scenario& scenario);

}  // namespace twosphere
