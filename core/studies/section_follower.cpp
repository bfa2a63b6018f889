// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/studies/section_follower.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <string_view>
#include <thread>
#include <utility>

#include "core/base/exceptions.h"
#include "core/base/interrupt.h"
#include "core/base/simd_level.h"
#include "core/base/thread_name.h"
#include "core/run/checkpoints.h"
#include "core/run/simulation.h"
#include "core/scenario/branches.h"

namespace twosphere {

namespace {

using FollowerClock = std::chrono::steady_clock;

/// How long a run is followed before it is the turn of the next, and progress is shown.
constexpr std::chrono::milliseconds follow_turn{20};
/// Steps between two looks at the clock.
constexpr std::int64_t least_batch = 1, longest_follow_batch = 4096;

/// The steps at which what moves changes, ascending.
std::vector<std::int64_t> changes_of(const Scenario& record) {
  std::vector<std::int64_t> steps;
  for (const Event& event : record.events) {
    const bool moves = std::any_of(event.set.begin(), event.set.end(), [](const Setting& setting) {
      const std::string_view first = setting.path.key();
      return first != "duration" && first != "every" && first != "stop";
    });
    if (moves || event.reverse) steps.push_back(event.step);
    if (event.pull) steps.insert(steps.end(), {event.step, event.step + event.pull->steps});
  }
  std::sort(steps.begin(), steps.end());
  steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
  return steps;
}

/// The step before whose events two records of one start differ first; the largest number if one
/// goes on with the other. None if they begin differently.
std::optional<std::int64_t> shared_steps(const Scenario& a, const Scenario& b) {
  const auto start = [](const Scenario& record) {
    Scenario alone = record;
    alone.events.clear();
    return alone;
  };
  if (!same(start(a), start(b))) return {};
  return first_difference(a.events, b.events);
}

/// A run that is followed.
struct FollowedRun {
  SectionFollower::Run asked;
  std::optional<Simulation> run;
  std::shared_ptr<Checkpoints> checkpoints;
  FollowerClock::duration busy{0};  // time spent on its steps
  std::int64_t batch = least_batch;
  std::vector<SectionPoints> lanes;
  std::vector<std::int64_t> changes;  // changes_of() the record
  /// The numbers of points when a change was reached.
  struct Mark {
    std::int64_t step = 0;
    std::vector<std::size_t> points;
  };
  std::vector<Mark> marks;
  State latest;
  bool ended = false;
  std::string problem;

  std::size_t points() const {
    std::size_t all = 0;
    for (const SectionPoints& lane : lanes) all += lane.size();
    return all;
  }
  bool rests() const { return ended || (run && run->steps() >= asked.steps); }

  void end(std::string why) {
    ended = true;
    problem = std::move(why);
  }

  void begin() {
    changes = changes_of(*asked.record);
    lanes.clear();
    marks.clear();
    latest = {};
    ended = false;
    problem.clear();
    batch = least_batch;
    busy = {};
    checkpoints = std::make_shared<Checkpoints>();
    auto made = Simulation::create(*asked.record);
    run.reset();
    if (!made) return end(made.error().text());
    // Rewind may have changed the start of its record; this one repeats it as it is.
    made->keep_start();
    if (auto follows = made->follow_section(asked.record->section.value_or(PoincareSection{}));
        !follows)
      return end(follows.error().text());
    run.emplace(std::move(*made));
    keep_checkpoint();
  }

  void keep_checkpoint() {
    checkpoints->add(std::make_shared<const RunCheckpoint>(run->checkpoint()), busy);
  }

  /// Goes on with another record, which is that of the run up to a step.
  void change(std::shared_ptr<const Scenario> record, std::int64_t shared) {
    asked.record = std::move(record);
    if (!run) return begin();
    changes = changes_of(*asked.record);
    if (!ended) keep_checkpoint();
    const auto from = checkpoints->before(shared);
    checkpoints = checkpoints->up_to(from->step(), busy);
    run.emplace(Simulation::at(*asked.record, *from));
    ended = false;
    problem.clear();
    lanes.resize(std::min(lanes.size(), from->lanes.size()));
    for (std::size_t i = 0; i < lanes.size(); ++i) {
      const std::int64_t left = from->lanes[i].crossings->number() - lanes[i].number(0);
      lanes[i].cut(static_cast<std::size_t>(std::max<std::int64_t>(left, 0)));
    }
    std::erase_if(marks, [&](const Mark& mark) { return mark.step >= from->step(); });
    latest = {};
  }

  /// Marks a change at the present step; returns the step of the next one, or `last`.
  std::int64_t next_change(std::int64_t last) {
    const auto next = std::upper_bound(changes.begin(), changes.end(), run->steps());
    if (next != changes.begin() && next[-1] == run->steps() &&
        (marks.empty() || marks.back().step < run->steps())) {
      marks.push_back({run->steps(), {}});
      for (const SectionPoints& lane : lanes) marks.back().points.push_back(lane.size());
    }
    return next == changes.end() ? last : std::min(last, *next);
  }

  /// Takes the points that were found since the last call.
  void take_points() {
    for (int i = 0; i < run->lane_count(); ++i) {
      const auto found = run->take_section_points(i);
      const auto& crossings = run->lane(i).crossings;
      const auto& surface = crossings->surface();
      const auto lane = static_cast<std::size_t>(i);
      if (lane >= lanes.size())
        lanes.emplace_back(surface ? surface->columns().size() : 0,
                           found.empty() ? crossings->number() : found.front().number);
      if (!surface) continue;
      for (const SectionPoint& point : found) {
        surface->coordinates(point.state, values);
        lanes[lane].add(point.state.t, point.step, point.direction, values);
      }
      if (i == 0 && !found.empty()) latest = found.back().state;
    }
  }

  /// Takes steps for a turn, or to the end.
  void advance() {
    const auto begun = FollowerClock::now();
    while (!rests()) {
      const auto from = FollowerClock::now();
      if (from - begun > follow_turn) return;
      const std::int64_t before = run->steps();
      const auto failure = run->advance_to(next_change(std::min(before + batch, asked.steps)));
      take_points();
      const auto took = FollowerClock::now() - from;
      busy += took;
      if (failure) {
        if (!failure->interrupted()) end(failure->message);
        return;
      }
      if (took < follow_turn / 4) batch = std::min(2 * batch, longest_follow_batch);
      if (took > follow_turn / 2) batch = std::max(batch / 2, least_batch);
      if (points() >= asked.points) ended = true;
      if (checkpoints->due(busy)) keep_checkpoint();
    }
  }

  std::shared_ptr<const SectionFollower::Progress> progress() const {
    auto made = std::make_shared<SectionFollower::Progress>();
    made->record = asked.record;
    made->lanes = lanes;
    if (!marks.empty()) made->before_change = marks.back().points;
    made->before_change.resize(lanes.size(), 0);
    made->latest = latest;
    made->ended = ended;
    made->problem = problem;
    if (!run) return made;
    made->surface = run->lane(0).crossings->surface();
    made->steps = run->steps();
    made->t = run->time();
    for (int i = 0; i < run->lane_count(); ++i) made->jumps += run->lane(i).crossings->jumps();
    return made;
  }

  std::vector<double> values;
};

}  // namespace

struct SectionFollower::Impl {
  // Shared between the threads; protected by the mutex.
  mutable std::mutex mutex;
  std::condition_variable changed;
  std::map<int, std::optional<Run>> asked;  // without a run: to be forgotten
  std::map<int, std::shared_ptr<const Progress>> shown;
  bool stopping = false;
  std::atomic<bool> interrupt{false};

  std::map<int, FollowedRun> runs;  // used only by the follower's thread

  std::thread thread;  // last: it uses all the others

  void work() noexcept {
    name_this_thread("sections");
    zero_upper_registers();
    const Interruptible interruptible(interrupt);
    for (;;) {
      std::map<int, std::optional<Run>> changes;
      {
        std::unique_lock lock(mutex);
        const bool all_rest = std::all_of(runs.begin(), runs.end(),
                                          [](const auto& one) { return one.second.rests(); });
        if (all_rest) changed.wait(lock, [this] { return !asked.empty() || stopping; });
        if (stopping) return;
        changes = std::exchange(asked, {});
      }
      for (auto& [number, run] : changes) take(number, std::move(run));
      for (auto& entry : runs) {
        FollowedRun& one = entry.second;
        if (one.rests()) continue;
        guarded(one, [&] { one.advance(); });
        show(entry.first, one);
      }
    }
  }

  template <class Work>
  void guarded(FollowedRun& one, const Work& work) {
    try {
      work();
    } catch (const std::exception& e) {  // out of memory
      one.run.reset();
      one.end(from_exception(e).text());
    }
  }

  void take(int number, std::optional<Run> run) {
    if (!run) {
      runs.erase(number);
      return;
    }
    const bool begins = !runs.contains(number);
    FollowedRun& one = runs[number];
    guarded(one, [&] {
      const bool other = begins || one.asked.record != run->record;
      // The steps that stay valid; none: it begins anew.
      std::optional<std::int64_t> shared;
      if (!other)
        shared = std::numeric_limits<std::int64_t>::max();
      else if (!begins)
        shared = shared_steps(*one.asked.record, *run->record);
      one.asked.steps = run->steps;
      one.asked.points = run->points;
      if (!shared) {
        one.asked.record = run->record;
        return one.begin();
      }
      const std::int64_t last = std::min(*shared, run->steps);
      if (other || (one.run && one.run->steps() > last))
        one.change(run->record, last);
      else if (one.problem.empty())
        one.ended = one.points() >= one.asked.points;
    });
    show(number, one);
  }

  void show(int number, const FollowedRun& one) {
    auto made = one.progress();
    const std::lock_guard lock(mutex);
    const auto next = asked.find(number);
    if (next != asked.end() && !next->second) return;
    shown[number] = std::move(made);
  }
};

SectionFollower::SectionFollower() : impl_(std::make_unique<Impl>()) {
  impl_->thread = std::thread([this] { impl_->work(); });
}

SectionFollower::~SectionFollower() {
  {
    const std::lock_guard lock(impl_->mutex);
    impl_->stopping = true;
    impl_->interrupt = true;
  }
  impl_->changed.notify_one();
  impl_->thread.join();
}

void SectionFollower::follow(int number, Run run) {
  {
    const std::lock_guard lock(impl_->mutex);
    impl_->asked[number] = std::move(run);
  }
  impl_->changed.notify_one();
}

void SectionFollower::forget(int number) {
  {
    const std::lock_guard lock(impl_->mutex);
    impl_->asked[number] = std::nullopt;
    impl_->shown.erase(number);
  }
  impl_->changed.notify_one();
}

std::shared_ptr<const SectionFollower::Progress> SectionFollower::progress(int number) const {
  const std::lock_guard lock(impl_->mutex);
  const auto found = impl_->shown.find(number);
  return found == impl_->shown.end() ? nullptr : found->second;
}

}  // namespace twosphere
