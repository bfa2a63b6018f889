// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/figures/frequency_figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <utility>

#include "core/base/table_writer.h"
#include "core/base/text.h"
#include "core/catalog.h"
#include "core/scenario/state_signal.h"
#include "core/worker/snapshot.h"
#include "ui/plot/lane_curves.h"

namespace twosphere {

namespace {

/// How long a copy of the run is followed before its lines are looked at.
constexpr std::chrono::milliseconds copy_turn{200};

/// Whether the samples are those of the rows.
bool needs_rows(const FrequencyChoice& choice) {
  return choice.quantity && !SignalSamples::takes(*choice.quantity);
}

/// Measures the lines of one lane.
FrequencyResult::Lane lines_of_lane(const RunView& run, std::size_t lane,
                                    const FrequencyChoice& choice, const FollowedSignal& own) {
  FrequencyResult::Lane out;
  if (needs_rows(choice)) {
    out.rows = signal_rows(run.lanes[lane], static_cast<int>(lane), *run.record, *choice.quantity,
                           choice.time.low, choice.time.high);
    if (const std::string warning = out.rows.warning(); !warning.empty())
      out.notes.push_back(warning + "; take samples at more steps");
  } else {
    out.rows = own.rows(lane);
    out.notes = own.notes(lane);
  }
  out.samples = out.rows.samples.size();
  auto found = signal_lines(out.rows, choice.real(), choice.lines, choice.signal.window);
  if (found)
    out.found = std::move(*found);
  else
    out.problem = found.error().message;
  out.rows.samples = {};
  return out;
}

/// The style of a lane with the integrator that it has at the end.
LaneStyle style_of_lane(const RunView& run, const std::vector<LaneSpec>& lanes, std::size_t lane,
                        Palette palette, LaneColors colors) {
  const int index = static_cast<int>(lane);
  const auto parts = ui::segments(run.lanes[lane], *run.record, index);
  const std::string& last = parts.empty() ? lanes[lane].type : parts.back().integrator;
  return lane_style(lanes, index, last, palette, colors);
}

}  // namespace

std::string FrequencyChoice::name() const {
  if (quantity) return quantity->label();
  return signal.imaginary.empty() ? signal.real
                                  : fmt::format("{} + i {}", signal.real, signal.imaginary);
}

std::size_t FrequencyResult::max_lines() const {
  std::size_t count = 0;
  for (const Lane& lane : lanes) count = std::max(count, lane.found.lines.size());
  return count;
}

Result<FrequencyResult> find_frequencies(const RunView& run, std::int64_t steps,
                                         const FrequencyChoice& choice, FollowedSignal& own,
                                         Palette palette, LaneColors colors) {
  FrequencyResult result{.choice = choice, .unit = "1", .lanes = {}};
  if (choice.quantity) {
    result.unit = choice.quantity->unit();
  } else {
    const auto signal = StateSignal::create(choice.signal, *run.record);
    if (!signal) return signal.error();
    result.unit = signal->unit();
  }
  if (!needs_rows(choice)) {
    const auto done = own.proceed({.record = run.record,
                                   .steps = steps,
                                   .low = choice.time.low,
                                   .high = choice.time.high,
                                   .quantity = choice.quantity,
                                   .signal = choice.signal},
                                  copy_turn);
    if (!done) return done.error();
    result.complete = *done;
  }
  const std::vector<LaneSpec> lanes = recorded_lanes(*run.record);
  for (std::size_t l = 0; l < run.lanes.size(); ++l) {
    FrequencyResult::Lane lane = lines_of_lane(run, l, choice, own);
    lane.name = lanes[l].name;
    lane.title = lane_title(lane.name, find_integrator(lanes[l].type));
    lane.style = style_of_lane(run, lanes, l, palette, colors);
    result.lanes.push_back(std::move(lane));
  }
  return result;
}

namespace {

/// "4001 samples, 0.05 s apart, from t = 0 to 200 s: frequencies up to 10 Hz."
std::string samples_in_words(const FrequencyResult::Lane& lane) {
  if (!lane.problem.empty()) return capitalised(lane.problem) + '.';
  std::string text =
      fmt::format("{}{} samples, {} s apart, from t = {} to {} s{}: frequencies up to {} Hz.",
                  lane.rows.shortened ? "The newest " : "", lane.samples,
                  ui::significant(std::abs(lane.rows.interval), 6),
                  ui::significant(lane.rows.from, 6), ui::significant(lane.rows.to, 6),
                  lane.rows.after_change ? ", since the last change of the run" : "",
                  ui::significant(lane.rows.nyquist(), 6));
  for (const std::string& note : lane.notes) text += ' ' + capitalised(note) + '.';
  return text;
}

}  // namespace

std::string samples_in_words(const FrequencyResult& result) {
  std::vector<std::string> texts;
  for (const FrequencyResult::Lane& lane : result.lanes) texts.push_back(samples_in_words(lane));
  if (texts.empty()) return {};
  if (std::adjacent_find(texts.begin(), texts.end(), std::not_equal_to<>()) == texts.end())
    texts.resize(1);
  else
    for (std::size_t l = 0; l < texts.size(); ++l)
      texts[l] = fmt::format("{}: {}", result.lanes[l].title, texts[l]);
  return fmt::format("{}{}", result.complete ? "" : "So far: ", fmt::join(texts, " "));
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
  double low = std::numeric_limits<double>::infinity(), high = 0, lowest = 0, highest = 0;
  for (const FrequencyResult::Lane& lane : result.lanes)
    for (const Line& line : lane.found.lines) {
      low = std::min(low, std::abs(line.amplitude));
      high = std::max(high, std::abs(line.amplitude));
      lowest = std::min(lowest, line.frequency);
      highest = std::max(highest, line.frequency);
    }
  const double room = std::max(margin * (highest - lowest), 1e-3 * std::max(highest, -lowest));
  const ui::Interval frequencies =
      highest > lowest ? ui::Interval{lowest - room, highest + room} : ui::Interval{-1, 1};
  plot.x = {"frequency", "Hz", {}, frequencies};
  plot.y = {"amplitude", result.unit == "1" ? std::string() : result.unit, logarithmic,
            high > 0 ? ui::fit_log(low / 2, high) : ui::Interval{-1, 0}};
  for (const FrequencyResult::Lane& lane : result.lanes) {
    if (result.lanes.size() > 1) figure.keys.push_back({lane.title, lane.style});
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
