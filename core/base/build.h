// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "core/base/json.h"

/// Version information recorded at build time.
namespace twosphere {

/// The commit of the sources, "73d8e18ab123", followed by "+changes" if they differ from it; empty
/// if the sources are not a git checkout.
std::string_view revision();

/// The version as recorded in every output file: "twosphere 0.1.0 (73d8e18ab123, GNU 12.2.0)".
std::string program_version();

/// The beginning of the description of a table: "program", "version", "revision", "compiler" and
/// "isa", the instruction set level.
json::Node provenance();

/// The libraries of the core with their versions: "Eigen 3.4.0, fmt 9.1.0, …".
std::string core_libraries();

}  // namespace twosphere
