// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/session_recovery.h"

#include <QMainWindow>
#include <algorithm>
#include <utility>

#include "app/base/file_tasks.h"
#include "app/base/messages.h"
#include "app/base/qt_text.h"
#include "app/base/task_bar.h"
#include "app/session/recovery.h"
#include "core/scenario/writer.h"

namespace twosphere {

namespace {

QString agreement(std::int64_t steps) {
  return QStringLiteral("Recovered to step %1: the state agrees with the saved one, bit for bit")
      .arg(steps);
}

}  // namespace

SessionRecovery::SessionRecovery(QMainWindow& window, LiveRun& run, Session& session,
                                 FileTasks& files, Messages& messages)
    : window_(window),
      run_(run),
      session_(session),
      files_(files),
      messages_(messages),
      repeater_(run) {
  connect(&repeater_, &BranchRepeater::progressed, this, &SessionRecovery::follow);
  connect(&repeater_, &BranchRepeater::verified, this, [this](int id, std::int64_t steps) {
    if (recovered_ && id == recovered_->run) end(true, agreement(steps));
  });
  connect(&repeater_, &BranchRepeater::differs, this, [this](int id, const QString& why) {
    if (recovered_ && id == recovered_->run)
      end(false, why);
    else
      messages_.show_note(
          QStringLiteral("A recovered run continues from its saved state: %1").arg(why));
  });
  connect(&run_, &LiveRun::opened, this, [this] {
    if (recovered_ && recovered_->run < 0) recovered_->run = run_.present_branch();
  });
  connect(&session_, &Session::changed, this, [this] {
    if (recovered_ && session_.document().opened != recovered_->opened) end(false, {});
  });
}

SessionRecovery::~SessionRecovery() = default;

void SessionRecovery::offer_at_start() {
  auto sessions = abandoned_sessions();
  if (sessions.empty()) return;
  if (std::all_of(sessions.begin(), sessions.end(),
                  [](const AbandonedSession& session) { return session.left_behind(); }))
    messages_.keep_note(QStringLiteral("%1 kept from before: File > Recover session…")
                            .arg(sessions.size() == 1
                                     ? QStringLiteral("A session is")
                                     : QStringLiteral("%1 sessions are").arg(sessions.size())));
  else
    offer(std::move(sessions));
}

void SessionRecovery::choose_session() {
  auto sessions = abandoned_sessions();
  if (sessions.empty())
    messages_.show_note(QStringLiteral("No session is kept."));
  else
    offer(std::move(sessions));
}

void SessionRecovery::offer(std::vector<AbandonedSession> sessions) {
  auto* dialog = new RecoveryDialog(std::move(sessions), &window_);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QDialog::accepted, this, [this, dialog] { recover(dialog->take()); });
  dialog->open();
}

void SessionRecovery::recover(AbandonedSession session) {
  Q_EMIT recovering();
  const SavedSession& saved = *session.session;
  TaskBar* bar =
      files_.add_bar(QStringLiteral("Repeating the recovered run"),
                     QStringLiteral("Continue without the samples before the recovered state; "
                                    "the session is offered again at the next start"));
  bar->setObjectName(QStringLiteral("repetition"));
  session_.reopen(saved);
  if (!saved.draft.empty()) Q_EMIT draft_recovered(to_qstring(saved.draft));
  if (run_.continues_saved_state()) {
    messages_.show_note(
        QStringLiteral("Recovered the state saved at step %1. The run is being repeated from "
                       "its start to verify it.")
            .arg(saved.steps));
  } else {  // saved by another version
    if (saved.steps > 0) run_.send(TakeSteps{saved.steps});
    if (!saved.pending.empty()) run_.send(Change{saved.pending});
    messages_.show_note(
        QStringLiteral("The run is being repeated from its start to step %1.").arg(saved.steps));
  }
  recovered_ =
      std::make_unique<Recovered>(Recovered{std::move(session), session_.document().opened, bar});
  if (!run_.continues_saved_state())
    connect(&run_, &LiveRun::updated, bar, [this, sent = run_.sent()] {
      run_.update();
      const std::int64_t steps = run_.snapshot().steps, all = recovered_->session.session->steps;
      follow(run_.present_branch(),
             static_cast<double>(steps) / static_cast<double>(std::max<std::int64_t>(all, 1)));
      if (recovered_ && run_.snapshot().commands >= sent) compare();
    });
}

/// Shows how far the repetition of the recovered run is, and ends it if the user wants that.
void SessionRecovery::follow(int run, double share) {
  if (!recovered_ || run != recovered_->run) return;
  Progress& progress = *recovered_->bar->progress();
  progress.share = std::min(1.0, share);
  if (!progress.cancelled) return;
  repeater_.leave();
  end(false, {});
}

/// Compares the state of the repeated run with the saved one, which an earlier version of the
/// program wrote.
void SessionRecovery::compare() {
  recovered_->bar->disconnect(this);
  disconnect(&run_, nullptr, recovered_->bar, nullptr);
  const SavedSession& saved = *recovered_->session.session;
  const auto& events = saved.record.events;
  const bool edited_there = !events.empty() && events.back().step >= saved.steps;
  files_.background().start(
      [capture = run_.request_capture(), state = saved.state, edited_there,
       steps = saved.steps]() -> Result<bool> {
        const Worker::Captured now = capture->get();
        // Events of the last step take effect with the next one.
        return now.steps == steps && (edited_there || write_scenario(now.scenario) == state);
      },
      [this, steps = saved.steps](const Result<bool>& same) {
        if (same && *same)
          end(true, agreement(steps));
        else
          end(false, QStringLiteral("The run was repeated, but its state differs from the "
                                    "saved one at step %1. It may have been saved by "
                                    "another version of the program or on another "
                                    "processor.")
                         .arg(steps));
      });
}

/// Ends the recovery: if it is not complete, the session is offered again at the next start. An
/// empty text says nothing.
void SessionRecovery::end(bool complete, const QString& how) {
  const auto ended = std::exchange(recovered_, nullptr);
  if (!ended) return;
  ended->bar->deleteLater();
  if (complete) {
    ended->session.remove();
    Q_EMIT recovered();
    messages_.show_note(how);
  } else if (!how.isEmpty()) {
    messages_.show_error(QStringLiteral("The recovered run is not complete"), how, false);
  }
}

void SessionRecovery::close() {
  if (recovered_) recovered_->session.remove();  // its run is closed normally here
}

void SessionRecovery::leave() { recovered_.reset(); }

}  // namespace twosphere

#include "moc_session_recovery.cpp"
