// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/pace.h"

#include <fmt/core.h>

#include <array>

namespace twosphere::ui {

namespace {

constexpr std::array factors{0.01, 0.02, 0.05, 0.1,  0.2,  0.5,  1.0,
                             2.0,  5.0,  10.0, 20.0, 50.0, 100.0};
// Relative tolerance for factors of the list.
constexpr double tolerance = 1e-9;

double present(const Pace& pace) { return pace.pacing == Pacing::every_step ? 1 : pace.factor; }

}  // namespace

std::span<const double> speed_factors() { return factors; }

Pace faster(const Pace& pace) {
  if (pace.pacing == Pacing::fastest) return pace;
  for (const double f : factors)
    if (f > present(pace) * (1 + tolerance)) return {Pacing::real_time, f};
  return {Pacing::fastest, factors.back()};
}

Pace slower(const Pace& pace) {
  if (pace.pacing == Pacing::fastest) return {Pacing::real_time, factors.back()};
  for (auto f = factors.rbegin(); f != factors.rend(); ++f)
    if (*f < present(pace) * (1 - tolerance)) return {Pacing::real_time, *f};
  return {Pacing::real_time, factors.front()};
}

std::string describe(const Pace& pace) {
  switch (pace.pacing) {
    case Pacing::every_step:
      return "every step";
    case Pacing::fastest:
      return "as fast as possible";
    case Pacing::real_time:
      break;
  }
  return fmt::format("{:.4g}× real time", pace.factor);
}

std::string short_name(const Pace& pace) {
  switch (pace.pacing) {
    case Pacing::every_step:
      return "steps";
    case Pacing::fastest:
      return "max";
    case Pacing::real_time:
      break;
  }
  return fmt::format("{:.4g}×", pace.factor);
}

}  // namespace twosphere::ui
