// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/scene/signal_preparer.h"

#include <algorithm>

#include "core/record/view_limit.h"

namespace twosphere {

namespace {

/// Computes what a history has not yet of a plot.
void compute(const History& history, const ui::PlotSpec& plot, const Snapshot& now, int lanes) {
  for (const Signal& signal : plot.all_signals())
    if (signal.exists(*now.system_info, now.present->size(), lanes)) (void)history.view(signal);
}

}  // namespace

void SignalPreparer::prepare(const LiveRun& run, const std::vector<ui::PlotSpec>& plots,
                             Clock::time_point now) {
  const Snapshot& head = run.snapshot();
  complete_ = true;
  const auto since = std::chrono::duration<double>(now - before_) * share_while_running;
  before_ = now;
  left_ = head.state == RunState::running
              ? std::min<Clock::duration>(
                    left_ + std::chrono::duration_cast<Clock::duration>(since), longest)
              : Clock::duration(longest);
  allowance_ = std::max(left_, Clock::duration(0));
  if (!head.system_info || !head.present || plots.empty()) return;
  const Clock::time_point begun = Clock::now(), end = begun + left_;
  const ViewLimit limit([end] { return Clock::now() >= end; });
  const int lanes = static_cast<int>(run.histories().size() + run.branches().size());
  // Each plot is the first one from time to time, so that slow ones do not hold up the others.
  first_ = (first_ + 1) % plots.size();
  for (std::size_t k = 0; k < plots.size(); ++k) {
    const ui::PlotSpec& plot = plots[(first_ + k) % plots.size()];
    for (const History& history : run.histories()) compute(history, plot, head, lanes);
    for (const Branch& branch : run.branches())
      if (branch.id != run.present_branch() && !branch.look.hidden)
        for (const History& history : branch.histories) compute(history, plot, head, lanes);
  }
  left_ -= Clock::now() - begun;
  complete_ = !limit.cut();
}

}  // namespace twosphere
