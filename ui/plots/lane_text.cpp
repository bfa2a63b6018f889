// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/lane_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/text.h"
#include "core/catalog.h"
#include "ui/plot/lane_curves.h"
#include "ui/plots/plot.h"
#include "ui/plots/plot_readout.h"
#include "ui/shell/panel.h"

namespace twosphere::ui {

namespace {

std::string full(double v) { return significant(v, 8, true); }

bool has_errors(const PlotSpec& spec) { return spec.shows_magnitude() || spec.y.error(); }

std::string mean_and_largest(const SegmentFigures::Figures& f) {
  return fmt::format("mean {}   largest {}", error_number(f.mean), error_number(f.worst));
}

SegmentFigures::Figures of_the_run(const Series& values) {
  return {values.mean_magnitude(), values.worst_magnitude()};
}

std::string name_of(std::string_view integrator) {
  const IntegratorInfo* info = find_integrator(integrator);
  return std::string(info ? info->title : integrator);
}

/// How much is computed of the signal of a plot that is behind the others.
double computed_share(const PlotSpec& spec, const History& history) {
  double share = 1;
  for (const Signal& signal : spec.all_signals())
    share = std::min(share, Trace(history, signal).computed());
  return share;
}

/// The value at the instant shown: the newest, or in the past the nearest.
std::size_t at_instant(const Panel& panel, const Trace& trace) {
  return panel.frame.in_past ? trace.nearest(panel.shown.t) : trace.size() - 1;
}

/// If the integrator was changed during the run, the figures are those of the current one; the
/// tooltip contains all.
void errors(const Panel& panel, SegmentFigures& cache, const PlotSpec& spec, int lane,
            const History& history, LaneText& lane_text) {
  const Trace trace(history, spec.y);
  const auto parts = segments(history, *panel.snapshot.record, lane);
  if (parts.size() < 2) {
    lane_text.figures = mean_and_largest(of_the_run(trace.values()));
    lane_text.explanation = "Mean and largest magnitude over every sample of the run.";
    if (as_envelope(spec, spec.y))
      lane_text.explanation +=
          "\nThe line is the running maximum; the band behind it covers every sample.";
    return;
  }
  lane_text.explanation = "Mean and largest magnitude over the samples of each integrator:";
  for (const Segment& part : parts) {
    const IndexRange values = trace.of(part.samples);
    if (values.size() == 0) continue;
    const auto f = cache.of(history, lane, spec.y, part.samples, panel.snapshot.generation);
    lane_text.figures = mean_and_largest(f);
    lane_text.since = fmt::format("from {:.4g} s", trace.time(values.first));
    lane_text.explanation +=
        fmt::format("\n{:.6g} to {:.6g} s: {}\n    {}", trace.time(values.first),
                    trace.time(values.last - 1), name_of(part.integrator), mean_and_largest(f));
  }
  lane_text.explanation +=
      fmt::format("\nThe whole run\n    {}", mean_and_largest(of_the_run(trace.values())));
}

/// The step quantities, as far as the method reports them.
void costs(const Panel& panel, SegmentFigures& cache, const PlotSpec& spec, int lane,
           const History& history, LaneText& lane_text) {
  const Trace trace(history, spec.y);
  lane_text.explanation = spec.y.help();
  const Range range = trace.range(0, trace.size());
  if (std::isnan(range.low)) {
    lane_text.figures = "none";
    if (history.size() > 1) lane_text.explanation += "\nThis method has none.";
    return;
  }
  const auto figure = [](double v) { return std::isnan(v) ? "none" : significant(v, 4); };
  const auto f = cache.of(history, lane, spec.y, {0, history.size()}, panel.snapshot.generation);
  lane_text.figures = fmt::format("mean {}   largest {}   now {}", figure(f.mean), figure(f.worst),
                                  figure(trace.value(at_instant(panel, trace))));
  lane_text.explanation += fmt::format(
      "\nMean and largest over the sampled steps, and the value at the instant shown:\n{}",
      lane_text.figures);
}

/// Values of the samples at A and B and their differences, as in the rows of a CSV.
void compare(const PlotSpec& spec, const History& history, const Markers& markers,
             LaneText& lane_text) {
  const auto short_value = [&](const Reading& r) {
    const auto one = [&](double v) {
      return has_errors(spec) && !std::isnan(v) ? with_minus(fmt::format("{:.4e}", v)) : full(v);
    };
    return spec.x ? fmt::format("({}, {})", significant(r.x, 5), significant(r.y, 5)) : one(r.y);
  };
  const auto full_value = [&](const Reading& r) {
    return spec.x ? fmt::format("{} over {}", r.y, r.x) : fmt::format("{}", r.y);
  };
  const auto readings = at_markers(spec, history, markers);
  std::string places;
  for (std::size_t m = 0; m < markers.size(); ++m) {
    if (!markers[m]) continue;
    const char name = m == 0 ? 'A' : 'B';
    places += fmt::format("  {} {}", name, readings[m] ? short_value(*readings[m]) : "—");
    if (readings[m])
      lane_text.explanation += fmt::format("\n{}: {} {} at t = {} s", name,
                                           full_value(*readings[m]), spec.y.unit(), readings[m]->t);
  }
  if (readings[0] && readings[1]) {
    const double dy = readings[1]->y - readings[0]->y, dx = readings[1]->x - readings[0]->x;
    lane_text.markers = spec.x ? fmt::format("Δ ({}, {})", significant(dx, 5), significant(dy, 5))
                               : fmt::format("Δ {}", with_minus(fmt::format("{:.4e}", dy)));
    lane_text.explanation +=
        fmt::format("\nB − A: {} {} in {} s", dy, spec.y.unit(), readings[1]->t - readings[0]->t);
  }
  lane_text.markers += lane_text.markers.empty() && !places.empty() ? places.substr(2) : places;
}

/// The newest values of several signals (the largest of errors), and those at A and B, each
/// preceded by its symbol.
void values(const Panel& panel, const PlotSpec& spec, const History& history,
            const Markers& markers, LaneText& lane_text) {
  const auto add = [](std::string& text, std::string_view between, const std::string& what) {
    text += (text.empty() ? std::string_view() : between);
    text += what;
  };
  const bool worst = has_errors(spec);
  lane_text.explanation = worst ? "Mean and largest magnitude over every sample:"
                                : "First values of the run, and those of the instant shown:";
  const bool both = markers[0] && markers[1];
  for (const Signal& signal : spec.signals()) {
    const Trace trace(history, signal);
    if (trace.first() == trace.size()) continue;
    const std::string symbol = signal.symbol() + " ";
    const SegmentFigures::Figures whole = of_the_run(trace.values());
    const double first = worst ? whole.mean : trace.value(trace.first());
    const double last = worst ? whole.worst : trace.value(at_instant(panel, trace));
    add(lane_text.figures, figure_gap,
        (lane_text.figures.empty() && worst ? "largest " : "") + symbol +
            short_value_text(spec, last));
    lane_text.explanation += fmt::format("\n{}{} [{}]: {}   {}", symbol, signal.label(),
                                         signal.unit(), full(first), full(last));
    const auto readings = at_markers(spec.of(signal), history, markers);
    for (std::size_t m = 0; m < markers.size(); ++m) {
      if (!readings[m]) continue;
      const char name = m == 0 ? 'A' : 'B';
      lane_text.explanation +=
          fmt::format("\n    {}: {} at t = {} s", name, readings[m]->y, readings[m]->t);
      if (!both)
        add(lane_text.markers, "  ",
            (lane_text.markers.empty() ? fmt::format("{} ", name) : "") + symbol +
                short_value_text(spec, readings[m]->y));
    }
    if (!readings[0] || !readings[1]) continue;
    const double difference = readings[1]->y - readings[0]->y;
    lane_text.explanation += fmt::format("\n    B − A: {}", difference);
    add(lane_text.markers, "  ",
        (lane_text.markers.empty() ? "Δ " : "") + symbol +
            with_minus(fmt::format("{:.3e}", difference)));
  }
}

/// The lines that are marked in the spectrum.
void strongest_lines(const PlotView& plot, const LaneLines& found, LaneText& lane_text) {
  if (found.lines.empty()) return;
  lane_text.explanation += fmt::format(
      "\nLines, found by numerical analysis of the fundamental frequencies{}, with their "
      "amplitudes:",
      found.rows.after_change
          ? fmt::format(", of the {} samples since the last change", found.samples)
          : std::string());
  for (std::size_t k = 0; k < found.lines.size(); ++k) {
    const std::string name = with_index("ν", static_cast<int>(k) + 1);
    const Line& line = found.lines[k];
    lane_text.figures += fmt::format("   {} {}", name, line_text(line, plot.spec.y.unit()));
    lane_text.explanation += fmt::format("\n{} = {} Hz: {} {}", name, line.frequency,
                                         std::abs(line.amplitude), plot.spec.y.unit());
  }
  if (!std::isnan(found.diffusion))
    lane_text.explanation += fmt::format(
        "\nDiffusion, the change of the strongest between the halves: lg |1 − ν₂/ν₁| = "
        "{}",
        significant(found.diffusion, 3));
}

/// The peak of the spectrum, and how it was computed.
void peak(const PlotView& plot, int lane, LaneText& lane_text) {
  for (const LaneSpectrum& one : plot.spectra) {
    if (one.lane != lane) continue;
    const Spectrum& s = one.spectrum;
    lane_text.explanation = one.problem;
    if (s.density.size() < 2) continue;
    const std::size_t k = s.peak();
    lane_text.figures =
        fmt::format("peak at {:.5g} Hz   {}", s.frequency(k), error_number(s.density[k]));
    lane_text.explanation = fmt::format(
        "One-sided power spectral density of {}{} samples {:.6g} s apart, with the mean removed "
        "and a Hann window.\nIts sum times the line spacing, {:.6g} Hz, is the variance weighted "
        "by the window.\nPeak: {} {} at {} Hz",
        s.shortened ? "the newest " : "", s.samples, s.interval, s.frequency(1), s.density[k],
        unit(plot.spec), s.frequency(k));
    if (s.shortened) lane_text.figures += fmt::format("   newest {}", s.samples);
  }
  for (const LaneLines& one : plot.strongest) {
    if (one.lane != lane) continue;
    strongest_lines(plot, one, lane_text);
    if (one.rows.may_be_aliased()) lane_text.figures += "   samples too far apart";
    for (const std::string& note : one.notes) lane_text.explanation += '\n' + capitalised(note);
  }
}

}  // namespace

std::array<std::optional<Reading>, 2> at_markers(const PlotSpec& spec, const History& history,
                                                 const Markers& markers) {
  std::array<std::optional<Reading>, 2> readings;
  if (history.size() == 0) return readings;
  const Range times = history.range(Quantity::time, 0, history.size());
  for (std::size_t m = 0; m < markers.size(); ++m)
    if (markers[m] && *markers[m] >= times.low && *markers[m] <= times.high)
      readings[m] =
          read_at(spec, {0, &history, {history.first(), history.size()}, {}, spec.y}, *markers[m]);
  return readings;
}

LaneText describe_lane(const Panel& panel, SegmentFigures& cache, const PlotView& plot, int lane,
                       const Markers& markers) {
  LaneText lane_text;
  const PlotSpec& spec = plot.spec;
  const History& history = panel.frame.histories[static_cast<std::size_t>(lane)];
  if (!exists(panel, spec)) return lane_text;
  if (spec.y.kind() == Signal::Kind::distance && history.is_reference()) {
    const bool run = panel.reference_is_run();
    lane_text.figures = run ? panel.reference_name() + " is the reference" : "reference";
    lane_text.explanation = run ? "The distances of the other runs are measured from this run."
                                : "The distances of the other lanes are measured from this lane.";
    return lane_text;
  }
  const Trace trace(history, spec.y);
  if (trace.first() == trace.size()) return lane_text;
  if (const double share = computed_share(spec, history); share < 1) {
    lane_text.figures = fmt::format("{:.0f} % computed", std::floor(100 * share));
    lane_text.explanation =
        "The values are computed from the states of the run, some in each frame.";
    return lane_text;
  }
  if (spec.spectrum) {
    peak(plot, lane, lane_text);
    return lane_text;
  }
  if (!spec.also.empty()) {
    values(panel, spec, history, markers, lane_text);
    return lane_text;
  }
  if (spec.x) {
    const auto last = read_at(spec, {lane, &history, {history.first(), history.size()}, {}, spec.y},
                              trace.time(at_instant(panel, trace)));
    if (last) lane_text.figures = fmt::format("now ({}, {})", full(last->x), full(last->y));
    lane_text.explanation = "The point of the instant shown.";
  } else if (spec.y.step_quantity()) {
    costs(panel, cache, spec, lane, history, lane_text);
  } else if (has_errors(spec)) {
    errors(panel, cache, spec, lane, history, lane_text);
  } else if (spec.y.momentum_axis()) {
    const double start = trace.value(trace.first());
    const Range range = trace.range(0, trace.size());
    lane_text.figures = fmt::format(
        "start {}   change {}", full(start),
        error_number(std::max(std::abs(range.low - start), std::abs(range.high - start))));
    lane_text.explanation = "First value of the run, and the largest deviation from it.";
  } else {
    const bool energy = spec.y.quantity() == Quantity::total_energy;
    lane_text.figures =
        fmt::format("{} {}   now {}", energy ? "E₀" : "start", full(trace.value(trace.first())),
                    full(trace.value(at_instant(panel, trace))));
    lane_text.explanation = "First value of the run, and that of the instant shown.";
  }
  compare(spec, history, markers, lane_text);
  return lane_text;
}

std::string describe_run(const Panel& panel, const PlotSpec& spec, const BranchView& run) {
  const History& history = run.present ? panel.frame.histories.front() : run.histories->front();
  const Trace trace(history, spec.y);
  if (history.size() == 0 || trace.first() == trace.size()) return run.look.name;
  const std::size_t at = at_instant(panel, trace), last = trace.size() - 1;
  const double apart = last > 0 ? std::abs(trace.time(last) - trace.time(last - 1)) : 0;
  const double now = panel.frame.in_past ? panel.shown.t : panel.snapshot.t;
  const bool over = at == last && std::abs(now - trace.time(last)) > 2 * apart;
  return fmt::format("{1}{0}{2} {3}{0}largest {4}", figure_gap, run.look.name,
                     over ? "last" : "now", significant(trace.value(at), 4),
                     significant(trace.range(0, trace.size()).high, 4));
}

}  // namespace twosphere::ui
