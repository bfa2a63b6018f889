// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/recent_files.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QStringList>

#include "app/session/saved_session.h"
#include "core/base/file.h"
#include "core/base/json.h"

namespace twosphere {

namespace {

QString list_file() { return session_folder() + QStringLiteral("/recent.json"); }

QStringList read_list() {
  const auto text = read_file(list_file().toStdString(), std::size_t{1} << 20);
  if (!text) return {};
  const auto root = json::parse(*text, "recent.json");
  QStringList list;
  if (root && root->kind == json::Kind::array)
    for (const json::Node& entry : root->items)
      if (entry.kind == json::Kind::string) list << QString::fromStdString(entry.text);
  return list;
}

}  // namespace

std::vector<ui::RecentFile> recent_entries() {
  std::vector<ui::RecentFile> list;
  for (const QString& path : read_list()) {
    if (list.size() == max_recent_files) break;
    const QFileInfo info(path);
    QString folder = info.path(), problem;
    if (const QString home = QDir::homePath(); folder.startsWith(home + QLatin1Char('/')))
      folder.replace(0, home.size(), QLatin1Char('~'));
    if (!info.exists())
      problem = QFileInfo(info.path()).isDir() ? QStringLiteral("The file no longer exists")
                                               : QStringLiteral("The folder does not exist");
    else if (!info.isFile())
      problem = QStringLiteral("This is not a file");
    else if (!info.isReadable())
      problem = QStringLiteral("No permission to read the file");
    list.push_back({path.toStdString(), info.fileName().toStdString(), folder.toStdString(),
                    problem.toStdString()});
  }
  return list;
}

void remember_file(const QString& path) {
  const QString whole = QFileInfo(path).absoluteFilePath();
  QStringList list = read_list();
  list.removeAll(whole);
  list.prepend(whole);
  const json::Node root =
      json::Node::array(list.mid(0, static_cast<qsizetype>(max_recent_files)),
                        [](const QString& entry) { return entry.toStdString(); });
  make_session_folder();
  (void)write_file(list_file().toStdString(), json::write(root)).has_value();
}

void forget_recent_files() { QFile::remove(list_file()); }

}  // namespace twosphere
