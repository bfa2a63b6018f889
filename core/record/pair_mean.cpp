// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/pair_mean.h"

namespace twosphere {

bool PairMean::continues(const RunView& run, int bins) const {
  const History& first = run.lanes.front();
  if (bins != bins_ || run.lanes.size() != lanes_.size() ||
      first.state_stride().stride() != stride_)
    return false;
  if (last_q_.cols() == 0) return next_ == 0;
  return last_ < first.size() && first.state_count() > 0 && first.state_at(last_).q == last_q_;
}

bool PairMean::go_on(const RunView& run, int bins, std::chrono::steady_clock::duration turn) {
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
    stride_ = first.state_stride().stride();
  }
  for (; next_ < first.size(); next_ += stride_) {
    if (std::chrono::steady_clock::now() > end) return false;
    for (std::size_t l = 0; l < run.lanes.size(); ++l) {
      const History& lane = run.lanes[l];
      if (next_ < lane.first() || next_ >= lane.size() || lane.state_count() == 0) continue;
      const Columns q = lane.state_at(next_).q;
      if (q.cols() != bodies || !q.allFinite()) continue;
      lanes_[l].add(q);
      if (l > 0) continue;
      last_ = next_;
      last_q_ = q;
    }
  }
  return true;
}

}  // namespace twosphere
