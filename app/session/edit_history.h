// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/scenario/branches.h"
#include "core/scenario/scenario.h"
#include "ui/interface.h"

namespace twosphere {

/// The open scenario with the edits of the user.
struct Document {
  std::shared_ptr<const Scenario> opened;    ///< as in the preset or file
  std::shared_ptr<const Scenario> start;     ///< the scenario to load to restore it
  std::shared_ptr<const Scenario> settings;  ///< the requested settings, without events
  std::string path;                          ///< path of the file; empty if there is none
  /// The file that the run is read from, if it is computed elsewhere.
  std::string live_file{};
  /// Contents of the file when it was last opened or saved; has no system if there is no file.
  std::shared_ptr<const Scenario> saved;
  bool edited = false;     ///< since the file was opened or saved
  bool with_view = false;  ///< the file also contains the view
};

/// Everything that a user can edit: the state before or after an edit.
struct Setup {
  Document document;
  ui::Settings layout;
};

/// An edit of the scenario as the settings that undo it and those that redo it.
struct SettingsEdit {
  std::vector<Setting> undo, redo;
};

/// A change of the look of a run of the same start. No look before: it had been deleted; no look
/// after: it is deleted.
struct RunEdit {
  int run = 0;  ///< Branch::id
  std::optional<BranchLook> before, after;
};

/// An edit recorded as events of a run, such as moving a body.
struct RecordedEdit {
  int run = 0;                   ///< Branch::id
  std::int64_t step = 0;         ///< step at which it began
  std::vector<Event> earlier{};  ///< earlier events of that step
};

/// An edit of the open scenario, stored for recovery: of its settings, or one that switches to
/// another run.
struct SavedEdit {
  std::string label;
  std::shared_ptr<const SettingsEdit> settings{};
  std::optional<std::pair<int, int>> branches{};  ///< EditHistory::Edit::branches
  std::shared_ptr<const std::string> group{};     ///< EditHistory::Edit::group
};
/// The edits that can be undone, oldest first, followed by those that can be redone.
struct SavedEdits {
  std::vector<SavedEdit> list;
  std::size_t done = 0;  ///< number of edits that can be undone
};

/// The edits to undo and redo, limited to the newest `depth`.
class EditHistory {
 public:
  static constexpr std::size_t depth = 100;
  struct Edit {
    std::string label;  ///< "gravity 9.81 → 3 m/s²"
    Setup before, after;
    /// Null if no settings change, or if the edit opens another document.
    std::shared_ptr<const SettingsEdit> settings = nullptr;
    /// The ids of the runs before and after an edit that switches to another run.
    std::optional<std::pair<int, int>> branches = std::nullopt;
    /// Set if the edit is recorded as events of the run: to undo it another run is begun before
    /// them, and `branches` is set.
    std::optional<RecordedEdit> recorded = std::nullopt;
    std::optional<RunEdit> run = std::nullopt;
    /// What the edits that are undone together have in common, with their label; null: it is alone.
    std::shared_ptr<const std::string> group = nullptr;
  };

  /// Adds an edit and discards the undone ones.
  void add(Edit edit);
  /// The edit that would be undone or redone now; null if there is none. Valid until the next call
  /// of add().
  const Edit* next_undo() const;
  const Edit* next_redo() const;
  /// Gives the newest edit another label, if there is one.
  void rename_newest(std::string label);
  /// Sets the runs before and after the edit that would be undone now.
  void set_branches(int before, int after);
  /// How many edits are applied, of all that there were since the beginning.
  std::size_t position() const { return forgotten_ + done_; }
  /// The position after the next edit has been undone or redone with all of its group.
  std::size_t next_position(bool back) const;
  /// Marks this edit as undone or redone.
  void undo() { --done_; }
  void redo() { ++done_; }

  /// The edits of the settings of the scenario, and those that switch to other runs, since the
  /// current document was opened, for recovery. Edits of the window layout are not included.
  SavedEdits saved_edits() const;
  /// Appends these edits after the last one, as edits of the document of `present`. `runs`: the
  /// numbers of the runs when the edits were saved, and now; edits that lead to other runs are
  /// forgotten, and so is what would be redone after one of them, in the run to which it led.
  void restore_edits(const SavedEdits& edits, const std::map<int, int>& runs, const Setup& present);

 private:
  std::deque<Edit> edits_;
  std::size_t done_ = 0;       // edits before this index are applied, the others undone
  std::size_t forgotten_ = 0;  // older ones than the first
};

/// A description of the change: "gravity 9.81 → 3 m/s²", "mass of body 2 1 → 2 kg and 3 more";
/// empty if nothing changed.
std::string describe_change(const Scenario& from, const Scenario& to);
/// "name of run 2", "deleting run 2".
std::string describe_change(const RunEdit& edit);
/// The same for the window settings: "theme", "column width".
std::string describe_change(const ui::Settings& from, const ui::Settings& to);

}  // namespace twosphere
