// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/figures/reproduction_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "app/figures/paper_figure.h"
#include "core/base/build.h"
#include "core/base/described_file.h"
#include "core/base/json.h"
#include "core/output/csv.h"
#include "core/studies/reproduction_table.h"

namespace twosphere {

namespace {

namespace fs = std::filesystem;

/// Runs of one preset with one step; their rows are at the same times.
using Group = std::vector<const ReproducedRun*>;

double step(const ReproducedRun& run) { return run.scenario.lanes[0].step; }

std::vector<Group> groups(const std::vector<ReproducedRun>& runs) {
  std::vector<Group> out;
  for (const ReproducedRun& run : runs) {
    const auto kin = std::find_if(out.begin(), out.end(), [&run](const Group& group) {
      return group[0]->published->preset == run.published->preset && step(*group[0]) == step(run);
    });
    if (kin == out.end())
      out.push_back({&run});
    else
      kin->push_back(&run);
  }
  return out;
}

}  // namespace

Result<ReproductionFolder> ReproductionFolder::open(const std::string& path) {
  std::error_code code;
  Made made;
  for (fs::path folder = fs::path(path).lexically_normal(); !folder.empty();
       folder = folder.parent_path()) {
    if (fs::exists(folder, code) || folder == folder.parent_path()) break;
    if (folder.has_filename()) made.folders.push_back(folder);
  }
  fs::create_directories(path, code);
  if (code) return Error{ErrorKind::input_output, path, code.message()};
  auto table = AtomicFile::open((fs::path(path) / "reproduce.csv").string());
  if (!table) return table.error();
  return ReproductionFolder(path, std::move(made), std::move(*table));
}

ReproductionFolder::Made::~Made() {
  std::error_code ignored;
  for (const fs::path& folder : folders) fs::remove(folder, ignored);
}

Result<void> ReproductionFolder::write(const std::vector<ReproducedRun>& runs,
                                       const std::vector<ReproducedRun>& step_runs,
                                       const FieldFigure* field, const FigureWriter& drawn) {
  if (auto done = write_rows(runs); !done) return done;
  std::string report = reproduction_markdown(runs);
  if (auto done = write_figures(runs, step_runs, field, drawn, report); !done) return done;
  report += fmt::format("\nMade by {}.\n", program_version());
  if (auto done = write_file(in("reproduce.md"), report); !done) return done;
  table_.write(reproduction_csv(runs));
  return table_.commit();
}

Result<void> ReproductionFolder::write_rows(const std::vector<ReproducedRun>& runs) const {
  const std::vector<Group> all = groups(runs);
  for (const Group& group : all) {
    const ReproducedRun& first = *group[0];
    const bool several_steps = std::count_if(all.begin(), all.end(), [&first](const Group& other) {
                                 return other[0]->published->preset == first.published->preset;
                               }) > 1;
    Scenario record = first.scenario;
    record.lanes.clear();
    for (const ReproducedRun* run : group) record.lanes.push_back(run->scenario.lanes[0]);
    const SystemInfo& system = info_of(record);
    std::string text = csv_header(system, record.lanes);
    for (std::size_t row = 0; row < first.rows.size(); ++row) {
      std::vector<Sample> samples;
      for (const ReproducedRun* run : group) samples.push_back(run->rows[row]);
      text += csv_row(system, samples);
    }
    const std::string name =
        in(fmt::format("{}{}.csv", first.published->preset,
                       several_steps ? fmt::format("_h{}", json::shortest(step(first))) : ""));
    if (auto done = write_described(name, text, csv_companion(record)); !done) return done;
  }
  return {};
}

Result<void> ReproductionFolder::write_figure(const std::string& stem, const Figure& figure,
                                              const FigureWriter& drawn) const {
  for (const auto& [format, suffix] :
       {std::pair(FigureFormat::svg, ".svg"), std::pair(FigureFormat::png, ".png")}) {
    const auto bytes = drawn(figure, paper_page(format), in(stem + suffix));
    if (!bytes) return bytes.error();
    if (auto done = write_file(in(stem + suffix), *bytes); !done) return done;
  }
  return {};
}

Result<void> ReproductionFolder::write_figures(const std::vector<ReproducedRun>& runs,
                                               const std::vector<ReproducedRun>& step_runs,
                                               const FieldFigure* field, const FigureWriter& drawn,
                                               std::string& report) const {
  bool headed = false;
  const auto add = [&](const std::string& title, const std::string& stem, std::string_view note) {
    if (!std::exchange(headed, true)) report += "\n# Figures\n";
    report += fmt::format("\n## {}\n\n![{}]({}.svg)\n\n{}\n", title, title, stem, note);
  };
  for (const PaperFigure& figure : paper_figures()) {
    std::vector<const ReproducedRun*> shown;
    if (figure.steps.empty()) {
      for (const PublishedRun* lane : figure.lanes())
        for (const ReproducedRun& run : runs)
          if (run.published == lane) shown.push_back(&run);
    } else {
      for (const ReproducedRun& run : step_runs)
        if (run.published->preset == figure.preset) shown.push_back(&run);
    }
    if (shown.empty()) continue;
    // Two columns per pixel for curves over time.
    const FigurePage page = paper_page(FigureFormat::png);
    const int columns = 2 * pixels(page.points.x, page.dpi);
    const Figure picture = draw_paper_figure(figure, shown, columns);
    const std::string stem = fmt::format("figure-{}", figure.number);
    if (auto done = write_figure(stem, picture, drawn); !done) return done;
    add(picture.title, stem, figure.note);
    if (figure.steps.empty()) continue;
    if (auto done = write_file(in(stem + ".csv"), convergence_csv(figure, shown)); !done)
      return done;
    report += fmt::format("\nMeans against the step are in `{}.csv`; fitted orders:\n\n", stem);
    for (const FittedOrder& fitted : fitted_orders(figure, shown))
      report +=
          fmt::format("- {}, mean {}: {:.2f}{}\n", fitted.integrator,
                      label_of_mean(fitted.quantity), fitted.order,
                      fitted.published ? fmt::format(" (printed {:.2f})", *fitted.published) : "");
  }
  if (!field) return {};
  const std::string stem = fmt::format("figure-{}", paper_field().number);
  add(field->title, stem, paper_field().note);
  return write_figure(stem, as_figure(*field), drawn);
}

}  // namespace twosphere
