// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace twosphere {

/// Runs the program: opens the window or executes a subcommand. Returns the exit status: 0 success,
/// 2 wrong usage, 3 numerical failure, 4 input or output error, 128 + N after signal N.
int command_line(int argc, char** argv);

}  // namespace twosphere
