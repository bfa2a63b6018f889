// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/worker/live_follower.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>
#include <utility>
#include <variant>

namespace twosphere {

namespace {

using std::chrono::milliseconds;

/// How often a file is looked at, after an error too, and after what time without anything new that
/// is told.
constexpr milliseconds look_interval{50}, long_look_interval{1000}, long_silence{5000};
/// How many steps beyond the last state are taken at a time.
constexpr std::int64_t steps_at_a_time = 64;

void move_to_end(std::vector<SampleRows>& from, std::vector<SampleRows>& to) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
  from.clear();
}

RunState state_after(LiveEnd::Reason reason) {
  using Reason = LiveEnd::Reason;
  switch (reason) {
    case Reason::finished:
      return RunState::finished;
    case Reason::stopped:
      return RunState::stopped;
    case Reason::step_failed:
      return RunState::failed;
    case Reason::interrupted:
    case Reason::failed:
      break;
  }
  return RunState::paused;
}

}  // namespace

Result<LiveFollower> LiveFollower::open(const std::string& path) {
  auto opened = LiveFileReader::open(path);
  if (!opened) return opened.error();
  LiveFollower follower(std::move(*opened));
  follower.abandoned_ = !follower.file_.is_held();
  // Silent since the file was written last.
  if (follower.abandoned_) follower.last_arrival_ -= follower.file_.age();
  for (;;) {
    const ReadResult came = follower.read();
    if (came == ReadResult::state) return follower;
    if (came == ReadResult::some) continue;
    if (follower.problem_) return *follower.problem_;
    return Error{ErrorKind::input_output, path, "ends before the first state of its run"};
  }
}

LiveFollower::ReadResult LiveFollower::read() {
  auto block = file_.next();
  problem_.reset();
  if (!block) problem_ = block.error();
  if (block && !*block) caught_up_ = true;
  if (!block || !*block) return step_on();
  // Blocks that were in the file before are no news of a process that has ended.
  if (caught_up_ || !abandoned_) last_arrival_ = Clock::now();
  if (auto* rows = std::get_if<SampleRows>(&**block)) later_rows_.push_back(std::move(*rows));
  if (auto* end = std::get_if<LiveEnd>(&**block)) end_ = std::move(*end);
  // Rows are passed on with the state that they lead to.
  auto* state = std::get_if<LiveState>(&**block);
  if (!state) return ReadResult::some;
  move_to_end(later_rows_, rows_);
  last_ = std::move(*state);
  beyond_.reset();  // it continued from the state before
  return ReadResult::state;
}

/// Towards the last row of a run that ended without a state there.
LiveFollower::ReadResult LiveFollower::step_on() {
  if (later_rows_.empty() || !last_.checkpoint || silence() < long_silence || file_.is_held())
    return ReadResult::nothing;
  // The steps between the last state and the last row are taken here.
  if (!beyond_) beyond_.emplace(Simulation::at(file_.record(), *last_.checkpoint));
  const std::int64_t end = later_rows_.back().steps.back();
  if (beyond_->steps() < end) {
    if (!beyond_->advance_to(std::min(end, beyond_->steps() + steps_at_a_time)))
      return ReadResult::some;
    later_rows_.clear();  // they are not of this run
    beyond_.reset();
    return ReadResult::nothing;
  }
  last_.checkpoint = std::make_shared<const RunCheckpoint>(beyond_->checkpoint());
  beyond_.reset();
  move_to_end(later_rows_, rows_);
  return ReadResult::state;
}

void LiveFollower::take_rows(std::vector<SampleRows>& out) { move_to_end(rows_, out); }

LiveFollower::Status LiveFollower::status() const {
  Status now{{file_.path()}};
  if (problem_) now.file.problem = problem_->text();
  // Ended, replaced, computing, silent, abandoned: the first that applies.
  const auto silent = silence();
  if (end_) {
    now.file.activity = FollowedFile::Activity::ended;
    now.state = state_after(end_->reason);
    now.failure = end_->failure;
    if (end_->reason == LiveEnd::Reason::interrupted) now.file.problem = "it was interrupted";
    if (end_->reason == LiveEnd::Reason::failed)
      now.file.problem = "an output could not be written";
  } else if (file_.is_replaced()) {
    now.file.activity = FollowedFile::Activity::replaced;
  } else if (silent < long_silence) {
    now.state = RunState::running;
  } else {
    now.file.silence = std::floor(std::chrono::duration<double>(silent).count());
    now.file.activity =
        file_.is_held() ? FollowedFile::Activity::silent : FollowedFile::Activity::abandoned;
  }
  return now;
}

milliseconds LiveFollower::patience() const {
  return problem_ ? long_look_interval : look_interval;
}

}  // namespace twosphere
