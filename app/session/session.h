// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/session/edit_history.h"
#include "app/session/live_run.h"
#include "app/session/run_opening.h"
#include "app/session/saved_session.h"

namespace twosphere {

/// The open document, its undo history, and whether it has unsaved changes. There is one entry per
/// completed edit; a drag is one edit. Undo changes settings like any edit and never modifies
/// computed data; during a run it is an event of the record. More than forty functions: one per
/// kind of edit that the window knows.
class Session : public QObject {
  Q_OBJECT
 public:
  Session(LiveRun& run, ui::Interface& interface, std::string path);

  /// Opens another scenario at its start. Undo returns to the start of the previous one. `written`:
  /// by the user, so that it is unsaved.
  void open(Scenario scenario, std::string path, bool written = false);
  /// Follows a run that another process writes to a file.
  void follow(Scenario scenario, std::string live_file);
  /// The run that is followed is computed here from the instant shown on: LiveRun::detach().
  void detach();
  /// Opens a session again, with the edits to undo and redo, the reference run and lane, and
  /// the frame of the view.
  void reopen(const SavedSession& saved);
  void undo();
  void redo();
  /// Edits from now on are undone and redone as one, by this label, until end_group().
  void begin_group(std::string label);
  void end_group();
  /// EditHistory::position(), with the edit in progress.
  std::size_t edits_done();
  /// Undoes all edits since edits_done() was this number: as far as it can now, and further as the
  /// runs that they lead back to have begun. Another edit ends that.
  void undo_to(std::size_t position);
  /// Switches to another branch at its head. False if that is not possible now.
  bool switch_to(int branch);
  /// Changes the look of a run: its name, its colour, and whether it is shown. Without a look,
  /// deletes it. Fails like LiveRun::set_look().
  Result<void> edit_run(int run, const std::optional<BranchLook>& look);
  /// Restores the reference run, if there is a run of this name, without an edit.
  void restore_reference_run(const std::string& name);
  /// Restores the layout of the window without an edit.
  void restore_layout(const ui::Settings& layout);
  /// What a recovery needs beside the run itself: the view, the edits and the path.
  SavedSession for_recovery() const;
  /// Restores every setting of the preset or file.
  void reset_parameters();
  /// Changes the settings at the instant shown as one edit. Fails as `edit` does.
  Result<void> change(const std::function<Result<Scenario>(const Scenario&)>& edit);
  /// Changes the system of the run, while it runs, into that of `to`, which has the same number of
  /// bodies and the same start: one edit.
  void change_system(const Scenario& to);
  /// Adds a lane to the list of lanes, which takes effect on Rewind unless the run is at its start:
  /// one edit. Returns whether it was sent; a run that is computed elsewhere takes none.
  bool add_lane(const LaneSpec& lane);

  /// Descriptions of the edits that undo() and redo() would apply; empty if there is none.
  std::string undo_label() const;
  std::string redo_label() const;

  const Document& document() const { return now_.document; }
  /// All runs, for a file.
  SavedRuns saved_runs() const {
    return twosphere::saved_runs(run_.runs(), run_.snapshot().checkpoints);
  }
  /// Whether saving would change the file.
  bool modified() const { return modified_; }
  /// Whether the user has written the system of the run, and it is not saved as it is.
  bool has_unsaved_text() const;
  /// Call after the scenario was saved to this path, with the other runs or without.
  void saved(std::string path, Scenario scenario, bool with_runs, bool with_view);

  /// Records completed edits. Call whenever the interface or the run has changed something.
  void update();
  /// Call when the interface has sent a command to the run, as part of the edit in progress.
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
  /// An edit that is recorded as events of the run.
  struct Gesture {
    std::string label;
    RecordedEdit edit;
    bool forked = false;  // it has begun another run; undo returns to the former
  };
  /// Of a session, until its runs have been opened.
  struct Reopened {
    SavedEdits edits;
    std::string reference_run;
  };
  /// The settings at the instant shown, with those that have been sent.
  const Scenario& shown_settings() const;
  bool change_settings(const Scenario& to);
  void close_edit();
  void follow_run();
  void follow_fork(int from, int to);
  void follow_rewind(int from, int to);
  void follow_opening(const std::map<int, int>& ids, const std::vector<int>& rewound);
  void note_drag(const DragEdit& drag, bool forked);
  void note_lane(const AddLane& added, bool forked);
  /// The run and its step, as the beginning of an edit that is recorded as events.
  RecordedEdit recorded_here() const;
  void record_gesture(Gesture gesture);
  void go_through_history(bool back);
  bool go_on_in_history();
  /// An edit that switches from one run to another.
  EditHistory::Edit switch_of_runs(std::string label, int from, int to) const;
  void add(EditHistory::Edit edit);
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
  Setup now_;                          // includes edits sent but not yet carried out
  std::vector<Setting> sent_;          // settings sent by the edit in progress
  std::optional<Gesture> gesture_;     // the change of bodies by the edit in progress
  std::optional<DragEdit> open_drag_;  // of bodies of the start, in this edit
  /// The edit of settings in progress, as events. It is recorded this way if at its end the
  /// settings have their former values but the run has advanced.
  std::optional<Gesture> excursion_;
  std::shared_ptr<const std::string> group_;  // Edit::group of new edits
  /// The position in the history that undo_to() or a group leads to, until it is reached.
  std::optional<std::size_t> going_to_;
  bool forked_ = false;     // the command to be noted next has begun another run
  double fork_time_ = 0;    // where it begins [s]
  bool continues_ = false;  // the edit in progress and that run are one edit
  bool modified_ = false;
  // RunTree::changes() when the file was saved; none: the file lacks runs that existed
  std::optional<std::uint64_t> saved_branches_ = 0;
  bool opens_ = true;  // a document is being opened, not restored by undo
  std::optional<Reopened> reopened_;
  std::shared_ptr<const Scenario> compared_;  // record for which modified_ was computed
  bool compared_at_start_ = false;            // of the run
};

}  // namespace twosphere
