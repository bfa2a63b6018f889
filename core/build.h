// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "core/result.h"

/// What this program was built from and for.
namespace twosphere {

/// The instruction set level that the numerics use: "sse2", that of every x86-64.
std::string_view isa_level();
/// Fails if the environment variable TWOSPHERE_ISA forces a level that the program does not have.
Result<void> check_forced_isa();

/// The libraries of the core with their versions: "Eigen 3.4.0, fmt 9.1.0, …".
std::string core_libraries();

}  // namespace twosphere
