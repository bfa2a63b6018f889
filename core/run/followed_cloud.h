// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/run/checkpoints.h"
#include "core/run/live_cloud.h"

namespace twosphere {

/// A cloud beside a copy that repeats the record of a run: what it does and shows is what it would
/// have done beside the run itself, bit for bit. It begins at its step, or later with its lane, and
/// anew where the record edits the state. A cloud that is switched on late is followed so from its
/// beginning on, and so is one at a past instant, from a checkpoint before.
class FollowedCloud {
 public:
  /// Rows are kept at multiples of `every` steps; 0: nowhere.
  explicit FollowedCloud(const CloudPlan& plan, std::int64_t every = 0,
                         std::vector<CloudRow> rows = {})
      : plan_(plan), every_(every), rows_(std::move(rows)) {}

  /// Begins at the present step of the copy, if it is due. Call at its start.
  void begin(Simulation& copy);
  /// Continues from a checkpoint at which the copy is; it may be one before the cloud begins.
  void go_to(const RunCheckpoint& from, Simulation& copy);
  /// Adds the cloud to a checkpoint of the copy.
  void save(RunCheckpoint& to) const;
  /// Takes steps of the copy and of the members up to `last` at most: see Simulation::advance_to().
  /// If it fails by an interruption, the members are of no use any more.
  std::optional<StepFailure> advance_to(Simulation& copy, std::int64_t last);
  /// Lets the events that are due take effect, as before a step.
  std::optional<StepFailure> follow_events(Simulation& copy);

  const CloudPlan& plan() const { return plan_; }
  std::int64_t every() const { return every_; }
  /// Keeps rows at multiples of `every`, a multiple of the present one.
  void widen(std::int64_t every);
  /// Null before it begins.
  LiveCloud* cloud() const { return cloud_.get(); }
  const std::vector<CloudRow>& rows() const { return rows_; }

 private:
  void add_row(Simulation& copy);

  CloudPlan plan_;
  std::int64_t every_;
  std::vector<CloudRow> rows_;
  std::unique_ptr<LiveCloud> cloud_;
};

/// A cloud that has been followed to a step of a run, which it can join there or later.
struct CloudBeginning {
  std::uint64_t generation = 0;  ///< RunStatus::generation of that run
  /// Of the run up to that step, with the cloud where it has begun.
  std::shared_ptr<const Checkpoints> checkpoints;
  std::int64_t every = 1;  ///< steps between two rows
  std::vector<CloudRow> rows{};
};

}  // namespace twosphere
