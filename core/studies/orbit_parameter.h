// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/scenario/scenario.h"
#include "core/studies/orbit.h"

/// Settings of a system as parameters of families of orbits.
namespace twosphere {

/// The first key of a setting that orbits can be followed over.
inline constexpr std::string_view family_setting = "system";

/// A number of the system, which changes along a family.
struct FamilySetting {
  SettingPath path;  ///< "system.lengths[1]"
  std::string unit;  ///< "1" if it is a pure number
  double value = 0;  ///< that of the scenario
};
/// The setting at a path of a scenario. Fails with kind usage, and the location "over", if there is
/// none, if it is not one number, and if it does not change continuously.
Result<FamilySetting> family_setting_of(const Scenario& scenario, const SettingPath& path);

/// The parameter of a problem at this setting, followed to the value `to`. The problem has the
/// scenario's orbit_system(). Systems that have no orbits (check_orbit()), another symmetry,
/// another form of the inertia, other OrbitForces, or that do not exist, are refused; if that at
/// `to` is, with kind usage and the location "to". Of a problem of first order with conservative
/// forces all are, with the location "over".
Result<OrbitParameter> orbit_parameter(const Scenario& scenario, const OrbitProblem& problem,
                                       const FamilySetting& setting, double to);

}  // namespace twosphere
