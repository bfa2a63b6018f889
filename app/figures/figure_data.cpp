// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/figures/figure_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "app/base/table_file.h"
#include "core/base/text.h"
#include "core/catalog.h"
#include "core/output/lane_style.h"
#include "ui/plot/lane_curves.h"
#include "ui/plot/lane_lines.h"
#include "ui/plot/marker_group.h"
#include "ui/plot/plot_curves.h"
#include "ui/plot/spectrum_samples.h"

namespace twosphere {

namespace {

// Number of labels on an axis that is fitted here.
constexpr int ticks = 6;
// Number of symbols along the curves of a plot of several signals.
constexpr int name_places = 9;

/// The styles of the lanes, and the legend of those drawn.
class Styles {
 public:
  Styles(FigureColors colors, Palette palette, const Scenario& record)
      : colors_(colors), palette_(palette), lanes_(recorded_lanes(record)) {}

  LaneStyle style(int lane, const std::string& integrator) {
    const IntegratorInfo* info = find_integrator(integrator);
    std::string name = info ? std::string(info->title) : integrator;
    // Lanes with the same integrator are distinguished by their names.
    const auto kin = std::count_if(lanes_.begin(), lanes_.end(),
                                   [&](const LaneSpec& l) { return l.type == integrator; });
    if (kin > 1) name += " (" + lanes_[static_cast<std::size_t>(lane)].name + ")";
    for (const ui::FigureKey& key : keys_)
      if (key.name == name) return key.style;
    LaneStyle style =
        lane_style(lanes_, lane, integrator, palette_,
                   colors_ == FigureColors::paper ? LaneColors::paper : LaneColors::own);
    if (colors_ == FigureColors::grey) {
      static constexpr std::array<std::uint32_t, 3> greys{0x000000, 0x5a5a5a, 0x8c8c8c};
      style.color = {greys[keys_.size() % greys.size()]};
      while (taken(style.dash) && keys_.size() < all_dashes.size())
        style.dash = all_dashes[(static_cast<std::size_t>(style.dash) + 1) % all_dashes.size()];
    }
    keys_.push_back({name, style});
    return style;
  }
  const std::vector<ui::FigureKey>& keys() const { return keys_; }

 private:
  bool taken(Dash dash) const {
    return std::any_of(keys_.begin(), keys_.end(),
                       [dash](const ui::FigureKey& key) { return key.style.dash == dash; });
  }

  FigureColors colors_;
  Palette palette_;
  const std::vector<LaneSpec> lanes_;
  std::vector<ui::FigureKey> keys_;
};

ui::Interval whole(const RunView& run) {
  const History& lane = run.lanes.front();
  const Range times = lane.range(Quantity::time, 0, lane.size());
  ui::Interval all{times.low, times.high};
  if (!(all.span() > 0)) all.high = all.low + 1e-6;
  return all;
}

/// A view with fitted or given axes.
ui::PlotView view_of(const ui::PlotSpec& spec, bool fitted) {
  ui::PlotView view{.spec = spec, .id = {}, .y = {}, .x = {}, .pixel_masks = {}, .spectra = {}};
  view.x.automatic = view.y.automatic = fitted;
  return view;
}

/// The samples of the spectrum of a plot, if they are not the rows: those of the screen, if it has
/// all of the same time.
ui::SharedSamples own_samples(const RunView& run, const ui::VisiblePlot& plot,
                              const std::vector<ui::Curve>& curves, ui::Interval time,
                              bool as_shown) {
  if (!ui::needs_own_samples(plot.spec.y, curves, time)) return nullptr;
  if (plot.own && plot.own->complete && as_shown) return plot.own;
  const History& lane = run.lanes.front();
  return ui::samples_of(
      {run.record, std::llround(lane.steps()[lane.size() - 1]), plot.spec.y, time, 0});
}

std::string heading(const Scenario& record) {
  std::vector<std::string> steps;
  const auto add = [&steps](const std::string& h) {
    if (std::find(steps.begin(), steps.end(), h) == steps.end()) steps.push_back(h);
  };
  for (const LaneSpec& lane : recorded_lanes(record)) add(json::shortest(lane.step));
  for (const Event& event : record.events)
    for (const Setting& setting : event.set)
      if (setting.path.key(setting.path.size() - 1) == "step")
        add(json::shortest(setting.value.number));
  return fmt::format("{}{}h = {} s", record.title, record.title.empty() ? "" : ", ",
                     fmt::join(steps, ", "));
}

std::string marker_note(const std::optional<double>& a, const std::optional<double>& b) {
  std::string note;
  const auto add = [&note](const std::string& name, double t) {
    note += fmt::format("{}{} {:.6g} s", note.empty() ? "" : "    ", name, t);
  };
  if (a) add("A: t =", *a);
  if (b) add("B: t =", *b);
  if (a && b) add("B − A:", *b - *a);
  return note;
}

}  // namespace

ui::PlotFigure make_figure(const RunView& run, const ui::VisiblePlots& shown,
                           const FigureChoice& choice, int columns) {
  const ui::Interval time = choice.whole_run ? whole(run) : shown.time;
  ui::PlotFigure figure;
  if (choice.title) figure.title = heading(*run.record);

  Styles styles(choice.colors, choice.palette, *run.record);
  std::vector<ui::Curve> stretches;
  for (std::size_t l = 0; l < run.lanes.size(); ++l) {
    const int lane = static_cast<int>(l);
    if (shown.hidden_lanes.contains(lane)) continue;
    const History& history = run.lanes[l];
    for (const ui::Segment& segment : ui::segments(history, *run.record, lane)) {
      const Range times =
          history.range(Quantity::time, segment.samples.first, segment.samples.last);
      if (times.low > time.high || times.high < time.low) continue;
      const LaneStyle style = styles.style(lane, segment.integrator);
      stretches.push_back(
          {lane, &history, segment.samples, segment.way_back ? way_back(style) : style});
    }
  }
  if (choice.legend) figure.keys = styles.keys();
  const BodyLook bodies{choice.colors == FigureColors::own ? shown.colored_bodies : 0,
                        choice.palette, choice.colors == FigureColors::own};

  ui::Markers markers;
  if (choice.markers) {
    markers = {shown.marker_a, shown.marker_b};
    for (std::size_t i = 0; i < 2; ++i)
      if (markers[i]) figure.marks.push_back({*markers[i], i == 0 ? "A" : "B"});
    figure.note = marker_note(markers[0], markers[1]);
  }
  if (choice.changes)
    for (const ui::MarkerGroup& mark : ui::marker_groups(run.markers, ui::marker_gap(time)))
      figure.changes.push_back(run.markers[mark.first].t);

  for (std::size_t i = 0; i < shown.plots.size(); ++i) {
    if (choice.left_out.contains(i)) continue;
    const ui::VisiblePlot& from = shown.plots[i];
    ui::PlotView view = view_of(from.spec, choice.whole_run || choice.fitted);
    view.x.range = from.x;
    view.y.range = from.y;
    view.y.linear_threshold = from.transform.linear_threshold;
    view.fit = from.fit;
    const auto curves = ui::curves_of(from.spec, stretches, bodies, shown.reference_lane);
    if (from.spec.spectrum) {
      view.own = own_samples(run, from, curves, time, !choice.whole_run || shown.whole_run);
      view.spectra = ui::spectra_of(from.spec, curves, time, view.own);
      view.strongest = ui::lines_of(from.spec, curves, *run.record, time, view.own);
    }
    const auto parts = ui::fit_plot(view, curves, time, columns, ticks, ticks);
    figure.plots.push_back(ui::plot_model(view, curves, parts, time, columns, ui::Medium::paper,
                                          name_places, markers, shown.reference));
  }
  return figure;
}

ui::PlotModel plot_over_time(const ui::PlotSpec& spec, const std::vector<ui::Curve>& stretches,
                             ui::Interval time, int columns) {
  const std::vector<ui::Curve> curves = ui::curves_of(spec, stretches);
  ui::PlotView view = view_of(spec, true);
  const auto parts = ui::fit_plot(view, curves, time, columns, ticks, ticks);
  return ui::plot_model(view, curves, parts, time, columns, ui::Medium::paper, name_places, {});
}

Result<PlotTable> spectra_table(const RunView& run, const ui::VisiblePlots& shown) {
  std::vector<CsvColumn> columns;
  std::vector<std::vector<double>> values;
  const std::vector<LaneSpec> lanes = recorded_lanes(*run.record);
  std::vector<ui::Curve> curves;
  for (std::size_t l = 0; l < run.lanes.size(); ++l)
    if (const int lane = static_cast<int>(l); !shown.hidden_lanes.contains(lane))
      curves.push_back({lane, &run.lanes[l], {run.lanes[l].first(), run.lanes[l].size()}, {}});
  std::string problem = "No power spectrum is plotted";
  std::size_t grids = 0, longest = 0;
  std::vector<double> frequencies;
  for (const ui::VisiblePlot& plot : shown.plots) {
    if (!plot.spec.spectrum) continue;
    const ui::SharedSamples samples = own_samples(run, plot, curves, shown.time, true);
    const auto lines = ui::lines_of(plot.spec, curves, *run.record, shown.time, samples);
    for (ui::LaneSpectrum& lane : spectra_of(plot.spec, curves, shown.time, samples)) {
      if (lane.spectrum.density.empty()) {
        problem = lane.problem;
        continue;
      }
      std::vector<double> own;
      for (std::size_t k = 0; k < lane.spectrum.density.size(); ++k)
        own.push_back(lane.spectrum.frequency(k));
      // Signals with a larger stride have their own frequencies.
      if (own != frequencies) {
        ++grids;
        columns.push_back({grids == 1 ? "frequency" : fmt::format("frequency.{}", grids), "Hz",
                           "Frequency of the columns up to the next one of this kind."});
        values.push_back(own);
        frequencies = std::move(own);
      }
      const ui::PlotSpec& spec = plot.spec;
      const LaneSpec& of = lanes[static_cast<std::size_t>(lane.lane)];
      std::string help = fmt::format(
          "One-sided power spectral density: {}, with the mean removed and a Hann window, of {} "
          "samples {:.6g} s apart.",
          spec.y.label(), lane.spectrum.samples, lane.spectrum.interval);
      for (const ui::LaneLines& one : lines)
        if (one.lane == lane.lane)
          for (const std::string& note : one.notes) help += " " + capitalised(note) + ".";
      columns.push_back({fmt::format("{}{}_spectrum", lane_prefix(lanes, of), spec.y.column()),
                         ui::unit(spec), std::move(help)});
      values.push_back(std::move(lane.spectrum.density));
      longest = std::max(longest, values.back().size());
    }
  }
  if (columns.empty()) return Error{ErrorKind::usage, "", problem};
  TableWriter table;
  for (const CsvColumn& column : columns) table.add(csv_heading(column));
  table.end_row();
  for (std::size_t row = 0; row < longest; ++row) {
    for (const std::vector<double>& column : values)
      table.add(row < column.size() ? column[row] : std::nan(""));
    table.end_row();
  }
  return PlotTable{table.take(),
                   table_companion(*run.record, columns, {shown.time.low, shown.time.high})};
}

std::vector<std::string> plot_names(const ui::VisiblePlots& shown) {
  std::vector<std::string> names;
  for (const ui::VisiblePlot& plot : shown.plots) {
    const std::string title = ui::title(plot.spec, shown.reference);
    names.push_back(plot.spec.x ? title + " over " + plot.spec.x->label() : title);
  }
  return names;
}

VisibleData::VisibleData(RunView run, const ui::VisiblePlots& shown)
    : run_(std::move(run)), time_{shown.time.low, shown.time.high} {
  parts_ = run_.lanes.front().between(time_.low, time_.high);
  columns_.push_back({csv_column(Quantity::time), 0, Quantity::time});

  std::vector<Signal> signals;
  const auto add = [&signals](const Signal& signal) {
    if (signal == Signal(Quantity::time)) return;
    if (std::find(signals.begin(), signals.end(), signal) == signals.end())
      signals.push_back(signal);
  };
  for (const ui::VisiblePlot& plot : shown.plots) {
    if (plot.spec.x) add(*plot.spec.x);
    for (const Signal& signal : plot.spec.signals()) {
      add(signal);
      if (const auto band = ui::band_of(plot.spec, signal)) {
        add(band->first);
        add(band->second);
      }
    }
  }
  const std::vector<LaneSpec> lanes = recorded_lanes(*run_.record);
  for (std::size_t l = 0; l < run_.lanes.size(); ++l) {
    if (shown.hidden_lanes.contains(static_cast<int>(l))) continue;
    for (const Signal& signal : signals)
      if (signal.kind() != Signal::Kind::distance || !run_.lanes[l].is_reference())
        columns_.push_back({csv_column(signal, lane_prefix(lanes, lanes[l])), l, signal});
  }
}

std::size_t VisibleData::rows() const {
  std::size_t sum = 0;
  for (const IndexRange& part : parts_) sum += part.size();
  return sum;
}

void VisibleData::each(TableWriter::Form form,
                       const std::function<bool(std::string_view)>& take) const {
  TableWriter table(form);
  std::vector<SignalView> views;
  for (const Column& column : columns_) {
    table.add(csv_heading(column.told));
    views.push_back(run_.lanes[column.lane].view(column.signal));
  }
  table.end_row();
  if (!take(table.text())) return;
  for (const IndexRange& part : parts_)
    for (std::size_t sample = part.first; sample < part.last; ++sample) {
      table.clear();
      for (const SignalView& view : views) table.add(view.at(sample));
      table.end_row();
      if (!take(table.text())) return;
    }
}

Result<std::string> VisibleData::text(std::size_t max_bytes) const {
  std::string all;
  each(TableWriter::Form::tabs, [&](std::string_view part) {
    all += part;
    return all.size() <= max_bytes;
  });
  if (all.size() <= max_bytes) return all;
  return Error{
      ErrorKind::usage, "",
      fmt::format("the visible data has {} rows, which exceeds the clipboard limit of {} MiB of "
                  "text; zoom in, or write a file with File > Export visible range",
                  rows(), max_bytes >> 20)};
}

Result<bool> VisibleData::write(const std::string& path, Progress& progress) const {
  std::vector<CsvColumn> told;
  for (const Column& column : columns_) told.push_back(column.told);
  return write_table(
      path, rows(), [this](const auto& take) { each(TableWriter::Form::csv, take); },
      table_companion(*run_.record, told, time_), progress);
}

}  // namespace twosphere
