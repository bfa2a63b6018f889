// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <functional>

#include "app/base/background.h"
#include "app/base/messages.h"
#include "app/base/progress.h"

class QMainWindow;

namespace twosphere {

class TaskBar;

/// Lets the user of a window choose files, and writes them on other threads. Owns that work, which
/// has ended when it goes, and the folder last used; the controllers of documents and exports call
/// it.
class FileTasks {
 public:
  FileTasks(QMainWindow& window, Messages& messages, const QString& directory);

  /// Of the last file dialog.
  const QString& directory() const { return directory_; }
  /// Lets the user choose a file, one to be written if there is a suggestion; `then` gets its path.
  /// Does not wait.
  void ask(const QString& title, const QString& filter, const QString& suggestion,
           std::function<void(const QString&)> then);

  /// Does `work`, which writes to `path`, on another thread, and says how it went.
  void write(const QString& path, const QString& what, std::function<Result<void>()> work);
  /// The same for what may take long: shows how far it is, and can be cancelled. The work returns
  /// whether it was not.
  void write_with_progress(const QString& path, const QString& what,
                           std::function<Result<bool>(Progress&)> work);
  /// Any other work with files.
  Background& background() { return background_; }
  /// A strip below the view that shows how far some work is; `cancel` says what Cancel does.
  TaskBar* add_bar(const QString& label, const QString& cancel);
  /// Has all that shows such a strip end soon.
  void cancel();

 private:
  QMainWindow& window_;
  Messages& messages_;
  QString directory_;
  Background background_;
};

}  // namespace twosphere
