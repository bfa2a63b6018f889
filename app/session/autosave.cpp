// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/autosave.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QUuid>
#include <algorithm>
#include <exception>
#include <utility>

#include "app/base/user_files.h"
#include "app/session/kept_runs.h"
#include "core/base/file.h"
#include "core/scenario/reader.h"
#include "core/scenario/writer.h"

namespace twosphere {

namespace {

using json::Kind;
using json::Node;

constexpr int after_edit = 300, while_running = 5000;  // [ms]
constexpr qint64 least_pause = 10;  // smallest pause, in multiples of the time to write a session
constexpr int behind_the_window = 10;  // niceness: drawing has priority
constexpr qint64 month = 30;           // days
constexpr mode_t private_mode = 0600;
constexpr std::string_view divider = "---\n";  // cannot be a line of a JSON document
constexpr const char* format_key = "twosphere_session";

const Node* member(const Node& root, const char* key, Kind kind) {
  const Node* node = root.find(key);
  return node && node->kind == kind ? node : nullptr;
}

/// Writes the edits that fit, and how many of them can be undone.
void add_edits(const SavedEdits& edits, Node& root) {
  std::size_t room = most_edits;
  std::vector<Node> before, after;
  const std::vector<Setting> none;
  const auto add = [&](const SavedEdit& edit, std::vector<Node>& to) {
    Node node = Node::object();
    node.set("label", Node(edit.label));
    node.set("undo", settings_object(edit.settings ? edit.settings->undo : none));
    node.set("redo", settings_object(edit.settings ? edit.settings->redo : none));
    if (edit.branches) {
      Node runs = Node::array();
      runs.items = {Node::whole(edit.branches->first), Node::whole(edit.branches->second)};
      node.set("runs", std::move(runs));
    }
    const std::size_t size = json::write(node).size();
    if (size > room) return false;
    room -= size;
    to.push_back(std::move(node));
    return true;
  };
  for (std::size_t i = edits.done; i > 0 && add(edits.list[i - 1], before);) --i;
  for (std::size_t i = edits.done; i < edits.list.size() && add(edits.list[i], after);) ++i;
  Node list = Node::array();
  list.items.assign(before.rbegin(), before.rend());
  list.items.insert(list.items.end(), after.begin(), after.end());
  root.set("edits", std::move(list));
  root.set("edits_done", Node::whole(static_cast<std::int64_t>(before.size())));
}

/// Reads the edits of add_edits(). Sessions of older versions have none.
Result<SavedEdits> read_edits(const Node& root, std::string_view source) {
  const Node* list = root.find("edits");
  if (!list) return SavedEdits{};
  const Error no_edits{ErrorKind::usage, std::string(source), "has edits that cannot be read"};
  const Node* done = member(root, "edits_done", Kind::number);
  if (list->kind != Kind::array || list->items.size() > EditHistory::depth || !done ||
      !(done->number >= 0 && done->number <= static_cast<double>(list->items.size())))
    return no_edits;
  SavedEdits edits{{}, static_cast<std::size_t>(done->number)};
  for (const Node& node : list->items) {
    const Node *label = member(node, "label", Kind::string),
               *undo = member(node, "undo", Kind::object),
               *redo = member(node, "redo", Kind::object);
    if (!label || !undo || !redo) return no_edits;
    auto back = read_settings_object(*undo, source), forth = read_settings_object(*redo, source);
    if (!back) return back.error();
    if (!forth) return forth.error();
    SavedEdit& edit = edits.list.emplace_back(SavedEdit{label->text});
    if (const Node* runs = node.find("runs")) {
      constexpr double most = 0x1p30;
      const auto is_run = [](const Node& run) {
        return run.kind == Kind::number && run.number >= 0 && run.number < most;
      };
      if (runs->kind != Kind::array || runs->items.size() != 2 || !is_run(runs->items[0]) ||
          !is_run(runs->items[1]))
        return no_edits;
      edit.branches = {static_cast<int>(runs->items[0].number),
                       static_cast<int>(runs->items[1].number)};
    } else {
      edit.settings =
          std::make_shared<const SettingsEdit>(SettingsEdit{std::move(*back), std::move(*forth)});
    }
  }
  return edits;
}

}  // namespace

// Writes four documents, so that each may have the size of a scenario: this header, the record, the
// opened scenario, and the state.
std::string write_session(const SavedSession& session) {
  Node root = Node::object();
  root.set(format_key, Node::whole(2));
  root.set("path", Node(session.path));
  root.set("edited", Node::truth(session.edited));
  root.set("reference_lane", Node::whole(session.reference_lane));
  if (!session.reference_run.empty()) root.set("reference_run", Node(session.reference_run));
  root.set("steps", Node::whole(session.steps));
  root.set("applied_events", Node::whole(static_cast<std::int64_t>(session.applied)));
  root.set("pending", settings_object(session.pending));
  if (!session.draft.empty()) root.set("draft", Node(session.draft));
  if (session.left_behind) root.set("left_behind", Node::truth(true));
  add_edits(session.edits, root);
  std::string text = json::write(root);
  for (const std::string& part :
       {write_scenario(session.record), write_scenario(session.opened), session.state})
    text.append(divider).append(part);
  return text;
}

Result<SavedSession> read_session(std::string_view text, std::string_view source) {
  const Error no_session{ErrorKind::usage, std::string(source),
                         "is not a saved session of format 2"};
  std::vector<std::string_view> parts;
  for (std::size_t at = 0; at != text.npos;) {
    const std::size_t end = text.find(divider, at);
    parts.push_back(text.substr(at, end - at));
    at = end == text.npos ? end : end + divider.size();
  }
  if (parts.size() != 4) return no_session;
  const auto root = json::parse(parts[0], source);
  if (!root) return root.error();
  const Node* format = member(*root, format_key, Kind::number);
  const Node *path = member(*root, "path", Kind::string),
             *edited = member(*root, "edited", Kind::boolean),
             *lane = member(*root, "reference_lane", Kind::number),
             *steps = member(*root, "steps", Kind::number),
             *applied = member(*root, "applied_events", Kind::number),
             *pending = member(*root, "pending", Kind::object);
  constexpr double most_steps = 0x1p53;
  if (!format || format->number != 2 || !path || !edited || !lane || !steps || !applied ||
      !pending || !(steps->number >= 0 && steps->number <= most_steps) ||
      !(applied->number >= 0 && applied->number <= most_steps))
    return no_session;
  SavedSession session;
  auto read = read_scenario(parts[1], source);
  if (!read) return read.error();
  session.record = std::move(*read);
  read = read_scenario(parts[2], source);
  if (!read) return read.error();
  session.opened = std::move(*read);
  session.state = parts[3];
  session.path = path->text;
  session.edited = edited->boolean;
  if (lane->number > 0 && lane->number < static_cast<double>(most_lanes))
    session.reference_lane = static_cast<int>(lane->number);
  if (const Node* run = member(*root, "reference_run", Kind::string))
    session.reference_run = run->text;
  if (const Node* draft = member(*root, "draft", Kind::string)) session.draft = draft->text;
  if (const Node* left = member(*root, "left_behind", Kind::boolean))
    session.left_behind = left->boolean;
  session.steps = static_cast<std::int64_t>(steps->number);
  session.applied = static_cast<std::size_t>(applied->number);
  if (session.applied > session.record.events.size())
    return Error{ErrorKind::usage, std::string(source), "refers to more events than it contains"};
  auto waiting = read_settings_object(*pending, source);
  if (!waiting) return waiting.error();
  session.pending = std::move(*waiting);
  auto edits = read_edits(*root, source);
  if (!edits) return edits.error();
  session.edits = std::move(*edits);
  return session;
}

QString session_folder() { return user_folder("XDG_STATE_HOME", QStringLiteral(".local/state")); }

bool make_session_folder() {
  const QString folder = session_folder();
  return QDir().mkpath(folder) &&
         QFile::setPermissions(
             folder, QFileDevice::ReadOwner | QFileDevice::WriteOwner | QFileDevice::ExeOwner);
}

void AbandonedSession::remove() {
  QFile::remove(file);
  lock.reset();
}

std::vector<AbandonedSession> abandoned_sessions() {
  std::vector<AbandonedSession> list;
  const QDir folder(session_folder());
  const auto files =
      folder.entryInfoList({QStringLiteral("session-*.json")}, QDir::Files, QDir::Time);
  for (const QFileInfo& info : files) {
    const QString file = info.absoluteFilePath();
    auto lock = std::make_unique<QLockFile>(file + QStringLiteral(".lock"));
    lock->setStaleLockTime(0);  // a lock is stale only when its process has ended
    if (!lock->tryLock(0)) continue;
    const auto text = read_file(file.toStdString(), most_session);
    auto session = text ? read_session(*text, file.toStdString()) : text.error();
    list.push_back({file, info.lastModified(), std::move(session), std::move(lock)});
    if (list.back().session || info.lastModified().daysTo(QDateTime::currentDateTime()) < month)
      continue;
    list.back().remove();
    list.pop_back();
  }
  return list;
}

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
  if (run_.going_on()) return soon_.start();  // soon the run that is left is among the others
  const Snapshot& now = run_.snapshot();
  const bool edited = session_.modified();
  const bool changed = now.steps > 0 || edited || has_draft();
  if (run_.followed() || !changed) {  // nothing to recover
    if (lock_) QFile::remove(file_);
    kept_generation_ = now.generation;
    kept_steps_ = 0;
    return;
  }
  if (!choose_file())
    return written(Error{ErrorKind::input_output, session_folder().toStdString(),
                         "the session cannot be saved there"});
  writing_ = true;
  began_.start();
  const Document& document = session_.document();
  writer_.start(
      [opened = document.opened, path = document.path, edited, runs = session_.saved_runs(),
       reference = session_.reference_lane(), reference_run = session_.reference_run(),
       edits = session_.saved_edits(), draft = draft_, left_behind = leave_behind_,
       file = file_.toStdString(), capture = run_.request_capture()]() {
        ::setpriority(PRIO_PROCESS, 0, behind_the_window);  // only this thread
        Worker::Captured captured = capture->get();
        const std::string text = write_session({.record = with_runs(captured, runs),
                                                .steps = captured.steps,
                                                .applied = captured.applied,
                                                .pending = std::move(captured.pending),
                                                .state = write_scenario(captured.scenario),
                                                .opened = *opened,
                                                .path = path,
                                                .edited = edited,
                                                .reference_lane = reference,
                                                .reference_run = reference_run,
                                                .edits = edits,
                                                .draft = draft,
                                                .left_behind = left_behind});
        if (text.size() > most_session)
          return Result<void>(
              Error{ErrorKind::input_output, file,
                    fmt::format("would have {} MiB; sessions of at most {} MiB can be read again",
                                text.size() >> 20, most_session >> 20)});
        return write_file(file, text, private_mode);
      },
      [this](const Result<void>& done) {
        writing_ = false;
        // Large systems take longer to write.
        later_.setInterval(
            static_cast<int>(std::max<qint64>(while_running, least_pause * began_.elapsed())));
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
