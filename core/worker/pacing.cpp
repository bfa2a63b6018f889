// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/worker/pacing.h"

#include <algorithm>

namespace twosphere {

namespace {

using Seconds = std::chrono::duration<double>;

/// Smallest interval between two marks; the newest may follow sooner.
constexpr std::chrono::milliseconds spacing{10};
/// Longest time [s] that is added to the clock, to stay within its range.
constexpr double longest = 1e8;

}  // namespace

void Pacer::anchor(Clock::time_point now, double t, double factor) {
  wall_ = now;
  t_ = t;
  factor_ = factor;
}

Clock::time_point Pacer::due(double t) const {
  const double wait = std::clamp((t - t_) / factor_, -longest, longest);
  return wall_ + std::chrono::duration_cast<Clock::duration>(Seconds(wait));
}

double Pacer::reached(Clock::time_point now) const {
  return t_ + factor_ * Seconds(now - wall_).count();
}

void Pacer::forgive(Clock::time_point now, double t) {
  if (now - due(t) > patience) anchor(now, t, factor_);
}

void RateMeter::mark(Clock::time_point now, double t, std::int64_t steps, Clock::duration busy) {
  const auto count = marks_.size();
  // Marks closer than the spacing replace one another, so that their number is bounded.
  if (count >= 2 && now - marks_[count - 2].wall < spacing)
    marks_.back() = {now, t, steps, busy};
  else
    marks_.push_back({now, t, steps, busy});
  // The oldest mark is the last one before the window.
  while (marks_.size() > 2 && now - marks_[1].wall >= window) marks_.pop_front();
}

double RateMeter::elapsed() const {
  return marks_.empty() ? 0 : Seconds(marks_.back().wall - marks_.front().wall).count();
}

double RateMeter::factor() const {
  const double time = elapsed();
  return time > 0 ? (marks_.back().t - marks_.front().t) / time : 0;
}

double RateMeter::step_seconds() const {
  if (marks_.empty() || marks_.back().steps <= marks_.front().steps) return 0;
  return Seconds(marks_.back().busy - marks_.front().busy).count() /
         static_cast<double>(marks_.back().steps - marks_.front().steps);
}

double RateMeter::steps_per_second() const {
  const double time = elapsed();
  return time > 0 ? static_cast<double>(marks_.back().steps - marks_.front().steps) / time : 0;
}

}  // namespace twosphere
