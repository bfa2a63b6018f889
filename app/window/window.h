// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace twosphere {

struct WindowOptions {
  std::string scenario_path;  ///< opened if not empty, else the preset
  std::string preset = "double_spherical_pendulum";
  bool named = false;  ///< the user has named either: no page of presets
};

/// Opens the window, paused at the scenario's start, and runs until it is closed. Returns the exit
/// status: 0; 2 or 4 if the scenario cannot be understood or read (then no window opens); 4 without
/// a display. Messages go to standard error.
int run_window(int argc, char** argv, const WindowOptions& options);

}  // namespace twosphere
