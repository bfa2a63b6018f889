// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/tangent_maps.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <variant>

#include "core/catalog.h"
#include "core/mechanics/forwarding_system.h"
#include "core/systems/control_torque.h"

namespace twosphere {

namespace {

/// A system without its forces that depend on velocities.
class WithoutVelocities : public ForwardingSystem {
 public:
  using ForwardingSystem::ForwardingSystem;
  const FreeBase* free_base() const override { return nullptr; }
  const Eigen::VectorXd& damping() const override { return none_; }
  bool has_velocity_force() const override { return false; }

 private:
  Eigen::VectorXd none_;
};

}  // namespace

std::string why_no_tangent_map(const IntegratorInfo& method, const System& system,
                               const Values& parameters) {
  if (has_tangent_map(method, system)) return {};
  if (system.force_tolerance() > 0)
    return fmt::format(
        "{} has no tangent map for this system, because the forces are sums to a tolerance, "
        "system.far_field; \"direct\" ones have a derivative",
        method.key);
  if (system.heat_bath())
    return fmt::format(
        "{} has no tangent map in a heat bath, whose noise makes no flow; system.temperature 0 is "
        "without one",
        method.key);
  const std::shared_ptr<const System> unowned(std::shared_ptr<const System>(), &system);
  // Either the method has none at all, or none for forces that depend on velocities.
  if (!has_tangent_map(method, WithoutVelocities(unowned)))
    return fmt::format("{} has no tangent map{}; the {} have one", method.key,
                       method.adaptive ? ", because it adapts its steps" : "",
                       first_order(system) ? "spherical midpoint and pair rotation methods"
                                           : "variational and rotation methods with a fixed step");
  const auto torque = parameters.find(control_torque_key);
  const bool controlled = torque != parameters.end() && ControlTorque(torque->second).damping() > 0;
  const bool uncoupled = std::holds_alternative<DiagonalInertia>(system.inertia());
  return fmt::format("{} has no tangent map for this system, because {}", method.key,
                     system.has_velocity_force() ? "a force depends on velocities"
                     : system.free_base()        ? "its base flies"
                     : controlled                ? "PD control damps coupled bodies"
                     : uncoupled                 ? "bodies are damped"
                                                 : "coupled bodies are damped");
}

bool need_methods(const std::vector<StopCondition>& stop) {
  return std::any_of(stop.begin(), stop.end(), [](const StopCondition& condition) {
    return condition.at_crossing || condition.indicator.has_value();
  });
}

Result<void> check_conditions(const std::vector<StopCondition>& stop,
                              const std::vector<LaneSpec>& lanes, const System& system,
                              const Values& parameters) {
  const auto within_step =
      std::find_if(stop.begin(), stop.end(), [](const StopCondition& c) { return c.at_crossing; });
  if (system.heat_bath() && within_step != stop.end())
    return Error{ErrorKind::usage, fmt::format("stop[{}].at", within_step - stop.begin()),
                 "\"crossing\" needs a path between the steps, and in a heat bath, of a "
                 "system.temperature above 0, there is none; \"step\" stops there"};
  const auto on_indicator = std::find_if(
      stop.begin(), stop.end(), [](const StopCondition& c) { return c.indicator.has_value(); });
  if (on_indicator == stop.end()) return {};
  for (const LaneSpec& lane : lanes)
    if (const std::string why = why_no_tangent_map(*find_integrator(lane.type), system, parameters);
        !why.empty())
      return Error{ErrorKind::usage, fmt::format("stop[{}].quantity", on_indicator - stop.begin()),
                   why};
  return {};
}

}  // namespace twosphere
