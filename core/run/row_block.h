// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/kernels/aligned.h"
#include "core/kernels/row_measures.h"
#include "core/mechanics/diagnostics.h"
#include "core/mechanics/ensemble.h"
#include "core/mechanics/integrator.h"
#include "core/mechanics/state.h"
#include "core/mechanics/system.h"

namespace twosphere {

/// Consecutive rows of one lane, whose states are put into it one by one and then measured
/// together: in a fifth of the time that measure() takes for each, with the same results bit for
/// bit.
class RowBlock {
 public:
  /// The most rows.
  static constexpr std::size_t capacity = ensemble_members;
  /// Whether the rows of this system can be measured together.
  static bool suits(const System& system) {
    return rows_kernel::suits(system.inertia()) && system.strength().size() == 0;
  }

  /// Begins with no rows. Allocates memory only for more bodies than before.
  void begin(const System& system);
  void clear() { size_ = 0; }
  /// Adds a state of the same system, whose ω is up to date, at time t of the run [s], with W [J]
  /// so far and the report of its step.
  void add(const System& system, const State& state, double t, double work,
           const StepReport& report);
  /// Measures all rows. False if a quantity of one of them is not finite.
  bool measure(const System& system, double energy_reference);

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  /// The samples that have been measured, oldest first.
  std::span<const Sample> samples() const { return {samples_.data(), size_}; }
  const StepReport& report(std::size_t row) const { return reports_[row]; }
  /// The state of a row.
  void state(std::size_t row, State& to) const;

  /// The largest |ω| of a body in a row [rad/s].
  double fastest() const { return std::sqrt(rows_.fastest); }
  /// The largest distance of a body from where it is in the last row [1].
  double apart() const { return std::sqrt(rows_.apart); }

 private:
  std::size_t size_ = 0;
  Eigen::Index bodies_ = 0;
  bool potential_together_ = false;
  rows_kernel::Rows rows_;
  std::array<double, capacity> potential_{}, work_{};
  std::array<double, capacity> time_{},
      lane_time_{};  // of the run, and on the lane's own clock [s]
  std::array<StepReport, capacity> reports_;
  std::array<Sample, capacity> samples_;
};

}  // namespace twosphere
