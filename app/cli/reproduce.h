// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/studies/reproduction.h"

namespace twosphere {

/// What `twosphere reproduce` was asked to do, as written on the command line.
struct ReproduceOptions {
  std::vector<std::string> selection;  ///< numbers of examples or names of presets; none: all
  std::string out;  ///< folder for the table, the rows and the paper's figures; empty: none
};

/// Runs the paper's examples again and prints the published numbers beside ours. Returns the exit
/// status: 1 if a number that can be reproduced is missed.
int reproduce(const ReproduceOptions& options);

/// Prints the table. Returns the exit status that it amounts to.
int print_table(const std::vector<ReproducedRun>& runs);

}  // namespace twosphere
