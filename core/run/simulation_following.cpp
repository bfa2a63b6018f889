// SPDX-License-Identifier: GPL-3.0-or-later
// What follows the lanes of a simulation: tangent vectors, and the points of a section.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <variant>

#include "core/catalog.h"
#include "core/mechanics/forwarding_system.h"
#include "core/run/simulation.h"
#include "core/systems/control_torque.h"

namespace twosphere {

namespace {

/// A system without its forces that depend on velocities.
class WithoutVelocities : public ForwardingSystem {
 public:
  using ForwardingSystem::ForwardingSystem;
  const Eigen::VectorXd& damping() const override { return none_; }
  bool has_velocity_force() const override { return false; }

 private:
  Eigen::VectorXd none_;
};

/// Why a method has no tangent map for a system: because of the method, or of what acts.
std::string why_no_tangent_map(const IntegratorInfo& info, Integrator& method,
                               const std::shared_ptr<const System>& system,
                               const Values& parameters) {
  if (!method.tangent_map(WithoutVelocities(system)))
    return fmt::format(
        "{} has no tangent map{}; the variational and rotation methods with a fixed step have one",
        info.key, info.adaptive ? ", because it adapts its steps" : "");
  const auto torque = parameters.find(control_torque_key);
  const bool controlled = torque != parameters.end() && ControlTorque(torque->second).damping() > 0;
  const bool uncoupled = std::holds_alternative<DiagonalInertia>(system->inertia());
  return fmt::format("{} has no tangent map for this system, because {}", info.key,
                     system->has_velocity_force() ? "a force depends on velocities"
                     : controlled                 ? "PD control damps coupled bodies"
                     : uncoupled                  ? "bodies are damped"
                                                  : "coupled bodies are damped");
}

}  // namespace

Result<void> Simulation::follow_exponents(int count) {
  if (count < 1 || count > Exponents::most(system_->size()))
    return Error{ErrorKind::usage, "",
                 fmt::format("tangent vectors of {} bodies must be from 1 to {}, not {}",
                             system_->size(), Exponents::most(system_->size()), count)};
  count = std::max(count, vectors_needed(present_.stop));
  const auto others = [count](const Lane& lane) {
    return lane.exponents && lane.exponents->count() != count;
  };
  for (Lane& lane : lanes_) {
    if (!lane.integrator->tangent_map(*acting_))
      return Error{ErrorKind::usage, "",
                   why_no_tangent_map(*lane.info, *lane.integrator, acting_, present_.parameters)};
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

/// Lets the tangent vectors that the stop conditions of `settings` need follow every lane.
Result<void> Simulation::follow_for_stops(const Scenario& settings) {
  const int needed = vectors_needed(settings.stop);
  if (needed == 0) return {};
  for (Lane& lane : lanes_) {
    const bool follows = lane.exponents && !lane.exponents->lost();
    if (follows && lane.exponents->count() < needed)
      return Error{ErrorKind::usage, "stop",
                   fmt::format("needs {} tangent vectors, but {} follow the run already", needed,
                               lane.exponents->count())};
    if (!follows && !lane.integrator->tangent_map(*acting_))
      return Error{ErrorKind::usage, "stop",
                   why_no_tangent_map(*lane.info, *lane.integrator, acting_, present_.parameters)};
  }
  follow_where_possible(needed);
  return {};
}

void Simulation::follow_where_possible(int count) {
  count = std::min(count, Exponents::most(system_->size()));
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
  if (vectors_needed(present_.stop) > 0) return;
  for (Lane& lane : lanes_) lane.exponents.reset();
  former_.clear();
  good_.reset();
}

std::string Simulation::why_exponents_ended(int index) const {
  const Lane& held = lane(index);
  if (!held.exponents || !held.exponents->lost()) return {};
  if (!held.integrator->tangent_map(*acting_))
    return why_no_tangent_map(*held.info, *held.integrator, acting_, present_.parameters);
  return "a tangent vector was not finite, or the method had no tangent map for some steps";
}

Result<void> Simulation::follow_section(const PoincareSection& section) {
  auto surface = SectionSurface::create(section, present_);
  if (!surface) return surface.error();
  const auto& from = record_.continuation;
  const bool goes_on = steps() == 0 && from && present_.section == section;
  for (std::size_t i = 0; i < lanes_.size(); ++i)
    lanes_[i].crossings.emplace(*surface,
                                goes_on ? SectionCrossings::load(from->lanes[i].memory) : 0);
  points_taken_.clear();
  for (Scenario* scenario : {&record_, &present_, &after_rewind_}) scenario->section = section;
  shared_settings_.reset();
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
