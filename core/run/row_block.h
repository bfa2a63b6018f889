// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>

#include "core/mechanics/diagnostics.h"
#include "core/mechanics/ensemble.h"
#include "core/mechanics/integrator.h"
#include "core/mechanics/state.h"
#include "core/mechanics/system.h"

namespace twosphere {

namespace rows_kernel {
struct Rows;
}

/// Consecutive rows of one lane, whose states are put into it one by one and then measured
/// together: in a fifth of the time that measure() takes for each, with the same results bit for
/// bit.
class RowBlock {
 public:
  /// The most rows.
  static constexpr std::size_t capacity = ensemble_members;
  /// Whether the rows of this system can be measured together: few bodies, uncoupled or in a chain,
  /// without strengths and in axes that do not rotate. None of first order, whose sweeps are judged
  /// at every row.
  static bool suits(const System& system);

  RowBlock();
  RowBlock(RowBlock&&) noexcept;
  RowBlock& operator=(RowBlock&&) noexcept;
  ~RowBlock();

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
  /// The iterations and the residual of a step.
  StepReport report(std::size_t row) const {
    StepReport report;
    report.iterations = iterations_[row];
    report.residual = residual_[row];
    return report;
  }
  /// The state of a row.
  void state(std::size_t row, State& to) const;

  /// The largest |ω| of a body in a row [rad/s].
  double fastest() const { return fastest_; }
  /// The largest distance of a body from where it is in the last row [1].
  double apart() const { return apart_; }

 private:
  std::size_t size_ = 0;
  Eigen::Index bodies_ = 0;
  bool potential_together_ = false;
  std::unique_ptr<rows_kernel::Rows> rows_;
  double fastest_ = 0, apart_ = 0;
  std::array<double, capacity> potential_{}, work_{};
  std::array<double, capacity> time_{};       // of the run [s]
  std::array<double, capacity> lane_time_{};  // on the lane's own clock [s]
  std::array<int, capacity> iterations_{};
  std::array<double, capacity> residual_{};
  std::array<Sample, capacity> samples_;
};

}  // namespace twosphere
