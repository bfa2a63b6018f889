// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/section_surface.h"

#include <fmt/format.h>

#include <cmath>

#include "core/base/json.h"
#include "core/scenario/document.h"
#include "core/scenario/run_clock.h"
#include "core/scenario/scenario.h"

namespace twosphere {

namespace {

/// An expression at `key` of the section; the place of an error is the key with the column.
Result<StateExpression> expression_at(const std::string& key, const std::string& text,
                                      const Scenario& scenario) {
  auto made = StateExpression::create(text, scenario);
  if (!made)
    return Error{made.error().kind, fmt::format("{}:{}", key, made.error().location),
                 made.error().message};
  return made;
}

/// The unit of a coordinate: rad of an angle, rad/s of an angular velocity, which by themselves are
/// pure numbers.
std::string unit_of(const std::string& text, const StateExpression& coordinate) {
  const std::string_view unit = coordinate.bound_unit();
  if (unit == "1")
    for (const char* angle : {"atan2(", "acos(", "asin(", "atan(", "angle("})
      if (text.starts_with(angle)) return "rad";
  return unit.empty() ? "1" : std::string(unit);
}

}  // namespace

Result<std::shared_ptr<const SectionSurface>> SectionSurface::create(const PoincareSection& section,
                                                                     const Scenario& scenario) {
  auto out = std::make_shared<SectionSurface>();
  out->section_ = section;
  if (section.stroboscopic()) {
    const auto period = expression_at("period", section.period, scenario);
    if (!period) return period.error();
    if (period->unit() != "s" && period->unit() != "1")
      return Error{ErrorKind::usage, "period",
                   fmt::format("must be a time in s, not in {}", period->unit())};
    // The period may depend on the parameters; it is that of the start.
    out->period_ = period->value({0, scenario.q, scenario.omega});
    if (!(out->period_ > 0) || !std::isfinite(out->period_))
      return Error{
          ErrorKind::usage, "period",
          fmt::format("must be greater than 0 and finite, not {} s", json::shortest(out->period_))};
    // More points than this in a step could not be told apart.
    const double step = grid_step(scenario.lanes), least = step / max_points_per_step;
    if (!(out->period_ >= least))
      return Error{ErrorKind::usage, "period",
                   fmt::format("must be at least {} s, 1/{} of the step of {} s, not {} s",
                               json::shortest(least), max_points_per_step, json::shortest(step),
                               json::shortest(out->period_))};
    if (!(std::abs(section.phase) / out->period_ <= static_cast<double>(document::max_steps)))
      return Error{ErrorKind::usage, "phase",
                   fmt::format("must be at most 2^53 - 1 periods of {} s, not {} s",
                               json::shortest(out->period_), json::shortest(section.phase))};
  } else {
    auto expression = expression_at("expression", section.expression, scenario);
    if (!expression) return expression.error();
    out->expression_ = std::move(*expression);
  }
  for (const auto& [name, text] : section.coordinates) {
    auto coordinate = expression_at("coordinates." + name, text, scenario);
    if (!coordinate) return coordinate.error();
    out->columns_.push_back({name, unit_of(text, *coordinate)});
    out->coordinates_.push_back(std::move(*coordinate));
  }
  // Without coordinates of its own a point is q and ω of all bodies.
  if (section.coordinates.empty())
    for (const auto& [name, unit] : {std::pair("q", "1"), std::pair("omega", "rad/s")})
      for (int i = 0; i < scenario.size(); ++i)
        for (const char axis : {'x', 'y', 'z'})
          out->columns_.push_back({fmt::format("{}{}_{}", name, i, axis), unit});
  return std::shared_ptr<const SectionSurface>(std::move(out));
}

void SectionSurface::coordinates(const State& state, std::vector<double>& out) const {
  out.clear();
  for (const StateExpression& coordinate : coordinates_) out.push_back(coordinate.value(state));
  if (!coordinates_.empty()) return;
  for (const Columns* columns : {&state.q, &state.w})
    out.insert(out.end(), columns->data(), columns->data() + columns->size());
}

PoincareSection default_section(const Scenario& scenario) {
  if (scenario.section && scenario.section->coordinates.size() > 1) return *scenario.section;
  // Coordinates of a body that the section leaves free.
  const int body = scenario.size() > 1 ? 1 : 0;
  PoincareSection section = scenario.section.value_or(PoincareSection{.expression = "q[0].e2"});
  if (!scenario.section) {
    const Vec3 q = scenario.q.col(0), v = Vec3(scenario.omega.col(0)).cross(q);
    // A motion within the plane of e1 and e3 does not leave it.
    if (q.y() == 0 && v.y() == 0) section.expression = q.z() == 0 ? "w[0].e2" : "q[0].e1";
  }
  // ω along e2 turns e3 towards e1.
  section.coordinates = {{"angle", fmt::format("atan2(q[{0}].e1, q[{0}].e3)", body)},
                         {"rate", fmt::format("w[{}].e2", body)}};
  return section;
}

}  // namespace twosphere
