// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/studies/event_steps.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
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

/// The same of a lane at the start; 0 of one that is added later.
double coarsest_at_start(const SystemReport& report, const std::string& lane) {
  const auto method =
      std::find_if(report.methods.begin(), report.methods.end(),
                   [&](const SystemReport::Method& one) { return one.name == lane; });
  return method == report.methods.end() ? 0 : coarsest(method->coarse);
}

}  // namespace

EventSteps coarse_after_events(const Scenario& record, State start, const SystemReport& at_start) {
  const Timetable times(record);
  Scenario settings = record;
  settings.events.clear();
  EventSteps found;
  if (record.events.empty()) return found;
  double judged = 0;                          // operations
  std::size_t known = settings.lanes.size();  // so many lanes need not be judged
  for (auto event = record.events.begin(); event != record.events.end(); ++event) {
    const std::vector<Setting> changes = part_of(event->set, false);
    const bool acts = std::any_of(changes.begin(), changes.end(), [](const Setting& change) {
      return change.path.key() != "every" && change.path.key() != "duration" &&
             change.path.key() != "stop";
    });
    if (event->add_lane) {
      settings.lanes.push_back(event->add_lane->lane);
    } else if (acts) {
      auto set = with_settings(settings, changes, nullptr, true);
      if (!set) break;  // the run ends here, too
      settings = std::move(*set);
      known = 0;
    }
    // No step is taken between events of one step.
    const auto next = std::next(event);
    if (next != record.events.end() && next->step == event->step) continue;
    if (known == settings.lanes.size()) continue;
    if (judged > max_operations_judged) {
      found.judged_until = times.time(event->step);
      break;
    }
    const auto system = create_system(settings);
    if (!system) break;
    judged += min_operations_judged + (*system)->operations();
    start.t = times.time(event->step);
    const TimeScales scales = time_scales(**system, start);
    for (; known < settings.lanes.size(); ++known) {
      const LaneSpec& lane = settings.lanes[known];
      EventStep here{lane.name, start.t,
                     coarse_steps(*find_integrator(lane.type), lane.values, lane.step, **system,
                                  start, scales)};
      if (!(coarsest(here.coarse) > 1.01 * coarsest_at_start(at_start, lane.name))) continue;
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
