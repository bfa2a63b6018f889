// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dialogs/sweep_path.h"

#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

#include "app/base/labels.h"
#include "app/dialogs/widgets.h"

namespace twosphere {

SweepPath::SweepPath(QWidget* parent) : QWidget(parent) {
  label_ = named(plain_label({}, this), "folder_path");
  label_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  label_->installEventFilter(this);
  QPushButton* copy =
      push_button(*this, "copy_path", "Cop&y path",
                  "Copy the path of this folder, for twosphere sweep collect and the others");
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->addWidget(plain_label("Folder", this));
  row->addWidget(label_, 1);
  row->addWidget(copy);
  connect(copy, &QPushButton::clicked, this,
          [this] { QGuiApplication::clipboard()->setText(path_); });
  hide();
}

void SweepPath::show_path(const QString& path) {
  path_ = path;
  label_->setToolTip(plain_tip(path));
  label_->setAccessibleName(path);
  setVisible(!path.isEmpty());
  fit();
}

bool SweepPath::eventFilter(QObject* watched, QEvent* event) {
  if (watched == label_ && event->type() == QEvent::Resize) fit();
  return QWidget::eventFilter(watched, event);
}

void SweepPath::fit() {
  label_->setText(label_->fontMetrics().elidedText(path_, Qt::ElideMiddle, label_->width()));
}

}  // namespace twosphere

#include "moc_sweep_path.cpp"
