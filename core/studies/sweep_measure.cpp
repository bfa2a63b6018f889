// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/studies/sweep_measure.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "core/base/edit_distance.h"
#include "core/base/json.h"
#include "core/scenario/scenario.h"

namespace twosphere {

namespace {

using Kind = SweepMeasure::Kind;
using Over = SweepMeasure::Over;

constexpr std::array<std::string_view, 4> overs{"last", "max", "mean", "min"};
constexpr std::string_view plots_begin = "plots.";
constexpr std::array<std::pair<std::string_view, Kind>, 7> words{{{"t_stop", Kind::t_stop},
                                                                  {"lyapunov", Kind::lyapunov},
                                                                  {"megno", Kind::megno},
                                                                  {"fli", Kind::fli},
                                                                  {"frequency", Kind::frequency},
                                                                  {"diffusion", Kind::diffusion},
                                                                  {"cost", Kind::cost}}};

}  // namespace

std::string SweepMeasure::key() const {
  const std::string_view end = overs[static_cast<std::size_t>(over)];
  if (kind == Kind::quantity) return fmt::format("{}.{}", info(quantity).key, end);
  if (kind == Kind::own) return fmt::format("{}{}.{}", plots_begin, own_quantity.name, end);
  if (kind == Kind::plotted) return fmt::format("{}{}.{}", plots_begin, plotted.name, end);
  for (const auto& [word, its_kind] : words)
    if (its_kind == kind) return index > 0 ? fmt::format("{}[{}]", word, index) : std::string(word);
  return {};
}

std::string_view SweepMeasure::unit() const {
  switch (kind) {
    case Kind::quantity:
      return info(quantity).unit;
    case Kind::own:
      return own_quantity.unit;
    case Kind::plotted:
      return plotted.unit;
    case Kind::t_stop:
      return "s";
    case Kind::lyapunov:
      return "1/s";
    case Kind::frequency:
      return "Hz";
    case Kind::megno:
    case Kind::fli:
    case Kind::diffusion:
    case Kind::cost:
      return "1";
  }
  return {};
}

int SweepMeasure::vectors() const {
  if (kind == Kind::lyapunov) return index + 1;
  return kind == Kind::megno || kind == Kind::fli ? 1 : 0;
}

Result<SweepMeasure> parse_measure(std::string_view text, const Scenario& scenario) {
  const SystemInfo& system = info_of(scenario);
  SweepMeasure measure;
  std::vector<std::string> known;
  for (const auto& [word, kind] : words) {
    known.emplace_back(word);
    if (text != word) continue;
    measure.kind = kind;
    return measure;
  }
  // lyapunov[k], frequency[k]
  struct Indexed {
    std::string_view begin, what;
    Kind kind;
    int most;
  };
  for (const Indexed& one :
       {Indexed{"lyapunov[", "an exponent", Kind::lyapunov, Exponents::most(scenario.size())},
        Indexed{"frequency[", "a frequency", Kind::frequency, most_lines}}) {
    if (!text.starts_with(one.begin) || !text.ends_with("]")) continue;
    const std::string_view digits =
        text.substr(one.begin.size(), text.size() - one.begin.size() - 1);
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), measure.index);
    if (read.ec == std::errc() && read.ptr == digits.data() + digits.size() && measure.index >= 0 &&
        measure.index < one.most) {
      measure.kind = one.kind;
      return measure;
    }
    return Error{ErrorKind::usage, "",
                 fmt::format("{}: the index of {} must be from 0 to {}", json::quote(text),
                             one.what, one.most - 1)};
  }
  // QUANTITY.OVER
  const std::size_t dot = text.rfind('.');
  for (const Quantity q : csv_quantities(system)) {
    if (q == Quantity::time) continue;
    for (const std::string_view over : overs)
      known.push_back(fmt::format("{}.{}", info(q).key, over));
    if (dot == text.npos || text.substr(0, dot) != info(q).key) continue;
    const auto found = std::find(overs.begin(), overs.end(), text.substr(dot + 1));
    if (found == overs.end()) break;
    measure.quantity = q;
    measure.over = static_cast<Over>(found - overs.begin());
    return measure;
  }
  // plots.NAME.OVER
  std::vector<SweepMeasure> of_plots;
  for (const OwnQuantity& own : system.own_quantities)
    of_plots.push_back({.kind = Kind::own, .own_quantity = own});
  for (const PlottedExpression& plotted : scenario.plots)
    of_plots.push_back({.kind = Kind::plotted, .plotted = plotted});
  std::string plots;
  for (SweepMeasure& one : of_plots) {
    for (std::size_t k = 0; k < overs.size(); ++k) {
      one.over = static_cast<Over>(k);
      known.push_back(one.key());
      if (text == known.back()) return one;
    }
    const std::string& last = known.back();
    plots += (plots.empty() ? "" : ", ") + last.substr(0, last.rfind('.'));
  }
  const std::string near = nearest(text, known);
  return Error{
      ErrorKind::usage, "",
      fmt::format("{} is not a measure; {}a measure is a column of the CSV{} with .last, "
                  ".max, .mean or .min, such as energy_error.max, or t_stop, lyapunov, "
                  "lyapunov[k], megno, fli, frequency, frequency[k], diffusion or cost",
                  json::quote(text), near.empty() ? "" : fmt::format("did you mean {}? ", near),
                  plots.empty() ? "" : fmt::format(" or a plot ({})", plots))};
}

void MeasureSums::add(double value) {
  max = count == 0 ? value : std::max(max, value);
  min = count == 0 ? value : std::min(min, value);
  last = value;
  sum.add(value);
  ++count;
}

double MeasureSums::over(Over which) const {
  if (count == 0) return std::nan("");
  switch (which) {
    case Over::last:
      return last;
    case Over::max:
      return max;
    case Over::mean:
      return sum.value() / count;
    case Over::min:
      return min;
  }
  return std::nan("");
}

ExpressionValues plotted_values(const std::vector<SweepMeasure>& measures) {
  std::vector<PlottedExpression> plotted;
  for (const SweepMeasure& m : measures)
    if (m.kind == Kind::plotted) plotted.push_back(m.plotted);
  return ExpressionValues(std::move(plotted));
}

void add_row(const std::vector<SweepMeasure>& measures, Simulation& run, const Sample& sample,
             ExpressionValues& plotted, std::vector<MeasureSums>& sums) {
  const std::vector<double> values = plotted.at(run.present(), run.system(), &run.state(0));
  auto value_of_plot = values.begin();
  for (std::size_t k = 0; k < measures.size(); ++k) {
    const SweepMeasure& m = measures[k];
    if (m.kind == Kind::own) {
      const State& state = run.state(0);
      sums[k].add(run.system()->own_quantity(m.own_quantity.name, state.t, state.q, state.w));
    }
    if (m.kind == Kind::plotted) sums[k].add(*value_of_plot++);
    if (m.kind != Kind::quantity) continue;
    const double value = sample[m.quantity];
    sums[k].add(m.over != Over::last && info(m.quantity).error ? std::abs(value) : value);
  }
}

SignalMeasures signal_measures(const std::vector<SweepMeasure>& measures,
                               const SignalSamples* samples) {
  SignalMeasures out{{}, std::nan("")};
  int count = 0;
  bool diffusion = false;
  for (const SweepMeasure& m : measures) {
    if (m.kind == Kind::frequency) count = std::max(count, m.index + 1);
    diffusion |= m.kind == Kind::diffusion;
  }
  if (samples && count > 0) out.lines = samples->lines(count);
  if (samples && diffusion) out.diffusion = samples->diffusion();
  return out;
}

double steps_of(const Simulation& run) {
  const Lane& lane = run.lane(0);
  return static_cast<double>(lane.info->adaptive ? lane.inner_steps : lane.steps);
}

double measured_value(const SweepMeasure& measure, Simulation& run, const MeasureSums& sums,
                      const SignalMeasures& signal, double steps_before) {
  const auto& exponents = run.lane(0).exponents;
  switch (measure.kind) {
    case Kind::quantity:
    case Kind::own:
    case Kind::plotted:
      return sums.over(measure.over);
    case Kind::t_stop:
      return run.stop_time();
    case Kind::lyapunov:
      return exponents->values(*run.system(),
                               run.state(0))[static_cast<std::size_t>(measure.index)];
    case Kind::megno:
      return exponents->megno();
    case Kind::fli:
      return exponents->fli();
    case Kind::frequency: {
      const auto line = static_cast<std::size_t>(measure.index);
      return line < signal.lines.size() ? signal.lines[line].frequency : std::nan("");
    }
    case Kind::diffusion:
      return signal.diffusion;
    case Kind::cost:
      return steps_before + steps_of(run);
  }
  return std::nan("");
}

}  // namespace twosphere
