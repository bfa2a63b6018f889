// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/worker/repeated_run.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/scenario/branches.h"

namespace twosphere {

namespace {

using CopyClock = std::chrono::steady_clock;

/// How long the steps between two looks at the clock take, about.
constexpr std::chrono::milliseconds short_batch{5}, long_batch{10};
constexpr std::int64_t min_batch = 1, max_batch = 4096;

}  // namespace

Result<void> RepeatedRun::begin(std::shared_ptr<const Scenario> record,
                                const std::function<Result<void>(Simulation&)>& prepare) {
  record_ = std::move(record);
  run_.reset();
  batch_ = min_batch;
  busy_ = {};
  checkpoints_ = std::make_shared<Checkpoints>();
  auto made = Simulation::create(*record_);
  if (!made) return made.error();
  // Rewind may have changed the start of its record; this one repeats it as it is.
  made->keep_start();
  if (prepare)
    if (auto prepared = prepare(*made); !prepared) return prepared;
  run_.emplace(std::move(*made));
  add_checkpoint();
  return {};
}

std::optional<std::int64_t> RepeatedRun::shared_steps(const Scenario& other) const {
  if (&other == record_.get()) return std::numeric_limits<std::int64_t>::max();
  // The same start, then events up to the first that differ.
  const auto start = [](const Scenario& record) {
    Scenario alone = record;
    alone.events.clear();
    return alone;
  };
  if (!record_ || !same(start(*record_), start(other))) return {};
  return first_difference(record_->events, other.events);
}

std::shared_ptr<const RunCheckpoint> RepeatedRun::go_back(std::shared_ptr<const Scenario> record,
                                                          std::int64_t step) {
  record_ = std::move(record);
  auto from = checkpoints_->before(step);
  // Later checkpoints are those of the former record.
  checkpoints_ = checkpoints_->up_to(from->step(), busy_);
  run_.emplace(Simulation::at(*record_, *from));
  return from;
}

void RepeatedRun::add_checkpoint() {
  auto made = std::make_shared<RunCheckpoint>(run_->checkpoint());
  if (companion_.save) companion_.save(*made);
  checkpoints_->add(std::move(made), busy_);
}

std::optional<StepFailure> RepeatedRun::advance(std::int64_t last,
                                                const std::function<void()>& took) {
  const auto from = CopyClock::now();
  last = std::min(run_->steps() + batch_, last);
  auto failure =
      companion_.advance_to ? companion_.advance_to(*run_, last) : run_->advance_to(last);
  if (took) took();
  const auto time = CopyClock::now() - from;
  // Batches take some milliseconds, so that the caller can look at new requests.
  busy_ += time;
  if (failure) return failure;
  if (time < short_batch) batch_ = std::min(2 * batch_, max_batch);
  if (time > long_batch) batch_ = std::max(batch_ / 2, min_batch);
  if (checkpoints_->due(busy_)) add_checkpoint();
  return {};
}

}  // namespace twosphere
