// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/figures/paper_figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "app/figures/field_figure.h"
#include "app/figures/figure_data.h"
#include "core/base/json.h"
#include "core/base/table_writer.h"
#include "core/catalog.h"
#include "core/output/lane_style.h"
#include "core/record/history.h"
#include "core/scenario/reader.h"
#include "core/studies/reproduction_table.h"
#include "ui/plot/plot_spec.h"

namespace twosphere {

namespace {

LaneStyle style_of(const ReproducedRun& run) {
  return lane_style(run.published->integrator, Palette::light, LaneColors::paper);
}

/// "rk45: mean energy error 7.8586e-4 m g l (printed 7.8586e-4), unit-length error … (…)"
std::string means_of(const ReproducedRun& run) {
  std::string out;
  for (const ReproducedMean& mean : run.means) {
    const bool first = out.empty();
    const std::string_view unit = run.unit(mean);
    out += first ? fmt::format("{}: mean ", run.published->integrator) : ", ";
    out += fmt::format("{} {}", label_of_mean(mean.published->quantity), as_printed(mean.ours));
    if (unit != "1") out += fmt::format(" {}", unit);
    if (mean.published->value())
      out += fmt::format(" ({}{})", first ? "printed " : "", mean.published->printed);
  }
  return out;
}

std::string title_of(const ReproducedRun& run) {
  return std::string(find_integrator(run.published->integrator)->title);
}

/// The runs of one integrator, in the order of the steps.
struct StepRuns {
  std::vector<const ReproducedRun*> runs;

  std::vector<double> steps() const {
    std::vector<double> out;
    for (const ReproducedRun* run : runs) out.push_back(run->scenario.lanes[0].step);
    return out;
  }
  std::vector<double> means(Quantity quantity) const {
    std::vector<double> out;
    for (const ReproducedRun* run : runs) out.push_back(run->mean(quantity).ours);
    return out;
  }
};

std::vector<StepRuns> lanes_of(const std::vector<const ReproducedRun*>& runs) {
  std::vector<StepRuns> lanes;
  for (const ReproducedRun* run : runs) {
    if (lanes.empty() ||
        lanes.back().runs.front()->published->integrator != run->published->integrator)
      lanes.emplace_back();
    lanes.back().runs.push_back(run);
  }
  return lanes;
}

/// The order of the printed means of a quantity over their steps.
std::optional<double> published_order(const PaperFigure& figure, std::string_view integrator,
                                      Quantity quantity) {
  std::vector<double> steps, means;
  for (const PublishedRun& run : published_runs()) {
    if (run.preset != figure.preset || run.integrator != integrator) continue;
    const auto step =
        std::find_if(run.settings.begin(), run.settings.end(),
                     [](const auto& setting) { return setting.first == "integrator.step"; });
    for (const PublishedMean& mean : run.means)
      if (const auto value = mean.value();
          value && mean.quantity == quantity && step != run.settings.end()) {
        steps.push_back(step->second);
        means.push_back(*value);
      }
  }
  if (steps.size() < 2) return std::nullopt;
  return fitted_order(steps, means);
}

void over_time(ui::PlotFigure& out, const PaperFigure& figure,
               const std::vector<const ReproducedRun*>& runs, int columns) {
  std::vector<History> histories(runs.size());
  std::vector<ui::Curve> curves;
  ui::Interval time{0, 0};
  for (std::size_t i = 0; i < runs.size(); ++i) {
    for (std::size_t row = 0; row < runs[i]->rows.size(); ++row)
      histories[i].append(static_cast<std::int64_t>(row), runs[i]->rows[row]);
    time.high = std::max(time.high, runs[i]->rows.back()[Quantity::time]);
    curves.push_back(
        {static_cast<int>(i), &histories[i], {0, histories[i].size()}, style_of(*runs[i])});
    out.keys.push_back({title_of(*runs[i]), curves.back().style});
    out.note += '\n' + means_of(*runs[i]);
  }
  // Draw in reverse order, so that the methods that drift far do not cover the others.
  std::reverse(curves.begin(), curves.end());
  for (const Quantity quantity : figure.plots)
    out.plots.push_back(plot_over_time(ui::plot_of(quantity), curves, time, columns));
}

void over_steps(ui::PlotFigure& out, const PaperFigure& figure,
                const std::vector<const ReproducedRun*>& runs) {
  const ui::Transform logarithmic{ui::Scale::logarithmic, 0};
  const LaneStyle printed{{0x000000}, Dash::solid, Marker::cross};
  const std::vector<StepRuns> lanes = lanes_of(runs);
  const auto [smallest, largest] = std::minmax_element(figure.steps.begin(), figure.steps.end());
  for (const StepRuns& lane : lanes)
    out.keys.push_back({title_of(*lane.runs.front()), style_of(*lane.runs.front())});
  for (const Quantity quantity : figure.plots) {
    ui::PlotModel plot;
    plot.over_time = false;
    plot.x = {"step", "s", logarithmic, {std::log10(*smallest) - 0.1, std::log10(*largest) + 0.1}};
    double low = std::numeric_limits<double>::infinity(), high = 0;
    for (const StepRuns& lane : lanes) {
      const LaneStyle style = style_of(*lane.runs.front());
      ui::PlotCurve curve{style, {}};
      const std::vector<double> steps = lane.steps(), means = lane.means(quantity);
      for (std::size_t i = 0; i < steps.size(); ++i) {
        const ui::Point at{logarithmic.forward(steps[i]), logarithmic.forward(means[i])};
        curve.points.push_back(at);
        plot.dots.push_back({style, at});
        low = std::min(low, means[i]);
        high = std::max(high, means[i]);
      }
      plot.curves.push_back(std::move(curve));
    }
    for (const PublishedRun& run : published_runs())
      if (run.preset == figure.preset)
        for (const PublishedMean& mean : run.means)
          if (const auto value = mean.value(); value && mean.quantity == quantity)
            for (const auto& [path, h] : run.settings)
              if (path == "integrator.step")
                plot.dots.push_back(
                    {printed, {logarithmic.forward(h), logarithmic.forward(*value)}});
    plot.y = {fmt::format("mean {}", label_of_mean(quantity)), std::string(info(quantity).unit),
              logarithmic, ui::fit_log(low, high)};
    out.plots.push_back(std::move(plot));
  }
  std::string orders;
  for (const FittedOrder& fitted : fitted_orders(figure, runs)) {
    if (fitted.quantity != Quantity::energy_error) continue;
    orders +=
        fmt::format("{}{} {:.2f}", orders.empty() ? "" : ", ", fitted.integrator, fitted.order);
    if (fitted.published) orders += fmt::format(" (printed {:.2f})", *fitted.published);
  }
  out.note += fmt::format("\nSlopes of the energy error: {}. ×: printed values.", orders);
}

}  // namespace

ui::PlotFigure draw_paper_figure(const PaperFigure& figure,
                                 const std::vector<const ReproducedRun*>& runs, int columns) {
  ui::PlotFigure out;
  out.title =
      fmt::format("Fig. {} of Lee, Leok and McClamroch (2009): {}", figure.number, figure.title);
  out.note = figure.note;
  if (figure.steps.empty()) {
    over_time(out, figure, runs, columns);
  } else {
    over_steps(out, figure, runs);
  }
  return out;
}

std::string convergence_csv(const PaperFigure& figure,
                            const std::vector<const ReproducedRun*>& runs) {
  const std::vector<StepRuns> lanes = lanes_of(runs);
  const auto each = [&figure, &lanes](const auto& add) {
    for (const StepRuns& lane : lanes)
      for (const Quantity quantity : figure.plots) add(lane, quantity);
  };
  TableWriter table;
  table.add("step [s]");
  each([&table](const StepRuns& lane, Quantity quantity) {
    table.add(fmt::format("{}/mean_{} [{}]", lane.runs.front()->published->integrator,
                          key_of_mean(quantity), info(quantity).unit));
  });
  table.end_row();
  for (std::size_t row = 0; row < figure.steps.size(); ++row) {
    table.add(figure.steps[row]);
    each([&table, row](const StepRuns& lane, Quantity quantity) {
      table.add(lane.runs[row]->mean(quantity).ours);
    });
    table.end_row();
  }
  return table.take();
}

std::vector<FittedOrder> fitted_orders(const PaperFigure& figure,
                                       const std::vector<const ReproducedRun*>& runs) {
  std::vector<FittedOrder> out;
  for (const StepRuns& lane : lanes_of(runs)) {
    const std::string_view integrator = lane.runs.front()->published->integrator;
    for (const Quantity quantity : figure.plots)
      if (quantity == Quantity::energy_error || !find_integrator(integrator)->keeps_sphere)
        out.push_back({integrator, quantity, fitted_order(lane.steps(), lane.means(quantity)),
                       published_order(figure, integrator, quantity)});
  }
  return out;
}

FigurePage paper_page(FigureFormat format) {
  return {format, {510.24, 453.54}, 200};  // 18 cm × 16 cm
}

ui::FigureLook paper_look() { return {8, 0.9}; }

std::span<const PaperEntry> paper_entries() {
  static const std::vector<PaperEntry> list = [] {
    std::vector<PaperEntry> entries;
    for (const PaperFigure& f : paper_figures())
      entries.push_back({f.number, f.title, f.preset, f.note, f.errata});
    const PaperField& f = paper_field();
    entries.push_back({f.number, f.title, f.preset, f.note, f.errata});
    return entries;
  }();
  return list;
}

bool shows_field(std::size_t entry) { return entry >= paper_figures().size(); }

Result<Scenario> paper_run(std::size_t entry) {
  if (shows_field(entry)) {
    const PaperField& field = paper_field();
    return read_scenario(find_preset(field.preset)->text, field.preset);
  }
  std::optional<Scenario> run;
  for (const PublishedRun* lane : paper_figures()[entry].lanes()) {
    auto scenario = lane->scenario();
    if (!scenario) return scenario.error();
    if (!run)
      run = std::move(*scenario);
    else
      run->lanes.push_back(scenario->lanes[0]);
  }
  return std::move(*run);
}

namespace {

ReproductionRow row_of(const FittedOrder& fitted) {
  ReproductionRow row;
  row.run = fitted.integrator;
  row.quantity = fmt::format("slope of the mean {}", label_of_mean(fitted.quantity));
  row.ours = fmt::format("{:.3f}", fitted.order);
  row.published = "figure only";
  if (fitted.published) {
    row.published = fmt::format("{:.3f}", *fitted.published);
    row.ratio = fmt::format("{:.4f}", fitted.order / *fitted.published);
    row.reason = "The published slope is computed from the two printed means.";
  }
  return row;
}

Result<std::optional<ComputedFigure>> compute_field(const std::function<bool(double)>& proceed) {
  auto figure = make_field_figure(paper_field(), ColorMap::paper, proceed);
  if (!figure) return figure.error();
  if (figure->pictures.empty()) return std::optional<ComputedFigure>();
  std::vector<ReproductionRow> rows;
  for (const FieldFigure::Picture& picture : figure->pictures) {
    ReproductionRow row;
    row.run = fmt::format("variational, t = {:.6g} s", picture.t);
    row.quantity = "kinetic energy of a molecule [J]";
    row.ours = as_printed(picture.mean);
    row.published = "figure only";
    rows.push_back(std::move(row));
  }
  return std::optional<ComputedFigure>({as_figure(std::move(*figure)), std::move(rows), {}});
}

}  // namespace

Result<std::optional<ComputedFigure>> compute_paper_figure(
    std::size_t entry, int threads, const std::function<bool(double part)>& proceed) {
  if (shows_field(entry)) return compute_field(proceed);
  const PaperFigure& figure = paper_figures()[entry];
  const int example = figure.lanes().front()->example;
  std::vector<const PublishedRun*> wanted;
  for (const PublishedRun& run : published_runs())
    if (run.example == example) wanted.push_back(&run);
  const auto printed = static_cast<std::ptrdiff_t>(wanted.size());
  const bool against_step = !figure.steps.empty();
  const std::vector<PublishedRun> step_runs =
      against_step ? figure.step_runs() : std::vector<PublishedRun>();
  for (const PublishedRun& run : step_runs) wanted.push_back(&run);
  const auto runs = reproduce(wanted, threads, [&proceed](std::size_t done, std::size_t all) {
    return proceed(static_cast<double>(done) / static_cast<double>(all));
  });
  if (!runs) return runs.error();
  if (runs->empty()) return std::optional<ComputedFigure>();

  const std::vector<ReproducedRun> judged(runs->begin(), runs->begin() + printed);
  std::vector<const ReproducedRun*> drawn;
  if (against_step) {
    for (auto run = runs->begin() + printed; run != runs->end(); ++run) drawn.push_back(&*run);
  } else {
    for (const PublishedRun* lane : figure.lanes())
      for (const ReproducedRun& run : judged)
        if (run.published == lane) drawn.push_back(&run);
  }
  std::vector<ReproductionRow> rows;
  if (against_step)
    for (const FittedOrder& fitted : fitted_orders(figure, drawn)) rows.push_back(row_of(fitted));
  for (const ReproducedRun& run : judged)
    for (ReproductionRow& row : reproduction_rows(run)) {
      if (run.published->preset != figure.preset)
        row.run = fmt::format("{}: {}", run.published->preset, row.run);
      rows.push_back(std::move(row));
    }
  const FigurePage page = paper_page(FigureFormat::png);
  const int columns = 2 * pixels(page.points.x, page.dpi);
  return std::optional<ComputedFigure>(
      {draw_paper_figure(figure, drawn, columns), std::move(rows), tally(judged)});
}

}  // namespace twosphere
