// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

/// What this program was built from and for.
namespace twosphere {

/// The commit that the sources are, "73d8e18ab123", with "+changes" if they differ from it; empty
/// if they are not a git checkout, as from a tarball.
std::string_view revision();

/// What every file written says of the program: "twosphere 0.1.0 (73d8e18ab123, GNU 12.2.0)".
std::string program_version();

/// The libraries of the core with their versions: "Eigen 3.4.0, fmt 9.1.0, …".
std::string core_libraries();

}  // namespace twosphere
