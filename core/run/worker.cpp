// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/worker.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <condition_variable>
#include <exception>
#include <iterator>
#include <limits>
#include <mutex>
#include <thread>
#include <utility>
#include <variant>

#include "core/base/exceptions.h"
#include "core/base/handoff.h"
#include "core/base/interrupt.h"
#include "core/base/simd_level.h"
#include "core/base/thread_name.h"
#include "core/catalog.h"
#include "core/run/checkpoints.h"
#include "core/run/live_cloud.h"
#include "core/run/live_follower.h"
#include "core/run/pacing.h"
#include "core/run/publisher.h"
#include "core/run/row_writer.h"
#include "core/run/trail.h"
#include "core/scenario/state_edit.h"

namespace twosphere {

namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

/// Duration of a batch of steps between two readings of the clock.
constexpr microseconds batch_length{500};
constexpr std::int64_t longest_batch = 1 << 20;
constexpr double never = std::numeric_limits<double>::infinity();
/// Interval between two snapshots: in real time, and as fast as possible.
constexpr milliseconds smooth_interval{4}, fast_interval{16};
/// Snapshots of large systems take time: at most this fraction of it, but the interval between two
/// is never longer than `longest_interval`.
constexpr int publishing_share = 32;
/// A trail whose span takes less computing time than this [s] is recorded only where it is shown.
constexpr double short_trail = 1e-3;
constexpr milliseconds longest_interval{100};
/// In real time, steps that are due at shorter intervals than this are taken together.
constexpr milliseconds shortest_sleep{1};
/// How long a step waits until it has been displayed: a hidden window takes no snapshots.
constexpr milliseconds reader_patience{50};

/// The start of a run, as far as it matters for plots and trails.
struct Start {
  std::vector<Sample> samples;
  std::vector<Columns> directions, positions;

  explicit Start(Simulation& simulation) {
    for (int i = 0; i < simulation.lane_count(); ++i) {
      samples.push_back(simulation.sample(i));
      directions.push_back(simulation.lane(i).state.q);
      Geometry geometry;
      simulation.system()->geometry(directions.back(), geometry);
      Columns& position =
          positions.emplace_back(3, static_cast<Eigen::Index>(geometry.bodies.size()));
      for (Eigen::Index k = 0; k < position.cols(); ++k)
        position.col(k) = geometry.bodies[static_cast<std::size_t>(k)].position;
    }
  }
  bool operator==(const Start& other) const {
    const auto equal = [](const Columns& a, const Columns& b) {
      return a.cols() == b.cols() && a == b;
    };
    return std::equal(samples.begin(), samples.end(), other.samples.begin(), other.samples.end(),
                      [](const Sample& a, const Sample& b) { return a.values == b.values; }) &&
           std::equal(directions.begin(), directions.end(), other.directions.begin(),
                      other.directions.end(), equal) &&
           std::equal(positions.begin(), positions.end(), other.positions.begin(),
                      other.positions.end(), equal);
  }
};

}  // namespace

struct Worker::Impl {
  Impl(Simulation simulation, std::function<void()> call_back, const WorkerOptions& given)
      : options(given),
        sim(std::move(simulation)),
        publisher(sim),
        rows(options.most_samples, options.state_budget) {
    begin();
    publish(Clock::now());
    wake = std::move(call_back);
  }

  // Shared between the threads.
  using Capture = std::promise<Captured>;
  using Request = std::variant<Command, Capture>;
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<Request> inbox;          // protected by the mutex
  std::uint64_t sent = 0;              // protected by the mutex
  bool stopping = false;               // protected by the mutex
  std::atomic<bool> called{false};     // the inbox is not empty, or the thread is to stop
  std::atomic<bool> interrupt{false};  // the step in progress is to be abandoned
  std::atomic<bool> awaiting_reader{false};
  Stream<Configuration> configurations_out;
  const WorkerOptions options;

  // Used only by the worker's thread, except what publisher and rows pass to the reader.
  Simulation sim;
  Publisher publisher;
  RowWriter rows;
  std::function<void()> wake;
  std::vector<Request> requests;
  RunStatus status;
  std::int64_t steps_left = 0;  // remaining steps of TakeSteps
  bool past_plan = false;       // Play continued past the planned end
  bool follows = false;         // tangent vectors follow the run
  std::unique_ptr<LiveCloud> cloud;
  bool row_pending = false;  // finish_row() has something to do
  /// Times of the lanes in the last step; empty if not measured, as at steps without stored states.
  std::vector<Clock::time_point> turns;
  const std::function<void(int)> read_clock = [this](int) { turns.push_back(Clock::now()); };
  std::vector<Configuration> configurations;
  RunTrail trail;
  Pacer pacer;
  RateMeter rates;
  std::int64_t batch = 1;
  bool unpublished = true;
  Clock::duration busy{0};                   // total time spent on steps
  std::shared_ptr<Checkpoints> checkpoints;  // of this generation
  std::optional<PullByHand> hand;
  HeldEdit held;
  std::optional<LiveFollower> followed;        // the file that the run is read from
  std::shared_ptr<const RunCheckpoint> shown;  // of that file, where the simulation is
  std::vector<SampleRows> followed_rows;

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
        if (followed) {
          read_on();
        } else if (status.state == RunState::running) {
          advance();
        } else {
          if (unpublished) publish(Clock::now());
          rows.rest();
          std::unique_lock lock(mutex);
          changed.wait(lock, [this] { return called.load(); });
        }
      } catch (const std::exception& e) {  // out of memory
        fail(from_exception(e));
        halt(RunState::paused);
        sleep_until(Clock::now() + longest_interval);
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
      if (followed && traits.needs_own_run)
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

  void fail(Error what) {
    status.error = std::move(what);
    ++status.error_count;
    unpublished = true;
  }

  void carry_out(const Play&) {
    if (status.state == RunState::running) return;
    // A condition that holds at the start stops there; from there the run goes on when asked again.
    if (sim.steps() == 0 && sim.stopped() && status.state != RunState::stopped)
      return halt(RunState::stopped);
    past_plan = sim.finished();
    start_clock();
  }

  void carry_out(const Pause&) {
    if (status.state == RunState::running && !followed) halt(RunState::paused);
  }

  void carry_out(const TakeSteps& c) {
    if (c.count <= 0) return;
    steps_left = c.count;
    start_clock();
  }

  void start_clock() {
    status.state = RunState::running;
    rows.resume();
    status.failure.reset();
    const auto now = Clock::now();
    pacer.anchor(now, sim.elapsed(), status.requested_factor);
    rates.clear();
    rates.mark(now, sim.elapsed(), sim.steps(), busy);
  }

  /// Stops running for the given reason.
  void halt(RunState why) {
    if (steps_left > 0) ++status.commands;
    steps_left = 0;
    status.state = why;
    rates.clear();
    unpublished = true;
  }

  void carry_out(Load& c) {
    std::optional<LiveFollower> file;
    if (!c.live_file.empty()) {
      auto opened = LiveFollower::open(c.live_file);
      if (!opened) return fail(opened.error());
      file = std::move(*opened);
      c.scenario = file->record();
    }
    auto scenario = std::make_shared<const Scenario>(std::move(c.scenario));
    auto former = std::exchange(cloud, nullptr);
    if (!restart(*scenario, std::move(file))) return std::swap(cloud, former);
    if (!scenario->branches.empty()) sim.keep_start();
    publisher.set_loaded(c.original ? c.original : std::move(scenario));
  }

  void carry_out(const Rewind&) {
    auto fresh = Simulation::create(sim.rewound());
    if (!fresh) return fail(fresh.error());
    leave();
    start(std::move(*fresh));
  }

  /// Starts another scenario, or follows the file of one. False if that fails.
  bool restart(Scenario scenario, std::optional<LiveFollower> file = {}) {
    if (!find_system(scenario.system)) {
      fail({ErrorKind::usage, "system.type", "unknown: " + scenario.system});
      return false;
    }
    auto fresh = Simulation::create(std::move(scenario));
    if (!fresh) {
      fail(fresh.error());
      return false;
    }
    start(std::move(*fresh), std::move(file));
    return true;
  }

  void start(Simulation fresh, std::optional<LiveFollower> file = {}) {
    sim = std::move(fresh);
    followed = std::move(file);
    status.followed.reset();
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
      sim = std::move(*fresh);
      halt(RunState::paused);
      return begin();
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
    hand.reset();
    if (!pending.empty()) (void)sim.set(pending);  // keeps waiting if it still applies
    keep_following();
    if (cloud) cloud->begin(sim);
    halt(RunState::paused);
    ++status.generation;
    status.failure.reset();
    past_plan = false;
    rows.go_on(sim, status.generation, c.samples, c.states);
    checkpoints = std::move(earlier);
    status.checkpoints = checkpoints;
    keep_checkpoint();
    trail.configure(trail.span(), directions());
    record_configuration();
    describe();
  }

  void carry_out(const Change& c) {
    // Before the first step a change may edit the start itself.
    std::optional<Start> before;
    if (sim.edits_start()) before.emplace(sim);
    if (auto done = sim.set(c.settings, c.gesture); !done) return fail(done.error());
    clear_outcome();
    keep_following();
    if (before && *before != Start(sim)) return begin();
    if (before) begin_checkpoints();
    follow_edit(c.settings);
    describe();
  }

  /// The cloud begins anew where the state, or the start, is another.
  void follow_edit(const std::vector<Setting>& settings) {
    if (!cloud) return;
    const bool moved =
        sim.edits_start() || std::any_of(settings.begin(), settings.end(),
                                         [](const Setting& set) { return is_of_state(set.path); });
    moved ? cloud->begin(sim) : cloud->follow(sim);
  }

  void carry_out(const Reverse& c) {
    sim.reverse(c.to_start);
    if (cloud) cloud->follow(sim);
    clear_outcome();
    describe();
  }

  void carry_out(const Hold& c) {
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

  void carry_out(const Grab& c) {
    if (c.lane < 0 || c.lane >= sim.lane_count())
      return fail({ErrorKind::usage, "lane", "there is no lane of this number"});
    if (c.body < 0 || c.body >= sim.system()->size())
      return fail({ErrorKind::usage, "body", "there is no body of this number"});
    if (!c.target.allFinite() || !(c.stiffness > 0) || !std::isfinite(c.stiffness))
      return fail({ErrorKind::usage, "target", "must be finite, and the stiffness above 0"});
    if (hand && hand->body() == c.body)
      hand->move(c);
    else
      hand.emplace(c, sim);
  }

  void pull_by_hand() {
    // Ratio of simulated to real time.
    double pace = status.pacing == Pacing::real_time ? status.requested_factor : 0;
    if (const double measured = rates.factor(); measured > 0)
      pace = pace > 0 ? std::min(pace, measured) : measured;
    if (auto done = hand->pull(sim, pace); !done) fail(done.error());
  }

  void carry_out(const LetGo&) {
    if (!hand) return;
    if (auto done = hand->let_go(sim); !done) fail(done.error());
    hand.reset();
  }

  void carry_out(const AddLane& c) {
    if (auto done = sim.add_lane(c.lane); !done) return fail(done.error());
    keep_following();
    describe();
  }

  /// Call after a change of the run at its present step: it may now be able to continue.
  void clear_outcome() {
    status.failure.reset();
    if (!sim.finished()) past_plan = false;
    if (status.state == RunState::failed || (status.state == RunState::finished && !sim.finished()))
      status.state = RunState::paused;
  }

  void carry_out(const Pace& c) {
    if (!(c.factor > 0) || !std::isfinite(c.factor))
      return fail({ErrorKind::usage, "factor", "must be a number above 0"});
    status.pacing = c.pacing;
    status.requested_factor = c.factor;
    if (hand) hand->hurry(sim);
    if (status.state == RunState::running && !followed) start_clock();
  }

  void carry_out(const TrailSpan& c) {
    if (!(c.span >= 0) || !std::isfinite(c.span))
      return fail({ErrorKind::usage, "trail", "must be a time of 0 s or more"});
    trail.configure(c.span, directions());
    record_configuration();
  }

  void carry_out(const FollowExponents& c) {
    follows = c.on;
    if (!followed) follows ? keep_following() : sim.end_following();
  }

  /// Call after every change of the lanes.
  void keep_following() {
    if (follows && !followed) sim.follow_where_possible(Exponents::usual(sim.system()->size()));
  }

  void carry_out(const FollowCloud& c) {
    if (!c.spec) {
      cloud.reset();
      return;
    }
    if (auto fine = check(*c.spec); !fine)
      return fail({ErrorKind::usage, "cloud." + fine.error().location, fine.error().message});
    const int bodies = sim.system()->size(), most = LiveCloud::most_members(bodies);
    if (c.spec->members > most)
      return fail({ErrorKind::usage, "cloud.members",
                   fmt::format("must be a whole number from 1 to {} with {} bodies, not {}", most,
                               bodies, c.spec->members)});
    if (c.lane < 0 || c.lane >= sim.lane_count())
      return fail({ErrorKind::usage, "cloud.lane", "there is no lane of this number"});
    cloud = std::make_unique<LiveCloud>(*c.spec, c.lane, sim);
  }

  void carry_out(const AddCheckpoints& c) {
    checkpoints = c.earlier->up_to(c.last, *checkpoints, busy);
    status.checkpoints = checkpoints;
  }

  int directions() const { return sim.system()->size() * sim.lane_count(); }

  // The run

  /// The run is at its start: all output of earlier runs becomes invalid.
  void begin() {
    ++status.generation;
    hand.reset();
    status.failure.reset();
    past_plan = false;
    keep_following();
    if (cloud) cloud->begin(sim);
    row_pending = false;
    rows.begin(sim, status.generation);
    if (followed) busy = {};
    begin_checkpoints();
    if (followed)
      begin_reading();
    else
      record_row();
    trail.configure(trail.span(), directions());
    record_configuration();
    describe();
    unpublished = true;
  }

  void begin_checkpoints() {
    checkpoints = std::make_shared<Checkpoints>();
    status.checkpoints = checkpoints;
    keep_checkpoint();
  }

  void keep_checkpoint() {
    checkpoints->add(std::make_shared<const RunCheckpoint>(sim.checkpoint()), busy);
  }

  /// Call when the settings may have changed. The cost of a step has to be measured again.
  void describe() {
    batch = 1;
    publisher.describe(sim);
  }

  void record_configuration() { trail.follow(sim, status.generation); }

  /// Whether the run passes over its trail many times between two snapshots.
  bool outruns_trail() const {
    const double seconds = rates.step_seconds() * trail.span() / sim.grid_step();
    return seconds > 0 && seconds < short_trail;
  }

  void record_row() {
    if (cloud && sim.at_sample())
      rows.record(sim, turns, std::pair(cloud->lane(), cloud->measure(sim, true)));
    else
      rows.record(sim, turns);
  }

  /// Takes the steps of the cloud that an interruption has left out, and writes the row that waits
  /// for them. False if it is interrupted again.
  bool finish_row() {
    if (!row_pending) return true;
    if (cloud && !cloud->catch_up()) return false;
    record_row();
    row_pending = false;
    return true;
  }

  double next_time() const { return sim.elapsed() + sim.grid_step(); }

  /// Number of steps, at least one, until the run is at time t [s].
  std::int64_t steps_until(double t) const {
    const double steps = (t - sim.elapsed()) / sim.grid_step();
    return steps < 2 ? 1 : steps < longest_batch ? static_cast<std::int64_t>(steps) : longest_batch;
  }

  /// Takes steps up to `last`, or to the first with a row or a configuration. If the run cannot
  /// continue, halts with the reason and returns false.
  bool advance_to(std::int64_t last) {
    const bool taking = steps_left > 0;
    if (!taking && !past_plan && sim.finished()) {
      halt(RunState::finished);
      return false;
    }
    const Interruptible interruptible(interrupt);
    if (!finish_row()) return false;
    if (hand) {
      const Uninterrupted pulling;
      pull_by_hand();
      last = std::min(last, hand->next());
    }
    const std::int64_t before = sim.steps(), row = rows.next_row(before);
    last = std::min({last, row, before + steps_until(trail.next())});
    if (taking) last = std::min(last, before + steps_left);
    // The step that leads to a stored state is measured.
    const bool state_due = last == row && rows.state_due(), measured = last == before + 1;
    if (state_due && !measured) --last;
    turns.clear();
    auto failed = state_due && measured ? sim.step(read_clock) : sim.advance_to(last);
    if (sim.steps() > before) unpublished = true;
    if (taking) steps_left -= sim.steps() - before;
    row_pending = sim.steps() > before && cloud && !cloud->advance(sim, before);
    if (failed) {
      if (failed->interrupted()) return false;
      status.failure = std::move(failed);
      halt(RunState::failed);
      return false;
    }
    if (!row_pending) record_row();
    record_configuration();
    const bool planned_end = sim.steps() == sim.planned_steps(), stop = sim.stopped().has_value();
    const bool more = taking ? steps_left > 0 : past_plan || !sim.finished();
    if (more && !stop) return true;
    if (taking && !more) ++status.commands;
    halt(stop ? RunState::stopped : taking && !planned_end ? RunState::paused : RunState::finished);
    return false;
  }

  /// Takes the steps that are due, publishes them, and sleeps until the next.
  void advance() {
    if (rows.undrained() > options.most_undrained) return await_drain();
    const bool timed = status.pacing == Pacing::real_time && steps_left == 0;
    const bool one_by_one = status.pacing == Pacing::every_step;
    const auto begun = Clock::now();
    if (timed) pacer.forgive(begun, next_time());
    if (!timed && !one_by_one && outruns_trail())
      trail.leave_out(sim);
    else
      trail.complete(sim, status.generation);

    const std::int64_t most = one_by_one ? 1 : batch, first = sim.steps();
    std::int64_t taken = 0;
    bool waits = false, goes_on = true;
    while (goes_on && taken < most && !called.load(std::memory_order_relaxed)) {
      waits = timed && pacer.due(next_time()) > begun;
      if (waits) break;
      const double due = timed ? pacer.reached(begun) : never;
      goes_on = advance_to(std::min(first + most, sim.steps() + steps_until(due)));
      taken = sim.steps() - first;
    }

    const auto now = Clock::now();
    busy += now - begun;
    if (taken > 0 && checkpoints->due(busy)) keep_checkpoint();
    if (taken == batch && now - begun < batch_length / 2)
      batch = std::min(2 * batch, longest_batch);
    else if (now - begun > 2 * batch_length)
      batch = std::max<std::int64_t>(taken / 2, 1);
    if (status.state != RunState::running) return;  // published when idle
    if (taken > 0) rates.mark(now, sim.elapsed(), sim.steps(), busy);

    const auto interval =
        std::clamp<Clock::duration>(publishing_share * publisher.duration(),
                                    timed ? smooth_interval : fast_interval, longest_interval);
    if (unpublished && (one_by_one || now - publisher.last() >= interval)) {
      lay_trail();
      publish(now);
    }
    if (one_by_one && taken > 0) {
      await_reader();
    } else if (waits) {
      auto until = std::max<Clock::time_point>(pacer.due(next_time()), begun + shortest_sleep);
      if (unpublished) until = std::min(until, publisher.last() + interval);
      sleep_until(until);
    }
  }

  /// Goes on for as long as the trail lasts, and records it.
  void lay_trail() {
    const std::optional<double> end = trail.record_again(sim);
    while (end && sim.elapsed() < *end && !called.load(std::memory_order_relaxed) &&
           advance_to(sim.steps() + steps_until(*end))) {
    }
  }

  void sleep_until(Clock::time_point until) {
    std::unique_lock lock(mutex);
    changed.wait_until(lock, until, [this] { return called.load(); });
  }

  // A run that is computed elsewhere

  void begin_reading() {
    rows.resume();
    take_state();
    shown.reset();
    tell_news();
  }

  /// The rows up to the last state belong to the run with it.
  void take_state() {
    followed->take_rows(followed_rows);
    for (SampleRows& some : followed_rows) rows.pass(std::move(some));
    followed_rows.clear();
    const LiveState& state = followed->last();
    busy =
        std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(state.seconds));
    if (checkpoints->due(busy)) checkpoints->add(state.checkpoint, busy);
    rates.mark(Clock::time_point(busy), state.checkpoint->clock.elapsed(), state.checkpoint->step(),
               busy);
  }

  /// The last state that was read becomes the present one.
  void show_last_state() {
    const auto& last = followed->last().checkpoint;
    if (last == shown) return;
    bool described = shown && shown->settings == last->settings;
    sim = Simulation::at(sim.record(), *last);
    if (sim.stride() != rows.stride()) {
      sim.widen_stride(rows.stride());
      described = false;
    }
    shown = last;
    if (!described) describe();
    unpublished = true;
  }

  /// Brings the status up to date.
  void tell_news() {
    LiveFollower::Status now = followed->status();
    if (now.failure) status.failure = std::move(now.failure);
    if (now.state != RunState::running) rates.clear();
    if (status.followed && *status.followed == now.file && status.state == now.state) return;
    status.followed = std::move(now.file);
    status.state = now.state;
    unpublished = true;
  }

  /// Reads on in the file, for as long as a frame takes.
  void read_on() {
    const auto begun = Clock::now();
    bool more = true;
    while (more && !called.load(std::memory_order_relaxed) &&
           rows.undrained() <= options.most_undrained && Clock::now() - begun < fast_interval) {
      const LiveFollower::Came came = followed->read();
      if (came == LiveFollower::Came::state) take_state();
      more = came != LiveFollower::Came::nothing;
    }
    show_last_state();
    tell_news();
    if (unpublished) publish(Clock::now());
    if (rows.undrained() > options.most_undrained)
      await_drain();
    else if (!more)
      sleep_until(Clock::now() + followed->patience());
  }

  void carry_out(const Detach&) {
    if (!followed) return;
    show_last_state();
    followed.reset();
    status.followed.reset();
    if (status.state == RunState::running) status.state = RunState::paused;
    past_plan = false;
    rates.clear();
    keep_following();
    keep_checkpoint();
    record_configuration();
    describe();
  }

  // Output

  void publish(Clock::time_point now) {
    const Interruptible interruptible(interrupt);
    if (!finish_row()) return;  // repeated after the interrupting request
    rows.publish(sim);  // first, so that the reader finds all rows that belong to the snapshot
    trail.complete(sim, status.generation);
    trail.take(configurations);
    configurations_out.append(configurations, trail.capacity());

    if (publisher.outdated(sim)) describe();
    // Repeated after the interrupting request.
    if (!publisher.publish(sim, status, rates, held, cloud.get(), now)) return;
    unpublished = false;
    if (wake) wake();
  }

  void await_drain() {
    if (unpublished) publish(Clock::now());
    std::unique_lock lock(mutex);
    changed.wait(
        lock, [this] { return called.load() || rows.undrained() <= options.most_undrained / 2; });
  }

  void await_reader() {
    awaiting_reader = true;
    {
      std::unique_lock lock(mutex);
      changed.wait_for(lock, reader_patience,
                       [this] { return called.load() || !publisher.unread(); });
    }
    awaiting_reader = false;
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
    waits = rows.undrained() > impl_->options.most_undrained / 2;
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
