// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/plot_readout.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "ui/plot/axis.h"
#include "ui/shell/panel.h"

namespace twosphere::ui {

namespace {

/// The values of the curves at a time, with samples of their lines.
struct Readout {
  struct Row {
    LaneStyle style;
    std::string value;
  };
  std::string head;
  std::vector<Row> rows;
};

void draw_readout(const PlotContext& to, const Area& area, const Readout& readout, double x) {
  const Panel& panel = to.panel;
  const Colors& c = panel.colors;
  const double sample = panel.px(24), space = panel.px(6), row = panel.px(15);
  const double head = to.width(Face::small_mono, readout.head);
  // One lane is written in one line if there is room.
  double widest = 0;
  for (const Readout::Row& r : readout.rows)
    widest = std::max(widest, sample + space + to.width(Face::small_mono, r.value));
  const double all = head + panel.px(12) + widest;
  const bool one_line = readout.rows.size() == 1 && all < area.box.width() - panel.px(20);
  const double width = one_line ? all : std::max(head, widest);
  const double height = row * static_cast<double>(one_line ? 1 : readout.rows.size() + 1);
  // On the side opposite to the mouse.
  const bool left = x > area.box.center().x;
  const double px = left ? area.box.from.x + panel.px(8) : area.box.to.x - panel.px(8) - width;
  double y = area.box.from.y + panel.px(5);
  to.list.frame(
      {{px - panel.px(5), y - panel.px(2)}, {px + width + panel.px(5), y + height + panel.px(1)}},
      {c.panel, 0.92f}, {{}, 0}, panel.px(3));
  to.write({px, y}, Face::small_mono, c.dim, readout.head);
  double at = px;
  if (one_line)
    at += head + panel.px(12);
  else
    y += row;
  for (const Readout::Row& r : readout.rows) {
    draw_swatch(to.list, {at, y + row / 2 - panel.px(1)}, sample, r.style, panel.scale);
    to.write({at + sample + space, y}, Face::small_mono, c.text, r.value);
    y += row;
  }
}

/// The line of a lane at the mouse, if it is near one.
const Line* line_near(const PlotView& plot, int lane, const Area& area, double reach) {
  for (const LaneLines& lines : plot.strongest)
    for (const Line& line : lines.lines)
      if (lines.lane == lane && line.frequency > 0 &&
          std::abs(area.x(std::log10(line.frequency)) - ImGui::GetIO().MousePos.x) < reach)
        return &line;
  return nullptr;
}

}  // namespace

void draw_cursor(const PlotContext& to, const PlotSpec& spec, const Area& area,
                 const std::vector<Curve>& curves, double at) {
  const Panel& panel = to.panel;
  double x = std::round(area.x(at));
  if (!spec.x) {
    if (x < area.box.from.x || x > area.box.to.x) return;
    to.upright(area, x, {{panel.colors.dim, 0.7f}});
  }
  const auto with_unit = [](std::string number, std::string_view unit) {
    return unit == "1" ? number : fmt::format("{} {}", number, unit);
  };
  Readout readout;
  std::map<int, std::size_t> rows;  // of several signals, by lane
  for (const Curve& curve : curves) {
    const auto reading = read_at(spec, curve, at);
    if (!reading) continue;
    const Point point = area.at({spec.x ? reading->x : reading->t, area.scale.forward(reading->y)});
    to.list.marker(point, panel.px(3.5f), curve.style, to.look.cross);
    if (readout.head.empty()) readout.head = fmt::format("t = {:.6g} s", reading->t);
    if (!spec.also.empty()) {
      const auto [row, first] = rows.emplace(curve.lane, readout.rows.size());
      if (first) readout.rows.push_back({curve.style, {}});
      std::string& values = readout.rows[row->second].value;
      values += fmt::format("{}{} {}", values.empty() ? "" : "  ", curve.symbol(),
                            short_value_text(spec, reading->y));
      continue;
    }
    std::string value = with_unit(value_text(spec, reading->y), spec.y.unit());
    if (spec.x) {
      x = point.x;
      value = fmt::format("{}, {}",
                          with_unit(with_minus(fmt::format("{:.6g}", reading->x)), spec.x->unit()),
                          value);
    }
    readout.rows.push_back({curve.style, std::move(value)});
  }
  if (!readout.rows.empty()) draw_readout(to, area, readout, x);
}

void draw_frequency(const PlotContext& to, const Area& area, const PlotView& plot) {
  const double at = std::pow(10.0, area.x_at(ImGui::GetIO().MousePos.x));
  Readout readout;
  double x = 0;
  for (const LaneSpectrum& lane : plot.spectra) {
    const Spectrum& s = lane.spectrum;
    if (s.density.size() < 2) continue;
    const double nearest = std::round(at / s.frequency(1));
    const auto k = static_cast<std::size_t>(
        std::clamp(nearest, 1.0, static_cast<double>(s.density.size() - 1)));
    x = std::round(area.x(std::log10(s.frequency(k))));
    if (readout.head.empty()) {
      readout.head = fmt::format("f = {:.6g} Hz", s.frequency(k));
      to.upright(area, x, {{to.panel.colors.dim, 0.7f}});
    }
    to.list.marker({x, area.y(area.scale.forward(s.density[k]))}, to.panel.px(3.5f), lane.style,
                   to.look.cross);
    readout.rows.push_back(
        {lane.style, fmt::format("{} {}", value_text(plot.spec, s.density[k]), unit(plot.spec))});
    if (const Line* line = line_near(plot, lane.lane, area, to.panel.px(5)))
      readout.rows.push_back({lane.style, line_text(*line, plot.spec.y.unit())});
  }
  if (!readout.rows.empty()) draw_readout(to, area, readout, x);
}

void say_plot(const Panel& panel, const PlotSpec& spec, const std::vector<Curve>& curves) {
  std::string values;
  for (const Curve& curve : curves) {
    const auto lane = static_cast<std::size_t>(curve.lane);
    const Trace trace(*curve.history, spec.x ? spec.y : curve.signal);
    const bool newest = curve.samples.last >= curve.history->size();
    if (!newest || trace.first() == trace.size() || lane >= panel.snapshot.lanes.size()) continue;
    values +=
        fmt::format("{}{}: {} = {}", values.empty() ? "" : "; ", panel.snapshot.lanes[lane].title(),
                    spec.x ? spec.y.symbol() : curve.signal.symbol(),
                    short_number(trace.value(trace.size() - 1)));
    if (spec.y.unit() != "1") values += fmt::format(" {}", spec.y.unit());
  }
  panel.say(Role::plot, title(spec, panel.reference_name()), values);
}

std::string value_text(const PlotSpec& spec, double value) {
  if (std::isnan(value)) return std::string(no_number);
  return spec.scale == Scale::linear ? with_minus(fmt::format("{:.9g}", value))
                                     : with_minus(fmt::format("{:.4e}", value));
}

std::string short_value_text(const PlotSpec& spec, double value) {
  if (std::isnan(value)) return std::string(no_number);
  return spec.scale == Scale::linear ? with_minus(fmt::format("{:#.5g}", value))
                                     : with_minus(fmt::format("{:.3e}", value));
}

}  // namespace twosphere::ui
