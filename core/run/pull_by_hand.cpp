// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/pull_by_hand.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace twosphere {

namespace {

/// Duration of a pull in real time [s], and the default frequency of its spring [rad/s] of real
/// time.
constexpr double pull_interval = 1.0 / 60, grip_frequency = 12;
constexpr std::int64_t longest_pull = 1 << 20;

}  // namespace

/// The sum of the forces on the held body that last beyond a step, and the step up to which this
/// sum is constant. A pull that a pull by hand from the present step would replace is left out.
std::pair<Vec3, std::int64_t> PullByHand::pulled_beyond(const Simulation& run,
                                                        std::int64_t step) const {
  const auto& pulls = run.pulls();
  std::pair<Vec3, std::int64_t> found{Vec3::Zero(), std::numeric_limits<std::int64_t>::max()};
  for (std::size_t k = 0; k < pulls.size(); ++k) {
    const bool replaced = k + 1 == pulls.size() && since_ == run.steps();
    if (pulls[k].pull.body != grab_.body || pulls[k].end <= step || replaced) continue;
    found.first += pulls[k].pull.force;
    found.second = std::min(found.second, pulls[k].end);
  }
  return found;
}

Result<void> PullByHand::pull(Simulation& run, double pace) {
  if (run.steps() < next_) return {};
  const State& state = run.state(grab_.lane);
  if (system_ != run.system()) {
    system_ = run.system();
    grip_.emplace(*system_, state.q, grab_.body);
  }
  const double h = run.grid_step(), steps = std::floor(pace * pull_interval / h);
  auto length = std::clamp<std::int64_t>(steps < 1e6 ? static_cast<std::int64_t>(steps) : 1'000'000,
                                         1, longest_pull);
  double frequency = Grip::most_phase / (static_cast<double>(length) * h);
  if (pace > 0) frequency = std::min(frequency, grab_.stiffness * grip_frequency / pace);
  const Vec3 force = grip_->force(state, grab_.target, {frequency, h, run.reversed()});
  // The new force replaces what still pulls the body, such as a pull of a faster pace.
  const auto [others, end] = pulled_beyond(run, run.steps());
  length = std::min(length, end - run.steps());
  next_ = run.steps() + length;
  if (!force.allFinite()) return {};
  since_ = run.steps();
  return run.pull({grab_.body, force - others, length});
}

Result<void> PullByHand::let_go(Simulation& run) const {
  const auto [force, end] = pulled_beyond(run, std::max(next_, run.steps()));
  if (force == Vec3::Zero()) return {};
  return run.pull({grab_.body, -force, end - run.steps()});
}

}  // namespace twosphere
