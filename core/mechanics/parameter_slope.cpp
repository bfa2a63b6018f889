// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mechanics/parameter_slope.h"

#include <optional>
#include <span>
#include <utility>

namespace twosphere {

namespace {

/// The value at θ + place·ε counts weight/ε.
struct DifferenceNode {
  int place;
  double weight;
};
constexpr DifferenceNode central_nodes[] = {
    {-2, 1.0 / 12}, {-1, -8.0 / 12}, {1, 8.0 / 12}, {2, -1.0 / 12}};
constexpr DifferenceNode forward_nodes[] = {
    {0, -25.0 / 12}, {1, 48.0 / 12}, {2, -36.0 / 12}, {3, 16.0 / 12}, {4, -3.0 / 12}};

}  // namespace

Result<ParameterSlope> ParameterSlope::at(const SystemAt& system, double theta, double epsilon) {
  std::optional<Error> first;
  const auto differences = [&](std::span<const DifferenceNode> nodes, double step) {
    std::optional<ParameterSlope> slope(std::in_place);
    for (const auto& [place, weight] : nodes) {
      auto made = system(theta + place * step);
      if (!made) {
        if (!first) first = made.error();
        return std::optional<ParameterSlope>();
      }
      slope->beside_.push_back({std::move(*made), weight / step});
    }
    return slope;
  };
  for (const auto& [nodes, step] :
       {std::pair{std::span<const DifferenceNode>(central_nodes), epsilon},
        {std::span<const DifferenceNode>(forward_nodes), epsilon},
        {std::span<const DifferenceNode>(forward_nodes), -epsilon}})
    if (auto slope = differences(nodes, step)) return std::move(*slope);
  return *first;
}

}  // namespace twosphere
