// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/worker.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <condition_variable>
#include <deque>
#include <exception>
#include <iterator>
#include <limits>
#include <mutex>
#include <utility>

#include "core/base/exceptions.h"
#include "core/base/handoff.h"
#include "core/base/interrupt.h"
#include "core/base/simd_level.h"
#include "core/base/triple_buffer.h"
#include "core/catalog.h"
#include "core/run/pacing.h"

namespace twosphere {

namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

/// Steps are taken in batches of about this length between two looks at the clock.
constexpr microseconds batch_length{500};
constexpr std::int64_t longest_batch = 1 << 20;
constexpr double never = std::numeric_limits<double>::infinity();
/// Between two snapshots: in real time, and as fast as possible.
constexpr milliseconds smooth_interval{4}, fast_interval{16};
/// Snapshots of large systems take time: at most this part of it, and none comes later than that.
constexpr int publishing_share = 32;
constexpr milliseconds longest_interval{100};
/// In real time, steps that are due closer together than this are taken together.
constexpr milliseconds shortest_sleep{1};
/// So many rows go out together, and so much of their memory is used again [bytes].
constexpr std::size_t rows_together = 1024, most_spare = std::size_t{32} << 20;
/// How long a step waits to be looked at: a hidden window takes no snapshots.
constexpr milliseconds reader_patience{50};

template <class... F>
struct Overload : F... {
  using F::operator()...;
};
template <class... F>
Overload(F...) -> Overload<F...>;

/// Where a run starts, as far as plots and trails can tell.
struct Start {
  std::vector<Sample> samples;
  std::vector<Columns> directions, places;

  explicit Start(Simulation& simulation) {
    for (int i = 0; i < simulation.lane_count(); ++i) {
      samples.push_back(simulation.sample(i));
      directions.push_back(simulation.lane(i).state.q);
      Geometry geometry;
      simulation.system()->geometry(directions.back(), geometry);
      Columns& place = places.emplace_back(3, static_cast<Eigen::Index>(geometry.bodies.size()));
      for (Eigen::Index k = 0; k < place.cols(); ++k)
        place.col(k) = geometry.bodies[static_cast<std::size_t>(k)].position;
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
           std::equal(places.begin(), places.end(), other.places.begin(), other.places.end(),
                      equal);
  }
};

}  // namespace

struct Worker::Impl {
  Impl(Simulation simulation, std::function<void()> call_back, const WorkerOptions& given)
      : options(given), sim(std::move(simulation)) {
    loaded = std::make_shared<const Scenario>(sim.record());
    begin();
    publish(Clock::now());
    wake = std::move(call_back);
  }

  // Shared between the threads.
  using Capture = std::promise<Captured>;
  using Request = std::variant<Command, Capture>;
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<Request> inbox;          // under the mutex
  std::uint64_t sent = 0;              // under the mutex
  bool stopping = false;               // under the mutex
  std::atomic<bool> called{false};     // there is something in the inbox, or it is time to stop
  std::atomic<bool> interrupt{false};  // and the step in progress is to be given up
  std::atomic<bool> awaiting_reader{false};
  TripleBuffer<Snapshot> snapshots;
  Stream<SampleRows> rows_out, rows_back;
  std::atomic<std::size_t> undrained{0};  // in rows_out [bytes]
  std::atomic<std::size_t> spare{0};      // in rows that came back [bytes]
  std::atomic<bool> resting{true};        // none are needed
  Stream<Configuration> poses_out;

  // The worker's own.
  const WorkerOptions options;
  Simulation sim;
  std::function<void()> wake;
  std::deque<Request> requests;
  RunState state = RunState::paused;
  std::int64_t steps_left = 0;  // of TakeSteps
  bool past_plan = false;       // Play went on from the planned end
  Pacing pacing = Pacing::real_time;
  double factor = 1;
  double trail_span = 0;  // [s]
  std::uint64_t generation = 0, commands = 0;
  std::shared_ptr<const Scenario> loaded, present, wanted, record;
  std::size_t tags_seen = 0;
  std::optional<StepFailure> refusal;
  std::optional<Error> error;
  std::uint64_t error_count = 0;
  std::int64_t every = 1;   // stride of the rows so far
  std::size_t samples = 0;  // of each lane of this run that count
  StateStride states;
  /// Of the lanes in the last step; empty if not measured, as where no state is kept.
  std::vector<Clock::time_point> turns;
  const std::function<void(int)> read_clock = [this](int) { turns.push_back(Clock::now()); };
  std::vector<SampleRows> rows, spare_rows;
  std::vector<Configuration> poses;
  TrailRecorder trail;
  Pacer pacer;
  RateMeter rates;
  std::int64_t batch = 1;
  bool unpublished = true;
  Clock::time_point last_published{};
  Clock::duration publishing{0};
  Clock::duration busy{0};  // taking steps
  double step_seconds = 0;  // as last measured

  std::thread thread;  // last: it uses all the others

  /// From any thread; returns how many commands there have been.
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
    zero_upper_registers();
    for (;;) {
      try {
        if ((called || (!requests.empty() && steps_left == 0)) && !listen()) return;
        if (called) continue;
        if (state == RunState::running) {
          advance();
        } else {
          if (unpublished) publish(Clock::now());
          resting = true;
          drop_all(spare_rows);
          std::unique_lock lock(mutex);
          changed.wait(lock, [this] { return called.load(); });
        }
      } catch (const std::exception& e) {  // no memory
        fail(from_exception(e));
        halt(RunState::paused);
        sleep_until(Clock::now() + longest_interval);
      }
    }
  }

  // Requests

  /// Takes in what was sent and carries out what can be now. False if it is time to stop.
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
      requests.pop_front();
      if (auto* capture = std::get_if<Capture>(&request))
        answer(*capture);
      else
        carry_out(std::get<Command>(request));
    }
    // Commands may have to wait for TakeSteps, captures need not.
    std::erase_if(requests, [this](Request& request) {
      auto* capture = std::get_if<Capture>(&request);
      if (capture) answer(*capture);
      return capture != nullptr;
    });
    return !stop;
  }

  static bool interrupts(const Request& request) {
    const auto* command = std::get_if<Command>(&request);
    return command &&
           (std::holds_alternative<Pause>(*command) || std::holds_alternative<Rewind>(*command) ||
            std::holds_alternative<Load>(*command));
  }

  void answer(Capture& capture) {
    try {
      capture.set_value({sim.continuation(), sim.steps(), sim.record(), sim.events_applied(),
                         sim.pending(), sim.first_stride()});
    } catch (...) {
      capture.set_exception(std::current_exception());
    }
  }

  void carry_out(Command& command) {
    try {
      std::visit(Overload{
                     [this](Play) { play(); },
                     [this](Pause) {
                       if (state == RunState::running) halt(RunState::paused);
                     },
                     [this](TakeSteps c) { take_steps(c.count); },
                     [this](Rewind) { restart(sim.rewound()); },
                     [this](Load& c) {
                       auto scenario = std::make_shared<const Scenario>(std::move(c.scenario));
                       if (restart(*scenario))
                         loaded = c.original ? c.original : std::move(scenario);
                     },
                     [this](const Change& c) { change(c); },
                     [this](const Pace& c) { pace(c); },
                     [this](const Trail& c) { keep_trail(c.span); },
                 },
                 command);
    } catch (const std::exception& e) {
      fail(from_exception(e));
    }
    // TakeSteps counts when its steps are taken.
    if (steps_left == 0) ++commands;
    unpublished = true;
  }

  void fail(Error what) {
    error = std::move(what);
    ++error_count;
    unpublished = true;
  }

  void play() {
    if (state == RunState::running) return;
    past_plan = sim.finished();
    start_clock();
  }

  void take_steps(std::int64_t count) {
    if (count <= 0) return;
    steps_left = count;
    start_clock();
  }

  void start_clock() {
    state = RunState::running;
    resting = false;
    refusal.reset();
    const auto now = Clock::now();
    pacer.anchor(now, sim.time(), factor);
    rates.clear();
    rates.mark(now, sim.time(), sim.steps(), busy);
  }

  /// Ends running, for whatever reason.
  void halt(RunState why) {
    if (steps_left > 0) ++commands;
    steps_left = 0;
    state = why;
    rates.clear();
    unpublished = true;
  }

  /// Whether that could be done.
  bool restart(Scenario scenario) {
    if (!find_system(scenario.system)) {
      fail({ErrorKind::usage, "system.type", "unknown: " + scenario.system});
      return false;
    }
    auto fresh = Simulation::create(std::move(scenario));
    if (!fresh) {
      fail(fresh.error());
      return false;
    }
    sim = std::move(*fresh);
    halt(RunState::paused);
    begin();
    return true;
  }

  void change(const Change& c) {
    // Before the first step a change may move the start itself.
    std::optional<Start> before;
    if (sim.steps() == 0 && !sim.record().continuation) before.emplace(sim);
    if (auto done = sim.set(c.settings); !done) return fail(done.error());
    refusal.reset();
    if (!sim.finished()) past_plan = false;
    if (state == RunState::refused || (state == RunState::finished && !sim.finished()))
      state = RunState::paused;
    if (before && *before != Start(sim)) return begin();
    describe();
  }

  void pace(const Pace& c) {
    if (!(c.factor > 0) || !std::isfinite(c.factor))
      return fail({ErrorKind::usage, "factor", "must be a number above 0"});
    pacing = c.pacing;
    factor = c.factor;
    if (state == RunState::running) start_clock();
  }

  void keep_trail(double span) {
    if (!(span >= 0) || !std::isfinite(span))
      return fail({ErrorKind::usage, "trail", "must be a time of 0 s or more"});
    trail_span = span;
    trail.configure(trail_span, directions());
    record_pose();
  }

  int directions() const { return sim.system()->size() * sim.lane_count(); }

  // The run

  /// The run stands at its start: everything that came out of another one is void.
  void begin() {
    ++generation;
    refusal.reset();
    past_plan = false;
    every = sim.stride();
    samples = 0;
    states = StateStride(sim.system()->size(), sim.lane_count(), options.state_budget);
    record_row();
    trail.configure(trail_span, directions());
    record_pose();
    describe();
    unpublished = true;
  }

  /// The settings, after they may have changed. What a step costs is to be found out anew.
  void describe() {
    batch = 1;
    present = std::make_shared<const Scenario>(sim.present());
    wanted = std::make_shared<const Scenario>(sim.wanted());
    Scenario repeatable = sim.record();
    repeatable.every = sim.first_stride();
    record = std::make_shared<const Scenario>(std::move(repeatable));
    tags_seen = sim.tags().size();
  }

  /// Of the samples so far only those at the run's present stride count.
  void follow_stride() {
    if (sim.stride() == every) return;
    if (samples > 1) {
      const auto ratio = static_cast<std::size_t>(sim.stride() / every);
      samples = (samples + ratio - 1) / ratio;
      states.thin(ratio);
    }
    every = sim.stride();
  }

  bool row_at(std::int64_t step) const { return every == 1 || step % every == 0; }

  void record_row() {
    follow_stride();
    if (!row_at(sim.steps())) return;
    if (static_cast<std::int64_t>(samples) * sim.lane_count() >= options.most_samples) {
      sim.double_stride();
      follow_stride();
      if (!row_at(sim.steps())) return;
    }
    SampleRows& to = present_rows();
    try {
      for (int i = 0; i < sim.lane_count(); ++i) to.samples.push_back(sim.sample(i));
      if (states.take(samples)) {
        to.state_rows.push_back(to.size());
        for (int i = 0; i < sim.lane_count(); ++i) {
          to.add_state(sim.state(i));
          to.costs.push_back(cost(i));
        }
      }
      to.steps.push_back(sim.steps());
      ++samples;
    } catch (...) {
      to.drop_unfinished();
      if (to.empty()) rows.pop_back();
      throw;
    }
  }

  /// Those that a row of now belongs to.
  SampleRows& present_rows() {
    const auto lanes = static_cast<std::size_t>(sim.lane_count());
    if (!rows.empty()) {
      SampleRows& last = rows.back();
      if (last.size() < rows_together && last.generation == generation && last.every == every &&
          last.lanes == lanes && last.system == sim.system())
        return last;
    }
    if (spare_rows.empty()) rows_back.drain(spare_rows);
    SampleRows& fresh = rows.emplace_back();
    if (!spare_rows.empty()) {
      fresh = std::move(spare_rows.back());
      spare_rows.pop_back();
      spare -= fresh.bytes();
    }
    fresh.generation = generation;
    fresh.every = every;
    fresh.lanes = lanes;
    fresh.system = sim.system();
    return fresh;
  }

  /// Frees rows that came back.
  void drop(std::vector<SampleRows>& unused) {
    for (const SampleRows& some : unused) spare -= some.bytes();
    unused.clear();
  }
  /// And all that were not taken yet: into no others, which takes no memory. Any thread.
  void drop_all(std::vector<SampleRows>& unused) {
    drop(unused);
    rows_back.drain(unused);
    drop(unused);
  }

  /// Of the step that led here.
  StepCost cost(int lane) const {
    if (sim.steps() == 0) return {};
    const Lane& held = sim.lane(lane);
    StepCost result = step_cost(*held.info, held.last);
    const auto k = static_cast<std::size_t>(lane);
    if (k + 1 < turns.size())
      result[StepQuantity::time] =
          std::chrono::duration<double, std::micro>(turns[k + 1] - turns[k]).count() /
          static_cast<double>(held.substeps);
    return result;
  }

  void record_pose() {
    if (trail.due(sim.time())) trail.record(sim, generation);
  }

  double next_time() const { return sim.time() + sim.grid_step(); }

  /// So many steps at least, one or more, until the run is at time t [s].
  std::int64_t steps_until(double t) const {
    const double steps = (t - sim.time()) / sim.grid_step();
    return steps < 2 ? 1 : steps < longest_batch ? static_cast<std::int64_t>(steps) : longest_batch;
  }

  /// Steps up to step `last`, or to the first with a row or a pose, or the reason why there are
  /// none. False if the run does not go on.
  bool advance_to(std::int64_t last) {
    const bool taking = steps_left > 0;
    if (!taking && !past_plan && sim.finished()) {
      halt(RunState::finished);
      return false;
    }
    const std::int64_t before = sim.steps(), row = (before / every + 1) * every;
    last = std::min({last, row, before + steps_until(trail.next())});
    if (taking) last = std::min(last, before + steps_left);
    // What leads to a state that is kept is measured.
    const bool state_due = last == row && states.takes(samples), measured = last == before + 1;
    if (state_due && !measured) --last;
    turns.clear();
    const Interruptible interruptible(interrupt);
    auto refused = state_due && measured ? sim.step(read_clock) : sim.advance_to(last);
    if (sim.steps() > before) unpublished = true;
    if (taking) steps_left -= sim.steps() - before;
    if (refused) {
      if (refused->interrupted()) return false;
      refusal = std::move(refused);
      halt(RunState::refused);
      return false;
    }
    record_row();
    record_pose();
    const bool planned_end = sim.steps() == sim.planned_steps(), stop = sim.stopped().has_value();
    const bool more = taking ? steps_left > 0 : past_plan || !sim.finished();
    if (more && !stop) return true;
    if (taking && !more) ++commands;
    halt(stop ? RunState::stopped : taking && !planned_end ? RunState::paused : RunState::finished);
    return false;
  }

  /// Takes the steps that are due, shows them, and sleeps until the next.
  void advance() {
    if (undrained > options.most_undrained) return await_drain();
    const bool timed = pacing == Pacing::real_time && steps_left == 0;
    const bool one_by_one = pacing == Pacing::every_step;
    const auto begun = Clock::now();
    if (timed) pacer.forgive(begun, next_time());

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
    if (taken == batch && now - begun < batch_length / 2)
      batch = std::min(2 * batch, longest_batch);
    else if (now - begun > 2 * batch_length)
      batch = std::max<std::int64_t>(taken / 2, 1);
    if (state != RunState::running) return;  // published when idle
    if (taken > 0) rates.mark(now, sim.time(), sim.steps(), busy);

    const auto interval = std::clamp<Clock::duration>(
        publishing_share * publishing, timed ? smooth_interval : fast_interval, longest_interval);
    if (unpublished && (one_by_one || now - last_published >= interval)) publish(now);
    if (one_by_one && taken > 0) {
      await_reader();
    } else if (waits) {
      auto until = std::max<Clock::time_point>(pacer.due(next_time()), begun + shortest_sleep);
      if (unpublished) until = std::min(until, last_published + interval);
      sleep_until(until);
    }
  }

  void sleep_until(Clock::time_point until) {
    std::unique_lock lock(mutex);
    changed.wait_until(lock, until, [this] { return called.load(); });
  }

  // Output

  void publish(Clock::time_point now) {
    const Interruptible interruptible(interrupt);
    follow_stride();
    // Samples first: the reader finds all those that belong to the snapshot.
    for (const SampleRows& some : rows) undrained += some.bytes();
    rows_out.append(rows);
    trail.take(poses);
    poses_out.append(poses, trail.capacity());

    if (sim.tags().size() != tags_seen) describe();  // events of the scenario, warnings
    Snapshot& s = snapshots.back();
    const bool described = s.present == present;  // all of what describe() makes
    s.generation = generation;
    s.commands = commands;
    s.state = state;
    s.steps = sim.steps();
    s.planned_steps = sim.planned_steps();
    s.stride = sim.stride();
    s.t = sim.time();
    s.end_time = sim.end_time();
    s.pacing = pacing;
    s.requested_factor = factor;
    s.measured_factor = rates.factor();
    s.steps_per_second = rates.steps_per_second();
    if (const double seconds = rates.step_seconds(); seconds > 0) step_seconds = seconds;
    s.step_seconds = step_seconds;
    s.lanes.resize(static_cast<std::size_t>(sim.lane_count()));
    for (int i = 0; i < sim.lane_count(); ++i) {
      Snapshot::LaneView& view = s.lanes[static_cast<std::size_t>(i)];
      const Lane& lane = sim.lane(i);
      view.sample = sim.sample(i);
      view.row = sim.row(i);
      view.state = lane.state;
      view.last = lane.last;
      if (described) continue;
      view.name = lane.name;
      view.info = lane.info;
    }
    if (!described) {
      s.system = sim.system();
      s.system_info = &sim.system_info();
      s.loaded = loaded;
      s.present = present;
      s.wanted = wanted;
      s.pending = sim.pending();
      s.record = record;
      s.tags = sim.tags();
      s.warnings = sim.warnings();
    }
    if (interrupted()) return;  // samples may be cut short: again after what interrupts
    s.refusal = refusal;
    s.stop_message = sim.stopped().value_or("");
    s.error = error;
    s.error_count = error_count;
    snapshots.publish();
    unpublished = false;
    last_published = Clock::now();
    publishing = last_published - now;
    if (wake) wake();
  }

  void await_drain() {
    if (unpublished) publish(Clock::now());
    std::unique_lock lock(mutex);
    changed.wait(lock, [this] { return called.load() || undrained <= options.most_undrained / 2; });
  }

  void await_reader() {
    awaiting_reader = true;
    {
      std::unique_lock lock(mutex);
      changed.wait_for(lock, reader_patience,
                       [this] { return called.load() || !snapshots.unread(); });
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
  if (impl_->snapshots.take() && impl_->awaiting_reader) {
    // The lock makes sure that the worker is waiting, and not about to.
    { const std::lock_guard lock(impl_->mutex); }
    impl_->changed.notify_one();
  }
  return impl_->snapshots.front();
}

void Worker::drain_samples(std::vector<SampleRows>& out) {
  const std::size_t before = out.size();
  impl_->rows_out.drain(out);
  std::size_t drained = 0;
  for (std::size_t k = before; k < out.size(); ++k) drained += out[k].bytes();
  bool waits;
  {  // the lock makes sure that the worker is waiting, and not about to
    const std::lock_guard lock(impl_->mutex);
    waits = impl_->undrained > impl_->options.most_undrained / 2;
    impl_->undrained -= drained;
  }
  if (waits) impl_->changed.notify_one();
}

void Worker::give_back(std::vector<SampleRows>& rows) {
  std::atomic<std::size_t>& spare = impl_->spare;
  std::erase_if(rows, [&spare](SampleRows& some) {
    some.clear();
    const bool room = spare + some.bytes() <= most_spare;
    if (room) spare += some.bytes();
    return !room;
  });
  impl_->rows_back.append(rows);
  if (impl_->resting) impl_->drop_all(rows);
}

void Worker::drain_poses(std::vector<Configuration>& out) { impl_->poses_out.drain(out); }

std::future<Worker::Captured> Worker::capture() {
  Impl::Capture promise;
  auto future = promise.get_future();
  impl_->call(std::move(promise));
  return future;
}

}  // namespace twosphere
