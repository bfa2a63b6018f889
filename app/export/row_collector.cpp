// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/export/row_collector.h"

#include <algorithm>
#include <memory>

#include "core/mechanics/exponents.h"
#include "core/worker/worker.h"

namespace twosphere {

namespace {

constexpr std::size_t taken_together = 1024;  // rows

}  // namespace

RowCollector::RowCollector(Simulation& run, const std::vector<ui::PlotSpec>& plots)
    : rows_(WorkerOptions().max_samples, StateStride::budget), every_(run.stride()) {
  if (ui::needs_tangent_vectors(plots))
    run.follow_where_possible(Exponents::default_count(*run.system()));
  rows_.resume();
  rows_.begin(run, 0);
  const int bodies = run.system()->size(), lanes = run.lane_count();
  lanes_.assign(static_cast<std::size_t>(lanes), History(StateStride(bodies, lanes)));
}

void RowCollector::record(Simulation& run) {
  rows_.record(run, {});
  if (++recorded_ >= taken_together) take(run);
}

/// Moves the rows to the histories.
void RowCollector::take(const Simulation& run) {
  recorded_ = 0;
  rows_.publish(run);
  const std::size_t bytes = rows_.drain(taken_);
  for (const SampleRows& rows : taken_) {
    if (rows.every > every_)
      for (History& lane : lanes_) lane.thin(static_cast<std::size_t>(rows.every / every_));
    every_ = rows.every;
    if (rows.lanes > lanes_.size()) {
      while (lanes_.size() < rows.lanes) lanes_.push_back(History::beginning_after(lanes_.front()));
      for (History& lane : lanes_)
        lane.limit_states(rows.system->size(), static_cast<int>(rows.lanes), StateStride::budget);
    }
    for (std::size_t i = 0; i < lanes_.size(); ++i) lanes_[i].append(rows, i);
  }
  rows_.release(bytes);
  rows_.give_back(taken_);
  taken_.clear();
}

RunView RowCollector::view(const Simulation& run, std::size_t reference) {
  take(run);
  for (History& lane : lanes_) lane.compare_with(&lanes_[std::min(reference, lanes_.size() - 1)]);
  return {History::views(lanes_), std::make_shared<const Scenario>(run.record()), run.markers()};
}

}  // namespace twosphere
