// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <future>
#include <limits>
#include <utility>
#include <vector>

#include "ui/plot/curve.h"
#include "ui/plot/spectrum_samples.h"

namespace twosphere::ui {

/// The run that contains the samples, and the lane and the run from which distances are measured.
struct SpectrumSource {
  std::uint64_t generation = 0;
  int reference = 0, reference_run = -1;
  bool operator==(const SpectrumSource&) const = default;
};

/// Results computed from the samples of a lane in a time range, cached. `Computed::took`: how long
/// that took [s].
template <class Computed>
struct LaneWork : Computed {
  int lane = -1;
  LaneStyle style;  ///< of the integrator at the end of the range

  // The input from which it was or is being computed.
  const History* history = nullptr;
  SpectrumSource source;
  IndexRange values;
  double last_time = 0;
  SharedSamples own;           // in place of the values; null: those
  double begun_at = 0;         // [s]
  std::future<Computed> work;  // computation in progress on another thread

  /// Waits at most `longest` for the computation in progress; returns whether none is in progress
  /// afterwards.
  bool take(std::chrono::milliseconds longest) {
    if (!work.valid()) return true;
    if (work.wait_for(longest) == std::future_status::timeout) return false;
    static_cast<Computed&>(*this) = work.get();
    return true;
  }
};

/// Calls make() on another thread, or if none can be started, when the result is wanted, and
/// measures the time.
template <class Make>
auto begin_work(Make make) {
  return std::async(std::launch::async | std::launch::deferred, [make = std::move(make)] {
    const auto begin = std::chrono::steady_clock::now();
    auto found = make();
    found.took = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return found;
  });
}

/// Updates the work for the lanes of these curves: begin(curve, trace, values) starts it, with
/// `own` samples if there are any. `now` is the clock of the interface [s]. Waits at most
/// `patience` for each result in progress. What took long is computed less often. Returns false as
/// long as one is outdated or in progress.
template <class Work, class Begin>
bool update_work(std::vector<Work>& all, const PlotSpec& spec, const std::vector<Curve>& curves,
                 Interval time, const SpectrumSource& source, double now, const SharedSamples& own,
                 std::chrono::milliseconds patience, const Begin& begin) {
  // Largest fraction of the time spent on a result while the run continues.
  constexpr double share = 0.1;
  std::vector<Work> former = std::exchange(all, {});
  bool complete = true;
  for (std::size_t c = 0; c < curves.size(); ++c) {
    // The last curve of a lane represents the whole lane.
    if (c + 1 < curves.size() && curves[c + 1].lane == curves[c].lane) continue;
    const Curve& curve = curves[c];
    const Trace trace(*curve.history, spec.y);
    const IndexRange values = trace.in_last_leg(
        {time.low, std::nextafter(time.high, std::numeric_limits<double>::infinity())});
    const double last_time = values.size() > 0 ? trace.time(values.last - 1) : 0;

    Work lane;
    const auto known = std::find_if(former.begin(), former.end(), [&](const Work& other) {
      return other.lane == curve.lane && other.history == curve.history && other.source == source;
    });
    if (known != former.end()) lane = std::move(*known);
    lane.style = curve.style;
    const bool free = lane.take({}), known_lane = lane.lane == curve.lane;
    const bool same = lane.values.first == values.first && lane.values.last == values.last &&
                      lane.last_time == last_time;
    bool fresh = known_lane && lane.own == own && (own || same);
    const bool early = known_lane && now - lane.begun_at < lane.took / share;
    if (!fresh && !early && free) {
      lane.lane = curve.lane;
      lane.history = curve.history;
      lane.source = source;
      lane.values = values;
      lane.last_time = last_time;
      lane.own = own;
      lane.begun_at = now;
      lane.work = begin(curve, trace, values);
      fresh = true;
    }
    complete &= fresh && lane.take(patience);
    all.push_back(std::move(lane));
  }
  return complete;
}

/// The same for all these curves at once; waits for the results.
template <class Work, class Begin>
std::vector<Work> work_of(const PlotSpec& spec, const std::vector<Curve>& curves, Interval time,
                          const SharedSamples& own, const Begin& begin) {
  std::vector<Work> all;
  update_work(all, spec, curves, time, {}, 0, own, {}, begin);
  for (Work& lane : all) lane.take(std::chrono::hours(1));
  return all;
}

}  // namespace twosphere::ui
