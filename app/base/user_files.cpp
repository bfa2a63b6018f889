// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/user_files.h"

#include <QDir>
#include <QFileInfo>

namespace twosphere {

QString user_folder(const char* variable, const QString& in_home) {
  QString base = qEnvironmentVariable(variable);
  if (!QDir::isAbsolutePath(base)) base = QDir::homePath() + QLatin1Char('/') + in_home;
  return base + QStringLiteral("/twosphere");
}

QString documentation_page(const QString& program_folder) {
  for (const char* place : {"../share/doc/twosphere/html/index.html", "site/html/index.html"})
    if (const QFileInfo file{QDir(program_folder), QLatin1String(place)}; file.isFile())
      return file.canonicalFilePath();
  return {};
}

QString file_name_of(const QString& title, const QString& default_value) {
  QString name;
  for (const QChar c : title) name += c.isLetterOrNumber() ? c.toLower() : QLatin1Char('_');
  return name.isEmpty() ? default_value : name;
}

}  // namespace twosphere
