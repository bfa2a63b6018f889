// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot/lane_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/text.h"
#include "ui/plot/axis.h"

namespace twosphere::ui {

namespace {

LinesResult lines_in(SignalRows rows, std::vector<std::string> notes) {
  LinesResult found;
  found.notes = std::move(notes);
  found.samples = rows.samples.size();
  // The mean may be the strongest.
  if (auto all = signal_lines(rows, true, marked_lines + 1, 1)) {
    found.lines = std::move(all->lines);
    found.diffusion = all->diffusion;
  }
  std::erase_if(found.lines,
                [&](const Line& line) { return is_mean(line, found.samples, rows.interval); });
  if (found.lines.size() > marked_lines) found.lines.resize(marked_lines);
  rows.samples = {};
  found.rows = std::move(rows);
  return found;
}

/// Starts the work for a lane of a run with this record.
auto beginner(const PlotSpec& spec, const Scenario& record, Interval time,
              const SharedSamples& own) {
  return [&spec, &record, &own, time](const Curve& curve, const Trace&, IndexRange) {
    SignalRows rows;
    std::vector<std::string> notes;
    const auto lane = static_cast<std::size_t>(curve.lane);
    if (!own) {
      rows = signal_rows(*curve.history, curve.lane, record, spec.y, time.low, time.high);
      if (const std::string warning = rows.warning(); !warning.empty())
        notes.push_back(warning + "; take samples at more steps");
    } else if (lane < own->lanes.size()) {
      rows = own->lanes[lane].of_motion;
      notes = own->lanes[lane].notes;
    }
    return begin_work(
        [rows = std::move(rows), notes = std::move(notes)] { return lines_in(rows, notes); });
  };
}

}  // namespace

bool update_lines(std::vector<LaneLines>& lines, const PlotSpec& spec,
                  const std::vector<Curve>& curves, const Scenario& record, Interval time,
                  const SpectrumSource& source, double now, const SharedSamples& own) {
  return update_work(lines, spec, curves, time, source, now, own, {},
                     beginner(spec, record, time, own));
}

std::vector<LaneLines> lines_of(const PlotSpec& spec, const std::vector<Curve>& curves,
                                const Scenario& record, Interval time, const SharedSamples& own) {
  return work_of<LaneLines>(spec, curves, time, own, beginner(spec, record, time, own));
}

std::string line_text(const Line& line, std::string_view unit) {
  return fmt::format("{} Hz {}{}", significant(line.frequency, 6, true),
                     significant(std::abs(line.amplitude), 3, true),
                     unit == "1" ? std::string() : fmt::format(" {}", unit));
}

std::vector<LineMark> line_marks(const LaneLines& lines, const Spectrum& spectrum) {
  std::vector<LineMark> marks;
  const std::size_t count = spectrum.density.size();
  if (count < 2) return marks;
  for (std::size_t k = 0; k < lines.lines.size(); ++k) {
    // The higher of the densities beside it is on the curve.
    const double frequency = lines.lines[k].frequency, position = frequency / spectrum.frequency(1);
    if (!(position >= 0.5) || position > static_cast<double>(count - 1)) continue;
    const auto below = static_cast<std::size_t>(std::max(1.0, std::floor(position)));
    const std::size_t above = std::min(below + 1, count - 1);
    marks.push_back({with_index("ν", static_cast<int>(k) + 1), std::log10(frequency),
                     std::max(spectrum.density[below], spectrum.density[above])});
  }
  return marks;
}

}  // namespace twosphere::ui
