// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/branches/run_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string>

#include "core/scenario/timetable.h"

namespace twosphere {

namespace {

constexpr std::int64_t all_steps = std::numeric_limits<std::int64_t>::max();

auto is_run(int id) {
  return [id](const Branch& branch) { return branch.id == id; };
}

template <class List>
auto* in_list(List& list, int id) {
  const auto found = std::find_if(list.begin(), list.end(), is_run(id));
  return found == list.end() ? nullptr : &*found;
}

void move_run(int id, std::vector<Branch>& from, std::vector<Branch>& to) {
  const auto run = std::find_if(from.begin(), from.end(), is_run(id));
  if (run == from.end()) return;
  to.push_back(std::move(*run));
  from.erase(run);
}

/// Calls visit(list) with the lists of all families, those of the present one last.
template <class Families, class Visit>
void each_list(Families& families, Visit visit) {
  for (auto& family : families) {
    visit(family.deleted);
    visit(family.branches);
  }
}

}  // namespace

RunTree::RunTree(std::size_t state_budget) : state_budget_(state_budget) {
  families_.push_back({.branches = {{.id = new_id(), .look = {"run 1"}}}});
}

const Branch& RunTree::present() const { return *in_list(branches(), present_id()); }

const Branch* RunTree::find(int id) const {
  const Branch* found = nullptr;
  each_list(families_, [&](const std::vector<Branch>& list) {
    if (const Branch* run = in_list(list, id)) found = run;
  });
  return found;
}

Branch* RunTree::find(int id) { return const_cast<Branch*>(std::as_const(*this).find(id)); }

// Looks

const BranchLook* RunTree::look(int id) const {
  const Branch* run = in_list(branches(), id);
  return run ? &run->look : nullptr;
}

BranchLook RunTree::unused_look(const std::vector<Branch>& branches) {
  const auto used = [&](const auto& same) {
    return std::any_of(branches.begin(), branches.end(),
                       [&](const Branch& branch) { return same(branch.look); });
  };
  // The first number and the first colour that are free.
  BranchLook unused;
  for (int k = 1; unused.name.empty() || used([&](auto& look) { return look.name == unused.name; });
       ++k)
    unused.name = fmt::format("run {}", k);
  while (used([&](auto& look) { return look.color == unused.color; })) ++unused.color;
  return unused;
}

Result<void> RunTree::set_look(int id, const std::optional<BranchLook>& look) {
  const auto refused = [](std::string why) { return Error{ErrorKind::usage, "", std::move(why)}; };
  if (look) {
    if (const std::string why = why_no_branch_name(look->name); !why.empty())
      return refused("The name " + why + ".");
    for (const Branch& other : branches())
      if (other.id != id && other.look.name == look->name)
        return refused("Another run has this name.");
    // A look brings back a run that was deleted.
    if (!this->look(id)) {
      if (is_full()) return refused("There are too many runs.");
      if (!in_list(family().deleted, id)) return refused("The run was deleted too long ago.");
      restore(id);
    }
    find(id)->look = *look;
  } else {
    if (id == present_id()) return refused("The current run cannot be deleted.");
    move_run(id, family().branches, family().deleted);
    limit_deleted();
  }
  ++changes_;
  compare();
  return {};
}

// Deleted runs

/// Deletes a run that undo or redo has left, until it is brought back.
void RunTree::archive(int id) {
  find(id)->archived = true;
  move_run(id, family().branches, family().deleted);
  limit_deleted();
}

void RunTree::restore(int id) {
  find(id)->archived = false;
  std::vector<Branch>& list = family().branches;
  move_run(id, family().deleted, list);
  std::sort(list.begin(), list.end(), [](const Branch& a, const Branch& b) { return a.id < b.id; });
}

/// Archived runs have no own steps.
void RunTree::limit_deleted() {
  std::vector<Branch>& deleted = family().deleted;
  // Each kind has its own limit: undo brings back the archived ones.
  for (const bool archived : {false, true}) {
    const auto same = [archived](const Branch& branch) { return branch.archived == archived; };
    if (std::count_if(deleted.begin(), deleted.end(), same) >
        static_cast<std::ptrdiff_t>(archived ? max_archived : max_branches))
      drop_deleted(std::find_if(deleted.begin(), deleted.end(), same));
  }
}

/// Of the branches that came from it, the one that shares most with it takes its place, and the
/// others become branches of that one.
void RunTree::drop_deleted(std::vector<Branch>::iterator oldest) {
  const Branch gone = std::move(*oldest);
  family().deleted.erase(oldest);
  // The branches that came from it.
  std::vector<Branch*> left;
  for (auto* list : {&family().branches, &family().deleted})
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

// Shared parts of runs

std::int64_t RunTree::shared_steps(int run, const Branch& other) const {
  // The step up to which each run equals the branches it came from.
  std::int64_t here = all_steps;
  // The nearest ancestor of both, or one of the two.
  for (const Branch* a = find(run); a; here = std::min(here, a->fork_step), a = find(a->parent)) {
    std::int64_t there = all_steps;
    for (const Branch* b = &other; b; there = std::min(there, b->fork_step), b = find(b->parent))
      if (a->id == b->id) return std::min(here, there);
  }
  return 0;
}

std::pair<int, std::int64_t> RunTree::origin(const Branch& branch) const {
  std::int64_t step = branch.fork_step;
  const Branch* from = find(branch.parent);
  // Past those that were deleted.
  while (from && !look(from->id)) {
    step = std::min(step, from->fork_step);
    from = find(from->parent);
  }
  return {from ? from->id : -1, from ? step : 0};
}

bool RunTree::is_of_this_start(int id) const {
  return in_list(branches(), id) || in_list(family().deleted, id);
}

bool RunTree::can_switch_to(int id) const {
  const Branch* run = find(id);
  return run && (run->archived ||
                 std::any_of(families_.begin(), families_.end(),
                             [id](const RunFamily& one) { return in_list(one.branches, id); }));
}

// Which run is the present one

void RunTree::install(std::vector<RunFamily> families, std::vector<History> histories) {
  families_ = std::move(families);
  present().histories = std::move(histories);
  compare();
}

Branch RunTree::fork(std::int64_t step, const Scenario& record,
                     std::shared_ptr<const Checkpoints> checkpoints, const RunCheckpoint* from) {
  Scenario shared = record;
  // The events before the step. Those that the checkpoint has applied at the step itself stay.
  std::size_t events = from ? from->events_applied : 0;
  while (events < record.events.size() && record.events[events].step < step) ++events;
  shared.events.resize(events);
  Branch to{.id = new_id(),
            .look = unused_look(branches()),
            .parent = present_id(),
            .fork_step = step,
            .record = std::make_shared<const Scenario>(std::move(shared))};
  if (!from) {
    to.steps = step;
    return to;
  }
  to.checkpoints = std::move(checkpoints);
  to.saved = present().saved;
  // Blocks are shared; only what is beyond the step is cut.
  to.histories = History::views(present().histories);
  // Lanes that were added later are not included.
  to.histories.resize(recorded_lanes(*to.record).size());
  for (History& history : to.histories) history.cut(step);
  return to;
}

void RunTree::switch_to(Branch to, Departure departure) {
  const int from = present_id(), id = to.id;
  Branch& left = present();
  // The run that is left has its record and checkpoints here from now on.
  left.record = std::move(departure.record);
  left.checkpoints = std::move(departure.checkpoints);
  left.pending = std::move(departure.pending);
  const BranchLook former = left.look;
  if (departure.kind == Departure::Kind::rewind) families_.emplace_back();
  open_family(id);
  if (in_list(family().deleted, id)) {  // its look may be that of another run by now
    find(id)->look = unused_look(branches());
    restore(id);
  }
  if (Branch* run = find(id)) {
    run->histories = std::move(to.histories);
  } else {
    family().branches.push_back(std::move(to));
    ++changes_;
  }
  // An archived run passes on its look: for the user it is the same run.
  if (departure.kind == Departure::Kind::archive) {
    archive(from);
    find(id)->look = former;
    ++changes_;
  }
  family().present_id = id;
  present().record.reset();
  present().checkpoints.reset();
  compare();
}

/// The family of a run becomes the present one. Of the others the last ones are kept.
void RunTree::open_family(int id) {
  const auto has = [id](const RunFamily& one) {
    return in_list(one.branches, id) || in_list(one.deleted, id);
  };
  // The last family is the present one.
  if (const auto its = std::find_if(families_.begin(), families_.end() - 1, has);
      its != families_.end() - 1) {
    std::rotate(its, its + 1, families_.end());
    ++changes_;
  }
  std::size_t runs = 0;
  // As many runs of earlier starts as there may be of one; the latest family in any case.
  const auto latest = families_.rbegin() + 1;
  for (auto one = latest; one < families_.rend(); ++one) {
    runs += one->branches.size() + one->deleted.size();
    if (runs <= max_branches || one == latest) continue;
    families_.erase(families_.begin(), one.base());
    break;
  }
}

// Samples

std::vector<History> RunTree::fresh_histories(const System& system, std::size_t lanes) const {
  return {lanes, History(StateStride(system.size(), static_cast<int>(lanes), state_budget_))};
}

std::vector<History> RunTree::missing_histories(const Branch& branch) const {
  const RunCheckpoint& head = *branch.checkpoints->newest();
  const std::int64_t every = head.stride.rows;
  const Timetable table(*branch.record);
  std::vector<std::int64_t> steps;
  std::vector<double> times;
  // Where its samples belong is known, though they are not.
  for (std::int64_t step = 0; step <= head.step(); step += every) {
    steps.push_back(step);
    times.push_back(table.time(step));
  }
  const auto& system = head.settings->system;
  const int lanes = static_cast<int>(head.lanes.size());
  return {head.lanes.size(), History::missing(steps, times, system,
                                              StateStride(system->size(), lanes, state_budget_))};
}

void RunTree::add_lanes(const System& system, std::size_t lanes) {
  std::vector<History>& histories = present().histories;
  if (lanes <= histories.size()) return;
  while (histories.size() < lanes) histories.push_back(History::beginning_after(histories.front()));
  for (History& history : histories)
    history.limit_states(system.size(), static_cast<int>(lanes), state_budget_);
  compare();
}

std::vector<const Branch*> RunTree::incomplete() const {
  std::vector<const Branch*> runs;
  const auto add = [&](const Branch& branch) {
    const bool waits = branch.record && !branch.checkpoints && branch.steps > 0;
    if (branch.saved || waits) runs.push_back(&branch);
  };
  for (auto one = families_.rbegin(); one != families_.rend(); ++one)
    for (const Branch& branch : one->branches) add(branch);
  // The present one first; the others by family, the latest first.
  std::stable_partition(runs.begin(), runs.end(),
                        [this](const Branch* one) { return one->id == present_id(); });
  return runs;
}

std::optional<std::int64_t> RunTree::complete(int id, const Branch& computed) {
  Branch* const branch = find(id);
  std::optional<std::int64_t> of_present;
  if (!branch || (!branch->saved && id == present_id())) return of_present;
  if (const auto saved = branch->saved) {
    std::vector<std::pair<Branch*, std::int64_t>> runs;  // with the steps that they share
    each_list(families_, [&](std::vector<Branch>& list) {
      for (Branch& one : list)
        if (one.saved == saved)
          runs.emplace_back(&one, std::min(saved->head().step(), shared_with_saved(one)));
    });
    // They take over the part that they share with the computed run.
    for (const auto& [run, last] : runs) {
      const bool present = run->id == present_id();
      if (!present && run->histories.front().size() == 0) run->histories = missing_histories(*run);
      for (std::size_t i = 0; i < std::min(run->histories.size(), computed.histories.size()); ++i)
        (void)run->histories[i].give_beginning(computed.histories[i]);
      run->saved.reset();
      if (present)
        of_present = last;
      else
        run->checkpoints = computed.checkpoints->up_to(last, *run->checkpoints, {});
    }
  } else {
    branch->record = computed.record;
    branch->checkpoints = computed.checkpoints;
    branch->histories = History::views(computed.histories);
  }
  compare();
  return of_present;
}

/// The steps that a run shares with the saved run from which it continues.
std::int64_t RunTree::shared_with_saved(const Branch& run) const {
  std::int64_t steps = all_steps;
  for (const Branch* one = &run; one;) {
    const Branch* from = find(one->parent);
    if (!from || from->saved != run.saved) break;
    steps = std::min(steps, one->fork_step);
    one = from;
  }
  return steps;
}

// Distances

void RunTree::compare_with(int lane, int run) {
  reference_lane_ = lane;
  reference_ = run;
  compare();
}

/// Call after every change of the lists or of the number of histories.
void RunTree::compare() {
  const std::vector<History>& to = find(reference())->histories;
  const auto wanted = static_cast<std::size_t>(std::max(reference_lane_, 0));
  // In the reference run all lanes are compared with one of them; elsewhere each with its own.
  const auto lane = [&to](std::size_t i) { return i < to.size() ? &to[i] : nullptr; };
  each_list(families_, [&](std::vector<Branch>& list) {
    for (Branch& run : list)
      for (std::size_t i = 0; i < run.histories.size(); ++i)
        run.histories[i].compare_with(&list != &family().branches ? nullptr
                                      : &run.histories == &to
                                          ? lane(wanted < to.size() ? wanted : 0)
                                          : lane(i));
  });
}

}  // namespace twosphere
