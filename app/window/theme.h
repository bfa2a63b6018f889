// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPalette>
#include <QString>

#include "ui/interface.h"

namespace twosphere {

/// Colours of the menus, the dialogs and the status bar that match the interface.
QPalette widget_palette(Palette palette);
/// A style sheet with borders around widgets, wider around the focused one, for palettes whose
/// colours do not separate widgets from the background; else empty.
QString widget_borders(Palette palette);

}  // namespace twosphere
