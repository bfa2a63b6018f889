// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <vector>

#include "ui/interface.h"

namespace twosphere {

inline constexpr std::size_t most_recent_files = 10;

/// The scenario files opened or saved last, the newest first, those that are still there: kept over
/// sessions in session_folder(). What cannot be read or written there is no error.
QStringList recent_files();
/// The same with those that are no longer there, and why each cannot be opened.
std::vector<ui::RecentFile> recent_entries();
void remember_file(const QString& path);
void forget_recent_files();

}  // namespace twosphere
