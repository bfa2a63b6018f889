// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/live_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <limits>
#include <optional>
#include <utility>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "app/base/post.h"
#include "app/session/kept_runs.h"
#include "core/color/palette.h"
#include "core/scenario/branches.h"
#include "core/scenario/document.h"
#include "core/scenario/live_edit.h"
#include "core/scenario/schedule.h"
#include "core/scenario/timetable.h"

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

/// The whole number of that key in a view, if it has one in this range: those of runs within
/// sessions have not been checked.
std::optional<std::int64_t> whole_of(const json::Node& view, std::string_view key,
                                     std::int64_t most) {
  const json::Node* node = view.find(key);
  const bool suits = node && node->kind == json::Kind::number && node->number >= 0 &&
                     node->number <= static_cast<double>(most);
  if (!suits) return {};
  return static_cast<std::int64_t>(node->number);
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
  if (traits_of(command).needs_own_run && !is_own()) return 0;
  const bool rewinds = std::holds_alternative<Rewind>(command);
  if (rewinds && going_) return 0;
  if (in_past() && !going_on() && traits_of(command).is_edit) {
    const auto* change = std::get_if<Change>(&command);
    if ((!change || acts_at_once(*shown().present, change->settings)) && !fork()) return 0;
  }
  const bool plays = std::holds_alternative<Play>(command),
             restarts = rewinds || std::holds_alternative<Load>(command);
  const bool turns = plays || restarts || std::holds_alternative<Pause>(command) ||
                     std::holds_alternative<ContinueRun>(command);
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
    if (const auto* load = std::get_if<Load>(&command)) {
      loading_ = Loading();
      loading_->family = family_of(load->scenario, loading_->ids);
      loading_->rewound = rewound_of(load->scenario, loading_->ids);
    }
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
    trail_since_.reset();
    show_head();
    preview({});
    announce();
  } else if (going_ && snapshot_->commands >= going_->number) {
    going_.reset();  // it failed
  } else if (loading_ && snapshot_->commands >= loading_->number) {
    loading_.reset();  // it failed
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

  worker_->drain_configurations(configurations_);
  for (Configuration& configuration : configurations_)
    if (configuration.generation == generation_) trail_.push_back(std::move(configuration));
  if (!trail_since_ && !trail_.empty()) trail_since_ = trail_.front().t;
  std::erase_if(configurations_, std::not_fn(newer));
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
  if (long_run) return_memory();
  histories_ = fresh_histories(snapshot_->lanes.size());
  if (loading_ && snapshot_->commands >= loading_->number) {
    Loading loaded = std::move(*loading_);
    loading_.reset();
    install(std::move(loaded));
  } else {
    const int id = next_branch_++;
    install({.family = {.branches = {{.id = id, .look = {"run 1"}}}, .present = id}});
  }
}

void LiveRun::open_runs(const Scenario& scenario) {
  Loading loaded;
  loaded.family = family_of(scenario, loaded.ids);
  loaded.rewound = rewound_of(scenario, loaded.ids);
  install(std::move(loaded));
  compare();
  announce();
}

/// The runs of the scenario take the place of those so far; the present one is at its start.
void LiveRun::install(Loading loaded) {
  branches_ = std::move(loaded.family.branches);
  deleted_.clear();
  left_ = std::move(loaded.rewound);
  present_branch_ = loaded.family.present;
  opened_ = std::move(loaded.ids);
}

/// After runs have been opened: the present one goes on from its kept state.
void LiveRun::announce() {
  const auto ids = std::exchange(opened_, std::nullopt);
  if (!ids) return;
  go_on_from_kept();
  std::vector<int> rewound;
  for (const RunFamily& family : left_) rewound.push_back(family.present);
  Q_EMIT opened(*ids, rewound);
}

/// The run of a scenario, which is the present one, and those of its branches, with the states that
/// its view keeps of them.
RunFamily LiveRun::family_of(const Scenario& scenario, std::map<int, int>& ids) {
  const auto read = read_kept_runs(scenario.view, "");
  const KeptRuns kept = read ? *read : KeptRuns{};
  RunFamily family;
  family.present = next_branch_++;
  const auto take_kept = [&](Branch& branch, const Scenario& record) {
    const KeptRun* run = kept.find(branch.look.name);
    if (!run) return;
    if (run->id >= 0) ids[run->id] = branch.id;
    branch.pending = run->pending;
    if (run->states.empty()) return;
    // As the worker records it: with all settings.
    const auto made = Simulation::create(record);
    if (!made) return;
    const auto repeatable = std::make_shared<const Scenario>(made->record());
    auto states = read_states(run->states, *repeatable);
    // They may be of another version.
    if (!states || states->back()->step() == 0) return;
    branch.kept = std::make_shared<const KeptStates>(KeptStates{repeatable, std::move(*states)});
    branch.record = repeatable;
    auto checkpoints = std::make_shared<Checkpoints>();
    for (const auto& state : branch.kept->states) checkpoints->add(state, {});
    branch.checkpoints = std::move(checkpoints);
    branch.histories.resize(branch.kept->head().lanes.size());
    branch.steps = branch.kept->head().step();
  };

  Branch own{.id = family.present};
  const json::Node* name = scenario.view.find("run");
  if (name && why_no_branch_name(name->text).empty()) own.look.name = name->text;
  const auto color = whole_of(scenario.view, "color", branch_color_count - 1);
  own.look.color = color ? static_cast<int>(*color) : no_color;
  own.steps = whole_of(scenario.view, "steps", document::most_steps_taken).value_or(own.steps);
  own.record = std::make_shared<const Scenario>(main_record(scenario));
  family.branches.push_back(std::move(own));
  for (const BranchSpec& spec : scenario.branches) {
    if (family.branches.size() >= most_branches) break;
    auto record = branch_record(scenario, spec.name);
    if (!record) continue;
    Branch& branch = family.branches.emplace_back(
        Branch{.id = next_branch_++,
               .look = {spec.name, spec.color.value_or(no_color), spec.hidden},
               .parent = family.present,
               .fork_step = spec.from_step,
               .record = std::make_shared<const Scenario>(*record),
               .steps = spec.steps});
    take_kept(branch, *record);
  }
  BranchLook& look = family.branches.front().look;
  if (const BranchLook unused = unused_look(family.branches); look.name.empty())
    look.name = unused.name;
  for (Branch& branch : family.branches)
    if (branch.look.color == no_color) branch.look.color = unused_look(family.branches).color;
  take_kept(family.branches.front(), *family.branches.front().record);
  return family;
}

std::vector<RunFamily> LiveRun::rewound_of(const Scenario& scenario, std::map<int, int>& ids) {
  std::vector<RunFamily> families;
  if (const auto kept = read_kept_runs(scenario.view, ""))
    for (const Scenario& other : kept->rewound)
      if (check_lanes(other)) families.push_back(family_of(other, ids));
  return families;
}

bool LiveRun::goes_on_from_kept() const {
  if (loading_) return loading_->family.branches.front().kept != nullptr;
  return find_branch(present_branch_)->kept != nullptr;
}

/// The present run, which is at its start, goes on where it was kept.
void LiveRun::go_on_from_kept() {
  Branch& present = *find_branch(present_branch_);
  Branch to = present;
  present.record.reset();
  present.checkpoints.reset();
  present.histories.clear();
  if (!to.kept) return;
  to.histories = missing_histories(to);
  const auto head = to.checkpoints->newest();
  go_on(std::move(to), head, head->step(), head->stride.rows);
  if (!present.pending.empty()) send(Change{std::exchange(present.pending, {})});
}

/// Histories of a kept run up to its state, without samples.
std::vector<History> LiveRun::missing_histories(const Branch& branch) const {
  const RunCheckpoint& head = *branch.checkpoints->newest();
  const std::int64_t every = head.stride.rows;
  const Timetable table(*branch.record);
  std::vector<std::int64_t> steps;
  std::vector<double> times;
  for (std::int64_t step = 0; step <= head.step(); step += every) {
    steps.push_back(step);
    times.push_back(table.time(step));
  }
  const auto& system = head.settings->system;
  return {head.lanes.size(),
          History::missing(
              steps, times, system,
              StateStride(system->size(), static_cast<int>(head.lanes.size()), state_budget_))};
}

std::vector<const Branch*> LiveRun::incomplete_runs() const {
  std::vector<const Branch*> runs;
  const auto add = [&](const Branch& branch) {
    const bool present = branch.id == present_branch_,
               waits = !present && branch.record && !branch.checkpoints && branch.steps > 0;
    if (branch.kept || waits) runs.push_back(&branch);
  };
  for (const Branch& branch : branches_)
    if (branch.id == present_branch_) add(branch);
  for (const Branch& branch : branches_)
    if (branch.id != present_branch_) add(branch);
  for (auto family = left_.rbegin(); family != left_.rend(); ++family)
    for (const Branch& branch : family->branches) add(branch);
  return runs;
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

/// Finds a branch, including those that were deleted or left by Rewind.
const Branch* LiveRun::find_branch(int id) const {
  std::vector<const std::vector<Branch>*> lists{&branches_, &deleted_};
  for (const RunFamily& family : left_)
    lists.insert(lists.end(), {&family.branches, &family.deleted});
  for (const auto* list : lists)
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
  const bool replaces = step == snapshot_->steps;
  if (branches_.size() >= most_branches && !replaces) {
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
            .look = replaces ? *look(present_branch_) : unused_look(branches_),
            .parent = present_branch_,
            .fork_step = step,
            .record = std::make_shared<const Scenario>(std::move(record)),
            .checkpoints = snapshot_->checkpoints,
            .histories = History::views(histories_),
            .kept = find_branch(present_branch_)->kept};
  // Lanes that were added later are not included.
  to.histories.resize(recorded_lanes(*to.record).size());
  for (History& history : to.histories) history.cut(step);
  go_on(std::move(to), from, step, every_, replaces);
  return id;
}

std::vector<const BranchLook*> LiveRun::other_looks(int id) const {
  std::vector<const BranchLook*> looks;
  for (const Branch& branch : branches_)
    if (branch.id != id) looks.push_back(&branch.look);
  return looks;
}

/// A name and a colour that no branch uses.
BranchLook LiveRun::unused_look(const std::vector<Branch>& branches) {
  const auto used = [&](const auto& same) {
    return std::any_of(branches.begin(), branches.end(),
                       [&](const Branch& branch) { return same(branch.look); });
  };
  BranchLook unused;
  for (int k = 1; unused.name.empty() || used([&](auto& look) { return look.name == unused.name; });
       ++k)
    unused.name = fmt::format("run {}", k);
  while (used([&](auto& look) { return look.color == unused.color; })) ++unused.color;
  return unused;
}

bool LiveRun::keeps_its_start() const {
  Scenario start = *snapshot_->record;
  start.every = snapshot_->after_rewind->every;  // explicit in the record
  if (ends_by_reversal(start)) start.duration = snapshot_->after_rewind->duration;
  return differences(start, *snapshot_->after_rewind).empty();
}

bool RunFamily::has(int id) const {
  return std::any_of(branches.begin(), branches.end(),
                     [id](const Branch& branch) { return branch.id == id; });
}

bool LiveRun::switch_to(int id) {
  return keeps(id) && !find_branch(id)->put_away && go_to(id, false);
}

bool LiveRun::keeps(int id) const {
  const Branch* run = find_branch(id);
  const auto has = [id](const RunFamily& one) { return one.has(id); };
  return run && (look(id) || run->put_away || std::any_of(left_.begin(), left_.end(), has));
}

bool LiveRun::is_of_this_start(int id) const {
  const auto same = [id](const Branch& branch) { return branch.id == id; };
  return std::any_of(branches_.begin(), branches_.end(), same) ||
         std::any_of(deleted_.begin(), deleted_.end(), same);
}

bool LiveRun::exchange(int id) {
  if (!keeps(id)) return false;
  const Branch& to = *find_branch(id);
  const bool replaces =
      is_of_this_start(id) && snapshot_->steps == shared_steps(present_branch_, to);
  if (to.put_away && !replaces && branches_.size() >= most_branches) {
    Q_EMIT fork_refused();
    return false;
  }
  return go_to(id, replaces);
}

/// Goes on with a run that exists.
bool LiveRun::go_to(int id, bool replaces) {
  if (id == present_branch_ || going_) return false;
  const auto family =
      std::find_if(left_.begin(), left_.end(), [id](const RunFamily& one) { return one.has(id); });
  Branch to = *find_branch(id);
  const std::vector<Setting> pending = family == left_.end() ? std::vector<Setting>() : to.pending;
  if (!to.checkpoints) {  // it has to be computed from its start
    to.histories = fresh_histories(to.record->lanes.size());
    const std::int64_t steps = to.steps;
    go_on(std::move(to), nullptr, 0, 1, replaces);
    if (steps > 0) send(TakeSteps{steps});
  } else {
    if (to.kept && to.histories.front().size() == 0) to.histories = missing_histories(to);
    const auto head = to.checkpoints->newest();
    go_on(std::move(to), head, head->step(), head->stride.rows, replaces);
  }
  if (!pending.empty()) send(Change{pending});
  return true;
}

void LiveRun::go_on(Branch to, std::shared_ptr<const RunCheckpoint> from, std::int64_t step,
                    std::int64_t every, bool replaces) {
  const History& first = to.histories.front();
  const std::uint64_t number = send(ContinueRun{to.record, std::move(from), to.checkpoints, step,
                                                every, first.size(), first.state_stride()});
  going_ = Going{.number = number,
                 .to = std::move(to),
                 .every = every,
                 .left = snapshot_->checkpoints,
                 .pending = snapshot_->pending,
                 .replaces = replaces};
}

/// Deletes a run that Undo or Redo has left, until it is brought back.
void LiveRun::put_away(int id) {
  const auto run = std::find_if(branches_.begin(), branches_.end(),
                                [id](const Branch& branch) { return branch.id == id; });
  run->put_away = true;
  deleted_.push_back(std::move(*run));
  branches_.erase(run);
  limit_deleted();
}

/// Its look may be that of another run by now.
void LiveRun::bring_back(int id) {
  const auto run = std::find_if(deleted_.begin(), deleted_.end(),
                                [id](const Branch& branch) { return branch.id == id; });
  if (run == deleted_.end()) return;
  run->put_away = false;
  run->look = unused_look(branches_);
  branches_.push_back(std::move(*run));
  deleted_.erase(run);
  std::sort(branches_.begin(), branches_.end(),
            [](const Branch& a, const Branch& b) { return a.id < b.id; });
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
  const int from = std::exchange(present_branch_, going.to.id);
  if (going.rewinds)
    left_.push_back({std::exchange(branches_, {}), std::exchange(deleted_, {}), from});
  change_family(from, present_branch_);
  const BranchLook former = find_branch(from)->look;
  bring_back(present_branch_);
  if (!find_branch(present_branch_)) {
    branches_.push_back(std::move(going.to));
    ++branch_changes_;
  }
  if (going.replaces) {
    put_away(from);
    find_branch(present_branch_)->look = former;
    ++branch_changes_;
  }
  Branch& present = *find_branch(present_branch_);
  present.record.reset();
  present.checkpoints.reset();
  present.histories.clear();
}

/// If the run is of another start, its runs change places with those of the present one. Of those
/// that were left, the last ones are kept.
void LiveRun::change_family(int from, int to) {
  const auto family =
      std::find_if(left_.begin(), left_.end(), [to](const RunFamily& one) { return one.has(to); });
  if (family != left_.end()) {
    std::swap(branches_, family->branches);
    std::swap(deleted_, family->deleted);
    family->present = from;
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

std::int64_t LiveRun::shared_steps(int run, const Branch& other) const {
  constexpr std::int64_t all = std::numeric_limits<std::int64_t>::max();
  // The step up to which each run equals the branches it came from.
  std::int64_t here = all;
  for (const Branch* a = find_branch(run); a;
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
  Branch* branch = find_branch(id);
  if (!branch) return;
  if (!branch->kept) {
    if (id == present_branch_) return;
    branch->record = computed.record;
    branch->checkpoints = computed.checkpoints;
    branch->histories = History::views(computed.histories);
  } else {
    std::vector<std::pair<Branch*, std::int64_t>> runs;  // with the steps that they share
    for (auto* list : all_lists())
      for (Branch& one : *list)
        if (one.kept == branch->kept) runs.emplace_back(&one, shared_with_kept(one));
    for (const auto& [run, steps] : runs) give_beginning(*run, computed, steps);
  }
  compare();
  Q_EMIT updated();
}

/// All lists of branches.
std::vector<std::vector<Branch>*> LiveRun::all_lists() {
  std::vector<std::vector<Branch>*> lists{&branches_, &deleted_};
  for (RunFamily& family : left_) lists.insert(lists.end(), {&family.branches, &family.deleted});
  return lists;
}

/// Gives a run that goes on from a kept one what was computed of that one.
void LiveRun::give_beginning(Branch& to, const Branch& computed, std::int64_t shared) {
  const bool present = to.id == present_branch_;
  std::vector<History>& histories = present ? histories_ : to.histories;
  if (!present && histories.front().size() == 0) histories = missing_histories(to);
  for (std::size_t i = 0; i < std::min(histories.size(), computed.histories.size()); ++i)
    (void)histories[i].give_beginning(computed.histories[i]);
  const std::int64_t last = std::min(to.kept->head().step(), shared);
  to.kept.reset();
  if (present)
    send(AddCheckpoints{computed.checkpoints, last});
  else
    to.checkpoints = computed.checkpoints->up_to(last, *to.checkpoints, {});
}

/// The steps that a run shares with the kept run from which it goes on.
std::int64_t LiveRun::shared_with_kept(const Branch& run) const {
  std::int64_t steps = std::numeric_limits<std::int64_t>::max();
  for (const Branch* one = &run; one;) {
    const Branch* from = find_branch(one->parent);
    if (!from || from->kept != run.kept) break;
    steps = std::min(steps, one->fork_step);
    one = from;
  }
  return steps;
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
    limit_deleted();
  }
  ++branch_changes_;
  compare();
  return {};
}

/// Runs that were put away have no steps of their own.
void LiveRun::limit_deleted() {
  for (const bool put_away : {false, true}) {
    const auto same = [put_away](const Branch& branch) { return branch.put_away == put_away; };
    if (std::count_if(deleted_.begin(), deleted_.end(), same) >
        static_cast<std::ptrdiff_t>(put_away ? most_put_away : most_branches))
      drop_deleted(std::find_if(deleted_.begin(), deleted_.end(), same));
  }
}

/// Of the branches that came from it, the one that shares most with it takes its place, and the
/// others become branches of that one.
void LiveRun::drop_deleted(std::vector<Branch>::iterator oldest) {
  const Branch gone = std::move(*oldest);
  deleted_.erase(oldest);
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
  const Branch* const other = run == present_branch_ ? nullptr : find_branch(run);
  const std::vector<History>& to = other ? other->histories : histories_;
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
  for (RunFamily& family : left_) {
    compare_none(family.branches);
    compare_none(family.deleted);
  }
}

void LiveRun::follow_exponents(bool on) { send(FollowExponents{on}); }

void LiveRun::set_trail_span(double span) {
  trail_span_ = span;
  send(TrailSpan{span});
}

}  // namespace twosphere

#include "moc_live_run.cpp"
