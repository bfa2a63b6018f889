// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace twosphere::test {

/// Whether a sanitizer watches: everything takes 10 to 30 times as long, and what reads and writes
/// memory in the same way again and again shows no more than a part of it.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

}  // namespace twosphere::test
