// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/worker/worker.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <iterator>
#include <optional>
#include <thread>
#include <utility>
#include <variant>

#include "core/base/exceptions.h"
#include "core/base/interrupt.h"
#include "core/base/simd_level.h"
#include "core/base/thread_name.h"
#include "core/catalog.h"
#include "core/run/followed_cloud.h"
#include "core/scenario/state_edit.h"
#include "core/worker/run_source.h"

namespace twosphere {

namespace {

/// How long nothing is tried when memory has run out.
constexpr std::chrono::milliseconds memory_patience{100};

/// The start of a run, as far as it matters for plots and trails: samples, directions, positions.
std::vector<double> start_of(Simulation& simulation) {
  std::vector<double> all;
  const auto add = [&all](const double* from, std::ptrdiff_t count) {
    all.insert(all.end(), from, from + count);
  };
  for (int i = 0; i < simulation.lane_count(); ++i) {
    const Sample& sample = simulation.sample(i);
    const Columns& q = simulation.lane(i).state.q;
    add(sample.values.data(), std::ssize(sample.values));
    add(q.data(), q.size());
    Geometry geometry;
    simulation.system()->geometry(q, geometry);
    for (const auto& body : geometry.bodies) add(body.position.data(), body.position.size());
  }
  return all;
}

}  // namespace

struct Worker::Impl : RunDesk {
  Impl(Simulation simulation, std::function<void()> call_back, const WorkerOptions& options)
      : RunDesk(std::move(simulation), options.max_samples, options.state_budget,
                options.max_undrained) {
    begin();
    publish(Clock::now());
    wake = std::move(call_back);
  }

  // Shared between the threads.
  using Capture = std::promise<Captured>;
  using Request = std::variant<Command, Capture>;
  std::vector<Request> inbox;  // protected by the mutex
  std::uint64_t sent = 0;      // protected by the mutex
  bool stopping = false;       // protected by the mutex

  // Used only by the worker's thread.
  std::vector<Request> requests;
  std::unique_ptr<RunSource> source = std::make_unique<ComputedRun>(*this);

  std::thread thread;  // last: it uses all the others

  /// Any thread may call it. Returns the number of requests so far.
  std::uint64_t call(Request request) {
    std::uint64_t number;
    {
      const std::lock_guard lock(mutex);
      number = sent += std::holds_alternative<Command>(request);
      if (interrupts(request)) interrupt = true;
      inbox.push_back(std::move(request));
      called = true;
    }
    changed.notify_one();
    return number;
  }

  void run() noexcept {
    name_this_thread("worker");
    zero_upper_registers();
    for (;;) {
      try {
        if ((called || (!requests.empty() && steps_left == 0)) && !listen()) return;
        if (called) continue;
        if (source->goes_on()) {
          source->go_on();
        } else {
          if (unpublished) publish(Clock::now());
          rows.rest();
          std::unique_lock lock(mutex);
          changed.wait(lock, [this] { return called.load(); });
        }
      } catch (const std::exception& e) {  // out of memory
        fail(from_exception(e));
        halt(RunState::paused);
        sleep_until(Clock::now() + memory_patience);
      }
    }
  }

  // Requests

  /// Receives requests and carries out what is possible now. False if the thread is to stop.
  bool listen() {
    bool stop;
    {
      const std::lock_guard lock(mutex);
      std::move(inbox.begin(), inbox.end(), std::back_inserter(requests));
      inbox.clear();
      called = false;
      stop = stopping;
      interrupt = stop;
    }
    while (!stop && !requests.empty()) {
      if (steps_left > 0) {
        if (std::none_of(requests.begin(), requests.end(), interrupts)) break;
        halt(RunState::paused);
      }
      Request request = std::move(requests.front());
      requests.erase(requests.begin());
      if (auto* capture = std::get_if<Capture>(&request))
        answer(*capture);
      else
        handle(std::get<Command>(request));
    }
    // Commands may have to wait for TakeSteps, captures do not.
    std::erase_if(requests, [this](Request& request) {
      auto* capture = std::get_if<Capture>(&request);
      if (capture) answer(*capture);
      return capture != nullptr;
    });
    return !stop;
  }

  static bool interrupts(const Request& request) {
    const auto* command = std::get_if<Command>(&request);
    return command && traits_of(*command).interrupts;
  }

  void answer(Capture& capture) {
    try {
      capture.set_value({sim.continuation(), sim.steps(), sim.record(), sim.events_applied(),
                         sim.pending(), sim.first_stride(),
                         std::make_shared<const RunCheckpoint>(sim.checkpoint())});
    } catch (...) {
      capture.set_exception(std::current_exception());
    }
  }

  void handle(Command& command) {
    const CommandTraits& traits = traits_of(command);
    try {
      if (traits.finishes_row) {
        const Uninterrupted settling;
        (void)finish_row();
      }
      if (held.active() && !traits.keeps_drag) make_held_edit();
      if (traits.needs_own_run && !source->is_own())
        fail({ErrorKind::usage, "", "the run is computed by another process"});
      else
        std::visit([this](auto& c) { carry_out(c); }, command);
    } catch (const std::exception& e) {
      fail(from_exception(e));
    }
    // TakeSteps counts as carried out when its steps are taken.
    if (steps_left == 0) ++status.commands;
    unpublished = true;
  }

  /// The run, for commands that need one of its own.
  ComputedRun& own() { return static_cast<ComputedRun&>(*source); }

  void carry_out(const Play&) { own().play(); }
  void carry_out(const Pause&) { source->pause(); }
  void carry_out(const TakeSteps& c) { own().take(c.count); }

  void carry_out(Load& c) {
    std::optional<LiveFollower> file;
    if (!c.live_file.empty()) {
      auto opened = LiveFollower::open(c.live_file);
      if (!opened) return fail(opened.error());
      file = std::move(*opened);
      c.scenario = file->record();
    }
    auto scenario = std::make_shared<const Scenario>(std::move(c.scenario));
    if (!find_system(scenario->system))
      return fail({ErrorKind::usage, "system.type", "unknown: " + scenario->system});
    auto fresh = Simulation::create(*scenario);
    if (!fresh) return fail(fresh.error());
    status.cloud_plan.reset();
    if (file)
      source = std::make_unique<FollowedRun>(*this, std::move(*file));
    else
      source = std::make_unique<ComputedRun>(*this);
    status.followed.reset();
    start(std::move(*fresh));
    if (!scenario->branches.empty()) sim.keep_start();
    publisher.set_loaded(c.original ? c.original : std::move(scenario));
  }

  void carry_out(const Rewind&) {
    auto fresh = Simulation::create(sim.rewound());
    if (!fresh) return fail(fresh.error());
    leave();
    start(std::move(*fresh));
  }

  /// Another run, which rests at its start.
  void start(Simulation fresh) {
    sim = std::move(fresh);
    halt(RunState::paused);
    begin();
  }

  /// Saves what is needed to continue a run that is left.
  void leave() {
    keep_checkpoint();
    rows.publish(sim);
    status.left = Publisher::record_of(sim);
  }

  void carry_out(const ContinueRun& c) {
    if (!c.from) {
      auto fresh = Simulation::create(*c.record);
      if (!fresh) return fail(fresh.error());
      fresh->keep_start();
      leave();
      return start(std::move(*fresh));
    }
    Simulation next = Simulation::at(*c.record, *c.from);
    while (next.steps() < c.step)
      if (const auto failure = next.advance_to(c.step))
        return fail({ErrorKind::numerical, "", failure->message});
    next.widen_stride(c.every);
    auto earlier = c.earlier->up_to(next.steps(), busy);
    const std::vector<Setting> pending = sim.pending();
    leave();
    sim = std::move(next);
    if (!pending.empty()) (void)sim.set(pending);  // keeps waiting if it still applies
    source->begin();
    halt(RunState::paused);
    ++status.generation;
    status.failure.reset();
    rows.go_on(sim, status.generation, c.samples, c.states);
    checkpoints = std::move(earlier);
    status.checkpoints = checkpoints;
    keep_checkpoint();
    begin_cloud();
    begin_trail(trail.span());
    describe();
  }

  void carry_out(const Change& c) {
    // Before the first step a change may edit the start itself.
    std::optional<std::vector<double>> before;
    if (sim.edits_start()) before = start_of(sim);
    if (auto done = sim.set(c.settings, c.gesture); !done) return fail(done.error());
    own().clear_outcome();
    own().reattach_exponents();
    if (before && *before != start_of(sim)) return begin();
    if (before) begin_checkpoints();
    follow_edit(c.settings, before.has_value());
    describe();
  }

  /// The cloud begins anew where the state, or the start, is another.
  void follow_edit(const std::vector<Setting>& settings, bool of_start) {
    if (!status.cloud_plan) return;
    const bool moved =
        of_start || std::any_of(settings.begin(), settings.end(),
                                [](const Setting& set) { return is_of_state(set.path); });
    if (moved && (of_start || !cloud)) return begin_cloud_here();
    if (cloud) moved ? cloud->begin(sim) : cloud->follow(sim);
  }

  void carry_out(const Reverse& c) {
    sim.reverse(c.to_start);
    if (cloud) cloud->follow(sim);
    own().clear_outcome();
    describe();
  }

  void carry_out(const DragEdit& c) {
    if (status.state == RunState::running)
      return fail({ErrorKind::usage, "body", "can be moved only while the run rests"});
    if (auto done = held.move(c, sim); !done) fail(done.error());
  }

  void make_held_edit() {
    Change edit{held.settings(sim)};
    held.end();
    carry_out(edit);
  }

  void carry_out(const Pull& c) {
    if (auto done = sim.pull(c); !done) return fail(done.error());
    publisher.describe(sim);
  }

  void carry_out(const MousePull& c) {
    if (auto there = check_body(sim, c.lane, c.body); !there) return fail(there.error());
    if (!c.target.allFinite() || !(c.stiffness > 0) || !std::isfinite(c.stiffness))
      return fail({ErrorKind::usage, "target", "must be finite, and the stiffness above 0"});
    own().grab(c);
  }

  void carry_out(const Release&) { source->let_go(); }

  void carry_out(const AddLane& c) {
    if (auto done = sim.add_lane(c.lane); !done) return fail(done.error());
    own().reattach_exponents();
    describe();
  }

  void carry_out(const Pace& c) {
    if (!(c.factor > 0) || !std::isfinite(c.factor))
      return fail({ErrorKind::usage, "factor", "must be a number above 0"});
    status.pacing = c.pacing;
    status.requested_factor = c.factor;
    source->change_pace();
  }

  void carry_out(const TrailSpan& c) {
    if (!(c.span >= 0) || !std::isfinite(c.span))
      return fail({ErrorKind::usage, "trail", "must be a time of 0 s or more"});
    begin_trail(c.span);
  }

  void carry_out(const FollowExponents& c) {
    follows = c.on;
    if (source->is_own()) follows ? own().reattach_exponents() : sim.end_following();
  }

  void carry_out(const FollowCloud& c) {
    if (!c.spec) {
      status.cloud_plan.reset();
      return begin_cloud();
    }
    if (auto fine = check(*c.spec); !fine)
      return fail({ErrorKind::usage, "cloud." + fine.error().location, fine.error().message});
    const int bodies = sim.system()->size(), most = LiveCloud::max_members(bodies);
    if (c.spec->members > most)
      return fail({ErrorKind::usage, "cloud.members",
                   fmt::format("must be a whole number from 1 to {} with {} bodies, not {}", most,
                               bodies, c.spec->members)});
    if (c.lane < 0 || c.lane >= sim.lane_count())
      return fail({ErrorKind::usage, "cloud.lane", "there is no lane of this number"});
    const CloudPlan plan{*c.spec, c.lane, std::clamp<std::int64_t>(c.from, 0, sim.steps())};
    if (c.beginning) return join(plan, *c.beginning);
    status.cloud_plan = plan;
    begin_cloud();
  }

  /// The cloud begins at the present step, or waits for its beginning if the run is past its step.
  void begin_cloud() {
    cloud.reset();
    clouds.reset();
    status.cloud_checkpoints.reset();
    status.cloud_rows.reset();
    if (!status.cloud_plan) return;
    CloudPlan& plan = *status.cloud_plan;
    plan.from = std::min(plan.from, sim.steps());
    if (plan.lane >= sim.lane_count()) plan.lane = 0;
    if (plan.from == sim.steps()) begin_cloud_here();
  }

  void begin_cloud_here() {
    status.cloud_plan->from = sim.steps();
    cloud = std::make_unique<LiveCloud>(*status.cloud_plan, sim);
    keep_clouds(*checkpoints);
  }

  /// A cloud that has been followed beside the run joins it.
  void join(const CloudPlan& plan, const CloudBeginning& beginning) {
    if (cloud || status.cloud_plan != plan || beginning.generation != status.generation) return;
    const Interruptible interruptible(interrupt);
    const RunCheckpoint& head = *beginning.checkpoints->newest();
    Simulation behind = Simulation::at(sim.record(), head);
    FollowedCloud beside(plan, beginning.every, beginning.rows);
    beside.go_to(head, behind);
    while (behind.steps() < sim.steps())
      if (beside.advance_to(behind, sim.steps())) return;
    if (behind.events_applied() < sim.events_applied() && beside.follow_events(behind)) return;
    if (!beside.cloud()) return begin_cloud_here();
    cloud = std::make_unique<LiveCloud>(*beside.cloud()->checkpoint(), sim);
    status.cloud_rows = std::make_shared<const std::vector<CloudRow>>(beside.rows());
    keep_clouds(*beginning.checkpoints);
  }

  void keep_clouds(const Checkpoints& earlier) {
    clouds = earlier.up_to(sim.steps(), busy);
    status.cloud_checkpoints = clouds;
    keep_cloud();
  }

  void carry_out(const AddCheckpoints& c) {
    checkpoints = c.earlier->up_to(c.last, *checkpoints, busy);
    status.checkpoints = checkpoints;
    if (!clouds) return;
    // From its beginning on, all have the cloud.
    const std::int64_t last = std::min(c.last, status.cloud_plan->from);
    clouds = c.earlier->up_to(last, *clouds, busy);
    status.cloud_checkpoints = clouds;
  }

  void carry_out(const Detach&) {
    if (!source->detach()) return;
    source = std::make_unique<ComputedRun>(*this);
    rates.clear();
    source->begin();
    keep_checkpoint();
    record_configuration();
    describe();
  }

  /// The run is at its start: all output of earlier runs becomes invalid.
  void begin() {
    ++status.generation;
    status.failure.reset();
    source->begin();
    row_pending = false;
    rows.begin(sim, status.generation);
    begin_checkpoints();
    begin_cloud();
    source->give_start();
    begin_trail(trail.span());
    describe();
    unpublished = true;
  }
};

Worker::Worker(Simulation simulation, std::function<void()> wake, const WorkerOptions& options)
    : impl_(std::make_unique<Impl>(std::move(simulation), std::move(wake), options)) {
  impl_->thread = std::thread([this] { impl_->run(); });
}

Worker::~Worker() {
  {
    const std::lock_guard lock(impl_->mutex);
    impl_->stopping = true;
    impl_->interrupt = true;
    impl_->called = true;
  }
  impl_->changed.notify_one();
  impl_->thread.join();
}

std::uint64_t Worker::send(Command command) { return impl_->call(std::move(command)); }

const Snapshot& Worker::snapshot() {
  if (impl_->publisher.take() && impl_->awaiting_reader) {
    // The lock ensures that the worker is waiting, not about to wait.
    { const std::lock_guard lock(impl_->mutex); }
    impl_->changed.notify_one();
  }
  return impl_->publisher.taken();
}

void Worker::drain_samples(std::vector<SampleRows>& out) {
  RowWriter& rows = impl_->rows;
  const std::size_t drained = rows.drain(out);
  bool waits;
  {  // the lock ensures that the worker is waiting, not about to wait
    const std::lock_guard lock(impl_->mutex);
    waits = rows.undrained() > impl_->max_undrained / 2;
    rows.release(drained);
  }
  if (waits) impl_->changed.notify_one();
}

void Worker::give_back(std::vector<SampleRows>& rows) { impl_->rows.give_back(rows); }

void Worker::drain_configurations(std::vector<Configuration>& out) {
  impl_->configurations_out.drain(out);
}

std::future<Worker::Captured> Worker::capture() {
  Impl::Capture promise;
  auto future = promise.get_future();
  impl_->call(std::move(promise));
  return future;
}

}  // namespace twosphere
