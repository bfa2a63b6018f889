// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/cloud.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/thread_pool.h"
#include "core/mechanics/nearby_state.h"

namespace twosphere {

Cloud::Cloud(const CloudSpec& spec, const LaneSpec& settings, const Lane& lane,
             const System& system)
    : kept_(static_cast<std::size_t>(spec.members), true) {
  for (int k = 1; k <= spec.members; ++k) {
    Lane& member = lanes_.emplace_back();
    member.name = settings.name;
    member.info = lane.info;
    member.clock = lane.clock;
    member.substeps = lane.substeps;
    member.integrator = lane.info->create(settings.values);
    member.state = lane.state;
    scatter(member.state.q, member.state.w, spec.spread, static_cast<std::uint64_t>(k), spec.seed);
    member.integrator->prepare(system, member.state);
  }
}

void Cloud::advance(const System& system, std::int64_t count) {
  // A part for each member; which are lost is noted afterwards, because vector<bool> is shared.
  parallel_for(lanes_.size(), [&](std::size_t k) {
    if (kept_[k]) (void)lanes_[k].advance(system, count * lanes_[k].substeps);
  });
  for (std::size_t k = 0; k < lanes_.size(); ++k)
    if (kept_[k] && !lanes_[k].last.ok()) kept_[k] = false;
}

void Cloud::change(const System& system) {
  for (std::size_t k = 0; k < lanes_.size(); ++k) {
    if (!kept_[k]) continue;
    lanes_[k].finish_state(system);
    lanes_[k].integrator->prepare(system, lanes_[k].state);
  }
}

int Cloud::lost() const { return static_cast<int>(std::count(kept_.begin(), kept_.end(), false)); }

const State* Cloud::state(int member, const System& system) {
  const auto k = static_cast<std::size_t>(member);
  if (!kept_[k]) return nullptr;
  lanes_[k].finish_state(system);
  return &lanes_[k].state;
}

Cloud::Distances Cloud::distances(const State& centre) const {
  std::vector<double> sorted;
  for (std::size_t k = 0; k < lanes_.size(); ++k)
    if (kept_[k]) sorted.push_back((lanes_[k].state.q - centre.q).norm());
  std::sort(sorted.begin(), sorted.end());
  return {quantile(sorted, 0.5), quantile(sorted, 0.05), quantile(sorted, 0.95),
          static_cast<int>(sorted.size())};
}

double quantile(std::span<const double> sorted, double share) {
  if (sorted.empty()) return std::nan("");
  const double at = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], at - static_cast<double>(below));
}

GrowthRate growth_rate(std::span<const double> times, std::span<const double> distances,
                       double most) {
  GrowthRate out{std::nan(""), std::nan("")};
  while (out.rows < distances.size() && distances[out.rows] > 0 && distances[out.rows] <= most)
    ++out.rows;
  if (out.rows < 8) return out;
  const auto n = static_cast<double>(out.rows);
  double t = 0, y = 0;
  for (std::size_t k = 0; k < out.rows; ++k) {
    t += times[k] / n;
    y += std::log(distances[k]) / n;
  }
  double tt = 0, ty = 0, yy = 0;
  for (std::size_t k = 0; k < out.rows; ++k) {
    const double x = times[k] - t, z = std::log(distances[k]) - y;
    tt += x * x;
    ty += x * z;
    yy += z * z;
  }
  out.rate = ty / tt;
  out.error = std::sqrt(std::max(0.0, yy - out.rate * ty) / ((n - 2) * tt));
  return out;
}

}  // namespace twosphere
