// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QString>

namespace twosphere {

/// The program's folder in one of the user's base folders: that of an environment variable
/// ("XDG_DATA_HOME"), or a default in the home folder (".local/share"). A relative value is
/// ignored.
QString user_folder(const char* variable, const QString& in_home);

/// The first page of the documentation site; empty if there is none. It lies in share/doc beside
/// the folder of the program, as it is installed, or in the build that the program is in.
QString documentation_page(const QString& program_folder = QCoreApplication::applicationDirPath());

/// A title as the name of a file, without a suffix: its letters in lower case and digits, and _ for
/// all other characters; `default_value` for an empty one.
QString file_name_of(const QString& title, const QString& default_value);

}  // namespace twosphere
