// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/scene/frame_scheduler.h"

#include <algorithm>

namespace twosphere {

namespace {

constexpr qint64 ns_per_ms = 1'000'000;
// Smallest interval between the starts of two frames; larger with software rendering, because the
// solver needs the processor, too.
constexpr qint64 gpu_interval = 6 * ns_per_ms, software_interval = 33 * ns_per_ms;
constexpr double software_share = 0.6;  // largest share of the time for drawing

}  // namespace

FrameScheduler::FrameScheduler(std::function<void()> proceed) {
  clock_.start();
  timer_.setSingleShot(true);
  timer_.setTimerType(Qt::PreciseTimer);
  connect(&timer_, &QTimer::timeout, this, std::move(proceed));
}

void FrameScheduler::request() {
  requested_ = true;
  if (timer_.isActive()) return;
  const qint64 wait = std::max<qint64>(next_ - now(), 0);
  timer_.start(static_cast<int>((wait + ns_per_ms - 1) / ns_per_ms));
}

void FrameScheduler::hurry(int wait, bool drawing_parts) {
  const bool part_next = drawing_parts && timer_.interval() == 0;
  if (!timer_.isActive() || part_next || timer_.remainingTime() > wait) timer_.start(wait);
}

void FrameScheduler::end_frame(qint64 begun, qint64 spent, bool software) {
  const auto shared = static_cast<qint64>(static_cast<double>(spent) / software_share);
  next_ = begun + (software ? std::max(software_interval, shared) : gpu_interval);
}

void FrameScheduler::note_cost(qint64 begun, qint64 spent, bool shown) {
  if (!shown) {
    costs_.clear();
    return;
  }
  constexpr qint64 second = 1000 * ns_per_ms;
  costs_.emplace_back(begun, spent);
  while (begun - costs_.front().first > second) costs_.pop_front();
}

double FrameScheduler::frame_seconds() const {
  double sum = 0;
  for (const auto& [begun, spent] : costs_) sum += static_cast<double>(spent);
  return costs_.empty() ? 0 : 1e-9 * sum / static_cast<double>(costs_.size());
}

}  // namespace twosphere
