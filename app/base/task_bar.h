// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <QToolBar>
#include <memory>

#include "app/base/progress.h"

class QProgressBar;

namespace twosphere {

/// A strip of the window that shows how far a piece of work on another thread is, and can cancel
/// it. It appears where that takes longer than a moment.
class TaskBar : public QToolBar {
  Q_OBJECT
 public:
  /// `cancel` says what Cancel does.
  TaskBar(const QString& label, const QString& cancel, QWidget* parent);

  const std::shared_ptr<Progress>& progress() const { return progress_; }
  void cancel();

 private:
  std::shared_ptr<Progress> progress_ = std::make_shared<Progress>();
  QProgressBar* bar_;
  QTimer look_;  // at it; drawing the bar draws the whole window
};

}  // namespace twosphere
