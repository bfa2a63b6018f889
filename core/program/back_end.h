// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "core/base/result.h"

/// The back ends of text-defined systems: "llvm", machine code, and "tape", which runs instructions
/// one by one and is always there. Their results are equal bit for bit.
namespace twosphere::custom {

/// Selects "tape", or "llvm" (also empty) where it is possible.
Result<void> force_back_end(std::string_view name);
/// Selects what the environment variable TWOSPHERE_BACK_END names, if it is set. Call once at
/// startup.
Result<void> force_back_end_from_environment();
/// When machine code is made: in the background from System::back_end() on, so that a run begins at
/// once, with the tape, and continues with the code; or within back_end(), as in the beginning.
void compile_in_background(bool on);
/// Whether systems that are made now are to have machine code.
bool code_is_wanted();
/// Whether LLVM is there.
bool code_is_possible();
/// What systems that are made now will use, with the reason: "llvm (LLVM 15.0.6)", "tape (…)".
std::string describe_back_end();

}  // namespace twosphere::custom
