// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/run_trail.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/interrupt.h"

namespace twosphere {

void RunTrail::configure(double span, int directions) {
  recorder_.configure(span, directions);
  span_ = span;
  leaves_out_ = false;
  since_ = recorded_ = -infinity;
  earlier_.reset();
  later_.reset();
}

void RunTrail::leave_out(Simulation& simulation) {
  if (!leaves_out_) recorder_.pause();
  leaves_out_ = true;
  const double now = simulation.elapsed();
  if (later_ && now - later_->clock.elapsed() < span_) return;
  earlier_ = std::exchange(later_, simulation.checkpoint());
  if (!earlier_) earlier_ = later_;
}

std::optional<double> RunTrail::record_again(const Simulation& simulation) {
  const double now = simulation.elapsed();
  if (!leaves_out_ || now - recorded_ < enough()) return {};
  recorder_.clear();
  recorder_.resume(now);
  since_ = now;
  leaves_out_ = false;
  return now + enough();
}

void RunTrail::complete(const Simulation& simulation, std::uint64_t generation) {
  const double from = simulation.elapsed() - enough();
  const bool begun = std::isfinite(since_);
  const double rounding = 1e-9 * span_;
  if (leaves_out_ || since_ > from + rounding) {
    // What has been recorded since is of use only with what is before it.
    if (begun) recorder_.clear();
    repeat(simulation, begun ? from : std::max(from, recorded_), generation);
  }
  leaves_out_ = false;
  since_ = -infinity;
  earlier_.reset();
  later_.reset();
}

/// Records what comes after a time [s] from the steps since a checkpoint.
void RunTrail::repeat(const Simulation& simulation, double after, std::uint64_t generation) {
  if (!earlier_) return;
  const Uninterrupted repeating;
  Simulation past = Simulation::at(simulation.record(), *earlier_);
  past.end_following();
  recorder_.resume(after);
  follow(past, generation);
  while (past.steps() < simulation.steps()) {
    const double steps = (next() - past.elapsed()) / past.grid_step();
    const auto many = static_cast<std::int64_t>(std::clamp(steps, 1.0, 1e6));
    if (past.advance_to(std::min(simulation.steps(), past.steps() + many))) return;
    follow(past, generation);
  }
}

}  // namespace twosphere
