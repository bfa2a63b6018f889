// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

#include "app/dialogs/dialog_settings.h"
#include "ui/interface.h"

namespace twosphere {

/// What the window keeps over sessions, in $XDG_CONFIG_HOME/twosphere/settings.ini (default
/// ~/.config; a relative value is ignored).
struct WindowSettings {
  ui::Settings interface;
  QByteArray geometry;  ///< of the window, as Qt writes it; empty at first
  QString directory;    ///< of the last file dialog
  DialogSettings dialogs;
};

/// Values that are missing, unreadable or out of range are the defaults.
WindowSettings read_settings();
/// False if the place cannot be written.
bool write_settings(WindowSettings settings);

}  // namespace twosphere
