// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <QToolBar>
#include <memory>

#include "app/base/progress.h"

class QProgressBar;

namespace twosphere {

/// A bar of the window with the progress of a task on another thread and a Cancel button. It
/// appears if the task takes longer than a moment.
class TaskBar : public QToolBar {
  Q_OBJECT
 public:
  /// `cancel` describes the Cancel button.
  TaskBar(const QString& label, const QString& cancel, QWidget* parent);

  const std::shared_ptr<Progress>& progress() const { return progress_; }
  void cancel();

 private:
  std::shared_ptr<Progress> progress_ = std::make_shared<Progress>();
  QProgressBar* bar_;
  QTimer look_;  // update interval: drawing the bar redraws the whole window
};

}  // namespace twosphere
