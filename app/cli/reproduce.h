// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/studies/reproduction.h"

namespace twosphere {

/// Prints the table. Returns the resulting exit status.
int print_table(const std::vector<ReproducedRun>& runs);

}  // namespace twosphere
