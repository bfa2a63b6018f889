// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "app/cli/picture_options.h"
#include "core/base/json.h"
#include "core/run/simulation.h"
#include "render/scene_style.h"

namespace twosphere {

/// Draws a picture, or a video if one is asked for, without window and display. Returns the exit
/// status; messages go to standard error.
int draw_pictures(const PictureOptions& options);

// Of pictures, videos and pages.
render::SceneStyle read_style(const PictureOptions& options);
/// Fails if what is asked for is 0 in every state of the system.
void check_style(const render::SceneStyle& style, const System& system);
/// Sets the frame of the scene: that of the options or, without one, of the view of the scenario;
/// where the run has no such frame, the latter only gives a note.
void set_frame(const PictureOptions& options, const json::Node& view, const Simulation& run,
               render::SceneStyle& style);
/// The body that the camera follows, numbered from 0; −1: none.
int read_follow(const std::string& text, const Simulation& simulation);
/// Fails if a time cannot be reached.
void check_time(double time, const char* option, const Simulation& simulation);

}  // namespace twosphere
