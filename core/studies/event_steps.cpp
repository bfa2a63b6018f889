// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/studies/event_steps.h"

#include <algorithm>
#include <utility>

#include "core/catalog.h"
#include "core/mechanics/time_scales.h"
#include "core/scenario/initial_conditions.h"
#include "core/scenario/live_edit.h"
#include "core/scenario/state_edit.h"
#include "core/scenario/timetable.h"

namespace twosphere {

namespace {

/// How often the largest step that resolves fits into a step, in the respect in which it is
/// coarsest; 0 if it is in none.
double coarsest(const std::vector<CoarseStep>& coarse) {
  double ratio = 0;
  for (const CoarseStep& step : coarse) ratio = std::max(ratio, step.ratio());
  return ratio;
}

}  // namespace

EventSteps coarse_after_events(const Scenario& record, State start) {
  const Timetable times(record);
  Scenario settings = record;
  settings.events.clear();
  EventSteps found;
  int judged = 0;
  for (const Event& event : record.events) {
    const std::vector<Setting> changes = part_of(event.set, false);
    const bool acts = std::any_of(changes.begin(), changes.end(), [](const Setting& change) {
      return change.path.key() != "every" && change.path.key() != "duration" &&
             change.path.key() != "stop";
    });
    if (!event.add_lane && !acts) continue;
    if (judged > 0 && judged + start.size() > max_bodies_judged) {
      found.judged_until = times.time(event.step);
      break;
    }
    judged += start.size();
    if (event.add_lane) {
      settings.lanes.push_back(event.add_lane->lane);
    } else {
      auto set = with_settings(settings, changes, nullptr, true);
      if (!set) break;
      settings = std::move(*set);
    }
    const auto system = create_system(settings);
    if (!system) continue;
    start.t = times.time(event.step);
    const TimeScales scales = time_scales(**system, start);
    for (const LaneSpec& lane : settings.lanes) {
      EventStep here{lane.name, start.t,
                     coarse_steps(*find_integrator(lane.type), lane.values, lane.step, **system,
                                  start, scales)};
      if (here.coarse.empty()) continue;
      const auto former =
          std::find_if(found.coarse.begin(), found.coarse.end(),
                       [&](const EventStep& step) { return step.lane == lane.name; });
      if (former == found.coarse.end())
        found.coarse.push_back(std::move(here));
      else if (coarsest(here.coarse) > coarsest(former->coarse))
        *former = std::move(here);
    }
  }
  return found;
}

}  // namespace twosphere
