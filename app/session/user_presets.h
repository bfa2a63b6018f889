// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/scenario/scenario.h"
#include "ui/shell/frame.h"

/// The user's own presets: scenario files with a picture beside each, in
/// $XDG_DATA_HOME/twosphere/presets (default ~/.local/share).
namespace twosphere {

/// Those there are, by title. Files that cannot be read have a problem.
std::vector<ui::UserPreset> user_presets();
/// The file of the preset of this title.
QString user_preset_file(const QString& title);
/// The picture of the preset in a file.
QString user_preset_picture(const QString& file);
/// Writes a preset and its picture (PNG; none if empty), in a folder that is made if need be.
Result<void> write_user_preset(const QString& file, const Scenario& scenario,
                               const std::string& picture);
/// Moves a preset and its picture to the trash, from where the desktop can restore them.
Result<void> remove_user_preset(const QString& file);

}  // namespace twosphere
