// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/figures/frequency_figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/base/table_writer.h"
#include "core/scenario/state_signal.h"
#include "ui/plot/lane_curves.h"

namespace twosphere {

namespace {

/// Measures the lines of one lane.
Result<FrequencyResult::Lane> lines_of_lane(const RunView& run, std::size_t lane,
                                            const FrequencyChoice& choice) {
  FrequencyResult::Lane out;
  const History& history = run.lanes[lane];
  const int index = static_cast<int>(lane);
  const auto [low, high] = choice.time;
  auto rows = choice.quantity
                  ? signal_rows(history, index, *run.record, *choice.quantity, low, high)
                  : signal_rows(history, index, *run.record, choice.signal, low, high);
  if (!rows) return rows.error();
  out.samples = rows->samples.size();
  auto found = signal_lines(*rows, choice.real(), choice.lines, choice.signal.window);
  if (found)
    out.found = std::move(*found);
  else
    out.problem = found.error().message;
  rows->samples = {};
  out.rows = std::move(*rows);
  return out;
}

/// The style of a lane with the integrator that it has at the end.
ui::LaneStyle style_of_lane(const RunView& run, const std::vector<LaneSpec>& lanes,
                            std::size_t lane, Palette palette, LaneColors colors) {
  const int index = static_cast<int>(lane);
  const auto parts = ui::segments(run.lanes[lane], *run.record, index);
  const std::string& last = parts.empty() ? lanes[lane].type : parts.back().integrator;
  return ui::lane_style(lanes, index, last, palette, colors);
}

}  // namespace

std::string FrequencyChoice::name() const {
  if (quantity) return quantity->label();
  return signal.imaginary.empty() ? signal.real
                                  : fmt::format("{} + i {}", signal.real, signal.imaginary);
}

std::size_t FrequencyResult::most_lines() const {
  std::size_t most = 0;
  for (const Lane& lane : lanes) most = std::max(most, lane.found.lines.size());
  return most;
}

Result<FrequencyResult> find_frequencies(const RunView& run, const FrequencyChoice& choice,
                                         Palette palette, LaneColors colors) {
  FrequencyResult result{.choice = choice, .unit = "1", .lanes = {}};
  if (choice.quantity) {
    result.unit = choice.quantity->unit();
  } else {
    const auto signal = StateSignal::create(choice.signal, *run.record);
    if (!signal) return signal.error();
    result.unit = signal->unit();
  }
  const std::vector<LaneSpec> lanes = recorded_lanes(*run.record);
  for (std::size_t l = 0; l < run.lanes.size(); ++l) {
    auto lane = lines_of_lane(run, l, choice);
    if (!lane) return lane.error();
    lane->name = lanes[l].name;
    lane->style = style_of_lane(run, lanes, l, palette, colors);
    result.lanes.push_back(std::move(*lane));
  }
  return result;
}

std::string frequency_table(const FrequencyResult& result, bool tabs) {
  TableWriter table(tabs ? TableWriter::Form::tabs : TableWriter::Form::csv);
  table.row("lane", "line", "frequency [Hz]", fmt::format("amplitude [{}]", result.unit),
            "phase [rad]", "diffusion", "samples", "interval [s]", "from [s]", "to [s]");
  for (const FrequencyResult::Lane& lane : result.lanes)
    for (std::size_t k = 0; k < lane.found.lines.size(); ++k) {
      const Line& line = lane.found.lines[k];
      table.row(lane.name, k + 1, line.frequency, std::abs(line.amplitude),
                std::arg(line.amplitude), lane.found.diffusion, lane.samples, lane.rows.interval,
                lane.rows.from, lane.rows.to);
    }
  return table.take();
}

ui::PlotFigure frequency_figure(const FrequencyResult& result, const std::string& title) {
  constexpr double margin = 0.06;  // of the frequencies, on both sides
  const ui::Transform logarithmic{ui::Scale::logarithmic, 0};
  ui::PlotFigure figure;
  figure.title = title;
  ui::PlotModel plot;
  plot.over_time = false;
  double low = std::numeric_limits<double>::infinity(), high = 0, least = 0, most = 0;
  for (const FrequencyResult::Lane& lane : result.lanes)
    for (const Line& line : lane.found.lines) {
      low = std::min(low, std::abs(line.amplitude));
      high = std::max(high, std::abs(line.amplitude));
      least = std::min(least, line.frequency);
      most = std::max(most, line.frequency);
    }
  const double room = std::max(margin * (most - least), 1e-3 * std::max(most, -least));
  const ui::Interval frequencies =
      most > least ? ui::Interval{least - room, most + room} : ui::Interval{-1, 1};
  plot.x = {"frequency", "Hz", {}, frequencies};
  plot.y = {"amplitude", result.unit == "1" ? std::string() : result.unit, logarithmic,
            high > 0 ? ui::fit_log(low / 2, high) : ui::Interval{-1, 0}};
  for (const FrequencyResult::Lane& lane : result.lanes) {
    if (result.lanes.size() > 1) figure.keys.push_back({lane.name, lane.style});
    for (const Line& line : lane.found.lines) {
      const ui::Point top{line.frequency, logarithmic.forward(std::abs(line.amplitude))};
      plot.curves.push_back({lane.style, {{top.x, plot.y.range.low}, top}});
      plot.dots.push_back({lane.style, top});
    }
  }
  figure.plots.push_back(std::move(plot));
  return figure;
}

}  // namespace twosphere
