// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "ui/shell/panel.h"

namespace twosphere::ui {

/// The recorded times: "12.850 s", or "−1.700 to 6.000 s" if the run was reversed.
std::string recorded_text(const Panel& panel);

/// Draws title and time, in a split scene within its first cell, and labels of the corner axes,
/// without mouse input.
void scene_overlay(const Panel& panel, const Rect& scene);

}  // namespace twosphere::ui
