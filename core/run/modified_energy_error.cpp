// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/modified_energy_error.h"

#include <cmath>

namespace twosphere {

double ModifiedEnergyError::total(const std::shared_ptr<const System>& system,
                                  const IntegratorInfo& method, double h, const State& state,
                                  double energy_error) {
  const double step = std::abs(h);
  if (system_ != system || method_ != &method || step_ != step) {
    system_ = system;
    method_ = &method;
    step_ = step;
    changed_ = true;
    energy_.reset();
    if (ModifiedEnergy::missing(*system, method).empty()) energy_.emplace(*system, method);
  }
  return energy_ ? energy_error + energy_->correction(*system, state, step) : std::nan("");
}

double ModifiedEnergyError::next(const std::shared_ptr<const System>& system,
                                 const IntegratorInfo& method, double h, const State& state,
                                 double energy_error) {
  const double now = total(system, method, h, state, energy_error);
  if (changed_) reference_ = std::isnan(last_) ? now : now - last_;
  changed_ = false;
  return last_ = now - reference_;
}

void ModifiedEnergyError::resume(const std::shared_ptr<const System>& system,
                                 const IntegratorInfo& method, double h, const State& state,
                                 double energy_error, double value) {
  reference_ = total(system, method, h, state, energy_error) - value;
  last_ = value;
  changed_ = false;
}

}  // namespace twosphere
