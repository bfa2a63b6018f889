// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/figures/figure_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <string>

#include "app/figures/clip.h"
#include "core/base/json.h"
#include "core/catalog.h"
#include "core/export/csv.h"
#include "ui/plot/lane_curves.h"
#include "ui/plot/tag_mark.h"
#include "ui/plots/plot_curves.h"

namespace twosphere {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
// Labels on an axis that is fitted here.
constexpr int ticks = 6;
// A portrait of more points is drawn only where it leads to new cells, of so many columns each.
constexpr std::size_t longest_line = 20'000;
constexpr int cell_columns = 2;
// Symbols along the curves of a plot of several signals.
constexpr int name_places = 9;

/// How the lanes are drawn, and the legend of those that were.
class Styles {
 public:
  Styles(FigureColors colors, const Scenario& record) : colors_(colors), record_(record) {}

  ui::LaneStyle style(int lane, const std::string& integrator) {
    const IntegratorInfo* info = find_integrator(integrator);
    std::string name = info ? std::string(info->title) : integrator;
    // Lanes of a kind are told apart by their names.
    const auto& lanes = record_.lanes;
    const auto kin = std::count_if(lanes.begin(), lanes.end(),
                                   [&](const LaneSpec& l) { return l.type == integrator; });
    if (kin > 1) name += " (" + lanes[static_cast<std::size_t>(lane)].name + ")";
    for (const FigureKey& key : keys_)
      if (key.name == name) return key.style;
    ui::LaneStyle style =
        ui::lane_style(ui::look(record_.lanes, lane, integrator), Palette::light,
                       colors_ == FigureColors::paper ? LaneColors::paper : LaneColors::own);
    if (colors_ == FigureColors::grey) {
      static constexpr std::array<std::uint32_t, 3> greys{0x000000, 0x5a5a5a, 0x8c8c8c};
      style.color = {greys[keys_.size() % greys.size()]};
      while (taken(style.dash) && keys_.size() < ui::dashes.size())
        style.dash = ui::dashes[(static_cast<std::size_t>(style.dash) + 1) % ui::dashes.size()];
    }
    keys_.push_back({name, style});
    return style;
  }
  const std::vector<FigureKey>& keys() const { return keys_; }

 private:
  bool taken(ui::Dash dash) const {
    return std::any_of(keys_.begin(), keys_.end(),
                       [dash](const FigureKey& key) { return key.style.dash == dash; });
  }

  FigureColors colors_;
  const Scenario& record_;
  std::vector<FigureKey> keys_;
};

ui::Interval whole(const LiveRun& run) {
  const Series& times = run.histories().front().column(Quantity::time);
  ui::Interval all{times.front(), times.back()};
  if (!(all.span() > 0)) all.high = all.low + 1e-6;
  return all;
}

/// Every visible value, or extremes of columns in an order that makes the way short.
FigureCurve over_time(const ui::PlotSpec& spec, const ui::Transform& transform,
                      const ui::Curve& curve, const ui::Reduced& part, ui::Interval time) {
  FigureCurve out{curve.style, {}, {}};
  const auto place = [&](double v) {
    return std::isfinite(v) ? transform.forward(spec.shows_magnitude() ? std::abs(v) : v) : nan;
  };
  const bool logarithmic = transform.scale == ui::Scale::logarithmic;
  if (!part.dense) {
    const ui::Trace trace(*curve.history, curve.signal);
    for (std::size_t i = part.values.first; i < part.values.last; ++i) {
      out.points.emplace_back(trace.time(i), place(trace.value(i)));
      if (!logarithmic || i == part.values.first) continue;
      const double here = trace.value(i), before = trace.value(i - 1);
      if ((here == 0) != (before == 0))
        out.drops.push_back(here == 0 ? out.points[out.points.size() - 2] : out.points.back());
    }
    return out;
  }
  const double width = time.span() / static_cast<double>(part.columns.size());
  for (std::size_t i = 0; i < part.columns.size(); ++i) {
    const ui::Extremes& e = part.columns[i];
    if (e.empty) continue;
    const double t = time.low + width * (static_cast<double>(i) + 0.5);
    double first = place(e.low), second = place(e.high);
    if (logarithmic && e.low == 0 && e.high > 0) {
      out.points.emplace_back(t, second);
      out.drops.emplace_back(t, second);
      continue;
    }
    if (!out.points.empty() &&
        std::abs(out.points.back().y() - second) < std::abs(out.points.back().y() - first))
      std::swap(first, second);
    out.points.emplace_back(t, first);
    if (second != first) out.points.emplace_back(t, second);
  }
  return out;
}

/// Which parts of a plot a long line has been to, on a square grid.
class Cells {
 public:
  explicit Cells(int side)
      : side_(side), been_(static_cast<std::size_t>(side) * static_cast<std::size_t>(side)) {}

  /// Whether the way between two points, in parts of the plot, leads anywhere new; then it has been
  /// there.
  bool visit(QPointF a, QPointF b) {
    const auto inside = clipped(a, b, QRectF(0, 0, 1, 1));
    if (!inside) return false;
    const QPointF from = inside->first * side_, way = (inside->second - inside->first) * side_;
    const int steps = 1 + static_cast<int>(2 * std::max(std::abs(way.x()), std::abs(way.y())));
    bool fresh = false;
    for (int k = 0; k <= steps; ++k) {
      const QPointF at = from + way * k / steps;
      const auto index = [this](double x) {
        return static_cast<std::size_t>(std::min(static_cast<int>(x), side_ - 1));
      };
      const std::size_t cell = index(at.y()) * static_cast<std::size_t>(side_) + index(at.x());
      fresh = fresh || !been_[cell];
      been_[cell] = true;
    }
    return fresh;
  }

 private:
  int side_;
  std::vector<bool> been_;
};

/// One signal over another. A long line is drawn where it has not been before.
FigureCurve portrait(const ui::PlotSpec& spec, const FigurePlot& plot, const ui::Curve& curve,
                     ui::Interval time, int columns) {
  FigureCurve out{curve.style, {}, {}};
  const ui::Pairs pairs(spec, curve);
  const ui::IndexRange points = pairs.visible(time);
  const auto at = [&](std::size_t i) {
    const double x = pairs.x(i), y = pairs.y(i);
    if (!std::isfinite(x) || !std::isfinite(y)) return QPointF(nan, nan);
    return QPointF(x, plot.y.transform.forward(spec.shows_magnitude() ? std::abs(y) : y));
  };
  if (points.size() <= longest_line) {
    for (std::size_t i = points.first; i < points.last; ++i) out.points.push_back(at(i));
    return out;
  }
  Cells cells(std::max(1, columns / cell_columns));
  const auto part = [&plot](QPointF p) {
    return QPointF((p.x() - plot.x.range.low) / plot.x.range.span(),
                   (p.y() - plot.y.range.low) / plot.y.range.span());
  };
  QPointF last = at(points.first);
  bool joined = false;  // the line has come as far as the last point
  for (std::size_t i = points.first + 1; i < points.last; ++i) {
    const QPointF next = at(i);
    const bool finite = std::isfinite(last.x()) && std::isfinite(last.y()) &&
                        std::isfinite(next.x()) && std::isfinite(next.y());
    if (finite && cells.visit(part(last), part(next))) {
      if (!joined) {
        if (!out.points.empty()) out.points.emplace_back(nan, nan);
        out.points.push_back(last);
      }
      out.points.push_back(next);
      joined = true;
    } else {
      joined = false;
    }
    last = next;
  }
  return out;
}

/// The power spectra of the lanes over a stretch of time.
void add_spectra(FigurePlot& plot, const ui::VisiblePlot& from,
                 const std::vector<ui::Curve>& curves, ui::Interval time, bool fitted,
                 int columns) {
  std::vector<ui::LaneSpectrum> spectra;
  update_spectra(spectra, from.spec, curves, time, {}, 0);
  const ui::Transform logarithmic{ui::Scale::logarithmic, 0};
  plot.x = {"frequency, Hann window, mean removed", "Hz", logarithmic,
            fitted ? frequency_range(spectra) : from.x};
  plot.y.transform = logarithmic;
  if (fitted) plot.y.range = density_range(spectra);
  for (const ui::LaneSpectrum& lane : spectra) {
    FigureCurve curve{lane.style, {}, {}};
    for (const auto& [at, density] : spectrum_points(lane.spectrum, plot.x.range, columns))
      curve.points.emplace_back(at, logarithmic.forward(density));
    plot.curves.push_back(std::move(curve));
  }
}

/// Which curve is whose, where there are several signals.
std::vector<FigureName> names_of(const ui::PlotSpec& spec, const FigurePlot& plot,
                                 const std::vector<ui::Curve>& curves, ui::Interval time) {
  std::vector<FigureName> names;
  for (const ui::CurveName& name : ui::curve_names(spec, curves, time, name_places)) {
    const ui::Curve& curve = curves[name.curve];
    names.push_back(
        {curve.style, curve.signal.symbol(), {name.at.t, plot.y.transform.forward(name.at.y)}});
  }
  return names;
}

std::string heading(const Scenario& record) {
  std::vector<std::string> steps;
  const auto add = [&steps](const std::string& h) {
    if (std::find(steps.begin(), steps.end(), h) == steps.end()) steps.push_back(h);
  };
  for (const LaneSpec& lane : record.lanes) add(json::shortest(lane.step));
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

PlotFigure make_figure(const LiveRun& run, const ui::VisiblePlots& shown,
                       const FigureChoice& choice, int columns) {
  const Snapshot& now = run.snapshot();
  const ui::Interval time = choice.whole_run ? whole(run) : shown.time;
  PlotFigure figure;
  if (choice.title) figure.title = heading(*now.record);

  Styles styles(choice.colors, *now.record);
  std::vector<ui::Curve> stretches;
  for (std::size_t l = 0; l < run.histories().size(); ++l) {
    const int lane = static_cast<int>(l);
    if (shown.hidden_lanes.contains(lane)) continue;
    const History& history = run.histories()[l];
    for (const ui::Segment& segment : ui::segments(history, *now.record, lane)) {
      const Series& times = history.column(Quantity::time);
      if (times[segment.samples.first] > time.high || times[segment.samples.last - 1] < time.low)
        continue;
      stretches.push_back(
          {lane, &history, segment.samples, styles.style(lane, segment.integrator)});
    }
  }
  if (choice.legend) figure.keys = styles.keys();
  const ui::BodyLook bodies{choice.colors == FigureColors::own ? shown.colored_bodies : 0,
                            Palette::light};

  std::array<std::optional<double>, 2> markers;
  if (choice.markers) {
    markers = {shown.marker_a, shown.marker_b};
    for (std::size_t i = 0; i < 2; ++i)
      if (markers[i]) figure.marks.push_back({*markers[i], i == 0 ? "A" : "B"});
    figure.note = marker_note(markers[0], markers[1]);
  }
  if (choice.changes)
    for (std::size_t k = 0; k < now.tags.size(); ++k) {
      figure.changes.push_back(now.tags[k].t);
      k = ui::tag_mark(now.tags, k, ui::tag_gap(time)).last;
    }

  for (std::size_t i = 0; i < shown.plots.size(); ++i) {
    if (choice.left_out.contains(i)) continue;
    const ui::VisiblePlot& from = shown.plots[i];
    FigurePlot plot;
    plot.over_time = from.spec.over_time();
    plot.x = {from.spec.x ? from.spec.x->label() : "time",
              std::string(from.spec.x ? from.spec.x->unit() : "s"),
              {},
              from.spec.x ? from.x : time};
    plot.y = {ui::title(from.spec, shown.reference), ui::unit(from.spec), from.transform, from.y};
    if (from.spec.spectrum) {
      add_spectra(plot, from, ui::curves_of(from.spec, stretches, shown.reference_lane, bodies),
                  time, choice.whole_run, columns);
      figure.plots.push_back(std::move(plot));
      continue;
    }

    const std::vector<ui::Curve> curves =
        ui::curves_of(from.spec, stretches, shown.reference_lane, bodies);
    std::vector<ui::Reduced> parts;
    if (!from.spec.x)
      for (const ui::Curve& curve : curves)
        parts.push_back(ui::reduced(from.spec, curve, time, columns));
    if (choice.whole_run) {
      ui::PlotView view{from.spec, {}, {}, {}, {}, {}};
      if (from.spec.x)
        ui::fit_portrait(view, curves, time, ticks, ticks);
      else
        ui::fit(view.y, from.spec, curves, parts, ticks);
      plot.y.transform = view.transform();
      plot.y.range = view.y.range;
      if (from.spec.x) plot.x.range = view.x.range;
    }
    for (std::size_t c = 0; c < curves.size(); ++c) {
      plot.curves.push_back(
          from.spec.x ? portrait(from.spec, plot, curves[c], time, columns)
                      : over_time(from.spec, plot.y.transform, curves[c], parts[c], time));
    }
    plot.names = names_of(from.spec, plot, curves, time);
    for (const auto& marker : markers)
      for (const ui::Curve& curve : curves)
        if (marker)
          if (const auto reading = ui::read_at(from.spec, curve, *marker))
            plot.dots.push_back(
                {curve.style,
                 {from.spec.x ? reading->x : reading->t, plot.y.transform.forward(reading->y)}});
    figure.plots.push_back(std::move(plot));
  }
  return figure;
}

FigurePlot plot_over_time(const ui::PlotSpec& spec, const std::vector<ui::Curve>& stretches,
                          ui::Interval time, int columns) {
  const std::vector<ui::Curve> curves = ui::curves_of(spec, stretches);
  std::vector<ui::Reduced> parts;
  for (const ui::Curve& curve : curves) parts.push_back(ui::reduced(spec, curve, time, columns));
  ui::PlotView view{spec, {}, {}, {}, {}, {}};
  ui::fit(view.y, spec, curves, parts, ticks);
  FigurePlot plot;
  plot.x = {"time", "s", {}, time};
  plot.y = {ui::title(spec), std::string(spec.y.unit()), view.transform(), view.y.range};
  for (std::size_t i = 0; i < curves.size(); ++i)
    plot.curves.push_back(over_time(spec, plot.y.transform, curves[i], parts[i], time));
  return plot;
}

Result<std::string> spectra_table(const LiveRun& run, const ui::VisiblePlots& shown) {
  struct Column {
    std::string name;
    std::vector<double> values;
  };
  std::vector<Column> columns;
  const Scenario& record = *run.snapshot().record;
  std::vector<ui::Curve> curves;
  for (std::size_t l = 0; l < run.histories().size(); ++l)
    if (const int lane = static_cast<int>(l); !shown.hidden_lanes.contains(lane))
      curves.push_back({lane, &run.histories()[l], {0, run.histories()[l].size()}, {}});
  std::string problem = "No power spectrum is plotted";
  std::size_t grids = 0, longest = 0;
  std::vector<double> frequencies;
  for (const ui::VisiblePlot& plot : shown.plots) {
    if (!plot.spec.spectrum) continue;
    std::vector<ui::LaneSpectrum> spectra;
    update_spectra(spectra, plot.spec, curves, shown.time, {}, 0);
    for (ui::LaneSpectrum& lane : spectra) {
      if (lane.spectrum.density.empty()) {
        problem = lane.problem;
        continue;
      }
      std::vector<double> own;
      for (std::size_t k = 0; k < lane.spectrum.density.size(); ++k)
        own.push_back(lane.spectrum.frequency(k));
      // Signals that are kept more rarely have frequencies of their own.
      if (own != frequencies) {
        ++grids;
        columns.push_back(
            {grids == 1 ? "frequency [Hz]" : fmt::format("frequency.{} [Hz]", grids), own});
        frequencies = std::move(own);
      }
      const std::string name = record.lanes.size() > 1
                                   ? record.lanes[static_cast<std::size_t>(lane.lane)].name + "/"
                                   : std::string();
      columns.push_back(
          {fmt::format("{}{}_spectrum [{}]", name, plot.spec.y.key(), ui::unit(plot.spec)),
           std::move(lane.spectrum.density)});
      longest = std::max(longest, columns.back().values.size());
    }
  }
  if (columns.empty()) return Error{ErrorKind::usage, "", problem};
  std::string out;
  for (const Column& column : columns)
    out += (&column == &columns.front() ? "" : ",") + csv_field(column.name);
  out += "\r\n";
  for (std::size_t row = 0; row < longest; ++row) {
    for (const Column& column : columns) {
      if (&column != &columns.front()) out += ',';
      if (row < column.values.size()) out += json::shortest(column.values[row]);
    }
    out += "\r\n";
  }
  return out;
}

std::vector<std::string> plot_names(const ui::VisiblePlots& shown) {
  std::vector<std::string> names;
  for (const ui::VisiblePlot& plot : shown.plots) {
    const std::string title = ui::title(plot.spec, shown.reference);
    names.push_back(plot.spec.x ? title + " over " + plot.spec.x->label() : title);
  }
  return names;
}

VisibleData::VisibleData(const LiveRun& run, const ui::VisiblePlots& shown) {
  const Series& times = run.histories().front().column(Quantity::time);
  first_ = times.lower_bound(shown.time.low);
  rows_ = std::max(first_, times.upper_bound(shown.time.high)) - first_;
  for (const History& history : run.histories()) lanes_.push_back(history.quantities());
  columns_.push_back({.heading = "time [s]", .quantity = Quantity::time});

  std::vector<Signal> signals;
  const auto add = [&signals](const Signal& signal) {
    if (signal == Signal(Quantity::time)) return;
    if (std::find(signals.begin(), signals.end(), signal) == signals.end())
      signals.push_back(signal);
  };
  for (const ui::VisiblePlot& plot : shown.plots) {
    if (plot.spec.x) add(*plot.spec.x);
    for (const Signal& signal : plot.spec.signals()) add(signal);
  }
  const auto& lanes = run.snapshot().record->lanes;
  for (std::size_t l = 0; l < run.histories().size(); ++l) {
    if (shown.hidden_lanes.contains(static_cast<int>(l))) continue;
    for (const Signal& signal : signals) {
      Column column{.heading = fmt::format("{}{} [{}]", lanes.size() > 1 ? lanes[l].name + "/" : "",
                                           signal.key(), signal.unit()),
                    .lane = l,
                    .quantity = signal.quantity()};
      if (!column.quantity) {
        const SignalView view = run.histories()[l].view(signal);
        column.stride = view.stride;
        column.own = *view.values;
      }
      columns_.push_back(std::move(column));
    }
  }
}

Result<std::string> VisibleData::text(std::size_t most) const {
  std::string out;
  for (const Column& column : columns_)
    out += (&column == &columns_.front() ? "" : "\t") + column.heading;
  out += '\n';
  for (std::size_t sample = first_; sample < first_ + rows_; ++sample) {
    for (const Column& column : columns_) {
      if (&column != &columns_.front()) out += '\t';
      if (sample % column.stride != 0) continue;
      const Series& from = values(column);
      if (const std::size_t k = sample / column.stride; k < from.size())
        out += json::shortest(from[k]);
    }
    out += '\n';
    if (out.size() > most)
      return Error{
          ErrorKind::usage, "",
          fmt::format("the visible data has {} rows, more than the {} MiB of text that the "
                      "clipboard takes: zoom in, or write a file by File > Export "
                      "visible range",
                      rows_, most >> 20)};
  }
  return out;
}

}  // namespace twosphere
