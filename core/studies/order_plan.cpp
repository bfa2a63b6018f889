// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/studies/order_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/comma_list.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/language/evaluate.h"
#include "core/mechanics/system.h"
#include "core/scenario/live_edit.h"

namespace twosphere {

namespace {

constexpr std::size_t max_numbers = 64;

/// Relative tolerances of methods with error control: 1e-3, 1e-4, ..., 1e-12.
std::vector<double> default_tolerances() {
  std::vector<double> tolerances;
  for (int digits = 3; digits <= 12; ++digits) tolerances.push_back(std::pow(10.0, -digits));
  return tolerances;
}

}  // namespace

Result<OrderStudy> plan_order_study(Scenario scenario, const OrderChoice& choice,
                                    const LaneMaker& lane) {
  OrderStudy study;
  scenario.lanes.resize(1);
  study.scenario = std::move(scenario);
  const Scenario& s = study.scenario;
  const auto system = create_system(s);
  if (!system) return system.error();
  const std::vector<std::string> all = study_methods(**system);
  for (const std::string& key : choice.methods.empty() ? all : choice.methods) {
    auto made = lane(key, "integrators");
    if (!made) return made.error();
    study.methods.push_back(std::move(*made));
  }
  study.steps = choice.steps.empty() ? default_steps(s) : choice.steps;
  if (study.steps.empty())
    return Error{ErrorKind::usage, "steps",
                 fmt::format("no step near {} s divides the duration of {} s; give the steps",
                             json::shortest(s.lanes[0].step), json::shortest(s.duration))};
  study.tolerances = choice.tolerances.empty() ? default_tolerances() : choice.tolerances;
  auto reference =
      lane(choice.reference.empty() ? default_reference(all) : choice.reference, "reference");
  if (!reference) return reference.error();
  study.reference = std::move(*reference);
  study.reference.step =
      choice.reference_step.value_or(*std::min_element(study.steps.begin(), study.steps.end()) / 4);
  return study;
}

Result<OrderStudy> plan_order_study(Scenario scenario, const OrderChoice& choice) {
  scenario.lanes.resize(1);
  const auto lane = [one = scenario](const std::string& key, std::string_view) -> Result<LaneSpec> {
    auto made = with_setting(one, "integrator.type", key);
    if (!made) return made.error();
    return std::move(made->lanes[0]);
  };
  return plan_order_study(std::move(scenario), choice, lane);
}

Result<std::vector<double>> parse_series(const std::string& text, std::string_view location,
                                         const char* unit) {
  using json::quote;
  const auto wrong = [&](const std::string& why) {
    return Error{ErrorKind::usage, std::string(location), why};
  };
  const auto positive = [&](const std::string& part) -> Result<double> {
    const auto value = evaluate(part, unit);
    if (!value) return wrong(fmt::format("{}: {}", quote(part), value.error().message));
    if (!(*value > 0)) return wrong(fmt::format("must be above 0, not {}", quote(part)));
    return *value;
  };
  std::vector<double> out;
  const std::vector<std::string> range = split(text, ':');
  if (range.size() == 1) {
    const auto members = comma_list(text);
    if (!members) return wrong(members.error().message);
    for (const std::string& part : *members) {
      const auto value = positive(part);
      if (!value) return value.error();
      // The order compares each with the one before it.
      if (std::find(out.begin(), out.end(), *value) != out.end())
        return wrong(fmt::format("{} is given twice", quote(part)));
      out.push_back(*value);
    }
  } else if (range.size() == 3 && range[2].starts_with('/')) {
    const auto first = positive(range[0]), last = positive(range[1]),
               factor = positive(range[2].substr(1));
    for (const auto* value : {&first, &last, &factor})
      if (!*value) return value->error();
    if (*factor <= 1)
      return wrong(fmt::format("the factor after / must be above 1, not {}", quote(range[2])));
    if (*last > *first)
      return wrong(fmt::format("{} must not be above {}", quote(range[1]), quote(range[0])));
    for (double value = *first; value >= *last * (1 - 1e-9); value /= *factor) {
      if (out.size() == max_numbers) break;
      out.push_back(value);
    }
  } else {
    return wrong(
        fmt::format("must be numbers such as 0.04,0.02 or a range such as 0.04:0.0025:/2, not {}",
                    quote(text)));
  }
  if (out.size() >= max_numbers)
    return wrong(fmt::format("must be fewer than {} numbers", max_numbers));
  return out;
}

std::string series_text(const std::vector<double>& numbers) {
  const auto uneven = [](double before, double after) { return after != before / 2; };
  if (numbers.size() > 2 &&
      std::adjacent_find(numbers.begin(), numbers.end(), uneven) == numbers.end())
    return fmt::format("{}:{}:/2", json::shortest(numbers.front()), json::shortest(numbers.back()));
  return joined(numbers, ", ", json::shortest);
}

}  // namespace twosphere
