// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/branches/run_results.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace twosphere {

void RunResults::drain(Worker& worker) {
  worker.drain_samples(rows_);
  worker.drain_configurations(configurations_);
}

void RunResults::end(const RunCheckpoint& head, const System& system, Worker& worker) {
  const auto newer = [this](const SampleRows& rows) { return rows.generation > generation_; };
  // Rows that came with the first snapshot of the next generation.
  append_rows(std::find_if(rows_.begin(), rows_.end(), newer), system, worker);
  follow_stride(head.stride.rows);
  tree_.add_lanes(system, head.lanes.size());
}

void RunResults::begin(std::uint64_t generation) {
  generation_ = generation;
  trail_.clear();
  trail_since_.reset();
}

void RunResults::append(const Snapshot& now, double span, Worker& worker) {
  const auto newer = [&](const SampleRows& rows) {
    return rows.generation > generation_ ||
           (rows.generation == generation_ && rows.steps.back() > now.steps);
  };
  // Rows newer than the snapshot wait for the next one.
  append_rows(std::find_if(rows_.begin(), rows_.end(), newer), *now.system, worker);
  follow_stride(now.stride);
  tree_.add_lanes(*now.system, now.lanes.size());
  // A cloud that has joined the run brings the rows since its beginning.
  if (now.cloud_rows != cloud_rows_) {
    cloud_rows_ = now.cloud_rows;
    std::vector<History>& histories = tree_.present().histories;
    if (cloud_rows_)
      histories[static_cast<std::size_t>(now.cloud_plan->lane)].give_cloud(*cloud_rows_);
  }
  record_trail(now.elapsed - span);
}

/// Appends the rows of this generation before `last`, and gives all before it back.
void RunResults::append_rows(std::vector<SampleRows>::iterator last, const System& system,
                             Worker& worker) {
  for (auto rows = rows_.begin(); rows != last; ++rows) {
    if (rows->generation != generation_) continue;
    follow_stride(rows->every);
    tree_.add_lanes(system, rows->lanes);
    std::vector<History>& histories = tree_.present().histories;
    for (std::size_t i = 0; i < histories.size(); ++i) histories[i].append(*rows, i);
  }
  // Their memory goes back to the worker.
  std::vector<SampleRows> done(std::make_move_iterator(rows_.begin()),
                               std::make_move_iterator(last));
  rows_.erase(rows_.begin(), last);
  worker.give_back(done);
}

/// Removes the samples that are not at this stride. Before the first step the stride may also
/// decrease.
void RunResults::follow_stride(std::int64_t every) {
  std::vector<History>& histories = tree_.present().histories;
  if (every > every_ && histories.front().size() > 1)
    for (History& history : histories) history.thin_later(static_cast<std::size_t>(every / every_));
  every_ = every;
}

bool RunResults::is_thinning() const {
  const std::vector<History>& histories = std::as_const(tree_).present().histories;
  return std::any_of(histories.begin(), histories.end(),
                     [](const History& history) { return history.is_thinning(); });
}

void RunResults::continue_thinning(std::size_t values) {
  for (History& history : tree_.present().histories) history.continue_thinning(values);
}

/// Adds the configurations of this generation, and drops those before a time [s].
void RunResults::record_trail(double since) {
  for (Configuration& configuration : configurations_)
    if (configuration.generation == generation_) trail_.push_back(std::move(configuration));
  if (!trail_since_ && !trail_.empty()) trail_since_ = trail_.front().t;
  std::erase_if(configurations_, [this](const auto& one) { return one.generation <= generation_; });
  // Points older than the span are no longer drawn.
  while (!trail_.empty() && trail_.front().t < since) trail_.pop_front();
}

}  // namespace twosphere
