// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mechanics/parameter_slope.h"

#include <optional>

namespace twosphere {

const ParameterSlope::Node ParameterSlope::central_nodes[] = {
    {-2, 1.0 / 12}, {-1, -8.0 / 12}, {1, 8.0 / 12}, {2, -1.0 / 12}};
const ParameterSlope::Node ParameterSlope::forward_nodes[] = {
    {0, -25.0 / 12}, {1, 48.0 / 12}, {2, -36.0 / 12}, {3, 16.0 / 12}, {4, -3.0 / 12}};

Result<void> ParameterSlope::make() {
  for (const auto& [place, weight] : nodes_) {
    auto made = system_(theta_ + place * epsilon_);
    if (!made) return made.error();
    beside_.push_back({std::move(*made), weight / epsilon_});
  }
  return {};
}

Result<ParameterSlope> ParameterSlope::at(const SystemAt& system, double theta, double epsilon) {
  std::optional<Error> first;
  for (const auto& [nodes, step] : {std::pair{std::span<const Node>(central_nodes), epsilon},
                                    {std::span<const Node>(forward_nodes), epsilon},
                                    {std::span<const Node>(forward_nodes), -epsilon}}) {
    ParameterSlope slope(system, theta, nodes, step);
    const auto made = slope.make();
    if (made) return slope;
    if (!first) first = made.error();
  }
  return *first;
}

Result<ParameterSlope> ParameterSlope::nearer(double part) const {
  ParameterSlope slope(system_, theta_, nodes_, part * epsilon_);
  if (auto made = slope.make(); !made) return made.error();
  return slope;
}

}  // namespace twosphere
