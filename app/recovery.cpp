// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/recovery.h"

#include <QDialogButtonBox>
#include <QFileInfo>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QVBoxLayout>
#include <utility>

namespace twosphere {

Recovery::Recovery(LiveRun& run, Session& session, SavedSession saved)
    : run_(run), session_(session), saved_(std::move(saved)) {
  // Events at the last step were made after it was taken, and are made again then.
  Scenario start = saved_.record;
  auto& events = start.events;
  std::size_t index = 0;
  std::erase_if(events, [&](const Event& event) {
    return index++ < saved_.applied && event.step >= saved_.steps && !event.resume;
  });
  session.reopen(std::move(start), saved_.path, saved_.opened, saved_.edited);
  awaited_ = run_.send(TakeSteps{saved_.steps});
  connect(&run_, &LiveRun::news, this, &Recovery::go_on);
}

void Recovery::go_on() {
  run_.update();
  const Snapshot& now = run_.snapshot();
  if (now.commands < awaited_) return;
  if (now.steps == saved_.steps) return compare();
  Q_EMIT differs(tr("The run was repeated to step %1 of %2.").arg(now.steps).arg(saved_.steps));
  end();
}

void Recovery::compare() {
  session_.bring_back_reference(saved_.reference_lane);
  for (std::size_t i = 0; i < saved_.applied; ++i) {
    const Event& event = saved_.record.events[i];
    // A wider sampling at the very last step the run has chosen by itself again.
    const bool widened = event.set.size() == 1 && event.set[0].path == "every";
    if (event.step >= saved_.steps && !widened && !event.resume) run_.send(Change{event.set});
  }
  if (!saved_.pending.empty()) run_.send(Change{saved_.pending});
  const Worker::Captured now = run_.capture();
  if (now.steps == saved_.steps && write_scenario(now.scenario) == saved_.state &&
      write_scenario(now.record) == write_scenario(saved_.record))
    Q_EMIT recovered(saved_.steps);
  else
    Q_EMIT differs(
        tr("The run was repeated to step %1, but its state is not the one that was kept. Another "
           "version of the program, or another processor, may have written it.")
            .arg(now.steps));
  end();
}

void Recovery::end() {
  disconnect(&run_, nullptr, this, nullptr);
  deleteLater();
}

RecoveryDialog::RecoveryDialog(std::vector<AbandonedSession> sessions, QWidget* parent)
    : QDialog(parent), sessions_(std::move(sessions)), list_(new QListWidget) {
  setWindowTitle(tr("Recover a session"));
  auto* message = new QLabel(
      tr("<b>The program ended unexpectedly.</b><p>A session is recovered by repeating its run; "
         "its state is then compared with the one that was kept.</p>"));
  message->setWordWrap(true);
  list_->setAccessibleName(tr("Sessions"));
  for (const AbandonedSession& s : sessions_) {
    QString row = QString::fromStdString(s.session.record.title);
    if (!s.session.path.empty())
      row += QStringLiteral(" · ") + QFileInfo(QString::fromStdString(s.session.path)).fileName();
    row += tr(" · step %1 · %2")
               .arg(s.session.steps)
               .arg(s.written.toString(QStringLiteral("yyyy-MM-dd hh:mm:ss")));
    list_->addItem(row);
  }
  list_->setCurrentRow(0);
  auto* buttons = new QDialogButtonBox;
  auto* recover = buttons->addButton(tr("Recover"), QDialogButtonBox::AcceptRole);
  auto* drop = buttons->addButton(tr("Discard"), QDialogButtonBox::DestructiveRole);
  auto* later = buttons->addButton(tr("Later"), QDialogButtonBox::RejectRole);
  recover->setObjectName(QStringLiteral("recover"));
  drop->setObjectName(QStringLiteral("discard"));
  later->setObjectName(QStringLiteral("later"));
  recover->setDefault(true);
  connect(recover, &QPushButton::clicked, this, &QDialog::accept);
  connect(drop, &QPushButton::clicked, this, &RecoveryDialog::discard);
  connect(later, &QPushButton::clicked, this, &QDialog::reject);
  auto* layout = new QVBoxLayout(this);
  layout->addWidget(message);
  layout->addWidget(list_);
  layout->addWidget(buttons);
  resize(560, 260);
}

AbandonedSession RecoveryDialog::take() {
  return std::move(sessions_[static_cast<std::size_t>(list_->currentRow())]);
}

void RecoveryDialog::discard() {
  const int row = list_->currentRow();
  sessions_[static_cast<std::size_t>(row)].remove();
  sessions_.erase(sessions_.begin() + row);
  delete list_->takeItem(row);
  if (sessions_.empty()) reject();
}

}  // namespace twosphere
