// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/session/edit_history.h"
#include "app/session/live_run.h"

namespace twosphere {

/// A run that shares the start and the first `fork` steps with the present one.
struct OtherRun {
  int run = 0;  ///< Branch::id
  BranchLook look;
  std::shared_ptr<const Scenario> record;
  std::int64_t fork = 0;
  std::int64_t steps = 0;  ///< that were taken
};

/// The record with the other runs as its branches.
Scenario with_branches(Scenario record, const std::vector<OtherRun>& others);

/// The open document, its undo history, and whether it has unsaved changes. There is one entry per
/// completed edit; a drag is one edit. Undo changes settings like any edit and never modifies
/// computed data; during a run it is an event of the record.
class Session : public QObject {
  Q_OBJECT
 public:
  Session(LiveRun& run, ui::Interface& interface, std::string path);

  /// Opens another scenario at its start. Undo returns to the start of the previous one.
  void open(Scenario scenario, std::string path);
  /// The same after a recovery: with unsaved edits, and with the scenario that Reset parameters
  /// restores.
  void reopen(Scenario scenario, std::string path, Scenario opened, bool edited);
  void undo();
  void redo();
  /// Goes on with another branch at its head. False if that is not possible now.
  bool switch_to(int branch);
  /// Gives a run another name or colour, shows or hides it; without a look, deletes it. Fails like
  /// LiveRun::set_look().
  Result<void> edit_run(int run, const std::optional<BranchLook>& look);
  /// The lane that the others are compared with.
  int reference_lane() const;
  /// Restores it after a recovery, without an edit.
  void restore_reference(int lane);
  /// The name of the run that distances are measured to; empty: the present one, whichever that is.
  std::string reference_run() const;
  /// Restores it, if there is a run of this name, without an edit.
  void restore_reference_run(const std::string& name);
  /// The same for all that the window looks like.
  void restore_layout(const ui::Settings& layout);
  /// The edits of the open document for a recovery, and their restoration.
  SavedEdits saved_edits() const { return history_.saved_edits(); }
  void restore_edits(const SavedEdits& edits);
  /// Restores every setting of the preset or file.
  void reset_parameters();

  /// Descriptions of the edits that undo() and redo() would apply; empty if there is none.
  std::string undo_label() const;
  std::string redo_label() const;

  const Document& document() const { return now_.document; }
  /// The runs that a file holds beside the present one.
  std::vector<OtherRun> other_runs() const;
  /// Whether saving would change the file.
  bool modified() const { return modified_; }
  /// Call after the scenario was saved to this path.
  void saved(std::string path, Scenario scenario, bool with_view);

  /// Records completed edits. Call whenever the interface or the run has changed something.
  void update();
  /// Call when the interface has sent this to the run, as part of the edit in progress.
  void note(const Command& command);

 Q_SIGNALS:
  /// The interface must be redrawn.
  void redraw_requested();
  /// A command was sent to the run, with its number from Worker::send(): redraw once it has been
  /// carried out.
  void command_sent(std::uint64_t commands);
  /// Labels, document() or modified() may have changed.
  void changed();
  /// An edit was completed, undone or redone.
  void edited();

 private:
  void close_edit();
  void follow_run();
  void follow_fork(int from, int to);
  void note_lane(const AddLane& added, bool forked);
  /// What is recorded from here on.
  RecordedEdit recorded_here() const;
  void close_gesture();
  void record_of_runs(EditHistory::Edit edit);
  void repeat(const std::vector<Event>& events);
  void record(std::string label, Setup after);
  bool carry_out(const EditHistory::Edit& edit, bool undo);
  void apply(const Setup& from, const Setup& to, const std::vector<Setting>& settings);
  void start(Document document);
  void load(const Document& document);
  ui::Settings layout_for(const Document& document);

  LiveRun& run_;
  ui::Interface& interface_;
  EditHistory history_;
  Setup now_;                  // includes edits sent but not yet carried out
  std::vector<Setting> sent_;  // settings sent by the edit in progress
  /// What the edit in progress does to the bodies.
  struct Gesture {
    std::string label;
    RecordedEdit edit;
    bool forked = false;  // it has begun another run, which undo leaves again
  };
  std::optional<Gesture> gesture_;
  bool forked_ = false;  // the command about to be noted has begun another run
  bool modified_ = false;
  std::uint64_t saved_branches_ = 0;          // LiveRun::branch_changes() of the file
  std::shared_ptr<const Scenario> compared_;  // record for which modified_ was computed
  bool compared_at_start_ = false;            // of the run
};

}  // namespace twosphere
