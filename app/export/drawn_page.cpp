// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/export/drawn_page.h"

#include <algorithm>
#include <utility>

#include "core/base/file.h"
#include "core/base/png.h"
#include "core/output/page_rows.h"
#include "core/run/simulation.h"
#include "core/scenario/schedule.h"
#include "core/scenario/writer.h"
#include "core/worker/snapshot.h"

namespace twosphere {

Result<DrawnPage> draw_page(render::WebPageSource source) {
  DrawnPage drawn;
  if (const auto still = render::web_page_still(source))
    source.texts.still = png(still->pixels, still->width, {});
  else
    drawn.no_still = still.error().text();
  auto page = render::web_page(source);
  if (!page) return page.error();
  drawn.page = std::move(*page);
  return drawn;
}

Result<bool> write_page(Scenario record, std::int64_t steps, const PagePlan& plan,
                        const std::string& path, Progress& progress) {
  // The rows are those of the whole run even if it ends earlier, as on the command line.
  if (stride_changes(record.events))
    record.every = stride_through(record, std::max(planned_steps(record), steps));
  auto made = Simulation::create(std::move(record));
  if (!made) return made.error();
  Simulation& run = *made;
  const double spare = 1e-9 * (plan.to - plan.from);
  PageRows rows(plan.lanes);
  const auto add = [&] {
    if (run.elapsed() >= plan.from - spare && run.elapsed() <= plan.to + spare) rows.add(run);
  };
  add();
  std::int64_t sampled = 0;
  constexpr double drawing = 0.1;  // of the work
  while (run.steps() < steps && !run.stopped() && run.elapsed() < plan.to - spare) {
    if (progress.cancelled) return false;
    if (const auto failure = run.step()) return Error{ErrorKind::numerical, "", failure->message};
    progress.share = (1 - drawing) * static_cast<double>(run.steps()) / static_cast<double>(steps);
    if (!run.at_sample()) continue;
    add();
    sampled = run.steps();
  }
  if (sampled != run.steps()) add();
  if (progress.cancelled) return false;
  const Snapshot end = snapshot(run);
  auto drawn = draw_page({.end = end,
                          .record = run.record(),
                          .markers = run.markers(),
                          .rows = rows,
                          .texts = {.scenario = write_scenario(run.record()),
                                    .file = plan.file,
                                    .still = {},
                                    .title = plan.title,
                                    .description = plan.text},
                          .style = plan.style,
                          .limits = {}});
  if (!drawn) return drawn.error();
  if (progress.cancelled) return false;
  if (auto done = write_file(path, drawn->page.html); !done) return done.error();
  return true;
}

}  // namespace twosphere
