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
#include "core/base/text.h"
#include "core/mechanics/exponents.h"
#include "core/record/frequencies.h"
#include "core/record/signal.h"

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
  if (kind == Kind::closest_angle) return fmt::format("{}.{}", Signal::closest_angle().key(), end);
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
    case Kind::closest_angle:
      return Signal::closest_angle().unit();
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
  const auto indicator = ChaosIndicator::find(key());
  return indicator ? indicator->vectors() : 0;
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
  // closest_angle.OVER, plots.NAME.OVER
  std::vector<SweepMeasure> of_plots;
  if (Signal::closest_angle().exists(system, scenario.size())) {
    SweepMeasure measured{.kind = Kind::closest_angle};
    for (std::size_t k = 0; k < overs.size(); ++k) {
      measured.over = static_cast<Over>(k);
      known.push_back(measured.key());
      if (text == known.back()) return measured;
    }
  }
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

Result<std::vector<SweepMeasure>> parse_measures(std::string_view text, const Scenario& scenario) {
  if (const auto one = parse_measure(text, scenario)) return std::vector{*one};
  std::vector<SweepMeasure> all;
  for (const std::string& part : split(text, ',')) {
    const auto measure = parse_measure(part, scenario);
    if (!measure) return measure.error();
    all.push_back(*measure);
  }
  return all;
}

}  // namespace twosphere
