// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/scene/ghosts.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <optional>

namespace twosphere {

namespace {

// Largest angle by which a body is carried [rad]: without asking for the exact configuration, and
// at all.
constexpr double close = 0.02, farthest = 0.2;
// Times of lanes with different steps differ by rounding: fraction of a step.
constexpr double rounding = 1e-6;

/// The largest angle of a body in a time [rad].
double angle(const State& state, double time) {
  return state.w.colwise().norm().maxCoeff() * std::abs(time);
}

/// The positions after a time in which each body keeps its ω, and x its ẋ.
Columns carried(const State& state, double time) {
  Columns q = positions(state);
  if (time == 0) return q;
  q.rightCols(state.x.cols()) += time * state.v;
  for (Eigen::Index i = 0; i < state.size(); ++i) {
    const Vec3 w = state.w.col(i);
    const double rate = w.norm();
    if (rate > 0) q.col(i) = Eigen::AngleAxisd(rate * time, Vec3(w / rate)) * state.q.col(i);
  }
  return q;
}

bool nearer(const State& a, const State& b, double t) {
  return std::abs(a.t - t) < std::abs(b.t - t);
}

/// The stored state of a lane nearest to a time, if there is one.
std::optional<State> stored(const History& lane, double t) {
  if (lane.state_count() == 0) return {};
  const std::size_t index = lane.nearest(t);
  if (index < lane.first()) return {};
  State before = lane.state_at(index);
  State after = lane.state_at(
      std::min(index + static_cast<std::size_t>(lane.state_stride().stride()), lane.size() - 1));
  return nearer(after, before, t) ? after : before;
}

}  // namespace

std::vector<Ghost> Ghosts::find(const LiveRun& run, bool moves, bool all) {
  std::erase_if(searches_, [&run](const auto& search) {
    const BranchLook* look = run.look(search.first);
    return !look || look->hidden || search.first == run.present_branch();
  });
  std::vector<Ghost> found;
  for (const Branch& branch : run.branches())
    if (branch.id != run.present_branch() && !branch.look.hidden && branch.checkpoints)
      find(run, branch, moves, all, found);
  return found;
}

void Ghosts::find(const LiveRun& run, const Branch& branch, bool moves, bool all,
                  std::vector<Ghost>& found) {
  Search& search = searches_[branch.id];
  if (search.record != branch.record) search = {branch.record, Timetable(*branch.record)};
  const Snapshot& shown = run.shown();
  const std::int64_t head = branch.checkpoints->newest()->step();
  const std::int64_t step = search.table.step_at(shown.t, head);
  const std::size_t lanes = std::min(shown.lanes.size(), branch.histories.size());
  if (step <= run.shared_steps(branch)) {
    for (std::size_t lane = 0; all && lane < lanes; ++lane) {
      const State& same = shown.lanes[lane].state;
      found.push_back(
          {branch.look.color, lane, positions(same), same.w, branch.id, step, std::nullopt, false});
    }
    return;
  }
  const double t = search.table.time(step), h = std::abs(search.table.signed_step(step));
  // It has ended before, or has not come so far backwards.
  const bool ended = std::abs(t - shown.t) > h;
  if (ended && !all) return;
  const auto time_to = [&](const State& state) {
    const double time = t - state.t;
    return std::abs(time) <= rounding * h ? 0 : time;
  };

  std::vector<std::optional<State>> states(lanes);
  bool exact = true, near = true;
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    states[lane] = stored(branch.histories[lane], t);
    exact = exact && states[lane] && time_to(*states[lane]) == 0;
    near = near && states[lane] && angle(*states[lane], time_to(*states[lane])) < close;
  }
  if (!exact && !(moves && near)) {
    if (!search.seeker) search.seeker = std::make_unique<Seeker>(wake_);
    if (search.wanted != step) search.seeker->seek(branch.record, branch.checkpoints, step);
    search.wanted = step;
    const auto computed = search.seeker->instant();
    for (std::size_t lane = 0; computed && lane < lanes; ++lane) {
      if (lane >= computed->snapshot.lanes.size()) break;
      const State& there = computed->snapshot.lanes[lane].state;
      std::optional<State>& best = states[lane];
      if (!best || nearer(there, *best, t)) best = there;
    }
  }
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    const std::optional<State>& state = states[lane];
    if (!state || state->size() != shown.system->size() || !state->q.allFinite()) continue;
    const double time = time_to(*state);
    const bool known = moves ? angle(*state, time) <= farthest : time == 0;
    if (known || all)
      found.push_back({branch.look.color, lane, carried(*state, known ? time : 0), state->w,
                       branch.id, step, ended ? std::optional(t) : std::nullopt, known && !ended});
  }
}

}  // namespace twosphere
