// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/pair_mean.h"

#include <optional>
#include <utility>

namespace twosphere {

namespace {

/// The directions at a sample with a state, unless they are missing.
std::optional<Columns> stored_directions(const History& lane, std::size_t sample) {
  if (sample < lane.first() || sample >= lane.size() || lane.state_count() == 0) return {};
  Columns q = lane.state_at(sample).q;
  return q.allFinite() ? std::optional(std::move(q)) : std::nullopt;
}

}  // namespace

bool PairMean::continues(const RunView& run, int bins) const {
  const History& first = run.lanes.front();
  if (bins != bins_ || run.lanes.size() != lanes_.size() || first.first() != first_ ||
      first.state_stride().stride() != stride_)
    return false;
  if (last_q_.empty()) return next_ == 0;
  for (std::size_t l = 0; l < run.lanes.size(); ++l) {
    const std::optional<Columns> q = stored_directions(run.lanes[l], last_);
    if (q ? q->cols() != last_q_[l].cols() || *q != last_q_[l] : last_q_[l].cols() > 0)
      return false;
  }
  return true;
}

bool PairMean::proceed(const RunView& run, int bins, std::chrono::steady_clock::duration turn) {
  const auto end = std::chrono::steady_clock::now() + turn;
  const int bodies = run.record->size();
  if (run.lanes.empty() || bodies < 2) {
    *this = {};
    return true;
  }
  const History& first = run.lanes.front();
  if (!continues(run, bins)) {
    *this = {};
    lanes_.assign(run.lanes.size(), PairDistribution(bodies, bins));
    bins_ = bins;
    first_ = first.first();
    stride_ = first.state_stride().stride();
  }
  while (next_ < first.size()) {
    std::vector<Columns> counted(run.lanes.size());
    for (std::size_t l = 0; l < run.lanes.size(); ++l)
      if (auto q = stored_directions(run.lanes[l], next_); q && q->cols() == bodies) {
        lanes_[l].add(*q);
        counted[l] = std::move(*q);
      }
    last_ = std::exchange(next_, next_ + stride_);
    last_q_ = std::move(counted);
    if (std::chrono::steady_clock::now() > end) break;
  }
  return next_ >= first.size();
}

}  // namespace twosphere
