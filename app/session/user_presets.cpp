// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/user_presets.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <algorithm>

#include "app/base/qt_text.h"
#include "app/base/user_files.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/scenario/writer.h"

namespace twosphere {

namespace {

constexpr int max_name = 60;  // characters of a file's name

std::string text_at(const json::Node& root, std::string_view key) {
  const json::Node* found = root.find(key);
  return found && found->kind == json::Kind::string ? found->text : std::string();
}

/// As the file says, without reading its system; 0 if it does not say.
int bodies_of(const json::Node& root) {
  const json::Node *initial = root.find("initial"), *q = initial ? initial->find("q") : nullptr;
  return q && q->kind == json::Kind::array ? static_cast<int>(q->items.size()) : 0;
}

ui::UserPreset read(const QFileInfo& file) {
  ui::UserPreset preset;
  preset.path = file.absoluteFilePath().toStdString();
  preset.title = file.completeBaseName().toStdString();
  const auto text = read_file(preset.path, json::max_bytes);
  const auto root = text ? json::parse(*text, preset.path) : text.error();
  if (!root || root->kind != json::Kind::object) {
    preset.problem = root ? "This is not a scenario" : root.error().message;
    return preset;
  }
  if (std::string title = text_at(*root, "title"); !title.empty()) preset.title = std::move(title);
  preset.description = text_at(*root, "description");
  preset.bodies = bodies_of(*root);
  return preset;
}

QString user_preset_folder() {
  return user_folder("XDG_DATA_HOME", QStringLiteral(".local/share")) + QStringLiteral("/presets");
}

}  // namespace

std::vector<ui::UserPreset> user_presets() {
  std::vector<ui::UserPreset> list;
  const auto files =
      QDir(user_preset_folder()).entryInfoList({QStringLiteral("*.json")}, QDir::Files, QDir::Name);
  for (const QFileInfo& file : files) list.push_back(read(file));
  std::stable_sort(list.begin(), list.end(), [](const auto& a, const auto& b) {
    return QString::localeAwareCompare(to_qstring(a.title), to_qstring(b.title)) < 0;
  });
  return list;
}

QString user_preset_file(const QString& title) {
  return user_preset_folder() + QLatin1Char('/') +
         file_name_of(title.left(max_name), QStringLiteral("preset")) + QStringLiteral(".json");
}

QString user_preset_picture(const QString& file) {
  return file.chopped(QFileInfo(file).suffix().size()) + QStringLiteral("png");
}

Result<void> write_user_preset(const QString& file, const Scenario& scenario,
                               const std::string& picture) {
  const QString folder = QFileInfo(file).path();
  if (!QDir().mkpath(folder))
    return Error{ErrorKind::input_output, folder.toStdString(), "the folder cannot be made"};
  if (auto done = write_file(file.toStdString(), write_scenario(scenario)); !done) return done;
  if (picture.empty()) return {};
  return write_file(user_preset_picture(file).toStdString(), picture);
}

Result<void> remove_user_preset(const QString& file) {
  if (!QFile::moveToTrash(file))
    return Error{ErrorKind::input_output, file.toStdString(), "cannot be moved to the trash"};
  const QString picture = user_preset_picture(file);
  if (QFile::exists(picture)) QFile::moveToTrash(picture);
  return {};
}

}  // namespace twosphere
