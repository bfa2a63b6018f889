// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

#include "app/dialogs/dialog_settings.h"
#include "ui/interface.h"

namespace twosphere {

/// The settings stored between sessions in $XDG_CONFIG_HOME/twosphere/settings.ini (default
/// ~/.config; a relative value is ignored).
struct WindowSettings {
  ui::Settings interface;
  // Positions and sizes of the window and that of the plots in Qt's format; empty at first.
  QByteArray geometry, plot_geometry;
  QString directory;  ///< of the last file dialog
  DialogSettings dialogs;
};

/// Missing, unreadable and invalid values are replaced by their defaults.
WindowSettings read_settings();
/// False if the file cannot be written.
bool write_settings(WindowSettings settings);

}  // namespace twosphere
