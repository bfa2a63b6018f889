// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/shell/panel.h"

namespace twosphere::ui {

/// Title, time, labels of the corner axes; nothing in it takes the mouse.
void scene_overlay(const Panel& panel, const Rect& scene);

}  // namespace twosphere::ui
