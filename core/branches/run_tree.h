// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/record/history.h"
#include "core/run/checkpoints.h"
#include "core/run/saved_states.h"
#include "core/scenario/branches.h"

// The runs of a window, with all that is known of them. The tree is a value of the thread of the
// window: it knows neither the worker nor Qt, and sends and computes nothing.
//
//     families      of an earlier start          of the present start, the last
//                   [run 1*]  [run 1  run 2*]    [run 1 ──┬─────── run 2*]   * present_id
//                                                         └─ fork_step
//
// A family holds the runs of one start, which is never changed while there are several; a run
// shares with its parent what comes before its fork_step. Rewind with changed settings adds a
// family, and going back to a run of an earlier one moves its family to the end.
//
// One run is the present one: the worker computes it. Of the others the tree has the record up to
// the head and the checkpoints, from which the worker continues them bit for bit; of all of them
// the samples. LiveRun (app/session) asks the tree what to continue, tells the worker, and calls
// switch_to() when the worker has begun: until then nothing has changed here.
//
// A run leaves the list of its family in two ways, and comes back with all it had: the user deletes
// it (set_look()), or undo and redo archive it because it has no steps of its own. The last ones
// are kept. Of a family that is too long ago everything is dropped.
namespace twosphere {

/// The states of a run that a file has. They are shown and continued at once; the samples before
/// the newest of them are missing until the run has been repeated up to it.
struct SavedStates {
  std::shared_ptr<const Scenario> record;  ///< as it was saved
  RunStates states;                        ///< one or more

  const RunCheckpoint& head() const { return *states.back(); }
};

/// One of the runs that share a start.
struct Branch {
  int id = 0;  ///< unique, never reused
  BranchLook look{};
  int parent = -1;             ///< id of the run that it branched from; -1: none
  std::int64_t fork_step = 0;  ///< the last step that it shares with that run
  // Null for the present run, whose worker has them; for a run from a file that is not computed
  // yet, only the record.
  std::shared_ptr<const Scenario> record{};          ///< up to its head
  std::shared_ptr<const Checkpoints> checkpoints{};  ///< the newest is its head
  std::vector<History> histories{};                  ///< one per lane
  std::int64_t steps = 0;          ///< for a run from a file: its planned number of steps
  std::vector<Setting> pending{};  ///< settings that waited for Rewind when it began another start
  /// Set while samples at its beginning are missing, which are those of this saved run.
  std::shared_ptr<const SavedStates> saved{};
  bool archived = false;  ///< deleted by undo or redo, which bring it back

  /// The steps that it has, or is to have.
  std::int64_t head_step() const { return checkpoints ? checkpoints->newest()->step() : steps; }
};

/// The runs of one start.
struct RunFamily {
  std::vector<Branch> branches;   ///< in order of creation
  std::vector<Branch> deleted{};  ///< latest last; remaining branches may have branched from them
  int present_id = 0;             ///< of the run that is, or was last, the present one
};

/// How the present run is left for another one.
struct Departure {
  enum class Kind { stay, archive, rewind };
  Kind kind = Kind::stay;
  std::shared_ptr<const Checkpoints> checkpoints{};  ///< of the run that is left
  std::vector<Setting> pending{};                    ///< settings that wait in it for Rewind
  std::shared_ptr<const Scenario> record{};          ///< of it, up to its head
};

class RunTree {
 public:
  static constexpr std::size_t max_archived = 100;

  /// One run, "run 1". The states of the samples of each run take up to `state_budget` bytes.
  explicit RunTree(std::size_t state_budget);

  /// The runs of the present start.
  const std::vector<Branch>& branches() const { return family().branches; }
  const Branch& present() const;
  Branch& present() { return const_cast<Branch&>(std::as_const(*this).present()); }
  int present_id() const { return family().present_id; }
  /// The families that Rewind left, latest last, and the family of the present start.
  const std::vector<RunFamily>& families() const { return families_; }
  /// Any run, also one that was deleted or left by Rewind; null if there is none.
  const Branch* find(int id) const;
  Branch* find(int id);
  /// The look of a run of the present start; null if it is deleted or has never existed.
  const BranchLook* look(int id) const;
  /// Changes the look of a run. Without a look the run is deleted; a look restores a run that was
  /// deleted recently. Fails if the name is invalid or not unique, if there are too many runs, or
  /// if this is the present run.
  Result<void> set_look(int id, const std::optional<BranchLook>& look);
  /// A name and a colour that none of these runs has.
  static BranchLook unused_look(const std::vector<Branch>& branches);
  /// Increases when a run is created, the look of one changes, or other runs take their place.
  std::uint64_t changes() const { return changes_; }

  /// The number of steps that two runs of one start share.
  std::int64_t shared_steps(int run, const Branch& other) const;
  /// The run that a branch forks from, by its id, and the last step that they share. If that run
  /// was deleted, the one before it; −1: none.
  std::pair<int, std::int64_t> origin(const Branch& branch) const;
  /// Whether this run, which may have been deleted or archived, has the start of the present one.
  bool is_of_this_start(int id) const;
  /// Whether switch_to() can go to this run: it is in the list of a family, or archived.
  bool can_switch_to(int id) const;
  bool is_full() const { return branches().size() >= max_branches; }

  /// A number for a run that is made elsewhere.
  int new_id() { return next_id_++; }
  /// These runs take the place of all others, the family with the present one last. `histories`: of
  /// the present one, which is at its start.
  void install(std::vector<RunFamily> families, std::vector<History> histories);
  /// A run that continues the present one from before the events of a step, after this checkpoint;
  /// null: from its start. It is not in the tree yet. `record`, `checkpoints`: of the present run.
  Branch fork(std::int64_t step, const Scenario& record,
              std::shared_ptr<const Checkpoints> checkpoints, const RunCheckpoint* from);
  /// The worker continues `to`, one of these runs or a new one with its samples: it becomes the
  /// present one, and the former is as `departure` says. An archived run passes on its look.
  void switch_to(Branch to, Departure departure);

  /// Histories without samples, for a run with that many lanes.
  std::vector<History> fresh_histories(const System& system, std::size_t lanes) const;
  /// Histories of a saved run up to its state, whose samples are missing.
  std::vector<History> missing_histories(const Branch& branch) const;
  /// Adds histories to the present run for lanes that were added.
  void add_lanes(const System& system, std::size_t lanes);
  /// The runs of which samples are missing, those first that are needed first: the present one,
  /// those of its start, those that Rewind left. A run without checkpoints lacks all of them.
  std::vector<const Branch*> incomplete() const;
  /// Takes what was computed for one of them, up to its head or to its saved state. If the present
  /// one is among those that were saved as one run: the step up to which its checkpoints are those
  /// of `computed`.
  std::optional<std::int64_t> complete(int id, const Branch& computed);

  /// Sets what distances are measured to: a run of this start, by its id, the present one if there
  /// is none; in that run, the distances of the lanes from one of them, the first if it does not
  /// exist. Lanes of other runs are compared with the same lane of that run.
  void compare_with(int lane, int run);
  /// The id of the run that distances are measured to.
  int reference() const { return look(reference_) ? reference_ : present_id(); }

 private:
  const RunFamily& family() const { return families_.back(); }
  RunFamily& family() { return families_.back(); }
  void archive(int id);
  void restore(int id);
  void open_family(int id);
  void limit_deleted();
  void drop_deleted(std::vector<Branch>::iterator oldest);
  std::int64_t shared_with_saved(const Branch& run) const;
  void compare();

  std::size_t state_budget_;  // [bytes]
  std::vector<RunFamily> families_;
  int next_id_ = 0;
  std::uint64_t changes_ = 0;
  int reference_lane_ = 0, reference_ = -1;
};

}  // namespace twosphere
