// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <set>

#include "ui/shell/panel.h"

namespace twosphere::ui {

/// Mouse input on the legend of the scene, after it is drawn: a click on a lane hides or shows it,
/// a double click on the caption of a cell shows that cell alone, or all again. `alone`:
/// CellView::shows, or −1.
void scene_buttons(const Panel& panel, std::set<int>& hidden, int& alone);

}  // namespace twosphere::ui
