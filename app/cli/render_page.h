// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/picture_options.h"

namespace twosphere {

/// Simulates from one time to another and writes the web page of the run. Returns the exit status;
/// messages go to standard error.
int draw_web_page(const PictureOptions& options);

}  // namespace twosphere
