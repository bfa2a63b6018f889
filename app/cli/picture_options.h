// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/session/plan.h"
#include "core/base/json.h"
#include "core/base/result.h"
#include "core/mechanics/system.h"
#include "core/output/lattice_layer.h"

namespace twosphere {

/// The options of `twosphere render`, as written on the command line. duration, steps and every of
/// PlanOptions remain unset.
struct PictureOptions : PlanOptions {
  std::string time, png;                    ///< for a picture
  std::string video, from, to, fps, speed;  ///< for a video
  std::string html;                         ///< a page
  std::optional<std::string> html_frames;   ///< of a page
  std::string follow;                       ///< a body, numbered from 1
  std::string frame;                        ///< parse_frame(), or no_turn
  std::string layer;                        ///< parse_layer(), or no_layer
  std::string size, trail, color, color_map, color_axis, arrows;
  std::string split;               ///< "lanes" or "runs"
  std::string compose, place;      ///< FrameContent and PlotPlace
  std::vector<std::string> plots;  ///< plots_named()
  std::string title;               ///< implied_title: that of the scenario
  std::string text;                ///< its height
  bool time_label = false;
  bool light = false, transparent = false, no_ground = false, quiet = false;
  bool field = false, no_streamlines = false, numbers = false, no_legend = false;
  bool backwards = false;  ///< a video
};

/// The --frame that is at rest.
inline constexpr const char* no_turn = "none";
/// The --layer that is the whole lattice.
inline constexpr const char* no_layer = "none";
/// What --title is without a text.
inline constexpr const char* implied_title = "title of the scenario";

/// The layer that a picture shows alone: that of --layer, which the system must have, or without
/// one of the view of the scenario. A warning is printed where the system does not have that one.
std::optional<LatticeLayer> chosen_layer(const PictureOptions& options, const json::Node& view,
                                         const System& system);

/// The values of --color, --color-map, --color-axis, --arrows, --split, --compose and --layout.
std::vector<std::string> shade_names();
std::vector<std::string> color_map_names();
std::vector<std::string> axis_choices();
std::vector<std::string> arrow_names();
std::vector<std::string> split_names();
std::vector<std::string> compose_names();
std::vector<std::string> place_names();

}  // namespace twosphere
