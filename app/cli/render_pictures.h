// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/picture_options.h"

namespace twosphere {

/// Draws a picture, or a video if one is asked for, without window and display. Returns the exit
/// status; messages go to standard error.
int draw_pictures(const PictureOptions& options);

}  // namespace twosphere
