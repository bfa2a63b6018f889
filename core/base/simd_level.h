// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>
#include <vector>

#include "core/base/result.h"

/// Instruction set levels: the kernels in core/kernels are compiled once per level, and the best
/// level that the processor supports is chosen at run time.
///
/// Levels, best first: "avx512", "avx2", "sse4", "sse2" on x86-64 ("sse2", which every x86-64
/// processor has, is scalar code), "neon" on 64-bit Arm, "generic" elsewhere. At one level the
/// kernels give identical bits on every processor. They use fused multiply-add where the level has
/// it (avx2, avx512, neon), so levels differ by rounding. The C library selects its code by the
/// processor: at sse4 and sse2 its sines and powers may depend on whether the processor has FMA.
namespace twosphere {

/// The level in use.
std::string_view isa_level();
/// The compiled levels that this processor supports, best first; at least one.
std::vector<std::string_view> isa_levels();

/// Selects `level`, or the best one if it is empty. Must not be called while a kernel runs. Fails,
/// without effect, if the program or the processor does not support the level.
Result<void> force_isa_level(std::string_view level);
/// Selects the level named by the environment variable TWOSPHERE_ISA, if it is set. Call once at
/// startup.
Result<void> force_isa_from_environment();

/// Clears the upper halves of the x86 vector registers, which other libraries may have left in use
/// (Qt's hash functions do on some processors); a new thread inherits them. While they are in use,
/// each transition from AVX code, such as the C library's memcpy, to code without AVX costs some
/// hundred cycles on Intel processors. Call at the start of a thread and after calls into other
/// libraries. Does nothing on other architectures.
void zero_upper_registers();

}  // namespace twosphere
