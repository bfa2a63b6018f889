// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/user_files.h"

#include <QDir>

namespace twosphere {

QString user_folder(const char* variable, const QString& in_home) {
  QString base = qEnvironmentVariable(variable);
  if (!QDir::isAbsolutePath(base)) base = QDir::homePath() + QLatin1Char('/') + in_home;
  return base + QStringLiteral("/twosphere");
}

QString file_name_of(const QString& title, const QString& fallback) {
  QString name;
  for (const QChar c : title) name += c.isLetterOrNumber() ? c.toLower() : QLatin1Char('_');
  return name.isEmpty() ? fallback : name;
}

}  // namespace twosphere
