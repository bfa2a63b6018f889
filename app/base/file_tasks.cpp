// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/file_tasks.h"

#include <QApplication>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMainWindow>
#include <chrono>
#include <utility>

#include "app/base/qt_text.h"
#include "app/base/task_bar.h"
#include "core/base/interrupt.h"

namespace twosphere {

FileTasks::FileTasks(QMainWindow& window, Messages& messages, const QString& directory)
    : window_(window), messages_(messages), directory_(directory) {}

void FileTasks::ask(const QString& title, const QString& filter, const QString& suggestion,
                    std::function<void(const QString&)> then) {
  const QString folder =
      !directory_.isEmpty() && QFileInfo(directory_).isDir() ? directory_ : QDir::currentPath();
  // Above a dialog that stays open, if that is where it was asked for.
  QWidget* parent = &window_;
  if (auto* active = qobject_cast<QDialog*>(QApplication::activeWindow());
      active && !active->testAttribute(Qt::WA_DeleteOnClose))
    parent = active;
  auto* dialog = new QFileDialog(parent, title, folder, filter);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  if (suggestion.isEmpty()) {
    dialog->setFileMode(QFileDialog::ExistingFile);
  } else {
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QFileInfo(suggestion).suffix());
    dialog->selectFile(suggestion);
    // "VTK (*.pvd)"
    QObject::connect(dialog, &QFileDialog::filterSelected, dialog, [dialog](const QString& chosen) {
      const QString suffix =
          chosen.section(QStringLiteral("*."), 1).section(QLatin1Char(')'), 0, 0);
      if (!suffix.isEmpty()) dialog->setDefaultSuffix(suffix);
    });
  }
  QObject::connect(dialog, &QFileDialog::fileSelected, &window_,
                   [this, then = std::move(then)](const QString& path) {
                     directory_ = QFileInfo(path).absolutePath();
                     then(path);
                   });
  dialog->open();
}

void FileTasks::write(const QString& path, const QString& what,
                      std::function<Result<void>()> work) {
  background_.start(std::move(work), [this, path, what](const Result<void>& done) {
    messages_.report(done, path, what);
  });
}

void FileTasks::write_with_progress(const QString& path, const QString& what, LongWork work) {
  TaskBar* bar = add_bar(QStringLiteral("Writing %1").arg(QFileInfo(path).fileName()),
                         QStringLiteral("Cancel without writing a file"));
  background_.start(
      [progress = bar->progress(), work = std::move(work), file = path.toStdString()] {
        return work(file, *progress);
      },
      [this, bar, path, what](const Result<bool>& written) {
        delete bar;
        if (!written)
          messages_.report(written.error(), path, what);
        else if (*written)
          messages_.report({}, path, what);
        else
          messages_.show_note(QStringLiteral("Cancelled: %1 was not written").arg(path));
      });
}

void FileTasks::read(const QString& what, const QString& failure,
                     std::function<Result<Use>()> work) {
  constexpr std::chrono::milliseconds moment(250);
  if (reading_) reading_->cancel();
  TaskBar* bar = add_bar(QStringLiteral("Opening %1").arg(what),
                         QStringLiteral("Cancel and leave what is open as it is"));
  bar->setObjectName(QStringLiteral("reading_bar"));  // nothing is lost with it
  reading_ = bar;
  background_.start(
      [progress = bar->progress(), work = std::move(work)] {
        const Interruptible scope(progress->cancelled);
        return work();
      },
      [this, bar, what, failure](const Result<Use>& use) {
        const bool cancelled = bar->progress()->cancelled;
        delete bar;
        if (cancelled)
          messages_.show_note(QStringLiteral("Cancelled: %1 was not opened").arg(what));
        else if (use)
          (*use)();
        else
          messages_.show_error(failure, to_qstring(use.error().text()));
      },
      moment);
}

TaskBar* FileTasks::add_bar(const QString& label, const QString& cancel) {
  auto* bar = new TaskBar(label, cancel, &window_);
  window_.addToolBar(Qt::BottomToolBarArea, bar);
  return bar;
}

void FileTasks::cancel() {
  for (TaskBar* bar : window_.findChildren<TaskBar*>()) bar->cancel();
}

}  // namespace twosphere
