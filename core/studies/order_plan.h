// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/studies/order_study.h"

namespace twosphere {

/// The choices of an order study. An empty one is found from the scenario.
struct OrderChoice {
  std::vector<std::string> methods{};      ///< keys of integrators; empty: study_methods()
  std::vector<double> steps{};             ///< [s]; empty: default_steps()
  std::vector<double> tolerances{};        ///< empty: 1e-3, 1e-4, …, 1e-12
  std::string reference{};                 ///< key; empty: default_reference()
  std::optional<double> reference_step{};  ///< [s]; none: a quarter of the smallest step
};

/// Makes the lane of a method from its key; `role` is "integrators" or "reference".
using LaneMaker = std::function<Result<LaneSpec>(const std::string& key, std::string_view role)>;
/// A study of the start and the system of a scenario. Fails like `lane`, and with the kind usage
/// and the location "steps" if no default step divides the duration.
Result<OrderStudy> plan_order_study(Scenario scenario, const OrderChoice& choice,
                                    const LaneMaker& lane);
/// The same with lanes that take the parameters of the scenario's first lane which they have.
Result<OrderStudy> plan_order_study(Scenario scenario, const OrderChoice& choice);

/// Positive numbers or expressions of a unit: "0.04,0.02,0.01", or "0.04:0.01:/2", from the first
/// to the last, each the one before divided by the factor. Fewer than 64. Fails with the kind usage
/// and the location `location`.
Result<std::vector<double>> parse_series(const std::string& text, std::string_view location,
                                         const char* unit);
/// Numbers as parse_series() reads them: a range where each is half of the one before.
std::string series_text(const std::vector<double>& numbers);

}  // namespace twosphere
