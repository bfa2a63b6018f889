// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "app/plan.h"

namespace twosphere {

/// What `twosphere render` was asked to do, as written on the command line. Of a plan's options
/// duration, steps and every stay unset.
struct PictureOptions : PlanOptions {
  std::string time, png, size, trail;
  bool light = false, transparent = false, no_ground = false, quiet = false;
};

/// Simulates up to a time and draws the scene as the window opens it, without window, display or
/// Qt's graphics. Returns the exit status; messages go to standard error.
int draw_picture(const PictureOptions& options);

}  // namespace twosphere
