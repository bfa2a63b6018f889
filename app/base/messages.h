// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "core/base/result.h"

class QMainWindow;

namespace twosphere {

/// The messages of a window: notes in its status bar, and error dialogs. Used by the controllers of
/// the window.
class Messages {
 public:
  explicit Messages(QMainWindow& window) : window_(window) {}

  /// Shows a note in the status bar for a limited time.
  void show_note(const QString& text);
  /// Shows a note until another one replaces it.
  void keep_note(const QString& text);
  void clear_note();
  /// Opens a dialog with an error and returns immediately.
  void show_error(const QString& title, const QString& text, bool run_unharmed = true);
  /// Reports that `what` was written to a file, or the error.
  void report(const Result<void>& done, const QString& path, const QString& what);

 private:
  QMainWindow& window_;
};

}  // namespace twosphere
