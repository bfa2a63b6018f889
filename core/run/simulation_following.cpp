// SPDX-License-Identifier: GPL-3.0-or-later
// What follows the lanes of a simulation: tangent vectors, and the points of a section.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "core/run/simulation.h"
#include "core/scenario/tangent_maps.h"

namespace twosphere {

Result<void> Simulation::follow_exponents(int count) {
  if (count < 1 || count > Exponents::most(system()->size()))
    return Error{ErrorKind::usage, "",
                 fmt::format("tangent vectors of {} bodies must be from 1 to {}, not {}",
                             system()->size(), Exponents::most(system()->size()), count)};
  count = std::max(count, vectors_needed(present().stop));
  const auto others = [count](const Lane& lane) {
    return lane.exponents && lane.exponents->count() != count;
  };
  for (Lane& lane : lanes_) {
    if (std::string why = why_no_tangent_map(*lane.info, *acting_, present().parameters);
        !why.empty())
      return Error{ErrorKind::usage, "", std::move(why)};
    if (others(lane) && lane.exponents->elapsed() > 0)
      return Error{ErrorKind::usage, "",
                   fmt::format("the saved state has {} tangent vectors, which cannot become {}",
                               lane.exponents->count(), count)};
  }
  for (Lane& lane : lanes_)
    if (others(lane)) lane.exponents.reset();
  follow_where_possible(count);
  return {};
}

/// Whether the tangent vectors that the stop conditions of `settings` need can follow every lane.
Result<void> Simulation::check_following(const Scenario& settings, const System& system) const {
  const int needed = vectors_needed(settings.stop);
  for (const Lane& lane : lanes_)
    if (lane.exponents && !lane.exponents->lost() && lane.exponents->count() < needed)
      return Error{ErrorKind::usage, "stop",
                   fmt::format("needs {} tangent vectors, but {} follow the run already", needed,
                               lane.exponents->count())};
  return check_indicators(settings.stop, settings.lanes, system, settings.parameters);
}

/// Lets them follow.
void Simulation::follow_for_stops() {
  if (const int needed = vectors_needed(present().stop); needed > 0) follow_where_possible(needed);
}

void Simulation::follow_where_possible(int count) {
  count = std::min(count, Exponents::most(system()->size()));
  for (int i = 0; i < lane_count(); ++i) {
    Lane& lane = lanes_[static_cast<std::size_t>(i)];
    const auto& followed = lane.exponents;
    if (followed && !followed->lost() && (followed->count() >= count || followed->elapsed() > 0))
      continue;
    former_.clear();
    good_.reset();
    lane.exponents.reset();
    if (lane.integrator->tangent_map(*acting_)) lane.exponents.emplace(*acting_, state(i), count);
  }
}

void Simulation::end_following() {
  if (vectors_needed(present().stop) > 0) return;
  for (Lane& lane : lanes_) lane.exponents.reset();
  former_.clear();
  good_.reset();
}

std::string Simulation::why_exponents_ended(int index) const {
  const Lane& held = lane(index);
  if (!held.exponents || !held.exponents->lost()) return {};
  if (std::string why = why_no_tangent_map(*held.info, *acting_, present().parameters);
      !why.empty())
    return why;
  return "a tangent vector was not finite, or the method had no tangent map for some steps";
}

Result<void> Simulation::follow_section(const PoincareSection& section) {
  auto surface = SectionSurface::create(section, present());
  if (!surface) return surface.error();
  const auto& from = record_.continuation;
  const bool goes_on = steps() == 0 && from && present().section == section;
  for (std::size_t i = 0; i < lanes_.size(); ++i)
    lanes_[i].crossings.emplace(*surface,
                                goes_on ? SectionCrossings::load(from->lanes[i].memory) : 0);
  points_taken_.clear();
  Scenario present = this->present();
  for (Scenario* scenario : {&record_, &present, &after_rewind_}) scenario->section = section;
  change_settings(std::move(present), system());
  former_.clear();
  good_.reset();
  return {};
}

std::vector<SectionPoint> Simulation::take_section_points(int index) {
  Lane& lane = lanes_[static_cast<std::size_t>(index)];
  if (!lane.crossings) return {};
  std::vector<SectionPoint> points = lane.crossings->take();
  // Steps that were repeated after a failure have found their points again.
  points_taken_.resize(lanes_.size());
  std::int64_t& next = points_taken_[static_cast<std::size_t>(index)];
  std::erase_if(points, [&](const SectionPoint& point) { return point.number < next; });
  if (!points.empty()) next = points.back().number + 1;
  return points;
}

}  // namespace twosphere
