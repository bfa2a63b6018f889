// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>
#include <vector>

#include "core/base/result.h"

/// Instruction set levels: the kernels in core/kernels are compiled once per level, and the best
/// level of the processor is chosen when the program runs.
///
/// Levels, best first: "avx512", "avx2", "sse4", "sse2" on x86-64 ("sse2", that of every x86-64, is
/// code for one number at a time), "neon" on 64-bit Arm, "generic" elsewhere. What kernels compute
/// at one level is the same bits whatever the processor. They use fused multiply-add where the
/// level has it, avx2, avx512 and neon say, so levels differ by rounding. The C library looks at
/// the processor itself: at sse4 and sse2 its sines and powers may differ by whether that has FMA.
namespace twosphere {

/// The level in use.
std::string_view isa_level();
/// The levels of this program that this processor has, best first; at least one.
std::vector<std::string_view> isa_levels();

/// Uses `level` from now on, or again the best where it is empty. Not while a kernel runs. Fails,
/// and changes nothing, if the program or the processor lacks it.
Result<void> force_isa_level(std::string_view level);
/// Uses the level that the environment variable TWOSPHERE_ISA names, if it names one. To be called
/// once, at the start.
Result<void> force_isa_from_environment();

/// Clears the upper halves of the vector registers of x86, which others may have left in use: as
/// Qt's hashes do on some processors. A thread starts with those of the one that made it. As long
/// as they are in use, going from code with AVX, such as the C library's copying, to code without
/// takes some hundred cycles each time on Intel's processors. To be called where a thread begins,
/// and where work begins after another library's. Does nothing elsewhere.
void zero_upper_registers();

}  // namespace twosphere
