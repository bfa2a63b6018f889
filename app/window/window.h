// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace twosphere {

struct WindowOptions {
  std::string scenario_path;  ///< opened if not empty; otherwise the preset is
  std::string preset = "double_spherical_pendulum";
  std::string tour{};    ///< one that is begun, by its name or file, if it is not empty
  bool named = false;    ///< the user has given one of these: the page of presets is not shown
  bool present = false;  ///< as a presentation, which runs in a loop
};

/// Opens the window, paused at the start of the scenario, and runs until it is closed. Returns the
/// exit status: 0; 2 or 4 if the scenario is invalid or cannot be read (no window is opened then);
/// 4 without a display. Messages go to standard error.
int run_window(int argc, char** argv, const WindowOptions& options);

}  // namespace twosphere
