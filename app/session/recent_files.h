// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <vector>

#include "ui/interface.h"

namespace twosphere {

inline constexpr std::size_t most_recent_files = 10;

/// The recently opened or saved scenario files that still exist, newest first. The list is stored
/// in session_folder(); errors of reading and writing it are ignored.
QStringList recent_files();
/// The same including missing files, with the reason why a file cannot be opened.
std::vector<ui::RecentFile> recent_entries();
void remember_file(const QString& path);
void forget_recent_files();

}  // namespace twosphere
