// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/custom/definition.h"

/// Parts of the texts of systems, SystemInfo::text.
namespace twosphere {

/// The parameter `name` of a definition with the unit, the range and the help of `info`; a range
/// that does not hold the values is widened to them. Numbers of all bodies that are equal become
/// one number for all.
Definition::Parameter parameter_text(std::string name, const ParameterInfo& info,
                                     std::vector<double> value);
/// The same for the parameter of a system with this key, and its value.
Definition::Parameter parameter_text(std::string name, const SystemInfo& system,
                                     std::string_view key, const Values& values);

/// Adds the coordinates of pivots, three of each, and defines POINT[i].
void add_pivots(Definition& definition, Definition::Parameter coordinates, std::string_view point);
/// Adds the parameter "damping" as c, with its torques −c ω, unless it is 0.
void add_damping(Definition& definition, const SystemInfo& system, const Values& values);

/// Adds the parameter "frame_rotation" as Omega, unless it is 0.
void add_frame_rotation(Definition& definition, const SystemInfo& system, const Values& values);

}  // namespace twosphere
