// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "app/session/plan.h"

namespace twosphere {

/// What `twosphere render` was asked to do, as written on the command line. Of a plan's options
/// duration, steps and every stay unset.
struct PictureOptions : PlanOptions {
  std::string time, png;                   ///< of a picture
  std::string film, from, to, fps, speed;  ///< of a film
  std::string follow;                      ///< a body, from 1
  std::string size, trail, color, color_map, arrows;
  bool light = false, transparent = false, no_ground = false, quiet = false;
  bool field = false, numbers = false, no_legend = false;
};

/// Simulates up to a time and draws the scene as the window opens it, without window, display or
/// Qt's graphics. Returns the exit status; messages go to standard error.
int draw_picture(const PictureOptions& options);
/// The same for a film: of all times from `from`, or the start, to `to`, or the end of the
/// scenario. Where there is no ffmpeg its frames are left as pictures in a folder. A step that is
/// refused and Ctrl-C end the film; what is there is kept.
int draw_film(const PictureOptions& options);

}  // namespace twosphere
