// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot_legend.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "core/catalog.h"
#include "ui/panel.h"
#include "ui/plot_curves.h"

namespace twosphere::ui {

namespace {

constexpr float row_height = 18, least_name = 24;
constexpr std::string_view gap = "   ";  // between figures

std::string number(double v) { return with_minus(fmt::format("{:#.8g}", v)); }

bool has_errors(const PlotSpec& spec) { return spec.shows_magnitude() || spec.y.error(); }

std::string mean_and_worst(const SegmentFigures::Figures& f) {
  return fmt::format("mean {}   worst {}", error_number(f.mean), error_number(f.worst));
}

SegmentFigures::Figures of_the_run(const Series& values) {
  return {values.mean_magnitude(), values.worst_magnitude()};
}

std::string name_of(std::string_view integrator) {
  const IntegratorInfo* info = find_integrator(integrator);
  return std::string(info ? info->title : integrator);
}

/// "Runge-Kutta (RK4)", and the lane's name where that says more.
std::string lane_title(const Panel& panel, int lane) {
  const auto& lanes = panel.snapshot.lanes;
  const Snapshot::LaneView& view = lanes[static_cast<std::size_t>(lane)];
  const std::string title(view.info ? view.info->title : std::string_view(view.name));
  return lanes.size() > 1 ? fmt::format("{} ({})", title, view.name) : title;
}

/// Everything that is said about a lane under a plot.
struct Words {
  std::string figures;
  std::string since;    // where the figures begin, if not with the run
  std::string markers;  // values at A and B
  std::string explanation;
};

/// Where the integrator was swapped, the figures are those of the present one; the tooltip has all.
void errors(const Panel& panel, SegmentFigures& cache, const PlotSpec& spec, int lane,
            const History& history, Words& words) {
  const Trace trace(history, spec.y);
  const auto parts = segments(history, *panel.snapshot.record, lane);
  if (parts.size() < 2) {
    words.figures = mean_and_worst(of_the_run(trace.values()));
    words.explanation = "Mean and worst magnitude over every sample of the run.";
    return;
  }
  words.explanation = "Mean and worst magnitude over the samples of each integrator:";
  for (const Segment& part : parts) {
    const Stretch values = trace.of(part.samples);
    if (values.size() == 0) continue;
    const auto f = cache.of(history, lane, spec.y, part.samples, panel.snapshot.generation);
    words.figures = mean_and_worst(f);
    words.since = fmt::format("from {:.4g} s", trace.time(values.first));
    words.explanation +=
        fmt::format("\n{:.6g} to {:.6g} s: {}\n    {}", trace.time(values.first),
                    trace.time(values.last - 1), name_of(part.integrator), mean_and_worst(f));
  }
  words.explanation +=
      fmt::format("\nThe whole run\n    {}", mean_and_worst(of_the_run(trace.values())));
}

/// What its steps cost, as far as they had such a cost.
void costs(const Panel& panel, SegmentFigures& cache, const PlotSpec& spec, int lane,
           const History& history, Words& words) {
  const Trace trace(history, spec.y);
  words.explanation = spec.y.help();
  const Range range = trace.range(0, trace.size());
  if (std::isnan(range.low)) {
    words.figures = "none";
    if (history.size() > 1) words.explanation += "\nThis method has none.";
    return;
  }
  const auto figure = [](double v) {
    return std::isnan(v) ? "none" : with_minus(fmt::format("{:.4g}", v));
  };
  const auto f = cache.of(history, lane, spec.y, {0, history.size()}, panel.snapshot.generation);
  words.figures = fmt::format("mean {}   worst {}   now {}", figure(f.mean), figure(f.worst),
                              figure(trace.value(trace.size() - 1)));
  words.explanation +=
      fmt::format("\nMean and worst over the sampled steps, and the newest:\n{}", words.figures);
}

/// Values of the samples at A and B and what lies between them: what the rows of a CSV say.
void compare(const PlotSpec& spec, const History& history, const Markers& markers, Words& words) {
  const auto short_value = [&](const Reading& r) {
    const auto one = [&](double v) {
      return has_errors(spec) ? with_minus(fmt::format("{:.4e}", v)) : number(v);
    };
    return spec.x ? fmt::format("({}, {})", with_minus(fmt::format("{:.5g}", r.x)),
                                with_minus(fmt::format("{:.5g}", r.y)))
                  : one(r.y);
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
      words.explanation += fmt::format("\n{}: {} {} at t = {} s", name, full_value(*readings[m]),
                                       spec.y.unit(), readings[m]->t);
  }
  if (readings[0] && readings[1]) {
    const double dy = readings[1]->y - readings[0]->y, dx = readings[1]->x - readings[0]->x;
    words.markers = spec.x ? fmt::format("Δ ({}, {})", with_minus(fmt::format("{:.5g}", dx)),
                                         with_minus(fmt::format("{:.5g}", dy)))
                           : fmt::format("Δ {}", with_minus(fmt::format("{:.4e}", dy)));
    words.explanation +=
        fmt::format("\nB − A: {} {} in {} s", dy, spec.y.unit(), readings[1]->t - readings[0]->t);
  }
  words.markers += words.markers.empty() && !places.empty() ? places.substr(2) : places;
}

/// The newest values of several signals, of errors the worst, and at A and B; each begins with its
/// symbol.
void values(const PlotSpec& spec, const History& history, const Markers& markers, Words& words) {
  const auto add = [](std::string& text, std::string_view between, const std::string& what) {
    text += (text.empty() ? std::string_view() : between);
    text += what;
  };
  const bool worst = has_errors(spec);
  words.explanation =
      worst ? "Mean and worst magnitude over every sample:" : "First and newest values of the run:";
  const bool both = markers[0] && markers[1];
  for (const Signal& signal : spec.signals()) {
    const Trace trace(history, signal);
    if (trace.size() == 0) continue;
    const std::string symbol = signal.symbol() + " ";
    const SegmentFigures::Figures whole = of_the_run(trace.values());
    const double first = worst ? whole.mean : trace.value(0);
    const double last = worst ? whole.worst : trace.value(trace.size() - 1);
    add(words.figures, gap,
        (words.figures.empty() && worst ? "worst " : "") + symbol + short_value_text(spec, last));
    words.explanation += fmt::format("\n{}{} [{}]: {}   {}", symbol, signal.label(), signal.unit(),
                                     number(first), number(last));
    const auto readings = at_markers(spec.of(signal), history, markers);
    for (std::size_t m = 0; m < markers.size(); ++m) {
      if (!readings[m]) continue;
      const char name = m == 0 ? 'A' : 'B';
      words.explanation +=
          fmt::format("\n    {}: {} at t = {} s", name, readings[m]->y, readings[m]->t);
      if (!both)
        add(words.markers, "  ",
            (words.markers.empty() ? fmt::format("{} ", name) : "") + symbol +
                short_value_text(spec, readings[m]->y));
    }
    if (!readings[0] || !readings[1]) continue;
    const double difference = readings[1]->y - readings[0]->y;
    words.explanation += fmt::format("\n    B − A: {}", difference);
    add(words.markers, "  ",
        (words.markers.empty() ? "Δ " : "") + symbol +
            with_minus(fmt::format("{:.3e}", difference)));
  }
}

/// Where the spectrum is highest, and how it was made.
void peak(const PlotView& plot, int lane, Words& words) {
  for (const LaneSpectrum& one : plot.spectra) {
    if (one.lane != lane) continue;
    const Spectrum& s = one.spectrum;
    words.explanation = one.problem;
    if (s.density.size() < 2) continue;
    const std::size_t k = s.peak();
    words.figures =
        fmt::format("peak at {:.5g} Hz   {}", s.frequency(k), error_number(s.density[k]));
    words.explanation = fmt::format(
        "One-sided power spectral density of {}{} samples {:.6g} s apart, without their mean and "
        "under Hann's window.\nIts sum times {:.6g} Hz, the distance of its lines, is the variance "
        "under the window.\nPeak: {} {} at {} Hz",
        s.shortened ? "the newest " : "", s.samples, s.interval, s.frequency(1), s.density[k],
        unit(plot.spec), s.frequency(k));
    if (s.shortened) words.figures += fmt::format("   newest {}", s.samples);
  }
}

Words describe(const Panel& panel, SegmentFigures& cache, const PlotView& plot, int lane,
               const Markers& markers) {
  Words words;
  const PlotSpec& spec = plot.spec;
  const History& history = panel.frame.histories[static_cast<std::size_t>(lane)];
  if (!exists(panel, spec)) return words;
  if (spec.y.kind() == Signal::Kind::distance && lane == panel.reference) {
    words.figures = "reference";
    words.explanation = "The distance of the others is taken from this lane.";
    return words;
  }
  const Trace trace(history, spec.y);
  if (trace.size() == 0) return words;
  if (spec.spectrum) {
    peak(plot, lane, words);
    return words;
  }
  if (!spec.also.empty()) {
    values(spec, history, markers, words);
    return words;
  }
  if (spec.x) {
    const auto last = read_at(spec, {lane, &history, {0, history.size()}, {}, spec.y},
                              trace.time(trace.size() - 1));
    if (last) words.figures = fmt::format("now ({}, {})", number(last->x), number(last->y));
    words.explanation = "The newest point of the curve.";
  } else if (spec.y.step_quantity()) {
    costs(panel, cache, spec, lane, history, words);
  } else if (has_errors(spec)) {
    errors(panel, cache, spec, lane, history, words);
  } else if (spec.y.momentum_axis()) {
    const double start = trace.value(0);
    const Range range = trace.range(0, trace.size());
    words.figures = fmt::format(
        "start {}   change {}", number(start),
        error_number(std::max(std::abs(range.low - start), std::abs(range.high - start))));
    words.explanation = "First value of the run, and how far it was ever away from it.";
  } else {
    const bool energy = spec.y.quantity() == Quantity::total_energy;
    words.figures = fmt::format("{} {}   now {}", energy ? "E₀" : "start", number(trace.value(0)),
                                number(trace.value(trace.size() - 1)));
    words.explanation = "First and newest value of the run.";
  }
  compare(spec, history, markers, words);
  return words;
}

}  // namespace

std::array<std::optional<Reading>, 2> at_markers(const PlotSpec& spec, const History& history,
                                                 const Markers& markers) {
  std::array<std::optional<Reading>, 2> readings;
  if (history.size() == 0) return readings;
  const Series& times = history.column(Quantity::time);
  for (std::size_t m = 0; m < markers.size(); ++m)
    if (markers[m] && *markers[m] >= times.front() && *markers[m] <= times.back())
      readings[m] = read_at(spec, {0, &history, {0, history.size()}, {}, spec.y}, *markers[m]);
  return readings;
}

SegmentFigures::Figures SegmentFigures::of(const History& history, int lane, const Signal& signal,
                                           Stretch samples, std::uint64_t generation) {
  if (generation_ != generation) sums_.clear();
  generation_ = generation;
  const Trace trace(history, signal);
  const Stretch values = trace.of(samples);
  Sum& sum = sums_[{lane, signal, samples.first}];
  const bool valid = sum.values.last > values.first && sum.values.first == values.first &&
                     sum.values.last <= values.last &&
                     trace.time(sum.values.last - 1) == sum.last_time;
  if (!valid) sum = {{values.first, values.first}, 0, {}, 0};
  const bool gaps = signal.step_quantity().has_value();
  for (; sum.values.last < values.last; ++sum.values.last) {
    const double value = trace.value(sum.values.last);
    if (gaps && std::isnan(value)) continue;
    sum.magnitude.add(std::abs(value));
    ++sum.counted;
  }
  sum.last_time = trace.time(values.last - 1);
  const Range range = trace.range(values.first, values.last);
  return {sum.magnitude.value() / static_cast<double>(sum.counted),
          std::max(std::abs(range.low), std::abs(range.high))};
}

float legend_height(const Panel& panel, const PanelState& state) {
  const auto lanes = static_cast<float>(std::max<std::size_t>(1, panel.snapshot.lanes.size()));
  const bool marked = state.plots.markers[0] || state.plots.markers[1];
  return panel.px(row_height) * lanes * (marked ? 2 : 1);
}

namespace {

/// Leaves out what is said last until the rest has room.
std::string fitting(std::string figures, float room) {
  while (ImGui::CalcTextSize(figures.c_str()).x > room) {
    const std::size_t end = figures.rfind(gap);
    if (end == figures.npos) break;
    figures.resize(end);
  }
  return figures;
}

}  // namespace

void legend(const Panel& panel, PanelState& state, const PlotView& plot, ImVec2 from, float width) {
  auto& list = *ImGui::GetWindowDrawList();
  const auto& lanes = panel.snapshot.lanes;
  const Markers& markers = state.plots.markers;
  const float rows = markers[0] || markers[1] ? 2 : 1;
  const float height = panel.px(row_height) * rows, indent = panel.px(36);
  ImGui::PushFont(font(Face::small_mono));
  for (std::size_t l = 0; l < lanes.size() && l < panel.frame.histories.size(); ++l) {
    const int lane = static_cast<int>(l);
    const float y = from.y + height * static_cast<float>(l);
    const bool hidden = state.hidden_lanes.contains(lane);
    ImGui::SetCursorScreenPos({from.x, y});
    ImGui::PushID(lane);
    if (ImGui::InvisibleButton(plot.id.c_str(), {width, height})) {
      if (!state.hidden_lanes.erase(lane)) state.hidden_lanes.insert(lane);
    }
    ImGui::PopID();
    if (!ImGui::IsItemVisible()) continue;
    panel.mark(fmt::format("legend/{}[{}]", plot.id, lane));
    const Words words = describe(panel, state.figures, plot, lane, markers);
    tooltip(panel, fmt::format("{}\n{}\nClick to {} the curve.", lane_title(panel, lane),
                               words.explanation, hidden ? "show" : "hide"));
    const float middle = y + panel.px(row_height) / 2;
    if (!hidden)
      swatch(
          list, {from.x, middle}, panel.px(28),
          panel.bodies.of(panel.lane(lane, lanes[l].info ? lanes[l].info->key : ""), plot.spec.y),
          panel.scale);
    const auto line = [&](const std::string& what, float left, float at, Color color) {
      list.AddText({from.x + left, std::round(at - ImGui::GetFontSize() / 2)}, ink(color),
                   elided(what, width - left).c_str());
    };
    const Color color = hidden ? panel.colors.dim : panel.colors.text;
    const float room = width - indent - (lanes.size() > 1 ? panel.px(least_name + 8) : 0);
    const std::string figures = fitting(words.figures, room);
    line(figures, indent, middle, color);
    if (rows > 1) line(words.markers, 0, middle + panel.px(row_height), panel.colors.accent);
    const float used = ImGui::CalcTextSize(figures.c_str()).x + panel.px(8);
    if (lanes.size() > 1) {  // its name at the right, as far as there is room
      ImGui::PushFont(font(Face::small_text));
      const float free = width - indent - used;
      const std::string name = elided(lanes[l].name, std::max(free, 0.0f));
      const float wide = ImGui::CalcTextSize(name.c_str()).x;
      if (free >= panel.px(least_name))
        list.AddText(
            {std::round(from.x + width - wide), std::round(middle - ImGui::GetFontSize() / 2)},
            ink(panel.colors.dim), name.c_str());
      ImGui::PopFont();
    } else if (!words.since.empty()) {
      ImGui::PushFont(font(Face::small_text));
      list.AddText({from.x + indent + used, std::round(middle - ImGui::GetFontSize() / 2)},
                   ink(panel.colors.dim), elided(words.since, width - indent - used).c_str());
      ImGui::PopFont();
    }
  }
  ImGui::PopFont();
}

}  // namespace twosphere::ui
