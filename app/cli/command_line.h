// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace twosphere {

/// The program: opens the window or carries out a command. Returns the exit status: 0 fine, 2 wrong
/// usage, 3 numerical failure, 4 input or output, 130 and 143 after Ctrl-C and SIGTERM.
int command_line(int argc, char** argv);

}  // namespace twosphere
