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
#include "core/worker/repeated_run.h"

namespace twosphere {

namespace {

using FollowerClock = std::chrono::steady_clock;

/// How long a run is followed before it is the turn of the next, and progress is shown.
constexpr std::chrono::milliseconds follow_turn{20};

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

/// A run that is followed.
struct FollowedRun {
  SectionFollower::Run asked;
  RepeatedRun copy;
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
  bool rests() const { return ended || (copy.begun() && copy.run().steps() >= asked.steps); }

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
    const auto begun = copy.begin(asked.record, [this](Simulation& run) {
      return run.follow_section(asked.record->section.value_or(PoincareSection{}));
    });
    if (!begun) end(begun.error().text());
  }

  /// Continues with another record, which is that of the run up to a step.
  void change(std::shared_ptr<const Scenario> record, std::int64_t shared) {
    asked.record = std::move(record);
    if (!copy.begun()) return begin();
    changes = changes_of(*asked.record);
    if (!ended) copy.add_checkpoint();
    const auto from = copy.go_back(asked.record, shared);
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
    const std::int64_t now = copy.run().steps();
    const auto next = std::upper_bound(changes.begin(), changes.end(), now);
    if (next != changes.begin() && next[-1] == now && (marks.empty() || marks.back().step < now)) {
      marks.push_back({now, {}});
      for (const SectionPoints& lane : lanes) marks.back().points.push_back(lane.size());
    }
    return next == changes.end() ? last : std::min(last, *next);
  }

  /// Takes the points that were found since the last call.
  void take_points() {
    Simulation& run = copy.run();
    for (int i = 0; i < run.lane_count(); ++i) {
      const auto found = run.take_section_points(i);
      const auto& crossings = run.lane(i).crossings;
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
    while (!rests() && FollowerClock::now() - begun <= follow_turn) {
      const auto failure = copy.advance(next_change(asked.steps), [this] { take_points(); });
      if (failure) {
        if (!failure->interrupted()) end(failure->message);
        return;
      }
      if (points() >= asked.points) ended = true;
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
    if (!copy.begun()) return made;
    const Simulation& run = copy.run();
    made->surface = run.lane(0).crossings->surface();
    made->steps = run.steps();
    made->t = run.time();
    for (int i = 0; i < run.lane_count(); ++i) made->jumps += run.lane(i).crossings->jumps();
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
      one.copy.end();
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
      if (!begins) shared = one.copy.shared_steps(*run->record);
      one.asked.steps = run->steps;
      one.asked.points = run->points;
      if (!shared) {
        one.asked.record = run->record;
        return one.begin();
      }
      const std::int64_t last = std::min(*shared, run->steps);
      if (other || (one.copy.begun() && one.copy.run().steps() > last))
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
