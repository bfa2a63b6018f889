// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPalette>

#include "ui/interface.h"

namespace twosphere {

/// Colours of the menus, dialogs and the status bar, to go with the interface's.
QPalette widget_palette(ui::Palette palette);

}  // namespace twosphere
