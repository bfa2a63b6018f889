// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <limits>
#include <memory>
#include <optional>

#include "core/mechanics/integrator.h"
#include "core/mechanics/modified_energy.h"
#include "core/mechanics/state.h"
#include "core/mechanics/system.h"

namespace twosphere {

/// What a row says of the energy of a lane [J].
struct EnergyRow {
  double error = 0;  ///< E − E₀ − W
  double work = 0;   ///< W, to which an edit adds its change of E
};

/// H̃ − H̃₀ − W of one lane along its rows, see ModifiedEnergy: zero at the first row. Where system,
/// method or step change, and, in systems without external forces, where an edit or a pull has done
/// work, it continues from the row before. With external forces these move it by the change of H̃ −
/// H. NaN while there is no H̃, after which it begins anew.
class ModifiedEnergyError {
 public:
  /// The value at the next row, whose ω is up to date. Cost: that of ModifiedEnergy::correction().
  double next(const std::shared_ptr<const System>& system, const IntegratorInfo& method, double h,
              const State& state, const EnergyRow& row);
  /// Continues after a row with this value.
  void resume(const std::shared_ptr<const System>& system, const IntegratorInfo& method, double h,
              const State& state, const EnergyRow& row, double value);

 private:
  /// H̃ − E₀ − W; NaN if there is no H̃.
  double total(const std::shared_ptr<const System>& system, const IntegratorInfo& method, double h,
               const State& state, const EnergyRow& row);

  std::shared_ptr<const System> system_;
  const IntegratorInfo* method_ = nullptr;
  double step_ = 0;  // |h|
  std::optional<ModifiedEnergy> energy_;
  bool changed_ = false;  // since the last row
  double work_ = 0;       // at the last row
  double reference_ = 0, last_ = std::numeric_limits<double>::quiet_NaN();
};

/// Whether the modified energy of a lane drifts: the slope of a line through its errors, times the
/// time between the first and the last row, against the band of the energy error, max − min, and
/// against their own band, of which an oscillation is the most. A step that resolves the motion
/// leaves nothing but rounding.
class ModifiedEnergyDrift {
 public:
  static constexpr double share = 0.1;  ///< of the band, from which a drift is told
  static constexpr int min_rows = 20;

  /// A row; `motion`: the kinetic energy there [J].
  void add(double t, double energy_error, double modified_error, double motion);
  /// |slope| times the time, and the band [J].
  double drift() const;
  double band() const { return highest_ - lowest_; }
  /// Of at least min_rows rows, above `share` of the band, half of the band of the errors
  /// themselves, and the rounding of the energy.
  bool exceeds() const;

 private:
  int rows_ = 0;
  double first_time_ = 0, last_time_ = 0;
  double times_ = 0, errors_ = 0, squares_ = 0, products_ = 0;  // sums, of t since the first row
  double lowest_ = 0, highest_ = 0, motion_ = 0;
  double min_ = 0, max_ = 0;  // of the errors of the modified energy
};

}  // namespace twosphere
