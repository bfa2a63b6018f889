// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

#include "core/base/thread_pool.h"
#include "core/studies/sweep_plan.h"

namespace twosphere::test {

/// complete_sweep() on all processors, which nothing ends early.
inline Result<bool> complete_to_end(Sweep& sweep) {
  return complete_sweep(sweep, processors(), [](std::size_t, std::size_t) { return true; });
}

}  // namespace twosphere::test
