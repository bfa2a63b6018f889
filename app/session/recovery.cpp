// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/recovery.h"

#include <QDialogButtonBox>
#include <QFileInfo>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "app/base/labels.h"

namespace twosphere {

RecoveryDialog::RecoveryDialog(std::vector<AbandonedSession> sessions, QWidget* parent)
    : QDialog(parent), sessions_(std::move(sessions)), list_(new QListWidget) {
  setWindowTitle(QStringLiteral("Recover a session"));
  const bool asked =
      std::all_of(sessions_.begin(), sessions_.end(),
                  [](const AbandonedSession& session) { return session.left_behind(); });
  QLabel* message = html_label(
      QStringLiteral("<b>%1</b><p>A session is restored in its saved state. Meanwhile the run is "
                     "repeated from its start to verify the state and restore every sample.</p>")
          .arg(asked ? QStringLiteral("The program was asked to end.")
                     : QStringLiteral("The program ended unexpectedly.")));
  message->setWordWrap(true);
  list_->setAccessibleName(QStringLiteral("Sessions"));
  list_->setWordWrap(true);
  list_->setResizeMode(QListView::Adjust);
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  for (const AbandonedSession& s : sessions_) {
    const QString when = s.written.toString(QStringLiteral("yyyy-MM-dd hh:mm:ss"));
    if (!s.session) {
      list_->addItem(QStringLiteral("Cannot be read · %1 · %2")
                         .arg(when, QString::fromStdString(s.session.error().text())));
      continue;
    }
    const SavedSession& session = *s.session;
    QString row = QString::fromStdString(session.record.title);
    if (!session.path.empty())
      row += QStringLiteral(" · ") + QFileInfo(QString::fromStdString(session.path)).fileName();
    list_->addItem(row + QStringLiteral(" · step %1 · %2").arg(session.steps).arg(when));
  }
  auto* buttons = new QDialogButtonBox;
  recover_ = buttons->addButton(QStringLiteral("&Recover"), QDialogButtonBox::AcceptRole);
  auto* drop = buttons->addButton(QStringLiteral("&Discard"), QDialogButtonBox::DestructiveRole);
  auto* later = buttons->addButton(QStringLiteral("&Later"), QDialogButtonBox::RejectRole);
  recover_->setObjectName(QStringLiteral("recover"));
  drop->setObjectName(QStringLiteral("discard"));
  later->setObjectName(QStringLiteral("later"));
  recover_->setDefault(true);
  connect(recover_, &QPushButton::clicked, this, &QDialog::accept);
  connect(drop, &QPushButton::clicked, this, &RecoveryDialog::discard);
  connect(later, &QPushButton::clicked, this, &QDialog::reject);
  connect(list_, &QListWidget::currentRowChanged, this, &RecoveryDialog::choose);
  list_->setCurrentRow(0);
  auto* layout = new QVBoxLayout(this);
  layout->addWidget(message);
  layout->addWidget(list_);
  layout->addWidget(buttons);
  const QSize wanted = QSize(31, 15) * fontMetrics().height();
  resize(parent ? wanted.boundedTo(parent->size() * 7 / 8) : wanted);
}

AbandonedSession RecoveryDialog::take() {
  return std::move(sessions_[static_cast<std::size_t>(list_->currentRow())]);
}

void RecoveryDialog::choose() {
  const int row = list_->currentRow();
  recover_->setEnabled(row >= 0 && sessions_[static_cast<std::size_t>(row)].session);
}

void RecoveryDialog::discard() {
  const int row = list_->currentRow();
  sessions_[static_cast<std::size_t>(row)].remove();
  sessions_.erase(sessions_.begin() + row);
  delete list_->takeItem(row);
  if (sessions_.empty()) reject();
}

}  // namespace twosphere

#include "moc_recovery.cpp"
