// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/modified_energy_error.h"

#include <algorithm>
#include <cmath>

namespace twosphere {

double ModifiedEnergyError::total(const std::shared_ptr<const System>& system,
                                  const IntegratorInfo& method, double h, const State& state,
                                  const EnergyRow& row) {
  if (!system->has_external_force() && row.work != work_) changed_ = true;
  work_ = row.work;
  const double step = std::abs(h);
  if (system_ != system || method_ != &method || step_ != step) {
    system_ = system;
    method_ = &method;
    step_ = step;
    changed_ = true;
    energy_.reset();
    if (ModifiedEnergy::missing(*system, method).empty()) energy_.emplace(*system, method);
  }
  return energy_ ? row.error + energy_->correction(*system, state, step) : std::nan("");
}

double ModifiedEnergyError::next(const std::shared_ptr<const System>& system,
                                 const IntegratorInfo& method, double h, const State& state,
                                 const EnergyRow& row) {
  const double now = total(system, method, h, state, row);
  // The first row after a change has the value of the row before it, to the last bit.
  const bool continues = changed_ && !std::isnan(last_) && !std::isnan(now);
  if (changed_ || std::isnan(reference_)) reference_ = std::isnan(last_) ? now : now - last_;
  changed_ = false;
  if (!continues) last_ = now - reference_;
  return last_;
}

void ModifiedEnergyError::resume(const std::shared_ptr<const System>& system,
                                 const IntegratorInfo& method, double h, const State& state,
                                 const EnergyRow& row, double value) {
  reference_ = total(system, method, h, state, row) - value;
  last_ = value;
  changed_ = false;
}

void ModifiedEnergyDrift::add(double t, double energy_error, double modified_error, double motion) {
  if (std::isnan(modified_error)) return;
  if (rows_++ == 0) {
    first_time_ = t;
    lowest_ = highest_ = energy_error;
    min_ = max_ = modified_error;
  }
  last_time_ = t;
  const double since = t - first_time_;
  times_ += since;
  errors_ += modified_error;
  squares_ += since * since;
  products_ += since * modified_error;
  lowest_ = std::min(lowest_, energy_error);
  highest_ = std::max(highest_, energy_error);
  min_ = std::min(min_, modified_error);
  max_ = std::max(max_, modified_error);
  motion_ = std::max(motion_, motion);
}

double ModifiedEnergyDrift::drift() const {
  const double spread = rows_ * squares_ - times_ * times_;
  if (!(spread > 0)) return 0;
  const double slope = (rows_ * products_ - times_ * errors_) / spread;
  return std::abs(slope * (last_time_ - first_time_));
}

bool ModifiedEnergyDrift::exceeds() const {
  constexpr double rounding = 1e-11;
  const double found = drift();
  return rows_ >= min_rows && found > share * band() && found > (max_ - min_) / 2 &&
         found > rounding * motion_;
}

}  // namespace twosphere
