// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/studies/cloud_study.h"

#include <algorithm>
#include <cmath>

#include "core/base/table_writer.h"

namespace twosphere {

CloudStudy run_cloud_study(Simulation& run, const CloudSpec& spec,
                           const std::function<bool()>& proceed) {
  CloudStudy study;
  (void)run.state(0);
  Cloud cloud(spec, run.present().lanes[0], run.lane(0), *run.system());
  GrowthFit fit;
  const auto row = [&] {
    study.times.push_back(run.time());
    const System& system = *run.system();
    const State& centre = run.state(0);
    study.distances.push_back(cloud.distances(system, centre));
    if (!fit.ended())
      fit.add(run.time(), study.distances.back().median, cloud.group_medians(system, centre));
    study.lost = cloud.lost();
  };
  row();
  while (!run.finished() && !run.stopped() && proceed()) {
    const std::int64_t before = run.steps();
    const std::int64_t next = (before / run.stride() + 1) * run.stride();
    if (const auto failed = run.advance_to(std::min(next, run.planned_steps()))) {
      if (!failed->interrupted()) study.failure = failed->message;
      break;
    }
    cloud.advance(*run.system(), run.steps() - before);
    if (run.at_sample() || run.finished() || run.stopped()) row();
  }
  study.growth = fit.rate();
  return study;
}

CloudStudy cloud_study(const CloudView& cloud, const History& history) {
  CloudStudy study{.times = {cloud.began},
                   .distances = {cloud.first},
                   .lost = cloud.lost,
                   .growth = cloud.growth};
  const SignalView median = history.view(StepQuantity::cloud_distance);
  const auto column = [&](StepQuantity q) { return history.view(q).values; };
  const auto low = column(StepQuantity::cloud_low), high = column(StepQuantity::cloud_high),
             counts = column(StepQuantity::cloud_members);
  for (std::size_t k = 0; k < median.values->size(); ++k) {
    const double members = (*counts)[k];
    if (!(history.steps()[k * median.stride] > static_cast<double>(cloud.since)) ||
        !std::isfinite(members))
      continue;
    study.times.push_back((*median.times)[k]);
    study.distances.push_back(
        {(*median.values)[k], (*low)[k], (*high)[k], static_cast<int>(members)});
  }
  return study;
}

std::string cloud_table(const CloudStudy& study) {
  TableWriter table;
  table.row("time [s]", "distance_median [1]", "distance_low [1]", "distance_high [1]",
            "members [1]");
  for (std::size_t k = 0; k < study.times.size(); ++k) {
    const Cloud::Distances& d = study.distances[k];
    table.row(study.times[k], d.median, d.low, d.high, d.members);
  }
  return table.take();
}

}  // namespace twosphere
