// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/step_check_summary.h"

#include <fmt/format.h>

#include "app/base/signals.h"
#include "core/mechanics/step_map.h"

namespace twosphere {

void add_step_check(json::Node& summary, Simulation& simulation, int lane) {
  using json::Node;
  const LaneSpec& spec = simulation.present().lanes[static_cast<std::size_t>(lane)];
  const StepMap map{*simulation.system(), *simulation.lane(lane).info, spec.values, spec.step};
  const State& state = simulation.state(lane);
  const auto stop = [] { return caught_signal() != 0; };
  const auto failure = [](const Error& error) { return Node("not measured: " + error.text()); };
  if (const auto found = symplecticity_defect(map, state, stop)) {
    summary.set("symplecticity verdict", describe(found->verdict));
    summary.set("symplecticity defect", found->defect);
    summary.set("symplecticity rounding", found->rounding);
    if (found->many) {
      const int steps = SymplecticityDefect::many_steps;
      summary.set(fmt::format("symplecticity defect of {} steps", steps), found->many->defect);
      summary.set(fmt::format("symplecticity rounding of {} steps", steps), found->many->rounding);
    }
    summary.set("symplecticity directions",
                fmt::format("{} of {}", found->directions, found->dimension));
  } else {
    summary.set("symplecticity defect", failure(found.error()));
  }
  if (const auto found = reversal_error(map, state, ReversalError::default_steps, stop)) {
    summary.set("time-reversal error", found->distance);
    summary.set("time-reversal rounding", found->rounding);
    summary.set("time-reversal steps", Node::whole(found->steps));
  } else {
    summary.set("time-reversal error", failure(found.error()));
  }
}

}  // namespace twosphere
