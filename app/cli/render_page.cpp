// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/render_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "app/base/signals.h"
#include "app/cli/render_pictures.h"
#include "app/cli/subcommand.h"
#include "app/export/drawn_page.h"
#include "app/export/frame_layout.h"
#include "core/base/file.h"
#include "core/base/interrupt.h"
#include "core/base/json.h"
#include "core/mechanics/diagnostics.h"
#include "core/output/page_rows.h"
#include "core/run/simulation.h"
#include "core/scenario/page_scenario.h"
#include "core/scenario/scenario_for_page.h"
#include "core/worker/snapshot.h"
#include "ui/plot/plot_spec.h"

namespace twosphere {

namespace {

struct PageInterval {
  double from = 0, to = 0;  // [s]
};

PageInterval read_interval(const PictureOptions& options, const Simulation& run) {
  PageInterval interval{run.elapsed(), run.end_time()};
  for (const auto& [text, option, value] : {std::tuple(&options.from, "--from", &interval.from),
                                            std::tuple(&options.to, "--to", &interval.to)}) {
    if (text->empty()) continue;
    const auto given = number(*text, option, "s");
    check_time(given, option, run);
    *value = given;
  }
  if (interval.to < interval.from)
    throw Failure({ErrorKind::usage, "--to",
                   fmt::format("must be at least {} s, where the page begins, not {}",
                               json::shortest(interval.from), json::shortest(interval.to))});
  return interval;
}

/// What the plots of the page show at first, by --plot: of a page, one quantity each.
std::vector<Quantity> page_quantities(const PictureOptions& options, const Simulation& run) {
  constexpr std::size_t max_shown = 2;
  const std::vector<Quantity> table = csv_quantities(run.system_info());
  std::vector<Quantity> shown;
  for (const std::string& text : options.plots) {
    for (const ui::PlotSpec& plot : must(plots_named(text, run))) {
      const std::optional<Quantity> quantity = plot.y.quantity();
      if (!quantity || *quantity == Quantity::time || !plot.over_time() || !plot.also.empty() ||
          std::find(table.begin(), table.end(), *quantity) == table.end())
        throw Failure(
            {ErrorKind::usage, "--plot",
             fmt::format("{} does not apply to web pages, whose plots show one quantity of "
                         "the table each, such as total_energy",
                         json::quote(text))});
      if (std::find(shown.begin(), shown.end(), *quantity) == shown.end())
        shown.push_back(*quantity);
    }
  }
  if (shown.size() > max_shown)
    throw Failure({ErrorKind::usage, "--plot",
                   fmt::format("a web page shows {} plots, not {}", max_shown, shown.size())});
  return shown;
}

}  // namespace

int draw_web_page(const PictureOptions& options) {
  must(check_page_name(options.html, "--html"));
  check_output(options, options.html, "--html");
  PointLimits limits;
  read_count(options.html_frames, "--html-frames", 20, limits.frames, 2);
  auto style = read_style(options);
  if (style.split == Split::runs)
    throw misuse("--split", "runs does not apply to web pages, which have one run");
  PlannedRun planned = planned_run(options);
  Simulation& run = planned.simulation;
  check_style(style, *run.system());
  set_frame(options, planned.view, run, style);
  style.layer = chosen_layer(options, planned.view, *run.system());
  const auto interval = read_interval(options, run);
  const auto followed = read_follow(options.follow, run);
  auto plots = page_quantities(options, run);

  watch_signals();  // before there is a file to leave behind
  const Interruptible interruptible(signal_caught());
  auto file = must(AtomicFile::open(options.html));
  PageRows rows(recorded_lanes(run.record()).size());
  const double spare = 1e-9 * (interval.to - run.elapsed());
  std::int64_t added = -1;
  const auto add = [&] {
    if (run.elapsed() < interval.from - spare) return;
    rows.add(run);
    added = run.steps();
  };
  add();
  int status = 0;
  while (run.elapsed() < interval.to - spare && !run.stopped()) {
    const auto failure = run.step();
    if (caught_signal() != 0) return signal_status();
    if (failure) {  // the page has the rows before it
      status = report_error({ErrorKind::numerical, "", failure->message});
      break;
    }
    if (run.at_sample()) add();
  }
  if (added != run.steps()) add();
  const Snapshot end = snapshot(run);
  auto made = draw_page(
      {.end = end,
       .record = run.record(),
       .markers = run.markers(),
       .rows = rows,
       .texts = {.scenario = scenario_of_page(options.scenario, options.preset, run.record()),
                 .file = scenario_name_of_page(options.scenario, run.record()),
                 .still = {},
                 .title = options.title == implied_title ? "" : options.title},
       .style = style,
       .plots = std::move(plots),
       .followed = followed,
       .limits = limits});
  if (caught_signal() != 0) return signal_status();  // it may lack what was being computed
  const DrawnPage drawn = must(std::move(made), "--html");
  if (!options.quiet) print_messages(notes_of(drawn));
  file.write(drawn.page.html);
  must(file.commit());
  return status;
}

}  // namespace twosphere
