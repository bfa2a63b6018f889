// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/base/signals.h"
#include "app/cli/study_forms.h"
#include "app/cli/terminal_line.h"
#include "core/base/described_file.h"
#include "core/base/interrupt.h"
#include "core/run/live_cloud.h"
#include "core/studies/cloud_study.h"
#include "core/studies/sweep_plan.h"

namespace twosphere {

int study_cloud(const PlanOptions& plan, const GridOptions& members, const std::string& csv,
                bool quiet) {
  // The plan of a sweep whose member 0 is the orbit itself.
  CloudSpec spec;
  GridOptions grid = members;
  if (!grid.members) grid.members = fmt::format("{}", spec.members);
  if (!grid.spread) grid.spread = json::shortest(spec.spread);
  Sweep sweep = plan_grid(plan, grid, "study cloud");
  if (!members.members)
    sweep.members = std::min(sweep.members, LiveCloud::max_members(sweep.scenario.size()));
  if (sweep.members > CloudSpec::max_members)
    throw misuse("--members", fmt::format("must be from 1 to {}, not {}", CloudSpec::max_members,
                                          sweep.members));
  must(check_starts(sweep), of_option);
  if (!sweep.scenario.events.empty())
    throw misuse("study cloud", "the scenario has events, which a cloud cannot have");
  spec = {.members = sweep.members, .spread = sweep.spread, .seed = sweep.seed};
  ++sweep.members;
  auto run = must(Simulation::create(sweep.scenario));

  watch_signals();  // before there is a file to leave behind
  const Interruptible interruptible(signal_caught());
  std::optional<DescribedFile> table;
  if (!csv.empty()) {
    check_output(plan, csv, "--csv");
    table = must(DescribedFile::open(csv));
  }

  TerminalLine progress(!quiet);
  const CloudStudy study = run_cloud_study(run, spec, [&] {
    progress.show(fmt::format("t = {:g} s of {:g} s", run.time(), run.end_time()));
    return caught_signal() == 0;
  });
  progress.clear();
  if (table) {
    table->write(cloud_table(study));
    must(table->commit(write_sweep(sweep)));
  }
  if (study.failure) throw Failure({ErrorKind::numerical, "", *study.failure});
  if (caught_signal() != 0) return signal_status();
  if (quiet || csv == "-") return 0;
  const GrowthRate& rate = study.growth;
  const Cloud::Distances& last = study.distances.back();
  std::string text = fmt::format("members: {}\nlost: {}\n", spec.members, study.lost);
  for (const auto& [key, value] :
       {std::pair("first median distance", study.distances.front().median),
        {"last median distance", last.median},
        {"last 5 % distance", last.low},
        {"last 95 % distance", last.high},
        {"rate", rate.rate},
        {"rate error", rate.error}})
    if (std::isfinite(value)) text += fmt::format("{}: {}\n", key, json::shortest(value));
  return print(text + fmt::format("rows fitted: {}\n", rate.rows));
}

}  // namespace twosphere
