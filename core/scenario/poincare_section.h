// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/mechanics/state.h"
#include "core/scenario/state_expression.h"

namespace twosphere {

struct Scenario;

/// The section of a scenario: a surface g = 0 that orbits cross, or the times t = phase + j·period
/// for all whole j (stroboscopic).
struct PoincareSection {
  enum class Direction {
    rising,   ///< g increases along the run
    falling,  ///< g decreases
    both,
  };
  static constexpr std::array<std::string_view, 3> directions{"rising", "falling", "both"};
  std::string expression{};  ///< g, of StateExpression; empty: stroboscopic
  Direction direction = Direction::rising;
  std::string period{};  ///< likewise, of the parameters, or a number [s] > 0
  double phase = 0;      ///< [s]
  /// Names and expressions of what is recorded of a point; none: q and ω of all bodies.
  std::vector<std::pair<std::string, std::string>> coordinates{};

  bool stroboscopic() const { return expression.empty(); }
  bool operator==(const PoincareSection&) const = default;
};
inline std::string_view name(PoincareSection::Direction direction) {
  return PoincareSection::directions[static_cast<std::size_t>(direction)];
}

/// A section for the system of a scenario, with its parameters. Immutable; may be used by several
/// threads at the same time.
class SectionSurface {
 public:
  /// The place of an error is a key of the section, "coordinates.NAME", or one of these and
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
  /// The coordinates: those of the section, or "q0_x" … "omega0_x" … as in a trajectory.
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

}  // namespace twosphere
