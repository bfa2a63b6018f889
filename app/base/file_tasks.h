// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointer>
#include <QString>
#include <functional>
#include <string>

#include "app/base/background.h"
#include "app/base/messages.h"
#include "app/base/progress.h"

class QMainWindow;

namespace twosphere {

class TaskBar;

/// Shows file dialogs of a window and writes files on other threads. Owns these tasks, which have
/// ended when it is destroyed, and the folder last used. Used by the controllers of documents and
/// exports.
class FileTasks {
 public:
  FileTasks(QMainWindow& window, Messages& messages, const QString& directory);

  /// The folder of the last file dialog.
  const QString& directory() const { return directory_; }
  /// Opens a file dialog, for saving if there is a suggestion, and returns immediately; `then` is
  /// called with the chosen path.
  void ask(const QString& title, const QString& filter, const QString& suggestion,
           std::function<void(const QString&)> then);

  /// Runs `work`, which writes to `path`, on another thread, and reports the result.
  void write(const QString& path, const QString& what, std::function<Result<void>()> work);
  /// Work that takes long: writes to the path; returns false if it was cancelled.
  using LongWork = std::function<Result<bool>(const std::string& path, Progress& progress)>;
  /// The same for long work, with a progress bar and a Cancel button.
  void write_with_progress(const QString& path, const QString& what, LongWork work);
  /// The work to be done with the text.
  using Use = std::function<void()>;
  /// Runs `work`, which reads what is called `what`, on another thread, then what it returns on
  /// this one: before this returns if the work takes a moment only. Otherwise a bar can cancel it,
  /// and so does the next call. An error is shown below `failure`.
  void read(const QString& what, const QString& failure, std::function<Result<Use>()> work);
  /// For other tasks with files.
  Background& background() { return background_; }
  /// Adds a progress bar below the view; `cancel` describes the Cancel button.
  TaskBar* add_bar(const QString& label, const QString& cancel);
  /// Cancels all tasks with a progress bar.
  void cancel();

 private:
  QMainWindow& window_;
  Messages& messages_;
  QString directory_;
  QPointer<TaskBar> reading_;
  Background background_;
};

}  // namespace twosphere
