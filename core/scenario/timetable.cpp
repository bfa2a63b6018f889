// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/timetable.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "core/scenario/schedule.h"

namespace twosphere {

Timetable::Timetable(const Scenario& record) {
  RunClock clock(record);
  std::vector<LaneSpec> lanes = record.lanes;
  parts_.push_back({0, 0, clock.clock()});
  for (const Event& event : record.events) {
    follow_lanes(event, lanes);
    const Part& last = parts_.back();
    const double step = grid_step(lanes);
    // A part begins where the step or the direction changes.
    if (step == last.clock.step && !event.reverse) continue;
    const double since_start = elapsed(event.step);
    clock.advance(event.step - clock.steps());
    clock.change(step, 0);
    if (event.reverse) clock.reverse();
    parts_.push_back({event.step, since_start, clock.clock()});
  }
}

const Timetable::Part& Timetable::part_of(std::int64_t step) const {
  const auto next =
      std::upper_bound(parts_.begin() + 1, parts_.end(), step,
                       [](std::int64_t taken, const Part& part) { return taken < part.first; });
  return *(next - 1);
}

double Timetable::time(std::int64_t step) const {
  const Part& part = part_of(step);
  StepClock clock = part.clock;
  clock.advance(step - part.first);
  return clock.time();
}

double Timetable::elapsed(std::int64_t step) const {
  const Part& part = part_of(step);
  return part.elapsed + static_cast<double>(step - part.first) * part.clock.step;
}

std::int64_t Timetable::nearest(std::size_t part, double after) const {
  const double step = parts_[part].clock.step;
  const std::int64_t most = part + 1 < parts_.size() ? parts_[part + 1].first - parts_[part].first
                                                     : std::numeric_limits<std::int32_t>::max();
  // Within the part; in the last one as far as is asked.
  const double count = step > 0 ? std::round(after / step) : 0;
  return parts_[part].first +
         std::llround(std::clamp(count, 0.0, static_cast<double>(std::max<std::int64_t>(most, 0))));
}

std::int64_t Timetable::step_after(double elapsed) const {
  const auto next =
      std::upper_bound(parts_.begin() + 1, parts_.end(), elapsed,
                       [](double time, const Part& part) { return time < part.elapsed; });
  const auto part = static_cast<std::size_t>(next - 1 - parts_.begin());
  return nearest(part, elapsed - parts_[part].elapsed);
}

std::int64_t Timetable::step_at(double time, std::int64_t last) const {
  std::int64_t best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t part = 0; part < parts_.size() && parts_[part].first <= last; ++part) {
    const StepClock& clock = parts_[part].clock;
    const std::int64_t step =
        std::min(last, nearest(part, clock.reversed ? clock.time() - time : time - clock.time()));
    // A time that is passed there and back is found on the way back.
    const double off = std::abs(this->time(step) - time);
    if (off <= least) best = step, least = off;
  }
  return best;
}

}  // namespace twosphere
