// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

#include "ui/interface.h"

namespace twosphere {

inline constexpr std::size_t max_recent_files = 10;

/// The recently opened or saved scenario files, newest first, and why one cannot be opened. The
/// list is stored in session_folder(); errors of reading and writing it are ignored.
std::vector<ui::RecentFile> recent_entries();
void remember_file(const QString& path);
void forget_recent_files();

}  // namespace twosphere
