// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/live_run.h"

#include <utility>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "app/base/post.h"
#include "core/scenario/document.h"
#include "core/scenario/live_edit.h"
#include "core/scenario/schedule.h"

namespace twosphere {

namespace {

constexpr int update_timeout = 250;  // [ms] until update() is called by the timer
// Number of values thinned at once, which takes some milliseconds: between two frames, or once per
// interval if there are no frames.
constexpr std::size_t values_at_once = 300'000;
constexpr int thinning_interval = 20;  // [ms]

/// Makes the C library return freed memory to the system; for the small blocks of a history this
/// can be much.
void return_memory() {
#ifdef __GLIBC__
  ::malloc_trim(0);
#endif
}

}  // namespace

LiveRun::LiveRun(Simulation simulation, const WorkerOptions& options)
    : tree_(options.state_budget),
      results_(tree_),
      past_([this] { notify(); }),
      preview_([this] { post(this, [this] { Q_EMIT previewed(); }); }),
      worker_(std::make_unique<Worker>(
          std::move(simulation), [this] { notify(); }, options)) {
  update_timer_.setSingleShot(true);
  update_timer_.setInterval(update_timeout);
  connect(this, &LiveRun::updated, &update_timer_, qOverload<>(&QTimer::start));
  connect(&update_timer_, &QTimer::timeout, this, &LiveRun::update);
  update();
}

LiveRun::~LiveRun() = default;

/// Called on other threads, which end before anything else here does.
void LiveRun::notify() {
  if (!notified_.exchange(true)) post(this, [this] { Q_EMIT updated(); });
}

// Commands

std::uint64_t LiveRun::send(Command command) {
  const CommandTraits& traits = traits_of(command);
  if (traits.needs_own_run && !is_own()) return 0;
  const bool rewinds = std::holds_alternative<Rewind>(command);
  if (rewinds && (is_opening() || snapshot_->commands < detached_)) {
    rewinds_after_ = sent_;
    return 0;
  }
  if (in_past() && !pending_ && traits.is_edit) {
    const auto* change = std::get_if<Change>(&command);
    if ((!change || acts_at_once(*shown().present, change->settings)) && !fork()) return 0;
  }
  const auto* const load = std::get_if<Load>(&command);
  const bool restarts = rewinds || load, plays = std::holds_alternative<Play>(command);
  const bool turns = plays || restarts || std::holds_alternative<Pause>(command) ||
                     std::holds_alternative<ContinueRun>(command);
  if (restarts) {
    show_head();
    pending_.reset();
    loading_.reset();
    rewinds_after_.reset();
    if (rewinds)
      pending_ = PendingSwitch{
          .to = {.id = tree_.new_id(), .look = {"run 1"}},
          .departure = {Departure::Kind::rewind, snapshot_->checkpoints, snapshot_->pending}};
    if (load) loading_ = Loading{.runs = runs_of(load->scenario, tree_)};
  }
  sent_ = worker_->send(std::move(command));
  if (restarts) detached_ = sent_;
  if (restarts && loading_) loading_->number = sent_;
  if (rewinds) {
    pending_->number = sent_;
    Q_EMIT rewinding(present_branch(), pending_->to.id);
  }
  if (turns) last_start_or_pause_ = {sent_, plays};
  Q_EMIT command_sent();
  return sent_;
}

void LiveRun::set_trail_span(double span) {
  trail_span_ = span;
  send(TrailSpan{span});
}

std::shared_ptr<std::future<Worker::Captured>> LiveRun::request_capture() {
  return std::make_shared<std::future<Worker::Captured>>(worker_->capture());
}

std::function<Scenario()> LiveRun::request_record(int branch) {
  if (!look(branch)) return nullptr;
  if (branch == present_branch()) return [run = request_capture()] { return run->get().record; };
  return [record = tree_.find(branch)->record] { return *record; };
}

bool LiveRun::plays() const {
  if (followed()) return false;
  return snapshot_->commands < last_start_or_pause_.number ? last_start_or_pause_.plays
                                                           : snapshot_->state == RunState::running;
}

const FollowedFile* LiveRun::followed() const {
  const bool outdated = snapshot_->commands < detached_;
  return snapshot_->followed && !outdated ? &*snapshot_->followed : nullptr;
}

bool LiveRun::is_own() {
  if (followed()) Q_EMIT own_run_needed();
  return !followed();
}

void LiveRun::detach() {
  if (!followed()) return;
  detached_ = send(Detach{});
  (void)fork();
}

bool LiveRun::keeps_its_start() const {
  Scenario start = *snapshot_->record;
  start.every = snapshot_->after_rewind->every;  // explicit in the record
  if (ends_by_reversal(start)) start.duration = snapshot_->after_rewind->duration;
  return differences(start, *snapshot_->after_rewind).empty();
}

// Results

void LiveRun::update() {
  notified_ = false;  // later results trigger another notification
  update_timer_.stop();
  snapshot_ = &worker_->snapshot();
  results_.drain(*worker_);
  const auto is_done = [this](const auto& told) {
    return told && snapshot_->commands >= told->number;
  };
  if (snapshot_->generation > results_.generation()) {
    if (is_done(pending_))
      finish_switch();
    else
      begin();
    results_.begin(snapshot_->generation);
    show_head();
    preview({});
    announce();
  } else if (is_done(pending_)) {
    pending_.reset();  // it failed
  } else if (is_done(loading_)) {
    loading_.reset();  // it failed
  }
  past_.update(*snapshot_);
  results_.append(*snapshot_, trail_span_, *worker_);
  continue_thinning();
  if (snapshot_->cloud_plan && !snapshot_->cloud) Q_EMIT cloud_awaited();
  if (is_opening()) return;
  for (const auto& [id, computed] : std::exchange(completed_, {})) complete(id, computed);
  if (rewinds_after_ && snapshot_->commands >= *rewinds_after_) rewind_opened();
}

/// To the start of the run that was being opened when Rewind was sent.
void LiveRun::rewind_opened() {
  rewinds_after_.reset();
  if (!keeps_its_start())
    send(Rewind{});
  else if (snapshot_->steps > 0)
    show(0);
}

/// Removes samples that a longer stride has left out, in parts; where a run rests, the memory of
/// long histories goes back to the system.
void LiveRun::continue_thinning() {
  const bool thinning = results_.is_thinning();
  results_.continue_thinning(values_at_once);
  const bool all_thinned = !thinning || !results_.is_thinning(),
             rests = snapshot_->state != RunState::running;
  if (!rests && histories().front().size() > values_at_once) has_freed_memory_ = true;
  if (all_thinned && (thinning || (rests && has_freed_memory_))) {
    return_memory();
    has_freed_memory_ = !rests;
  }
  update_timer_.setInterval(all_thinned ? update_timeout : thinning_interval);
  if (!all_thinned) update_timer_.start();
}

std::shared_ptr<const Snapshot> LiveRun::previewed_instant() {
  preview_.update(*snapshot_);
  return preview_.snapshot();
}

RunView LiveRun::view() const {
  RunView view{History::views(histories()), snapshot_->record, snapshot_->markers};
  if (reference_branch() == present_branch()) return view;
  view.reference = std::make_shared<const std::vector<History>>(
      History::views(tree_.find(reference_branch())->histories));
  for (std::size_t i = 0; i < view.lanes.size(); ++i)
    view.lanes[i].compare_with(i < view.reference->size() ? &(*view.reference)[i] : nullptr);
  return view;
}

// Other runs

std::optional<int> LiveRun::fork() {
  if (!in_past()) return {};
  const auto to = fork_before(requested_step());
  if (to) Q_EMIT forked(present_branch(), *to);
  return to;
}

std::optional<int> LiveRun::fork_before(std::int64_t step) {
  if (pending_ || step > snapshot_->steps || !is_own()) return {};
  const bool replaces = step == snapshot_->steps;
  if (tree_.is_full() && !replaces) {
    Q_EMIT fork_refused();
    return {};
  }
  auto from = snapshot_->checkpoints->before(step);
  Branch to = tree_.fork(step, *snapshot_->record, snapshot_->checkpoints, from.get());
  const int id = to.id;
  continue_run(std::move(to), std::move(from), step, results_.stride(),
               replaces ? Departure::Kind::archive : Departure::Kind::stay);
  return id;
}

bool LiveRun::switch_to(int id) {
  return tree_.can_switch_to(id) && !tree_.find(id)->archived && go_to(id, Departure::Kind::stay);
}

bool LiveRun::switch_archiving(int id) {
  if (!tree_.can_switch_to(id)) return false;
  const Branch& to = *tree_.find(id);
  const bool archives = tree_.is_of_this_start(id) && snapshot_->steps == shared_steps(to);
  if (to.archived && !archives && tree_.is_full()) {
    Q_EMIT fork_refused();
    return false;
  }
  return go_to(id, archives ? Departure::Kind::archive : Departure::Kind::stay);
}

/// Continues with a run that exists, at its head.
bool LiveRun::go_to(int id, Departure::Kind departure) {
  if (id == present_branch() || pending_) return false;
  Branch to = *tree_.find(id);
  const std::vector<Setting> waiting =
      tree_.is_of_this_start(id) ? std::vector<Setting>() : to.pending;
  continue_at_head(std::move(to), departure);
  if (!waiting.empty()) send(Change{waiting});
  return true;
}

void LiveRun::continue_at_head(Branch to, Departure::Kind departure) {
  if (to.saved && to.histories.front().size() == 0) to.histories = tree_.missing_histories(to);
  auto head = to.checkpoints ? to.checkpoints->newest() : nullptr;
  const std::int64_t step = head ? head->step() : 0, every = head ? head->stride.rows : 1;
  continue_run(std::move(to), std::move(head), step, every, departure);
}

/// Tells the worker to continue a run from a checkpoint; null: to compute it from its start.
void LiveRun::continue_run(Branch to, std::shared_ptr<const RunCheckpoint> from, std::int64_t step,
                           std::int64_t every, Departure::Kind departure) {
  const std::int64_t missing_steps = from ? 0 : to.steps;
  if (!from) to.histories = tree_.fresh_histories(*snapshot_->system, to.record->lanes.size());
  const History& first = to.histories.front();
  const std::uint64_t number = send(ContinueRun{to.record, std::move(from), to.checkpoints, step,
                                                every, first.size(), first.state_stride()});
  pending_ = PendingSwitch{
      number, std::move(to), every, {departure, snapshot_->checkpoints, snapshot_->pending}};
  if (missing_steps > 0) send(TakeSteps{missing_steps});
}

/// The worker has begun the run that it was told to continue.
void LiveRun::finish_switch() {
  PendingSwitch done = *std::exchange(pending_, {});
  const auto head = done.departure.checkpoints->newest();
  results_.end(*head, *snapshot_->system, *worker_);
  done.departure.record = snapshot_->left;
  if (done.departure.kind == Departure::Kind::rewind)
    done.to.histories = tree_.fresh_histories(*snapshot_->system, snapshot_->lanes.size());
  results_.set_stride(done.to.histories.front().size() > 0 ? done.every : snapshot_->stride);
  tree_.switch_to(std::move(done.to), std::move(done.departure));
}

/// Discards the results and the runs so far.
void LiveRun::begin() {
  const bool long_run = !histories().empty() && histories().front().size() > values_at_once,
             loaded = loading_ && snapshot_->commands >= loading_->number;
  install(loaded ? std::move(std::exchange(loading_, {})->runs) : new_run(tree_),
          tree_.fresh_histories(*snapshot_->system, snapshot_->lanes.size()));
  if (long_run) return_memory();
}

void LiveRun::open_runs(const Scenario& scenario) {
  OpenedRuns runs = runs_of(scenario, tree_);
  install(std::move(runs), std::move(tree_.present().histories));
  announce();
}

/// These runs take the place of those so far; the present one is at its start, with its samples.
void LiveRun::install(OpenedRuns runs, std::vector<History> samples) {
  tree_.install(std::move(runs.families), std::move(samples));
  opened_ = std::move(runs.ids);
}

/// After runs have been opened: the present one continues from its saved state.
void LiveRun::announce() {
  const auto ids = std::exchange(opened_, std::nullopt);
  if (!ids) return;
  Branch& present = tree_.present();
  Branch to = present;
  present.record.reset();
  present.checkpoints.reset();
  if (to.saved) {
    to.histories = tree_.missing_histories(to);
    continue_at_head(std::move(to), Departure::Kind::stay);
    if (!present.pending.empty()) send(Change{std::exchange(present.pending, {})});
    if (rewinds_after_) rewinds_after_ = sent_;  // with the settings that wait for it
  }
  std::vector<int> rewound;
  for (std::size_t k = 0; k + 1 < tree_.families().size(); ++k)
    rewound.push_back(tree_.families()[k].present_id);
  Q_EMIT opened(*ids, rewound);
}

bool LiveRun::continues_saved_state() const {
  const Branch& run = loading_ ? loading_->runs.families.back().branches.front() : tree_.present();
  return run.saved != nullptr;
}

void LiveRun::complete(int id, const Branch& computed) {
  if (is_opening()) {
    completed_.emplace_back(id, computed);
    return;
  }
  if (const auto last = tree_.complete(id, computed))
    send(AddCheckpoints{computed.checkpoints, *last});
  Q_EMIT updated();
}

Result<void> LiveRun::set_look(int id, const std::optional<BranchLook>& look) {
  if (!look && pending_ && id == pending_->to.id)
    return Error{ErrorKind::usage, "", "The current run cannot be deleted."};
  return tree_.set_look(id, look);
}

}  // namespace twosphere

#include "moc_live_run.cpp"
