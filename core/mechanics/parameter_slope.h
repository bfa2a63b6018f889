// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/mechanics/system.h"

namespace twosphere {

/// The system at a value of a parameter θ; fails where there is none.
using SystemAt = std::function<Result<std::shared_ptr<const System>>(double)>;

/// How a system changes with a parameter θ: the derivative of what is computed of it, such as its
/// gradient or its inertia, as differences of systems at θ ± ε and θ ± 2ε, with an error of O(ε⁴).
/// What grows with time is differentiated by systems that are nearer where it grows far.
class ParameterSlope {
 public:
  /// A system beside, and its weight in derivatives [1/θ].
  struct Beside {
    std::shared_ptr<const System> system;
    double weight;
  };

  /// At θ, with ε > 0; where θ is that close to an end of its range, by five systems on one side.
  /// Fails as `system` does.
  static Result<ParameterSlope> at(const SystemAt& system, double theta, double epsilon);

  const std::vector<Beside>& beside() const { return beside_; }
  /// The same of systems at a part of the distance: of what grows with time. Fails as `system`
  /// does.
  Result<ParameterSlope> nearer(double part) const;
  /// Σ weight · of(system), a number.
  template <class Of>
  double derivative(const Of& of) const {
    double sum = 0;
    for (const Beside& one : beside_) sum += one.weight * of(*one.system);
    return sum;
  }

 private:
  /// The value at θ + place·ε counts weight/ε.
  struct Node {
    int place;
    double weight;
  };
  static const Node central_nodes[4], forward_nodes[5];

  ParameterSlope(SystemAt system, double theta, std::span<const Node> nodes, double epsilon)
      : system_(std::move(system)), theta_(theta), nodes_(nodes), epsilon_(epsilon) {}
  /// Makes the systems beside.
  Result<void> make();

  SystemAt system_;
  double theta_;
  std::span<const Node> nodes_;
  double epsilon_;  // below 0 on the other side
  std::vector<Beside> beside_;
};

}  // namespace twosphere
