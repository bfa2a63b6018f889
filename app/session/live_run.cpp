// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/live_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <limits>
#include <utility>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "app/base/post.h"
#include "core/scenario/live_edit.h"

namespace twosphere {

namespace {

constexpr int update_timeout = 250;  // [ms] until update() is called by the timer
// Number of values thinned at once, which takes some milliseconds: between two frames, or once per
// interval if there are no frames.
constexpr std::size_t values_at_once = 300'000;
constexpr int thinning_interval = 20;  // [ms]
constexpr int no_color = -1;           // of a branch, until it gets one

/// Makes the C library return freed memory to the system; for the small blocks of a history this
/// can be much.
void return_memory() {
#ifdef __GLIBC__
  ::malloc_trim(0);
#endif
}

}  // namespace

LiveRun::LiveRun(Simulation simulation, const WorkerOptions& options)
    : state_budget_(options.state_budget), receiver_(std::make_shared<Receiver>()) {
  const auto wake = [receiver = receiver_] {
    const std::lock_guard lock(receiver->mutex);
    if (receiver->owner && !receiver->owner->notified_.exchange(true))
      post(receiver->owner, [run = receiver->owner] { Q_EMIT run->updated(); });
  };
  seeker_ = std::make_unique<Seeker>(wake);
  worker_ = std::make_unique<Worker>(std::move(simulation), wake, options);
  {
    const std::lock_guard lock(receiver_->mutex);
    receiver_->owner = this;
  }
  update_timer_.setSingleShot(true);
  update_timer_.setInterval(update_timeout);
  connect(this, &LiveRun::updated, &update_timer_, qOverload<>(&QTimer::start));
  connect(&update_timer_, &QTimer::timeout, this, &LiveRun::update);
  update();
}

LiveRun::~LiveRun() {
  const std::lock_guard lock(receiver_->mutex);
  receiver_->owner = nullptr;
}

void LiveRun::take_over(LiveRun& other) {
  {
    const std::scoped_lock lock(receiver_->mutex, other.receiver_->mutex);
    std::swap(receiver_->owner, other.receiver_->owner);
  }
  std::swap(receiver_, other.receiver_);
  std::swap(worker_, other.worker_);
  std::swap(seeker_, other.seeker_);
  std::swap(previewer_, other.previewer_);
  std::swap(preview_step_, other.preview_step_);
  std::swap(preview_instant_, other.preview_instant_);
  std::swap(preview_, other.preview_);
  std::swap(requested_step_, other.requested_step_);
  std::swap(instant_, other.instant_);
  std::swap(past_, other.past_);
  std::swap(branches_, other.branches_);
  std::swap(deleted_, other.deleted_);
  std::swap(left_, other.left_);
  std::swap(present_branch_, other.present_branch_);
  std::swap(next_branch_, other.next_branch_);
  std::swap(going_, other.going_);
  std::swap(branch_changes_, other.branch_changes_);
  std::swap(loading_, other.loading_);
  std::swap(last_start_or_pause_, other.last_start_or_pause_);
  std::swap(generation_, other.generation_);
  std::swap(sent_, other.sent_);
  std::swap(detached_, other.detached_);
  std::swap(histories_, other.histories_);
  std::swap(reference_, other.reference_);
  std::swap(reference_branch_, other.reference_branch_);
  std::swap(trail_, other.trail_);
  std::swap(trail_span_, other.trail_span_);
  std::swap(rows_, other.rows_);
  std::swap(poses_, other.poses_);
  std::swap(every_, other.every_);
  std::swap(state_budget_, other.state_budget_);
  std::swap(has_freed_memory_, other.has_freed_memory_);
  std::swap(snapshot_, other.snapshot_);
  for (LiveRun* run : {this, &other}) {
    run->compare();
    if (!run->notified_.exchange(true)) post(run, [run] { Q_EMIT run->updated(); });
  }
}

std::shared_ptr<std::future<Worker::Captured>> LiveRun::request_capture() {
  return std::make_shared<std::future<Worker::Captured>>(worker_->capture());
}

std::function<Scenario()> LiveRun::request_record(int branch) {
  if (!look(branch)) return nullptr;
  if (branch == present_branch_) return [run = request_capture()] { return run->get().record; };
  return [record = find_branch(branch)->record] { return *record; };
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

std::uint64_t LiveRun::send(Command command) {
  if (needs_own_run(command) && !is_own()) return 0;
  const bool rewinds = std::holds_alternative<Rewind>(command);
  if (rewinds && going_) return 0;
  if (in_past() && !going_on() && is_edit(command)) {
    const auto* change = std::get_if<Change>(&command);
    if ((!change || acts_at_once(*shown().present, change->settings)) && !fork()) return 0;
  }
  const bool plays = std::holds_alternative<Play>(command),
             restarts = rewinds || std::holds_alternative<Load>(command);
  const bool turns = plays || restarts || std::holds_alternative<Pause>(command) ||
                     std::holds_alternative<GoOn>(command);
  if (restarts) {
    show_head();
    going_.reset();
    loading_.reset();
    // What is left must be the run that is seen here.
    if (rewinds && snapshot_->commands >= detached_)
      going_ = Going{.to = {.id = next_branch_++, .look = {"run 1"}},
                     .left = snapshot_->checkpoints,
                     .pending = snapshot_->pending,
                     .rewinds = true};
    if (const auto* load = std::get_if<Load>(&command);
        load && (!load->scenario.branches.empty() || load->scenario.view.kind != json::Kind::null))
      loading_ = {0, std::make_shared<const Scenario>(load->scenario)};
  }
  sent_ = worker_->send(std::move(command));
  if (restarts) detached_ = sent_;
  if (restarts && loading_) loading_->number = sent_;
  if (rewinds && going_) {
    going_->number = sent_;
    Q_EMIT rewinding(present_branch_, going_->to.id);
  }
  if (turns) last_start_or_pause_ = {sent_, plays};
  Q_EMIT command_sent();
  return sent_;
}

bool LiveRun::plays() const {
  if (followed()) return false;
  return snapshot_->commands < last_start_or_pause_.number ? last_start_or_pause_.plays
                                                           : snapshot_->state == RunState::running;
}

void LiveRun::update() {
  notified_ = false;  // later results trigger another notification
  update_timer_.stop();
  snapshot_ = &worker_->snapshot();
  worker_->drain_samples(rows_);
  if (snapshot_->generation > generation_ || histories_.empty()) {
    if (going_ && snapshot_->commands >= going_->number)
      adopt();
    else
      begin();
    generation_ = snapshot_->generation;
    compare();
    trail_.clear();
    show_head();
    preview({});
  } else if (going_ && snapshot_->commands >= going_->number) {
    going_.reset();  // it failed
  }
  if (in_past()) take_instant();

  // Rows newer than the snapshot are kept for the next one.
  const auto newer = [this](const auto& item) { return item.generation > generation_; };
  append_rows(std::find_if(rows_.begin(), rows_.end(), [&](const SampleRows& rows) {
    return newer(rows) || (rows.generation == generation_ && rows.steps.back() > snapshot_->steps);
  }));
  follow_stride(snapshot_->stride);
  grow_histories(snapshot_->lanes.size());

  const auto is_thinning = [&] {
    return std::any_of(histories_.begin(), histories_.end(),
                       [](const History& history) { return history.is_thinning(); });
  };
  const bool thinning = is_thinning();
  for (History& history : histories_) history.continue_thinning(values_at_once);
  const bool all_thinned = !thinning || !is_thinning(),
             rests = snapshot_->state != RunState::running;
  if (!rests && histories_.front().size() > values_at_once) has_freed_memory_ = true;
  if (all_thinned && (thinning || (rests && has_freed_memory_))) {
    return_memory();
    has_freed_memory_ = !rests;
  }
  update_timer_.setInterval(all_thinned ? update_timeout : thinning_interval);
  if (!all_thinned) update_timer_.start();

  worker_->drain_poses(poses_);
  for (Configuration& pose : poses_)
    if (pose.generation == generation_) trail_.push_back(std::move(pose));
  std::erase_if(poses_, std::not_fn(newer));
  while (!trail_.empty() && trail_.front().t < snapshot_->elapsed - trail_span_) trail_.pop_front();
}

std::vector<History> LiveRun::fresh_histories(std::size_t lanes) const {
  return {lanes,
          History(StateStride(snapshot_->system->size(), static_cast<int>(lanes), state_budget_))};
}

/// Discards the results and branches of the last run.
void LiveRun::begin() {
  const bool long_run = !histories_.empty() && histories_.front().size() > values_at_once;
  histories_.clear();  // frees their memory, unlike assignment
  branches_ = {{.id = next_branch_, .look = {"run 1"}}};
  deleted_.clear();
  left_.clear();
  present_branch_ = next_branch_++;
  if (loading_ && snapshot_->commands >= loading_->number)
    add_branches(*std::exchange(loading_, {})->scenario);
  if (long_run) return_memory();
  histories_ = fresh_histories(snapshot_->lanes.size());
}

/// Adds histories for lanes that were added.
void LiveRun::grow_histories(std::size_t lanes) {
  if (lanes <= histories_.size()) return;
  while (histories_.size() < lanes)
    histories_.push_back(History::beginning_after(histories_.front()));
  for (History& history : histories_)
    history.limit_states(snapshot_->system->size(), static_cast<int>(lanes), state_budget_);
  compare();
}

/// Appends the rows of this run before `last` and removes them from the queue.
void LiveRun::append_rows(std::vector<SampleRows>::iterator last) {
  for (auto rows = rows_.begin(); rows != last; ++rows) {
    if (rows->generation != generation_) continue;
    follow_stride(rows->every);
    grow_histories(rows->lanes);
    for (std::size_t i = 0; i < histories_.size(); ++i) histories_[i].append(*rows, i);
  }
  std::vector<SampleRows> done(std::make_move_iterator(rows_.begin()),
                               std::make_move_iterator(last));
  rows_.erase(rows_.begin(), last);
  worker_->give_back(done);
}

/// Finds a branch, including deleted ones.
const Branch* LiveRun::find_branch(int id) const {
  for (const auto* list : {&branches_, &deleted_})
    for (const Branch& branch : *list)
      if (branch.id == id) return &branch;
  return nullptr;
}

Branch* LiveRun::find_branch(int id) {
  return const_cast<Branch*>(std::as_const(*this).find_branch(id));
}

std::optional<int> LiveRun::fork() {
  if (!in_past()) return {};
  const auto to = fork_before(*requested_step_);
  if (to) Q_EMIT forked(present_branch_, *to);
  return to;
}

std::optional<int> LiveRun::fork_before(std::int64_t step) {
  if (going_ || step > snapshot_->steps) return {};
  if (!is_own()) return {};
  if (branches_.size() >= most_branches) {
    Q_EMIT fork_refused();
    return {};
  }
  const auto from = snapshot_->checkpoints->before(step);
  Scenario record = *snapshot_->record;
  std::size_t events = from->events_applied;
  while (events < record.events.size() && record.events[events].step < step) ++events;
  record.events.resize(events);
  const int id = next_branch_++;
  Branch to{.id = id,
            .look = unused_look(),
            .parent = present_branch_,
            .fork_step = step,
            .record = std::make_shared<const Scenario>(std::move(record)),
            .checkpoints = snapshot_->checkpoints,
            .histories = History::views(histories_)};
  // Lanes that were added later are not included.
  to.histories.resize(recorded_lanes(*to.record).size());
  for (History& history : to.histories) history.cut(step);
  go_on(std::move(to), from, step, every_);
  return id;
}

std::vector<const BranchLook*> LiveRun::other_looks(int id) const {
  std::vector<const BranchLook*> looks;
  for (const Branch& branch : branches_)
    if (branch.id != id) looks.push_back(&branch.look);
  return looks;
}

/// A name and a colour that no branch uses.
BranchLook LiveRun::unused_look() const {
  const auto used = [all = other_looks(-1)](const auto& same) {
    return std::any_of(all.begin(), all.end(), [&](const BranchLook* look) { return same(*look); });
  };
  BranchLook unused;
  for (int k = 1; unused.name.empty() || used([&](auto& look) { return look.name == unused.name; });
       ++k)
    unused.name = fmt::format("run {}", k);
  while (used([&](auto& look) { return look.color == unused.color; })) ++unused.color;
  return unused;
}

void LiveRun::replace_branches(const Scenario& scenario) {
  branches_ = {*find_branch(present_branch_)};
  branches_.front().parent = -1;
  deleted_.clear();
  add_branches(scenario);
}

void LiveRun::add_branches(const Scenario& scenario) {
  std::vector<int> colorless;
  for (const BranchSpec& spec : scenario.branches) {
    if (branches_.size() >= most_branches) break;
    auto record = branch_record(scenario, spec.name);
    if (!record) continue;
    if (!spec.color) colorless.push_back(next_branch_);
    branches_.push_back({.id = next_branch_++,
                         .look = {spec.name, spec.color.value_or(no_color), spec.hidden},
                         .parent = present_branch_,
                         .fork_step = spec.from_step,
                         .record = std::make_shared<const Scenario>(std::move(*record)),
                         .steps = spec.steps});
  }
  Branch& present = *find_branch(present_branch_);
  present.look = {{}, no_color};
  BranchLook own = unused_look();
  if (const json::Node* name = scenario.view.find("run"); name && !name->text.empty())
    own.name = name->text;
  if (const json::Node* color = scenario.view.find("color"))
    own.color = static_cast<int>(color->number);
  present.look = std::move(own);
  for (const int id : colorless) find_branch(id)->look.color = unused_look().color;
}

bool LiveRun::keeps_its_start() const {
  Scenario start = *snapshot_->record;
  start.every = snapshot_->after_rewind->every;  // explicit in the record
  return differences(start, *snapshot_->after_rewind).empty();
}

bool LiveRun::Family::has(int id) const {
  return std::any_of(branches.begin(), branches.end(),
                     [id](const Branch& branch) { return branch.id == id; });
}

bool LiveRun::switch_to(int id) {
  if (id == present_branch_ || going_) return false;
  const auto family =
      std::find_if(left_.begin(), left_.end(), [id](const Family& one) { return one.has(id); });
  if (family != left_.end()) {
    const Branch to = *std::find_if(family->branches.begin(), family->branches.end(),
                                    [id](const Branch& branch) { return branch.id == id; });
    const auto head = to.checkpoints->newest();
    go_on(to, head, head->step(), head->stride.rows);
    if (!to.pending.empty()) send(Change{to.pending});
    return true;
  }
  if (!look(id)) return false;
  Branch* to = find_branch(id);
  if (!to->checkpoints) {  // it has to be computed from its start
    Branch fresh = *to;
    fresh.histories = fresh_histories(to->record->lanes.size());
    const std::int64_t steps = fresh.steps;
    go_on(std::move(fresh), nullptr, 0, 1);
    if (steps > 0) send(TakeSteps{steps});
    return true;
  }
  const auto head = to->checkpoints->newest();
  go_on(*to, head, head->step(), head->stride.rows);
  return true;
}

void LiveRun::go_on(Branch to, std::shared_ptr<const RunCheckpoint> from, std::int64_t step,
                    std::int64_t every) {
  const History& first = to.histories.front();
  const std::uint64_t number = send(GoOn{to.record, std::move(from), to.checkpoints, step, every,
                                         first.size(), first.state_stride()});
  going_ = Going{.number = number,
                 .to = std::move(to),
                 .every = every,
                 .left = snapshot_->checkpoints,
                 .pending = snapshot_->pending};
}

/// The run that the worker was told to continue becomes the present one; the former is now a
/// branch.
void LiveRun::adopt() {
  append_rows(std::find_if(rows_.begin(), rows_.end(), [this](const SampleRows& rows) {
    return rows.generation > generation_;
  }));
  Going going = *std::exchange(going_, {});
  Branch& left = *find_branch(present_branch_);
  left.record = snapshot_->left;
  left.checkpoints = std::move(going.left);
  follow_stride(left.checkpoints->newest()->stride.rows);
  grow_histories(left.checkpoints->newest()->lanes.size());
  left.histories = std::move(histories_);
  left.pending = std::move(going.pending);
  if (going.rewinds) going.to.histories = fresh_histories(snapshot_->lanes.size());
  histories_ = std::move(going.to.histories);
  every_ = histories_.front().size() > 0 ? going.every : snapshot_->stride;
  if (going.rewinds) left_.push_back({std::exchange(branches_, {}), std::exchange(deleted_, {})});
  present_branch_ = going.to.id;
  change_family(present_branch_);
  if (!find_branch(present_branch_)) {
    branches_.push_back(std::move(going.to));
    ++branch_changes_;
  }
  Branch& present = *find_branch(present_branch_);
  present.record.reset();
  present.checkpoints.reset();
  present.histories.clear();
}

/// If the run is of another start, its runs change places with those of the present one. Of those
/// that were left, the last ones are kept.
void LiveRun::change_family(int to) {
  const auto family =
      std::find_if(left_.begin(), left_.end(), [to](const Family& one) { return one.has(to); });
  if (family != left_.end()) {
    std::swap(branches_, family->branches);
    std::swap(deleted_, family->deleted);
    std::rotate(family, family + 1, left_.end());
    ++branch_changes_;
  }
  std::size_t runs = 0;
  for (auto one = left_.rbegin(); one != left_.rend(); ++one) {
    runs += one->branches.size() + one->deleted.size();
    if (runs <= most_branches || one == left_.rbegin()) continue;
    left_.erase(left_.begin(), one.base());
    break;
  }
}

std::int64_t LiveRun::shared_steps(const Branch& other) const {
  constexpr std::int64_t all = std::numeric_limits<std::int64_t>::max();
  // The step up to which each run equals the branches it came from.
  std::int64_t here = all;
  for (const Branch* a = find_branch(present_branch_); a;
       here = std::min(here, a->fork_step), a = find_branch(a->parent)) {
    std::int64_t there = all;
    for (const Branch* b = &other; b;
         there = std::min(there, b->fork_step), b = find_branch(b->parent))
      if (a == b) return std::min(here, there);
  }
  return 0;
}

std::pair<int, std::int64_t> LiveRun::origin(const Branch& branch) const {
  std::int64_t step = branch.fork_step;
  const Branch* from = find_branch(branch.parent);
  while (from && !look(from->id)) {
    step = std::min(step, from->fork_step);
    from = find_branch(from->parent);
  }
  return {from ? from->id : -1, from ? step : 0};
}

void LiveRun::complete(int id, const Branch& computed) {
  if (!look(id) || id == present_branch_) return;
  Branch& branch = *find_branch(id);
  branch.record = computed.record;
  branch.checkpoints = computed.checkpoints;
  branch.histories = History::views(computed.histories);
  compare();
  Q_EMIT updated();
}

const BranchLook* LiveRun::look(int id) const {
  for (const Branch& branch : branches_)
    if (branch.id == id) return &branch.look;
  return nullptr;
}

Result<void> LiveRun::set_look(int id, const std::optional<BranchLook>& look) {
  const auto refused = [](std::string why) { return Error{ErrorKind::usage, "", std::move(why)}; };
  const auto move = [id](std::vector<Branch>& from, std::vector<Branch>& to) {
    const auto found = std::find_if(from.begin(), from.end(),
                                    [id](const Branch& branch) { return branch.id == id; });
    if (found == from.end()) return false;
    to.push_back(std::move(*found));
    from.erase(found);
    return true;
  };
  if (look) {
    if (const std::string why = why_no_branch_name(look->name); !why.empty())
      return refused("The name " + why + ".");
    for (const BranchLook* other : other_looks(id))
      if (other->name == look->name) return refused("Another run has this name.");
    if (!this->look(id)) {
      if (branches_.size() >= most_branches) return refused("There are too many runs.");
      if (!move(deleted_, branches_)) return refused("The run was deleted too long ago.");
      std::sort(branches_.begin(), branches_.end(),
                [](const Branch& a, const Branch& b) { return a.id < b.id; });
    }
    find_branch(id)->look = *look;
  } else {
    if (id == present_branch_ || (going_ && id == going_->to.id))
      return refused("The current run cannot be deleted.");
    (void)move(branches_, deleted_);
    if (deleted_.size() > most_branches) drop_oldest_deleted();
  }
  ++branch_changes_;
  compare();
  return {};
}

/// Of the branches that came from it, the one that shares most with it takes its place, and the
/// others become branches of that one.
void LiveRun::drop_oldest_deleted() {
  const Branch gone = std::move(deleted_.front());
  deleted_.erase(deleted_.begin());
  std::vector<Branch*> left;
  for (auto* list : {&branches_, &deleted_})
    for (Branch& branch : *list)
      if (branch.parent == gone.id) left.push_back(&branch);
  if (left.empty()) return;
  Branch* heir = *std::max_element(left.begin(), left.end(), [](const Branch* a, const Branch* b) {
    return a->fork_step < b->fork_step;
  });
  for (Branch* branch : left) branch->parent = heir->id;
  heir->parent = gone.parent;
  if (heir->parent >= 0) heir->fork_step = std::min(heir->fork_step, gone.fork_step);
}

void LiveRun::show(std::int64_t step) {
  step = std::clamp<std::int64_t>(step, 0, snapshot_->steps);
  if (step == requested_step_) return;
  requested_step_ = step;
  seeker_->seek(snapshot_->record, snapshot_->checkpoints, step);
}

void LiveRun::show_head() {
  if (!in_past()) return;
  requested_step_.reset();
  instant_.reset();
  past_.reset();
  seeker_->rest();
}

void LiveRun::preview(std::optional<std::int64_t> step) {
  if (step) step = std::clamp<std::int64_t>(*step, 0, snapshot_->steps);
  if (step == preview_step_) return;
  preview_step_ = step;
  if (step) {
    if (!previewer_)
      previewer_ = std::make_unique<Seeker>([receiver = receiver_] {
        const std::lock_guard lock(receiver->mutex);
        if (receiver->owner)
          post(receiver->owner, [run = receiver->owner] { Q_EMIT run->previewed(); });
      });
    previewer_->seek(snapshot_->record, snapshot_->checkpoints, *step);
  } else {
    previewer_->rest();
    preview_instant_.reset();
    preview_.reset();
  }
}

std::shared_ptr<const Snapshot> LiveRun::previewed_instant() {
  if (!preview_step_) return nullptr;
  if (auto newest = previewer_->instant(); newest && newest != preview_instant_) {
    preview_ = snapshot_of(*newest);
    preview_instant_ = std::move(newest);
  }
  return preview_;
}

/// Shows the newest instant of the past.
void LiveRun::take_instant() {
  auto newest = seeker_->instant();
  if (!newest || newest == instant_) return;
  instant_ = std::move(newest);
  past_ = snapshot_of(*instant_);
}

/// With what is true of the whole run.
std::shared_ptr<const Snapshot> LiveRun::snapshot_of(const Instant& instant) const {
  auto past = std::make_shared<Snapshot>(instant.snapshot);
  Snapshot& s = *past;
  const Snapshot& head = *snapshot_;
  s.generation = head.generation;
  s.commands = head.commands;
  s.pacing = head.pacing;
  s.requested_factor = head.requested_factor;
  s.checkpoints = head.checkpoints;
  s.followed = head.followed;
  s.planned_steps = head.planned_steps;
  s.stride = head.stride;
  s.end_time = head.end_time;
  s.loaded = head.loaded;
  s.after_rewind = head.after_rewind;
  s.pending = head.pending;
  s.record = head.record;
  s.markers = head.markers;
  s.warnings = head.warnings;
  return past;
}

/// Removes the samples that are not at this stride. Before the first step the stride may also
/// decrease.
void LiveRun::follow_stride(std::int64_t every) {
  if (every > every_ && histories_.front().size() > 1)
    for (History& history : histories_)
      history.thin_later(static_cast<std::size_t>(every / every_));
  every_ = every;
}

Result<void> LiveRun::check_lanes(const Scenario& scenario) {
  std::size_t lanes = recorded_lanes(scenario).size();
  for (const BranchSpec& branch : scenario.branches)
    if (const auto record = branch_record(scenario, branch.name))
      lanes = std::max(lanes, recorded_lanes(*record).size());
  if (lanes <= most_lanes) return {};
  return Error{ErrorKind::usage, "lanes",
               fmt::format("the window shows at most {}, not {}; twosphere run accepts them all",
                           most_lanes, lanes)};
}

RunView LiveRun::view() const {
  RunView view{History::views(histories_), snapshot_->record, snapshot_->markers};
  if (reference_branch() == present_branch_) return view;
  view.reference = std::make_shared<const std::vector<History>>(
      History::views(find_branch(reference_branch_)->histories));
  for (std::size_t i = 0; i < view.lanes.size(); ++i)
    view.lanes[i].compare_with(i < view.reference->size() ? &(*view.reference)[i] : nullptr);
  return view;
}

void LiveRun::compare_with(int lane, int branch) {
  reference_ = lane;
  reference_branch_ = branch;
  compare();
}

void LiveRun::compare() {
  const int run = reference_branch();
  const std::vector<History>& to =
      run == present_branch_ ? histories_ : find_branch(run)->histories;
  const auto wanted = static_cast<std::size_t>(std::max(reference_, 0));
  const auto same_lane = [&to](std::size_t i) { return i < to.size() ? &to[i] : nullptr; };
  const auto compare_lanes = [&](std::vector<History>& lanes) {
    for (std::size_t i = 0; i < lanes.size(); ++i)
      lanes[i].compare_with(&lanes == &to ? same_lane(wanted < to.size() ? wanted : 0)
                                          : same_lane(i));
  };
  compare_lanes(histories_);
  for (Branch& branch : branches_) compare_lanes(branch.histories);
  const auto compare_none = [](std::vector<Branch>& runs) {
    for (Branch& branch : runs)
      for (History& history : branch.histories) history.compare_with(nullptr);
  };
  compare_none(deleted_);
  for (Family& family : left_) {
    compare_none(family.branches);
    compare_none(family.deleted);
  }
}

void LiveRun::follow_exponents(bool on) { send(Follow{on}); }

void LiveRun::set_trail_span(double span) {
  trail_span_ = span;
  send(TrailSpan{span});
}

}  // namespace twosphere
