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

/// H̃ − H̃₀ − W of one lane along its rows, see ModifiedEnergy: zero at the first row. Where system,
/// method or step change, it continues from the row before. An edit of the state moves it by the
/// change of H̃ − H, as does a pull, whose forces are not among those of the system. NaN while there
/// is no H̃, after which it begins anew.
class ModifiedEnergyError {
 public:
  /// The value at the next row, whose ω is up to date; `energy_error` is E − E₀ − W there. Cost:
  /// that of ModifiedEnergy::correction().
  double next(const std::shared_ptr<const System>& system, const IntegratorInfo& method, double h,
              const State& state, double energy_error);
  /// Continues after a row with this value.
  void resume(const std::shared_ptr<const System>& system, const IntegratorInfo& method, double h,
              const State& state, double energy_error, double value);

 private:
  /// H̃ − E₀ − W; NaN if there is no H̃.
  double total(const std::shared_ptr<const System>& system, const IntegratorInfo& method, double h,
               const State& state, double energy_error);

  std::shared_ptr<const System> system_;
  const IntegratorInfo* method_ = nullptr;
  double step_ = 0;  // |h|
  std::optional<ModifiedEnergy> energy_;
  bool changed_ = false;  // since the last row
  double reference_ = 0, last_ = std::numeric_limits<double>::quiet_NaN();
};

}  // namespace twosphere
