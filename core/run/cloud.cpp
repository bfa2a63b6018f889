// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/cloud.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <optional>

#include "core/base/interrupt.h"
#include "core/base/thread_pool.h"
#include "core/mechanics/base_distance.h"
#include "core/mechanics/ensemble.h"
#include "core/mechanics/random_state.h"

namespace twosphere {

Result<void> check(const CloudSpec& spec) {
  if (spec.members < 1 || spec.members > CloudSpec::max_members)
    return Error{ErrorKind::usage, "members",
                 fmt::format("must be a whole number from 1 to {}, not {}", CloudSpec::max_members,
                             spec.members)};
  if (!(spec.spread > 0 && spec.spread <= CloudSpec::max_spread))
    return Error{
        ErrorKind::usage, "spread",
        fmt::format("must be above 0 and at most {}, not {}", CloudSpec::max_spread, spec.spread)};
  return {};
}

Cloud::Cloud(const CloudSpec& spec, const LaneSpec& settings, const Lane& lane,
             const System& system)
    : settings_(settings), alive_(static_cast<std::size_t>(spec.members), true) {
  for (int k = 1; k <= spec.members; ++k) {
    Lane& member = add_member(lane);
    member.clock = lane.clock;
    member.state = lane.state;
    // Its scatter depends on k and the seed only, not on the number of members.
    scatter(system, member.state, spec.spread, static_cast<std::uint64_t>(k), spec.seed);
    member.prepare(system);
  }
}

Cloud::Cloud(const Checkpoint& from, const LaneSpec& settings, const Lane& lane,
             const System& system)
    : settings_(settings), alive_(from.alive), due_(from.due) {
  for (const Lane::Checkpoint& at : from.lanes) add_member(lane).roll_back(system, at);
}

/// A member with the method of the lane, without a state.
Lane& Cloud::add_member(const Lane& lane) {
  Lane& member = lanes_.emplace_back();
  member.name = settings_.name;
  member.info = lane.info;
  member.substeps = lane.substeps;
  member.integrator = lane.info->create(settings_.values);
  return member;
}

Cloud::Checkpoint Cloud::checkpoint(const System& system) {
  Checkpoint made{.alive = alive_, .due = due_};
  for (Lane& member : lanes_) member.save(system, made.lanes.emplace_back());
  return made;
}

bool Cloud::advance(const System& system, std::int64_t count) {
  due_ += count * lanes_.front().substeps;
  return catch_up(system);
}

/// Takes the missing steps, together as far as that goes.
void Cloud::advance_group(const System& system, std::span<Lane* const> group, std::size_t width) {
  const auto same = [&](const Lane* lane) { return lane->steps == group[0]->steps; };
  // Together if all are at the same step; a failure leaves the rest to each alone.
  if (worth_together(group.size(), width) && std::all_of(group.begin(), group.end(), same))
    (void)Lane::advance_together(system, due_ - group[0]->steps, group);
  for (Lane* lane : group)
    if (lane->steps < due_) (void)lane->advance(system, due_ - lane->steps);
}

bool Cloud::catch_up(const System& system) {
  const std::atomic<bool>* flag = Interruptible::flag();
  const std::size_t width = lanes_.front().integrator->width(system);
  std::vector<Lane*> behind;
  for (std::size_t k = 0; k < lanes_.size(); ++k)
    if (alive_[k] && lanes_[k].steps < due_) behind.push_back(&lanes_[k]);
  // Members that a thread advances before it asks for more: whole groups.
  const std::size_t min_share = std::clamp<std::size_t>(behind.size() / 64, 1, 16);
  const std::size_t share = (min_share + width - 1) / width * width;
  parallel_for((behind.size() + share - 1) / share, [&](std::size_t part) {
    const std::size_t end = std::min((part + 1) * share, behind.size());
    // Threads of the pool heed the flag of the thread that asks.
    std::optional<Interruptible> interruptible;
    if (flag) interruptible.emplace(*flag);
    for (std::size_t k = part * share; k < end && !is_set(flag); k += width)
      advance_group(system, {&behind[k], std::min(width, end - k)}, width);
  });
  bool whole = true;
  for (std::size_t k = 0; k < lanes_.size(); ++k) {
    if (!alive_[k] || lanes_[k].steps == due_) continue;
    // Interrupted members catch up later; one whose step failed is lost.
    if (lanes_[k].last.ok() || lanes_[k].last.status == StepStatus::interrupted)
      whole = false;
    else
      alive_[k] = false;
  }
  return whole;
}

void Cloud::change(const System& former, const System& system, const LaneSpec& settings,
                   const Lane& lane) {
  const Uninterrupted changing;
  for (std::size_t k = 0; k < lanes_.size(); ++k) {
    if (!alive_[k]) continue;
    lanes_[k].reconfigure(settings_, settings, system, &former == &system ? nullptr : &former,
                          nullptr);
    lanes_[k].clock.reversed = lane.clock.reversed;
    lanes_[k].substeps = lane.substeps;
  }
  lanes_.front().substeps = lane.substeps;  // also if it is lost
  settings_ = settings;
}

int Cloud::lost() const {
  return static_cast<int>(std::count(alive_.begin(), alive_.end(), false));
}

const State* Cloud::state(int member, const System& system) {
  const auto k = static_cast<std::size_t>(member);
  if (!alive_[k]) return nullptr;
  lanes_[k].finish_state(system);
  return &lanes_[k].state;
}

void Cloud::positions(Columns& to, Eigen::Index max_bodies) const {
  const State& first = lanes_.front().state;
  const Eigen::Index n = first.q.cols(), each = n + first.x.cols();
  const auto alive = static_cast<Eigen::Index>(lanes_.size()) - lost();
  to.resize(3, each * std::min(alive, std::max<Eigen::Index>(1, max_bodies / n)));
  Eigen::Index next = 0;
  for (std::size_t k = 0; k < lanes_.size() && next < to.cols(); ++k) {
    if (!alive_[k]) continue;
    // Whole members, one after the other.
    to.middleCols(next, n) = lanes_[k].state.q;
    to.middleCols(next + n, each - n) = lanes_[k].state.x;
    next += each;
  }
}

double Cloud::distance(const System& system, std::size_t member, const State& centre) const {
  const State& state = lanes_[member].state;
  return std::hypot((state.q - centre.q).norm(), base_distance(system, state, centre));
}

Cloud::Distances Cloud::distances(const System& system, const State& centre) const {
  std::vector<double> sorted;
  for (std::size_t k = 0; k < lanes_.size(); ++k)
    if (alive_[k]) sorted.push_back(distance(system, k, centre));
  std::sort(sorted.begin(), sorted.end());
  return {quantile(sorted, 0.5), quantile(sorted, 0.05), quantile(sorted, 0.95),
          static_cast<int>(sorted.size())};
}

std::vector<double> Cloud::group_medians(const System& system, const State& centre) const {
  const std::size_t groups = std::min<std::size_t>(max_groups, lanes_.size());
  std::vector<double> medians, sorted;
  for (std::size_t group = 0; group < groups; ++group) {
    sorted.clear();
    // Member k belongs to the group k mod groups.
    for (std::size_t k = group; k < lanes_.size(); k += groups)
      if (alive_[k]) sorted.push_back(distance(system, k, centre));
    std::sort(sorted.begin(), sorted.end());
    medians.push_back(quantile(sorted, 0.5));
  }
  return medians;
}

double quantile(std::span<const double> sorted, double share) {
  if (sorted.empty()) return std::nan("");
  const double at = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], at - static_cast<double>(below));
}

void GrowthFit::Line::add(double x, double share, double count, double distance) {
  // Welford's update of the mean of ln d and of its product with t.
  const double z = std::log(distance) - y;
  y += z / count;
  ty += share * x * z;
}

void GrowthFit::add(double t, double distance, std::span<const double> groups) {
  ended_ = ended_ || !(distance > 0 && distance <= max_distance);
  if (ended_) return;
  if (rows_ == 0) {
    from_ = t;
    groups_.resize(groups.size());
  }
  to_ = t;
  const auto n = static_cast<double>(++rows_);
  // The same of t, for all lines at once.
  const double x = t - t_, share = (n - 1) / n;
  t_ += x / n;
  tt_ += share * x * x;
  all_.add(x, share, n, distance);
  for (std::size_t k = 0; k < groups_.size(); ++k) groups_[k].add(x, share, n, groups[k]);
}

GrowthRate GrowthFit::rate() const {
  GrowthRate out{std::nan(""), std::nan(""), rows_, from_, to_, std::nan("")};
  if (rows_ < 8) return out;
  out.rate = all_.ty / tt_;
  // The line passes through the means.
  out.level = all_.y + out.rate * (from_ - t_);
  // Standard error of the mean of the slopes of the groups.
  double count = 0, mean = 0, squares = 0;
  for (const Line& group : groups_) {
    const double slope = group.ty / tt_, off = slope - mean;
    if (!std::isfinite(slope)) continue;  // its members were lost
    mean += off / ++count;
    squares += off * (slope - mean);
  }
  if (count >= 2) out.error = std::sqrt(squares / ((count - 1) * count));
  return out;
}

}  // namespace twosphere
