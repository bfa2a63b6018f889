// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "core/branches/run_tree.h"
#include "core/run/live_cloud.h"
#include "core/run/trail.h"
#include "core/worker/worker.h"

namespace twosphere {

/// The results that come from a worker: rows, which become the histories of the present run of a
/// tree, and configurations, which become its trail. Belongs to the thread that takes the
/// snapshots.
class RunResults {
 public:
  /// Of the present run of this tree.
  explicit RunResults(RunTree& tree) : tree_(tree) {}

  /// Takes what has come. Call after Worker::snapshot().
  void drain(Worker& worker);
  /// Appends the last rows of the present generation, before the worker has switched to another
  /// one. `head`: the last checkpoint of this run.
  void end(const RunCheckpoint& head, const System& system, Worker& worker);
  /// From now on the rows of this generation count. The trail begins.
  void begin(std::uint64_t generation);
  /// The samples that the histories have are at this stride.
  void set_stride(std::int64_t every) { every_ = every; }
  /// Appends what has come up to this snapshot of the present generation; newer rows wait for the
  /// next one. The trail goes back by `span` [s] from there.
  void append(const Snapshot& now, double span, Worker& worker);

  std::uint64_t generation() const { return generation_; }
  std::int64_t stride() const { return every_; }
  /// Whether samples have to be removed from the histories because the stride has grown.
  bool is_thinning() const;
  /// Continues this with at most so many values of each history.
  void continue_thinning(std::size_t values);

  /// The latest configurations, oldest first.
  const std::deque<Configuration>& trail() const { return trail_; }
  /// From when on the trail is recorded [s]; none if nothing is.
  std::optional<double> trail_since() const { return trail_since_; }

 private:
  void append_rows(std::vector<SampleRows>::iterator last, const System& system, Worker& worker);
  void follow_stride(std::int64_t every);
  void record_trail(double since);

  RunTree& tree_;
  std::uint64_t generation_ = 0;
  std::int64_t every_ = 0;                     // stride of the histories
  std::vector<SampleRows> rows_;               // received, but newer than the snapshot
  std::vector<Configuration> configurations_;  // received
  std::shared_ptr<const std::vector<CloudRow>> cloud_rows_;  // in the histories
  std::deque<Configuration> trail_;
  std::optional<double> trail_since_;
};

}  // namespace twosphere
