// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "core/scenario/scenario.h"
#include "ui/interface.h"

namespace twosphere {

/// A scenario in the window, as the user has set it up.
struct Document {
  std::shared_ptr<const Scenario> opened;    ///< as the preset or file has it
  std::shared_ptr<const Scenario> start;     ///< what to load to come back to it
  std::shared_ptr<const Scenario> settings;  ///< as they are wanted, without events
  std::string path;                          ///< of the file; empty if there is none
  /// What the file says, opened or saved last; without a system: none does.
  std::shared_ptr<const Scenario> saved;
  bool edited = false;  ///< since then
};

/// All that a user can set: what an edit leads from and to.
struct Setup {
  Document document;
  ui::Settings layout;
};

/// What an edit of the scenario changed, as settings: those that undo it and those that redo it.
struct SettingsEdit {
  std::vector<Setting> undo, redo;
};

/// An edit of the open scenario as it is kept for a recovery.
struct KeptEdit {
  std::string label;
  std::shared_ptr<const SettingsEdit> settings;
};
/// Those that can be undone, the oldest first, and after them those that can be redone.
struct KeptEdits {
  std::vector<KeptEdit> list;
  std::size_t done = 0;  ///< so many can be undone
};

/// Edits to undo and redo, the newest `depth` of them.
class EditHistory {
 public:
  static constexpr std::size_t depth = 100;
  struct Edit {
    std::string label;  ///< "gravity 9.81 → 3 m/s²"
    Setup before, after;
    /// Null where the settings stay, or another document is opened.
    std::shared_ptr<const SettingsEdit> settings = nullptr;
  };

  /// A new edit; what was undone before it is gone.
  void add(Edit edit);
  /// The edit that would be undone or redone now; null if there is none. Valid until the next call
  /// of add().
  const Edit* next_undo() const;
  const Edit* next_redo() const;
  /// Counts that edit as undone or redone.
  void undo() { --done_; }
  void redo() { ++done_; }

  /// The edits of the scenario's settings since the present document was opened, for a recovery.
  /// How the window was arranged is not kept, and so are no edits of that.
  KeptEdits kept() const;
  /// Puts those in after the last edit, as edits of the document that `present` has.
  void bring_back(const KeptEdits& edits, const Setup& present);

 private:
  std::deque<Edit> edits_;
  std::size_t done_ = 0;  // edits before this are done, the others undone
};

/// A description of the change: "gravity 9.81 → 3 m/s²", "mass of body 2 1 → 2 kg and 3 more";
/// empty if nothing did.
std::string describe_change(const Scenario& from, const Scenario& to);
/// The same of the window's arrangement: "theme", "column width".
std::string describe_change(const ui::Settings& from, const ui::Settings& to);

}  // namespace twosphere
