// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trail.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace twosphere {

namespace {

constexpr int poses_per_span = 512;
constexpr int most_directions = 200'000;
constexpr double never = std::numeric_limits<double>::infinity();

}  // namespace

void TrailRecorder::configure(double span, int directions) {
  const int poses = std::min(poses_per_span, most_directions / std::max(directions, 1));
  const bool on = span > 0 && poses >= 2;
  interval_ = on ? span / poses : 0;
  // A little more than the span, as the reader comes late.
  poses_.assign(on ? static_cast<std::size_t>(poses + poses / 6) : 0, {});
  first_ = count_ = 0;
  restart();
}

void TrailRecorder::restart() { next_ = poses_.empty() ? never : -never; }

void TrailRecorder::record(const Simulation& simulation, std::uint64_t generation) {
  const std::size_t slot = (first_ + count_) % poses_.size();
  if (count_ < poses_.size())
    ++count_;
  else
    first_ = (first_ + 1) % poses_.size();

  Pose& pose = poses_[slot];
  pose.generation = generation;
  pose.t = simulation.time();
  pose.lanes.resize(static_cast<std::size_t>(simulation.lane_count()));
  for (int i = 0; i < simulation.lane_count(); ++i)
    pose.lanes[static_cast<std::size_t>(i)] = simulation.lane(i).state.q;
  next_ = (std::floor(pose.t / interval_) + 1) * interval_;
}

void TrailRecorder::take(std::vector<Pose>& out) {
  for (; count_ > 0; --count_) {
    out.push_back(std::move(poses_[first_]));
    first_ = (first_ + 1) % poses_.size();
  }
}

}  // namespace twosphere
