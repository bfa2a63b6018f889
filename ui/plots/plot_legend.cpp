// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/plot_legend.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "core/base/text.h"
#include "core/catalog.h"
#include "core/color/palette.h"
#include "ui/plot/plot_curves.h"
#include "ui/plots/plot.h"
#include "ui/plots/plot_readout.h"
#include "ui/shell/panel.h"
#include "ui/shell/screen_painter.h"

namespace twosphere::ui {

namespace {

constexpr float row_height = 18, figure_indent = 36;
constexpr float legend_gap = 4;                 // below the legend of the column
constexpr std::string_view figure_gap = "   ";  // between figures

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

/// "Runge-Kutta (RK4)", with the name of the lane if it is different.
std::string lane_title(const Panel& panel, int lane) {
  const auto& lanes = panel.snapshot.lanes;
  const Snapshot::LaneView& view = lanes[static_cast<std::size_t>(lane)];
  const std::string title(view.info ? view.info->title : std::string_view(view.name));
  return lanes.size() > 1 ? fmt::format("{} ({})", title, view.name) : title;
}

/// The texts about a lane below a plot.
struct LaneText {
  std::string figures;
  std::string since;    // start of the range of the figures, if not that of the run
  std::string markers;  // values at A and B
  std::string explanation;
};

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
    const std::string warning = one.rows.warning();
    if (warning.empty()) continue;
    lane_text.figures += "   samples too far apart";
    lane_text.explanation += '\n' + capitalised(warning) + ". Take samples at more steps";
  }
}

LaneText describe(const Panel& panel, SegmentFigures& cache, const PlotView& plot, int lane,
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

namespace {

/// The runs whose distances a plot shows, if it compares runs of one lane: a line each below it.
std::vector<const BranchView*> compared_runs(const Panel& panel, const PlotSpec& spec) {
  std::vector<const BranchView*> runs;
  if (spec.y.kind() != Signal::Kind::distance || !spec.over_time() ||
      panel.snapshot.lanes.size() != 1 || panel.frame.histories.empty())
    return runs;
  for (const BranchView& run : panel.frame.branches)
    if (!run.reference && (run.present || (!run.look.hidden && !run.histories->empty())))
      runs.push_back(&run);
  return runs;
}

/// "run 1   now 0.123   largest 1.57", or with "last" after the end of one of the two runs; only
/// the first part if there is no distance yet.
std::string run_line(const Panel& panel, const PlotSpec& spec, const BranchView& run) {
  const History& history = run.present ? panel.frame.histories.front() : run.histories->front();
  const Trace trace(history, spec.y);
  if (history.size() == 0 || trace.first() == trace.size()) return run.look.name;
  const std::size_t at = at_instant(panel, trace), last = trace.size() - 1;
  const double apart = last > 0 ? std::abs(trace.time(last) - trace.time(last - 1)) : 0;
  const bool over = at == last && std::abs(panel.shown.t - trace.time(last)) > 2 * apart;
  return fmt::format("{1}{0}{2} {3}{0}largest {4}", figure_gap, run.look.name,
                     over ? "last" : "now", significant(trace.value(at), 4),
                     significant(trace.range(0, trace.size()).high, 4));
}

bool marked(const PlotsView& view) { return view.markers[0] || view.markers[1]; }

/// The parts of a text separated by wide gaps.
std::vector<std::string> parts(std::string_view text) {
  std::vector<std::string> all;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find("  "), text.size());
    if (end > 0) all.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(text.find_first_not_of(' ', end), text.size()));
  }
  return all;
}

/// Wraps these parts to a width, with as few lines as possible, in the current font.
void wrap(std::string_view text, float width, std::vector<std::string>& lines) {
  std::string line;
  const auto fits = [width](const std::string& some) {
    return ImGui::CalcTextSize(some.c_str()).x <= width;
  };
  const auto add = [&](const std::string& piece, std::string_view between) {
    const std::string longer = line.empty() ? piece : line + std::string(between) + piece;
    if (!line.empty() && !fits(longer)) {
      lines.push_back(line);
      line = piece;
    } else {
      line = longer;
    }
  };
  for (std::string part : parts(text)) {
    // A part wider than a line continues in the next one.
    while (!fits(part) && part.find(' ') != part.npos) {
      std::size_t end = part.rfind(' ');
      for (std::size_t before; !fits(part.substr(0, end)) && end > 0; end = before)
        if (before = part.rfind(' ', end - 1); before == part.npos) break;
      add(part.substr(0, end), figure_gap);
      part.erase(0, end + 1);
    }
    add(part, figure_gap);
  }
  if (!line.empty()) lines.push_back(line);
}

bool click_hides(PlotsView& view, int lane, bool pressed) {
  if (pressed && !view.hidden_lanes.erase(lane)) view.hidden_lanes.insert(lane);
  return view.hidden_lanes.contains(lane);
}

/// The height of a name in the legend.
constexpr float name_line = 15;
std::vector<std::string> name_lines(const std::string& name, float width) {
  std::vector<std::string> lines;
  const ImFont* f = ImGui::GetFont();
  const char *at = name.data(), *end = at + name.size();
  while (at < end) {
    const char* stop = f->CalcWordWrapPositionA(ImGui::GetFontSize() / f->FontSize, at, end, width);
    if (stop == at) stop = end;
    lines.emplace_back(at, stop);
    at = stop;
    while (at < end && *at == ' ') ++at;
  }
  if (lines.empty()) lines.emplace_back();
  return lines;
}

}  // namespace

int figures_lane(const Panel& panel, const PlotsView& view, const PlotSpec& spec) {
  const int lanes = static_cast<int>(panel.snapshot.lanes.size());
  const bool distance = spec.y.kind() == Signal::Kind::distance;
  const auto& histories = panel.frame.histories;
  const auto fits = [&](int lane) {
    const auto index = static_cast<std::size_t>(lane);
    return !(distance && index < histories.size() && histories[index].is_reference());
  };
  int first = -1;
  for (int k = 0; k < lanes; ++k) {
    const int lane = (panel.reference + k) % lanes;
    if (!fits(lane)) continue;
    if (!view.hidden_lanes.contains(lane)) return lane;
    if (first < 0) first = lane;
  }
  return std::max(first, 0);
}

std::vector<std::string> figure_lines(const Panel& panel, PlotsView& view, const PlotView& plot,
                                      float width) {
  std::vector<std::string> lines;
  for (const BranchView* run : compared_runs(panel, plot.spec)) {
    ImGui::PushFont(font(Face::small_mono));
    lines.push_back(elided(run_line(panel, plot.spec, *run), width - panel.px(figure_indent)));
    ImGui::PopFont();
  }
  if (!lines.empty()) return lines;
  const int lane = figures_lane(panel, view, plot.spec);
  if (static_cast<std::size_t>(lane) >= panel.frame.histories.size()) return lines;
  const LaneText lane_text = describe(panel, view.figures, plot, lane, view.markers);
  const bool several = panel.snapshot.lanes.size() > 1;
  ImGui::PushFont(font(Face::small_mono));
  const float room = width - panel.px(figure_indent);
  if (!several || !marked(view) || lane_text.markers.empty()) {
    wrap(lane_text.figures, room, lines);
    if (!lane_text.since.empty()) wrap(lane_text.since, room, lines);
  }
  if (marked(view)) wrap(lane_text.markers, room, lines);
  ImGui::PopFont();
  return lines;
}

float figure_line_height(const Panel& panel) { return panel.px(row_height); }

void draw_figures(const Panel& panel, PlotsView& view, const PlotView& plot,
                  const std::vector<std::string>& lines, ImVec2 from, float width) {
  const auto& lanes = panel.snapshot.lanes;
  const int lane = figures_lane(panel, view, plot.spec);
  const auto index = static_cast<std::size_t>(lane);
  if (index >= lanes.size() || index >= panel.frame.histories.size()) return;
  const float row = figure_line_height(panel);
  const float height = row * static_cast<float>(std::max<std::size_t>(1, lines.size()));
  ImGui::SetCursorScreenPos(from);
  const bool pressed = ImGui::InvisibleButton(plot.id.c_str(), {width, height});
  const bool hidden = click_hides(view, lane, pressed);
  if (!ImGui::IsItemVisible()) return;
  const std::vector<const BranchView*> runs = compared_runs(panel, plot.spec);
  panel.mark(fmt::format("legend/{}[{}]", plot.id, lane));
  if (panel.spoken)
    panel.say(Role::check_box, fmt::format("{} in {}", lane_title(panel, lane), title(plot.spec)),
              fmt::format("{}", fmt::join(lines, " ")), !hidden);
  if (ImGui::IsItemHovered()) {
    const auto lane_text = [&](int of) {
      return describe(panel, view.figures, plot, of, view.markers);
    };
    std::string text =
        runs.empty() ? fmt::format("{}\n{}", lane_title(panel, lane), lane_text(lane).explanation)
                     : fmt::format(
                           "Largest angle between the directions of a body in each run and "
                           "in {}: at the instant shown, and over the whole run.",
                           panel.reference_name());
    for (std::size_t l = 0; l < lanes.size() && l < panel.frame.histories.size(); ++l)
      if (l != index)
        text += fmt::format("\n{}: {}", lanes[l].title(), lane_text(static_cast<int>(l)).figures);
    tooltip(panel, fmt::format("{}\nClick to {} the curve.", text, hidden ? "show" : "hide"));
  }
  auto& list = *ImGui::GetWindowDrawList();
  const LaneStyle style = panel.lane(lane, lanes[index].info ? lanes[index].info->key : "");
  if (!hidden && runs.empty())
    swatch(list, {from.x, from.y + row / 2}, panel.px(28), style, panel.scale);
  for (std::size_t i = 0; i < runs.size() && !hidden; ++i) {
    LaneStyle of_run = style;
    if (!runs[i]->present) of_run.color = branch_color(runs[i]->look.color, panel.palette);
    swatch(list, {from.x, from.y + row * (static_cast<float>(i) + 0.5f)}, panel.px(28), of_run,
           panel.scale);
  }
  ImGui::PushFont(font(Face::small_mono));
  for (std::size_t i = 0; i < lines.size(); ++i)
    list.AddText(
        {from.x + panel.px(figure_indent),
         std::round(from.y + row * (static_cast<float>(i) + 0.5f) - ImGui::GetFontSize() / 2)},
        im_color(hidden ? panel.colors.dim : panel.colors.text), lines[i].c_str());
  ImGui::PopFont();
}

namespace {

/// The other runs whose curves are shown.
std::vector<const BranchView*> other_runs(const Panel& panel) {
  std::vector<const BranchView*> runs;
  for (const BranchView& branch : panel.frame.branches)
    if (!branch.present && !branch.look.hidden) runs.push_back(&branch);
  return runs;
}

/// A row with the names of other runs in the colours of their curves, as many as fit.
void name_runs(const Panel& panel, ImVec2 from, float width) {
  const std::vector<const BranchView*> runs = other_runs(panel);
  if (runs.empty()) return;
  const float row = panel.px(row_height), sample = panel.px(20), gap = panel.px(6);
  auto& list = *ImGui::GetWindowDrawList();
  ImGui::PushFont(font(Face::small_text));
  const float height = ImGui::GetFontSize(), end = from.x + width;
  std::string all;
  float x = from.x;
  bool fits = true;
  for (const BranchView* run : runs) {
    const std::string& name = run->look.name;
    all += (all.empty() ? "" : ", ") + name;
    const float room = end - x - sample - gap;
    if (!fits || room < panel.px(24)) {
      fits = false;
      continue;
    }
    const LaneStyle style{pale(branch_color(run->look.color, panel.palette), panel.colors.scene)};
    swatch(list, {x, from.y + row / 2}, sample, style, panel.scale);
    const std::string text = elided(name, room);
    list.AddText({std::round(x + sample + gap), std::round(from.y + (row - height) / 2)},
                 im_color(panel.colors.dim), text.c_str());
    x += sample + 2 * gap + ImGui::CalcTextSize(text.c_str()).x;
  }
  ImGui::PopFont();
  ImGui::SetCursorScreenPos(from);
  ImGui::Dummy({width, row});
  panel.mark_area("legend/runs");
  panel.say(Role::label, "Other runs", all);
  tooltip(panel, "Other runs: " + all);
}

}  // namespace

float legend_height(const Panel& panel, float width) {
  const auto& lanes = panel.snapshot.lanes;
  const float runs = other_runs(panel).empty() ? 0 : panel.px(row_height);
  if (lanes.size() < 2) return runs;
  float height = panel.px(legend_gap) + runs;
  ImGui::PushFont(font(Face::small_text));
  for (const Snapshot::LaneView& lane : lanes) {
    const auto lines = name_lines(lane.title(), width - panel.px(figure_indent));
    height += panel.px(row_height + name_line * static_cast<float>(lines.size() - 1));
  }
  ImGui::PopFont();
  return height;
}

void legend(const Panel& panel, PlotsView& view, const PlotView* pointed, ImVec2 from,
            float width) {
  const auto& lanes = panel.snapshot.lanes;
  if (lanes.size() < 2) return name_runs(panel, from, width);
  auto& list = *ImGui::GetWindowDrawList();
  const float indent = panel.px(figure_indent);
  float y = from.y;
  for (std::size_t l = 0; l < lanes.size(); ++l) {
    const int lane = static_cast<int>(l);
    ImGui::PushFont(font(Face::small_text));
    const auto names = name_lines(lanes[l].title(), width - indent);
    const float row = panel.px(row_height);
    const float height = row + panel.px(name_line) * static_cast<float>(names.size() - 1);
    ImGui::SetCursorScreenPos({from.x, y});
    ImGui::PushID(lane);
    const bool pressed = ImGui::InvisibleButton("legend", {width, height});
    ImGui::PopID();
    const bool hidden = click_hides(view, lane, pressed);
    if (ImGui::IsItemHovered())
      list.AddRectFilled({from.x - panel.px(2), y}, {from.x + width, y + height},
                         im_color(panel.colors.hovered), panel.px(3));
    panel.mark(fmt::format("legend[{}]", lane));
    if (panel.spoken) panel.say(Role::check_box, lane_title(panel, lane), {}, !hidden);
    tooltip(panel, fmt::format("{}\nClick to {} its curves. Point at a plot to see its values.",
                               lane_title(panel, lane), hidden ? "show" : "hide"));
    if (!hidden)
      swatch(list, {from.x, y + row / 2}, panel.px(28),
             panel.lane(lane, lanes[l].info ? lanes[l].info->key : ""), panel.scale);
    std::string figures;
    if (pointed && l < panel.frame.histories.size()) {
      const LaneText lane_text = describe(panel, view.figures, *pointed, lane, view.markers);
      figures = marked(view) && !lane_text.markers.empty() ? lane_text.markers : lane_text.figures;
    }
    const Color color = hidden ? panel.colors.dim : panel.colors.text;
    const float middle = y + row / 2;
    ImFont* const mono = font(Face::small_mono);
    const float size = mono->FontSize * ImGui::GetIO().FontGlobalScale;
    ImGui::PushFont(mono);
    std::vector<std::string> fits;  // as many as fit; the tooltip contains all
    wrap(figures, width - indent, fits);
    if (fits.size() > 1) figures = fits.front();
    ImGui::PopFont();
    const float wide = mono->CalcTextSizeA(size, FLT_MAX, 0, figures.c_str()).x;
    float widest = 0;
    for (const std::string& name : names)
      widest = std::max(widest, ImGui::CalcTextSize(name.c_str()).x);
    if (!figures.empty())
      list.AddText(mono, size, {std::round(from.x + width - wide), std::round(middle - size / 2)},
                   im_color(color), figures.c_str());
    // If there is no room for both, the figures replace the name: the swatch identifies the lane.
    if (figures.empty() || indent + widest + panel.px(10) + wide <= width)
      for (std::size_t i = 0; i < names.size(); ++i)
        list.AddText(
            {from.x + indent, std::round(middle + panel.px(name_line) * static_cast<float>(i) -
                                         ImGui::GetFontSize() / 2)},
            im_color(color), names[i].c_str());
    ImGui::PopFont();
    y += height;
  }
  name_runs(panel, {from.x, y}, width);
}

}  // namespace twosphere::ui
