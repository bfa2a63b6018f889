// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <cstdint>
#include <string>
#include <vector>

#include "app/session/edit_history.h"
#include "app/session/live_run.h"

namespace twosphere {

/// What the user does to the scenario and the window: the open document, its edits to undo and
/// redo, and whether there is something to save. One entry per completed edit: what a drag sends
/// counts as one. Undoing changes settings like any edit and never touches computed data; in a run
/// it is an event of the record.
class Session : public QObject {
  Q_OBJECT
 public:
  Session(LiveRun& run, ui::Interface& interface, std::string path);

  /// Starts another scenario from the beginning; undone, the former comes back at its start.
  void open(Scenario scenario, std::string path);
  /// The same after a recovery: with edits that were never saved, and what Reset parameters goes
  /// back to.
  void reopen(Scenario scenario, std::string path, Scenario opened, bool edited);
  void undo();
  void redo();
  /// The lane that the others are compared with.
  int reference_lane() const;
  /// The same, as it was before a recovery: no edit.
  void bring_back_reference(int lane);
  /// What undo() and redo() can do in the open document, for a recovery; and the same brought back.
  KeptEdits kept_edits() const { return history_.kept(); }
  void bring_back(const KeptEdits& edits);
  /// Every setting as in the preset or file.
  void reset_parameters();

  /// Descriptions of what undo() and redo() would do; empty if there is nothing.
  std::string undo_label() const;
  std::string redo_label() const;

  const Document& document() const { return now_.document; }
  /// Whether a save would write something else than the file has.
  bool modified() const { return modified_; }
  /// That this was written there.
  void saved(std::string path, Scenario scenario);

  /// Takes note of edits that are complete. Call it whenever the interface or the run has changed
  /// something.
  void update();
  /// That the interface has sent these settings to the run: a part of the edit in progress.
  void note(const Change& change);

 Q_SIGNALS:
  /// The interface is to be drawn anew.
  void frame_wanted();
  /// A command went to the run, Worker::send()'s number: what shows it is to be drawn once it has
  /// been carried out.
  void commanded(std::uint64_t commands);
  /// Labels, document() or modified() may be others now.
  void changed();
  /// An edit was completed, undone or redone.
  void edited();

 private:
  void close_edit();
  void follow_run();
  void record(std::string label, Setup after);
  void apply(const Setup& from, const Setup& to, const std::vector<Setting>& settings);
  void start(Document document);
  void load(const Document& document);
  ui::Settings layout_for(const Document& document);

  LiveRun& run_;
  ui::Interface& interface_;
  EditHistory history_;
  Setup now_;                  // with the edits sent but not yet carried out
  std::vector<Setting> sent_;  // by the edit in progress
  bool modified_ = false;
  std::shared_ptr<const Scenario> compared_;  // record that modified_ was found from
  bool compared_at_start_ = false;            // of the run
};

}  // namespace twosphere
