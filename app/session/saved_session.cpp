// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/saved_session.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>

#include "app/base/user_files.h"
#include "app/session/run_opening.h"
#include "core/base/exceptions.h"
#include "core/base/file.h"
#include "core/output/lattice_layer.h"
#include "core/scenario/document.h"
#include "core/scenario/reader.h"
#include "core/scenario/writer.h"
#include "core/studies/view_frame.h"

namespace twosphere {

namespace {

using document::Value;
using json::Kind;
using json::Node;

constexpr qint64 month = 30;                   // days
constexpr std::string_view divider = "---\n";  // cannot be a line of a JSON document
constexpr const char* format_key = "twosphere_session";

/// Writes the edits that fit, and how many of them can be undone.
void add_edits(const SavedEdits& edits, Node& root) {
  std::size_t room = max_edits;
  std::vector<Node> before, after;
  const std::vector<Setting> none;
  // Edits that are undone together have a number in common.
  std::map<std::shared_ptr<const std::string>, std::int64_t> groups;
  for (const SavedEdit& edit : edits.list)
    if (edit.group) groups.try_emplace(edit.group, static_cast<std::int64_t>(groups.size()));
  const auto add = [&](const SavedEdit& edit, std::vector<Node>& to) {
    Node node =
        Node::object({{"label", edit.label},
                      {"undo", settings_object(edit.settings ? edit.settings->undo : none)},
                      {"redo", settings_object(edit.settings ? edit.settings->redo : none)}});
    if (edit.branches)
      node.set("runs", Node::array({Node::whole(edit.branches->first),
                                    Node::whole(edit.branches->second)}));
    if (edit.group) {
      node.set("group", Node::whole(groups.at(edit.group)));
      node.set("group_label", *edit.group);
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
SavedEdits read_edits(const Value& header) {
  const auto list = header.find("edits");
  if (!list) return {};
  if (list->expect(Kind::array).size() > EditHistory::depth) list->fail("has too many edits");
  const auto done = header.member("edits_done").whole(0, static_cast<std::int64_t>(list->size()));
  SavedEdits edits{{}, static_cast<std::size_t>(done)};
  std::map<std::int64_t, std::shared_ptr<const std::string>> groups;
  for (const Value& node : list->items()) {
    SavedEdit& edit = edits.list.emplace_back(SavedEdit{node.member("label").text()});
    if (const auto group = node.find("group")) {
      const auto number = group->whole(0, static_cast<std::int64_t>(EditHistory::depth));
      std::shared_ptr<const std::string>& known = groups[number];
      if (!known) known = std::make_shared<const std::string>(node.member("group_label").text());
      edit.group = known;
    }
    if (const auto runs = node.find("runs")) {
      if (runs->expect(Kind::array).size() != 2) runs->fail("must be two runs");
      const auto run = [&runs](std::size_t k) {
        return static_cast<int>(runs->item(k).whole(0, max_run_id));
      };
      edit.branches = {run(0), run(1)};
    } else {
      edit.settings = std::make_shared<const SettingsEdit>(
          SettingsEdit{settings_in(node.member("undo")), settings_in(node.member("redo"))});
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
  root.set("path", session.path);
  root.set("edited", Node::truth(session.edited));
  root.set("reference_lane", Node::whole(session.reference_lane));
  if (!session.reference_run.empty()) root.set("reference_run", session.reference_run);
  if (session.frame) root.set("frame", to_json(*session.frame));
  if (session.layer) root.set("layer", to_json(*session.layer));
  root.set("steps", Node::whole(session.steps));
  root.set("applied_events", Node::whole(static_cast<std::int64_t>(session.applied)));
  root.set("pending", settings_object(session.pending));
  if (!session.draft.empty()) root.set("draft", session.draft);
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
  const Node* format = root->find(format_key);
  if (!format || format->number != 2) return no_session;
  SavedSession session;
  for (auto [to, part] : {std::pair(&session.record, parts[1]), {&session.opened, parts[2]}}) {
    auto read = read_scenario(part, source);
    if (!read) return read.error();
    *to = std::move(*read);
  }
  session.state = parts[3];
  const document::Origin from{source};
  const Value header(from, *root, "");
  const auto whole = [&header](const char* key, std::int64_t max_value) {
    return header.member(key).whole(0, max_value);
  };
  try {
    session.path = header.member("path").text();
    session.edited = header.member("edited").truth();
    const double lane = header.member("reference_lane").number();
    if (lane > 0 && lane < static_cast<double>(max_lanes))
      session.reference_lane = static_cast<int>(lane);
    if (const auto run = header.find("reference_run")) session.reference_run = run->text();
    if (const auto frame = header.find("frame")) session.frame = read_frame(*frame);
    if (const auto layer = header.find("layer")) session.layer = read_layer(*layer);
    if (const auto draft = header.find("draft")) session.draft = draft->text();
    if (const auto left = header.find("left_behind")) session.left_behind = left->truth();
    session.steps = whole("steps", document::max_steps);
    session.applied = static_cast<std::size_t>(
        whole("applied_events", static_cast<std::int64_t>(session.record.events.size())));
    session.pending = settings_in(header.member("pending"));
    session.edits = read_edits(header);
  } catch (const Failure& failure) {
    return failure.error();
  }
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
    const auto text = read_file(file.toStdString(), max_session);
    auto session = text ? read_session(*text, file.toStdString()) : text.error();
    list.push_back({file, info.lastModified(), std::move(session), std::move(lock)});
    if (list.back().session || info.lastModified().daysTo(QDateTime::currentDateTime()) < month)
      continue;
    list.back().remove();
    list.pop_back();
  }
  return list;
}

}  // namespace twosphere
