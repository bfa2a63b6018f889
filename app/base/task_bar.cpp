// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/task_bar.h"

#include <QAction>
#include <QLabel>
#include <QProgressBar>

#include "app/base/labels.h"

namespace twosphere {

namespace {

constexpr int moment = 400, task_interval = 250;  // [ms]
constexpr int fine = 1000;                        // steps of the bar

}  // namespace

TaskBar::TaskBar(const QString& label, const QString& cancel, QWidget* parent)
    : QToolBar(label, parent), bar_(new QProgressBar(this)) {
  setObjectName(QStringLiteral("task_bar"));
  setMovable(false);
  setContextMenuPolicy(Qt::PreventContextMenu);
  QLabel* name = plain_label(label, this);
  name->setContentsMargins(8, 0, 8, 0);
  addWidget(name);
  bar_->setAccessibleName(label);
  bar_->setRange(0, fine);
  addWidget(bar_);
  QAction* drop = addAction(QStringLiteral("Cancel"), this, &TaskBar::cancel);
  drop->setObjectName(QStringLiteral("task_cancel"));
  drop->setToolTip(plain_tip(cancel));
  look_.setInterval(moment);
  connect(&look_, &QTimer::timeout, this, [this] {
    bar_->setValue(static_cast<int>(fine * progress_->share));
    look_.setInterval(task_interval);
    show();
  });
  look_.start();
  hide();
}

void TaskBar::cancel() {
  progress_->cancelled = true;
  for (QAction* action : actions()) action->setEnabled(false);
}

}  // namespace twosphere

#include "moc_task_bar.cpp"
