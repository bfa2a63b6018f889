// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDateTime>
#include <QLockFile>
#include <QString>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/session/edit_history.h"
#include "core/base/result.h"
#include "core/output/lattice_layer.h"
#include "core/studies/view_frame.h"

namespace twosphere {

/// The data for recovering a session. The run is repeated from its record, bit for bit, and checked
/// against the state.
struct SavedSession {
  Scenario record;                      ///< the start and every event
  std::int64_t steps = 0;               ///< steps taken
  std::size_t applied = 0;              ///< number of events applied so far
  std::vector<Setting> pending;         ///< settings that take effect on Rewind
  std::string state;                    ///< state file at this step
  Scenario opened;                      ///< the scenario as in the preset or file
  std::string path;                     ///< path of its file, or empty
  bool edited = false;                  ///< there were unsaved changes
  int reference_lane = 0;               ///< the lane that the others are compared with
  std::string reference_run{};          ///< that distances are measured from; empty: the present
  std::optional<FrameChoice> frame{};   ///< that the scene is drawn in
  std::optional<LatticeLayer> layer{};  ///< that it shows alone
  SavedEdits edits{};                   ///< edits to undo and redo
  std::string draft{};       ///< write_draft() of a text that was not applied; empty: none
  bool left_behind = false;  ///< the program was asked to end, and did
};
/// Writes at most `max_edits` bytes of edits, first those that are undone and redone first.
std::string write_session(const SavedSession& session);
inline constexpr std::size_t max_edits = std::size_t{1} << 20;
Result<SavedSession> read_session(std::string_view text, std::string_view source);
/// Largest size of a session file [bytes]: three times that of the largest system.
inline constexpr std::size_t max_session = std::size_t{256} << 20;

/// The folder of the session files: $XDG_STATE_HOME/twosphere (default ~/.local/state; a relative
/// value is ignored).
QString session_folder();
/// Makes it, for its user alone. Whether it is there.
bool make_session_folder();

/// A stored session whose process has ended, locked so that no other process offers it.
struct AbandonedSession {
  QString file;
  QDateTime written;
  Result<SavedSession> session;  ///< or the error if it cannot be read
  std::unique_ptr<QLockFile> lock;

  bool left_behind() const { return session && session->left_behind; }
  void remove();
};
/// Newest first. Unreadable files are deleted after a month.
std::vector<AbandonedSession> abandoned_sessions();

}  // namespace twosphere
