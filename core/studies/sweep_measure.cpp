// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/studies/sweep_measure.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "core/base/edit_distance.h"
#include "core/base/json.h"

namespace twosphere {

namespace {

using Kind = SweepMeasure::Kind;
using Over = SweepMeasure::Over;

constexpr std::array<std::string_view, 4> overs{"last", "max", "mean", "min"};
constexpr std::array<std::pair<std::string_view, Kind>, 5> words{{{"t_stop", Kind::t_stop},
                                                                  {"lyapunov", Kind::lyapunov},
                                                                  {"megno", Kind::megno},
                                                                  {"fli", Kind::fli},
                                                                  {"cost", Kind::cost}}};

}  // namespace

std::string SweepMeasure::key() const {
  if (kind == Kind::quantity)
    return fmt::format("{}.{}", info(quantity).key, overs[static_cast<std::size_t>(over)]);
  if (kind == Kind::lyapunov && index > 0) return fmt::format("lyapunov[{}]", index);
  for (const auto& [word, its_kind] : words)
    if (its_kind == kind) return std::string(word);
  return {};
}

std::string_view SweepMeasure::unit() const {
  switch (kind) {
    case Kind::quantity:
      return info(quantity).unit;
    case Kind::t_stop:
      return "s";
    case Kind::lyapunov:
      return "1/s";
    case Kind::megno:
    case Kind::fli:
    case Kind::cost:
      return "1";
  }
  return {};
}

int SweepMeasure::vectors() const {
  if (kind == Kind::lyapunov) return index + 1;
  return kind == Kind::megno || kind == Kind::fli ? 1 : 0;
}

Result<SweepMeasure> parse_measure(std::string_view text, const SystemInfo& system, int bodies) {
  SweepMeasure measure;
  std::vector<std::string> known;
  for (const auto& [word, kind] : words) {
    known.emplace_back(word);
    if (text != word) continue;
    measure.kind = kind;
    return measure;
  }
  // lyapunov[k]
  if (text.starts_with("lyapunov[") && text.ends_with("]")) {
    const std::string_view digits = text.substr(9, text.size() - 10);
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), measure.index);
    const int most = Exponents::most(bodies);
    if (read.ec == std::errc() && read.ptr == digits.data() + digits.size() && measure.index >= 0 &&
        measure.index < most) {
      measure.kind = Kind::lyapunov;
      return measure;
    }
    return Error{ErrorKind::usage, "",
                 fmt::format("{}: the index of an exponent must be from 0 to {}", json::quote(text),
                             most - 1)};
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
  const std::string near = nearest(text, known);
  return Error{
      ErrorKind::usage, "",
      fmt::format("{} is not a measure; {}a measure is a column of the CSV with .last, "
                  ".max, .mean or .min, such as energy_error.max, or t_stop, lyapunov, "
                  "lyapunov[k], megno, fli or cost",
                  json::quote(text), near.empty() ? "" : fmt::format("did you mean {}? ", near))};
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

void add_row(const std::vector<SweepMeasure>& measures, const Sample& sample,
             std::vector<MeasureSums>& sums) {
  for (std::size_t k = 0; k < measures.size(); ++k) {
    const SweepMeasure& m = measures[k];
    if (m.kind != Kind::quantity) continue;
    const double value = sample[m.quantity];
    sums[k].add(m.over != Over::last && info(m.quantity).error ? std::abs(value) : value);
  }
}

double steps_of(const Simulation& run) {
  const Lane& lane = run.lane(0);
  return static_cast<double>(lane.info->adaptive ? lane.inner_steps : lane.steps);
}

double measured_value(const SweepMeasure& measure, Simulation& run, const MeasureSums& sums,
                      double steps_before) {
  const auto& exponents = run.lane(0).exponents;
  switch (measure.kind) {
    case Kind::quantity:
      return sums.over(measure.over);
    case Kind::t_stop:
      return run.time();
    case Kind::lyapunov:
      return exponents
          ->spectrum(*run.system(), run.state(0))[static_cast<std::size_t>(measure.index)]
          .value;
    case Kind::megno:
      return exponents->megno();
    case Kind::fli:
      return exponents->fli();
    case Kind::cost:
      return steps_before + steps_of(run);
  }
  return std::nan("");
}

}  // namespace twosphere
