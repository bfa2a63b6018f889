// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPalette>
#include <QString>

#include "ui/interface.h"

namespace twosphere {

/// Colours of the menus, dialogs and the status bar, to go with the interface's.
QPalette widget_palette(Palette palette);
/// A style sheet that puts borders around widgets where colours alone do not tell them from the
/// ground, with a wider one around the focus; else empty.
QString widget_borders(Palette palette);

}  // namespace twosphere
