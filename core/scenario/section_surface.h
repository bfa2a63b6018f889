// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/mechanics/state.h"
#include "core/scenario/poincare_section.h"
#include "core/scenario/state_expression.h"

namespace twosphere {

struct Scenario;

/// A section for the system of a scenario, with its parameters. Immutable; may be used by several
/// threads at the same time.
class SectionSurface {
 public:
  /// The points of a stroboscopic section in a step of the run: its period is not shorter.
  static constexpr int max_points_per_step = 100;

  /// The location of an error is a key of the section, "coordinates.NAME", or one of these and
  /// ":column N".
  static Result<std::shared_ptr<const SectionSurface>> create(const PoincareSection& section,
                                                              const Scenario& scenario);

  const PoincareSection& section() const { return section_; }
  bool stroboscopic() const { return section_.stroboscopic(); }
  double value(const State& state) const { return expression_->value(state); }  ///< g
  double period() const { return period_; }                                     ///< [s]

  struct Column {
    std::string name, unit;
  };
  /// The coordinates: those of the section, or "q0_x" … "omega0_x" … as in a trajectory. The unit
  /// of one that begins with atan2, acos, asin, atan or angle is rad, that of an angular velocity
  /// rad/s.
  const std::vector<Column>& columns() const { return columns_; }
  /// Replaces `out` by their values.
  void coordinates(const State& state, std::vector<double>& out) const;

 private:
  PoincareSection section_;
  std::optional<StateExpression> expression_;
  double period_ = 0;
  std::vector<StateExpression> coordinates_;
  std::vector<Column> columns_;
};

/// The section of a scenario or, if it has none, one that its orbits are likely to cross: the first
/// body passes the plane e₂ = 0 or, where it starts within that plane, e₁ = 0 or, where it starts
/// along e₁, the first body turns back. Without coordinates of its own these are the angle of the
/// second body, or of the only one, from e₃ towards e₁, and its rate ω·e₂.
PoincareSection default_section(const Scenario& scenario);

}  // namespace twosphere
