// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/shell/panel.h"

namespace twosphere::ui {

/// Draws title, time and labels of the corner axes, without mouse input.
void scene_overlay(const Panel& panel, const Rect& scene);

}  // namespace twosphere::ui
