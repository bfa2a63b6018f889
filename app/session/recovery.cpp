// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/recovery.h"

#include <fmt/format.h>

#include <QDialogButtonBox>
#include <QFileInfo>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <future>
#include <map>
#include <utility>

#include "app/base/post.h"
#include "core/scenario/branches.h"
#include "core/scenario/reader.h"
#include "core/scenario/writer.h"

namespace twosphere {

namespace {

/// Whether the event increases the stride, which a run may do by itself.
bool widens(const Event& event) { return event.set.size() == 1 && event.set[0].path == "every"; }

bool equal(const Event& a, const Event& b) {
  return a.step == b.step && a.resume == b.resume && a.reverse == b.reverse && a.pull == b.pull &&
         a.add_lane == b.add_lane &&
         std::equal(a.set.begin(), a.set.end(), b.set.begin(), b.set.end(),
                    [](const Setting& x, const Setting& y) {
                      return x.path == y.path && json::write(x.value) == json::write(y.value);
                    });
}

/// The command that made an event.
Command command_of(const Event& event) {
  if (event.reverse) return Reverse{};
  if (event.pull) return *event.pull;
  if (event.add_lane) return AddLane{added_lane_document(*event.add_lane)};
  return Change{event.set};
}

/// The events of a run continued from a stored state that were added since.
std::vector<Event> made_since(const std::vector<Event>& all, const std::vector<Event>& planned) {
  std::vector<Event> made;
  std::size_t known = 0;
  for (const Event& event : all)
    if (known < planned.size() && equal(event, planned[known]))
      ++known;
    else
      made.push_back(event);
  return made;
}

/// Whether two states continue identically; other data of their runs may differ.
bool same_state(Scenario a, const Scenario& b) {
  a.title = b.title;
  a.description = b.description;
  a.duration = b.duration;
  a.every = b.every;
  a.events = b.events;
  return write_scenario(a) == write_scenario(b);
}

}  // namespace

Recovery::Recovery(LiveRun& run, Session& session, SavedSession saved,
                   std::shared_ptr<Progress> progress)
    : run_(run), session_(session), saved_(std::move(saved)), progress_(std::move(progress)) {
  auto kept = read_scenario(saved_.state, "the saved state");
  if (!kept) {
    post(this, [this, why = QString::fromStdString(kept.error().text())] { fail(why); });
    return;
  }
  planned_ = kept->events;
  session_.reopen(std::move(*kept), saved_.path, saved_.opened, saved_.edited);
  session_.restore_reference(saved_.reference_lane);
  if (!saved_.pending.empty()) run_.send(Change{saved_.pending});
  session_.restore_edits(saved_.edits);
  opened_ = session_.document().opened;

  // Events at the last step were added after it and are applied again after it.
  Scenario start = saved_.record;
  std::size_t index = 0;
  std::erase_if(start.events, [&](const Event& event) {
    return index++ < saved_.applied && event.step >= saved_.steps && !event.resume;
  });
  const bool keeps_start = saved_.applied > 0 || !saved_.record.branches.empty();
  work_.start(
      [start = std::move(start), keeps_start] {
        auto made = Simulation::create(start);
        if (made && keeps_start) made->keep_start();
        return made;
      },
      [this](Result<Simulation> made) { begin(std::move(made)); });
  connect(&run_, &LiveRun::updated, this, &Recovery::check);
}

void Recovery::begin(Result<Simulation> start) {
  if (phase_ == Phase::ended) return;
  if (!start) return fail(QString::fromStdString(start.error().text()));
  repeat_ = std::make_unique<LiveRun>(std::move(*start));
  repeat_->set_trail_span(run_.trail_span());
  if (saved_.steps > 0) repeat_->send(TakeSteps{saved_.steps});
  awaited_ = repeat_->sent();
  connect(repeat_.get(), &LiveRun::updated, this, &Recovery::check);
  check();
}

void Recovery::check() {
  if (!repeat_ || phase_ == Phase::ended) return;
  run_.update();
  repeat_->update();
  const auto steps = static_cast<double>(repeat_->snapshot().steps);
  progress_->share = std::min(1.0, steps / std::max(1.0, static_cast<double>(saved_.steps)));
  if (session_.document().opened != opened_ || progress_->cancelled) {
    end();
    Q_EMIT left();
    return;
  }
  if (repeat_->snapshot().commands < awaited_) return;
  if (phase_ == Phase::repeating)
    compare();
  else if (phase_ == Phase::following)
    follow();
}

void Recovery::compare() {
  if (const auto steps = repeat_->snapshot().steps; steps != saved_.steps)
    return fail(
        QStringLiteral("The run was repeated to step %1 of %2.").arg(steps).arg(saved_.steps));
  for (std::size_t i = 0; i < saved_.applied; ++i) {
    const Event& event = saved_.record.events[i];
    // An increase of the stride at the last step is chosen again by the run itself.
    if (event.step >= saved_.steps && !widens(event) && !event.resume)
      repeat_->send(command_of(event));
  }
  if (!saved_.pending.empty()) repeat_->send(Change{saved_.pending});
  awaited_ = repeat_->sent();
  phase_ = Phase::comparing;
  work_.start(
      [capture = repeat_->request_capture(), state = std::move(saved_.state),
       record = saved_.record]() -> Result<bool> {
        const Worker::Captured now = capture->get();
        return write_scenario(now.scenario) == state &&
               write_scenario(now.record) == write_scenario(main_record(record));
      },
      [this](const Result<bool>& equal) {
        if (phase_ == Phase::ended) return;
        if (!equal) return fail(QString::fromStdString(equal.error().text()));
        if (!*equal)
          return fail(
              QStringLiteral(
                  "The run was repeated to step %1, but its state differs from the saved one. It "
                  "may have been saved by another version of the program or on another processor.")
                  .arg(saved_.steps));
        phase_ = Phase::following;
        Q_EMIT verified(saved_.steps);
        check();
      });
}

bool Recovery::rests() const {
  const Snapshot& now = run_.snapshot();
  return now.state != RunState::running && now.commands >= run_.sent();
}

void Recovery::follow() {
  if (!rests()) return;
  const Snapshot& live = run_.snapshot();
  const std::int64_t steps = repeat_->snapshot().steps, target = saved_.steps + live.steps;
  const std::vector<Event> made = made_since(live.record->events, planned_);
  // Settings at the same step are merged into one event, as in the original run.
  std::size_t next = 0;
  while (next < std::min(done_.size(), made.size()) && equal(done_[next], made[next])) ++next;
  done_.resize(next);
  const bool rewound =
      steps > target || (next < made.size() && saved_.steps + made[next].step < steps);
  if (rewound) {
    // Another run may have begun in the past.
    const std::int64_t fork = saved_.steps + (next < made.size() ? made[next].step : live.steps);
    if (run_.branches().size() > 1 && repeat_->fork_before(std::min(fork, target))) {
      reached_ = -1;
      awaited_ = repeat_->sent();
      return;
    }
    end();
    Q_EMIT left();
    return;
  }
  const auto take = [&](std::int64_t count) {
    if (std::exchange(reached_, steps) == steps)
      return fail(QStringLiteral("The repeated run cannot continue from step %1.").arg(steps));
    repeat_->send(TakeSteps{count});
    awaited_ = repeat_->sent();
  };
  for (; next < made.size(); ++next) {
    const Event& event = made[next];
    if (const std::int64_t ahead = saved_.steps + event.step - steps; ahead > 0) return take(ahead);
    done_.push_back(event);
    if (!event.resume && !widens(event)) repeat_->send(command_of(event));
    pending_repeated_ = false;
  }
  if (steps < target) return take(target - steps);
  if (!std::exchange(pending_repeated_, true) && !live.pending.empty())
    repeat_->send(Change{live.pending});
  if (awaited_ = repeat_->sent(); repeat_->snapshot().commands < awaited_) return;
  if (live.steps == 0 && made.empty()) return take_over();
  join();
}

void Recovery::join() {
  phase_ = Phase::joining;
  joined_ = run_.sent();
  work_.start(
      [mine = repeat_->request_capture(), theirs = run_.request_capture()]() -> Result<bool> {
        return same_state(mine->get().scenario, theirs->get().scenario);
      },
      [this](const Result<bool>& equal) {
        if (phase_ == Phase::ended) return;
        if (!equal) return fail(QString::fromStdString(equal.error().text()));
        if (!*equal)
          return fail(QStringLiteral("The repeated run does not reach the state shown."));
        run_.update();
        phase_ = Phase::following;
        // First apply the actions that occurred during the comparison.
        if (rests() && run_.sent() == joined_)
          take_over();
        else
          check();
      });
}

void Recovery::take_over() {
  const Snapshot& live = run_.snapshot();
  // Its generation is 1, as for every new run, and differs from that of the run.
  repeat_->send(Pace{live.pacing, live.requested_factor});
  add_runs();
  session_.restore_reference_run(saved_.reference_run);
  end();
  Q_EMIT recovered(saved_.steps);
}

/// Takes over, with the other runs of the session and those that were begun meanwhile, which are to
/// be computed again from the start.
void Recovery::add_runs() {
  Scenario all = main_record(*repeat_->snapshot().record);
  all.branches = saved_.record.branches;
  const auto taken = [&](const std::string& name) {
    return std::any_of(all.branches.begin(), all.branches.end(),
                       [&](const BranchSpec& branch) { return branch.name == name; });
  };
  const int before = run_.present_branch();
  std::vector<std::pair<int, std::string>> named;
  for (const OtherRun& other : session_.other_runs()) {
    Scenario record = main_record(saved_.record);
    record.events.resize(saved_.applied);
    for (Event event : other.record->events) {
      event.step += saved_.steps;
      record.events.push_back(std::move(event));
    }
    std::string name = other.look.name;
    for (int k = 1; taken(name); ++k) name = fmt::format("run {}", k);
    BranchSpec branch = branch_of(all, record, name, saved_.steps + other.fork);
    branch.steps = saved_.steps + other.steps;
    branch.color = other.look.color;
    branch.hidden = other.look.hidden;
    all.branches.push_back(std::move(branch));
    named.emplace_back(other.run, std::move(name));
  }
  run_.take_over(*repeat_);
  run_.replace_branches(all);
  std::map<int, int> runs{{before, run_.present_branch()}};
  for (const auto& [run, name] : named)
    for (const Branch& branch : run_.branches())
      if (branch.look.name == name && branch.id != run_.present_branch()) runs[run] = branch.id;
  session_.renumber_runs(runs, saved_.steps);
}

void Recovery::fail(const QString& how) {
  end();
  Q_EMIT differs(how);
}

void Recovery::end() {
  phase_ = Phase::ended;
  disconnect(&run_, nullptr, this, nullptr);
  if (repeat_) disconnect(repeat_.get(), nullptr, this, nullptr);
}

RecoveryDialog::RecoveryDialog(std::vector<AbandonedSession> sessions, QWidget* parent)
    : QDialog(parent), sessions_(std::move(sessions)), list_(new QListWidget) {
  setWindowTitle(QStringLiteral("Recover a session"));
  auto* message =
      new QLabel(QStringLiteral("<b>The program ended unexpectedly.</b><p>A session is restored in "
                                "its saved state. Meanwhile the run is repeated from its start to "
                                "verify the state and restore every sample.</p>"));
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
