// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot/spectrum_samples.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

#include "core/base/interrupt.h"
#include "core/record/signal_samples.h"
#include "ui/plot/reduction.h"

namespace twosphere::ui {

namespace {

constexpr std::chrono::milliseconds sampling_turn{100};
constexpr std::chrono::hours without_end{24 * 365};
// While the run continues, between two looks: this, and so many times as long as one takes.
constexpr std::chrono::milliseconds between_looks{250};
constexpr int sampling_share = 10;

/// Follows the run for about `turn` at most.
SharedSamples followed_for(FollowedSignal& signal, const SampledQuantity& wanted,
                           std::chrono::milliseconds turn) {
  SpectrumSamples found;
  const auto done = signal.proceed({.record = wanted.record,
                                    .steps = wanted.steps,
                                    .low = wanted.time.low,
                                    .high = wanted.time.high,
                                    .quantity = wanted.quantity,
                                    .signal = {},
                                    .before_changes = true},
                                   turn);
  if (!done) {
    found.problem = done.error().message;
    found.complete = true;
    return std::make_shared<const SpectrumSamples>(std::move(found));
  }
  found.complete = *done;
  const std::size_t lanes = recorded_lanes(*wanted.record).size();
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    SpectrumSamples::Lane& taken = found.lanes.emplace_back(
        SpectrumSamples::Lane{signal.rows_in_range(lane), signal.rows(lane), signal.notes(lane)});
    if (!found.complete)
      taken.notes.push_back(
          fmt::format("the samples, which a copy of the run takes, are those up to t = {:.6g} s",
                      taken.whole.to));
  }
  return std::make_shared<const SpectrumSamples>(std::move(found));
}

}  // namespace

bool needs_own_samples(const Signal& quantity, const std::vector<Curve>& curves, Interval time) {
  if (!SignalSamples::takes(quantity)) return false;
  return std::any_of(curves.begin(), curves.end(), [&](const Curve& curve) {
    const Trace trace(*curve.history, quantity);
    const IndexRange values = trace.in_last_leg(
        {time.low, std::nextafter(time.high, std::numeric_limits<double>::infinity())});
    if (values.size() < 2) return false;
    const auto step = [&](std::size_t value) {
      return curve.history->steps()[trace.sample(value)];
    };
    return step(values.last - 1) - step(values.first) != static_cast<double>(values.size() - 1);
  });
}

SharedSamples samples_of(const SampledQuantity& wanted) {
  FollowedSignal signal;
  return followed_for(signal, wanted, without_end);
}

bool SpectrumSampler::update(const SampledQuantity& wanted) {
  const Clock::time_point now = Clock::now();
  if (work_.valid() && work_.wait_for(Clock::duration(0)) != std::future_status::timeout) {
    taken_ = work_.get();
    took_ = now - begun_;
  }
  // Those of another run are not shown.
  if (wanted_.generation != wanted.generation) taken_ = std::make_shared<const SpectrumSamples>();
  if (work_.valid()) return false;
  if (taken_->complete && wanted_ == wanted) return true;
  // What is behind continues at once.
  if (taken_->complete &&
      now - begun_ < std::max<Clock::duration>(between_looks, sampling_share * took_))
    return false;
  wanted_ = wanted;
  begun_ = now;
  work_ = std::async(std::launch::async | std::launch::deferred, [this, wanted] {
    const Interruptible interruptible(stop_);
    return followed_for(signal_, wanted, sampling_turn);
  });
  return false;
}

}  // namespace twosphere::ui
