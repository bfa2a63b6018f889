// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include "app/base/signals.h"
#include "app/cli/study_forms.h"
#include "app/cli/terminal_line.h"
#include "core/base/described_file.h"
#include "core/base/text.h"
#include "core/output/csv.h"
#include "core/studies/section_study.h"
#include "core/studies/sweep_plan.h"

namespace twosphere {

namespace {

/// "initial.omega[0][1] = 2, member 3", the values of a start on the axes.
std::string values_of(const Sweep& starts, std::size_t index) {
  const std::vector<std::size_t> at = starts.point(index);
  std::string text;
  const auto add = [&text](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  for (std::size_t k = 0; k < starts.axes.size(); ++k) {
    const json::Node& value = starts.axes[k].values[at[k]];
    add(fmt::format("{} = {}", starts.axes[k].path.text(),
                    value.kind == json::Kind::string ? value.text : json::shortest(value.number)));
  }
  if (starts.members > 1) add(fmt::format("member {}", at.back()));
  return text;
}

}  // namespace

int study_section(const PlanOptions& plan, const SectionStudyOptions& options, int threads,
                  bool quiet) {
  Sweep starts = plan_grid(plan, options.grid, "study section");
  if (options.points.empty())
    throw misuse("--points", "is missing; it names the table of the points");
  auto& section = starts.scenario.section;
  section = section_or_default(starts.scenario, quiet);
  must(check_starts(starts), of_option);
  const auto surface = must(SectionSurface::create(*section, starts.scenario));

  check_output(plan, options.points, "--points");
  watch_signals();  // before there is a file to leave behind
  auto table = must(DescribedFile::open(options.points));
  table.write(section_header(*surface, true));

  TerminalLine progress(!quiet);
  const auto orbits = run_section_study(
      starts, threads, [&table](std::string_view rows) { table.write(rows); },
      [&](std::size_t done, std::size_t all) {
        progress.show(fmt::format("{} of {} orbits", done, all));
        return caught_signal() == 0 && !table.failed();
      });
  progress.clear();
  must(table.commit(write_sweep(starts)));
  if (caught_signal() != 0) return signal_status();
  std::string text;
  std::size_t failed = 0;
  for (std::size_t k = 0; k < orbits.size(); ++k) {
    const SectionOrbit& orbit = orbits[k];
    const std::string values = values_of(starts, k);
    text +=
        fmt::format("start {}{}: {}{}{}\n", k, values.empty() ? "" : " (" + values + ')',
                    counted(orbit.points, "point"),
                    orbit.status == TaskStatus::done ? "" : fmt::format(", {}", name(orbit.status)),
                    orbit.why.empty() ? "" : ": " + orbit.why);
    if (!orbit.why.empty()) ++failed;
  }
  if (failed == starts.tasks())
    throw Failure({ErrorKind::numerical, "study section", "no start has an orbit: " + text});
  if (quiet || options.points == "-") return 0;
  return print(text);
}

}  // namespace twosphere
