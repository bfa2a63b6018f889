// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/studies/sweep_measure.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/comma_list.h"
#include "core/base/edit_distance.h"
#include "core/base/json.h"
#include "core/base/parse_number.h"
#include "core/base/text.h"
#include "core/mechanics/diagnostics.h"
#include "core/mechanics/exponents.h"
#include "core/record/frequencies.h"

namespace twosphere {

namespace {

using Kind = SweepMeasure::Kind;
using Over = SweepMeasure::Over;

/// By Over: in keys, and in words.
constexpr std::array<std::pair<std::string_view, std::string_view>, 4> overs{
    {{"last", "at the end"}, {"max", "largest"}, {"mean", "mean"}, {"min", "least"}}};

/// A measure of the run as a whole.
struct WholeRun {
  Kind kind;
  std::string_view key, unit, label, meaning;
  std::string_view numbered{};  ///< the label of those with an index
};
const std::array<WholeRun, 10>& whole_run() {
  const auto help = [](StepQuantity quantity) { return Signal(quantity).help(); };
  static const std::array<WholeRun, 10> all{{
      {Kind::t_stop, "t_stop", "s", "Time at which the run ended",
       "The planned end, or the time at which a stop condition is met or a step fails."},
      {Kind::lyapunov, "lyapunov", "1/s", "Largest Lyapunov exponent", help(twosphere::lyapunov(0)),
       "Lyapunov exponent {}"},
      {Kind::megno, "megno", "1", "MEGNO", help(StepQuantity::megno)},
      {Kind::fli, "fli", "1", "FLI", help(StepQuantity::fli)},
      {Kind::frequency, "frequency", "Hz", "Frequency of the strongest line",
       "Frequency of a line of the signal; the strongest is the first.", "Frequency of line {}"},
      {Kind::diffusion, "diffusion", "1", "Diffusion of the frequency",
       "lg |1 − ν₂/ν₁| of the strongest lines of the two halves of the signal."},
      {Kind::cost, "cost", "1", "Steps taken", "Steps, or inner steps of an adaptive method."},
      {Kind::basin, "basin", "1", "Basin",
       "Number of the stable equilibrium at which a damped run comes to rest; -1: at none."},
      {Kind::orbit_period, "orbit.period", "s", "Period of the orbit",
       "Of the periodic orbit that is found from the start."},
      {Kind::orbit_multiplier, "orbit.multiplier", "1", "Largest multiplier of the orbit",
       "Magnitude of a multiplier of the periodic orbit that is found from the start.",
       "Multiplier {} of the orbit"},
  }};
  return all;
}
const WholeRun& whole_run(Kind kind) {
  return *std::find_if(whole_run().begin(), whole_run().end(),
                       [&](const WholeRun& one) { return one.kind == kind; });
}

}  // namespace

std::string SweepMeasure::key() const {
  if (over_run())
    return fmt::format("{}.{}", signal.column(), overs[static_cast<std::size_t>(over)].first);
  const std::string word(whole_run(kind).key);
  return index > 0 ? fmt::format("{}[{}]", word, index) : word;
}

std::string SweepMeasure::label() const {
  if (over_run())
    return fmt::format("{}, {}", capitalised(signal.label()),
                       overs[static_cast<std::size_t>(over)].second);
  const WholeRun& one = whole_run(kind);
  return index > 0 ? fmt::format(fmt::runtime(one.numbered), index + 1) : std::string(one.label);
}

std::string_view SweepMeasure::meaning() const {
  return over_run() ? signal.help() : whole_run(kind).meaning;
}

std::string_view SweepMeasure::unit() const {
  return over_run() ? signal.unit() : whole_run(kind).unit;
}

int SweepMeasure::vectors() const {
  const auto indicator = ChaosIndicator::find(key());
  return indicator ? indicator->vectors() : 0;
}

std::vector<SweepMeasure> measures_over_run(const Scenario& scenario) {
  const SystemInfo& system = info_of(scenario);
  std::vector<Quantity> quantities = csv_quantities(system);
  std::erase(quantities, Quantity::time);
  std::stable_partition(quantities.begin(), quantities.end(),
                        [](Quantity q) { return info(q).error; });
  std::vector<Signal> signals(quantities.begin(), quantities.end());
  if (Signal::closest_angle().exists(system, scenario.size()))
    signals.push_back(Signal::closest_angle());
  for (const OwnQuantity& own : system.own_quantities) signals.push_back(Signal::own(own));
  for (const PlottedExpression& plotted : scenario.plots) signals.emplace_back(plotted);
  std::vector<SweepMeasure> all;
  for (const Signal& signal : signals)
    for (const Over over : {Over::max, Over::mean, Over::min, Over::last})
      all.push_back({.signal = signal, .over = over});
  return all;
}

Result<SweepMeasure> parse_measure(std::string_view text, const Scenario& scenario) {
  std::vector<std::string> known;
  for (const WholeRun& one : whole_run()) {
    known.emplace_back(one.key);
    if (text == one.key) return SweepMeasure{.kind = one.kind};
  }
  // lyapunov[k], frequency[k], orbit.multiplier[k]
  struct Indexed {
    std::string_view begin, what;
    Kind kind;
    int count;
  };
  for (const Indexed& one :
       {Indexed{"lyapunov[", "an exponent", Kind::lyapunov,
                Exponents::max_count(scenario.size(), info_of(scenario).first_order)},
        Indexed{"frequency[", "a frequency", Kind::frequency, max_lines},
        Indexed{"orbit.multiplier[", "a multiplier", Kind::orbit_multiplier,
                4 * scenario.size()}}) {
    if (!text.starts_with(one.begin) || !text.ends_with("]")) continue;
    const auto index =
        parse_number<int>(text.substr(one.begin.size(), text.size() - one.begin.size() - 1));
    if (index && *index >= 0 && *index < one.count)
      return SweepMeasure{.kind = one.kind, .index = *index};
    return Error{ErrorKind::usage, "",
                 fmt::format("{}: the index of {} must be from 0 to {}", json::quote(text),
                             one.what, one.count - 1)};
  }
  std::string plots;
  for (const SweepMeasure& one : measures_over_run(scenario)) {
    known.push_back(one.key());
    if (text == known.back()) return one;
    if (one.over == Over::max && one.signal.column().starts_with("plots."))
      plots += (plots.empty() ? "" : ", ") + one.signal.column();
  }
  const std::string near = nearest(text, known);
  return Error{
      ErrorKind::usage, "",
      fmt::format("{} is not a measure; {}a measure is a column of the CSV{} with .last, "
                  ".max, .mean or .min, such as energy_error.max, or t_stop, lyapunov, "
                  "lyapunov[k], megno, fli, frequency, frequency[k], diffusion, cost, basin, "
                  "orbit.period, orbit.multiplier or orbit.multiplier[k]",
                  json::quote(text), near.empty() ? "" : fmt::format("did you mean {}? ", near),
                  plots.empty() ? "" : fmt::format(" or a plot ({})", plots))};
}

Result<std::vector<SweepMeasure>> parse_measures(std::string_view text, const Scenario& scenario) {
  if (const auto one = parse_measure(text, scenario)) return std::vector{*one};
  const auto members = comma_list(text);
  if (!members) return members.error();
  std::vector<SweepMeasure> all;
  for (const std::string& part : *members) {
    const auto measure = parse_measure(part, scenario);
    if (!measure) return measure.error();
    all.push_back(*measure);
  }
  return all;
}

}  // namespace twosphere
