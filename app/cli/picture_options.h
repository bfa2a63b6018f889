// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/session/plan.h"

namespace twosphere {

/// The options of `twosphere render`, as written on the command line. duration, steps and every of
/// PlanOptions remain unset.
struct PictureOptions : PlanOptions {
  std::string time, png;                    ///< for a picture
  std::string video, from, to, fps, speed;  ///< for a video
  std::string html;                         ///< a page
  std::optional<std::string> html_frames;   ///< of a page
  std::string follow;                       ///< a body, numbered from 1
  std::string size, trail, color, color_map, arrows;
  std::string split;  ///< "lanes" or "runs"
  bool light = false, transparent = false, no_ground = false, quiet = false;
  bool field = false, numbers = false, no_legend = false;
  bool backwards = false;  ///< a video
};

/// The values of --color, --color-map, --arrows and --split.
std::vector<std::string> shade_names();
std::vector<std::string> color_map_names();
std::vector<std::string> arrow_names();
std::vector<std::string> split_names();

}  // namespace twosphere
