// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

/// What this program was built from and for.
namespace twosphere {

/// The libraries of the core with their versions: "Eigen 3.4.0, fmt 9.1.0, …".
std::string core_libraries();

}  // namespace twosphere
