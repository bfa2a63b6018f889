// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace twosphere {

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
  std::string period{};  ///< an expression of the parameters, or a number [s] > 0
  double phase = 0;      ///< [s]
  /// Names and expressions of what is recorded of a point; none: q and ω of all bodies.
  std::vector<std::pair<std::string, std::string>> coordinates{};

  bool stroboscopic() const { return expression.empty(); }
  std::string_view direction_name() const {
    return directions[static_cast<std::size_t>(direction)];
  }
  bool operator==(const PoincareSection&) const = default;
};

struct Scenario;
}  // namespace twosphere
