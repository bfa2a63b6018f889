// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/trail.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "core/base/interrupt.h"
#include "core/run/sample_rows.h"

namespace twosphere {

namespace {

constexpr int configurations_per_span = 512;
constexpr int max_trail_directions = 200'000;
constexpr double forever = std::numeric_limits<double>::infinity();
constexpr double missing = std::numeric_limits<double>::quiet_NaN();

}  // namespace

void TrailRecorder::configure(double span, int directions) {
  const int configurations =
      std::min(configurations_per_span, max_trail_directions / std::max(directions, 1));
  const bool on = span > 0 && configurations >= 2;
  interval_ = on ? span / configurations : 0;
  // A little more than the span, because the reader lags behind.
  times_.resize(on ? static_cast<std::size_t>(configurations + configurations / 6) : 0);
  numbers_ = 3 * static_cast<std::size_t>(directions);
  q_.resize(numbers_ * times_.size());
  clear();
  restart();
}

void TrailRecorder::restart() { next_ = times_.empty() ? forever : -forever; }

/// The first whole multiple of the interval after a time, whichever was recorded before.
double TrailRecorder::next_after(double t) const {
  if (times_.empty()) return forever;
  double intervals = std::floor(t / interval_) + 1;
  // The quotient is rounded.
  if ((intervals - 1) * interval_ > t) intervals -= 1;
  if (!(intervals * interval_ > t)) intervals += 1;
  return intervals * interval_;
}

/// Makes room for so many numbers per configuration.
void TrailRecorder::widen(std::size_t numbers) {
  std::vector<double> wide(numbers * times_.size(), missing);
  for (std::size_t slot = 0; slot < times_.size(); ++slot)
    // New numbers are missing in the configurations so far.
    std::copy_n(q_.data() + numbers_ * slot, numbers_, wide.data() + numbers * slot);
  q_ = std::move(wide);
  numbers_ = numbers;
}

void TrailRecorder::record(const Simulation& simulation, std::uint64_t generation) {
  std::size_t slot = first_ + count_;
  if (slot >= times_.size()) slot -= times_.size();
  // A full ring overwrites its oldest configuration.
  if (count_ < times_.size())
    ++count_;
  else if (++first_ == times_.size())
    first_ = 0;

  generation_ = generation;
  lanes_ = static_cast<std::size_t>(simulation.lane_count());
  const std::size_t numbers = 3 * lanes_ * static_cast<std::size_t>(moving(*simulation.system()));
  if (numbers > numbers_) widen(numbers);
  const double t = simulation.elapsed();
  times_[slot] = {t, simulation.time()};
  double* to = q_.data() + numbers_ * slot;
  for (int i = 0; i < simulation.lane_count(); ++i) {
    const State& state = simulation.lane(i).state;
    to = std::copy_n(state.q.data(), state.q.size(), to);
    to = std::copy_n(state.x.data(), state.x.size(), to);
  }
  assert(interval_ > 0);
  next_ = next_after(t);
}

void TrailRecorder::take(std::vector<Configuration>& out) {
  for (; count_ > 0; --count_) {
    const std::size_t numbers = numbers_ / lanes_;
    const double* from = q_.data() + numbers_ * first_;
    Configuration configuration;
    configuration.generation = generation_;
    configuration.t = times_[first_].elapsed;
    configuration.time = times_[first_].time;
    for (std::size_t i = 0; i < lanes_; ++i, from += numbers)
      configuration.lanes.emplace_back(Eigen::Map<const Columns>(
          // A lane that did not exist then has no directions.
          from, 3, std::isnan(*from) ? 0 : static_cast<Eigen::Index>(numbers / 3)));
    out.push_back(std::move(configuration));
    if (++first_ == times_.size()) first_ = 0;
  }
}

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
  // Two checkpoints a span apart: the steps since the earlier one contain the trail.
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
    // Later points are of use only with those before them.
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
  past.observe([&](Simulation& run) {
    follow(run, generation);
    const double steps = (next() - run.elapsed()) / run.grid_step();
    return run.steps() + static_cast<std::int64_t>(std::clamp(steps, 1.0, 1e6));
  });
  while (past.steps() < simulation.steps())
    if (past.advance_to(simulation.steps())) return;
}

}  // namespace twosphere
