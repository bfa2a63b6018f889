// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "core/base/result.h"

class QMainWindow;

namespace twosphere {

/// What a window tells its user: notes in its status bar and boxes of errors. Owns nothing;
/// whatever acts for the window calls it.
class Messages {
 public:
  explicit Messages(QMainWindow& window) : window_(window) {}

  /// In the status bar for a while.
  void show_note(const QString& text);
  /// The same until something else is shown there.
  void keep_note(const QString& text);
  void clear_note();
  /// In a box of its own; does not wait.
  void show_error(const QString& title, const QString& text, bool run_unharmed = true);
  /// That `what` was written to a file, or why not.
  void report(const Result<void>& done, const QString& path, const QString& what);

 private:
  QMainWindow& window_;
};

}  // namespace twosphere
