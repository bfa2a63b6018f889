// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <future>
#include <memory>
#include <string>
#include <vector>

#include "core/record/signal.h"
#include "core/record/signal_rows.h"
#include "core/scenario/scenario.h"
#include "core/studies/followed_signal.h"
#include "ui/plot/curve.h"

namespace twosphere::ui {

/// Samples of a quantity of every lane of a run, for power spectra and their lines: those of
/// FollowedSignal, which depend neither on the rows of the run nor on its planned duration.
struct SpectrumSamples {
  struct Lane {
    SignalRows whole;      ///< from the last change of the step or the direction of time on
    SignalRows of_motion;  ///< from the last change of the motion on
    std::vector<std::string> notes{};  ///< where they may mislead, or end before the run
  };
  std::vector<Lane> lanes{};
  bool complete = false;  ///< they reach the end of the range of time
  std::string problem{};  ///< why there are none
};
using SharedSamples = std::shared_ptr<const SpectrumSamples>;

/// Whether the spectrum of a quantity needs such samples: a copy of the run can take them, and the
/// rows of one of these lanes are not of every step.
bool needs_own_samples(const Signal& quantity, const std::vector<Curve>& curves, Interval time);

/// What they are taken of.
struct SampledQuantity {
  std::shared_ptr<const Scenario> record;
  std::int64_t steps = 0;  ///< taken by the run so far
  Signal quantity;
  Interval time;                 ///< [s]
  std::uint64_t generation = 0;  ///< another one: of another run

  bool operator==(const SampledQuantity&) const = default;
};

/// Takes all of them; fewer if this thread is interrupted.
SharedSamples samples_of(const SampledQuantity& wanted);

/// Takes them beside a run, on another thread, a moment at a time.
class SpectrumSampler {
 public:
  SpectrumSampler() = default;
  /// Waits for the step that is being taken.
  ~SpectrumSampler() { stop_ = true; }
  SpectrumSampler(const SpectrumSampler&) = delete;
  SpectrumSampler& operator=(const SpectrumSampler&) = delete;

  /// Continues with what is wanted now. Returns whether taken() are all of them.
  bool update(const SampledQuantity& wanted);
  /// The last that were taken of this run, perhaps of less; not null.
  const SharedSamples& taken() const { return taken_; }

 private:
  using Clock = std::chrono::steady_clock;

  FollowedSignal signal_;
  std::atomic<bool> stop_ = false;
  SampledQuantity wanted_{{}, 0, Signal(Quantity::time), {}, 0};  // by the work that was begun last
  SharedSamples taken_ = std::make_shared<const SpectrumSamples>();
  Clock::time_point begun_{};
  Clock::duration took_{};
  std::future<SharedSamples> work_;  // the last member: it uses the others
};

}  // namespace twosphere::ui
