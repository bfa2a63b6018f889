// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/autosave.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <QFile>
#include <QUuid>
#include <algorithm>
#include <utility>

#include "core/base/file.h"
#include "core/scenario/writer.h"

namespace twosphere {

namespace {

constexpr int after_edit = 300, while_running = 5000;  // [ms]
constexpr qint64 min_pause = 10;  // smallest pause, in multiples of the time to write a session
constexpr int behind_the_window = 10;  // niceness: drawing has priority
constexpr mode_t private_mode = 0600;

}  // namespace

Autosave::Autosave(LiveRun& run, Session& session) : run_(run), session_(session) {
  for (QTimer* timer : {&soon_, &later_}) {
    timer->setSingleShot(true);
    connect(timer, &QTimer::timeout, this, &Autosave::write);
  }
  soon_.setInterval(after_edit);
  later_.setInterval(while_running);
  connect(&session_, &Session::edited, &soon_, qOverload<>(&QTimer::start));
  connect(&run_, &LiveRun::updated, this, [this] {
    if (!later_.isActive()) later_.start();
  });
}

Autosave::~Autosave() {
  writer_.wait();
  if (!lock_) return;
  if (!leave_behind_) QFile::remove(file_);
  lock_.reset();
}

void Autosave::leave_behind() {
  leave_behind_ = true;
  writer_.wait();
  writing_ = false;
  write();
}

void Autosave::keep_draft(std::string draft) {
  if (draft == draft_) return;
  draft_ = std::move(draft);
  soon_.start();
}

// Chooses a unique file name, which is locked as long as the process exists.
bool Autosave::choose_file() {
  if (lock_) return true;
  if (!make_session_folder()) return false;
  file_ = QStringLiteral("%1/session-%2.json")
              .arg(session_folder(), QUuid::createUuid().toString(QUuid::WithoutBraces));
  auto lock = std::make_unique<QLockFile>(file_ + QStringLiteral(".lock"));
  lock->setStaleLockTime(0);
  if (!lock->tryLock(0)) return false;
  lock_ = std::move(lock);
  return true;
}

void Autosave::write() {
  if (writing_) {
    again_ = true;
    return;
  }
  if (run_.is_switching()) return soon_.start();  // soon the run that is left is among the others
  const Snapshot& now = run_.snapshot();
  const bool changed = now.steps > 0 || session_.modified() || has_draft();
  if (run_.followed() || !changed) {  // nothing to recover
    if (lock_) QFile::remove(file_);
    return;
  }
  if (!choose_file())
    return written(Error{ErrorKind::input_output, session_folder().toStdString(),
                         "the session cannot be saved there"});
  writing_ = true;
  began_.start();
  SavedSession session = session_.for_recovery();
  session.draft = draft_;
  session.left_behind = leave_behind_;
  writer_.start(
      [session = std::move(session), opened = session_.document().opened,
       runs = session_.saved_runs(), file = file_.toStdString(),
       capture = run_.request_capture()]() mutable {
        ::setpriority(PRIO_PROCESS, 0, behind_the_window);  // only this thread
        Worker::Captured captured = capture->get();
        session.record = with_runs(captured, runs);
        session.steps = captured.steps;
        session.applied = captured.applied;
        session.pending = std::move(captured.pending);
        session.state = write_scenario(captured.scenario);
        session.opened = *opened;
        const std::string text = write_session(session);
        if (text.size() > max_session)
          return Result<void>(
              Error{ErrorKind::input_output, file,
                    fmt::format("would have {} MiB; sessions of at most {} MiB can be read again",
                                text.size() >> 20, max_session >> 20)});
        return write_file(file, text, private_mode);
      },
      [this](const Result<void>& done) {
        writing_ = false;
        // Large systems take longer to write.
        later_.setInterval(
            static_cast<int>(std::max<qint64>(while_running, min_pause * began_.elapsed())));
        written(done);
        if (std::exchange(again_, false)) soon_.start();
      });
}

void Autosave::written(const Result<void>& done) {
  if (!done && !failing_) Q_EMIT failed(QString::fromStdString(done.error().text()));
  failing_ = !done;
}

}  // namespace twosphere

#include "moc_autosave.cpp"
