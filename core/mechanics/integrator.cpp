// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mechanics/integrator.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "core/mechanics/linear_terms.h"

namespace twosphere {

std::string_view describe(StepStatus status) {
  switch (status) {
    case StepStatus::ok:
      return "the step was taken";
    case StepStatus::step_too_large:
      return "it would turn by a quarter turn (90°) or more in one step";
    case StepStatus::not_converged:
      return "the iteration for the step did not converge";
    case StepStatus::step_too_small:
      return "no inner step is small enough";
    case StepStatus::too_many_steps:
      return "more than 100 000 inner steps would be needed";
    case StepStatus::motion_not_resolved:
      return "the motion is not resolved: it changes faster than the inner steps follow; use a "
             "smaller first step";
    case StepStatus::damping_too_strong:
      return "the damping is too strong for a stage that goes backwards in time, where it would "
             "amplify errors more than tenfold; a run forwards in time with a method of order 2 "
             "has "
             "no such stage";
    case StepStatus::force_not_resolved:
      return "a force that depends on velocities changes them too fast for the step; use a smaller "
             "step";
    case StepStatus::not_finite:
      return "a value is not finite";
    case StepStatus::interrupted:
      return "the step was interrupted";
  }
  return {};
}

void write_entry(IntegratorState& memory, std::size_t index, std::string_view name,
                 std::span<const double> values) {
  if (memory.size() == index) memory.emplace_back(name, std::vector<double>());
  assert(memory[index].first == name);
  memory[index].second.assign(values.begin(), values.end());
}

bool read_entries(const IntegratorState& memory, std::initializer_list<StateEntry> entries) {
  // The same names in the same order, each with its number of values.
  const auto fits = [](const auto& given, const StateEntry& entry) {
    return given.first == entry.name && given.second.size() == entry.values.size();
  };
  if (!std::equal(memory.begin(), memory.end(), entries.begin(), entries.end(), fits)) return false;
  auto given = memory.begin();
  for (const StateEntry& entry : entries) {
    std::copy(given->second.begin(), given->second.end(), entry.values.begin());
    ++given;
  }
  return true;
}

std::string_view IntegratorInfo::lacks(const System& system) const {
  if (twosphere::first_order(system) && !takes.first_order) return "kinetic energy";
  if (applies && !applies(system.inertia())) return needs;
  if (system.heat_bath() && !takes_heat_bath())
    return "a temperature of 0, because a heat bath takes methods of order 2 that keep |q|";
  if (has_strength(system) && !takes.strength) return "bodies without strength";
  if (has_frame_rotation(system) && !takes.frame_rotation) return "axes that do not rotate";
  if (system.free_base() && !takes.free_base) return "a base that does not fly";
  if (has_gyroscopic(system) && !takes.gyroscopic) return "a system without gyroscopic terms";
  return missing ? missing(system) : std::string_view();
}

StepReport StepBeginning::take(const System& system, Integrator& method, double h, double theta,
                               double end, State& to) const {
  to = state;
  method.prepare(system, state);
  if (!method.load_state(memory)) return {.status = StepStatus::not_finite};
  const StepReport report = method.advance(system, theta * h, to);
  if (!report.ok()) return report;
  to.t = std::lerp(state.t, end, theta);
  method.complete(system, to);
  return report;
}

}  // namespace twosphere
