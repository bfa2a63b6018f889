// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tours/tour_claim.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "core/base/json.h"
#include "core/base/parse_number.h"
#include "core/record/signal.h"

namespace twosphere {

namespace {

constexpr std::string_view start_distance_word = "start_distance", cloud_rate_word = "cloud_rate";

std::string_view without_blanks(std::string_view text) {
  const std::size_t from = text.find_first_not_of(' ');
  if (from == text.npos) return {};
  return text.substr(from, text.find_last_not_of(' ') - from + 1);
}

/// "q0_x.last": a component of the state, which the samples of a run do not have.
std::optional<SweepMeasure> measure_of_state(std::string_view text, const Scenario& scenario) {
  const auto signal = Signal::parse(text.substr(0, text.rfind('.')));
  if (!signal || signal->body() < 0 || !signal->exists(info_of(scenario), scenario.size()))
    return {};
  using Over = SweepMeasure::Over;
  for (const Over over : {Over::last, Over::max, Over::min})
    if (const SweepMeasure measure{.signal = *signal, .over = over}; measure.key() == text)
      return measure;
  return {};
}

Result<ClaimSide> parse_side(std::string_view text, const Scenario& scenario) {
  ClaimSide side;
  if (const auto number = parse_number<double>(text)) {
    side.number = *number;
    return side;
  }
  const std::size_t slash = text.find('/');
  std::string_view what = text;
  if (slash != text.npos) {
    side.lane = text.substr(0, slash);
    what = text.substr(slash + 1);
  }
  if (what == start_distance_word) {
    side.kind = ClaimSide::Kind::start_distance;
    return side;
  }
  if (what == cloud_rate_word) {
    side.kind = ClaimSide::Kind::cloud_rate;
    return side;
  }
  side.kind = ClaimSide::Kind::measure;
  if (const auto state = measure_of_state(what, scenario)) {
    side.measure = *state;
    return side;
  }
  auto measure = parse_measure(what, scenario);
  if (!measure) {
    Error error = measure.error();
    error.message += fmt::format(", {} or {}", start_distance_word, cloud_rate_word);
    return error;
  }
  if (measure->of_sweep()) return Error{ErrorKind::usage, "", measure->not_of_run()};
  side.measure = std::move(*measure);
  return side;
}

}  // namespace

Result<TourClaim> parse_claim(std::string_view text, const Scenario& scenario) {
  using language::Relation;
  // The longer sign of two that begin alike comes first.
  static constexpr std::array<std::pair<std::string_view, Relation>, 4> signs{
      {{"<=", Relation::at_most},
       {">=", Relation::at_least},
       {"<", Relation::less},
       {">", Relation::greater}}};
  for (const auto& [sign, relation] : signs) {
    const std::size_t at = text.find(sign);
    if (at == text.npos) continue;
    TourClaim claim{.text = std::string(text), .left = {}, .right = {}, .relation = relation};
    auto left = parse_side(without_blanks(text.substr(0, at)), scenario);
    if (!left) return left.error();
    auto right = parse_side(without_blanks(text.substr(at + sign.size())), scenario);
    if (!right) return right.error();
    claim.left = std::move(*left);
    claim.right = std::move(*right);
    return claim;
  }
  return Error{ErrorKind::usage, "",
               fmt::format("{} is not a comparison by <, <=, > or >=, such as "
                           "energy_error.max < 0.02",
                           json::quote(text))};
}

}  // namespace twosphere
