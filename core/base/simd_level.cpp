// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/simd_level.h"

#include <fmt/format.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "core/base/json.h"

namespace twosphere {

namespace {

/// The level of a Highway target. Newer versions of Highway have several targets for avx512 and
/// neon.
std::string_view name(std::int64_t target) {
#if HWY_ARCH_X86
  if (target < HWY_AVX2) return "avx512";
  if (target == HWY_AVX2) return "avx2";
  if (target == HWY_SSE4) return "sse4";
  return "sse2";
#elif HWY_ARCH_ARM
  return target < HWY_EMU128 ? "neon" : "generic";
#else
  static_cast<void>(target);
  return "generic";
#endif
}

/// The levels of a set of targets; lower bits are better.
std::vector<std::string_view> names(std::int64_t targets) {
  std::vector<std::string_view> out;
  for (; targets; targets &= targets - 1)
    if (const auto level = name(targets & -targets); out.empty() || out.back() != level)
      out.push_back(level);
  return out;
}

/// The compiled targets that the processor supports; first called before any is disabled. If there
/// is none, the compiler's baseline target is used: NEON on an Arm without AES, which Highway 1.0.3
/// requires and no kernel uses.
std::int64_t available() {
  static const std::int64_t targets = hwy::SupportedTargets() & HWY_TARGETS;
  return targets ? targets : HWY_STATIC_TARGET;
}

/// The enabled targets, of which the best is used. Stored here because hwy::SupportedTargets()
/// enables all targets again.
std::int64_t& used() {
  static std::int64_t targets = available();
  return targets;
}

#if HWY_ARCH_X86
[[gnu::target("avx")]] void zero_upper_halves() { __builtin_ia32_vzeroupper(); }
#endif

bool contains(const std::vector<std::string_view>& levels, std::string_view level) {
  return std::find(levels.begin(), levels.end(), level) != levels.end();
}

}  // namespace

std::string_view isa_level() { return name(used() & -used()); }

std::vector<std::string_view> isa_levels() { return names(available()); }

Result<void> force_isa_level(std::string_view level) {
  const std::int64_t all = available();
  std::int64_t targets = all;
  if (!level.empty()) {
    const std::vector<std::string_view> known = names(HWY_TARGETS), here = names(all);
    if (!contains(here, level))
      return Error{ErrorKind::usage, "",
                   fmt::format("{} is not an instruction set level of this {}; allowed: {}",
                               json::quote(level), contains(known, level) ? "processor" : "program",
                               fmt::join(here, ", "))};
    while (name(targets & -targets) != level) targets &= targets - 1;
  }
  used() = targets;
  hwy::DisableTargets(all & ~targets);
  return {};
}

Result<void> force_isa_from_environment() {
  const char* level = std::getenv("TWOSPHERE_ISA");
  if (auto forced = force_isa_level(level ? level : ""); !forced)
    return Error{ErrorKind::usage, "TWOSPHERE_ISA", forced.error().message};
  return {};
}

void zero_upper_registers() {
#if HWY_ARCH_X86
  if (__builtin_cpu_supports("avx")) zero_upper_halves();
#endif
}

}  // namespace twosphere
