// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/studies/followed_signal.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <span>
#include <utility>

#include "core/base/interrupt.h"

namespace twosphere {

namespace {

/// The last of the first `steps` steps in a range of time, or the nearest one.
std::int64_t last_step_in(const Timetable& times, std::int64_t steps, double low, double high) {
  const double t = times.time(steps);
  if (t >= low && t <= high) return steps;
  return std::max(times.step_at(low, steps), times.step_at(high, steps));
}

/// The first of the steps of equal length up to `last` from which time stays in a range.
std::int64_t first_step_in(const Timetable& times, std::int64_t last, double low, double high) {
  const double step = times.signed_step(std::max<std::int64_t>(last - 1, 0));
  const double back = std::floor((times.time(last) - (step > 0 ? low : high)) / step + 1e-9);
  return back < static_cast<double>(last) ? last - static_cast<std::int64_t>(back) : 0;
}

/// The first step of each lane of a record.
std::vector<std::int64_t> begins_of_lanes(const Scenario& record) {
  std::vector<std::int64_t> begins(record.lanes.size(), 0);
  for (const Event& event : record.events)
    if (event.add_lane) begins.push_back(event.step + 1);
  return begins;
}

}  // namespace

/// Finds which steps are wanted of each lane.
void FollowedSignal::plan() {
  const Scenario& record = *wanted_.record;
  times_ = Timetable(record);
  last_ = last_step_in(times_, wanted_.steps, wanted_.low, wanted_.high);
  const std::int64_t in_range = first_step_in(times_, last_, wanted_.low, wanted_.high);
  // The sample at the step of a change belongs to the steps before it.
  const std::int64_t alike = times_.first_alike(std::max<std::int64_t>(last_ - 1, 0)),
                     equal = alike > 0 ? alike + 1 : 0;
  const auto begins = begins_of_lanes(record);
  lanes_.clear();
  for (std::size_t i = 0; i < begins.size(); ++i) {
    const std::int64_t begin = std::max(in_range, begins[i]),
                       motion = first_step_of_motion(record, times_, static_cast<int>(i), last_);
    lanes_.push_back({.first = std::max(begin, wanted_.before_changes ? equal : motion),
                      .motion = motion,
                      .after_change = motion > begin});
  }
}

Result<bool> FollowedSignal::proceed(const Wanted& wanted, std::chrono::milliseconds turn) {
  const Wanted former = std::exchange(wanted_, wanted);
  std::vector<Lane> taken = std::exchange(lanes_, {});
  plan();
  // The steps up to which the copy is that of this record; none if it begins anew.
  std::optional<std::int64_t> shared;
  if (copy_.begun()) shared = copy_.shared_steps(*wanted.record);
  const bool continues =
      shared && copy_.run().steps() <= std::min(*shared, last_) && !failure_ &&
      former.quantity == wanted.quantity && former.signal == wanted.signal &&
      former.before_changes == wanted.before_changes &&
      std::equal(taken.begin(), taken.end(), lanes_.begin(), lanes_.end(),
                 [](const Lane& a, const Lane& b) { return a.first == b.first; });
  if (continues) {
    for (std::size_t i = 0; i < lanes_.size(); ++i) lanes_[i].samples = std::move(taken[i].samples);
    if (copy_.record() != wanted.record) {
      copy_.add_checkpoint();
      copy_.go_back(wanted.record, copy_.run().steps());
      copy_.run().observe([this](Simulation& run) { return look(run); });
    }
  } else {
    failure_.reset();
    if (shared) {
      std::int64_t first = std::min(*shared, last_);
      for (const Lane& lane : lanes_) first = std::min(first, lane.first);
      copy_.go_back(wanted.record, first);
    } else if (auto begun = copy_.begin(wanted.record); !begun) {
      return begun.error();
    }
    copy_.run().observe([this](Simulation& run) { return look(run); });
  }
  const auto begun = std::chrono::steady_clock::now();
  while (copy_.run().steps() < last_ && !failure_) {
    if (std::chrono::steady_clock::now() - begun > turn) return false;
    const auto failed = copy_.advance(last_);
    if (interrupted()) {
      // The last samples may be wrong.
      copy_.end();
      for (Lane& lane : lanes_) lane.samples.reset();
      return false;
    }
    if (failed) return Error{ErrorKind::numerical, "", failed->message};
  }
  if (failure_) return *failure_;
  return true;
}

/// Takes the samples that are due, as a Simulation::Observer.
std::int64_t FollowedSignal::look(Simulation& run) {
  std::int64_t next = std::numeric_limits<std::int64_t>::max();
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    Lane& lane = lanes_[i];
    if (run.steps() < lane.first) {
      next = std::min(next, lane.first);
      continue;
    }
    const int index = static_cast<int>(i);
    if (index >= run.lane_count()) continue;
    if (!lane.samples) {
      auto made = wanted_.quantity ? SignalSamples::create(*wanted_.quantity, wanted_.signal.window,
                                                           run.present())
                                   : SignalSamples::create(wanted_.signal, run.present());
      if (!made) {
        failure_ = made.error();
        return next;
      }
      lane.samples = std::move(*made);
    }
    next = std::min(next, lane.samples->see(run, index));
  }
  return next;
}

/// The samples from a step on.
SignalRows FollowedSignal::rows_from(const Lane& lane, std::int64_t step) const {
  SignalRows rows;
  if (!lane.samples || lane.samples->samples().empty()) return rows;
  const std::span<const std::complex<double>> taken = lane.samples->samples();
  static_cast<SampleSpacing&>(rows) = lane.samples->spacing();
  const std::int64_t stride = std::llround(rows.interval / times_.signed_step(lane.first)),
                     count = static_cast<std::int64_t>(taken.size());
  const std::int64_t skipped =
      std::min((std::max(step, lane.first) - lane.first + stride - 1) / stride, count);
  rows.samples.assign(taken.begin() + skipped, taken.end());
  rows.from = times_.time(lane.first + skipped * stride);
  rows.to = times_.time(lane.first + stride * (count - 1));
  return rows;
}

SignalRows FollowedSignal::rows(std::size_t index) const {
  const Lane& lane = lanes_[index];
  SignalRows rows = rows_from(lane, lane.motion);
  rows.after_change = lane.after_change;
  return rows;
}

SignalRows FollowedSignal::rows_in_range(std::size_t index) const {
  return rows_from(lanes_[index], lanes_[index].first);
}

std::vector<std::string> FollowedSignal::notes(std::size_t index) const {
  const auto& samples = lanes_[index].samples;
  return samples ? samples->notes() : std::vector<std::string>();
}

}  // namespace twosphere
